"""Recipes: attacks that combine a goal, a search, candidates and constraints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from random import Random
from typing import ClassVar, TypeVar

from abalo.attacks.assembly import assemble
from abalo.attacks.attack import Aims, Attack, AttackSettings, IsReached, Started
from abalo.attacks.limits import Limit, most_changed, most_edits, most_words
from abalo.attacks.parts import Candidates, Tuning, methods, rankings
from abalo.core.records.configuring import Lists, Ranges
from abalo.core.records.targets import Target
from perturbations import Perturbed
from perturbations.languages import with_parts
from perturbations.lexicons import words
from perturbations.suggestions import did_you_mean


@dataclass(frozen=True, slots=True, kw_only=True)
class RecipeSettings(AttackSettings):
    """Settings of every recipe, explained in `abalo.probes.meanings`; the defaults of each are the published ones."""

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
        return self.to

    def limits(self) -> list[Limit]:
        found = [most_words(self.most_words)] if self.most_words else []
        found += [most_changed(self.most_changed)] if self.most_changed < 1 else []
        return found + ([most_edits(self.most_edits)] if self.most_edits else [])

    def tuning(self) -> Tuning:
        """The settings of rankings and searches."""
        return Tuning(Random(0), self.unknown, self.width, self.most_words, generations=self.generations)


S = TypeVar("S", bound=RecipeSettings)

STOP_WORDS: Lists = {code: {"stop_words": f"stop_words_{code}"} for code in with_parts("letters", "stop_words")}


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
    reached: IsReached[S] | None = None,
    experimental: str = "",
) -> Attack[S]:
    """Makes an attack; ``candidates`` gets the settings and a seed, and its docstring describes the attack.

    ``drawn`` says whether candidates are drawn; other arguments are as in `Attack`.
    """

    @wraps(candidates)
    def start(aims: Aims, chosen: S) -> Started:
        return start_recipe(name, aims, chosen, candidates(chosen, aims.seed), experimental)

    def seeded(chosen: S) -> bool:
        return drawn or is_seeded(chosen)

    return Attack(
        name,
        settings,
        start,
        seeded,
        of_spans,
        lists,
        needs=needs or {},
        reached=reached or _turns_label,
        experimental=experimental,
        title=title,
    )


def is_seeded(settings: RecipeSettings) -> bool:
    """Whether the search or the ranking draws."""
    method = methods()[settings.search]
    return method.drawn or (method.ranks and rankings()[settings.ranking].drawn)


def start_recipe(
    name: str, aims: Aims, settings: RecipeSettings, candidates: Candidates, experimental: str = ""
) -> Started:
    """A search for each target; draws depend on the attack's ``name``."""
    method, ranking = methods()[settings.search], rankings()[settings.ranking]
    sources = {
        "candidates": f"{candidates.name}; {experimental}" if experimental else candidates.name,
        "stop words": settings.stop_words or "none",
        "search": f"{method.name}, words by {ranking.name}" if method.ranks else method.name,
    }
    stops = words(settings.stop_words) if settings.stop_words else frozenset[str]()
    return assemble(name, aims, candidates, ranking, method, settings.tuning(), stops, sources)


def _turns_label(settings: RecipeSettings, target: Target, prediction: object, made: Perturbed | None) -> bool | None:
    return target.read(prediction, made).broken if settings.to else None
