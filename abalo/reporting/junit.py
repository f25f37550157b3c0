"""The cases of a run as JUnit XML, for services that show tests: as pytest writes it, with a test for each case."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from abalo.core.results import Json, cases, deciding, judgement, outcome, task_of
from abalo.errors import visible
from abalo.reporting import run
from abalo.reporting.loss_tests import loss_tests
from abalo.reporting.node_names import MODULE, TESTS

SUITE = "abalo"

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(document: Json) -> bytes:
    """The run as a test suite, in UTF-8.

    A test failed where a blocking bound did, was skipped where nothing was decided, and is an error where the case
    could not run or has no result. Each loss against the reference is a test, too. Numbers stand beside each test as
    properties; what XML cannot hold is written out.
    """
    tests = [*map(_case, cases(document)), *_mishaps(document), *_clean(document), *_losses(document)]
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


def _case(result: Json) -> ET.Element:
    """The test of a case, with its floor, its headline number and its verdict."""
    test = _test(result["id"], result["command"], float(result["seconds"] or 0.0))
    properties = ET.SubElement(test, "properties")
    for name in dict.fromkeys((task_of(result).floor, result["headline"])):
        measured = result["metrics"].get(name)
        if measured is not None:
            ET.SubElement(properties, "property", {"name": name, "value": f"{measured['value']:.6g}"})
    ET.SubElement(properties, "property", {"name": "verdict", "value": str(result["verdict"])})
    said = "\n".join(judgement(each, result) for each in deciding(result))
    if result["verdict"] == "fail" and result["blocking"]:
        _add(test, "failure", said)
    elif result["verdict"] in (None, "inconclusive"):
        _add(test, "skipped", result["reason"] or outcome(result))
    return test


def _mishaps(document: Json) -> Iterator[ET.Element]:
    """The regressions that were replayed, whatever could not run, and the cases without a result."""
    for found in document["regressions"]:
        test = _test(found["id"], "", 0.0)
        if found["status"] != "fixed":
            _add(test, "failure", f"{found['status']}: {found.get('after') or ''}")
        yield test
    for error in document["errors"]:
        test = _test(error["id"], "", 0.0)
        _add(test, "error", run.error_in(error["message"]))
        yield test
    told = {error["id"] for error in document["errors"]}
    for name in (name for name in document["missing"] if name not in told):
        test = _test(name, "", 0.0)
        _add(test, "error", "no result")
        yield test


def _clean(document: Json) -> Iterator[ET.Element]:
    """The clean corpora that no case is about and that have no pass."""
    for item in run.clean(document):
        test = _test(item.term, "", 0.0)
        _add(test, "failure" if item.verdict and item.verdict.verdict == "fail" else "skipped", item.text)
        yield test


def _losses(document: Json) -> Iterator[ET.Element]:
    """The losses against the reference, each a test with the name that pytest gives it."""
    for loss in loss_tests(document.get("comparison")):
        test = _named(f"{TESTS}.{MODULE}", loss.name, 0.0)
        if loss.outcome == "failed":
            _add(test, "failure", loss.message)
        elif loss.outcome in ("inconclusive", "skipped"):
            _add(test, "skipped", loss.message)
        yield test


def _test(name: str, command: str, seconds: float) -> ET.Element:
    """A test, called as pytest calls it where a command tells its place, else by the id of the case."""
    node = next((word for word in shlex.split(command) if "::" in word), "")
    file, _, test = node.partition("::")
    return _named(file.removesuffix(".py").replace("/", ".") or SUITE, test or name, seconds)


def _named(place: str, name: str, seconds: float) -> ET.Element:
    return ET.Element("testcase", {"classname": _seen(place), "name": _seen(name), "time": _time(seconds)})


def _seen(text: str) -> str:
    """The text on one line, with what cannot be seen, or not stand in XML, written out."""
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", visible(text))


def _time(seconds: float) -> str:
    return f"{seconds:.3f}"


def _add(test: ET.Element, kind: str, said: str) -> None:
    lines = [_seen(line) for line in said.split("\n")]
    ET.SubElement(test, kind, {"message": lines[0]}).text = "\n".join(lines)
