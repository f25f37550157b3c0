"""The files of judged scores: page, comment, document, JUnit XML, and flat numbers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from xml.etree import ElementTree as ET

from abalo.core.records.json_records import as_json
from abalo.reporting.content.scores import blocks, failure_in_words, flat
from abalo.reporting.documents.quoting import COMMENT_MARK
from abalo.reporting.formats.command_output import Page
from abalo.reporting.formats.junit import add_outcome, suite_of, test_case
from abalo.reporting.formats.metrics_json import METRICS_NAME, as_metrics
from abalo.reporting.formats.tracking import flat_number
from abalo.scores.facts import GateDocument, JudgedMetric, ScoreBound, ScoreLoss

NAME = "gate"

JUNIT_NAME = "junit.xml"

_SUITE = "abalo.gate"


def score_page(document: GateDocument) -> Page:
    """Returns the pages of judged scores."""
    told = partial(blocks, document)
    return Page(NAME, "Abalo: judged scores", as_json(document), told, told(None))


def score_files(document: GateDocument) -> dict[str, bytes]:
    """Returns gate.html, .md, .json, junit.xml and report.metrics.json; gate.md is a pull request comment."""
    files = score_page(document).files()
    comment = files[f"{NAME}.md"].rpartition(b"<!--")[0] + f"{COMMENT_MARK.format(NAME)}\n".encode()
    numbers = dict(pair for name, found in flat(document) for pair in flat_number(name, found))
    return {
        **files,
        f"{NAME}.md": comment,
        JUNIT_NAME: suite_of([*_tests(document)]),
        METRICS_NAME: as_metrics(numbers).encode("utf-8", "backslashreplace"),
    }


def _tests(document: GateDocument) -> Iterator[ET.Element]:
    for name, own in document.metrics.items():
        for loss in (own.loss, *own.slices):
            if loss is not None:
                yield _test(name, own, loss, f"loss[{name}{'' if loss.slice is None else f'/{loss.slice}'}]")
        for bound in own.bounds:
            yield _test(name, own, bound, f"{bound.bound}[{name}]")


def _test(name: str, own: JudgedMetric, judged: ScoreLoss | ScoreBound, title: str) -> ET.Element:
    test = test_case(_SUITE, title, 0.0)
    state = judged.verdict if isinstance(judged, ScoreBound) else judged.state
    if state in ("fail", "regressed") and own.blocking:
        add_outcome(test, "failure", failure_in_words(name, judged))
    elif state not in ("pass", "no worse", "improved", "identical", "same results"):
        add_outcome(test, "skipped", judged.reason or state)
    return test
