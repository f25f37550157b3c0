"""Contractions in Portuguese: "de o" and "do"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from perturbations.lexicons import pairs
from perturbations.sites import in_case_each, in_case_of, one_label
from perturbations.text import Edit, Sentence


def contracted(sentence: Sentence, lowered: Sequence[str]) -> Iterator[Edit]:
    """Two words as one."""
    known = pairs("contractions_pt")
    for i in range(len(lowered) - 1):
        short = known.get(f"{lowered[i]} {lowered[i + 1]}")
        if short is not None and one_label(sentence, i, i + 2):
            yield Edit(i, i + 2, (in_case_of("".join(sentence.tokens[i : i + 2]), short),))


def expanded(sentence: Sentence, lowered: Sequence[str]) -> Iterator[Edit]:
    """One word as the two that it stands for."""
    known = _fulls()
    for i, word in enumerate(lowered):
        if word in known and _is_contraction(lowered, i):
            yield Edit(i, i + 1, in_case_each(sentence, i, known[word]))


@cache
def _fulls() -> Mapping[str, tuple[str, ...]]:
    """The full form of each contraction; of several the first."""
    listed = reversed(list(pairs("contractions_pt").items()))
    return MappingProxyType({short: tuple(full.split()) for full, short in listed})


def _is_contraction(lowered: Sequence[str], place: int) -> bool:
    """Whether a word that looks like a contraction in Portuguese is one."""
    following = lowered[place + 1] if place + 1 < len(lowered) else ""
    if lowered[place] == "nos":  # or a pronoun
        return following.endswith("s") and not following.endswith("mos")
    before = lowered[place - 1] if place else ""
    return lowered[place] != "desse" or before not in ("se", "que", "ele", "ela", "lhe", "lhes")  # or the verb
