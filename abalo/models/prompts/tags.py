"""Prompts for one tag per word."""

from __future__ import annotations

import json
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from abalo.models.prompts.grounding import LONGEST_SAID, Grounded
from abalo.models.prompts.json_replies import LONGEST, json_values, one_of
from abalo.models.prompts.replies import after_thoughts, label_of, unwrapped
from abalo.models.prompts.unpacking import count_up_to, names_among
from perturbations import UNLABELLED, Sentence

WORDS, WORD, TAG = "words", "word", "tag"


@dataclass(frozen=True, slots=True)
class TagForm:
    """The `PromptForm` of one label per word.

    Each entry tags the next equal token. Untagged tokens count as wrong; entries without a token are ungrounded.
    """

    labels: tuple[str, ...]
    places: tuple[str, ...] = ("{text}",)

    @property
    def schema(self) -> Mapping[str, object]:
        word = {
            "type": "object",
            "properties": {WORD: {"type": "string"}, TAG: {"type": "string", "enum": list(self.labels)}},
            "required": [WORD, TAG],
        }
        return {
            "type": "object",
            "properties": {WORDS: {"type": "array", "items": word}},
            "required": [WORDS],
        }

    def usual(self) -> str:
        return "Give each word of the text its tag, one of: {labels}.\n{format}\n\nText: {text}"

    def format(self) -> str:
        return (
            'Answer with JSON alone: {"words": [{"word": "…", "tag": "…"}]}, with every word and mark of the text, in '
            "order. Words are separated by spaces."
        )

    def parts(self, given: Sentence) -> Mapping[str, str]:
        return {"{text}": " ".join(given.tokens)}

    def read(self, reply: str, given: Sentence, cue: str = "") -> Grounded | None:  # noqa: ARG002 - JSON alone
        left = after_thoughts(reply)
        if left is None:
            return None
        values = json_values(left, WORDS, listed=True) or json_values(unwrapped(left)[0], WORDS, listed=True)
        listed = one_of(values)
        if not isinstance(listed, list):
            return None
        places: dict[str, list[int]] = {}
        for place, token in enumerate(given.tokens):
            places.setdefault(token, []).append(place)
        tags, place, ungrounded = [UNLABELLED] * len(given), 0, []
        for word, tag in map(_pair, listed):
            known, own = label_of(tag, self.labels), places.get(word, [])
            nearest = bisect_left(own, place)
            if known is None or nearest == len(own):
                ungrounded.append((word[:LONGEST_SAID], tag[:LONGEST_SAID]))
                continue
            tags[own[nearest]], place = known, own[nearest] + 1
        return Grounded(tuple(tags), tuple(ungrounded))

    def said(self, given: Sentence, gold: Sequence[str] | None) -> str:
        pairs = zip(given.tokens, gold or (), strict=False)
        return json.dumps({WORDS: [{WORD: word, TAG: tag} for word, tag in pairs]}, ensure_ascii=False)

    def nothing(self, given: Sentence) -> Grounded:
        return Grounded((UNLABELLED,) * len(given))

    def packed(self, answer: Grounded) -> object:
        return [answer.tags, len(answer.ungrounded)]

    def unpacked(self, packed: Any, given: Sentence) -> Grounded:
        tags, ungrounded = packed
        read = names_among(tags, (*self.labels, UNLABELLED), len(given))
        return Grounded(read, (("", ""),) * count_up_to(ungrounded, LONGEST))


def _pair(entry: object) -> tuple[str, str]:
    if isinstance(entry, Mapping):
        entry = [entry.get(WORD), entry.get(TAG)]
    if not isinstance(entry, Sequence) or isinstance(entry, str) or len(entry) != 2:
        return "", ""
    word, tag = (each if isinstance(each, str) else "" for each in entry)
    return word, tag
