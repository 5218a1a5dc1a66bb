"""A delivery: whether its records hold together, and whether its verdicts follow from them."""

import hashlib
import re
from pathlib import Path

from .assertion import scale_of
from .exact import Broken, canonical, parse
from .gate import UNSOUND, audit

TAMPERED, DIFFERS, UNAVAILABLE, BROKEN = "tampered", "differs", "unavailable", "broken"
EXIT_CODES = {TAMPERED: 6, BROKEN: 3, DIFFERS: 1, UNAVAILABLE: 8}
# Found by the bytes; what pictures show is for the probes to say, and taken from the audit.
BY_DIGEST = ("missing", "changed", "stale")
# Codes that belong to files, or to no criterion.
ROUND_WIDE = set(UNSOUND.values()) | {"E_NOTHING_EVALUATED", "E_PROTECTED_CHANGED", "E_CHECK_UNKNOWN",
                                      "E_WAIVER_EXPIRED", "E_WAIVER_UNUSED"}
FORMATS = {"pack.lock": "2", "audit": "2", "rework": "2", "acceptance": "2"}
RECORDS = ("dispatch.json", "evidence.json", "instant.json", "handoff.json", "settlements.json")
CHECKS = re.compile(r"checks(\.[^/]+)?\.(yaml|yml|json)")
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
            expected = FORMATS.get(re.sub(r"(-\d+)?\.json$", "", name), "1")
            if artifact["format"] == expected:
                return artifact
            self.say(BROKEN, name, f"expected format {expected}, found {artifact['format']}")
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
        self.packs = {name: row["pack"] for name, row in lock.get("earlier", {}).items()}
        for name, pack in self.packs.items():
            digest = hashlib.sha256(canonical(pack).encode()).hexdigest()
            self.same(TAMPERED, where, "the digest of an earlier pack", digest, name)
        self.packs[lock["packSha256"]] = lock["pack"]

    # ---- Rounds

    def rounds(self):
        numbers = sorted(int(path.name[6:]) for path in self.folder.glob("round-*") if path.name[6:].isdecimal())
        self.same(TAMPERED, "rounds", "their numbers", list(range(1, len(numbers) + 1)), numbers)
        for path in sorted(self.folder.glob("audit-*.json")):
            if path.name[6:-5].removesuffix(".intoto") not in map(str, numbers):
                self.say(TAMPERED, path.name, "there is no such round")
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
        self.inputs(number, audited, where)
        self.pack_of(audited, where)
        self.observations(audited, evidence, where)
        self.scale(audited, where)
        self.settlements(number, evidence, audited, where)
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
            self.same(DIFFERS, f"audit-{number}.json", f"the state of {record['path']}", True, record["path"] in audited["states"])
            seen = audited["states"].get(record["path"], "sound")
            if state == "sound" and seen in ("missing", "changed"):
                self.say(DIFFERS, f"audit-{number}.json", f"{record['path']} is there as it was recorded, not {seen}")
            found = [state] if state in UNSOUND else []
            if not found and seen != "sound" and seen not in BY_DIGEST:
                found.append(seen)
            if row["round"] != str(number) or row["commit"] != dispatch["head"]:
                found.append("stale")
            states[record["path"]] = {"state": found or "sound", "source": row["sourceKind"]}
        folder = self.folder / f"round-{number}"
        for path in sorted((folder / "evidence").rglob("*")):
            name = path.relative_to(folder).as_posix()
            if not path.is_dir() and name not in states:
                self.say(TAMPERED, f"round-{number}/{name}", "nothing that is recorded accounts for it")
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

    def inputs(self, number, audited, where):
        """Whether what an audit was made from is what is there: records by their bytes, text of people without its CRs."""
        now = {}
        for path in sorted((self.folder / f"round-{number}").iterdir()):
            is_record = path.name in RECORDS or re.fullmatch(r"auditor\..+\.json", path.name)
            if path.is_file() and (is_record or CHECKS.fullmatch(path.name)):
                text = path.read_bytes()
                text = text if is_record else text.replace(b"\r\n", b"\n")
                now[f"round-{number}/{path.name}"] = hashlib.sha256(text).hexdigest()
        then = dict(audited["inputs"])
        waivers = f"features/{self.lock['feature']}/waivers.yaml"
        stated = then.pop(waivers, None)
        if stated is None:
            self.same(TAMPERED, where, "waivers, of which there is no file", [], audited["waivers"])
        # Where the delivery stands in its workspace, what the author wrote stands beside it; of the pack that is frozen now.
        if self.folder.resolve().parent.name == "deliveries" and audited["packSha256"] == self.lock["packSha256"]:
            path = self.folder.resolve().parent.parent / waivers
            text = path.read_bytes().replace(b"\r\n", b"\n") if path.is_file() else None
            self.same(TAMPERED, waivers, "its digest", stated, text and hashlib.sha256(text).hexdigest())
        for name in sorted({*now, *then}):
            self.same(TAMPERED, name, "its digest, as it was audited", then.get(name), now.get(name))

    def scale(self, audited, where):
        """Whether density and font scale are what their files are recorded to say, and from whom the agent is not."""
        files = {row["file"]["path"]: row for row in audited["evidence"] if row.get("file")}
        for name in ("density", "fontScale"):
            seen, found = audited["scaleFrom"].get(name), None
            if seen and seen["answer"]["kind"] == "values" and len(seen["answer"]["values"]) == 1:
                found = seen["answer"]["values"][0]["actual"]
            self.same(DIFFERS, where, name, found, audited["scale"].get(name))
            if entry := seen and files.get(seen["file"]):
                expected = (entry["file"]["sha256"], entry["source"], "independent")
                self.same(TAMPERED, where, f"the file of {name}", expected, (seen["sha256"], seen["source"], entry["sourceKind"]))
            elif found is not None:
                self.say(TAMPERED, where, f"the file of {name}, {seen['file']}, is not recorded")

    def pack_of(self, audited, where):
        """Whether an audit judged what was frozen."""
        pack = self.packs.get(audited["packSha256"])
        if pack is None:
            self.say(UNAVAILABLE, where, f"the pack {audited['packSha256']} is not kept")
            return
        fields = ("id", "dimension", "statement", "verify", "weight", "ruleId", "assertion", "probe")
        frozen = [{key: row[key] for key in fields if key in row} for row in pack["criteria"]]
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

    def settlements(self, number, evidence, audited, where):
        """Whether each settlement that an audit rests on is the last that is recorded of its criterion."""
        rows = [row["settlement"] for row in audited["criteria"] if row.get("settlement")]
        recorded = self.load(f"round-{number}/settlements.json") if rows else None
        last = {row["criterionId"]: row for row in recorded["settlements"]} if recorded else {}
        if recorded:
            digest = hashlib.sha256(canonical(evidence).encode()).hexdigest()
            self.same(TAMPERED, where, "the evidence that was settled on", digest, recorded.get("evidenceSha256"))
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
        for row in audited["evidence"]:
            kind = audited["sources"].get(row["source"], "auxiliary")
            if row["sourceKind"] == "independent":
                self.same(DIFFERS, where, f"the source of {row['collector']}", kind, row["sourceKind"])
        case = {
            "criteria": [{key: row[key] for key in ("id", "weight", "assertion", "probe") if key in row} for row in rows],
            "checks": [check_of(row) for row in audited["checks"] if "auditor" in row]
            + [{**row["check"], "auditor": row["auditor"]} for row in audited["unknownChecks"]],
            "observations": {row["id"]: answered(row["observation"]) for row in rows if row.get("observation")},
            "waivers": audited["waivers"],
            "settlements": [row["settlement"] for row in rows if row.get("settlement")], "protected": protected,
            "scale": scale_of(audited.get("scale")), "now": audited["instant"], "sources": audited["sources"], "evidence": states,
            "declared": self.lock["criteriaCount"] if audited["packSha256"] == self.lock["packSha256"] else len(rows),
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
        self.same(DIFFERS, where, "the codes of the round", sorted(found.every & ROUND_WIDE), sorted(every & ROUND_WIDE))
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
