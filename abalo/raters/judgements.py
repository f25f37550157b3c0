"""Results of filled sheets with variants: the shares that are right and wrong, and how far raters agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from abalo.core.few_events import share_law
from abalo.corpora.findings import Findings, shown
from abalo.corpora.json_text import strict_json
from abalo.errors import AbaloError
from abalo.files import read_text
from abalo.raters.agreement import ac1, mean_kappa, observed
from abalo.raters.variants import KEY, LABEL_COLUMNS, TEXT_COLUMNS
from abalo.reporting.cells import read_csv
from abalo.version import __version__

SCALES: Mapping[str, tuple[str, ...]] = {"text": ("right", "acceptable", "wrong"), "labels": ("right", "wrong")}
"""The words that a rater can write in each column, from best to worst."""

ALL = "all"
"""The name of the results of all perturbations together."""

_ALPHA = 0.025
"""On either side of an interval, which so is one of 95 %."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A variant and what each rater wrote of it, by column, in the order of the raters."""

    name: str
    perturbation: str
    family: str
    digest: str
    sentence_id: str
    original: str
    variant: str
    said: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Sheets:
    """All sheets of a folder, filled in; ``corpus`` and ``language`` are those that the variants were drawn from."""

    corpus: str
    language: str
    raters: tuple[str, ...]
    variants: tuple[Judged, ...]


@dataclass(frozen=True, slots=True)
class Share:
    """A share of the ratings, 0 to 1, with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Column:
    """The result of one column: the share of each word, and their agreement on it, NaN with one rater.

    See `observed`, `mean_kappa` and `ac1`.
    """

    shares: Mapping[str, Share]
    agreement: float
    kappa: float
    ac1: float


@dataclass(frozen=True, slots=True)
class Found:
    """The results of ``n`` variants: those of a perturbation, of the perturbations of a family, or of all.

    ``labels`` is None where labels were not judged.
    """

    name: str
    n: int
    text: Column
    labels: Column | None


@dataclass(frozen=True, slots=True)
class Report:
    """All that came out, with the day of the results, YYYY-MM-DD; ``families`` end in `ALL`."""

    version: str
    corpus: str
    language: str
    date: str
    raters: tuple[str, ...]
    perturbations: tuple[Found, ...]
    families: tuple[Found, ...]


def read(folder: Path) -> Sheets:
    """The sheets that key.json in the folder names.

    Raises `AbaloError`, with file, line and value, for a row without its words, or with others; for a row that is gone,
    or there twice, or was not given; and for a file that is missing.
    """
    key = _key(folder / KEY)
    scales = SCALES if key["labels"] else {"text": SCALES["text"]}
    sheets = [_filled(folder / f"{rater}.csv", key["variants"], scales) for rater in key["raters"]]
    variants = tuple(
        Judged(
            name,
            each["perturbation"],
            each["family"],
            each["digest"],
            each["sentence_id"],
            original=sheets[0][name][0],
            variant=sheets[0][name][1],
            said={column: tuple(sheet[name][2 + i] for sheet in sheets) for i, column in enumerate(scales)},
        )
        for name, each in key["variants"].items()
    )
    return Sheets(key["corpus"], key["language"], tuple(key["raters"]), variants)


_TOLD = ("perturbation", "family", "digest", "sentence_id")
"""Strings that the key has of each variant."""


def _key(path: Path) -> Any:
    try:
        key = strict_json(read_text(path))
        plain = all(isinstance(key[name], str) for name in ("corpus", "language")) and isinstance(key["labels"], bool)
        named = isinstance(key["raters"], list) and all(isinstance(each, str) for each in key["raters"])
        rows = key["variants"].values()
        told = all(isinstance(row[name], str) for row in rows for name in _TOLD)
    except OSError as error:
        raise AbaloError(f"{path}: cannot be read: {error.strerror or error}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise AbaloError(f"{path}: {type(error).__name__}: {error}; take the key as it was written") from error
    safe = named and all("/" not in each and "\\" not in each for each in key["raters"])
    if not (plain and safe and told and rows and key["raters"]):
        raise AbaloError(f"{path}: not a key of abalo sheet --perturbations; take the key as it was written")
    return key


def _filled(path: Path, given: Mapping[str, Any], scales: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    """By id the other cells of each row of a sheet, the words of the rater as `SCALES` has them."""
    findings = Findings(str(path), lenient=False)
    found: dict[str, tuple[str, ...]] = {}
    for row in read_csv(path, LABEL_COLUMNS if "labels" in scales else TEXT_COLUMNS):
        name, original, variant, *said = map(str.strip, row.cells)
        if name not in given:
            findings.error(row.line, f"id {shown(name)}; expected one of those in {KEY}; put it right")
        if name in found:
            findings.error(row.line, f"id {shown(name)} for the second time; remove one of its rows")
        for (column, scale), word in zip(scales.items(), said, strict=True):
            if word.casefold() not in scale:
                expected = f"expected {', '.join(scale[:-1])} or {scale[-1]}"
                findings.error(row.line, f"{column} {shown(word) if word else 'is empty'}; {expected}")
        found[name] = (original, variant, *map(str.casefold, said))
    missing = [name for name in given if name not in found]
    if missing:
        more = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        findings.error(row.line if found else 1, f"no row after this one for id {shown(missing[0])}{more}; put it back")
    findings.raise_any()
    return found


def report(sheets: Sheets, date: str) -> Report:
    """The results by perturbation and by family, in alphabetical order, those of all at the end."""
    perturbations = sorted({each.perturbation for each in sheets.variants})
    families = sorted({each.family for each in sheets.variants})
    return Report(
        __version__,
        sheets.corpus,
        sheets.language,
        date,
        sheets.raters,
        tuple(_found(name, [v for v in sheets.variants if v.perturbation == name]) for name in perturbations),
        (
            *(_found(name, [v for v in sheets.variants if v.family == name]) for name in families),
            _found(ALL, sheets.variants),
        ),
    )


def _found(name: str, variants: Sequence[Judged]) -> Found:
    columns = {column: _column(variants, column) for column in variants[0].said}
    return Found(name, len(variants), columns["text"], columns.get("labels"))


def _column(variants: Sequence[Judged], column: str) -> Column:
    scale = SCALES[column]
    items = [[scale.index(word) for word in each.said[column]] for each in variants]
    shares = {word: _share(variants, column, word) for word in scale}
    return Column(shares, observed(items), mean_kappa(items), ac1(items, len(scale)))


def _share(variants: Sequence[Judged], column: str, word: str) -> Share:
    """The share of a word among the ratings; those of one sentence, by several raters or perturbations, are a cluster.

    See `share_law`.
    """
    clusters = {each.sentence_id: np.zeros(2) for each in variants}
    for each in variants:
        said = each.said[column]
        clusters[each.sentence_id] += said.count(word), len(said)
    events, trials = np.array(list(clusters.values())).T
    law = share_law(events, trials)
    return Share(law.share, law.low(_ALPHA), law.high(_ALPHA))


def disagreements(sheets: Sheets) -> list[str]:
    """The variants of which raters wrote different words, with these, in lines of text."""
    lines = []
    for each in sorted(sheets.variants, key=lambda each: (each.perturbation, each.name)):
        split = [f"{column}: {', '.join(said)}" for column, said in each.said.items() if len(set(said)) > 1]
        if split:
            lines += [f"{each.perturbation} {each.name}: {'; '.join(split)}", f"  {each.original}", f"  {each.variant}"]
    return lines
