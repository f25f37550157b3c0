"""The protocol of a task: what an example, a prediction and a count are. One folder a task, found by itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from abalo.core.case import Case
from abalo.core.configuring import Ranged
from abalo.core.evidence import Evidence
from abalo.core.example import Example, Json, Outcome, Variant
from abalo.core.filling import Filled, Filling
from abalo.core.gate import UNDETERMINED
from abalo.core.lesson import Lesson
from abalo.core.metrics import Metric
from abalo.core.numbers import estimate_of
from abalo.core.parts import InParts, notices
from abalo.core.passing import PASS_RATE
from abalo.core.registry import Registry
from abalo.core.rewording import Rewording
from abalo.core.statistics import Measurement
from abalo.core.targets import Seen, Target
from abalo.core.verdicts import Bound
from abalo.core.words import count
from abalo.errors import AbaloError
from perturbations import Perturbation, Perturbed, Pipeline, Sentence, Span
from perturbations.function_words import language_of

if TYPE_CHECKING:
    from abalo.core.blocks import Block
    from abalo.core.predictor import Predictor
    from abalo.core.session import Session


class Corpus(Protocol):
    """Examples to judge a model on, and what they were called."""

    @property
    def name(self) -> str:
        """As the user called it."""
        ...

    @property
    def sha256(self) -> str:
        """Digest of all that could change a prediction or its being right, whatever the file format."""
        ...

    @property
    def examples(self) -> Sequence[Example]:
        """The examples in order."""
        ...

    def first(self, limit: int | None, /) -> Any:
        """The first ``limit`` examples; all for None."""
        ...


class Model(Protocol):
    """A model that is judged. ``fingerprint`` changes whenever predictions could.

    A model that costs nothing to ask again says ``black_box = False``; one whose fingerprint cannot say what stands
    behind its name may have a ``version``, which is in its fingerprint too.
    ``settings`` are what else the report should name.
    """

    name: str
    fingerprint: str
    settings: dict[str, Any]


class Resources(Protocol):
    """Finds what perturbations need besides the sentence: what masks words, pools of names, corpora, models."""

    @property
    def language(self) -> str:
        """The language of the corpus, an ISO 639-1 code."""
        ...

    def named(self, perturbation: Perturbation, params: Mapping[str, Any], /) -> dict[str, Any]:
        """The parameters, with the names of what they leave open."""
        ...

    def configured(self, perturbation: Perturbation, params: Mapping[str, Any], /) -> Perturbation:
        """The perturbation with these parameters, and with what they name in place of the names."""
        ...

    def called(self, spec: str, kind: type, /) -> Any:
        """The resource of that name, of a kind in `perturbations.resources`; raises `AbaloError` without one."""
        ...


class Task(ABC):
    """A task: its kinds of example, prediction and count, and everything else that only this task knows.

    ``views`` are the ways in which predictions can be compared with gold, ``usual_view`` the one that bounds are about,
    ``resized_view`` the same where whole labelled spans may change their length. ``floor`` is the metric that says how
    good a model is, ``headline`` the one that says what a case costs, ``gap`` how a part compares with the rest.
    ``noun`` is an example in words, ``group_noun`` a group of numbers, ``held_noun`` what is counted, in the plural.
    ``probes`` are the kinds of case that it has. ``corpus_option`` and ``model_option`` name the options that give its
    corpus and its model.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    metrics: ClassVar[Registry[Metric]]
    views: ClassVar[tuple[str, ...]]
    usual_view: ClassVar[str]
    resized_view: ClassVar[str]
    floor: ClassVar[str]
    least: ClassVar[float] = 0.3
    """The smallest clean score, by the floor metric, of a model that is worth judging."""
    headline: ClassVar[str]
    other_floors: ClassVar[Sequence[str]] = ()
    """Metrics that stand for the floor in reports on some corpora."""
    gap: ClassVar[str] = ""
    probes: ClassVar[tuple[str, ...]]
    noun: ClassVar[str] = "sentence"
    group_noun: ClassVar[str] = "group"
    held_noun: ClassVar[str] = "labels"
    corpus_option: ClassVar[str] = "corpus"
    model_option: ClassVar[str] = "model"
    default_corpus: ClassVar[str] = ""
    """The corpus to judge on unless another is named; empty where one has to be."""
    corpus_kind: ClassVar[str] = ""
    """The files that it reads, in words, such as ``JSON lines with a text and a label``."""
    showing: ClassVar[type[Ranged]] = Ranged
    """Settings of how examples are put to a model, which every case can have."""
    rewordings: ClassVar[Mapping[str, Rewording[Any]]] = {}
    """Fixed ways to put an example, by the name of their table."""
    result_fields: ClassVar[Mapping[str, Any]] = {}
    """The fields that its results have, each with the value that stands in results of other tasks."""
    leads: ClassVar[bool] = False
    """Whether its facts stand at the top of a document about several tasks."""
    scores: ClassVar[tuple[str, ...]] = ()
    """The metrics that stand beside the headline number in tables; the floor alone where there are none."""
    hit_rate: ClassVar[str] = ""
    """The metric that is the share of the gold labels of a group that a model finds; the floor if it is empty."""
    view_meanings: ClassVar[Mapping[str, str]] = {}
    """How each view compares predictions with gold, in words."""
    tabled: ClassVar[bool] = False
    """Whether its blocks have a table of all its cases with bounds and verdicts, so that no other lists them."""
    clean_groups: ClassVar[tuple[str, ...]] = ()
    """The groups that examples can be in as they stand in the corpus; empty where the corpus itself says."""
    paired: ClassVar[bool] = False
    """Whether its examples are two sentences, whose overlap a slice can be about."""
    aims: ClassVar[bool] = False
    """Whether it has labelled spans that a perturbation can be aimed at."""
    robust: ClassVar[str] = ""
    """The metric of what searches cannot break, by which two models are compared; empty for a task without searches."""
    target_nouns: ClassVar[tuple[str, str]] = ("text", "texts")
    """A target of searches in words, and several."""
    promise_words: ClassVar[tuple[str, str]] = ("", "label")
    """The words that promises may edit, as in " outside every name", empty for all, and what should not change."""
    chooses_types: ClassVar[bool] = False
    """Whether its labelled spans have types of which a run can choose some, and join those of several."""
    shipped: ClassVar[str] = ""
    """The name that documents give to the model that ships."""
    field_choices: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    """The fields of an example that a case changes, by what it says as ``field``; empty where it cannot choose."""

    template_fields: ClassVar[Mapping[str, str]] = {}
    """The fields of a template, each with what it holds in words; a template that is a mere text is the first of them.
    Empty for a task that has no capabilities."""
    template_gold: ClassVar[str] = ""
    """The field of a template that holds gold and may be missing where predictions are compared with each other; empty
    where there is none such."""
    labels_whole: ClassVar[bool] = False
    """Whether labels are those of whole examples, so that no place in one has a label of its own."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if "metrics" in vars(cls):
            cls.metrics.include(PASS_RATE)

    # Corpora and models ----------------------------------------------------------------------------------------------

    @abstractmethod
    def read(self, spec: str, options: Any) -> Corpus:
        """The corpus called ``spec``, read as the ``options`` ask; raises `AbaloError` listing its problems."""

    def in_parts(self, spec: str, options: Any) -> InParts:
        """The corpus called ``spec``, to be read part after part as the ``options`` ask.

        Raises `AbaloError` for a corpus that cannot be, and for a task whose corpora cannot.
        """
        able = [name for name, task in tasks().items() if type(task).in_parts is not Task.in_parts]
        raise AbaloError(
            f"{spec}: a corpus of the task {self.name}, which is not read in parts; expected one of {', '.join(able)}; "
            "judge it in one process, with pytest"
        )

    @abstractmethod
    def recognises(self, spec: str) -> bool:
        """Whether a corpus called ``spec`` looks like one of this task; no error where it cannot be read."""

    @abstractmethod
    def load(self, spec: str | None, options: Any, corpus: Any) -> Any:
        """The model called ``spec``, ready to predict; the one that ships for None. Raises `AbaloError`."""

    @abstractmethod
    def predictor(self, model: Any, corpus: Any, store: Path | None = None) -> Predictor[Any, Any]:
        """The model with the clean corpus, each input predicted once."""

    def resources(self, corpus: Any, model: Any, options: Any, language: str) -> Resources:
        """The resources that perturbations can request; raises TypeError for a task that has no perturbations."""
        raise TypeError(f"{self.name} has no perturbations")

    def language(self, corpus: Corpus) -> str:
        """The language of a corpus by its words: an ISO 639-1 code, `UNDETERMINED`, or `SEVERAL`."""
        fields = [example.fields.values() for example in corpus.examples]
        return language_of([sentence for each in fields for sentence in each]) or UNDETERMINED

    def is_bundled(self, options: Any) -> bool:
        """Whether the model that is judged is the one that ships."""
        return getattr(options, self.model_option, None) is None

    # Variants ---------------------------------------------------------------------------------------------------------

    def accepts(self, perturbation: Perturbation) -> bool:
        """Whether the perturbation can do anything to examples of this task."""
        return bool(perturbation)

    def fields(self, example: Example) -> Sequence[str]:
        """The fields that perturbations act on."""
        return tuple(example.fields)

    def usual_field(self, perturbation: Perturbation | Pipeline) -> str:
        """The one of the `field_choices` that holds where a case names none."""
        return next(iter(self.field_choices), "")

    def chosen(self, example: Example, field: str) -> Sequence[str]:
        """The fields of an example that a case changes which names this ``field``; empty for one that names none."""
        return self.field_choices[field] if field else self.fields(example)

    def input(self, example: Example) -> Any:
        """The model input that an example is."""
        return example.sentence

    def repeated(self, example: Example) -> Variant | None:
        """The variant of an example that is asked about again as it stands; None if it needs no variant."""
        return None

    def lesson(self, example: Example) -> Lesson | None:
        """The example to learn from; None where nobody knows what is right, or the task trains no models."""
        return None

    def whole(self, example: Example) -> Sentence:
        """The example as one sentence, one of those of its corpus, which slices look at."""
        return example.sentence

    def shown(self, example: Example, case: str, settings: Any, variant: Variant | None) -> Any:
        """The model input that an example is in a case of that name, under the settings that the case gives."""
        return self.input(example)

    @abstractmethod
    def carry(self, example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
        """The example after edits of some fields, its gold carried along; None where they do not apply."""

    def spans(self, example: Example, prediction: Any = None) -> tuple[Span, ...]:
        """The labelled spans of an example, or those of a prediction; none for a task without spans."""
        return ()

    def stated(self, example: Example, prediction: Any = None) -> tuple[Span, ...]:
        """All labels of gold, or of a prediction, over the words of the `whole` that they are about.

        The labelled spans, where a task does not say otherwise.
        """
        return self.spans(example, prediction)

    def targets(self, example: Example, prediction: Any, model: Any) -> Iterable[Target]:
        """The gold labels of an example, one by one, as a search or a promise is about them; none for other tasks.

        Without a ``model`` they say what is right, not how sure it is.
        """
        return ()

    def further_targets(self, example: Example, prediction: Any, model: Any) -> Iterable[Target]:
        """Targets of searches besides the gold labels, where a goal asks for them; none for most tasks."""
        return ()

    def aimed(self, goal: str, example: Example, prediction: Any, model: Any) -> Iterable[Target]:
        """The targets of a search with this goal, a way to be wrong which alone counts; for an empty one any does.

        Raises `AbaloError` for a way in which no label of the task can be wrong.
        """
        found = self.targets(example, prediction, model)
        return [each for target in found if (each := target.towards(goal)) is not None] if goal else found

    def nouns_of(self, goal: str) -> tuple[str, str]:
        """A target of searches with this goal in words, and several."""
        return self.target_nouns

    def seen(self, outcome: Outcome) -> Seen:
        """The target of a search as the model sees it in the variant of the outcome."""
        raise NotImplementedError

    # Capabilities: templates and their fillings ----------------------------------------------------------------------

    def written(self, filled: Mapping[str, Filled | Sequence[Filled]], corpus: Any) -> Filling:
        """The example that a filled template is, with its gold; raises ValueError for what is none.

        ``filled`` has some of the `template_fields`. Gold that the ``corpus`` is not judged for is left out.
        """
        raise ValueError(f"{self.name} has no templates")

    def swapped(self, example: Example, key: str, old: str, new: str) -> Iterator[tuple[Filling, Filling]]:
        """The example of a corpus beside itself with ``new`` in the place of ``old``, both as a template writes them.

        Where labels are those of places, once for each place, which is then under ``key`` in both; else once, with all
        places changed.
        """
        return iter(())

    def variant(self, before: Filling, after: Filling) -> Variant:
        """The one filling as a variant of the other."""
        return Variant(after.example, {})

    def foreign(self, fillings: Iterable[Filling], labels: Collection[str], session: Session) -> str:
        """The reason why no model could have the gold of fillings right here, or predict one of the ``labels``.

        Empty where there is none. ``labels`` are those that expectations name.
        """
        return ""

    def fault(self, filling: Filling, prediction: Any) -> str:
        """The fault of a prediction in words; empty where it is wholly right."""
        raise NotImplementedError

    def differing(self, before: Filling, first: Any, after: Filling, second: Any, free: Collection[str] = ()) -> str:
        """How two predictions differ, in words; empty where they do not, or only in the slots ``free`` to change."""
        raise NotImplementedError

    def predicted(self, filling: Filling, prediction: Any, key: str = "") -> Collection[str]:
        """The labels that are predicted: in the slot of that key, for an empty one anywhere."""
        raise NotImplementedError

    def confidence(self, filling: Filling, prediction: Any, label: str, scale: Any) -> float | None:
        """The mean probability of a label where the filling has it in gold, 0 to 1; None from a model without scores.

        Raises ValueError for a label that the filling has nowhere.
        """
        return None

    def said(self, example: Example, prediction: Any = None) -> str:
        """An example with what was predicted, in one line of text; with its gold for None."""
        raise NotImplementedError

    # Counting ---------------------------------------------------------------------------------------------------------

    @abstractmethod
    def groups(self, outcomes: Sequence[Outcome]) -> list[str]:
        """The groups that have numbers of their own, such as types, classes or relations, sorted."""

    @abstractmethod
    def held(self, outcomes: Sequence[Outcome], groups: Sequence[str]) -> NDArray[np.int64]:
        """How many gold labels of each group the example of each outcome holds (outcomes × groups)."""

    def headline_of(self, metric: str, corpus: Any) -> str:
        """The metric that stands for this one in reports on a corpus in which it has no meaning."""
        return metric

    def floor_of(self, evidence: Evidence) -> str:
        """The metric that says how good a model is on a corpus, by the evidence of a case on it."""
        return self.floor

    def uninformed(self, evidence: Evidence, facts: Json) -> Bound | None:
        """The score that a model must exceed to show that it reads; None if the smallest clean score already asks that.

        ``evidence`` is that of the clean corpus, ``facts`` what the report says of the corpus.
        """
        return None

    def views_agree(self, outcome: Outcome) -> bool:
        """Whether all views compare the outcome alike."""
        return len(self.views) == 1 or outcome.variant is None

    def undecidable(self, bound: Bound, measurement: Measurement, evidence: Evidence, where: str) -> str | None:
        """Why a measurement shows nothing about the bound; None where it does. ``where`` names the part measured."""
        if not any(measurement.support.values()):
            return f"the {where} holds no {self.held_noun}"
        return None

    # Reports ----------------------------------------------------------------------------------------------------------

    def facts(self, session: Session, baseline: Measurement) -> Json:
        """The parts of the document about the task's model and corpus; those here are in that of every task."""
        model, corpus = session.model, session.corpus
        return {
            "notice": self.notice({}),
            "model": {"name": model.name, "fingerprint": model.fingerprint, "settings": dict(model.settings)},
            "corpus": {
                "name": corpus.name,
                "sha256": corpus.sha256,
                f"{self.noun}s": len(session.examples),
                "distinct": len({example.cluster for example in session.examples}),
                "limit": getattr(session.options, "limit", None),
            },
            "forwards": {"clean": session.predictor.windows()},
            "seeds": list(session.seeds),
            "baseline": self.baseline_facts(baseline),
        }

    def part_facts(self, session: Session) -> Json:
        """The facts about a part of a corpus, of which `whole_facts` makes those of the whole.

        Without anything that is measured on the clean corpus.
        """
        return self.facts(session, Measurement("", {}, {}, {}))

    def whole_facts(self, parts: Sequence[Json]) -> Json:
        """The facts about a corpus and its model from those of its parts, in order: sizes and counts are added up."""
        first = parts[0]
        corpora = [part["corpus"] for part in parts]
        return {**first, "corpus": {name: added([each[name] for each in corpora]) for name in corpora[0]}}

    def notice(self, facts: Json) -> str | None:
        """The notice above the results, one line each; None if there is nothing to say.

        ``facts`` are those of the task, as far as they are known.
        """
        return "\n".join(notices(facts)) or None

    def other_gold(self, facts: Json, others: Json) -> str:
        """The reason why two runs of the task, by their facts, judged by different gold; empty where they did not."""
        return ""

    def doubt(self, session: Session) -> str:
        """The reason to doubt that model and corpus mean the same by their labels; empty where there is none."""
        return ""

    def baseline_facts(self, baseline: Measurement) -> Json:
        """The metrics of the clean corpus, overall and per group."""
        clean = [name for name, metric in self.metrics().items() if metric.of_clean and not metric.probes]
        grouped = [name for name in clean if self.metrics()[name].per_group]
        return {
            **{name: estimate_of(baseline.estimate(name)) for name in clean},
            "per_type": {
                group: {name: estimate_of(baseline.estimate(name, group)) for name in grouped}
                | {"support": baseline.support[group]}
                for group in baseline.per_group
            },
        }

    def result_facts(self, outcomes: Sequence[Outcome], *, with_text: bool) -> Json:
        """Fields that a result of this task has besides those that all have, but for any text without ``with_text``."""
        return {}

    def joined_facts(self, parts: Sequence[Json]) -> Json:
        """Those of `result_facts` for a whole case; ``parts`` are the results of its parts, which share no example."""
        return {}

    def refreshed(self, facts: Json, measurement: Measurement) -> Json:
        """The facts of a result with the numbers in them that depend on how the run is judged."""
        return facts

    def top_level(self, facts: Json) -> Json:
        """Further fields at the top of the document, made of the task's own facts."""
        return {}

    def check(self, cases: Iterable[Case], session: Session) -> Iterable[tuple[Case, Bound | str, str]]:
        """Bounds, and parameters by their key, that corpus and model make meaningless, each with the reason."""
        return ()

    def examples(self, outcomes: Sequence[Outcome], view: str) -> list[Json]:
        """The outcomes that lost most, worst first, at most ten, as JSON values; none that lost nothing."""
        return []

    def worst(self, examples: Iterable[Json]) -> list[Json]:
        """Of what `examples` gives of all parts of a case, which share no example, what it gives of the whole."""
        return list(examples)

    def mistakes(self, outcomes: Sequence[Outcome]) -> list[Json]:
        """The outcomes that are most wrong where nothing is changed, worst first, at most ten, as JSON values."""
        return []

    def records(self, outcomes: Sequence[Outcome]) -> Iterable[Json]:
        """Every outcome that is wrong clean or changed, with its text, as JSON values."""
        return ()

    def concerned(self, record: Mapping[str, Any]) -> Collection[str]:
        """The groups about which a record is wrong; none for a task whose records do not say."""
        return ()

    def as_examples(self, records: Iterable[Mapping[str, Any]], result: Mapping[str, Any]) -> list[Json]:
        """Records of one case as `examples` has them, all of them, worst first; none for a task without such marks."""
        return []

    def line(self, record: Mapping[str, Any]) -> str:
        """A record as one line of text that shows what is wrong in it."""
        return str(record["sentence_id"])

    def sizes(self, corpus: Mapping[str, Any]) -> Sequence[str]:
        """How large a corpus is, in words; ``corpus`` is what the document says of it."""
        distinct = f" ({corpus['distinct']:,} distinct)" if "distinct" in corpus else ""
        return [f"{count(corpus[f'{self.noun}s'], self.noun)}{distinct}"]

    def remarks(self, results: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Sequence[str]:
        """Remarks to read before trusting the results of this task."""
        return ()

    def blocks(self, results: Sequence[Mapping[str, Any]], document: Mapping[str, Any]) -> Sequence[Block]:
        """The blocks in the summary of a report about all results of this task together."""
        return ()

    def sentences(self, result: Mapping[str, Any], document: Mapping[str, Any]) -> Sequence[Block]:
        """The blocks with what one result got wrong, worst first, shown before all its numbers."""
        return ()

    def detail(self, result: Mapping[str, Any], document: Mapping[str, Any]) -> Sequence[Block]:
        """The blocks about one result beyond the common part, its sentences and what its probe adds."""
        return ()


def added(values: Sequence[Any]) -> Any:
    """The sum of numbers, or of the numbers of each name; of anything else the first, which all others are like."""
    first = values[0]
    if isinstance(first, Mapping) and all(_is_number(each) for value in values for each in value.values()):
        names = sorted({name for value in values for name in value})
        return {name: sum(value.get(name, 0) for value in values) for name in names}
    return sum(values) if all(map(_is_number, values)) else first


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


tasks: Registry[Task] = Registry("task", "abalo.tasks", "TASK", group="abalo.tasks")
"""Every task by name."""
