"""Tagged words written as CoNLL-U."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from abalo.core.example import Example
from abalo.core.task import Writer
from abalo.corpora.conll import comment
from abalo.corpora.encodings import is_unicode
from abalo.corpora.findings import shown
from abalo.errors import AbaloError
from abalo.files import write_bytes
from abalo.tasks.pos.conllu import COLUMNS
from perturbations import Sentence

_SPACES = ("", " ")
_BREAKS_COLUMNS = ("\t", "\n", "\r")


def write(corpus: Any, examples: Sequence[Example], path: Path, notes: Sequence[Mapping[str, Any]]) -> None:
    """The sentences with their tags in the column that the corpus has them in; columns without a value have ``_``.

    Notes, but for ``edits``, stand above each sentence as comments; ``id`` is called ``sent_id`` there. Raises
    `AbaloError` for a sentence that the columns cannot hold: an empty one, other white space than one space between
    words, a word with a tab, a line break or no visible character.
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
    for number, (token, tag, space) in enumerate(rows, start=1):
        cells = dict.fromkeys(COLUMNS, "_") | {"ID": str(number), "FORM": token, scheme: tag}
        if not space and number < len(sentence):
            cells["MISC"] = "SpaceAfter=No"
        yield "\t".join(cells.values())


def _check(sentence: Sentence, number: int, path: Path) -> None:
    """Raises `AbaloError` for what CoNLL-U cannot hold."""
    odd = next((space for space in sentence.spaces if space not in _SPACES), None)
    cells = (*sentence.tokens, *(sentence.tags or ()))
    broken = next(
        (
            cell
            for cell in cells
            if cell != cell.strip() or not cell or any(each in cell for each in _BREAKS_COLUMNS) or not is_unicode(cell)
        ),
        None,
    )
    if not sentence.tokens or odd is not None or broken is not None:
        what = "no tokens" if not sentence.tokens else f"{shown(odd if broken is None else broken)}"
        raise AbaloError(f"{path}: sentence {number} has {what}, which CoNLL-U cannot hold; leave it out or correct it")
