"""Entities exchanged for ones that a model has never read."""

from collections.abc import Sequence
from functools import lru_cache

from perturbations.catalogue import entity_level
from perturbations.lexicons import words
from perturbations.resources import INVENTED, UNTRAINED, Entities, Entity, Pool
from perturbations.text import Sentence, Span


@entity_level(
    kind="syntax",
    resizes=True,
    needs=("letters", "stop_words"),
    aliases=("OOV", "SwapEnt"),
    renews=True,
    example=("[Ana PESSOA] saiu de [LIMA LOCAL]", "[Zulmirto Quaresval PESSOA] saiu de [GUARAPITU LOCAL]"),
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
    """An entity of the same type out of the vocabulary of the training corpus [TextFlint, catalogue name "OOV"].

    None of its words occurs there, in any letter case, but stop words of the ``language`` and punctuation. It is one of
    ``entities`` or, where all of these are known, one of ``otherwise``; invented names are there for persons, places
    and organisations. It is in capitals where the entity is.
    """
    present = "".join(sentence.tokens[span.start : span.stop])
    return _unknown(training, entities, otherwise, span.type, language, present.isupper())


@lru_cache(2**8)
def _unknown(training: Pool, entities: Pool, otherwise: Pool, kind: str, language: str, in_capitals: bool) -> Entities:
    stop_words = words(f"stop_words_{language}")
    found = [each for each in entities.entities(kind) if _is_unknown(training, each, stop_words)]
    found = found or [each for each in otherwise.entities(kind) if _is_unknown(training, each, stop_words)]
    return Entities(tuple(map(str.upper, each)) for each in found) if in_capitals else Entities(found)


def _is_unknown(training: Pool, entity: Entity, stop_words: frozenset[str]) -> bool:
    """Whether the training corpus has none of the words that tell the entity, of which there must be one."""
    telling = [word for word in entity if any(map(str.isalnum, word)) and word.casefold() not in stop_words]
    return bool(telling) and not any(map(training.has_word, telling))
