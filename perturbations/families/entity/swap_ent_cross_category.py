"""Entities exchanged for names that only the context tells the type of."""

from collections.abc import Sequence

from perturbations.catalogue import entity_level
from perturbations.resources import INVENTED, STAND_INS, Entity, Pool
from perturbations.text import Sentence, Span


@entity_level(
    kind="syntax",
    resizes=True,
    needs=("invented",),
    aliases=("CrossCategory",),
    renews=True,
    example=("[Ana PESSOA] saiu de [Lima LOCAL]", "[Vitorial PESSOA] saiu de [Santoral LOCAL]"),
)
def swap_ent_cross_category(
    _sentence: Sentence, span: Span, *, entities: Pool = STAND_INS, otherwise: Pool = INVENTED
) -> Sequence[Entity]:
    """An entity of the same type that is of another type elsewhere [TextFlint, catalogue name "CrossCategory"].

    Where ``entities`` has none, it is one of ``otherwise``; invented names are there for persons, places and
    organisations.
    """
    return entities.shared(span.type) or otherwise.shared(span.type)
