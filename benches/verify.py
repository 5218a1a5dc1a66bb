#!/usr/bin/env python3
"""Verifying many deliveries: `verify --all` beside `sha256sum` over the same files, in one run, and where a machine that is
busy or slow makes seconds mean little, beside one `git --version` a delivery.

    cargo build --release --package xtask
    python3 benches/verify.py target/release/xtask [deliveries]

Prints the best of several of each, the processor time, and the ratios.
"""

import os
import pathlib
import resource
import sys
import tempfile
import time

from sample import delivered, quiet


def timed(of, run):
    """The best seconds of several runs, and the least processor time."""
    walls, works = [], []
    for _ in range(of):
        before, begin = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        run()
        walls.append(time.perf_counter() - begin)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        works.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(walls), min(works)


def main():
    xtask = str(pathlib.Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    os.environ["SOURCE_DATE_EPOCH"] = "1780000000"
    with tempfile.TemporaryDirectory() as scratch:
        folder = delivered(xtask, pathlib.Path(scratch) / "many", count)
        said = quiet([xtask, "verify", "--all"], folder)
        verified = said.count(": verified:")
        if verified != count:
            sys.exit(f"{verified} of {count} were verified")
        files = [str(path) for part in ["features", "deliveries"] for path in (folder / part).rglob("*") if path.is_file()]
        wall, work = timed(5, lambda: quiet([xtask, "verify", "--all"], folder))
        sums, _ = timed(5, lambda: quiet(["sha256sum", *files], folder))
        git, _ = timed(3, lambda: [quiet(["git", "--version"], folder) for _ in range(count)])
    print(f"verify --all over {count} deliveries, {len(files)} files: {1000 * wall:.0f} ms, {1000 * work:.0f} ms of processor "
          f"time (at most {10 * count:.0f} ms)")
    print(f"sha256sum over these files: {1000 * sums:.0f} ms; verifying takes {wall / sums:.1f} times that")
    print(f"git --version once a delivery: {1000 * git:.0f} ms; verifying takes {wall / git:.2f} times that")


main()
