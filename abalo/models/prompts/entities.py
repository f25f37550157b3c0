"""Prompts for entities."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from abalo.models.prompts.grounding import LONGEST_SAID, Grounded, Mention, ground_mentions, occurrence_of
from abalo.models.prompts.json_replies import LONGEST, entries, json_in, label_of
from perturbations import Sentence, Span, entity_spans

TEXT, TYPE, OCCURRENCE, ENTITIES = "text", "type", "occurrence", "entities"

_MARKED = re.compile(r"\[([^\[\]]*)\]\(([^()]*)\)")


@dataclass(frozen=True, slots=True)
class EntityForm:
    """The `PromptForm` of entities: JSON, or ``marked`` text.

    Unknown types are ungrounded, with type "".
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

    def read(self, reply: str, given: Sentence) -> Grounded | None:
        mentions = self._marked(reply, given) if self.marked else None
        if mentions is None:
            listed = entries(json_in(reply), ENTITIES)
            mentions = self._marked(reply, given) if listed is None else [*map(_mention, listed)]
        if mentions is None:
            return None
        named = [(each, label_of(each.type, self.labels)) for each in mentions]
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

    def unpacked(self, packed: Any) -> Grounded:
        tags, kinds, ambiguous = packed
        return Grounded(tuple(tags), tuple(("", kind) for kind in kinds), ambiguous)

    def _marked(self, reply: str, given: Sentence) -> list[Mention] | None:
        if len(reply) > LONGEST:
            return None
        marks = list(_MARKED.finditer(reply))
        plain = _MARKED.sub(r"\1", reply).strip()
        same = plain == given.text.strip()
        if not marks and not (same and self.marked):
            return None
        if not marks or not any(label_of(mark[2], self.labels) for mark in marks):
            return [] if same and self.marked else None
        found, taken_off = [], len(reply) - len(reply.lstrip()) - (len(given.text) - len(given.text.lstrip()))
        for mark in marks:
            start = mark.start() - taken_off if same else None
            found.append(Mention(mark[1], mark[2], start=start))
            taken_off += len(mark[0]) - len(mark[1])
        return found


def _mention(entry: object) -> Mention:
    if isinstance(entry, Sequence) and not isinstance(entry, str) and len(entry) == 2:
        entry = dict(zip((TEXT, TYPE), entry, strict=True))
    if not isinstance(entry, Mapping):
        return Mention(str(entry)[:LONGEST_SAID], "")
    text, kind, which = entry.get(TEXT), entry.get(TYPE), entry.get(OCCURRENCE)
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
