"""A task that labels the tokens of a sentence: one label per token, or spans of tokens."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from abalo.bundled import bundled
from abalo.core.evidence import Evidence
from abalo.core.example import Example, Json
from abalo.core.lesson import Lesson
from abalo.core.options import RunOptions
from abalo.core.outcome import Outcome
from abalo.core.plan import AnyRow
from abalo.core.results import probe_of
from abalo.core.statistics import Measurement
from abalo.core.subject import Subject
from abalo.core.task import Task
from abalo.core.verdicts import Bound
from abalo.core.words import count
from abalo.corpora.corpus import Corpus
from abalo.corpora.examples import TEXT
from abalo.errors import visible
from abalo.models.hugging_face import REPEATED
from abalo.models.labels import BIO, Labelling
from abalo.models.loading import Adapter, load_as_asked
from abalo.models.predictor import TokenPredictor
from abalo.models.protocol import TokenModel
from abalo.sources.resources import MASK_FALLBACK, Resources
from abalo.tasks.tokens.alignment import VIEWS
from abalo.tasks.tokens.examples import line, outcome_of, ranked, worst, worst_of, wrong
from perturbations import UNLABELLED, Perturbed, Policy, unchanged
from perturbations.suggestions import did_you_mean

_ROUNDING = 1e-9


class TokenTask(Task):
    """The parts that such tasks share: models, predictions, variants, what a report says of model and corpus.

    ``lone_noun`` is one of what is counted, in words.
    """

    views = VIEWS
    usual_view = "projected"
    resized_view = "structural"
    probes: ClassVar[tuple[str, ...]] = ("baseline", "perturbation", "pipeline", "slice")

    shipped = "the bundled model"

    labelling: ClassVar[Labelling] = BIO
    policy: ClassVar[Policy] = "bio"
    adapters: ClassVar[Sequence[Adapter]] = ()
    default_model: ClassVar[str]
    lone_noun: ClassVar[str]

    def load(self, spec: str | None, options: RunOptions, corpus: Corpus) -> TokenModel:
        """A model whose labels fit the corpus; the one that ships for None."""
        labels = {tag for sentence in corpus.sentences for tag in sentence.tags or ()}
        path = str(bundled(self.default_model)) if spec is None else spec
        return load_as_asked(path, options, labels, self.labelling, self.adapters, corpus.judged)

    def predictor(self, model: TokenModel, corpus: Any, store: Path | None = None) -> TokenPredictor:
        """The model with the clean corpus, each distinct sentence predicted once."""
        return TokenPredictor(model, corpus.sentences, store, self.labelling)

    def resources(self, corpus: Corpus, model: TokenModel, options: RunOptions, language: str) -> Resources:
        """Mask token, pools of entities, other corpora, models."""
        return Resources(corpus, mask_token_of(model, options), language)

    def lesson(self, example: Example) -> Lesson | None:
        """The tokens, each with its label."""
        sentence = example.sentence
        return Lesson(sentence.tokens, sentence.tags, tagged=True) if sentence.tags is not None else None

    def carry(self, example: Example, edits: Mapping[str, Perturbed]) -> Example | None:
        """The changed sentence, which carries its own labels."""
        made = edits.get(TEXT)
        return example if made is None else replace(example, fields={TEXT: made.sentence})

    def views_agree(self, outcome: Outcome) -> bool:
        """Whether every token kept its place and label."""
        perturbed = outcome.perturbed
        return perturbed is None or (
            perturbed.sentence.tags == outcome.sentence.tags
            and perturbed.origins == unchanged(outcome.sentence).origins
        )

    @abstractmethod
    def known_groups(self, session: Subject) -> set[str] | None:
        """The groups that a bound can be about: those of the corpus and those that the model can predict.

        None where they are not all known.
        """

    def check(self, cases: Iterable[AnyRow], session: Subject) -> Iterable[tuple[AnyRow, Bound, str]]:
        """Bounds on groups that neither corpus nor model knows: a slip of the pen."""
        bounds = [(case, bound, bound.type) for case in cases for bound in case.bounds if bound.type is not None]
        known = self.known_groups(session) if bounds else None
        if known is None:
            return
        for case, bound, group in bounds:
            if group not in known:
                there = f"{did_you_mean(group, sorted(known))}; there are {', '.join(sorted(known))}"
                yield case, bound, f"no {self.group_noun} {group!r} in corpus or model{there}"

    def undecidable(self, bound: Bound, measurement: Measurement, evidence: Evidence, where: str) -> str | None:
        """There is nothing to count, or a drop is bound of a model that is never right."""
        if not any(measurement.support.values()):
            return f"the {where} holds no {self.lone_noun}"
        if "_drop" in bound.metric:
            clean = sum(measurement.estimate(name, bound.type).value for name in (self.floor, f"{self.floor}_drop"))
            if abs(clean) < _ROUNDING:
                return f"the clean {self.metrics()[self.floor].words} is 0, so there is nothing to lose"
        return None

    # Reports ----------------------------------------------------------------------------------------------------------

    def examples(self, outcomes: Sequence[Outcome], view: str) -> list[Json]:
        """The sentences with most errors that the change has added."""
        return worst(outcomes, lambda outcome: self.errors_added(outcome, view) if outcome.changed else 0)

    def worst(self, examples: Iterable[Json]) -> list[Json]:
        """Those with most errors."""
        return worst_of(examples)

    def mistakes(self, outcomes: Sequence[Outcome]) -> list[Json]:
        """The clean sentences with most errors."""
        return worst(outcomes, self.errors_before)

    @abstractmethod
    def errors_before(self, outcome: Outcome) -> int:
        """Errors of the clean prediction."""

    @abstractmethod
    def errors_added(self, outcome: Outcome, view: str) -> int:
        """Errors after the change in a view, less those of the clean prediction."""

    records = staticmethod(wrong)

    def wrong_groups(self, gold: Sequence[str], predicted: Sequence[str]) -> Collection[str]:
        """The groups of the labels that are missed or invented: here the right and the wrong label of each token."""
        pairs = [pair for pair in zip(gold, predicted, strict=True) if pair[0] not in (UNLABELLED, pair[1])]
        return {tag for pair in pairs for tag in pair}

    def concerned(self, record: Mapping[str, Any]) -> Collection[str]:
        """The groups of the labels that are wrong in what the model was shown."""
        outcome = outcome_of(record, self.policy)
        shown = outcome.sentence if outcome.perturbed is None else outcome.perturbed.sentence
        return self.wrong_groups(shown.tags or (), outcome.prediction.tags)

    def as_examples(self, records: Iterable[Mapping[str, Any]], result: Mapping[str, Any]) -> list[Json]:
        """The sentences with the errors that the change has added or, where nothing is changed, with all."""
        outcomes = [outcome_of(record, self.policy) for record in records]
        if not probe_of(result).perturbs:
            return ranked((self.errors_before(outcome), outcome) for outcome in outcomes)
        view = result["view"] or self.usual_view
        return ranked((self.errors_added(outcome, view), outcome) for outcome in outcomes)

    def line(self, record: Mapping[str, Any]) -> str:
        """The sentence as it was shown, with the labels predicted, and after it with the right ones."""
        return line(record, self.policy)

    def facts(self, session: Subject, baseline: Measurement) -> Json:
        """The model, the corpus, and how good the one is on the other."""
        model, corpus, scale = session.model, session.corpus, session.predictor.scale()
        mask_token = mask_token_of(model, session.options)
        own: Json = {
            "model": {
                "name": self.shipped if session.options.model is None else model.name,
                "fingerprint": model.fingerprint,
                "labels": list(model.labels),
                "settings": dict(model.settings),
                "wordless": sum(prediction.wordless for prediction in session.predictor.clean()),
                "temperature": None if scale is None else scale.temperature,
                "temperature_at_limit": None if scale is None else scale.at_limit,
                "mask_token": MASK_FALLBACK if mask_token is None else mask_token,
                "mask_fallback": mask_token is None,
            },
            "corpus": {
                "name": corpus.name,
                "sha256": corpus.sha256,
                "sentences": len(session.examples),
                "distinct": len({example.id for example in session.examples}),
                "tokens": sum(len(example.sentence) for example in session.examples),
                "scheme": corpus.scheme,
                "repairs": corpus.repairs,
                "notices": list(corpus.notices),
                "limit": session.options.limit,
                **self.labels_in(corpus),
            },
            "device": model.device,
            "forwards": {"clean": session.predictor.windows()},
            "seeds": list(session.seeds),
            "baseline": {**self.baseline_facts(baseline), **self.baseline_extras(session)},
            **self.own_facts(session),
        }
        return {"notice": self.notice(own), **own}

    def whole_facts(self, parts: Sequence[Json]) -> Json:
        """With the words that have no piece in any part."""
        found = super().whole_facts(parts)
        return {**found, "model": {**found["model"], "wordless": sum(each["model"]["wordless"] for each in parts)}}

    @abstractmethod
    def labels_in(self, corpus: Corpus) -> Json:
        """How many labels of each kind the corpus holds, for the document."""

    def sizes(self, corpus: Mapping[str, Any]) -> Sequence[str]:
        """Sentences, tokens, labels, and what was read as labels."""
        labels = self.labels_in_words(corpus)
        return [*super().sizes(corpus), count(corpus["tokens"], "token"), labels, f"read as {corpus['scheme']}"]

    @abstractmethod
    def labels_in_words(self, corpus: Mapping[str, Any]) -> str:
        """How many labels a corpus holds, in words; ``corpus`` is what the document says of it."""

    def notice(self, facts: Json) -> str | None:
        """With a notice about labels that a checkpoint names more than once."""
        common, repeated = super().notice(facts), facts["model"]["settings"].get(REPEATED)
        lines = [common] if common else []
        if repeated:
            lines.append(
                f"The checkpoint names several outputs {visible(repeated)} (id2label in its config.json). They count "
                "as one label. If that is a mistake, correct the names."
            )
        return "\n".join(lines) or None

    def own_facts(self, session: Subject) -> Json:
        """Further facts about model and corpus together."""
        return {}

    def baseline_extras(self, session: Subject) -> Json:
        """Further numbers about the clean corpus."""
        return {}


def mask_token_of(model: TokenModel, options: RunOptions) -> str | None:
    """The mask token of the options, else the model's own; None where there is none."""
    given = options.mask_token
    return model.mask_token if given is None else given
