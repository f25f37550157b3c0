"""One attack on all its targets in a corpus."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from abalo.attacks.attack import Aims, Attack, Settings
from abalo.attacks.constraints import Constraints
from abalo.attacks.log import Json, Log, record_of
from abalo.attacks.search import Ended, Found, State, lock_step
from abalo.attacks.targets import Target, targets_in
from abalo.core.example import Example, Outcome, Reached, Searched, Tried
from abalo.core.predictor import Answering
from abalo.corpora import Corpus
from abalo.corpora.examples import example_of, variant_of
from abalo.errors import AbaloError
from abalo.models.prediction import Prediction
from abalo.models.predictor import TokenPredictor
from abalo.sources import PartsOfSpeech
from abalo.sources.loading import load_parts_of_speech, load_similarity
from perturbations import Edit, Perturbed, Sentence, apply, entity_spans, sentence_id, stream

GROUP = 64
"""How many targets advance in lock step: enough to fill batches, few enough to keep what they ask about in memory."""


@dataclass(frozen=True, slots=True, eq=False)
class Campaign:
    """The outcomes of an attack, and their cost.

    ``not_found`` holds an outcome for each seed and each gold entity of the same sentences that is no target, since the
    model does not find it. ``sources`` names the resources that it used besides the model. ``eligible`` is how many
    distinct sentences it could have been run on, ``sentences`` on how many it was. ``forwards`` counts distinct windows
    beyond the clean corpus. ``places`` holds for each outcome the places of the words that could be replaced, empty for
    attacks that replace no single words; ``parts_of_speech`` knows those of the words, None where they are off. ``log``
    is where one line per outcome was written.
    """

    outcomes: Sequence[Outcome]
    not_found: Sequence[Outcome]
    sources: Mapping[str, str]
    eligible: int
    sentences: int
    forwards: int
    places: Sequence[Sequence[int]] = ()
    parts_of_speech: PartsOfSpeech | None = None
    log: Path | None = None


OpenLog = Callable[[Mapping[str, Any]], Log]
"""Opens the log of a run, given everything that its results depend on."""


def campaign(
    attack: Attack[Any],
    settings: Settings,
    corpus: Corpus,
    predictor: TokenPredictor,
    seeds: Sequence[int],
    open_log: OpenLog | None = None,
) -> Campaign:
    """One outcome per seed and target, targets in the order of the corpus; one seed where nothing is drawn."""
    parts_of_speech = load_parts_of_speech(settings.parts_of_speech, corpus)
    similarity = load_similarity(settings.similarity, corpus.sentences)
    constraints = Constraints(similarity, settings.least_similarity, parts_of_speech)
    eligible = _eligible(corpus.sentences, parts_of_speech)
    chosen = _sampled(eligible, settings.sample)
    clean = dict(zip(corpus.sentences, predictor.clean(), strict=False))  # of a longer corpus under a limit
    targets = [found for each in chosen for found in targets_in(each, clean[each], predictor.model.labels)]
    used = seeds if attack.seeded(settings) else seeds[:1]
    plans = [attack.plan(Aims(targets, corpus, seed), settings) for seed in used]
    sources = {
        "similarity": similarity.name,
        "parts of speech": "off" if parts_of_speech is None else parts_of_speech.name,
        **(plans[0].sources if plans else {}),
    }
    log = None if open_log is None else open_log(_identity(attack, settings, corpus, predictor, used, sources))
    past = iter([] if log is None else log.past)
    outcomes: list[Outcome] = []
    forwards = 0
    for seed, planned in zip(used, plans, strict=True):
        for start in range(0, len(targets), GROUP):
            group = slice(start, start + GROUP)
            first, done = len(outcomes), list(islice(past, len(targets[group])))
            answering = predictor.answering()
            _check(done, targets[group], log)
            if len(done) == len(targets[group]):
                ended = _remembered(targets[group], done, answering)
            else:
                ended = lock_step(planned.searches[group], answering, constraints, settings.budget)
            forwards += answering.forwards
            for target, end, choices in zip(targets[group], ended, planned.choices[group], strict=True):
                outcomes.append(_outcome(target, seed, end, choices, predictor))
            if log is not None:
                log.add(record_of(attack.name, outcome) for outcome in outcomes[first + len(done) :])
    places = [each for planned in plans for each in planned.places]
    path = None if log is None else log.path
    not_found = [each for seed in used for each in _not_found(chosen, clean, targets, predictor, seed)]
    return Campaign(outcomes, not_found, sources, len(eligible), len(chosen), forwards, places, parts_of_speech, path)


def _identity(
    attack: Attack[Any],
    settings: Settings,
    corpus: Corpus,
    predictor: TokenPredictor,
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
        "sentences": len(corpus.sentences),
        "model": predictor.model.fingerprint,
    }


def _not_found(
    chosen: Sequence[Sentence],
    clean: Mapping[Sentence, Prediction],
    targets: Sequence[Target],
    predictor: TokenPredictor,
    seed: int,
) -> list[Outcome]:
    """One outcome for each gold entity that is no target."""
    attacked = {(target.sentence, target.span) for target in targets}
    return [
        Outcome(
            example_of(sentence),
            seed,
            clean[sentence],
            None,
            clean[sentence],
            predictor.scale(),
            (span,),
            not_found=True,
        )
        for sentence in chosen
        for span in entity_spans(sentence.tags or ())
        if (sentence, span) not in attacked
    ]


def _check(records: Sequence[Json], targets: Sequence[Target], log: Log | None) -> None:
    """Raises `AbaloError` where a log has other targets than the attack."""
    for record, target in zip(records, targets, strict=False):
        span = [target.span.start, target.span.stop, target.span.type]
        if [record.get("sentence_id"), record.get("target")] != [sentence_id(target.sentence), span]:
            assert log is not None
            raise AbaloError(
                f"{log.path}: a record is about {record.get('sentence_id')} {record.get('target')}; expected "
                f"{sentence_id(target.sentence)} {span}; remove the log, or run without --abalo-resume"
            )


def _remembered(
    targets: Sequence[Target], records: Sequence[Json], answering: Answering[Sentence, Prediction]
) -> list[Ended]:
    """The ends of searches that a log has; only their final and their best variants are predicted again."""

    def made(target: Target, edits: Sequence[Any]) -> Perturbed | None:
        return apply(target.sentence, map(Edit.from_json, edits)) if edits else None

    pairs = [
        (made(target, record["edits"]), made(target, record["best"]["edits"] if record["best"] else ()))
        for target, record in zip(targets, records, strict=True)
    ]
    predictions = iter(answering([each.sentence for pair in pairs for each in pair if each is not None]))
    ended = []
    for target, record, (last, best) in zip(targets, records, pairs, strict=True):
        prediction = target.clean if last is None else next(predictions)
        state = None if best is None else State(best, next(predictions))
        found = Found(last, prediction, record["similarity"], state)
        ended.append(Ended(found, record["queries"], record["spent"], Tried(**record["tried"])))
    return ended


def _eligible(sentences: Sequence[Sentence], parts_of_speech: PartsOfSpeech | None) -> list[Sentence]:
    """Distinct sentences with an entity and, where parts of speech are known, a verb [Dirkson et al., 4.3]."""
    distinct = {sentence.tokens: sentence for sentence in reversed(sentences) if entity_spans(sentence.tags or ())}
    found = list(reversed(distinct.values()))
    if parts_of_speech is None:
        return found
    kinds = parts_of_speech.of(found)
    return [sentence for sentence, tags in zip(found, kinds, strict=True) if {"VERB", "AUX"} & set(tags)]


def _sampled(sentences: Sequence[Sentence], count: int) -> list[Sentence]:
    """``count`` of the sentences, or all for 0; which ones does not depend on their order."""
    lots = {sentence: stream(0, "attacked sentences", sentence_id(sentence)).random() for sentence in sentences}
    drawn = set(sorted(sentences, key=lots.__getitem__)[: count or None])
    return [sentence for sentence in sentences if sentence in drawn]


def _outcome(target: Target, seed: int, ended: Ended, choices: int, predictor: TokenPredictor) -> Outcome:
    found = ended.found
    example = example_of(target.sentence)
    return Outcome(
        example,
        seed,
        target.clean,
        None if found.perturbed is None else variant_of(example, found.perturbed),
        found.prediction,
        predictor.scale(),
        (target.span,),
        Searched(choices, ended.queries, ended.spent, found.similarity, ended.tried, _reached(example, found.best)),
    )


def _reached(example: Example, best: State | None) -> Reached | None:
    return None if best is None else Reached(variant_of(example, best.perturbed), best.prediction)
