"""Capabilities: the suites that ship, and tests of CheckList written as capabilities."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from abalo.bundled import bundled_path
from abalo.capabilities.capability import SUITES, Capability
from abalo.config.thresholds import load_suite
from abalo.core.records.gate import Gate
from docs.made import NOTICE, table

PAGE = Path(__file__).parents[1] / "reference" / "capabilities.md"

CHECKLIST = Path(__file__).parent / "checklist.toml"
"""Twenty tests, each below a comment that says how CheckList writes it."""

INTRODUCTION = f"""\
# Capabilities

{NOTICE}

[Capabilities in practice](../how-to/capabilities.md) shows how to write templates, and
[thresholds.toml](thresholds.md#capabilities) lists the keys of an entry.

## Suites

`suites = ["bundled:NAME"]` in `capabilities.toml` adds a suite; `abalo capabilities show bundled:NAME` prints its
texts.

"""

COMPARED = """
## CheckList's tests

CheckList (0.0.11) has minimum functionality tests (MFT), invariance tests (INV) and directional tests (DIR). It fills
templates, runs them and counts failures. Its templates have no labels, so the tester writes a function that reads the
prediction; it has no intervals and no bounds. Tests 1 to 10 are about entities and parts of speech. S1 to S10 are its
tests of sentiment, from the tutorial of test types (T) and the notebook on sentiment (N).

CheckList draws names, slips and phrases from its own lists; here some of them are listed. CheckList fails a text with
all its changes if one of them fails; Abalo counts each pair.

"""


def made() -> str:
    """The whole page."""
    written = table(("Test", "Kind", "How CheckList writes it"), list(rows()))
    entries = "\n\n".join(body for *_, body in tests())
    return f"{INTRODUCTION}{suites()}{COMPARED}{written}\n```toml\n{entries}\n```\n\n{licence()}"


def licence() -> str:
    """The licence under which words and sentences are quoted."""
    comment = CHECKLIST.read_text("utf-8").partition("\n\n")[0].replace("\n# ", " ")
    granted = comment[comment.index("MIT License") :]
    return f"S1 to S10 quote words and sentences of CheckList under this licence:\n\n> {granted}\n"


def suites() -> str:
    """A row for each suite that ships."""
    found = [(path.stem, plans(path)) for path in sorted(bundled_path(SUITES).glob("*.toml"))]
    rows = [(f"`bundled:{name}`", str(len(each)), ", ".join({plan.row: 0 for plan in each})) for name, each in found]
    return table(("Suite", "Tests", "Capabilities"), rows)


def plans(path: Path) -> Sequence[Capability]:
    """The capabilities of a file."""
    return [case.plan for case in load_suite(path, Gate()) if isinstance(case.plan, Capability)]


class Compared(NamedTuple):
    """A test of CheckList: the notebook it is from, its kind, how CheckList writes it, and the entry."""

    source: str
    kind: str
    written: str
    entry: str


def tests() -> list[Compared]:
    """The twenty tests."""
    found = re.finditer(
        r"(?m)^# CheckList(?: \((.*)\))?: (\w+), (.*)\n((?:[^#\n].*\n|\n)+)", CHECKLIST.read_text("utf-8")
    )
    return [Compared(each[1] or "", each[2], each[3], each[4].strip()) for each in found]


def rows() -> Iterator[tuple[str, str, str]]:
    """The name of each test, its kind, and how CheckList writes it."""
    for test, plan in zip(tests(), plans(CHECKLIST), strict=True):
        yield plan.name, test.kind, f"{test.written} ({test.source})" if test.source else test.written
