"""Bounds from a measurement: floors that the same model keeps on another corpus of the same size."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import sqrt
from pathlib import Path
from typing import Any

import tomlkit

from abalo.bundled import CASES, bundled
from abalo.config.run_table import RUN, for_file, means
from abalo.config.thresholds import DEFAULT, OVERALL, Thresholds, base_path
from abalo.core.detectable import detectable
from abalo.core.evidence import Evidence
from abalo.core.gate import Gate
from abalo.core.judging import Decided, Judged, shown
from abalo.core.metrics import Metric
from abalo.core.plan import BASELINE
from abalo.core.probe import Case, Probe
from abalo.core.statistics import FEWEST_CLUSTERS, Estimate, Measurement
from abalo.core.task import Task, tasks
from abalo.core.verdicts import BLIND, Bound, Judgement, level_of
from abalo.errors import AbaloError, visible
from abalo.files import read_text

MOST = 0.15
"""The largest detectable loss of a bound that is written, as a part of the greatest value of its metric."""

_OF_DIFFERENCE = sqrt(2)
"""The interval of a difference of two measurements is so many times as wide as the interval of one."""

_STEP = Decimal("0.001")


@dataclass(frozen=True, slots=True)
class Calibrated:
    """A bound of a case and its new ``limit``; the limit is None if the measurement gives none, for the ``reason``.

    ``detectable`` is the detectable loss of the new bound, also of one that is not written because of its detectable
    loss.
    """

    case: Case
    judgement: Judgement
    limit: float | None
    reason: str | None = None
    detectable: float | None = None

    @property
    def name(self) -> str:
        """The case and its bound, such as ``ner/accents max_f1_drop of LOCAL``."""
        bound = self.judgement.bound
        return f"{self.case.id} {bound.name}" + (f" of {bound.type}" if bound.type else "")

    @property
    def blind(self) -> bool:
        """Whether the bound is one on shares and lets a loss of `BLIND` pass."""
        high = tasks()[self.case.task].metrics()[self.judgement.bound.metric].high
        return self.detectable is not None and self.detectable > BLIND and high == 1.0


def bounded(case: Case) -> Case:
    """The case with bounds of its own to measure; one without bounds gets the usual one of its kind."""
    return replace(case, bounds=case.bounds or (usual_bound(case.probe, tasks()[case.task]),))


def usual_bound(probe: Probe, task: Task) -> Bound:
    """A bound on the headline metric of a probe that every value keeps."""
    metric = task.metrics()[probe.headline(task)]
    if metric.more_is_better or metric.name == task.floor:
        return Bound(metric.name, "min", metric.low)
    return Bound(metric.name, "max", metric.high)


def with_groups(case: Case, clean: Measurement) -> Case:
    """The case that measures the clean corpus, with a bound for each group that enough examples hold.

    Bounds on groups get a limit that nothing can break, because an undecided floor of a group is no judgement. All
    other cases are returned as they are.
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


def calibrated(judged: Decided, gate: Gate, bounds: int) -> list[Calibrated]:
    """New limits for the bounds of a case, in steps of 0.001.

    A limit is the far end of the interval of the difference between two measurements of the same model, each on a
    corpus of this size: what a later run measures varies as much as what was measured. The level of the ``gate`` is
    corrected for so many ``bounds``, those of the family.

    A bound gets no limit if it cannot be judged, if every value keeps the limit, if its detectable loss is larger than
    `MOST`, or if its case changed too few examples for any loss in them to break it.
    """
    if isinstance(judged, Judged) and (few := _few_changed(judged)) is not None:
        return [Calibrated(judged.case, judgement, None, few) for judgement in judged.judgements]
    evidence = judged.evidence if isinstance(judged, Judged) else None
    return [_calibrated(judged.case, judgement, evidence, gate, bounds) for judgement in judged.judgements]


def _few_changed(judged: Judged) -> str | None:
    """Why a perturbation changed too few examples for a bound on its score; None if it changed enough, or none."""
    case, evidence = judged.case, judged.evidence
    task = tasks()[case.task]
    changed = evidence.only(evidence.changed).distinct
    scored = case.probe.perturbs and case.probe.compared_by(task) == task.floor
    if not scored or not 0 < changed < FEWEST_CLUSTERS:
        return None
    return f"only {changed} distinct {task.noun}s were changed; a bound needs {FEWEST_CLUSTERS}"


def _calibrated(case: Case, judgement: Judgement, evidence: Evidence | None, gate: Gate, bounds: int) -> Calibrated:
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
    loss = detectable(new, judgement.estimate, metric, gate.confidence, level)
    if loss is None:
        return Calibrated(case, judgement, None, f"a limit of {limit:g} would detect no loss")
    if loss > MOST * metric.high:
        return Calibrated(case, judgement, None, f"a limit of {limit:g} would detect only a loss of {loss:.3f}", loss)
    return Calibrated(case, judgement, limit, None, loss)


def limit_of(judgement: Judgement, metric: Metric, gate: Gate, level: float) -> float:
    """The limit that another measurement of the same model keeps, but for this one-sided level."""
    estimate = judgement.estimate
    value, one = estimate.value, estimate.at_level(level, gate.confidence, metric)
    if judgement.bound.side == "max":
        return min(metric.high, _in_steps(value + _OF_DIFFERENCE * (one.high - value), ROUND_CEILING))
    return max(metric.low, _in_steps(value - _OF_DIFFERENCE * (value - one.low), ROUND_FLOOR))


def _in_steps(value: float, rounding: str) -> float:
    """The next step up or down; what is on a step but for the last bits of a float stays there."""
    return float(Decimal(f"{value:.9f}").quantize(_STEP, rounding))


def described(found: Calibrated) -> str:
    """A line that says what was measured and what the bound becomes."""
    bound = found.judgement.bound
    kind = f" of {bound.type}" if bound.type else ""
    if found.limit is None:
        return f"{found.case.id}: {bound.name}{kind} not calibrated: {found.reason}"
    line = f"{found.case.id}: {bound.metric}{kind} {shown(found.judgement.estimate)} -> {bound.name} = {found.limit:g}"
    return line if found.detectable is None else f"{line} (detectable loss {found.detectable:.3f})"


_BY_REFERENCE = (
    "A comparison with an accepted run detects smaller losses (abalo accept, then --abalo-against), and so does a "
    "larger corpus"
)


def refusal(found: Sequence[Calibrated], out: Path) -> str | None:
    """The reason why no file is written; None if a bound was found."""
    if any(each.limit is not None for each in found):
        return None
    if all(each.detectable is None for each in found):
        return f"nothing could be measured, so {out} is not written"
    return f"no bound would detect a loss of {MOST}, so {out} is not written. {_BY_REFERENCE}"


def summarised(found: Sequence[Calibrated], unmeasured: Sequence[Case], out: Path, *, deep: bool) -> Iterator[str]:
    """Lines that say what has no bound, and why, how many bounds detect only large losses, and how many there are.

    Cases are ``unmeasured`` that are for another language than the corpus, or deep, unless those were measured too.
    """
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
        yield f"{len(lost)} of them because a loss of {MOST} would pass"
    blind = [(each.detectable or 0.0, each.name) for each in written if each.blind]
    if blind:
        loss, name = max(blind)
        yield (
            f"WARNING: {len(blind)} of {len(written)} would let a loss of {BLIND} pass; the worst, {name}, detects "
            f"only a loss of {loss:.3f}"
        )
    if lost or blind:
        yield _BY_REFERENCE
    yield f"{len(written)} {'bound' if len(written) == 1 else 'bounds'} written to {out}"


_Table = tuple[str, str]
"""Task and name of a table of the file."""

_EXTENDING = '# extends = "default"    # would measure the default cases without a bound, too'


def rewritten(
    thresholds: Thresholds,
    found: Sequence[Calibrated],
    provenance: Mapping[str, str],
    unmeasured: Sequence[Case] = (),
    *,
    own: bool = False,
    folder: Path | None = None,
    opening: Mapping[str, Mapping[str, Any]] | None = None,
) -> str:
    """The thresholds file with the new limits: what stands in it stays, with its comments and in its order.

    Of the file that it extends, the tables are added whose bounds are others now. In place of the default cases a file
    is begun that has the entries with a limit and no more, after the ``opening``: the values of ``[gate]`` and
    ``[run]``. Paths lead from the ``folder`` that the file is written to, None for that where it is.

    A bound that could not be measured goes, and so do those of ``unmeasured`` cases, since they are of another model or
    another time; but not where the bundled file itself is written (``own``). Cases of one entry share its bounds, and
    get the loosest of their limits. ``provenance`` by task is added to the comment that opens the file, in place of
    that of an earlier calibration.
    """
    begun = is_begun(thresholds)
    document = tomlkit.document() if begun else _parsed(thresholds.path)
    below: dict[_Table, list[str]] = {}
    for (task, name), limits in _limits(thresholds, found, unmeasured).items():
        here = name in document.get(task, {})
        entries = document[task][name] if here else _inherited(thresholds.path, task, name)
        before = [dict(entry) for entry in entries]
        for (place, bound), limit in limits.items():
            if limit is not None:
                _set(entries[place], bound, limit)
            elif not own:
                _remove(entries[place], bound)
        if not here and entries != before:
            limited = {place for (place, _), limit in limits.items() if limit is not None}
            kept = [entry for place, entry in enumerate(entries) if not begun or place in limited]
            below[task, name] = [_as_text(task, name, entry) for entry in kept]
    if begun:
        above = [_EXTENDING + "\n", *(_as_text("", name, values) for name, values in (opening or {}).items() if values)]
    else:
        _move(document, thresholds, thresholds.path.parent if folder is None else folder)
        above = [tomlkit.dumps(document)]
    text = _joined([*above, *(text for texts in below.values() for text in texts)])
    return _with_provenance(text, provenance, leads=begun)


def is_begun(thresholds: Thresholds) -> bool:
    """Whether the cases are the default ones, so that a file is begun."""
    return thresholds.path.resolve() == bundled(CASES).resolve()


def _limits(
    thresholds: Thresholds, found: Sequence[Calibrated], unmeasured: Sequence[Case]
) -> dict[_Table, dict[tuple[int, Bound], float | None]]:
    """The new limits by table, in the order of the file, for each entry and bound; None for a bound that goes."""
    known = {((case.task, case.name, case.entry), bound): None for case in unmeasured for bound in case.bounds}
    tables: dict[_Table, dict[tuple[int, Bound], float | None]] = {
        (case.task, case.name): {} for case in thresholds.cases
    }
    for ((task, name, place), bound), limit in {**known, **_loosest(found)}.items():
        tables[task, name][place, bound] = limit
    return {table: limits for table, limits in tables.items() if limits}


def _parsed(path: Path) -> Any:
    return tomlkit.parse(read_text(path, "utf-8-sig"))


def _inherited(path: Path, task: str, name: str) -> list[Any]:
    """The entries of a table in the files that this one extends, or in this one."""
    document = _parsed(path)
    if name in document.get(task, {}):
        return [_table_of(entry) for entry in document[task][name].unwrap()]
    return _inherited(base_path(str(document["extends"]), path), task, name)


def _table_of(values: Mapping[str, Any]) -> Any:
    table = tomlkit.table()
    table.update({key: _inline(value) for key, value in values.items()})
    return table


def _inline(value: Any) -> Any:
    """The value as it stands on one line."""
    if isinstance(value, Mapping):
        table = tomlkit.inline_table()
        table.update({key: _inline(each) for key, each in value.items()})
        return table
    if isinstance(value, list):
        array = tomlkit.array()
        array.extend(_inline(each) for each in value)
        return array
    return value


def _as_text(task: str, name: str, values: Mapping[str, Any]) -> str:
    """The table as it stands in a file: an entry of a task, or one of no task, such as ``[run]``."""
    head = f"[[{task}.{name}]]" if task else f"[{name}]"
    return f"{head}\n{_table_of(values).as_string()}"


def _joined(parts: Sequence[str]) -> str:
    """The parts with an empty line between them; raises `AbaloError` where they do not make one file."""
    text = "\n".join(part if part.endswith("\n") or part is parts[-1] else f"{part}\n" for part in parts if part)
    try:
        tomllib.loads(text)
    except ValueError as error:
        raise AbaloError(
            f"the bounds cannot be added to the file: {error}; expected tables of a task as [[TASK.NAME]], one for each"
        ) from error
    return text


def _move(document: Any, thresholds: Thresholds, folder: Path) -> None:
    """Rewrites the paths that mean something else in the folder; what no file there can name goes."""
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
"""Task and table of an entry, and its place there."""


def _loosest(found: Sequence[Calibrated]) -> Mapping[tuple[_Place, Bound], float | None]:
    """The new limit by where it stands in the file and for which bound; None where none of the cases has one."""
    limits: dict[tuple[_Place, Bound], float | None] = {}
    for each in found:
        bound = each.judgement.bound
        key = (each.case.task, each.case.name, each.case.entry), bound
        known = [limit for limit in (limits.get(key), each.limit) if limit is not None]
        loosest = max if bound.side == "max" else min
        limits[key] = loosest(known, default=None)
    return limits


def _remove(entry: Any, bound: Bound) -> None:
    """Takes the limit out, and the table of limits with the last of them."""
    limits = entry.get(bound.name)
    kept = dict(limits) if isinstance(limits, Mapping) else {}
    kept.pop(bound.type or OVERALL, None)
    if kept:
        _put(entry, bound, kept)
    elif limits is not None:
        del entry[bound.name]


def _set(entry: Any, bound: Bound, limit: float) -> None:
    limits = entry.get(bound.name)
    if isinstance(limits, Mapping):
        entry[bound.name][bound.type or OVERALL] = limit
    elif bound.type is None:
        entry[bound.name] = limit
    else:
        _put(entry, bound, ({} if limits is None else {OVERALL: limits}) | {bound.type: limit})


def _put(entry: Any, bound: Bound, limits: Mapping[str, Any]) -> None:
    """Puts a table of limits in the place of what was there; the comment behind it stays."""
    table = tomlkit.inline_table()
    table.update(limits)
    if bound.name in entry:
        comment = entry.item(bound.name).trivia.comment
        if comment:
            table.comment(comment.lstrip("# "))
    entry[bound.name] = table


def _with_provenance(text: str, provenance: Mapping[str, str], *, leads: bool) -> str:
    """The text with how its bounds were measured, after the comment that opens it or as what ``leads``."""
    fresh = {f"# Calibrated {task}: ": visible(" ".join(said.split())) for task, said in provenance.items()}
    kept = [line for line in text.split("\n") if not line.startswith(tuple(fresh))]
    place = 0 if leads else next((i for i, line in enumerate(kept) if not line.startswith("#")), len(kept))
    return "\n".join([*kept[:place], *(prefix + said for prefix, said in fresh.items()), *kept[place:]])
