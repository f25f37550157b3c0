"""Places within their kind, where the folder of a language tells kinds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from perturbations.languages import ANY, has, rules
from perturbations.languages.parts import Kinds
from perturbations.resources import Entities, Entity, sort_of
from perturbations.text import Sentence, Span

Listed = Callable[..., Sequence[Entity]]
"""A function that lists entities; its arguments can be keys of a dictionary."""


def of_its_kind(sentence: Sentence, span: Span, language: str, listed: Listed, *arguments: object) -> Sequence[Entity]:
    """The listed entities; in place of a place only those of its kind, such as countries for a country."""
    if language == ANY or sort_of(span.type) != "place" or not has(language, "kinds"):
        return listed(*arguments)
    name = "".join(sentence.tokens[span.start : span.stop])
    return _of_kind(rules(language, "kinds", Kinds).kind_of(name), language, listed, arguments)


@lru_cache(2**10)
def _of_kind(kind: str, language: str, listed: Listed, arguments: tuple[object, ...]) -> Entities:
    kinds = rules(language, "kinds", Kinds)
    return Entities(each for each in listed(*arguments) if kinds.kind_of("".join(each)) == kind)
