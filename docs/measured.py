"""Measurements of perturbations, for the catalogue: where they fit, and how readers judged their variants.

docs/coverage.tsv is written by ``python -m benchmarks.perturbation_coverage DATA``, docs/ratings.tsv by
``abalo ratings FOLDER --out docs/ratings.tsv``.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from abalo.raters.results import TABLE
from perturbations import find

COVERAGE = Path(__file__).parent / "coverage.tsv"
RATINGS = Path(__file__).parent / "ratings.tsv"

COVERAGE_COLUMNS = ["perturbation", "task", "language", "corpus", "sentences", "fits", "changed"]
"""Sentences are distinct ones: all, those in which it fits, and those that it changes at its own rate under a seed."""

ERRORS = {"casing", "character", "spelling"}
"""The families of perturbations that make errors on purpose."""

ON_PURPOSE = {"boundary", "char_typo", "context_distractors", "ent_typos", "insert", "token_masking", "word_insertion"}
"""Perturbations that put in slips or what nobody writes, to see whether a model holds."""

MOST_WRONG = 1 / 30
"""The largest share of variants that readers may call wrong, of a perturbation that is not experimental."""

Row = Mapping[str, str]


def facts(name: str) -> list[str]:
    """Measurements of a perturbation, a line for each corpus; ``Unrated`` where no reader has judged it."""
    rated = [_rated(row, settings) for row, settings in _rows_of(name, RATINGS, TABLE)]
    return [*_covered(name), *(rated or ["Unrated: no reader has judged its variants"])]


def doubted(language: str) -> set[str]:
    """The perturbations of whose variants in a language readers called more than 1 of 30 wrong, by the newest ratings.

    Those that make errors on purpose, or put in fillers, claim neither grammar nor meaning, and are never among them.
    """
    rows = [
        row
        for row in _table(RATINGS, tuple(TABLE))
        if row["language"] == language and row["family"] not in ERRORS and row["perturbation"] not in ON_PURPOSE
    ]
    newest: dict[str, str] = {}
    for row in rows:
        newest[row["perturbation"]] = max(row["date"], newest.get(row["perturbation"], ""))
    return {
        find(row["perturbation"].partition(" ")[0]).name
        for row in rows
        if row["date"] == newest[row["perturbation"]] and float(row["wrong_text"]) > MOST_WRONG
    }


def _covered(name: str) -> Iterator[str]:
    shares = [
        f"{row['language']} {int(row['fits']) / int(row['sentences']):.0%} of {int(row['sentences']):,} "
        f"({row['corpus']}, {row['date']})"
        for row, _ in _rows_of(name, COVERAGE, COVERAGE_COLUMNS)
    ]
    if shares:
        yield f"Fits, of real sentences: {'; '.join(shares)}"


def _rated(row: Row, settings: str) -> str:
    labels = f"; labels wrong {_percent(row['wrong_labels'])}" if row["wrong_labels"] else ""
    agreement = f", AC1 {float(row['AC1']):.2f}" if row["AC1"] else ""
    what = ", ".join(filter(None, (row["language"], settings)))
    return (
        f"Judged by readers, {what}: right {_percent(row['right_text'])}, wrong "
        f"{_percent(row['wrong_text'])} ({_percent(row['wrong_text_low'])} to {_percent(row['wrong_text_high'])}) of "
        f"{row['n']} variants by {row['raters']} readers{agreement}{labels} ({row['corpus']}, {row['date']})"
    )


def _percent(share: str) -> str:
    return f"{float(share):.0%}"


def _rows_of(name: str, path: Path, columns: Sequence[str]) -> Iterator[tuple[Row, str]]:
    """The rows about a perturbation, each with the settings that its name has there."""
    for row in _table(path, tuple(columns)):
        called, _, settings = row["perturbation"].partition(" ")
        if find(called).name == name:
            yield row, settings


@cache
def _table(path: Path, columns: tuple[str, ...]) -> tuple[Row, ...]:
    """The rows of a file, none where there is no file; raises ValueError for other columns."""
    if not path.is_file():
        return ()
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.DictReader(file, dialect="excel-tab", strict=True)
        if tuple(reader.fieldnames or ()) != columns:
            raise ValueError(f"{path.name}: columns {reader.fieldnames}; expected {', '.join(columns)}")
        return tuple(reader)
