"""Numbers and what belongs to them (V3, V4, V9)."""

import itertools
import re
import unicodedata
from fractions import Fraction
from types import SimpleNamespace as Row

from .exact import Refused
from .text import CHINESE, HAN_NUMERALS, is_cjk, is_letter, unit_named

NUMBER = re.compile(r"(?:[0-9]+(?:,[0-9]+)*(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
LATIN = r"°[A-Za-z]?|[A-Za-zµ\u00aa\u00ba\u00c0-\u02ff\u0370-\u052f]+"
# Words after a number that are no unit of it.
STRUCTURE = re.compile(r"((?:to|through|thru|until|till)(?=\s+[-+.]*[0-9])|or(?= (less|more|fewer|lower|higher|below|above|under|over)\b)"
                       r"|max|maximum|minimum|at most|at least)(?![A-Za-z])", re.I)
DIVISOR = re.compile(rf"(?:\s*/\s*|\s*\(?\s*per\s+)({LATIN}|[^\W\d_]+)|\s*\(?\s*每({LATIN}|[^\W\d_]+)")
# What may not follow a number, or its unit: primes, products, hyphens, a comparison with nothing.
AFTER_NUMBER = re.compile(r"\.[.0-9]*[0-9]|,[0-9]|_[0-9]|\s*[_・]|[_'´’′″^#\\<>≤≥](?!\s*[0-9])|[·×÷*]+\s*[0-9]"
                          r"|·\s*[^\W\d_]|[\s=]*[<>≤≥]+\s*$|-[^\W\d_]")
AFTER_UNIT = re.compile(r"[_'´’′″^]|-[^\W\d_]|[·×÷*]+\s*[0-9]|·\s*[^\W\d_]|[\s=]*[<>≤≥]+(\s*$|\s*[^\W\d_])")
LOOSE_HAN = ("左右", "不到", "不足", "不止", "开外", "出头", "以内", "之内", "以上", "以下", "及以上", "及以下", "上下", "至", "到", "内", "起")


def unknown_before(char):
    """Whether a sign before a number may change what it means: money, mathematics, names."""
    return char in "#!^_" or unicodedata.category(char) in ("Sc", "Sm") and char not in "=<>≤≥≈~|+±→←↑↓"


def magnitude(text):
    """The value of a number's text, and its value if a single comma were a decimal point."""
    digits, _, exponent = text.lower().partition("e")
    whole, _, part = digits.partition(".")
    groups = whole.split(",")
    if len(groups) > 1:
        if not 1 <= len(groups[0]) <= 3 or groups[0][0] == "0" or any(len(group) != 3 for group in groups[1:]):
            raise Refused("a comma that groups no thousands")
    figures = "".join(groups) + part
    if len(figures.lstrip("0")) > 28:
        raise Refused("more than 28 significant digits")
    if exponent and (len(exponent) > 5 or abs(int(exponent)) > 28):
        raise Refused("an exponent beyond 28")
    power = Fraction(10) ** int(exponent or 0)
    value = Fraction(("".join(groups) or "0") + "." + (part or "0")) * power
    other = Fraction(".".join(groups)) * power if len(groups) == 2 and not part and "." not in digits else None
    return value, other


def unit_after(text, at, declared):
    """The unit that follows a number, and where it ends: a point between them is the number's own."""
    if AFTER_NUMBER.match(text, at):
        raise Refused("a sign after the number that no rule knows")
    pointed = text[at:at + 1] == "."
    at += pointed
    rest = text[at:].lstrip()
    word = word_at_start(rest, declared)
    if word is None or pointed and not unit_named(word).known:
        return None, at
    end = len(text) - len(rest) + len(word)
    while divisor := DIVISOR.match(text, end):
        word, end = f"{word}/{divisor.group(1) or divisor.group(2)}", divisor.end()
    if text[end:end + 1] in HAN_NUMERALS or AFTER_UNIT.match(text, end):
        raise Refused("a sign after the unit that no rule knows")
    return unit_named(word), end


def word_at_start(rest, declared):
    """The word that a text begins with where it may be a unit; empty where a divisor stands alone."""
    if re.match(r"/[^\W\d_]|\(?\s*(per\s|每)", rest):
        return ""
    if declared and not declared.known and rest.startswith(declared.name):
        tail = rest[len(declared.name):][:1]
        if not (is_letter(declared.name[-1:]) and is_letter(tail)):
            return declared.name
    if rest[:1] in tuple("%‰$€£¥￥℃"):
        return rest[0]
    if latin := re.match(LATIN, rest):
        word = latin.group()
        structural = STRUCTURE.match(rest) and word in (word.lower(), word.upper(), word.title())
        return None if structural else word
    return han_unit(rest) if is_cjk(rest[:1]) else None


def han_unit(rest):
    """The longest unit of the table in a run of Han characters, else the whole run; None where no unit begins."""
    run = "".join(itertools.takewhile(is_cjk, rest))
    if run.startswith(LOOSE_HAN):
        return None
    if run[0] in HAN_NUMERALS or run[0] in "多余几级":
        raise Refused("a Chinese numeral touches the number, or the number is an order of size")
    word = next((run[:size] for size in (2, 1) if run[:size] in CHINESE), run)
    left = run[len(word):]
    # 分 is a minute only where nothing makes it another word: 分贝, 分数.
    longer = word == "分" and left and not left.startswith(LOOSE_HAN) or word + left[:1] == "帧数"
    return run if left[:2] in CHINESE or left[:1] in CHINESE or longer else word


def scan(text, declared):
    """Every number of a folded text: its value, the other reading of its comma, its unit, and where it stands."""
    items, at = [], 0
    while found := NUMBER.search(text, at):
        before = text[found.start() - 1:found.start()]
        if is_letter(before) or before == "_":
            if not items:
                raise Refused("the first number is glued to a letter")
            # A later one is part of a name.
            at = re.compile(r"[\w.]*").match(text, found.end()).end()
            continue
        item = number_at(text, found, items[-1].end if items else -1)
        item.end = ratio(text, item, found.end(), declared) or plain_number(text, item, found.end(), declared)
        at = item.end
        if text[at:at + 1].isdigit():
            raise Refused("letters between digits, or a compound")
        items.append(item)
    for place, item in enumerate(items):
        item.lead = text[items[place - 1].end if place else 0:item.start]
        item.tail = text[item.end:items[place + 1].start if place + 1 < len(items) else len(text)]
    return items


def number_at(text, found, end_before):
    """A number with its sign. A sign that touches the number before joins the two instead."""
    start = found.start()
    before = text[start - 1:start]
    value, other = magnitude(found.group())
    if before in ("+", "-") and end_before != start - 1:
        before = text[start - 2:start - 1] if start > 1 else ""
        if before and not before.isspace() and before not in "([=:,/~<>≤≥":
            raise Refused("a sign that follows neither a space nor a bracket")
        start -= 1
        if text[start] == "-":
            value, other = -value, None if other is None else -other
    if before and unknown_before(before) and end_before != start:
        raise Refused("a sign before the number that no rule knows")
    if before and before in HAN_NUMERALS or before == ".":
        raise Refused("a numeral or a point touches the number")
    return Row(start=start, value=value, other=other, unit=None, spelling=found.group())


def ratio(text, item, at, declared):
    """V9: where a ratio ends, once it is read; None where there is none."""
    second = NUMBER.match(text, at + 1) if text[at:at + 1] == ":" else None
    if not second:
        if re.match(r":[+-]\.?[0-9]", text[at:]):
            raise Refused("no ratio")
        return None
    by, at = magnitude(second.group())[0], second.end()
    if by == 0 or re.match(r":[0-9]", text[at:]):
        raise Refused("no ratio")
    if declared is None and by != 1 or declared and declared.name not in (":1", "ratio"):
        raise Refused("a ratio against another unit")
    item.value, item.other, item.unit = item.value / by, item.other and item.other / by, unit_named(":1")
    unit = unit_after(text, at, None)[0]
    if unit and (unit.known or "/" in unit.name):
        raise Refused("a unit after a ratio")
    return at


def plain_number(text, item, at, declared):
    item.unit, at = unit_after(text, at, declared)
    return at
