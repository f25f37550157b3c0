"""Text between entities translated to another language and back."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import groupby

from perturbations.catalogue import sentence_level
from perturbations.resources import UNNAMED, Phrases, Translating
from perturbations.sites import is_running_text
from perturbations.text import Edit, Sentence, entity_starts

_THERE = Phrases(UNNAMED, {"disse o juiz": "said the judge"})
_BACK = Phrases(UNNAMED, {"said the judge": "foi o que o juiz disse"})

_LONGEST = 3
"""How many times as long as the original a translation may be: longer ones repeat themselves."""

_SIGNS = re.compile(r"((?<!\w)[^\w\s](?=.*\w)|[^\w\s](?!.*\w))")
"""A sign before the first letter or digit of a chunk, or after the last."""

_NO_SPACE_BEFORE = re.compile(r" +(?=[,.;:!?%)\]}»”])")
_NO_SPACE_AFTER = re.compile(r"(?<=[(\[{«“]) +")


@sentence_level(
    title="Translated and back",
    cost="model",
    aliases=("BackTrans",),
    renews=True,
    example=("[Ana Sá PESSOA] , disse o juiz .", "[Ana Sá PESSOA] , foi o que o juiz disse ."),
)
def back_translation(
    sentence: Sentence,
    *,
    forward: Translating = _THERE,
    backward: Translating = _BACK,
    shortest: int = 3,
) -> list[list[Edit]]:
    """Translates text outside entities to another language and back [TextFlint, catalogue name "BackTrans"].

    Each stretch of at least ``shortest`` words between entities is translated on its own, without the signs at its
    ends. Entities therefore keep their words and labels, but words around a name may no longer agree with it. A stretch
    stays if the translation is the same, too long or empty.

    ``forward`` and ``backward`` are the translation models of the two directions: folders, or ids on the Hugging Face
    hub. Abalo ships none. Raises ValueError if ``shortest`` is below 1.
    """
    if shortest < 1:
        raise ValueError(f"shortest is {shortest}; expected a whole number from 1")
    stretches = [each for each in _stretches(sentence) if sum(map(_is_word, sentence.tokens[slice(*each)])) >= shortest]
    there = forward.translations([_text(sentence, *each) for each in stretches])
    found = [(each, text) for each, text in zip(stretches, there, strict=True) if text and text.strip()]
    back = backward.translations([text for _, text in found])
    edits = (_edit(sentence, start, stop, text) for ((start, stop), _), text in zip(found, back, strict=True) if text)
    return [[edit] for edit in edits if edit is not None]


def _stretches(sentence: Sentence) -> list[tuple[int, int]]:
    """Where tokens of one label follow each other outside entities, without what is no word at the ends."""
    labels = sentence.entity_tags or ("O",) * len(sentence)
    starts = entity_starts(labels)
    found = []
    for (inside, _), group in groupby(range(len(sentence)), key=lambda i: (starts[i] is not None, labels[i])):
        words = [i for i in group if _is_word(sentence.tokens[i])]
        if words and not inside:
            found.append((words[0], words[-1] + 1))
    return found


def _text(sentence: Sentence, start: int, stop: int) -> str:
    """The words as they are written, without the white space that corpora put around signs."""
    pairs = zip(sentence.tokens[start:stop], sentence.spaces[start:stop], strict=True)
    text = " ".join("".join(part for pair in pairs for part in pair).split())
    return _NO_SPACE_AFTER.sub("", _NO_SPACE_BEFORE.sub("", text))


def _edit(sentence: Sentence, start: int, stop: int, text: str) -> Edit | None:
    """The edit that puts the text there; None where it says the same, or far more."""
    old = sentence.tokens[start:stop]
    tokens, spaces = _tokens(text, {token.lower() for token in old})
    words = [i for i, token in enumerate(tokens) if _is_word(token)]
    if not words or len(tokens) > _LONGEST * len(old):
        return None
    first, last = words[0], words[-1]
    new = (_match_capital(old[0], tokens[first]), *tokens[first + 1 : last + 1])
    if [token.lower() for token in new] == [token.lower() for token in old]:
        return None
    between = spaces[first:last] if is_running_text(sentence) else [" "] * (last - first)
    return Edit(start, stop, new, spaces=(*between, sentence.spaces[stop - 1]))


def _tokens(text: str, known: Collection[str]) -> tuple[list[str], list[str]]:
    """Words, and the signs at their ends by themselves, each with what follows it; what is ``known`` stays whole."""
    tokens: list[str] = []
    spaces: list[str] = []
    for chunk in text.split():
        parts = [chunk] if chunk.lower() in known else [part for part in _SIGNS.split(chunk) if part]
        tokens += parts
        spaces += [*[""] * (len(parts) - 1), " "]
    return tokens, spaces


def _match_capital(old: str, new: str) -> str:
    """The word with a capital where the old one has one, and without where only translation gave it one."""
    if old[0].isupper():
        return new[0].upper() + new[1:]
    return new[0].lower() + new[1:] if old.islower() and new[1:].islower() else new


def _is_word(token: str) -> bool:
    return any(map(str.isalnum, token))
