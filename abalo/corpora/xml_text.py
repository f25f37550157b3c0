"""Parses XML without document types, which can be attacks."""

from __future__ import annotations

from xml.etree import ElementTree as ET

from abalo.corpora.findings import WHOLE, Findings

ENDING = ".xml"

_UNSAFE = ("<!DOCTYPE", "<!ENTITY")


def root_of(text: str, expected: str, findings: Findings) -> ET.Element | None:
    """The root, names without their namespaces; reports document types and invalid XML."""
    if any(mark in text for mark in _UNSAFE):
        findings.error(WHOLE, f"declares a document type; expected {expected} alone; remove it")
        return None
    try:
        root = ET.fromstring(text.strip())  # noqa: S314 - without entities
    except ET.ParseError as error:
        findings.error(WHOLE, f"not XML: {error}; expected {expected}; correct it")
        return None
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    return root


def text_in(element: ET.Element, name: str, place: int, findings: Findings) -> str | None:
    """The text of a child; reports duplicates."""
    found = element.findall(name)
    if len(found) > 1:
        findings.error(place, f"<{name}> is there {len(found)} times; expected it once; remove all but one")
    return element.findtext(name)
