"""SemEval-2010 task 8 files, with ``<e1>`` and ``<e2>``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from abalo.corpora.findings import Findings, show_value

_SENTENCE = re.compile(r'\s*\d+\s+"(.*)"\s*', re.DOTALL)
_MARK = re.compile("(</?e[12]>)")
_EXPECTED = '1, a tab and "The <e1>child</e1> slept in the <e2>cradle</e2>."'


def is_marked(text: str) -> bool:
    """Whether a line of the text is a numbered sentence with a mark."""
    return any(_MARK.search(line) and _SENTENCE.fullmatch(line) for line in text.splitlines())


def records(text: str, findings: Findings) -> Iterator[tuple[int, dict[str, object]]]:
    """Records with their lines; ``e1`` is the subject."""
    lines = text.split("\n")
    starts = [k for k, line in enumerate(lines) if line.strip() and (k == 0 or not lines[k - 1].strip())]
    for start in starts:
        found = _SENTENCE.fullmatch(lines[start])
        fields = fields_of(found[1]) if found else None
        if fields is None:
            findings.error(start + 1, f"{show_value(lines[start])}; expected {_EXPECTED}; correct it")
            continue
        yield start + 1, {**fields, "relation": lines[start + 1].strip() if start + 1 < len(lines) else ""}


def fields_of(marked: str) -> dict[str, object] | None:
    """The text without its marks, and the places of both spans; None unless each is marked once."""
    parts = _MARK.split(marked)
    if parts[1::2] not in (["<e1>", "</e1>", "<e2>", "</e2>"], ["<e2>", "</e2>", "<e1>", "</e1>"]):
        return None
    before, first, one, _, between, second, other, _, behind = parts
    start = len(before + one + between)
    spans = {
        first: {"from": len(before), "to": len(before + one)},
        second: {"from": start, "to": start + len(other)},
    }
    return {"text": before + one + between + other + behind, "subject": spans["<e1>"], "object": spans["<e2>"]}
