"""JSON sentences with ``tokens`` and ``tags``, or with spans."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from abalo.corpora.corpus import Corpus, Notes
from abalo.corpora.drafts import Draft
from abalo.corpora.encodings import is_unicode
from abalo.corpora.findings import Findings
from abalo.corpora.json_text import records
from abalo.corpora.records import drafts_of
from abalo.errors import AbaloError
from abalo.files import write_bytes
from perturbations import Sentence


def parse_json(text: str, findings: Findings, asked: Mapping[str, str]) -> list[Draft]:
    """Parses JSON sentences; ``asked`` names token and tag keys."""
    return drafts_of(records(text, findings), findings, asked)


def write_jsonl(corpus: Corpus, path: str | Path, notes: Notes = ()) -> None:
    """Writes JSON lines that `load` restores exactly.

    ``notes`` come first; ``spaces`` only if unusual. Raises `AbaloError` for empty sentences and lone surrogates.
    """
    path = Path(path)
    if not corpus.sentences:
        raise AbaloError(f"{path}: {corpus.name} has no sentences to write")
    kinds = corpus.parts_of_speech or [None] * len(corpus.sentences)
    sentences = zip(corpus.sentences, kinds, notes or [{}] * len(corpus.sentences), strict=True)
    lines = [
        _line(sentence, row, note, number, path) for number, (sentence, row, note) in enumerate(sentences, start=1)
    ]
    write_bytes(path, "".join(lines).encode("utf-8"))


def _line(sentence: Sentence, kinds: Sequence[str] | None, note: Mapping[str, object], number: int, path: Path) -> str:
    record = {**note, "tokens": sentence.tokens, "tags": sentence.tags}
    if kinds is not None:
        record["pos_tags"] = tuple(kinds)
    if sentence.spaces != Sentence(sentence.tokens).spaces:
        record["spaces"] = sentence.spaces
    line = json.dumps(record, ensure_ascii=False)
    if not sentence.tokens or not is_unicode(line):
        what = "half of a surrogate pair" if sentence.tokens else "no tokens"
        raise AbaloError(f"{path}: sentence {number} has {what}, which cannot be read back; leave it out or correct it")
    return line + "\n"
