"""Adverbs that say nothing new in front of verbs."""

from __future__ import annotations

from functools import cache

from perturbations.catalogue import sentence_level
from perturbations.families.chinese.layout import Layout, layout
from perturbations.families.chinese.vocabulary import occurrences
from perturbations.lexicons import pairs
from perturbations.perturbation import Options
from perturbations.text import Sentence, entity_spans

_SUBJECTS = frozenset(("我", "你", "您", "他", "她", "它", "我们", "你们", "他们", "她们", "它们", "咱们", "大家"))
_CLAUSE_BEGINS = frozenset("，；。！？“")


@sentence_level(
    kind="syntax",
    languages=("zh",),
    aliases=("CnInsertAdv",),
    example=("[王 伟 PER] 访 问 北 京", "[王 伟 PER] 其 实 访 问 北 京"),
)
def zh_insert_adverb(
    sentence: Sentence, *, adverbs: tuple[str, ...] = ("其实", "确实", "的确", "显然", "当然", "事实上")
) -> list[Options]:
    """One of the adverbs before a verb that follows its subject [TextFlint, catalogue name "InsertAdv" for Chinese].

    Chinese puts them there and nowhere else, so a verb needs an entity or a pronoun before it that begins its clause.
    Verbs are those of the lexicon ``words_zh``. Raises ValueError for adverbs that are no words.
    """
    if not adverbs or any(adverb.split() != [adverb] for adverb in adverbs):
        raise ValueError(f"adverbs is {adverbs!r}; expected words, at least one, without white space")
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
