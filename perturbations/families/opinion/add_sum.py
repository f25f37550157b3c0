"""Persons and films that readers know, with what they are in brackets."""

from __future__ import annotations

from itertools import pairwise

from perturbations.catalogue import sentence_level
from perturbations.families.opinion.known_names import LONGEST_LINK, Known, KnownName, names_in
from perturbations.languages import has
from perturbations.lexicons import pairs, words
from perturbations.sites import is_running_text
from perturbations.text import Edit, Sentence

_OWNING = frozenset(["'s", "’s", "'", "’"])
_GLUED = frozenset([",", ")"])


@sentence_level(
    title="Names explained in brackets",
    kind="pragmatics",
    needs=("known_names", "stop_words", "word_classes"),
    knows=("agreement",),
    aliases=("AddSum",),
    relation="adds",
    example=("gostei de Vidas Secas", "gostei de Vidas Secas ( filme de 1963 , de Nelson Pereira dos Santos )"),
)
def add_sum(sentence: Sentence, *, which: Known = "any", language: str = "pt") -> list[list[Edit]]:
    """Adds a summary in brackets after a well-known person or film [TextFlint, catalogue name "AddSum"].

    The summaries ship with Abalo and neither praise nor blame. A summary follows the first occurrence of a name that is
    neither possessive nor followed by a noun. Names are found as in `swap_special_ent`.
    """
    found = names_in(sentence, language, which)
    if not found:
        return []
    is_text, seen, sites = is_running_text(sentence), set(), []
    for _, stop, name in found:
        if name not in seen and _can_be_told(sentence, stop, language) and not _is_told(sentence, stop, name):
            seen.add(name)
            sites.append([_add_summary(sentence, stop, name, is_text)])
    return sites


def _can_be_told(sentence: Sentence, stop: int, language: str) -> bool:
    """Whether the name ends there: it owns nothing, and no noun goes with it, as in *a Hitchcock movie*.

    In a language of agreement no noun goes with a name before it.
    """
    word = sentence.tokens[stop].lower() if stop < len(sentence) else "."
    if word in _OWNING:
        return False
    if has(language, "agreement") or not word[0].isalnum() or word in words(f"stop_words_{language}"):
        return True
    kinds = pairs(f"word_classes_{language}").get(word, "").split("|")
    return "VERB" in kinds and "NOUN" not in kinds


def _is_told(sentence: Sentence, stop: int, name: KnownName) -> bool:
    """Whether the word before says it already, as in *President Bush*, or the name stands in brackets."""
    start = stop - len(name.tokens)
    before = sentence.tokens[:start]
    is_said = bool(before) and before[-1].lower() in {word.lower() for word in name.summary if len(word) > LONGEST_LINK}
    return is_said or before.count("(") > before.count(")")


def _add_summary(sentence: Sentence, stop: int, name: KnownName, is_text: bool) -> Edit:
    """The edit that puts the summary behind the name; in running text marks are written as there."""
    small = sentence.text == sentence.text.lower()
    words = ("(", *(tuple(map(str.lower, name.summary)) if small else name.summary), ")")
    if not is_text:
        return Edit(stop, stop, words)
    after = ["" if word == "(" or following in _GLUED else " " for word, following in pairwise(words)]
    return Edit(
        stop - 1,
        stop,
        (sentence.tokens[stop - 1], *words),
        spaces=(" ", *after, sentence.spaces[stop - 1]),
        origins=((stop - 1,), *((),) * len(words)),
    )
