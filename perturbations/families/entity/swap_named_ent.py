"""Entities exchanged for others of their type."""

from collections.abc import Sequence
from functools import lru_cache

from perturbations.catalogue import entity_level
from perturbations.languages import ANY, has, rules
from perturbations.languages.parts import Kinds
from perturbations.resources import STAND_INS, Entities, Entity, Pool, sort_of
from perturbations.text import Sentence, Span


@entity_level(
    kind="syntax",
    resizes=True,
    knows=("kinds",),
    aliases=("SwapNamedEnt",),
    renews=True,
    example=("[Ana PESSOA] saiu de [Lima LOCAL]", "[Juvência Laranzal PESSOA] saiu de [Areialva do Norte LOCAL]"),
)
def swap_named_ent(
    sentence: Sentence, span: Span, *, entities: Pool = STAND_INS, language: str = ANY
) -> Sequence[Entity]:
    """Another entity of the same type [TextFlint, catalogue name "SwapNamedEnt"].

    Where the folder of the ``language`` tells kinds of places, a place is of the same kind: in Chinese a country for a
    country, not a city.
    """
    if language == ANY or sort_of(span.type) != "place" or not has(language, "kinds"):
        return entities.entities(span.type)
    name = "".join(sentence.tokens[span.start : span.stop])
    return _of_kind(entities, span.type, language, rules(language, "kinds", Kinds).kind_of(name))


@lru_cache(2**10)
def _of_kind(entities: Pool, type_: str, language: str, kind: str) -> Entities:
    kinds = rules(language, "kinds", Kinds)
    return Entities(each for each in entities.entities(type_) if kinds.kind_of("".join(each)) == kind)
