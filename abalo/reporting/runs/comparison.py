"""Document and pages of ``abalo compare``, by `reporting.runs.reference.comparison`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from abalo.comparison.blocks import comparison as losses
from abalo.comparison.document.loss_tests import count_states, failed_tests, loss_tests, reference_in_words
from abalo.config.thresholds import Thresholds
from abalo.core.documents.blocks import Block, Column, Fold, Item, Row, Table, Text, heads
from abalo.core.documents.document import (
    BaselineFacts,
    CorpusFacts,
    Document,
    GateFacts,
    Least,
    ModelFacts,
    ScoreState,
    TaskFacts,
)
from abalo.core.documents.found import certain
from abalo.core.documents.losses_found import Comparison, Origin
from abalo.core.protocols.task import tasks
from abalo.core.records import words
from abalo.core.records.example import JsonObject
from abalo.core.records.gate import Inconclusive
from abalo.core.records.json_records import Json, JsonRecord, as_json, read
from abalo.core.statistics.plan import BASELINE
from abalo.reporting.content.run import count_losses, headline, loss_in_words
from abalo.reporting.documents.conclusion import Conclusion, conclude
from abalo.reporting.documents.document import languages_of
from abalo.reporting.documents.examples import NONE_THERE
from abalo.reporting.documents.origin import COMMIT, DIRTY, FIELDS, commit_in_words, origin_in
from abalo.reporting.documents.quoting import COMPARISON_TITLE
from abalo.reporting.drawing.dates import day_of, with_age
from abalo.reporting.formats.command_output import Page
from abalo.reporting.runs.finished import whole
from abalo.reporting.runs.reference import Reference, comparison

SCHEMA = "abalo-comparison/1"

_NAMED = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgedSubject(JsonRecord):
    """The model and the corpus of a task."""

    model: str
    fingerprint: str
    version: str | None
    corpus: str
    sha256: str | None
    limit: int | None
    clean_score: ScoreState | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRun(Origin):
    """Identifies a run; ``written`` dates its file."""

    name: str
    accepted: Json | None
    written: str
    abalo: str | None
    thresholds: str | None
    tasks: Mapping[str, JudgedSubject]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedRuns(JsonRecord):
    """Two runs, and the losses of the new one."""

    thresholds: str
    gate: GateFacts
    reference: ComparedRun
    new: ComparedRun
    text: bool
    left_out: Sequence[Json]
    comparison: Comparison


def compare_runs(reference: Reference, new: Reference, thresholds: Thresholds, today: date) -> ComparedRuns:
    """Returns both runs, the losses and the verdict.

    Raises `AbaloError` if the evidence lacks counts.
    """
    facts, lines = new.run.document.tasks, new.run.records()
    found = comparison(facts, new.run.evidence, thresholds, reference, today, lines)
    gate = thresholds.gate
    told = {
        "schema": SCHEMA,
        "verdict": None,
        "thresholds": thresholds.path.name,
        "gate": {
            "confidence": gate.confidence,
            "correction": gate.correction,
            "inconclusive": gate.inconclusive,
            "max_loss": gate.max_loss,
            "max_mean_loss": gate.mean_limit,
            "max_label_loss": gate.label_limit,
            "resamples": gate.resamples,
        },
        "reference": run_facts(reference),
        "new": run_facts(new),
        "text": lines is not None,
        "left_out": list(_left_out_cases(reference, new, thresholds)),
        "comparison": found,
    }
    return read(ComparedRuns, {**told, "verdict": concluded_by(read(ComparedRuns, told)).verdict})


def concluded_by(document: ComparedRuns) -> Conclusion:
    """Returns the conclusion of a comparison document."""
    scores = {name: own.clean_score for name, own in document.new.tasks.items()}
    return by_losses(document.comparison, scores, document.gate.inconclusive)


def by_losses(compared: Comparison, scores: Mapping[str, ScoreState | None], inconclusive: Inconclusive) -> Conclusion:
    """Concludes from losses and states of clean scores; ``inconclusive`` is the gate's setting."""
    clean = {
        name: TaskFacts(
            model=ModelFacts(name="", fingerprint=""),
            corpus=CorpusFacts(name=""),
            baseline=BaselineFacts(least=None if state is None else Least(state=state)),
        )
        for name, state in scores.items()
    }
    gate = GateFacts(inconclusive=inconclusive)
    return conclude(Document(complete=True, results=(), tasks=clean, comparison=compared, gate=gate))


def run_facts(side: Reference) -> ComparedRun:
    """Which run it is."""
    document, path = side.run.document, side.run.path
    written = date.fromtimestamp(path.stat().st_mtime) if path.is_file() else day_of(document.date)
    with whole(side.run.path):
        told = {
            "name": side.name,
            "accepted": dict(side.accepted) or None,
            **dict.fromkeys(FIELDS),
            **origin_in(document),
            "written": "" if written is None else written.isoformat(),
            "abalo": document.versions.get("abalo"),
            "thresholds": document.gate.thresholds or None,
            "tasks": {name: _subject(own) for name, own in document.tasks.items()},
        }
        return read(ComparedRun, told)


def _subject(own: TaskFacts) -> JudgedSubject:
    model, corpus = own.model, own.corpus
    return JudgedSubject(
        model=model.name,
        fingerprint=model.fingerprint,
        version=model.version,
        corpus=corpus.name,
        sha256=corpus.sha256 or None,
        limit=corpus.limit,
        clean_score=None if own.baseline.least is None else own.baseline.least.state,
    )


def _left_out_cases(reference: Reference, new: Reference, thresholds: Thresholds) -> Iterator[JsonObject]:
    here, there = (each.run.document.tasks for each in (new, reference))
    for name in sorted(there.keys() - here.keys()):
        yield {"id": name, "reason": "the new run did not judge this task"}
    spoken = thresholds.spoken(languages_of(new.run.document.tasks, new.run.document.gate))
    known = {case.id: spoken.skipped(case) for case in spoken.cases}
    for case in sorted(new.run.evidence.keys() | reference.run.evidence.keys()):
        task, _, name = case.partition("/")
        if task not in here or task not in there or name == BASELINE:
            continue
        if case not in known and case in new.run.evidence:
            yield {"id": case, "reason": f"{thresholds.path.name} does not have it; name its file with --thresholds"}
        elif case in known and case not in new.run.evidence:
            yield {"id": case, "reason": known[case] or "the new run does not have it"}


# Pages ---------------------------------------------------------------------------------------------------------------


def page(document: ComparedRuns, new: Document, today: date) -> Page:
    """Returns the pages; ``new`` names the cases."""
    told = replace(new, comparison=document.comparison)
    lead: list[Block] = [_headline(document), *losses.doubts(document.comparison), _runs(document, today)]
    lead += _other_examples(document)
    remarks, judged_by = [*_remarks(document)], _judged_by_text(document)

    def blocks(most: int | None) -> list[Block]:
        every = [*losses.every(document.comparison, most)]
        folded = [Fold(table.title, (replace(table, title=""),)) for table in every]
        return [*lead, *losses.page(told), *remarks, *folded, judged_by]

    every = losses.every(document.comparison)
    below = [*losses.remarks(told), *remarks, judged_by, _last(document)]
    brief = [*lead, *losses.drift(document.comparison), *every, *losses.sentences(told), *below]
    return Page("comparison", COMPARISON_TITLE, as_json(document), blocks, brief)


def _headline(document: ComparedRuns) -> Text:
    found = document.comparison
    name = reference_in_words(found)
    conclusion = concluded_by(document)
    states = f"{count_states(loss_tests(found)) or 'no task in both'} against {name}"
    small_lost = sum(len({each.type for each in own.small_lost}) for own in found.tasks.values())
    if small_lost:
        states = f"{words.count(small_lost, 'label')} of {name} no longer found"
    known = loss_in_words(found, conclusion.headline) if conclusion.headline == "OK" and not small_lost else ()
    said = [*count_losses(found)] or [*known, states, *conclusion.reasons]
    return Text(("; ".join(said),), role="verdict", verdict=headline(conclusion))


def _last(document: ComparedRuns) -> Text:
    line, named = _headline(document), [test.id for test in failed_tests(document.comparison)]
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return replace(line, lines=(f"{line.lines[0]}: {', '.join(named[:_NAMED])}{more}",)) if named else line


def _runs(document: ComparedRuns, today: date) -> Table:
    sides = (document.reference, document.new)
    names = dict.fromkeys(name for side in sides for name in side.tasks)
    rows = [
        ("Run", *(day_in_words(side, today) for side in sides)),
        ("Commit", *(commit_of_run(side) or "not recorded" for side in sides)),
        ("Accepted", *(_acceptance_text(side, today) for side in sides)),
        ("Abalo", *(str(side.abalo or words.NOTHING) for side in sides)),
        ("Judged by", *(str(side.thresholds or words.NOTHING) for side in sides)),
        *(row for name in names for row in _of_task(name, [side.tasks.get(name) for side in sides])),
    ]
    headings = (f"{which}: {words.name(side.name)}" for which, side in zip(("Reference", "New"), sides, strict=True))
    return Table((Column("Fact"), *heads(tuple(headings), numeric=False)), tuple(Row(row) for row in rows), noun="fact")


def _other_examples(document: ComparedRuns) -> Iterator[Text]:
    """Counts the shared examples, if the corpora differ."""
    sides = document.reference.tasks, document.new.tasks
    for name, own in document.comparison.tasks.items():
        if len({side[name].sha256 for side in sides}) > 1:
            shared = words.count(own.baseline.n, f"distinct {tasks()[name].noun}")
            said = (
                f"{name}: the runs are not on the same examples; both scores of a row are over the {shared} they share."
            )
            yield Text((said,), role="notice")


def day_in_words(side: ComparedRun, today: date) -> str:
    """Formats a run's date with its age; older runs have a file date."""
    return with_age(side.date, today) if side.date else f"not recorded; report of {with_age(side.written, today)}"


def commit_of_run(side: ComparedRun) -> str | None:
    """Formats the commit of a run or of its acceptance."""
    accepted = (side.accepted or {}).get(COMMIT)
    return commit_in_words({COMMIT: side.commit, DIRTY: side.dirty}) or (None if accepted is None else _short(accepted))


def _short(commit: object) -> str | None:
    return commit_in_words({COMMIT: commit})


def _acceptance_text(side: ComparedRun, today: date) -> str:
    accepted = side.accepted
    if accepted is None:
        return "not accepted"
    again = accepted.get("rerun") or {}
    more = f"; measured again {again.get('date')} with Abalo {again.get('version')}" if again else ""
    commit = accepted.get(COMMIT)
    other = f" at commit {_short(commit)}" if commit and side.commit not in (None, commit) else ""
    return f"{with_age(accepted.get('date'), today)}{other}{more}"


def _of_task(name: str, subjects: Sequence[JudgedSubject | None]) -> Iterator[tuple[str, ...]]:
    yield (f"{name}: model", *("not judged" if each is None else model_in_words(each) for each in subjects))
    yield (f"{name}: corpus", *("not judged" if each is None else _corpus(each) for each in subjects))


def model_in_words(subject: JudgedSubject) -> str:
    """Names a model with its fingerprint and version."""
    version = "" if subject.version is None else f", version {subject.version}"
    return f"{words.name(subject.model)} ({subject.fingerprint[:12]}){version}"


def _corpus(subject: JudgedSubject) -> str:
    limited = "" if subject.limit is None else f", the first {subject.limit:,}"
    return f"{words.name(str(subject.corpus))}{limited} ({str(subject.sha256)[:12]})"


def _remarks(document: ComparedRuns) -> Iterator[Text]:
    lines = [Item(each["reason"], each["id"]) for each in document.left_out]
    if lines:
        yield Text(tuple(lines), "Not compared", "remarks", noun="case", most=40)
    if not document.text:
        yield Text((f"Sentences of the new run are named by their ids: {NONE_THERE}.",))


def _judged_by_text(document: ComparedRuns) -> Text:
    gate = document.gate
    correction = "corrected for their number" if gate.correction != "none" else "not corrected for their number"
    found = document.comparison.tasks
    metrics = ", ".join(dict.fromkeys(tasks()[name].metrics()[own.metric].words for name, own in found.items()))
    limits = [words.limit(gate.more[name]) for name in ("max_loss", "max_mean_loss", "max_label_loss")]
    said = (
        f"{document.thresholds}: a case may lose {limits[0]} {metrics or 'of its score'} unless it sets another "
        f"limit, the mean over the cases {limits[1]}, and a label {limits[2]} F1; "
        f"{100 * certain(gate.confidence):g} % intervals from {gate.resamples:,} resamples, {correction}."
    )
    return Text((said,), "Compared by")
