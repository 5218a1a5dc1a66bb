"""Workspaces for benchmarks: the sample of this repository, and many copies of it."""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def quiet(argv, folder, **more):
    """What a program prints; the end of everything where it fails."""
    done = subprocess.run(argv, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)
    if done.returncode != 0:
        sys.exit(f"{argv}: {done.stdout}")
    return done.stdout


def workspace(folder):
    """The sample, not delivered yet."""
    for part in ["templates", "features", "examples"]:
        shutil.copytree(ROOT / part, folder / part)
    shutil.copy(ROOT / "pipeline.yaml", folder / "pipeline.yaml")
    return folder


def delivered(xtask, folder, count):
    """So many copies of the sample, delivered: each in a branch of one repository, as an app's features are."""
    workspace(folder)
    for number in range(1, count):
        copy = folder / f"features/login-{number}"
        shutil.copytree(folder / "features/login-page", copy)
        pack = copy / "pack.yaml"
        pack.write_text(pack.read_text().replace("feature: login-page", f"feature: login-{number}"))
    quiet([xtask, "--quiet", "deliver", "--all", "--jobs", "2"], folder)
    return folder
