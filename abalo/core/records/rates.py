"""What a service allows in a minute, and what its tokens cost."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass

from abalo.errors import AbaloError

_RATE = re.compile(r"([0-9]{1,9})(c|t)")
_PRICE = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?")


@dataclass(frozen=True, slots=True)
class MinuteRate:
    """Calls and tokens a minute; None is unlimited."""

    calls: int | None = None
    tokens: int | None = None

    @classmethod
    def read(cls, text: str) -> MinuteRate:
        """Parses ``600c``, ``90000t`` or ``600c,90000t``; else raises `AbaloError`."""
        found = [_RATE.fullmatch(part) for part in text.split(",")]
        given = {each[2]: int(each[1]) for each in found if each is not None}
        if None in found or len(given) < len(found) or 0 in given.values():
            raise AbaloError(
                f"--abalo-rate {text}: expected calls a minute, such as 600c; tokens a minute, such as 90000t; or "
                "both, such as 600c,90000t"
            )
        return cls(given.get("c"), given.get("t"))


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a million tokens in prompts (``input``) and in replies (``output``), in any currency."""

    input: float
    output: float

    @classmethod
    def read(cls, text: str) -> Price:
        """Parses ``0.15,0.6``; else raises `AbaloError`."""
        parts = text.split(",")
        if len(parts) != 2 or not all(map(_PRICE.fullmatch, parts)):
            raise AbaloError(
                f"--abalo-price {text}: expected the price of a million tokens in prompts and in replies, such as "
                "0.15,0.6"
            )
        return cls(*map(float, parts))

    def millionths(self, input_tokens: int, output_tokens: int) -> int:
        """The cost in millionths, rounded up."""
        return math.ceil(round(input_tokens * self.input + output_tokens * self.output, 6))


def used_in_words(calls: Mapping[str, int]) -> list[str]:
    """Tokens and cost of counted calls, in words; empty if none is known."""
    used = calls.get("input_tokens", 0), calls.get("output_tokens", 0)
    said = [f"{used[0]:,} of {sum(used):,} tokens in prompts"] if any(used) else []
    return [*said, *cost_in_words(calls)]


def cost_in_words(calls: Mapping[str, int]) -> list[str]:
    """The cost of counted calls, in words; empty if no price is known."""
    return [f"cost {calls['cost'] / 1e6:,.2f}"] if "cost" in calls else []
