"""Examples and their variants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from perturbations import Edit, Perturbed, Sentence, Span, apply

JsonObject = dict[str, Any]
"""JSON values by name."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One item of a corpus: what a model reads, field by field, and the gold.

    * ``id``: depends only on what is read, so copies share random draws.
    * ``cluster``: examples of one cluster are copies, not independent evidence.
    * ``gold``: label of the whole example; None without one. Token labels are in the sentences.
    * ``source``: what the task's reader made.
    * ``language``: None to detect it by words.
    """

    id: str
    fields: Mapping[str, Sentence]
    cluster: str
    gold: Any = None
    source: Any = None
    language: str | None = None

    @property
    def sentence(self) -> Sentence:
        """The sentence of the only field."""
        (only,) = self.fields.values()
        return only

    @property
    def whole(self) -> Sentence:
        """All fields as one sentence, each under an anchor."""
        return self.sentence if len(self.fields) == 1 else join_fields(self.fields)


ARROW = "⇒"


def join_fields(fields: Mapping[str, Sentence]) -> Sentence:
    """The fields as one sentence, each under an anchor."""
    words: list[str] = []
    spaces: list[str] = []
    anchors: list[Span] = []
    own: list[Span] = []
    for name, field in fields.items():
        if anchors:
            spaces[-1] = " "
            words.append(ARROW)
            spaces.append(" ")
        start = len(words)
        anchors.append(Span(start, start + len(field), name))
        own += [Span(start + each.start, start + each.stop, each.type) for each in field.anchors]
        words += field.tokens
        spaces += field.spaces or ()
    return Sentence(tuple(words), spaces=tuple(spaces), anchors=(*anchors, *own))


def join_edits(fields: Mapping[str, Sentence], edits: Mapping[str, Perturbed]) -> Perturbed:
    """The changes of some fields as one change."""
    moved: list[Edit] = []
    start = 0
    for name, field in fields.items():
        moved += [_move_edit(edit, start) for edit in (edits[name].edits if name in edits else ())]
        start += len(field) + 1
    return apply(join_fields(fields), moved)


def _move_edit(edit: Edit, by: int) -> Edit:
    origins = edit.origins and tuple(tuple(old + by for old in origin) for origin in edit.origins)
    return edit._replace(start=edit.start + by, stop=edit.stop + by, origins=origins)


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """An example with edited fields; ``edits`` holds the edits by field.

    ``kind`` and ``title`` name a fixed way to change it; "" if drawn.
    """

    example: Example
    edits: Mapping[str, Perturbed]
    kind: str = ""
    title: str = ""

    @property
    def perturbed(self) -> Perturbed:
        """The change of the only edited field."""
        (only,) = self.edits.values()
        return only
