#!/usr/bin/env python3
"""Copying and hashing evidence, beside `cp` with `openssl dgst -sha256`, and beside `sha256sum`, in one run.

    cargo build --release --package xtask
    python3 benches/store.py target/release/xtask [MiB]

Prints the best of three of each, and the ratios. The evidence stage does all its work in them: git, records, both files synced.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLLECTORS = """collectors:
  big:
    copy: features/login-page/recorded/big.bin
    output: big.bin
    source: display service
    keep: {keep}
"""


def best(of, run):
    """The best of three, in seconds: what the machine can do, not what it was busy with."""
    times = []
    for _ in range(of):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return min(times)


def workspace(folder, mebibytes):
    for part in ["templates", "features", "examples"]:
        shutil.copytree(ROOT / part, folder / part)
    text = (ROOT / "pipeline.yaml").read_text()
    begin, end = text.index("collectors:\n  layout"), text.index("# Auditors whose")
    scale, stages = text.index("# How pixels"), text.index("stages:")
    text = text[:begin] + COLLECTORS.format(keep="commit") + text[end:scale] + text[stages:]
    (folder / "pipeline.yaml").write_text(text)
    big = folder / "features/login-page/recorded/big.bin"
    block = os.urandom(1 << 20)
    with open(big, "wb") as file:
        for _ in range(mebibytes):
            file.write(block)
    return big


def run(xtask, folder, *arguments):
    # The sample's probes have nothing to read here; only the stage itself is timed.
    return subprocess.run([xtask, "--quiet", *arguments], cwd=folder, capture_output=True, text=True)


def peak(xtask, folder):
    """The most memory that the evidence stage had resident, in MiB."""
    probe = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=True, capture_output=True);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [sys.executable, "-c", probe, xtask, "--quiet", "evidence", "login-page", "--round", "1"]
    return int(subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout) / 1024


def main():
    xtask = str(pathlib.Path(sys.argv[1]).resolve())
    mebibytes = int(sys.argv[2]) if len(sys.argv) > 2 else 1024
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        big = workspace(folder, mebibytes)
        pack = folder / "features/login-page/pack.yaml"
        text = pack.read_text()
        # Only what a person judges is left, so that no probe asks for what is not collected.
        criteria = text[text.index("criteria:") :].split("\n  - id: ")[1:]
        judged = [criterion for criterion in criteria if "probe:" not in criterion]
        scope = "outOfScope: { function: x, performance: x }\n"
        head = text[: text.index("criteria:")]
        # The sample's own line of the same name would be a second one.
        head = re.sub(r"^outOfScope:\n(?:  .*\n)*", "", head, flags=re.MULTILINE)
        pack.write_text(head + scope + "criteria:\n  - id: " + "\n  - id: ".join(judged))
        for stage in ["freeze", "review", "brief", "dispatch"]:
            done = run(xtask, folder, stage, "login-page")
            assert done.returncode == 0, done.stderr
        copy = folder / "copy.bin"

        def ours():
            done = run(xtask, folder, "evidence", "login-page", "--round", "1")
            assert done.returncode == 0, done.stderr

        def peers():
            subprocess.run(["cp", big, copy], check=True)
            subprocess.run(["openssl", "dgst", "-sha256", big], check=True, capture_output=True)

        def coreutils():
            subprocess.run(["sha256sum", big], check=True, capture_output=True)

        ours_s, peers_s, coreutils_s = best(3, ours), best(3, peers), best(3, coreutils)
        print(f"evidence stage, {mebibytes} MiB:  {ours_s:.2f} s, {peak(xtask, folder):.0f} MiB resident")
        print(f"cp and openssl dgst:        {peers_s:.2f} s, ratio {ours_s / peers_s:.2f}")
        print(f"sha256sum:                  {coreutils_s:.2f} s, ratio {ours_s / coreutils_s:.2f}")


if __name__ == "__main__":
    main()
