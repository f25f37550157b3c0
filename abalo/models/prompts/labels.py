"""Prompts for labels of a text or pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from json import dumps
from typing import Any

from abalo.models.labelling.classified import TextInput
from abalo.models.prompts.replies import AllowedNames, Closed, OneName, SeveralNames, read_closed
from abalo.models.prompts.reply_words import label_words
from abalo.models.prompts.unpacking import names_among

NONE = "none"

_NOTHING = frozenset(
    (NONE, "no label", "no labels", "nenhum", "nenhuma", "ninguna", "ninguno", "keine", "aucune", "无")
)

_LABEL, _LABELS = "label", "labels"


@dataclass(frozen=True, slots=True)
class LabelForm:
    """The `PromptForm` of labels, one or ``several``.

    ``places`` are the template's inputs; ``lead`` begins the template.
    """

    labels: tuple[str, ...] = ()
    several: bool = False
    json: bool = False
    places: tuple[str, ...] = ("{text}",)
    lead: str = "Read the text"

    @property
    def schema(self) -> Mapping[str, object] | None:
        if not self.json:
            return None
        label = {"type": "string", "enum": list(self.labels)}
        name = _LABELS if self.several else _LABEL
        wanted = {"type": "array", "items": label} if self.several else label
        return {"type": "object", "properties": {name: wanted}, "required": [name]}

    @property
    def scored(self) -> tuple[str, ...]:
        """The labels that the alternatives of a reply's tokens give scores."""
        return () if self.several else self.labels

    def usual(self) -> str:
        shown = "\n".join(f"{place.strip('{}').capitalize()}: {place}" for place in self.places)
        wanted = "all labels that fit, of" if self.several else "its label, one of"
        end = "Labels:" if self.several else "Label:"
        return f"{self.lead} and answer with {wanted}: {{labels}}. {{format}}\n\n{shown}\n\n{end}"

    def format(self) -> str:
        if self.json:
            return f"Answer with JSON alone: {_example(several=self.several)}."
        return f"Put commas between them, or answer {NONE}." if self.several else "Answer with the label alone."

    def parts(self, given: TextInput) -> Mapping[str, str]:
        return dict(zip(self.places, (given,) if isinstance(given, str) else given, strict=True))

    def read(self, reply: str, given: TextInput, cue: str = "") -> tuple[str, ...] | None:  # noqa: ARG002 - for any text
        names = AllowedNames.among(self.labels)
        allowed = SeveralNames(names, _NOTHING) if self.several else OneName(names)
        return read_closed(reply, allowed, Closed((_LABELS, _LABEL), self.json, label_words()), cue)

    def said(self, given: TextInput, gold: tuple[str, ...]) -> str:  # noqa: ARG002 - the same for any text
        if self.json:
            return dumps({_LABELS: list(gold)} if self.several else {_LABEL: gold[0]}, ensure_ascii=False)
        return ", ".join(gold) or NONE

    def nothing(self, given: TextInput) -> tuple[str, ...]:  # noqa: ARG002 - the same for any text
        return ()

    def packed(self, answer: tuple[str, ...]) -> object:
        return answer

    def unpacked(self, packed: Any, given: TextInput) -> tuple[str, ...]:  # noqa: ARG002 - the same for any text
        answer = names_among(packed, self.labels)
        if len({*answer}) != len(answer) or not (self.several or len(answer) == 1):
            raise ValueError(packed)
        return answer


OF_TEXTS = LabelForm()


def _example(*, several: bool) -> str:
    return '{"labels": ["…"]}' if several else '{"label": "…"}'
