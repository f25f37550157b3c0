"""Models, word vectors, wordnets and given names that perturbations use, by their names in thresholds.toml."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from abalo.errors import AbaloError
from abalo.files import expanded, is_file
from abalo.models.local_files import HUB_ID
from abalo.models.masked_lm import MaskedLM, load_masked_lm
from abalo.models.translator import Translator, load_translator
from abalo.sources import faker_names, lexicon, senses
from abalo.sources.faker_names import FakerGivenNames
from abalo.sources.senses import SENSES, load_senses
from abalo.sources.vectors import VectorSynonyms, read_vectors
from perturbations import Sentence
from perturbations.resources import (
    BUNDLED,
    LISTED_NAMES,
    REVIEWED,
    UNNAMED,
    GivenNames,
    Neighbours,
    Ranked,
    Senses,
    Suggesting,
    Translating,
)
from perturbations.suggestions import did_you_mean, did_you_mean_path

NONE = "none"
"""The name for a resource that a case needs and does not have: the case is skipped."""

_MOST = 50
"""How many words are requested, of which a perturbation takes those that fit."""

_REMEMBERED = 100_000
"""Answers that are kept for other seeds and cases; beyond, all are forgotten."""


class Suggested:
    """Suggestions of a masked language model; a `Suggesting`. Each place is shown to it by itself, once."""

    def __init__(self, name: str, model: MaskedLM) -> None:
        self.name = name
        self._model = model
        self._known: dict[tuple[tuple[str, ...], tuple[str, ...], int], Sequence[Ranked]] = {}

    @property
    def edition(self) -> str:
        """The model, as it can be told from others of its name."""
        return self._model.name

    def suggestions(self, sentence: Sentence, place: int) -> Sequence[Ranked]:
        """The likeliest words with their probabilities."""
        key = (sentence.tokens, sentence.spaces, place)
        if key not in self._known:
            _make_room(self._known)
            (self._known[key],) = self._model.proposals([(sentence, place)], _MOST)
        return self._known[key]


class Translated:
    """Translations by a model; a `Translating`.

    Texts that come in one call are translated in one batch, so that no answer depends on earlier calls.
    """

    def __init__(self, name: str, model: Translator) -> None:
        self.name = name
        self._model = model
        self._known: dict[tuple[str, ...], Sequence[str | None]] = {}

    @property
    def edition(self) -> str:
        """The model, as it can be told from others of its name."""
        return self._model.name

    def translations(self, texts: Sequence[str]) -> Sequence[str | None]:
        """The best translation of each."""
        key = tuple(texts)
        if key not in self._known:
            _make_room(self._known)
            self._known[key] = self._model.translations(key)
        return self._known[key]


class Near:
    """Nearest words by word vectors; a `Neighbours`."""

    def __init__(self, name: str, source: VectorSynonyms) -> None:
        self.name = name
        self._source = source

    @property
    def edition(self) -> str:
        """The vectors, as they can be told from others of their name."""
        return self._source.name

    def near(self, words: Sequence[str]) -> Sequence[Sequence[Ranked]]:
        """The nearest words with a positive cosine; none for a word that has no vector."""
        found = self._source.of([(Sentence((word,)), 0) for word in words])
        return [[(each.word, each.similarity) for each in synonyms] for synonyms in found]


def made(spec: str, kind: type) -> Any:
    """The resource that ``spec`` names, of one of the `KINDS`; raises `AbaloError` where it cannot be loaded."""
    found = f"{spec!r} stands for nothing; expected {KINDS[kind].wanted}" if spec == NONE else problem(spec, kind)
    if found is not None:
        raise AbaloError(found)
    return KINDS[kind].make(spec)


def problem(spec: object, kind: type) -> str | None:
    """Why ``spec`` cannot name one; None where it can, as far as can be told without reading it."""
    known = KINDS[kind]
    if spec == UNNAMED:
        return f'missing; expected {known.wanted}; "{NONE}" skips the case'
    if not isinstance(spec, str) or not spec.strip():
        return f"{spec!r}; expected {known.wanted}"
    if spec == NONE or spec in known.shipped or known.may_be(spec):
        return None
    if kind is Senses and lexicon.is_list(spec):
        return lexicon.problem(spec)
    if kind is Senses:
        named = (REVIEWED.name, *lexicon.names())
        why = senses.problem(spec) if ":" in spec else f"{spec!r}; there is none{did_you_mean(spec, named)}"
        return f"{why}; expected {known.wanted}"
    hint = did_you_mean(spec, known.shipped) or did_you_mean_path(expanded(spec))
    return f"{spec!r}; there is none{hint}; expected {known.wanted}"


def _suggested(spec: str) -> Suggested:
    return Suggested(spec, load_masked_lm(spec))


def _translated(spec: str) -> Translated:
    return Translated(spec, load_translator(spec))


def _near(spec: str) -> Near:
    path, rows = _vectors(spec)
    return Near(spec, VectorSynonyms(read_vectors(path, rows), _MOST, 0.0))


def _senses(spec: str) -> Senses:
    return REVIEWED if spec == REVIEWED.name else load_senses(spec)


def _given_names(spec: str) -> GivenNames:
    return LISTED_NAMES if spec == LISTED_NAMES.name else FakerGivenNames(spec)


def _vectors(spec: str) -> tuple[str, int | None]:
    """The file, and how many of its rows to read; None for all."""
    path, _, rows = spec.rpartition(":")
    return (path, int(rows)) if path and rows.isdecimal() else (spec, None)


def _is_model(spec: str) -> bool:
    """Whether it is a folder, or may be the id of a model on the hub."""
    folder = expanded(spec)
    return folder.is_dir() or (HUB_ID.fullmatch(spec) is not None and not folder.exists())


def _is_vectors(spec: str) -> bool:
    return is_file(expanded(_vectors(spec)[0]))


def _is_faker(spec: str) -> bool:
    return spec.startswith(faker_names.PREFIX) and faker_names.problem(spec) is None


def _is_wordnet(spec: str) -> bool:
    return senses.problem(spec) is None


def _make_room(known: dict[Any, Any]) -> None:
    if len(known) >= _REMEMBERED:
        known.clear()


_MODEL = "that save_pretrained wrote, or its id on the Hugging Face hub where it is in the cache (hf download ID)"


class Kind(NamedTuple):
    """A kind of resource: its loader, its names in words, whether a string may be one, the names of those that ship."""

    make: Callable[[str], Any]
    wanted: str
    may_be: Callable[[str], bool]
    shipped: tuple[str, ...] = ()


KINDS: Mapping[type, Kind] = {
    Suggesting: Kind(
        _suggested,
        f'"{BUNDLED}" for the Portuguese one that ships, or the folder of a masked language model {_MODEL}',
        _is_model,
        (BUNDLED,),
    ),
    Translating: Kind(_translated, f"the folder of a translation model {_MODEL}", _is_model),
    Neighbours: Kind(
        _near,
        "a file of word vectors, in text as word2vec and fastText write it or in .npz, or FILE:ROWS for its first rows",
        _is_vectors,
    ),
    GivenNames: Kind(
        _given_names,
        f'"{LISTED_NAMES.name}" for none but those in the lists that ship, or {faker_names.PREFIX}LOCALE for those of '
        "Faker too (pip install 'abalo[faker]')",
        _is_faker,
        (LISTED_NAMES.name,),
    ),
    Senses: Kind(
        _senses,
        f'"{REVIEWED.name}" for the lists that ship, one of them by name ({", ".join(lexicon.names())}), or '
        f"{', '.join(SENSES)}, the last one by the library wn (pip install 'abalo[wordnet]')",
        _is_wordnet,
        (REVIEWED.name,),
    ),
}
