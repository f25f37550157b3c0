"""Options that are numbers."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

_NUMBER = re.compile(
    r"(?P<sign>[-+]?)(?P<currency>(?:[$€£]|r\$)?) ?(?P<digits>\d(?:[\d.,]{0,30}\d)?)(?P<power>e[-+]?\d{1,2})?"
    r" ?(?P<unit>[^\W\d](?:[^\W\d]|[/°%·-]){0,20}[23]?(?: (?:[^\W\d]|[/-]){1,20})?|%|°(?: ?[cf])?)?"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")
_MILHARES = re.compile(r"\d{1,3}(?:\.\d{3})+(?:,\d+)?")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number and its unit, or ""."""

    value: Fraction
    unit: str


def quantities(options: Sequence[str]) -> list[Quantity | None]:
    """The options as quantities; None for other options.

    A comma before three digits groups thousands, otherwise it is decimal; a point is decimal. All are read the other
    way if any option requires it (``1.234.567``, ``1.234,5``).
    """
    found = [_NUMBER.fullmatch(_minus(option)) for option in options]
    digits = [match["digits"] for match in found if match]
    turned = any(_MILHARES.fullmatch(text) and ("," in text or text.count(".") > 1) for text in digits)
    return [_quantity(match, turned) if match else None for match in found]


def _minus(option: str) -> str:
    plain = unicodedata.normalize("NFC", option).casefold()
    return " ".join(plain.replace("\u2212", "-").replace("\u2013", "-").split()).rstrip(".")


def _quantity(match: re.Match[str], turned: bool) -> Quantity | None:
    text = match["digits"]
    if turned:
        text = text.replace(".", "").replace(",", ".")
    elif _THOUSANDS.fullmatch(text):
        text = text.replace(",", "")
    else:
        text = text.replace(",", ".")
    if text.count(".") > 1:
        return None
    value = Fraction(f"{match['sign']}{text}{match['power'] or ''}")
    return Quantity(value, " ".join(part for part in (match["currency"], match["unit"]) if part))


def gap(a: Fraction, b: Fraction) -> Fraction:
    """The relative gap |a − b| / max(|a|, |b|), 0 to 2; 0 for two zeros."""
    return abs(a - b) / max(abs(a), abs(b)) if a != b else Fraction(0)
