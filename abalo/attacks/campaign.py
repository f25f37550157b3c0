"""One attack on all its targets in a corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from abalo.attacks.attack import Aims, Attack, S
from abalo.attacks.checking import checked_start
from abalo.attacks.constraints import Constraints
from abalo.attacks.log import Log, record_of, target_of
from abalo.attacks.record import AttackRecord
from abalo.attacks.search import Ended, Found, Predict, SearchState, lock_step
from abalo.core.protocols.predictor import LEFT_OUT, I, P, Predictor, calls_of
from abalo.core.protocols.task import AnyCorpus, Task
from abalo.core.records.example import Example, Variant
from abalo.core.records.json_records import Json
from abalo.core.records.outcome import Outcome, Reached, Searched, Tried
from abalo.core.records.targets import Target, place_targets
from abalo.core.statistics.plan import CaseShare
from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.sources import PosSource
from abalo.sources.loading import load_parts_of_speech, load_similarity
from abalo.validators.requirements import prepare_scores
from perturbations import Edit, Perturbed, apply, stream

BLOCK = 64
"""Most targets in lock step, unless one example has more."""


@dataclass(frozen=True, slots=True, eq=False)
class Campaign:
    """The outcomes of an attack on the targets of a ``task``, and their cost.

    * ``not_found``: an outcome per seed for each gold label that is wrong without a change.
    * ``eligible`` and ``sentences``: distinct examples that the attack could use, and did.
    * ``inputs``: distinct model inputs beyond the clean corpus.
    * ``numbers``: positions in the undivided campaign; ``not_found`` last.
    * ``places``: replaceable words per outcome; empty if the attack does not replace single words.
    * ``again``: all outcomes, ``not_found`` last, by another repeat of the model.
    """

    task: Task
    outcomes: Sequence[Outcome]
    not_found: Sequence[Outcome]
    sources: Mapping[str, str]
    eligible: int
    sentences: int
    inputs: int
    numbers: Sequence[int]
    again: Callable[[Predictor[Any, Any]], Sequence[Outcome]]
    places: Sequence[Sequence[int]] = ()
    parts_of_speech: PosSource | None = None
    log: Path | None = None


@dataclass(frozen=True, slots=True, eq=False)
class LockStep:
    """Targets of whole examples that advance together, and the examples' wrong labels."""

    targets: list[Target]
    missed: list[Target]
    first: int
    first_missed: int


OpenCampaignLog = Callable[[Json], Log]


def campaign(
    attack: Attack[S],
    settings: S,
    task: Task,
    corpus: Corpus,
    predictor: Predictor[I, P],
    seeds: Sequence[int],
    open_log: OpenCampaignLog | None = None,
    *,
    field: str = "",
    share: CaseShare | None = None,
) -> Campaign:
    """Runs an attack: an outcome per seed and target in corpus order; one seed if nothing is drawn.

    ``field`` is the field to change; "" for the field of the targets. With a ``share``, only its blocks run, with the
    same results as in a full run.
    """
    clean = {example.id: prediction for example, prediction in zip(corpus.examples, predictor.clean(), strict=False)}
    sentences = [sentence for example in corpus.examples for sentence in example.fields.values()]
    parts_of_speech = load_parts_of_speech(settings.parts_of_speech, corpus)
    similarity = load_similarity(settings.similarity, sentences)
    required = prepare_scores(settings.require, corpus)
    constraints = Constraints(similarity, settings.least_similarity, parts_of_speech, settings.limits(), required)
    aimed = {
        each: place_targets(task.targets.of(each, clean[each.id], predictor.model, settings.goal), field)
        for each in _distinct(corpus.examples)
    }
    eligible = _eligible([example for example, found in aimed.items() if found], parts_of_speech)
    chosen = _sample(eligible, settings.sample)
    blocks = _blocks(aimed[example] for example in chosen)
    own = [block for k, block in enumerate(blocks) if share is None or share.has(k)]
    targets = [target for block in own for target in block.targets]
    used = seeds if attack.seeded(settings) else seeds[:1]
    starts = [
        checked_start(
            attack.name, targets, attack.start(Aims(targets, corpus, seed, predictor.model, task.input), settings)
        )
        for seed in used
    ]
    sources = {
        "similarity": similarity.name,
        "parts of speech": "off" if parts_of_speech is None else parts_of_speech.name,
        **(starts[0].sources if starts else {}),
        **{f"{each.validator.name}, {each.validator.side}imum {each.limit:g}": score.name for each, score in required},
    }
    run = _identity(attack, settings, corpus, predictor, used, sources) | ({"field": field} if field else {})
    log = None if open_log is None else open_log(run)
    past = iter([] if log is None else log.past)
    outcomes: list[Outcome] = []
    aims: list[Target] = []
    inputs = 0

    def judge_goal(outcome: Outcome, target: Target) -> Outcome:
        return outcome if attack.reached is None else _judge_goal(outcome, attack, settings, target)

    for seed, started in zip(used, starts, strict=True):
        searches, choices = iter(started.searches), iter(started.choices)
        for block in own:
            count = len(block.targets)
            first, done = len(outcomes), list(islice(past, count))
            answering = predictor.answering()
            predict = within_calls(predictor_for(task, answering), predictor)
            _check(done, block.targets, log)
            fresh = list(islice(searches, count))
            if len(done) == count:
                ended = _restore_ends(block.targets, done, predictor_for(task, answering))
            else:
                ended = lock_step(fresh, predict, constraints, settings.budget)
            inputs += answering.inputs
            for target, end, could in zip(block.targets, ended, islice(choices, count), strict=True):
                outcomes.append(judge_goal(_outcome(target, seed, end, could, predictor), target))
                aims.append(target)
            if log is not None:
                log.add(record_of(attack.name, outcome, task) for outcome in outcomes[first + len(done) :])
    missed = [_not_found(target, seed, predictor) for seed in used for block in own for target in block.missed]

    def again(other: Predictor[Any, Any]) -> Sequence[Outcome]:
        variants = [outcome.variant for outcome in outcomes if outcome.variant is not None]
        predictions = iter(other.ask([task.input(each.example) for each in variants]))
        repeated = [each if each.variant is None else replace(each, prediction=next(predictions)) for each in outcomes]
        return [*map(judge_goal, repeated, aims), *missed]

    return Campaign(
        task,
        outcomes,
        missed,
        sources,
        len(eligible),
        len(chosen),
        inputs,
        _numbers(blocks, own, len(used)),
        again,
        [each for started in starts for each in started.places],
        parts_of_speech,
        None if log is None else log.path,
    )


def _blocks(aimed: Iterable[Sequence[Target]]) -> list[LockStep]:
    blocks = [LockStep([], [], 0, 0)]
    for own in aimed:
        last, right = blocks[-1], [target for target in own if target.right]
        if last.targets and len(last.targets) + len(right) > BLOCK:
            last = LockStep([], [], last.first + len(last.targets), last.first_missed + len(last.missed))
            blocks.append(last)
        last.targets.extend(right)
        last.missed.extend(target for target in own if not target.right)
    return blocks


def _numbers(blocks: Sequence[LockStep], own: Sequence[LockStep], seeds: int) -> list[int]:
    targets, missed = sum(len(each.targets) for each in blocks), sum(len(each.missed) for each in blocks)
    pairs = [(k, each) for k in range(seeds) for each in own]
    found = [k * targets + each.first + place for k, each in pairs for place in range(len(each.targets))]
    after = [k * missed + each.first_missed + place for k, each in pairs for place in range(len(each.missed))]
    return found + [seeds * targets + place for place in after]


def predictor_for(task: Task, answering: Callable[[Sequence[I]], Sequence[P]]) -> Predict:
    """Wraps a model: turns each variant into an input of the task."""
    return lambda variants: answering([task.input(variant.example) for variant in variants])


def within_calls(predict: Predict, predictor: Predictor[I, P]) -> Predict:
    """Asks; a variant after the last allowed call gets no answer."""

    def asked(variants: Sequence[Variant]) -> Sequence[object]:
        before = calls_of(predictor.model).get(LEFT_OUT)
        found = predict(variants)
        if calls_of(predictor.model).get(LEFT_OUT) == before:
            return found
        return [None if predictor.unanswered(each) else each for each in found]

    return asked


def _identity(
    attack: Attack[S],
    settings: S,
    corpus: AnyCorpus,
    predictor: Predictor[I, P],
    seeds: Sequence[int],
    sources: Mapping[str, str],
) -> dict[str, object]:
    return {
        "attack": attack.name,
        "settings": asdict(settings),
        "sources": dict(sources),
        "seeds": list(seeds),
        "corpus": corpus.sha256,
        "sentences": len(corpus.examples),
        "model": predictor.model.fingerprint,
    }


def _not_found(target: Target, seed: int, predictor: Predictor[I, P]) -> Outcome:
    clean = target.clean
    return Outcome(target.example, seed, clean, None, clean, predictor.scale(), target.spans, not_found=True)


def _check(records: Sequence[AttackRecord], targets: Sequence[Target], log: Log | None) -> None:
    for record, target in zip(records, targets, strict=False):
        expected = target_of(target.spans)
        if [record.sentence_id, record.target] != [target.example.id, expected]:
            assert log is not None
            raise AbaloError(
                f"{log.path}: a record is about {record.sentence_id} {record.target}; expected "
                f"{target.example.id} {expected}; remove the log, or run without --abalo-resume"
            )


def _restore_ends(targets: Sequence[Target], records: Sequence[AttackRecord], predict: Predict) -> list[Ended]:
    def made(target: Target, edits: Sequence[Mapping[str, object]]) -> Perturbed | None:
        return apply(target.sentence, map(Edit.from_json, edits)) if edits else None

    pairs = [
        (made(target, record.edits), made(target, record.best["edits"] if record.best else ()))
        for target, record in zip(targets, records, strict=True)
    ]
    variants = [
        target.variant(each) for target, pair in zip(targets, pairs, strict=True) for each in pair if each is not None
    ]
    predictions = iter(predict(variants))
    ended = []
    for target, record, (last, best) in zip(targets, records, pairs, strict=True):
        prediction = target.clean if last is None else next(predictions)
        state = None if best is None else SearchState(best, next(predictions))
        found = Found(last, prediction, record.similarity, state)
        ended.append(Ended(found, record.queries, record.spent, Tried(**record.tried)))
    return ended


def _distinct(examples: Sequence[Example]) -> list[Example]:
    first: dict[str, Example] = {}
    for example in examples:
        first.setdefault(example.id, example)
    return list(first.values())


def _eligible(examples: Sequence[Example], parts_of_speech: PosSource | None) -> list[Example]:
    """Keeps examples with a verb, if known [Dirkson et al., 4.3]."""
    if parts_of_speech is None:
        return list(examples)
    fields = [(example, sentence) for example in examples for sentence in example.fields.values()]
    kinds = parts_of_speech.of([sentence for _, sentence in fields])
    verbs = {example.id for (example, _), tags in zip(fields, kinds, strict=True) if {"VERB", "AUX"} & set(tags)}
    return [example for example in examples if example.id in verbs]


def _sample(examples: Sequence[Example], count: int) -> list[Example]:
    lots = {example.id: stream(0, "attacked sentences", example.id).random() for example in examples}
    drawn = set(sorted(lots, key=lots.__getitem__)[: count or None])
    return [example for example in examples if example.id in drawn]


def _judge_goal(outcome: Outcome, attack: Attack[S], settings: S, target: Target) -> Outcome:
    if attack.reached is None or outcome.searched is None:
        return outcome
    reached = attack.reached(settings, target, outcome.prediction, outcome.perturbed)
    return replace(outcome, searched=replace(outcome.searched, reached=reached))


def _outcome(target: Target, seed: int, ended: Ended, choices: int, predictor: Predictor[I, P]) -> Outcome:
    found = ended.found
    best = None if found.best is None else Reached(target.variant(found.best.perturbed), found.best.prediction)
    return Outcome(
        target.example,
        seed,
        target.clean,
        None if found.perturbed is None else target.variant(found.perturbed),
        found.prediction,
        predictor.scale(),
        target.spans,
        Searched(choices, ended.queries, ended.spent, found.similarity, ended.tried, best),
    )
