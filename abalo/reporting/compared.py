"""Two finished runs, the second judged against the first: the document of ``abalo compare``, and its pages.

The judgement is `comparing.comparison`, which a run with ``--abalo-against`` makes, too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from abalo.config.thresholds import Thresholds
from abalo.core import words
from abalo.core.blocks import Block, Column, Fold, Item, Row, Table, Text, heads
from abalo.core.clean_score import LEAST
from abalo.core.example import Json
from abalo.core.plan import BASELINE
from abalo.core.task import tasks
from abalo.errors import visible
from abalo.reporting.blocks import comparison as losses
from abalo.reporting.comparing import Reference, comparison
from abalo.reporting.conclusion import Conclusion, concluded
from abalo.reporting.dates import aged
from abalo.reporting.document import languages_of
from abalo.reporting.examples import NONE_THERE
from abalo.reporting.finished import whole
from abalo.reporting.loss_tests import counted, failed, loss_tests
from abalo.reporting.made import COMMIT, FIELDS, commit_in_words, made_in
from abalo.reporting.page import Page
from abalo.reporting.quoting import COMPARISON_TITLE
from abalo.reporting.run import headline, lost

SCHEMA = "abalo-comparison/1"

_NAMED = 10
"""How many regressions the last line of the terminal names."""


def compared(reference: Reference, new: Reference, thresholds: Thresholds, today: date) -> Json:
    """The document: both runs, the losses as the report of the new run would have them, the verdict that follows.

    Raises `AbaloError` where the evidence lacks counts that the cases need.
    """
    facts, lines = new.run.document.get("tasks") or {}, new.run.records()
    found = comparison(facts, new.run.evidence, thresholds, reference, today, lines)
    gate = thresholds.gate
    document = {
        "schema": SCHEMA,
        "verdict": None,
        "thresholds": thresholds.path.name,
        "gate": {
            "confidence": gate.confidence,
            "correction": gate.correction,
            "inconclusive": gate.inconclusive,
            "max_loss": gate.max_loss,
            "max_mean_loss": gate.mean_limit,
            "resamples": gate.resamples,
        },
        "reference": run_facts(reference),
        "new": run_facts(new),
        "text": lines is not None,
        "left_out": list(_left_out(reference, new, thresholds)),
        "comparison": found,
    }
    return {**document, "verdict": by_losses(document).verdict}


def by_losses(document: Json) -> Conclusion:
    """The conclusion of a comparison, by losses and the clean score of the new run alone."""
    clean = {
        name: {"baseline": {LEAST: {"state": own["clean_score"]}}} for name, own in document["new"]["tasks"].items()
    }
    nothing: Json = {"errors": [], "regressions": [], "results": [], "complete": True}
    return concluded({**nothing, "tasks": clean, "comparison": document["comparison"], "gate": document["gate"]})


def run_facts(side: Reference) -> Json:
    """Which run it is: its name, when and at which commit it was made and accepted, by what, its models and corpora."""
    document, written = side.run.document, date.fromtimestamp(side.run.path.stat().st_mtime)
    with whole(side.run.path):
        return {
            "name": side.name,
            "accepted": dict(side.accepted) or None,
            **dict.fromkeys(FIELDS),
            **made_in(document),
            "written": written.isoformat(),
            "abalo": (document.get("versions") or {}).get("abalo"),
            "thresholds": (document.get("gate") or {}).get("thresholds"),
            "tasks": {name: _subject(own) for name, own in (document.get("tasks") or {}).items()},
        }


def _subject(own: Mapping[str, Any]) -> Json:
    """The model and the corpus of a task."""
    model, corpus = own["model"], own["corpus"]
    return {
        "model": model["name"],
        "fingerprint": model["fingerprint"],
        "version": model.get("version"),
        "corpus": corpus.get("name"),
        "sha256": corpus.get("sha256"),
        "limit": corpus.get("limit"),
        "clean_score": (own["baseline"].get(LEAST) or {}).get("state"),
    }


def _left_out(reference: Reference, new: Reference, thresholds: Thresholds) -> Iterator[Json]:
    """Tasks and cases that one of the runs has and that no loss is about, each with the reason."""
    here, there = (each.run.document.get("tasks") or {} for each in (new, reference))
    for name in sorted(there.keys() - here.keys()):
        yield {"id": name, "reason": "the new run did not judge this task"}
    spoken = thresholds.spoken(languages_of(new.run.document))
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


def page(document: Json, new: Mapping[str, Any], today: date) -> Page:
    """The pages; ``new`` is the document of the new run, which says what its cases are called."""
    told = {**new, "comparison": document["comparison"]}
    lead: list[Block] = [_headline(document), *losses.doubts(document["comparison"]), _runs(document, today)]
    remarks, judged_by = [*_remarks(document)], _judged_by(document)

    def blocks(most: int | None) -> list[Block]:
        every = [*losses.every(document["comparison"], most)]
        folded = [Fold(table.title, (replace(table, title=""),)) for table in every]
        return [*lead, *losses.page(told), *remarks, *folded, judged_by]

    every = losses.every(document["comparison"])
    below = [*losses.remarks(told), *remarks, judged_by, _last(document)]
    brief = [*lead, *losses.drift(document["comparison"]), *every, *losses.sentences(told), *below]
    return Page("comparison", COMPARISON_TITLE, document, blocks, brief)


def _headline(document: Json) -> Text:
    found = document["comparison"]
    name = visible(found["reference"]["name"])
    conclusion = by_losses(document)
    states = f"{counted(loss_tests(found)) or 'no task in both'} against {name}"
    vanished = sum(len({each["type"] for each in own["vanished"]}) for own in found["tasks"].values())
    if vanished:
        states = f"{words.count(vanished, 'label')} found nowhere now against {name}"
    said = [*lost(document)] or [states, *conclusion.reasons]
    return Text(("; ".join(said),), role="verdict", verdict=headline(conclusion))


def _last(document: Json) -> Text:
    """The headline again, with the names of what regressed: the last line is the one that is read in a terminal."""
    line, named = _headline(document), [test.id for test in failed(document["comparison"])]
    more = f" and {len(named) - _NAMED} more" if len(named) > _NAMED else ""
    return replace(line, lines=(f"{line.lines[0]}: {', '.join(named[:_NAMED])}{more}",)) if named else line


def _runs(document: Json, today: date) -> Table:
    """Both runs side by side: a row for each thing that tells them apart."""
    sides = [document[side] for side in ("reference", "new")]
    names = dict.fromkeys(name for side in sides for name in side["tasks"])
    rows = [
        ("Run", *(day_in_words(side, today) for side in sides)),
        ("Commit", *(commit_of_run(side) or "not recorded" for side in sides)),
        ("Accepted", *(_accepted(side, today) for side in sides)),
        ("Abalo", *(str(side["abalo"] or words.NOTHING) for side in sides)),
        ("Judged by", *(str(side["thresholds"] or words.NOTHING) for side in sides)),
        *(row for name in names for row in _of_task(name, [side["tasks"].get(name) for side in sides])),
    ]
    headings = (f"{which}: {words.name(side['name'])}" for which, side in zip(("Reference", "New"), sides, strict=True))
    return Table((Column(""), *heads(tuple(headings), numeric=False)), tuple(Row(row) for row in rows), noun="fact")


def day_in_words(side: Mapping[str, Any], today: date) -> str:
    """The day of a run with its age; where an earlier version did not record it, that of its file."""
    return aged(side["date"], today) if side["date"] else f"not recorded; report of {aged(side['written'], today)}"


def commit_of_run(side: Mapping[str, Any]) -> str | None:
    """The commit of a run in words, else the one at which it was accepted; None where neither is known."""
    accepted = (side["accepted"] or {}).get(COMMIT)
    return commit_in_words(side) or (None if accepted is None else _short(accepted))


def _short(commit: Any) -> str | None:
    return commit_in_words({COMMIT: commit})


def _accepted(side: Mapping[str, Any], today: date) -> str:
    accepted = side["accepted"]
    if accepted is None:
        return "not accepted"
    again = accepted.get("rerun") or {}
    more = f"; measured again {again.get('date')} with Abalo {again.get('version')}" if again else ""
    commit = accepted.get(COMMIT)
    other = f" at commit {_short(commit)}" if commit and side[COMMIT] not in (None, commit) else ""
    return f"{aged(accepted.get('date'), today)}{other}{more}"


def _of_task(name: str, subjects: Sequence[Mapping[str, Any] | None]) -> Iterator[tuple[str, ...]]:
    yield (f"{name}: model", *("not judged" if each is None else model_in_words(each) for each in subjects))
    yield (f"{name}: corpus", *("not judged" if each is None else _corpus(each) for each in subjects))


def model_in_words(subject: Mapping[str, Any]) -> str:
    """The name of a model with its fingerprint, and its version if it has one."""
    version = "" if subject["version"] is None else f", version {subject['version']}"
    return f"{words.name(subject['model'])} ({subject['fingerprint'][:12]}){version}"


def _corpus(subject: Mapping[str, Any]) -> str:
    limited = "" if subject["limit"] is None else f", the first {subject['limit']:,}"
    return f"{words.name(str(subject['corpus']))}{limited} ({str(subject['sha256'])[:12]})"


def _remarks(document: Json) -> Iterator[Text]:
    """The cases that are not compared beside what the losses say, and whether sentences are withheld."""
    lines = [Item(each["reason"], each["id"]) for each in document["left_out"]]
    if lines:
        yield Text(tuple(lines), "Not compared", "remarks", noun="case", most=40)
    if not document["text"]:
        yield Text((f"Sentences of the new run are named by their ids: {NONE_THERE}.",))


def _judged_by(document: Json) -> Text:
    gate = document["gate"]
    correction = "corrected for each other" if gate["correction"] != "none" else "not corrected for each other"
    found = document["comparison"]["tasks"]
    metrics = ", ".join(dict.fromkeys(tasks()[name].metrics()[own["metric"]].words for name, own in found.items()))
    limits = words.limit(gate["max_loss"]), words.limit(gate["max_mean_loss"])
    said = (
        f"{document['thresholds']}: at most {limits[0]} {metrics or 'of a score'} may be lost unless a case says "
        f"otherwise, and {limits[1]} in the mean over the cases; intervals of {100 * gate['confidence']:g} %, "
        f"{correction}, from {gate['resamples']:,} resamples."
    )
    return Text((said,), "Compared by")
