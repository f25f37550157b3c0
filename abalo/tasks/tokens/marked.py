"""Report blocks of the sentences that suffered most."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from abalo.core.documents.blocks import Block, Examples, Item, Mark, Marked, Piece, ShownExample, Text
from abalo.core.documents.found import Result, WorstExample
from abalo.core.protocols.results import probe_of
from abalo.core.records import words

TITLE = "Worst examples"

_REPLY = 300

EDITS = ((Mark("edited", ("word",)), "edited or inserted"), (Mark("removed", ("word",)), "removed"))


@dataclass(frozen=True, slots=True)
class Marking:
    """How a task marks the ``original`` and the ``perturbed`` sentence.

    ``error`` and ``label`` are words. ``beside`` adds drawings.
    """

    original: Callable[[WorstExample], Sequence[Piece]]
    perturbed: Callable[[WorstExample], Sequence[Piece]]
    error: str
    label: str
    beside: Callable[[ShownExample, WorstExample], ShownExample] = lambda shown, _: shown


def worst(result: Result, marking: Marking, legend: tuple[tuple[Mark, str], ...]) -> list[Block]:
    """The worst examples of a result."""
    found, perturbs = result.examples, probe_of(result).perturbs
    if found:
        show = _example if perturbs else _mistake
        shown = (marking.beside(show(number, each, marking), each) for number, each in enumerate(found, start=1))
        return [Examples(tuple(shown), TITLE, legend)]
    if result.bound is None or not perturbs:
        return []
    none = "None: no example got worse, or the report was made with --abalo-no-text."
    return [Text((none,), TITLE)]


def _example(number: int, example: WorstExample, marking: Marking) -> ShownExample:
    unchanged = bool(example.tokens) and example.tokens == example.new_tokens
    same = "; the words stay the same, so the change does not show" if unchanged else ""
    said = f"{_harm(example, marking)} (seed {example.seed}, id {example.sentence_id}{same})"
    sentences = (
        Marked("original", tuple(marking.original(example))),
        Marked("perturbed", tuple(marking.perturbed(example))),
        *_reply(example),
    )
    return ShownExample(Item(said, f"{number}."), sentences)


def _harm(example: WorstExample, marking: Marking) -> str:
    if example.turned:
        return "The model's confidence in the old label rises"
    added = words.count(example.broken, marking.error) if example.broken > 0 else f"no {marking.error}"
    return f"The change adds {added}"


def _mistake(number: int, example: WorstExample, marking: Marking) -> ShownExample:
    said = f"{words.count(example.broken, marking.error)} (id {example.sentence_id})"
    return ShownExample(Item(said, f"{number}."), (Marked("clean", tuple(marking.original(example))), *_reply(example)))


def _reply(example: WorstExample) -> tuple[Marked, ...]:
    if example.reply is None:
        return ()
    return (Marked(words.reply(unreadable=example.unreadable), (words.shorten(example.reply, _REPLY),)),)


def original_words(example: WorstExample) -> list[Piece]:
    """The clean words; removed ones are marked."""
    removed = set(example.removed)
    return [Mark("removed", (word,), hint="removed") if i in removed else word for i, word in enumerate(example.tokens)]


def perturbed_words(example: WorstExample) -> list[Piece]:
    """The new words; edited ones are marked and hint at originals."""
    shown: list[Piece] = list(example.new_tokens)
    for i in example.edited:
        was = " ".join(example.tokens[old] for old in example.origins[i])
        shown[i] = Mark("edited", (example.new_tokens[i],), hint=f"was: {was}" if was else "inserted")
    return shown
