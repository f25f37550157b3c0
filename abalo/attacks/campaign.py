"""One attack on all its targets in a corpus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from abalo.attacks.attack import Aims, Attack, AttackSettings
from abalo.attacks.constraints import Constraints
from abalo.attacks.log import Json, Log, record_of, target_of
from abalo.attacks.search import Ended, Found, Predict, State, lock_step
from abalo.core.example import Example
from abalo.core.outcome import Outcome, Reached, Searched, Tried
from abalo.core.plan import Share
from abalo.core.predictor import Predictor
from abalo.core.targets import Target, placed
from abalo.core.task import Corpus, Task
from abalo.errors import AbaloError
from abalo.sources import PartsOfSpeech
from abalo.sources.loading import load_parts_of_speech, load_similarity
from abalo.validators.requirements import prepared, required_facts
from perturbations import Edit, Perturbed, apply, stream

BLOCK = 64
"""The most targets that advance in lock step, unless one example has more: enough to fill batches, few enough to keep
what they ask about in memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Campaign:
    """The outcomes of an attack on the targets of a ``task``, and their cost.

    ``not_found`` holds an outcome for each seed and each gold label of the same examples that is no target, since the
    model has it wrong. ``sources`` names the resources that it used besides the model. ``eligible`` is how many
    distinct examples it could have been run on, ``sentences`` on how many it was. ``forwards`` counts distinct windows
    beyond the clean corpus. ``numbers`` are the places of the outcomes, and after them of those that are ``not_found``,
    among all of a campaign of which no share was taken. ``places`` holds for each outcome the places of the words that
    could be replaced, empty for attacks that replace no single words; ``parts_of_speech`` knows those of the words,
    None where they are off. ``log`` is where one line per outcome was written.
    """

    task: Task
    outcomes: Sequence[Outcome]
    not_found: Sequence[Outcome]
    sources: Mapping[str, str]
    eligible: int
    sentences: int
    forwards: int
    numbers: Sequence[int]
    places: Sequence[Sequence[int]] = ()
    parts_of_speech: PartsOfSpeech | None = None
    log: Path | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """Targets that advance in lock step, those of whole examples, and those of these that the model has wrong.

    ``first`` and ``first_missed`` are the places of the first of each among all of the campaign.
    """

    targets: list[Target]
    missed: list[Target]
    first: int
    first_missed: int


OpenLog = Callable[[Mapping[str, Any]], Log]
"""Opens the log of a run, given everything that its results depend on."""


def campaign(
    attack: Attack[Any],
    settings: AttackSettings,
    task: Task,
    corpus: Any,
    predictor: Predictor[Any, Any],
    seeds: Sequence[int],
    open_log: OpenLog | None = None,
    *,
    field: str = "",
    share: Share | None = None,
) -> Campaign:
    """One outcome per seed and target, targets in the order of the corpus; one seed where nothing is drawn.

    ``field`` is the one that changes, empty for that which the targets stand in. Of the blocks only those of the
    ``share`` are run, and come to what they come to in a run of all.
    """
    clean = {example.id: prediction for example, prediction in zip(corpus.examples, predictor.clean(), strict=False)}
    sentences = [sentence for example in corpus.examples for sentence in example.fields.values()]
    parts_of_speech = load_parts_of_speech(settings.parts_of_speech, corpus)
    similarity = load_similarity(settings.similarity, sentences)
    required = prepared(settings.require, corpus)
    constraints = Constraints(similarity, settings.least_similarity, parts_of_speech, settings.limits(), required)
    aimed = {
        each: placed(task.targets.of(each, clean[each.id], predictor.model, settings.goal), field)
        for each in _distinct(corpus.examples)
    }
    eligible = _eligible([example for example, found in aimed.items() if found], parts_of_speech)
    chosen = _sampled(eligible, settings.sample)
    blocks = _blocks(aimed[example] for example in chosen)
    own = [block for k, block in enumerate(blocks) if share is None or share.has(k)]
    targets = [target for block in own for target in block.targets]
    used = seeds if attack.seeded(settings) else seeds[:1]
    plans = [attack.plan(Aims(targets, corpus, seed), settings) for seed in used]
    sources = {
        "similarity": similarity.name,
        "parts of speech": "off" if parts_of_speech is None else parts_of_speech.name,
        **(plans[0].sources if plans else {}),
        **{
            f"{each['validator']}, {each['side']}imum {each['limit']:g}": each["by"]
            for each in required_facts(required)
        },
    }
    run = _identity(attack, settings, corpus, predictor, used, sources) | ({"field": field} if field else {})
    log = None if open_log is None else open_log(run)
    past = iter([] if log is None else log.past)
    outcomes: list[Outcome] = []
    forwards = 0
    for seed, planned in zip(used, plans, strict=True):
        searches, choices = iter(planned.searches), iter(planned.choices)
        for block in own:
            count = len(block.targets)
            first, done = len(outcomes), list(islice(past, count))
            answering = predictor.answering()
            predict = shown_to(task, answering)
            _check(done, block.targets, log)
            fresh = list(islice(searches, count))
            if len(done) == count:
                ended = _remembered(block.targets, done, predict)
            else:
                ended = lock_step(fresh, predict, constraints, settings.budget)
            forwards += answering.forwards
            for target, end, could in zip(block.targets, ended, islice(choices, count), strict=True):
                outcome = _outcome(target, seed, end, could, predictor)
                outcomes.append(outcome if attack.reached is None else _judged(outcome, attack, settings, target, end))
            if log is not None:
                log.add(record_of(attack.name, outcome, task) for outcome in outcomes[first + len(done) :])
    return Campaign(
        task,
        outcomes,
        [_not_found(target, seed, predictor) for seed in used for block in own for target in block.missed],
        sources,
        len(eligible),
        len(chosen),
        forwards,
        _numbers(blocks, own, len(used)),
        [each for planned in plans for each in planned.places],
        parts_of_speech,
        None if log is None else log.path,
    )


def _blocks(aimed: Iterable[Sequence[Target]]) -> list[Block]:
    """The targets of examples, cut between two examples where a block would have more than `BLOCK`."""
    blocks = [Block([], [], 0, 0)]
    for own in aimed:
        last, right = blocks[-1], [target for target in own if target.right]
        if last.targets and len(last.targets) + len(right) > BLOCK:
            last = Block([], [], last.first + len(last.targets), last.first_missed + len(last.missed))
            blocks.append(last)
        last.targets.extend(right)
        last.missed.extend(target for target in own if not target.right)
    return blocks


def _numbers(blocks: Sequence[Block], own: Sequence[Block], seeds: int) -> list[int]:
    """The places of the outcomes of some of the blocks, under so many seeds, among those of all."""
    targets, missed = sum(len(each.targets) for each in blocks), sum(len(each.missed) for each in blocks)
    pairs = [(k, each) for k in range(seeds) for each in own]
    found = [k * targets + each.first + place for k, each in pairs for place in range(len(each.targets))]
    after = [k * missed + each.first_missed + place for k, each in pairs for place in range(len(each.missed))]
    return found + [seeds * targets + place for place in after]


def shown_to(task: Task, answering: Callable[[Sequence[Any]], Sequence[Any]]) -> Predict:
    """The predictions of variants, each as the input that it is for the task."""
    return lambda variants: answering([task.input(variant.example) for variant in variants])


def _identity(
    attack: Attack[Any],
    settings: AttackSettings,
    corpus: Corpus,
    predictor: Predictor[Any, Any],
    seeds: Sequence[int],
    sources: Mapping[str, str],
) -> dict[str, Any]:
    """All that results depend on, as JSON values: two runs that agree in it come to the same."""
    return {
        "attack": attack.name,
        "settings": asdict(settings),
        "sources": dict(sources),
        "seeds": list(seeds),
        "corpus": corpus.sha256,
        "sentences": len(corpus.examples),
        "model": predictor.model.fingerprint,
    }


def _not_found(target: Target, seed: int, predictor: Predictor[Any, Any]) -> Outcome:
    """The outcome of what the model has wrong to begin with."""
    clean = target.clean
    return Outcome(target.example, seed, clean, None, clean, predictor.scale(), target.spans, not_found=True)


def _check(records: Sequence[Json], targets: Sequence[Target], log: Log | None) -> None:
    """Raises `AbaloError` where a log has other targets than the attack."""
    for record, target in zip(records, targets, strict=False):
        expected = target_of(target.spans)
        if [record.get("sentence_id"), record.get("target")] != [target.example.id, expected]:
            assert log is not None
            raise AbaloError(
                f"{log.path}: a record is about {record.get('sentence_id')} {record.get('target')}; expected "
                f"{target.example.id} {expected}; remove the log, or run without --abalo-resume"
            )


def _remembered(targets: Sequence[Target], records: Sequence[Json], predict: Predict) -> list[Ended]:
    """The ends of searches that a log has; only their final and their best variants are predicted again."""

    def made(target: Target, edits: Sequence[Any]) -> Perturbed | None:
        return apply(target.sentence, map(Edit.from_json, edits)) if edits else None

    pairs = [
        (made(target, record["edits"]), made(target, record["best"]["edits"] if record["best"] else ()))
        for target, record in zip(targets, records, strict=True)
    ]
    variants = [
        target.variant(each) for target, pair in zip(targets, pairs, strict=True) for each in pair if each is not None
    ]
    predictions = iter(predict(variants))
    ended = []
    for target, record, (last, best) in zip(targets, records, pairs, strict=True):
        prediction = target.clean if last is None else next(predictions)
        state = None if best is None else State(best, next(predictions))
        found = Found(last, prediction, record["similarity"], state)
        ended.append(Ended(found, record["queries"], record["spent"], Tried(**record["tried"])))
    return ended


def _distinct(examples: Sequence[Example]) -> list[Example]:
    """The first of all copies of an example, in order."""
    first: dict[str, Example] = {}
    for example in examples:
        first.setdefault(example.id, example)
    return list(first.values())


def _eligible(examples: Sequence[Example], parts_of_speech: PartsOfSpeech | None) -> list[Example]:
    """Where parts of speech are known, the examples with a verb [Dirkson et al., 4.3], else all."""
    if parts_of_speech is None:
        return list(examples)
    fields = [(example, sentence) for example in examples for sentence in example.fields.values()]
    kinds = parts_of_speech.of([sentence for _, sentence in fields])
    verbs = {example.id for (example, _), tags in zip(fields, kinds, strict=True) if {"VERB", "AUX"} & set(tags)}
    return [example for example in examples if example.id in verbs]


def _sampled(examples: Sequence[Example], count: int) -> list[Example]:
    """``count`` of the examples, or all for 0; which ones does not depend on their order."""
    lots = {example.id: stream(0, "attacked sentences", example.id).random() for example in examples}
    drawn = set(sorted(lots, key=lots.__getitem__)[: count or None])
    return [example for example in examples if example.id in drawn]


def _judged(outcome: Outcome, attack: Attack[Any], settings: AttackSettings, target: Target, ended: Ended) -> Outcome:
    """The outcome of a search with a goal of its own, and whether it came to it."""
    if attack.reached is None or outcome.searched is None:
        return outcome
    reached = attack.reached(settings, target, ended.found.prediction, ended.found.perturbed)
    return replace(outcome, searched=replace(outcome.searched, reached=reached))


def _outcome(target: Target, seed: int, ended: Ended, choices: int, predictor: Predictor[Any, Any]) -> Outcome:
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
