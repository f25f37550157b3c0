"""Entities exchanged for others of their type."""

from collections.abc import Sequence

from perturbations.catalogue import entity_level
from perturbations.families.entity.kinds import of_its_kind
from perturbations.languages import ANY
from perturbations.resources import STAND_INS, Entity, Pool
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
    return of_its_kind(sentence, span, language, entities.entities, span.type)
