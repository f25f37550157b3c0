"""Pairs the scores of two files by example."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from abalo.core.statistics.few_events import FEWEST
from abalo.core.statistics.metrics import Flags, Floats
from abalo.errors import AbaloError, visible
from abalo.scores.rows import MetricScores, ScoreFile, reader_unit
from abalo.scores.rules import ScoreRule

T = TypeVar("T")

_NEAR = 1e-9
"""A score this far outside of the range, in widths, is rounded to its end."""


@dataclass(frozen=True, slots=True, eq=False)
class PairedScores:
    """The scores of one metric in both files, over the examples of the reference (examples), sorted by id.

    * ``old`` and ``new``: 0 is the worst and 1 the best score of the range; without a range, more is better.
    * ``clusters``: the place of each example's cluster in ``names``.
    * ``slices``: which examples each slice has.
    * ``weights``: with mean 1.
    * ``filled``: which new scores are missing, and counted as the worst.
    * ``dropped``: missing examples that are left out, and ``of`` how many of the reference.
    * ``only_new``: ids that the reference has no score of.
    * ``right``: whether each example is right, in the reference and now; None unless all scores are 0 or 1, and each
      example has one run.
    * ``mean``: of the reference's scores, in their own unit.
    * ``fewer``: how many examples have fewer runs in the new file.
    """

    ids: tuple[str, ...]
    old: Floats
    new: Floats
    weights: Floats
    clusters: NDArray[np.intp]
    names: tuple[str, ...]
    slices: Mapping[str, Flags]
    filled: Flags
    dropped: tuple[str, ...]
    of: int
    only_new: tuple[str, ...]
    right: tuple[Flags, Flags] | None
    mean: float
    fewer: int

    @property
    def clustered(self) -> bool:
        """Whether a cluster holds several examples."""
        return len(self.names) < len(self.ids)


def check_range(file: ScoreFile, metric: str, rule: ScoreRule) -> None:
    """Raises `AbaloError` for a score outside of the range by more than rounding."""
    if rule.range is None:
        return
    own = file.metrics[metric]
    for place, value in (own.lowest, own.highest):
        (low, high), near = rule.range, _NEAR * rule.width
        if not np.isnan(value) and not low - near <= value <= high + near:
            raise AbaloError(
                f"{visible(file.name)} {reader_unit(place)}: {visible(metric)} is {value:g}; expected a score from "
                f"{low:g} to {high:g}; give the range of the scores, such as --range 0,100 or none, or range in "
                f"[[scores.{visible(metric)}]]"
            )


def counted(file: ScoreFile, metric: str, rule: ScoreRule) -> MetricScores:
    """The scores of a metric within its range, with each empty run counted as the worst.

    Examples without any score stay so. Raises `AbaloError` if there is no worst score.
    """
    own = file.metrics[metric]
    if rule.range is not None:
        own = replace(own, scores=own.scores.clip(*rule.range))
    partly = (own.empty > 0) & (own.runs > 0)
    if rule.missing == "drop" or not partly.any():
        return own
    if rule.worst is None:
        first = own.ids[int(partly.argmax())]
        raise AbaloError(
            f"{visible(file.name)}: {visible(metric)} has a run of {visible(first)!r} without a score, and without a "
            "range there is no worst score to count; give --missing drop, or a range"
        )
    empty = np.where(partly, own.empty, 0)
    runs = own.runs + empty
    scores = np.where(partly, (own.scores * own.runs + rule.worst * empty) / np.maximum(runs, 1), own.scores)
    within = np.where(own.runs > 1, own.variances * (own.runs - 1), 0.0)
    squares = within + own.runs * (own.scores - scores) ** 2 + empty * (rule.worst - scores) ** 2
    variances = np.where(partly, squares / np.maximum(runs - 1, 1), own.variances)
    return replace(own, scores=scores, runs=runs, variances=variances)


def goodness(scores: Floats, rule: ScoreRule) -> Floats:
    """Scores from 0, the worst, to 1, the best; without a range in their own unit, negative if less is better."""
    if rule.range is None:
        return scores if rule.better == "more" else -scores
    shares: Floats = (scores - rule.range[0]) / rule.width
    return shares if rule.better == "more" else 1 - shares


def scores_of(good: float, rule: ScoreRule) -> float:
    """The score with this goodness; the inverse of `goodness`."""
    if rule.range is None:
        return good if rule.better == "more" else -good
    return rule.range[0] + rule.width * (good if rule.better == "more" else 1 - good)


def pair_scores(old: ScoreFile, new: ScoreFile, metric: str, rule: ScoreRule) -> PairedScores:
    """Pairs a metric by the examples that have a score in the reference.

    Raises `AbaloError` if the files give an example different weights, clusters or slices, or if one without a new
    score cannot be filled.
    """
    here, there = new.metrics[metric], old.metrics[metric]
    kept = np.flatnonzero(there.runs > 0)
    at = kept if here.ids == there.ids else _places(here.ids, [there.ids[k] for k in kept])
    known = at >= 0
    known[known] = here.runs[at[known]] > 0
    scores = np.where(known, here.scores[np.where(known, at, 0)], np.nan)
    fills = rule.missing == "worst" and not _are_strangers(known, here, there)
    if not known.all() and fills:
        if rule.worst is None:
            raise AbaloError(
                f"{visible(new.name)}: {visible(metric)} has no score of {visible(there.ids[kept[~known][0]])!r}, and "
                "without a range there is no worst score to count; give --missing drop, or a range"
            )
        scores = np.where(known, scores, rule.worst)
    dropped = () if fills else tuple(there.ids[k] for k in kept[~known])
    chosen = np.ones(len(kept), dtype=bool) if fills else known
    rows, own = kept[chosen], np.where(known, at, -1)[chosen]
    ids = tuple(there.ids[k] for k in rows)
    sides = _Sides(new, old, metric, rows, own)
    names, index = clusters_of(sides.common("cluster", here.clusters, there.clusters), ids)
    weights = sides.weights()
    both = there.binary and here.binary and not (there.repeated or here.repeated) and rule.range == (0.0, 1.0)
    means = goodness(there.scores[rows], rule), goodness(scores[chosen], rule)
    mean = float((weights * there.scores[rows]).sum() / weights.sum()) if len(rows) else math.nan
    in_reference, unscored = {there.ids[k] for k in kept}, {*there.ids} if (there.runs == 0).any() else set[str]()
    return PairedScores(
        ids,
        *means,
        weights / weights.mean() if len(weights) else weights,
        index,
        names,
        _flags_of(sides.common("slice", here.slices, there.slices)),
        ~known[chosen],
        dropped,
        len(kept),
        tuple(
            each
            for each, runs in zip(here.ids, here.runs.tolist(), strict=True)
            if each not in in_reference and (runs or each not in unscored)
        ),
        (means[0] == 1, means[1] == 1) if both else None,
        mean,
        int((here.runs[at[known]] < there.runs[kept[known]]).sum()),
    )


def _are_strangers(known: Flags, here: MetricScores, there: MetricScores) -> bool:
    """Whether the ids of two files seem to be of different kinds, so that nothing is known of missing examples."""
    few, most = int(known.sum()) < FEWEST, 2 * int(known.sum()) < len(known)
    return few and most and not {*here.ids} <= {*there.ids}


def _places(ids: Sequence[str], asked: Sequence[str]) -> NDArray[np.intp]:
    """The place of each asked id, or -1."""
    known = {each: place for place, each in enumerate(ids)}
    return np.array([known.get(each, -1) for each in asked], dtype=np.intp)


def clusters_of(clusters: Sequence[str] | None, ids: Sequence[str]) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """The names of the clusters, sorted, and the place of each example's cluster; by default each is its own."""
    if clusters is None and all(first < second for first, second in pairwise(ids)):
        return tuple(ids), np.arange(len(ids), dtype=np.intp)
    given = ids if clusters is None else clusters
    names = tuple(sorted({*given}))
    return names, _places(names, given)


def _flags_of(slices: Sequence[Sequence[str]] | None) -> Mapping[str, Flags]:
    if slices is None:
        return {}
    found: dict[str, list[int]] = {}
    for place, labels in enumerate(slices):
        for label in labels:
            found.setdefault(label, []).append(place)
    flags = {}
    for label in sorted(found):
        flags[label] = np.zeros(len(slices), dtype=bool)
        flags[label][found[label]] = True
    return flags


@dataclass(frozen=True, slots=True, eq=False)
class _Sides:
    """What both files say of the paired examples: rows of the reference, and places in the new file or -1."""

    new: ScoreFile
    old: ScoreFile
    metric: str
    rows: NDArray[np.intp]
    own: NDArray[np.intp]

    def common(self, what: str, here: Sequence[T] | None, there: Sequence[T] | None) -> Sequence[T] | None:
        """The value of each example, from the reference, or from the new file if only that has it."""
        if there is None and here is not None and (self.own < 0).any():
            raise AbaloError(
                f"{visible(self.old.name)}: has no {what} of {visible(self._id(int(np.argmin(self.own))))!r}, and "
                f"{visible(self.new.name)} has no such example; write the {what} into both files"
            )
        if there is None:
            return None if here is None else [here[k] for k in self.own]
        for row, k in zip(self.rows.tolist(), self.own.tolist(), strict=True) if here not in (None, there) else ():
            if k >= 0 and here is not None and here[k] != there[row]:
                self._refuse(what, row, *map(_in_words, (there[row], here[k])))
        return [there[row] for row in self.rows.tolist()]

    def weights(self) -> Floats:
        here, there = self.new.metrics[self.metric].weights, self.old.metrics[self.metric].weights
        found = self.common(
            "weight", None if here is None else here.tolist(), None if there is None else there.tolist()
        )
        return np.ones(len(self.rows)) if found is None else np.array(found)

    def _id(self, place: int) -> str:
        return self.old.metrics[self.metric].ids[int(self.rows[place])]

    def _refuse(self, what: str, row: int, there: str, here: str) -> None:
        example = self.old.metrics[self.metric].ids[row]
        raise AbaloError(
            f"{visible(self.new.name)}: the {what} of {visible(example)!r} is {here}, and {there} in "
            f"{visible(self.old.name)}; expected the same in both"
        )


def _in_words(value: object) -> str:
    if isinstance(value, tuple):
        return " and ".join(map(repr, map(visible, value))) or "none"
    return repr(visible(value)) if isinstance(value, str) else str(value)


def new_alone(
    scores: MetricScores, paired: PairedScores | None, rule: ScoreRule
) -> tuple[Floats, Floats, NDArray[np.intp], int]:
    """The new scores by themselves: scores, weights and clusters by example, and the number of clusters.

    Examples that are missing count as the worst if the rule says so, and so do those without a score that the reference
    lacks.
    """
    asked = {*scores.ids} if paired is None else {*paired.only_new}
    blank = np.array([each in asked for each in scores.ids]) & (scores.runs == 0)
    if rule.worst is None or rule.missing == "drop":
        blank[:] = False
    known = np.flatnonzero((scores.runs > 0) | blank)
    values, ids = np.where(blank, rule.worst or 0.0, scores.scores)[known], [scores.ids[k] for k in known]
    weights = np.ones(len(known)) if scores.weights is None else scores.weights[known]
    clusters = None if scores.clusters is None else [scores.clusters[k] for k in known]
    if paired is not None and paired.filled.any():
        lost = np.flatnonzero(paired.filled)
        values = np.concatenate([values, np.full(len(lost), rule.worst)])
        mean = weights.mean() if len(weights) else 1.0
        weights = np.concatenate([weights, mean * paired.weights[lost]])
        clusters = [*(ids if clusters is None else clusters), *(paired.names[paired.clusters[k]] for k in lost)]
    names, index = clusters_of(clusters, ids)
    return values, weights, index, len(names)
