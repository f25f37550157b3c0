"""Models, word vectors, wordnets and given names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from abalo.errors import AbaloError
from abalo.files import expand_home, is_file
from abalo.models.auxiliary.masked_lm import MaskedLM, load_masked_lm
from abalo.models.auxiliary.translator import Translator, load_translator
from abalo.models.networks.local_files import HUB_ID
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
    RankedWord,
    Senses,
    Suggesting,
    Translating,
)
from perturbations.suggestions import did_you_mean, did_you_mean_path

NONE = "none"
"""The name of a missing resource; skips the case."""

_MOST = 50

_REMEMBERED = 100_000


class Suggested:
    """`Suggesting` by a masked language model."""

    def __init__(self, name: str, model: MaskedLM) -> None:
        self.name = name
        self._model = model
        self._known: dict[tuple[tuple[str, ...], tuple[str, ...], int], Sequence[RankedWord]] = {}

    @property
    def edition(self) -> str:
        return self._model.name

    def suggestions(self, sentence: Sentence, place: int) -> Sequence[RankedWord]:
        key = (sentence.tokens, sentence.spaces, place)
        if key not in self._known:
            _make_room(self._known)
            (self._known[key],) = self._model.proposals([(sentence, place)], _MOST)
        return self._known[key]


class Translated:
    """`Translating` by a model.

    Each call is one batch, independent of earlier calls.
    """

    def __init__(self, name: str, model: Translator) -> None:
        self.name = name
        self._model = model
        self._known: dict[tuple[str, ...], Sequence[str | None]] = {}

    @property
    def edition(self) -> str:
        return self._model.name

    def translations(self, texts: Sequence[str]) -> Sequence[str | None]:
        key = tuple(texts)
        if key not in self._known:
            _make_room(self._known)
            self._known[key] = self._model.translations(key)
        return self._known[key]


class Near:
    """`Neighbours` by positive cosine; empty for unknown words."""

    def __init__(self, name: str, source: VectorSynonyms) -> None:
        self.name = name
        self._source = source

    @property
    def edition(self) -> str:
        return self._source.name

    def near(self, words: Sequence[str]) -> Sequence[Sequence[RankedWord]]:
        found = self._source.of([(Sentence((word,)), 0) for word in words])
        return [[(each.word, each.similarity) for each in synonyms] for synonyms in found]


def make_resource(spec: str, kind: type) -> object:
    """Loads a resource of one of the `KINDS`."""
    found = f"{spec!r} stands for nothing; expected {KINDS[kind].wanted}" if spec == NONE else problem(spec, kind)
    if found is not None:
        raise AbaloError(found)
    return KINDS[kind].make(spec)


def problem(spec: object, kind: type) -> str | None:
    """Why ``spec`` names no resource; does not load it."""
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
    hint = did_you_mean(spec, known.shipped) or did_you_mean_path(expand_home(spec))
    return f"{spec!r}; there is none{hint}; expected {known.wanted}"


def _open_suggester(spec: str) -> Suggested:
    return Suggested(spec, load_masked_lm(spec))


def _open_translator(spec: str) -> Translated:
    return Translated(spec, load_translator(spec))


def _near(spec: str) -> Near:
    path, rows = _vectors(spec)
    return Near(spec, VectorSynonyms(read_vectors(path, rows), _MOST, 0.0))


def _senses(spec: str) -> Senses:
    return REVIEWED if spec == REVIEWED.name else load_senses(spec)


def _open_given_names(spec: str) -> GivenNames:
    return LISTED_NAMES if spec == LISTED_NAMES.name else FakerGivenNames(spec)


def _vectors(spec: str) -> tuple[str, int | None]:
    path, _, rows = spec.rpartition(":")
    return (path, int(rows)) if path and rows.isdecimal() else (spec, None)


def _is_model(spec: str) -> bool:
    folder = expand_home(spec)
    return folder.is_dir() or (HUB_ID.fullmatch(spec) is not None and not folder.exists())


def _is_vectors(spec: str) -> bool:
    return is_file(expand_home(_vectors(spec)[0]))


def _is_faker(spec: str) -> bool:
    return spec.startswith(faker_names.PREFIX) and faker_names.problem(spec) is None


def _is_wordnet(spec: str) -> bool:
    return senses.problem(spec) is None


def _make_room(known: dict[Any, Any]) -> None:
    if len(known) >= _REMEMBERED:
        known.clear()


_MODEL = "that save_pretrained wrote, or its id on the Hugging Face hub where it is in the cache (hf download ID)"


class ResourceKind(NamedTuple):
    """How to load and name a kind of resource."""

    make: Callable[[str], object]
    wanted: str
    may_be: Callable[[str], bool]
    shipped: tuple[str, ...] = ()


KINDS: Mapping[type, ResourceKind] = {
    Suggesting: ResourceKind(
        _open_suggester,
        f'"{BUNDLED}" for the Portuguese one that ships, or the folder of a masked language model {_MODEL}',
        _is_model,
        (BUNDLED,),
    ),
    Translating: ResourceKind(_open_translator, f"the folder of a translation model {_MODEL}", _is_model),
    Neighbours: ResourceKind(
        _near,
        "a file of word vectors, in text as word2vec and fastText write it or in .npz, or FILE:ROWS for its first rows",
        _is_vectors,
    ),
    GivenNames: ResourceKind(
        _open_given_names,
        f'"{LISTED_NAMES.name}" for none but those in the lists that ship, or {faker_names.PREFIX}LOCALE for those of '
        "Faker too (pip install 'abalo[faker]')",
        _is_faker,
        (LISTED_NAMES.name,),
    ),
    Senses: ResourceKind(
        _senses,
        f'"{REVIEWED.name}" for the lists that ship, one of them by name ({", ".join(lexicon.names())}), or '
        f"{', '.join(SENSES)}, the last one by the library wn (pip install 'abalo[wordnet]')",
        _is_wordnet,
        (REVIEWED.name,),
    ),
}
