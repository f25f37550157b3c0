"""Entities exchanged for names that only the context tells the type of."""

from collections.abc import Sequence
from functools import lru_cache

from perturbations.catalogue import entity_level
from perturbations.families.entity.alike import Demand, demand, meeting, with_surnames
from perturbations.resources import REAL, STAND_INS, Entities, Entity, Pool
from perturbations.text import Sentence, Span


@entity_level(
    title="Entities that another type has, too",
    kind="syntax",
    resizes=True,
    needs=("names",),
    knows=("kinds",),
    aliases=("CrossCategory",),
    renews=True,
    example=("[Ana PESSOA] saiu de [Lima LOCAL]", "[Alvarenço PESSOA] saiu de [Dornelval LOCAL]"),
)
def swap_ent_cross_category(
    sentence: Sentence, span: Span, *, entities: Pool = STAND_INS, otherwise: Pool = REAL, language: str = "pt"
) -> Sequence[Entity]:
    """An entity of the same type that is of another type elsewhere [TextFlint, catalogue name "CrossCategory"].

    A corpus has a string as one of a type where it is so twice and in a fifth of its occurrences at least. Where there
    are fewer than 20 of several types in ``entities``, or none fits, it is one of ``otherwise``; real names such as
    *Washington* are there for persons, places and organisations, in Chinese invented ones. What fits is as for
    `swap_named_ent`, and a surname for any person.
    """
    return _shared(entities, otherwise, span.type, with_surnames(demand(sentence, span, language)))


@lru_cache(2**10)
def _shared(entities: Pool, otherwise: Pool, type_: str, demanded: Demand) -> Entities:
    return meeting((pool.shared(type_) for pool in (entities, otherwise)), demanded)
