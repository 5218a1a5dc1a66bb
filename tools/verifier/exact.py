"""JSON without rounding: the text of every number is kept, and a key stands once. Canonical JSON (RFC 8785)."""

import json
from fractions import Fraction


class Num(str):
    """The text of a JSON number."""


class Broken(Exception):
    """The input is refused before any audit."""


class Refused(Exception):
    """The value cannot be judged."""


class Missing(Exception):
    """There is no value."""


def mapping(pairs):
    if len({key for key, _ in pairs}) != len(pairs):
        raise Broken("a key stands twice in one mapping")
    return dict(pairs)


def no_constant(word):
    raise Broken(f"{word} is no JSON")


def parse(text):
    try:
        return json.loads(text, parse_int=Num, parse_float=Num, parse_constant=no_constant, object_pairs_hook=mapping)
    except (ValueError, RecursionError) as error:
        raise Broken(str(error)) from error


def double_text(value):
    """A double as RFC 8785 writes it."""
    if value == 0:
        return "0"
    sign, digits, exponent = "-" * (value < 0), *repr(abs(value)).replace("e+", "e").partition("e")[::2]
    whole, _, part = digits.partition(".")
    part = "" if part == "0" else part
    point = len(whole) + int(exponent or 0)
    digits = whole + part
    point -= len(digits) - len(digits.lstrip("0"))
    digits = digits.strip("0")
    if 0 < point <= 21:
        shown = digits.ljust(point, "0")
        shown = shown[:point] + ("." + shown[point:] if shown[point:] else "")
    elif -6 < point <= 0:
        shown = "0." + "0" * -point + digits
    else:
        shown = digits[0] + ("." + digits[1:] if digits[1:] else "") + f"e{point - 1:+d}"
    return sign + shown


def frozen(number):
    """V13: the number's text in its frozen form, if a double holds it exactly."""
    exponent = number.lower().partition("e")[2]
    if len(exponent) > 4 or len(number) > 400 or float(number) in (float("inf"), float("-inf")):
        raise Refused("a number that its decoder cannot hold")
    shown = double_text(float(number))
    if Fraction(shown) != Fraction(str(number)):
        raise Refused("a number that its decoder rounds")
    return shown


def canonical(value):
    """Canonical JSON (RFC 8785)."""
    if isinstance(value, Num):
        return double_text(float(value))
    if isinstance(value, dict):
        ordered = sorted(value, key=lambda key: key.encode("utf-16-be"))
        return "{" + ",".join(canonical(key) + ":" + canonical(value[key]) for key in ordered) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canonical, value)) + "]"
    return json.dumps(value, ensure_ascii=False)
