"""Perturbations: they enumerate where a sentence could change (sites) and the edits possible there (options).

Sampling draws among the options; attacks search them.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from random import Random
from types import MappingProxyType
from typing import Any, ClassVar, Literal, get_args

from perturbations.answers import beside_answers
from perturbations.application import apply, unchanged
from perturbations.carrying import without_labels
from perturbations.composition import compose
from perturbations.documents import is_document, within_borders
from perturbations.languages import ANY, check_parts, codes, enumerate_names, has, lack, language_named, with_parts
from perturbations.lexicons import pairs
from perturbations.parameters import check_value, is_protocol
from perturbations.resources import BY_NAME, MOST_FOLLOWING, Always, NextSentences
from perturbations.scripts import has_letters, script_in, script_of_language
from perturbations.streams import hits, pick, stream
from perturbations.suggestions import did_you_mean
from perturbations.text import Edit, Meaning, OnceEach, Perturbed, Relation, Sentence, sentence_id

Labels = Literal["keeps", "moves", "changes"]
"""The effect on labels: kept, carried to other places by the origins, or given anew by the edits."""

Cost = Literal["text", "model"]
"""The source of options: text alone, or a model. Model-backed perturbations are opt-in."""

Kind = Literal["morphology", "lexis", "syntax", "pragmatics"]
"""The linguistic level: the form of words; the choice of words; their order and construction; irrelevant content and
presentation [TextFlint, section 3]."""

Scheme = Literal["bio", "upos", "heads", "aspects", "pair", "reading", "words", "relations", "parallel", "documents"]
"""The labels of tokens that a perturbation looks at: entities in BIO, parts of speech, heads, or aspects in BIO with
their polarity as their type. One of a "pair" looks at the sentence that this one is read with, one for "reading" at the
answers that a text has to the question that it is read with, one of "words" at the words that characters make up,
one for "relations" at the two spans of a relation, a "parallel" one at the texts that translate this one, one for
"documents" at whole sentences and the mentions in them."""

Options = Sequence[Edit]

FAMILIES = "perturbations.families."
"""The modules of the perturbations that ship begin with this."""

EXPERIMENTAL_IN = " is experimental in "
"""Between the name of a perturbation and a language in which it is experimental."""

_NOT_READ = "no two readers have found its variants right as they are made now"

LANGUAGE = "language"
"""The parameter that names a language."""

AT_LEAST = "at_least"
"""The parameter that says at how many sites a sentence that has one is changed, 0 or 1, whatever chance hits."""


ONE_EVENT = "one_event"
"""The parameter that says that both sentences of a pair tell of one event, so that what excludes contradicts."""


@dataclass(frozen=True, slots=True)
class Example:
    """A checked example in bracket notation: ``after`` is one of the variants of ``before`` at rate 1."""

    before: str
    after: str


@cache
def _keywords_of(function: Callable[..., Any]) -> Mapping[str, inspect.Parameter]:
    """The keyword-only parameters, with annotations; one without annotation is taken to be of its default's type."""
    return {
        name: p.replace(annotation=type(p.default)) if p.annotation is p.empty else p
        for name, p in inspect.signature(function, eval_str=True).parameters.items()
        if p.kind is p.KEYWORD_ONLY
    }


@dataclass(frozen=True)
class Perturbation(ABC):
    """A named family of edits with its parameters.

    ``rate`` is the share of sites that are hit, 0 to 1, each independently. ``params`` are the function's own
    keyword-only parameters. ``monotone`` says that no token changes places. ``kind`` is None for edits without a
    linguistic level, such as mask tokens.

    ``needs`` are the parts of a language (`perturbations.languages.parts`) without which there is nothing to do, and
    ``knows`` those that are of use where a language has one of them; its parameter ``language`` says which is meant. A
    perturbation that asks no folder may be ``only_for`` some ISO 639-1 codes. One that is ``alphabetic`` is for no
    language that is written without an alphabet, or with letters that are not known here. One with ``scripts``, in
    capitals as `perturbations.scripts.script` names them, is for these alone, and for languages of which it ``knows``
    something. ``drawn_as`` is the name that its draws have, by default its own.

    ``scheme`` is None for perturbations that look at no labels, or work without. ``renews`` says that other words take
    the place of words, not other spellings of them: a new word then has no label in layers ``each``, since its part of
    speech, for example, need not be that of the old one. ``meaning`` says what becomes of labels of the whole sentence,
    as ``labels`` does of those of tokens, and ``relation`` what becomes of how it relates to another sentence, of which
    nothing is known where the meaning is not kept; with a parameter `ONE_EVENT` it follows from that. ``title`` is its
    name in reports, by default ``name`` in words. ``at_least`` is the default of the parameter of that name.

    Raises TypeError or ValueError for a rate or a parameter that does not fit.
    """

    name: str
    function: Callable[..., Any]
    example: Example
    rate: float = 1.0
    params: Mapping[str, Any] = field(default_factory=dict)
    labels: Labels = "keeps"
    cost: Cost = "text"
    only_for: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    knows: tuple[str, ...] = ()
    alphabetic: bool = False
    scripts: tuple[str, ...] = ()
    drawn_as: str = ""
    aliases: tuple[str, ...] = ()
    monotone: bool = True
    kind: Kind | None = None
    resizes: bool = False
    scheme: Scheme | None = None
    renews: bool = False
    meaning: Meaning = "keeps"
    relation: Relation = "keeps"
    title: str = ""
    at_least: Literal[0, 1] = 0

    level: ClassVar[str]
    arguments: ClassVar[tuple[str, ...]]
    """The names of the function's arguments besides its keyword-only parameters."""
    common: ClassVar[Mapping[str, inspect.Parameter]] = MappingProxyType(
        {AT_LEAST: inspect.Parameter(AT_LEAST, inspect.Parameter.KEYWORD_ONLY, default=0, annotation=Literal[0, 1])}
    )
    """Parameters that every perturbation of the level has besides those of its function."""

    def __post_init__(self) -> None:
        check_parts(self.name, (*self.needs, *self.knows))
        object.__setattr__(self, "title", self.title or self.name.replace("_", " ").capitalize())
        if isinstance(self.rate, bool) or not isinstance(self.rate, int | float) or not 0 <= self.rate <= 1:
            raise ValueError(f"{self.name}: rate is {self.rate!r}; expected a number from 0 to 1")
        if self.meaning != "keeps" and self.relation == "keeps":
            object.__setattr__(self, "relation", "loses")
        known = self.parameters()
        for name in self.params:
            if name not in known:
                raise TypeError(f"{self.name}: no parameter {name!r}{did_you_mean(name, [*known, 'rate'])}")
        params = {name: self._checked(p, self.params.get(name, p.default)) for name, p in known.items()}
        object.__setattr__(self, "rate", float(self.rate))
        object.__setattr__(self, "params", MappingProxyType(params))
        if ONE_EVENT in params:
            object.__setattr__(self, "relation", "contradicts" if params[ONE_EVENT] else "excludes")

    def _checked(self, parameter: inspect.Parameter, value: Any) -> Any:
        try:
            named = BY_NAME.get(parameter.annotation) if isinstance(value, str) else None
            fitting = check_value(value if named is None else named(value), parameter.annotation)
        except TypeError as error:
            raise TypeError(f"{self.name}: {parameter.name} is {error}") from None
        if parameter.name == LANGUAGE and (self.needs or self.knows):
            self._check_language(value, parameter.default)
        return fitting

    def _check_language(self, value: str, usual: str) -> None:
        if self.needs and value not in self.spoken:
            raise ValueError(lack(self.name, value, self.needs))
        if not self.needs and value not in (ANY, usual, *self.spoken):
            expected = enumerate_names([*self.spoken, ANY])
            raise ValueError(
                f"{self.name}: language is {value!r}; expected {expected}{did_you_mean(value, self.spoken)}"
            )

    @property
    def summary(self) -> str:
        """The first line of the function's docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that it is for, as ISO 639-1 codes; empty for any."""
        return with_parts(*self.needs) if self.needs else self.only_for

    @property
    def spoken(self) -> tuple[str, ...]:
        """The values that its parameter ``language`` can have: languages with its parts, or as it is annotated."""
        if self.needs:
            return self.languages
        if not self.knows:
            parameter = self.parameters().get(LANGUAGE)
            return () if parameter is None else get_args(parameter.annotation)
        return tuple(code for code in codes() if any(has(code, part) for part in self.knows))

    def unfit(self, language: str) -> str | None:
        """Why it says nothing about text in a language; None where it does, as far as is known of the language."""
        if self.alphabetic and language in codes() and not has(language, "letters"):
            return f"{self.name} changes letters of an alphabet; {language} is written without"
        if (unknown := self.unfit_script(language)) is not None:
            return unknown
        if not self.languages or language in self.languages:
            return None
        return (
            lack(self.name, language, self.needs)
            if self.needs
            else f"{self.name} is for {enumerate_names(self.only_for)}"
        )

    def unfit_script(self, language: str) -> str | None:
        """Why it says nothing in the script of a language; None if it does, or if the script is not known."""
        written = script_of_language(language)
        known = any(has(language, part) for part in self.knows)
        if self.scripts and written and written not in self.scripts and not known:
            fitting = enumerate_names(each.capitalize() for each in self.scripts)
            return f"{self.name} is for text in {fitting} script; {language} is written in {written.capitalize()}"
        if self.alphabetic and written and not has_letters(written):
            return f"{self.name} does not know the letters of {written.capitalize()}, the script of {language}"
        return None

    @property
    def is_read_by_language(self) -> bool:
        """Whether readers of each language have to judge it: it writes words or changes grammar.

        Else it changes characters, case, spaces or marks, masks or leaves out, and is read once per script.
        """
        writes = self.kind in ("lexis", "syntax") or self.resizes or self.cost == "model"
        return writes or bool(self.needs or self.only_for)

    def experimental(self, language: str, script: str = "") -> str | None:
        """That it is experimental in a language, or that nobody has read it in a script; None if neither is so.

        Said of what ships alone. ``script`` is one of `perturbations.scripts.script`; empty for that of the language,
        as far as it is known. Nothing is said of text whose language, or script, nobody knows.
        """
        if not self.function.__module__.startswith(FAMILIES):
            return None
        if self.is_read_by_language:
            read = language not in codes() or self.name in language_named(language).read
            return None if read else f"{self.name}{EXPERIMENTAL_IN}{language}: {_NOT_READ}"
        script = script or (script_in(language_named(language).letters) if language in codes() else "")
        read = not script or script in pairs("read_scripts").get(self.name, "").split("|")
        return None if read else f"{self.name} in {script.capitalize()} script: {_NOT_READ}"

    def rare(self, language: str) -> bool:
        """Whether it changes less than 2 % of each real corpus in a language (docs/coverage.tsv)."""
        return language in codes() and self.name in language_named(language).rare

    def configured(self, *, rate: float | None = None, **params: Any) -> Perturbation:
        """The same perturbation with other parameters; raises TypeError or ValueError naming the one that is wrong."""
        return replace(self, rate=self.rate if rate is None else rate, params={**self.params, **params})

    def parameters(self) -> Mapping[str, inspect.Parameter]:
        """The function's keyword-only parameters by name, then those of the level, with annotations and defaults.

        One without annotation is taken to be of the type of its default. Raises TypeError where an annotation names
        what is not there.
        """
        try:
            own = _keywords_of(self.function)
        except NameError as error:
            raise TypeError(
                f"{self.name}: {error}: import what annotations name, not only for type checking"
            ) from error
        usual = self.common[AT_LEAST].replace(default=self.at_least)
        return {**own, **self.common, AT_LEAST: usual}

    @cached_property
    def own_params(self) -> Mapping[str, Any]:
        """Those of ``params`` that the function takes."""
        return {name: value for name, value in self.params.items() if name not in self.common}

    def resources(self) -> Mapping[str, type]:
        """The parameters that take a resource, by name, each with its protocol."""
        return {name: p.annotation for name, p in self.parameters().items() if is_protocol(p.annotation)}

    def sites(self, sentence: Sentence) -> Iterator[Options]:
        """Every place where the sentence could change, each as the edits possible there; never an empty one."""
        for site in self._sites(sentence):
            allowed = self._allowed_by_answers(sentence, site)
            if allowed:
                yield without_labels(sentence, allowed) if self.renews else allowed

    def _allowed_by_answers(self, sentence: Sentence, edits: Options) -> Options:
        """The edits without those that touch an answer to a question about the text, unless they say what is right.

        Spans of a relation are touched by what is made for relations, and by what is to hit entities only. In a
        document no word is made of two of which one is in a mention.
        """
        if self.labels == "changes" or not sentence.anchors:
            return edits
        if is_document(sentence):
            return within_borders(sentence, edits)
        related = self.scheme == "relations" or self.params.get("inside_entities") == "only"
        return beside_answers(sentence, edits, related=related)

    def fits(self, sentence: Sentence) -> bool:
        """Whether the sentence has a site."""
        return next(self.sites(sentence), None) is not None

    @property
    def may_miss(self) -> bool:
        """Whether chance can leave a sentence alone in which it fits."""
        return self.rate < 1 and not self.params[AT_LEAST]

    def _sites(self, sentence: Sentence) -> Iterator[list[Edit]]:
        """The same, with labels of new words as if these were the old ones."""
        for place in self._places_once(sentence):
            choices = self._choices(sentence, place)
            if choices:
                yield [self._edit(sentence, place, choice) for choice in choices]

    def draw(self, sentence: Sentence, start: Callable[[], Random]) -> list[Edit]:
        """Edits for the sites that are hit, one option each, every option equally likely.

        ``start`` makes the stream; where there is no site it is not asked to, which saves most of the time.
        """
        places = self._places_once(sentence)
        return self._drawn(sentence, places, start()) if places else []

    @cached_property
    def _places_once(self) -> OnceEach[Sequence[Any]]:
        """`_places`, which are the same under every seed."""
        return OnceEach(self._places)

    def _drawn(self, sentence: Sentence, places: Sequence[Any], draws: Random) -> list[Edit]:
        edits = []
        for site in hits(draws, len(places), self.rate):
            choices = self._choices(sentence, places[site])
            if choices:
                edits.append(self._edit(sentence, places[site], self._picked(draws, choices)))
        return edits

    def sample(self, sentence: Sentence, *, seed: int, step: int = 0, key: str | None = None) -> Perturbed | None:
        """One variant of the sentence, the same for the same seed; None where nothing changes or nothing would be left.

        ``step`` is the position in a pipeline, so that a perturbation used twice draws differently. ``key`` is the
        other input of the draws, by default the sentence's own id.
        """

        def start(*more: str) -> Random:
            return stream(seed, self.drawn_as or self.name, step, sentence_id(sentence) if key is None else key, *more)

        edits = [*self._allowed_by_answers(sentence, self.draw(sentence, start))]
        if not edits and self.params[AT_LEAST]:
            edits = self._one_of_all(sentence, start(AT_LEAST))
        if not edits:
            return None
        try:
            perturbed = apply(sentence, without_labels(sentence, edits) if self.renews else edits)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{self.name}: {error}") from error
        new = perturbed.sentence
        if not new.tokens or (new.tokens == sentence.tokens and new.spaces == sentence.spaces):
            return None
        if self.meaning == self.relation == "keeps":
            return perturbed
        return replace(perturbed, meaning=self.meaning, relation=self.relation)

    def _one_of_all(self, sentence: Sentence, draws: Random) -> list[Edit]:
        """One of the edits that there were if every site was hit, each equally likely; none where nothing fits."""
        edits = self._allowed_by_answers(sentence, self._everywhere.draw(sentence, lambda: draws))
        return [pick(draws, edits)] if edits else []

    def made_of(self, source: Sentence) -> Perturbation:
        """The same perturbation for a variant of ``source``: its next sentences are still those of ``source``."""
        if not self._followed_by:
            return self
        found = {
            name: Always(given.name, tuple(given.after(source, MOST_FOLLOWING)))
            for name, given in self._followed_by.items()
        }
        return replace(self, params={**self.params, **found})

    @property
    def joins(self) -> bool:
        """Whether it joins other sentences of the corpus to one."""
        return bool(self._followed_by)

    @cached_property
    def _everywhere(self) -> Perturbation:
        """The same perturbation hitting every site."""
        return replace(self, rate=1.0)

    @cached_property
    def _asked(self) -> Callable[..., Any]:
        """The function with its parameters."""
        return partial(self.function, **self.own_params)

    @cached_property
    def _followed_by(self) -> Mapping[str, NextSentences]:
        """The parameters that take the next sentences of a corpus."""
        return {name: self.params[name] for name, kind in self.resources().items() if kind is NextSentences}

    def _picked(self, draws: Random, choices: Sequence[Any]) -> Any:
        """One of the choices, each equally likely."""
        return pick(draws, choices)

    @abstractmethod
    def _places(self, sentence: Sentence) -> Sequence[Any]:
        """Where the sentence could change, before its options are made."""

    @abstractmethod
    def _choices(self, sentence: Sentence, place: Any) -> Sequence[Any]:
        """The options for the place, other than its present text."""

    @abstractmethod
    def _edit(self, sentence: Sentence, place: Any, choice: Any) -> Edit:
        """The edit that puts the choice there."""


def sample_pipeline(steps: Sequence[Perturbation], sentence: Sentence, *, seed: int) -> Perturbed | None:
    """One variant of the sentence by all ``steps`` in turn, as one step; None where nothing changes.

    The draws of every step depend on the sentence as it was in the beginning.
    """
    key = sentence_id(sentence)
    result = unchanged(sentence)
    for step, perturbation in enumerate(steps):
        member = perturbation.made_of(sentence) if result.edits else perturbation
        try:
            perturbed = member.sample(result.sentence, seed=seed, step=step, key=key)
        except Exception as error:
            error.add_note(f"in step {step + 1} of a pipeline, {perturbation.name}")
            raise
        if perturbed is not None:
            result = compose(sentence, result, perturbed)
    return result if result.edits else None
