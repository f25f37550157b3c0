"""The columns of CoNLL-2012, whose number changes with the predicates of a sentence, and whose names are in brackets.

Source: Pradhan et al., CoNLL-2012 Shared Task, "Data format".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from abalo.corpora.drafts import Draft
from abalo.corpora.findings import Findings, shown
from abalo.corpora.token_columns import Cells

_WORD, _KIND, _NAME = 3, 4, 10
_PART = 1
_NUMBER = 2
_FEWEST = 11
_BEGIN = "#begin"
_BRACKETS = re.compile(r"(?:\(([^()*\s]+))?\*?(\))?")


def is_written_in(rows: Sequence[Cells]) -> bool:
    """Whether the rows are those of CoNLL-2012: numbers in the second and third column, names in the eleventh."""
    words = [cells for cells in rows if cells and cells[0][:1] != "#"]
    return bool(words) and all(_is_word(cells) for cells in words[:1000])


def drafts(rows: Sequence[Cells], findings: Findings) -> list[Draft]:
    """The sentences, with the parts of speech; ``(PERSON*``, ``*``, ``*)`` become B- and I-.

    A line that is no such row, or a name that is closed without being open, is a finding.
    """
    made: list[Draft] = []
    draft, kind, begins = Draft(kinds=[]), "", False
    for number, cells in enumerate([*rows, []], start=1):
        if not cells or cells[0][:1] == "#":
            if draft.tokens:
                made.append(draft)
                draft, kind = Draft(kinds=[]), ""
            begins |= cells[:1] == [_BEGIN]
            draft.opens = begins
        elif not _is_word(cells):
            findings.error(
                number,
                f"{shown(' '.join(cells))}; expected the columns of CoNLL-2012, a name such as (PERSON* in the "
                "eleventh; correct the line",
            )
        else:
            begins = False
            match = _BRACKETS.fullmatch(cells[_NAME])
            assert match is not None
            opened, closed = match[1] or "", match[2] is not None
            if closed and not (opened or kind):
                findings.mended(
                    number,
                    f"{shown(cells[_NAME])} closes a name that is not open; correct it, or take it for no name with "
                    "--abalo-lenient",
                )
            tag = f"B-{opened}" if opened else f"I-{kind}" if kind else "O"
            kind = "" if closed else opened or kind
            draft.tokens.append(cells[_WORD])
            draft.tags.append(tag)
            draft.places.append(number)
            assert draft.kinds is not None
            draft.kinds.append(cells[_KIND])
    return made


def _is_word(cells: Cells) -> bool:
    numbers = len(cells) >= _FEWEST and cells[_PART].isdecimal() and cells[_NUMBER].isdecimal()
    return numbers and bool(cells[_NAME]) and _BRACKETS.fullmatch(cells[_NAME]) is not None
