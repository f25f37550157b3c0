"""Contractions in Portuguese: "em um" and "num"."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from perturbations.languages.language import words_in
from perturbations.languages.pt.verbs import readings_of
from perturbations.lexicons import pairs
from perturbations.sites import in_case_each, in_case_of, one_label
from perturbations.text import Edit, Sentence

_FREE = re.compile("[dn](?:um|uma|uns|umas|outr[oa]s?|algum|alguma)|donde")
"""Contractions that can be written in two words as well."""

_RARE = re.compile("[dn]algum|[dn]alguma|donde")
"""Those of them that hardly anyone writes in Brazil: they are taken apart, not made."""

_INFINITIVE = re.compile("[^\\W\\d]+(?:[aei]r|[aei]r(?:em|mos)|[áêí]-l[oa]s?|[aei]r-\\w+)|pôr|porem")
_PREPOSITIONS = words_in("a ao de do em para por sem até com após antes")
_NO_NOUN = words_in("a as de do da dos das e em o ou os que por para até como")
"""Words before which "um" is a number or a pronoun."""


def contracted(sentence: Sentence, lowered: Sequence[str]) -> Iterator[Edit]:
    """Two words as one where both are written: never "de o", which only a treebank has."""
    known = pairs("contractions_pt")
    for i in range(len(lowered) - 1):
        short = known.get(f"{lowered[i]} {lowered[i + 1]}")
        if short is None or not _FREE.fullmatch(short) or _RARE.fullmatch(short) or not one_label(sentence, i, i + 2):
            continue
        if _may_contract(sentence.tokens, lowered, i):
            yield Edit(i, i + 2, (in_case_of("".join(sentence.tokens[i : i + 2]), short),))


def expanded(sentence: Sentence, lowered: Sequence[str]) -> Iterator[Edit]:
    """One word as the two that it stands for, where these are written too."""
    known = _fulls()
    for i, word in enumerate(lowered):
        if word in known and not (word == "num" and not _has_noun(lowered, i + 1)):
            yield Edit(i, i + 1, in_case_each(sentence, i, known[word]))


@cache
def _fulls() -> Mapping[str, tuple[str, ...]]:
    """The full form of each contraction that can be written in two words."""
    listed = pairs("contractions_pt").items()
    return MappingProxyType({short: tuple(full.split()) for full, short in listed if _FREE.fullmatch(short)})


def _may_contract(tokens: Sequence[str], lowered: Sequence[str], place: int) -> bool:
    """Whether the second word is no part of a title and no number, and no subject of an infinitive."""
    following = lowered[place + 2] if place + 2 < len(lowered) else ""
    if tokens[place].islower() and not tokens[place + 1].islower():
        return False
    if lowered[place + 1] in ("um", "uma") and (
        len(following) < 2 or not following[0].isalpha() or following in _NO_NOUN
    ):
        return False
    return not any(
        _INFINITIVE.fullmatch(word) and lowered[i - 1] not in _PREPOSITIONS
        for i, word in enumerate(lowered[place + 2 :], start=place + 2)
    )


def _has_noun(lowered: Sequence[str], place: int) -> bool:
    """Whether a noun may stand there, and no verb: *num* is also *não* as it is spoken, and short for a number."""
    return place < len(lowered) and lowered[place].isalpha() and not readings_of(lowered[place])
