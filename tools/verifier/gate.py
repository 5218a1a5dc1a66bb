"""The gate: what becomes of each criterion, and the verdict."""

import re
from datetime import datetime, timezone
from fractions import Fraction
from types import SimpleNamespace as Row

from .assertion import MATCHERS, made
from .reading import read
from .units import Broken, Missing, Refused, attempt, blank, frozen, plain

UNSOUND = {"missing": "E_EVIDENCE_MISSING", "changed": "E_EVIDENCE_CHANGED", "stale": "E_EVIDENCE_STALE",
           "blank": "E_EVIDENCE_BLANK", "undecodable": "E_EVIDENCE_UNDECODABLE", "flat": "E_EVIDENCE_FLAT",
           "wrongSize": "E_EVIDENCE_SIZE", "twin": "E_EVIDENCE_TWIN", "repeated": "E_EVIDENCE_REPEATED"}
WORST = ("invalid", "fail", "unverified", "missing", "pass", "none")
FIELDS = {
    "criteria": "id dimension statement verify weight ruleId covers assertion probe heldOut",
    "assertions": "matcher expected unit source not aggregate minSamples tolerance proposed",
    "checks": "criterionId result evidence actual evidenceRefs auditor",
    "waivers": "criterionId owner reason expires",
}
# By the assertion's verdict and the auditor's word (None: a probe alone): the outcome, and the code.
RULES = {
    ("none", "pass"): ("pass", None), ("none", "fail"): ("fail", None),
    ("invalid", "pass"): ("invalid", "E_ACTUAL_INVALID"), ("invalid", "fail"): ("invalid", "E_ACTUAL_INVALID"),
    ("invalid", None): ("invalid", "E_ACTUAL_INVALID"),
    ("missing", "pass"): ("invalid", "E_ACTUAL_MISSING"), ("missing", "fail"): ("fail", None),
    ("missing", None): ("invalid", "E_ACTUAL_MISSING"),
    ("fail", "pass"): ("fail", "E_VERDICT_CONTRADICTS"), ("fail", "fail"): ("fail", None), ("fail", None): ("fail", None),
    ("pass", "pass"): ("pass", None), ("pass", "fail"): ("fail", "W_FAIL_DESPITE_PASS"), ("pass", None): ("pass", None),
}
ABSENT = object()


def instant(text):
    """Seconds since 1970 of an RFC 3339 text with a zone; None where it is none."""
    parts = re.fullmatch(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)", text or "", re.A)
    try:
        day, time, part, zone = parts.groups()
        moment = datetime.fromisoformat(f"{day}T{time}{zone.upper().replace('Z', '+00:00')}")
    except (AttributeError, ValueError):
        return None
    whole = moment - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return whole.days * 86400 + whole.seconds + Fraction("0" + (part or ""))


def refuse_input(case):
    """What is refused before any audit."""
    criteria, checks, waivers = (case.get(name, []) for name in ("criteria", "checks", "waivers"))
    assertions = [row["assertion"] for row in criteria if row.get("assertion")]
    ids, waived = [row["id"] for row in criteria], [row.get("criterionId") for row in waivers]
    paths = [path.replace("\\", "/").split("/") for row in checks for path in row.get("evidenceRefs", [])]
    one = {"density": Fraction(1), "fontScale": Fraction(1)}
    broken = {
        "E_FIELD_UNKNOWN": any(set(row) - set(FIELDS[kind].split()) for kind, rows in (
            ("criteria", criteria), ("assertions", assertions), ("checks", checks), ("waivers", waivers)) for row in rows),
        "E_ID_DUPLICATE": len(set(ids)) < len(ids),
        "E_VALUE_UNKNOWN": any(row.get("weight") not in ("must", "should") for row in criteria)
        or any(row.get("result") not in ("pass", "fail") for row in checks),
        "E_FIELD_MISSING": any(row.get("probe") and not row.get("assertion") for row in criteria),
        "E_MATCHER_UNKNOWN": any(row.get("matcher") not in MATCHERS for row in assertions),
        "E_ASSERTION_INVALID": any(row.get("matcher") in MATCHERS and not made(row, one) for row in assertions),
        "E_PATH_UNSAFE": any(".." in parts or parts[0] == "" or ":" in parts[0] for parts in paths),
        "E_WAIVER_INVALID": any(instant(row.get("expires")) is None for row in waivers)
        or any(blank(row.get(key) or "") for row in waivers for key in ("criterionId", "owner", "reason")),
        "E_WAIVER_DUPLICATE": len(set(waived)) < len(waived),
    }
    if any(broken.values()):
        raise Broken(" ".join(code for code in broken if broken[code]))


def comparable(assertion, actual):
    """All values of an `actual` as they compare exactly: with what converts converted."""
    found = []
    for member in actual if isinstance(actual, list) else [actual]:
        text = assertion.member(member)
        if assertion.kind == "number":
            groups = read(text, assertion.declared, assertion.scale).groups
            found += [value for group in groups if group.values for value in group.values]
            found += [group.unit.name for group in groups if group.unit and not assertion.declared]
        else:
            found.append(plain(text))
    return found


def disagrees(assertion, actual, measured):
    """Whether an auditor's value is another one than the probe's."""
    if not assertion or measured is None:
        return bool(assertion) and actual not in (None, [])
    found = []
    for value in (actual, measured):
        try:
            found.append(comparable(assertion, value))
        except Missing:
            found.append(None)
        except Refused:
            return True
    return found[0] != found[1]


def restates(assertion, actual):
    """Whether a value only repeats the threshold, such as `≤800ms`."""
    sign = assertion and {"lt": "<", "lte": "<", "gt": ">", "gte": ">"}.get(assertion.matcher)
    if not sign or assertion.negated or not isinstance(actual, str):
        return False
    try:
        first = read(frozen(actual), assertion.declared, assertion.scale)
    except (Refused, Missing):
        return False
    end = first.values[0].high if sign == "<" else first.values[0].low
    return sign in (first.values[0].bound or "") and end[0] == assertion.choices[0]


class Criterion:
    """One criterion with all that was reported of it."""

    def __init__(self, row, case):
        self.row, self.case, self.codes = row, case, set()
        self.asserted, self.probe = row.get("assertion"), row.get("probe")
        self.observation = case.get("observations", {}).get(row["id"], {}) if self.probe else {}
        self.assertion = self.asserted and made(self.asserted, case["scale"])
        self.checks = [check for check in case.get("checks", []) if check["criterionId"] == row["id"]]
        self.rulings = [self.rule(check) for check in self.checks or [{}]]
        self.settle()

    def value(self, check):
        """The value that decides, and its verdict. Null is an answer of a probe alone."""
        if not self.asserted:
            return ABSENT, "none"
        value, seen = check.get("actual", ABSENT), self.observation
        if self.probe:
            if not seen or "missing" in seen:
                return ABSENT, "missing"
            if "unreadable" in seen or seen.get("reader", self.probe.get("reader")) != self.probe.get("reader"):
                return ABSENT, "invalid"
            values = seen.get("values", [None])
            value = values[0] if len(values) == 1 else values
        if value is ABSENT:
            return ABSENT, "missing"
        return value, self.assertion.judge(value, bool(self.probe)) if self.assertion else "invalid"

    def rule(self, check):
        """What one auditor's check, or the probe alone, makes of the criterion."""
        value, verdict = self.value(check)
        auditor = check.get("auditor", "") if check else None
        if not check and not self.probe:
            self.codes.add("E_CHECK_MISSING" if self.row["weight"] == "must" else "W_CHECK_MISSING")
            return Row(auditor=None, verdict=verdict, outcome="unverified")
        result = check.get("result")
        outcome, *codes = RULES[verdict, result]
        if blank(check.get("evidence", "")) and (verdict, result) in (("none", "pass"), ("pass", "fail")):
            outcome = "invalid" if verdict == "none" else "fail"
            codes.append("E_EVIDENCE_EMPTY")
        if verdict == outcome == "pass" and not self.independent(check):
            outcome = "invalid"
            codes.append("E_SOURCE_AUXILIARY")
        files = [*check.get("evidenceRefs", []), *([self.observation["file"]] if self.observation else [])]
        doubts = [code for path in files for code in unsound(self.case["evidence"].get(path, {"state": "missing"}))]
        if check and sum(other.get("auditor", "") == auditor for other in self.checks) > 1:
            doubts.append("E_CHECK_DUPLICATE")
        actual = check.get("actual")
        if self.probe and actual is not None and value is not ABSENT and disagrees(self.assertion, actual, value):
            codes.append("E_ACTUAL_DISAGREES")
        if restates(self.assertion, actual):
            codes.append("W_ACTUAL_RESTATES")
        self.codes |= {*codes, *doubts} - {None}
        return Row(auditor=auditor, verdict=verdict, outcome="invalid" if doubts else outcome)

    def independent(self, check):
        """Whether the value comes from what the agent could not have written."""
        seen, files = self.observation, check.get("evidenceRefs", [])
        names = [self.asserted.get("source")]
        if self.probe:
            names, files = [name for name in (*names, seen.get("source")) if name], [seen["file"]]
        kinds = [self.case["evidence"].get(path, {}).get("source", "independent") for path in files]
        return (bool(names) and all(self.case["sources"].get(name) == "independent" for name in names)
                and (not kinds or "independent" in kinds))

    def settle(self):
        """One outcome and one verdict over all rulings."""
        outcomes = [ruling.outcome for ruling in self.rulings]
        self.verdict = min((ruling.verdict for ruling in self.rulings), key=WORST.index)
        self.outcome = min(outcomes, key=WORST.index)
        said = {(check.get("auditor", ""), check["result"]) for check in self.checks}
        if not self.asserted and all(len(set(column)) > 1 for column in zip(*said)) and len(said) > 1:
            settled = [row["result"] for row in self.case.get("settlements", []) if row["criterionId"] == self.row["id"]]
            self.codes |= set() if settled else {"E_AUDITORS_DISAGREE"}
            self.outcome = "invalid" if "invalid" in outcomes else (settled or ["unverified"])[-1]
        self.honest = self.outcome == "fail" and not any(code[0] == "E" for code in self.codes)


def unsound(entry):
    """The codes of what is wrong with an evidence file."""
    states = entry.get("state", "sound")
    return [UNSOUND[state] for state in ([states] if isinstance(states, str) else states) if state != "sound"]


def audit(case):
    """Outcomes, assertion verdicts, codes by criterion (None: by none) and the verdict."""
    refuse_input(case)
    case = {"sources": {}, "evidence": {}, **case}
    criteria = {row["id"]: Criterion(row, case) for row in case["criteria"]}
    codes = {name: one.codes for name, one in criteria.items()}
    loose = codes[None] = {code for entry in case["evidence"].values() for code in unsound(entry)}
    for check in case.get("checks", []):
        if check["criterionId"] not in criteria:
            loose.add("E_CHECK_UNKNOWN")
            if set(check.get("evidenceRefs", [])) - set(case["evidence"]):
                loose.add("E_EVIDENCE_MISSING")
    if case.get("protected"):
        loose.add("E_PROTECTED_CHANGED")
    for waiver in case.get("waivers", []):
        one = criteria.get(waiver["criterionId"])
        expired = instant(waiver["expires"]) <= instant(case.get("now"))
        if expired:
            loose.add("E_WAIVER_EXPIRED")
        if not one or not one.honest:
            loose.add("E_WAIVER_UNUSED")
        elif not expired:
            one.outcome = "waived"
    outcomes = {name: one.outcome for name, one in criteria.items()}
    if not {"pass", "fail", "waived"} & set(outcomes.values()) or len(criteria) < int(case.get("declared", 0)):
        loose.add("E_NOTHING_EVALUATED")
    every = set().union(*codes.values())
    musts = [one for one in criteria.values() if one.row["weight"] == "must"] or list(criteria.values())
    passed = musts and all(one.outcome in ("pass", "waived") for one in musts) and not any(code[0] == "E" for code in every)
    return Row(verdict="pass" if passed else "fail", outcomes=outcomes, criteria=criteria, codes=codes, every=every)
