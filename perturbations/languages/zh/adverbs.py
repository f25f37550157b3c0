"""Where adverbs stand in Chinese."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from perturbations.languages.layout import Layout
from perturbations.languages.readings import PartsOfSpeech
from perturbations.languages.zh.borders import layout, occurrences
from perturbations.lexicons import pairs
from perturbations.text import Edit, Sentence, entity_spans

_SUBJECTS = frozenset(("我", "你", "您", "他", "她", "它", "我们", "你们", "他们", "她们", "它们", "咱们", "大家"))
_CLAUSE_BEGINS = frozenset("，；。！？“")


def adverbial(
    sentence: Sentence, adverbs: Sequence[str], parts_of_speech: PartsOfSpeech | None = None
) -> list[list[Edit]]:
    """The edits that put an adverb before a verb that follows its subject.

    Chinese puts them there and nowhere else, so a verb needs an entity or a pronoun before it that begins its clause.
    Verbs are those of the lexicon ``words_zh``. Raises ValueError where ``parts_of_speech`` are given.
    """
    if parts_of_speech is not None:
        raise ValueError("parts_of_speech is given; Chinese verbs are found by a list: leave it out")
    found = layout(sentence)
    if found is None:
        return []
    verbs = occurrences(found, _verbs())
    ends = _ends_of_subjects(found) if verbs else set()
    return [
        [found.inserting(start, (adverb,)) for adverb in adverbs]
        for start, stop in verbs
        if start in ends
        and found.is_outside(start, stop)
        and sentence.tokens[stop : stop + 1] not in (("的",), ("者",))
    ]


@cache
def _verbs() -> frozenset[str]:
    return frozenset(word for word, kind in pairs("words_zh").items() if kind == "predicate")


def _ends_of_subjects(found: Layout) -> set[int]:
    """Where a pronoun or an entity ends that begins a sentence or a clause."""
    tokens = found.sentence.tokens
    stretches = [(span.start, span.stop) for span in entity_spans(found.sentence.entity_tags or ())]
    stretches += occurrences(found, _SUBJECTS)
    return {stop for start, stop in stretches if start == 0 or tokens[start - 1] in _CLAUSE_BEGINS}
