"""Synonyms from a reviewed list: one that ships with Abalo, or a file of the user's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from abalo.errors import AbaloError
from abalo.files import read_text
from abalo.models.local_files import content_hash, existing_file
from abalo.sources.candidates import fitted
from abalo.sources.protocols import Synonym
from perturbations import Sentence
from perturbations.families.character.accents import strip_accents
from perturbations.lexicons import rows

Rows = Iterable[tuple[str, Sequence[str]]]
"""Words, each with some of its synonyms."""


class Lexicon:
    """Words and their synonyms, found in any letter case; without accents too, and then answered without them.

    All have the similarity 1. Of each word the first ``most`` are given.
    """

    def __init__(self, name: str, rows: Rows, most: int) -> None:
        exact: dict[str, tuple[str, ...]] = {}
        for word, synonyms in rows:
            exact[word.lower()] = (*exact.get(word.lower(), ()), *synonyms)
        plain = {strip_accents(word): tuple(map(strip_accents, synonyms)) for word, synonyms in exact.items()}
        self._synonyms = plain | exact
        self._most = most
        self.name = f"lexicon {name.format(words=f'{len(exact):,} words')}, at most {most}"

    def of(self, sites: Sequence[tuple[Sentence, int]]) -> list[Sequence[Synonym]]:
        """For each word its synonyms in the order of the list; none for a word that is not in it."""
        return [self._of(sentence.tokens[place]) for sentence, place in sites]

    def _of(self, word: str) -> tuple[Synonym, ...]:
        return fitted(word, ((other, 1.0) for other in self._synonyms.get(word.lower(), ())), self._most)


def load_lexicon(target: str, most: int) -> Lexicon:
    """The lexicon in the file ``target``, if that ends in .tsv, else the one of that name that ships with Abalo.

    Raises `AbaloError` where there is none, or for what is wrong in the file.
    """
    if target.endswith(".tsv"):
        path = existing_file(f"lexicon:{target}", target)
        return Lexicon(f"{path.name} ({{words}}, {content_hash(path)})", list(_rows(f"lexicon:{target}", path)), most)
    return Lexicon(f"{target} ({{words}})", _shipped(target), most)


def _shipped(name: str) -> Rows:
    try:
        listed = rows(name)
    except ValueError as error:
        raise AbaloError(f"lexicon:{name}: {error}; or give the path of a .tsv file") from error
    if any(len(row) < 2 for row in listed):
        raise AbaloError(f"lexicon:{name}: {name} is a list of words without synonyms; or give the path of a .tsv file")
    if all(len(row) == 3 and row[1].isupper() for row in listed):  # a part of speech
        return [(word, synonyms.split("|")) for word, _, synonyms in listed]
    return [(row[0], (row[1],)) for row in listed if not "".join(row[2:])]  # of the same gender


def _rows(spec: str, path: Path) -> Iterator[tuple[str, list[str]]]:
    """The rows of a file: a word, its part of speech, and its synonyms with ``|`` between; ``#`` begins a comment."""
    try:
        lines = read_text(path, "utf-8-sig").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise AbaloError(f"{spec}: cannot be read as UTF-8 text: {error}") from error
    for number, line in enumerate(lines, start=1):
        if line.strip() and not line.startswith("#"):
            cells = [cell.strip() for cell in line.split("\t")]
            synonyms = [synonym.strip() for synonym in cells[-1].split("|")]
            if len(cells) != 3 or not all(cells) or not all(synonyms):
                raise AbaloError(
                    f"{spec} line {number}: {line!r}; expected a word, a tab, its part of speech, a tab, and its "
                    "synonyms with | between"
                )
            yield cells[0], synonyms
