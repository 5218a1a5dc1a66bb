"""Patterns (V14): Thompson's construction, simulated over sets of states, so that time is linear."""

import re
import unicodedata

from .exact import Refused

LARGEST_PROGRAM = 20_000
LONGEST, MOST_REPEATED, DEEPEST = 1_000, 1_000, 40
CLASSES = {
    "d": lambda char: unicodedata.category(char) == "Nd",
    "s": lambda char: char.isspace() and char not in "\x1c\x1d\x1e\x1f",
    "w": lambda char: (unicodedata.category(char) in ("Lu", "Ll", "Lt", "Lm", "Lo", "Nd", "Nl", "Mn", "Mc", "Me", "Pc")
                       or "\u24b6" <= char <= "\u24e9"),
}
HAN = ("CJK UNIFIED", "CJK COMPATIBILITY IDEOGRAPH", "CJK RADICAL", "KANGXI RADICAL", "HANGZHOU NUMERAL")
CATEGORIES = "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp".split()


def property_test(name):
    """The test of a Unicode class: a general category, or Han."""
    if name == "Han":
        return lambda char: unicodedata.name(char, "").startswith(HAN) or char in "々〇〻"
    if name not in CATEGORIES:
        raise Refused("not in the subset")
    return lambda char: unicodedata.category(char).startswith(name)


ESCAPES = {"n": "\n", "t": "\t", "r": "\r"}


class Pattern:
    """A pattern, compiled when it is made; `found` asks whether it matches anywhere."""

    def __init__(self, text):
        if not 0 < len(text) <= LONGEST:
            raise Refused("an empty pattern, or one that is too long")
        self.text, self.at, self.program = text, 0, []
        self.emit(self.alternation(0))
        if self.at < len(text):
            raise Refused("a bracket that nothing opens")
        self.program.append(("match",))

    def peek(self):
        return self.text[self.at:self.at + 1]

    def take(self):
        self.at += 1
        if self.at > len(self.text):
            raise Refused("the pattern ends too early")
        return self.text[self.at - 1]

    def alternation(self, depth):
        if depth > DEEPEST:
            raise Refused("brackets too deep")
        branches = [self.sequence(depth)]
        while self.peek() == "|":
            self.at += 1
            branches.append(self.sequence(depth))
        return ("either", branches)

    def sequence(self, depth):
        parts = []
        while self.peek() not in ("", "|", ")"):
            atom = self.atom(depth)
            least, most = 1, 1
            if self.peek() in ("*", "+", "?"):
                least, most = {"*": (0, None), "+": (1, None), "?": (0, 1)}[self.take()]
            elif counted := re.compile(r"\{([0-9]{1,4})(,([0-9]{0,4}))?\}").match(self.text, self.at):
                self.at = counted.end()
                least = int(counted.group(1))
                most = least if not counted.group(2) else int(counted.group(3)) if counted.group(3) else None
                if most is not None and most < least or max(least, most or 0) > MOST_REPEATED:
                    raise Refused("a reversed repetition, or too many")
            if (least, most) != (1, 1) or self.text[self.at - 1] == "}":
                if self.peek() == "?":
                    self.at += 1
                if self.peek() in ("*", "+", "?", "{"):
                    raise Refused("a repetition repeated")
            parts.append(("repeat", atom, least, most))
        return ("all", parts)

    def atom(self, depth):
        char = self.take()
        if char == "(":
            if self.peek() == "?":
                if self.text[self.at:self.at + 2] != "?:":
                    raise Refused("not in the subset")
                self.at += 2
            inner = self.alternation(depth + 1)
            if self.take() != ")":
                raise Refused("a bracket that nothing closes")
            return inner
        if char in "*+?{":
            raise Refused("nothing to repeat")
        if char in "^$":
            return ("start",) if char == "^" else ("end",)
        if char == "\\" and self.peek() in ("b", "B"):
            kind = "edge" if self.take() == "b" else "no edge"
            if self.peek() == "{":
                raise Refused("not in the subset")
            return (kind,)
        if char == ".":
            return ("char", lambda c: c != "\n")
        if char == "[":
            return ("char", self.bracket())
        return ("char", self.escape()[0] if char == "\\" else lambda c, char=char: c == char)

    def escape(self):
        """What stands after a backslash: a test, and the character where it is a single one."""
        char = self.take()
        if char.lower() in CLASSES:
            test = CLASSES[char.lower()]
            return (test if char.islower() else lambda c: not test(c)), None
        if char in "pP":
            named = re.compile(r"\{(\w+)\}").match(self.text, self.at)
            test = property_test(named and named.group(1))
            self.at = named.end()
            return (test if char == "p" else lambda c: not test(c)), None
        if char.isalnum() and char not in ESCAPES or not " " <= char <= "~" or char in "<>":
            raise Refused("not in the subset")
        char = ESCAPES.get(char, char)
        return (lambda c: c == char), char

    def bracket(self):
        negated = self.peek() == "^"
        self.at += negated
        tests = []
        while not tests or self.peek() != "]":
            test, char = self.member()
            if self.text[self.at:self.at + 2] in ("&&", "~~", "--"):
                raise Refused("engines differ on this class")
            if self.peek() == "-" and self.text[self.at + 1:self.at + 2] not in ("]", ""):
                self.at += 1
                last = self.member()[1]
                if char is None or last is None or last < char:
                    raise Refused("a reversed range of characters")
                test = lambda c, char=char, last=last: char <= c <= last  # noqa: E731
            tests.append(test)
        self.at += 1
        return lambda c: any(test(c) for test in tests) != negated

    def member(self):
        char = self.take()
        if char == "\\":
            return self.escape()
        if char in "[]" or char in "&~-" and self.peek() == char:
            raise Refused("engines differ on this class")
        return (lambda c: c == char), char

    def emit(self, node):
        if len(self.program) > LARGEST_PROGRAM:
            raise Refused("a pattern too large")
        if node[0] == "all":
            for part in node[1]:
                self.emit(part)
        elif node[0] == "either":
            leaps = []
            for branch in node[1][:-1]:
                fork = len(self.program)
                self.program.append(None)
                self.emit(branch)
                leaps.append(len(self.program))
                self.program.append(None)
                self.program[fork] = ("fork", fork + 1, len(self.program))
            self.emit(node[1][-1])
            for leap in leaps:
                self.program[leap] = ("fork", len(self.program), len(self.program))
        elif node[0] == "repeat":
            _, inner, least, most = node
            for _ in range(least):
                self.emit(inner)
            forks = []
            for _ in range(1 if most is None else most - least):
                forks.append(len(self.program))
                self.program.append(None)
                self.emit(inner)
            if most is None:
                self.program.append(("fork", forks[0], forks[0]))
            for fork in forks:
                self.program[fork] = ("fork", fork + 1, len(self.program))
        else:
            self.program.append(node)

    def found(self, text):
        states = set()
        for at in range(len(text) + 1):
            reached, todo = set(), [0, *states]
            states = set()
            while todo:
                state = todo.pop()
                if state in reached:
                    continue
                reached.add(state)
                step = self.program[state]
                if step[0] == "match":
                    return True
                if step[0] == "fork":
                    todo += step[1:]
                elif step[0] == "char":
                    if at < len(text) and step[1](text[at]):
                        states.add(state + 1)
                elif self.stands(step[0], text, at):
                    todo.append(state + 1)
        return False

    @staticmethod
    def stands(anchor, text, at):
        """Whether an anchor holds between two characters."""
        if anchor in ("start", "end"):
            return at == (0 if anchor == "start" else len(text))
        before, after = at > 0 and CLASSES["w"](text[at - 1]), at < len(text) and CLASSES["w"](text[at])
        return (before != after) == (anchor == "edge")
