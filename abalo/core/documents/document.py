"""The document of a run, as in robustness.json."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Literal

from annotated_types import Ge, Lt

from abalo.core.documents.found import Estimated, GroupFacts, Interval, JudgementFacts, Result, ShareInterval
from abalo.core.documents.losses_found import Comparison
from abalo.core.records.gate import Inconclusive
from abalo.core.records.json_records import (
    Anything,
    Commit,
    Count,
    Json,
    JsonRecord,
    Moment,
    Name,
    Positive,
    Sha256,
    Share,
    Size,
    declared,
)
from abalo.core.records.values import Whole
from abalo.core.statistics.panel import Panel
from abalo.core.statistics.verdicts import Verdict

ScoreState = Literal["above", "undecided", "below"]

SCHEMA = "abalo-robustness/6"


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseError(JsonRecord):
    """A case without a result."""

    id: Name
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class WorstTest(JsonRecord):
    """The test with most failures in a cell."""

    id: Name
    failure_rate: ShareInterval


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixCell(JsonRecord):
    """A cell of the capability matrix."""

    task: Name
    capability: str
    kind: Literal["minimum functionality", "invariance", "directional"]
    tests: Positive
    failed: Count
    worst: WorstTest


Status = Literal["fixed", "still broken", "broken differently"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Regression(JsonRecord):
    """An earlier model's failure, tried again."""

    id: Name = declared("Digest of attack, sentence, place and change.")
    attack: Name = declared("Attack that found it.")
    status: Status = declared(
        "fixed: something is right again. still broken: wrong as recorded. broken differently: wrong in another "
        "way, or already on the clean example.",
    )
    before: str | None = declared("Clean sentence in bracket notation; null with `--abalo-no-text`.")
    after: str | None = declared("Changed sentence; null with `--abalo-no-text`.")
    labels: Sequence[str] = declared("Labels predicted now.")
    recorded: Sequence[str] = declared("Labels that were recorded.")


@dataclass(frozen=True, slots=True, kw_only=True)
class GateFacts(JsonRecord):
    """How the run was judged."""

    thresholds: Name = declared("Name of the thresholds file.", default="", required=True)
    confidence: Annotated[float, Ge(0.5), Lt(1)] | None = declared(
        "Confidence of every interval.", default=None, required=True
    )
    inconclusive: Inconclusive = declared("Effect of an undecided case on the exit code.", default="", required=True)
    correction: Literal["bonferroni", "none"] = declared(
        "Correction for the number of bounds.", default="", required=True
    )
    bounds: Count | None = declared(
        "Number of blocking bounds of the tasks of the run, whatever was selected.", default=None, required=True
    )
    resamples: Positive = declared("Bootstrap draws behind each interval.", default=0, required=True)
    language: Name = declared("Language setting: auto, or a code.", default="", required=True)
    seeds: Sequence[Whole] = declared("Seeds of `[gate]`.", default=(), required=True)
    profile: Literal["quick", "dev", "ci", "nightly"] = declared(
        "Profile of the run: quick, dev, ci or nightly.", default="", required=True
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Inputs(JsonRecord):
    """The number of distinct inputs."""

    clean: Count
    cases: Count = declared(default=0, required=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class TrainingFacts(JsonRecord):
    """One of several trainings."""

    name: str
    fingerprint: Name


KEPT_ON = "kept:"
"""Before the day, in the key that counts the replies kept from that day."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FullPrecision(JsonRecord):
    """The same model in full precision."""

    name: str
    fingerprint: Name
    labels: Count
    differing: Count
    floor: Estimated | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFacts(JsonRecord):
    """A model, with task-specific fields under ``more``."""

    more: Mapping[str, Anything] = field(default_factory=dict)
    name: str = declared("Name as given: a path, module:factory or hub id.")
    fingerprint: Name = declared(
        "Digest of everything visible that decides predictions; for a callable, its code and `version`."
    )
    settings: Json = declared(
        "Settings of the adapter that change predictions, such as `dtype`, `aggregation`, `max_length`, `stride`, "
        "`join` and `types`.",
        factory=dict,
    )
    version: str | None = declared(
        "Version of a callable or service, from `--abalo-model-version` or its attribute `version`; null for models "
        "identified by files.",
        default=None,
    )
    predictions: str = declared(
        "Digest of the labels predicted on the clean corpus, independent of batches, order and workers.", default=""
    )
    differing: Share | None = declared(
        "Share of labels that differed when the first batch was predicted twice; null if it was predicted once.",
        default=None,
    )
    black_box: bool = declared(
        "true for a service or other code whose fingerprint cannot identify the model behind it.", default=False
    )
    code: Sequence[Sha256] = declared(
        "SHA-256 digests of the files whose code ran to load the model. `abalo accept --rerun` runs no other code.",
        default=(),
    )
    unanswered: Share | None = declared("Share of the clean corpus without a valid answer; absent if 0.", default=None)
    asked: Positive | None = declared("Number of distinct inputs that `unanswered` is a share of.", default=None)
    repeats: Positive | None = declared(
        "How often the model was asked about each input, if it draws its answers; else absent.", default=None
    )
    calls: Mapping[str, Count] | None = declared(
        "Calls to a language model or service for the clean corpus: `made`, `kept` from earlier ones, `again` after a "
        "reply that could not be read, `retried` after a failure, `left_out` beyond the limit, their `input_tokens` "
        "and `output_tokens`, and with `--abalo-price` the `cost` in millionths; absent for any other model.",
        default=None,
    )
    trainings: Sequence[TrainingFacts] = declared(
        "`name` and `fingerprint` of each training, if several were judged. The other fields then describe all or the "
        "first.",
        default=(),
    )
    full_precision: FullPrecision | None = declared(
        "For a model in lower precision: the checkpoint in full precision, the number of clean `labels`, how many are "
        "`differing`, and its clean score `floor`.",
        default=None,
    )
    labels: Sequence[str] = declared("Labels in the order of the score columns.", default=())
    mask_token: str | None = declared("Text that replaces masked words.", default=None)
    mask_fallback: bool | None = declared(
        "true if the model names no mask token and `[MASK]` was used as text.", default=None
    )
    wordless: Count | None = declared(
        "Number of words of the clean corpus that the vocabulary cannot represent.", default=None, joins="sum"
    )
    ungrounded: Positive | None = declared(
        "Number of entities or words that replies name on the clean corpus and the text does not hold; absent if 0.",
        default=None,
    )
    ambiguous: Positive | None = declared(
        "Number of entities on the clean corpus that replies put at the first of several places; absent if 0.",
        default=None,
    )
    temperature: float | None = declared(
        "Temperature of the softmax, fitted on the clean corpus; null for a model without scores.",
        default=None,
    )
    temperature_at_limit: bool | None = declared(
        "true if the temperature is at an end of the search, so probabilities are unreliable; null with `temperature`.",
        default=None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class CorpusFacts(JsonRecord):
    """A corpus, with task-specific fields under ``more``."""

    more: Mapping[str, Anything] = field(default_factory=dict)
    name: str = declared("Name as given.")
    sha256: Name = declared(
        "Digest of tokens, labels and spacing, independent of the file format.", default="", required=True
    )
    distinct: Count = declared("Number of distinct examples, the n of overall statistics.", default=0)
    limit: Positive | None = declared(
        "Number of examples that were read (`--abalo-limit`); null for all.", default=None
    )
    language: Name = declared("ISO 639-1 code; und if undetermined, mul for several languages.", default="")
    language_found: bool = declared(
        "true if the language was found from the words, false if it was given.", default=False
    )
    sentences: Count = declared("Number of examples; `questions` for multiple choice.", default=0)
    tokens: Count = declared("Number of tokens.", default=0)
    scheme: Name = declared("Labelling scheme of the file: BIO, IOB1 or BIOES. Later fields use BIO.", default="")
    repairs: Count = declared("Number of labels that `FILE?lenient` repaired.", default=0)
    notices: Sequence[str] = declared("Assumptions made while reading.", default=())
    entities: Mapping[str, Count] = declared("Number of gold entities by type.", factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut(JsonRecord):
    """The entities of unjudged types."""

    gold: Mapping[str, Count]
    predicted: Mapping[str, Count]


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeFacts(JsonRecord):
    """How labels of model and corpus match."""

    judged: Sequence[str] | None = declared("Entity types of `--abalo-types`; null for all.", default=None)
    left_out: LeftOut | None = declared(
        "By type, the number of `gold` and `predicted` entities that `--abalo-types` removed.", default=None
    )
    outside: Mapping[str, Count] = declared(
        "Types of the model that the corpus lacks, with the number of predicted entities. They are false positives."
    )
    never_predicted: Mapping[str, Count] = declared(
        "Types that the model never predicts, with the number of gold entities."
    )
    unused_names: Sequence[str] = declared(
        "Names in the label map that the model never predicts on the clean corpus; only for models without a list of "
        "labels.",
        default=(),
    )
    dropped: Sequence[str] = declared("Names of such a model that the label map turns into O.", default=())
    corpus: Sequence[str] = declared("Judged types of the whole corpus, whatever the limit.")
    told_by_model: bool = declared("true if the model has a list of labels.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreJudgement(Interval):
    """A clean score against one limit."""

    training: Count
    bound: Name
    limit: float
    verdict: Verdict
    reason: str | None
    needed: Count | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Least(JsonRecord):
    """How the clean score was judged."""

    limit: Share = declared("Smallest clean score.", default=0.0, required=True)
    guesses: bool = declared(
        "true if the model is not compared with an answer that reads nothing.", default=False, required=True
    )
    state: ScoreState = declared("Position of the clean score relative to its limits.")
    reason: str | None = declared("Reason if the score is undecided.", default=None, required=True)
    judgements: Sequence[ScoreJudgement] = declared(
        "One judgement for each training and limit.", default=(), required=True
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class BaselineFacts(JsonRecord):
    """The clean corpus, with metrics under ``more``."""

    more: Mapping[str, Estimated | None] = field(default_factory=dict)
    per_type: Mapping[str, GroupFacts] = declared("Metrics and `support` (gold entities) by type.", factory=dict)
    verdict: Verdict | None = declared(
        "Verdict on the clean corpus, whether or not its case was selected; null without a bound, unless the clean "
        "score fails.",
        default=None,
    )
    reason: str | None = declared("Reason for the verdict, as in a result.", default=None)
    blocking: bool = declared("Whether a failure fails the run.", default=False)
    m: Positive | None = declared("Number of bounds corrected for.", default=None)
    judgements: Sequence[JudgementFacts] = declared(
        "Judgements on the bounds, and on each limit that the clean score of a training is below.", default=()
    )
    least: Least | None = declared("How the clean score was judged.", default=None)
    f1_other_aggregation: Share | None = declared(
        "Clean F1 with the other way to join word pieces (`--abalo-aggregation`); null if the model has no choice.",
        default=None,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class DeviceRun(JsonRecord):
    """A device that ran shards."""

    name: str
    chunks: Positive
    labels: Count | None
    differing: Count | None


@dataclass(frozen=True, slots=True)
class ForeseenLoss(JsonRecord):
    """The detectable loss of a later comparison; ``reason`` explains why it may end undecided."""

    metric: Name
    loss: Size | None
    n: Count
    needed: Count | None
    reason: str | None
    labels: Mapping[str, Share | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped(JsonRecord):
    """A skipped case and the reason."""

    id: Name
    reason: str
    lacks: Literal["language", "resource"]


@dataclass(frozen=True, slots=True)
class DetectableLosses(JsonRecord):
    """The losses that a panel detects with 80 % power."""

    after: Count
    mean: float | None
    types: float | None
    cases: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DesignFacts(Panel):
    """The design of a panel and how much was run."""

    budget: str | None = declared("The budget as it was given; null for a design that was given.")
    of: Positive = declared("Distinct examples of the corpus.")
    seen: Count = declared("Distinct examples that were run.")
    stopped: str | None = declared(
        "Why not all were run: `mean` (the mean loss is above its limit), `out of reach` (a large loss could hardly be "
        "found), `time`; null if all were."
    )
    inputs: Count = declared("Model inputs that the design needs at most; 0 if not known.")
    detectable_loss: Sequence[DetectableLosses] = declared(
        "Losses that the panel finds with a power of 80 %, foreseen before the run and again `after` some examples: of "
        "the mean, the median type and the median single case."
    )
    left_out: Sequence[Name] = declared("Cases of the thresholds file that the design has no part for.")


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFacts(JsonRecord):
    """The model, corpus and clean score of a task."""

    more: Mapping[str, Anything] = field(default_factory=dict)
    notice: str | None = declared("Warnings about this task, one a line; null if none.", default=None)
    model: ModelFacts = declared("The model.")
    corpus: CorpusFacts = declared("The corpus.")
    device: Name = declared("Device of the model; absent for `choice`.", default="")
    inputs: Inputs | None = declared("Number of distinct model inputs, as at the top.", default=None)
    seeds: Sequence[Whole] = declared("Seeds of the task; absent for `choice`.", default=())
    baseline: BaselineFacts = declared("Metrics of the clean corpus.")
    devices: Sequence[DeviceRun] = declared(
        "For a corpus in chunks that ran on several devices: `name`, number of `chunks`, and how many of the compared "
        "`labels` are `differing` from the first device.",
        default=(),
    )
    foreseen: ForeseenLoss | None = declared(
        "Loss that a later comparison with this run could detect: the `metric`, the `loss`, the `n` of examples, and "
        "the `needed` number for the usual limit.",
        default=None,
    )
    design: DesignFacts | None = declared(
        "Design of a run with `--abalo-budget` or `--abalo-design`: which part of the corpus each case was run on, and "
        "how far.",
        default=None,
    )
    sampled: Positive | None = declared(
        "For a corpus in chunks: most examples of each case that were kept (`abalo scale --examples N`).", default=None
    )
    types: TypeFacts | None = declared("How the labels of model and corpus fit.", default=None)
    bounds: Count | None = declared("Number of blocking bounds of this task.", default=None)
    skipped: Sequence[Skipped] = declared(
        "Cases that were skipped, with the reason. `lacks` is language if the case is for other languages, resource if "
        'it needs a model or corpus given as "none".',
        default=(),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ShardFacts(JsonRecord):
    """The part of a run."""

    number: Positive = declared("Number of the shard, from 1.")
    of: Positive = declared("Number of shards.")
    exit_code: Whole | None = declared("Exit code of the shard's run; null if it has not ended.")
    no_text: bool = declared("Whether text of the corpus was withheld.")
    thresholds_sha256: Sha256 = declared("Digest of the thresholds file and the files it extends.")
    reference_sha256: Sha256 | None = declared("Digest of the counts of the accepted run; null without one.")
    deal_sha256: Sha256 = declared("Digest of `deal`.")
    deal: Json = declared(
        "How cases were distributed: `parts` with the `id`, the `cost` in model inputs for 100 of the clean corpus, "
        "the `shard`, and the `part` of a divided case.",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Document(JsonRecord):
    """A run; empty fields were unknown."""

    schema: Literal["abalo-robustness/6"] = declared(
        "Format and its number. Fields may be added within a number; none changes its meaning or is removed.",
        default="",
        required=True,
    )
    complete: bool = declared(
        "false if the run was interrupted, a case has no result, or a case could not run.", default=False, required=True
    )
    missing: Sequence[Name] = declared("Ids of collected cases without a result.", default=(), required=True)
    errors: Sequence[CaseError] = declared(
        "Cases that could not run, each with the reason, including cases whose worker died.", default=(), required=True
    )
    not_run: Sequence[CaseError] = declared(
        "After `abalo rejudge`: cases of the thresholds file that the run did not include.", default=(), required=True
    )
    verdict: Literal["pass", "fail", "inconclusive", "measured"] = declared(
        "fail: exit code 1. measured: nothing blocking was judged and nothing compared. inconclusive: exit code 10, "
        "or an incomplete run. pass: exit code 0.",
        default="",
        required=True,
    )
    next: Sequence[Name] = declared(
        "The two commands to run next; absent if the run failed or did not finish.", default=()
    )
    counts: Mapping[str, Count] = declared(
        "Number of cases by verdict; `not_blocking` counts failures of cases that do not block.",
        factory=dict,
        required=True,
    )
    comparison: Comparison | None = declared(
        "Losses against an accepted run; null without `--abalo-against`.", default=None, required=True
    )
    capabilities: Sequence[MatrixCell] = declared(
        "Matrix of capabilities: for each task, row and kind the number of `tests`, the number that `failed`, and "
        "the `worst` with its failure rate.",
        default=(),
        required=True,
    )
    results: Sequence[Result] = declared("Results of the cases in the order of collection.", default=(), required=True)
    regressions: Sequence[Regression] = declared(
        "Results of the records of `--abalo-regressions FILE`, by `id`.", default=(), required=True
    )
    run: Name | None = declared(
        "Random id of the run. A report is stale if `last-run.json` beside it names another run.", default=None
    )
    date: Moment | None = declared(
        "Start of the run in UTC, such as 2026-11-22T09:30:15Z; for shards, the first start.", default=None
    )
    commit: Commit | None = declared(
        "Commit of the project in the working directory, or `GITHUB_SHA`; absent outside a repository and for "
        "shards of several commits.",
        default=None,
    )
    dirty: bool | None = declared(
        "Whether tracked files differed from the commit; null if git could not tell.", default=None
    )
    versions: Mapping[str, str] = declared(
        "Versions of Python and of the installed packages that matter.", factory=dict
    )
    options: Json = declared("Options of the run.", factory=dict)
    gate: GateFacts = declared("Settings of the gate.", factory=GateFacts)
    tasks: Mapping[str, TaskFacts] = declared(
        "Model, corpus and baseline of each task of the run. Absent if the run ended before any model was measured.",
        factory=dict,
    )
    notice: str | None = declared("Warnings, one a line; null if none. Reports show them first.", default=None)
    model: ModelFacts | None = declared(
        "The model of the only task, or of `ner`; absent in a run of several tasks without `ner`. New code should "
        "read `tasks`. The same holds for `corpus`, `inputs`, `device`, `seeds` and `baseline`.",
        default=None,
    )
    corpus: CorpusFacts | None = declared("The corpus, as for `model`.", default=None)
    inputs: Inputs | None = declared(
        "Number of distinct model inputs, as for `model`: `clean` for the clean corpus, `cases` for the cases "
        "beyond it.",
        default=None,
    )
    device: Name | None = declared("Device of the model, such as cpu or cuda.", default=None)
    seeds: Sequence[Whole] = declared("Seeds of the run; a case may have its own.", default=())
    baseline: BaselineFacts | None = declared("The clean corpus, as for `model`.", default=None)
    shard: ShardFacts | None = declared("Facts about one shard of a run; only in the report of a shard.", default=None)
    evidence_sha256: Sha256 | None = declared(
        "Digest of the `evidence.npz` that was written with the report; absent if the run has not ended.", default=None
    )
