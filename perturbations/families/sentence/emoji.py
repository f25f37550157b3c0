"""Emoji behind the text, in the place of a word, or with another skin tone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from perturbations.catalogue import sentence_level
from perturbations.graphemes import with_tone
from perturbations.languages import ANY, has
from perturbations.lexicons import pairs
from perturbations.numbered import OnDemand
from perturbations.sites import in_entity
from perturbations.text import Edit, Sentence

EmojiPlace = Literal["any", "append", "word", "skin"]

NEUTRAL = ("📌", "📎", "📍", "📣", "💬", "🗓️", "👀", "➡️")
"""Emoji that neither praise nor blame."""

TONES = ("🏻", "🏼", "🏽", "🏾", "🏿")
"""The five skin tones, from light to dark."""


@sentence_level(
    kind="pragmatics",
    rate=0.5,
    at_least=1,
    knows=("emoji",),
    renews=True,
    example=("[Ana PESSOA] saiu 👍🏻", "[Ana PESSOA] saiu 👍🏿 📌"),
)
def emoji(sentence: Sentence, *, where: EmojiPlace = "any", language: str = ANY) -> list[Sequence[Edit]]:
    """Adds an emoji behind the text, puts one in the place of a word, or changes a skin tone.

    * append: one that neither praises nor blames, behind the last word or mark;
    * word: that of a thing, such as *🚗* for *car*, outside entities, in a ``language`` with a list;
    * skin: another tone for hands and persons in the text;
    * any: all of these.

    Labels of the other words hold.
    """
    sites: list[Sequence[Edit]] = []
    if where in ("any", "word") and language != ANY and has(language, "emoji"):
        sites += _for_words(sentence, language)
    if where in ("any", "skin"):
        sites += [edits for i, token in enumerate(sentence.tokens) if (edits := list(_toned(token, i)))]
    if where in ("any", "append") and len(sentence):
        end = len(sentence)
        sites.append(OnDemand(len(NEUTRAL), lambda k: Edit(end, end, (NEUTRAL[k],))))
    return sites


def _for_words(sentence: Sentence, language: str) -> Iterator[Sequence[Edit]]:
    known = pairs(f"emoji_{language}")
    for i, token in enumerate(sentence.tokens):
        if token in known and not in_entity(sentence, i):
            yield [Edit(i, i + 1, (each,)) for each in known[token].split("|")]


def _toned(token: str, place: int) -> Iterator[Edit]:
    for tone in TONES:
        made = with_tone(token, tone)
        if made != token:
            yield Edit(place, place + 1, (made,))
