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
SECOND_FORMAT = re.compile(r"(pack\.lock|audit-\d+|rework-\d+|acceptance)\.json")
SHOWN = set(UNSOUND) - {"missing", "changed", "stale"}  # what pictures show is for the probes to say
FROZEN = ("id", "dimension", "statement", "verify", "weight", "ruleId", "assertion", "probe")
LINE = ("round", "executor", "kind", "replayed", "end", "base", "head", "protectedChanged", "tests")
OUTCOMES = ("pass", "fail", "unverified", "invalid", "waived")
CHECK = ("criterionId", "auditor", "result", "evidence", "actual", "evidenceRefs")


def file_digest(path, by_people=False):
    """Of a file's bytes; None where there is none. In what people write, CRs do not count."""
    if not path.is_file():
        return None
    found = hashlib.sha256()
    with path.open("rb") as file:
        for line in file:
            found.update(line.replace(b"\r\n", b"\n") if by_people else line)
    return found.hexdigest()


def some(row, keys):
    """The part of a mapping under these keys."""
    return {key: row[key] for key in keys if key in row}


def differences(where, expected, found):
    """Says each place where two values differ, and what stands there. A row of a list goes by its id."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for key in {**expected, **found}:
            yield from differences(f"{where} {key}".strip(), expected.get(key, "nothing"), found.get(key, "nothing"))
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        for at, (one, other) in enumerate(zip(expected, found)):
            yield from differences(f"{where} {one.get('id', at) if isinstance(one, dict) else at}", one, other)
    elif expected != found:
        words = (" ".join(str(one).split()) for one in (expected, found))
        yield "{}: expected {:.200}, found {:.200}".format(where, *words)


class Delivery:
    """The folder of one feature. Its claims are tuples: how grave it is where two things differ, the file, what is
    expected of it by name, and what is found, of which only those names count."""

    def __init__(self, folder, external=None):
        self.folder, self.external, self.rulings, self.unread = Path(folder), Path(external or folder), 0, []

    def verify(self):
        """What is wrong, as kind, file and words."""
        found = []
        try:
            for kind, file, expected, artifact in self.claims():
                found += [(kind, file, words) for words in differences("", expected, some(artifact, expected))]
        except (LookupError, TypeError, AttributeError, ValueError) as error:
            found.append((BROKEN, self.folder.name, f"an artifact is not of its form: {error!r}"))
        return self.unread + found

    def load(self, name):
        """A JSON artifact; None, and reported, where it cannot be had."""
        try:
            artifact = parse((self.folder / name).read_text(encoding="utf-8"))
            expected = "2" if SECOND_FORMAT.fullmatch(name) else "1"
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
        self.packs = {name: row["pack"] for name, row in lock.get("earlier", {}).items()}
        self.packs[lock["packSha256"]] = lock["pack"]
        for name, pack in self.packs.items():
            digest = hashlib.sha256(canonical(pack).encode()).hexdigest()
            yield TAMPERED, "pack.lock.json", {"the digest of `pack`": digest}, {"the digest of `pack`": name}
        yield TAMPERED, "pack.lock.json", {"criteriaCount": str(len(lock["pack"]["criteria"]))}, lock
        rounds, audits = (sorted(int(found[1]) for path in self.folder.iterdir()
                                 if (found := re.fullmatch(form, path.name)))
                          for form in (r"round-(\d+)", r"audit-(\d+)\.json"))
        yield UNAVAILABLE, "rounds", {"one to verify": True}, {"one to verify": bool(rounds)}
        yield TAMPERED, "rounds", {"numbers": [*range(1, len(rounds) + 1)]}, {"numbers": sorted({*rounds, *audits})}
        told = []
        for number in map(str, rounds):
            names = f"round-{number}/dispatch.json", f"round-{number}/evidence.json", f"audit-{number}.json"
            dispatch, evidence, audited = records = [self.load(name) for name in names]
            if all(records):
                of_round = {"feature": lock["feature"], "round": number, "packSha256": dispatch["packSha256"]}
                base = {"base": told[-1][0]["head"]} if told else {}
                yield TAMPERED, names[0], {**of_round, **base}, dispatch
                of_round["commit"] = dispatch["head"]
                yield TAMPERED, names[1], of_round, evidence
                yield TAMPERED, names[2], of_round, audited
                yield from self.round(number, dispatch, evidence["collected"], audited)
                told.append((dispatch, audited))
        yield from self.reports(told)

    def round(self, number, dispatch, collected, audited):
        """Whether an audit judged what was frozen, by what was recorded, and as the law says."""
        where, pack = f"audit-{number}.json", self.packs.get(audited["packSha256"])
        yield UNAVAILABLE, where, {"its pack": bool(pack)}, {"its pack": True}
        moment = self.load(f"round-{number}/instant.json")
        settled = [row["settlement"] for row in audited["criteria"] if row.get("settlement")]
        recorded = settled and self.load(f"round-{number}/settlements.json")
        last = {row["criterionId"]: row for row in recorded["settlements"]} if recorded else {}
        frozen, judged = ([some(row, FROZEN) for row in one["criteria"]] for one in (pack or audited, audited))
        yield TAMPERED, where, {
            "instant": moment and moment["instant"], "evidence": collected, "criteria": frozen,
            "settlements": [last.get(row["criterionId"]) for row in settled],
        }, {**audited, "criteria": judged, "settlements": settled}
        independent = {row["source"]: "independent" for row in collected if row["sourceKind"] == "independent"}
        answers = {name: [value["actual"] for value in seen["answer"].get("values", [])]
                   for name, seen in audited["scaleFrom"].items()}
        yield DIFFERS, where, {
            "replayed": dispatch["replayed"] or any(row["recorded"] for row in collected),
            "sources": {**audited["sources"], **independent},
            "scale": {name: values[0] for name, values in answers.items() if len(values) == 1},
        }, audited
        yield from self.inputs(number, audited, where)
        files = {row["file"]["path"]: row for row in collected if row.get("file")}
        states = yield from self.files(number, files, dispatch, audited)
        for row in audited["criteria"]:
            yield from self.asked(row["id"], row.get("observation"), files, where, row.get("probe"))
        for name, seen in audited["scaleFrom"].items():
            yield from self.asked(name, seen, files, where)
        yield from self.recompute(audited, states, settled, dispatch.get("protectedChanged", []), where)

    def inputs(self, number, audited, where):
        """Whether what an audit was made from is what is there."""
        there = [path.relative_to(self.folder).as_posix() for path in (self.folder / f"round-{number}").iterdir()
                 if path.is_file() and (RECORDS.fullmatch(path.name) or BY_PEOPLE.fullmatch(path.name))]
        then, waivers = {**audited["inputs"]}, f"features/{self.lock['feature']}/waivers.yaml"
        unwritten = [] if waivers in then else audited["waivers"]
        paths = {name: self.folder / name for name in [*then, *there]}
        # In its workspace, a delivery has the author's waivers beside it: those for the pack that is frozen now.
        above = self.folder.resolve().parent
        if above.name == "deliveries" and audited["packSha256"] == self.lock["packSha256"]:
            paths[waivers] = above.parent / waivers
        elif waivers in then:
            del then[waivers], paths[waivers]
        now = {name: file_digest(path, BY_PEOPLE.fullmatch(path.name)) for name, path in paths.items()}
        now = {name: digest for name, digest in now.items() if digest}
        yield TAMPERED, where, {"inputs": then, "lost waivers": []}, {"inputs": now, "lost waivers": unwritten}

    def files(self, number, files, dispatch, audited):
        """Answers the state of every evidence file. A change that the audit itself reports is no news."""
        states, told, folder = {}, {}, self.folder / f"round-{number}"
        for name, row in files.items():
            where, record, digest = f"round-{number}/{name}", row["file"], row["file"]["sha256"]
            is_external, seen = record.get("external"), audited["states"].get(name)
            path = self.external / "sha256" / digest[:2] / digest[2:] if is_external else folder / name
            found = path.is_file() and [file_digest(path), str(path.stat().st_size)]
            state = "missing" if not found else "sound" if found == [digest, record["bytes"]] else "changed"
            path_within = name if ".." not in name and not Path(name).is_absolute() else "one within the round"
            yield TAMPERED, where, {"path": path_within}, record
            if state not in ("sound", seen):
                kind = UNAVAILABLE if is_external and not found else TAMPERED
                yield kind, where, {"its bytes": f"SHA-256 {digest}"}, {"its bytes": f"that it is {state}"}
                state = "sound"
            told[name] = seen if seen in {"stale", *SHOWN} else state
            is_stale = (row["round"], row["commit"]) != (number, dispatch["head"])
            found = {state, *SHOWN & {seen}, *["stale"] * is_stale} - {"sound"}
            states[name] = {"state": found, "source": row["sourceKind"]}
        there = {path.relative_to(folder).as_posix() for path in (folder / "evidence").rglob("*") if not path.is_dir()}
        yield TAMPERED, f"round-{number}/evidence", {"files": set()}, {"files": there - set(files)}
        yield DIFFERS, f"audit-{number}.json", {"states": told}, {"states": some(audited["states"], told)}
        return states

    def asked(self, name, seen, files, where, probe=None):
        """Whether an answer is that of what is frozen, and of bytes that are recorded."""
        if not seen or seen["file"] not in files and seen["answer"]["kind"] in ("missing", "unreadable"):
            return
        row, what = files.get(seen["file"], {"file": {}}), f"what was asked for {name}"
        found = {"collector": row.get("collector"), "sourceKind": row.get("sourceKind"), "with": {}, **seen}
        expected = {"sha256": row["file"].get("sha256"), "source": row.get("source"), "sourceKind": "independent"}
        if probe:
            expected = {**some(expected, ("sha256", "source")), "collector": probe["evidence"],
                        "reader": probe["reader"], "with": probe.get("with", {})}
        yield TAMPERED, where, {what: expected}, {what: some(found, expected)}

    def recompute(self, audited, states, settled, protected, where):
        """Everything that the audit says beside what the law makes of what it records."""
        rows, problems, observations = audited["criteria"], audited["problems"], {}
        for row in rows:
            if seen := row.get("observation"):
                values = [value["actual"] for value in seen["answer"].get("values", [])]
                observations[row["id"]] = {**some(seen, ["file", "source", "reader"]), seen["answer"]["kind"]: values}
        try:
            found = audit({
                "criteria": [some(row, ("id", "weight", "assertion", "probe")) for row in rows],
                "checks": [some(row, CHECK) for row in audited["checks"] if "auditor" in row]
                + [{**row["check"], "auditor": row["auditor"]} for row in audited["unknownChecks"]],
                "observations": observations, "settlements": settled, "protected": protected, "evidence": states,
                "scale": scale_of(audited["scale"]), "now": audited["instant"], **some(audited, ("sources", "waivers")),
                "declared": self.lock["criteriaCount"] if audited["packSha256"] == self.lock["packSha256"] else "0",
            })
        except Broken as error:
            yield BROKEN, where, {"what it records": "an audit"}, {"what it records": str(error)}
            return
        outcomes = [one.outcome for one in found.criteria.values()]
        self.rulings += sum(len(one.rulings) for one in found.criteria.values())
        yield DIFFERS, where, {
            "criteria": {name: {"outcome": one.outcome, "assertionVerdict": one.verdict, "rulings": one.rulings,
                                "codes": sorted(one.codes - ROUND_WIDE)} for name, one in found.criteria.items()},
            "codes": sorted(found.every & ROUND_WIDE),
            "severities": ["error" if one["code"][0] == "E" else "warning" for one in problems],
            "counts": {name: str(outcomes.count(name)) for name in OUTCOMES},
            "verdict": found.verdict,
        }, {
            "criteria": {row["id"]: {
                **some(row, ("outcome", "assertionVerdict")),
                "rulings": [(one.get("auditor"), one["assertionVerdict"], one["outcome"])
                            for one in audited["checks"] if one["criterionId"] == row["id"]],
                "codes": sorted({one["code"] for one in problems if one.get("criterion") == row["id"]} - ROUND_WIDE),
            } for row in rows},
            "codes": sorted({one["code"] for one in problems} & ROUND_WIDE),
            "severities": [one["severity"] for one in problems], **some(audited, ("counts", "verdict")),
        }

    def reports(self, told):
        """Whether each round that failed has a rework order, and no other; and whether the acceptance is of a round of
        the frozen pack that passed. The last round of a pack that was replaced may have neither."""
        packs = [audited["packSha256"] for _, audited in told] + [self.lock["packSha256"]]
        for at, (dispatch, audited) in enumerate(told):
            where, is_needed = f"rework-{dispatch['round']}.json", packs[at] == packs[at + 1]
            if (self.folder / where).exists() or audited["verdict"] == "fail" and is_needed:
                yield from self.report(where, self.load(where), told[:at + 1], "fail")
        is_needed = bool(told) and packs[-2] == packs[-1] and told[-1][1]["verdict"] == "pass"
        if report := (is_needed or (self.folder / "acceptance.json").exists()) and self.load("acceptance.json"):
            yield DIFFERS, "acceptance.json", {"packSha256": packs[-1]}, report["audit"]
            numbers = [dispatch["round"] for dispatch, _ in told]
            upto = numbers.index(report["audit"]["round"]) + 1 if report["audit"]["round"] in numbers else 0
            yield UNAVAILABLE, "acceptance.json", {"its round": True}, {"its round": upto > 0}
            yield from self.report("acceptance.json", report, told[:upto], "pass")

    def report(self, where, report, told, verdict):
        """Whether the report of a round tells what its audit, and the rounds before it under the same pack, say."""
        if not report or not told:
            return
        audited = told[-1][1]
        told = [(before, one) for before, one in told if one["packSha256"] == audited["packSha256"]]
        yield DIFFERS, where, {"verdict": verdict}, audited
        lines, paths = [], []
        for before, one in told:
            lines.append({**some(before, LINE), **some(one, ("verdict", "counts"))})
            if run := before.get("agent"):
                tokens = str(sum(map(int, run["tokens"].values())))
                lines[-1]["agent"] = {**some(run, ("steps", "cost", "errors", "claimed")), "tokens": tokens}
        for row in audited["criteria"]:
            path = [seen["outcome"] for _, one in told for seen in one["criteria"] if seen["id"] == row["id"]]
            regressed = path[-2:-1] == ["pass"] and path[-1] != "pass"
            paths.append({"id": row["id"], "outcomes": path, "regressed": regressed})
        yield DIFFERS, where, {"audit": audited, "rounds": lines, "path": paths}, report
        if audited["packSha256"] == self.lock["packSha256"]:
            yield DIFFERS, where, {"history": self.lock.get("history", [])}, report
