"""Failures as GitHub Actions annotations.

They quote no sentence of a corpus, except in error messages, which are hidden if text is withheld.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from abalo.comparison.document.loss_tests import count_states, loss_tests, reference_in_words
from abalo.comparison.document.loss_tests import failed_tests as failed_losses
from abalo.core.documents.document import BaselineFacts, Document
from abalo.core.documents.found import certain
from abalo.core.protocols.results import cases, deciding, doubt, judgement, needing_attention
from abalo.core.records import words
from abalo.core.records.gate import UNDECIDED
from abalo.errors import visible
from abalo.reporting.content import run
from abalo.reporting.documents.conclusion import conclude, nothing_compared
from abalo.reporting.documents.finding import OF_LOSSES, remedy
from abalo.reporting.drawing.plain import line_text

MOST = 10
"""GitHub shows this many annotations per level and step."""

_NUMBERS = 3

_LENGTH = 400

Reasons = dict[str, list[str]]


def annotate(document: Document) -> list[str]:
    """Returns at most `MOST` errors for failed cases, and as many warnings for other reasons not to pass."""
    found = _failures(document)
    lines = [_annotation("error", about, said) for about, said in _at_most(found)]
    gaps = _gaps(document)
    if document.complete and conclude(document).exit_code == UNDECIDED:
        gaps |= _undecided_reasons(document)
    return [*lines, *(_annotation("warning", about, said) for about, said in _at_most(gaps))]


def _failures(document: Document) -> Reasons:
    found = {name: [visible(str(own.reason))] for name, own in _clean(document, "fail")}
    for error in document.errors:
        _add(found, visible(error.id), f"could not run: {words.shorten(run.error_in(error.message), _LENGTH)}")
    failed = [each for each in needing_attention(document) if each.verdict == "fail" and each.blocking]
    for result in failed:
        _add(found, result.id, *_most([judgement(each, result) for each in deciding(result)]))
    lost = failed_losses(document.comparison)
    for test in lost:
        against = reference_in_words(certain(document.comparison))
        _add(found, test.id, f"regressed against {against}: {test.said[0]}", *test.said[1:])
    regressed = {test.id for test in lost}
    own_bounds = {result.id: [f"{each.term}: {each.text}" for each in remedy(result, document)] for result in failed}
    found = {about: _most(lines) for about, lines in found.items()}
    for about in found:
        found[about] += own_bounds.get(about, [line_text(OF_LOSSES)] if about in regressed else [])
    for each in document.regressions:
        if each.status != "fixed":
            _add(found, visible(each.id), f"{each.status}, labelled {visible(' '.join(each.labels))}")
    return found


def _gaps(document: Document) -> Reasons:
    missing = document.missing
    if missing:
        named = words.shorten(", ".join(map(visible, missing)), _LENGTH)
        said = f"{named}. Run them again. If the run has shards, run the missing shard again and merge."
        return {f"{words.count(len(missing), 'case')} without a result": [said]}
    if not document.complete and not document.errors:
        return {"the run did not finish": ["The report is incomplete and has no verdict. Run it again."]}
    return {}


def _undecided_reasons(document: Document) -> Reasons:
    found = {name: [visible(str(own.reason))] for name, own in _clean(document, "inconclusive")}
    if document.gate.inconclusive == "fail":
        for result in cases(document):
            if result.verdict == "inconclusive" and result.blocking:
                lines = [f"{judgement(each, result)}; {doubt(each, result)}" for each in deciding(result)]
                advice = [f"{each.term}: {each.text}" for each in remedy(result, document)]
                _add(found, result.id, *_most(lines), *advice)
    compared = document.comparison
    idle = compared is not None and nothing_compared(compared)
    if compared is not None and (idle or document.gate.inconclusive == "fail"):
        counts = count_states(loss_tests(compared)) or "no task in both"
        if idle or compared.state in ("can't tell", "not comparable"):
            _add(found, f"against {reference_in_words(compared)}", f"{counts}; robustness.md says why")
    if found:
        return found
    reasons = conclude(document).reasons
    if reasons:
        return {"nothing was decided": [*reasons]}
    remedies = (f"{words.WHAT_TO_DO}: {visible(command)}" for command in document.next[:1])
    return {"nothing was judged": ["no bound was judged, and nothing was compared", *remedies]}


def _clean(document: Document, verdict: str) -> Iterator[tuple[str, BaselineFacts]]:
    told = {result.id for result in document.results}
    for name, own in document.tasks.items():
        clean = own.baseline
        if clean.verdict == verdict and clean.blocking and f"{name}/baseline" not in told:
            yield f"{name}/baseline", clean


def _add(found: Reasons, about: str, *lines: str) -> None:
    found.setdefault(about, []).extend(lines)


def _most(lines: Sequence[str]) -> list[str]:
    more = [f"and {len(lines) - _NUMBERS} more"] if len(lines) > _NUMBERS else []
    return [*lines[:_NUMBERS], *more]


def _at_most(found: Reasons) -> list[tuple[str, list[str]]]:
    every = [*found.items()]
    if len(every) <= MOST:
        return every
    shown, others = every[: MOST - 1], every[MOST - 1 :]
    names = words.shorten(", ".join(about for about, _ in others), _LENGTH)
    return [*shown, (f"{len(others)} more", [f"{names}. robustness.md has them all."])]


def _annotation(level: str, about: str, lines: Sequence[object]) -> str:
    title, said = f"Abalo: {about}", "\n".join(map(str, lines))
    return f"::{level} title={_escape(title).replace(':', '%3A').replace(',', '%2C')}::{_escape(said)}"


def _escape(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
