"""A delivery: whether its records hold together, and whether its verdicts follow from them."""

import hashlib
import re
from pathlib import Path

from .assertion import scale_of
from .gate import UNSOUND, audit
from .units import Broken, canonical, parse

TAMPERED, BROKEN, DIFFERS, UNAVAILABLE = "tampered", "broken", "differs", "unavailable"
EXIT_CODES = {TAMPERED: 6, BROKEN: 3, DIFFERS: 1, UNAVAILABLE: 8}  # the gravest first
# Codes that belong to files, or to no criterion.
ROUND_WIDE = {*UNSOUND.values(), "E_NOTHING_EVALUATED", "E_PROTECTED_CHANGED", "E_CHECK_UNKNOWN", "E_WAIVER_EXPIRED",
              "E_WAIVER_UNUSED"}
FORMATS = {"pack.lock": "2", "audit": "2", "rework": "2", "acceptance": "2"}
# What an audit is made from: records by their bytes, what people wrote without its CRs.
RECORDS = re.compile(r"(dispatch|evidence|instant|handoff|settlements|auditor\..+)\.json")
CHECKS = re.compile(r"checks(\.[^/]+)?\.(yaml|yml|json)")


def sha256(content):
    return hashlib.sha256(content).hexdigest()


def some(row, *keys):
    """The part of a mapping under these keys."""
    return {key: row[key] for key in keys if key in row}


def shown(value):
    """A value, short enough for one line."""
    text = " ".join((canonical(value) if isinstance(value, dict) else str(value)).split())
    return text if len(text) <= 200 else text[:200] + "…"


class Delivery:
    """The folder of one feature. Its claims are tuples: how grave it is where two things differ, the file, what is
    compared, what is expected, and what is found."""

    def __init__(self, folder, external=None):
        self.folder, self.external, self.rulings, self.unread = Path(folder), external and Path(external), 0, []

    def verify(self):
        """What is wrong, as kind, file and words."""
        found = []
        try:
            for kind, where, what, expected, seen in self.claims():
                if expected != seen:
                    found.append((kind, where, f"{what}: expected {shown(expected)}, found {shown(seen)}"))
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            found.append((BROKEN, self.folder.name, f"an artifact is not of its form: {error!r}"))
        return self.unread + found

    def load(self, name):
        """A JSON artifact; None, and reported, where it cannot be had."""
        try:
            artifact = parse((self.folder / name).read_text(encoding="utf-8"))
            expected = FORMATS.get(re.sub(r"(-\d+)?\.json$", "", name), "1")
            if artifact["format"] == expected:
                return artifact
            self.unread.append((BROKEN, name, f"expected format {expected}, found {artifact['format']}"))
        except FileNotFoundError:
            self.unread.append((UNAVAILABLE, name, "there is no such file"))
        except (OSError, UnicodeDecodeError, Broken) as error:
            self.unread.append((BROKEN, name, str(error)))
        return None

    def claims(self):
        lock = self.lock = self.load("pack.lock.json")
        if not lock:
            return
        where, pack, history = "pack.lock.json", lock["pack"], lock.get("history", [])
        self.packs = {lock["packSha256"]: pack, **{name: row["pack"] for name, row in lock.get("earlier", {}).items()}}
        for name, one in self.packs.items():
            yield TAMPERED, where, "the digest of `pack`", sha256(canonical(one).encode()), name
        yield TAMPERED, where, "criteriaCount", str(len(pack["criteria"])), lock["criteriaCount"]
        follow = [entry["from"] for entry in history[1:]] + [lock["packSha256"]] * bool(history)
        yield TAMPERED, where, "the digests that follow in `history`", follow, [entry["to"] for entry in history]
        numbers = sorted(int(path.name[6:]) for path in self.folder.glob("round-*") if path.name[6:].isdecimal())
        yield TAMPERED, "rounds", "their numbers", list(range(1, max(len(numbers), 1) + 1)), numbers
        audits = [path.name for path in sorted(self.folder.glob("audit-*.json")) if ".intoto." not in path.name]
        strange = [name for name in audits if name[6:-5] not in map(str, numbers)]
        yield TAMPERED, "rounds", "audits of no round", [], strange
        digests, told = {lock["packSha256"], *(entry["from"] for entry in history)}, []
        for number in numbers:
            where = f"round-{number}/dispatch.json"
            dispatch, evidence = self.load(where), self.load(f"round-{number}/evidence.json")
            audited = self.load(f"audit-{number}.json")
            if not dispatch or not evidence or not audited:
                continue
            yield TAMPERED, where, "packSha256, frozen now or before", True, dispatch["packSha256"] in digests
            if told:
                yield TAMPERED, where, "base, the head of the round before", told[-1][0]["head"], dispatch["base"]
            told.append((dispatch, audited))
            yield from self.round(number, dispatch, evidence, audited)
            yield from self.report(number, told, number == numbers[-1])

    def round(self, number, dispatch, evidence, audited):
        where = f"audit-{number}.json"
        expected = [self.lock["feature"], str(number), dispatch["packSha256"], dispatch["head"]]
        for name, row in (("dispatch.json", dispatch), ("evidence.json", evidence), (where, audited)):
            found = [row["feature"], row["round"], row["packSha256"], row["head" if row is dispatch else "commit"]]
            yield TAMPERED, name, f"feature, round, pack and commit of round {number}", expected, found
        if (self.folder / f"round-{number}/instant.json").exists():
            moment = self.load(f"round-{number}/instant.json") or {}
            yield TAMPERED, where, "instant", moment.get("instant"), audited["instant"]
        yield TAMPERED, where, "evidence, as in evidence.json", evidence["collected"], audited["evidence"]
        files = {row["file"]["path"]: row for row in evidence["collected"] if row.get("file")}
        states = yield from self.files(number, files, dispatch, audited)
        yield from self.inputs(number, audited)
        yield from self.frozen(files, audited, where)
        if rows := [row["settlement"] for row in audited["criteria"] if row.get("settlement")]:
            recorded = self.load(f"round-{number}/settlements.json") or {}
            last = {row["criterionId"]: row for row in recorded.get("settlements", [])}
            yield TAMPERED, where, "the settlements", [last.get(row["criterionId"]) for row in rows], rows
            digest = sha256(canonical(evidence).encode())
            yield TAMPERED, where, "the evidence that was settled on", digest, recorded.get("evidenceSha256")
        yield from self.recompute(audited, states, dispatch.get("protectedChanged", []), where)

    def files(self, number, files, dispatch, audited):
        """Answers the state of every evidence file. A change that the audit itself reports is no news."""
        states, known = {}, {problem["code"] for problem in audited["problems"]}
        folder = self.folder / f"round-{number}"
        for name, row in files.items():
            where, record, seen = f"round-{number}/{name}", row["file"], audited["states"].get(name)
            path, state = folder / name, "sound"
            if record.get("external"):
                digest = record["sha256"]
                path = (self.external or folder) / "sha256" / digest[:2] / digest[2:]
            inside = ".." not in Path(name).parts and not Path(name).is_absolute()
            yield TAMPERED, where, "a path within the round", True, inside
            if record.get("external") and not path.is_file():
                yield UNAVAILABLE, where, "the file in the external store (--external)", record["sha256"], None
            elif inside and not path.is_file():
                state = "missing"
            elif inside and (sha256(path.read_bytes()), str(path.stat().st_size)) != (record["sha256"], record["bytes"]):
                state = "changed"
            if state != "sound" and UNSOUND[state] not in known:
                yield TAMPERED, where, "its bytes", f"SHA-256 {record['sha256']}", f"that it is {state}"
                state = "sound"
            if state == "sound" and seen not in ("sound", "stale", *UNSOUND) or state == "sound" and seen in ("missing", "changed"):
                yield DIFFERS, f"audit-{number}.json", f"the state of {name}", state, seen
            found = [one for one in (state, seen) if one in UNSOUND and one not in ("missing", "changed", "stale")]
            found += [state] * (state != "sound")
            if (row["round"], row["commit"]) != (str(number), dispatch["head"]):
                found.append("stale")
            states[name] = {"state": found or "sound", "source": row["sourceKind"]}
        there = {path.relative_to(folder).as_posix() for path in (folder / "evidence").rglob("*") if not path.is_dir()}
        yield TAMPERED, f"round-{number}/evidence", "files that nothing records", [], sorted(there - set(files))
        return states

    def inputs(self, number, audited):
        """Whether what an audit was made from is what is there."""
        now, then = {}, dict(audited["inputs"])
        for path in (self.folder / f"round-{number}").iterdir():
            if RECORDS.fullmatch(path.name):
                now[f"round-{number}/{path.name}"] = sha256(path.read_bytes())
            elif CHECKS.fullmatch(path.name):
                now[f"round-{number}/{path.name}"] = sha256(path.read_bytes().replace(b"\r\n", b"\n"))
        waivers = f"features/{self.lock['feature']}/waivers.yaml"
        stated = then.pop(waivers, None)
        if stated is None:
            yield TAMPERED, f"audit-{number}.json", "waivers, of which there is no file", [], audited["waivers"]
        # Where the delivery stands in its workspace, what the author wrote of the pack that is frozen now stands beside it.
        folder = self.folder.resolve().parent
        if folder.name == "deliveries" and audited["packSha256"] == self.lock["packSha256"]:
            path = folder.parent / waivers
            found = sha256(path.read_bytes().replace(b"\r\n", b"\n")) if path.is_file() else None
            yield TAMPERED, waivers, "its digest", stated, found
        for name in sorted({*now, *then}):
            yield TAMPERED, name, "its digest, as it was audited", then.get(name), now.get(name)

    def frozen(self, files, audited, where):
        """Whether an audit judged what was frozen, by probes that were asked what is frozen, of bytes that are recorded."""
        pack = self.packs.get(audited["packSha256"])
        yield UNAVAILABLE, where, "the pack that was audited, kept", True, pack is not None
        fields = ("id", "dimension", "statement", "verify", "weight", "ruleId", "assertion", "probe")
        criteria = pack["criteria"] if pack else audited["criteria"]
        yield TAMPERED, where, "the number of criteria", len(criteria), len(audited["criteria"])
        for row, judged in zip(criteria, audited["criteria"]):
            yield TAMPERED, where, f"criterion {row['id']}, as frozen", some(row, *fields), some(judged, *fields)
        asked = [(row["id"], row.get("observation"), row.get("probe")) for row in audited["criteria"]]
        asked += [(name, seen, None) for name, seen in audited["scaleFrom"].items()]
        for name, seen, probe in asked:
            if not seen or seen["file"] not in files and seen["answer"]["kind"] in ("missing", "unreadable"):
                continue
            row = files.get(seen["file"])
            expected = row and [row["file"]["sha256"], row["source"]]
            yield TAMPERED, where, f"the file of {name}", expected, [seen["sha256"], seen["source"]]
            if probe:
                found = [row and row["collector"], seen["reader"], seen.get("with", {})]
                expected = [probe["evidence"], probe["reader"], probe.get("with", {})]
                yield TAMPERED, where, f"what was asked for {name}", expected, found
            else:
                values = seen["answer"].get("values", [])
                found = values[0]["actual"] if len(values) == 1 else None
                yield DIFFERS, where, name, found, audited["scale"].get(name)
                yield TAMPERED, where, f"the source of {name}", "independent", row and row["sourceKind"]
        yield TAMPERED, where, "scale without evidence", [], sorted({*audited["scale"]} - {*audited["scaleFrom"]})

    def recompute(self, audited, states, protected, where):
        """Everything that the audit says beside what the law makes of what it records."""
        rows, sources = audited["criteria"], audited["sources"]
        promoted = [row["source"] for row in audited["evidence"] if row["sourceKind"] == "independent"]
        yield DIFFERS, where, "sources that are independent", [], [one for one in promoted if sources.get(one) != "independent"]
        kept = ("criterionId", "auditor", "result", "evidence", "actual", "evidenceRefs")
        case = {
            "criteria": [some(row, "id", "weight", "assertion", "probe") for row in rows],
            "checks": [some(row, *kept) for row in audited["checks"] if "auditor" in row]
            + [{**row["check"], "auditor": row["auditor"]} for row in audited["unknownChecks"]],
            "observations": {row["id"]: answered(row["observation"]) for row in rows if row.get("observation")},
            "waivers": audited["waivers"], "settlements": [row["settlement"] for row in rows if row.get("settlement")],
            "protected": protected, "scale": scale_of(audited.get("scale")), "now": audited["instant"], "sources": sources,
            "evidence": states,
            "declared": self.lock["criteriaCount"] if audited["packSha256"] == self.lock["packSha256"] else "0",
        }
        try:
            found = audit(case)
        except Broken as error:
            yield BROKEN, where, "what it records", "an audit", f"{error}"
            return
        codes = {}
        for problem in audited["problems"]:
            codes.setdefault(problem.get("criterion"), set()).add(problem["code"])
        for row in rows:
            name, one = row["id"], found.criteria[row["id"]]
            yield DIFFERS, where, f"outcome of {name}", one.outcome, row["outcome"]
            yield DIFFERS, where, f"assertionVerdict of {name}", one.verdict, row["assertionVerdict"]
            written = [(ruling.get("auditor"), ruling["assertionVerdict"], ruling["outcome"])
                       for ruling in audited["checks"] if ruling["criterionId"] == name]
            expected = [(ruling.auditor, ruling.verdict, ruling.outcome) for ruling in one.rulings]
            yield DIFFERS, where, f"the rulings on {name}", expected, written
            expected, written = one.codes - ROUND_WIDE, codes.get(name, set()) - ROUND_WIDE
            yield DIFFERS, where, f"the codes of {name}", sorted(expected), sorted(written)
            self.rulings += len(one.rulings)
        every = set().union(*codes.values())
        yield DIFFERS, where, "the codes of the round", sorted(found.every & ROUND_WIDE), sorted(every & ROUND_WIDE)
        outcomes = list(found.outcomes.values())
        yield DIFFERS, where, "counts", {name: str(outcomes.count(name)) for name in audited["counts"]}, audited["counts"]
        yield DIFFERS, where, "verdict", found.verdict, audited["verdict"]

    def report(self, number, told, last):
        """Whether the report of a round tells what its audit says."""
        audited = told[-1][1]
        told = [(dispatch, one) for dispatch, one in told if one["packSha256"] == audited["packSha256"]]
        where, other = "acceptance.json", f"rework-{number}.json"
        if audited["verdict"] != "pass":
            where, other = other, where
        if where == "acceptance.json" or last:
            yield DIFFERS, other, f"a report beside {where}", False, (self.folder / other).exists()
        report = self.load(where)
        if not report:
            return
        yield DIFFERS, where, f"audit, as in audit-{number}.json", audited, report["audit"]
        lines = [line_of(dispatch, one) for dispatch, one in told]
        yield DIFFERS, where, "rounds", lines, report["rounds"]
        paths = {row["id"]: [one["outcome"] for _, audit in told for one in audit["criteria"] if one["id"] == row["id"]]
                 for row in audited["criteria"]}
        yield DIFFERS, where, "path", paths, {row["id"]: row["outcomes"] for row in report["path"]}
        if audited["packSha256"] == self.lock["packSha256"]:
            yield DIFFERS, where, "history", self.lock.get("history", []), report["history"]


def line_of(dispatch, audited):
    """A round as reports tell of it."""
    line = some(dispatch, "round", "executor", "kind", "replayed", "end", "base", "head", "protectedChanged", "tests")
    line |= some(audited, "verdict", "counts")
    if run := dispatch.get("agent"):
        tokens = str(sum(map(int, run["tokens"].values())))
        line["agent"] = {**some(run, "steps", "cost", "errors", "claimed"), "tokens": tokens}
    return line


def answered(seen):
    """An observation as vectors write it."""
    kind = seen["answer"]["kind"]
    answer = [value["actual"] for value in seen["answer"]["values"]] if kind == "values" else seen["answer"]["reason"]
    return {**some(seen, "file", "source", "reader"), kind: answer}
