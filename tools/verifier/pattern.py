"""Patterns (V14): Thompson's construction, simulated over sets of states, so that time is linear."""

import re
import unicodedata
from functools import reduce

from .units import refuse

MOST_STATES, LONGEST, MOST_REPEATED, DEEPEST = 20_000, 1_000, 1_000, 40
CATEGORIES = "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp".split()
HAN = ("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "CJK RADICAL", "KANGXI RADICAL", "HANGZHOU NUMERAL")


def is_word(char):
    others = ("Nd", "Nl", "Mn", "Mc", "Me", "Pc")
    return char.isalpha() or unicodedata.category(char) in others or "\u24b6" <= char <= "\u24e9"


def test_of(token):
    """What a character or an escape asks of a character, and the character where it is a single one."""
    refuse(not token)
    letter, name = token[1:2], token[3:-1]
    if letter and letter in "dDsSwWpP":
        refuse(letter in "pP" and name not in (*CATEGORIES, "Han"))
        tests = {"d": lambda char: unicodedata.category(char) == "Nd", "w": is_word,
                 "s": lambda char: char.isspace() and char not in "\x1c\x1d\x1e\x1f",
                 "p": lambda char: unicodedata.category(char).startswith(name),
                 "Han": lambda char: unicodedata.name(char, "").startswith(HAN) or char in "々〇〻"}
        test = tests.get(name) or tests[letter.lower()]
        return (test if letter.islower() else lambda char: not test(char)), None
    refuse(letter and (letter.isalnum() and letter not in "ntr" or not " " <= letter <= "~" or letter in "<>"))
    char = {"\\n": "\n", "\\t": "\t", "\\r": "\r"}.get(token, letter or token)
    return char.__eq__, char


class Pattern:
    """A pattern, compiled when it is made; `found` asks whether it matches anywhere.

    A state is a list: what it asks of a character, or an anchor, or None where it only leads on; then what follows it.
    Each part of the grammar answers a function from the state that follows the part to the state that begins it."""

    def __init__(self, text):
        refuse(not 0 < len(text) <= LONGEST)
        self.text, self.at, self.size = text, 0, 0
        whole = self.alternation(0)
        refuse(self.at < len(text))
        self.end = self.state(None)
        self.start = whole(self.end)

    def take(self, expression):
        """The text that comes next, where it is as an expression says."""
        found = re.compile(expression, re.S).match(self.text, self.at)
        self.at = found.end() if found else self.at
        return found and found.group()

    def state(self, asks, *after):
        self.size += 1
        refuse(self.size > MOST_STATES)
        return [asks, *after]

    def alternation(self, depth):
        refuse(depth > DEEPEST)
        branches = [[]]
        while self.at < len(self.text) and self.text[self.at] != ")":
            if self.take(r"\|"):
                branches.append([])
            else:
                branches[-1].insert(0, self.repeated(self.atom(depth)))

        def build(after):
            return self.state(None, *(reduce(lambda end, part: part(end), branch, after) for branch in branches))
        return build

    def repeated(self, atom):
        counts = self.take(r"[*+?]|\{[0-9]{1,4}(,[0-9]{0,4})?\}")
        if not counts:
            return atom
        self.take(r"\?")
        refuse(self.take(r"[*+?{]"))
        least, comma, most = {"*": "0,", "+": "1,", "?": "0,1"}.get(counts, counts.strip("{}")).partition(",")
        least, most = int(least), int(most or 0 if comma else least)
        endless = counts[-2:] in ("*", "+", ",}")
        refuse(not endless and most < least or max(least, most) > MOST_REPEATED)

        def build(after):
            if endless:
                after = loop = self.state(None, after)
                loop.append(atom(loop))
            end = after
            for _ in range(most - least):
                after = self.state(None, end, atom(after))
            for _ in range(least):
                after = atom(after)
            return after
        return build

    def atom(self, depth):
        if self.take(r"\((\?:)?"):
            inner = self.alternation(depth + 1)
            refuse(not self.take(r"\)"))
            return inner
        refuse(self.take(r"[*+?{]"))
        asks = self.take(r"\^|\$|\\[bB](?!\{)") or self.take(r"\.") and "\n".__ne__
        asks = asks or (self.bracket() if self.take(r"\[") else self.single()[0])
        return lambda after: self.state(asks, after)

    def single(self):
        return test_of(self.take(r"\\[pP]\{\w+\}|\\.|[^\\]"))

    def bracket(self):
        negated, tests = bool(self.take(r"\^")), []
        engines_differ = r"[\[\]]|&&|~~|--"
        while not tests or not self.take(r"\]"):
            refuse(self.take(engines_differ))
            test, first = self.single()
            refuse(self.take("--"))
            if self.take(r"-(?!\])"):
                refuse(self.take(engines_differ))
                last = self.single()[1]
                refuse(first is None or last is None or last < first)
                test = lambda char, first=first, last=last: first <= char <= last  # noqa: E731
            tests.append(test)
        return lambda char: any(test(char) for test in tests) != negated

    def found(self, text):
        states = []
        for at in range(len(text) + 1):
            edge = (at > 0 and is_word(text[at - 1])) != (at < len(text) and is_word(text[at]))
            holds = {"^": at == 0, "$": at == len(text), "\\b": edge, "\\B": not edge, None: True}
            reached, todo, states = set(), [self.start, *states], []
            while todo:
                state = todo.pop()
                asks, *after = state
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
