"""A delivery: whether its records hold together, and whether its verdicts follow from them."""

import hashlib
from pathlib import Path

from .assertion import scale_of
from .exact import Broken, canonical, parse
from .gate import UNSOUND, audit

TAMPERED, DIFFERS, UNAVAILABLE, BROKEN = "tampered", "differs", "unavailable", "broken"
EXIT_CODES = {TAMPERED: 6, BROKEN: 3, DIFFERS: 1, UNAVAILABLE: 8}
# What pictures show is for the probes to say, and what a person wrote in YAML for the project's own verifier.
PICTURES = {UNSOUND[state] for state in ("blank", "undecodable", "flat", "wrongSize", "twin", "repeated")}
TAKEN = PICTURES | {"E_CHECK_UNKNOWN", "E_WAIVER_EXPIRED", "E_WAIVER_UNUSED"}
ROUND_WIDE = set(UNSOUND.values()) | {"E_NOTHING_EVALUATED", "E_PROTECTED_CHANGED"} | TAKEN
FORMAT = "1"
OUTCOMES = ("pass", "fail", "unverified", "invalid", "waived")


class Delivery:
    """The folder of one feature, and what was found wrong with it."""

    def __init__(self, folder, external=None):
        self.folder, self.external = Path(folder), external and Path(external)
        self.found, self.rulings = [], 0

    def say(self, kind, where, what):
        self.found.append((kind, where, what))

    def same(self, kind, where, what, expected, found):
        """Reports where a record is not what another record, or the law, makes of it."""
        if expected != found:
            self.say(kind, where, f"{what}: expected {shown(expected)}, found {shown(found)}")

    def load(self, name, needed=True):
        """A JSON artifact; None, and reported, where it cannot be had."""
        path = self.folder / name
        try:
            artifact = parse(path.read_text(encoding="utf-8"))
            if artifact["format"] == FORMAT:
                return artifact
            self.say(BROKEN, name, f"expected format {FORMAT}, found {artifact['format']}")
        except FileNotFoundError:
            if needed:
                self.say(UNAVAILABLE, name, "there is no such file")
        except (OSError, UnicodeDecodeError, Broken) as error:
            self.say(BROKEN, name, str(error))
        return None

    def verify(self):
        """Looks at everything; the findings are in `found`."""
        try:
            self.lock = self.load("pack.lock.json")
            if self.lock:
                self.frozen()
                self.rounds()
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            self.say(BROKEN, str(self.folder), f"an artifact is not of its form: {error!r}")
        return self.found

    def ending(self):
        """The exit code: the gravest of what was found."""
        kinds = {kind for kind, _, _ in self.found}
        return next((code for kind, code in EXIT_CODES.items() if kind in kinds), 0)

    # ---- The frozen pack

    def frozen(self):
        lock, where = self.lock, "pack.lock.json"
        digest = hashlib.sha256(canonical(lock["pack"]).encode()).hexdigest()
        self.same(TAMPERED, where, "the digest of `pack`", digest, lock["packSha256"])
        self.same(TAMPERED, where, "criteriaCount", str(len(lock["pack"]["criteria"])), lock["criteriaCount"])
        history = lock.get("history", [])
        for earlier, later in zip(history, history[1:] + [{"from": lock["packSha256"]}]):
            self.same(TAMPERED, where, "the digest that follows in `history`", earlier["to"], later["from"])
        self.digests = {lock["packSha256"], *(entry["from"] for entry in history)}

    # ---- Rounds

    def rounds(self):
        numbers = sorted(int(path.name[6:]) for path in self.folder.glob("round-*") if path.name[6:].isdecimal())
        self.same(TAMPERED, "rounds", "their numbers", list(range(1, len(numbers) + 1)), numbers)
        head, told = None, []
        for number in numbers:
            dispatch = self.load(f"round-{number}/dispatch.json")
            if not dispatch:
                continue
            self.record(dispatch, f"round-{number}/dispatch.json", number)
            if head is not None:
                where = f"round-{number}/dispatch.json"
                self.same(TAMPERED, where, "base, the head of the round before", head, dispatch["base"])
            head = dispatch["head"]
            evidence = self.load(f"round-{number}/evidence.json")
            audited = self.load(f"audit-{number}.json")
            if evidence and audited:
                self.round(number, dispatch, evidence, audited)
                told.append((dispatch, audited))
                self.report(number, told, last=number == numbers[-1])
        if not numbers:
            self.say(UNAVAILABLE, "rounds", "there is no round to verify")

    def record(self, row, where, number):
        """What every record of a round carries."""
        self.same(TAMPERED, where, "feature", self.lock["feature"], row["feature"])
        self.same(TAMPERED, where, "round", str(number), row["round"])
        if row["packSha256"] not in self.digests:
            self.say(TAMPERED, where, f"packSha256: expected the frozen pack's or an earlier one's, found {row['packSha256']}")

    def round(self, number, dispatch, evidence, audited):
        where = f"audit-{number}.json"
        for row, name in ((evidence, f"round-{number}/evidence.json"), (audited, where)):
            self.record(row, name, number)
            self.same(TAMPERED, name, "packSha256", dispatch["packSha256"], row["packSha256"])
            self.same(TAMPERED, name, "commit", dispatch["head"], row["commit"])
        if moment := self.load(f"round-{number}/instant.json"):
            self.same(TAMPERED, where, "instant", moment["instant"], audited["instant"])
        self.same(TAMPERED, where, "evidence, as in evidence.json", evidence["collected"], audited["evidence"])
        replayed = dispatch["replayed"] or any(row["recorded"] for row in evidence["collected"])
        self.same(DIFFERS, where, "replayed", replayed, audited["replayed"])
        states = self.files(number, dispatch, evidence, audited)
        self.pack_of(audited, where)
        self.observations(audited, evidence, where)
        self.settlements(number, audited, where)
        self.recompute(audited, states, dispatch.get("protectedChanged", []), where)

    def files(self, number, dispatch, evidence, audited):
        """The state of every evidence file, by path. A change that the audit itself reports is no news."""
        known = {problem["code"] for problem in audited["problems"]}
        states = {}
        for row in evidence["collected"]:
            record = row.get("file")
            if not record:
                continue
            where = f"round-{number}/{record['path']}"
            state = self.state(number, record, where)
            if state in UNSOUND and UNSOUND[state] not in known:
                expected = f"{record['bytes']} bytes of SHA-256 {record['sha256']}"
                self.say(TAMPERED, where, f"expected {expected}, found that it is {state}")
                state = "sound"
            found = [state] if state in UNSOUND else []
            if row["round"] != str(number) or row["commit"] != dispatch["head"]:
                found.append("stale")
            states[record["path"]] = {"state": found or "sound", "source": row["sourceKind"]}
        return states

    def state(self, number, record, where):
        path = self.folder / f"round-{number}" / record["path"]
        if record.get("external"):
            if not self.external:
                self.say(UNAVAILABLE, where, "it is kept in the external store; name that with --external")
                return "sound"
            path = self.external / "sha256" / record["sha256"][:2] / record["sha256"][2:]
        if ".." in Path(record["path"]).parts or Path(record["path"]).is_absolute():
            self.say(TAMPERED, where, "its path leaves the round")
            return "sound"
        if not path.is_file():
            if record.get("external"):
                self.say(UNAVAILABLE, where, f"the external store has no {record['sha256']}")
                return "sound"
            return "missing"
        digest, size = hashlib.sha256(), 0
        with open(path, "rb") as file:
            while block := file.read(1 << 20):
                digest.update(block)
                size += len(block)
        return "sound" if (digest.hexdigest(), str(size)) == (record["sha256"], record["bytes"]) else "changed"

    # ---- One audit

    def pack_of(self, audited, where):
        """Whether an audit judged what was frozen. An earlier pack is told by its digest alone."""
        if audited["packSha256"] != self.lock["packSha256"]:
            return
        fields = ("id", "dimension", "statement", "verify", "weight", "ruleId", "assertion", "probe")
        frozen = [{key: row[key] for key in fields if key in row} for row in self.lock["pack"]["criteria"]]
        judged = [{key: row[key] for key in fields if key in row} for row in audited["criteria"]]
        for expected, found in zip(frozen, judged):
            self.same(TAMPERED, where, f"criterion {expected['id']}, as frozen", expected, found)
        self.same(TAMPERED, where, "the number of criteria", len(frozen), len(judged))

    def observations(self, audited, evidence, where):
        """Whether each probe was asked what is frozen, of bytes that are recorded."""
        files = {row["file"]["path"]: row for row in evidence["collected"] if row.get("file")}
        for row in audited["criteria"]:
            seen, probe = row.get("observation"), row.get("probe")
            if not seen:
                continue
            name = f"the observation of {row['id']}: "
            entry = files.get(seen["file"])
            if not entry and probe and seen["answer"]["kind"] in ("missing", "unreadable"):
                continue
            if not entry or not probe:
                self.say(TAMPERED, where, f"{name}{seen['file']} is not recorded, or nothing asked for it")
                continue
            self.same(TAMPERED, where, name + "sha256", entry["file"]["sha256"], seen["sha256"])
            self.same(TAMPERED, where, name + "source", entry["source"], seen["source"])
            self.same(TAMPERED, where, name + "collector", probe["evidence"], entry["collector"])
            self.same(TAMPERED, where, name + "reader", probe["reader"], seen["reader"])
            self.same(TAMPERED, where, name + "with", probe.get("with", {}), seen.get("with", {}))

    def settlements(self, number, audited, where):
        """Whether each settlement that an audit rests on is the last that is recorded of its criterion."""
        rows = [row["settlement"] for row in audited["criteria"] if row.get("settlement")]
        recorded = self.load(f"round-{number}/settlements.json") if rows else None
        last = {row["criterionId"]: row for row in recorded["settlements"]} if recorded else {}
        for row in rows:
            name = row["criterionId"]
            self.same(TAMPERED, where, f"the settlement of {name}", last.get(name), row)

    def recompute(self, audited, states, protected, where):
        recorded = {}
        for problem in audited["problems"]:
            recorded.setdefault(problem.get("criterion"), set()).add(problem["code"])
            severity = "error" if problem["code"][0] == "E" else "warning"
            self.same(DIFFERS, where, f"severity of {problem['code']}", severity, problem["severity"])
        every = set().union(*recorded.values())
        rows = audited["criteria"]
        sources = {row["source"]: row["sourceKind"] for row in audited["evidence"]}
        for row in rows:
            source = row.get("assertion", {}).get("source")
            if source and source not in sources:
                sources[source] = "auxiliary" if "E_SOURCE_AUXILIARY" in recorded.get(row["id"], ()) else "independent"
        case = {
            "criteria": [{key: row[key] for key in ("id", "weight", "assertion", "probe") if key in row} for row in rows],
            "checks": [check_of(row) for row in audited["checks"] if "auditor" in row],
            "observations": {row["id"]: answered(row["observation"]) for row in rows if row.get("observation")},
            "waivers": [row["waiver"] for row in rows if row.get("waiver")],
            "settlements": [row["settlement"] for row in rows if row.get("settlement")], "protected": protected,
            "scale": scale_of(audited.get("scale")), "now": audited["instant"], "sources": sources, "evidence": states,
            "declared": self.lock["criteriaCount"] if audited["packSha256"] == self.lock["packSha256"] else len(rows),
            "recorded": every & TAKEN, "doubted": {name for name, codes in recorded.items() if codes & PICTURES},
        }
        try:
            found = audit(case)
        except Broken as error:
            self.say(BROKEN, where, f"what it records is refused: {error}")
            return
        self.compare(audited, found, recorded, every, where)

    def compare(self, audited, found, recorded, every, where):
        """Everything that the audit says beside what the law makes of what it records."""
        for row, one in zip(audited["criteria"], found.criteria):
            name = row["id"]
            self.same(DIFFERS, where, f"outcome of {name}", found.outcomes[name], row["outcome"])
            self.same(DIFFERS, where, f"assertionVerdict of {name}", one.verdict, row["assertionVerdict"])
            rulings = [ruling for ruling in audited["checks"] if ruling["criterionId"] == name]
            expected = [(ruling.auditor, ruling.verdict, ruling.outcome) for ruling in one.rulings]
            written = [(ruling.get("auditor"), ruling["assertionVerdict"], ruling["outcome"]) for ruling in rulings]
            self.same(DIFFERS, where, f"the rulings on {name}", expected, written)
            self.rulings += len(expected)
            self.same(DIFFERS, where, f"the codes of {name}", sorted(found.codes[name] - ROUND_WIDE),
                      sorted(recorded.get(name, set()) - ROUND_WIDE))
        wide = ROUND_WIDE - TAKEN
        self.same(DIFFERS, where, "the codes of the round", sorted(found.every & wide), sorted(every & wide))
        outcomes = list(found.outcomes.values())
        counts = {name: str(outcomes.count(name)) for name in OUTCOMES}
        self.same(DIFFERS, where, "counts", counts, audited["counts"])
        self.same(DIFFERS, where, "verdict", found.verdict, audited["verdict"])

    # ---- Reports

    def report(self, number, told, last):
        """Whether the report of a round tells what its audit says."""
        audited = told[-1][1]
        told = [(dispatch, audit) for dispatch, audit in told if audit["packSha256"] == audited["packSha256"]]
        passed = audited["verdict"] == "pass"
        where = "acceptance.json" if passed else f"rework-{number}.json"
        other = f"rework-{number}.json" if passed else "acceptance.json"
        if (passed or last) and (self.folder / other).exists():
            self.say(DIFFERS, other, f"expected no such report beside {where}, found one")
        report = self.load(where)
        if not report:
            return
        self.same(DIFFERS, where, f"audit, as in audit-{number}.json", audited, report["audit"])
        lines = [line_of(dispatch, audit) for dispatch, audit in told]
        self.same(DIFFERS, where, "rounds", lines, report["rounds"])
        paths = []
        for row in audited["criteria"]:
            outcomes = [one["outcome"] for _, audit in told for one in audit["criteria"] if one["id"] == row["id"]]
            regressed = outcomes[-2:-1] == ["pass"] and outcomes[-1] != "pass"
            paths.append({"id": row["id"], "outcomes": outcomes, "regressed": regressed})
        self.same(DIFFERS, where, "path", paths, report["path"])
        if audited["packSha256"] == self.lock["packSha256"]:
            self.same(DIFFERS, where, "history", self.lock.get("history", []), report["history"])


def check_of(row):
    """A ruling as the check that it was made of."""
    keys = ("criterionId", "auditor", "result", "evidence", "actual", "evidenceRefs")
    return {key: row[key] for key in keys if key in row}


def line_of(dispatch, audit):
    """A round as reports tell of it."""
    kept = ("round", "executor", "kind", "replayed", "end", "base", "head", "protectedChanged", "tests")
    line = {key: dispatch[key] for key in kept if key in dispatch}
    line |= {"verdict": audit["verdict"], "counts": audit["counts"]}
    if run := dispatch.get("agent"):
        line["agent"] = {key: run[key] for key in ("steps", "cost", "errors", "claimed") if key in run}
        line["agent"]["tokens"] = str(sum(map(int, run["tokens"].values())))
    return line


def answered(seen):
    """An observation as vectors write it."""
    kind = seen["answer"]["kind"]
    answer = [value["actual"] for value in seen["answer"]["values"]] if kind == "values" else seen["answer"]["reason"]
    return {"file": seen["file"], "source": seen["source"], "reader": seen["reader"], kind: answer}


def shown(value):
    """A value, short enough for one line."""
    text = canonical(value) if isinstance(value, dict) else str(value)
    text = " ".join(text.split())
    return text if len(text) <= 200 else text[:200] + "…"
