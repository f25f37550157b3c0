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
    """Replaces an entity with another of the same type [TextFlint, catalogue name "SwapNamedEnt"].

    In a corpus, a string has a type if the corpus labels it so at least twice and in at least a fifth of its
    occurrences. If ``entities`` has fewer than 20 such names, or none fits, the name comes from ``otherwise``, by
    default invented names for persons, places and organisations.

    If the ``language`` knows kinds of names, a name fits only if its kind can replace the old one: a woman for a woman,
    a town for a town; for other types a plural for a plural, an article of a law for an article of a law. An entity
    stays if its kind is unknown or an abbreviation follows it. The new name is in capitals or small letters if the old
    one is. If a name occurs several times in a sentence, all occurrences become the same new name.
    """
    return _others(entities, otherwise, span.type, demand(sentence, span, language))


@lru_cache(2**10)
def _others(entities: Pool, otherwise: Pool, type_: str, demanded: Demand) -> Entities:
    return meeting((pool.entities(type_) for pool in (entities, otherwise)), demanded)
