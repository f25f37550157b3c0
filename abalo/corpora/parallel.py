"""Corpora of texts with references."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Self

from abalo.core.protocols.corpus_spec import CorpusSetting, CorpusSpec, chosen, source_in
from abalo.core.records.example import Example
from abalo.corpora.chunks import Chunk
from abalo.corpora.corpus import Corpus
from abalo.corpora.encodings import is_unicode
from abalo.corpora.examples import TEXT
from abalo.corpora.files import read_text
from abalo.corpora.findings import LENIENT, WHOLE, Findings, is_lenient, show_value
from abalo.corpora.hub import HubName
from abalo.corpora.language_tags import base_of, canonical, chosen_of, takes
from abalo.corpora.loading import BUNDLED, source_of
from abalo.corpora.parallel_text import (
    FIELDS,
    REFERENCE,
    SOURCE,
    ParallelRow,
    columns_of,
    fields_for,
    languages_in,
    languages_of_columns,
    read_lines,
    read_rows,
)
from abalo.corpora.parallel_xml import Memory, holds_units, is_xml, memory_in, rows_in
from abalo.corpora.peek import beginning, holds_texts_with_spans
from abalo.corpora.running_text import running_text
from abalo.corpora.sacrebleu_tokenizers import TOKENIZERS, check_installed, tokenizer_for, told_of
from abalo.corpora.tables import as_asked, columns, names_fields, number_fields
from abalo.corpora.unpacking import format_ending
from abalo.errors import AbaloError
from abalo.files import is_file
from perturbations import Partner, Sentence, sentence_id

_FROM, _TO, _TOK = "from", "to", "tok"
_CODE = "the code of a language, such as pt, en or pt-BR"
_OF_ALL = (
    CorpusSetting(_FROM, "language of the sources", "CODE", read=canonical, expected=_CODE),
    CorpusSetting(_TO, "language of the references", "CODE", read=canonical, expected=_CODE),
    chosen(_TOK, "tokenizer of sacreBLEU for BLEU", TOKENIZERS),
    LENIENT,
)
SETTINGS = (*_OF_ALL, *columns(FIELDS))


_REMEMBERED = 2**14
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Direction:
    """Source and target as canonical language tags, "" if unknown; ``asked`` is the tokenizer that the user chose."""

    source: str = ""
    target: str = ""
    asked: str = ""

    @property
    def codes(self) -> tuple[str, str]:
        """Both languages."""
        return self.source, self.target

    @property
    def tokenizer(self) -> str:
        """The sacreBLEU tokenizer for BLEU."""
        return self.asked or tokenizer_for(base_of(self.target))


@lru_cache(_REMEMBERED)
def words_of(text: str) -> Sentence:
    """The words of a text; none if blank."""
    return running_text(text) if text.strip() else Sentence(())


def example_of(text: Sentence, references: Sequence[str], direction: Direction) -> Example:
    """A text with references; equal texts form a cluster."""
    key, gold = sentence_id(text), tuple(references)
    return Example(key, {TEXT: beside(text, gold)}, key, gold, direction, base_of(direction.source) or None)


def beside(text: Sentence, references: Sequence[str]) -> Sentence:
    """The text with references as partners."""
    numbered = enumerate(references, start=1)
    partners = (Partner(f"reference {number}", words_of(each).tokens, entails=True) for number, each in numbered)
    return replace(text, layers=tuple(partners))


@dataclass(frozen=True, slots=True)
class ParallelCorpus(Corpus):
    """Texts with one or more references each."""

    references: tuple[tuple[str, ...], ...] = ()
    direction: Direction = field(default_factory=Direction)

    @property
    def examples(self) -> tuple[Example, ...]:
        pairs = zip(self.sentences, self.references, strict=True)
        return tuple(example_of(text, own, self.direction) for text, own in pairs)

    def first(self, limit: int | None) -> Self:
        return replace(self, sentences=self.sentences[:limit], references=self.references[:limit])

    def chosen(self, places: Sequence[int]) -> Self:
        references = tuple(self.references[k] for k in places)
        return replace(self, sentences=tuple(self.sentences[k] for k in places), references=references)

    @property
    def head(self) -> bytes:
        return ascii((*self.direction.codes, self.direction.tokenizer)).encode()

    def hashed(self) -> Iterator[bytes]:
        for text, own in zip(self.sentences, self.references, strict=True):
            yield ascii((text.text, own)).encode()


@dataclass(frozen=True, slots=True)
class ParallelSpec:
    """A parsed corpus name; ``files`` hold aligned lines."""

    source: Path | Chunk | HubName
    files: tuple[Path, ...]
    direction: Direction
    columns: Mapping[str, str]


def parse_spec(spec: str) -> ParallelSpec:
    """Parses ``FILE?from=pt&to=en`` or ``TEXTS,REFERENCES``; guesses missing languages."""
    name = source_in(spec)
    files = files_of(name)
    asked = CorpusSpec.read(spec, _OF_ALL if files or is_xml(name) else SETTINGS)
    values = asked.settings
    check_installed(spec, values.get(_TOK))
    told = languages_in([str(each) for each in files] or [name])
    if not files and not any(told):
        told = ("", "") if is_xml(name) else languages_of_columns(_columns_of(name))
    if _is_turned((values.get(_FROM, ""), values.get(_TO, "")), told):
        told = told[1], told[0]
    direction = Direction(values.get(_FROM, told[0]), values.get(_TO, told[1]), values.get(_TOK, ""))
    return ParallelSpec(source_of(name, {}), files, direction, asked.among(each.name for each in FIELDS))


def _is_turned(asked: tuple[str, str], told: tuple[str, str]) -> bool:
    """Whether a language that was asked for is told to be the other side's, and not its own side's."""
    both = zip(map(base_of, asked), map(base_of, told), map(base_of, reversed(told)), strict=True)
    return any(wanted and wanted == other != own for wanted, own, other in both)


def files_of(name: str) -> tuple[Path, ...]:
    """The comma-separated files; empty for one file."""
    return () if is_file(Path(name)) or "," not in name else tuple(Path(part.strip()) for part in name.split(","))


def load(spec: str, *, limit: int | None = None) -> ParallelCorpus:
    """Loads up to ``limit`` texts.

    ``spec`` is two or more aligned files, comma-separated; a table or JSON with columns ``source`` and ``reference`` or
    language codes; TMX, XLIFF or XML of WMT; or a data set.
    """
    if limit is not None and limit < 1:
        raise AbaloError(f"--abalo-limit {limit}: expected at least 1 text")
    asked = parse_spec(spec)
    findings = Findings(spec, is_lenient(spec), joint=" row " if isinstance(asked.source, HubName) else ":")
    corpus = read(asked, findings).first(limit)
    return corpus.first(asked.source.limit) if isinstance(asked.source, HubName) else corpus


def read(asked: ParallelSpec, findings: Findings) -> ParallelCorpus:
    """Reads texts; raises `AbaloError` with all ``findings``."""
    if asked.files:
        rows: Iterable[ParallelRow] = read_lines(asked.files, findings)
    elif isinstance(asked.source, Path) and is_xml(str(asked.source)):
        text = read_text(asked.source, findings)
        findings.raise_any()
        memory = memory_in(text, findings)
        findings.raise_any()
        assert memory is not None
        asked = replace(asked, direction=_known(asked.direction, memory, findings))
        rows = rows_in(memory, asked.direction.codes, findings)
    else:
        rows = read_rows(asked.source, asked.direction.codes, asked.columns, findings)
    made = [found for row in rows if (found := _texts(row, findings)) is not None]
    if not made and not findings.problems and not isinstance(asked.source, Chunk):
        findings.error(WHOLE, "no text with a reference; expected at least one; is this the corpus you meant?")
    findings.raise_any()
    findings.tally.read("text", len(made))
    direction = asked.direction
    told = told_of(direction.tokenizer, base_of(direction.target), [each for _, own in made for each in own])
    findings.notices += [] if direction.asked or not told else [told]
    return ParallelCorpus(
        findings.source,
        tuple(text for text, _ in made),
        scheme="references",
        repairs=findings.repairs,
        notices=findings.told,
        tally=findings.tally,
        references=tuple(own for _, own in made),
        direction=direction,
    )


def _known(found: Direction, memory: Memory, findings: Findings) -> Direction:
    asks = f"{source_in(findings.source)}?{_FROM}=CODE&{_TO}=CODE"
    told = ", ".join(memory.texts)
    if len(memory.texts) < 2:
        findings.error(WHOLE, f"has units in {told or 'no language'}; expected two languages, by xml:lang")
        return found
    found = _guessed(found, memory)
    for wanted in found.codes:
        several = [f"{code} ({memory.texts[code]:,})" for code in chosen_of(wanted, memory.texts)]
        if len(several) > 1:
            findings.error(
                WHOLE, f"has texts in {' and '.join(several)}, all of them {wanted}; name one of them: {asks}"
            )
    own, others = ({*chosen_of(wanted, memory.texts)} for wanted in found.codes)
    if not found.source or not found.target:
        findings.error(WHOLE, f"has units in {told}; name two of them: {asks}")
    elif missing := [code for code, there in zip(found.codes, (own, others), strict=True) if not there]:
        findings.error(WHOLE, f"has units in {told}, and none in {', '.join(missing)}; name others: {asks}")
    elif own & others:
        findings.error(WHOLE, f"has units in {told}; {' and '.join(found.codes)} are the same; name others: {asks}")
    return found


def _guessed(found: Direction, memory: Memory) -> Direction:
    """The direction with what a translation memory says: the language of its sources, and the only other one."""
    rest = [code for code in memory.texts if not any(each and takes(each, code) for each in found.codes)]
    if not found.source:
        first = memory.source if memory.source in rest else ""
        first = first or (rest[0] if len(rest) + bool(found.target) == 2 else "")
        found, rest = replace(found, source=first), [code for code in rest if code != first]
    return replace(found, target=rest[0]) if not found.target and len(rest) == 1 else found


def _texts(row: ParallelRow, findings: Findings) -> tuple[Sentence, tuple[str, ...]] | None:
    for name, value in ((SOURCE, row.source), *((REFERENCE, each) for each in row.references)):
        if not isinstance(value, str) or not value.strip() or not is_unicode(value):
            told = f"the {name} is {show_value(value)}; expected text with visible characters"
            findings.mended(row.place, f"{told}; leave the line out, or give FILE?lenient")
            findings.tally.left_out("text", f"without visible characters in its {name}")
            return None
        if control := _CONTROL.search(value):
            told = f"the {name} has the control character {control[0]!r}: {show_value(value)}; expected text without"
            findings.mended(row.place, f"{told}; remove it, or leave the line out with FILE?lenient")
            findings.tally.left_out("text", f"with control characters in its {name}")
            return None
    if not row.references:
        findings.mended(row.place, f"no {REFERENCE}; expected one or several; leave it out, or give FILE?lenient")
        findings.tally.left_out("text", f"without a {REFERENCE}")
        return None
    return running_text(row.source), tuple(" ".join(each.split()) for each in row.references)


def recognises(spec: str) -> bool:
    """Whether ``spec`` is a corpus with references."""
    name = source_in(spec)
    if name.startswith(BUNDLED):
        return False
    if files := files_of(name):
        return any(map(is_file, files))
    if not is_file(Path(name)):
        return False
    if is_xml(name):
        return holds_units(beginning(name))
    return _names_fields(spec, name) and not holds_texts_with_spans(name)


def _names_fields(spec: str, name: str) -> bool:
    """Whether the columns of a file are called as expected, or as the spec says."""
    try:
        asked = parse_spec(spec)
    except AbaloError:  # told by `load`
        asked = parse_spec(name)
    cells, fields = _columns_of(name), as_asked(fields_for(asked.direction.codes), asked.columns)
    return names_fields(cells, fields) or number_fields(fields, len(cells)) is not None


def _columns_of(name: str) -> list[str]:
    return columns_of(beginning(name), format_ending(name))


def record_of(example: Example) -> dict[str, object]:
    """The text with its references as a record."""
    names = [REFERENCE, *(f"{REFERENCE}{number}" for number in range(2, len(example.gold) + 1))]
    return {SOURCE: example.sentence.text, **dict(zip(names, example.gold, strict=True))}
