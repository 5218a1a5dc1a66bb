"""The gate: what becomes of each criterion, and the verdict."""

import re
import unicodedata
from datetime import datetime, timezone
from fractions import Fraction
from types import SimpleNamespace as Row

from .assertion import Assertion, made
from .exact import Broken, Missing, Num, Refused, frozen
from .reading import read
from .text import hidden

UNSOUND = {"missing": "E_EVIDENCE_MISSING", "changed": "E_EVIDENCE_CHANGED", "stale": "E_EVIDENCE_STALE",
           "blank": "E_EVIDENCE_BLANK", "undecodable": "E_EVIDENCE_UNDECODABLE", "flat": "E_EVIDENCE_FLAT",
           "wrongSize": "E_EVIDENCE_SIZE", "twin": "E_EVIDENCE_TWIN", "repeated": "E_EVIDENCE_REPEATED"}
WORST = ("invalid", "fail", "unverified", "missing", "pass", "none")
FIELDS = {
    "criterion": "id dimension statement verify weight ruleId covers assertion probe heldOut",
    "assertion": "matcher expected unit source not aggregate minSamples tolerance proposed",
    "check": "criterionId result evidence actual evidenceRefs auditor",
    "waiver": "criterionId owner reason expires",
}
ABSENT = object()


def blank(text):
    """Whether a text shows nothing."""
    return all(char.isspace() or hidden(char) or char in "\ufe0e\ufe0f" for char in text)


def instant(text):
    """Seconds since 1970 of an RFC 3339 text with a zone; None where it is none."""
    parts = re.fullmatch(r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d:\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)", text or "", re.A)
    if not parts:
        return None
    zone = "+00:00" if parts.group(4) in "Zz" else parts.group(4)
    try:
        moment = datetime.fromisoformat(f"{parts.group(1)}T{parts.group(2)}{zone}")
    except ValueError:
        return None
    whole = moment - datetime(1970, 1, 1, tzinfo=timezone.utc)
    return whole.days * 86400 + whole.seconds + Fraction("0" + (parts.group(3) or ""))


# ---- What is refused before any audit


def input_errors(case):
    """Codes for which the input itself is refused."""
    found = []
    rows = [("criterion", row) for row in case.get("criteria", [])]
    rows += [("assertion", row["assertion"]) for _, row in list(rows) if row.get("assertion")]
    rows += [("check", row) for row in case.get("checks", [])] + [("waiver", row) for row in case.get("waivers", [])]
    for kind, row in rows:
        if set(row) - set(FIELDS[kind].split()):
            found.append("E_FIELD_UNKNOWN")
    ids = [row["id"] for row in case.get("criteria", [])]
    if len(set(ids)) < len(ids):
        found.append("E_ID_DUPLICATE")
    for row in case.get("criteria", []):
        if row.get("weight") not in ("must", "should"):
            found.append("E_VALUE_UNKNOWN")
        if row.get("probe") and not row.get("assertion"):
            found.append("E_FIELD_MISSING")
        if row.get("assertion"):
            found += assertion_errors(row["assertion"])
    for row in case.get("checks", []):
        if row.get("result") not in ("pass", "fail"):
            found.append("E_VALUE_UNKNOWN")
        if any(unsafe(path) for path in row.get("evidenceRefs", [])):
            found.append("E_PATH_UNSAFE")
    return found + waiver_errors(case.get("waivers", []))


def assertion_errors(row):
    try:
        Assertion(row, {"density": Fraction(1), "fontScale": Fraction(1)})
    except Refused as error:
        return ["E_MATCHER_UNKNOWN" if "matcher" in str(error) else "E_ASSERTION_INVALID"]
    return []


def waiver_errors(rows):
    found = []
    for row in rows:
        words = [row.get(key) or "" for key in ("criterionId", "owner", "reason")]
        if any(map(blank, words)) or instant(row.get("expires")) is None:
            found.append("E_WAIVER_INVALID")
    names = [row.get("criterionId") for row in rows]
    return found + ["E_WAIVER_DUPLICATE"] * (len(set(names)) < len(names))


def unsafe(path):
    parts = path.replace("\\", "/").split("/")
    return ".." in parts or parts[0] == "" or ":" in parts[0]


# ---- One criterion


def answer_of(observation, probe):
    """What a probe says, as a value to judge: raises where it cannot be read, or says that there is none."""
    if observation is None or "missing" in observation:
        raise Missing
    if "unreadable" in observation or observation.get("reader", probe.get("reader")) != probe.get("reader"):
        raise Refused("the probe could not read the file, or another reader did")
    if "nothing" in observation:
        return None
    values = observation["values"]
    return values[0] if len(values) == 1 else values


def verdict_on(assertion, value, nothing):
    """The assertion's verdict on a value that may be absent."""
    if value is ABSENT:
        return "missing"
    return assertion.judge(value, nothing)


def values_of(assertion, actual):
    """All values of an `actual` as they compare exactly: with what converts converted."""
    members = actual if isinstance(actual, list) else [actual]
    found = []
    for member in members:
        text = assertion.member(member)
        if assertion.kind != "number":
            found.append(unicodedata.normalize("NFC", text).strip())
            continue
        groups = read(text, assertion.declared, assertion.scale)[2]
        found += [value for group in groups if group.values is not None for value in group.values]
        found += [group.unit.name for group in groups if group.unit and assertion.declared is None]
    return found


def disagrees(assertion, actual, measured):
    """Whether an auditor's value is another one than the probe's."""
    if assertion.kind is None:
        return False
    if measured is None:
        return actual not in (None, [])
    found = []
    for value in (actual, measured):
        try:
            found.append(values_of(assertion, value))
        except Missing:
            found.append(None)
        except Refused:
            return True
    return found[0] != found[1]


def restates(assertion, actual):
    """Whether a value only repeats the threshold, such as `≤800ms`."""
    try:
        signs = {"lt": "<", "lte": "<", "gt": ">", "gte": ">", "between": "="}.get(assertion and assertion.matcher)
        if not signs or assertion.negated or not isinstance(actual, str):
            return False
        group = read(frozen(actual) if isinstance(actual, Num) else actual, assertion.declared, assertion.scale)[2][0]
        low, _, high, _ = group.values[0] if group.values else (None,) * 4
        if not group.bound or signs not in group.bound:
            return False
        if signs == "=":
            return [low, high] == assertion.choices
        return (high if signs == "<" else low) == assertion.choices[0]
    except (Refused, Missing):
        return False


class Criterion:
    """One criterion with all that was reported of it."""

    def __init__(self, row, case):
        self.row, self.case, self.codes = row, case, set()
        self.probe = row.get("probe")
        self.observation = case.get("observations", {}).get(row["id"])
        self.assertion = made(row["assertion"], case["scale"]) if row.get("assertion") else None
        self.checks = [check for check in case.get("checks", []) if check["criterionId"] == row["id"]]
        self.rulings = [self.rule(check) for check in self.checks] or [self.rule(None)]
        self.settle()

    def value(self, check):
        """The value that decides, its verdict, and whether null is an answer."""
        if not self.assertion:
            return ABSENT, "none"
        if not self.probe:
            actual = check.get("actual", ABSENT) if check else ABSENT
            return actual, verdict_on(self.assertion, actual, False)
        try:
            answer = answer_of(self.observation, self.probe)
        except Missing:
            return ABSENT, "missing"
        except Refused:
            return ABSENT, "invalid"
        return answer, verdict_on(self.assertion, answer, True)

    def rule(self, check):
        """What one auditor's check, or the probe alone, makes of the criterion."""
        value, verdict = self.value(check)
        if check is None and not self.probe:
            self.codes.add("E_CHECK_MISSING" if self.row["weight"] == "must" else "W_CHECK_MISSING")
            return Row(auditor=None, verdict=verdict, outcome="unverified")
        result = check["result"] if check else None
        repeated = check and sum(other.get("auditor", "") == check.get("auditor", "") for other in self.checks) > 1
        doubtful = self.unsound(check) or repeated
        outcome = self.outcome(check, result, verdict)
        if check and self.assertion:
            actual = check.get("actual", ABSENT)
            claimed = self.probe and actual not in (ABSENT, None) and value is not ABSENT
            if claimed and disagrees(self.assertion, actual, value):
                self.codes.add("E_ACTUAL_DISAGREES")
            if restates(self.assertion, actual):
                self.codes.add("W_ACTUAL_RESTATES")
        auditor = check.get("auditor", "") if check else None
        if repeated:
            self.codes.add("E_CHECK_DUPLICATE")
        return Row(auditor=auditor, verdict=verdict, outcome="invalid" if doubtful else outcome)

    def outcome(self, check, result, verdict):
        evidence = check.get("evidence", "") if check else ""
        if verdict == "none":
            if result == "pass" and blank(evidence):
                self.codes.add("E_EVIDENCE_EMPTY")
                return "invalid"
            return result
        if verdict == "invalid":
            self.codes.add("E_ACTUAL_INVALID")
            return "invalid"
        if verdict == "missing":
            if result == "fail":
                return "fail"
            self.codes.add("E_ACTUAL_MISSING")
            return "invalid"
        if verdict == "fail":
            if result == "pass":
                self.codes.add("E_VERDICT_CONTRADICTS")
            return "fail"
        if result == "fail":
            self.codes.add("W_FAIL_DESPITE_PASS")
            if blank(evidence):
                self.codes.add("E_EVIDENCE_EMPTY")
            return "fail"
        if not self.independent(check):
            self.codes.add("E_SOURCE_AUXILIARY")
            return "invalid"
        return "pass"

    def files(self, check):
        """The files that a ruling rests on."""
        named = list(check.get("evidenceRefs", [])) if check else []
        return named + ([self.observation["file"]] if self.probe and self.observation else [])

    def unsound(self, check):
        """Whether a file that the ruling rests on is not what was recorded, or shows nothing."""
        codes = set()
        for path in self.files(check):
            state = self.case["evidence"].get(path, {"state": "missing"}).get("state", "sound")
            codes |= {UNSOUND[one] for one in ([state] if isinstance(state, str) else state) if one != "sound"}
        self.codes |= codes
        return bool(codes)

    def independent(self, check):
        """Whether the value comes from what the agent could not have written."""
        names = [self.row["assertion"].get("source")]
        files = check.get("evidenceRefs", []) if check and not self.probe else []
        if self.probe and self.observation:
            names = [name for name in (*names, self.observation.get("source")) if name]
            files = [self.observation["file"]]
        if not names or any(self.case["sources"].get(name) != "independent" for name in names):
            return False
        kinds = [self.case["evidence"].get(path, {}).get("source", "independent") for path in files]
        return not kinds or "independent" in kinds

    def settle(self):
        """One outcome and one verdict over all rulings."""
        self.verdict = min((ruling.verdict for ruling in self.rulings), key=WORST.index)
        results = {check["result"] for check in self.checks}
        auditors = {check.get("auditor", "") for check in self.checks}
        outcomes = {ruling.outcome for ruling in self.rulings}
        self.result = min(outcomes, key=WORST.index)
        if not self.assertion and len(auditors) > 1 and len(results) > 1:
            settled = [row["result"] for row in self.case.get("settlements", []) if row["criterionId"] == self.row["id"]]
            if not settled:
                self.codes.add("E_AUDITORS_DISAGREE")
            self.result = "invalid" if "invalid" in outcomes else (settled or ["unverified"])[-1]
        self.honest = self.result == "fail" and not any(code[0] == "E" for code in self.codes)


# ---- The audit


def audit(case):
    """Outcomes, assertion verdicts, codes by criterion (None: by none), counts and the verdict."""
    if errors := input_errors(case):
        raise Broken(" ".join(sorted(set(errors))))
    case = {"sources": {}, "evidence": {}, **case}
    criteria = [Criterion(row, case) for row in case["criteria"]]
    codes = {one.row["id"]: one.codes for one in criteria}
    loose = codes[None] = set()
    for check in case.get("checks", []):
        if check["criterionId"] not in codes:
            loose.add("E_CHECK_UNKNOWN")
            if any(path not in case["evidence"] for path in check.get("evidenceRefs", [])):
                loose.add("E_EVIDENCE_MISSING")
    for path, entry in case["evidence"].items():
        state = entry.get("state", "sound")
        loose |= {UNSOUND[one] for one in ([state] if isinstance(state, str) else state) if one != "sound"}
    if case.get("protected"):
        loose.add("E_PROTECTED_CHANGED")
    now, waived = instant(case.get("now")), set()
    for waiver in case.get("waivers", []):
        one = next((one for one in criteria if one.row["id"] == waiver["criterionId"]), None)
        expired = instant(waiver["expires"]) <= now
        if expired:
            loose.add("E_WAIVER_EXPIRED")
        if one is None or not one.honest:
            loose.add("E_WAIVER_UNUSED")
        elif not expired:
            waived.add(one.row["id"])
    outcomes = {one.row["id"]: "waived" if one.row["id"] in waived else one.result for one in criteria}
    evaluated = {"pass", "fail", "waived"} & set(outcomes.values())
    if not evaluated or len(criteria) < int(case.get("declared", len(criteria))):
        loose.add("E_NOTHING_EVALUATED")
    weights = {one.row["id"]: one.row["weight"] for one in criteria}
    binding = [name for name in outcomes if weights[name] == "must"] or list(outcomes)
    every = set().union(*codes.values())
    accepted = binding and all(outcomes[name] in ("pass", "waived") for name in binding)
    passed = accepted and not any(code[0] == "E" for code in every)
    return Row(verdict="pass" if passed else "fail", outcomes=outcomes, criteria=criteria, codes=codes, every=every)
