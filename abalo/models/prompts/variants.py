"""Variants of a prompt with the same meaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, get_args

from abalo.models.prompts.prompting import Prompts
from abalo.models.prompts.wording import FORMAT, LABELS, ReplyForm, Shot, Worded, Wording, read_alternatives
from perturbations import stream
from perturbations.streams import sample

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PromptVariant:
    """A variant; ``name`` begins with its ``way``."""

    way: str
    name: str
    worded: Worded


@dataclass(frozen=True, slots=True)
class Origin:
    """The usual prompt, and how to vary it.

    ``alternatives`` is a file of wordings, "" for none.
    """

    prompts: Prompts
    usual: Worded
    draws: int
    alternatives: str

    def worded(self, shots: Sequence[Shot] | None = None, **changed: object) -> Worded:
        """The usual prompt with changed keys or examples."""
        said: Wording = replace(self.usual.wording, **changed)  # type: ignore[arg-type]
        return self.prompts.worded(said, self.usual.shots if shots is None else shots)


Way = Callable[[Origin], Iterator[tuple[str, Worded]]]


def vary_prompts(origin: Origin, ways: Sequence[str]) -> list[PromptVariant]:
    """The prompts of the ways, in order, without duplicates."""
    known, found = [_said(origin.usual)], []
    for way in ways:
        for name, worded in WAYS[way](origin):
            if _said(worded) not in known:
                known.append(_said(worded))
                found.append(PromptVariant(way, f"{way}: {name}", worded))
    return found


def label_order(origin: Origin) -> Iterator[tuple[str, Worded]]:
    """Labels reversed and in drawn orders."""
    labels = origin.usual.form.labels
    for name, order in _orders(labels, origin.draws, "label order"):
        yield name, origin.worded(order=tuple(order))


def label_names(origin: Origin) -> Iterator[tuple[str, Worded]]:
    """Label names in other letter case."""
    labels, names = origin.usual.form.labels, origin.usual.wording.names
    for title, change in (("capitals", str.upper), ("small letters", str.lower), ("title case", str.title)):
        others = {label: change(names.get(label, label)) for label in labels}
        if others and len({name.casefold() for name in others.values()}) == len(labels):
            yield title, origin.worded(names=others)


def example_order(origin: Origin) -> Iterator[tuple[str, Worded]]:
    """Examples reversed and in drawn orders."""
    for name, shots in _orders(origin.usual.shots, origin.draws, "example order"):
        yield name, origin.worded(shots)


def example_choice(origin: Origin) -> Iterator[tuple[str, Worded]]:
    """Other examples drawn from the same corpus."""
    pool, shown = origin.prompts.pool(origin.usual.wording), len(origin.usual.shots)
    if len(pool) > shown:
        for number in range(1, origin.draws + 1):
            yield f"drawn {number}", origin.worded(sample(stream(number, "example choice"), pool, shown))


def wording(origin: Origin) -> Iterator[tuple[str, Worded]]:
    """The prompts in the file of alternatives."""
    if origin.alternatives:
        for name, said in read_alternatives(origin.alternatives, origin.usual.wording).items():
            same = (said.examples, said.shown) == (origin.usual.wording.examples, origin.usual.wording.shown)
            yield name, origin.prompts.worded(said, origin.usual.shots if same else None)


def reply_format(origin: Origin) -> Iterator[tuple[str, Worded]]:
    """The task's other reply forms."""
    for reply in get_args(ReplyForm):
        try:
            form = origin.prompts.prompting.form(reply)
        except ValueError:
            continue
        if form.format() != origin.usual.form.format() and FORMAT in origin.usual.template:
            yield reply, origin.worded(reply=reply)


def letter_case(origin: Origin) -> Iterator[tuple[str, Worded]]:
    """The prompt in lower and upper case."""
    yield "small letters", _rewritten(origin, str.lower)
    yield "capitals", _rewritten(origin, str.upper)


def white_space(origin: Origin) -> Iterator[tuple[str, Worded]]:
    """Fewer or more blank lines, or a final line break."""
    yield "no blank lines", _rewritten(origin, lambda text: re.sub(r"\n+", "\n", text))
    yield "more blank lines", _rewritten(origin, lambda text: text.replace("\n", "\n\n"))
    yield "line break at the end", origin.worded(prompt=origin.usual.template + "\n")


WAYS: Mapping[str, Way] = {
    way.__name__: way
    for way in (
        label_order,
        label_names,
        example_order,
        example_choice,
        wording,
        reply_format,
        letter_case,
        white_space,
    )
}


def _orders(items: Sequence[T], draws: int, name: str) -> Iterator[tuple[str, list[T]]]:
    if len(items) > 1:
        yield "reversed", [*reversed(items)]
    if len(items) > 2:
        for number in range(1, draws + 1):
            yield f"drawn {number}", sample(stream(number, name), list(items), len(items))


def _rewritten(origin: Origin, change: Callable[[str], str]) -> Worded:
    places = [*origin.usual.form.places, LABELS, FORMAT]

    def rewritten(text: str) -> str:
        pieces = re.split(f"({'|'.join(map(re.escape, places))})", text)
        return "".join(piece if piece in places else change(piece) for piece in pieces)

    said = origin.usual.wording
    return origin.worded(prompt=rewritten(origin.usual.template), system=rewritten(said.system))


def _said(worded: Worded) -> tuple[object, ...]:
    said = worded.wording
    names = tuple(said.names.get(label, label) for label in worded.form.labels)
    messages = tuple((each.role, each.text) for each in worded.messages)
    return worded.template, messages, names, worded.form.format(), tuple(sorted(said.labels.items()))
