"""The cases of a run as JUnit XML, for services that show tests: as pytest writes it, with a test for each case."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from abalo.core.blocks import Line, Text
from abalo.core.results import Json, cases, deciding, judgement, task_of
from abalo.errors import visible
from abalo.reporting import plain, run
from abalo.reporting.blocks import comparison

SUITE = "abalo"

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

_NODE = re.compile(r"(?P<file>[^\s:'\"]+\.py)::(?P<name>[^'\"]+)")
"""The file and the name of a test, in the command that runs it again."""


def junit(document: Json) -> bytes:
    """The run as a test suite, in UTF-8.

    A test failed where a blocking bound did, was skipped where nothing was decided, and is an error where the case
    could not run or has no result. The losses against the reference are one more test, ``comparison``. Numbers stand
    beside each test as properties; what XML cannot hold is written out.
    """
    tests = [*map(_case, cases(document)), *_mishaps(document), *_clean(document), *_comparison(document)]
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
    elif result["verdict"] == "inconclusive":
        _add(test, "skipped", result["reason"] or "inconclusive")
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


def _comparison(document: Json) -> Iterator[ET.Element]:
    """The losses against the reference as one test."""
    if document.get("comparison") is None:
        return
    test = _test("comparison", "", 0.0)
    said = [plain.said(line) for block in comparison.brief(document) for line in _lines(block)]
    state = document["comparison"]["state"]
    if state == "regressed":
        _add(test, "failure", "\n".join(said))
    elif state in ("can't tell", "not comparable"):
        _add(test, "skipped", f"{state}: {said[-1] if said else ''}")
    yield test


def _lines(block: object) -> tuple[Line, ...]:
    return block.lines if isinstance(block, Text) else ()


def _test(name: str, command: str, seconds: float) -> ET.Element:
    """A test, called as pytest calls it where a command tells its place, else by the id of the case."""
    node = _NODE.search(command)
    place = node["file"].removesuffix(".py").replace("/", ".") if node else SUITE
    named = node["name"] if node else name
    return ET.Element("testcase", {"classname": _seen(place), "name": _seen(named), "time": _time(seconds)})


def _seen(text: str) -> str:
    """The text on one line, with what cannot be seen, or not stand in XML, written out."""
    return _NOT_XML.sub(lambda found: f"\\u{ord(found[0]):04x}", visible(text))


def _time(seconds: float) -> str:
    return f"{seconds:.3f}"


def _add(test: ET.Element, kind: str, said: str) -> None:
    lines = [_seen(line) for line in said.split("\n")]
    ET.SubElement(test, kind, {"message": lines[0]}).text = "\n".join(lines)
