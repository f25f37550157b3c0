"""Judges a model, trains it on its failures, and judges it again."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from abalo.config.options import Options
from abalo.config.thresholds import Thresholds
from abalo.core.documents.document import TaskFacts
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import Task
from abalo.core.records.gate import Gate
from abalo.core.records.json_records import read
from abalo.core.running.engine import Engine
from abalo.errors import AbaloError
from abalo.hardening.curriculum import FIRST_SEED, Curriculum
from abalo.hardening.document import Hardening
from abalo.hardening.failures import Failures
from abalo.hardening.gains import Gain, gains
from abalo.models.labelling.labels import CLASSES
from abalo.models.labelling.maps import parse_label_map
from abalo.models.options import ModelOptions
from abalo.models.training.choosing import trainer_of
from abalo.models.training.settings import Say, Trainer, Training, refuse_idle
from abalo.run.execution import run_all
from abalo.run.opened import Opened
from abalo.run.prepared import Prepared
from abalo.run.results import Report
from abalo.run.spec import RunSpec

SCHEMA = "abalo-hardening/1"

APART = 1000


@dataclass(frozen=True, slots=True)
class HardeningJob:
    """A model, its failures, and how it is trained and judged.

    ``cases`` judge both models; ``failures`` are taught. ``share`` is the share of changed examples among the lessons.
    Each of the ``rounds`` searches at most ``searched`` examples of a case. ``named`` is the trainer, if the user names
    one.
    """

    task: Task
    known: TaskFacts
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


def harden(job: HardeningJob, say: Say) -> Hardening:
    """Runs the job, writes reports, and returns the document; raises `AbaloError`."""
    clock = _Clock()
    judged = replace(job.options, seeds=_held_out_ids(job))
    before = _opened(job, judged, job.reports / "before", {})
    _check_same(job, before)
    trainer = _trainer(job, before.model)
    refuse_idle(trainer, job.training)
    trainer.check()
    job = replace(job, out=_place(job, trainer.suffix))
    curriculum: Curriculum = clock.timed("making lessons", lambda: _curriculum(job, before))
    say(f"judging {before.model.name} by {len(job.cases)} cases")
    old = _run(before, clock, "judging before")
    say(f"training on {', '.join(case.id for case in job.failures.taken)}")
    spec: str = clock.timed("training", lambda: _train_rounds(job, curriculum, before, say))
    after = _opened(job, judged, job.reports / "after", {"model": spec, "against": before.spec.options.reports})
    say(f"judging {spec}")
    new = _run(after, clock, "judging after")
    gate = job.thresholds.gate
    found = gains(job.task, job.cases, job.failures.taken, old.evidence, new.evidence, gate)
    return _document(job, curriculum, (before, after), found, gate, clock.seconds, trainer.uses)


def _check_same(job: HardeningJob, opened: Opened) -> None:
    model, corpus = job.known.model, job.known.corpus
    pairs = (
        (
            "model",
            "fingerprint",
            model.fingerprint,
            [] if model.trainings else [each.fingerprint for each in opened.models],
        ),
        ("corpus", "sha256", corpus.sha256, [opened.corpus.sha256]),
    )
    for name, key, known, found in pairs:
        if not found or known in found:
            continue
        raise AbaloError(
            f"--{name}: differs from the report ({key} {known[:12]}, here {found[0][:12]}), so the failures there "
            "do not apply to it; run the gate on it first"
        )


def _place(job: HardeningJob, suffix: str) -> Path:
    out = job.out if job.out.suffix == suffix else job.out.with_name(job.out.name + suffix)
    if out.exists():
        raise AbaloError(f"--out {out}: already exists; name another place, or remove it first")
    return out


def _held_out_ids(job: HardeningJob) -> tuple[int, ...]:
    seeds = job.options.seeds or job.thresholds.gate.seeds
    return tuple(max(seeds) + APART + k for k in range(len(seeds)))


def _opened(job: HardeningJob, options: Options, reports: Path, instead: Mapping[str, Any]) -> Opened:
    thresholds = replace(job.thresholds, cases=tuple(replace(case, seeds=None) for case in job.cases))
    return Opened(RunSpec(job.task, replace(options, reports=reports, **instead), thresholds))


def _run(opened: Opened, clock: _Clock, doing: str) -> Report:
    report: Report = clock.timed(doing, lambda: run_all([Prepared(opened, deep=True)]))
    opened.spec.options.reports.mkdir(parents=True, exist_ok=True)
    report.write(opened.spec.options.reports)
    return report


def _curriculum(job: HardeningJob, before: Opened) -> Curriculum:
    elsewhere: dict[str, Any] = {"corpus": job.train}
    options = replace(job.options, limit=None, **elsewhere)
    engine = Engine(job.task, job.task.read(job.train, options), before.model, before.gate, options=options)
    kept_back = {each.cluster for each in before.corpus.examples}
    found = Curriculum(engine, job.failures.taken, job.share, job.training.seed, job.searched, kept_back)
    labels = {label for lesson in found(1) for label in lesson.labels if label}
    known = set(before.model.labels)
    if job.named is None and known and (unknown := sorted(labels - known)):
        raise AbaloError(
            f"--train {job.train}: has the label {unknown[0]!r}; the model knows {', '.join(before.model.labels)}"
        )
    idle = [case.id for case in job.failures.taken if not found.made[case.id]]
    if len(idle) == len(job.failures.taken):
        raise AbaloError(
            f"--train {job.train}: has no example that {', '.join(idle)} can change; name another corpus, or a "
            "larger --share"
        )
    return found


def _train_rounds(job: HardeningJob, curriculum: Curriculum, before: Opened, say: Say) -> str:
    model: Any = before.model
    spec = ""
    for number in range(1, job.rounds + 1):
        if number > 1:
            model = job.task.load(spec, job.options, before.corpus)
            curriculum = curriculum.next(replace(curriculum.engine, model=model))
        if job.rounds > 1:
            say(f"round {number} of {job.rounds}")
        spec = _trainer(job, model).train(curriculum, job.training, job.out, say)
    return spec


def _trainer(job: HardeningJob, model: object) -> Trainer:
    return trainer_of(model, _model_options(job), job.named)


def _model_options(job: HardeningJob) -> ModelOptions:
    options = job.options
    names = ("device", "aggregation", "allow_pickle", "trust_remote_code", "max_length", "stride")
    given = {name: getattr(options, name) for name in names}
    label_map = parse_label_map(options.label_map) if options.label_map else None
    return ModelOptions(**given, label_map=label_map, labelling=getattr(job.task, "labelling", CLASSES))


class _Clock:
    """Seconds of wall time and of this process."""

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
    job: HardeningJob,
    curriculum: Curriculum,
    runs: tuple[Opened, Opened],
    found: Sequence[Gain],
    gate: Gate,
    seconds: Mapping[str, Mapping[str, float]],
    uses: Sequence[str],
) -> Hardening:
    before, after = runs
    corpus, train = before.corpus, curriculum.engine.corpus
    told = {
        "schema": SCHEMA,
        "task": job.task.name,
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
            **asdict(job.training),
            "share": job.share,
            "searched": job.searched,
            "rounds": job.rounds,
            "with": job.named,
            "uses": list(uses),
        },
        "seeds": {"judged": list(before.spec.options.seeds or ()), "lessons_from": FIRST_SEED},
        "confidence": gate.confidence,
        "max_loss": gate.max_loss,
        "taught": [{"case": case.id, "lessons": curriculum.made[case.id]} for case in job.failures.taken],
        "not_taught": list(job.failures.left_out),
        "cases": found,
        "seconds": {name: dict(each) for name, each in seconds.items()},
    }
    return read(Hardening, told)
