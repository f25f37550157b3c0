"""CoNLL-2012 columns: variable in number, with names in brackets.

Source: Pradhan et al., CoNLL-2012 Shared Task, "Data format".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from abalo.corpora.drafts import Draft
from abalo.corpora.findings import Findings, show_value
from abalo.corpora.token_columns import Cells

_WORD, _KIND, _NAME = 3, 4, 10
_PART = 1
_NUMBER = 2
_FEWEST = 11
_BEGIN = "#begin"
_BRACKETS = re.compile(r"(?:\(([^()*\s]+))?\*?(\))?")


def is_written_in(rows: Sequence[Cells]) -> bool:
    """Whether rows are CoNLL-2012: numbers in columns 2 and 3, names in 11."""
    words = [cells for cells in rows if cells and cells[0][:1] != "#"]
    return bool(words) and all(_is_word(cells) for cells in words[:1000])


def drafts(rows: Sequence[Cells], findings: Findings) -> list[Draft]:
    """Sentences with parts of speech; brackets become B- and I-."""
    made: list[Draft] = []
    draft, begins = Draft(kinds=[]), False
    for number, cells in enumerate([*rows, []], start=1):
        if not cells or cells[0][:1] == "#":
            if draft.tokens:
                made.append(draft)
                draft = Draft(kinds=[])
            begins |= cells[:1] == [_BEGIN]
            draft.opens = begins
        elif not _is_word(cells):
            findings.error(
                number,
                f"{show_value(' '.join(cells))}; expected the columns of CoNLL-2012, a name such as (PERSON* in the "
                "eleventh; correct the line",
            )
        else:
            begins = False
            draft.tokens.append(cells[_WORD])
            draft.tags.append(cells[_NAME])
            draft.places.append(number)
            assert draft.kinds is not None
            draft.kinds.append(cells[_KIND])
    return without_brackets(made, findings)


def are_in_brackets(drafts: Iterable[Draft]) -> bool:
    """Whether all tags are bracketed names or ``*``."""
    tags = {tag for draft in drafts for tag in draft.tags}
    return any(tag[:1] == "(" for tag in tags) and all(map(_BRACKETS.fullmatch, tags))


def without_brackets(drafts: Iterable[Draft], findings: Findings) -> list[Draft]:
    """Replaces brackets by B- and I-; reports unopened ones."""
    return [replace(draft, tags=list(_tags(draft, findings))) for draft in drafts]


def _tags(draft: Draft, findings: Findings) -> Iterator[str]:
    kind = ""
    for place, cell in zip(draft.places, draft.tags, strict=True):
        match = _BRACKETS.fullmatch(cell)
        opened, closed = (match[1] or "", match[2] is not None) if match else ("", False)
        if closed and not (opened or kind):
            findings.mended(
                place,
                f"{show_value(cell)} closes a name that is not open; correct it, or take it for no name with "
                "FILE?lenient",
            )
        yield f"B-{opened}" if opened else f"I-{kind}" if kind else "O"
        kind = "" if closed else opened or kind


def _is_word(cells: Cells) -> bool:
    numbers = len(cells) >= _FEWEST and cells[_PART].isdecimal() and cells[_NUMBER].isdecimal()
    return numbers and bool(cells[_NAME]) and _BRACKETS.fullmatch(cells[_NAME]) is not None
