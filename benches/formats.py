#!/usr/bin/env python3
"""An audit of a thousand criteria in every format for machines, each by a program of its own.

    cargo build --release --package xtask
    python3 benches/formats.py target/release/xtask [criteria]
"""

import copy
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FORMATS = ["junit", "sarif", "ctrf", "github", "github-summary", "gitlab", "tap"]


def grown(audit, count):
    """The audit with as many criteria, each with its checks and problems."""
    criteria, checks, problems = [], [], []
    for number in range(count):
        criterion = copy.deepcopy(audit["criteria"][number % len(audit["criteria"])])
        old, criterion["id"] = criterion["id"], f"{criterion['id']}-{number}"
        criteria.append(criterion)
        for check in (check for check in audit["checks"] if check["criterionId"] == old):
            checks.append({**check, "criterionId": criterion["id"]})
        for problem in (problem for problem in audit["problems"] if problem.get("criterion") == old):
            problems.append({**problem, "criterion": criterion["id"]})
    return {**audit, "criteria": criteria, "checks": checks, "problems": problems}


def main(xtask, count):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name in ["features/login-page", "examples/login-app"]:
            shutil.copytree(ROOT / name, root / name)
        shutil.copy(ROOT / "pipeline.yaml", root)
        subprocess.run([xtask, "--quiet", "deliver", "login-page"], cwd=root, check=True, stdout=subprocess.DEVNULL)
        path = root / "deliveries/login-page/audit-1.json"
        path.write_text(json.dumps(grown(json.loads(path.read_text()), count), ensure_ascii=False))
        total, busy = 0.0, os.times()
        for word in FORMATS:
            start = time.perf_counter()
            call = [xtask, "report", "login-page", "--round", "1", "--format", word, "--output", root / "out"]
            subprocess.run(call, cwd=root, stdout=subprocess.DEVNULL)
            took = time.perf_counter() - start
            total += took
            print(f"{word:15} {took * 1000:6.0f} ms {(root / 'out').stat().st_size / 1024:6.0f} KiB")
        used = os.times()
        cpu = used.children_user + used.children_system - busy.children_user - busy.children_system
        print(f"{'all':15} {total * 1000:6.0f} ms, {cpu * 1000:.0f} ms of processor time")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 1000)
