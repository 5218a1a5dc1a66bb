#!/usr/bin/env python3
"""Doing nothing, fast: a delivery that is done, beside `dvc repro`, `task` and `make` on an equal graph of seven stages
that is done, in one run; and `status` over a thousand delivered features.

    cargo build --release --package xtask
    pip install dvc go-task-bin        (make comes with the system)
    python3 benches/noop.py target/release/xtask [features]

Prints the best of many of each, and the ratios.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

from sample import delivered, quiet, workspace

STAGES = ["freeze", "review", "brief", "dispatch", "evidence", "audit", "report"]
WANTED = {"dvc": 60, "task": 5, "make": 1 / 5}


def best(of, run):
    times = []
    for _ in range(of):
        begin = time.perf_counter()
        run()
        times.append(time.perf_counter() - begin)
    return min(times)


def chain(folder):
    """Each stage copies what the one before wrote."""
    (folder / "pack").write_text("pack\n")
    files = ["pack", *STAGES]
    make = "all: report\n" + "".join(f"{to}: {of}\n\tcp {of} {to}\n" for of, to in zip(files, files[1:]))
    (folder / "Makefile").write_text(make)
    tasks = {
        to: {"deps": [of] if of != "pack" else [], "cmds": [f"cp {of} {to}"], "sources": [of], "generates": [to]}
        for of, to in zip(files, files[1:])
    }
    (folder / "Taskfile.yml").write_text(json.dumps({"version": "3", "tasks": tasks}))
    stages = {to: {"cmd": f"cp {of} {to}", "deps": [of], "outs": [to]} for of, to in zip(files, files[1:])}
    (folder / "dvc.yaml").write_text(json.dumps({"stages": stages}))


def peer(name, argv, prepare, scratch, mine):
    if shutil.which(name) is None:
        print(f"{name}: not installed, not measured")
        return
    folder = scratch / name
    folder.mkdir()
    chain(folder)
    for before in prepare:
        quiet(before, folder)
    quiet(argv, folder)
    theirs = best(10 if name == "dvc" else 40, lambda: quiet(argv, folder))
    ratio, wanted = theirs / mine, WANTED[name]
    print(f"{name:5} {1000 * theirs:8.1f} ms, {ratio:7.2f} times ours (at least {wanted:g})")


def thousand(xtask, scratch, count):
    folder = delivered(xtask, scratch / "many", count)

    def cold():
        shutil.rmtree(folder / ".xtask/digests", ignore_errors=True)
        quiet([xtask, "status"], folder)

    without = best(3, cold)
    quiet([xtask, "--quiet", "deliver", "--all", "--jobs", "2"], folder)
    warm = best(5, lambda: quiet([xtask, "status"], folder))
    peak = f"import resource, subprocess; subprocess.run([{xtask!r}, 'status'], stdout=subprocess.DEVNULL); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    memory = int(quiet([sys.executable, "-c", peak], folder)) / 1024
    print(f"status over {count} features: {1000 * without:.0f} ms without the digest cache, {1000 * warm:.0f} ms with it "
          f"(at most {500 * count / 1000:.0f}), {memory:.0f} MiB (at most 50)")


def main():
    xtask = str(pathlib.Path(sys.argv[1]).resolve())
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
    os.environ["SOURCE_DATE_EPOCH"] = "1780000000"
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        folder = workspace(scratch / "one")
        quiet([xtask, "--quiet", "deliver", "login-page"], folder)
        # Digests of files that changed just now are not trusted.
        time.sleep(3)
        quiet([xtask, "--quiet", "deliver", "login-page"], folder)
        mine = best(100, lambda: quiet([xtask, "deliver", "login-page"], folder))
        print(f"ours  {1000 * mine:8.1f} ms")
        peer("make", ["make"], [], scratch, mine)
        peer("task", ["task", "report"], [], scratch, mine)
        peer("dvc", ["dvc", "repro"], [["git", "init", "-q"], ["dvc", "init", "-q"]], scratch, mine)
        for fewer in sorted({count // 10, count}):
            (scratch / "many").exists() and shutil.rmtree(scratch / "many")
            thousand(xtask, scratch, fewer)


main()
