"""Assertions: the matchers, aggregates and absence (V10 to V14)."""

import copy
import re
import unicodedata
from fractions import Fraction

from .pattern import Pattern
from .reading import alone, interval, read, sentinel
from .units import Missing, Num, Refused, attempt, convert, fold, frozen, hidden, plain, refuse, unit_named

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
EACH = (None, "all", "any")
AGGREGATES = {
    "min": min, "max": max, "sum": sum, "count": len, "mean": lambda values: Fraction(sum(values)) / len(values),
    "median": lambda values: (values[(len(values) - 1) // 2] + values[len(values) // 2]) / 2,
    **{f"p{rank}": lambda values, rank=rank: values[-(-rank * len(values) // 100) - 1] for rank in range(1, 100)},
}
# Numbers whose comma groups thousands: to some it is a decimal point.
GROUPED = re.compile(r"(?<![0-9.,])(?<![0-9]:)[1-9][0-9]{0,2}(,)[0-9]{3}(?!,?[0-9]|\.[0-9])")


class Assertion:
    """An assertion that can be judged; making one is refused where it judges nothing."""

    def __init__(self, row, scale):
        self.matcher, self.negated, self.scale = MATCHERS.get(row.get("matcher")), row.get("not", False), scale
        self.aggregate, self.least = row.get("aggregate"), int(row.get("minSamples", 1))
        self.declared = unit_named(fold(row["unit"])) if row.get("unit") else None
        expected = row.get("expected")
        expected = expected if isinstance(expected, list) else [expected]
        texts = [frozen(one) for one in expected if isinstance(one, str)]
        refuse(self.matcher is None or self.aggregate not in EACH and self.aggregate not in AGGREGATES)
        refuse(any(hidden(char) for one in texts for char in one))
        numbers = [alone(fold(one), self.declared) for one in texts]
        self.kind = self.kind_of(expected, numbers)
        if self.kind == "number":
            refuse(len(numbers) != len(expected) or None in numbers)
            self.numeric(row, numbers)
        else:
            self.choices = [plain(frozen(one)) if isinstance(one, str) else one for one in expected]
            self.aggregate = None if self.kind == "exists" else self.aggregate
            refuse(self.aggregate not in EACH)
            refuse(self.kind in ("contains", "matches") and not texts or self.choices == [""] and self.kind == "contains")
            if self.kind == "matches":
                self.pattern = Pattern(unicodedata.normalize("NFC", texts[0]))
        refuse(self.declared and self.declared.name == "KB")

    def kind_of(self, expected, numbers):
        if self.matcher in ("exists", "contains", "matches"):
            return self.matcher
        if self.matcher not in ("eq", "ne", "oneOf"):
            return "number"
        numbers, kinds = iter(numbers), set()
        for one in expected:
            number = next(numbers) if isinstance(one, str) else None
            numeric = number and (isinstance(one, Num) or self.declared or number.unit and number.unit.known)
            kinds.add("truth" if isinstance(one, bool) else "number" if numeric else "text")
        refuse(len(kinds) != 1 or self.declared and kinds != {"number"})
        return kinds.pop()

    def numeric(self, row, numbers):
        """The values that satisfy the matcher, as intervals; `ne` is what `eq` is not."""
        units = {number.unit for number in numbers}
        refuse(not self.declared and len(units) > 1 or self.aggregate == "count" and units != {None})
        refuse(len(numbers) != {"between": 2, "oneOf": len(numbers)}.get(self.matcher, 1))
        declared = self.declared = self.declared or next(iter(units))
        self.choices = [convert(one.value, one.unit or declared, declared, self.scale) if declared else one.value
                        for one in numbers]
        first, last = self.choices[0], self.choices[-1]
        if self.matcher == "approx":
            tolerance = row.get("tolerance")
            size = alone(fold(frozen(tolerance)), None) if isinstance(tolerance, str) else None
            refuse(not size or size.value < 0)
            around = size.value
            if size.unit and size.unit.name == "%":
                around = abs(first) * size.value / 100
            elif size.unit:
                refuse(not declared)
                around = convert(size.value, size.unit, declared, self.scale)
            first, last = first - around, first + around
        refuse(first > last and self.matcher == "between")
        bound = {"lt": "<", "lte": "<=", "gt": ">", "gte": ">="}.get(self.matcher)
        self.satisfying = [interval(bound, value) for value in self.choices]
        if self.matcher in ("between", "approx"):
            self.satisfying = [interval(None, first)._replace(high=(last, 0))]

    def holds(self, value):
        """Whether every number of an interval satisfies the matcher, or none does. Neither is refused."""
        inside = any(one.low <= value.low and value.high <= one.high for one in self.satisfying)
        outside = all(value.high < one.low or one.high < value.low for one in self.satisfying)
        refuse(inside == outside)
        return inside != (self.matcher == "ne")

    def combine(self, values, holds):
        """One answer for all samples."""
        if self.aggregate is None:
            return all(holds(value) != self.negated for value in values)
        if self.aggregate in EACH:
            return (all if self.aggregate == "all" else any)(map(holds, values)) != self.negated
        refuse(any(value.bound or value.low != value.high for value in values))
        one = AGGREGATES[self.aggregate](sorted(value.low[0] for value in values))
        return holds(interval(None, Fraction(one))) != self.negated

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
        texts, missing, refused = [], 0, False
        members = actual if isinstance(actual, list) else [actual]
        for member in members:
            try:
                texts.append(self.member(member))
            except Missing:
                missing += 1
            except Refused:
                refused = True
        if missing == len(members):
            raise Missing
        refuse(refused or missing)
        if self.kind == "number":
            return self.number(texts, not isinstance(actual, list))
        if len(texts) < self.least:
            raise Missing
        return self.combine(texts, self.text_holds)

    def member(self, member):
        """A member as text, when it is no sentinel and can be read."""
        if member is None:
            raise Missing
        if isinstance(member, bool):
            refuse(self.kind == "number")
            return "true" if member else "false"
        text = frozen(member)
        refuse(any(map(hidden, text)))
        sentinel(text, self.declared, self.kind == "number")
        if self.kind == "number":
            read(text, self.declared, self.scale)
        return text

    def text_holds(self, text):
        text = plain(text)
        if self.kind in ("exists", "contains", "matches"):
            return {"exists": lambda: True, "contains": lambda: self.choices[0] in text,
                    "matches": lambda: self.pattern.found(text)}[self.kind]()
        refuse(self.kind == "truth" and text not in ("true", "false"))
        return ((text == "true" if self.kind == "truth" else text) in self.choices) != (self.matcher == "ne")

    def number(self, texts, alone):
        """The answer on texts with numbers. It may not rest on a comma that could be a decimal point (V3)."""
        answer = self.once(texts, alone)
        if self.matcher not in ("lt", "lte", "gt", "gte", "ne") and not self.negated:
            return answer
        pointed = []
        for text in map(fold, texts):
            pointed.append([text[:comma.start(1)] + "." + text[comma.end(1):] for comma in GROUPED.finditer(text)])
        if self.aggregate in EACH:
            # Each member is ruled on its own.
            one = copy.copy(self)
            one.aggregate, one.least = None, 1
            trials = [(one, [text], [other]) for text, others in zip(texts, pointed) for other in others]
        else:
            trials = [(self, texts, [*texts[:at], other, *texts[at + 1:]])
                      for at, others in enumerate(pointed) for other in others]
            every = [GROUPED.sub(lambda match: match.group().replace(",", "."), fold(text)) for text in texts]
            trials += [(self, texts, every)]
        refuse(any(one.once(texts, alone) and not one.once(others, alone) for one, texts, others in trials))
        return answer

    def once(self, texts, alone):
        """The answer on texts as they stand. A later number that could be the value may not be judged differently (V6)."""
        firsts = [read(text, self.declared, self.scale) for text in texts]
        for first in firsts:
            refuse(not alone and (first.kind != "one" or first.rivals and self.aggregate not in (*EACH, "count")))
            for rival in first.rivals:
                answers = {self.combine(values, self.holds) if alone else all(map(self.holds, values))
                           for values in (first.values, rival.values, rival.firsts)}
                refuse(len(answers) > 1)
        refuse(not alone and not self.declared and len({first.unit and first.unit.name for first in firsts}) > 1)
        values = [value for first in firsts for value in first.values]
        if len(values) < self.least:
            raise Missing
        answer = self.combine(values, self.holds)
        if alone and firsts[0].kind != "one":
            refuse(self.least > 1 or self.combine(firsts[0].firsts, self.holds) != answer)
        return answer


def made(row, scale):
    """The assertion of a row; None where it judges nothing."""
    return attempt(Assertion, row, scale)
