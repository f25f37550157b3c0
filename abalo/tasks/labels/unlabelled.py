"""Values that mean "no label" in labelled corpora.

Empty fields, null and NaN always do. Others do if they are unlikely names of a class:

* ``nan``, ``null`` and ``<NA>``; not ``nan`` among language codes (ISO 639-3).
* ``-1``, unless a scale has only 1 besides, or other negative numbers; beside only 0 and 1 it is ambiguous.
* ``None`` among numbers or lower-case labels; ``none`` and ``NONE`` only among numbers.
* ``-``, as SNLI marks pairs without agreement, unless ``+`` is a label.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from abalo.core.protocols.corpus_spec import CorpusSetting
from abalo.core.records.tally import Tally
from abalo.core.records.words import count
from abalo.corpora.tables import SEPARATOR
from abalo.errors import visible

MISSING = ""

PARAMETER = "unlabelled"

_NAMES = ("nan", "NaN", "NAN", "null", "Null", "NULL", "<NA>", "<na>")
_NONE = ("none", "None", "NONE")
_NUMBERED = ("-1", "-1.0")
_DASH = "-"
_CANDIDATES = frozenset((*_NAMES, *_NONE, *_NUMBERED, _DASH))

_NUMBER = re.compile(r"[+-]?\d+(\.0*)?")
_CODE = re.compile(r"[a-z]{2,3}([-_]\w+)?")
_SEVERAL_CODES = 3


@dataclass(frozen=True, slots=True)
class Unlabelled:
    """The values that mean no label, and ambiguous labels."""

    values: frozenset[str]
    doubtful: tuple[str, ...] = ()

    def to_json(self) -> dict[str, list[str]]:
        return {"values": sorted(self.values), "doubtful": list(self.doubtful)}

    @classmethod
    def from_json(cls, values: Mapping[str, Sequence[str]]) -> Unlabelled:
        return cls(frozenset(values["values"]), tuple(values["doubtful"]))


UNLABELLED = CorpusSetting(
    PARAMETER,
    "values that mean no label, such as -1|nan; if empty, only empty fields do",
    "VALUES",
    read=lambda text: Unlabelled(frozenset(text.split(SEPARATOR))),
    empty=True,
)


def find_unlabelled(
    labels: Iterable[str], *, graded: bool, none_is_extra: bool = False, none_is_class: bool = False
) -> Unlabelled:
    """The values that would mean no label in a corpus with these ``labels``.

    ``graded`` allows labels -1, 0 and 1. ``none_is_extra``: other labels leave no meaning for ``none``.
    ``none_is_class``: ``none`` is known to be a class.
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
    numbered, unsure = _minus_one(others, graded=graded)
    values |= {*_NUMBERED} if numbered else set()
    doubtful |= {*_NUMBERED} if unsure else set()
    return Unlabelled(frozenset(values), tuple(sorted(doubtful & there)))


def _minus_one(others: Collection[str], *, graded: bool) -> tuple[bool, bool]:
    if not all(map(_NUMBER.fullmatch, others)):
        return True, False
    numbers = {int(float(each)) for each in others}
    if any(number < 0 for number in numbers) or numbers == {1}:
        return False, False
    unsure = numbers == {0} or (graded and numbers == {0, 1})
    return not unsure, unsure


def _is_code(value: str, others: Collection[str]) -> bool:
    return value == "nan" and len(others) >= _SEVERAL_CODES and all(map(_CODE.fullmatch, others))


def _is_title(label: str) -> bool:
    return label[:1].isupper() and label != label.upper()


def is_missing(value: object) -> bool:
    """True for null, NaN and blank values."""
    blank = isinstance(value, str) and not value.strip()
    return value is None or blank or (isinstance(value, float) and value != value)


def is_unlabelled(value: object) -> bool:
    """True if a value means no label among labels with fixed names."""
    return as_written(value) in (MISSING, *_CANDIDATES)


def as_written(value: object) -> str | None:
    """The text of a label; `MISSING` if missing, None if unusable."""
    if is_missing(value):
        return MISSING
    if isinstance(value, str):
        return value.strip()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else None


def count_values(values: Iterable[str]) -> dict[str, int]:
    """The number of occurrences of each value."""
    return dict(sorted(Counter(values).items()))


def tally_unlabelled(tally: Tally, left_out: Mapping[str, int], noun: str, gold: str = "label") -> None:
    """Counts examples without a label, by the value that stands there."""
    for value, number in left_out.items():
        tally.left_out(noun, f"with {visible(value)} for a {gold}" if value else f"without a {gold}", number)


def on_unlabelled(
    left_out: Mapping[str, int], doubtful: Sequence[str], noun: str, *, chosen: bool = False
) -> Iterator[str]:
    """Notices about values left out, unless the user has ``chosen`` them, and ambiguous labels."""
    named = [] if chosen else [value for value in left_out if value]
    if named:
        often = max(named, key=lambda value: left_out[value])
        yield f"If {visible(often)} is a label, keep it with FILE?{PARAMETER}= at the end of the corpus."
    for label in doubtful:
        yield (
            f"{visible(label)} counts as a label. If it marks {noun}s without one, leave these out with "
            f"FILE?{PARAMETER}={label} at the end of the corpus."
        )


def none_labelled(left_out: int, noun: str) -> str:
    """The problem if all examples are left out."""
    told = f"none of {count(left_out, noun)} has a label" if left_out > 1 else f"the only {noun} has no label"
    return f"{told}; expected labels, which test sets are often published without: choose another split or file"
