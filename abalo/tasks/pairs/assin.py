"""Pairs in the XML of the ASSIN challenges [Real et al. 2020, The ASSIN 2 Shared Task]."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from abalo.corpora.files import read_text
from abalo.corpora.findings import WHOLE, Findings

ENDING = ".xml"
MARK = "<entailment-corpus"

_UNSAFE = ("<!DOCTYPE", "<!ENTITY")


def records(path: Path, findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
    """The pairs with their numbers, from 1: ``premise``, ``hypothesis``, ``label`` and ``score``, as text or None.

    What is no such file, and a document that declares entities, is a problem that ``findings`` are told.
    """
    text = read_text(path, findings)
    if any(mark in text for mark in _UNSAFE):
        findings.error(WHOLE, "declares a document type; expected <entailment-corpus> with pairs alone; remove it")
        return
    try:
        root = ET.fromstring(text.strip())  # noqa: S314 - without entities; as text, whatever encoding it declares
    except ET.ParseError as error:
        findings.error(WHOLE, f"not XML: {error}; expected <entailment-corpus> with <pair> in it; correct it")
        return
    findings.joint = " pair "
    for number, pair in enumerate(root.iter("pair"), start=1):
        yield (
            number,
            {
                "premise": pair.findtext("t"),
                "hypothesis": pair.findtext("h"),
                "label": pair.get("entailment"),
                "score": pair.get("similarity"),
            },
        )
