"""Corpora of sentences with aspects."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from abalo.core.records.example import Example
from abalo.core.records.words import count
from abalo.corpora.chunks import Chunk
from abalo.corpora.examples import TEXT
from abalo.corpora.files import read_text
from abalo.corpora.findings import Findings
from abalo.corpora.hub import HubName, read_rows
from abalo.corpora.json_text import records, strict_json
from abalo.corpora.peek import beginning
from abalo.corpora.tables import Field
from abalo.corpora.unpacking import format_ending
from abalo.corpora.xml_text import ENDING
from abalo.tasks.aspects import semeval
from abalo.tasks.aspects.sentences import (
    CONFLICT,
    POLARITIES,
    Aspect,
    polarity_of,
    sentence_of,
    tag_sentence,
    target_in,
    words_of,
)
from abalo.tasks.labels.corpus import ColumnChoice, CorpusReader, LabelledCorpus, LabelledRow
from abalo.tasks.labels.reading import count_labels
from abalo.tasks.labels.unlabelled import count_values, tally_unlabelled
from perturbations import sentence_id

DEFAULT = "bundled:aspects-en"

_KEYS = re.compile(r'"(?:term_list|aspects)"\s*:\s*[\[{]|"polarity"\s*:\s*"(?:positive|negative|neutral|conflict)"')


@dataclass(frozen=True, slots=True)
class Aspects(LabelledCorpus):
    """Sentences with one target aspect each, marked by an anchor."""

    columns = ("sentences",)

    @property
    def inputs(self) -> tuple[tuple[str, str], ...]:
        return tuple((example.sentence.text, aspect_in(example)) for example in self.examples)

    @property
    def golds(self) -> tuple[tuple[str, ...], ...]:
        return tuple(example.gold for example in self.examples)

    @property
    def examples(self) -> tuple[Example, ...]:
        made = []
        for sentence in self.sentences:
            span, key = target_in(sentence), sentence_id(sentence)
            assert span is not None
            gold = (polarity_of(sentence, span),)
            made.append(Example(f"{key}-{span.start}-{span.stop}", {TEXT: sentence}, key, gold))
        return tuple(made)

    def hashed(self) -> Iterator[bytes]:
        for sentence in self.sentences:
            yield ascii((sentence.text, sentence.tags, sentence.anchors)).encode()


def aspect_in(example: Example) -> str:
    """The words of the target."""
    span = target_in(example.sentence)
    return "" if span is None else words_of(example.sentence, span)


def record_of(example: Example) -> dict[str, object]:
    """The sentence as a file record with one aspect."""
    sentence, span = example.sentence, target_in(example.sentence)
    assert span is not None
    start = sum(map(len, (*sentence.tokens[: span.start], *sentence.spaces[: span.start])))
    term = words_of(sentence, span)
    aspect = {"term": term, "from": start, "to": start + len(term), "polarity": example.gold[0]}
    return {"sentence": sentence.text, "term_list": [aspect]}


class AspectReader(CorpusReader[Aspects]):
    """Reads sentences with aspects from JSON (lines, an array, or an object of objects) or SemEval XML.

    Each object has a ``sentence`` and aspects under ``term_list``, ``aspects`` or ``opinions``, as a list or by id:
    their ``polarity``, ``from`` and ``to`` in characters, and optional ``term`` or ``target``. An object may also hold
    one aspect itself. Aspects without a unique polarity or called NULL are counted, but are not targets.
    """

    noun = "aspect"
    gold = "polarity"
    file = "aspects.jsonl"
    kinds = ("lines", "rows")

    def corpus_of(self, name: str, rows: Sequence[LabelledRow], *, several: bool) -> Aspects:
        return Aspects(name, tuple(row.texts[0] for row in rows), scheme="aspects")

    def read(self, asked: ColumnChoice, findings: Findings) -> Aspects:
        read: dict[str, dict[Aspect, None]] = {}
        unnamed = twice = 0
        for place, record in _records(asked.source, findings):
            found = sentence_of(record, place, findings)
            if found is not None:
                known = read.setdefault(found[0], {})
                named = [each for each in found[1] if each.start < each.stop]
                own = [each for each in dict.fromkeys(named) if each not in known]
                known |= dict.fromkeys(own)
                twice += len(named) - len(own)
                unnamed += len(found[1]) - len(named)
        every = [each.polarity for aspects in read.values() for each in aspects]
        left_out = [polarity for polarity in every if polarity not in POLARITIES]
        tagged_as = {
            text: [each for each in own if each.polarity in (*POLARITIES, CONFLICT)] for text, own in read.items()
        }
        targets = [(text, own, each) for text, own in tagged_as.items() for each in own if each.polarity != CONFLICT]
        kind = "that no word of the sentence names (NULL)"
        beside = f"{count(unnamed, 'aspect')} {kind}"
        self.refuse_nothing(targets, asked, left_out, findings, but=f", but {beside}" if unnamed else "")
        findings.raise_any()
        out = count_values(left_out)
        findings.tally.read(self.noun, len(targets))
        tally_unlabelled(findings.tally, out, self.noun, self.gold)
        findings.tally.left_out(self.noun, kind, unnamed)
        findings.tally.left_out(self.noun, "given before", twice)
        rows = [LabelledRow((tag_sentence(*each),), (each[2].polarity,)) for each in targets]
        return replace(
            self.corpus_of(findings.source, rows, several=False),
            repairs=findings.repairs,
            notices=findings.told,
            tally=findings.tally,
            known_types=tuple(count_labels(row.gold for row in rows)),
            unlabelled=out,
        )

    def recognises_file(self, name: str, fields: Sequence[Field]) -> bool:
        text = beginning(name)
        if format_ending(name) == ENDING:
            return any(mark in text for mark in semeval.MARKS)
        if text.lstrip()[:1] not in ("{", "[") or _KEYS.search(text) is None:
            return False
        return '"sentence"' in text or all(key in text for key in ('"text"', '"polarity"', '"from"'))


ASPECTS = AspectReader()
load = ASPECTS.load
recognises = ASPECTS.recognises


def _records(source: Path | Chunk | HubName, findings: Findings) -> Iterator[tuple[int, object]]:
    if isinstance(source, HubName):
        yield from enumerate(read_rows(source, findings.source))
        return
    if isinstance(source, Chunk):
        yield from source.records(findings)
        return
    text = read_text(source, findings)
    if format_ending(str(source)) == ENDING:
        yield from semeval.records(text, findings)
        return
    try:
        whole = strict_json(text)
    except (ValueError, RecursionError):
        whole = None
    if isinstance(whole, dict) and whole and all(isinstance(each, dict) for each in whole.values()):
        findings.joint = " record "
        yield from enumerate(whole.values(), start=1)
    else:
        yield from records(text, findings)
