"""A word that two sentences share, turned into one that excludes it in one of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.families.pair.opposed import NEEDS, contradicting, is_bound
from perturbations.families.word.antonym import antonym
from perturbations.families.word.meanings import Meant
from perturbations.families.word.swapping import swap_words
from perturbations.languages import has, language_named
from perturbations.lexicons import pairs
from perturbations.perturbation import Options
from perturbations.resources import REVIEWED, Senses
from perturbations.text import Edit, Sentence


@sentence_level(
    title="A shared word replaced by its opposite",
    kind="lexis",
    needs=("antonyms", "cohyponyms", *NEEDS),
    knows=("phrases",),
    aliases=("SwapWord",),
    scheme="pair",
    renews=True,
    meaning="turns",
    relation="excludes",
    example=("a mesa vazia fica aqui", "a mesa cheia fica aqui"),
)
def swap_antonym(
    sentence: Sentence,
    *,
    language: str = "pt",
    words: Literal["antonyms", "cohyponyms", "any"] = "any",
    antonyms: Senses = REVIEWED,
    meant: Meant = "one",
    one_event: bool = False,  # noqa: ARG001 - tells what the change means, see `ONE_EVENT`
) -> list[list[Edit]]:
    """Replaces a word that both sentences share with one that excludes it [TextFlint, catalogue name "SwapWord"].

    For inference, TextFlint calls it "SwapAnt". ``words`` chooses the new word: an opposite, found as in `antonym`, or
    another word of the same kind from a reviewed list, such as *red* for *blue*. The word must occur once in each
    sentence, and both must be plain statements: nothing is denied, asked, left open, or said of all or some of many.
    The word stays if the sentence has its opposite, gives a reason, or compares, as in *less cheap*. In Chinese it
    stays if the sentence has a character that denies, asks, compares or leaves open.

    Afterwards the sentences no longer follow from each other, nor mean the same. Whether they contradict depends on how
    the corpus was annotated. With ``one_event`` they do: in SNLI and MultiNLI both sentences describe one event. In
    SICK *a man plays the piano* is neutral to *a man plays the flute*. Without ``one_event`` the label is the one for
    pairs that do not follow. If a corpus has no such label, because it separates neutral from contradicting pairs, the
    pair is left out. Pairs with another relation are left out too, since their new label is unknown. A single sentence
    is compared with itself.
    """

    def sites() -> Iterator[Options]:
        if words != "cohyponyms":
            yield from antonym.function(sentence, language=language, antonyms=antonyms, meant=meant)
        if words != "antonyms":
            yield from swap_words(sentence, lambda word: _others(word, language), language, inside_entities=False)

    own = [*map(str.lower, sentence.tokens)]
    found = [
        edit
        for edit in contradicting(sentence, sites, language)
        if has(language, "borders")
        or not (
            _is_there(edit.tokens[-1].lower(), own)
            or is_bound(sentence, edit.stop - 1, language)
            or _is_held(sentence, edit, own, language)
        )
    ]
    return [found] if found else []


def _is_there(word: str, own: Sequence[str]) -> bool:
    """Whether the word is in the sentence already, in this form or nearly: *women* beside *woman*."""
    return any(
        word in (other, f"{other}s")
        or other == f"{word}s"
        or (word in _PLURALS and other == _PLURALS[word])
        or (other in _PLURALS and word == _PLURALS[other])
        for other in own
    )


_PLURALS = {"men": "man", "women": "woman", "children": "child", "people": "person"}


def _is_held(sentence: Sentence, edit: Edit, own: Sequence[str], language: str) -> bool:
    """Whether what stands beside the word holds it: the rest of a name, or another adjective that says the same."""
    place = edit.stop - 1
    tokens, following = sentence.tokens, sentence.tokens[place + 1 : place + 2]
    if following and following[0].istitle():
        is_name = tokens[place].istitle()
        return is_name or edit.tokens[-1].lower() in pairs(f"gender_words_{language}")
    joint = language_named(language).joined_by
    kinds = pairs(f"word_classes_{language}") if has(language, "word_classes") else {}
    if "ADJ" not in kinds.get(own[place], "").split("|"):
        return False
    behind = (
        kinds.get("".join(own[place + 2 : place + 3]), "").split("|") if own[place + 1 : place + 2] == [joint] else []
    )
    return "ADJ" in behind and "NOUN" not in behind


def _others(word: str, language: str) -> list[str]:
    found = pairs(f"cohyponyms_{language}").get(word.lower())
    return found.split("|") if found else []
