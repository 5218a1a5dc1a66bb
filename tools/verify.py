#!/usr/bin/env python3
"""A second verifier of vectors and deliveries: written from the law alone, with the standard library of Python 3.9."""

import argparse
import sys

sys.dont_write_bytecode = True

from verifier.assertion import made  # noqa: E402
from verifier.delivery import EXIT_CODES, Delivery  # noqa: E402
from verifier.gate import audit, scale_of  # noqa: E402
from verifier.units import Broken, parse  # noqa: E402

ABOUT = """Recomputes assertion verdicts, outcomes and the verdict of a delivery from its committed JSON alone, and says
where a record differs. It shares no code with the gate, so that a fault of one is not a fault of both."""
LIMITS = """What it cannot do, and `cargo xtask verify` can: it runs no probe again, so an answer that an audit records is
taken as read, with the digest of the file; so is what pictures show. It reads no YAML (the standard library has none):
checks and waivers are those that audit-<n>.json records, held against the digests of their files; the authored pack and
pipeline.yaml are not looked at, nor are the ledger and signatures. It renders no Markdown, and makes neither reviews
nor briefs again.

Exit codes: 0 verified; 1 a verdict or report differs; 2 usage; 3 an artifact is broken; 6 tampered; 8 something is
unavailable."""


def differences(case):
    """What a vector says: what, what is expected, and what is found."""
    if "assertion" in case:
        assertion = made(case["assertion"], scale_of(case.get("context")))
        # Absent is blank, and not the null that `exists` answers.
        found = assertion.judge(case.get("actual", "")) if assertion else "invalid"
        return [("assertionVerdict", case["assertionVerdict"], found)]
    expect, verdict, criteria = case["expect"], "error", {}
    try:
        audited = audit({**case, "scale": scale_of(case.get("scale"))})
        verdict, criteria, every = audited.verdict, audited.criteria, audited.every
    except Broken as error:
        every = str(error).split()
    found = [("verdict", expect["verdict"], verdict)]
    for kind, field in (("outcomes", "outcome"), ("assertionVerdicts", "verdict")):
        found += [(f"{kind} of {name}", expected, getattr(criteria.get(name), field, None))
                  for name, expected in expect.get(kind, {}).items()]
    for kind in ("codes", "codesAbsent"):
        found += [(code, kind == "codes", code in every) for code in expect.get(kind, [])]
    return found


def vectors_agree(files):
    """Whether every case of every file is as it says."""
    agreed = True
    for path in files:
        with open(path, encoding="utf-8") as file:
            cases = parse(file.read())["cases"]
        for case, (what, expected, found) in ((case, row) for case in cases for row in differences(case)):
            if expected != found:
                agreed = False
                print(f"{path}: {case['name']}: {what}: expected {expected}, found {found}")
    return agreed


def main():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="verify.py", description=ABOUT, epilog=LIMITS, formatter_class=raw)
    commands = parser.add_subparsers(dest="command", required=True)
    vectors = commands.add_parser("vectors", help="run files of vectors and print mismatches")
    vectors.add_argument("files", nargs="+", metavar="FILE")
    delivery = commands.add_parser("delivery", help="verify a folder such as deliveries/login-page", epilog=LIMITS,
                                   formatter_class=raw)
    delivery.add_argument("folder", metavar="FOLDER")
    delivery.add_argument("--external", metavar="FOLDER", help="the external store that pipeline.yaml names")
    chosen = parser.parse_args()
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    if chosen.command == "vectors":
        try:
            return 0 if vectors_agree(chosen.files) else 1
        except (OSError, Broken, KeyError, UnicodeDecodeError) as error:
            print(f"a file of vectors cannot be read: {error!r}", file=sys.stderr)
            return 3
    delivery = Delivery(chosen.folder, chosen.external)
    found = delivery.verify()
    for kind, where, what in found:
        print(f"{kind}: {where}: {what}")
    if not found:
        print(f"verified: {delivery.rulings} rulings recomputed")
    return next((code for kind, code in EXIT_CODES.items() if kind in {row[0] for row in found}), 0)


if __name__ == "__main__":
    sys.exit(main())
