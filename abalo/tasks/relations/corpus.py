"""Corpora of sentences with two spans and their relation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from abalo.core.protocols.corpus_spec import CorpusSetting
from abalo.core.records.example import Example
from abalo.core.records.words import count
from abalo.corpora import marked_spans
from abalo.corpora.chunks import Chunk
from abalo.corpora.examples import TEXT
from abalo.corpora.files import read_text
from abalo.corpora.findings import Findings, show_value
from abalo.corpora.hub import HubName, read_rows
from abalo.corpora.json_text import first_record, records
from abalo.corpora.peek import beginning
from abalo.corpora.spans import located
from abalo.corpora.tables import Field
from abalo.errors import AbaloError
from abalo.tasks.labels.corpus import ColumnChoice, CorpusReader, LabelledCorpus, LabelledRow
from abalo.tasks.labels.reading import count_labels, label_of, on_labels
from abalo.tasks.labels.unlabelled import MISSING, as_written, count_values, is_unlabelled, tally_unlabelled
from abalo.tasks.relations.sentences import ROLES, as_input, names_spans, sentence_of, spans_in
from perturbations import Sentence, sentence_id
from perturbations.answers import OBJECT, SUBJECT, answer_text

DEFAULT = "bundled:relations-en"
NEGATIVE = ("no_relation", "Other")
_LABEL = CorpusSetting("negative", f"label of no relation; if not given, {' or '.join(NEGATIVE)}", "LABEL")

_OF_THE_HUB = frozenset(["sentence", "relation"])
_NUMBERED = (
    *(
        f"{name}({places})"
        for name in (
            *("Cause-Effect", "Component-Whole", "Content-Container", "Entity-Destination", "Entity-Origin"),
            *("Instrument-Agency", "Member-Collection", "Message-Topic", "Product-Producer"),
        )
        for places in ("e1,e2", "e2,e1")
    ),
    NEGATIVE[1],
)
"""The relations of SemEval-2010 task 8, in the order of their numbers in the hub's data set."""
_DIRECTED = re.compile(r"(.+)\(e[12],e[12]\)")


def relation_of(label: str) -> str:
    """The label without direction: Cause-Effect for Cause-Effect(e1,e2)."""
    found = _DIRECTED.fullmatch(label)
    return label if found is None else found[1]


@dataclass(frozen=True, slots=True)
class Inventory:
    """The labels of a whole corpus, and the negative one, if any."""

    labels: tuple[str, ...]
    negative: str | None

    @property
    def relations(self) -> tuple[str, ...]:
        """The relations without the negative one, directions merged."""
        return tuple(sorted({relation_of(label) for label in self.labels if label != self.negative}))


@dataclass(frozen=True, slots=True)
class Relations(LabelledCorpus):
    """Sentences with subject and object as anchors."""

    gold: tuple[str, ...] = ()
    negative: str | None = None
    columns = ("sentences", "gold")

    @property
    def golds(self) -> tuple[tuple[str, ...], ...]:
        return tuple((label,) for label in self.gold)

    @property
    def inputs(self) -> tuple[str, ...]:
        return tuple(map(as_input, self.sentences))

    @property
    def inventory(self) -> Inventory:
        """The labels of the whole corpus."""
        labels = self.known_types or tuple(self.label_counts)
        usual = next((label for label in NEGATIVE if label in labels), None)
        return Inventory(labels, self.negative or usual)

    @property
    def examples(self) -> tuple[Example, ...]:
        inventory, pairs = self.inventory, zip(self.sentences, self.gold, strict=True)
        return tuple(example_of(sentence, label, inventory) for sentence, label in pairs)

    def hashed(self) -> Iterator[bytes]:
        for sentence, label in zip(self.sentences, self.gold, strict=True):
            yield ascii((sentence.text, sentence.tags, sentence.anchors, label, self.negative)).encode()


def example_of(sentence: Sentence, label: str | None, inventory: Inventory | None = None) -> Example:
    """The sentence as an example, with an optional label."""
    key, gold = sentence_id(sentence), None if label is None else (label,)
    places = "-".join(f"{span.start}-{span.stop}" for span in spans_in(sentence))
    return Example(f"{key}-{places}", {TEXT: sentence}, key, gold, inventory)


def record_of(example: Example) -> dict[str, Any]:
    """The sentence as a file record."""
    sentence = example.sentence
    tags = sentence.tags or ("O",) * len(sentence)
    spans: dict[str, Any] = {}
    for role, span in zip(ROLES, spans_in(sentence), strict=True):
        start = sum(map(len, (*sentence.tokens[: span.start], *sentence.spaces[: span.start])))
        type_ = tags[span.start].partition("-")[2]
        spans[role] = {"from": start, "to": start + len(answer_text(sentence, span))}
        spans[role] |= {"type": type_} if type_ not in ("", *ROLES) else {}
    return {"text": sentence.text, **spans, "relation": example.gold[0]}


class RelationReader(CorpusReader[Relations]):
    """Reads SemEval-2010 task 8, JSON (lines or an array), and data sets.

    Objects have the fields of `sentence_of` and a ``relation`` or ``label``.
    """

    noun = "sentence"
    gold = "relation"
    file = "relations.jsonl"
    kinds = ("lines", "rows")

    @property
    def settings(self) -> tuple[CorpusSetting, ...]:
        return (_LABEL, *super().settings)

    def load(self, spec: str, *, limit: int | None = None) -> Relations:
        return with_negative(super().load(spec, limit=limit), spec)

    def corpus_of(self, name: str, rows: Sequence[LabelledRow], *, several: bool) -> Relations:
        return Relations(
            name, tuple(row.texts[0] for row in rows), scheme="one label", gold=tuple(row.gold[0] for row in rows)
        )

    def read(self, asked: ColumnChoice, findings: Findings) -> Relations:
        rows: list[LabelledRow] = []
        left_out: list[str] = []
        shared: list[int] = []
        for place, record in _named(_pairs(_records(asked.source, findings), findings), findings):
            sentence = sentence_of(record, place, findings)
            if sentence is None:
                continue
            said = record.get("relation", record.get("label"))
            label = label_of(said)
            if is_unlabelled(said) or said == "":
                left_out.append(as_written(said) or MISSING)
            elif label is None:
                findings.error(place, f"the relation is {show_value(said)}; expected a name, such as {NEGATIVE[0]}")
            else:
                rows.append(LabelledRow((sentence,), (label,)))
                subject, object_ = spans_in(sentence)
                if subject.start < object_.stop and object_.start < subject.stop:
                    shared.append(place + findings.before)
        self.refuse_nothing(rows, asked, left_out, findings)
        findings.raise_any()
        out = count_values(left_out)
        findings.tally.read(self.noun, len(rows))
        tally_unlabelled(findings.tally, out, self.noun, self.gold)
        return replace(
            self.corpus_of(findings.source, rows, several=False),
            repairs=findings.repairs,
            notices=(
                *findings.notices,
                *_on_shared(shared, findings.unit),
                *on_labels(label for row in rows for label in row.gold),
                *findings.tally.lines(),
            ),
            tally=findings.tally,
            known_types=tuple(count_labels(row.gold for row in rows)),
            unlabelled=out,
        )

    def recognises_file(self, name: str, fields: Sequence[Field]) -> bool:
        text = beginning(name)
        return marked_spans.is_marked(text) or names_spans(first_record(text))


RELATIONS = RelationReader()
load = RELATIONS.load


def negative_in(spec: str) -> str | None:
    """The negative label that a spec names."""
    return _LABEL.within(spec)  # type: ignore[no-any-return]


def with_negative(corpus: Relations, spec: str) -> Relations:
    """Sets the negative label. Raises AbaloError if absent."""
    negative = negative_in(spec)
    if negative is not None and negative not in corpus.known_types:
        told = ", ".join(corpus.known_types)
        raise AbaloError(f"{spec}: {_LABEL.name}={negative}: no such label in the corpus; expected one of {told}")
    return replace(corpus, negative=negative)


def _on_shared(places: Sequence[int], unit: str) -> Iterator[str]:
    if places:
        yield (
            f"Subject and object share words in {count(len(places), 'sentence')}, the first in {unit} {places[0]:,}; "
            "shared words have the type of the subject. Expected two spans apart: correct or remove these sentences."
        )


def _named(values: Iterable[tuple[int, Any]], findings: Findings) -> list[tuple[int, Any]]:
    """The records; the hub's, of SemEval-2010 task 8, with the names of their relations in place of numbers."""
    found = [*values]
    numbers = [each["relation"] for _, each in found if isinstance(each, dict) and each.keys() == _OF_THE_HUB]
    if len(numbers) < len(found) or not all(type(k) is int and 0 <= k < len(_NUMBERED) for k in numbers):
        return found
    if found:
        told = "The numbers of the relations were read as the names of SemEval-2010 task 8, in the order of the hub's"
        findings.notices.append(f"{told} data set. If they are others, write the names.")
    return [(place, {**each, "relation": _NUMBERED[each["relation"]]}) for place, each in found]


def _records(source: Path | Chunk | HubName, findings: Findings) -> Iterator[tuple[int, Any]]:
    if isinstance(source, HubName):
        return enumerate(read_rows(source, findings.source))
    if isinstance(source, Chunk):
        return source.records(findings)
    text = read_text(source, findings)
    return marked_spans.records(text, findings) if marked_spans.is_marked(text) else records(text, findings)


def _pairs(values: Iterable[tuple[int, Any]], findings: Findings) -> Iterator[tuple[int, Any]]:
    """The records; a text with spans as a record for each of its relations, which may be none."""
    values = [*values]
    found = {k: [*related] for k, (_, value) in enumerate(values) if (related := _relations_in(value)) is not None}
    texts = [(values[k][0], values[k][1]["text"], [*chain(*map(_ends_of, own))]) for k, own in found.items()]
    places = dict(zip(found, located(texts, findings), strict=True))
    for k, (place, value) in enumerate(values):
        if k not in found:
            yield place, value
            continue
        ends = iter(places[k])
        for each, spans in zip(found[k], zip(ends, ends, strict=True), strict=True):
            if None not in spans:
                roles = {
                    role: {"from": start, "to": stop, "type": type_}
                    for role, (start, stop, type_) in zip(_ENDS, filter(None, spans), strict=True)
                }
                yield place, {"text": value["text"], "relation": each.get("label"), **roles}


def _relations_in(value: Any) -> list[dict[str, Any]] | None:
    """The relations of a text with spans, or None."""
    if not isinstance(value, dict) or not isinstance(value.get("spans"), list) or names_spans(value):
        return None
    related = value.get("relations", [])
    fits = isinstance(value.get("text"), str) and isinstance(related, list) and all(map(_is_related, related))
    return related if fits else None


_ENDS = {SUBJECT: "head_span", OBJECT: "child_span"}


def _is_related(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(value.get(key), dict) for key in _ENDS.values())


def _ends_of(relation: dict[str, Any]) -> list[dict[str, Any]]:
    return [{"label": role, **relation[key]} for role, key in _ENDS.items()]
