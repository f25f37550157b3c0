"""Entities exchanged for others of their type."""

from collections.abc import Sequence
from functools import lru_cache

from perturbations.catalogue import entity_level
from perturbations.families.entity.alike import Demand, demand, meeting
from perturbations.languages import ANY
from perturbations.resources import INVENTED, STAND_INS, Entities, Entity, Pool
from perturbations.text import Sentence, Span


@entity_level(
    title="Other entities of the same type",
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
    are fewer than 20 of these in ``entities``, or none fits, it is one of ``otherwise``; invented names are there for
    persons, places and organisations. Where the folder of the ``language`` tells kinds of names, only one of a kind
    that can stand there is offered: a woman for a woman, a town for a town, and of other types a plural for a plural,
    an article of a law for an article of a law. An entity stays as it is if its kind is unknown or if an abbreviation
    follows it. The new one is in capitals or small letters where the entity is, and one name in a sentence becomes one
    new name.
    """
    return _others(entities, otherwise, span.type, demand(sentence, span, language))


@lru_cache(2**10)
def _others(entities: Pool, otherwise: Pool, type_: str, demanded: Demand) -> Entities:
    return meeting((pool.entities(type_) for pool in (entities, otherwise)), demanded)
