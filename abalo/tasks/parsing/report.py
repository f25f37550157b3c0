"""The parsing section of reports."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from abalo.core.documents.document import CorpusFacts, TypeFacts
from abalo.core.documents.found import LabelledExample, LabelledUnit, Result, WrongUnit
from abalo.core.protocols.results import probe_of
from abalo.core.protocols.subject import Subject
from abalo.core.protocols.task_report import TaskReport
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import as_json, read
from abalo.core.records.outcome import Outcome
from abalo.core.records.words import count
from abalo.models.labelling.fitting import PREDICTED, Terms, doubt, fit_of, misfit, predicted_counts, with_whole_fit
from abalo.models.labelling.labels import RELATIONS
from abalo.models.parsers.protocol import Parse
from abalo.tasks.parsing import blocks, shown
from abalo.tasks.parsing.corpus import arcs_of
from abalo.tasks.parsing.metrics.arcs import judged_now
from abalo.tasks.tokens.examples import worst_first, worst_of_each
from perturbations import ROOT

TERMS = Terms(
    RELATIONS,
    "never predicts these relations of the corpus",
    "that the corpus does not have",
    "relation",
    "relations",
    "relation",
)


class ParsingReport(TaskReport):
    """Reports on trees, scoring rules and predictions that are no trees."""

    unit = LabelledUnit
    example = LabelledExample
    scores = ("las", "uas", "clas")
    tells_notices = True
    sentences = staticmethod(blocks.sentences)
    records = staticmethod(shown.wrong)
    line = staticmethod(shown.line)

    def model_facts(self, subject: Subject) -> JsonObject:
        clean: Sequence[Parse] = subject.predictor.clean()
        return {"not_trees": sum(not each.is_tree for each in clean)}

    def corpus_facts(self, subject: Subject) -> JsonObject:
        corpus, rules = subject.corpus, subject.corpus.rules
        roots = [arcs_of(each.sentence).heads.count(ROOT) for each in subject.examples]
        return {
            "sentences": len(subject.examples),
            "tokens": sum(len(each.sentence) for each in subject.examples),
            "scheme": corpus.scheme,
            "subtypes": rules.subtypes,
            "punctuation": rules.punctuation,
            "relations": _gold_counts(subject),
            "roots": {"several": sum(number > 1 for number in roots), "none": roots.count(0)},
            "repairs": corpus.repairs,
            "notices": list(corpus.notices),
        }

    def own_facts(self, subject: Subject) -> JsonObject:
        return {"types": as_json(_fit(subject))}

    def part_facts(self, subject: Subject) -> JsonObject:
        return {**super().part_facts(subject), PREDICTED: _count_predicted(subject)}

    def doubt(self, subject: Subject) -> str:
        return doubt(_fit(subject), TERMS)

    def whole_facts(self, parts: Sequence[JsonObject]) -> JsonObject:
        found = super().whole_facts(parts)
        found = with_whole_fit(found, parts, found["corpus"]["relations"])
        number = sum(part["model"]["not_trees"] for part in parts)
        found = {**found, "model": {**found["model"], "not_trees": number}}
        return {**found, "notice": self.notice(found)}

    def notice(self, facts: JsonObject) -> str | None:
        told = [super().notice(facts)]
        roots = facts.get("corpus", {}).get("roots", {})
        if any(roots.values()):
            of = facts["corpus"]["sentences"]
            told.append(
                f"The gold has several roots in {roots['several']:,} of {of:,} sentences and none in {roots['none']:,}."
            )
        if number := facts.get("model", {}).get("not_trees"):
            of = facts["corpus"]["sentences"]
            told.append(
                f"The model gives {number:,} of {of:,} clean sentences several roots, none, or heads in a circle. "
                "Their words count one by one."
            )
        if "types" in facts:
            told.append(misfit(read(TypeFacts, facts["types"]), TERMS))
        return "\n".join(filter(None, told)) or None

    def sizes(self, corpus: CorpusFacts) -> Sequence[str]:
        relations = "with" if corpus.more["subtypes"] else "without"
        marks = "counted" if corpus.more["punctuation"] else "not counted"
        return [
            *super().sizes(corpus),
            count(corpus.tokens, "word"),
            f"relations {relations} subtypes",
            f"punctuation {marks}",
        ]

    def examples(self, outcomes: Sequence[Outcome], view: str) -> list[JsonObject]:
        found = worst_of_each((shown.errors_added(outcome), outcome) for outcome in outcomes)
        return [shown.example(*pair) for pair in found]

    def mistakes(self, outcomes: Sequence[Outcome]) -> list[JsonObject]:
        found = worst_of_each((shown.errors_before(outcome), outcome) for outcome in outcomes)
        return [shown.example(*pair) for pair in found]

    def concerned(self, record: WrongUnit) -> Collection[str]:
        found = [each for each in judged_now(shown.outcome_of(record)) if each is not None and not each.both]
        return {relation for each in found for relation in (each.relation, each.predicted)}

    def as_examples(self, records: Iterable[WrongUnit], result: Result) -> list[JsonObject]:
        outcomes = [shown.outcome_of(record) for record in records]
        errors = shown.errors_added if probe_of(result).perturbs else shown.errors_before
        return [shown.example(*pair) for pair in worst_first((errors(outcome), outcome) for outcome in outcomes)]


def _gold_counts(subject: Subject) -> dict[str, int]:
    rules = subject.corpus.rules
    return predicted_counts(relation for each in subject.examples for relation in rules.relations(each.sentence))


def _count_predicted(subject: Subject) -> dict[str, int]:
    rules = subject.corpus.rules
    pairs = zip(subject.examples, subject.predictor.clean(), strict=True)
    return predicted_counts(
        rules.relation(relation)
        for example, found in pairs
        for known, relation in zip(rules.known(example.sentence), found.relations, strict=True)
        if known
    )


def _fit(subject: Subject) -> TypeFacts:
    corpus, model = subject.corpus, subject.model
    offered = {*map(corpus.rules.relation, model.labels)}
    return fit_of(_gold_counts(subject), corpus.types, _count_predicted(subject), offered)
