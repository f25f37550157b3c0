"""SemEval-2010 task 8 files, with ``<e1>`` and ``<e2>``."""

from __future__ import annotations

import re
from collections.abc import Iterator

from abalo.corpora.findings import Findings, show_value

_SENTENCE = re.compile(r'\s*\d+\s+"(.*)"\s*', re.DOTALL)
_SPAN = re.compile(r"<e([12])>(.*?)</e\1>", re.DOTALL)
_MARK = re.compile("</?e[12]>")
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
        spans = list(_SPAN.finditer(found[1])) if found else []
        if found is None or sorted(each[1] for each in spans) != ["1", "2"]:
            findings.error(start + 1, f"{show_value(lines[start])}; expected {_EXPECTED}; correct it")
            continue
        relation = lines[start + 1].strip() if start + 1 < len(lines) else ""
        plain, places, end = "", {}, 0
        for each in spans:
            plain += found[1][end : each.start()]
            places[each[1]] = {"from": len(plain), "to": len(plain) + len(each[2])}
            plain += each[2]
            end = each.end()
        plain += found[1][end:]
        yield start + 1, {"text": plain, "subject": places["1"], "object": places["2"], "relation": relation}
