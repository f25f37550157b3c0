"""Report blocks of promises about single edits: how often they are broken, and the smallest edit found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from abalo.attacks.log import example_of, sentence_of
from abalo.attacks.regressions import task_of
from abalo.core import words
from abalo.core.blocks import Block, Column, Example, Examples, Item, Mark, Marked, Piece, Row, Table, meanings
from abalo.core.results import Json, bounds, headline, metric_of, verdict, weight
from abalo.core.task import Task
from perturbations import Edit, Sentence, apply, entity_spans

_VIOLATIONS = "violations_per_thousand"

_SEARCHED = "edits that Hypothesis tried to find the smallest one that breaks the promise, beyond those drawn"


def extent(result: Json, task: Task) -> str:
    """How many edits were drawn."""
    return f"of {words.count(result['variants'], 'edit')}"


def summary(results: Sequence[Json], document: Json) -> Sequence[Block]:
    """A row per promise, and what breaks each."""
    if not results:
        return ()
    columns = (
        Column("Promise"),
        Column("Broken, in a thousand", metric_of(results[0], _VIOLATIONS).meaning, numeric=True, wide=True),
        Column("Bound"),
        Column("Sentences", numeric=True),
        Column("Searched", _SEARCHED, numeric=True),
        Column("Verdict on bound"),
    )
    rows = tuple(
        Row(
            (
                result["promise"]["text"],
                headline(result),
                bounds(result),
                f"{result['promise']['sentences']:,}",
                _searched(result),
                verdict(result),
            ),
            weight(result),
        )
        for result in results
    )
    table = Table(columns, rows, "Promises about single edits", meanings(columns), noun="promise")
    found = tuple(example for result in results for block in findings(result) for example in block.examples)
    return [table, Examples(found, open=len(found))] if found else [table]


def findings(result: Json) -> Sequence[Examples]:
    """The smallest edit that breaks the promise; nothing where none was found or text is withheld."""
    record = result["promise"]["counterexample"]
    if record is None:
        return ()
    made = apply(sentence_of(record), [Edit.from_json(edit) for edit in record["edits"]])
    touched = {i for edit in made.edits for i in range(edit.start, edit.stop)}
    changed = {new for new, origin in enumerate(made.origins) if not origin or touched.intersection(origin)}
    predicted = record["predicted"] or {"clean": (), "perturbed": ()}
    sentences = (
        *_others(record),
        Marked("before", (*_pieces(sentence_of(record), predicted["clean"], touched), *_labels(record, "clean"))),
        Marked("after", (*_pieces(made.sentence, predicted["perturbed"], changed), *_labels(record, "attacked"))),
    )
    return [Examples((Example(Item(f"But {_loss(record)}.", result["promise"]["text"]), sentences),))]


def _others(record: Json) -> Iterator[Marked]:
    """The fields of the example that stay, each by its name."""
    example, edited = example_of(record)
    for name, sentence in example.fields.items():
        if name != edited:
            yield Marked(name, (sentence.text,))


def _labels(record: Json, when: str) -> Iterator[Piece]:
    """The labels of the whole as they were predicted, marked as right or wrong; none for a record about a span."""
    if record["target"] is None:
        said, right = record["labels"][when], record["labels"]["clean"]
        yield Mark("found", (_named(said),), "✓") if said == right else Mark("lost", (_named(said),), "✗")


def _named(labels: Sequence[str]) -> str:
    return " | ".join(labels) or "none"


def _searched(result: Json) -> str:
    """How far the search went, in words."""
    found = result["promise"]["searched"]
    if found is None:
        return words.NOTHING
    return words.count(found["edits"], "edit") + (f", stopped {found['stopped']}" if found["stopped"] else "")


def _pieces(sentence: Sentence, tags: Sequence[str], places: set[int]) -> Iterator[Piece]:
    """Predicted entities and edited words; white space that is not one space follows its token as ``␣`` signs."""
    shown: list[Any] = [
        token + "␣" * len(space) * (len(space) > 1)
        for token, space in zip(sentence.tokens, sentence.spaces, strict=True)
    ]
    reached = 0
    for span in entity_spans(tags):
        yield from _edited(shown, range(reached, span.start), places)
        inside = tuple(_edited(shown, range(span.start, span.stop), places))
        yield Mark("found", inside, span.type, colour=0)
        reached = span.stop
    yield from _edited(shown, range(reached, len(shown)), places)


def _edited(shown: Sequence[str], part: range, places: set[int]) -> Iterator[Piece]:
    """Words one by one, those that were edited and stand beside each other as one mark."""
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


def _loss(record: Json) -> str:
    sure = record["confidence"]
    if record["target"] is None:
        was, now = (_named(record["labels"][when]) for when in ("clean", "attacked"))
        asked = (" ".join(record["tokens"][start:stop]) for start, stop, _ in record["example"]["anchors"])
        noun = " ".join([task_of(record).targets.nouns()[0], *asked])
        fall = f"; the probability of {was} goes from {sure['before']:.2f} to {sure['after']:.2f}" if sure else ""
        return f"the model labels the {noun} {now}, not {was}{fall}"
    start, stop, kind = record["target"]
    entity, labels = " ".join(record["tokens"][start:stop]), " ".join(record["labels"]["attacked"])
    fall = f", its labels from {sure['before']:.2f} to {sure['after']:.2f}" if sure else ""
    return f"{entity} {kind} is not found as it was (now {labels}){fall}"
