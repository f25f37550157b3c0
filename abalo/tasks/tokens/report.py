"""The section of reports about token labels."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import ClassVar

from abalo.core.documents.document import CorpusFacts
from abalo.core.documents.found import LabelledExample, LabelledUnit, Result, WrongUnit
from abalo.core.protocols.options import mask_token_of
from abalo.core.protocols.results import probe_of
from abalo.core.protocols.subject import Subject
from abalo.core.protocols.task_report import TaskReport
from abalo.core.records.example import JsonObject
from abalo.core.records.outcome import Outcome
from abalo.core.records.words import count
from abalo.corpora.corpus import Corpus
from abalo.errors import visible
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.hugging_face import REPEATED
from abalo.tasks.tokens.examples import line, outcome_of, rank_examples, worst, wrong
from perturbations import UNLABELLED, Policy
from perturbations.families.word.masking import MASK


class TokenReport(TaskReport):
    """The report of a task with token labels."""

    unit = LabelledUnit
    example = LabelledExample
    policy: ClassVar[Policy] = "bio"

    def examples(self, outcomes: Sequence[Outcome], view: str) -> list[JsonObject]:
        return worst(outcomes, lambda outcome: self.errors_added(outcome, view) if outcome.changed else 0)

    def mistakes(self, outcomes: Sequence[Outcome]) -> list[JsonObject]:
        return worst(outcomes, self.errors_before)

    @abstractmethod
    def errors_before(self, outcome: Outcome) -> int:
        """Errors of the clean prediction."""

    @abstractmethod
    def errors_added(self, outcome: Outcome, view: str) -> int:
        """Errors after the change minus before, in ``view``."""

    records = staticmethod(wrong)

    def wrong_groups(self, gold: Sequence[str], predicted: Sequence[str]) -> Collection[str]:
        """The groups of missed or invented labels."""
        pairs = [pair for pair in zip(gold, predicted, strict=True) if pair[0] not in (UNLABELLED, pair[1])]
        return {tag for pair in pairs for tag in pair}

    def concerned(self, record: WrongUnit) -> Collection[str]:
        outcome = outcome_of(record, self.policy)
        shown = outcome.sentence if outcome.perturbed is None else outcome.perturbed.sentence
        return self.wrong_groups(shown.tags or (), outcome.prediction.tags)

    def as_examples(self, records: Iterable[WrongUnit], result: Result) -> list[JsonObject]:
        outcomes = [outcome_of(record, self.policy) for record in records]
        if not probe_of(result).perturbs:
            return rank_examples((self.errors_before(outcome), outcome) for outcome in outcomes)
        view = result.view or self.task.usual_view
        return rank_examples((self.errors_added(outcome, view), outcome) for outcome in outcomes)

    def line(self, record: WrongUnit) -> str:
        return line(record, self.policy)

    def model_facts(self, subject: Subject) -> JsonObject:
        scale, clean = subject.predictor.scale(), subject.predictor.clean()
        return {
            "labels": list(subject.model.labels),
            "wordless": sum(prediction.wordless for prediction in clean),
            **_reply_facts(clean),
            "temperature": None if scale is None else scale.temperature,
            "temperature_at_limit": None if scale is None else scale.at_limit,
            **mask_facts(subject),
        }

    def corpus_facts(self, subject: Subject) -> JsonObject:
        corpus = subject.corpus
        return {
            "distinct": len({example.id for example in subject.examples}),
            "tokens": sum(len(example.sentence) for example in subject.examples),
            "scheme": corpus.scheme,
            "repairs": corpus.repairs,
            "notices": list(corpus.notices),
            **self.labels_in(corpus),
        }

    @abstractmethod
    def labels_in(self, corpus: Corpus) -> JsonObject:
        """The number of labels of each kind."""

    def sizes(self, corpus: CorpusFacts) -> Sequence[str]:
        labels = self.labels_in_words(corpus)
        return [*super().sizes(corpus), count(corpus.tokens, "token"), labels, f"read as {corpus.scheme}"]

    @abstractmethod
    def labels_in_words(self, corpus: CorpusFacts) -> str:
        """The number of labels, in words."""

    def notice(self, facts: JsonObject) -> str | None:
        common, repeated = super().notice(facts), facts["model"]["settings"].get(REPEATED)
        lines = [common] if common else []
        lines += [*_misplaced_replies(facts["model"])]
        if repeated:
            lines.append(
                f"The checkpoint names several outputs {visible(repeated)} (id2label in its config.json). They count "
                "as one label. If that is a mistake, correct the names."
            )
        return "\n".join(lines) or None


def mask_facts(subject: Subject) -> JsonObject:
    """What masks a word, and whether Abalo chose it."""
    mask_token = mask_token_of(subject.model, subject.options)
    return {"mask_token": mask_token or MASK, "mask_fallback": mask_token is None}


def _reply_facts(predictions: Sequence[Prediction]) -> JsonObject:
    found = {
        "ungrounded": sum(len(each.ungrounded) for each in predictions),
        "ambiguous": sum(each.ambiguous for each in predictions),
    }
    return {name: number for name, number in found.items() if number}


def _misplaced_replies(model: JsonObject) -> Iterator[str]:
    if ungrounded := model.get("ungrounded"):
        entries = count(ungrounded, "entry of the replies has", "entries of the replies have")
        yield f"{entries} no known type or no place in the text: wrong."
    if ambiguous := model.get("ambiguous"):
        entities = count(ambiguous, "entity of the replies has", "entities of the replies have")
        yield f"{entities} several places in the text. The first one counts."
