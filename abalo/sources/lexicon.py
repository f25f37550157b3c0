"""Synonyms from a bundled or user's list."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from abalo.errors import AbaloError
from abalo.files import read_text
from abalo.models.networks.local_files import content_hash, existing_file
from abalo.sources.candidates import fit_candidates
from abalo.sources.protocols import Synonym
from perturbations import Sentence
from perturbations.families.word.synonyms import SEED
from perturbations.families.word.word_lists import WordRow, list_of_rows, shipped_list
from perturbations.languages import with_parts
from perturbations.resources import WordList
from perturbations.suggestions import did_you_mean

PREFIX = "lexicon:"

FILE = ".tsv"

_PARTS = ("antonyms", "legal", "near_synonyms", "synonyms")


class Lexicon:
    """The first ``most`` synonyms in list order, with similarity 1.

    Ignores letter case; words without accents get synonyms without accents.
    """

    def __init__(self, found: WordList, most: int) -> None:
        self._list = found
        self._most = most
        known = found.edition or f"{found.shipped} ({len(found.words):,} words)"
        self.name = f"lexicon {known}, at most {most}"

    def of(self, sites: Sequence[tuple[Sentence, int]]) -> list[Sequence[Synonym]]:
        return [self._of(sentence.tokens[place]) for sentence, place in sites]

    def _of(self, word: str) -> tuple[Synonym, ...]:
        found = (other for sense in self._list.senses(word.lower()) for other in sense.synonyms)
        return fit_candidates(word, ((other, 1.0) for other in found), self._most)


def load_list(spec: str) -> WordList:
    """Loads ``lexicon:FILE.tsv``, ``lexicon:NAME`` or a bundled name."""
    target = spec.removeprefix(PREFIX)
    if target.endswith(FILE):
        path = existing_file(spec, target)
        found = list_of_rows(spec, _rows(spec, path))
        return replace(found, edition=f"{path.name} ({len(found.words):,} words, {content_hash(path)})")
    if target not in names():
        raise AbaloError(
            f"{spec}: no lexicon {target!r}{did_you_mean(target, names())}; there are: {', '.join(names())}; or give "
            "the path of a .tsv file"
        )
    return replace(shipped_list(target), name=spec)


def problem(spec: str) -> str | None:
    """Why ``spec`` names no valid list; only a user's file is read."""
    if spec.removeprefix(PREFIX) in names():
        return None
    try:
        load_list(spec)
    except AbaloError as error:
        return str(error)
    return None


def is_list(spec: str) -> bool:
    """Whether ``spec`` looks like a list name."""
    return spec.startswith(PREFIX) or spec in names()


def names() -> tuple[str, ...]:
    """Bundled lists of replaceable words."""
    return (SEED, *(f"{part}_{code}" for part in _PARTS for code in with_parts(part)))


def _rows(spec: str, path: Path) -> Iterator[WordRow]:
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
            yield cells[0], cells[1], tuple(synonyms)
