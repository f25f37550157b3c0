"""Results of judged variants."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from abalo.core.statistics.few_events import share_law
from abalo.raters.agreement import ac1, mean_kappa, observed_agreement
from abalo.raters.forms import LABELLED, FilledSheet, Key
from abalo.version import __version__

ALL = "all"

_ALPHA = 0.025


@dataclass(frozen=True, slots=True)
class JudgedVariant:
    """A variant and the words of each rater, by column."""

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
    """All filled sheets of a folder, with corpus and language of the variants."""

    corpus: str
    language: str
    raters: tuple[str, ...]
    variants: tuple[JudgedVariant, ...]


@dataclass(frozen=True, slots=True)
class RatingShare:
    """A share of the ratings, 0 to 1, with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class ColumnResult:
    """Shares of the words in a column, and agreement; NaN with one rater."""

    shares: Mapping[str, RatingShare]
    agreement: float
    kappa: float
    ac1: float


@dataclass(frozen=True, slots=True)
class JudgementResult:
    """Results of a perturbation, a family, or all; ``labels`` is None if not judged."""

    name: str
    n: int
    text: ColumnResult
    labels: ColumnResult | None


@dataclass(frozen=True, slots=True)
class JudgementReport:
    """All results; ``date`` is YYYY-MM-DD."""

    version: str
    corpus: str
    language: str
    date: str
    raters: tuple[str, ...]
    perturbations: tuple[JudgementResult, ...]
    families: tuple[JudgementResult, ...]


def collect_judgements(key: Key, sheets: Sequence[FilledSheet]) -> Sheets:
    """Groups the filled sheets by variant."""
    columns = list(key.form.scales)
    texts = sheets[0].texts
    variants = tuple(
        JudgedVariant(
            name,
            each["perturbation"],
            each["family"],
            each["digest"],
            each["sentence_id"],
            original=texts[name][0],
            variant=texts[name][1],
            said={column: tuple(sheet.said[name][i] or "" for sheet in sheets) for i, column in enumerate(columns)},
        )
        for name, each in key.items.items()
    )
    return Sheets(key.facts["corpus"], key.facts["language"], tuple(key.raters), variants)


def report(sheets: Sheets, date: str) -> JudgementReport:
    """Results by perturbation and by family, then all together."""
    perturbations = sorted({each.perturbation for each in sheets.variants})
    families = sorted({each.family for each in sheets.variants})
    return JudgementReport(
        __version__,
        sheets.corpus,
        sheets.language,
        date,
        sheets.raters,
        tuple(_result_of(name, [v for v in sheets.variants if v.perturbation == name]) for name in perturbations),
        (
            *(_result_of(name, [v for v in sheets.variants if v.family == name]) for name in families),
            _result_of(ALL, sheets.variants),
        ),
    )


def _result_of(name: str, variants: Sequence[JudgedVariant]) -> JudgementResult:
    columns = {column: _column(variants, column) for column in variants[0].said}
    return JudgementResult(name, len(variants), columns["text"], columns.get("labels"))


def _column(variants: Sequence[JudgedVariant], column: str) -> ColumnResult:
    scale = LABELLED.scales[column]
    items = [[scale.index(word) for word in each.said[column]] for each in variants]
    shares = {word: _share(variants, column, word) for word in scale}
    return ColumnResult(shares, observed_agreement(items), mean_kappa(items), ac1(items, len(scale)))


def _share(variants: Sequence[JudgedVariant], column: str, word: str) -> RatingShare:
    clusters = {each.sentence_id: np.zeros(2) for each in variants}
    for each in variants:
        said = each.said[column]
        clusters[each.sentence_id] += said.count(word), len(said)
    events, trials = np.array(list(clusters.values())).T
    law = share_law(events, trials)
    return RatingShare(law.share, law.low(_ALPHA), law.high(_ALPHA))


def disagreements(sheets: Sheets) -> list[str]:
    """Lines that list the variants on which raters differ."""
    lines = []
    for each in sorted(sheets.variants, key=lambda each: (each.perturbation, each.name)):
        split = [f"{column}: {', '.join(said)}" for column, said in each.said.items() if len(set(said)) > 1]
        if split:
            lines += [f"{each.perturbation} {each.name}: {'; '.join(split)}", f"  {each.original}", f"  {each.variant}"]
    return lines
