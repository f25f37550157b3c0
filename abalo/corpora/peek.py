"""Recognises a file's kind from its beginning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

from abalo.core.protocols.corpus_spec import reader_of_record, source_in
from abalo.core.records.tally import Tally
from abalo.corpora import forms, json_text, tables
from abalo.corpora.conll import DOCUMENT_START, tag_counts
from abalo.corpora.coreference import marks_clusters_alone
from abalo.corpora.encodings import encoding_of
from abalo.corpora.files import read_text, records_by_reader
from abalo.corpora.findings import Findings, show_value
from abalo.corpora.foreign import is_conllu, refuse_export
from abalo.corpora.schemes import stand_first
from abalo.corpora.spans import NOTHING_MARKED, are_spans, holds_spans, record_of
from abalo.corpora.token_columns import without_numbers
from abalo.corpora.unpacking import first_bytes, format_ending
from abalo.errors import AbaloError, visible
from abalo.files import is_file

_BYTES = 2**20

_LINES = 2000

_RECORDS = 500

_SHOWN = 12

_MOST = 0.9


def holds_entities(spec: str) -> bool:
    """Whether a column file has entity tags, even in the wrong column."""
    text = _columns_text(spec)
    if is_conllu(text) or marks_clusters_alone(text):
        return False
    words, tags = tag_counts(text)
    return forms.hold_entities(tags) or stand_first(words.keys(), tags.keys()) or _first_column_is_tags(text)


def holds_heads(spec: str) -> bool:
    """Whether a CoNLL-U file has the head of each word."""
    text = beginning(source_in(spec))
    rows = [line.split("\t") for line in text.split("\n")[:_LINES] if line[:1].isdigit()]
    words = [cells for cells in rows if cells[0].isdigit()]
    return is_conllu(text) and bool(words) and all(cells[6:7] and cells[6].isdigit() for cells in words)


def holds_texts_with_spans(spec: str) -> bool:
    """Whether a file is JSON with entity spans."""
    text = beginning(spec)
    return json_text.is_json(text, format_ending(spec)) and any(map(holds_spans, json_text.first_records(text)))


def holds_other_labels(spec: str) -> bool:
    """Whether a two-column file has labels other than entity tags."""
    rows = _rows(spec)
    rows = without_numbers(rows) or rows
    pairs = sum(len(cells) == 2 for cells in rows)
    if not rows or pairs < _MOST * len(rows) or holds_entities(spec):
        return False
    return not forms.may_hold_entities(Counter(cells[-1] for cells in rows if len(cells) > 1))


def _first_column_is_tags(text: str) -> bool:
    rows = [cells for line in text.split("\n")[:_LINES] if len(cells := line.split()) > 1]
    return stand_first({cells[0] for cells in rows}, {cells[-1] for cells in rows}) if rows else False


def _columns_text(spec: str) -> str:
    text = beginning(spec)
    if json_text.is_json(text, format_ending(spec)):
        return ""
    return "\n".join(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[:_LINES])


def _rows(spec: str) -> list[list[str]]:
    lines = [line.split() for line in _columns_text(spec).split("\n") if not line.startswith("# ")]
    return [cells for cells in lines if cells and cells[0] != DOCUMENT_START]


def first_record(spec: str) -> frozenset[str]:
    """The keys of the first JSON object of a file; empty for other files."""
    record = json_text.first_record(beginning(spec))
    return frozenset(record) if isinstance(record, dict) else frozenset()


def labels_texts(spec: str, fields: Sequence[tables.Field] = tables.LABELLED) -> bool:
    """Whether a file has texts and labels, not spans."""
    if has_fields(spec, fields):
        return not _labels_spans(beginning(spec), spec)
    return _texts_before_labels(spec)


def _labels_spans(text: str, spec: str) -> bool:
    if not json_text.is_json(text, format_ending(spec)):
        return False
    records = [each for each in json_text.first_records(text) if isinstance(each, dict)]
    return any(are_spans(each.get(tables.column_of(list(each), tables.LABEL))) for each in records)


def _texts_before_labels(spec: str) -> bool:
    lines = [line for line in beginning(spec).splitlines()[:_LINES] if line.strip()]
    rows = [line.split("\t") for line in lines]
    if not rows or any(len(cells) != 2 or len(cells[1].split()) != 1 for cells in rows):
        return False
    texts = sum(len(text.split()) > 1 for text, _ in rows)
    return texts >= _MOST * len(rows) and len({label for _, label in rows}) <= max(2, len(rows) // 2)


def has_fields(spec: str, fields: Sequence[tables.Field]) -> bool:
    """Whether a table or JSON has all required fields."""
    text = beginning(spec)
    if json_text.is_json(text, format_ending(spec)):
        record = json_text.first_record(text)
        return isinstance(record, dict) and tables.names_fields(list(record), fields)
    cells = tables.first_cells(text)
    return tables.names_fields(cells, fields) or tables.number_fields(fields, len(cells)) is not None


def begins_with(spec: str, mark: str) -> bool:
    """Whether the first 1,000 characters contain the mark."""
    return mark in beginning(spec)[:1000]


def explain_unrecognised(spec: str) -> None:
    """Raises `AbaloError` for unreadable, unannotated and foreign files."""
    findings = Findings(spec, lenient=True)
    text = read_text(Path(spec), findings)
    first = json_text.first_record(text)
    if reader_of_record(first) is not None:  # also when converted: nothing is left
        for _ in json_text.records(text, findings):
            pass
        findings.raise_any()
    if (record := record_of(first)) is None:
        refuse_export(first, spec)
    elif record.left_out:
        raise AbaloError(f"{visible(spec)}: left out because of {record.left_out}; {NOTHING_MARKED}")


def columns_of(spec: str) -> str:
    """The column names or first line, for messages."""
    text = beginning(spec)
    record = json_text.first_record(text) if json_text.is_json(text, format_ending(spec)) else None
    names = [*record] if isinstance(record, dict) else tables.first_cells(text)
    return ", ".join(map(show_value, names[:_SHOWN])) + (", …" if len(names) > _SHOWN else "")


def beginning(spec: str) -> str:
    """The unpacked beginning; "" if unreadable."""
    try:
        if (read := records_by_reader(spec, Tally())) is not None:
            return "".join(line for _, line in islice(read, _RECORDS))
    except AbaloError:
        return ""
    if not is_file(Path(spec)):
        return ""
    try:
        data = first_bytes(Path(spec), _BYTES)
    except OSError:
        return ""
    text = data.decode(encoding_of(data), errors="replace")
    return text if len(data) < _BYTES else text[: text.rfind("\n") + 1] or text
