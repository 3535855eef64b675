#!/usr/bin/env python3
# -*- coding: utf-8 -*-
"""Ships parcels.

The second paragraph names class Fake: and def fake(): without declaring them.
"""
from __future__ import annotations

import os, sys as system
import logging.handlers
from . import labels
from .store import (Parcel as Box,  # kept for old callers
                    Pallet)
from collections.abc import *

__all__ = ["Carrier", 'ship', "LIMIT"]

LIMIT = 40 * 1000  # grams
#: Where labels go.
LABEL_DIR: str = "labels"
_private = None
a = b = 1
weights = {
    "small": 1,
    "large": [2,
              3],
}
square = lambda x: x * x

if os.environ.get("PARCEL_DEBUG", "no") == "yes":
    DEBUG = True

    def trace(message):
        """Prints a message."""
        print(message)
else:
    DEBUG = False
    def trace(message): pass


class Plain: pass


class OldStyle():
    x = 1


class Carrier(labels.Printable, metaclass=abc.ABCMeta):
    """Carries parcels.

        Indented detail.
    """

    __slots__ = ("name", "_load")
    MAX: int = 3

    def __init__(self, name: str, *, load=(1, 2), sep=": ",
                 quote='"') -> None:
        # A comment that is less indented follows.
# like this one: def not_a_function():
        self.name = name
        self._load = load

    @property
    def load(self):
        return self._load

    @load.setter
    def load(self, value):
        def check(v):
            class Local:
                def method(self):
                    return v
            return Local().method()
        self._load = check(value)

    @staticmethod
    async def dispatch(
        where,
        when=None,
    ):
        '''Sends it off.'''
        text = """
def inside_a_string():
    pass
class AlsoInside:
"""
        return await send(text, where)

    class Inner(Exception):
        """Nothing fits."""

        def reason(self):
            return r"\"" + self.args[0]

    def after_inner(self): return {"def": lambda: None}

    if LIMIT > 3:
        def conditional(self):
            return f"{self.name!r:>{LIMIT}} {{def x(): {self['a']}}} {self.load:#x}" \
                   f'and {"class"}'


def ship(parcel, /, *rest, **options) -> "Carrier":
    """Ships one parcel. Then waits."""
    for r in rest: print(r)
    try:
        x = [i for i in range(3)
             if i]
    except (ValueError,
            KeyError):
        raise
    return Carrier("x").load(parcel)
# A trailing comment at the left margin.


@decorator
@other.decorator(arg="def f():",
                 more={"a": 1})
def decorated(): ...


async def waits(): await ship(1)


def broken_line(a, \
    b): pass


def generic[T: (int, str)](x: T) -> T:
    return x


class Generic[T](Carrier): ...


class Color(enum.Enum):
    RED = 1
    green = "g"

    @classmethod
    def pick(cls): return cls.RED


match system.argv:
    case ["a"]:
        def in_match(): return 1
    case _:
        pass

with open("x") as f, \
        open("y") as g:
    def in_with():
        pass

print("""unbalanced ( [ {""")
def last(): return ")"


if __name__ == "__main__":
    ship(None)
    system.exit(3)
