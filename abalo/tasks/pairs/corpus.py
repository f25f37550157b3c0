"""Corpora of sentence pairs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from abalo.core.records.example import Example, join_fields
from abalo.corpora.findings import Findings, show_value
from abalo.corpora.peek import begins_with
from abalo.corpora.tables import Field, ReadRecords, TableRecord
from abalo.corpora.unpacking import format_ending
from abalo.corpora.xml_text import ENDING
from abalo.tasks.labels.corpus import SCORE, ColumnChoice, CorpusReader, LabelledCorpus, LabelledRow, number_of
from abalo.tasks.labels.unlabelled import Unlabelled, find_unlabelled, is_missing
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

_DEGREES = "The labels are numbers with decimals and were read as degrees of similarity."
_EXPECTED = (
    "expected two sentences and a label or a score, under a header such as premise, hypothesis, label; is a sentence "
    "missing?"
)


@dataclass(frozen=True, slots=True)
class LabelledPairs(LabelledCorpus):
    """Sentence pairs with a label, a similarity score, or both; ``sentences`` joins each pair."""

    columns = ("sentences", "pairs", "golds", "scores")
    pairs: tuple[tuple[Sentence, Sentence], ...] = ()
    golds: tuple[tuple[str, ...], ...] = ()
    scores: tuple[float | None, ...] = ()

    @property
    def examples(self) -> tuple[Example, ...]:
        rows = zip(self.pairs, self.golds, self.scores, strict=True)
        return tuple(example_of(*pair, gold or None, Relations(self.known_types, score)) for pair, gold, score in rows)

    @property
    def inputs(self) -> Sequence[tuple[str, str]]:
        return [(first.text, second.text) for first, second in self.pairs]

    def hashed(self) -> Iterator[bytes]:
        for pair, gold, score in zip(self.pairs, self.golds, self.scores, strict=True):
            yield ascii(([each.text for each in pair], gold, score)).encode()


def record_of(example: Example) -> dict[str, object]:
    """The example as a file record."""
    record: dict[str, object] = dict(zip((PREMISE, HYPOTHESIS), texts(example), strict=True))
    if example.gold is not None:
        (record["label"],) = example.gold
    if example.source.score is not None:
        record["score"] = example.source.score
    return record


class PairReader(CorpusReader[LabelledPairs]):
    """Reads sentence pairs with a label or a score. Labels that look like degrees become scores."""

    noun = "pair"
    gold = "label or score"
    file = "pairs.tsv"
    texts = _TEXTS
    fields = FIELDS

    def corpus_of(self, name: str, rows: Sequence[LabelledRow], *, several: bool) -> LabelledPairs:
        return LabelledPairs(
            name,
            tuple(join_fields(dict(zip((PREMISE, HYPOTHESIS), row.texts, strict=True))) for row in rows),
            pairs=tuple((row.texts[0], row.texts[1]) for row in rows),
            golds=tuple(row.gold for row in rows),
            scores=tuple(row.score for row in rows),
        )

    def absent_in(self, labels: Iterable[str]) -> Unlabelled:
        known = {*labels}
        others = [label for label in known if label.casefold() != "none"]
        extra = not {"neutral", "not"}.isdisjoint(map(role_of, others))
        return find_unlabelled(known, graded=False, none_is_extra=extra, none_is_class=True)

    def records(self, asked: ColumnChoice, findings: Findings) -> ReadRecords:
        source = asked.source
        if isinstance(source, Path) and format_ending(str(source)) == ENDING:
            found = ReadRecords([*assin.records(source, findings)], {})
        else:
            found = super().records(asked, findings)
            if found.records and not found.columns:
                place, record = found.records[0]
                cells = " | ".join(record[name] for name in self.texts)
                findings.error(place, f"two columns, {show_value(cells)}; {_EXPECTED}")
                findings.raise_any()
        if not _are_degrees(record for _, record in found.records):
            return found
        if SCORE not in asked.columns:
            findings.notices.append(_DEGREES)
        scored = [(place, {**record, "label": None, SCORE: record["label"]}) for place, record in found.records]
        return replace(found, records=scored)

    def none_labelled(self, left_out: Sequence[str]) -> str:
        if any(left_out):
            return super().none_labelled(left_out)
        return "no label and no score; name a column: FILE?label=COLUMN or FILE?score=COLUMN"

    def recognises_file(self, name: str, fields: Sequence[Field]) -> bool:
        xml = format_ending(name) == ENDING and begins_with(name, assin.MARK)
        return super().recognises_file(name, fields) or xml


def _are_degrees(records: Iterable[TableRecord]) -> bool:
    found = [*records]
    if not all(record[SCORE] in (None, "", record["label"]) for record in found):
        return False
    numbers = [number_of(record["label"]) for record in found if not is_missing(record["label"])]
    told = [number for number in numbers if number is not None]
    return len(told) == len(numbers) and any(not number.is_integer() for number in told)


PAIRS = PairReader()
load = PAIRS.load
recognises = PAIRS.recognises
