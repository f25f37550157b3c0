"""Answers as a table (CSV, JSON lines) and a summary (JSON, Markdown)."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from abalo.core.documents.blocks import Measured
from abalo.core.documents.found import Interval
from abalo.core.records import words
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import JsonRecord, read
from abalo.core.statistics.estimates import Estimate
from abalo.core.statistics.numbers import interval_of, plain_fields
from abalo.errors import AbaloError
from abalo.files import check_writable, write_text
from abalo.questions.answers import COLUMNS, ChoiceAnswer, to_lines
from abalo.questions.logs import LogAnswers, collect
from abalo.questions.mcnemar import McNemar
from abalo.questions.measures import CONFIDENCE, RESAMPLES
from abalo.questions.places import PlaceShare
from abalo.questions.question import LETTERS
from abalo.questions.summary import Summary, VariantSummary, summaries
from abalo.reporting.formats.cells import to_csv
from abalo.reporting.formats.markdown import escape, table
from abalo.version import __version__

FORMAT = "abalo choice summary 1"
TABLE_CSV, TABLE_LINES, SUMMARY_JSON, SUMMARY_MARKDOWN = "answers.csv", "answers.jsonl", "summary.json", "summary.md"

_NAME = 80
_LINE = 400
_REMEDY = "choose another folder with --out FOLDER"


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A summary of answers; intervals resample the questions."""

    collected: LogAnswers
    summaries: tuple[Summary, ...]
    confidence: float
    resamples: int


def aggregate(
    logs: Path, *, leave_out_failed: bool = False, confidence: float = CONFIDENCE, resamples: int = RESAMPLES
) -> Aggregate:
    """Measures all answers in a folder of Inspect logs; raises `AbaloError` like `logs.collect`."""
    if not 0 < confidence < 1:
        raise AbaloError(f"--confidence {confidence}: expected a number between 0 and 1")
    found = collect(logs, leave_out_failed=leave_out_failed)
    return Aggregate(found, summaries(found.answers, confidence=confidence, resamples=resamples), confidence, resamples)


def write(found: Aggregate, folder: Path) -> None:
    """Writes table and summary, each file atomically; raises `AbaloError` on failure."""
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


def document(found: Aggregate) -> JsonObject:
    """Returns the summary as JSON values, NaN as None."""
    return {
        "format": FORMAT,
        "version": __version__,
        "confidence": found.confidence,
        "resamples": found.resamples,
        "logs": [str(path) for path in found.collected.logs],
        "left_out": list(found.collected.left_out),
        "summaries": [asdict(each, dict_factory=_fields) for each in found.summaries],
    }


_HIDDEN = {each.name for kind in (Estimate, JsonRecord) for each in fields(kind)} - {"value", "low", "high", "se", "n"}


def _fields(pairs: Iterable[tuple[str, object]]) -> JsonObject:
    return plain_fields((name, value) for name, value in pairs if name not in _HIDDEN)


def markdown(found: Aggregate) -> str:
    """Returns the summary in GitHub Markdown."""
    count = words.count(len(found.collected.answers), "answer")
    logs = words.count(len(found.collected.logs), "log")
    parts = [
        "# Multiple choice",
        f"{count} in {logs}. Intervals: {100 * found.confidence:g} %, from {found.resamples:,} resamples of questions.",
        *(part for summary in found.summaries for part in _sections(summary)),
        *_left_out_lines(found.collected.left_out),
        _NOTES,
    ]
    return "\n\n".join(parts) + "\n"


_NOTES = """\
Answers are compared as options of the original question. An answer in no valid format is missing, and counts as wrong.

* **Consistency**: share of the questions with variants that get the same answer in all variants.
* **Fragility**: share of variants that get another answer than the original.
* **Accuracy lost**: accuracy of the originals minus accuracy of the variants.
* **McNemar**: exact two-sided p of the originals against each variant, corrected for the number of variants (Holm), not
  for the number of tasks and models.
* **Original against majority**: the same against the majority of the variants; a tie counts as wrong. With two or more
  variants it is biased: a majority is right more or less often than one answer even if wording makes no difference. So
  its p is not an error rate.
* **Noise**: share of pairs of repeats of the same wording (`inspect eval --epochs 3`) that differ. Fragility counts
  such flips too.
* **Fragility beyond noise**: share of variants that differ from the original in another repeat, minus noise; 0 on
  average if wording makes no difference.
* **Places**: share of answers to originals and reorderings that chose the option at this place, beside the share of
  right options there. A perfect model has equal shares."""


def _sections(summary: Summary) -> Iterator[str]:
    yield f"## {escape(summary.task, _NAME)}: {escape(summary.model, _NAME)}"
    yield (
        f"{words.count(summary.questions, 'question')}, {summary.varied:,} of them with variants, at most "
        f"{summary.k}. {summary.missing:,} of {words.count(summary.answers, 'answer')} missing."
        f"{f' {summary.repeats:,} repeats of each.' if summary.repeats > 1 else ''}"
    )
    yield table(
        "Measure | Value",
        "--- | --:",
        f"Consistency at {summary.k} | {_number(summary.consistency_at_k)}",
        f"Fragility | {_number(summary.fragility_score)}",
        *_noise_lines(summary),
        f"Accuracy lost | {_number(summary.delta_accuracy)}",
        f"McNemar p, smallest of the variants | {_headline(summary)}",
        f"Original against majority p | {_majority(summary.mcnemar)}",
    )
    yield table(
        "Variant | Questions | Answers | Missing | Accuracy | Flipped | Noise | McNemar p",
        "--- | --: | --: | --: | --: | --: | --: | --:",
        *map(_row, summary.variants),
    )
    if summary.places:
        yield table("Place | Answers | Right options", "--- | --: | --:", *map(_place, summary.places))


def _noise_lines(summary: Summary) -> Iterator[str]:
    if summary.repeats > 1:
        yield f"Noise | {_number(summary.noise)}"
        yield f"Fragility beyond noise | {_number(summary.fragility_beyond_noise)}"


def _headline(summary: Summary) -> str:
    first = summary.headline
    if first is None or first.mcnemar is None:
        return words.NOTHING
    return f"{words.p_value(first.corrected)} ({escape(first.variant, _NAME)}: {_counts(first.mcnemar)})"


def _majority(test: McNemar) -> str:
    if test.p is None:
        return words.NOTHING
    return f"{words.p_value(test.p)} ({_counts(test)}){', biased' if test.biased else ''}"


def _counts(test: McNemar) -> str:
    return f"{test.lost:,} lost, {test.gained:,} gained of {test.n:,}"


def _row(variant: VariantSummary) -> str:
    measured = " | ".join(str(_number(each)) for each in (variant.accuracy, variant.flip_rate, variant.noise))
    test = variant.mcnemar
    p = words.NOTHING if test is None or not test.n else f"{words.p_value(variant.corrected)} ({_counts(test)})"
    counts = f"{variant.questions:,} | {variant.answers:,} | {variant.missing:,}"
    return f"{escape(variant.variant, _NAME)} | {counts} | {measured} | {p}"


def _place(share: PlaceShare) -> str:
    place = share.place
    named = LETTERS[place] if place < len(LETTERS) else str(place + 1 - len(LETTERS))
    return f"{named} | {_number(share.answers)} | {_number(share.right)}"


def _left_out_lines(lines: Sequence[str]) -> list[str]:
    return ["## Left out", "\n".join(f"- {escape(line, _LINE)}" for line in lines)] if lines else []


def _cells(answer: ChoiceAnswer) -> list[str]:
    return [_cell(value) for value in answer.to_json().values()]


def _cell(value: object) -> str:
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def _number(estimate: Estimate) -> Measured:
    return Measured.of(read(Interval, interval_of(estimate)))
