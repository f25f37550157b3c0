"""The losses of a run in a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge, Le

from abalo.core.documents.found import Interval, ShareInterval
from abalo.core.records.json_records import Commit, Count, Json, JsonRecord, Moment, Name, Share, Size, declared
from abalo.core.records.values import Pattern, Whole
from abalo.core.statistics.losses import Moved, State


@dataclass(frozen=True, slots=True, kw_only=True)
class Origin(JsonRecord):
    """The time and commit of a run."""

    date: Moment | None = None
    commit: Commit | None = None
    dirty: bool | None = declared(default=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain(JsonRecord):
    """The mean losses since a chain's first reference."""

    name: str
    date: str | None
    mean_loss: Mapping[str, float]
    limit: Size | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceFacts(JsonRecord):
    """The accepted run."""

    name: str
    run: Origin = declared(factory=Origin, required=True)
    date: str | None = declared(default=None)
    commit: str | None = declared(default=None)
    rerun: Json = field(default_factory=dict)
    since: Chain | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class WaiverFacts(JsonRecord):
    """A loss accepted until a day."""

    accepted_loss: float
    until: Annotated[str, Pattern("^[0-9]{4}-[0-9]{2}-[0-9]{2}$")]
    why: str
    over: bool
    usual: float


@dataclass(frozen=True, slots=True, kw_only=True)
class LossFacts(Interval):
    """A loss; ``id`` is None for the mean."""

    value: float | None = declared("The loss; positive is worse.")
    low: float | None = declared("Lower end of its corrected interval.")
    high: float | None = declared("Upper end.")
    id: str | None = declared("The case; null for the mean.")
    type: str | None = declared("The label; null for overall.")
    metric: str = declared("Metric that is compared; of labels `f1`, one label against the rest.")
    state: State = declared(
        "regressed: the interval is above the limit. improved: below 0. no worse: within the limit. accepted: "
        "within a waiver. identical: same answers. same results: same counts, if the answers of a run are not known. "
        "not judged: only shown, as labels in single cases. Otherwise undecided, too few changed or not comparable.",
    )
    reason: str | None = declared("Why it was not judged; null if judged.")
    blocking: bool = declared("Whether a regression blocks a release.")
    limit: float | None = declared("Largest allowed loss.")
    paired_by: Literal["variant", "example"] | None = declared(
        "variant: both runs saw the same texts. example: only the same examples. null if not compared."
    )
    reference: float | None = declared("Metric in the reference.")
    new: float | None = declared("Metric in this run.")
    p: Share | None = declared("One-sided p of a loss within the limit, corrected; null if not tested.")
    level: Annotated[float, Ge(0), Le(0.5)] | None = declared(
        "Level that `p` is compared with; 0 if nothing may be decided yet."
    )
    detectable_loss: float | None = declared("Detectable loss: the smallest loss that would be found with 80 % power.")
    n: Count = declared("Number of distinct examples compared.")
    discordant: Count = declared("Number of those that the runs count differently.")
    compared: Share | None = declared("Share of the run's distinct examples that are compared.")
    because_of: Sequence[str] = declared("For a mean that regressed: cases without which it would be within the limit.")
    weight: Share = declared("Weight of the case in the mean.")
    waiver: WaiverFacts | None = declared(
        "Accepted loss, last day, reason, whether it has expired, and the usual limit; null without one."
    )
    uncorrected_high: float | None = declared(
        "Upper end of the uncorrected interval, for the clean and the mean loss; null for others.",
        default=None,
        required=True,
    )
    stopped_early: bool = declared(
        "true if the case, or one of the mean, stopped before its last look: if it regressed, the loss is likely "
        "smaller than `value`.",
        default=False,
        required=True,
    )
    cases: Count = declared("For a mean: cases that it is over; else 0.", default=0, required=True)
    of_cases: Count = declared("For a mean: cases that could be part of it; else 0.", default=0, required=True)
    headline: float | None = declared(
        "Headline number of the case in the reference, under the seeds of this run; null for labels, the mean, and "
        "other examples or seeds.",
        default=None,
    )
    moved: Sequence[Moved] = declared(
        "For a label that regressed: answers that went from it to others or came to it, at most three pairs.",
        default=(),
    )


@dataclass(frozen=True, slots=True)
class LabelCount(JsonRecord):
    """A label in one case of two runs."""

    type: str = declared("The label.")
    places: Count = declared("Number of gold places.")
    found: Size = declared("Number of places that the reference found.")
    examples: Count = declared("Number of distinct examples in which it found them.")
    now: Size = declared("Number of places that the run finds; absent if 0.", default=0)
    case: str | None = declared("In `small_lost`: the case; empty for the clean corpus.", default=None)
    moved: Sequence[Moved] = declared("In `lost`: labels that its places have now, at most three.", default=())


@dataclass(frozen=True, slots=True)
class ShiftedLabel(JsonRecord):
    """A label that lost recall or precision, and no F1."""

    type: str = declared("The label.")
    metric: Literal["recall", "precision"] = declared("What fell.")
    reference: Share = declared("Its value in the reference.")
    new: Share = declared("Its value now.")
    moved: Sequence[Moved] = declared("Where answers went: for recall from the label, for precision to it.")


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnedFacts(ShareInterval):
    """Examples that turned one way, with an exact interval of their share."""

    value: Share | None = declared("Their share of the common examples.")
    low: Share | None = declared("Lower end of its interval at the confidence of the gate.")
    high: Share | None = declared("Upper end.")
    count: Count = declared("Their number.")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewlyFacts(JsonRecord):
    """Examples of a case that turned; an example counts once for each seed or variant."""

    case: Name = declared("The case.")
    examples: Count = declared("Number of examples in both runs.")
    wrong: TurnedFacts = declared("Right in the reference, wrong in this run.")
    right: TurnedFacts = declared("Wrong in the reference, right in this run.")


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitDifference(JsonRecord):
    """An example that got worse or better."""

    case: Name = declared("The case.")
    sentence_id: Name = declared("The example, as in examples.jsonl.")
    seed: Whole = declared("The seed.")
    place: str = declared("The target or variant.")
    worse: float = declared("Metric of the unit in the reference minus that in the run.")
    text: str | None = declared("Example with predicted and gold labels, of the run that is wrong; null if withheld.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedTraining(JsonRecord):
    """The comparison of one training."""

    model: str
    state: State
    regressed: Sequence[str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedTask(JsonRecord):
    """The losses of a task."""

    state: State = declared("Worst state of the losses that can block a release.")
    decided: bool = declared("As above, for the task.")
    metric: Name = declared("Metric that is compared.")
    model: str = declared("Model of the reference.")
    changed_unseen: bool = declared(
        "true if the fingerprints are equal but the clean predictions differ: something behind the name has changed."
    )
    corpus: str = declared("Corpus of the reference.")
    hypotheses: Count = declared("Number of losses of cases and types that could be tested.")
    judged: Count = declared("Number of those in this run.")
    baseline: LossFacts = declared("Loss on the clean corpus.")
    mean: LossFacts | None = declared("Mean loss over the perturbed cases, weighted by changed examples; null if none.")
    losses: Sequence[LossFacts] = declared("Losses of types and cases.")
    lost: Sequence[LabelCount] = declared(
        "Labels that the reference found in at least 5 examples and half of the places, and the run finds nowhere. "
        "Each fails the run.",
    )
    small_lost: Sequence[LabelCount] = declared("Other labels that the run no longer finds.")
    found_less: Sequence[LabelCount] = declared("Labels that are found less often, without a decision.")
    shifted: Sequence[ShiftedLabel] = declared(
        "Labels whose recall or precision on the clean corpus fell beyond the limit while F1 did not; decides nothing.",
        default=(),
        required=True,
    )
    no_labels: str | None = declared(
        "Why labels were not compared; null if they were, or if the task has none.",
        default=None,
        required=True,
    )
    identical: bool = declared(
        "true if the runs gave the same answers to all inputs that both asked; for a reference of an older version, if "
        "all counts are equal.",
        default=False,
        required=True,
    )
    perturbed: bool = declared("Whether the run has perturbed cases.")
    trainings: Sequence[ComparedTraining] = declared("Comparison of each training by itself; decides nothing.")
    only_new: Sequence[str] = declared("Cases that only this run has.")
    only_reference: Sequence[str] = declared("Cases that only the reference has.")
    only_default: Sequence[str] = declared(
        "Default cases that the thresholds file of the run lacks.", default=(), required=True
    )
    newly: Sequence[NewlyFacts] = declared(
        "By case: examples that turned from right to wrong and back. An example is right if all its spans, labels or "
        "words are, or its answer is.",
        default=(),
        required=True,
    )
    newly_worse: Sequence[UnitDifference] = declared(
        "Examples that got worse, largest differences first, at most ten or three per case."
    )
    worse: Count | None = declared("Number of examples that got worse in any case; null if unknown.", default=None)
    newly_better: Sequence[UnitDifference] = declared("Examples that got better, likewise.")
    panel: bool = declared(
        "true if one of the runs is a panel: the mean pools the counts of all its cases, and so do the losses of "
        "types, whose `id` ends in `/types`.",
        default=False,
        required=True,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison(JsonRecord):
    """The losses of a run."""

    reference: ReferenceFacts = declared(
        "The accepted run: `name` of its folder, `date` and `commit` of the acceptance, last `rerun`, and its `run`."
    )
    state: State = declared("Worst state of the tasks.")
    decided: bool = declared("true if every task is known to be no worse, or its loss is accepted.")
    missing: Sequence[str] = declared("Tasks that the reference did not judge.")
    level: float = declared(
        "Level of all losses of a task. Half is for the mean, a quarter for the baseline, a quarter for cases and "
        "types.",
    )
    since: Chain | None = declared(
        "Mean losses since the first reference of the chain, by task, with the `limit` above which reports mention "
        "them.",
        default=None,
        required=True,
    )
    tasks: Mapping[str, ComparedTask] = declared("Losses by task.")
