"""How a text is read (V5 to V8, V11): which of its numbers belong together, and which could be the value."""

import re
import unicodedata
from fractions import Fraction
from types import SimpleNamespace as Row

from .exact import Missing, Refused
from .numbers import LATIN, scan, word_at_start
from .text import (DENIALS, DIFFERENCES, HAN_NUMERALS, MULTIPLIERS, NUMBER_WORDS, bound_after, bound_before, convert, fold,
                   is_cjk, unit_named)

ABOUT_SO_MUCH = r"(?:about|approximately|around|roughly|约为|大约|约|大概|[≈~]|\s)*"
RANGE = r"\s*(?:[-–~至到]|直到|直至)" + ABOUT_SO_MUCH + r"|\s+to\s" + ABOUT_SO_MUCH
LINKS = ((r"\s*[/、;|]\s*|\s*,\s+", "list"), (RANGE, "range"), (r"\s*±\s*", "around"))
UNTIL = re.compile(r"\s*(through|thru|until|till)\s*", re.I)
AND = re.compile(r"\s*(and|和|与|跟|及)\s*", re.I)
# Words that calculate, and words of a bound that may belong to the number before them or to the one after.
CALCULATES = re.compile(r"\s*(x|by|times|plus|minus|(multiplied|divided) by|加上?|减去?|乘以?|除以|max|maximum|min|minimum"
                        r"|at most|at least|不到|不足)\s*", re.I)
PUNCTUATION = re.compile(r"""[\s()\[\]{}<>≤≥=≈~,;:.?!。“”‘’"'【】《》「」『』、]*""")
# Between two numbers: nothing but white space, a lone sign, a spaced colon, an arrow, an `x`.
REFUSED_GAPS = re.compile(r"""\s*([,!"'{}]|\.{2,})?\s*$|\s+:\s*$|.*(→|->|=>|⇒|>>)|.*[≠≦≧∶〜]|.*=<|\s*[xX]\s*$""", re.S)


def link(before, item, declared):
    """How the text between two numbers joins them, if it does."""
    gap = item.lead
    comparable = not before.unit or not item.unit or before.unit.quantity == item.unit.quantity
    framed = re.search(r"(between|介于)\s*$", before.lead, re.I) or re.match(r"\s*之间", item.tail)
    if UNTIL.fullmatch(gap) and comparable or AND.fullmatch(gap) and framed:
        return "range"
    if CALCULATES.fullmatch(gap) or re.fullmatch(rf"({RANGE})[(\[{{]\s*", gap, re.I):
        raise Refused("two numbers that are calculated with, or a range in brackets")
    for pattern, kind in LINKS:
        if re.fullmatch(pattern, gap):
            return kind
    if gap == "," and item.unit and before.unit:
        return "list"
    if gap.strip() == ":" and declared and declared.name in (":1", "ratio"):
        raise Refused("the colon of a ratio touches both numbers")
    worded = re.search(r"[^\W\d_]", gap)
    if REFUSED_GAPS.match(gap) or not worded and not PUNCTUATION.fullmatch(gap):
        raise Refused("two numbers joined into neither")
    return None


def clusters(items, declared):
    """Numbers that belong together: a list, a range, a value and its tolerance, or one number."""
    groups = []
    for item in items:
        kind = link(groups[-1].items[-1], item, declared) if groups else None
        if kind is None:
            groups.append(Row(kind="one", items=[item]))
        elif groups[-1].kind in ("one", kind) and (kind == "list" or len(groups[-1].items) == 1):
            groups[-1].kind = kind
            groups[-1].items.append(item)
        else:
            raise Refused("a list to some, a range to others")
    return groups


def is_date(group):
    """Three bare whole numbers between slashes, such as 2026/11/30."""
    numbers = [item.value for item in group.items]
    return (len(numbers) == 3 and all(item.unit is None and item.spelling.isdigit() for item in group.items)
            and all("/" in item.lead for item in group.items[1:])
            and (1000 <= numbers[0] <= 9999 or 1000 <= numbers[2] <= 9999) and 1 <= numbers[1] <= 31)


# ---- Reading a text (V5 to V9)


def interval(bound, value, positive):
    """The values that a number with its bound stands for: least, whether it belongs, greatest, whether it belongs."""
    if bound == "<" and positive and value <= 0:
        raise Refused("nothing is within the bound")
    if bound in ("<", "<="):
        return (Fraction(0) if positive else None, True, value, bound == "<=")
    if bound in (">", ">="):
        return (value, bound == ">=", None, True)
    return (value, True, value, True)


# A number in words, and the word after it. 第 makes an ordinal of it.
IN_WORDS = re.compile(rf"(?<![^\W_])(?:{NUMBER_WORDS})\s+({LATIN})"
                      rf"|(?<!第)[{''.join(sorted(HAN_NUMERALS))}]+\s*([^\W\d_a-zA-Z]{{1,2}}|[a-zA-Z]+)", re.I)


def refuse_words(text, declared):
    """What makes a text no value whatever its numbers are."""
    if re.search(r"\d[^\S\n]*[^\W\d]*\s+[xX][0-9]", text):
        raise Refused("so many runs to some, a product to others")
    for place, char in enumerate(text):
        if ord(char) > 127 and (unicodedata.category(char) in ("Nd", "Nl", "No")):
            raise Refused("a numeral that is no ASCII digit")
        if unicodedata.category(char) in ("Mn", "Mc", "Me") and text[:place][-1:].isdigit():
            raise Refused("a combining mark on a digit")
    if re.search(r"(?<![A-Za-z])(nan|inf|infinity)(?![A-Za-z])|∞", text, re.I):
        raise Refused("no number")
    if re.search(r"(?<![A-Za-z_])(N/A|NA|null|undefined)(?![A-Za-z0-9_])|^--?\s", text):
        raise Refused("a word that says there is no value")
    for words in IN_WORDS.finditer(text):
        word = words.group(1) or words.group(2)
        for unit in map(unit_named, (word, word[:1] if is_cjk(word[0]) else word)):
            if unit.known and (not declared or unit.quantity == declared.quantity):
                raise Refused("a number in words")


def read(text, declared, scale, other=frozenset()):
    """The clusters of a text in the declared unit: their values, and whether they could be the value."""
    if re.search(r"[0-9]，[0-9]", text):
        raise Refused("a full-width comma between half-width digits")
    text = fold(text).strip()
    refuse_words(text, declared)
    items = scan(text, declared)
    if not items:
        raise Refused("no number")
    groups = clusters(items, declared)
    for place, item in enumerate(items):
        if place in other and item.other is not None:
            item.value = item.other
    for group in groups:
        bounds = bound_of(group)
        measure(group, declared, scale, groups[0])
        if group.values is not None:
            refuse_surroundings(group, items, declared, text, *bounds)
    return text, items, groups


def bound_of(group):
    """V8: sets the bound that a cluster is, and answers what stands before and after it."""
    before, lead = bound_before(group.items[0].lead)
    after = bound_after(group.items[-1].tail)
    group.bound = before or after
    if group.bound and len(group.items) > 1 or any(bound_after(item.tail) for item in group.items[:-1]):
        raise Refused("a bound within a series")
    if group.kind == "list" and is_date(group):
        raise Refused("a date")
    return before, after, lead if before else group.items[0].lead.lower()


ABOUT = r"(about|around|约|大约|[~≈=*\s])+$"
CHANGES = "↑↓⇑⇓⇧⇩⬆⬇↗↘▲▼△▽∆"
ALTERED = re.compile(
    r"(\b(((increas|decreas|reduc|improv)(ed|es)|regressed|dropped|fell|rose|grew|cut|shortened|lengthened|lowered|raised"
    r"|changed|up|down|faster|slower|better|worse|higher|lower|longer|shorter|larger|smaller) by"
    r"|(increase|decrease|reduction|improvement|regression|drop|rise|gain|change|saving|half|quarter|third) of"
    r"|half|double|twice|triple|thrice)"
    r"|(增加|增长|减少|降低|下降|上升|提升|提高|缩短|延长|节省)了?|(增大|减小|节约|优化|改善|[快慢多少高低长短大小])了"
    r"|(?<![最很较偏稍不大许第])[快慢多少几])[\s:(\"“`*~≈=]*$", re.I)
LIMITED = re.compile(r"[\s:=(\"“`*~≈]*(the )?((upper|lower|hard|soft) )?(limit|threshold|上限|下限|限值|限制|阈值|门限)"
                     r"( is|为|是)?[\s:=(\"“`*~≈]*", re.I)
BEFORE_VALUE = r"(->|=>|=<|[≠≦≧±!#$€£¥￥√^×÷])\s*$|^\s*[-+\u2010-\u2015]+\s*$|[\u2010-\u2013]$"


def refuse_surroundings(group, items, declared, text, before, after, lead):
    """What stands around a number that could be the value, and makes it another."""
    first, last = group.items[0], group.items[-1]
    if re.search(DENIALS, re.sub(ABOUT, "", lead)):
        raise Refused("what it is not is no value")
    if first is items[0] and (ALTERED.search(re.sub(ABOUT, "", lead)) or lead.strip()[-1:] in tuple(CHANGES)
                              or LIMITED.fullmatch(lead)):
        raise Refused("a change, a multiple or a limit is no value")
    if re.search(BEFORE_VALUE, first.lead):
        raise Refused("a sign before the number that no rule knows")
    unquoted = last.tail[:1] in ('"', "”") and not re.search('["“]', text[:first.start])
    if unquoted and (not last.unit or last.unit.name == ":1"):
        raise Refused("inches, or a quotation that nothing opens")
    if declared and re.search(r"每|\bper\b", first.lead.lower()):
        raise Refused("per something is another unit")
    if last is items[-1] and last.tail.lstrip()[:1] in tuple("<>≤≥"):
        raise Refused("a comparison with nothing")
    if not after and re.match(DIFFERENCES, last.tail.lower()):
        raise Refused("a difference, not a value")
    if before and after and before != after:
        raise Refused("two bounds that do not fit")


def multiplied(item, declared, first):
    """Whether a multiplier makes a number one of the expected quantity, or of none: `5k errors`, `5k`."""
    if not item.unit or item.unit.name not in MULTIPLIERS or item.unit.name == "m":
        return False
    word = word_at_start(item.tail.lstrip(), declared)
    expected = declared or first
    return not word or not expected or unit_named(word).quantity == expected.quantity


def measure(group, declared, scale, first):
    """Converts a cluster: `values` in the declared unit, or None where it is of another quantity."""
    shared = group.items[-1].unit
    group.carries = any(item.unit for item in group.items)
    own = [item.unit for item in group.items]
    units = [unit or shared or declared for unit in own]
    group.unit, group.values, group.unmeasured = shared, None, False
    group.positive = bool(units[0] and units[0].positive)
    if group is not first and any(multiplied(item, declared, first.unit) for item in group.items):
        raise Refused("a later number is multiplied and could be the value")
    names = {unit.name if unit else None for unit in units}
    if declared is None:
        name = first.unit.name if first.unit else None
        if group is not first and not (name is None or names & {None, name}):
            return
        if len(names) > 1:
            raise Refused("differing units within a series")
        if names & {"%", "‰", *MULTIPLIERS}:
            raise Refused("a multiplier without a declared unit")
        values = [item.value for item in group.items]
    else:
        values = []
        for item, unit in zip(group.items, units):
            try:
                values.append(convert(item.value, unit, declared, scale))
            except Refused:
                if group is first:
                    raise
        if not values:
            return
        if len(values) < len(units):
            raise Refused("numbers of different quantities")
    if not shared and any(unit and (not declared or unit.name != declared.name) for unit in own):
        raise Refused("a unit that the last number lacks")
    if group.kind == "list" and declared and declared.quantity in ("share", "to one"):
        if any("/" in item.lead for item in group.items[1:]):
            raise Refused("a fraction against a ratio")
    if group.kind == "range":
        if values[0] > values[1]:
            raise Refused("a reversed range")
        group.values = [(values[0], True, values[1], True)]
    elif group.kind == "around":
        group.values = [(values[0] - abs(values[1]), True, values[0] + abs(values[1]), True)]
    else:
        group.values = [interval(group.bound, value, group.positive) for value in values]
    group.firsts = [interval(group.bound, values[0], group.positive)]
    group.unmeasured = (group is first and group.positive and group.kind in ("one", "list") and not group.bound
                        and all(item.value == -1 for item in group.items))
    ends = [end for low, _, high, _ in group.values for end in (low, high) if end is not None]
    if group.positive and not group.unmeasured and min(ends) < 0:
        raise Refused("a negative value of what is never negative")


def sentinel(text, declared, numeric):
    """V11: raises Missing for what says that there is no value."""
    text = fold(text).strip()
    if text in ("", "NA", "N/A", "null", "undefined", "-", "--"):
        raise Missing
    if text.lower() in ("na", "n/a", "null", "undefined"):
        raise Refused("text to some, nothing to others")
    if not numeric and re.match(r"-[0-9.]", text):
        try:
            items = scan(text, declared)
        except Refused:
            return
        unit = (items[0].unit or declared) if len(items) == 1 and items[0].end == len(text) else None
        if unit and unit.positive and items[0].value < 0:
            if items[0].value == -1:
                raise Missing
            raise Refused("a negative value of what is never negative")
