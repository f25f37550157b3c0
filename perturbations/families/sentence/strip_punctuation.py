"""Text without punctuation, as speech recognition and careless messages give it."""

from __future__ import annotations

import re

from perturbations.catalogue import sentence_level
from perturbations.stops import is_abbreviation
from perturbations.text import Edit, Sentence, entity_starts

_MARKS = r"""[.,;:!?…"“”„«»‘’()\[\]。，、；：？！「」『』（）《》،؛؟।॥՝։]"""
_ALONE = re.compile(rf"[.…]+|[!?]+|``|''|{_MARKS}|[–—-]+")
_WITH_NEXT = ("’", ":", ";")
_IN_ONE = re.compile(r"\w{1,2}|//.*|\W")
"""What makes up a word, an emoticon or an address with the mark before it, as in ``don ’ t`` and ``: D``."""

_AROUND = re.compile(rf"({_MARKS}*)(.*?)({_MARKS}*)", re.DOTALL)


@sentence_level(
    title="Punctuation left out",
    kind="pragmatics",
    example=("[Ana Sá PESSOA] saiu , mas [Rui PESSOA] ficou .", "[Ana Sá PESSOA] saiu mas [Rui PESSOA] ficou"),
)
def strip_punctuation(sentence: Sentence) -> list[list[Edit]]:
    """Leaves out marks between words, quotation marks and brackets.

    Marks within words and numbers, of abbreviations, of emoticons and of entities stay. So do marks of which nothing
    else is left. Labels of the other words hold.
    """
    tokens = sentence.tokens
    starts = entity_starts(sentence.entity_tags or ("O",) * len(tokens))
    sites = []
    for i, token in enumerate(tokens):
        if starts[i] is not None:
            continue
        if token in _WITH_NEXT and any(_IN_ONE.fullmatch(each) for each in tokens[i + 1 : i + 2]):
            continue
        if _ALONE.fullmatch(token):
            sites.append([Edit(i, i + 1, ())])
        elif (word := _without(token)) != token:
            sites.append([Edit(i, i + 1, (word,))])
    return sites if any(map(str.isalnum, "".join(tokens))) else []


def _without(token: str) -> str:
    _, word, after = _AROUND.fullmatch(token).groups()  # type: ignore[union-attr] # any text matches
    if not any(map(str.isalnum, word)):
        return token
    keeps_stop = after.startswith(".") and (is_abbreviation(f"{word}.") or "." in word)
    return f"{word}." if keeps_stop else str(word)
