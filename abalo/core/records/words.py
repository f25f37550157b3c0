"""Numbers, names and parameters as reports write them."""

from __future__ import annotations

import re
from collections.abc import Mapping

from abalo.errors import visible

DECIMALS = 6
"""Decimal places in robustness.json."""

NOTHING = "–"
"""Stands for a meaningless number."""

VERDICT_ON_BOUND = "Verdict on bound"

WHAT_TO_DO = "What to do"

TO_LOOK_INTO = "To look into"

NAME, PLACE = 100, 40


def shorten(text: str, length: int) -> str:
    """The text, cut to ``length`` characters with an ellipsis."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


QUOTED = 300


def excerpt(text: str, at: float, length: int = QUOTED) -> str:
    """At most ``length`` characters around the relative position ``at``."""
    if len(text) <= length:
        return text
    start = max(0, min(round(at * len(text)) - length // 4, len(text) - length + 1))
    return shorten(text, length) if start == 0 else "…" + shorten(text[start:].lstrip(), length - 1)


def name(text: str) -> str:
    """A name on one line, cut to `NAME` characters."""
    return visible(shorten(text, NAME))


def place(path: str) -> str:
    """A name on one line; of a long path only the file and its folder, such as ``…/data/dev.conll``."""
    parts = re.split(r"[/\\]", path.rstrip("/\\"))
    return name(path if len(path) <= PLACE or len(parts) < 3 else f"…/{'/'.join(parts[-2:])}")


def label(text: str) -> str:
    """A label as a name in a sentence; in quotes if it could be read as a count."""
    return f"“{name(text)}”" if re.fullmatch(r"[-+.,\d]*\d[-+.,\d]*", text) else name(text)


def identifier_in_words(identifier: str) -> str:
    """An identifier as words, such as ``character noise``."""
    return identifier.replace("_", " ")


def sentence_case(words: str) -> str:
    """The words with a leading capital."""
    return words[:1].upper() + words[1:]


def inline(title: str) -> str:
    """A title within a sentence, lower case except abbreviations."""
    return title if title[1:2].isupper() else title[:1].lower() + title[1:]


def number(value: float | None, places: int = 3) -> str:
    """The value with ``places`` decimals, as if read from a report, and a true minus sign; a dash for None."""
    if value is None:
        return NOTHING
    return f"{round(round(value, DECIMALS), places) + 0.0:.{places}f}".replace("-", "−")


def p_value(p: float | None) -> str:
    """A one-sided p with three decimals; a dash for None."""
    return "< 0.001" if p is not None and p < 0.001 else number(p)


def equals_p(p: float) -> str:
    """A p as a relation, such as ``p = 0.030`` or ``p < 0.001``."""
    shown = p_value(p)
    return f"p {shown}" if shown.startswith("<") else f"p = {shown}"


def count(number_of: int, noun: str, plural: str | None = None) -> str:
    """A number with its noun, such as ``1,176 sentences``."""
    several = plural or noun + ("es" if noun.endswith("ss") else "s")
    return f"{number_of:,} {noun if number_of == 1 else several}"


_SHOWN = {"inconclusive": "undecided", "can't tell": "undecided"}


def state(word: str) -> str:
    """A verdict on a bound or the state of a loss, as reports show it: one word if the data decide nothing."""
    return _SHOWN.get(word, word)


def reply(*, unreadable: bool) -> str:
    """The name of a reply."""
    return "unreadable reply" if unreadable else "reply"


def limit(value: float) -> str:
    """A limit with at least three decimals."""
    return number(value) if abs(value - round(value, 3)) < 1e-9 else f"{value:g}".replace("-", "−")


_FIELD = "field"


def parameters(params: Mapping[str, object]) -> list[str]:
    """Each parameter in words, such as ``rate 0.1``."""
    return [_parameter(identifier_in_words(key), value) for key, value in params.items()]


def _parameter(spoken_key: str, value: object) -> str:
    if isinstance(value, bool):
        return spoken_key if value else f"not {spoken_key}"
    if spoken_key == _FIELD:
        return _value(value)
    return f"{spoken_key} {_value(value)}"


def unusual(params: Mapping[str, object], usual: Mapping[str, object]) -> dict[str, object]:
    """The parameters that differ from the usual ones."""
    return {key: value for key, value in params.items() if key not in usual or usual[key] != value}


def last_part(value: object) -> object:
    """A path without its folders; other values unchanged."""
    return re.split(r"[/\\]", value.rstrip("/\\"))[-1] if isinstance(value, str) else value


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return " ".join(map(str, value))
    if isinstance(value, float):
        return f"{value:g}"
    names_a_source = re.match(r"[a-z]{2,}:(?![/\\])", str(value))  # such as bundled:legal-pt, not C:\models
    return str(value if names_a_source else last_part(value))


def sign(verdict: str | None) -> str:
    """A mark for a verdict, without colour."""
    return {"pass": "✓", "fail": "✗", "inconclusive": "?", None: NOTHING}.get(verdict, "!")
