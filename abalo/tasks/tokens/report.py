"""The part of reports about labels of tokens: model, corpus, and the sentences that were labelled wrong."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from abalo.core.example import Json
from abalo.core.options import mask_token_of
from abalo.core.outcome import Outcome
from abalo.core.results import probe_of
from abalo.core.statistics import Measurement
from abalo.core.subject import Subject
from abalo.core.task_report import Described, TaskReport
from abalo.core.words import count
from abalo.corpora.corpus import Corpus
from abalo.errors import visible
from abalo.models.hugging_face import REPEATED
from abalo.tasks.tokens.examples import line, outcome_of, ranked, worst, worst_of, wrong
from perturbations import UNLABELLED, Policy
from perturbations.families.word.masking import MASK


class TokenReport(TaskReport):
    """The report of a task whose tokens have labels."""

    policy: ClassVar[Policy] = "bio"

    def __init__(self, task: Described, shipped: str) -> None:
        super().__init__(task)
        self._shipped = shipped

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
        view = result["view"] or self.task.usual_view
        return ranked((self.errors_added(outcome, view), outcome) for outcome in outcomes)

    def line(self, record: Mapping[str, Any]) -> str:
        """The sentence as it was shown, with the labels predicted, and after it with the right ones."""
        return line(record, self.policy)

    def facts(self, subject: Subject, baseline: Measurement) -> Json:
        """The model, the corpus, and how good the one is on the other."""
        model, corpus, scale = subject.model, subject.corpus, subject.predictor.scale()
        mask_token = mask_token_of(model, subject.options)
        own: Json = {
            "model": {
                "name": self._shipped if subject.options.model is None else model.name,
                "fingerprint": model.fingerprint,
                "labels": list(model.labels),
                "settings": dict(model.settings),
                "wordless": sum(prediction.wordless for prediction in subject.predictor.clean()),
                "temperature": None if scale is None else scale.temperature,
                "temperature_at_limit": None if scale is None else scale.at_limit,
                "mask_token": mask_token or MASK,
                "mask_fallback": mask_token is None,
            },
            "corpus": {
                "name": corpus.name,
                "sha256": corpus.sha256,
                "sentences": len(subject.examples),
                "distinct": len({example.id for example in subject.examples}),
                "tokens": sum(len(example.sentence) for example in subject.examples),
                "scheme": corpus.scheme,
                "repairs": corpus.repairs,
                "notices": list(corpus.notices),
                "limit": subject.options.limit,
                **self.labels_in(corpus),
            },
            "device": model.device,
            "forwards": {"clean": subject.predictor.windows()},
            "seeds": list(subject.seeds),
            "baseline": {**self.baseline_facts(baseline), **self.baseline_extras(subject)},
            **self.own_facts(subject),
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

    def own_facts(self, subject: Subject) -> Json:
        """Further facts about model and corpus together."""
        return {}

    def baseline_extras(self, subject: Subject) -> Json:
        """Further numbers about the clean corpus."""
        return {}
