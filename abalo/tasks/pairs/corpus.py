"""Corpora of pairs of sentences."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from abalo.core.example import Example, joined
from abalo.corpora.findings import Findings, shown
from abalo.corpora.peek import begins_with
from abalo.corpora.tables import Field, Read, Record
from abalo.corpora.xml_text import ENDING
from abalo.tasks.labels.corpus import SCORE, Asked, CorpusReader, LabelledCorpus, Row, number_of
from abalo.tasks.labels.unlabelled import Unlabelled, is_missing, unlabelled_in
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
_TEXTS = {name: f"{name}_words" for name in (PREMISE, HYPOTHESIS)}
FIELDS = (
    Field(PREMISE, _FIRST),
    Field(HYPOTHESIS, _SECOND),
    Field("label", _LABEL, optional=True),
    Field(SCORE, _SCORE, optional=True),
    *(Field(words, (), optional=True) for words in _TEXTS.values()),
)
"""The fields of a record and what their columns are called: those of MNLI, SICK, ASSIN, MSRP, QQP and the like."""

_DEGREES = "The labels are numbers with decimals and were read as degrees of similarity."
_EXPECTED = (
    "expected two sentences and a label or a score, under a header such as premise, hypothesis, label; is a sentence "
    "missing?"
)


@dataclass(frozen=True, slots=True)
class LabelledPairs(LabelledCorpus):
    """Pairs of sentences, each with a label, a score of similarity, or both; ``sentences`` has each as one sentence."""

    columns = ("sentences", "pairs", "golds", "scores")
    pairs: tuple[tuple[Sentence, Sentence], ...] = ()
    golds: tuple[tuple[str, ...], ...] = ()
    scores: tuple[float | None, ...] = ()

    @property
    def examples(self) -> tuple[Example, ...]:
        """The pairs as examples: ``gold`` is the label, None in a corpus without labels, ``source`` a `Relations`."""
        rows = zip(self.pairs, self.golds, self.scores, strict=True)
        return tuple(example_of(*pair, gold or None, Relations(self.known_types, score)) for pair, gold, score in rows)

    @property
    def inputs(self) -> Sequence[tuple[str, str]]:
        """Both texts of each pair."""
        return [(first.text, second.text) for first, second in self.pairs]

    def hashed(self) -> Iterator[bytes]:
        """Texts, labels and scores."""
        for pair, gold, score in zip(self.pairs, self.golds, self.scores, strict=True):
            yield ascii(([each.text for each in pair], gold, score)).encode()


def record_of(example: Example) -> dict[str, Any]:
    """The example as a record of a file, with its label, its score or both."""
    record: dict[str, Any] = dict(zip((PREMISE, HYPOTHESIS), texts(example), strict=True))
    if example.gold is not None:
        (record["label"],) = example.gold
    if example.source.score is not None:
        record["score"] = example.source.score
    return record


class PairReader(CorpusReader[LabelledPairs]):
    """Reads pairs of sentences; a label or a score may be missing, but not both."""

    noun = "pair"
    gold = "label or score"
    file = "pairs.tsv"
    texts = _TEXTS
    fields = FIELDS

    def corpus_of(self, name: str, rows: Sequence[Row], *, several: bool) -> LabelledPairs:
        """The pairs, also as one sentence each."""
        return LabelledPairs(
            name,
            tuple(joined(dict(zip((PREMISE, HYPOTHESIS), row.texts, strict=True))) for row in rows),
            pairs=tuple((row.texts[0], row.texts[1]) for row in rows),
            golds=tuple(row.gold for row in rows),
            scores=tuple(row.score for row in rows),
        )

    def absent_in(self, labels: Iterable[str]) -> Unlabelled:
        """The values that stand for no label; none beside neutral pairs is no class."""
        known = {*labels}
        others = [label for label in known if label.casefold() != "none"]
        extra = not {"neutral", "not"}.isdisjoint(map(role_of, others))
        return unlabelled_in(known, graded=False, none_is_extra=extra, none_is_class=True)

    def records(self, asked: Asked, findings: Findings) -> Read:
        """The fields of each record; labels that are degrees of similarity are scores."""
        source = asked.source
        if isinstance(source, Path) and source.suffix == ENDING:
            found = Read([*assin.records(source, findings)], {})
        else:
            found = super().records(asked, findings)
            if found.records and not found.columns:
                place, record = found.records[0]
                cells = " | ".join(record[name] for name in self.texts)
                findings.error(place, f"two columns, {shown(cells)}; {_EXPECTED}")
                findings.raise_any()
        if not _are_degrees(record for _, record in found.records):
            return found
        if SCORE not in asked.columns:
            findings.notices.append(_DEGREES)
        scored = [(place, {**record, "label": None, SCORE: record["label"]}) for place, record in found.records]
        return replace(found, records=scored)

    def none_labelled(self, left_out: Sequence[str]) -> str:
        """As of all labels; a corpus without labels may have scores under a name that is not known."""
        if any(left_out):
            return super().none_labelled(left_out)
        return "no label and no score; name a column: FILE?label=COLUMN or FILE?score=COLUMN"

    def recognises_file(self, name: str, fields: Sequence[Field]) -> bool:
        """Whether columns are called as those of pairs are, or it is XML of ASSIN."""
        xml = name.endswith(ENDING) and begins_with(name, assin.MARK)
        return super().recognises_file(name, fields) or xml


def _are_degrees(records: Iterable[Record]) -> bool:
    """Whether the labels are degrees of similarity, as in STS-B: numbers, some with decimals, beside no other score."""
    found = [*records]
    if not all(record[SCORE] in (None, "", record["label"]) for record in found):
        return False
    numbers = [number_of(record["label"]) for record in found if not is_missing(record["label"])]
    told = [number for number in numbers if number is not None]
    return len(told) == len(numbers) and any(not number.is_integer() for number in told)


PAIRS = PairReader()
load = PAIRS.load
recognises = PAIRS.recognises
