"""Numbers, names and parameters as reports write them. Nothing here is escaped."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from abalo.errors import visible

NOTHING = "–"
"""Stands where a number has no meaning."""

NAME = 100
"""How many characters of a name are shown before it is cut; one that cannot be seen then takes six."""


def shortened(text: str, length: int) -> str:
    """The text, cut to at most ``length`` characters, the last then an ellipsis."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


QUOTED = 300
"""How many characters of a sentence a line quotes."""


def excerpt(text: str, at: float, length: int = QUOTED) -> str:
    """At most ``length`` characters of the text around a place ``at``, a share of it, with an ellipsis for the rest."""
    if len(text) <= length:
        return text
    start = max(0, min(round(at * len(text)) - length // 4, len(text) - length + 1))
    return shortened(text, length) if start == 0 else "…" + shortened(text[start:].lstrip(), length - 1)


def name(text: str) -> str:
    """A name on one line, its first `NAME` characters."""
    return visible(shortened(text, NAME))


def spoken(identifier: str) -> str:
    """An identifier as words, such as ``character noise``."""
    return identifier.replace("_", " ")


def sentence_case(words: str) -> str:
    """The words with a capital at the front."""
    return words[:1].upper() + words[1:]


def inline(title: str) -> str:
    """A title within a sentence: its first letter small, but in an abbreviation such as ``OCR errors``."""
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]


def number(value: float | None, places: int = 3) -> str:
    """The value with ``places`` decimals and a true minus sign; a dash for None."""
    if value is None:
        return NOTHING
    return f"{round(value, places) + 0.0:.{places}f}".replace("-", "−")


def p_value(p: float | None) -> str:
    """A one-sided p, three decimals, ``< 0.001`` below that; a dash for None."""
    return "< 0.001" if p is not None and p < 0.001 else number(p)


def equals_p(p: float) -> str:
    """A p as a relation, such as ``p = 0.030`` or ``p < 0.001``."""
    shown = p_value(p)
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"


def count(number_of: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun, such as ``1,176 sentences`` or ``1 case``."""
    return f"{number_of:,} {noun if number_of == 1 else plural or noun + 's'}"


def limit(value: float) -> str:
    """A limit with three decimals, or with all it was written with where these are more."""
    return number(value) if abs(value - round(value, 3)) < 1e-9 else f"{value:g}".replace("-", "−")


def parameters(params: Mapping[str, Any]) -> list[str]:
    """Each parameter in words, such as ``rate 0.1``; of a path only its last part."""
    return [_parameter(spoken(key), value) for key, value in params.items()]


def _parameter(spoken_key: str, value: Any) -> str:
    if isinstance(value, bool):
        return spoken_key if value else f"not {spoken_key}"
    return f"{spoken_key} {_value(value)}"


def unusual(params: Mapping[str, Any], usual: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters that differ from what they usually are, and those that are not usually there."""
    return {key: value for key, value in params.items() if key not in usual or usual[key] != value}


def last_part(value: Any) -> Any:
    """A path without its folders; anything else as it is."""
    return re.split(r"[/\\]", value.rstrip("/\\"))[-1] if isinstance(value, str) else value


def _value(value: Any) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:g}"
    names_a_source = re.match(r"[a-z]{2,}:(?![/\\])", str(value))  # such as bundled:legal-pt, not C:\models
    return str(value if names_a_source else last_part(value))


def sign(verdict: str | None) -> str:
    """A mark that tells a verdict without colour."""
    return {"pass": "✓", "fail": "✗", "inconclusive": "?", None: NOTHING}.get(verdict, "!")
