#!/usr/bin/env python3
"""A second verifier of vectors and deliveries: written from the law alone, with the standard library of Python 3.9."""

import argparse
import sys

sys.dont_write_bytecode = True

from verifier.delivery import Delivery  # noqa: E402
from verifier.exact import Broken  # noqa: E402
from verifier.vectors import check_files  # noqa: E402

ABOUT = """Recomputes assertion verdicts, outcomes and the verdict of a delivery from its committed JSON alone, and
says where a record differs. It shares no code with the gate, so that a fault of one is not a fault of both."""
LIMITS = """What it cannot do, and `cargo xtask verify` can: it runs no probe again, so an answer that audit-<n>.json records is
taken as read, with the digest of the file; so are density, font scale and what pictures show. It reads no YAML (the standard
library has none): checks and waivers are those that audit-<n>.json records, held against the digests of their files; the
authored pack and pipeline.yaml are not looked at, nor are the ledger and signatures. It renders no Markdown, and makes neither reviews nor briefs again.

Exit codes: 0 verified; 1 a verdict or report differs; 2 usage; 3 an artifact is broken; 6 tampered; 8 something is
unavailable."""


def main(arguments=None):
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="verify.py", description=ABOUT, epilog=LIMITS, formatter_class=raw)
    commands = parser.add_subparsers(dest="command", required=True)
    vectors = commands.add_parser("vectors", help="run files of vectors and print mismatches")
    vectors.add_argument("files", nargs="+", metavar="FILE")
    about = "verify the folder of a delivery, such as deliveries/login-page"
    delivery = commands.add_parser("delivery", help=about, epilog=LIMITS, formatter_class=raw)
    delivery.add_argument("folder", metavar="FOLDER")
    delivery.add_argument("--external", metavar="FOLDER", help="the external store of evidence, as pipeline.yaml names it")
    chosen = parser.parse_args(arguments)
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    if chosen.command == "delivery":
        return verify(Delivery(chosen.folder, chosen.external))
    try:
        return 0 if check_files(chosen.files, print) else 1
    except (OSError, Broken, KeyError, UnicodeDecodeError) as error:
        print(f"a file of vectors cannot be read: {error!r}", file=sys.stderr)
        return 3


def verify(delivery):
    for kind, where, what in delivery.verify():
        print(f"{kind}: {where}: {what}")
    ending = delivery.ending()
    if ending == 0:
        print(f"verified: {delivery.rulings} rulings recomputed")
    return ending


if __name__ == "__main__":
    sys.exit(main())
