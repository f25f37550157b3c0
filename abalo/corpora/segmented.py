"""Segmented text: spaced words, CoNLL-U, or labelled characters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from abalo.core.records.example import Example
from abalo.corpora import conllu
from abalo.corpora.conll import refuse_carriage_returns
from abalo.corpora.findings import WHOLE, Findings, show_value
from abalo.corpora.word_labels import sentence_of, words_in
from abalo.errors import AbaloError
from abalo.files import write_bytes
from perturbations import Sentence

_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_SIGNS = {"B": "B", "M": "M", "I": "M", "E": "E", "S": "S"}
_BEHIND = {"": "BS", "B": "ME", "M": "ME", "E": "BS", "S": "BS"}
_TAGGED = re.compile(r"(.+)[/_|#][A-Za-z][A-Za-z0-9-]*+(?:\][A-Za-z]*+)?")
_LABEL = re.compile("[BMESIObmesio](-.+)?")
_MOST = 0.9

_LOOK = 2000

_REMEDY = "correct it, or have a word begin or end there with FILE?lenient"


def holds_words(text: str) -> bool:
    """Whether a text has character columns or Chinese words."""
    lines = [line for line in text.split("\n")[:_LOOK] if line.strip()]
    if not lines or _are_columns(lines):
        return bool(lines)
    return _HAN.search(text) is not None and "\t" not in text and _are_words(lines)


def _are_columns(lines: Sequence[str]) -> bool:
    rows = [cells for line in lines if (cells := line.split())[0][0] != "#" or len(cells) == 2]
    tags = [cells[1] for cells in rows if len(cells) == 2]
    known = sum(tag in _SIGNS for tag in tags)
    chinese = any(_HAN.search(cells[0]) for cells in rows)
    return chinese and known >= _MOST * len(rows) and bool({*tags} & {"M", "E", "S"})


def _are_words(lines: Sequence[str]) -> bool:
    words = [word for line in lines for word in line.split()]
    several = sum(len(line.split()) > 2 for line in lines)
    return 2 * several > len(lines) and sum(len(word) <= 8 for word in words) >= _MOST * len(words)


def parse(text: str, findings: Findings, *, suffix: str = "") -> list[Sentence]:
    """Parses sentences; problems go to ``findings``."""
    lines = text.replace("\r\n", "\n").split("\n")
    written = [line for line in lines if line.strip()]
    if not written:
        findings.error(WHOLE, "no sentences; expected at least one; is this the corpus you meant?")
    elif _is_conllu(written, suffix):
        read = conllu.parse(text, findings, column=None, suffix=conllu.SUFFIXES[0])
        return [sentence_of(each.tokens, each.spaces) for each in read]
    elif any("\r" in line for line in lines):
        refuse_carriage_returns(lines, findings)
    elif _are_columns(written[:_LOOK]):
        return [sentence_of(words) for words in _columns(lines, findings)]
    elif not any(len(line.split()) > 1 for line in written):
        findings.error(WHOLE, "no line has a space; expected words with spaces between, one sentence a line")
    elif _HAN.search(text) is None:
        findings.error(WHOLE, "no Chinese character; expected sentences of Chinese words with spaces between")
    elif (other := _other_form(written[:_LOOK])) is not None:
        findings.error(WHOLE, other)
    words = [word for line in written for word in line.split()]
    if tagged := [*filter(_is_tagged, words)]:
        kind = "ending in what seems to be a tag, read as a part of the word"
        findings.tally.reduced("word", kind, len(tagged), first=show_value(tagged[0]))
    findings.tally.read("word", len(words))
    return [sentence_of(line.split()) for line in written]


def _is_tagged(word: str) -> bool:
    """Whether a word has its part of speech behind, as in *我们/r* and *我们_PN*."""
    found = _TAGGED.fullmatch(word)
    return found is not None and not found[1].isascii()


def _other_form(lines: Sequence[str]) -> str | None:
    """What lines hold instead of words alone."""
    rows = [line.split() for line in lines]
    words = [word for row in rows for word in row]
    if sum(map(_is_tagged, words)) >= _MOST * len(words):
        return f"words with tags, such as {show_value(words[0])}; expected words alone; cut the tags off"
    labelled = [row for row in rows if len(row) in (2, 3) and len(row[0]) == 1 and _LABEL.fullmatch(row[-1])]
    if len(labelled) >= _MOST * len(rows):
        row = show_value(" ".join(rows[0]))
        return f"rows such as {row}; expected a character and one of B, M, E, S in two columns"
    return None


def in_lines(text: str, suffix: str) -> bool:
    """Whether such a file has a sentence per line."""
    written = [line for line in text.split("\n")[:_LOOK] if line.strip()]
    return bool(written) and not _is_conllu(written, suffix) and not _are_columns(written)


def _is_conllu(written: Sequence[str], suffix: str) -> bool:
    first = next((line for line in written if line[0] != "#"), "")
    return suffix.lower() in conllu.SUFFIXES or first.count("\t") == len(conllu.COLUMNS) - 1


def _columns(lines: Sequence[str], findings: Findings) -> Iterator[list[str]]:
    words: list[str] = []
    before = ""
    for number, line in enumerate([*lines, ""], start=1):
        cells = line.split()
        if not cells:
            if before not in ("", "E", "S"):
                findings.mended(number - 1, f"the sentence ends with {before}; expected E or S; {_REMEDY}")
            if words:
                yield words
            words, before = [], ""
        elif cells[0][0] == "#" and len(cells) != 2:
            continue
        elif len(cells) != 2 or cells[1] not in _SIGNS:
            findings.error(number, f"{show_value(line)}; expected a character and one of B, M, E, S; correct it")
        else:
            sign = _SIGNS[cells[1]]
            if sign not in _BEHIND[before]:
                behind = f"behind {before}" if before else "at the beginning"
                findings.mended(number, f"{sign} stands {behind}; expected {' or '.join(_BEHIND[before])}; {_REMEDY}")
            if sign in "BS" or before in ("", "E", "S"):
                words.append(cells[0])
            else:
                words[-1] += cells[0]
            before = sign


def written_words(sentence: Sentence) -> Iterator[str]:
    """The words of a sentence as written."""
    for span in words_in(sentence.tags or ()):
        yield "".join(sentence.tokens[span.start : span.stop])


def write(corpus: Any, examples: Sequence[Example], path: Path, _notes: Sequence[Mapping[str, Any]]) -> None:
    """Writes a line of spaced words per sentence, without notes.

    Raises `AbaloError` for characters outside words.
    """
    lines = []
    for number, example in enumerate(examples, start=1):
        tags = example.sentence.tags or ()
        if not tags or "" in tags:
            raise AbaloError(
                f"{path}: sentence {number} has characters that belong to no word, which lines of words cannot hold; "
                "leave it out"
            )
        lines.append(" ".join(written_words(example.sentence)) + "\n")
    if not lines:
        raise AbaloError(f"{path}: {corpus.name} has no sentences to write")
    write_bytes(path, "".join(lines).encode("utf-8"))
