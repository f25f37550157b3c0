"""The noise of a random model: how often it changes its output for the same input.

*Flips beyond noise* are outputs that differ between clean and changed inputs, minus the average that differ between two
repeats of either input. Searches are not repeated.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from abalo.core.documents.found import NoiseFacts
from abalo.core.protocols.task import Task
from abalo.core.records.example import Example
from abalo.core.records.gate import Gate
from abalo.core.records.json_records import read
from abalo.core.records.outcome import Outcome
from abalo.core.statistics.estimates import Estimate, Measurement, measure
from abalo.core.statistics.evidence import REPEATS, Evidence, variant_digest
from abalo.core.statistics.few_events import ShareLaw, share_law
from abalo.core.statistics.metrics import Distance, Floats, Metric, Net, Outputs, Share, counts_of, differs
from abalo.core.statistics.numbers import interval_of
from abalo.core.statistics.verdicts import Judgement

NOISE = "noise: "
"""Prefix of notes: then count, colon, group."""

_EVENTS, _TRIALS, _SIZE = ("flips", "trials", "size")


COUNTS = "noise_counts"

_ACROSS, _CLEAN, _CHANGED, _PAIRS, _MAJORITY, _OUTPUTS = range(6)


def noise_counts(*_: object) -> Floats:
    """Placeholder, as no single outcome has these counts."""
    raise NotImplementedError


BEYOND = Metric(
    "flips_beyond_noise",
    noise_counts,
    Net(
        lambda sums: 2 * sums[..., _ACROSS] - sums[..., _CLEAN] - sums[..., _CHANGED],
        lambda sums: 2 * sums[..., _PAIRS],
    ),
    low=-1.0,
    per_group=False,
)
"""Flips beyond noise, -1 to 1; noise shrinks them."""


def compare_repeats(
    outputs: Outputs, repeats: Sequence[Sequence[Outcome]], groups: int, distance: Distance = differs
) -> Floats:
    """Compares the outputs of repeats per unit (units × 1 + groups × 6), in the overall row.

    Columns: differing outputs between clean and changed, two clean, two changed; outputs in all pairs; differing
    majority
    outputs; outputs.
    """
    table = np.zeros((len(repeats[0]), 1 + groups, 6))
    pairs = [(r, s) for r in range(len(repeats)) for s in range(len(repeats)) if r != s]
    for row, outcomes in zip(table, zip(*repeats, strict=True), strict=True):
        variants = {*map(variant_digest, outcomes)}
        both = [outputs(each) for each in outcomes]
        if len(variants) > 1 or not all(len(each) == len(both[0][0]) for pair in both for each in pair):
            continue
        clean, changed = ([pair[side] for pair in both] for side in (0, 1))
        row[0] = (
            sum(_sum_distances(clean[r], changed[s], distance) for r, s in pairs),
            sum(_sum_distances(clean[r], clean[s], distance) for r, s in pairs),
            sum(_sum_distances(changed[r], changed[s], distance) for r, s in pairs),
            len(pairs) * len(clean[0]),
            _sum_distances(_majority(clean), _majority(changed), distance),
            len(clean[0]),
        )
    return table


def _sum_distances(first: Sequence[Hashable], second: Sequence[Hashable], distance: Distance) -> float:
    return sum(map(distance, first, second))


def _majority(repeats: Sequence[Sequence[Hashable]]) -> list[Hashable]:
    return [Counter(column).most_common(1)[0][0] for column in zip(*repeats, strict=True)]


def has_counts(evidence: Evidence) -> bool:
    """Whether the evidence compares repeats."""
    return any(COUNTS in part for part in evidence.tables.values())


def noise_facts(evidence: Evidence, task: Task, gate: Gate) -> NoiseFacts | None:
    """The noise between repeats of the clean corpus; None if nothing flips."""
    found, metric = noise(evidence.notes, None, gate.confidence), flip_metric(task)
    if found is None or metric is None:
        return None
    return read(NoiseFacts, {"metric": metric.name, **interval_of(found), **_repeat_shares(evidence)})


def _repeat_shares(evidence: Evidence) -> dict[str, float]:
    """The number of repeats, and the shares of outputs that differ; empty without repeats."""
    tables = [part[COUNTS] for part in evidence.tables.values() if COUNTS in part]
    if not tables:
        return {}
    across, clean, changed, trials, majority, outputs = tables[0][:, 0].sum(axis=0).tolist()
    if not trials:
        return {}
    shares = {"flips": across / trials, "clean": clean / trials, "changed": changed / trials}
    return {"repeats": evidence.notes[REPEATS], **shares, "majority": majority / outputs}


def is_beyond(metric: Metric, evidence: Evidence) -> bool:
    """Whether flips beyond noise replace the metric overall."""
    return metric.outputs is not None and not metric.more_is_better and has_counts(evidence)


def beyond(
    found: Mapping[str, Measurement], metrics: Mapping[str, Metric], evidence: Evidence, gate: Gate
) -> Mapping[str, Measurement]:
    """The measurements, with flips replaced by flips beyond noise overall."""
    names = [name for name, metric in metrics.items() if is_beyond(metric, evidence)]
    if not names:
        return found
    own = measure(evidence, [*found], [BEYOND], gate)
    return {
        view: replace(each, overall={**each.overall, **dict.fromkeys(names, own[view].overall[BEYOND.name])})
        for view, each in found.items()
    }


def flip_metric(task: Task) -> Metric | None:
    """The task's first flip metric without a search."""
    found = (metric for metric in task.metrics().values() if metric.flips and not metric.probes)
    return next((metric for metric in found if isinstance(metric.value, Share)), None)


def noise_notes(
    task: Task, examples: Sequence[Example], first: Sequence[object], second: Sequence[object], scale: object
) -> dict[str, int]:
    """The notes about noise between two repeats."""
    metric = flip_metric(task)
    if metric is None:
        return {}
    outcomes = [
        Outcome(example, 0, before, task.rewordings.repeated(example), after, scale)
        for example, before, after in zip(examples, first, second, strict=True)
    ]
    groups = task.groups(outcomes)
    view = task.usual_view if metric.meant_in(task.usual_view) else metric.views[0]
    table = counts_of(metric, outcomes, view, groups)
    _, rows = np.unique([example.cluster for example in examples], return_inverse=True)
    sums = np.zeros((int(rows.max(initial=-1)) + 1, *table.shape[1:]))
    np.add.at(sums, rows, table)
    notes: dict[str, int] = {}
    for place, group in enumerate(("", *groups)):
        notes |= _of_group(group, metric.value, sums[:, place])
    return notes


def _of_group(group: str, value: Any, sums: Floats) -> dict[str, int]:
    events, trials = value.events(sums), value.trials(sums)
    if not trials.sum() > 0:
        return {}
    size = max(1, int(share_law(events, trials).size))
    return {
        f"{NOISE}{name}:{group}": int(number)
        for name, number in ((_EVENTS, events.sum()), (_TRIALS, trials.sum()), (_SIZE, size))
    }


def noise(notes: Mapping[str, int], group: str | None, confidence: float) -> Estimate | None:
    """The share of labels that flip without a change; None if none do.

    Falls back to all groups together.
    """
    if not notes.get(f"{NOISE}{_EVENTS}:"):
        return None
    own = f":{group or ''}"
    own = own if f"{NOISE}{_TRIALS}{own}" in notes else ":"
    events, trials, size = (notes[f"{NOISE}{name}{own}"] for name in (_EVENTS, _TRIALS, _SIZE))
    law, alpha = ShareLaw(events / trials, size), (1 - confidence) / 2
    return Estimate(law.value, law.low(alpha), law.high(alpha), float("nan"), size, law=law, trials=trials)


def least_flips(metric: Metric, low: float, high: float) -> float:
    """The lower end of the flips of a metric."""
    return metric.high - high if metric.more_is_better else low


def beyond_noise(found: Judgement, metric: Metric, notes: Mapping[str, int], confidence: float) -> Judgement:
    """The judgement, inconclusive if noise may explain a failure."""
    own = noise(notes, found.bound.type, confidence) if metric.flips else None
    if own is None:
        return found
    scale = metric.value.scale if isinstance(metric.value, Share) else 1.0
    found = replace(found, noise=scale * own.high)
    if "fail" not in (found.verdict, found.uncorrected):
        return found
    if least_flips(metric, found.estimate.low, found.estimate.high) > scale * own.high:
        return found
    value, low, high = (scale * each for each in (own.value, own.low, own.high))
    estimate = found.estimate
    reason = (
        f"{estimate.value:z.3f} [{estimate.low:z.3f}, {estimate.high:z.3f}] may be noise of the model, which is "
        f"{value:z.3f} [{low:z.3f}, {high:z.3f}] between two repeats of the clean corpus"
    )
    return replace(found, verdict="inconclusive", uncorrected="inconclusive", reason=reason, needed=None)
