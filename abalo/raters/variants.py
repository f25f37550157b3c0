"""From perturbations to sheets with variants to judge, the same for each rater, and a key that raters do not get."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path

from abalo.augmentation.variants import Steps, is_labelled
from abalo.config.options import Options
from abalo.config.tasks import corpus_named
from abalo.core.example import Example, Json
from abalo.core.task import Task
from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.raters import forms
from abalo.raters.forms import LABELLED, VARIANTS, new_ids, shuffled
from abalo.sources.resources import Resources, unfit, unnamed
from perturbations import Edit, Perturbation, Sentence, entity_spans, members, stream
from perturbations.dependencies import digest
from perturbations.perturbation import AT_LEAST
from perturbations.streams import lot

GIVES, NOT_KNOWN = "→", "?"
"""The sign before the labels of a whole text, and the one in place of labels that nobody claims to know."""

_FAMILIES = "perturbations.families."
_NO_FAMILY = "own"


@dataclass(frozen=True, slots=True)
class Asked:
    """A draw: ``n`` variants of each perturbation, by the name it has in the results.

    ``language`` is that of the corpus; with ``labels`` the entities are shown, for the raters to judge them too.
    """

    perturbations: Mapping[str, Perturbation]
    language: str
    n: int = 30
    seed: int = 1
    labels: bool = False


@dataclass(frozen=True, slots=True)
class Item:
    """A variant to be judged, of the perturbation called ``name``: its example before and after the change.

    Both are there as one sentence, with labels of tokens, and with the labels of the whole where it has any;
    ``edits`` are by field of the example.
    """

    name: str
    perturbation: Perturbation
    seed: int
    sentence_id: str
    original: Sentence
    variant: Sentence
    golds: tuple[str, str]
    edits: Mapping[str, Sequence[Edit]]


def load(spec: str, options: Options) -> tuple[Corpus, Task]:
    """The corpus called ``spec`` and its task.

    Raises `AbaloError` as `corpus_named` does, and for one without sentences.
    """
    task, corpus = corpus_named(spec, options)
    if not isinstance(corpus, Corpus):
        raise AbaloError(f"--corpus {spec}: the sheets have sentences, and {task.name} has none; name another corpus")
    return corpus, task


def fitting(task: Task, resources: Resources) -> dict[str, Perturbation]:
    """The perturbations by name that need no model and fit the task and the language, with their usual settings."""
    return {
        name: resources.configured(member, {})
        for name, member in members().items()
        if member.cost == "text"
        and task.accepts(member)
        and unfit(member, {}, resources.language) is None
        and not list(unnamed(member, {}))
    }


def drawn(corpus: Corpus, task: Task, asked: Asked) -> list[Item]:
    """Variants of different examples, ``asked.n`` of each perturbation or as many as there are.

    Each example in which a perturbation fits is equally likely, one of several that are copies of each other; the
    draws do not depend on corpus order, nor on the other perturbations. What changes of an example with several fields
    is what a case of the task changes that names none. Raises `AbaloError` where there is no variant at all, and for an
    ``n`` below 1.
    """
    if asked.n < 1:
        raise AbaloError(f"--n {asked.n}: expected a whole number from 1")
    examples = {each.id: (number, each) for number, each in enumerate(corpus.examples, start=1)}
    items = [
        item
        for name, perturbation in asked.perturbations.items()
        for item in islice(_items(examples, task, name, perturbation, asked.seed), asked.n)
    ]
    if not items:
        raise AbaloError(
            f"{corpus.name}: nothing fits in any of its sentences; choose another perturbation, corpus or --language"
        )
    return items


def _items(
    examples: Mapping[str, tuple[int, Example]], task: Task, name: str, perturbation: Perturbation, seed: int
) -> Iterator[Item]:
    """Variants, each of another example, in random order; where something fits, chance passes no example over."""
    hitting = perturbation.configured(**{AT_LEAST: 1})
    change = Steps((hitting,))
    seen: set[str] = set()
    for key in sorted(examples, key=lambda key: lot(seed, "sheet", perturbation.name, key)):
        number, example = examples[key]
        if example.cluster in seen:
            continue
        variant = next(change.variants(task, example, number, [seed]), None)
        if variant is None:
            continue
        seen.add(example.cluster)
        before, after = example.whole, variant.example.whole
        if not is_labelled(variant.example, example):  # nobody claims that its labels still hold
            before, after = replace(before, tags=None), replace(after, tags=None)
        yield Item(
            name,
            hitting,
            seed,
            example.id,
            before,
            after,
            (_said(example, task), _said(variant.example, task)),
            {field: made.edits for field, made in variant.edits.items()},
        )


def _said(example: Example, task: Task) -> str:
    """The labels of the whole; nothing where labels are those of words, `NOT_KNOWN` where nobody knows them."""
    if task.labelled != "whole" or example.whole.entity_tags:
        return ""
    return ", ".join(example.gold) if example.gold else NOT_KNOWN


def write(corpus: str, asked: Asked, items: Sequence[Item], raters: int, folder: Path) -> None:
    """A CSV file for each rater with all items, each in an order of its own, README.txt for the raters, and key.json.

    Raises `AbaloError` as `forms.write` does, and for fewer than one rater.
    """
    if raters < 1:
        raise AbaloError(f"--raters {raters}: expected a whole number from 1")
    draws = stream(asked.seed, "raters of variants")
    names = [f"rater-{number}" for number in range(1, raters + 1)]
    named = dict(zip(new_ids(len(items), draws), items, strict=True))
    rows = [(name, _shown(item, asked)) for name, item in named.items()]
    forms.write(
        LABELLED if asked.labels else VARIANTS,
        {"corpus": "/".join(Path(corpus).parts[-2:]), "language": asked.language},
        {name: _key_of(item, asked.language) for name, item in named.items()},
        {name: dict(shuffled(rows, draws)) for name in names},
        folder,
    )


def _key_of(item: Item, language: str) -> Json:
    module = item.perturbation.function.__module__
    return {
        "perturbation": item.name,
        "digest": digest(item.perturbation, language),
        "family": module.removeprefix(_FAMILIES).split(".")[0] if module.startswith(_FAMILIES) else _NO_FAMILY,
        "sentence_id": item.sentence_id,
        "seed": item.seed,
        "edits": {field: [edit.to_json() for edit in edits] for field, edits in item.edits.items()},
    }


def _shown(item: Item, asked: Asked) -> tuple[str, str]:
    """Both texts, marked, each with the labels of the whole behind it where raters are to judge them."""
    texts = marked(item.original, item.variant, asked)
    if not asked.labels or not any(item.golds):
        return texts
    before, after = (f"{text} {GIVES} {gold}" for text, gold in zip(texts, item.golds, strict=True))
    return before, after


def marked(original: Sentence, variant: Sentence, asked: Asked) -> tuple[str, str]:
    """Both sentences as text; words in which they differ stand between « and », as in reports.

    With ``labels`` entities stand in brackets, their type last, and other brackets have a backslash before them. White
    space that is not one space follows its word as ``␣`` signs. Where the text has such signs itself, several of them
    mark a change.
    """
    sides = original, variant
    words = " ".join(token for side in sides for token in side.tokens)
    times = next(n for n in range(1, len(words) + 2) if "«" * n not in words and "»" * n not in words)
    signs = "«" * times, "»" * times
    first, second = (
        _text(side, places, signs, asked) for side, places in zip(sides, _differences(original, variant), strict=True)
    )
    return first, second


def _differences(original: Sentence, variant: Sentence) -> tuple[set[int], set[int]]:
    """The words of either that the other has not in this place; where no word differs, those before other spaces."""
    rows: list[Sequence[object]] = [original.tokens, variant.tokens]
    if original.tokens == variant.tokens:
        rows = [list(zip(side.tokens, side.spaces, strict=True)) for side in (original, variant)]
    found: tuple[set[int], set[int]] = (set(), set())
    for kind, *ends in SequenceMatcher(None, rows[0], rows[1], autojunk=False).get_opcodes():
        if kind != "equal":
            found[0].update(range(ends[0], ends[1]))
            found[1].update(range(ends[2], ends[3]))
    return found


def _text(sentence: Sentence, places: set[int], signs: tuple[str, str], asked: Asked) -> str:
    spans = entity_spans(sentence.entity_tags or ()) if asked.labels else []
    starts, stops = {span.start for span in spans}, {span.stop: span.type for span in spans}
    parts = []
    for i, token in enumerate(sentence.tokens):
        edge = i in starts or i in stops
        word = _escaped(token) if asked.labels else token
        opens = i in places and (edge or i - 1 not in places)
        closes = i in places and (i + 1 in starts or i + 1 in stops or i + 1 not in places)
        parts.append("[" * (i in starts) + signs[0] * opens + word + signs[1] * closes)
        parts.append(f" {stops[i + 1]}]" if i + 1 in stops else "")
        parts.append(_space(sentence, i, asked.language))
    return "".join(parts).strip()


def _escaped(token: str) -> str:
    return token.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _space(sentence: Sentence, place: int, language: str) -> str:
    """The white space after a word as a reader sees it; columns of Chinese do not say that there is none.

    Between two Latin words or numbers it stays, unless they are cut into characters, as ``2 0`` is.
    """
    space, beside = sentence.spaces[place], "".join(sentence.tokens[place : place + 2])
    if len(space) > 1:
        return "␣" * len(space)
    return "" if language == "zh" and (not beside.isascii() or not beside.isalnum() or len(beside) == 2) else space
