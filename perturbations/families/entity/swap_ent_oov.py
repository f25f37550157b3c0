"""Entities exchanged for ones that a model has never read."""

from collections.abc import Sequence
from functools import lru_cache

from perturbations.catalogue import entity_level
from perturbations.families.entity.alike import Demand, demand, meeting
from perturbations.languages import has
from perturbations.lexicons import words
from perturbations.resources import INVENTED, UNTRAINED, Entities, Entity, Pool
from perturbations.text import Sentence, Span


@entity_level(
    title="Entities not in the training data",
    kind="syntax",
    resizes=True,
    needs=("stop_words",),
    knows=("borders", "kinds"),
    aliases=("OOV", "SwapEnt"),
    renews=True,
    example=("[Rui PESSOA] saiu de [LIMA LOCAL]", "[Zulmirto Quaresval PESSOA] saiu de [GUARAPITU LOCAL]"),
)
def swap_ent_oov(
    sentence: Sentence,
    span: Span,
    *,
    training: Pool = UNTRAINED,
    entities: Pool = INVENTED,
    otherwise: Pool = INVENTED,
    language: str = "pt",
) -> Sequence[Entity]:
    """Replaces an entity with one whose words the training corpus lacks [TextFlint, catalogue name "OOV"].

    The new entity has the same type. None of its words occurs in ``training`` in any letter case, except stop words of
    the ``language`` and punctuation, and it has no other type elsewhere. In Chinese and other languages without spaces,
    a word occurs if its characters occur in a row. If ``entities`` has fewer than 20 unknown names, or none fits, the
    name comes from ``otherwise``. By default both have invented names for persons, places and organisations. Names fit
    as in `swap_named_ent`.
    """
    return _unknown(training, entities, otherwise, span.type, demand(sentence, span, language))


@lru_cache(2**8)
def _unknown(training: Pool, entities: Pool, otherwise: Pool, type_: str, demanded: Demand) -> Entities:
    return meeting((_unknown_in(pool, type_, training, demanded.language) for pool in (entities, otherwise)), demanded)


@lru_cache(2**6)
def _unknown_in(pool: Pool, type_: str, training: Pool, language: str) -> list[Entity]:
    several = set(pool.shared(type_))
    return [each for each in pool.entities(type_) if each not in several and _is_unknown(training, each, language)]


def _is_unknown(training: Pool, entity: Entity, language: str) -> bool:
    """Whether the training corpus has none of the words that tell the entity, of which there must be one."""
    in_a_row = has(language, "borders")
    one_word = in_a_row and all(len(token) == 1 for token in entity)
    stop_words = words(f"stop_words_{language}")
    listed = ("".join(entity),) if one_word else entity
    telling = [word for word in listed if any(map(str.isalnum, word)) and word.casefold() not in stop_words]
    return bool(telling) and not any(map(training.has_text if in_a_row else training.has_word, telling))
