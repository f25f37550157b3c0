"""JUnit XML as pytest writes it, with a test per case."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from abalo.comparison.document.loss_tests import loss_tests
from abalo.comparison.document.node_names import MODULE, TESTS
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.results import cases, outcome, task_of
from abalo.errors import visible
from abalo.reporting.content import run
from abalo.reporting.formats.failure import failed_case, failed_loss

SUITE = "abalo"

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(document: Document, reports: Path = Path("reports")) -> bytes:
    """Returns the run as a test suite, in UTF-8; ``reports`` is its folder.

    A test fails if a blocking bound fails, is skipped if undecided, and is an error if the case has no result. Losses
    are
    tests too.
    """
    by_case = [_case(result, reports) for result in cases(document)]
    return suite_of([*by_case, *_mishaps(document), *_clean(document), *_losses(document, reports)])


def suite_of(tests: Sequence[ET.Element]) -> bytes:
    """Returns tests as a suite, in UTF-8."""
    found = {kind: sum(test.find(kind) is not None for test in tests) for kind in ("failure", "error", "skipped")}
    counts = {"tests": len(tests), "failures": found["failure"], "errors": found["error"], "skipped": found["skipped"]}
    seconds = math.fsum(float(test.get("time", 0)) for test in tests)
    suite = ET.Element(
        "testsuite", {"name": SUITE, **{key: str(n) for key, n in counts.items()}, "time": _time(seconds)}
    )
    suite.extend(tests)
    suites = ET.Element("testsuites")
    suites.append(suite)
    ET.indent(suites)
    text: bytes = ET.tostring(suites, encoding="utf-8", xml_declaration=True)
    return text + b"\n"


def _case(result: Result, reports: Path) -> ET.Element:
    test = _test(result.id, result.command, float(result.seconds or 0.0))
    properties = ET.SubElement(test, "properties")
    for name in dict.fromkeys((task_of(result).floor, result.headline)):
        measured = result.metrics.get(name)
        if measured is not None:
            ET.SubElement(properties, "property", {"name": name, "value": f"{measured.value:.6g}"})
    ET.SubElement(properties, "property", {"name": "verdict", "value": str(result.verdict)})
    if result.verdict == "fail" and result.blocking:
        add_outcome(test, "failure", failed_case(result, reports))
    elif result.verdict in (None, "inconclusive"):
        add_outcome(test, "skipped", result.reason or outcome(result))
    return test


def _mishaps(document: Document) -> Iterator[ET.Element]:
    for found in document.regressions:
        test = _test(found.id, "", 0.0)
        if found.status != "fixed":
            add_outcome(test, "failure", f"{found.status}: {found.after or ''}")
        yield test
    for error in document.errors:
        test = _test(error.id, "", 0.0)
        add_outcome(test, "error", run.error_in(error.message))
        yield test
    told = {error.id for error in document.errors}
    for name in (name for name in document.missing if name not in told):
        test = _test(name, "", 0.0)
        add_outcome(test, "error", "no result")
        yield test


def _clean(document: Document) -> Iterator[ET.Element]:
    for item in run.clean(document):
        test = _test(item.term, "", 0.0)
        add_outcome(test, "failure" if item.verdict and item.verdict.verdict == "fail" else "skipped", item.text)
        yield test


def _losses(document: Document, reports: Path) -> Iterator[ET.Element]:
    for loss in loss_tests(document.comparison):
        test = test_case(f"{TESTS}.{MODULE}", loss.name, 0.0)
        if loss.outcome == "failed":
            add_outcome(test, "failure", failed_loss(loss, document, reports))
        elif loss.outcome in ("undecided", "skipped"):
            add_outcome(test, "skipped", loss.message)
        yield test


def _test(name: str, command: str, seconds: float) -> ET.Element:
    node = next((word for word in shlex.split(command) if "::" in word), "")
    file, _, test = node.partition("::")
    return test_case(file.removesuffix(".py").replace("/", ".") or SUITE, test or name, seconds)


def test_case(place: str, name: str, seconds: float) -> ET.Element:
    """Returns a test that passed, in a ``place`` such as a module."""
    return ET.Element("testcase", {"classname": _show(place), "name": _show(name), "time": _time(seconds)})


def _show(text: str) -> str:
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", visible(text))


def _time(seconds: float) -> str:
    return f"{seconds:.3f}"


def add_outcome(test: ET.Element, kind: str, said: str) -> None:
    """Adds a failure, an error or that the test was skipped; the first line is the message."""
    lines = [_show(line) for line in said.split("\n")]
    ET.SubElement(test, kind, {"message": lines[0]}).text = "\n".join(lines)
