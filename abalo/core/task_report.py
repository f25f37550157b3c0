"""The part of reports that is of a task alone: its facts, what one result got wrong, and blocks."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from abalo.core.blocks import Block
from abalo.core.example import Json
from abalo.core.metrics import Metric
from abalo.core.numbers import estimate_of
from abalo.core.outcome import Outcome
from abalo.core.parts import notices
from abalo.core.registry import Registry
from abalo.core.statistics import Measurement
from abalo.core.subject import Subject
from abalo.core.words import count


class Described(Protocol):
    """The names of a task that its report has."""

    metrics: ClassVar[Registry[Metric]]
    noun: ClassVar[str]
    usual_view: ClassVar[str]


class TaskReport:
    """The report of a task: what its reports say besides that which they say of every task."""

    scores: ClassVar[tuple[str, ...]] = ()
    """The metrics that stand beside the headline number in tables; the floor alone where there are none."""
    result_fields: ClassVar[Mapping[str, Any]] = {}
    """The fields that its results have, each with the value that stands in results of other tasks."""
    view_meanings: ClassVar[Mapping[str, str]] = {}
    """How each view compares predictions with gold, in words."""

    def __init__(self, task: Described) -> None:
        self.task = task

    def facts(self, subject: Subject, baseline: Measurement) -> Json:
        """The parts of the document about the task's model and corpus; those here are in that of every task."""
        model, corpus = subject.model, subject.corpus
        return {
            "notice": self.notice({}),
            "model": {"name": model.name, "fingerprint": model.fingerprint, "settings": dict(model.settings)},
            "corpus": {
                "name": corpus.name,
                "sha256": corpus.sha256,
                f"{self.task.noun}s": len(subject.examples),
                "distinct": len({example.cluster for example in subject.examples}),
                "limit": subject.options.limit,
            },
            "forwards": {"clean": subject.predictor.windows()},
            "seeds": list(subject.seeds),
            "baseline": self.baseline_facts(baseline),
        }

    def part_facts(self, subject: Subject) -> Json:
        """The facts about a part of a corpus, of which `whole_facts` makes those of the whole.

        Without anything that is measured on the clean corpus.
        """
        return self.facts(subject, Measurement("", {}, {}, {}))

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

    def doubt(self, subject: Subject) -> str:
        """The reason to doubt that model and corpus mean the same by their labels; empty where there is none."""
        return ""

    def baseline_facts(self, baseline: Measurement) -> Json:
        """The metrics of the clean corpus, overall and per group."""
        clean = [name for name, metric in self.task.metrics().items() if metric.of_clean and not metric.probes]
        grouped = [name for name in clean if self.task.metrics()[name].per_group]
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
        return [f"{count(corpus[f'{self.task.noun}s'], self.task.noun)}{distinct}"]

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
