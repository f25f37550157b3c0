"""Examples and their variants."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from perturbations import Perturbed, Sentence, Span

Json = dict[str, Any]
"""Plain JSON values by name."""


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """One item of a corpus: what a model reads, field by field, and what is right.

    ``id`` tells examples apart by what is read, so that copies share their draws. Examples of one ``cluster`` are
    copies of each other, never independent evidence. Labels of tokens stand in the sentences; ``gold`` is the label of
    the whole, None where there is none. ``source`` is what the task's own reader made of it, ``language``
    the code that the corpus gives it, None where its words tell.
    """

    id: str
    fields: Mapping[str, Sentence]
    cluster: str
    gold: Any = None
    source: Any = None
    language: str | None = None

    @property
    def sentence(self) -> Sentence:
        """The sentence of an example that has just one."""
        (only,) = self.fields.values()
        return only

    @property
    def whole(self) -> Sentence:
        """The example as one sentence; of several fields one after the other, with an anchor over each."""
        return self.sentence if len(self.fields) == 1 else joined(self.fields)


ARROW = "⇒"
"""The token between fields that are looked at, or shown, as one sentence."""


def joined(fields: Mapping[str, Sentence]) -> Sentence:
    """The fields as one sentence, with an anchor over each."""
    words: list[str] = []
    spaces: list[str] = []
    anchors: list[Span] = []
    for name, field in fields.items():
        if anchors:
            spaces[-1] = " "
            words.append(ARROW)
            spaces.append(" ")
        anchors.append(Span(len(words), len(words) + len(field), name))
        words += field.tokens
        spaces += field.spaces or ()
    return Sentence(tuple(words), spaces=tuple(spaces), anchors=tuple(anchors))


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """An example with some of its fields edited; ``edits`` holds by field what was done.

    ``kind`` names one of several fixed ways to change an example, ``title`` says it for people; both are empty for
    drawn variants.
    """

    example: Example
    edits: Mapping[str, Perturbed]
    kind: str = ""
    title: str = ""

    @property
    def perturbed(self) -> Perturbed:
        """The change of the one field that was edited."""
        (only,) = self.edits.values()
        return only
