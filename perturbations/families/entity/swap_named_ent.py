"""Entities exchanged for others of their type."""

from collections.abc import Sequence
from functools import lru_cache

from perturbations.catalogue import entity_level
from perturbations.families.entity.alike import kind_at, of_kind
from perturbations.languages import ANY
from perturbations.resources import INVENTED, STAND_INS, Entity, Pool, enough
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
    sentence: Sentence, span: Span, *, entities: Pool = STAND_INS, otherwise: Pool = INVENTED, language: str = ANY
) -> Sequence[Entity]:
    """Another entity of the same type [TextFlint, catalogue name "SwapNamedEnt"].

    A corpus has a string as one of a type where it is so twice and in a fifth of its occurrences at least. Where there
    are fewer than 20 of these in ``entities``, it is one of ``otherwise``; invented names are there for persons, places
    and organisations. Where the folder of the ``language`` tells kinds of places, a place is of the same kind: in
    Chinese a country for a country, not a city.
    """
    return _others(entities, otherwise, span.type, language, kind_at(sentence, span, language))


@lru_cache(2**10)
def _others(entities: Pool, otherwise: Pool, type_: str, language: str, kind: str | None) -> Sequence[Entity]:
    return of_kind(enough(entities.entities(type_), otherwise.entities(type_)), language, kind)
