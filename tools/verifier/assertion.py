"""Assertions: the matchers, aggregates and absence (V10 to V14)."""

import copy
import re
import unicodedata
from fractions import Fraction

from .pattern import Pattern
from .reading import alone, interval, is_sentinel, read
from .units import Num, Unjudged, convert, fold, frozen, hidden, plain, refuse, unit_named

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
BOUNDS = {"lt": "<", "lte": "<=", "gt": ">", "gte": ">="}
EACH = {None: all, "all": all, "any": any}
OF_ALL = {
    "min": min, "max": max, "sum": sum, "count": len, "mean": lambda values: Fraction(sum(values)) / len(values),
    "median": lambda values: (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2,
    **{f"p{rank}": lambda values, rank=rank: values[-(-rank * len(values) // 100) - 1] for rank in range(1, 100)},
}
# A number whose comma groups thousands: to some it is a decimal point.
GROUPED = re.compile(r"(?<![0-9.,])(?<![0-9]:)([1-9][0-9]{0,2}),([0-9]{3})(?!,?[0-9]|\.[0-9])")


def as_text(value):
    return str(value).lower() if isinstance(value, bool) else frozen(value)


class Assertion:
    """An assertion that can be judged; making one is refused where it judges nothing."""

    def __init__(self, row, scale):
        self.matcher, self.negated, self.scale = MATCHERS.get(row.get("matcher")), row.get("not", False), scale
        self.aggregate = None if self.matcher == "exists" else row.get("aggregate")
        self.least = int(row.get("minSamples", 1))
        self.declared = unit_named(fold(row["unit"])) if row.get("unit") else None
        expected = row["expected"] if isinstance(row.get("expected"), list) else [row.get("expected")]
        texts = [] if self.matcher == "exists" else list(map(as_text, expected))
        refuse(not expected or self.matcher is None or self.aggregate not in EACH and self.aggregate not in OF_ALL)
        refuse(not all(isinstance(one, str) and not any(map(hidden, one)) for one in texts))
        refuse(self.declared and self.declared.name == "KB")
        numbers = [alone(one, self.declared) for one in texts]
        self.kind = self.matcher if self.matcher in ("exists", "contains", "matches") else "number"
        if self.matcher in ("eq", "ne", "oneOf"):
            kinds = {"truth" if isinstance(one, bool) else "number" if number and (
                isinstance(one, Num) or self.declared or number.unit and number.unit.known) else "text"
                for one, number in zip(expected, numbers)}
            refuse(len(kinds) != 1 or self.declared and kinds != {"number"})
            self.kind = kinds.pop()
        if self.kind == "number":
            self.numeric(row, numbers)
        else:
            self.choices = list(map(plain, texts))
            refuse(self.aggregate not in EACH or self.kind == "contains" and self.choices[:1] in ([], [""]))
            refuse(self.kind in ("contains", "matches") and not isinstance(expected[0], str))
            self.pattern = Pattern(unicodedata.normalize("NFC", texts[0])) if self.kind == "matches" else None

    def numeric(self, row, numbers):
        """The values that satisfy the matcher, as intervals; `ne` is what `eq` is not."""
        refuse(None in numbers or len(numbers) != {"between": 2, "oneOf": len(numbers)}.get(self.matcher, 1))
        units = {number.unit for number in numbers}
        refuse(not self.declared and len(units) > 1 or self.aggregate == "count" and units != {None})
        declared = self.declared = self.declared or next(iter(units))
        self.choices = [convert(one.value, one.unit or declared, declared, self.scale) if declared else one.value
                        for one in numbers]
        self.satisfying = [interval(BOUNDS.get(self.matcher), value) for value in self.choices]
        first, last = self.choices[0], self.choices[-1]
        if self.matcher == "approx":
            tolerance = row.get("tolerance")
            size = alone(frozen(tolerance), None) if isinstance(tolerance, str) else None
            refuse(not size or size.value < 0 or size.unit and size.unit.name != "%" and not declared)
            around = size.value
            if size.unit:
                relative = size.unit.name == "%"
                around = abs(first) * around / 100 if relative else convert(around, size.unit, declared, self.scale)
            first, last = first - around, first + around
        if self.matcher in ("between", "approx"):
            refuse(first > last)
            self.satisfying = [interval(None, first)._replace(high=(last, 0))]

    def holds(self, value):
        """Whether a text, or every number of an interval, satisfies the matcher. An interval of which a part does is
        refused."""
        if self.kind != "number":
            return self.text_holds(plain(value))
        inside = any(one.low <= value.low and value.high <= one.high for one in self.satisfying)
        outside = all(value.high < one.low or one.high < value.low for one in self.satisfying)
        refuse(inside == outside)
        return inside != (self.matcher == "ne")

    def combine(self, values):
        """One answer for all samples."""
        if self.aggregate is None:
            return all(self.holds(value) != self.negated for value in values)
        if self.aggregate in EACH:
            return EACH[self.aggregate](map(self.holds, values)) != self.negated
        refuse(any(value.bound or value.low != value.high for value in values))
        one = OF_ALL[self.aggregate](sorted(value.low[0] for value in values))
        return self.holds(interval(None, Fraction(one))) != self.negated

    def judge(self, actual, nothing=True):
        """`pass`, `fail`, `invalid` or `missing`. `nothing` says whether null is an answer to `exists`."""
        try:
            return "pass" if self.answer(actual, nothing) else "fail"
        except Unjudged as verdict:
            return str(verdict)

    def answer(self, actual, nothing):
        if self.matcher == "exists" and (actual == [] or actual is None and nothing):
            return self.negated
        texts = list(map(self.member, actual if isinstance(actual, list) else [actual]))
        refuse(texts.count(None) == len(texts), "missing")
        refuse(None in texts)
        if self.kind == "number":
            return self.number(texts, not isinstance(actual, list))
        refuse(len(texts) < self.least, "missing")
        return self.combine(texts)

    def member(self, member):
        """A member as text that can be read; None where it says that there is no value."""
        text, numeric = "" if member is None else as_text(member), self.kind == "number"
        refuse(any(map(hidden, text)) or numeric and isinstance(member, bool))
        if is_sentinel(text, self.declared, numeric):
            return None
        return None if numeric and read(text, self.declared, self.scale).untaken else text

    def text_holds(self, text):
        refuse(self.kind == "truth" and text not in ("true", "false"))
        if self.kind == "matches":
            return self.pattern.found(text)
        found = self.choices[0] in text if self.kind == "contains" else text in self.choices
        return self.kind == "exists" or found != (self.matcher == "ne")

    def number(self, texts, alone):
        """The answer on texts with numbers. It may not rest on a comma that could be a decimal point (V3)."""
        answer = self.once(texts, alone)
        if self.matcher not in (*BOUNDS, "ne") and not self.negated:
            return answer
        one, series = self, [list(map(fold, texts))]
        if self.aggregate in EACH:  # each member is ruled on its own
            one, series = copy.copy(self), [[text] for text in series[0]]
            one.aggregate, one.least = None, 1
        for those in series:
            others = [GROUPED.sub(r"\1.\2", text) for text in those]
            refuse(those != others and one.once(those, alone) and not one.once(others, alone))
        return answer

    def once(self, texts, alone):
        """The answer on texts as they stand. A later number that could be the value has to be judged alike (V6)."""
        firsts = [read(text, self.declared, self.scale) for text in texts]
        judged = self.combine if alone else lambda values: all(map(self.holds, values))
        for first in firsts:
            refuse(not alone and (first.kind != "one" or first.rivals and self.aggregate not in (*EACH, "count")))
            for rival in first.rivals:
                refuse(len(set(map(judged, (first.values, rival.values, rival.firsts)))) > 1)
        refuse(not alone and not self.declared and len({first.unit for first in firsts}) > 1)
        values = [value for first in firsts for value in first.values]
        refuse(len(values) < self.least, "missing")
        answer = self.combine(values)
        if alone and firsts[0].kind != "one":
            refuse(self.least > 1 or self.combine(firsts[0].firsts) != answer)
        return answer
