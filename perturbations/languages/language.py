"""The facts of a language."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, field
from typing import Any, Literal

Keyboard = tuple[tuple[float, str], ...]
"""For each row where its first key stands, in widths of a key, and what its keys give without Shift.

A space stands for a dead key, which gives nothing by itself.
"""

Determiner = Literal["definite", "indefinite", "possessive", "fused"]
"""The kind of a determiner; one fused with a preposition stands before its phrase."""

DateWord = Literal["decade", "century", "unit"]
"""What a word makes of a number beside it that could be a year."""


@dataclass(frozen=True, slots=True)
class Called:
    """A perturbation, and the parameters that a further name of it stands for."""

    name: str
    params: Mapping[str, Any] = field(default_factory=dict)


def words_in(text: str) -> frozenset[str]:
    """The words, which white space separates."""
    return frozenset(text.split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The facts of a language; all but its English ``name`` are optional. `perturbations.languages.parts` lists them.

    ``called`` are names that perturbations had or were published under for this language alone. ``usual`` are the
    parameters of perturbations, by name, where a case leaves them open. ``read`` are the perturbations whose variants
    in this language two readers found right, as they are made now (docs/ratings.tsv); all others that write words or
    change grammar are experimental in it. ``rare`` are those that change less than 2 % of each real corpus in it
    (docs/coverage.tsv). ``libraries`` are the distributions behind the values of parameters that name a library, so
    that a report can tell their versions.
    """

    name: str
    letters: str = ""
    telling_letters: str = ""
    small_words: Set[str] = frozenset()
    behind_hyphens: Set[str] = frozenset()
    number_words: tuple[str, ...] = ()
    keyboard: Mapping[str, Keyboard] = field(default_factory=dict)
    fillers: tuple[str, ...] = ()
    handles: tuple[str, ...] = ()
    """Longer than the 15 characters that X allows, so that no user has them."""
    joined_by: str = ""
    contrasted_by: str = ""
    final_marks: tuple[str, ...] = ()
    brackets: tuple[tuple[str, str], ...] = ()
    place_articles: Mapping[str, str | None] = field(default_factory=dict)
    factual_adverbs: Set[str] = frozenset()
    determiner_kinds: Mapping[str, Determiner] = field(default_factory=dict)
    months: Set[str] = frozenset()
    date_words: Mapping[str, DateWord] = field(default_factory=dict)
    range_words: Set[str] = frozenset()
    things_counted_by: Set[str] = frozenset()
    name_joints: tuple[str, ...] = ()
    kept_names: Set[str] = frozenset()
    question_frames: tuple[str, ...] = ()
    text_words: Set[str] = frozenset()
    question_openers: Set[str] = frozenset()
    question_synonyms: Mapping[str, str] = field(default_factory=dict)
    misquoted_by: tuple[str, ...] = ()
    passage_words: Set[str] = frozenset()
    announcing_words: Set[str] = frozenset()
    preamble: str = ""
    answer_words: tuple[str, ...] = ()
    label_words: tuple[str, ...] = ()
    translation_words: tuple[str, ...] = ()
    no_answers: tuple[str, ...] = ()
    answer_articles: tuple[str, ...] = ()
    faker: str = ""
    libraries: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    called: Mapping[str, Called] = field(default_factory=dict)
    usual: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    read: Set[str] = frozenset()
    rare: Set[str] = frozenset()
