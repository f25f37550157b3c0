"""Report blocks of the sentences that suffered most; a task marks its labels in them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from abalo.core import words
from abalo.core.blocks import Block, Example, Examples, Item, Mark, Marked, Piece, Text
from abalo.core.results import Json, probe_of

TITLE = "Worst examples"

_REPLY = 300
"""How many characters of a reply are shown."""

EDITS = ((Mark("edited", ("word",)), "edited or inserted"), (Mark("removed", ("word",)), "removed"))
"""Part of every legend: words that a change has touched."""


@dataclass(frozen=True, slots=True)
class Marking:
    """How a task marks examples: the pieces of the ``original`` and of the ``perturbed`` sentence.

    ``error`` is one error in words, ``label`` what a sentence may have lost.
    """

    original: Callable[[Json], Sequence[Piece]]
    perturbed: Callable[[Json], Sequence[Piece]]
    error: str
    label: str


def worst(result: Json, marking: Marking, legend: tuple[tuple[Mark, str], ...]) -> list[Block]:
    """The examples of a result, worst first; a line where a bound case that perturbs has none."""
    found, perturbs = result["examples"], probe_of(result).perturbs
    if found:
        show = _example if perturbs else _mistake
        return [
            Examples(tuple(show(number, each, marking) for number, each in enumerate(found, start=1)), TITLE, legend)
        ]
    if result["bound"] is None or not perturbs:
        return []
    none = f"None: no sentence lost {marking.label}, or the report was made with --abalo-no-text."
    return [Text((none,), TITLE)]


def _example(number: int, example: Json, marking: Marking) -> Example:
    more = (
        words.count(example["broken"], f"more {marking.error}")
        if example["broken"] > 0
        else f"no more {marking.error}s"
    )
    said = f"{more} than on the clean sentence (seed {example['seed']}, sentence {example['sentence_id']})"
    sentences = (
        Marked("original", tuple(marking.original(example))),
        Marked("perturbed", tuple(marking.perturbed(example))),
        *_reply(example),
    )
    return Example(Item(said, f"{number}."), sentences)


def _mistake(number: int, example: Json, marking: Marking) -> Example:
    """A sentence that is wrong as it stands."""
    said = f"{words.count(example['broken'], marking.error)} (sentence {example['sentence_id']})"
    return Example(Item(said, f"{number}."), (Marked("clean", tuple(marking.original(example))), *_reply(example)))


def _reply(example: Json) -> tuple[Marked, ...]:
    """The reply of a language model, by which its labels were read."""
    reply = example.get("reply")
    return () if reply is None else (Marked("reply", (words.shortened(reply, _REPLY),)),)


def original_words(example: Json) -> list[Piece]:
    """The words of the clean sentence; those that were removed are marked."""
    removed = set(example["removed"])
    return [
        Mark("removed", (word,), hint="removed") if i in removed else word for i, word in enumerate(example["tokens"])
    ]


def perturbed_words(example: Json) -> list[Piece]:
    """The words of the perturbed sentence; edited and inserted ones are marked, their originals in the hint."""
    shown: list[Piece] = list(example["new_tokens"])
    for i in example["edited"]:
        was = " ".join(example["tokens"][old] for old in example["origins"][i])
        shown[i] = Mark("edited", (example["new_tokens"][i],), hint=f"was: {was}" if was else "inserted")
    return shown
