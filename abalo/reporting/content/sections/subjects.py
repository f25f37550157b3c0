"""Models, corpora, reference and verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from abalo.core.documents.blocks import Block, Item, Text, VerdictMark
from abalo.core.documents.document import Document
from abalo.core.records import words
from abalo.core.records.json_records import as_json
from abalo.errors import visible
from abalo.reporting.content import run
from abalo.reporting.content.blocks import look
from abalo.reporting.content.sections import Section
from abalo.reporting.documents.origin import COMMIT, DATE, commit_in_words, origin_in
from abalo.reporting.drawing.dates import day_of
from abalo.reporting.drawing.plain import line_text


def blocks(document: Document) -> Sequence[Block]:
    """Shows models, corpora, reference, verdict and notices."""
    lines = [line for text in run.subjects(document) for line in text.lines]
    lines += [*_run(document), *_reference(document)]
    subjects = [Text(tuple(lines), role="list")] if lines else []
    return [_verdict(document), *run.tally(document), *run.notices(document), *subjects]


def _verdict(document: Document) -> Text:
    """The headline; of a look its finding, which is no warning unless nothing can be judged."""
    said, found = run.run_verdict(document), look.finding(document)
    if not found or said.verdict is None:
        return said
    told = f"{words.sentence_case(said.verdict.word.lower())}: {line_text(said.lines[0])}."
    return Text((told,), role="verdict", verdict=VerdictMark(said.verdict.verdict, found))


def heading(document: Document) -> str:
    """Names model and corpus, such as ``my-checkpoint on dev.conll``; "" if nothing is known."""
    own = list(document.tasks.values())
    if not own:
        return ""
    models = dict.fromkeys((words.place(each.model.name), each.model.fingerprint) for each in own)
    corpora = dict.fromkeys((words.place(each.corpus.name), each.corpus.sha256) for each in own)
    named = [
        next(iter(names))[0] if len(names) == 1 else words.count(len(names), noun, plural)
        for names, noun, plural in ((models, "model", "models"), (corpora, "corpus", "corpora"))
    ]
    return " on ".join(named)


def day(document: Document) -> str:
    """Returns the day of the run, such as ``2026-11-29``; "" if unknown."""
    return visible(str(origin_in(document).get(DATE) or ""))[: len("2026-11-29")]


SECTION = Section("verdict", "Verdict", blocks, order=-40, leads=True)


def _run(document: Document) -> Iterator[Item]:
    made = origin_in(document)
    if DATE in made:
        moment = f"{visible(str(made[DATE]))[:16].replace('T', ' ')} UTC"
        yield Item(" · ".join([moment, *_commit(commit_in_words(made))]), "Run")


def _reference(document: Document) -> Iterator[Item]:
    compared = document.comparison
    if compared is None:
        yield Item("none; --abalo-against compares with an accepted run", "Reference")
        return
    reference = compared.reference
    own, run_day = as_json(reference.run), day_of(document.date)
    models = dict.fromkeys(words.place(each.model) for each in compared.tasks.values())
    said = [visible(reference.name), *models]
    if reference.date:
        said.append(f"accepted {_before(reference.date, run_day)}")
    elif own.get(DATE):
        said.append(f"run {_before(own[DATE], run_day)}")
    accepted = {COMMIT: reference.commit} if reference.commit else own
    yield Item(" · ".join([*said, *_commit(commit_in_words(accepted))]), "Reference")


def _commit(found: str | None) -> list[str]:
    return [] if found is None else [f"commit {found}"]


def _before(said: object, run_day: date | None) -> str:
    day = day_of(said)
    if day is None or run_day is None or day > run_day:
        return visible(str(said if day is None else day))
    days = (run_day - day).days
    return f"{day} ({words.count(days, 'day')} before this run)" if days else f"{day}, the day of this run"
