"""Variants of a prompt with the same meaning."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from abalo.models.prompts.prompt_file import read_alternatives
from abalo.models.prompts.template import FORMAT, LABELS, PromptTemplate
from perturbations import stream
from perturbations.streams import sample

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class PromptVariant:
    """A variant; ``name`` begins with its ``way``."""

    way: str
    name: str
    prompt: PromptTemplate


@dataclass(frozen=True, slots=True)
class Origin:
    """The usual prompt, and how to vary it.

    ``alternatives`` is a file of wordings, "" for none.
    """

    usual: PromptTemplate
    draws: int
    alternatives: str


Way = Callable[[Origin], Iterator[tuple[str, PromptTemplate]]]


def vary_prompts(origin: Origin, ways: Sequence[str]) -> list[PromptVariant]:
    """The prompts of the ways, in order, without duplicates."""
    known, found = [_said(origin.usual)], []
    for way in ways:
        for name, prompt in WAYS[way](origin):
            if _said(prompt) not in known:
                known.append(_said(prompt))
                found.append(PromptVariant(way, f"{way}: {name}", prompt))
    return found


def label_order(origin: Origin) -> Iterator[tuple[str, PromptTemplate]]:
    """Labels reversed and in drawn orders."""
    labels = origin.usual.form.labels
    for name, order in _orders(labels, origin.draws, "label order"):
        yield name, replace(origin.usual, order=tuple(order))


def label_names(origin: Origin) -> Iterator[tuple[str, PromptTemplate]]:
    """Label names in other letter case."""
    labels, names = origin.usual.form.labels, origin.usual.names
    for title, change in (("capitals", str.upper), ("small letters", str.lower), ("title case", str.title)):
        others = {label: change(names.get(label, label)) for label in labels}
        if others and len({name.casefold() for name in others.values()}) == len(labels):
            yield title, replace(origin.usual, names=others)


def example_order(origin: Origin) -> Iterator[tuple[str, PromptTemplate]]:
    """Examples reversed and in drawn orders."""
    for name, shots in _orders(origin.usual.shots, origin.draws, "example order"):
        yield name, replace(origin.usual, shots=tuple(shots))


def example_choice(origin: Origin) -> Iterator[tuple[str, PromptTemplate]]:
    """Other examples drawn from the same corpus, named by their numbers there."""
    if origin.usual.shots and len(origin.usual.pool) > len(origin.usual.shots):
        for seed in range(1, origin.draws + 1):
            drawn = origin.usual.draw(seed)
            yield drawn.source, drawn


def wording(origin: Origin) -> Iterator[tuple[str, PromptTemplate]]:
    """The prompts in the file of alternatives."""
    if origin.alternatives:
        for name, values in read_alternatives(origin.alternatives).items():
            prompt = replace(origin.usual, **values)
            same = (prompt.examples, prompt.shown) == (origin.usual.examples, origin.usual.shown)
            yield name, prompt if same else prompt.draw()


def reply_format(origin: Origin) -> Iterator[tuple[str, PromptTemplate]]:
    """The task's other reply forms."""
    if FORMAT in origin.usual.template:
        for reply, form in origin.usual.prompting.forms().items():
            if form.format() != origin.usual.form.format():
                yield reply, replace(origin.usual, reply=reply)


def letter_case(origin: Origin) -> Iterator[tuple[str, PromptTemplate]]:
    """The prompt in lower and upper case."""
    yield "small letters", _rewritten(origin, str.lower)
    yield "capitals", _rewritten(origin, str.upper)


def white_space(origin: Origin) -> Iterator[tuple[str, PromptTemplate]]:
    """Fewer or more blank lines, or a final line break."""
    yield "no blank lines", _rewritten(origin, lambda text: re.sub(r"\n+", "\n", text))
    yield "more blank lines", _rewritten(origin, lambda text: text.replace("\n", "\n\n"))
    yield "line break at the end", replace(origin.usual, prompt=origin.usual.template + "\n")


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


def _rewritten(origin: Origin, change: Callable[[str], str]) -> PromptTemplate:
    places = [*origin.usual.form.places, LABELS, FORMAT]

    def rewritten(text: str) -> str:
        pieces = re.split(f"({'|'.join(map(re.escape, places))})", text)
        return "".join(piece if piece in places else change(piece) for piece in pieces)

    return replace(origin.usual, prompt=rewritten(origin.usual.template), system=rewritten(origin.usual.system))


def _said(prompt: PromptTemplate) -> tuple[object, ...]:
    names = tuple(prompt.names.get(label, label) for label in prompt.form.labels)
    return prompt.template, prompt.messages, names, prompt.shown_form.format(), tuple(sorted(prompt.labels.items()))
