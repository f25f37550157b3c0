"""Examples without a label in corpora of labelled texts: which values stand for none, and the notices about them.

An empty field, null and NaN always stand for none. Other values do if no class is likely to be called so:

* ``nan``, ``null`` and ``<NA>``, as pandas and databases write what is missing; ``nan`` among codes of languages is one
  of them (ISO 639-3).
* ``-1``, as data sets number what has no class, unless it is part of a scale: beside 1 alone, or beside other negative
  numbers. Beside 0 and 1 alone it can be either.
* ``None``, as Python writes what is missing, beside numbers or labels in lower case; ``none`` and ``NONE`` beside
  numbers alone, since many corpora have a class of that name.
* ``-``, as SNLI marks pairs on which annotators do not agree, unless ``+`` is a label.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from abalo.core.words import count
from abalo.corpora.tables import SEPARATOR
from abalo.errors import visible

MISSING = ""
"""Stands for an empty field, null and NaN where values are counted."""

PARAMETER = "unlabelled"
"""The parameter of a corpus that names the values which stand for no label: ``FILE?unlabelled=-1``."""

_NAMES = ("nan", "NaN", "NAN", "null", "Null", "NULL", "<NA>", "<na>")
_NONE = ("none", "None", "NONE")
_NUMBERED = ("-1", "-1.0")
_DASH = "-"
_CANDIDATES = frozenset((*_NAMES, *_NONE, *_NUMBERED, _DASH))

_NUMBER = re.compile(r"[+-]?\d+(\.0*)?")
_CODE = re.compile(r"[a-z]{2,3}([-_]\w+)?")
_SEVERAL_CODES = 3
_ASKED = re.compile(r"(.*)\?(\w+=.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Unlabelled:
    """The values that stand for no label in a corpus, and labels that are kept and could stand for none."""

    values: frozenset[str]
    doubtful: tuple[str, ...] = ()

    def to_json(self) -> dict[str, list[str]]:
        """The values by name, as JSON has them."""
        return {"values": sorted(self.values), "doubtful": list(self.doubtful)}

    @classmethod
    def from_json(cls, values: Mapping[str, Sequence[str]]) -> Unlabelled:
        """The same from what `to_json` gave."""
        return cls(frozenset(values["values"]), tuple(values["doubtful"]))


def unlabelled_in(
    labels: Iterable[str], *, graded: bool, none_is_extra: bool = False, none_is_class: bool = False
) -> Unlabelled:
    """The values that stand for no label in a corpus with these ``labels``, whether or not it has these values.

    Args:
        labels: All values of labels, those that may stand for none among them.
        graded: Whether -1, 0 and 1 can be the labels, as of sentiment.
        none_is_extra: Whether the other labels leave no meaning for a class ``none``.
        none_is_class: Whether ``none`` is known to be a class, so that there is no doubt of it.
    """
    there = {*labels}
    others = there - _CANDIDATES
    values = {each for each in _NAMES if not _is_code(each, others)}
    values |= {_DASH} if "+" not in others else set()
    doubtful = set()
    numbers = all(map(_NUMBER.fullmatch, others))
    if none_is_extra or (numbers and (others or not none_is_class)):
        values |= {*_NONE}
    elif others and not any(map(_is_title, others)):
        values.add("None")
    if not none_is_class:
        doubtful |= {*_NONE} - values
    numbered, unsure = _numbered(others, graded=graded)
    values |= {*_NUMBERED} if numbered else set()
    doubtful |= {*_NUMBERED} if unsure else set()
    return Unlabelled(frozenset(values), tuple(sorted(doubtful & there)))


def _numbered(others: Collection[str], *, graded: bool) -> tuple[bool, bool]:
    """Whether -1 stands for no label, and whether that is in doubt."""
    if not all(map(_NUMBER.fullmatch, others)):
        return True, False
    numbers = {int(float(each)) for each in others}
    if any(number < 0 for number in numbers) or numbers == {1}:
        return False, False
    unsure = numbers == {0} or (graded and numbers == {0, 1})
    return not unsure, unsure


def _is_code(value: str, others: Collection[str]) -> bool:
    """Whether a value is a code of a language among others."""
    return value == "nan" and len(others) >= _SEVERAL_CODES and all(map(_CODE.fullmatch, others))


def _is_title(label: str) -> bool:
    return label[:1].isupper() and label != label.upper()


def parameter_of(spec: str) -> tuple[str, Unlabelled | None]:
    """The name of a corpus without the parameter that names the values, and these; None if it has none."""
    found = _ASKED.fullmatch(spec)
    if found is None or Path(spec).is_file():
        return spec, None
    name, parts = found[1], found[2].split("&")
    own = [part for part in parts if part.startswith(f"{PARAMETER}=")]
    rest = "&".join(part for part in parts if part not in own)
    if not own:
        return spec, None
    values = own[-1].partition("=")[2].split(SEPARATOR)
    return (f"{name}?{rest}" if rest else name), Unlabelled(frozenset(values))


def names_values(spec: str) -> bool:
    """Whether the name of a corpus names the values that stand for no label."""
    return parameter_of(spec)[1] is not None


def is_missing(value: Any) -> bool:
    """Whether a value is null, NaN or blank."""
    blank = isinstance(value, str) and not value.strip()
    return value is None or blank or (isinstance(value, float) and value != value)


def is_unlabelled(value: Any) -> bool:
    """Whether a value stands for no label in a corpus whose labels have fixed names."""
    return as_written(value) in (MISSING, *_CANDIDATES)


def as_written(value: Any) -> str | None:
    """The text of a value that may be a label; `MISSING` for none, None for what is no label at all."""
    if is_missing(value):
        return MISSING
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def counted_out(values: Iterable[str]) -> dict[str, int]:
    """How often each value stands for no label, by value."""
    return dict(sorted(Counter(values).items()))


def on_unlabelled(
    left_out: Mapping[str, int], doubtful: Sequence[str], noun: str, *, chosen: bool = False
) -> Iterator[str]:
    """A line about the examples that are left out, and one about labels that may stand for none, if there are any.

    The line says how to keep a value unless the user has ``chosen`` those that are left out, or nobody can.
    """
    if left_out:
        total = sum(left_out.values())
        ranked = sorted(left_out, key=lambda value: (-left_out[value], value))
        told = ", ".join(f"{visible(value) or 'missing'} {left_out[value]:,}" for value in ranked)
        named = [] if chosen else [value for value in ranked if value]
        kept = f" If {named[0]} is a label, keep it with FILE?{PARAMETER}= at the end of the corpus." if named else ""
        verb = "has no label and is" if total == 1 else "have no label and are"
        yield f"{count(total, noun)} {verb} left out ({told}).{kept}"
    for label in doubtful:
        yield (
            f"{visible(label)} counts as a label. If it marks {noun}s without one, leave these out with "
            f"FILE?{PARAMETER}={label} at the end of the corpus."
        )


def none_labelled(left_out: int, noun: str) -> str:
    """The problem of a corpus whose examples are all left out."""
    told = f"none of {count(left_out, noun)} has a label" if left_out > 1 else f"the only {noun} has no label"
    return f"{told}; expected labels, which test sets are often published without: choose another split or file"
