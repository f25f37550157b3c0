"""Aspects in the XML of SemEval: ``aspectTerm`` of 2014, ``Opinion`` of 2015 and 2016."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from xml.etree.ElementTree import Element

from abalo.corpora.findings import Findings
from abalo.corpora.xml_text import root_of, text_in
from abalo.tasks.aspects.sentences import CONFLICT, NULL

MARKS = ("<aspectTerm", "<Opinion")

_EXPECTED = "<sentence> with <text> and <aspectTerm> or <Opinion> in it"


def records(text: str, findings: Findings) -> Iterator[tuple[int, dict[str, Any]]]:
    """The sentences that have aspects, with their numbers from 1, as records of JSON.

    One place with two polarities, those of two categories, has a conflicting one. An opinion about nothing that the
    sentence names has the term NULL.
    """
    root = root_of(text, _EXPECTED, findings)
    if root is None:
        return
    findings.joint = " sentence "
    for number, sentence in enumerate(root.iter("sentence"), start=1):
        aspects = [_aspect(each) for name in ("aspectTerm", "Opinion") for each in sentence.iter(name)]
        if aspects:
            yield number, {"sentence": text_in(sentence, "text", number, findings), "aspects": _joined(aspects)}


def _aspect(element: Element) -> dict[str, Any]:
    return {
        "term": element.get("term", element.get("target", NULL)),
        "polarity": element.get("polarity"),
        "from": element.get("from"),
        "to": element.get("to"),
    }


def _joined(aspects: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The aspects, each place once; those without a place all."""
    found: dict[Any, dict[str, Any]] = {}
    for number, aspect in enumerate(aspects):
        key = number if aspect["term"] == NULL else (aspect["from"], aspect["to"])
        known = found.setdefault(key, aspect)
        if known["polarity"] != aspect["polarity"]:
            known["polarity"] = CONFLICT
    return [*found.values()]
