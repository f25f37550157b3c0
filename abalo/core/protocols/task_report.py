"""Reports by task."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from abalo.core.documents.blocks import Block
from abalo.core.documents.document import CorpusFacts, Document, ModelFacts
from abalo.core.documents.found import Result, ResultFields, WorstExample, WrongUnit
from abalo.core.documents.parts import notices
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.subject import Subject
from abalo.core.records import tally
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import joins
from abalo.core.records.outcome import Outcome
from abalo.core.records.words import count
from abalo.core.statistics.estimates import Measurement
from abalo.core.statistics.metrics import Metric
from abalo.core.statistics.numbers import estimate_of

_NOTICES = "notices"
_TALLY = "tally"

EXAMPLES = 10
"""How many examples a report shows of a case."""


class Described(Protocol):
    """The task names that its report needs."""

    metrics: ClassVar[Registry[Metric]]
    noun: ClassVar[str]
    usual_view: ClassVar[str]


class TaskReport:
    """What a task's reports show besides the common parts."""

    scores: ClassVar[tuple[str, ...]] = ()
    """Metrics beside the headline number; by default the floor."""
    result_fields: ClassVar[type[ResultFields]] = ResultFields
    """What it adds to results."""
    view_meanings: ClassVar[Mapping[str, str]] = {}
    """How each view compares predictions with gold."""
    group_names: ClassVar[Mapping[str, str]] = {}
    """Names of groups on pages; by default their ids."""
    tells_notices: ClassVar[bool] = False
    """Whether notices include those of the corpus."""
    unit: ClassVar[type[WrongUnit]] = WrongUnit
    """Form of its wrong units in examples.jsonl."""
    example: ClassVar[type[WorstExample] | None] = WorstExample
    """Form of its shown examples, if any."""

    def __init__(self, task: Described, shipped: str = "") -> None:
        self.task = task
        self.shipped = shipped

    def facts(self, subject: Subject, baseline: Measurement) -> JsonObject:
        """The document's facts about model, corpus and clean scores."""
        model, corpus = subject.model, subject.corpus
        own = {
            "model": {
                "name": self.shipped if self.shipped and subject.options.model is None else model.name,
                "fingerprint": model.fingerprint,
                "settings": dict(model.settings),
                **self.model_facts(subject),
            },
            "corpus": {
                "name": corpus.name,
                "sha256": corpus.sha256,
                f"{self.task.noun}s": len(subject.examples),
                "distinct": len({example.cluster for example in subject.examples}),
                "limit": subject.options.limit,
                **self.corpus_facts(subject),
            },
            "inputs": {"clean": subject.predictor.clean_inputs()},
            "seeds": list(subject.seeds),
            "baseline": baseline_facts(self.task, baseline),
            **({"device": model.device} if hasattr(model, "device") else {}),
            **self.own_facts(subject),
        }
        return {"notice": self.notice(own), **own}

    def model_facts(self, subject: Subject) -> JsonObject:
        return {}

    def corpus_facts(self, subject: Subject) -> JsonObject:
        return {}

    def own_facts(self, subject: Subject) -> JsonObject:
        """Further facts about model and corpus together."""
        return {}

    def part_facts(self, subject: Subject) -> JsonObject:
        """The facts about a part of a corpus, without clean measurements; `whole_facts` joins them."""
        return {**self.facts(subject, Measurement("", {}, {}, {})), _TALLY: subject.corpus.tally.to_json()}

    def whole_facts(self, parts: Sequence[JsonObject]) -> JsonObject:
        """The facts of a corpus from its parts, in order."""
        first = parts[0]
        corpora, models = ([part[of] for part in parts] for of in ("corpus", "model"))
        summed = [name for name in joins([ModelFacts], "sum") if name in models[0]]
        corpus = {name: add_values([each[name] for each in corpora]) for name in corpora[0]}
        if _NOTICES in corpus:
            corpus[_NOTICES] = _shortened([*dict.fromkeys(_without_tallies(parts))])
            corpus[_NOTICES] += tally.add(part[_TALLY] for part in parts).lines()
        return {
            **{name: each for name, each in first.items() if name != _TALLY},
            "model": {**models[0], **{name: add_values([each[name] for each in models]) for name in summed}},
            "corpus": corpus,
        }

    def notice(self, facts: JsonObject) -> str | None:
        """Warnings above the results, one per line; None without any."""
        told: Sequence[str] = facts.get("corpus", {}).get("notices", ()) if self.tells_notices else ()
        return "\n".join([*notices(facts), *told]) or None

    def doubt(self, subject: Subject) -> str:
        """Warning text if model and corpus labels may not match; "" if they do."""
        return ""

    def result_facts(self, outcomes: Sequence[Outcome], *, with_text: bool) -> JsonObject:
        """Further result fields; no text unless ``with_text``."""
        return {}

    def unanswered(self, result: Result) -> tuple[int, int]:
        """The answers that name no option, and all; 0 of 0 without options."""
        return 0, 0

    def examples(self, outcomes: Sequence[Outcome], view: str) -> list[JsonObject]:
        """The ten outcomes that lost most, worst first, as JSON values."""
        return []

    def mistakes(self, outcomes: Sequence[Outcome]) -> list[JsonObject]:
        """The ten worst unchanged outcomes, as JSON values."""
        return []

    def records(self, outcomes: Sequence[Outcome]) -> Iterable[JsonObject]:
        """Every outcome that is wrong clean or changed, with text, as JSON values."""
        return ()

    def concerned(self, record: WrongUnit) -> Collection[str]:
        """The groups that a record gets wrong; empty if unknown."""
        return ()

    def as_examples(self, records: Iterable[WrongUnit], result: Result) -> list[JsonObject]:
        """All records of a case as in `examples`, worst first."""
        return []

    def line(self, record: WrongUnit) -> str:
        """A record as one line that shows the error."""
        return record.sentence_id

    def sizes(self, corpus: CorpusFacts) -> Sequence[str]:
        """The size of a corpus in words."""
        distinct = f" ({corpus.distinct:,} distinct)" if corpus.distinct else ""
        return [f"{count(size_of(self.task, corpus), self.task.noun)}{distinct}"]

    def remarks(self, results: Sequence[Result], document: Document) -> Sequence[str]:
        """Remarks to read before trusting the results."""
        return ()

    def blocks(self, results: Sequence[Result], document: Document) -> Sequence[Block]:
        """Summary blocks about all results of this task."""
        return ()

    def sentences(self, result: Result, document: Document) -> Sequence[Block]:
        """Blocks with the errors of one result, worst first, before its numbers."""
        return ()

    def detail(self, result: Result, document: Document) -> Sequence[Block]:
        """Further blocks about one result."""
        return ()


def _without_tallies(parts: Sequence[JsonObject]) -> Iterator[str]:
    for part in parts:
        own = tally.add([part[_TALLY]]).lines()
        yield from (line for line in part["corpus"][_NOTICES] if line not in own)


def _shortened(lines: Sequence[str]) -> list[str]:
    rest = len(lines) - EXAMPLES
    return [*lines[:EXAMPLES], *([f"{count(rest, 'more notice')} about parts of the corpus."] if rest > 0 else [])]


def add_values(values: Sequence[Any]) -> Any:
    """The sum of numbers, else the first value."""
    first = values[0]
    if isinstance(first, Mapping) and all(_is_number(each) for value in values for each in value.values()):
        names = sorted({name for value in values for name in value})
        return {name: sum(value.get(name, 0) for value in values) for name in names}
    return sum(values) if all(map(_is_number, values)) else first


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def worst_examples(examples: Iterable[WorstExample]) -> list[WorstExample]:
    """The worst `examples` from all parts of a case."""
    return sorted(examples, key=lambda each: (-each.lost, -each.broken, each.sentence_id, each.seed))[:EXAMPLES]


def baseline_facts(task: Described, baseline: Measurement) -> JsonObject:
    """The clean metrics, overall and per group."""
    clean = [name for name, metric in task.metrics().items() if metric.of_clean and not metric.probes]
    grouped = [name for name in clean if task.metrics()[name].per_group]
    return {
        **{name: estimate_of(baseline.estimate(name)) for name in clean},
        "per_type": {
            group: {name: estimate_of(baseline.estimate(name, group)) for name in grouped}
            | {"support": baseline.support[group]}
            for group in baseline.per_group
        },
    }


def first_only(task: Described, corpus: CorpusFacts) -> Sequence[str]:
    """The limit, if it cut the corpus."""
    cut = corpus.limit is not None and size_of(task, corpus) >= corpus.limit
    return [f"the first {corpus.limit:,} only"] if cut else []


def size_of(task: Described, corpus: CorpusFacts) -> int:
    """The number of examples."""
    size: int = corpus.more.get(f"{task.noun}s", corpus.sentences)
    return size
