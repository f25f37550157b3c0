"""Prompts for labels of a text or pair."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from json import dumps
from typing import Any

from abalo.models.labelling.classified import TextInput
from abalo.models.prompts.json_replies import LONGEST, json_in, label_of

NONE = "none"

_LABEL, _LABELS = "label", "labels"


@dataclass(frozen=True, slots=True)
class Asking:
    """How a task asks for labels.

    ``places`` are the template's inputs; ``of`` begins the template, such as "Read the text".
    """

    places: tuple[str, ...]
    of: str


OF_TEXTS = Asking(("{text}",), "Read the text")


@dataclass(frozen=True, slots=True)
class LabelForm:
    """The `PromptForm` of labels, one or ``several``.

    Reads a label, JSON, or the first line with labels.
    """

    labels: tuple[str, ...]
    several: bool
    asking: Asking = OF_TEXTS
    json: bool = False

    @property
    def places(self) -> tuple[str, ...]:
        return self.asking.places

    @property
    def schema(self) -> Mapping[str, object] | None:
        if not self.json:
            return None
        label = {"type": "string", "enum": list(self.labels)}
        name = _LABELS if self.several else _LABEL
        wanted = {"type": "array", "items": label} if self.several else label
        return {"type": "object", "properties": {name: wanted}, "required": [name]}

    def usual(self) -> str:
        shown = "\n".join(f"{place.strip('{}').capitalize()}: {place}" for place in self.places)
        wanted = "all labels that fit, of" if self.several else "its label, one of"
        end = "Labels:" if self.several else "Label:"
        return f"{self.asking.of} and answer with {wanted}: {{labels}}. {{format}}\n\n{shown}\n\n{end}"

    def format(self) -> str:
        if self.json:
            return f"Answer with JSON alone: {_example(several=self.several)}."
        return f"Put commas between them, or answer {NONE}." if self.several else "Answer with the label alone."

    def parts(self, given: TextInput) -> Mapping[str, str]:
        return dict(zip(self.places, (given,) if isinstance(given, str) else given, strict=True))

    def read(self, reply: str, given: TextInput) -> tuple[str, ...] | None:  # noqa: ARG002 - the same for any text
        if len(reply) > LONGEST:
            return None
        found = self._of_json(json_in(reply))
        if found is not None:
            return found
        for line in (reply, *reply.splitlines()):
            named = self._named(line)
            if named:
                return named if self.several or len(named) == 1 else None
        return () if self.several and _plain(reply) == NONE else None

    def said(self, given: TextInput, gold: tuple[str, ...]) -> str:  # noqa: ARG002 - the same for any text
        if self.json:
            return dumps({_LABELS: list(gold)} if self.several else {_LABEL: gold[0]}, ensure_ascii=False)
        return ", ".join(gold) or NONE

    def nothing(self, given: TextInput) -> tuple[str, ...]:  # noqa: ARG002 - the same for any text
        return ()

    def packed(self, answer: tuple[str, ...]) -> object:
        return answer

    def unpacked(self, packed: Any) -> tuple[str, ...]:
        return tuple(packed)

    def _of_json(self, value: object) -> tuple[str, ...] | None:
        if isinstance(value, dict):
            value = value.get(_LABELS, value.get(_LABEL))
        listed = [value] if isinstance(value, str) else value
        if not isinstance(listed, list) or not (self.several or len(listed) == 1):
            return None
        named = {label_of(each, self.labels) for each in listed}
        return None if None in named else tuple(sorted(filter(None, named)))

    def _named(self, line: str) -> tuple[str, ...]:
        plain = _plain(line)
        if "\n" in line.strip() or not plain:
            return ()
        whole = [label for label in self.labels if _plain(label) == plain]
        words = [label for label in self.labels if re.search(rf"(?<!\w){re.escape(_plain(label))}(?!\w)", plain)]
        longest = [
            label for label in words if not any(_plain(label) in _plain(other) != _plain(label) for other in words)
        ]
        return tuple(sorted(whole or longest))


def _example(*, several: bool) -> str:
    return '{"labels": ["…"]}' if several else '{"label": "…"}'


def _plain(text: str) -> str:
    return text.strip(" \t\r\n.,;:!?\"'`*()[]").casefold()
