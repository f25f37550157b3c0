"""A model judged, trained on what it fails, and judged again on the same examples."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from abalo.api import Report, Session
from abalo.config.options import Options
from abalo.config.thresholds import Thresholds
from abalo.core.engine import Engine
from abalo.core.example import Json
from abalo.core.gate import Gate
from abalo.core.numbers import interval_of, number_of
from abalo.core.probe import Case
from abalo.core.task import Task
from abalo.errors import AbaloError
from abalo.hardening.curriculum import FIRST_SEED, Curriculum
from abalo.hardening.failures import Failures
from abalo.hardening.gains import Gain, gains
from abalo.models.label_maps import parse_label_map
from abalo.models.labels import CLASSES
from abalo.models.options import ModelOptions
from abalo.models.training.choosing import trainer_of
from abalo.models.training.settings import Say, Trainer, Training, refuse_idle

SCHEMA = "abalo-hardening/1"

APART = 1000
"""The seeds that both models are judged under are so far from those of the report."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A model, its failures, and how it is trained and judged.

    ``known`` are the facts of the report about its model and its corpus, ``options`` those of its run. ``cases`` are
    all that both models are judged by; ``failures`` are those that are taught. ``train`` is the training corpus,
    ``share`` the share of changed examples among the lessons, ``searched`` how many examples a search makes for a case
    at most, in each of the ``rounds``. ``named`` is what trains, where the user says it. The model goes to ``out``,
    reports go to the folder ``reports``.
    """

    task: Task
    known: Mapping[str, Any]
    options: Options
    thresholds: Thresholds
    cases: Sequence[Case]
    failures: Failures
    train: str
    share: float
    searched: int
    rounds: int
    training: Training
    named: str | None
    out: Path
    reports: Path


def harden(plan: Plan, say: Say) -> Json:
    """Trains, judges both models, writes their reports, and gives the document; raises `AbaloError`."""
    clock = _Clock()
    judged = replace(plan.options, seeds=_held_out(plan))
    before = _session(plan, judged, plan.reports / "before", {})
    _check_same(plan, before)
    trainer = _trainer(plan, before.model)
    refuse_idle(trainer, plan.training)
    trainer.check()
    plan = replace(plan, out=_place(plan, trainer.suffix))
    curriculum: Curriculum = clock.timed("making lessons", lambda: _curriculum(plan, before))
    say(f"judging {before.model.name} by {len(plan.cases)} cases")
    old = _run(before, clock, "judging before")
    say(f"training on {', '.join(case.id for case in plan.failures.taken)}")
    spec: str = clock.timed("training", lambda: _trained(plan, curriculum, before, say))
    after = _session(plan, judged, plan.reports / "after", {"model": spec, "against": before.options.reports})
    say(f"judging {spec}")
    new = _run(after, clock, "judging after")
    gate = plan.thresholds.gate
    found = gains(plan.task, plan.cases, plan.failures.taken, old.evidence, new.evidence, gate)
    return _document(plan, curriculum, (before, after), found, gate, clock.seconds, trainer.uses)


def _check_same(plan: Plan, session: Session) -> None:
    """Raises `AbaloError` for another model, or another corpus, than those whose failures the report shows."""
    pairs = (
        ("model", "fingerprint", [each.fingerprint for each in session.models]),
        ("corpus", "sha256", [session.corpus.sha256]),
    )
    for name, key, found in pairs:
        known = plan.known[name]
        if "trainings" in known or known.get(key) in found:
            continue
        raise AbaloError(
            f"--{name}: is not that of the report ({key} {str(known.get(key))[:12]}, here {found[0][:12]}), so what "
            "failed there says nothing of it; run the gate on it first"
        )


def _place(plan: Plan, suffix: str) -> Path:
    """The place of the trained model, with its ending; raises `AbaloError` where something stands there."""
    out = plan.out if plan.out.suffix == suffix else plan.out.with_name(plan.out.name + suffix)
    if out.exists():
        raise AbaloError(f"--out {out}: is there already; name another place, or remove it first")
    return out


def _held_out(plan: Plan) -> tuple[int, ...]:
    seeds = plan.options.seeds or plan.thresholds.gate.seeds
    return tuple(max(seeds) + APART + k for k in range(len(seeds)))


def _session(plan: Plan, options: Options, reports: Path, instead: Mapping[str, Any]) -> Session:
    """A session about the cases of the plan, that writes its report to a folder of its own."""
    thresholds = replace(plan.thresholds, cases=tuple(replace(case, seeds=None) for case in plan.cases))
    return Session.opened(plan.task, replace(options, reports=reports, **instead), thresholds, deep=True)


def _run(session: Session, clock: _Clock, doing: str) -> Report:
    report: Report = clock.timed(doing, lambda: session.run(deep=True))
    session.options.reports.mkdir(parents=True, exist_ok=True)
    report.write(session.options.reports)
    return report


def _curriculum(plan: Plan, before: Session) -> Curriculum:
    """The lessons, drawn from the training corpus; raises `AbaloError` where nothing can be learnt from."""
    elsewhere: dict[str, Any] = {"corpus": plan.train}
    options = replace(plan.options, limit=None, **elsewhere)
    engine = Engine(plan.task, plan.task.read(plan.train, options), before.model, before.gate, options=options)
    kept_back = {each.cluster for each in before.corpus.examples}
    found = Curriculum(engine, plan.failures.taken, plan.share, plan.training.seed, plan.searched, kept_back)
    labels = {label for lesson in found(1) for label in lesson.labels if label}
    known = set(before.model.labels)
    if plan.named is None and known and (unknown := sorted(labels - known)):
        raise AbaloError(
            f"--train {plan.train}: has the label {unknown[0]!r}; the model knows {', '.join(before.model.labels)}"
        )
    idle = [case.id for case in plan.failures.taken if not found.made[case.id]]
    if len(idle) == len(plan.failures.taken):
        raise AbaloError(
            f"--train {plan.train}: nothing in it can be changed as {', '.join(idle)} do; name another corpus, or "
            "a larger --share"
        )
    return found


def _trained(plan: Plan, curriculum: Curriculum, before: Session, say: Say) -> str:
    """The spec of the model after all rounds, each of which trains on, and is attacked, where the last one ended."""
    model: Any = before.model
    spec = ""
    for number in range(1, plan.rounds + 1):
        if number > 1:
            model = plan.task.load(spec, plan.options, before.corpus)
            curriculum = curriculum.next(replace(curriculum.session, model=model))
        if plan.rounds > 1:
            say(f"round {number} of {plan.rounds}")
        spec = _trainer(plan, model).train(curriculum, plan.training, plan.out, say)
    return spec


def _trainer(plan: Plan, model: Any) -> Trainer:
    return trainer_of(model, _model_options(plan), plan.named)


def _model_options(plan: Plan) -> ModelOptions:
    options = plan.options
    names = ("device", "aggregation", "allow_pickle", "trust_remote_code", "max_length", "stride")
    given = {name: getattr(options, name) for name in names}
    label_map = parse_label_map(options.label_map) if options.label_map else None
    return ModelOptions(**given, label_map=label_map, labelling=getattr(plan.task, "labelling", CLASSES))


class _Clock:
    """How long each part took, in seconds of the wall and of this process."""

    def __init__(self) -> None:
        self.seconds: dict[str, dict[str, float]] = {}

    def timed(self, doing: str, work: Any) -> Any:
        wall, own = time.perf_counter(), time.process_time()
        found = work()
        spent = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - own}
        self.seconds[doing] = {name: round(each, 1) for name, each in spent.items()}
        return found


# The document --------------------------------------------------------------------------------------------------------


def _document(
    plan: Plan,
    curriculum: Curriculum,
    sessions: tuple[Session, Session],
    found: Sequence[Gain],
    gate: Gate,
    seconds: Mapping[str, Mapping[str, float]],
    uses: Sequence[str],
) -> Json:
    before, after = sessions
    corpus, train = before.corpus, curriculum.session.corpus
    return {
        "schema": SCHEMA,
        "task": plan.task.name,
        "models": {
            name: {"name": each.model.name, "fingerprint": each.model.fingerprint}
            for name, each in (("before", before), ("after", after))
        },
        "corpus": {"name": corpus.name, "sha256": corpus.sha256, "examples": len(corpus.examples)},
        "train": {
            "name": train.name,
            "sha256": train.sha256,
            "examples": len(train.examples),
            "left_out": curriculum.left_out,
            "taught": curriculum.originals,
        },
        "training": {
            **asdict(plan.training),
            "share": plan.share,
            "searched": plan.searched,
            "rounds": plan.rounds,
            "with": plan.named,
            "uses": list(uses),
        },
        "seeds": {"judged": list(before.options.seeds or ()), "lessons_from": FIRST_SEED},
        "confidence": gate.confidence,
        "max_loss": gate.max_loss,
        "taught": [{"case": case.id, "lessons": curriculum.made[case.id]} for case in plan.failures.taken],
        "not_taught": list(plan.failures.left_out),
        "cases": [_case(each) for each in found],
        "seconds": {name: dict(each) for name, each in seconds.items()},
    }


def _case(gain: Gain) -> Json:
    return {
        "case": gain.case,
        "role": gain.role,
        "families": list(gain.families),
        "metric": gain.metric,
        "more_is_better": gain.more_is_better,
        "before": number_of(gain.before),
        "after": number_of(gain.after),
        "change": interval_of(gain.change),
        "state": gain.state,
        "cut": number_of(gain.cut),
        "reason": gain.reason,
    }
