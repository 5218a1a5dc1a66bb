"""The gate: what becomes of each criterion, and the verdict."""

import re
from datetime import datetime
from fractions import Fraction
from types import SimpleNamespace as Row

from .assertion import MATCHERS, Assertion
from .reading import read
from .units import Broken, attempt, blank, frozen, plain

STATES = "missing changed stale blank undecodable flat twin repeated"
UNSOUND = {"wrongSize": "E_EVIDENCE_SIZE", "wrongsize": "E_EVIDENCE_SIZE",  # of vectors, of audits
           **{state: "E_EVIDENCE_" + state.upper() for state in STATES.split()}}
WORST = ("invalid", "fail", "unverified", "missing", "pass", "none")
FIELDS = {
    "criteria": "id dimension statement verify weight ruleId covers assertion probe heldOut",
    "assertions": "matcher expected unit source not aggregate minSamples tolerance proposed",
    "checks": "criterionId result evidence actual evidenceRefs auditor",
    "waivers": "criterionId owner reason expires",
}
# By the assertion's verdict and the auditor's word (None: a probe alone): the outcome, and the code.
RULES = {
    "none": {"pass": ("pass", None), "fail": ("fail", None)},
    "invalid": dict.fromkeys(("pass", "fail", None), ("invalid", "E_ACTUAL_INVALID")),
    "missing": {**dict.fromkeys(("pass", None), ("invalid", "E_ACTUAL_MISSING")), "fail": ("fail", None)},
    "fail": {"pass": ("fail", "E_VERDICT_CONTRADICTS"), "fail": ("fail", None), None: ("fail", None)},
    "pass": {"pass": ("pass", None), "fail": ("fail", "W_FAIL_DESPITE_PASS"), None: ("pass", None)},
}
ABSENT = object()


def scale_of(row):
    """Density and font scale as exact numbers; what is no number is none."""
    return {key: Fraction(str(value)) for key, value in (row or {}).items()
            if re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", str(value))}


def instant(text):
    """An RFC 3339 text with a zone, as whole seconds and the rest of one; None where it is none."""
    parts = re.fullmatch(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)", text or "", re.A)
    try:
        day, time, part, zone = parts.groups()
        return datetime.fromisoformat(f"{day}T{time}{zone.upper().replace('Z', '+00:00')}"), Fraction(f"0{part or ''}")
    except (AttributeError, ValueError):
        return None


def refuse_input(case):
    """What is refused before any audit."""
    kinds = {kind: case.get(kind, []) for kind in FIELDS}
    kinds["assertions"] = assertions = [row["assertion"] for row in kinds["criteria"] if row.get("assertion")]
    criteria, _, checks, waivers = kinds.values()
    ids, waived = [row["id"] for row in criteria], [row.get("criterionId") for row in waivers]
    paths = [path.replace("\\", "/").split("/") for row in checks for path in row.get("evidenceRefs", [])]
    known, one = [row for row in assertions if row.get("matcher") in MATCHERS], scale_of({"density": 1, "fontScale": 1})
    broken = {
        "E_FIELD_UNKNOWN": any({*row} - {*FIELDS[kind].split()} for kind, rows in kinds.items() for row in rows),
        "E_ID_DUPLICATE": len({*ids}) < len(ids),
        "E_VALUE_UNKNOWN": any(row.get("weight") not in ("must", "should") for row in criteria)
        or any(row.get("result") not in ("pass", "fail") for row in checks),
        "E_FIELD_MISSING": any(row.get("probe") and not row.get("assertion") for row in criteria),
        "E_MATCHER_UNKNOWN": len(known) < len(assertions),
        "E_ASSERTION_INVALID": not all(attempt(Assertion, row, one) for row in known),
        "E_PATH_UNSAFE": any(".." in parts or parts[0] == "" or ":" in parts[0] for parts in paths),
        "E_WAIVER_INVALID": any(instant(row.get("expires")) is None for row in waivers)
        or any(blank(row.get(key) or "") for row in waivers for key in ("criterionId", "owner", "reason")),
        "E_WAIVER_DUPLICATE": len({*waived}) < len(waived),
    }
    if any(broken.values()):
        raise Broken(" ".join(code for code in broken if broken[code]))


def comparable(assertion, actual):
    """All values of an `actual` as they compare exactly, with what converts converted."""
    texts = [assertion.member(member) for member in (actual if isinstance(actual, list) else [actual])]
    if None in texts or assertion.kind != "number":
        return "nothing" if None in texts else list(map(plain, texts))
    groups = [group for text in texts for group in read(text, assertion.declared, assertion.scale).groups]
    return [value for group in groups for value in group.values or []] + [
        group.unit.name for group in groups if group.unit and not assertion.declared]


def disagrees(assertion, actual, measured):
    """Whether an auditor's value is another one than the probe's."""
    if not assertion or measured is None:
        return bool(assertion) and actual != []
    one, other = (attempt(comparable, assertion, value) for value in (actual, measured))
    return one is None or one != other


def restates(assertion, actual):
    """Whether a value only repeats the threshold, such as `≤800ms`."""
    sign = assertion and {"lt": "<", "lte": "<", "gt": ">", "gte": ">"}.get(assertion.matcher)
    if not sign or assertion.negated or not isinstance(actual, str):
        return False
    reading = attempt(read, frozen(actual), assertion.declared, assertion.scale)
    low, high, bound = reading.values[0] if reading else (None, None, None)
    return sign in (bound or "") and (high if sign == "<" else low)[0] == assertion.choices[0]


def unsound(entry):
    """The codes of what is wrong with an evidence file."""
    states = entry.get("state", "sound")
    return {UNSOUND[state] for state in ([states] if isinstance(states, str) else states) if state != "sound"}


class Criterion:
    """One criterion with all that was reported of it. A ruling is an auditor, a verdict and an outcome."""

    def __init__(self, row, case):
        self.row, self.case, self.codes = row, case, set()
        self.asserted, self.probe = row.get("assertion"), row.get("probe")
        self.observation = case.get("observations", {}).get(row["id"], {}) if self.probe else {}
        self.assertion = self.asserted and attempt(Assertion, self.asserted, case["scale"])
        self.checks = [check for check in case.get("checks", []) if check["criterionId"] == row["id"]]
        self.rulings = [self.rule(check) for check in self.checks or [{}]]
        _, verdicts, outcomes = zip(*self.rulings)
        self.verdict, self.outcome = (min(column, key=WORST.index) for column in (verdicts, outcomes))
        auditors, results = ({check.get(key, "") for check in self.checks} for key in ("auditor", "result"))
        if not self.asserted and len(auditors) > 1 and len(results) > 1:
            settled = [one["result"] for one in case.get("settlements", []) if one["criterionId"] == row["id"]]
            self.codes |= set() if settled else {"E_AUDITORS_DISAGREE"}
            self.outcome = "invalid" if "invalid" in outcomes else (settled or ["unverified"])[-1]
        self.honest = self.outcome == "fail" and not any(code[0] == "E" for code in self.codes)

    def value(self, check):
        """The value that decides, and its verdict. Null is an answer of a probe alone."""
        value, seen = check.get("actual", ABSENT), self.observation
        if self.probe:
            reader = self.probe.get("reader")
            if "unreadable" in seen or seen.get("reader", reader) != reader:
                return ABSENT, "invalid"
            values = seen.get("values", [None if "nothing" in seen else ABSENT])
            value = values[0] if len(values) == 1 else values
        if not self.asserted or value is ABSENT:
            return ABSENT, "missing" if self.asserted else "none"
        return value, self.assertion.judge(value, bool(self.probe)) if self.assertion else "invalid"

    def rule(self, check):
        """What one auditor's check, or the probe alone, makes of the criterion."""
        value, verdict = self.value(check)
        if not check and not self.probe:
            self.codes.add("E_CHECK_MISSING" if self.row["weight"] == "must" else "W_CHECK_MISSING")
            return None, verdict, "unverified"
        result, actual, auditor = check.get("result"), check.get("actual"), check.get("auditor", "") if check else None
        outcome, code = RULES[verdict][result]
        files = check.get("evidenceRefs", []) + ([self.observation["file"]] if self.observation else [])
        doubts = set().union(*(unsound(self.case["evidence"].get(path, {"state": "missing"})) for path in files))
        if sum(other.get("auditor", "") == auditor for other in self.checks) > 1:
            doubts.add("E_CHECK_DUPLICATE")
        if verdict == outcome == "pass" and not self.independent(check):
            doubts.add("E_SOURCE_AUXILIARY")
        codes = {code, *doubts} - {None}
        if blank(check.get("evidence", "")) and (verdict, result) in (("none", "pass"), ("pass", "fail")):
            outcome = "invalid" if verdict == "none" else "fail"
            codes.add("E_EVIDENCE_EMPTY")
        if self.probe and actual is not None and value is not ABSENT and disagrees(self.assertion, actual, value):
            codes.add("E_ACTUAL_DISAGREES")
        if restates(self.assertion, actual):
            codes.add("W_ACTUAL_RESTATES")
        self.codes |= codes
        return auditor, verdict, "invalid" if doubts else outcome

    def independent(self, check):
        """Whether the value comes from what the agent could not have written."""
        names, files = [self.asserted.get("source")], check.get("evidenceRefs", [])
        if self.probe:
            names = [name for name in (*names, self.observation.get("source")) if name]
            files = [self.observation["file"]]
        kinds = [self.case["evidence"].get(path, {}).get("source", "independent") for path in files]
        return (bool(names) and all(self.case["sources"].get(name) == "independent" for name in names)
                and (not kinds or "independent" in kinds))


def audit(case):
    """What becomes of each criterion, all codes and the verdict."""
    refuse_input(case)
    case = {"sources": {}, "evidence": {}, **case}
    criteria = {row["id"]: Criterion(row, case) for row in case["criteria"]}
    every = set().union(*map(unsound, case["evidence"].values()), *(one.codes for one in criteria.values()))
    unknown = [check for check in case.get("checks", []) if check["criterionId"] not in criteria]
    unrecorded = {path for check in unknown for path in check.get("evidenceRefs", [])} - {*case["evidence"]}
    for waiver in case.get("waivers", []):
        one, expired = criteria.get(waiver["criterionId"]), instant(waiver["expires"]) <= instant(case.get("now"))
        every |= {"E_WAIVER_EXPIRED"} if expired else set()
        every |= set() if one and one.honest else {"E_WAIVER_UNUSED"}
        if one and one.honest and not expired:
            one.outcome = "waived"
    outcomes = {one.outcome for one in criteria.values()}
    evaluated = outcomes & {"pass", "fail", "waived"} and len(criteria) >= int(case.get("declared", 0))
    found = {"E_CHECK_UNKNOWN": unknown, "E_EVIDENCE_MISSING": unrecorded, "E_PROTECTED_CHANGED": case.get("protected"),
             "E_NOTHING_EVALUATED": not evaluated}
    every |= {code for code in found if found[code]}
    binding = [one for one in criteria.values() if one.row["weight"] == "must"] or list(criteria.values())
    passed = (binding and all(one.outcome in ("pass", "waived") for one in binding)
              and not any(code[0] == "E" for code in every))
    return Row(verdict="pass" if passed else "fail", criteria=criteria, every=every)
