"""Entities exchanged for longer ones, whose ends are harder to find."""

from collections.abc import Sequence
from functools import lru_cache

from perturbations.catalogue import entity_level
from perturbations.families.entity.kinds import of_its_kind
from perturbations.languages import ANY
from perturbations.resources import STAND_INS, Entities, Entity, Pool
from perturbations.text import Sentence, Span


@entity_level(
    kind="morphology",
    resizes=True,
    knows=("kinds",),
    aliases=("SwapLonger",),
    renews=True,
    example=("a [Acme ORG] faliu", "a [Companhia Brasvolt de Energia do Sertão ORG] faliu"),
)
def swap_ent_longer(
    sentence: Sentence, span: Span, *, entities: Pool = STAND_INS, least: int = 3, language: str = ANY
) -> Sequence[Entity]:
    """An entity of the same type with more tokens, at least ``least`` [TextFlint, catalogue name "SwapLonger"].

    It is another one, not the full form of the one there. The length is that of the catalogue's. In Chinese a place is
    of the same kind, a country for a country.
    """
    return of_its_kind(sentence, span, language, _longer, entities, span.type, max(least, len(span) + 1))


@lru_cache(2**10)
def _longer(entities: Pool, kind: str, least: int) -> Entities:
    return Entities(entity for entity in entities.entities(kind) if len(entity) >= least)
