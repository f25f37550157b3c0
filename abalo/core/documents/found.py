"""The result of a case in one view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeVar

from annotated_types import Ge, Len, MinLen

from abalo.core.records import words
from abalo.core.records.example import JsonObject
from abalo.core.records.json_records import (
    Anything,
    Count,
    JsonRecord,
    Name,
    Positive,
    Share,
    Size,
    as_json,
    declared,
    read,
)
from abalo.core.records.values import AS_WHOLE, Pattern, Whole
from abalo.core.statistics.verdicts import Verdict
from perturbations import Edit, Perturbed, Sentence, apply


@dataclass(frozen=True, slots=True, kw_only=True)
class Interval(JsonRecord):
    """A number with its interval; None if undefined."""

    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareInterval(Interval):
    """A share with its interval."""

    value: Share | None
    low: Share | None
    high: Share | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimated(Interval):
    """A number on ``n`` distinct examples."""

    value: float = declared("The number; NaN is null.")
    low: float | None = declared("Lower end of its interval at the confidence of the gate.")
    high: float | None = declared("Upper end.")
    n: Count = declared("Number of distinct examples that hold something it counts.")
    sd: float | None = declared("Standard deviation over several trainings; else absent.", default=None)
    trainings: Annotated[Sequence[float | None], MinLen(2)] = declared(
        "Value of each training; else absent.", default=()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupFacts(JsonRecord):
    """The metrics of a group, under ``more``."""

    more: Mapping[str, Estimated | None] = field(default_factory=dict)
    support: Whole = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgementFacts(Interval):
    """A judgement; ``type`` is None if overall."""

    value: float | None = declared("Measured value.")
    low: float | None = declared("Lower end of the interval.")
    high: float | None = declared("Upper end of the interval.")
    bound: Annotated[str, Pattern("^(max|min)_")] = declared("`max_` or `min_` and a metric.")
    type: str | None = declared("Group of the bound; null for overall.")
    limit: float = declared("Limit, inclusive.")
    p: Share | None = declared(
        "One-sided p: the level at which the interval would reach the bound; null if nothing was judged."
    )
    verdict: Verdict = declared(
        "fail: the whole interval is beyond the limit after correction. pass: all of it is within. inconclusive: "
        "otherwise, or too few examples.",
    )
    verdict_uncorrected: Verdict = declared("Verdict without correction.")
    reason: str | None = declared("Why it is inconclusive; null if decided.")
    needed: Count | None = declared(
        "Estimated number of distinct examples that would decide; null if decided or if no number would."
    )
    detectable_loss: float | None = declared(
        "Detectable loss: the smallest further loss that the bound would block with 80 % power; null if there is none.",
    )
    noise: Size | None = declared(
        "For a model with random answers: upper end of the flips that are noise; else absent.", default=None
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class NoiseFacts(Interval):
    """The noise between repeats."""

    value: Share
    low: Share
    high: Share
    metric: str
    repeats: Annotated[int, Ge(2), AS_WHOLE] | None = None
    flips: Share | None = None
    clean: Share | None = None
    changed: Share | None = None
    majority: Share | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken(JsonRecord):
    """The progress of a case that may stop early."""

    look: Count
    looks: Positive
    sentences: Count
    of: Count
    of_distinct: Count
    seeds: Positive
    of_seeds: Positive


@dataclass(frozen=True, slots=True, kw_only=True)
class PartFacts(JsonRecord):
    """The units that a shard has run."""

    numbers: Sequence[Count]
    rows: Sequence[JsonObject]


@dataclass(frozen=True, slots=True, kw_only=True)
class RequirementFacts(JsonRecord):
    """What every variant must keep."""

    validator: Name
    side: Literal["min", "max"]
    limit: float
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EditFacts(JsonRecord):
    """An edit of a sentence."""

    start: Count = declared("First position in `tokens`.")
    stop: Count = declared("Position after the last.")
    tokens: Sequence[str] = declared("New tokens.")
    tags: Sequence[str] = declared("Their labels, if given.", default=())
    chars: Annotated[Sequence[Count], Len(2, 2)] = declared(
        "Characters of the token that change, if given.", default=()
    )
    spaces: Sequence[str] = declared("Text between the new tokens, if given.", default=())
    origins: Sequence[Sequence[Count]] = declared("Positions that each new token stands for, if given.", default=())
    layers: Sequence[Annotated[Sequence[str | Sequence[str]], Len(2, 2)]] = declared(
        "Their labels in further layers, by name, if given.", default=()
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstExample(JsonRecord):
    """A wrong or hurt example; ``gold``, ``clean`` and ``predicted`` are the task's."""

    more: Mapping[str, Anything] = field(default_factory=dict)
    sentence_id: str = declared("Digest of the clean tokens.", default="", required=True)
    seed: Whole = declared("Draw that is shown.", default=0, required=True)
    broken: Whole = declared("Number of errors beyond those on the clean sentence.", default=0, required=True)
    lost: float = declared("Score lost.", default=0.0)
    turned: bool = declared("Whether the answer changed although the right one is unknown.", default=False)
    tokens: Sequence[str] = declared("Clean sentence.", default=(), required=True)
    gold: Any = declared("Its gold labels.", default=(), required=True)
    clean: Any = declared("Labels predicted for it.", default=(), required=True)
    new_tokens: Sequence[str] = declared("Perturbed sentence.", default=(), required=True)
    new_gold: Any = declared("Gold labels carried into it.", default=(), required=True)
    predicted: Any = declared("Labels predicted for it.", default=(), required=True)
    reply: str | None = declared("Answer of a language model; else absent.", default=None)
    unreadable: bool = declared("Whether the reply gives no answer.", default=False)
    origins: Sequence[Sequence[Whole]] = declared(
        "For each new token, the positions in `tokens` that it stands for; empty for an inserted one.",
        default=(),
        required=True,
    )
    edited: Sequence[Whole] = declared(
        "Positions in `new_tokens` that were edited or inserted.", default=(), required=True
    )
    removed: Sequence[Whole] = declared("Positions in `tokens` that were removed.", default=(), required=True)
    targets: Sequence[Sequence[Any]] = declared(
        "[start, stop, type] of the spans that were aimed at, stop excluded.", default=()
    )
    new_targets: Sequence[Sequence[Any]] = declared("The same spans in `new_tokens`.", default=())
    gold_places: Sequence[Sequence[Whole]] = declared("[start, stop] of the right answers.", default=())
    clean_place: Sequence[Whole] | None = declared("[start, stop] of the answer to the clean text.", default=None)
    new_gold_places: Sequence[Sequence[Whole]] = declared("[start, stop] of the right answers now.", default=())
    place: Sequence[Whole] | None = declared("[start, stop] of the answer.", default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledExample(WorstExample):
    """An example with labels as answers."""

    more: Mapping[str, Any] = field(default_factory=dict)
    gold: Sequence[str] = declared("Its gold labels.")
    clean: Sequence[str] = declared("Labels predicted for it.")
    new_gold: Sequence[str] | None = declared("Gold labels carried into it; null if unknown.")
    predicted: Sequence[str] = declared("Labels predicted for it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredExample(LabelledExample):
    """An example with texts as answers."""

    clean: str = declared("Answer to the clean text.")
    predicted: str = declared("Answer to the variant.")


@dataclass(frozen=True, slots=True, kw_only=True)
class WrongUnit(JsonRecord):
    """A wrong unit in examples.jsonl; ``gold``, ``clean``, ``edits`` and ``predicted`` are the task's."""

    more: Mapping[str, Anything] = field(default_factory=dict)
    case: str = declared("Id of the case.", default="", required=True)
    sentence_id: str = declared("Digest of the clean tokens, 16 hexadecimal digits; of a question its id.")
    seed: Whole = declared("Seed of the unit.")
    place: str = declared("Target of an attack or id of a variant; absent if empty.", default="")
    tokens: Sequence[str] = declared("Clean sentence.", default=())
    spaces: Sequence[str] = declared("Text after each token.", default=())
    gold: Any = declared("Gold labels.", default=())
    clean: Any = declared("Labels predicted for the clean sentence.", default=())
    edits: Any = declared("Edits of the variant; empty if nothing changed.", default=())
    predicted: Any = declared("Labels predicted for the variant, in its own tokens.", default=())
    reply: str | None = declared("Answer of a language model; else absent.", default=None)
    unreadable: bool = declared("Whether the reply gives no answer.", default=False)

    @property
    def replied(self) -> Sequence[str]:
        """The reply in words, if any."""
        if self.reply is None:
            return ()
        return (f"{words.reply(unreadable=self.unreadable)}: {words.shorten(self.reply, words.QUOTED)}",)

    @property
    def unit(self) -> tuple[str, int, str]:
        """Example, seed and place."""
        return self.sentence_id, self.seed, self.place

    @property
    def words(self) -> tuple[str, ...]:
        """The tokens; raises ValueError without any."""
        if not self.tokens:
            raise ValueError(f"{self.sentence_id} has no tokens")
        return tuple(self.tokens)

    @property
    def text(self) -> Sentence:
        """The clean sentence without labels."""
        return Sentence(self.words, spaces=tuple(self.spaces))

    def change(self, clean: Sentence) -> Perturbed:
        """The edits made again in the clean sentence."""
        return apply(clean, [Edit.from_json(as_json(edit)) for edit in self.edits])


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledUnit(WrongUnit):
    """A unit with labels as answers."""

    more: Mapping[str, Any] = field(default_factory=dict)
    tokens: Sequence[str] = declared("Clean sentence.")
    gold: Sequence[str] = declared("Gold labels.")
    clean: Sequence[str] = declared("Labels predicted for the clean sentence.")
    edits: Sequence[EditFacts] = declared("Edits of the variant; empty if nothing changed.")
    predicted: Sequence[str] = declared("Labels predicted for the variant, in its own tokens.")


@dataclass(frozen=True, slots=True, kw_only=True)
class AnsweredUnit(LabelledUnit):
    """A unit with texts as answers."""

    gold: Sequence[str] = declared("Right answers after the change; empty if there is none.")
    clean: str = declared("Answer to the unchanged text; empty for none.")
    predicted: str = declared("Answer to the variant; empty for none.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Result(JsonRecord):
    """A case in one view; extensions use ``more``."""

    id: Annotated[str, Pattern("^[^/]+/.")] = declared(
        "task/table[parameters], such as ner/character_noise[rate-0.1]. Paths appear as file names."
    )
    task: Name = declared("Name of the task.")
    probe: Name = declared("Kind of test, such as perturbation or attack.")
    headline: Name = declared("Metric that sums the case up, such as f1_drop_changed.")
    name: Name = declared("Name of the table in thresholds.toml.")
    params: JsonObject = declared(
        "Parameters as set, with the values found for open ones, such as the mask token. A pipeline has `steps`.",
    )
    view: str | None = declared("How predictions are compared with gold; null for a task with one view.")
    metrics: Mapping[str, Estimated | None] = declared(
        "Metrics over all units; null if undefined in the view or if nothing counts."
    )
    per_type: Mapping[str, GroupFacts] = declared(
        "Metrics by group, with `support`: entity type, label, part of speech, variant or template."
    )
    bound: Mapping[str, float | Mapping[str, float]] | None = declared(
        'Limits by name, such as {"max_f1_drop": 0.25}; null in views without a bound.'
    )
    verdict: Verdict | None = declared(
        "Worst verdict over the bounds; null for a case that is only measured or cannot run."
    )
    blocking: bool = declared("false if a failure does not fail the run.")
    reason: str | None = declared(
        "Why the interval alone does not decide, or why the case cannot run here; null if neither."
    )
    p: Share | None = declared("One-sided p of the deciding judgement before correction; null without one.")
    m: Count | None = declared("Number of bounds corrected for; null without bounds.")
    verdict_uncorrected: Verdict | None = declared("Verdict of the interval without correction.")
    judgements: Sequence[JudgementFacts] = declared("One judgement per bound.")
    seeds: Sequence[Whole] = declared("Seeds of the case; one if nothing is drawn.")
    sentences: Count = declared(
        "Number of examples of the case; for an attack, the distinct examples it ran on; for a slice, those in it; "
        "for a capability, its fillings.",
        joins="recount",
    )
    distinct: Count = declared("Number of distinct ones; for an attack, those with a target.", joins="recount")
    changed: Count = declared("Number of examples that changed under at least one seed.", joins="recount")
    reach: float | None = declared(
        "Largest possible drop over all examples if everything in changed examples is lost; null for other kinds of "
        "test.",
    )
    variants: Count = declared("Number of variants, counted once per seed.", joins="sum")
    seconds: Size = declared("Time of the case.", joins="spent")
    inputs: Count = declared("Number of distinct model inputs beyond the clean corpus.", joins="spent")
    calls: Mapping[str, Count] | None = declared(
        "Calls to a language model or service for this case, as for the model; absent for any other model.",
        joins="sum",
        default=None,
    )
    shared_inputs: Count = declared("Number of those that the same attack on gold spans needs too.", joins="spent")
    command: str = declared("Command that runs the case again; empty for runs from Python.", default="", required=True)
    training: Count | None = declared("Number of the worst of several trainings, from 0; absent for one.", default=None)
    part: PartFacts | None = declared(
        "For a case that a shard ran in part: the `numbers` of its units and `rows` for `abalo merge`; else absent.",
        default=None,
    )
    noise: NoiseFacts | None = declared(
        "For a model that draws: `metric` between two repeats of the clean corpus, with its interval, and the "
        "shares of answers that differ from clean to changed, between repeats of each, and by majority; else absent.",
        default=None,
    )
    taken: Taken | None = declared(
        "With `--abalo-stop-early`: look at which the case stopped, and examples and seeds used; null if the case "
        "runs whole, else absent.",
        default=None,
    )
    examples: Sequence[WorstExample] = declared(default=(), kept=False)


F = TypeVar("F", bound="ResultFields")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultFields(JsonRecord):
    """Further fields of a result, from its kind of test or its task; all have a default."""

    more: Mapping[str, Anything] = field(default_factory=dict)

    @classmethod
    def of(cls: type[F], result: Result) -> F:
        """The fields in a result; the defaults if it lacks them."""
        return read(cls, result.more)


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnFields(ResultFields):
    """What drawing and filtering variants adds to a result."""

    require: Sequence[RequirementFacts] = declared(
        "Requirements on variants: `validator`, `side`, `limit`, and the measure `by`.", default=(), required=True
    )
    filtered: Count = declared(
        "Number of variants that broke a requirement. The clean prediction replaces them.",
        joins="sum",
        default=0,
        required=True,
    )
    not_hit: Count | None = declared(
        "Number of examples that chance left unchanged; null if unknown.", joins="sum", default=None, required=True
    )
    nothing_fits: Count | None = declared(
        "Number of examples without a place for the change; null if unknown.", joins="sum", default=None, required=True
    )
    experimental: Sequence[str] = declared(
        "Perturbations that readers have not accepted in this language or script, one sentence each.",
        default=(),
        required=True,
    )
    drawn_with: Mapping[str, str] = declared(
        "Content or version of each file, model or library that a parameter names. Runs with others are not compared.",
        factory=dict,
        required=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class PerturbationFields(DrawnFields):
    """What perturbations add to a result."""

    kind: Literal["morphology", "lexis", "syntax", "pragmatics"] | None = declared(
        "Linguistic level [TextFlint, §3].", default=None, required=True
    )
    span_source: Literal["oracle", "predicted"] | None = declared(
        "Spans that the change is aimed at; null for changes without a target.", default=None, required=True
    )


T = TypeVar("T")


def certain(value: T | None) -> T:
    """The value, which must not be None."""
    assert value is not None
    return value
