"""The unchanged corpus under other prompts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import ClassVar

from abalo.core.documents.blocks import Block, Column, Row, Table, Text, meanings
from abalo.core.documents.document import Document
from abalo.core.documents.found import Interval, Result, ResultFields
from abalo.core.protocols.entries import Entries
from abalo.core.protocols.preflight import percent
from abalo.core.protocols.probe import Case, Probe, Ran, RunContext
from abalo.core.protocols.probe_report import ProbeReport
from abalo.core.protocols.results import metric_of, task_of
from abalo.core.protocols.task import Task
from abalo.core.records import words
from abalo.core.records.configuring import Ranged, Ranges, configure, describe_settings
from abalo.core.records.example import Example, JsonObject, Variant
from abalo.core.records.gate import Gate
from abalo.core.records.json_records import JsonRecord, Positive, Share, Size, declared
from abalo.core.records.outcome import Outcome
from abalo.core.records.settings import Entry
from abalo.core.running.noise import flip_metric
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.plan import Parameters, Plan
from abalo.errors import AbaloError
from abalo.models.generative.models import Prompted
from abalo.models.prompts.variants import WAYS, Origin, PromptVariant, vary_prompts
from abalo.probes.meanings import OF_PROMPTS
from abalo.probes.sizes import sizes
from abalo.probes.spread import spread_scores
from perturbations import unchanged
from perturbations.suggestions import did_you_mean

PROMPT, PROMPTS = "prompt", "prompts"

USUAL = "as it is"

_SHOWN = 10


_MANY = 0.1


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptSettings(Ranged):
    """Settings of prompt cases; `abalo.probes.meanings` explains them."""

    ways: tuple[str, ...] = tuple(WAYS)
    draws: int = 2
    alternatives: str = ""

    ranges: ClassVar[Ranges] = {"draws": (1, 100)}

    def __post_init__(self) -> None:
        Ranged.__post_init__(self)
        for way in self.ways:
            if way not in WAYS:
                raise ValueError(f"ways has {way!r}; expected some of {', '.join(WAYS)}{did_you_mean(way, WAYS)}")


class PromptEntries(Entries):
    """Entries about prompts."""

    def parameters(self, entry: Entry, task: Task) -> Sequence[str]:
        return ("ways", "draws", "alternatives")

    def described(self, table: str, task: Task) -> Mapping[str, Mapping[str, object]]:
        found = describe_settings(PromptSettings, OF_PROMPTS)
        ways = {"type": "array", "items": {"enum": list(WAYS)}, "minItems": 1}
        return {**found, "ways": {**ways, "description": OF_PROMPTS["ways"], "default": list(WAYS)}}

    def refused_settings(self, entry: Entry, task: Task) -> Mapping[str, str]:
        return dict.fromkeys(("view", "seeds", "span_source"), "the text of an example stays as it is; leave it out")

    def parse(self, entry: Entry, task: Task) -> Sequence[Plan]:
        values = dict(entry.values)
        if isinstance(values.get("ways"), list):
            values["ways"] = tuple(values["ways"])
        for key, value in values.items():
            try:
                configure(PROMPT, PromptSettings, {key: value})
            except (TypeError, ValueError) as error:
                entry.problem(str(error), key)
        return (Parameters(values),)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptAnswers(JsonRecord):
    """An example's answers with their numbers of prompts."""

    text: str
    answers: Mapping[str, Positive]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFacts(JsonRecord):
    """The facts about several prompts per example."""

    changing: Share | None = declared("Share of examples whose answer changes with the prompt; null if unknown.")
    spread: Share | None = declared("Mean share of prompts that do not give the commonest answer; null if unknown.")
    examples: Sequence[PromptAnswers] = declared("Up to ten examples whose answer changes most.")
    scores: Mapping[str, float] = declared("Score by prompt.")
    sensitive: bool | None = declared("Whether the score hangs on the prompt; null with too few examples.")
    sd: Size | None = declared("Standard deviation of the scores; absent with too few examples.", default=None)
    beyond: Interval | None = declared(
        "Standard deviation beyond chance, with its interval; else absent.", default=None
    )
    best: str = declared("Prompt with the best score; else absent.", default="")
    worst: str = declared("Prompt with the worst score; else absent.", default="")
    loss: Interval | None = declared("Loss from the best to the worst prompt; else absent.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptFields(ResultFields):
    """What prompts add to a result."""

    prompts: PromptFacts | None = declared("The scores of several prompts; absent for a single one.", default=None)


class PromptReport(ProbeReport):
    """Prompts in reports."""

    def title(self, result: Result) -> str:
        return "Prompt"

    def settings(self, result: Result) -> Sequence[str]:
        usual = {**asdict(PromptSettings()), "ways": list(WAYS)}
        return words.parameters(words.unusual(result.params, usual))

    def extent(self, result: Result, task: Task) -> str:
        found = PromptFields.of(result).prompts
        if found is None:
            return f"of {words.count(result.sentences, task.noun)}"
        return f"{words.count(len(found.scores), 'prompt')}, {_finding(found)}"

    def remedy(self, result: Result, task: Task) -> str:
        found = PromptFields.of(result).prompts
        better = "" if found is None or not found.sensitive else f" Use the best prompt, {found.best}, or"
        return f"{better} Ask by several prompts and take the commonest answer.".replace("or Ask", "or ask").strip()

    def findings(self, result: Result) -> Sequence[Block]:
        found = PromptFields.of(result).prompts
        if found is None or not (found.sensitive or (found.changing or 0) >= _MANY):
            return []
        return [Text((f"{words.sentence_case(_finding(found))}. {_worst_and_best(found, result)}",))]

    def detail(self, result: Result, document: Document) -> Sequence[Block]:
        found = PromptFields.of(result).prompts
        if found is None:
            return []
        score = words.sentence_case(metric_of(result, task_of(result).floor).words)
        columns = (Column("Prompt"), Column(score, numeric=True))
        rows = tuple(Row((name, words.number(value))) for name, value in found.scores.items())
        said = (
            f"{_finding(found)}. {_worst_and_best(found, result)}" if found.loss is not None else f"{_finding(found)}."
        )
        blocks: list[Block] = [
            Text((words.sentence_case(said), _answers(found)), "Prompts"),
            Table(columns, rows, "Scores by prompt", meanings(columns), noun="prompt"),
        ]
        if found.examples:
            shown = [f"{each.text}: {_counted(each.answers)}" for each in found.examples]
            blocks.append(Text(tuple(shown), "Answers that hang most on the prompt", "list", open=3))
        return blocks


class PromptProbe(Probe):
    """Asks about every example with the usual prompt, then with each other prompt."""

    name = PROMPT
    result_fields = PromptFields
    entries = PromptEntries(PROMPT)
    report = PromptReport()

    def ahead(self, plan: Plan) -> bool:
        return True

    def drawn_under(self, case: Case, seeds: Sequence[int]) -> Sequence[int]:
        return ()

    def asked(self, case: Case, engine: RunContext) -> int:
        return len(engine.examples[: case.limit]) * len(_variants(case, engine))

    def cost(self, case: Case, seeds: Sequence[int]) -> str:
        return "an input for each example and prompt"

    def run(self, case: Case, engine: RunContext, search: object = None) -> Ran:
        variants, examples = _variants(case, engine), engine.examples[: case.limit]
        task, scale = engine.task, engine.predictor.scale()
        inputs = [task.input(example) for example in examples]
        clean = engine.predictor.predict_each(inputs).predictions
        outcomes = [Outcome(each, 0, found, None, found, scale) for each, found in zip(examples, clean, strict=True)]
        for variant in variants:
            predictor = engine.predictor.asking(engine.model.asked_by(variant.prompt))
            for example, before, after in zip(examples, clean, predictor.ask(inputs), strict=True):
                outcomes.append(Outcome(example, 0, before, _asked_by(variant, example), after, scale))
        settings = _settings(case)
        facts = {PROMPTS: _facts(variants, outcomes, examples, engine)} if variants else {}
        params = {**asdict(settings), "ways": list(settings.ways)}
        return Ran(outcomes, params, (0,), sizes(examples, outcomes), len(variants) * len(examples), facts=facts)

    def refreshed(self, facts: JsonObject, case: Case, evidence: Evidence, task: Task, gate: Gate) -> JsonObject:
        if PROMPTS not in facts:
            return facts
        names = [USUAL, *(each for each in dict.fromkeys(evidence.places.tolist()) if each)]
        places = ["" if name == USUAL else name for name in names]
        found = spread_scores(evidence, task.metrics()[task.floor], case.view, places, gate.confidence)
        own: JsonObject = {"scores": {}, "sensitive": None}
        if found is not None:
            own = {
                "scores": dict(zip(names, found.scores, strict=True)),
                "sensitive": found.sensitive,
                "sd": found.sd,
                "beyond": {"value": found.beyond, "low": found.low, "high": found.high},
                "best": names[found.best],
                "worst": names[found.worst],
                "loss": {"value": found.loss, "low": found.least_loss, "high": found.most_loss},
            }
        return {**facts, PROMPTS: {**facts[PROMPTS], **own}}


def _settings(case: Case) -> PromptSettings:
    return configure(PROMPT, PromptSettings, case.params)


def _variants(case: Case, engine: RunContext) -> Sequence[PromptVariant]:
    model, settings = engine.model, _settings(case)
    if not isinstance(model, Prompted):
        raise AbaloError(
            f"[[{case.task}.{PROMPT}]]: model {model.name} is not asked by a prompt; leave the table out, or judge a "
            "model such as inspect:PROVIDER/MODEL?FILE"
        )
    origin = Origin(model.asker.prompt, settings.draws, settings.alternatives)
    return vary_prompts(origin, settings.ways)


def _asked_by(variant: PromptVariant, example: Example) -> Variant:
    name, sentence = next(iter(example.fields.items()))
    return Variant(example, {name: unchanged(sentence)}, variant.name, variant.name)


def _facts(
    variants: Sequence[PromptVariant], outcomes: Sequence[Outcome], examples: Sequence[Example], engine: RunContext
) -> JsonObject:
    metric = flip_metric(engine.task)
    if metric is None or metric.outputs is None:
        return {"changing": None, "spread": None, "examples": []}
    answers = [tuple(metric.outputs(outcome)[1]) for outcome in outcomes]
    by_example = [Counter(answers[place :: len(examples)]) for place in range(len(examples))]
    prompts = 1 + len(variants)
    spread = [1 - max(counted.values()) / prompts for counted in by_example]
    order = sorted(range(len(examples)), key=lambda place: (-spread[place], place))
    shown = [place for place in order if spread[place] > 0][:_SHOWN] if engine.with_text else []
    return {
        "changing": sum(value > 0 for value in spread) / max(1, len(spread)),
        "spread": sum(spread) / max(1, len(spread)),
        "examples": [
            {
                "text": examples[place].whole.text,
                "answers": {_answer(each): count for each, count in by_example[place].most_common()},
            }
            for place in shown
        ],
    }


def _answer(outputs: Sequence[object]) -> str:
    said = ("+".join(map(str, each)) if isinstance(each, tuple | list | frozenset) else str(each) for each in outputs)
    return ", ".join(said) or "none"


def _finding(found: PromptFacts) -> str:
    moved = "" if not found.changing else f"the answer changes in {percent(found.changing)} of the examples; "
    if found.beyond is None or found.sensitive is None:
        return f"{moved}too few examples to say whether the score hangs on the prompt"
    said = f"SD {words.number(found.beyond.value)} {_ends(found.beyond)} beyond chance"
    return moved + (f"the score hangs on the prompt: {said}" if found.sensitive else f"the score hardly does: {said}")


def _worst_and_best(found: PromptFacts, result: Result) -> str:
    loss, score = found.loss, metric_of(result, task_of(result).floor).words
    if loss is None:
        return ""
    return (
        f"Worst prompt: {found.worst}. Best prompt: {found.best}. The worst loses {words.number(loss.value)} "
        f"{_ends(loss)} {score} against the best."
    )


def _answers(found: PromptFacts) -> str:
    if found.changing is None or found.spread is None:
        return "Answers by prompt were not compared."
    return (
        f"The answer changes with the prompt in {percent(found.changing)} of the examples; on average "
        f"{percent(found.spread)} of the prompts do not give the commonest answer."
    )


def _ends(found: Interval) -> str:
    return f"[{words.number(found.low)}, {words.number(found.high)}]"


def _counted(answers: Mapping[str, int]) -> str:
    return "; ".join(f"{answer} × {count}" for answer, count in answers.items())


PROBE = PromptProbe()
