"""Recipes: attacks as data. A goal, a search, candidates and constraints, put together under a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from random import Random
from typing import Any, ClassVar, TypeVar

from abalo.attacks.attack import Aims, Attack, AttackSettings, Planned, Reached
from abalo.attacks.limits import Limit, most_changed, most_edits, most_words
from abalo.attacks.parts import Candidates, Tuning, methods, rankings
from abalo.attacks.planning import assembled
from abalo.core.configuring import Lists, Ranges
from abalo.core.targets import Target
from perturbations import Perturbed
from perturbations.languages import with_parts
from perturbations.lexicons import words
from perturbations.suggestions import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeSettings(AttackSettings):
    """Settings of every recipe; each has defaults of its own, as published.

    ``search`` and ``ranking`` name the way to search and the order of words; ``width`` is that of a beam, or how many
    states live in a genetic search of so many ``generations``, ``unknown`` the token that stands for a word in the
    rankings that hide words. At most ``most_words`` words are changed, 0 for any number, at most the share
    ``most_changed`` of the words, and at most ``most_edits`` characters, 0 for any number. Words of the list
    ``stop_words`` are never touched; empty for none. ``to`` is the only way of being wrong that counts as a success: of
    a text or a word the label that it should get, of an entity "missed", "retyped" or "boundary", and "invented" for an
    entity where there is none; empty for any.
    """

    least_similarity: float = -1.0
    parts_of_speech: str = "off"
    search: str = "greedy"
    ranking: str = "deletion"
    width: int = 1
    generations: int = 20
    unknown: str = "[UNK]"
    most_words: int = 0
    most_changed: float = 1.0
    most_edits: int = 0
    stop_words: str = "stop_words_pt"
    to: str = ""

    ranges: ClassVar[Ranges] = {
        **AttackSettings.ranges,
        "width": (1, 10**6),
        "generations": (0, 10**6),
        "most_words": (0, 10**9),
        "most_changed": (0, 1),
        "most_edits": (0, 10**9),
    }

    def __post_init__(self) -> None:
        AttackSettings.__post_init__(self)
        for name, known in (("search", methods()), ("ranking", rankings())):
            given = getattr(self, name)
            if given not in known:
                expected = ", ".join(map(repr, known))
                raise ValueError(f"{name} is {given!r}; expected one of {expected}{did_you_mean(given, known)}")
        if not self.unknown.strip():
            raise ValueError(f"unknown is {self.unknown!r}; expected a token")
        if self.stop_words:
            words(self.stop_words)  # says so where there is no such list

    @property
    def goal(self) -> str:
        """The one way of being wrong that counts."""
        return self.to

    def limits(self) -> list[Limit]:
        """Those that limit anything."""
        found = [most_words(self.most_words)] if self.most_words else []
        found += [most_changed(self.most_changed)] if self.most_changed < 1 else []
        return found + ([most_edits(self.most_edits)] if self.most_edits else [])

    def tuning(self) -> Tuning:
        """The settings of rankings and searches."""
        return Tuning(Random(0), self.unknown, self.width, self.most_words, generations=self.generations)


S = TypeVar("S", bound=RecipeSettings)

STOP_WORDS: Lists = {code: {"stop_words": f"stop_words_{code}"} for code in with_parts("letters", "stop_words")}
"""The stop words by language, of those with letters."""


def recipe(
    name: str,
    settings: type[S],
    candidates: Callable[[S, int], Candidates],
    *,
    title: str = "",
    drawn: bool = False,
    of_spans: bool | None = None,
    lists: Lists = STOP_WORDS,
    needs: Mapping[str, str] | None = None,
    reached: Reached[S] | None = None,
) -> Attack[S]:
    """The attack of that name, with ``candidates`` made from its settings and a seed.

    ``drawn`` says whether the candidates are drawn. The others are as in `Attack`. The first line of the docstring of
    ``candidates`` says what the attack does.
    """

    @wraps(candidates)
    def plan(aims: Aims, chosen: S) -> Planned:
        made = candidates(chosen, aims.seed)
        method, ranking = methods()[chosen.search], rankings()[chosen.ranking]
        sources = {
            "candidates": made.name,
            "stop words": chosen.stop_words or "none",
            "search": f"{method.name}, words by {ranking.name}" if method.ranks else method.name,
        }
        stops = words(chosen.stop_words) if chosen.stop_words else frozenset[str]()
        return assembled(name, aims, made, ranking, method, chosen.tuning(), stops, sources)

    def seeded(chosen: S) -> bool:
        method = methods()[chosen.search]
        return drawn or method.drawn or (method.ranks and rankings()[chosen.ranking].drawn)

    return Attack(
        name, settings, plan, seeded, of_spans, lists, needs=needs or {}, reached=reached or _turned, title=title
    )


def _turned(settings: RecipeSettings, target: Target, prediction: Any, made: Perturbed | None) -> bool | None:
    """Whether the target is wrong in the one way that counts; None where any way does."""
    return target.read(prediction, made).broken if settings.to else None
