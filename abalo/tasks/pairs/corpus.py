"""Corpora of pairs of sentences, by name."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from abalo.core.example import Example, joined
from abalo.corpora import Corpus
from abalo.corpora.findings import WHOLE, Findings, shown
from abalo.corpora.hub import HubName
from abalo.corpora.loading import BUNDLED, files_that_ship
from abalo.corpora.peek import begins_with, has_fields
from abalo.corpora.stretches import Stretch
from abalo.corpora.tables import Field, Record, columns_asked, read, told_columns
from abalo.corpora.xml_text import ENDING
from abalo.errors import AbaloError
from abalo.tasks.labels.reading import counted, label_of, on_labels, on_markup, sentence_of, source_of, without_spaces
from abalo.tasks.labels.unlabelled import (
    MISSING,
    Unlabelled,
    as_written,
    counted_out,
    is_missing,
    none_labelled,
    on_unlabelled,
    parameter_of,
    unlabelled_in,
)
from abalo.tasks.pairs import assin
from abalo.tasks.pairs.pair import HYPOTHESIS, PREMISE, example_of, texts
from abalo.tasks.pairs.relations import Relations, role_of
from perturbations import Sentence

DEFAULT = "bundled:entailment-pt"

_FIRST = (
    "premise",
    "sentence1",
    "sentence_1",
    "sentence_a",
    "text1",
    "question1",
    "#1 string",
    "first",
    "text_a",
    "question",
    "context",
)
_SECOND = (
    "hypothesis",
    "sentence2",
    "sentence_2",
    "sentence_b",
    "text2",
    "question2",
    "#2 string",
    "second",
    "text_b",
    "sentence",
)
_LABEL = ("label", "gold_label", "entailment_judgment", "entailment", "entailment_label", "quality", "is_duplicate")
_SCORE = ("relatedness_score", "similarity_score", "similarity", "relatedness", "score")
FIELDS = (
    Field(PREMISE, _FIRST),
    Field(HYPOTHESIS, _SECOND),
    Field("label", _LABEL, optional=True),
    Field("score", _SCORE, optional=True),
    *(Field(f"{name}_words", (), optional=True) for name in (PREMISE, HYPOTHESIS)),
)
"""The fields of a record and what their columns are called: those of MNLI, SICK, ASSIN, MSRP, QQP and the like."""

_FILE = "pairs.tsv"
_DEGREES = "The labels are numbers with decimals and were read as degrees of similarity."
_EXPECTED = (
    "expected two sentences and a label or a score, under a header such as premise, hypothesis, label; is a sentence "
    "missing?"
)


@dataclass(frozen=True, slots=True)
class LabelledPairs(Corpus):
    """Pairs of sentences, each with a label, a score of similarity, or both.

    ``sentences`` are the pairs as one sentence each. ``labels`` are all labels of the file, also of one cut short.
    """

    pairs: tuple[tuple[Sentence, Sentence], ...] = ()
    golds: tuple[tuple[str, ...], ...] = ()
    scores: tuple[float | None, ...] = ()
    labels: tuple[str, ...] = ()
    several: bool = False

    def first(self, limit: int | None) -> LabelledPairs:
        """The first ``limit`` pairs; all of them for None."""
        kept = {name: getattr(self, name)[:limit] for name in ("sentences", "pairs", "golds", "scores")}
        return replace(self, **kept)

    @property
    def examples(self) -> tuple[Example, ...]:
        """The pairs as examples: ``gold`` is the label, None in a corpus without labels, ``source`` a `Relations`."""
        rows = zip(self.pairs, self.golds, self.scores, strict=True)
        return tuple(example_of(*pair, gold or None, Relations(self.labels, score)) for pair, gold, score in rows)

    @property
    def label_counts(self) -> dict[str, int]:
        """How many pairs have each label, by label."""
        return counted(self.golds)

    def hashed(self) -> Iterator[bytes]:
        """Texts, labels and scores."""
        for pair, gold, score in zip(self.pairs, self.golds, self.scores, strict=True):
            yield ascii(([each.text for each in pair], gold, score)).encode()


def load(spec: str, *, limit: int | None = None, lenient: bool = False) -> LabelledPairs:
    """The corpus called ``spec``, its first ``limit`` pairs or all.

    ``spec`` is a table with tabs or commas, JSON (lines or an array), XML of ASSIN, ``bundled:NAME``,
    ``hub:DATASET:SPLIT`` or a folder that ``save_to_disk`` wrote. Columns are found by their names, or named:
    ``FILE?premise=A&hypothesis=B&label=C&score=D``; a label or a score may be missing, but not both. Pairs without a
    label in a corpus with labels are left out and counted; which values stand for none is found
    (`abalo.tasks.labels.unlabelled`), or named: ``FILE?unlabelled=-1|nan``. The whole file is checked, whatever the
    limit: its problems come in one AbaloError.
    """
    if limit is not None and limit < 1:
        raise AbaloError(f"--abalo-limit {limit}: expected at least 1 pair")
    source, asked, unlabelled = named(spec)
    findings = Findings(spec, lenient, joint=" row " if isinstance(source, HubName) else ":")
    corpus = read_pairs(source, asked, findings, unlabelled)
    return corpus.first(limit).first(source.limit if isinstance(source, HubName) else None)


def named(spec: str) -> tuple[Path | HubName, dict[str, str], Unlabelled | None]:
    """The file or data set that ``spec`` means, the columns that it asks for, and the values that stand for no label.

    These are None if the spec does not name them.
    """
    short, unlabelled = parameter_of(spec)
    try:
        name, asked = columns_asked(short, FIELDS)
    except ValueError as error:
        raise AbaloError(f"{spec}: {error}") from None
    return source_of(name, bundled_names()), asked, unlabelled


def absent_in(labels: Iterable[str]) -> Unlabelled:
    """The values that stand for no label in a corpus with these labels; none beside neutral pairs is no class."""
    others = [label for label in labels if label.casefold() != "none"]
    extra = not {"neutral", "not"}.isdisjoint(map(role_of, others))
    return unlabelled_in(labels, graded=False, none_is_extra=extra, none_is_class=True)


def read_pairs(
    source: Path | Stretch | HubName,
    asked: Mapping[str, str],
    findings: Findings,
    unlabelled: Unlabelled | None = None,
) -> LabelledPairs:
    """The pairs of a file, a stretch of one, or a data set; raises `AbaloError` with all ``findings``.

    A stretch may have none. ``unlabelled`` are the values that stand for no label; None where all labels tell.
    """
    if isinstance(source, Path) and source.suffix == ENDING:
        records = list(assin.records(source, findings))
    else:
        found = read(source, FIELDS, asked, findings)
        records = [(place, dict(record)) for place, record in found.records]
        if records and not found.columns:
            cells = " | ".join(records[0][1][name] for name in (PREMISE, HYPOTHESIS))
            findings.error(records[0][0], f"two columns, {shown(cells)}; {_EXPECTED}")
            findings.raise_any()
    degrees = _are_degrees(records)
    if degrees:
        records = [(place, {**record, "label": None, "score": record["label"]}) for place, record in records]
    written = [as_written(record["label"]) for _, record in records]
    absent = absent_in([*filter(None, written)]) if unlabelled is None else unlabelled
    labelled = [each is None or (each != MISSING and each not in absent.values) for each in written]
    has = {"label": any(labelled), "score": any(record["score"] not in (None, "") for _, record in records)}
    left_out = [] if not any(labelled) else [each for each in written if each in (MISSING, *absent.values)]
    if records and not any(has.values()):
        if any(written):
            findings.error(WHOLE, none_labelled(len(records), "pair"))
        else:
            findings.error(WHOLE, "no label and no score; name a column: FILE?label=COLUMN or FILE?score=COLUMN")
    judged = zip(records, labelled, strict=True)
    pairs = [_pair(record, place, has, findings) for (place, record), told in judged if told or not has["label"]]
    kept = [each for each in pairs if each is not None]
    if not kept and not findings.problems and not isinstance(source, Stretch):
        findings.error(WHOLE, "no pairs; expected at least one with its label or score; is this the corpus you meant?")
    findings.raise_any()
    golds = tuple(gold for _, gold, _ in kept)
    unspaced = [text for pair, _, _ in kept for text in pair] if f"{PREMISE}_words" not in asked else []
    out = counted_out(each for each in left_out if each is not None)
    labels = tuple(sorted({label for gold in golds for label in gold}))
    return LabelledPairs(
        findings.source,
        tuple(joined(dict(zip((PREMISE, HYPOTHESIS), pair, strict=True))) for pair, _, _ in kept),
        scheme="one label",
        repairs=findings.repairs,
        notices=(
            *on_unlabelled(out, absent.doubtful, "pair"),
            *on_labels(labels),
            *((_DEGREES,) if degrees and "score" not in asked else ()),
            *on_markup(" ".join(text.text for text in pair) for pair, _, _ in kept),
            *without_spaces(unspaced, f"{PREMISE}_words=COLUMN&{HYPOTHESIS}_words=COLUMN"),
        ),
        known_types=labels,
        unlabelled=out,
        doubtful=absent.doubtful,
        pairs=tuple(pair for pair, _, _ in kept),
        golds=golds,
        scores=tuple(score for _, _, score in kept),
        labels=labels,
    )


def record_of(example: Example) -> dict[str, Any]:
    """The example as a record of a file, with its label, its score or both."""
    record: dict[str, Any] = dict(zip((PREMISE, HYPOTHESIS), texts(example), strict=True))
    if example.gold is not None:
        (record["label"],) = example.gold
    if example.source.score is not None:
        record["score"] = example.source.score
    return record


def recognises(spec: str) -> bool:
    """A corpus that ships, or a file whose columns are called as those of pairs are, or named so."""
    name, fields = told_columns(parameter_of(spec)[0], FIELDS)
    if name.startswith(BUNDLED):
        return name.removeprefix(BUNDLED) in bundled_names()
    return has_fields(name, fields) or (name.endswith(ENDING) and begins_with(name, assin.MARK))


def bundled_names() -> dict[str, Path]:
    """The corpora that ship, by the name after ``bundled:``."""
    return files_that_ship(_FILE)


Pair = tuple[tuple[Sentence, Sentence], tuple[str, ...], float | None]


def _pair(record: Record, place: int, has: dict[str, bool], findings: Findings) -> Pair | None:
    """The two sentences, the label and the score of a record; None, and a problem more, where it has not what it must.

    ``has`` says which of label and score the corpus has.
    """
    first, second = (
        sentence_of(record[name], place, findings, record.get(f"{name}_words")) for name in (PREMISE, HYPOTHESIS)
    )
    label = label_of(record["label"]) if has["label"] else None
    score = _number(record["score"]) if has["score"] else None
    if has["label"] and label is None:
        told = f"the label is {shown(record['label'])}; expected a name or a whole number"
        findings.error(place, f"{told}; add it, or leave the pair out")
    if has["score"] and score is None:
        findings.error(
            place, f"the score is {shown(record['score'])}; expected a number; add it, or leave the pair out"
        )
    if first is None or second is None or (has["label"] and label is None) or (has["score"] and score is None):
        return None
    return (first, second), () if label is None else (label,), score


def _are_degrees(records: Iterable[tuple[int, Record]]) -> bool:
    """Whether the labels are degrees of similarity, as in STS-B: numbers, some with decimals, beside no other score."""
    if not all(record["score"] in (None, "", record["label"]) for _, record in records):
        return False
    numbers = [_number(record["label"]) for _, record in records if not is_missing(record["label"])]
    told = [number for number in numbers if number is not None]
    return len(told) == len(numbers) and any(not number.is_integer() for number in told)


def _number(value: Any) -> float | None:
    """The finite number that a value is; None where it is none."""
    try:
        found = float(value) if isinstance(value, str | int | float) and not isinstance(value, bool) else math.nan
    except (ValueError, OverflowError):
        return None
    return found if math.isfinite(found) else None
