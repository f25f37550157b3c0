"""Prompts for entities."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from abalo.models.prompts.grounding import LONGEST_SAID, Grounded, Mention, ground_mentions, occurrence_of
from abalo.models.prompts.json_replies import json_values, one_of
from abalo.models.prompts.replies import after_thoughts, label_of, unquoted, unwrapped
from abalo.models.prompts.unpacking import count_up_to, names_among
from perturbations import Sentence, Span, entity_spans

TEXT, TYPE, OCCURRENCE, ENTITIES = "text", "type", "occurrence", "entities"

_LABEL = "label"
"""Another word that models use for the type."""

_DIGITS = re.compile("[0-9]{1,9}")

_MARKED = re.compile(r"\[([^\[\]]*)\]\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class EntityForm:
    """The `PromptForm` of entities: JSON, or ``marked`` text.

    Unknown types are ungrounded, with type "". A reply without any known one, or with more mentions than tokens, is
    unreadable.
    """

    labels: tuple[str, ...]
    marked: bool = False
    places: tuple[str, ...] = ("{text}",)

    @property
    def schema(self) -> Mapping[str, object] | None:
        if self.marked:
            return None
        entity = {
            "type": "object",
            "properties": {
                TEXT: {"type": "string"},
                TYPE: {"type": "string", "enum": list(self.labels)},
                OCCURRENCE: {"type": "integer"},
            },
            "required": [TEXT, TYPE],
        }
        listed = {ENTITIES: {"type": "array", "items": entity}}
        return {"type": "object", "properties": listed, "required": [ENTITIES]}

    def usual(self) -> str:
        return "Find the named entities in the text. Their types: {labels}.\n{format}\n\nText: {text}"

    def format(self) -> str:
        if self.marked:
            return (
                "Answer with the text as it is, each entity marked as [words](TYPE). Without any entity, answer with "
                "the text alone."
            )
        return (
            'Answer with JSON alone: {"entities": [{"text": "…", "type": "…"}]}, in the order of the text. "text" '
            'holds the words as they stand there. Add "occurrence": 2 if you mean the second place of the same words. '
            'Without any entity, answer {"entities": []}.'
        )

    def parts(self, given: Sentence) -> Mapping[str, str]:
        return {"{text}": given.text}

    def read(self, reply: str, given: Sentence, cue: str = "") -> Grounded | None:  # noqa: ARG002 - JSON or marks
        left = after_thoughts(reply, given.text)
        if left is None:
            return None
        text, _ = unwrapped(left, given.text)
        values = json_values(text, ENTITIES, listed=True, whole=self.marked)
        if not self.marked:
            values = json_values(left, ENTITIES, listed=True) or values
        if values:
            listed = one_of(values)
            mentions = [*map(_mention, listed)] if isinstance(listed, list) else None
        else:
            mentions = self._marked(text, given)
        if mentions is None or len(mentions) > len(given):
            return None
        named = [(each, label_of(each.type, self.labels)) for each in mentions]
        if named and not any(kind and each.text.strip() for each, kind in named):
            return None
        found = ground_mentions([replace(each, type=kind) for each, kind in named if kind is not None], given)
        others = tuple((each.text[:LONGEST_SAID], "") for each, kind in named if kind is None)
        return replace(found, ungrounded=found.ungrounded + others)

    def said(self, given: Sentence, gold: Sequence[str] | None) -> str:
        spans = entity_spans(gold or ())
        if self.marked:
            return _with_marks(given, spans)
        return json.dumps({ENTITIES: [_entry(given, span) for span in spans]}, ensure_ascii=False)

    def nothing(self, given: Sentence) -> Grounded:
        return Grounded(("O",) * len(given))

    def packed(self, answer: Grounded) -> object:
        return [answer.tags, [kind for _, kind in answer.ungrounded if kind in self.labels], answer.ambiguous]

    def unpacked(self, packed: Any, given: Sentence) -> Grounded:
        tags, kinds, ambiguous = packed
        read = names_among(tags, ["O", *(f"{prefix}-{kind}" for kind in self.labels for prefix in "BI")], len(given))
        for before, tag in pairwise(("O", *read)):
            if tag.startswith("I-") and before[1:] != tag[1:]:
                raise ValueError(tag)
        missed = tuple(("", kind) for kind in names_among(kinds, self.labels))
        return Grounded(read, missed, count_up_to(ambiguous, len(given)))

    def _marked(self, text: str, given: Sentence) -> list[Mention] | None:
        """The marks in the text itself, alone or with a line before or behind it, or in nearly the same words."""
        first, _, behind = text.strip().partition("\n")
        before, _, last = text.strip().rpartition("\n")
        pieces = dict.fromkeys(
            each.strip()
            for each in (text, unquoted(text, stressed=False), behind, before, behind.rpartition("\n")[0], first, last)
        )
        same = [each for each in pieces if each and _plain(each) == "".join(given.text.split())]
        if not same:
            near = [each for each in (text, behind) if _is_near(each, given)]
            return self._mentions(near[0], given, exact=False) if near and _MARKED.search(near[0]) else None
        found = [self._mentions(each, given, exact=_unmarked(each) == given.text.strip()) for each in same]
        return found[0] if all(each == found[0] for each in found) else None

    def _mentions(self, text: str, given: Sentence, *, exact: bool) -> list[Mention] | None:
        marks = list(_MARKED.finditer(text))
        if not any(label_of(mark[2], self.labels) for mark in marks):
            return [] if self.marked and (exact or not marks) else None
        found, taken_off = [], len(given.text.lstrip()) - len(given.text)
        for mark in marks:
            found.append(Mention(mark[1], mark[2], start=mark.start() - taken_off if exact else None))
            taken_off += len(mark[0]) - len(mark[1])
        return found


_NEAR = 0.8
"""Share of the words that a marked text has in common with the input."""


def _unmarked(text: str) -> str:
    return _MARKED.sub(r"\1", text)


def _plain(text: str) -> str:
    return "".join(_unmarked(text).split())


def _is_near(text: str, given: Sentence) -> bool:
    own, theirs = Counter(_unmarked(text).split()), Counter(given.text.split())
    return own.total() > 0 and (own & theirs).total() >= _NEAR * max(own.total(), theirs.total())


def _mention(entry: object) -> Mention:
    if isinstance(entry, Sequence) and not isinstance(entry, str) and len(entry) == 2:
        entry = dict(zip((TEXT, TYPE), entry, strict=True))
    if not isinstance(entry, Mapping):
        return Mention(str(entry)[:LONGEST_SAID], "")
    text, kind, which = entry.get(TEXT), entry.get(TYPE, entry.get(_LABEL)), entry.get(OCCURRENCE)
    which = int(which) if isinstance(which, str) and _DIGITS.fullmatch(which) else which
    occurrence = which if isinstance(which, int) and not isinstance(which, bool) else None
    return Mention(text if isinstance(text, str) else "", kind if isinstance(kind, str) else "", occurrence)


def _entry(given: Sentence, span: Span) -> dict[str, object]:
    which = occurrence_of(given, span.start, span.stop)
    more = {OCCURRENCE: which} if which > 1 else {}
    return {TEXT: _words(given, span), TYPE: span.type, **more}


def _words(given: Sentence, span: Span) -> str:
    pairs = zip(given.tokens, given.spaces, strict=True)
    return "".join(token + space for token, space in [*pairs][span.start : span.stop]).strip()


def _with_marks(given: Sentence, spans: Sequence[Span]) -> str:
    pieces = [[token, space] for token, space in zip(given.tokens, given.spaces, strict=True)]
    for span in spans:
        pieces[span.start][0] = "[" + pieces[span.start][0]
        pieces[span.stop - 1][0] += f"]({span.type})"
    return "".join(token + space for token, space in pieces)
