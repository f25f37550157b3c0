"""Resolves resource names in thresholds.toml."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Any

from abalo.bundled import USUAL_LANGUAGE
from abalo.core.protocols.corpus_spec import source_in
from abalo.core.records.gate import AUTO as AUTO_LANGUAGE
from abalo.core.records.gate import SEVERAL, UNDETERMINED
from abalo.core.records.settings import LANGUAGE
from abalo.corpora import Corpus
from abalo.corpora.files import is_there
from abalo.corpora.hub import PREFIX
from abalo.corpora.loading import BUNDLED, locate
from abalo.corpora.training import load_named
from abalo.errors import AbaloError
from abalo.sources import faker_names, model_backed
from abalo.sources.model_backed import NONE
from perturbations import Perturbation, Sentence, entity_spans
from perturbations.families.word.masking import MASK
from perturbations.languages import ANY, codes, enumerate_names, has, language_named
from perturbations.resources import BUNDLED as BUNDLED_MODEL
from perturbations.resources import (
    JUDGED,
    REVIEWED,
    UNNAMED,
    Entity,
    FromCorpus,
    InOrder,
    Invented,
    NextSentences,
    Passages,
    Pool,
    Texts,
)
from perturbations.suggestions import did_you_mean

AUTO = "auto"
"""The model's own mask token."""

_LEXICON = "lexicon"

_INVENTED = "invented"
_EMPTY = "none"


def _name_pools() -> Mapping[str, Invented]:
    made = [Invented(code, table=table) for table in (_INVENTED, "names") for code in codes() if has(code, table)]
    return {each.name: each for each in made}


class Resources:
    """The resources of a run on ``corpus``, each created once.

    ``mask_token`` is the model's, or None; ``language`` is ISO 639-1.
    """

    def __init__(self, corpus: Corpus, mask_token: str | None = None, language: str = USUAL_LANGUAGE) -> None:
        self.language = language
        self._mask_token = MASK if mask_token is None else mask_token
        self._corpora = {JUDGED: corpus}
        self._made: dict[tuple[type, str], object] = {}

    def named(self, perturbation: Perturbation, params: Mapping[str, object]) -> dict[str, Any]:
        """The parameters of a case with defaults.

        ``language`` is the corpus's if the perturbation knows it, else "any" if it works without. ``mask_token`` is the
        model's or `MASK`. Invented names are the language's.
        """
        own = language_named(self.language).usual if self.language in codes() else {}
        named = {**own.get(perturbation.name, {}), **params}
        if LANGUAGE in perturbation.params:
            named = self._spoken(perturbation) | named
        if masks_as_model(perturbation, params):
            named["mask_token"] = self._mask_token
        kinds = _kinds(perturbation)
        usual = {name: self._usual(perturbation.params[name].name) for name in kinds}
        return usual | named

    def _spoken(self, perturbation: Perturbation) -> dict[str, str]:
        if self.language in perturbation.spoken:
            return {LANGUAGE: self.language}
        return {LANGUAGE: ANY} if perturbation.knows and not perturbation.needs else {}

    def _usual(self, name: str) -> str:
        if name not in _name_pools():
            return name
        own = f"{name.partition(':')[0]}:{self.language}"
        if own in _name_pools():
            return own
        locale = language_named(self.language).faker if self.language in codes() else ""
        return f"{faker_names.PREFIX}{locale}" if locale and has(self.language, "letters") else _EMPTY

    def configured(self, perturbation: Perturbation, params: Mapping[str, object]) -> Perturbation:
        """The perturbation with defaults and loaded resources."""
        named = self.named(perturbation, params)
        for name, kind in _kinds(perturbation).items():
            try:
                named[name] = self.called(named[name], kind)
            except AbaloError as error:
                raise AbaloError(f"{name}: {error}") from error
        return perturbation.configured(**named)

    def scarce(self, perturbation: Perturbation) -> dict[str, int]:
        """Entity types without a replacement in their pool, with pool size; ``otherwise`` serves them."""
        pools = [perturbation.params.get(name) for name in ("entities", "otherwise")]
        if not (isinstance(pools[0], FromCorpus) and isinstance(pools[1], Pool)):
            return {}
        types = {span.type for each in self._corpora[JUDGED].sentences for span in entity_spans(each.entity_tags or ())}
        drawn = {kind: pools[0].entities(kind) for kind in sorted(types)}
        return {kind: len(found) for kind, found in drawn.items() if not _draws(perturbation, kind, found)}

    def called(self, spec: str, kind: type) -> Any:
        """The resource of this name and kind, created once."""
        if (kind, spec) not in self._made:
            self._made[kind, spec] = self._make(spec, kind)
        return self._made[kind, spec]

    def _make(self, spec: str, kind: type) -> object:
        if kind in model_backed.KINDS:
            return model_backed.make_resource(spec, kind)
        if kind is Pool and spec in _name_pools():
            return _name_pools()[spec]
        if kind is Pool and spec == _EMPTY:
            return FromCorpus(_EMPTY, ())
        if kind is Pool and spec.startswith(faker_names.PREFIX):
            return faker_names.FakerNames(spec)
        if spec not in self._corpora:
            self._corpora[spec] = self._corpora[JUDGED].alike(load_named(spec))
        corpus = self._corpora[spec]
        if kind is Pool:
            return FromCorpus(spec, corpus.sentences)
        if kind is Passages:
            return Texts(spec, tuple(dict.fromkeys(getattr(corpus, "passages", corpus.sentences))))
        return InOrder(spec, corpus.sentences, corpus.document_starts)


def editions(perturbation: Perturbation) -> dict[str, str]:
    """The content or version of each file, model or library in the parameters."""
    spoken = perturbation.params.get(LANGUAGE)
    libraries = language_named(spoken).libraries if spoken in codes() else {}
    found = {}
    for name, value in perturbation.params.items():
        if isinstance(value, str) and value in libraries:
            found[name] = ", ".join(f"{each} {version(each)}" for each in libraries[value])
        elif edition := getattr(value, "edition", ""):
            found[name] = edition
    return found


def _draws(perturbation: Perturbation, kind: str, entities: Sequence[Entity]) -> bool:
    known = set(entities)
    alone = (Sentence(name, (f"B-{kind}", *(f"I-{kind}",) * (len(name) - 1))) for name in (("?",), *entities))
    return any(edit.tokens in known for sentence in alone for site in perturbation.sites(sentence) for edit in site)


def masks_as_model(perturbation: Perturbation, params: Mapping[str, object]) -> bool:
    """Whether the judged model's mask token is used."""
    return "mask_token" in perturbation.params and params.get("mask_token", AUTO) == AUTO


def _kinds(perturbation: Perturbation) -> dict[str, type]:
    kinds = (Pool, NextSentences, Passages, *model_backed.KINDS)
    return {name: kind for name, kind in perturbation.resources().items() if kind in kinds}


def missing_parameters(perturbation: Perturbation, params: Mapping[str, object]) -> Iterator[tuple[str, str]]:
    """Missing required parameters with possible values."""
    for name, kind in _kinds(perturbation).items():
        if name not in params and perturbation.params[name].name == UNNAMED:
            yield name, problem_with(UNNAMED, kind) or "missing"


def why_unfit(perturbation: Perturbation, params: Mapping[str, object], language: str) -> str | None:
    """Why a perturbation does not fit a corpus in the language."""
    kinds = _kinds(perturbation)
    given = {name: params.get(name, perturbation.params[name].name) for name, kind in kinds.items() if kind is not Pool}
    if missing := [name for name, spec in given.items() if spec == NONE]:
        return f"{perturbation.name} needs {' and '.join(missing)}, which is {NONE!r}"
    if other := why_other_language(perturbation, params, language):
        return other
    if missing_names := _missing_names(perturbation, params, language):
        return missing_names
    if BUNDLED_MODEL in given.values() and params.get(LANGUAGE, language) not in (USUAL_LANGUAGE, AUTO_LANGUAGE):
        return f"{perturbation.name} asks the model that ships, which is of {USUAL_LANGUAGE}; name another"
    return None


_OWN_WORDS = ("fillers", "distractors")
"""Parameters that take words to put in, in any language."""


def why_other_language(perturbation: Perturbation, params: Mapping[str, object], language: str) -> str | None:
    """Why a perturbation and its lists are for other languages."""
    pools = [name for name, kind in _kinds(perturbation).items() if kind is Pool]
    named = {name for name, value in params.items() if value != REVIEWED.name}
    if not named.isdisjoint((LANGUAGE, _LEXICON, *pools)):
        return None
    return _of_other_languages(perturbation, language, words_given=not named.isdisjoint(_OWN_WORDS))


def _missing_names(perturbation: Perturbation, params: Mapping[str, object], language: str) -> str | None:
    usual = Resources(Corpus("none", ()), language=language).named(perturbation, params) if language in codes() else {}
    pools = [usual[name] for name, kind in _kinds(perturbation).items() if kind is Pool and name in usual]
    problems = [faker_names.problem(spec) for spec in pools if str(spec).startswith(faker_names.PREFIX)]
    found = next((problem for problem in problems if problem), None)
    return None if found is None else f"{perturbation.name}: {found}"


def _of_other_languages(perturbation: Perturbation, language: str, *, words_given: bool) -> str | None:
    if language in codes():
        return perturbation.unfit(language)
    other = other_language(perturbation.languages, language)
    return other or (None if words_given else perturbation.unfit_script(language))


def other_language(languages: Sequence[str], language: str) -> str | None:
    """Why a tool for ``languages`` does not fit the language."""
    if not languages or language in (*languages, AUTO_LANGUAGE):
        return None
    return f"for {enumerate_names(languages)}; {corpus_is(language)}"


def corpus_is(language: str) -> str:
    """The corpus language, as a phrase."""
    if language == UNDETERMINED:
        return f"the {LANGUAGE} of the corpus is not known"
    return "the corpus is in several languages" if language == SEVERAL else f"the corpus is {language}"


def problem_with(spec: object, kind: type) -> str | None:
    """Why ``spec`` names no resource; does not read it."""
    corpora = (
        f'"{JUDGED}" for the one that is judged, or another: a CoNLL or JSON file, bundled:NAME, hub:DATASET:SPLIT'
    )
    if kind in model_backed.KINDS:
        return model_backed.problem(spec, kind)
    if kind is Passages:
        return None if spec == JUDGED else f'{spec!r}; expected "{JUDGED}", the corpus that is judged; leave it out'
    if kind not in (Pool, NextSentences):
        return f"thresholds.toml has no word for a {kind.__name__}; leave it out"
    names = [JUDGED] if kind is NextSentences else [JUDGED, *_name_pools(), _EMPTY]
    wanted = (
        f"a corpus: {corpora}"
        if kind is NextSentences
        else f"{', '.join(_name_pools())}, {faker_names.PREFIX}LOCALE, or a corpus: {corpora}"
    )
    if not isinstance(spec, str) or not spec.strip():
        return f"{spec!r}; expected {wanted}"
    if kind is Pool and spec.startswith(faker_names.PREFIX):
        return faker_names.problem(spec)
    if spec.startswith(BUNDLED):
        try:
            locate(source_in(spec))
        except AbaloError as error:
            return str(error)
    elif not (spec in names or spec.startswith(PREFIX) or is_there(source_in(spec))):
        return f"{spec!r}; no such file{did_you_mean(spec, names)}; expected {wanted}"
    return None
