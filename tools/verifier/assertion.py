"""Assertions: the matchers, aggregates and absence (V10 to V13)."""

import copy
import re
import unicodedata
from fractions import Fraction

from .exact import Missing, Num, Refused, frozen
from .pattern import Pattern
from .numbers import LATIN, scan
from .reading import interval, read, refuse_words, sentinel
from .text import convert, fold, hidden, unit_named

ALIASES = """eq == = equals equal is 等于
ne != ≠ not-equals not-equal 不等于
lt < less-than below under 小于 低于
lte <= ≤ at-most max 小于等于 不超过 不大于 不高于 至多 最多
gt > greater-than more-than above over 大于 高于 超过
gte >= ≥ at-least min 大于等于 不低于 不少于 不小于 至少 最少
contains includes include 包含
matches regex pattern match 匹配
between within range 介于
approx ≈ approximately about 约等于
oneOf in one-of any-of 属于
exists present exist 存在"""
MATCHERS = {word: row.split()[0] for row in ALIASES.splitlines() for word in row.split()}
ORDERED = ("lt", "lte", "gt", "gte")
WHOLE = ("min", "max", "mean", "median", "sum", "count")


def plain(text):
    """A text as text matchers compare it."""
    return unicodedata.normalize("NFC", text).strip()


def exact(raw, declared):
    """A number of the assertion itself, with its unit: None where it is no number."""
    text = fold(frozen(raw) if isinstance(raw, Num) else raw).strip()
    try:
        refuse_words(text, declared)
        items = scan(text, declared)
    except Refused:
        return None
    if len(items) != 1 or items[0].start or items[0].end != len(text):
        return None
    return items[0].value, items[0].unit


class Assertion:
    """An assertion that can be judged; making one raises Refused where it judges nothing."""

    def __init__(self, row, scale):
        self.matcher, self.negated, self.scale = MATCHERS.get(row.get("matcher")), row.get("not", False), scale
        self.aggregate, self.least = row.get("aggregate"), int(row.get("minSamples", 1))
        if self.matcher is None:
            raise Refused("an unknown matcher")
        if self.aggregate not in (None, "all", "any", *WHOLE) and not re.fullmatch("p[1-9][0-9]?", self.aggregate):
            raise Refused("an unknown aggregate")
        self.declared = unit_named(fold(row["unit"]).strip()) if row.get("unit") else None
        if self.declared and self.declared.name == "KB":
            raise Refused("KB is ambiguous")
        expected = row.get("expected")
        choices = expected if isinstance(expected, list) else [expected]
        if any(isinstance(one, str) and any(map(hidden, one)) for one in choices):
            raise Refused("an invisible character in `expected`")
        self.kind = self.kind_of(choices)
        if self.kind == "exists":
            self.aggregate = None
        if self.kind == "contains" and not plain(choices[0] if isinstance(choices[0], str) else ""):
            raise Refused("every text contains nothing")
        if self.kind != "number":
            if self.aggregate not in (None, "all", "any"):
                raise Refused("an aggregate of what is no number")
            self.choices = [plain(self.written(one)) if isinstance(one, str) else one for one in choices]
            if self.matcher == "matches":
                self.pattern = Pattern(unicodedata.normalize("NFC", self.written(choices[0])))
            return
        numbers = [exact(one, self.declared) for one in choices if isinstance(one, str)]
        if len(numbers) != len(choices) or None in numbers:
            raise Refused("no number to compare with")
        self.declared = self.declared or next((unit for _, unit in numbers if unit), None)
        if self.declared and self.declared.name == "KB":
            raise Refused("KB is ambiguous")
        if not row.get("unit") and len({unit.name if unit else None for _, unit in numbers}) > 1:
            raise Refused("differing units in `expected`")
        if self.aggregate == "count" and any(unit for _, unit in numbers):
            raise Refused("a count has no unit")
        self.choices = [convert(value, unit or self.declared, self.declared, scale) if self.declared else value
                        for value, unit in numbers]
        if len(choices) != (2 if self.matcher == "between" else len(choices) if self.matcher == "oneOf" else 1):
            raise Refused("another number of expected values")
        if self.matcher == "between" and self.choices[0] > self.choices[1]:
            raise Refused("a reversed interval")
        if self.matcher == "approx":
            self.tolerate(row.get("tolerance"))

    @staticmethod
    def written(one):
        """A text of the assertion, or a number in its frozen form."""
        return frozen(one) if isinstance(one, Num) else one

    def kind_of(self, choices):
        if self.matcher in ("exists", "contains", "matches"):
            return self.matcher
        if self.matcher not in ("eq", "ne", "oneOf"):
            return "number"
        kinds = set()
        for one in choices:
            number = exact(one, self.declared) if isinstance(one, str) else None
            numeric = number and (isinstance(one, Num) or self.declared or number[1] and number[1].known)
            kinds.add("truth" if isinstance(one, bool) else "number" if numeric else "text")
        if len(kinds) != 1 or self.declared and kinds != {"number"}:
            raise Refused("kinds mixed")
        return kinds.pop()

    def tolerate(self, raw):
        size = exact(raw, None) if isinstance(raw, str) else None
        if not size or size[0] < 0:
            raise Refused("no tolerance")
        value, unit = size
        if unit and unit.name == "%":
            value = abs(self.choices[0]) * value / 100
        elif unit and self.declared:
            value = convert(value, unit, self.declared, self.scale)
        self.choices = [self.choices[0] - value, self.choices[0] + value]

    def holds(self, values):
        """Whether every value of an interval satisfies the matcher, or none does. Neither is refused."""
        low, with_low, high, with_high = values
        first, last = self.choices[0], self.choices[-1]
        above = low is not None and (low > last or low == last and not with_low)
        below = high is not None and (high < first or high == first and not with_high)
        if self.matcher in ORDERED:
            strict = self.matcher in ("lt", "gte")
            under = high is not None and (high < first or high == first and (not strict or not with_high))
            over = low is not None and (low > first or low == first and (strict or not with_low))
            answer = under if self.matcher in ("lt", "lte") else over
            if under == over:
                raise Refused("not every value within it is judged alike")
            return answer
        if self.matcher == "oneOf" or self.matcher in ("eq", "ne"):
            inside = [one for one in self.choices if (low is None or one > low or one == low and with_low)
                      and (high is None or one < high or one == high and with_high)]
            if inside and low != high:
                raise Refused("not every value within it is judged alike")
            return bool(inside) != (self.matcher == "ne")
        inside = low is not None and high is not None and low >= first and high <= last
        if not inside and not above and not below:
            raise Refused("not every value within it is judged alike")
        return inside

    def combine(self, values, holds, bounded=False):
        """One answer for all samples."""
        if self.aggregate in (None, "all", "any"):
            answers = [holds(value) for value in values]
            if self.aggregate is None:
                return all(answer != self.negated for answer in answers)
            return (all if self.aggregate == "all" else any)(answers) != self.negated
        if any(low != high or low is None for low, _, high, _ in values) or bounded:
            raise Refused("a bound within an aggregate")
        ordered = sorted(low for low, _, _, _ in values)
        count = len(ordered)
        if self.aggregate in ("min", "max", "sum", "count"):
            one = {"min": ordered[0], "max": ordered[-1], "sum": sum(ordered), "count": Fraction(count)}[self.aggregate]
        elif self.aggregate == "mean":
            one = Fraction(sum(ordered)) / count
        elif self.aggregate == "median":
            one = (ordered[(count - 1) // 2] + ordered[count // 2]) / 2
        else:
            one = ordered[-(-int(self.aggregate[1:]) * count // 100) - 1]
        return holds(interval(None, one, False)) != self.negated

    def judge(self, actual, nothing=True):
        """`pass`, `fail`, `invalid` or `missing`. `nothing` says whether null is an answer to `exists`."""
        try:
            return "pass" if self.answer(actual, nothing) else "fail"
        except Refused:
            return "invalid"
        except Missing:
            return "missing"

    def answer(self, actual, nothing):
        if self.matcher == "exists" and (actual == [] or actual is None and nothing):
            return self.negated
        members = actual if isinstance(actual, list) else [actual]
        texts, missing, refused = [], 0, None
        for member in members:
            try:
                texts.append(self.member(member))
            except Missing:
                missing += 1
            except Refused as error:
                refused = error
        if missing == len(members):
            raise Missing
        if refused or missing:
            raise refused or Refused("a sample was not taken")
        if self.kind == "number":
            return self.number(texts, not isinstance(actual, list))
        if len(texts) < self.least:
            raise Missing
        return self.combine(texts, self.text_holds)

    def member(self, member):
        """A member as text, when it is no sentinel."""
        if member is None:
            raise Missing
        if isinstance(member, bool):
            if self.kind == "number":
                raise Refused("a boolean is no number")
            return "true" if member else "false"
        text = frozen(member) if isinstance(member, Num) else member
        if any(map(hidden, text)):
            raise Refused("an invisible character")
        sentinel(text, self.declared, self.kind == "number")
        if self.kind == "number":
            folded, items, groups = read(text, self.declared, self.scale)
            if groups[0].unmeasured:
                raise Refused("a negative value") if self.rivals(folded, items, groups) else Missing
        return text

    def text_holds(self, text):
        text = plain(text)
        if self.kind == "exists":
            return True
        if self.kind == "truth":
            if text not in ("true", "false"):
                raise Refused("neither true nor false")
            return ((text == "true") in self.choices) != (self.matcher == "ne")
        if self.kind == "contains":
            return self.choices[0] in text
        if self.kind == "matches":
            return self.pattern.found(text)
        return (text in self.choices) != (self.matcher == "ne")

    def number(self, texts, alone):
        """The answer on texts with numbers. It may not rest on a comma that could be a decimal point (V3)."""
        answer, items = self.number_once(texts, alone)
        if self.matcher not in (*ORDERED, "ne") and not self.negated:
            return answer
        commas = [(at, place) for at, row in enumerate(items)
                  for place, item in enumerate(row) if item.other is not None]
        if self.aggregate in (None, "all", "any"):
            # Each member is ruled on its own.
            one = copy.copy(self)
            one.aggregate, one.least = None, 1
            doubtful = [one.number_once([texts[at]], alone)[0]
                        and not one.number_once([texts[at]], alone, {(0, place)})[0] for at, place in commas]
        else:
            chosen = [set(commas)] * bool(commas) + [{comma} for comma in commas]
            doubtful = [answer and not self.number_once(texts, alone, others)[0] for others in chosen]
        if any(doubtful):
            raise Refused("it passes only if the comma groups")
        return answer

    def number_once(self, texts, alone, others=frozenset()):
        """The answer with the commas at `others` read as decimal points, and the numbers of each text."""
        every, firsts = [], []
        for at, text in enumerate(texts):
            doubted = {place for member, place in others if member == at}
            text, items, groups = read(text, self.declared, self.scale, doubted)
            every.append(items)
            firsts.append(groups[0])
            self.refuse_rivals(groups[0], self.rivals(text, items, groups), alone)
        names = {first.unit.name if first.unit else None for first in firsts}
        if not alone and self.declared is None and len(names) > 1:
            raise Refused("differing units within a series")
        values = [value for first in firsts for value in first.values]
        if len(values) < self.least:
            raise Missing
        answer = self.combine(values, self.holds, any(first.bound for first in firsts))
        if alone and firsts[0].kind != "one" and (
                self.least > 1 or self.combine(firsts[0].firsts, self.holds) != answer):
            raise Refused("the first number alone would be judged differently")
        return answer, every

    def refuse_rivals(self, first, rivals, alone):
        """V6: refuses where a later number that could be the value would be judged differently."""
        if not alone and first.kind != "one":
            raise Refused("a member is one sample")
        if not alone and rivals and self.aggregate not in (None, "all", "any", "count"):
            raise Refused("an aggregate needs one value a member")
        for rival in rivals:
            answers = {self.combine(values, self.holds) if alone else all(map(self.holds, values))
                       for values in (first.values, rival.values, rival.firsts)}
            if len(answers) > 1:
                raise Refused("a later number would be judged differently")

    def rivals(self, text, items, groups):
        """Later numbers that could be the value. Refused where the first cannot be told from them."""
        first, later = groups[0], groups[1:]
        if self.declared is None:
            return [group for group in later if group.values is not None]
        carried = [group for group in later if group.values is not None and group.carries]
        if first.unit is None and carried:
            raise Refused("a later number carries the expected unit")
        if first.unit is None and self.unit_elsewhere(text, items):
            raise Refused("the unit stands elsewhere")
        return [group for group in later if group.values is not None]

    def unit_elsewhere(self, text, items):
        """Whether a text names another unit of the table that stands beside no number."""
        rest = list(text)
        for item in items:
            rest[item.start:item.end] = " " * (item.end - item.start)
        rest = "".join(rest)
        words = re.findall(rf"{LATIN}|[^\W\d_a-zA-Z]+", rest)
        # A unit of time may also end the run of Chinese before the first number.
        words += re.findall(r"(毫秒|秒|分钟|小时)[\s:(=]*$", rest[:items[0].start])
        units = map(unit_named, words)
        return any(unit.known and unit.name != self.declared.name for unit in units)


class Unjudgeable:
    """An assertion that judges nothing, whatever it is asked."""

    kind = matcher = None

    def judge(self, actual, nothing=True):
        return "invalid"


def made(row, scale):
    """The assertion of a row, even where it judges nothing."""
    try:
        return Assertion(row, scale)
    except Refused:
        return Unjudgeable()


def scale_of(row):
    """Density and font scale as exact numbers; what is no number is none."""
    decimal = re.compile(r"-?[0-9]+(\.[0-9]+)?")
    return {key: Fraction(str(value)) for key, value in (row or {}).items() if decimal.fullmatch(str(value))}
