"""Answers and what they say, as files: a table for programs and spreadsheets, a summary for programs and people."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from abalo.core import words
from abalo.core.blocks import Measured
from abalo.core.example import Json
from abalo.core.numbers import plain_fields
from abalo.core.statistics import Estimate
from abalo.errors import AbaloError
from abalo.files import check_writable, write_text
from abalo.reporting.cells import to_csv
from abalo.reporting.markdown import escaped, table
from abalo.tasks.choice.answers import COLUMNS, Answer, to_lines
from abalo.tasks.choice.logs import Collected, collect
from abalo.tasks.choice.mcnemar import McNemar
from abalo.tasks.choice.measures import CONFIDENCE, RESAMPLES
from abalo.tasks.choice.question import LETTERS
from abalo.tasks.choice.summary import Summary, VariantSummary, summaries
from abalo.version import __version__

FORMAT = "abalo choice summary 1"
TABLE_CSV, TABLE_LINES, SUMMARY_JSON, SUMMARY_MARKDOWN = "answers.csv", "answers.jsonl", "summary.json", "summary.md"

_NAME = 80
_LINE = 400
_REMEDY = "choose another folder with --out FOLDER"


@dataclass(frozen=True, slots=True)
class Aggregate:
    """Answers from a folder of logs, summarised; intervals at ``confidence``, from ``resamples`` of questions."""

    collected: Collected
    summaries: tuple[Summary, ...]
    confidence: float
    resamples: int


def aggregate(
    logs: Path, *, leave_out_failed: bool = False, confidence: float = CONFIDENCE, resamples: int = RESAMPLES
) -> Aggregate:
    """All answers in a folder of Inspect logs, measured; raises `AbaloError` as `logs.collect` does."""
    if not 0 < confidence < 1:
        raise AbaloError(f"--confidence {confidence}: expected a number between 0 and 1")
    found = collect(logs, leave_out_failed=leave_out_failed)
    return Aggregate(found, summaries(found.answers, confidence=confidence, resamples=resamples), confidence, resamples)


def write(found: Aggregate, folder: Path) -> None:
    """The table as CSV and JSON lines, the summary as JSON and Markdown; each file is written whole or not at all.

    Raises `AbaloError` where the folder cannot be written.
    """
    summary = json.dumps(document(found), ensure_ascii=False, allow_nan=False, indent=1)
    texts = {
        TABLE_CSV: to_csv(COLUMNS, map(_cells, found.collected.answers)),
        TABLE_LINES: to_lines(found.collected.answers),
        SUMMARY_JSON: f"{summary}\n",
        SUMMARY_MARKDOWN: markdown(found),
    }
    check_writable(folder, _REMEDY)
    for name, text in texts.items():
        write_text(folder / name, text, _REMEDY)


def document(found: Aggregate) -> Json:
    """The summary as plain JSON values, None for NaN."""
    return {
        "format": FORMAT,
        "version": __version__,
        "confidence": found.confidence,
        "resamples": found.resamples,
        "logs": [str(path) for path in found.collected.logs],
        "left_out": list(found.collected.left_out),
        "summaries": [asdict(each, dict_factory=_fields) for each in found.summaries],
    }


_BASIS = {field.name for field in fields(Estimate)} - {"value", "low", "high", "se", "n"}
"""The fields of an estimate beyond its numbers."""


def _fields(pairs: Iterable[tuple[str, Any]]) -> Json:
    return plain_fields((name, value) for name, value in pairs if name not in _BASIS)


def markdown(found: Aggregate) -> str:
    """The summary as a page of GitHub Markdown."""
    count = words.count(len(found.collected.answers), "answer")
    logs = words.count(len(found.collected.logs), "log")
    parts = [
        "# Multiple choice",
        f"{count} in {logs}. Intervals: {100 * found.confidence:g} %, from {found.resamples:,} resamples of questions.",
        *(part for summary in found.summaries for part in _sections(summary)),
        *_left_out(found.collected.left_out),
        _NOTES,
    ]
    return "\n\n".join(parts) + "\n"


_NOTES = """\
Answers are compared as options of the original question. No answer in the format asked for is a value of its own, and
wrong. Consistency: share of questions, of those with variants, with one and the same answer in all of them. Fragility:
share of variants that are answered otherwise than the original. Accuracy lost: that of originals less that of variants.

McNemar: exact two-sided p of originals against each variant by itself, corrected for the number of variants (Holm); not
for the number of tasks and models. Original against majority: the same of originals against most of their variants, a
tie being wrong. It is biased where variants are two or more: most of several answers are right more or less often than
one answer, even where wording makes no difference, so that its p is no error rate.

Noise: share of pairs of repeats of one wording (`inspect eval --epochs 3`) that are answered differently; fragility
counts such flips too. Fragility beyond noise: share of variants answered otherwise than the original in another repeat,
less noise; 0 in the mean where wording makes no difference. Places: share of answers to originals and reorderings that
chose the option shown there, beside the share of right options there, which is that of a perfect model."""


def _sections(summary: Summary) -> Iterator[str]:
    page = asdict(summary, dict_factory=_fields)
    yield f"## {escaped(summary.task, _NAME)}: {escaped(summary.model, _NAME)}"
    yield (
        f"{words.count(summary.questions, 'question')}, {summary.varied:,} of them with variants, at most "
        f"{summary.k}. {summary.missing:,} of {words.count(summary.answers, 'answer')} missing."
        f"{f' {summary.repeats:,} repeats of each.' if summary.repeats > 1 else ''}"
    )
    yield table(
        "Measure | Value",
        "--- | --:",
        f"Consistency at {summary.k} | {Measured.of(page['consistency_at_k'])}",
        f"Fragility | {Measured.of(page['fragility_score'])}",
        *_repeated(summary, page),
        f"Accuracy lost | {Measured.of(page['delta_accuracy'])}",
        f"McNemar p, smallest of the variants | {_headline(summary)}",
        f"Original against majority p | {_majority(summary.mcnemar)}",
    )
    rows = [_row(of_variant, entry) for of_variant, entry in zip(summary.variants, page["variants"], strict=True)]
    yield table(
        "Variant | Questions | Answers | Missing | Accuracy | Flipped | Noise | McNemar p",
        "--- | --: | --: | --: | --: | --: | --: | --:",
        *rows,
    )
    places = [_place(share["place"], share) for share in page["places"]]
    if places:
        yield table("Place | Answers | Right options", "--- | --: | --:", *places)


def _repeated(summary: Summary, page: Json) -> Iterator[str]:
    """The noise beside fragility, where there are repeats."""
    if summary.repeats > 1:
        yield f"Noise | {Measured.of(page['noise'])}"
        yield f"Fragility beyond noise | {Measured.of(page['fragility_beyond_noise'])}"


def _headline(summary: Summary) -> str:
    first = summary.headline
    if first is None or first.mcnemar is None:
        return words.NOTHING
    return f"{words.p_value(first.corrected)} ({escaped(first.variant, _NAME)}: {_counts(first.mcnemar)})"


def _majority(test: McNemar) -> str:
    if math.isnan(test.p):
        return words.NOTHING
    return f"{words.p_value(test.p)} ({_counts(test)}){', biased' if test.biased else ''}"


def _counts(test: McNemar) -> str:
    return f"{test.lost:,} lost, {test.gained:,} gained of {test.n:,}"


def _row(variant: VariantSummary, page: Json) -> str:
    measured = " | ".join(str(Measured.of(page[name])) for name in ("accuracy", "flip_rate", "noise"))
    test = variant.mcnemar
    p = words.NOTHING if test is None or not test.n else f"{words.p_value(variant.corrected)} ({_counts(test)})"
    counts = f"{variant.questions:,} | {variant.answers:,} | {variant.missing:,}"
    return f"{escaped(variant.variant, _NAME)} | {counts} | {measured} | {p}"


def _place(place: int, share: Json) -> str:
    named = LETTERS[place] if place < len(LETTERS) else str(place + 1 - len(LETTERS))
    return f"{named} | {Measured.of(share['answers'])} | {Measured.of(share['right'])}"


def _left_out(lines: Sequence[str]) -> list[str]:
    return ["## Left out", "\n".join(f"- {escaped(line, _LINE)}" for line in lines)] if lines else []


def _cells(answer: Answer) -> list[str]:
    return [_cell(value) for value in answer.to_json().values()]


def _cell(value: object) -> str:
    """Empty for None, otherwise as JSON has it, text without its quotes."""
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)
