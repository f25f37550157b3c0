"""Documents with clusters of mentions.

* Columns, separated by white space with ``-`` for no mention [CoNLL-2012], or by tabs with an empty last field
  [LitBank].
* CorefUD: CoNLL-U with ``Entity=``; drops mentions with gaps or only empty nodes.
* JSON lines as in e2e-coref: ``sentences``, ``clusters`` of [first, last] token; optional ``doc_key`` and ``spaces``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from abalo.core.protocols.task import AnyCorpus, Writer
from abalo.core.records.example import Example
from abalo.core.records.words import count
from abalo.corpora import conllu, json_text
from abalo.corpora.conll import refuse_carriage_returns
from abalo.corpora.encodings import is_unicode
from abalo.corpora.findings import WHOLE, Findings, show_value
from abalo.corpora.writing import writers_of
from abalo.errors import AbaloError
from abalo.files import write_bytes
from perturbations import Sentence, Span
from perturbations.documents import TokenBounds, document_name, document_of, mentions_of, sentences_of

_BEGIN = "#begin document "
_PART = re.compile(r"; part ([0-9]{1,9})$")
_END = "#end document"
_WORD, _NAMES, _FEWEST = 3, 10, 5
_TAG = conllu.COLUMNS.index("UPOS")
_NONE = ("", "-", "_", "*")
_MARK = re.compile(r"\((\d+)\)|\((\d+)|(\d+)\)")
_CELL = re.compile(r"(\(?)(\d+)(\)?)")
_CLUSTERS = ("eid", "GRP")
_ENTITIES = re.compile(r"(?:\([^()]++\)?|[^()]++\))*+")
_ENTITY = re.compile(r"(?:^|\|)Entity=([^|\s]*)")
_SPLIT_MENTION = re.compile(r"(.+)\[(\d+)/(\d+)\]")
_NAMED = re.compile(r"#\s*newdoc(?:\s+id\s*=(.*))?")
_KEYS = ("sentences", "clusters")
_MENTION = "mention"
_ZERO, _GAPS = "of empty nodes alone (zeros)", "with gaps"


@dataclass(slots=True)
class _DocumentDraft:
    name: str
    sentences: list[tuple[list[str], list[str]]] = field(default_factory=list)
    mentions: list[tuple[Span, int]] = field(default_factory=list)
    open: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    missing: Counter[str] = field(default_factory=Counter)
    count: int = 0

    def opens(self, cluster: str, line: int, start: int) -> None:
        self.open.setdefault(cluster, []).append((start, line))

    def closes(self, cluster: str, line: int, findings: Findings, stop: int) -> None:
        if not self.open.get(cluster):
            findings.mended(line, f"{cluster}) closes a mention that is not open; expected ({cluster} before it")
            return
        start, _ = self.open[cluster].pop()
        if start < stop:
            self.mentions.append((Span(start, stop, cluster), line))
        else:
            self.leave_out(cluster, _ZERO, findings)

    def leave_out(self, cluster: str, kind: str, findings: Findings) -> None:
        self.missing[cluster] += 1
        findings.tally.left_out(_MENTION, kind)

    def finished(self, findings: Findings) -> Sentence:
        for cluster, places in self.open.items():
            for _, line in places:
                told = f"a mention of {cluster} begins here and never ends in {self.name}"
                findings.mended(line, f"{told}; expected {cluster}) at its last word")
        words = [word for own, _ in self.sentences for word in own]
        once: dict[tuple[int, int], Span] = {}
        for each, line in self.mentions:
            first = once.setdefault((each.start, each.stop), each)
            if first is not each:
                said = show_value(" ".join(words[each.start : each.stop]))
                held = f"twice in cluster {each.type}"
                if first.type != each.type:
                    held = f"in clusters {first.type} and {each.type}"
                findings.mended(line, f"the mention {said} of {self.name} is {held}; expected it in one, once")
        kept = Counter(each.type for each in once.values())
        for cluster in self.missing:
            if not kept[cluster]:
                findings.tally.left_out("cluster", "of such mentions alone")
            elif kept[cluster] == 1:
                findings.tally.reduced("cluster", "with one mention left")
        return document_of(self.sentences, once.values(), self.name)


def parse(text: str, findings: Findings, *, suffix: str = "") -> list[Sentence]:
    """Parses documents; problems go to ``findings``."""
    if json_text.is_json(text, suffix):
        made = list(documents_in(json_text.records(text, findings), findings))
    else:
        lines = text.replace("\r\n", "\n").split("\n")
        refuse_carriage_returns(lines, findings)
        made = list(_corefud(text, lines, findings) if _is_conllu(lines, suffix) else _columns(lines, findings))
    findings.tally.read(_MENTION, sum(len(mentions_of(each)) for each in made))
    names = Counter(map(document_name, made))
    if twice := [name for name, number in names.items() if number > 1]:
        told = f"{count(names[twice[0]], 'document')} are called {show_value(twice[0])}"
        more = f", and {count(len(twice) - 1, 'other name')} several times" if len(twice) > 1 else ""
        findings.notices.append(
            f"{told}{more}; each was read as a document of its own. If they are parts of one, join them."
        )
    if not made and not findings.problems:
        findings.error(WHOLE, "no documents; expected '#begin document', CoNLL-U with Entity=, or JSON lines")
    return made


def holds_clusters(text: str, suffix: str) -> bool:
    """Whether `parse` reads a file with this beginning."""
    if json_text.is_json(text, suffix):
        record = json_text.first_record(text)
        return isinstance(record, dict) and all(key in record for key in _KEYS)
    lines = text.split("\n")
    if _is_conllu(lines, suffix):
        return any(line.startswith(conllu.CLUSTERS_TOLD) or _ENTITY.search(line.split("\t")[-1]) for line in lines)
    return any(map(_begun, lines)) and any(_MARK.fullmatch(line.split()[-1]) for line in lines if line.split())


def holds_tags(text: str) -> bool:
    """Whether CoNLL-U has parts of speech, too."""
    words = (line.split("\t") for line in text.split("\n") if line[:1] != "#")
    return any(len(cells) == len(conllu.COLUMNS) and cells[_TAG] not in _NONE for cells in words)


def marks_clusters_alone(text: str) -> bool:
    """Whether columns mark clusters but no CoNLL-2012 names."""
    rows = [line.split("\t") if "\t" in line else line.split() for line in text.split("\n") if line[:1] != "#"]
    named = any(len(cells) > _NAMES and cells[_NAMES].startswith("(") for cells in rows)
    return not named and text.startswith(_BEGIN) and holds_clusters(text, "")


def _is_conllu(lines: Sequence[str], suffix: str) -> bool:
    first = next((line for line in lines if line.strip() and line[0] != "#"), "")
    ten = first.count("\t") == len(conllu.COLUMNS) - 1 and not any(map(_begun, lines))
    return suffix.lower() in conllu.SUFFIXES or ten


def _begun(line: str) -> tuple[str, int] | None:
    """The name and the part of the document that begins with this line."""
    if not line.startswith(_BEGIN):
        return None
    name = line.removeprefix(_BEGIN).rstrip()
    if found := _PART.search(name):
        name = name[: found.start()]
    return name.removeprefix("(").removesuffix(")"), int(found[1]) if found else 0


def _columns(lines: Sequence[str], findings: Findings) -> Iterator[Sentence]:
    draft: _DocumentDraft | None = None
    words: list[str] = []
    width, named = 0, ""
    for number, line in enumerate([*lines, _END], start=1):
        begun = _begun(line)
        if draft is not None and words and (begun or line.startswith(_END) or not line.strip()):
            draft.sentences.append((words, [" "] * len(words)))
            words = []
        if draft is not None and draft.sentences and (begun or line.startswith(_END)):
            if begun or number > len(lines):
                told = f"the document {draft.name} has no '{_END}' behind it; is the file whole?"
                findings.mended(number - 1, f"{told} Add it, or give FILE?lenient")
            yield draft.finished(findings)
            draft = None
        if begun:
            named, part = begun
            draft = _DocumentDraft(f"{named} part {part}" if part else named)
        elif (cells := line.split("\t") if "\t" in line else line.split()) and (
            line[0] != "#" or (draft is not None and cells[0] == named)
        ):
            if draft is None:
                findings.error(
                    number, f"{show_value(line)} stands in no document; expected '#begin document' before it"
                )
                return
            if len(cells) < _FEWEST or not cells[_WORD].strip():
                findings.error(
                    number, f"{show_value(line)}; expected the word in column 4 and its mentions in the last one"
                )
                continue
            width = width if words else len(cells)
            if len(cells) != width:
                findings.error(
                    number, f"{len(cells)} columns; expected {width}, as in the first row of the sentence; correct it"
                )
                continue
            words.append(cells[_WORD])
            _mark(draft, cells[-1].strip(), number, findings)


def _mark(draft: _DocumentDraft, cell: str, number: int, findings: Findings) -> None:
    closing = []
    for mark in [] if cell in _NONE else cell.split("|"):
        found = _MARK.fullmatch(mark)
        if found is None:
            findings.error(number, f"the last column is {show_value(cell)}; expected such as (1, 1), (1)|(2 or -")
            break
        if found[3] is None:
            draft.opens(found[1] or found[2], number, draft.count)
        if found[2] is None:
            closing.append(found[1] or found[3])
    draft.count += 1
    for cluster in closing:
        draft.closes(cluster, number, findings, draft.count)


def _corefud(text: str, lines: Sequence[str], findings: Findings) -> Iterator[Sentence]:
    read = conllu.parse(text, findings, column=None, suffix=conllu.SUFFIXES[0])
    marks = list(_entities_by_sentence(lines))
    declared = next(
        (line.partition("=")[2].split("-") for line in lines if line.startswith(conllu.CLUSTERS_TOLD)), _CLUSTERS
    )
    fields = [each.strip() for each in declared]
    column = next((fields.index(each) for each in _CLUSTERS if each in fields), None)
    if column is None:
        told = f"global.Entity names {show_value('-'.join(fields))}"
        findings.error(WHOLE, f"{told}; expected {' or '.join(_CLUSTERS)} among its fields")
        return
    draft: _DocumentDraft | None = None
    if [len(each.tokens) for each in read] != [sum(is_word for _, is_word, _ in rows) for _, rows in marks]:
        return  # what is wrong is among the findings
    for place, (sentence, (name, rows)) in enumerate(zip(read, marks, strict=True)):
        if draft is None or sentence.opens:
            if draft is not None:
                yield draft.finished(findings)
            draft = _DocumentDraft(name or f"document {place + 1}")
        draft.sentences.append(([*sentence.tokens], [*sentence.spaces[:-1], " "]))
        for number, is_word, marked in rows:
            draft.count += is_word
            if _ENTITIES.fullmatch(marked) is None:
                findings.error(
                    number, f"Entity is {show_value(marked)}; expected such as (e1-person-1), (e1-person-1 or e1)"
                )
                return
            for cluster, opens, closes in _entity_marks(marked, column):
                if part := _SPLIT_MENTION.fullmatch(cluster):
                    if opens and part[2] == "1":
                        draft.leave_out(part[1], _GAPS, findings)
                    continue
                if opens:
                    draft.opens(cluster, number, draft.count - is_word)
                if closes:
                    draft.closes(cluster, number, findings, draft.count)
    if draft is not None:
        yield draft.finished(findings)


def _entities_by_sentence(lines: Sequence[str]) -> Iterator[tuple[str, list[tuple[int, bool, str]]]]:
    rows: list[tuple[int, bool, str]] = []
    name = ""
    for number, line in enumerate([*lines, ""], start=1):
        if not line.strip():
            if any(is_word for _, is_word, _ in rows):
                yield name, rows
                rows, name = [], ""
            continue
        if line[0] == "#":
            found = _NAMED.match(line)
            name = ((found[1] or "").strip() or name) if found else name
            continue
        cells = line.split("\t")
        entity = _ENTITY.search(cells[-1]) if len(cells) == len(conllu.COLUMNS) else None
        if cells[0].isdigit() or "." in cells[0]:
            rows.append((number, cells[0].isdigit(), entity[1] if entity else ""))


def _entity_marks(marked: str, field: int) -> Iterator[tuple[str, bool, bool]]:
    for opens, name, closes in re.findall(r"(\(?)([^()]+)(\)?)", marked):
        parts = name.split("-")
        if opens:
            yield parts[min(field, len(parts) - 1)], True, bool(closes)
        elif closes:
            yield parts[0], False, True


def documents_in(records: Iterable[tuple[int, object]], findings: Findings) -> Iterator[Sentence]:
    """The documents in JSON records."""
    for place, record in records:
        problem = _problem_with(record)
        if problem or not isinstance(record, dict):
            findings.error(place, problem)
            continue
        sentences = [each for each in record["sentences"] if each]
        length = sum(map(len, sentences))
        draft = _DocumentDraft(str(record.get("doc_key", f"document {place}")))
        gaps = iter(record.get("spaces") or [" "] * length)
        draft.sentences = [(each, [next(gaps) for _ in each]) for each in sentences]
        for number, cluster in enumerate(record["clusters"]):
            for first, last in cluster:
                if 0 <= first <= last < length:
                    draft.mentions.append((Span(first, last + 1, str(number)), place))
                    continue
                told = f"lies outside the {length} tokens; leave it out"
                if last < first:
                    told = "ends before it begins; expected the numbers of its first and its last token"
                findings.mended(place, f"the mention [{first}, {last}] of {draft.name} {told}")
        yield draft.finished(findings)


def _problem_with(record: object) -> str:
    if not isinstance(record, dict) or not all(isinstance(record.get(key), list) for key in _KEYS):
        return f"{show_value(record)}; expected an object with lists 'sentences' and 'clusters'"
    tokens = [token for each in record["sentences"] for token in (each if isinstance(each, list) else [None])]
    if not tokens or not all(isinstance(each, str) and each.strip() and is_unicode(each) for each in tokens):
        return "the sentences are not lists of words with visible characters; correct them"
    spaces = record.get("spaces")
    if spaces is not None and (
        not isinstance(spaces, list)
        or len(spaces) != len(tokens)
        or not all(isinstance(each, str) and not each.strip() for each in spaces)
    ):
        return f"the spaces are not white space after each of the {len(tokens)} tokens; correct them or leave them out"
    if odd := [each for each in record["clusters"] if not isinstance(each, list) or not each]:
        return f"the cluster {show_value(odd[0])}; expected a list of mentions, each its first and its last token"
    for mention in (mention for cluster in record["clusters"] for mention in cluster):
        pair = isinstance(mention, list | tuple) and len(mention) == 2
        if not pair or not all(isinstance(each, int) and not isinstance(each, bool) for each in mention):
            return f"the mention {show_value(mention)}; expected the numbers of its first and its last token"
    return ""


# Writing -------------------------------------------------------------------------------------------------------------


def record_of(example: Example) -> dict[str, object]:
    """The document as a JSON record."""
    text = example.sentence
    usual = set(text.spaces[:-1]) <= {" "}
    clusters: dict[str, list[list[int]]] = {}
    for each in mentions_of(text):
        clusters.setdefault(each.type, []).append([each.start, each.stop - 1])
    return {
        "doc_key": document_name(text),
        "sentences": [list(text.tokens[slice(*each)]) for each in sentences_of(text)],
        **({} if usual else {"spaces": list(text.spaces)}),
        "clusters": list(clusters.values()),
    }


def as_cells(mentions: Iterable[tuple[TokenBounds, int]], length: int) -> list[str]:
    """Cluster brackets per token, as in CoNLL-2012."""
    begins: list[list[str]] = [[] for _ in range(length)]
    ends: list[list[str]] = [[] for _ in range(length)]
    for (start, stop), number in sorted(mentions, key=lambda each: (each[0][0], -each[0][1], each[1])):
        begins[start].append(f"({number})" if stop == start + 1 else f"({number}")
        if stop > start + 1:
            ends[stop - 1].insert(0, f"{number})")
    return ["|".join(one + other) for one, other in zip(begins, ends, strict=True)]


def read_cells(cells: Sequence[str]) -> list[tuple[TokenBounds, int]]:
    """Mentions and cluster numbers; inverts `as_cells`."""
    found: list[tuple[TokenBounds, int]] = []
    opened: dict[int, list[int]] = {}
    for place, cell in enumerate(cells):
        for opens, number, closes in _CELL.findall(cell):
            if opens:
                opened.setdefault(int(number), []).append(place)
            if closes:
                found.append(((opened[int(number)].pop(), place + 1), int(number)))
    return sorted(found)


def _numbered(text: Sentence) -> list[tuple[TokenBounds, int]]:
    numbers: dict[str, int] = {}
    return [((each.start, each.stop), numbers.setdefault(each.type, len(numbers))) for each in mentions_of(text)]


def _crosses_itself(text: Sentence) -> bool:
    clusters: dict[int, list[TokenBounds]] = {}
    for bounds, number in _numbered(text):
        clusters.setdefault(number, []).append(bounds)
    return any(
        one[0] < other[0] < one[1] < other[1]
        for mentions in clusters.values()
        for one in mentions
        for other in mentions
    )


def _name_on_a_line(text: Sentence, number: int) -> str:
    return " ".join(document_name(text).split()) or f"document {number}"


def _column_lines(text: Sentence, number: int) -> Iterator[str]:
    cells, name = as_cells(_numbered(text), len(text)), _name_on_a_line(text, number)
    yield f"#begin document ({name}); part 000"
    for start, stop in sentences_of(text):
        for place in range(start, stop):
            yield "\t".join([name, "0", str(place - start), text.tokens[place], *["-"] * 8, cells[place] or "-"])
        yield ""
    yield _END


def _conllu_lines(text: Sentence, number: int) -> Iterator[str]:
    cells = as_cells(_numbered(text), len(text))
    yield f"# newdoc id = {_name_on_a_line(text, number)}"
    yield "# global.Entity = eid"
    for start, stop in sentences_of(text):
        for place in range(start, stop):
            marks = sorted(_CELL.findall(cells[place]), key=lambda mark: mark[0] == "(")
            entity = "".join(f"{opens}e{cluster}{closes}" for opens, cluster, closes in marks)
            glued = place + 1 < stop and not text.spaces[place]
            misc = "|".join([f"Entity={entity}"] * bool(entity) + ["SpaceAfter=No"] * glued) or "_"
            yield "\t".join([str(place - start + 1), text.tokens[place], *["_"] * 7, misc])
        yield ""


def _by(lines_of: Callable[[Sentence, int], Iterator[str]]) -> Writer:
    def written(
        corpus: AnyCorpus, examples: Sequence[Example], path: Path, _notes: Sequence[Mapping[str, object]]
    ) -> None:
        if not examples:
            raise AbaloError(f"{path}: {corpus.name} has no document to write")
        for number, each in enumerate(examples, start=1):
            broken = next((token for token in each.sentence.tokens if len(token.split()) > 1), None)
            if broken is not None:
                raise AbaloError(f"{path}: document {number} has the token {broken!r} with a space in it; write .jsonl")
            if _crosses_itself(each.sentence):
                raise AbaloError(
                    f"{path}: document {number} has mentions of one cluster that cross, which brackets cannot tell; "
                    "write .jsonl"
                )
        lines = [line for k, each in enumerate(examples, start=1) for line in lines_of(each.sentence, k)]
        write_bytes(path, "".join(f"{line}\n" for line in lines).encode("utf-8"))

    return written


WRITERS: Mapping[str, Writer] = {
    **writers_of(record_of, tables=False),
    ".conll": _by(_column_lines),
    ".conllu": _by(_conllu_lines),
}
"""Only JSON keeps notes."""
