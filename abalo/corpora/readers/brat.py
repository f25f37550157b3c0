r"""brat standoff: documents in ``NAME.txt``, their annotations in ``NAME.ann``.

https://brat.nlplab.org/standoff.html defines the form. ``T1\tTYPE START END\tTEXT`` is an entity, whose places count
characters (code points). ``R1\tTYPE Arg1:T1 Arg2:T2`` is a relation. Each line of a document is an example; lines that
share an entity or a relation are one example. The tally counts events, attributes, normalisations, equivalences and
notes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from abalo.core.protocols.corpus_spec import Reader, chosen
from abalo.core.records.json_records import Json
from abalo.core.records.tally import Tally
from abalo.corpora.encodings import text_of
from abalo.corpora.findings import Findings, show_value
from abalo.errors import AbaloError, visible
from abalo.files import is_file, read_bytes

_TEXT, _ANNOTATIONS = ".txt", ".ann"
_ENTITY = re.compile(r"(T[^\t ]+)\t(\S+) (\d{1,9} \d{1,9}(?:;\d{1,9} \d{1,9})*)\t([^\t]*)")
_RELATION = re.compile(r"(R[^\t ]+)\t(\S+) [^\s:]+:(\S+) [^\s:]+:(\S+)\s*")
_NOT_READ = {
    "E": "event",
    "A": "attribute",
    "M": "attribute",
    "N": "normalisation",
    "#": "note",
    "*": "equivalence",
}
_EXPECTED = "an annotation of brat, such as T1, a tab, PER 0 3, a tab, Ann; correct it, or rename another's file"
_EXAMPLE, _LINE, _DOCUMENT = "example", "line", "document"


@dataclass(frozen=True, slots=True)
class _Entity:
    line: int
    name: str
    label: str
    parts: Sequence[tuple[int, int]]
    words: str

    @property
    def start(self) -> int:
        return self.parts[0][0]

    @property
    def stop(self) -> int:
        return self.parts[-1][1]

    def moved(self, by: int) -> _Entity:
        return replace(self, parts=[(start + by, stop + by) for start, stop in self.parts])

    def stands_in(self, text: str) -> bool:
        own = " ".join(text[start:stop] for start, stop in self.parts)
        return self.fits(text) and own.split() == self.words.split()

    def fits(self, text: str) -> bool:
        ends = [end for part in self.parts for end in part]
        in_order = all(one < other for one, other in self.parts) and ends == sorted(ends)
        return in_order and self.start >= 0 and self.stop <= len(text) and bool(text[self.start : self.stop].strip())

    def has_gaps(self, text: str) -> bool:
        return any(text[stop:start].strip() for (_, stop), (start, _) in pairwise(self.parts))

    def span(self, text: str, start: int) -> dict[str, Any]:
        words = text[self.start : self.stop]
        return {"start": self.start - start, "end": self.stop - start, "label": self.label, "text": words}


@dataclass(frozen=True, slots=True)
class _Relation:
    line: int
    label: str
    ends: tuple[str, str]


@dataclass(slots=True)
class _Annotations:
    """An .ann file, with entities by id; ``others`` are the ids of events and the like."""

    entities: dict[str, _Entity]
    relations: list[_Relation]
    others: set[str]


def _read(path: Path, settings: Mapping[str, Any], tally: Tally) -> Iterator[tuple[str, Json]]:
    root = path if path.is_dir() else path.parent
    for file in _files(path, tally):
        name = visible(file.relative_to(root).with_suffix(_TEXT))
        yield from _records(file, name, settings.get(_EXAMPLE) == _DOCUMENT, tally)


def _files(path: Path, tally: Tally) -> list[Path]:
    """The .ann files that a path means."""
    if not path.is_dir():
        if path.suffix.lower() not in (_TEXT, _ANNOTATIONS):
            raise AbaloError(f"{visible(path)}: expected a folder, a {_TEXT} or a {_ANNOTATIONS} file of brat")
        return [path if path.suffix.lower() == _ANNOTATIONS else _beside(path, _ANNOTATIONS)]
    files = sorted(path.rglob(f"*{_ANNOTATIONS}"), key=lambda file: file.relative_to(path).parts)
    if not files:
        raise AbaloError(f"{visible(path)}: no {_ANNOTATIONS} file in it; expected the documents of brat")
    bare = [file for file in path.rglob(f"*{_TEXT}") if not is_file(file.with_suffix(_ANNOTATIONS))]
    tally.left_out("document", f"without an {_ANNOTATIONS} file", len(bare))
    return files


def _beside(path: Path, suffix: str) -> Path:
    found = path.with_suffix(suffix)
    if not is_file(found):
        raise AbaloError(f"{visible(path)}: no {visible(found.name)} beside it; brat has both; put it there")
    return found


def _records(file: Path, name: str, whole: bool, tally: Tally) -> Iterator[tuple[str, Json]]:
    own = Findings(visible(file), lenient=False)
    read = _annotations(_decoded(file), own, tally)
    own.raise_any()
    text = _fitted(_decoded(_beside(file, _TEXT)), read.entities, tally)
    for each in read.entities.values():
        _check(each, text, own)
    for relation in read.relations:
        for end in relation.ends:
            if end not in read.entities and end not in read.others:
                own.error(relation.line, f"the relation is of {show_value(end)}, which is not annotated; add or remove")
    own.raise_any()
    joined = {key: each for key, each in read.entities.items() if not each.has_gaps(text)}
    for each in read.entities.values():
        if each.name not in joined:
            tally.left_out("entity", "with a gap", first=f"{show_value(each.words)} in {own.source}:{each.line}")
    pairs = []
    for relation in read.relations:
        ends = [joined[end] for end in relation.ends if end in joined]
        if len(ends) == len(relation.ends):
            pairs.append((relation.label, ends))
        else:
            tally.left_out("relation", "of an event, or of an entity with a gap")
    uncut = [(each.start, each.stop) for each in joined.values()]
    uncut += [(min(each.start for each in ends), max(each.stop for each in ends)) for _, ends in pairs]
    for start, stop in [(0, len(text))] if whole else _examples(text, uncut):
        if not text[start:stop].strip():
            continue
        record: dict[str, Any] = {
            "text": text[start:stop],
            "spans": [each.span(text, start) for each in joined.values() if start <= each.start < stop],
        }
        related = [(label, ends) for label, ends in pairs if start <= ends[0].start < stop]
        if related:
            record["relations"] = [
                {"head_span": head.span(text, start), "child_span": child.span(text, start), "label": label}
                for label, (head, child) in related
            ]
        yield f"{name}:{text.count(chr(10), 0, start) + 1}", record


def _annotations(text: str, findings: Findings, tally: Tally) -> _Annotations:
    read = _Annotations({}, [], set())
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip("\r")
        if not line.strip():
            continue
        if (found := _ENTITY.match(line)) is not None:
            name, label, places, words = found.groups()
            ends = [part.split(" ") for part in places.split(";")]
            if name in read.entities:
                findings.error(number, f"{show_value(name)} is there twice; expected an id once; rename one")
            parts = [(int(start), int(stop)) for start, stop in ends]
            read.entities[name] = _Entity(number, name, label, parts, words)
        elif (found := _RELATION.fullmatch(line)) is not None:
            read.relations.append(_Relation(number, found[2], (found[3], found[4])))
        elif line[0] in _NOT_READ and "\t" in line:
            read.others.add(line.partition("\t")[0])
            tally.left_out(_NOT_READ[line[0]], "")
        else:
            findings.error(number, f"{show_value(line)}; expected {_EXPECTED}")
    return read


def _check(entity: _Entity, text: str, findings: Findings) -> None:
    places = ";".join(f"{start} {stop}" for start, stop in entity.parts)
    if not entity.fits(text):
        findings.error(
            entity.line,
            f"{entity.name} at {places}; expected places in the text, 0 to {len(text)}, in order, with visible "
            "characters between them",
        )
    elif not entity.stands_in(text):
        own = " ".join(text[start:stop] for start, stop in entity.parts)
        findings.error(
            entity.line,
            f"{entity.name} is {show_value(entity.words)}, but the text has {show_value(own)} at {places}; expected "
            "the same; correct the places, which count characters",
        )


def _fitted(text: str, entities: dict[str, _Entity], tally: Tally) -> str:
    """The text in which the places of ``entities`` fit best, after moving them if they count a byte order mark."""
    without = text.replace("\r\n", "\n")
    ways = [(text, 0, ""), (without, 0, "skip carriage returns"), (text, -1, "count a byte order mark")]

    def misfits(way: tuple[str, int, str]) -> int:
        return sum(not each.moved(way[1]).stands_in(way[0]) for each in entities.values())

    best, by, told = min(ways, key=misfits)
    if told:
        entities |= {name: each.moved(by) for name, each in entities.items()}
        tally.reduced("document", f"whose places {told}")
    return best


def _examples(text: str, uncut: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The start and stop of each line, or of several lines that an ``uncut`` span joins."""
    start = reach = 0
    waiting = sorted(uncut, reverse=True)
    for found in re.finditer(r"[^\n]*\n|[^\n]+", text):
        while waiting and waiting[-1][0] < found.end():
            reach = max(reach, waiting.pop()[1])
        if reach <= found.end():
            yield start, found.end()
            start = found.end()


def _decoded(file: Path) -> str:
    findings = Findings(visible(file), lenient=False)
    try:
        text = text_of(read_bytes(file), findings, mendable=False)
    except OSError as error:
        raise AbaloError(f"{visible(file)}: cannot be read: {error.strerror or error}") from error
    findings.raise_any()
    return text


READER = Reader(
    "brat",
    "brat standoff: a folder of .txt and .ann files, or one of them; entities and relations",
    _read,
    (_ANNOTATIONS,),
    (
        chosen(
            _EXAMPLE,
            "what becomes an example; lines are joined if an annotation lies in both",
            (_LINE, _DOCUMENT),
        ),
    ),
)
