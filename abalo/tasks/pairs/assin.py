"""Pairs in the XML of the ASSIN challenges [Real et al. 2020, The ASSIN 2 Shared Task]."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from abalo.corpora.files import read_text
from abalo.corpora.findings import Findings
from abalo.corpora.xml_text import root_of, text_in

MARK = "<entailment-corpus"


def records(path: Path, findings: Findings) -> Iterator[tuple[int, dict[str, object]]]:
    """The pairs, numbered from 1, with text or None as values.

    Other XML and declared entities are findings.
    """
    root = root_of(read_text(path, findings), "<entailment-corpus> with <pair> in it", findings)
    if root is None:
        return
    findings.joint = " pair "
    for number, pair in enumerate(root.iter("pair"), start=1):
        yield (
            number,
            {
                "premise": text_in(pair, "t", number, findings),
                "hypothesis": text_in(pair, "h", number, findings),
                "label": pair.get("entailment"),
                "score": pair.get("similarity"),
            },
        )
