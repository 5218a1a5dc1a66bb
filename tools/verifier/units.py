"""Exact numbers, characters and units (V1, V2, V4, V13), and canonical JSON (RFC 8785)."""

import json
import re
import unicodedata
from collections import namedtuple
from decimal import Decimal
from fractions import Fraction


class Num(str):
    """The text of a JSON number."""


class Broken(Exception):
    """The input is refused before any audit."""


class Unjudged(Exception):
    """The verdict of a value that is neither a pass nor a fail."""


def refuse(condition, verdict="invalid"):
    if condition:
        raise Unjudged(verdict)


def attempt(function, *arguments):
    """What a function answers, or None where it refuses."""
    try:
        return function(*arguments)
    except Unjudged:
        return None


def parse(text):
    """JSON in which the text of every number is kept, and a key stands once."""
    def mapping(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a key stands twice in one mapping")
        return dict(pairs)
    try:  # NaN and its like are no int
        return json.loads(text, parse_int=Num, parse_float=Num, parse_constant=int, object_pairs_hook=mapping)
    except (ValueError, RecursionError) as error:
        raise Broken(str(error)) from error


def double_text(text):
    """A number as RFC 8785 writes the double that is nearest to it."""
    decimal = Decimal(repr(float(text))).normalize()
    return "0" if not decimal else f"{decimal:f}" if -6 <= decimal.adjusted() <= 20 else f"{decimal:e}"


def frozen(value):
    """V13: a text as it is; a number in its frozen form, if a double holds it exactly."""
    if not isinstance(value, Num):
        return value
    refuse(len(value) > 400 or len(value.lower().partition("e")[2]) > 4 or abs(float(value)) == float("inf"))
    refuse(Fraction(double_text(value)) != Fraction(str(value)))
    return double_text(value)


def canonical(value):
    if isinstance(value, Num):
        return double_text(value)
    if isinstance(value, dict):
        ordered = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(canonical(key) + ":" + canonical(value[key]) for key in ordered) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)


FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"


def hidden(char):
    kind = unicodedata.category(char)
    selector = "\ufe00" <= char <= "\ufe0d" or "\U000e0000" <= char <= "\U000e0fff"
    return kind in ("Cf", "Zl", "Zp", "Cs") or kind == "Cc" and char not in "\t\n\r" or char in FILLERS or selector


def blank(text):
    """Whether a text shows nothing."""
    return all(char.isspace() or hidden(char) or char in "\ufe0e\ufe0f" for char in text)


def plain(text):
    """A text as text matchers compare it."""
    return unicodedata.normalize("NFC", text).strip()


def fold(text):
    wide = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
    return re.sub(r"[^\S\t-\r\x1c-\x1f\x85\u2028\u2029]", " ", text).translate({**wide, 0x2212: "-"}).strip()


SIZES = {
    "time": {"ns": 1, "us": 10**3, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9},
    "bytes": {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30},
    "share": {"%": Fraction(1, 100), "‰": Fraction(1, 1000), "ratio": 1},
    **{name: {name: 1} for name in ("px", "vp", "fp", "fps", "Hz", "ms/s", ":1", "dB", "mA", "mW", "mAh", "°C")},
    **{name: {name: 1} for name in "次个条"},
}
TABLE = {name: (quantity, size) for quantity, sizes in SIZES.items() for name, size in sizes.items()}
# Other spellings: units that ignore case, and Chinese ones.
SPELLINGS = {name.lower(): name for name in [*SIZES["time"], "px", "vp", "fp", "fps", "Hz", "ms/s"]}
CHINESE = {"毫秒": "ms", "秒": "s", "分钟": "min", "分": "min", "小时": "h", "帧": "fps", **{name: name for name in "次个条"}}
WRITTEN_OUT = {word: name for name, words in {
    "ms": "millisecond msec milli", "s": "second sec 秒钟", "min": "minute min", "h": "hour hr", "ns": "nanosecond 纳秒",
    "us": "microsecond usec 微秒", "px": "pixel", "%": "percent pct", "B": "byte", "kB": "kilobyte kb",
    "MB": "megabyte mb", "GB": "gigabyte gb"}.items() for word in words.split()}
Unit = namedtuple("Unit", "name quantity size known positive")


def unit_named(name):
    def spelled(word):
        word = "us" if word.lower() in ("µs", "μs") else word
        return word if word in TABLE else CHINESE.get(word) or SPELLINGS.get(word.lower(), word)
    name = spelled("/".join(map(spelled, re.split(r"\s*/\s*|\s+per\s+|\s*每\s*", name.strip()))))
    quantity, size = TABLE.get(name, ("=" + name, 1))
    never_negative = quantity in ("time", "bytes", "fps", "Hz", "ms/s") or name.partition("/")[2] in SIZES["time"]
    return Unit(name, quantity, size, name in TABLE, never_negative)


def unit_written(word):
    """The name of the unit that a word stands for where it stands alone. Some are prose in the singular: `second`."""
    unit, lower = unit_named(word), word.lower()
    if unit.known or word == "KB":
        return unit.name
    return None if lower in ("second", "minute", "hour", "pixel", "byte") else WRITTEN_OUT.get(lower.rstrip("s"))


def convert(value, unit, target, scale):
    """A value in another unit of its quantity, exactly."""
    refuse("KB" in (unit.name, target.name))  # 1000 to some, 1024 to others
    if unit.quantity == target.quantity or {unit.name, target.name} == {":1", "ratio"}:
        return value * unit.size / target.size
    density, font = (max(scale.get(name, 0), 0) for name in ("density", "fontScale"))
    sizes = {"px": Fraction(1), "vp": density, "fp": density * font}
    refuse(not sizes.get(unit.name) or not sizes.get(target.name))
    return value * sizes[unit.name] / sizes[target.name]
