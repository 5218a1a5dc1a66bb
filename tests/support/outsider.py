"""Checks a signed statement with packages of others alone: outsider.py PUBLIC-KEY ENVELOPE.

Prints what it says and exits with 0, or exits with 1 if it is refused. Knows nothing of this project but where the key is
written: the base64 of a SubjectPublicKeyInfo.
"""

import base64
import hashlib
import json
import sys

from cryptography.hazmat.primitives.serialization import load_der_public_key
from google.protobuf import json_format
from in_toto_attestation.predicates.test_result.v0 import test_result_pb2
from in_toto_attestation.v1 import statement_pb2
from in_toto_attestation.v1.resource_descriptor import ResourceDescriptor
from in_toto_attestation.v1.statement import Statement
from securesystemslib.dsse import Envelope
from securesystemslib.exceptions import VerificationError
from securesystemslib.signer import SSlibKey


def main(public, path):
    der = base64.b64decode(public, validate=True)
    key = SSlibKey.from_crypto(load_der_public_key(der), keyid=hashlib.sha256(der).hexdigest())
    with open(path, encoding="utf-8") as file:
        envelope = Envelope.from_dict(json.load(file))
    try:
        envelope.verify([key], 1)
    except VerificationError as error:
        print(error, file=sys.stderr)
        return 1
    if envelope.payload_type != "application/vnd.in-toto+json":
        return 1
    # Fields that the formats do not know are an error.
    statement = json_format.Parse(envelope.payload, statement_pb2.Statement())
    Statement.copy_from_pb(statement).validate()
    result = json_format.ParseDict(json_format.MessageToDict(statement.predicate), test_result_pb2.TestResult())
    for resource in result.configuration:
        ResourceDescriptor.copy_from_pb(resource).validate()
        assert resource.digest, resource
    if result.result not in ("PASSED", "WARNED", "FAILED"):
        return 1
    print(json.dumps({
        "type": statement.type, "predicateType": statement.predicate_type, "result": result.result,
        "commit": statement.subject[0].digest["gitCommit"],
        "tests": [len(result.passed_tests), len(result.warned_tests), len(result.failed_tests)],
    }))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
