"""A delivery: whether its records hold together, and whether its verdicts follow from them."""

import hashlib
import re
from pathlib import Path

from .gate import UNSOUND, audit, scale_of
from .units import Broken, canonical, parse

TAMPERED, BROKEN, DIFFERS, UNAVAILABLE = "tampered", "broken", "differs", "unavailable"
EXIT_CODES = {TAMPERED: 6, BROKEN: 3, DIFFERS: 1, UNAVAILABLE: 8}  # the gravest first
# Codes that belong to files, or to no criterion.
ROUND_WIDE = {*UNSOUND.values(), "E_NOTHING_EVALUATED", "E_PROTECTED_CHANGED", "E_CHECK_UNKNOWN", "E_WAIVER_EXPIRED",
              "E_WAIVER_UNUSED"}
# What an audit is made from: records by their bytes, what people wrote without its CRs.
RECORDS = re.compile(r"(dispatch|evidence|instant|handoff|settlements|auditor\..+)\.json")
BY_PEOPLE = re.compile(r"checks(\.[^/]+)?\.(yaml|yml|json)|waivers\.yaml")
SHOWN = set(UNSOUND) - {"missing", "changed", "stale"}  # what pictures show is for the probes to say
FROZEN = ("id", "dimension", "statement", "verify", "weight", "ruleId", "assertion", "probe")
LINE = ("round", "executor", "kind", "replayed", "end", "base", "head", "protectedChanged", "tests")
CHECK = ("criterionId", "auditor", "result", "evidence", "actual", "evidenceRefs")


def digest(value):
    """Of JSON, in its canonical form."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def file_digest(path, by_people=False):
    """Of a file's bytes; None where there is none. In what people write, CRs do not count."""
    if not path.is_file():
        return None
    if by_people:
        return hashlib.sha256(path.read_bytes().replace(b"\r\n", b"\n")).hexdigest()
    found = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            found.update(block)
    return found.hexdigest()


def some(row, keys):
    """The part of a mapping under these keys."""
    return {key: row[key] for key in keys if key in row}


class Delivery:
    """The folder of one feature. Its claims are tuples: how grave it is where two things differ, the file, what is
    compared, what is expected, and what is found."""

    def __init__(self, folder, external=None):
        self.folder, self.external, self.rulings, self.unread = Path(folder), Path(external or folder), 0, []

    def verify(self):
        """What is wrong, as kind, file and words."""
        found = []
        try:
            for kind, where, what, *both in self.claims():
                if both[0] != both[1]:
                    texts = [" ".join(str(one).split()) for one in both]
                    found.append((kind, where, "{}: expected {:.200}, found {:.200}".format(what, *texts)))
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            found.append((BROKEN, self.folder.name, f"an artifact is not of its form: {error!r}"))
        return self.unread + found

    def load(self, name):
        """A JSON artifact; None, and reported, where it cannot be had."""
        try:
            artifact = parse((self.folder / name).read_text(encoding="utf-8"))
            expected = "2" if re.fullmatch(r"(pack\.lock|audit-\d+|rework-\d+|acceptance)\.json", name) else "1"
            if artifact["format"] == expected:
                return artifact
            self.unread.append((BROKEN, name, f"expected format {expected}, found {artifact['format']}"))
        except (OSError, UnicodeDecodeError, Broken) as error:
            kind = UNAVAILABLE if isinstance(error, FileNotFoundError) else BROKEN
            self.unread.append((kind, name, getattr(error, "strerror", None) or str(error)))
        return None

    def claims(self):
        lock = self.lock = self.load("pack.lock.json")
        if not lock:
            return
        packs = {name: row["pack"] for name, row in lock.get("earlier", {}).items()}
        packs[lock["packSha256"]] = lock["pack"]
        for name, pack in packs.items():
            yield TAMPERED, "pack.lock.json", "the digest of `pack`", digest(pack), name
        yield TAMPERED, "pack.lock.json", "criteriaCount", str(len(lock["pack"]["criteria"])), lock["criteriaCount"]
        numbers = sorted(int(path.name[6:]) for path in self.folder.glob("round-*") if path.name[6:].isdecimal())
        audits = {int(path.name[6:-5]) for path in self.folder.glob("audit-*.json") if path.name[6:-5].isdecimal()}
        yield UNAVAILABLE, "rounds", "that there is one to verify", True, bool(numbers)
        yield TAMPERED, "rounds", "their numbers", list(range(1, len(numbers) + 1)), sorted({*numbers, *audits})
        told = []
        for number in numbers:
            where = f"round-{number}/dispatch.json"
            dispatch, evidence = self.load(where), self.load(f"round-{number}/evidence.json")
            audited = self.load(f"audit-{number}.json")
            if dispatch and evidence and audited:
                head, pack = told[-1][0]["head"] if told else dispatch["base"], packs.get(audited["packSha256"])
                yield TAMPERED, where, "base, the head of the round before", head, dispatch["base"]
                yield UNAVAILABLE, f"audit-{number}.json", "that its pack is kept", True, pack is not None
                yield from self.round(number, dispatch, evidence, audited, pack or audited)
                told.append((dispatch, audited))
                yield from self.report(told, number == numbers[-1])

    def round(self, number, dispatch, evidence, audited, pack):
        where = f"audit-{number}.json"
        expected = [self.lock["feature"], str(number), dispatch["packSha256"], dispatch["head"]]
        for name, row in (("dispatch", dispatch), ("evidence", evidence), ("audit", audited)):
            found = [row["feature"], row["round"], row["packSha256"], row["head" if row is dispatch else "commit"]]
            yield TAMPERED, f"{name} of round {number}", "feature, round, pack and commit", expected, found
        moment = (self.folder / f"round-{number}/instant.json").exists() and self.load(f"round-{number}/instant.json")
        yield TAMPERED, where, "instant", moment["instant"] if moment else audited["instant"], audited["instant"]
        yield TAMPERED, where, "evidence, as in evidence.json", evidence["collected"], audited["evidence"]
        replayed = dispatch["replayed"] or any(row["recorded"] for row in evidence["collected"])
        yield DIFFERS, where, "replayed", replayed, audited["replayed"]
        for row in evidence["collected"]:
            if row["sourceKind"] == "independent":
                found = audited["sources"].get(row["source"])
                yield DIFFERS, where, f"the source of {row['collector']}", "independent", found
        files = {row["file"]["path"]: row for row in evidence["collected"] if row.get("file")}
        states = yield from self.files(number, files, dispatch, audited)
        yield from self.inputs(number, audited, where)
        yield from self.frozen(pack, files, audited, where)
        settled = [row["settlement"] for row in audited["criteria"] if row.get("settlement")]
        recorded = settled and self.load(f"round-{number}/settlements.json")
        last = {row["criterionId"]: row for row in recorded["settlements"]} if recorded else {}
        yield TAMPERED, where, "the settlements", [last.get(row["criterionId"]) for row in settled], settled
        yield from self.recompute(audited, states, settled, dispatch.get("protectedChanged", []), where)

    def files(self, number, files, dispatch, audited):
        """Answers the state of every evidence file. A change that the audit itself reports is no news."""
        states, folder = {}, self.folder / f"round-{number}"
        for name, row in files.items():
            where, record, path = f"round-{number}/{name}", row["file"], folder / name
            if record.get("external"):
                path = self.external / "sha256" / record["sha256"][:2] / record["sha256"][2:]
            yield TAMPERED, where, "a path within the round", True, ".." not in name and not Path(name).is_absolute()
            found = [file_digest(path), str(path.stat().st_size)] if path.is_file() else None
            state = "missing" if not found else "sound" if found == [record["sha256"], record["bytes"]] else "changed"
            seen = audited["states"].get(name)
            if state not in ("sound", seen):
                kind = UNAVAILABLE if record.get("external") and not found else TAMPERED
                yield kind, where, "its bytes", f"SHA-256 {record['sha256']}", f"that it is {state}"
                state = "sound"
            elsewhere = (row["round"], row["commit"]) != (str(number), dispatch["head"])
            yield DIFFERS, f"audit-{number}.json", f"the state of {name}", True, seen in {state, "stale", *SHOWN}
            found = {state, *SHOWN & {seen}, *["stale"] * elsewhere} - {"sound"}
            states[name] = {"state": found, "source": row["sourceKind"]}
        there = {path.relative_to(folder).as_posix() for path in (folder / "evidence").rglob("*") if not path.is_dir()}
        yield TAMPERED, f"round-{number}/evidence", "files that nothing records", set(), there - set(files)
        return states

    def inputs(self, number, audited, where):
        """Whether what an audit was made from is what is there."""
        then, waivers = audited["inputs"], f"features/{self.lock['feature']}/waivers.yaml"
        names = [path.name for path in (self.folder / f"round-{number}").iterdir() if path.is_file()]
        inputs = {f"round-{number}/{name}" for name in names if RECORDS.fullmatch(name) or BY_PEOPLE.fullmatch(name)}
        for name in sorted(inputs | {*then} - {waivers}):
            found = file_digest(self.folder / name, BY_PEOPLE.fullmatch(name.rpartition("/")[2]))
            yield TAMPERED, name, "its digest, as it was audited", then.get(name), found
        yield TAMPERED, where, "waivers, of which there is no file", [], [] if waivers in then else audited["waivers"]
        # In its workspace, a delivery has the author's waivers beside it: those for the pack that is frozen now.
        above = self.folder.resolve().parent
        if above.name == "deliveries" and audited["packSha256"] == self.lock["packSha256"]:
            yield TAMPERED, waivers, "its digest", then.get(waivers), file_digest(above.parent / waivers, by_people=True)

    def frozen(self, pack, files, audited, where):
        """Whether an audit judged what was frozen, by probes asked what was frozen, of bytes that are recorded."""
        expected, found = ([some(row, FROZEN) for row in one["criteria"]] for one in (pack, audited))
        yield TAMPERED, where, "the number of criteria", len(expected), len(found)
        for row, judged in zip(expected, found):
            yield TAMPERED, where, f"criterion {row['id']}, as frozen", row, judged
        asked = [(row["id"], row.get("observation"), row.get("probe")) for row in audited["criteria"]]
        for name, seen, probe in [*asked, *((name, seen, None) for name, seen in audited["scaleFrom"].items())]:
            if not seen or seen["file"] not in files and seen["answer"]["kind"] in ("missing", "unreadable"):
                continue
            row = files.get(seen["file"], {"file": {}})
            found = [seen["sha256"], seen["source"], seen["reader"], seen.get("with", {})]
            wanted = [probe["reader"], probe.get("with", {})] if probe else found[2:]
            recorded = [row["file"].get("sha256"), row.get("source")]
            yield TAMPERED, where, f"what was asked for {name}", [*recorded, *wanted], found
            if probe:
                yield TAMPERED, where, f"the collector for {name}", probe["evidence"], row.get("collector")
            else:
                answer = seen["answer"]
                values = [value["actual"] for value in answer["values"]] if answer["kind"] == "values" else []
                yield DIFFERS, where, name, values[0] if len(values) == 1 else None, audited["scale"].get(name)
                yield TAMPERED, where, f"the source of {name}", "independent", row.get("sourceKind")
        yield TAMPERED, where, "scale without evidence", set(), {*audited["scale"]} - {*audited["scaleFrom"]}

    def recompute(self, audited, states, settled, protected, where):
        """Everything that the audit says beside what the law makes of what it records."""
        rows, observations = audited["criteria"], {}
        for row in rows:
            if seen := row.get("observation"):
                answer = seen["answer"]
                values = [value["actual"] for value in answer["values"]] if answer["kind"] == "values" else True
                observations[row["id"]] = {**some(seen, ["file", "source", "reader"]), answer["kind"]: values}
        case = {
            "criteria": [some(row, ("id", "weight", "assertion", "probe")) for row in rows],
            "checks": [some(row, CHECK) for row in audited["checks"] if "auditor" in row]
            + [{**row["check"], "auditor": row["auditor"]} for row in audited["unknownChecks"]],
            "observations": observations, "waivers": audited["waivers"], "settlements": settled, "protected": protected,
            "scale": scale_of(audited["scale"]), "now": audited["instant"], "sources": audited["sources"],
            "evidence": states,
            "declared": self.lock["criteriaCount"] if audited["packSha256"] == self.lock["packSha256"] else "0",
        }
        try:
            found = audit(case)
        except Broken as error:
            yield BROKEN, where, "what it records", "an audit", str(error)
            return
        codes = {None: set()}
        for problem in audited["problems"]:
            codes.setdefault(problem.get("criterion"), set()).add(problem["code"])
            severity = "error" if problem["code"][0] == "E" else "warning"
            yield DIFFERS, where, f"severity of {problem['code']}", severity, problem["severity"]
        for row in rows:
            name, one = row["id"], found.criteria[row["id"]]
            self.rulings += len(one.rulings)
            yield DIFFERS, where, f"outcome of {name}", one.outcome, row["outcome"]
            yield DIFFERS, where, f"assertionVerdict of {name}", one.verdict, row["assertionVerdict"]
            written = [(ruling.get("auditor"), ruling["assertionVerdict"], ruling["outcome"])
                       for ruling in audited["checks"] if ruling["criterionId"] == name]
            yield DIFFERS, where, f"the rulings on {name}", one.rulings, written
            expected, written = one.codes - ROUND_WIDE, codes.get(name, set()) - ROUND_WIDE
            yield DIFFERS, where, f"the codes of {name}", sorted(expected), sorted(written)
        every = set().union(*codes.values()) & ROUND_WIDE
        yield DIFFERS, where, "the codes of the round", sorted(found.every & ROUND_WIDE), sorted(every)
        outcomes = [one.outcome for one in found.criteria.values()]
        counts = {name: str(outcomes.count(name)) for name in ("pass", "fail", "unverified", "invalid", "waived")}
        yield DIFFERS, where, "counts", counts, audited["counts"]
        yield DIFFERS, where, "verdict", found.verdict, audited["verdict"]

    def report(self, told, last):
        """Whether the report of a round tells what its audit, and the rounds before it under the same pack, say."""
        dispatch, audited = told[-1]
        told = [(before, one) for before, one in told if one["packSha256"] == audited["packSha256"]]
        where, other = "acceptance.json", f"rework-{dispatch['round']}.json"
        if audited["verdict"] != "pass":
            where, other = other, where
        if where == "acceptance.json" or last:
            yield DIFFERS, other, f"a report beside {where}", False, (self.folder / other).exists()
        report = self.load(where)
        if not report:
            return
        yield DIFFERS, where, f"audit, as in audit-{dispatch['round']}.json", audited, report["audit"]
        lines = [{**some(before, LINE), **some(one, ("verdict", "counts"))} for before, one in told]
        for line, run in zip(lines, (before.get("agent") for before, _ in told)):
            if run:
                tokens = str(sum(map(int, run["tokens"].values())))
                line["agent"] = {**some(run, ("steps", "cost", "errors", "claimed")), "tokens": tokens}
        yield DIFFERS, where, "rounds", lines, report["rounds"]
        paths = []
        for row in audited["criteria"]:
            path = [seen["outcome"] for _, one in told for seen in one["criteria"] if seen["id"] == row["id"]]
            regressed = path[-2:-1] == ["pass"] and path[-1] != "pass"
            paths.append({"id": row["id"], "outcomes": path, "regressed": regressed})
        yield DIFFERS, where, "path", paths, report["path"]
        if audited["packSha256"] == self.lock["packSha256"]:
            yield DIFFERS, where, "history", self.lock.get("history", []), report["history"]
