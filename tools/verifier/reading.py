"""How a text is read (V2 to V9, V11): its numbers, which of them belong together, and which could be the value."""

import re
import unicodedata
from collections import namedtuple
from fractions import Fraction
from types import SimpleNamespace as Row

from .units import attempt, convert, fold, refuse, unit_named, unit_written

HAN_NUMERALS = "[零一二三四五六七八九十百千万亿半两壹贰叁肆伍陆柒捌玖拾佰仟萬億兆兩貳參陸]"
MULTIPLIERS = "k K m M G 万 亿 千 百 thousand million billion hundred dozen".split()
LETTER, HAN = r"[^\W\d_]", r"(?:(?![\0-\u2e7f])[^\W\d_])"
LATIN = r"°[A-Za-z]?|[A-Za-zµ\u00aa\u00ba\u00c0-\u02ff\u0370-\u052f]+"
ABOUT = r"(?:about|approximately|around|roughly|约为|大约|约|大概|[≈~]|\s)*"
RANGE = rf"\s*(?:[-–~至到]|直到|直至){ABOUT}|\s+to\s{ABOUT}"
NUMBER_WORDS = ("zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty"
                "|seventy|eighty|ninety|hundred|thousand|million|half|dozen")


def any_of(*expressions):
    return re.compile("|".join(f"(?:{one})" for one in expressions), re.I | re.S)


# What no rule reads, wherever it stands: so many runs to some and a product to others, words for no value.
ANYWHERE = any_of(r"\d[^\S\n]*[^\W\d]*\s+x[0-9]", r"(?<![A-Za-z])(nan|inf|infinity)(?![A-Za-z])|∞|^--?\s",
                  r"(?<![A-Za-z_])(?-i:N/A|NA|null|undefined)(?![A-Za-z0-9_])")
# A number in words, and the word after it. 第 makes an ordinal of it.
IN_WORDS = any_of(rf"(?<![^\W_])(?:{NUMBER_WORDS})\s+({LATIN})",
                  rf"(?<!第){HAN_NUMERALS}+\s*([^\W\d_a-zA-Z]{{1,2}}|[a-zA-Z]+)")
# After a number or its unit: points, primes, products, hyphens, a comparison with nothing.
AFTER_EITHER = rf"[·×÷*]+\s*[0-9]|(-|·\s*){LETTER}|[\s=]*[<>≤≥][\s<>≤≥=+.-]*(?![\s<>≤≥=+.0-9-])"
AFTER_NUMBER = any_of(r"\.[.0-9]*[0-9]|,[0-9]|_[0-9]|\s*[_・]|[_'´’′″^#\\<>≤≥](?!\s*[0-9])", AFTER_EITHER)
AFTER_UNIT = any_of(HAN_NUMERALS, r"[_'´’′″^]", AFTER_EITHER)
# Between two numbers: words that calculate, a range in brackets, words of a bound that may belong to either; nothing
# but white space, a lone sign, a spaced colon, an arrow.
BETWEEN = any_of(r"\s*(x|by|times|plus|minus|(multiplied|divided) by|加上?|减去?|乘以?|除以|max|maximum|min|minimum"
                 r"|at most|at least|不到|不足)\s*$", rf"({RANGE})[(\[{{]\s*$", r"""\s*([,!"'{}]|\.{2,})?\s*$""",
                 r"\s+:\s*$", r".*(→|->|=>|⇒|>>|=<|[≠≦≧∶〜])")
PUNCTUATION = re.compile(r"""[\s()\[\]{}<>≤≥=≈~,;:.?!。“”‘’"'【】《》「」『』、]*""")
ABOUT_IT = re.compile(r"(about|around|约|大约|[~≈=*\s])+$", re.I)
# Before a value: money, mathematics, lone signs; what it is not.
BEFORE_VALUE = any_of(r"(->|=>|=<|[≠≦≧±!#$€£¥￥√^×÷])\s*$", r"^\s*[-+\u2010-\u2015]+\s*$", r"[\u2010-\u2013]$")
DENIED = any_of(r"\b(not|never|no|non|isn't|wasn't|without|neither|nor|minus|negative)\s*$",
                r"(不是|不|非|没有|没|未|并非|负|零下)\s*$")
# Before the first value: a change, a multiple or a limit.
ALTERED = any_of(
    r"\b(((increas|decreas|reduc|improv)(ed|es)|regressed|dropped|fell|rose|grew|cut|shortened|lengthened|lowered"
    r"|raised|changed|up|down|faster|slower|better|worse|higher|lower|longer|shorter|larger|smaller) by"
    r"|(increase|decrease|reduction|improvement|regression|drop|rise|gain|change|saving|half|quarter|third) of"
    r"|half|double|twice|triple|thrice)[\s:(\"“`*~≈=]*$",
    r"((增加|增长|减少|降低|下降|上升|提升|提高|缩短|延长|节省)了?|(增大|减小|节约|优化|改善|[快慢多少高低长短大小])了"
    r"|(?<![最很较偏稍不大许第])[快慢多少几])[\s:(\"“`*~≈=]*$|[↑↓⇑⇓⇧⇩⬆⬇↗↘▲▼△▽∆]\s*$",
    r"^[\s:=(\"“`*~≈]*(the )?((upper|lower|hard|soft) )?(limit|threshold|上限|下限|限值|限制|阈值|门限)"
    r"( is|为|是)?[\s:=(\"“`*~≈]*$")
# After a value: a difference, not a value.
DIFFERS = any_of(r"\s*(faster|slower|quicker|better|worse|higher|lower|more|less|fewer|longer|shorter|larger|smaller"
                 r"|greater)\b|\s*(多|余|几|级|更)",
                 r"\s*(over|above|below|under)\s+(the\s+)?(budget|limit|target|threshold|baseline|goal|average|spec)\b")
# Words of bounds (V8), before a number and after it.
WORDS = {
    "<": ("<|under|below|less than|fewer than|不到|低于|小于|少于|不足", "不到|不足"),
    "<=": ("<=|≤|at most|up to|no more than|not more than|no greater than|not over|within|max|maximum"
           "|不超过|不大于|不高于|不多于|至多|最多|最大|最高|小于等于",
           "or less|or fewer|or below|or lower|or under|at most|max|maximum|以内|之内|内|以下|及以下"),
    ">": (">|over|above|more than|greater than|超过|高于|大于|多于", "不止|开外|出头"),
    ">=": (">=|≥|at least|no less than|not less than|no fewer than|min|minimum"
           "|不低于|不少于|不小于|至少|最少|最小|最低|大于等于",
           r"or more|or above|or higher|or over|at least|minimum|以上|及以上|起|\+"),
}
BEFORE = re.compile("|".join(rf"((?<![a-z](?=[a-z]))(?:{before})[*\s]*$)" for before, _ in WORDS.values()), re.I)
AFTER = re.compile("|".join(rf"(\s*(?:{after})(?!(?<=[a-z])[a-z0-9]))" for _, after in WORDS.values()), re.I)
# Words after a number that are no unit of it.
NO_UNIT = any_of(AFTER.pattern, r"左右|上下|至|到|(to|through|thru|until|till)(?=\s+[-+.]*[0-9])")
DIGITS = r"(?:[0-9]+(?:,[0-9]+)*(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?"
# The longest unit of the table if no other follows it, else any word. Some begin other words, as 分 begins 分贝.
UNIT = re.compile(rf"[%‰‱℃℉$¢£¥₩€]|{LATIN}|(?:毫秒|分钟|小时|[秒次条]|帧(?![数率])|个(?!月)"
                  rf"|分(?!(?!{NO_UNIT.pattern}){HAN}))(?!毫秒|小时|[秒分帧次个条])|{HAN}+")
# A sign follows the start or one of few characters; one that touches a number before joins the two.
NUMBER = re.compile(rf"(?P<number>(?:(?<![^\s(\[=:,/~<>≤≥])[-+])?{DIGITS})(?::(?P<by>(?!\.){DIGITS}))?")
DIVISOR = re.compile(rf"(?:\s*/\s*|\s*\(?\s*(?:per\s+|每))({LATIN}|{LETTER}+)")

# The numbers that a reading stands for. Ends are pairs: a number, and -1 or 1 where it is itself just outside.
Interval = namedtuple("Interval", "low high bound")


def interval(bound, value, positive=False):
    least, most = (Fraction(0) if positive else float("-inf"), 0), (float("inf"), 0)
    return Interval(*{"<": (least, (value, -1)), "<=": (least, (value, 0)), ">": ((value, 1), most),
                      ">=": ((value, 0), most)}.get(bound, ((value, 0), (value, 0))), bound)


def magnitude(text):
    digits, _, exponent = text.lower().partition("e")
    whole, _, part = digits.lstrip("-+").partition(".")
    refuse("," in whole and not re.fullmatch("[1-9][0-9]{0,2}(,[0-9]{3})+", whole))
    refuse(len((whole + part).replace(",", "").lstrip("0")) > 28 or len(exponent) > 5 or abs(int(exponent or 0)) > 28)
    return Fraction(digits.replace(",", "")) * Fraction(10) ** int(exponent or 0)


class Numbers:
    """Every number of a text in which nothing is refused whatever they are."""

    def __init__(self, text, declared):
        refuse(re.search("[0-9]，[0-9]", text))
        self.text, self.declared, self.items = fold(text), declared, []
        refuse(ANYWHERE.search(self.text))
        for before, char in zip(" " + self.text, self.text):
            kind = unicodedata.category(char)
            refuse(kind[0] == "N" and not char.isascii() or kind[0] == "M" and before.isdigit())
        for words in IN_WORDS.finditer(self.text):
            word = words.group(1) or words.group(2)
            for unit in map(unit_named, (word, word[:1] if re.match(HAN, word) else word)):
                refuse(unit.known and (not declared or unit.quantity == declared.quantity))
        at = 0
        while found := NUMBER.search(self.text, at):
            at = self.number(found)
        for item, before, after in zip(self.items, [None, *self.items], [*self.items[1:], None]):
            item.lead = self.text[before.end if before else 0:item.start]
            item.tail = self.text[item.end:after and after.start]

    def number(self, found):
        """Takes a number with its sign and its unit (V3, V9), and answers where it ends."""
        text, start, at = self.text, found.start(), found.end()
        before, touches = text[start - 1:start], self.items and self.items[-1].end == start - 1
        if before == "_" or before.isalpha() and before < "\u2e80":
            refuse(not self.items)
            return re.compile(r"[\w.]*").match(text, at).end()  # a later one is part of a name
        money = before and unicodedata.category(before) in ("Sc", "Sm") and before not in "=<>≤≥≈~|+±→←↑↓"
        refuse((money or before and before in "#!^_-+") and not touches or re.match(rf"{HAN_NUMERALS}|\.", before))
        refuse(re.match(r":[-+.]*[0-9]", text[at:]))
        value, (unit, end) = magnitude(found["number"]), self.unit_after(at)
        if found["by"]:
            by = magnitude(found["by"])
            refuse(by == 0 or unit and (unit.known or "/" in unit.name))
            refuse(self.declared.name not in (":1", "ratio") if self.declared else by != 1)
            value, unit, end = value / by, unit_named(":1"), at
        refuse(text[end:end + 1].isdigit())  # letters between digits, or a compound
        bare = not unit and found["number"].isdigit()
        self.items.append(Row(value=value, unit=unit, start=start, end=end, bare=bare))
        return end

    def unit_after(self, at):
        """The unit that follows a number, and where it ends (V4): a point between them is the number's own."""
        text = self.text
        refuse(AFTER_NUMBER.match(text, at))
        pointed = text[at:at + 1] == "."
        rest = text[at + pointed:].lstrip()
        word = self.word(rest)
        if word is None or pointed and text[at + 1:at + 2].isspace() and not unit_named(word).known:
            return None, at + pointed
        end = len(text) - len(rest) + len(word)
        while divisor := DIVISOR.match(text, end):
            word, end = f"{word}/{divisor.group(1)}", divisor.end()
        refuse(AFTER_UNIT.match(text, end))
        return unit_named(word), end

    def word(self, rest):
        """The word that a text begins with where it may be a unit; empty where a divisor stands alone."""
        if re.match(rf"/{LETTER}|\(?\s*(per\s|每)", rest):
            return ""
        own = self.declared and not self.declared.known and self.declared.name
        if own and rest.startswith(own) and not re.match("[A-Za-z]{2}", own[-1:] + rest[len(own):]):
            return own
        refuse(re.match(f"{HAN_NUMERALS}|[多余几级]|分之(?:{HAN_NUMERALS}|[0-9])", rest))
        found = not NO_UNIT.match(rest) and UNIT.match(rest)
        return found.group() if found else None

    def clusters(self):
        """Numbers that belong together (V7): a list, a range, a value and its tolerance, or one number."""
        groups = []
        for item in self.items:
            kind = self.joint(groups[-1].items[-1], item) if groups else None
            if not kind:
                groups.append(Row(kind="one", items=[]))
            group = groups[-1]
            refuse(kind and (group.kind not in ("one", kind) or kind != "list" and len(group.items) > 1))
            group.kind = kind or "one"
            group.items.append(item)
        return groups

    def joint(self, before, item):
        """How the text between two numbers joins them, if it does."""
        gap, units = item.lead, {one.unit.quantity for one in (before, item) if one.unit}
        framed = re.search(r"(between|介于)\s*$", before.lead, re.I) or re.match(r"\s*之间", item.tail)
        for kind, expression in (("list", r"\s*[/、;|]\s*|\s*,\s+"), ("range", RANGE), ("around", r"\s*±\s*"),
                                 ("range", r"\s*(and|和|与|跟|及)\s*" if framed else "(?!)"),
                                 ("range", r"\s*(through|thru|until|till)\s*" if len(units) < 2 else "(?!)"),
                                 ("list", "," if item.unit and before.unit else "(?!)")):
            if re.fullmatch(expression, gap, re.I):
                return kind
        refuse(gap.strip() == ":" and self.declared and self.declared.name in (":1", "ratio") or BETWEEN.match(gap)
               or not re.search(LETTER, gap) and not PUNCTUATION.fullmatch(gap))
        return None

    def multiplied(self, item, first):
        """Whether a multiplier makes a number one of the expected quantity, or of none: `5k errors`, `5k`."""
        if not item.unit or item.unit.name not in MULTIPLIERS or item.unit.name == "m":
            return False
        word, expected = self.word(item.tail.lstrip()), self.declared or first.unit
        return not word or not expected or unit_named(word).quantity == expected.quantity

    def unit_elsewhere(self):
        """Whether a text names another unit of the table that stands beside no number."""
        first = self.items[0].lead
        words = re.findall(f"{LATIN}|[^\\W\\d_a-zA-Z]+", " ".join([first, *(item.tail for item in self.items)]))
        words += re.findall(r"(毫秒|秒|分钟|小时)[\s:(=]*$", first)  # at the end of a run of Chinese
        return not {*map(unit_written, words)} <= {None, self.declared.name}


def in_unit(group, declared, scale, first):
    """The numbers of a cluster in the declared unit; None where it is of another quantity."""
    units = [item.unit or group.unit or declared for item in group.items]
    names = {unit and unit.name for unit in units}
    if declared:
        values = [attempt(convert, item.value, unit, declared, scale) for item, unit in zip(group.items, units)]
        refuse(None in values and (group is first or len({*values}) > 1))
        return None if None in values else values
    name = first.unit and first.unit.name
    if group is not first and name and not names & {None, name}:
        return None
    refuse(len(names) > 1 or names & {"%", "‰", *MULTIPLIERS})
    return [item.value for item in group.items]


def measure(group, numbers, scale, first):
    """What a cluster says: `values`, and `firsts` by its first number alone; None where it is of another quantity."""
    items, declared = group.items, numbers.declared
    head, tail, slashed = items[0], items[-1].tail, any("/" in item.lead for item in items[1:])
    words = BEFORE.search(head.lead), AFTER.match(tail)
    before, after = (found and list(WORDS)[found.lastindex - 1] for found in words)
    bound, group.unit, group.values = before or after, items[-1].unit, None
    refuse(bound and len(items) > 1 or any(AFTER.match(item.tail) for item in items[:-1]))
    refuse(slashed and len(items) == 3 and all(item.bare for item in items) and 1 <= items[1].value <= 31
           and any(1000 <= item.value <= 9999 for item in items[::2]))  # a date
    refuse(group is not first and any(numbers.multiplied(item, first) for item in items))
    values = in_unit(group, declared, scale, first)
    if values is None:
        return
    group.carries, unit = any(item.unit for item in items), head.unit or group.unit or declared
    refuse(not group.unit and any(item.unit and (not declared or item.unit.name != declared.name) for item in items))
    refuse(slashed and declared and declared.name in ("%", "‰", "ratio", ":1"))
    positive = bool(unit and unit.positive)
    group.values = [interval(bound, value, positive) for value in values]
    if group.kind in ("range", "around"):
        low, high = values if group.kind == "range" else (values[0] - abs(values[1]), values[0] + abs(values[1]))
        refuse(low > high)
        group.values = [Interval((low, 0), (high, 0), None)]
    group.firsts = [interval(bound, values[0], positive)]
    group.untaken = (group is first and positive and group.kind in ("one", "list") and not bound
                     and all(item.value == -1 for item in items))
    refuse(positive and not group.untaken and any(min(one.low, one.high) < (0, 0) for one in group.values))
    so_far = ABOUT_IT.sub("", head.lead[:words[0].start()] if before else head.lead)
    refuse(DENIED.search(so_far) or BEFORE_VALUE.search(head.lead) or DIFFERS.match(tail) and not after)
    refuse(group is first and ALTERED.search(so_far) or declared and re.search(r"每|\bper\b", head.lead, re.I))
    inches = tail[:1] in ('"', "”") and not re.search('["“]', numbers.text[:head.start])
    refuse(inches and (not group.unit or group.unit.name == ":1") or before and after and before != after)


def read(text, declared, scale):
    """What a text says: its first cluster, with the later ones that could be the value as `rivals` (V6)."""
    numbers = Numbers(text, declared)
    refuse(not numbers.items)
    first, *later = groups = numbers.clusters()
    for group in groups:
        measure(group, numbers, scale, first)
    first.groups, first.rivals = groups, [group for group in later if group.values]
    refuse(declared and not first.unit and (any(group.carries for group in first.rivals) or numbers.unit_elsewhere()))
    refuse(first.untaken and first.rivals)
    return first


def alone(text, declared):
    """The number that is the whole of a text, if it is one."""
    numbers = attempt(Numbers, text, declared)
    items = numbers.items if numbers else []
    return items[0] if len(items) == 1 and (items[0].start, items[0].end) == (0, len(numbers.text)) else None


def is_sentinel(text, declared, numeric):
    """V11: whether a text says that there is no value."""
    text = fold(text)
    if text in ("", "NA", "N/A", "null", "undefined", "-", "--"):
        return True
    refuse(text.lower() in ("na", "n/a", "null", "undefined"))
    number = None if numeric else alone(text, declared)
    unit = number and (number.unit or declared)
    below = bool(unit and unit.positive and number.value < 0)
    refuse(below and number.value != -1)
    return below
