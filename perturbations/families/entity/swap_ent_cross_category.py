"""Entities exchanged for names that only the context tells the type of."""

from collections.abc import Sequence
from functools import lru_cache

from perturbations.catalogue import entity_level
from perturbations.families.entity.alike import kind_at, of_kind
from perturbations.resources import INVENTED, STAND_INS, Entity, Pool, enough
from perturbations.text import Sentence, Span


@entity_level(
    kind="syntax",
    resizes=True,
    needs=("invented",),
    knows=("kinds",),
    aliases=("CrossCategory",),
    renews=True,
    example=("[Ana PESSOA] saiu de [Lima LOCAL]", "[Vitorial PESSOA] saiu de [Santoral LOCAL]"),
)
def swap_ent_cross_category(
    sentence: Sentence, span: Span, *, entities: Pool = STAND_INS, otherwise: Pool = INVENTED, language: str = "pt"
) -> Sequence[Entity]:
    """An entity of the same type that is of another type elsewhere [TextFlint, catalogue name "CrossCategory"].

    A corpus has a string as one of a type where it is so twice and in a fifth of its occurrences at least. Where there
    are fewer than 20 of several types in ``entities``, it is one of ``otherwise``; invented names are there for
    persons, places and organisations. Places are exchanged as by `swap_named_ent`.
    """
    return _shared(entities, otherwise, span.type, language, kind_at(sentence, span, language))


@lru_cache(2**10)
def _shared(entities: Pool, otherwise: Pool, type_: str, language: str, kind: str | None) -> Sequence[Entity]:
    return of_kind(enough(entities.shared(type_), otherwise.shared(type_)), language, kind)
