"""Translations in XML: TMX, XLIFF 1.2 and 2, and the files of WMT since 2021.

Namespaces do not matter. ``alt-trans`` and ``match`` of XLIFF, and ``hyp`` of WMT, are no references.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from xml.etree.ElementTree import Element

from abalo.corpora.findings import WHOLE, Findings
from abalo.corpora.language_tags import canonical, chosen_of
from abalo.corpora.parallel_text import ParallelRow
from abalo.corpora.unpacking import format_ending
from abalo.corpora.xml_text import root_of

ENDINGS = (".tmx", ".xlf", ".xliff", ".xml")
_EXPECTED = "<tmx>, <xliff> or, as from WMT, <dataset>"
_ROOT = re.compile(r"<(?:[\w.-]+:)?(?:tmx|xliff|dataset)[\s>]")
_BEGUN = 2000

_DOCTYPE = re.compile(r"<!DOCTYPE\s+(?:tmx|xliff)\s[^<>\[\]]*>", re.IGNORECASE)
"""The standards' document types; their files are never read."""

_CODE_TAGS = frozenset(["bpt", "ept", "ph", "it", "ut"])
_LANG = "{http://www.w3.org/XML/1998/namespace}lang"
_UNTRANSLATED = ("initial", "new", "needs-translation")
_STATES = re.compile(r"[a-z]{1,10}(?:-[a-z0-9]{1,12}){0,2}")
"""Names of states in XLIFF, and its users' own."""


@dataclass(frozen=True, slots=True)
class MemoryUnit:
    """A unit and its texts, each with its language; None if it lacks a text. ``out`` is the reason to leave it out."""

    place: int
    texts: Sequence[tuple[str, str | None]]
    out: str = ""


@dataclass(frozen=True)
class Memory:
    """The units of a file, and the language of its sources, if it says so."""

    units: Sequence[MemoryUnit]
    source: str

    @cached_property
    def texts(self) -> Mapping[str, int]:
        """The number of texts in each language."""
        return Counter(code for unit in self.units for code, _ in unit.texts if code)


def is_xml(name: str) -> bool:
    """Whether a file is called as XML is."""
    return format_ending(name) in ENDINGS


def holds_units(text: str) -> bool:
    """Whether a text begins as one of these files does."""
    return _ROOT.search(text[:_BEGUN]) is not None


def memory_in(text: str, findings: Findings) -> Memory | None:
    """The units of a file; None, with a finding, if it is something else."""
    root = root_of(_DOCTYPE.sub("", text, count=1), _EXPECTED, findings)
    read = _READERS.get(root.tag) if root is not None else None
    if root is None or read is None:
        if root is not None:
            findings.error(WHOLE, f"is XML with <{root.tag}>; expected {_EXPECTED}")
        return None
    findings.joint = " unit "
    return read(root, findings)


def _tmx(root: Element, _findings: Findings) -> Memory:
    header = root.find("header")
    said = "" if header is None else canonical(header.get("srclang", "")) or ""
    units = [
        MemoryUnit(number, [(_language(each), _text(each.find("seg"))) for each in unit.findall("tuv")])
        for number, unit in enumerate(_outermost(root, "tu"), start=1)
    ]
    matching = chosen_of(said, [*Memory(units, "").texts])
    return Memory(units, matching[0] if len(matching) == 1 else "")


def _xliff(root: Element, findings: Findings) -> Memory:
    units: list[MemoryUnit] = []
    states = Counter[str]()
    for file in root.findall("file"):
        old = file.get("source-language") is not None
        source, target = (
            _code(file.get(before) or root.get(now) or "")
            for before, now in (("source-language", "srcLang"), ("target-language", "trgLang"))
        )
        for each in _outermost(file, "trans-unit" if old else "segment"):
            aim = each.find("target")
            said, state, code, out = _text(aim), "", target, ""
            if aim is not None:
                state, code = (aim if old else each).get("state", ""), _language(aim) or target
            if not said:
                out = f"with {'no' if aim is None else 'an empty'} target"
            elif state in _UNTRANSLATED:
                out = f"whose target is {state}"
            elif state:
                states[state if _STATES.fullmatch(state) else "another"] += 1
            units.append(MemoryUnit(len(units) + 1, [(source, _text(each.find("source"))), (code, said)], out))
    if told := [f"{number:,} {state}" for state, number in sorted(states.items())]:
        findings.notices.append(f"States of the targets that were read: {', '.join(told)}.")
    sources = {unit.texts[0][0] for unit in units}
    return Memory(units, sources.pop() if len(sources) == 1 else "")


def _wmt(root: Element, _findings: Findings) -> Memory:
    units: list[MemoryUnit] = []
    sources = set[str]()
    for document in _outermost(root, "doc"):
        sides = [each for name in ("src", "ref") for each in document.findall(name)]
        rows: dict[str, list[tuple[str, str | None]]] = {}
        for side in sides:
            code = _code(side.get("lang", ""))
            sources |= {code} if side.tag == "src" else set()
            for place, segment in enumerate(_outermost(side, "seg"), start=1):
                rows.setdefault(segment.get("id", str(place)), []).append((code, _text(segment)))
        units += [MemoryUnit(number, own) for number, own in enumerate(rows.values(), start=len(units) + 1)]
    return Memory(units, sources.pop() if len(sources) == 1 else "")


_READERS: Mapping[str, Callable[[Element, Findings], Memory]] = {"tmx": _tmx, "xliff": _xliff, "dataset": _wmt}


def rows_in(memory: Memory, languages: tuple[str, str], findings: Findings) -> Iterator[ParallelRow]:
    """The units that have both languages, by their number; the others are told."""
    codes = [*memory.texts]
    own, others = ({*chosen_of(wanted, codes)} for wanted in languages)
    further = Counter[str]()
    for unit in memory.units:
        sources = [said for code, said in unit.texts if code in own]
        references = [said for code, said in unit.texts if code in others]
        if unit.out:
            findings.tally.left_out("unit", unit.out)
        elif None in (*sources, *references):
            told = "a text without <seg>, or <source>; expected each text of the unit in one; add it"
            findings.error(unit.place, told)
        elif sources and references:
            yield ParallelRow(unit.place, sources[0], tuple(references))
            further.update(code or "no language" for code, _ in unit.texts if code not in own | others)
            further[languages[0]] += len(sources) - 1
        else:
            findings.tally.left_out("unit", f"without a text in {' or '.join(languages)}")
    for code, number in sorted(further.items()):
        findings.tally.left_out("further text", f"in {code}", number)


def _outermost(root: Element, tag: str) -> Iterator[Element]:
    """The elements of a name, but none within another of them."""
    left = [*reversed(root)]
    while left:
        each = left.pop()
        if each.tag == tag:
            yield each
        else:
            left += reversed(each)


def _language(element: Element) -> str:
    return _code(element.get(_LANG) or element.get("lang") or "")


def _code(said: str) -> str:
    return canonical(said) or said.strip()


def _text(element: Element | None) -> str | None:
    """The text of an element without native codes; None if there is no element."""
    if element is None:
        return None
    parts: list[str] = []
    left: list[Element | str] = [element]
    while left:  # a stack, since elements may be nested more deeply than functions
        each = left.pop()
        if isinstance(each, str):
            parts.append(each)
        elif each.tag not in _CODE_TAGS:
            parts.append(each.text or "")
            for child in reversed(each):
                left += (child.tail or "", child)
    return " ".join("".join(parts).split())
