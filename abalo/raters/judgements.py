"""Results of filled sheets with variants: the shares that are right and wrong, and how far raters agree."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from abalo.core.few_events import share_law
from abalo.raters.agreement import ac1, mean_kappa, observed
from abalo.raters.forms import LABELLED, Filled, Key
from abalo.version import __version__

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


def judged(key: Key, sheets: Sequence[Filled]) -> Sheets:
    """The filled sheets by variant."""
    columns = list(key.form.scales)
    texts = sheets[0].texts
    variants = tuple(
        Judged(
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
    scale = LABELLED.scales[column]
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
