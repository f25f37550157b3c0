"""Shows labels to the model under other names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from abalo.models.prompts.grounding import Grounded
from abalo.models.prompts.protocol import PromptForm


@dataclass(frozen=True, slots=True)
class NamedForm:
    """The form ``of``, with ``names`` in place of labels."""

    of: Any
    names: Mapping[str, str]

    @property
    def labels(self) -> tuple[str, ...]:
        found: tuple[str, ...] = self.of.labels
        return found

    @property
    def places(self) -> tuple[str, ...]:
        found: tuple[str, ...] = self.of.places
        return found

    @property
    def schema(self) -> Mapping[str, object] | None:
        return self._shown.schema

    @property
    def scored(self) -> tuple[str, ...]:
        found: tuple[str, ...] = getattr(self._shown, "scored", ())
        return found

    def usual(self) -> str:
        return self._shown.usual()

    def format(self) -> str:
        return self._shown.format()

    def parts(self, given: object) -> Mapping[str, str]:
        return self._shown.parts(given)

    def read(self, reply: str, given: object, cue: str = "") -> object:
        labels = {name: label for label, name in self.names.items()}
        found = self._shown.read(reply, given, cue)
        if found is None:
            return None
        answer = _rename(found, lambda name: labels.get(name, name))
        return tuple(sorted(answer)) if isinstance(answer, tuple) else answer

    def said(self, given: object, gold: object) -> str:
        return self._shown.said(given, _rename(gold, lambda label: self.names.get(label, label)))

    def nothing(self, given: object) -> object:
        return self.of.nothing(given)

    def packed(self, answer: object) -> object:
        return self.of.packed(answer)

    def unpacked(self, packed: object, given: object) -> object:
        return self.of.unpacked(packed, given)

    @property
    def _shown(self) -> PromptForm[Any, Any]:
        shown: PromptForm[Any, Any] = replace(self.of, labels=tuple(self.names.get(each, each) for each in self.labels))
        return shown


def _rename(answer: object, name_of: Callable[[str], str]) -> object:
    def renamed(label: str) -> str:
        prefix, dash, kind = label.partition("-")
        return f"{prefix}-{name_of(kind)}" if dash and prefix in ("B", "I") else name_of(label)

    if isinstance(answer, Grounded):
        missed = tuple((words, name_of(kind)) for words, kind in answer.ungrounded)
        return replace(answer, tags=tuple(map(renamed, answer.tags)), ungrounded=missed)
    return tuple(map(renamed, answer)) if isinstance(answer, tuple | list) else answer
