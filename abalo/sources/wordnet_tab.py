"""Open Multilingual Wordnet files: synset id, ``lemma``, word."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path

from abalo.errors import AbaloError
from abalo.files import read_text
from abalo.models.networks.local_files import content_hash, existing_file
from abalo.sources.wordnet import PREFIX
from perturbations.resources import Sense

SUFFIX = ".tab"

PARTS: Mapping[str, str] = {"n": "NOUN", "v": "VERB", "a": "ADJ", "s": "ADJ", "r": "ADV"}

_ID = re.compile(r"\d{8}-([nvasr])")


class WordNetTab:
    """`Senses` by synset id, without antonyms; base forms and single words only."""

    def __init__(self, path: str) -> None:
        self.name = f"{PREFIX}{path}"
        file = existing_file(self.name, path)
        self._lemmas: dict[str, list[str]] = {}
        title = self._read(file)
        synsets = defaultdict(list)
        for synset, lemmas in sorted(self._lemmas.items()):
            for lemma in lemmas:
                synsets[lemma.lower()].append(synset)
        self._synsets = dict(synsets)
        self.edition = f"{title or file.name} ({len(self._synsets):,} words, {content_hash(file)})"

    def senses(self, word: str) -> list[Sense]:
        return [
            Sense(
                PARTS[synset[-1]],
                tuple(lemma for lemma in dict.fromkeys(self._lemmas[synset]) if lemma.lower() != word),
            )
            for synset in dict.fromkeys(self._synsets.get(word, ()))
        ]

    def _read(self, path: Path) -> str:
        try:
            lines = read_text(path, "utf-8-sig").splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise AbaloError(f"{self.name}: cannot be read as UTF-8 text: {error}") from error
        for number, line in enumerate(lines, start=1):
            fields = line.split("\t")
            if not line.strip() or line.startswith("#") or (len(fields) > 1 and not _is_lemma(fields[1])):
                continue
            if len(fields) < 3 or not _ID.fullmatch(fields[0]) or not fields[2].strip():
                raise AbaloError(
                    f"{self.name} line {number}: {line!r}; expected the id of a synset, such as 00001740-n, a tab, "
                    "lemma, a tab, and a word"
                )
            lemma = fields[2].strip()
            if lemma.split() == [lemma] and "_" not in lemma:
                self._lemmas.setdefault(fields[0], []).append(lemma)
        if not self._lemmas:
            raise AbaloError(f"{self.name}: has no words; expected lines such as 00001740-n, tab, lemma, tab, entidade")
        title = lines[0].lstrip("# ").split("\t")[0]
        return title if lines[0].startswith("#") and title.isprintable() else ""


def _is_lemma(kind: str) -> bool:
    """``lemma``, or ``por:lemma`` in later files."""
    return kind.rpartition(":")[2] == "lemma"
