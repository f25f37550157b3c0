"""Text as people write it in chats: shortened words, a handle or a link around them."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.languages import language_named
from perturbations.lexicons import pairs
from perturbations.numbered import OnDemand
from perturbations.sites import in_case_of, one_label
from perturbations.text import Edit, Sentence

Mode = Literal["any", "words", "handle", "link"]

LINKS = ("https://example.com/", "https://example.org/post/2731", "http://www.example.net/x7Qd", "example.com/p/481")
"""Links on domains that are reserved for examples [RFC 2606]."""


@sentence_level(
    title="Chat style",
    kind="pragmatics",
    needs=("chat", "handles"),
    aliases=("TwitterType",),
    example=("Você viu [Ana PESSOA] hoje ?", "Vc viu [Ana PESSOA] hj ? https://example.com/"),
)
def chat_style(sentence: Sentence, *, language: str = "pt", mode: Mode = "any") -> list[Sequence[Edit]]:
    """Shortens words as in chats, and adds a handle or a link at one end [TextFlint, catalogue name "TwitterType"].

    Every word or phrase with a short form is a site. The two ends of the text together are one more site, for a handle
    or a link. The ``mode`` "words" only shortens words; "handle" and "link" only add one. The longest phrase comes
    first, and a phrase is shortened only if all its words have the same label. Labels hold.
    """
    if not len(sentence):
        return []
    sites: list[Sequence[Edit]] = list(_shorten_words(sentence, language)) if mode in ("any", "words") else []
    handles = language_named(language).handles
    around = {"any": handles + LINKS, "words": (), "handle": handles, "link": LINKS}[mode]
    ends = (0, len(sentence))
    edits = OnDemand(2 * len(around), lambda k: Edit(ends[k % 2], ends[k % 2], (around[k // 2],)))
    return [*sites, edits]


def _shorten_words(sentence: Sentence, language: str) -> Iterator[list[Edit]]:
    phrases = _phrases(language)
    words = [token.lower() if token.isascii() else token.lower().replace("\u2019", "'") for token in sentence.tokens]
    free = 0
    for start, word in enumerate(words):
        if word not in phrases or start < free:
            continue
        for phrase, forms in phrases[word]:
            stop = start + len(phrase)
            if words[start:stop] == phrase and one_label(sentence, start, stop):
                present = " ".join(sentence.tokens[start:stop])
                yield [Edit(start, stop, (in_case_of(present, form),)) for form in forms]
                free = stop
                break


@cache
def _phrases(language: str) -> Mapping[str, Sequence[tuple[list[str], list[str]]]]:
    """By first word, the phrases with their short forms, the longest first."""
    found: dict[str, list[tuple[list[str], list[str]]]] = {}
    for written, forms in pairs(f"chat_{language}").items():
        phrase = written.split("_")
        found.setdefault(phrase[0], []).append((phrase, forms.split("|")))
    return {word: sorted(each, key=lambda pair: -len(pair[0])) for word, each in found.items()}
