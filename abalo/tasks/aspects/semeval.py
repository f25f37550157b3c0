"""SemEval XML: ``aspectTerm`` (2014), ``Opinion`` (2015 and 2016)."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from abalo.corpora.findings import Findings
from abalo.corpora.xml_text import root_of, text_in
from abalo.tasks.aspects.sentences import CONFLICT, NULL

MARKS = ("<aspectTerm", "<Opinion")

_EXPECTED = "<sentence> with <text> and <aspectTerm> or <Opinion> in it"


def records(text: str, findings: Findings) -> Iterator[tuple[int, dict[str, object]]]:
    """Sentences with aspects, as JSON records numbered from 1.

    A place with two polarities gets a conflicting one.
    """
    root = root_of(text, _EXPECTED, findings)
    if root is None:
        return
    findings.joint = " sentence "
    for number, sentence in enumerate(root.iter("sentence"), start=1):
        aspects = [_aspect(each) for name in ("aspectTerm", "Opinion") for each in sentence.iter(name)]
        if aspects:
            yield number, {"sentence": text_in(sentence, "text", number, findings), "aspects": _join_aspects(aspects)}


def _aspect(element: Element) -> dict[str, object]:
    return {
        "term": element.get("term", element.get("target", NULL)),
        "polarity": element.get("polarity"),
        "from": element.get("from"),
        "to": element.get("to"),
    }


def _join_aspects(aspects: list[dict[str, object]]) -> list[dict[str, object]]:
    found: dict[object, dict[str, object]] = {}
    for number, aspect in enumerate(aspects):
        key = number if aspect["term"] == NULL else (aspect["from"], aspect["to"])
        known = found.setdefault(key, aspect)
        if known["polarity"] != aspect["polarity"]:
            known["polarity"] = CONFLICT
    return [*found.values()]
