"""Filled templates of questions, and what an answer has wrong in them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from abalo.core.example import Example
from abalo.core.filling import Filled, Filling
from abalo.core.subject import Subject
from abalo.core.templates import Templates
from abalo.corpora.running_text import replaced
from abalo.tasks.choice.corpus import OPTIONS, QUESTION, example_of
from abalo.tasks.choice.models.protocol import Picked
from abalo.tasks.choice.question import Choice
from perturbations.suggestions import did_you_mean

ANSWER = "answer"

FIELDS: Mapping[str, str] = {
    QUESTION: "the question",
    OPTIONS: "a list of its options",
    ANSWER: "the option that is right",
}


def written(filled: Mapping[str, Any]) -> Filling:
    """The question; raises ValueError where it lacks something, and for an answer that is none of the options."""
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


def swapped(example: Example, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
    """The question with ``new`` in every place of ``old``, in its options too, since both are about the same.

    Nothing where two options would become the same.
    """
    choice, (old, new) = example.source, (Filled(old).plain, Filled(new).plain)
    asked, *texts = (replaced(text, old, new) or text for text in (choice.question, *choice.options))
    if [asked, *texts] != [choice.question, *choice.options] and len(set(texts)) == len(texts):
        yield Filling(example), Filling(_example(asked, tuple(texts), choice.target))


def fault(filling: Filling, prediction: Picked) -> str:
    """The option chosen where it is not the right one."""
    right = filling.example.gold
    return "" if prediction.place == right else f"answered {_answer(filling, prediction)}"


def differing(before: Filling, first: Picked, after: Filling, second: Picked) -> str:
    """Both answers, where the second is at another place than the first."""
    if first.place == second.place:
        return ""
    return f"answered {_answer(before, first)}, then {_answer(after, second)}"


def predicted(filling: Filling, prediction: Picked) -> Collection[str]:
    """The option chosen; none where none was."""
    place = prediction.place
    return set() if place is None else {filling.example.fields[OPTIONS].tokens[place]}


def said(example: Example, prediction: Picked | None = None) -> str:
    """The question with all options, the one chosen in brackets, or the right one."""
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
    said = staticmethod(said)

    def swapped(self, example: Example, key: str, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
        """The question with the other text everywhere, in its options too."""
        return swapped(example, old, new)

    def foreign(self, fillings: Iterable[Filling], labels: Collection[str], subject: Subject) -> str:
        """They expect answers that are no options."""
        options = {text for each in fillings for text in each.example.fields[OPTIONS].tokens}
        unknown = sorted({*labels} - options)
        return f"no question has an option {unknown[0]!r}{did_you_mean(unknown[0], sorted(options))}" if unknown else ""

    def written(self, filled: Mapping[str, Filled | Sequence[Filled]], corpus: Any) -> Filling:
        """The question with its options and the right one."""
        return written(filled)

    def differing(
        self, before: Filling, first: Picked, after: Filling, second: Picked, free: Collection[str] = ()
    ) -> str:
        """Both answers, where they are not the same."""
        return differing(before, first, after, second)

    def predicted(self, filling: Filling, prediction: Picked, key: str = "") -> Collection[str]:
        """The option chosen."""
        return predicted(filling, prediction)
