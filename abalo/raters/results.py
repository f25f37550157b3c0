"""Results of variants as a page and as a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from abalo.core.records import words
from abalo.core.statistics.numbers import number_of
from abalo.corpora import dialects
from abalo.errors import AbaloError
from abalo.files import read_text, write_text
from abalo.raters.judgements import JudgementReport, JudgementResult, RatingShare, Sheets
from abalo.reporting.formats.markdown import escape, table


def markdown(result: JudgementReport) -> str:
    """The report as GitHub Markdown."""
    heads = ["Perturbation", "Variants", "Right", "Wrong", "Agreement", "Kappa", "AC1"]
    labelled = result.perturbations[0].labels is not None
    heads += ["Wrong labels", "Agreement", "AC1"] if labelled else []
    rows = [_row(each) for each in result.perturbations]
    rows += [_row(each, "family ") for each in result.families[:-1]] + [_row(result.families[-1])]
    lines = ["---", *["--:"] * (len(heads) - 1)]
    return f"""# Variants of perturbations

{table(" | ".join(heads), " | ".join(lines), *rows)}

Corpus {escape(result.corpus, 80)}, language {escape(result.language, 80)}, {result.date}; raters:
{words.count(len(result.raters), "person", "people")}, who did not know the perturbations. Shares are of all ratings of
the text, or of the labels, with 95 % intervals (Korn and Graubard; ratings of one sentence are a cluster). Kappa:
Cohen's, linear weights, mean over every two raters; AC1: Gwet's.
"""


def _row(found: JudgementResult, before: str = "") -> str:
    text = found.text
    cells = [f"{before}{escape(found.name, 80)}", str(found.n), _number(text.shares["right"])]
    cells += [_number(text.shares["wrong"]), *map(_plain, (text.agreement, text.kappa, text.ac1))]
    if found.labels is not None:
        cells += [_number(found.labels.shares["wrong"]), *map(_plain, (found.labels.agreement, found.labels.ac1))]
    return " | ".join(cells)


def _number(share: RatingShare) -> str:
    return f"{words.number(share.value, 2)} [{words.number(share.low, 2)}, {words.number(share.high, 2)}]"


def _plain(value: float) -> str:
    return words.number(number_of(value), 2)


TABLE = [
    "perturbation",
    "family",
    "language",
    "corpus",
    "date",
    "raters",
    "n",
    "right_text",
    "wrong_text",
    "wrong_text_low",
    "wrong_text_high",
    "agreement",
    "kappa",
    "AC1",
    "wrong_labels",
    "wrong_labels_low",
    "wrong_labels_high",
    "labels_agreement",
    "labels_AC1",
    "digest",
]
"""Columns; rows with another digest of `perturbations.dependencies` are stale."""


def rows(result: JudgementReport, families: Mapping[str, str], digests: Mapping[str, str]) -> list[list[str]]:
    """A row for each perturbation."""
    facts = [result.language, result.corpus, result.date, str(len(result.raters))]
    return [
        [each.name, families[each.name], *facts, str(each.n), *_cells(each), digests[each.name]]
        for each in result.perturbations
    ]


def _cells(found: JudgementResult) -> list[str]:
    text, labels = found.text, found.labels
    wrong = text.shares["wrong"]
    values = [text.shares["right"].value, wrong.value, wrong.low, wrong.high, text.agreement, text.kappa, text.ac1]
    if labels is not None:
        wrong = labels.shares["wrong"]
        values += [wrong.value, wrong.low, wrong.high, labels.agreement, labels.ac1]
    cells = ["" if value != value else f"{value:.3f}" for value in values]
    return cells + [""] * (len(TABLE) - 8 - len(cells))


def write(result: JudgementReport, sheets: Sheets, path: Path) -> None:
    """Replaces this report's rows in the table; raises `AbaloError` for other columns."""
    families = {each.perturbation: each.family for each in sheets.variants}
    made = rows(result, families, {each.perturbation: each.digest for each in sheets.variants})
    others = [row for row in _table(path) if not any(_same(row, new) for new in made)]
    stream = io.StringIO()
    csv.writer(stream, "excel-tab", lineterminator="\n").writerows([TABLE, *sorted(made + others)])
    write_text(path, stream.getvalue())


def _same(one: Sequence[str], other: Sequence[str]) -> bool:
    return [one[i] for i in (0, 2, 3)] == [other[i] for i in (0, 2, 3)]


def _table(path: Path) -> list[list[str]]:
    if not path.is_file():
        return []
    try:
        text = io.StringIO(read_text(path))
        head, *found = (cells for _, cells in dialects.rows(text, dialect="excel-tab", strict=True))
    except (OSError, ValueError, csv.Error) as error:
        raise AbaloError(f"{path}: cannot be read: {error}; choose another file with --out FILE") from error
    wrong = next((number for number, row in enumerate([head, *found], start=1) if len(row) != len(TABLE)), None)
    if head != TABLE or wrong:
        raise AbaloError(
            f"{path}:{wrong or 1}: expected the columns {', '.join(TABLE)}; choose another file with --out FILE"
        )
    return found
