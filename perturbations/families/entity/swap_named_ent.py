"""Entities exchanged for others of their type."""

from collections.abc import Sequence

from perturbations.catalogue import entity_level
from perturbations.resources import STAND_INS, Entity, Pool
from perturbations.text import Sentence, Span


@entity_level(
    kind="syntax",
    resizes=True,
    aliases=("SwapNamedEnt",),
    renews=True,
    example=("[Ana PESSOA] saiu de [Lima LOCAL]", "[Juvência Laranzal PESSOA] saiu de [Areialva do Norte LOCAL]"),
)
def swap_named_ent(_sentence: Sentence, span: Span, *, entities: Pool = STAND_INS) -> Sequence[Entity]:
    """Another entity of the same type [TextFlint, catalogue name "SwapNamedEnt"]."""
    return entities.entities(span.type)
