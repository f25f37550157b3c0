"""Synonyms from the database files of Princeton WordNet, as wndb(5WN) describes them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from abalo.errors import AbaloError
from abalo.models.local_files import content_hash, existing_folder
from abalo.sources.candidates import fitted
from abalo.sources.protocols import Synonym
from perturbations import Sentence

PARTS = ("noun", "verb", "adj", "adv")
"""The parts of speech of WordNet, as its file names have them."""


class WordNet:
    """The other words in the synsets of a word, most frequent sense first, within each of the ``parts`` of speech.

    Only base forms are found and given: nothing is inflected, so that nothing ungrammatical comes out of it. All have
    the similarity 1. Of each word the first ``most`` are given. Raises `AbaloError` where a file is missing or broken.
    """

    def __init__(self, path: str | Path, most: int, parts: Sequence[str] = PARTS) -> None:
        self._spec = f"wordnet:{path}"
        folder = existing_folder(self._spec, path)
        files = [folder / f"{kind}.{part}" for part in parts for kind in ("index", "data")]
        absent = [file.name for file in files if not file.is_file()]
        if absent:
            raise AbaloError(f"{self._spec}: no {', '.join(absent)}; expected the folder of WordNet's database files")
        self._offsets = {part: self._index(folder / f"index.{part}") for part in parts}
        self._data = {part: (folder / f"data.{part}").read_bytes() for part in parts}
        self._most = most
        words = len(set().union(*self._offsets.values()))
        which = "" if tuple(parts) == PARTS else f"{', '.join(parts)}; "
        self.name = f"WordNet ({which}{words:,} words, {content_hash(*files)}), at most {most}"

    def of(self, sites: Sequence[tuple[Sentence, int]]) -> list[Sequence[Synonym]]:
        """For each word its synonyms; none for a word that is not in WordNet in this form."""
        return [self._of(sentence.tokens[place]) for sentence, place in sites]

    def _of(self, word: str) -> tuple[Synonym, ...]:
        return fitted(word, ((lemma, 1.0) for lemma in self._lemmas(word.lower())), self._most)

    def _lemmas(self, word: str) -> Iterator[str]:
        for part, offsets in self._offsets.items():
            for offset in offsets.get(word, ()):
                yield from self._synset(part, offset)

    def _index(self, path: Path) -> dict[str, list[int]]:
        """For each single word the places of its synsets in the data file, most frequent first."""
        index: dict[str, list[int]] = {}
        for number, line in enumerate(path.read_bytes().split(b"\n"), start=1):
            fields = line.decode("utf-8", "replace").split()
            if not fields or line.startswith(b"  ") or "_" in fields[0]:  # the licence is indented
                continue
            try:
                index[fields[0]] = [int(offset) for offset in fields[-int(fields[2]) :]]
            except (ValueError, IndexError) as error:
                raise AbaloError(f"{self._spec}: {path.name} line {number} is not a line of an index") from error
        return index

    def _synset(self, part: str, offset: int) -> list[str]:
        """The single words of a synset; an adjective without the marker of where it may stand."""
        data = self._data[part]
        fields = data[offset : data.find(b"\n", offset)].decode("utf-8", "replace").split()
        try:
            stated = int(fields[0])
            lemmas = [fields[4 + 2 * k].partition("(")[0] for k in range(int(fields[3], 16))]
        except (ValueError, IndexError):
            stated, lemmas = -1, []
        if stated != offset:
            raise AbaloError(
                f"{self._spec}: data.{part} has no synset at byte {offset}, where index.{part} says there is one; are "
                "both files whole, and of one release?"
            )
        return [lemma for lemma in lemmas if "_" not in lemma]
