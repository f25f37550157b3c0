"""Turns thresholds.toml into parametrised tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from abalo.attacks.record import AttackRecord
from abalo.comparison.document.node_names import TESTS
from abalo.config.dealing import Deal, RunPart, deal
from abalo.config.options import Options, has_trainings
from abalo.config.tasks import idle_tasks, tasks_asked_for
from abalo.config.thresholds import Thresholds, known_names
from abalo.core.protocols.options import QUICK, Designed
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import Task, tasks
from abalo.core.statistics.plan import BASELINE, CaseShare
from abalo.corpora.types import parse_types
from abalo.errors import AbaloError, visible_lines
from abalo.pytest_plugin.keys import AFTER, CONFIGURATION, DEAL, NOTHING_HERE, STORE, is_ours, leave_out
from abalo.pytest_plugin.options import read
from abalo.reporting.runs.design import read_design
from abalo.run.prepared import in_panel
from perturbations.suggestions import did_you_mean

if TYPE_CHECKING:
    from abalo.reporting.runs.reference import Reference

CASE = "case"

REGRESSION = "regression"

OWN_MODULE = "test_{name}.py"


@dataclass(frozen=True, slots=True)
class Configuration:
    """Options and thresholds; ``problem`` explains why they are unusable."""

    options: Options | None = None
    thresholds: Thresholds | None = None
    regressions: Sequence[AttackRecord] = ()
    tasks: Sequence[Task] = ()
    reference: Reference | None = None
    problem: str | None = None


def configuration(config: pytest.Config) -> Configuration:
    """Options and thresholds, read once, after the user's conftest."""
    if CONFIGURATION not in config.stash:
        config.stash[CONFIGURATION] = _read(config)
    found: Configuration = config.stash[CONFIGURATION]
    return found


def _read(config: pytest.Config) -> Configuration:
    from abalo.attacks.regressions import load as load_regressions
    from abalo.reporting.formats.files import check_reports
    from abalo.reporting.runs.reference import reference_of

    try:
        options, thresholds = read(config)
        asked = tasks_asked_for(options, config.args, config.rootpath)
        thresholds = replace(thresholds, idle=idle_tasks(options, asked))
        regressions = () if options.regressions is None else load_regressions(options.regressions)
        reference = reference_of(options, thresholds)
        if reference is not None and config.getoption("abalo_profile") is None:
            options = _as_looked(options, reference)
        if options.designed is not None:
            _check_design(config, options.designed, asked)
        if not config.getoption("collectonly"):
            check_reports(options.reports)
    except AbaloError as error:
        return Configuration(problem=str(error))
    return Configuration(options, thresholds, regressions, asked, reference)


def _as_looked(options: Options, reference: Reference) -> Options:
    """The options on the examples of a reference that was a quick look; unchanged if a limit or design is given."""
    looked = reference.run.document
    if looked.gate.profile != QUICK or options.limit is not None or options.designed is not None:
        return options
    return replace(options, profile=QUICK, limit=looked.options.get("limit"))


def _check_design(config: pytest.Config, designed: Designed, asked: Sequence[Task]) -> None:
    name = "--abalo-budget" if designed.earlier is None else "--abalo-design"
    if len(asked) != 1:
        raise AbaloError(f"{name}: is for one task, and the run is about {len(asked)}; name one with --abalo-task")
    if hasattr(config, "workerinput") or config.getoption("numprocesses", None):
        raise AbaloError(f"{name}: all cases are run together, by one process; leave out -n")
    if designed.earlier is not None:
        read_design(designed.earlier, asked[0])


def case_of(item: pytest.Item) -> Case | None:
    """The case of a test; None if it has none."""
    case = _params(item).get(CASE)
    return case if isinstance(case, Case) else None


def parametrise(metafunc: pytest.Metafunc) -> None:
    """One test per case of the marker's table; ``abalo('ner')`` covers tables without a module."""
    marker = metafunc.definition.get_closest_marker("abalo")
    if marker is None or CASE not in metafunc.fixturenames:
        return
    thresholds = configuration(metafunc.config).thresholds
    task, name = _table(marker)
    folder = metafunc.definition.path.parent
    wanted = any(each.name == task for each in configuration(metafunc.config).tasks)
    cases = [
        case
        for case in (thresholds.cases if thresholds and wanted else ())
        if case.task == task and (case.name == name if name else not _has_module(folder, case))
    ]
    ids = (
        [case.slug or "default" for case in cases]
        if name
        else [f"{case.name}-{case.slug}".strip("-") for case in cases]
    )
    metafunc.parametrize(CASE, [pytest.param(case, marks=_marks(case, thresholds)) for case in cases], ids=ids)


def _marks(case: Case, thresholds: Thresholds | None) -> list[pytest.MarkDecorator]:
    reason = thresholds.skipped(case) if thresholds else None
    return [pytest.mark.deep] * case.deep + ([] if reason is None else [pytest.mark.skip(reason=reason)])


def parametrise_regressions(metafunc: pytest.Metafunc) -> None:
    """One test per regression record of the marker's task, or of any."""
    if REGRESSION in metafunc.fixturenames:
        from abalo.attacks.regressions import name_of, task_of

        found = configuration(metafunc.config)
        marker = metafunc.definition.get_closest_marker("abalo_regressions")
        named = marker.args if marker is not None and marker.args else tasks()
        wanted = [task for task in found.tasks if task.name in named]
        records = [record for record in found.regressions if task_of(record) in wanted]
        params = [pytest.param(record, marks=_not_judged(record, found.options)) for record in records]
        metafunc.parametrize(REGRESSION, params, ids=map(name_of, records))


def _not_judged(record: AttackRecord, options: Options | None) -> list[pytest.MarkDecorator]:
    from abalo.attacks.regressions import task_of

    asked = options.types if options is not None and task_of(record).labelled == "spans" else None
    kind = None if record.target is None else record.target[2]
    if asked is None or kind in parse_types(asked):
        return []
    return [pytest.mark.skip(reason=f"about {kind}, which --abalo-types leaves out")]


def _table(marker: pytest.Mark) -> tuple[str, str]:
    task, _, name = str(marker.args[0] if marker.args else "").partition(".")
    known = known_names(tasks()[task]) if task in tasks() else []
    if task not in tasks() or (name and name not in known):
        near = did_you_mean(name, known) if task in tasks() else f"; tasks: {', '.join(tasks())}"
        raise pytest.Collector.CollectError(
            f"@pytest.mark.abalo({task}{'.' if name else ''}{name}): names no table of thresholds.toml{near}"
        )
    return task, name


def _has_module(folder: Path, case: Case) -> bool:
    return (folder / OWN_MODULE.format(name=case.name)).is_file()


def awaited_cases(items: list[pytest.Item]) -> dict[str, Case]:
    """The cases that should have a result, by id."""
    cases = {case.id: case for item in items if (case := case_of(item)) is not None}
    thresholds = configuration(items[0].config).thresholds if items else None
    return {key: case for key, case in cases.items() if thresholds is None or thresholds.skipped(case) is None}


def select(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects what the run leaves out and sorts the rest; raises a usage error for an invalid configuration."""
    _refuse_bad_configuration(config, items)
    _leave_empty_out(config, items)
    _leave_deep_out(config, items)
    if _is_quick(config):
        _leave_unbinding_out(config, items)
    _leave_others_out(config, items)
    _leave_to_other_shards(config, items)
    if _is_quick(config):
        items.sort(key=_telling)


def _leave_empty_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    empty, asked = [item for item in items if _is_empty(item)], {task.name for task in configuration(config).tasks}
    here = [item for item in empty if _task_of(item) in asked]
    leave_out(config, items, [item for item in empty if item not in here], "for other tasks")
    leave_out(config, items, here, NOTHING_HERE)


def _task_of(item: pytest.Item) -> str:
    marker = item.get_closest_marker("abalo") or item.get_closest_marker("abalo_regressions")
    return str(marker.args[0]).partition(".")[0] if marker is not None and marker.args else ""


def _leave_deep_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    deep = [item for item in items if is_ours(item) and item.get_closest_marker("deep")]
    if "deep" not in config.getoption("markexpr"):
        leave_out(config, items, deep, 'deep, which take long (-m "deep or not deep" runs them, too)')


def _leave_unbinding_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    cases = {item: case for item in items if (case := case_of(item)) is not None}
    if any(case.blocking for case in cases.values()):
        idle = [item for item, case in cases.items() if not case.blocking]
        leave_out(config, items, idle, "that cannot fail a quick run")


def _is_quick(config: pytest.Config) -> bool:
    options = configuration(config).options
    return options is not None and options.profile == QUICK


def _leave_others_out(config: pytest.Config, items: list[pytest.Item]) -> None:
    found = configuration(config)
    designed = None if found.options is None else found.options.designed
    if designed is None:
        return
    cases = {item: case for item in items if (case := case_of(item)) is not None}
    taken = in_panel(cases.values())
    if designed.earlier is not None:
        inside = {case for group in read_design(designed.earlier, found.tasks[0]).groups for case in group}
        taken = [case for case in taken if case.name == BASELINE or case.id in inside]
    kept = {case.id for case in taken}
    others = [item for item, case in cases.items() if case.id not in kept]
    leave_out(config, items, others, "that the design has no part for")


def _telling(item: pytest.Item) -> tuple[bool, bool, bool]:
    """The clean corpus first, slow searches last."""
    case = case_of(item)
    return (is_ours(item), True, True) if case is None else (True, case.name != BASELINE, case.probe.searches)


def _leave_to_other_shards(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Every shard runs tests without a case or record."""
    options = configuration(config).options
    found_by = {item: parts for item in items if (parts := _parts(item))}
    if options is None or options.shard is None or not found_by:
        return
    distinct = {(part.id, part.part): part for parts in found_by.values() for part in parts}
    found = deal(distinct.values(), options.shard.of, deep=_any_deep(items))
    config.stash[DEAL] = found
    others = [item for item, (part, *_) in found_by.items() if options.shard.number not in found.by_id[part.id]]
    leave_out(config, items, others, "of other shards")


def share_of(config: pytest.Config, case: Case) -> CaseShare | None:
    """The share of a case for this run; None for the whole case."""
    options = configuration(config).options
    found: Deal | None = config.stash.get(DEAL, None)
    if options is None or options.shard is None or found is None or case.id not in found.by_id:
        return None
    return found.share(case.id, options.shard.number)


def _parts(item: pytest.Item) -> list[RunPart]:
    case, record = case_of(item), _params(item).get(REGRESSION)
    found = configuration(item.config)
    if case is not None and found.thresholds is not None and found.options is not None and is_ours(item):
        several = has_trainings(found.options)
        whole = several or not _ships(item)
        return RunPart.of(case, skipped=found.thresholds.skipped(case) is not None, whole=whole)
    if isinstance(record, AttackRecord):
        from abalo.attacks.regressions import name_of

        return [RunPart(name_of(record))]
    return []


def following(item: pytest.Item) -> Case | None:
    """The case of the next test; None unless both tests ship.

    User tests may call the model at any time.
    """
    after = item.stash.get(AFTER, None)
    return case_of(after) if after is not None and _ships(item) and _ships(after) else None


def _ships(item: pytest.Item) -> bool:
    return str(getattr(getattr(item, "module", None), "__name__", "")).startswith(f"{TESTS}.")


def runs_deep(config: pytest.Config, items: list[pytest.Item]) -> bool:
    """True if the run includes deep cases, in any shard."""
    return config.stash[DEAL].deep if DEAL in config.stash else _any_deep(items)


def _any_deep(items: list[pytest.Item]) -> bool:
    return any(case.deep for case in awaited_cases(items).values())


def _params(item: pytest.Item) -> Mapping[str, object]:
    found: Mapping[str, object] = getattr(getattr(item, "callspec", None), "params", {})
    return found


def _is_empty(item: pytest.Item) -> bool:
    if not is_ours(item):
        return False
    given = _params(item)
    wanted = [name for name in (CASE, REGRESSION) if name in getattr(item, "fixturenames", ())]
    return any(not isinstance(given.get(name), Case | AttackRecord) for name in wanted)


def _of_other_tasks(found: Configuration, items: list[pytest.Item]) -> str | None:
    if found.thresholds is None or not all(map(_is_empty, filter(is_ours, items))):
        return None
    there, asked = dict.fromkeys(case.task for case in found.thresholds.cases), [task.name for task in found.tasks]
    if not there or not there.keys().isdisjoint(asked):
        return None
    return (
        f"{found.thresholds.path}: has only cases of {', '.join(there)}, but the run is for {', '.join(asked)}; "
        f"pass --abalo-task {' or '.join(there)}, or another file with --abalo-thresholds FILE"
    )


def _of_another_machine(config: pytest.Config) -> str | None:
    store = config.stash.get(STORE, None)
    if store is None or Path(store).is_dir():
        return None
    return f"--tx: a worker cannot see {store}, through which a run's processes share; run all here, with -n"


def _refuse_bad_configuration(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Raises one usage error; xdist workers pass it to the controller."""
    found = configuration(config)
    problem = found.problem or _of_other_tasks(found, items) or _of_another_machine(config)
    if problem is None:
        return
    config.stash[CONFIGURATION] = replace(found, problem=problem)
    if hasattr(config, "workerinput"):
        items.clear()
    else:
        raise pytest.UsageError(visible_lines(problem))
