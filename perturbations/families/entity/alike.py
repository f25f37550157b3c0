"""Places of one kind, in languages that tell their kinds."""

from __future__ import annotations

from collections.abc import Sequence

from perturbations.languages import ANY, has, rules
from perturbations.languages.parts import Kinds
from perturbations.resources import Entities, Entity, sort_of
from perturbations.text import Sentence, Span


def kind_at(sentence: Sentence, span: Span, language: str) -> str | None:
    """The kind of the place there; None of what is no place, and where the folder of the language tells no kinds."""
    if language == ANY or sort_of(span.type) != "place" or not has(language, "kinds"):
        return None
    return rules(language, "kinds", Kinds).kind_of("".join(sentence.tokens[span.start : span.stop]))


def of_kind(entities: Sequence[Entity], language: str, kind: str | None) -> Sequence[Entity]:
    """Those that are places of the kind; all of them if it is None."""
    if kind is None:
        return entities
    kinds = rules(language, "kinds", Kinds)
    return Entities(each for each in entities if kinds.kind_of("".join(each)) == kind)
