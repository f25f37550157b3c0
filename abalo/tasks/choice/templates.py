"""Filled templates of questions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from abalo.core.protocols.subject import Subject
from abalo.core.protocols.templates import Templates
from abalo.core.records.example import Example
from abalo.core.records.filling import Filled, Filling
from abalo.corpora.running_text import replace_all
from abalo.questions.question import Choice
from abalo.tasks.choice.corpus import OPTIONS, QUESTION, example_of
from abalo.tasks.choice.models.protocol import Picked
from perturbations.suggestions import did_you_mean

ANSWER = "answer"

FIELDS: Mapping[str, str] = {
    QUESTION: "the question",
    OPTIONS: "a list of its options",
    ANSWER: "the option that is right",
}


def write_filling(filled: Mapping[str, Any]) -> Filling:
    """The question. Raises ValueError for a missing field or unknown answer."""
    missing = [name for name in FIELDS if isinstance(filled.get(name, ()), Filled) == (name == OPTIONS)]
    if missing or not filled.get(OPTIONS):
        raise ValueError(f"expected {', '.join(f'{name}: {holds}' for name, holds in FIELDS.items())}")
    asked, right = filled[QUESTION].plain, filled[ANSWER].plain
    texts = tuple(each.plain for each in filled[OPTIONS])
    if right not in texts:
        raise ValueError(f"{ANSWER} {right!r} is none of the options {', '.join(map(repr, texts))}")
    if len(set(texts)) < len(texts):
        raise ValueError(f"options {', '.join(map(repr, texts))}: two are the same")
    try:
        return Filling(_example(asked, texts, texts.index(right)))
    except TypeError as error:
        raise ValueError(str(error)) from error


def _example(asked: str, texts: tuple[str, ...], target: int) -> Example:
    name = hashlib.blake2b(json.dumps([asked, texts]).encode(), digest_size=8).hexdigest()
    return example_of(Choice(name, asked, texts, target))


def swap_words(example: Example, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
    """Replaces ``old`` in question and options, unless two options become equal."""
    choice, (old, new) = example.source, (Filled(old).plain, Filled(new).plain)
    asked, *texts = (replace_all(text, old, new) or text for text in (choice.question, *choice.options))
    if [asked, *texts] != [choice.question, *choice.options] and len(set(texts)) == len(texts):
        yield Filling(example), Filling(_example(asked, tuple(texts), choice.target))


def fault(filling: Filling, prediction: Picked) -> str:
    """The chosen option, if wrong."""
    right = filling.example.gold
    return "" if prediction.place == right else f"answered {_answer(filling, prediction)}"


def differing(before: Filling, first: Picked, after: Filling, second: Picked) -> str:
    """Both answers, if their places differ."""
    if first.place == second.place:
        return ""
    return f"answered {_answer(before, first)}, then {_answer(after, second)}"


def predicted_option(filling: Filling, prediction: Picked) -> Collection[str]:
    """The chosen option, if any."""
    place = prediction.place
    return set() if place is None else {filling.example.fields[OPTIONS].tokens[place]}


def say_example(example: Example, prediction: Picked | None = None) -> str:
    """The question and all options, with the chosen or else the right one in brackets."""
    place = example.gold if prediction is None else prediction.place
    options = [f"[{text}]" if k == place else text for k, text in enumerate(example.fields[OPTIONS].tokens)]
    return f"{example.fields[QUESTION].text} {' / '.join(options)}"


def _answer(filling: Filling, prediction: Picked) -> str:
    if prediction.place is None:
        return "nothing"
    return repr(filling.example.fields[OPTIONS].tokens[prediction.place])


class QuestionTemplates(Templates):
    """Templates of questions."""

    fields = FIELDS
    fault = staticmethod(fault)
    said = staticmethod(say_example)

    def swapped(self, example: Example, key: str, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
        return swap_words(example, old, new)

    def foreign(self, fillings: Iterable[Filling], labels: Collection[str], subject: Subject) -> str:
        options = {text for each in fillings for text in each.example.fields[OPTIONS].tokens}
        unknown = sorted({*labels} - options)
        return f"no question has an option {unknown[0]!r}{did_you_mean(unknown[0], sorted(options))}" if unknown else ""

    def written(self, filled: Mapping[str, Filled | Sequence[Filled]], corpus: object) -> Filling:
        return write_filling(filled)

    def differing(
        self, before: Filling, first: Picked, after: Filling, second: Picked, free: Collection[str] = ()
    ) -> str:
        return differing(before, first, after, second)

    def predicted(self, filling: Filling, prediction: Picked, key: str = "") -> Collection[str]:
        return predicted_option(filling, prediction)
