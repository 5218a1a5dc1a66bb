"""Characters (V1, V2), units (V4) and words (V6, V8): the tables of the law."""

import re
import unicodedata
from fractions import Fraction
from types import SimpleNamespace as Row

from .exact import Refused

FILLERS = set("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0")
HAN_NUMERALS = set("零一二三四五六七八九十百千万亿半两壹贰叁肆伍陆柒捌玖拾佰仟萬億兆兩貳參陸")


def hidden(char):
    kind = unicodedata.category(char)
    if kind == "Cc":
        return char not in "\t\n\r"
    selector = "\ufe00" <= char <= "\ufe0d" or "\U000e0000" <= char <= "\U000e0fff"
    return kind in ("Cf", "Zl", "Zp", "Cs") or char in FILLERS or selector


def fold(text):
    def one(char):
        if "\uff01" <= char <= "\uff5e":
            return chr(ord(char) - 0xFEE0)
        return "-" if char == "\u2212" else " " if unicodedata.category(char) == "Zs" else char
    return "".join(map(one, text))


def is_cjk(char):
    return bool(char) and char.isalpha() and ord(char) >= 0x2E80


def is_letter(char):
    return bool(char) and char.isalpha() and ord(char) < 0x2E80


# ---- Units (V4)

NANO = {"ns": 1, "us": 1000, "ms": 10**6, "s": 10**9, "min": 60 * 10**9, "h": 3600 * 10**9}
BYTES = {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
COUNTS = ("次", "个", "条")
CHINESE = {"毫秒": "ms", "秒": "s", "分钟": "min", "分": "min", "小时": "h", "帧": "fps", **{name: name for name in COUNTS}}
TABLE = {**{name: ("time", Fraction(size)) for name, size in NANO.items()},
         **{name: ("bytes", Fraction(size)) for name, size in BYTES.items()},
         "px": ("px", Fraction(1)), "vp": ("vp", Fraction(1)), "fp": ("fp", Fraction(1)),
         "fps": ("frames", Fraction(1)), "Hz": ("hertz", Fraction(1)), "ms/s": ("jank", Fraction(1)),
         "%": ("share", Fraction(1, 100)), "‰": ("share", Fraction(1, 1000)), "ratio": ("share", Fraction(1)),
         ":1": ("to one", Fraction(1)),
         **{name: (name, Fraction(1)) for name in ("dB", "mA", "mW", "mAh", "°C", *COUNTS)}}
CASELESS = {name.lower(): name for name in [*NANO, "px", "vp", "fp", "fps", "Hz", "ms/s"]}
LENGTHS = ("px", "vp", "fp")
NEVER_NEGATIVE = ("time", "bytes", "frames", "hertz", "jank")


def spelled(word):
    """The canonical spelling of a word of the table, or the word itself."""
    word = word.replace("µ", "u").replace("μ", "u") if word.lower() in ("µs", "μs") else word
    return CHINESE.get(word, word if word in TABLE else CASELESS.get(word.lower(), word))


def unit_named(name):
    """A unit by its spelling: its name, its quantity, its size."""
    parts = re.split(r"\s*/\s*|\s+per\s+|\s*每\s*", name.strip())
    name = "/".join(map(spelled, parts))
    name = spelled(name)
    quantity, size = TABLE.get(name, ("=" + name, Fraction(1)))
    rate = name.partition("/")[2] in NANO
    return Row(name=name, quantity=quantity, size=size, positive=quantity in NEVER_NEGATIVE or rate, known=name in TABLE)


def convert(value, unit, target, scale):
    """A value in another unit of its quantity, exactly."""
    if unit.name == "KB" or target.name == "KB":
        raise Refused("KB is ambiguous")
    if unit.quantity == target.quantity or {unit.name, target.name} == {":1", "ratio"}:
        return value * unit.size / target.size
    if unit.quantity in LENGTHS and target.quantity in LENGTHS:
        density = scale.get("density")
        font = scale.get("fontScale") if "fp" in (unit.quantity, target.quantity) else Fraction(1)
        if not density or density < 0 or not font or font < 0:
            raise Refused("no density, or no font scale")
        sizes = {"px": Fraction(1), "vp": density, "fp": density * font}
        return value * sizes[unit.quantity] / sizes[target.quantity]
    raise Refused(f"{unit.name} is another quantity than {target.name}")


# ---- Words (V6, V8)

BOUNDS_BEFORE = {
    "<": "<|under|below|less than|fewer than|不到|低于|小于|少于|不足",
    "<=": "<=|≤|at most|up to|no more than|not more than|no greater than|not over|within|max|maximum"
          "|不超过|不大于|不高于|不多于|至多|最多|最大|最高|小于等于",
    ">": ">|over|above|more than|greater than|超过|高于|大于|多于",
    ">=": ">=|≥|at least|no less than|not less than|no fewer than|min|minimum"
          "|不低于|不少于|不小于|至少|最少|最小|最低|大于等于",
}
BOUNDS_AFTER = {
    "<": "不到|不足",
    ">": "不止|开外|出头",
    "<=": "or less|or fewer|or below|or lower|or under|at most|max|maximum|以内|之内|内|以下|及以下",
    ">=": "or more|or above|or higher|or over|at least|minimum|以上|及以上|起|+",
}
DENIALS = (r"\b(not|never|no|non|isn't|wasn't|without|neither|nor|minus|negative)\s*$"
           r"|(不是|不|非|没有|没|未|并非|负|零下)\s*$")
DIFFERENCES = (r"\s*(faster|slower|quicker|better|worse|higher|lower|more|less|fewer|longer|shorter|larger|smaller|greater)\b"
               r"|\s*(over|above|below|under)\s+(the\s+)?(budget|limit|target|threshold|baseline|goal|average|spec)\b"
               r"|\s*(多|余|几|级|更)")
NUMBER_WORDS = ("zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty"
                "|seventy|eighty|ninety|hundred|thousand|million|half|dozen")
MULTIPLIERS = "k K m M G 万 亿 千 百 thousand million billion hundred dozen".split()


def word_table(table):
    rows = [(word, bound) for bound, words in table.items() for word in words.split("|")]
    return sorted(rows, key=lambda row: -len(row[0]))


BEFORE, AFTER = word_table(BOUNDS_BEFORE), word_table(BOUNDS_AFTER)


def bound_before(lead):
    """The bound that stands at the end of a text, and the text before it."""
    lead = lead.rstrip("* \t\r\n").lower()
    for word, bound in BEFORE:
        if lead.endswith(word) and not (is_letter(word[0]) and is_letter(lead[-len(word) - 1:-len(word)])):
            return bound, lead[: -len(word)]
    return None, lead


def bound_after(text):
    text = text.lstrip().lower()
    for word, bound in AFTER:
        if text.startswith(word) and not (is_letter(word[-1]) and is_letter(text[len(word):len(word) + 1])):
            return bound
    return None
