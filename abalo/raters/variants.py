"""Sheets of perturbed variants to judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice
from pathlib import Path

from abalo.augmentation.variants import Steps, is_labelled
from abalo.config.options import Options
from abalo.config.tasks import corpus_named
from abalo.core.protocols.task import Task
from abalo.core.records.example import Example, JsonObject
from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.raters import forms
from abalo.raters.forms import LABELLED, VARIANTS, new_ids, shuffle
from abalo.sources.resources import Resources, missing_parameters, why_unfit
from perturbations import Edit, Perturbation, Sentence, entity_spans, members, stream
from perturbations.dependencies import digest
from perturbations.documents import is_document, mentions_of
from perturbations.layers import ROOT, UNLABELLED, Arcs
from perturbations.perturbation import AT_LEAST
from perturbations.streams import lot

GIVES, NOT_KNOWN = "→", "?"

_FAMILIES = "perturbations.families."
_NO_FAMILY = "own"


@dataclass(frozen=True, slots=True)
class VariantDraw:
    """A draw of ``n`` variants of each perturbation; with ``labels``, raters judge entities too."""

    perturbations: Mapping[str, Perturbation]
    language: str
    n: int = 30
    seed: int = 1
    labels: bool = False


@dataclass(frozen=True, slots=True)
class SheetVariant:
    """A variant to judge, and its original."""

    name: str
    perturbation: Perturbation
    seed: int
    sentence_id: str
    original: Sentence
    variant: Sentence
    golds: tuple[str, str]
    edits: Mapping[str, Sequence[Edit]]


def load(spec: str, options: Options) -> tuple[Corpus, Task]:
    """A corpus and its task; raises `AbaloError` if it is empty."""
    task, corpus = corpus_named(spec, options)
    if not isinstance(corpus, Corpus):
        raise AbaloError(f"--corpus {spec}: the sheets have sentences, and {task.name} has none; name another corpus")
    return corpus, task


def fitting(task: Task, resources: Resources) -> dict[str, Perturbation]:
    """Perturbations that need no model and fit task and language, with default settings."""
    return {
        name: resources.configured(member, {})
        for name, member in members().items()
        if member.cost == "text"
        and task.accepts(member)
        and why_unfit(member, {}, resources.language) is None
        and not list(missing_parameters(member, {}))
    }


def draw_variants(corpus: Corpus, task: Task, asked: VariantDraw) -> list[SheetVariant]:
    """Up to ``asked.n`` variants of each perturbation, of different examples.

    Draws do not depend on corpus order or on other perturbations. Raises `AbaloError` without any variant, or for ``n``
    below 1.
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
) -> Iterator[SheetVariant]:
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
        yield SheetVariant(
            name,
            hitting,
            seed,
            example.id,
            before,
            after,
            (_labels_text(example, task), _labels_text(variant.example, task)),
            {field: made.edits for field, made in variant.edits.items()},
        )


def _labels_text(example: Example, task: Task) -> str:
    if task.labelled == "arcs":
        return " · ".join(_arcs_text(example.whole))
    told = {span.type for span in entity_spans(example.whole.entity_tags or ())}
    if task.labelled not in ("whole", "texts") or (told and told.issuperset(example.gold or ())):
        return ""
    return ", ".join(example.gold) if example.gold else NOT_KNOWN


def _arcs_text(sentence: Sentence) -> Iterator[str]:
    for arcs in (layer for layer in sentence.layers if isinstance(layer, Arcs)):
        for token, head, relation in zip(sentence.tokens, arcs.heads, arcs.relations, strict=True):
            if head is None or relation == UNLABELLED:
                yield f"{token} ({NOT_KNOWN})"
            else:
                yield f"{token} ({relation} {'ROOT' if head == ROOT else sentence.tokens[head]})"


def write(corpus: str, asked: VariantDraw, items: Sequence[SheetVariant], raters: int, folder: Path) -> None:
    """Writes a shuffled CSV file for each rater, README.txt and key.json; raises as `forms.write`."""
    if raters < 1:
        raise AbaloError(f"--raters {raters}: expected a whole number from 1")
    draws = stream(asked.seed, "raters of variants")
    names = [f"rater-{number}" for number in range(1, raters + 1)]
    named = dict(zip(new_ids(len(items), draws), items, strict=True))
    rows = [(name, _show_pair(item, asked)) for name, item in named.items()]
    forms.write(
        LABELLED if asked.labels else VARIANTS,
        {"corpus": "/".join(Path(corpus).parts[-2:]), "language": asked.language},
        {name: _key_of(item, asked.language) for name, item in named.items()},
        {name: dict(shuffle(rows, draws)) for name in names},
        folder,
    )


def _key_of(item: SheetVariant, language: str) -> JsonObject:
    module = item.perturbation.function.__module__
    return {
        "perturbation": item.name,
        "digest": digest(item.perturbation, language),
        "family": module.removeprefix(_FAMILIES).split(".")[0] if module.startswith(_FAMILIES) else _NO_FAMILY,
        "sentence_id": item.sentence_id,
        "seed": item.seed,
        "edits": {field: [edit.to_json() for edit in edits] for field, edits in item.edits.items()},
    }


def _show_pair(item: SheetVariant, asked: VariantDraw) -> tuple[str, str]:
    texts = mark_differences(item.original, item.variant, asked)
    if not asked.labels or not any(item.golds):
        return texts
    before, after = (f"{text} {GIVES} {gold}" for text, gold in zip(texts, item.golds, strict=True))
    return before, after


def mark_differences(original: Sentence, variant: Sentence, asked: VariantDraw) -> tuple[str, str]:
    """Both sentences as text, with differing words between « and », as in reports.

    Entities stand in brackets, type last; other brackets get a backslash. Unusual white space follows its word as
    ``␣``.
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
    rows: list[Sequence[object]] = [original.tokens, variant.tokens]
    if original.tokens == variant.tokens:
        rows = [list(zip(side.tokens, side.spaces, strict=True)) for side in (original, variant)]
    found: tuple[set[int], set[int]] = (set(), set())
    for kind, *ends in SequenceMatcher(None, rows[0], rows[1], autojunk=False).get_opcodes():
        if kind != "equal":
            found[0].update(range(ends[0], ends[1]))
            found[1].update(range(ends[2], ends[3]))
    return found


def _text(sentence: Sentence, places: set[int], signs: tuple[str, str], asked: VariantDraw) -> str:
    found = mentions_of(sentence) if is_document(sentence) else entity_spans(sentence.entity_tags or ())
    spans = sorted(found, key=lambda span: (span.stop, -span.start)) if asked.labels else []
    starts, stops = Counter(span.start for span in spans), {span.stop for span in spans}
    cut = asked.labels and sentence.policy == "bmes"
    words = {i for i, tag in enumerate(sentence.tags or ()) if cut and tag not in ("M", "E")}
    parts = []
    for i, token in enumerate(sentence.tokens):
        edge = i in starts or i in stops
        word = _escape(token) if asked.labels else token
        opens = i in places and (edge or i - 1 not in places)
        closes = i in places and (i + 1 in starts or i + 1 in stops or i + 1 not in places)
        parts.append("[" * starts[i] + signs[0] * opens + word + signs[1] * closes)
        parts += [f" {span.type}]" for span in spans if span.stop == i + 1]
        parts.append(" " if i + 1 in words else _space(sentence, i, asked.language))
    return "".join(parts).strip()


def _escape(token: str) -> str:
    return token.replace("\\", "\\\\").replace("[", "\\[").replace("]", "\\]")


def _space(sentence: Sentence, place: int, language: str) -> str:
    space, beside = sentence.spaces[place], "".join(sentence.tokens[place : place + 2])
    if len(space) > 1:
        return "␣" * len(space)
    return "" if language == "zh" and (not beside.isascii() or not beside.isalnum() or len(beside) == 2) else space
