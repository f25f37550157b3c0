"""Data sets from the Hugging Face hub or saved folders."""

from __future__ import annotations

import contextlib
import importlib
import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from abalo.corpora.drafts import Draft
from abalo.corpora.findings import Findings
from abalo.corpora.parts_of_speech import UNKNOWN
from abalo.corpora.records import draft_of, drafts_of
from abalo.corpora.spans import holds_spans
from abalo.corpora.token_columns import TAGS, TOKENS
from abalo.errors import AbaloError
from abalo.files import read_text
from abalo.hub import offline, unreachable
from perturbations.suggestions import did_you_mean

PREFIX = "hub:"

_TOKEN_COLUMNS = ("tokens", "words")
_TAG_COLUMNS = ("ner_tags", "tags")
_KIND_COLUMNS = ("pos_tags", "upos")
_SLICE = re.compile(r"\[:(\d+)\]$")
_SAVED_TO_DISK = ("dataset_dict.json", "state.json")


@dataclass(frozen=True, slots=True)
class HubName:
    """A split of a hub id or folder; the first ``limit`` rows.

    ``split`` is None for a saved folder with one split.
    """

    dataset: str
    config: str | None
    split: str | None
    limit: int | None


def parse_hub_name(spec: str) -> HubName:
    """Parses ``hub:<dataset>[:config]:<split>[:200]``."""
    parts = _SLICE.sub(r":\1", spec.removeprefix(PREFIX)).split(":")
    limit = int(parts.pop()) if parts[-1].isdecimal() else None
    if len(parts) not in (2, 3) or not all(parts) or limit == 0:
        raise AbaloError(
            f"{spec}: cannot be read; expected hub:<dataset>[:config]:<split>[:200], such as "
            "hub:conll2003:validation:200 or hub:./folder:train"
        )
    return HubName(parts[0], parts[1] if len(parts) == 3 else None, parts[-1], limit)


def is_saved_to_disk(folder: str) -> bool:
    """Whether ``save_to_disk`` wrote this folder."""
    try:
        return any((Path(folder) / mark).is_file() for mark in _SAVED_TO_DISK)
    except (OSError, ValueError):
        return False


def read_hub(name: HubName, findings: Findings, asked: Mapping[str, str]) -> list[Draft]:
    """Reads a split's sentences; ``asked`` names token and tag columns."""
    data = _split(name, findings.source)
    if not asked and not {*_TOKEN_COLUMNS} & {*data.column_names}:
        rows = data.to_list()
        if any(map(holds_spans, rows)):
            return drafts_of(enumerate(rows), findings)
    token_column = _column(data, _wanted_columns(TOKENS, asked, _TOKEN_COLUMNS), findings.source)
    tag_column = _column(data, _wanted_columns(TAGS, asked, _TAG_COLUMNS), findings.source)
    names = _tag_names(data, tag_column, findings.source)
    spaces_column = ["spaces"] if "spaces" in data.column_names else []
    kind_column = [column for column in _KIND_COLUMNS if column in data.column_names][:1]
    columns = data.select_columns([token_column, tag_column, *spaces_column, *kind_column]).to_dict()
    kinds = _kinds(data, kind_column[0], columns[kind_column[0]]) if kind_column else [None] * len(data)
    drafts = []
    for row in range(len(data)):
        tags = columns[tag_column][row]
        record = {
            "tokens": columns[token_column][row],
            "tags": tags if names is None else _names_of_tags(tags, names, row, findings),
            "spaces": columns["spaces"][row] if spaces_column else None,
            "pos_tags": kinds[row],
        }
        if (draft := draft_of(record, row, findings)) is not None:
            drafts.append(draft)
    return drafts


def read_rows(name: HubName, source: str) -> list[dict[str, object]]:
    """The rows of a split, with class names instead of numbers.

    Numbers without a class, such as -1, become None.
    """
    data = _split(name, source)
    rows: list[dict[str, Any]] = data.to_list()
    for column, feature in data.features.items():
        names = getattr(feature, "names", None) or getattr(getattr(feature, "feature", None), "names", None)
        if names is not None:
            for row in rows:
                row[column] = _class_names(row[column], names)
    return rows


def _class_names(value: object, names: Sequence[str]) -> object:
    if isinstance(value, list):
        return [_class_names(each, names) for each in value]
    return names[value] if isinstance(value, int) and 0 <= value < len(names) else None


def _split(name: HubName, source: str) -> Any:
    datasets = _datasets(source)
    folder = Path(name.dataset)
    if not folder.is_dir() and (folder.is_absolute() or name.dataset.startswith((".", "~"))):
        raise AbaloError(f"{source}: there is no folder {name.dataset}; expected a folder of data files, or a hub id")
    with _progress_only_in_a_terminal(datasets):
        if is_saved_to_disk(name.dataset):
            _refuse_empty(name.dataset, source)
            return _split_from_disk(_load_or_tell(source, datasets.load_from_disk, name.dataset), name, source)
        reason = None if folder.exists() else unreachable("dataset", name.dataset)
        if reason is None:
            return _load_or_tell(source, datasets.load_dataset, name.dataset, name.config, split=name.split)
        return _split_from_cache(name, source, datasets, reason)


def _refuse_empty(folder: str, source: str) -> None:
    """The library cannot load empty data sets."""
    for state in sorted(Path(folder).glob("**/state.json")):
        try:
            files = json.loads(read_text(state))["_data_files"]
        except (OSError, ValueError, KeyError, TypeError):  # damaged: the library says how
            continue
        if not files:
            part = "" if state.parent == Path(folder) else f" in its split {state.parent.name}"
            raise AbaloError(f"{source}: the data set has no rows{part}; expected sentences; save it with some")


def _split_from_cache(name: HubName, source: str, datasets: Any, reason: str) -> object:
    try:
        with offline(datasets):
            return datasets.load_dataset(name.dataset, name.config, split=name.split)
    except Exception as error:
        raise AbaloError(
            f"{source}: not in the cache of the datasets library, and the Hugging Face hub cannot be reached "
            f"({reason}); check the connection, or give a file"
        ) from error


def _datasets(source: str) -> Any:
    try:
        return importlib.import_module("datasets")
    except ImportError as error:
        raise AbaloError(f"{source}: data sets need the datasets library: pip install 'abalo[hub]'") from error


def _load_or_tell(source: str, load: Any, *arguments: Any, **options: Any) -> object:
    try:
        return load(*arguments, **options)
    except Exception as error:
        raise AbaloError(
            f"{source}: datasets cannot load it: {type(error).__name__}: {error}; "
            "check the name, the configuration, the split and the connection"
        ) from error


def _split_from_disk(saved: Any, name: HubName, source: str) -> object:
    if name.config is not None:
        raise AbaloError(f"{source}: a data set saved to disk has no configurations; leave out {name.config!r}")
    splits = saved if isinstance(saved, dict) else {str(saved.split or "train"): saved}
    if name.split is None:
        if len(splits) == 1:
            return next(iter(splits.values()))
        raise AbaloError(
            f"{source}: holds {len(splits)} splits; expected one of {', '.join(splits) or 'them'}; "
            f"give {PREFIX}{name.dataset}:SPLIT"
        )
    if name.split not in splits:
        raise AbaloError(
            f"{source}: no split {name.split!r}; expected one of {', '.join(splits)}{did_you_mean(name.split, splits)}"
        )
    return splits[name.split]


@contextlib.contextmanager
def _progress_only_in_a_terminal(datasets: Any) -> Iterator[None]:
    if sys.stderr.isatty() or datasets.are_progress_bars_disabled():
        yield
        return
    datasets.disable_progress_bars()
    try:
        yield
    finally:
        datasets.enable_progress_bars()


def _wanted_columns(field: str, asked: Mapping[str, str], usual: Sequence[str]) -> Sequence[str]:
    return (asked[field],) if field in asked else usual


def _column(data: Any, wanted: Sequence[str], source: str) -> str:
    for column in wanted:
        if column in data.column_names:
            return column
    raise AbaloError(
        f"{source}: no column {' or '.join(map(repr, wanted))}; it has {', '.join(map(repr, data.column_names))}; "
        f"name the columns: {source}?tokens=COLUMN&tags=COLUMN"
    )


def _tag_names(data: Any, column: str, source: str) -> list[str] | None:
    each = getattr(data.features[column], "feature", None)
    names: list[str] | None = getattr(each, "names", None)
    if names is None and "int" in getattr(each, "dtype", ""):
        raise AbaloError(
            f"{source}: {column!r} holds numbers, and the data set does not name the tags they stand for; "
            "expected tags, or a ClassLabel feature; write the sentences as JSONL with their tags and give that file"
        )
    return names


def _kinds(data: Any, column: str, values: Sequence[Any]) -> list[Any]:
    names = getattr(getattr(data.features[column], "feature", None), "names", None)
    if not names:
        return list(values)
    return [[names[number] if 0 <= number < len(names) else UNKNOWN for number in value] for value in values]


def _names_of_tags(value: object, names: Sequence[str], row: int, findings: Findings) -> object:
    if not isinstance(value, list) or not all(isinstance(number, int) for number in value):
        return value
    nameless = [number for number in value if not 0 <= number < len(names)]
    if nameless:
        findings.error(
            row, f"a tag is {nameless[0]}; expected a number from 0 to {len(names) - 1}, as the tags are named"
        )
    return [names[number] if 0 <= number < len(names) else "O" for number in value]
