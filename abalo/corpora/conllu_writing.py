"""Writes tagged words and trees as CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from abalo.core.protocols.task import Writer
from abalo.core.records.example import Example
from abalo.corpora.conll import comment
from abalo.corpora.conllu import COLUMNS
from abalo.corpora.encodings import is_unicode
from abalo.corpora.findings import show_value
from abalo.errors import AbaloError
from abalo.files import write_bytes
from perturbations import ROOT, Arcs, Sentence

_SPACES = ("", " ")
_BREAKS_COLUMNS = ("\t", "\n", "\r")


def write(corpus: Any, examples: Sequence[Example], path: Path, notes: Sequence[Mapping[str, object]]) -> None:
    """Writes heads, and tags to the column that the corpus has, else UPOS; empty columns have ``_``.

    Notes except ``edits`` become comments, ``id`` as ``sent_id``. Raises AbaloError for sentences that CoNLL-U cannot
    hold: empty ones, unusual white space, or words with a tab or line break.
    """
    if not examples:
        raise AbaloError(f"{path}: {corpus.name} has no sentences to write")
    blocks = []
    for number, (example, note) in enumerate(zip(examples, notes or [{}] * len(examples), strict=True), start=1):
        _check(example.sentence, number, path)
        said = {"sent_id" if key == "id" else key: value for key, value in note.items() if key != "edits"}
        text = "# text = " + example.sentence.text
        lines = [*map(comment, said.items()), text, *_lines(example.sentence, corpus.scheme)]
        blocks.append("".join(f"{line}\n" for line in lines) + "\n")
    write_bytes(path, "".join(blocks).encode("utf-8"))


WRITERS: Mapping[str, Writer] = {".conllu": write}


def _lines(sentence: Sentence, scheme: str) -> Iterator[str]:
    rows = zip(sentence.tokens, sentence.tags or (), sentence.spaces, strict=True)
    trees = [layer for layer in sentence.layers if isinstance(layer, Arcs)]
    column = "UPOS" if trees else scheme
    for number, (token, tag, space) in enumerate(rows, start=1):
        cells = dict.fromkeys(COLUMNS, "_") | {"ID": str(number), "FORM": token, column: tag or "_"}
        for tree in trees:
            head, relation = tree.heads[number - 1], tree.relations[number - 1]
            if head is not None:
                cells |= {"HEAD": str(0 if head == ROOT else head + 1), "DEPREL": relation}
        if not space and number < len(sentence):
            cells["MISC"] = "SpaceAfter=No"
        yield "\t".join(cells.values())


def _check(sentence: Sentence, number: int, path: Path) -> None:
    odd = next((space for space in sentence.spaces if space not in _SPACES), None)
    trees = any(isinstance(layer, Arcs) for layer in sentence.layers)
    cells = (*sentence.tokens, *(tag for tag in sentence.tags or () if tag or not trees))
    broken = next(
        (
            cell
            for cell in cells
            if cell != cell.strip() or not cell or any(each in cell for each in _BREAKS_COLUMNS) or not is_unicode(cell)
        ),
        None,
    )
    if not sentence.tokens or odd is not None or broken is not None:
        what = "no tokens" if not sentence.tokens else f"{show_value(odd if broken is None else broken)}"
        raise AbaloError(f"{path}: sentence {number} has {what}, which CoNLL-U cannot hold; leave it out or correct it")
