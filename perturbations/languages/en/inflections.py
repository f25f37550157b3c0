"""English verbs that the table lacks, from the dictionary of LemmInflect."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any

from perturbations.languages.en.verbs import PRESENT_OTHER, PRESENT_THIRD
from perturbations.languages.readings import VerbReading

_TAGS = {"VBP": ("present", PRESENT_OTHER), "VBZ": ("present", PRESENT_THIRD), "VBD": ("past", 0)}
"""Tags of the Penn Treebank, and the tense and person they stand for."""


@lru_cache(2**14)
def dictionary_readings(word: str, only_verbs: bool) -> Sequence[VerbReading]:
    """The readings of the word as a finite verb; with ``only_verbs`` none for a word that may be no verb.

    Raises ImportError with what to install, where LemmInflect is missing.
    """
    lemmas = _library().getAllLemmas(word)
    if "VERB" not in lemmas or (only_verbs and (lemmas.keys() - {"VERB", "AUX"} or word in _NOUNS)):
        return ()
    return tuple(
        VerbReading(lemma, *said)
        for lemma in lemmas["VERB"]
        for tag, said in _TAGS.items()
        if word in _library().getInflection(lemma, tag, inflect_oov=False)
    )


def dictionary_form(lemma: str, tense: str, person: int) -> str | None:
    """That form of the verb; None where the dictionary has none or several."""
    tag = next(tag for tag, said in _TAGS.items() if said == (tense, person))
    found = _library().getInflection(lemma, tag, inflect_oov=False)  # what it would guess comes out of a pickle
    return found[0] if len(found) == 1 else None


_NOUNS = frozenset(["thanks"])
"""Nouns that the dictionary has as verbs alone."""


@cache
def _library() -> Any:
    try:
        import lemminflect
    except ImportError as error:
        raise ImportError(
            "inflections = 'lemminflect' needs LemmInflect: pip install 'abalo[english]'; or take those of the table"
        ) from error
    return lemminflect
