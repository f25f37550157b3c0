"""Princeton or Open English WordNet files [wndb(5WN)]."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from abalo.errors import AbaloError
from abalo.files import read_bytes
from abalo.models.networks.local_files import content_hash, existing_folder
from perturbations.resources import Sense

PREFIX = "wordnet:"

PARTS: Mapping[str, str] = {"noun": "NOUN", "verb": "VERB", "adj": "ADJ", "adv": "ADV"}

_ANTONYM = "!"


class WordNet:
    """`Senses` by part of speech, most frequent first; base forms and single words only."""

    def __init__(self, path: str | Path, parts: Sequence[str] = tuple(PARTS)) -> None:
        self.name = f"{PREFIX}{path}"
        folder = existing_folder(self.name, path)
        files = [folder / f"{kind}.{part}" for part in parts for kind in ("index", "data")]
        absent = [file.name for file in files if not file.is_file()]
        if absent:
            raise AbaloError(f"{self.name}: no {', '.join(absent)}; expected the folder of WordNet's database files")
        self._offsets = {part: self._index(folder / f"index.{part}") for part in parts}
        self._data = {part: read_bytes(folder / f"data.{part}") for part in parts}
        words = len(set().union(*self._offsets.values()))
        which = "" if tuple(parts) == tuple(PARTS) else f"{', '.join(parts)}; "
        self.edition = f"WordNet ({which}{words:,} words, {content_hash(*files)})"

    def senses(self, word: str) -> list[Sense]:
        return [
            Sense(PARTS[part], self._others(word, part, offset), tuple(self._opposites(word, part, offset)))
            for part, offsets in self._offsets.items()
            for offset in offsets.get(word, ())
        ]

    def _others(self, word: str, part: str, offset: int) -> tuple[str, ...]:
        lemmas, _ = self._synset(part, offset)
        return tuple(lemma for lemma in lemmas if _is_single(lemma) and lemma.lower() != word)

    def _opposites(self, word: str, part: str, offset: int) -> Iterator[str]:
        lemmas, antonyms = self._synset(part, offset)
        for place, target, wanted in antonyms:
            own = lemmas[place - 1 : place]
            for opposite in self._synset(part, target)[0][wanted - 1 : wanted]:
                if [each.lower() for each in own] == [word] and _is_single(opposite):
                    yield opposite

    def _index(self, path: Path) -> dict[str, list[int]]:
        index: dict[str, list[int]] = {}
        for number, line in enumerate(read_bytes(path).split(b"\n"), start=1):
            fields = line.decode("utf-8", "replace").split()
            if not fields or line.startswith(b"  ") or not _is_single(fields[0]):  # the licence is indented
                continue
            try:
                index[fields[0]] = [int(offset) for offset in fields[-int(fields[2]) :]]
            except (ValueError, IndexError) as error:
                raise AbaloError(f"{self.name}: {path.name} line {number} is not a line of an index") from error
        return index

    def _synset(self, part: str, offset: int) -> tuple[list[str], list[tuple[int, int, int]]]:
        data = self._data[part]
        fields = data[offset : data.find(b"\n", offset)].decode("utf-8", "replace").split()
        try:
            stated, count = int(fields[0]), int(fields[3], 16)
            lemmas = [fields[4 + 2 * k].partition("(")[0] for k in range(count)]  # without where an adjective may stand
            behind = fields[4 + 2 * count :]
            pointers = [behind[1 + 4 * k : 5 + 4 * k] for k in range(int(behind[0]))]
            antonyms = [
                (int(ends, 16) // 256, int(target), int(ends, 16) % 256)
                for symbol, target, _, ends in pointers
                if symbol == _ANTONYM
            ]
        except (ValueError, IndexError):
            stated, lemmas, antonyms = -1, [], []
        if stated != offset:
            raise AbaloError(
                f"{self.name}: data.{part} has no synset at byte {offset}, where index.{part} says there is one; are "
                "both files whole, and of one release?"
            )
        return lemmas, antonyms


def _is_single(lemma: str) -> bool:
    return "_" not in lemma
