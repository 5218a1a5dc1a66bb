#!/usr/bin/env python3
"""A second verifier of vectors and deliveries: written from the law alone, with the standard library of Python 3.9."""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True

from verifier.assertion import Assertion  # noqa: E402
from verifier.delivery import BROKEN, DIFFERS, EXIT_CODES, Delivery, differences, some  # noqa: E402
from verifier.gate import audit, scale_of  # noqa: E402
from verifier.units import Broken, attempt, parse  # noqa: E402

ABOUT = """Recomputes assertion verdicts, outcomes and the verdict of a delivery from its committed JSON alone, and says
where a record differs. It shares no code with the gate, so that a fault of one is not a fault of both."""
LIMITS = """`cargo xtask verify` sees more. Here no probe runs again, so that its answers, and what pictures show, count
as they are recorded, with the digests of their files. No YAML is read: checks and waivers are those that audit-<n>.json
records, and the authored pack and pipeline.yaml are not looked at. Nor are Markdown, reviews, briefs, the ledger and
signatures.

Exit codes: 0 verified; 1 a verdict or report differs; 2 usage; 3 an artifact is broken; 6 tampered; 8 something is
unavailable."""


def vector(case):
    """What is compared in a vector, what it expects, and what is found."""
    if "assertion" in case:
        assertion = attempt(Assertion, case["assertion"], scale_of(case.get("context")))
        # Absent is blank, and not the null that `exists` answers.
        found = assertion.judge(case.get("actual", "")) if assertion else "invalid"
        return "assertionVerdict", case["assertionVerdict"], found
    expect, verdict, criteria = case["expect"], "error", {}
    try:
        audited = audit({**case, "scale": scale_of(case.get("scale"))})
        verdict, criteria, every = audited.verdict, audited.criteria, audited.every
    except Broken as error:
        every = str(error).split()
    outcomes, verdicts = ({name: getattr(one, field) for name, one in criteria.items()}
                          for field in ("outcome", "verdict"))
    found = {"verdict": verdict, "outcomes": some(outcomes, expect.get("outcomes", {})),
             "assertionVerdicts": some(verdicts, expect.get("assertionVerdicts", {})),
             "codes": [code for code in expect.get("codes", []) if code in every],
             "codesAbsent": [code for code in expect.get("codesAbsent", []) if code not in every]}
    return "audit", expect, some(found, expect)


def run_vectors(files):
    """Where the cases of files are not as they say, as kind, place and words."""
    for path in files:
        try:
            for case in parse(Path(path).read_text(encoding="utf-8"))["cases"]:
                yield from ((DIFFERS, f"{path}: {case['name']}", words) for words in differences(*vector(case)))
        except (OSError, Broken, KeyError, UnicodeDecodeError) as error:
            yield BROKEN, path, f"it cannot be read: {error!r}"


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
    delivery = Delivery(chosen.folder, chosen.external) if chosen.command == "delivery" else None
    found = delivery.verify() if delivery else list(run_vectors(chosen.files))
    for kind, where, words in found:
        print(f"{kind}: {where}: {words}")
    if delivery and not found:
        print(f"verified: {delivery.rulings} rulings recomputed")
    return next((code for kind, code in EXIT_CODES.items() if kind in {row[0] for row in found}), 0)


if __name__ == "__main__":
    sys.exit(main())
