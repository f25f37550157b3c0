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
    """Replaces an entity with a name that other types have too [TextFlint, catalogue name "CrossCategory"].

    The name has the type of the entity and, elsewhere, another. In a corpus, a string has a type if the corpus labels
    it so at least twice and in at least a fifth of its occurrences. If ``entities`` has fewer than 20 such names, or
    none fits, the name comes from ``otherwise``. By default that has real names such as *Washington* for persons,
    places and organisations; in Chinese, invented ones. Names fit as in `swap_named_ent`; a surname fits any person.
    """
    return _shared_entities(entities, otherwise, span.type, with_surnames(demand(sentence, span, language)))


@lru_cache(2**10)
def _shared_entities(entities: Pool, otherwise: Pool, type_: str, demanded: Demand) -> Entities:
    return meeting((pool.shared(type_) for pool in (entities, otherwise)), demanded)
