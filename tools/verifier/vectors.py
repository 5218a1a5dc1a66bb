"""Vectors: what each case expects, and what is found instead."""

from .assertion import made, scale_of
from .exact import Broken, Refused, parse
from .gate import audit


def differences(case):
    """Each as what differs, what was expected and what was found."""
    if "assertion" in case:
        found = value_case(case)
        return [] if found == case["assertionVerdict"] else [("assertionVerdict", case["assertionVerdict"], found)]
    expect = case["expect"]
    try:
        audited = audit({**case, "scale": scale_of(case.get("scale"))})
    except Broken as error:
        found = str(error).split()
        wrong = [("verdict", expect["verdict"], "error")] * (expect["verdict"] != "error")
        return wrong + [("codes", code, " ".join(found)) for code in expect.get("codes", []) if code not in found]
    verdicts = {one.row["id"]: one.verdict for one in audited.criteria}
    wrong = [("verdict", expect["verdict"], audited.verdict)] * (expect["verdict"] != audited.verdict)
    for name, expected, found in (("outcome", expect.get("outcomes", {}), audited.outcomes),
                                  ("assertionVerdict", expect.get("assertionVerdicts", {}), verdicts)):
        wrong += [(f"{name} of {key}", value, found.get(key)) for key, value in expected.items() if found.get(key) != value]
    wrong += [("codes", code, "not reported") for code in expect.get("codes", []) if code not in audited.every]
    return wrong + [("codes", f"no {code}", "reported") for code in expect.get("codesAbsent", []) if code in audited.every]


def value_case(case):
    """What one value is; absent is blank, and not the null that `exists` answers."""
    try:
        return made(case["assertion"], scale_of(case.get("context"))).judge(case.get("actual", ""))
    except (Broken, Refused):
        return "invalid"


def check_files(paths, say):
    """Whether every case of every file is as it says."""
    agreed = True
    for path in paths:
        with open(path, encoding="utf-8") as file:
            cases = parse(file.read())["cases"]
        for case in cases:
            for what, expected, found in differences(case):
                agreed = False
                say(f"{path}: {case['name']}: {what}: expected {expected}, found {found}")
    return agreed
