"""JSON lines: an object with ``tokens`` and ``tags`` on each line, and ``spaces`` where white space matters."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from abalo.corpora.corpus import Corpus, Notes
from abalo.corpora.drafts import Draft
from abalo.corpora.files import is_unicode
from abalo.corpora.findings import Findings, shown
from abalo.corpora.records import draft_of
from abalo.errors import AbaloError
from abalo.files import write_bytes
from perturbations import Sentence


def parse_jsonl(text: str, findings: Findings) -> list[Draft]:
    """The sentences of a JSONL file, in order; lines of white space are skipped."""
    drafts = []
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = strict_json(line)
        except (ValueError, RecursionError) as error:  # also a number too long, or nesting too deep
            findings.error(number, f"not JSON: {why_not_json(error)}; expected one object a line")
            continue
        if (draft := draft_of(record, number, findings)) is not None:
            drafts.append(draft)
    return drafts


class _TwiceError(ValueError):
    """A key that an object has twice, of which one value would be lost."""


def strict_json(line: str) -> Any:
    """The value that a line holds; raises ValueError for invalid JSON, and for an object with a key twice."""
    return json.loads(line, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for k, key in enumerate(keys) if key in keys[:k])
        raise _TwiceError(f"the key {shown(twice)} is there twice")
    return found


def why_not_json(error: Exception) -> str:
    """The reason why `strict_json` refused a line."""
    if isinstance(error, _TwiceError):
        return str(error)
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} at character {error.colno}"
    return "nested too deeply" if isinstance(error, RecursionError) else "a number is too long"


def write_jsonl(corpus: Corpus, path: str | Path, notes: Notes = ()) -> None:
    """``corpus`` as JSON lines, which `load` reads back as it was.

    ``notes``, if any, are further fields of each line, in front. There is ``spaces`` only where they are not the usual
    ones, and ``pos_tags`` where the corpus has them. The file is there whole or not at all. Raises AbaloError for a
    sentence without tokens or with half of a surrogate pair, and where the file cannot be written.
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
