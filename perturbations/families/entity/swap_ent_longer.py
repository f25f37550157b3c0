"""Entities exchanged for longer ones, whose ends are harder to find."""

from collections.abc import Sequence
from functools import lru_cache

from perturbations.catalogue import entity_level
from perturbations.families.entity.alike import Demand, demand, meeting
from perturbations.languages import ANY
from perturbations.resources import REAL, STAND_INS, Entities, Entity, Pool
from perturbations.text import Sentence, Span


@entity_level(
    title="Longer entities",
    kind="morphology",
    resizes=True,
    knows=("kinds",),
    aliases=("SwapLonger",),
    renews=True,
    example=("a [Acme ORG] faliu", "a [Companhia Docas de Santos ORG] faliu"),
)
def swap_ent_longer(
    sentence: Sentence,
    span: Span,
    *,
    entities: Pool = STAND_INS,
    otherwise: Pool = REAL,
    least: int = 3,
    language: str = ANY,
) -> Sequence[Entity]:
    """Replaces an entity with a longer one of its type [TextFlint, catalogue name "SwapLonger"].

    The new entity has more tokens, at least ``least``, and is another entity, not the full form of the old one. If
    ``entities`` has fewer than 20 of the type, or fewer than five that fit, the name comes from ``otherwise``, by
    default real names, if more of those fit. The entity stays if fewer than three names fit. Names fit as in
    `swap_named_ent`. The minimum length is the catalogue's.
    """
    longer = max(least, len(span) + 1)
    return _longer(entities, otherwise, span.type, longer, demand(sentence, span, language))


@lru_cache(2**10)
def _longer(entities: Pool, otherwise: Pool, type_: str, least: int, demanded: Demand) -> Entities:
    found = meeting((pool.entities(type_) for pool in (entities, otherwise)), demanded, least)
    return found if len(found) >= _LEAST_CHOICE else Entities()


_LEAST_CHOICE = 3
"""The smallest number of names among which one is drawn: fewer would test the same name over and over."""
