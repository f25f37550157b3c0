"""Bounds that the same model should meet on another corpus of equal size."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import cache
from math import sqrt
from pathlib import Path
from typing import Any

import tomlkit

from abalo.bundled import CASES, bundled_path
from abalo.comparison.test.foresight import BLIND as BLIND_COMPARISON
from abalo.config.run_table import RUN, for_file, means
from abalo.config.thresholds import DEFAULT, OVERALL, Thresholds, base_path
from abalo.core.documents.document import ForeseenLoss
from abalo.core.protocols.probe import Case, Probe
from abalo.core.protocols.task import Task, cluster_noun, tasks
from abalo.core.records.gate import Gate
from abalo.core.records.words import count
from abalo.core.running.judging import Decided, Judged, show_estimate
from abalo.core.statistics.detectable import detectable_loss_of
from abalo.core.statistics.estimates import FEWEST_CLUSTERS, Estimate, Measurement
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import BLIND, Bound, Judgement, is_blind, level_of
from abalo.errors import AbaloError, visible
from abalo.files import read_text

MOST = 0.15
"""As a share of the metric's maximum."""

_OF_DIFFERENCE = sqrt(2)
"""Interval width of a difference, relative to one measurement."""

_STEP = Decimal("0.001")


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A bound and its new ``limit``, or None for the ``reason``.

    ``detectable`` is the detectable loss of the new bound, even if unwritten.
    """

    case: Case
    judgement: Judgement
    limit: float | None
    reason: str | None = None
    detectable: float | None = None

    @property
    def name(self) -> str:
        """Case and bound, such as ``ner/accents max_f1_drop of LOCAL``."""
        bound = self.judgement.bound
        return f"{self.case.id} {bound.name}" + (f" of {bound.type}" if bound.type else "")

    @property
    def blind(self) -> bool:
        """True if the bound misses a loss of `BLIND`, as a share of the scale."""
        metric = tasks()[self.case.task].metrics()[self.judgement.bound.metric]
        return is_blind(self.detectable, self.judgement.estimate.value, metric)


def add_bounds(case: Case) -> Case:
    """Adds the usual bound to a case without bounds."""
    return replace(case, bounds=case.bounds or (usual_bound(case.probe, tasks()[case.task]),))


def usual_bound(probe: Probe, task: Task) -> Bound:
    """A bound on the headline metric that every value meets."""
    metric = task.metrics()[probe.headline(task)]
    if metric.more_is_better or metric.name == task.floor:
        return Bound(metric.name, "min", metric.low)
    return Bound(metric.name, "max", metric.high)


def with_groups(case: Case, clean: Measurement) -> Case:
    """Adds a bound per large enough group to the clean case.

    These limits cannot be broken, because an undecided group is no judgement.
    """
    if case.name != BASELINE:
        return case
    task, sides = tasks()[case.task], {bound.side for bound in case.bounds}
    known = {bound.type for bound in case.bounds if bound.metric == task.floor}
    groups = [name for name, found in clean.per_group.items() if name not in known and _is_held(found.get(task.floor))]
    added = [Bound(task.floor, "min", 0.0, group) for group in groups if "min" in sides and len(clean.per_group) > 1]
    return replace(case, bounds=tuple(_loose(bound, task.metrics()[bound.metric]) for bound in (*case.bounds, *added)))


def _loose(bound: Bound, metric: Metric) -> Bound:
    if bound.type is None:
        return bound
    return replace(bound, limit=metric.high if bound.side == "max" else metric.low)


def _is_held(estimate: Estimate | None) -> bool:
    return estimate is not None and estimate.n >= FEWEST_CLUSTERS


def calibrate_case(judged: Decided, gate: Gate, bounds: int) -> list[Calibrated]:
    """New limits for the bounds of a case, in steps of 0.001.

    A limit is the far end of the interval of the difference between two measurements of one model on corpora of this
    size, corrected for the family of ``bounds``. A bound gets no limit if it cannot be judged, any value meets it, its
    detectable loss exceeds `MOST`, or too few examples changed.
    """
    if isinstance(judged, Judged) and (few := _few_changed(judged)) is not None:
        return [Calibrated(judged.case, judgement, None, few) for judgement in judged.judgements]
    evidence = judged.evidence if isinstance(judged, Judged) else None
    return [_calibrate_bound(judged.case, judgement, evidence, gate, bounds) for judgement in judged.judgements]


def _few_changed(judged: Judged) -> str | None:
    case, evidence = judged.case, judged.evidence
    task = tasks()[case.task]
    changed = evidence.only(evidence.changed).distinct
    scored = case.probe.perturbs and case.probe.compared_by(task) == task.floor
    if not scored or not 0 < changed < FEWEST_CLUSTERS:
        return None
    return f"changes only {count(changed, f'distinct {cluster_noun(task)}')}; a bound needs {FEWEST_CLUSTERS}"


def _calibrate_bound(
    case: Case, judgement: Judgement, evidence: Evidence | None, gate: Gate, bounds: int
) -> Calibrated:
    if judgement.p is None:
        return Calibrated(case, judgement, None, judgement.reason)
    level = level_of(gate.confidence, bounds, corrected=gate.correction != "none")
    metric = tasks()[case.task].metrics()[judgement.bound.metric]
    limit = limit_of(judgement, metric, gate, level)
    if metric.keeps(judgement.bound.side, limit):
        return Calibrated(case, judgement, None, f"nothing can break a limit of {limit:g}")
    new = replace(judgement.bound, limit=limit)
    if (reason := case.probe.out_of_reach(case, new, evidence) if evidence is not None else None) is not None:
        return Calibrated(case, judgement, None, reason)
    loss = detectable_loss_of(new, judgement.estimate, metric, gate.confidence, level)
    if loss is None:
        return Calibrated(case, judgement, None, f"a limit of {limit:g} would detect no loss")
    if loss > MOST * metric.high:
        return Calibrated(case, judgement, None, f"a limit of {limit:g} would detect only a loss of {loss:.3f}", loss)
    return Calibrated(case, judgement, limit, None, loss)


def limit_of(judgement: Judgement, metric: Metric, gate: Gate, level: float) -> float:
    """The limit that a second measurement misses with probability ``level``, one-sided."""
    estimate = judgement.estimate
    value, one = estimate.value, estimate.at_level(level, gate.confidence, metric)
    if judgement.bound.side == "max":
        return min(metric.high, _in_steps(value + _OF_DIFFERENCE * (one.high - value), ROUND_CEILING))
    return max(metric.low, _in_steps(value - _OF_DIFFERENCE * (value - one.low), ROUND_FLOOR))


def _in_steps(value: float, rounding: str) -> float:
    return float(Decimal(f"{value:.9f}").quantize(_STEP, rounding)) + 0.0  # no -0


def describe_calibration(found: Calibrated) -> str:
    """One line with the measurement and the new bound."""
    bound = found.judgement.bound
    kind = f" of {bound.type}" if bound.type else ""
    if found.limit is None:
        return f"{found.case.id}: {bound.name}{kind} not calibrated: {found.reason}"
    estimate = show_estimate(found.judgement.estimate)
    line = f"{found.case.id}: {bound.metric}{kind} {estimate} -> {bound.name} = {found.limit:g}"
    return line if found.detectable is None else f"{line} (detectable loss {found.detectable:.3f})"


_BY_REFERENCE = (
    "To detect smaller losses, compare with an accepted run (abalo accept, then --abalo-against), or use a "
    "larger corpus"
)


def refusal(found: Sequence[Calibrated], out: Path, *, bounded: bool) -> str | None:
    """Why no file is written; None if a bound was found, or if the file had none (``bounded`` says that it had)."""
    if not bounded or any(each.limit is not None for each in found):
        return None
    if all(each.detectable is None for each in found):
        return f"nothing could be measured, so {out} is not written"
    return f"no bound would detect a loss of {MOST}, so {out} is not written. {_BY_REFERENCE}"


def summarise(found: Sequence[Calibrated], unmeasured: Sequence[Case], out: Path, *, deep: bool) -> Iterator[str]:
    """Lines on missing bounds, bounds that detect only large losses, and the total."""
    written = [each for each in found if each.limit is not None]
    for said, names in (
        ("no bound, for the reasons above", [each.name for each in found if each.limit is None]),
        ("deep cases, not measured without --deep", [case.id for case in unmeasured if case.deep and not deep]),
        ("cases for another language, not measured", [case.id for case in unmeasured if deep or not case.deep]),
    ):
        if names:
            yield f"{said}: {', '.join(dict.fromkeys(names))}"
    lost = [each for each in found if each.limit is None and each.detectable is not None]
    if lost:
        yield f"{len(lost)} of them because the bound would not detect a loss of {MOST}"
    blind = [((each.detectable or 0.0) / _scale(each), each.name) for each in written if each.blind]
    if blind:
        loss, name = max(blind)
        yield (
            f"WARNING: {len(blind)} of {count(len(written), 'bound')} cannot reliably detect a loss of {BLIND}; the "
            f"worst, {name}, detects only a loss of {loss:.3f}"
        )
    if lost or blind:
        yield _BY_REFERENCE
    yield f"{len(written)} {'bound' if len(written) == 1 else 'bounds'} written to {out}"


def needed_examples(task: Task, found: Sequence[Calibrated], comparison: ForeseenLoss) -> Iterator[str]:
    """Says how many examples a bound and a comparison of a task need."""
    bounds = [
        (math.ceil(each.judgement.estimate.n * (each.detectable / (MOST * _scale(each))) ** 2), each)
        for each in found
        if each.detectable is not None
    ]
    least, nouns = min((number for number, _ in bounds), default=0), f"{cluster_noun(task)}s"
    about = f"about {least:,}" if least > FEWEST_CLUSTERS else f"at least {FEWEST_CLUSTERS}"
    yield f"{task.name}: a bound that detects a loss of {MOST} needs {about} distinct {nouns}"
    score = task.metrics()[task.floor].words
    if comparison.loss is None:
        yield f"{task.name}: {comparison.reason}"
    elif comparison.loss > BLIND_COMPARISON:
        more = math.ceil(comparison.n * (comparison.loss / BLIND_COMPARISON) ** 2)
        yield f"{task.name}: a comparison needs about {more:,} distinct {nouns} ({comparison.n:,} here)"
    else:
        yield (
            f"{task.name}: a comparison detects a mean loss of about {comparison.loss:.3f} {score} with the "
            f"{comparison.n:,} distinct {nouns} here"
        )


def _scale(found: Calibrated) -> float:
    return tasks()[found.case.task].metrics()[found.judgement.bound.metric].high


_CaseTable = tuple[str, str]

_EXTENDING = 'extends = "default"    # the cases that ship; bounds are added below'


def rewrite_limits(
    thresholds: Thresholds,
    found: Sequence[Calibrated],
    provenance: Mapping[str, str],
    unmeasured: Sequence[Case] = (),
    *,
    own: bool = False,
    folder: Path | None = None,
    opening: Mapping[str, Mapping[str, object]] | None = None,
) -> str:
    """The thresholds file with new limits; comments and order stay.

    For the default cases, the result is a new file that extends them, with ``opening`` and the tables that have limits.
    Cases of one entry share the loosest limit. Unmeasured bounds are removed.

    * ``unmeasured``: cases that lose their bounds, unless ``own``.
    * ``own``: the bundled file itself is written.
    * ``folder``: base of relative paths; None for the old one.
    * ``provenance``: text by task for the first comment.
    """
    begun = is_begun(thresholds)
    document = tomlkit.document() if begun else _parse_file(thresholds.path)
    below: dict[_CaseTable, list[str]] = {}
    parsed = cache(_parse_file)
    for (task, name), limits in _limits(thresholds, found, unmeasured).items():
        here = name in document.get(task, {})
        entries = document[task][name] if here else _inherited_entries(parsed, thresholds.path, task, name)
        before = [dict(entry) for entry in entries]
        for (place, bound), limit in limits.items():
            if limit is not None:
                _set(entries[place], bound, limit)
            elif not own:
                _remove(entries[place], bound)
        if not here and entries != before:
            below[task, name] = [_as_text(task, name, entry) for entry in entries]
    if begun:
        above = [_EXTENDING + "\n", *(_as_text("", name, values) for name, values in (opening or {}).items() if values)]
    else:
        _move(document, thresholds, thresholds.path.parent if folder is None else folder)
        above = [tomlkit.dumps(document)]
    text = _join_parts([*above, *(text for texts in below.values() for text in texts)])
    return _with_provenance(text, provenance, leads=begun)


def is_begun(thresholds: Thresholds) -> bool:
    """True for a new file with the default cases."""
    return thresholds.path.resolve() == bundled_path(CASES).resolve()


def _limits(
    thresholds: Thresholds, found: Sequence[Calibrated], unmeasured: Sequence[Case]
) -> dict[_CaseTable, dict[tuple[int, Bound], float | None]]:
    known = {((case.task, case.name, case.entry), bound): None for case in unmeasured for bound in case.bounds}
    tables: dict[_CaseTable, dict[tuple[int, Bound], float | None]] = {
        (case.task, case.name): {} for case in thresholds.cases
    }
    for ((task, name, place), bound), limit in {**known, **_loosest(found)}.items():
        tables[task, name][place, bound] = limit
    return {table: limits for table, limits in tables.items() if limits}


def _parse_file(path: Path) -> Any:
    return tomlkit.parse(read_text(path, "utf-8-sig"))


def _inherited_entries(parsed: Callable[[Path], Any], path: Path, task: str, name: str) -> list[Any]:
    document = parsed(path)
    if name in document.get(task, {}):
        return [_table_of(entry) for entry in document[task][name].unwrap()]
    return _inherited_entries(parsed, base_path(str(document["extends"]), path), task, name)


def _table_of(values: Mapping[str, object]) -> Any:
    table = tomlkit.table()
    table.update({key: _inline(value) for key, value in values.items()})
    return table


def _inline(value: object) -> object:
    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        table.update({key: _inline(each) for key, each in value.items()})
        return table
    if isinstance(value, list):
        array = tomlkit.array()
        array.extend(_inline(each) for each in value)
        return array
    return value


def _as_text(task: str, name: str, values: Mapping[str, object]) -> str:
    head = f"[[{task}.{name}]]" if task else f"[{name}]"
    return f"{head}\n{_table_of(values).as_string()}"


def _join_parts(parts: Sequence[str]) -> str:
    text = "\n".join(part if part.endswith("\n") or part is parts[-1] else f"{part}\n" for part in parts if part)
    try:
        tomllib.loads(text)
    except ValueError as error:
        raise AbaloError(
            f"the bounds cannot be added to the file: {error}; expected tables of a task as [[TASK.NAME]], one for each"
        ) from error
    return text


def _move(document: Any, thresholds: Thresholds, folder: Path) -> None:
    away = thresholds.path.parent
    if folder.resolve() == away.resolve():
        return
    for table, key in ((document, "extends"), (document.get("gate", {}), "against")):
        named = table.get(key, DEFAULT)
        if named != DEFAULT and not Path(named).is_absolute():
            table[key] = Path(os.path.relpath(away / named, folder)).as_posix()
    table = document.get(RUN, {})
    for key, value in thresholds.run.values.items():
        if key in table and means(key, table[key], folder) != value:
            moved = for_file(key, value, folder)
            if moved is None:
                del table[key]
            else:
                table[key] = moved


_Place = tuple[str, str, int]


def _loosest(found: Sequence[Calibrated]) -> Mapping[tuple[_Place, Bound], float | None]:
    limits: dict[tuple[_Place, Bound], float | None] = {}
    for each in found:
        bound = each.judgement.bound
        key = (each.case.task, each.case.name, each.case.entry), bound
        known = [limit for limit in (limits.get(key), each.limit) if limit is not None]
        loosest = max if bound.side == "max" else min
        limits[key] = loosest(known, default=None)
    return limits


def _remove(entry: Any, bound: Bound) -> None:
    limits = entry.get(bound.name)
    if limits is None:
        return
    kept = dict(limits) if isinstance(limits, Mapping) else {OVERALL: limits}
    if kept.pop(bound.type or OVERALL, None) is None:
        return
    if kept:
        _put(entry, bound, kept)
    else:
        del entry[bound.name]


def _set(entry: Any, bound: Bound, limit: float) -> None:
    limits = entry.get(bound.name)
    if isinstance(limits, Mapping):
        entry[bound.name][bound.type or OVERALL] = limit
    elif bound.type is None:
        entry[bound.name] = limit
    else:
        _put(entry, bound, ({} if limits is None else {OVERALL: limits}) | {bound.type: limit})


def _put(entry: Any, bound: Bound, limits: Mapping[str, object]) -> None:
    table = tomlkit.inline_table()
    table.update(limits)
    if bound.name in entry:
        comment = entry.item(bound.name).trivia.comment
        if comment:
            table.comment(comment.lstrip("# "))
    entry[bound.name] = table


def _with_provenance(text: str, provenance: Mapping[str, str], *, leads: bool) -> str:
    fresh = {f"# Calibrated {task}: ": visible(" ".join(said.split())) for task, said in provenance.items()}
    kept = [line for line in text.split("\n") if not line.startswith(tuple(fresh))]
    place = 0 if leads else next((i for i, line in enumerate(kept) if not line.startswith("#")), len(kept))
    return "\n".join([*kept[:place], *(prefix + said for prefix, said in fresh.items()), *kept[place:]])
