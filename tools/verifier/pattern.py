"""Patterns (V14): Thompson's construction, simulated over sets of states, so that time is linear."""

import re
import unicodedata
from functools import partial, reduce

from .units import refuse

MOST_STATES, LONGEST, MOST_REPEATED, DEEPEST = 20_000, 1_000, 1_000, 40
CATEGORIES = "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp".split()
HAN = ("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "CJK RADICAL", "KANGXI RADICAL", "HANGZHOU NUMERAL")
ESCAPE = rf"\\[pP]\{{(?:{'|'.join(CATEGORIES)}|Han)\}}|\\[dDsSwWtnr]|\\[ -/:;=?@\[-`{{-~]"
MEMBER = rf"(?!&&|~~|--)(?:{ESCAPE}|[^\\\[\]])"  # in brackets; engines differ on two of a sign
RANGE = rf"({MEMBER})(?:-(?!-)({MEMBER}))?"
TOKEN = re.compile(rf"(?P<open>\((?:\?:)?)|(?P<close>\))|(?P<branch>\|)|(?P<anchor>\^|\$|\\[bB](?!\{{))"
                   r"|(?P<repeat>[*+?]|\{[0-9]{1,4}(?:,[0-9]{0,4})?\})\??"
                   rf"|(?P<single>{ESCAPE}|[^\\*+?{{\[])|\[(?P<negated>\^|(?!\^))(?P<members>(?:{MEMBER})+)\]", re.S)


def is_word(char):
    others = ("Nd", "Nl", "Mn", "Mc", "Me", "Pc")
    return char.isalpha() or unicodedata.category(char) in others or "\u24b6" <= char <= "\u24e9"


def test_of(first, last=""):
    """What a character, an escape or a range asks of a character."""
    letter, name = first[1:2], first[3:-1]
    tests = {"d": lambda char: unicodedata.category(char) == "Nd", "w": is_word,
             "s": lambda char: char.isspace() and char not in "\x1c\x1d\x1e\x1f",
             "p": lambda char: unicodedata.category(char).startswith(name),
             "Han": lambda char: unicodedata.name(char, "").startswith(HAN) or char in "々〇〻"}
    if test := tests.get(name) or tests.get(letter.lower()):
        refuse(last)
        return test if letter.islower() else lambda char: not test(char)
    refuse(last[1:2].lower() in tests)
    low, high = ({"\\n": "\n", "\\t": "\t", "\\r": "\r"}.get(one, one[-1:]) for one in (first, last or first))
    refuse(high < low)
    return lambda char: low <= char <= high


class Pattern:
    """A pattern, compiled when it is made; `found` asks whether it matches anywhere.

    A state is a list: what it asks of a character, or an anchor, or None where it only leads on; then what follows it.
    Each part of a pattern is a function from the state that follows the part to the state that begins it."""

    def __init__(self, text):
        refuse(not 0 < len(text) <= LONGEST)
        self.size, groups, at, before = 0, [[[]]], 0, "open"  # a group is a list of branches, of parts each
        while at < len(text):
            token = TOKEN.match(text, at)
            refuse(not token)
            kind, branches, at = token.lastgroup, groups[-1], token.end()
            if kind == "open":
                groups.append([[]])
            elif kind == "branch":
                branches.append([])
            elif kind == "close":
                groups.pop()
                refuse(not groups)
                groups[-1][-1].append(partial(self.either, branches))
            elif kind == "repeat":
                refuse(before in ("open", "branch", "repeat"))
                branches[-1].append(self.repeated(branches[-1].pop(), token[kind]))
            else:
                branches[-1].append(partial(self.state, self.asked(token)))
            refuse(len(groups) > DEEPEST + 1)
            before = kind
        refuse(len(groups) > 1)
        self.end = self.state(None)
        self.start = self.either(groups[0], self.end)

    def asked(self, token):
        if token["anchor"] or token["single"]:
            return token["anchor"] or ("\n".__ne__ if token["single"] == "." else test_of(token["single"]))
        tests = [test_of(*pair) for pair in re.findall(RANGE, token["members"], re.S)]
        return lambda char: any(test(char) for test in tests) != bool(token["negated"])

    def state(self, asks, *after):
        self.size += 1
        refuse(self.size > MOST_STATES)
        return [asks, *after]

    def either(self, branches, after):
        return self.state(None, *(reduce(lambda end, part: part(end), branch[::-1], after) for branch in branches))

    def repeated(self, part, counts):
        least, comma, most = {"*": "0,", "+": "1,", "?": "0,1"}.get(counts, counts.strip("{}")).partition(",")
        endless, least, most = bool(comma and not most), int(least), int(most or 0 if comma else least)
        refuse(not endless and most < least or max(least, most) > MOST_REPEATED)

        def build(after):
            if endless:
                after = loop = self.state(None, after)
                loop.append(part(loop))
            end = after
            for _ in range(most - least):
                after = self.state(None, end, part(after))
            return reduce(lambda end, _: part(end), range(least), after)
        return build

    def found(self, text):
        states = []
        for at in range(len(text) + 1):
            edge = (at > 0 and is_word(text[at - 1])) != (at < len(text) and is_word(text[at]))
            holds = {"^": at == 0, "$": at == len(text), "\\b": edge, "\\B": not edge, None: True}
            reached, todo, states = set(), [self.start, *states], []
            while todo:
                asks, *after = state = todo.pop()
                if id(state) in reached:
                    continue
                reached.add(id(state))
                if state is self.end:
                    return True
                if asks in holds:
                    todo += after if holds[asks] else []
                elif at < len(text) and asks(text[at]):
                    states += after
        return False
