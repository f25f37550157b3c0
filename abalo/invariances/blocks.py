"""Report blocks of invariances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from abalo.attacks.log import example_of, sentence_of
from abalo.attacks.record import AttackRecord, RecordedConfidence, RecordedTags
from abalo.attacks.regressions import task_of
from abalo.core.documents.blocks import (
    Block,
    Column,
    Examples,
    Item,
    Mark,
    Marked,
    Piece,
    Row,
    ShownExample,
    Table,
    meanings,
)
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result, certain
from abalo.core.protocols.results import bounds, headline, metric_of, verdict, weight
from abalo.core.protocols.task import Task
from abalo.core.records import words
from abalo.invariances.facts import facts_of
from perturbations import Sentence, entity_spans

_VIOLATIONS = "violations_per_thousand"

_SEARCHED = "further edits that Hypothesis tried, to find the smallest one that breaks the invariance"


def extent(result: Result, task: Task) -> str:
    """Number of drawn edits, in words."""
    return f"{words.count(result.variants, 'edit')} tried"


def summary(results: Sequence[Result], document: Document) -> Sequence[Block]:
    """A row per invariance, and what breaks each."""
    if not results:
        return ()
    columns = (
        Column("Invariance"),
        Column("Violations", metric_of(results[0], _VIOLATIONS).meaning, numeric=True, wide=True),
        Column("Bound"),
        Column("Sentences", numeric=True),
        Column("Searched", _SEARCHED, numeric=True),
        Column(words.VERDICT_ON_BOUND),
    )
    rows = tuple(
        Row(
            (
                facts_of(result).text,
                headline(result),
                bounds(result),
                f"{facts_of(result).sentences:,}",
                _search_extent(result),
                verdict(result),
            ),
            weight(result),
        )
        for result in results
    )
    table = Table(columns, rows, "Invariances under single edits", meanings(columns), noun="invariance", cards=True)
    found = tuple(example for result in results for block in findings(result) for example in block.examples)
    return [table, Examples(found, open=len(found))] if found else [table]


def findings(result: Result) -> Sequence[Examples]:
    """The smallest breaking edit; empty if none was found or text is withheld."""
    record = facts_of(result).counterexample
    if record is None:
        return ()
    source, labels = sentence_of(record), record.labels
    made = record.change(source)
    touched = {i for edit in made.edits for i in range(edit.start, edit.stop)}
    changed = {new for new, origin in enumerate(made.origins) if not origin or touched.intersection(origin)}
    predicted = record.predicted or RecordedTags()
    sentences = (
        *_others(record),
        Marked("original", (*_pieces(source, predicted.clean, touched), *_labels(record, labels.clean))),
        Marked("perturbed", (*_pieces(made.sentence, predicted.perturbed, changed), *_labels(record, labels.attacked))),
    )
    return [Examples((ShownExample(Item(f"But {_loss(record)}.", facts_of(result).text), sentences),))]


def _others(record: AttackRecord) -> Iterator[Marked]:
    example, edited = example_of(record)
    for name, sentence in example.fields.items():
        if name != edited:
            yield Marked(name, (sentence.text,))


def _labels(record: AttackRecord, said: Sequence[str]) -> Iterator[Piece]:
    if record.target is None:
        right, found = record.labels.clean, _label_list(said)
        wrong = f"✗ {_label_list(right)} → {found}"
        yield Mark("found", (found,), "✓") if said == right else Mark("lost", (found,), wrong)


def _label_list(labels: Sequence[str]) -> str:
    return " | ".join(labels) or "none"


def _search_extent(result: Result) -> str:
    found = facts_of(result).searched
    if found is None:
        return words.NOTHING
    return words.count(found.edits, "edit") + (f", stopped {found.stopped}" if found.stopped else "")


def _pieces(sentence: Sentence, tags: Sequence[str], places: set[int]) -> Iterator[Piece]:
    shown: list[Any] = [
        token + "␣" * len(space) * (len(space) > 1)
        for token, space in zip(sentence.tokens, sentence.spaces, strict=True)
    ]
    reached = 0
    for span in entity_spans(tags):
        yield from _mark_edits(shown, range(reached, span.start), places)
        inside = tuple(_mark_edits(shown, range(span.start, span.stop), places))
        yield Mark("found", inside, span.type, colour=0)
        reached = span.stop
    yield from _mark_edits(shown, range(reached, len(shown)), places)


def _mark_edits(shown: Sequence[str], part: range, places: set[int]) -> Iterator[Piece]:
    run: list[str] = []
    for i in part:
        if i in places:
            run.append(shown[i])
            continue
        if run:
            yield Mark("edited", tuple(run))
            run = []
        yield shown[i]
    if run:
        yield Mark("edited", tuple(run))


def _fall(sure: RecordedConfidence | None) -> str:
    if sure is None or sure.before is None or sure.after is None:
        return ""
    return f"{sure.before:.2f} → {sure.after:.2f}"


def _loss(record: AttackRecord) -> str:
    sure = record.confidence
    if record.target is None:
        was, now = _label_list(record.labels.clean), _label_list(record.labels.attacked)
        asked = (" ".join(record.tokens[start:stop]) for start, stop, _ in certain(record.example).anchors)
        noun = " ".join([task_of(record).targets.nouns()[0], *asked])
        fall = f" (probability of {was}: {_fall(sure)})" if _fall(sure) else ""
        return f"the model now labels the {noun} {now} instead of {was}{fall}"
    start, stop, kind = record.target
    entity, labels = " ".join(record.tokens[start:stop]), " ".join(record.labels.attacked)
    fall = f"; confidence in the old labels {_fall(sure)}" if _fall(sure) else ""
    return f"{entity} ({kind}) is no longer found exactly (labels now {labels}{fall})"
