"""A short look at a file, to tell what kind of corpus it is before it is read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from abalo.corpora import forms, json_text, tables
from abalo.corpora.conll import DOCUMENT_START, tag_counts
from abalo.corpora.encodings import encoding_of
from abalo.corpora.files import read_text
from abalo.corpora.findings import Findings, shown
from abalo.corpora.foreign import is_conllu, refuse_export
from abalo.corpora.schemes import stand_first
from abalo.corpora.spans import NOTHING_MARKED, are_spans, holds_spans, record_of
from abalo.corpora.token_columns import without_numbers
from abalo.corpora.unpacking import first_bytes, format_ending
from abalo.errors import AbaloError, visible
from abalo.files import is_file

_BYTES = 2**20
"""How much of the text is looked at."""

_LINES = 2000
"""Lines that are looked at."""

_SHOWN = 12
"""How many columns a message names."""

_MOST = 0.9
"""The share of lines that tells what a file is, whatever is wrong with the others."""


def holds_entities(spec: str) -> bool:
    """Whether a file of columns has tags of entities, in BIO or another form, or, which is an error, has them first.

    CoNLL-U has none, since its columns are known.
    """
    text = _columns_text(spec)
    if is_conllu(text):
        return False
    words, tags = tag_counts(text)
    return forms.hold_entities(tags) or stand_first(words.keys(), tags.keys()) or _first_column_is_tags(text)


def holds_texts_with_spans(spec: str) -> bool:
    """Whether a file is JSON with texts and entities at places of them."""
    text = beginning(spec)
    return json_text.is_json(text, format_ending(spec)) and any(map(holds_spans, json_text.first_records(text)))


def holds_other_labels(spec: str) -> bool:
    """Whether a file is one of two columns, but for some lines that are wrong, and may not have tags of entities."""
    rows = _rows(spec)
    rows = without_numbers(rows) or rows
    pairs = sum(len(cells) == 2 for cells in rows)
    if not rows or pairs < _MOST * len(rows) or holds_entities(spec):
        return False
    return not forms.may_hold_entities(Counter(cells[-1] for cells in rows if len(cells) > 1))


def _first_column_is_tags(text: str) -> bool:
    """Whether tags of entities stand in front of the words, and none behind them."""
    rows = [cells for line in text.split("\n")[:_LINES] if len(cells := line.split()) > 1]
    return stand_first({cells[0] for cells in rows}, {cells[-1] for cells in rows}) if rows else False


def _columns_text(spec: str) -> str:
    """The first lines of a file of columns; empty for any other file."""
    text = beginning(spec)
    if json_text.is_json(text, format_ending(spec)):
        return ""
    return "\n".join(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")[:_LINES])


def _rows(spec: str) -> list[list[str]]:
    """The words of the first lines of a file of columns, without empty lines and comments; none of any other file."""
    lines = [line.split() for line in _columns_text(spec).split("\n") if not line.startswith("# ")]
    return [cells for cells in lines if cells and cells[0] != DOCUMENT_START]


def first_record(spec: str) -> frozenset[str]:
    """The keys of the first object of a file of JSON, lines or an array; none of any other file, or of none."""
    record = json_text.first_record(beginning(spec))
    return frozenset(record) if isinstance(record, dict) else frozenset()


def labels_texts(spec: str, fields: Sequence[tables.Field] = tables.LABELLED) -> bool:
    """Whether a file has columns that are called as texts and their labels are, or a text, a tab and a label a line.

    Spans of a text are no labels of it.
    """
    if has_fields(spec, fields):
        return not _labels_spans(beginning(spec), spec)
    return _texts_before_labels(spec)


def _labels_spans(text: str, spec: str) -> bool:
    """Whether the column of the labels in JSON holds spans."""
    if not json_text.is_json(text, format_ending(spec)):
        return False
    records = [each for each in json_text.first_records(text) if isinstance(each, dict)]
    return any(are_spans(each.get(tables.column_of(list(each), tables.LABEL))) for each in records)


def _texts_before_labels(spec: str) -> bool:
    """Whether each line has one tab: behind it one of a few words, before it, on most lines, several words."""
    lines = [line for line in beginning(spec).splitlines()[:_LINES] if line.strip()]
    rows = [line.split("\t") for line in lines]
    if not rows or any(len(cells) != 2 or len(cells[1].split()) != 1 for cells in rows):
        return False
    texts = sum(len(text.split()) > 1 for text, _ in rows)
    return texts >= _MOST * len(rows) and len({label for _, label in rows}) <= max(2, len(rows) // 2)


def has_fields(spec: str, fields: Sequence[tables.Field]) -> bool:
    """Whether a file is a table or JSON whose columns are called as those of the fields are, optional ones apart."""
    text = beginning(spec)
    if json_text.is_json(text, format_ending(spec)):
        record = json_text.first_record(text)
        return isinstance(record, dict) and tables.names_fields(list(record), fields)
    cells = tables.first_cells(text)
    return tables.names_fields(cells, fields) or tables.numbered(fields, len(cells)) is not None


def begins_with(spec: str, mark: str) -> bool:
    """Whether the mark stands in the first thousand characters of a file."""
    return mark in beginning(spec)[:1000]


def explain_unrecognised(spec: str) -> None:
    """Raises AbaloError where a file cannot be unpacked or decoded, or is in a format of another program."""
    text = read_text(Path(spec), Findings(spec, lenient=True))
    first = json_text.first_record(text)
    if (record := record_of(first)) is None:
        refuse_export(first, spec)
    elif record.left_out:
        raise AbaloError(f"{visible(spec)}: left out because of {record.left_out}; {NOTHING_MARKED}")


def columns_of(spec: str) -> str:
    """The names of the columns of a table or of JSON, or the first line of any other text, as a message shows them."""
    text = beginning(spec)
    record = json_text.first_record(text) if json_text.is_json(text, format_ending(spec)) else None
    names = [*record] if isinstance(record, dict) else tables.first_cells(text)
    return ", ".join(map(shown, names[:_SHOWN])) + (", …" if len(names) > _SHOWN else "")


def beginning(spec: str) -> str:
    """The first lines of a file, unpacked; empty where it cannot be read."""
    if not is_file(Path(spec)):
        return ""
    try:
        data = first_bytes(Path(spec), _BYTES)
    except OSError:
        return ""
    text = data.decode(encoding_of(data), errors="replace")
    return text if len(data) < _BYTES else text[: text.rfind("\n") + 1] or text
