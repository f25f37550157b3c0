"""How often cases that stop early err, and how many model inputs they save.

**errors**: scripted models exactly at their limits, 490 sentences drawn from those of the bundled corpus, three seeds.
Sentences differ in how hard they are, and variants of a sentence share half of their errors. Of a bound at the truth at
most 2.5 % of runs may say that it fails, and at most 2.5 % that it holds, whichever look a case stops at. Of a loss of
exactly ``max_loss`` at most 2.5 % may say that the model has regressed, and at most 2.5 % that it is no worse. Of two
models that are equally good, in six cases and six types, at most 2.5 % may say that anything has regressed.

**REPORTS**: the evidence of a whole run, replayed: which part of its model inputs each drawn case would have taken.
Bounds are those of the file that ships or, with ``--calibrated``, what `abalo calibrate` would write for the run.

**broken**: the ten models of `benchmarks.broken` and the one that they change, by the bounds that ship: verdicts where
cases stop early, and whole.

**large**: a scripted model on 10,000 sentences, run whole and run early, by the bounds that the whole run would give.
Aim: a tenth of the inputs.

    python -m benchmarks.stopping  (large, broken and errors, of 200 runs)
    python -m benchmarks.stopping errors [RUNS]
    python -m benchmarks.stopping REPORTS [--calibrated]
    python -m benchmarks.stopping broken
    python -m benchmarks.stopping large
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from abalo import Session as Bundled
from abalo.bundled import bundled_path
from abalo.comparison.test.comparison import compare_early, compare_task
from abalo.comparison.test.family import Runs
from abalo.config.thresholds import case_of, load
from abalo.core.protocols.probe import Case
from abalo.core.records.gate import Gate
from abalo.core.running.engine import Engine
from abalo.core.running.judging import judge_early
from abalo.core.running.stopping import IsDecided, open_losses, until_decided, waiting
from abalo.core.statistics.estimates import Estimate, measure
from abalo.core.statistics.evidence import ALIKE, Evidence, read
from abalo.core.statistics.losses import Loss
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.sequential import increment, look_notes, looks_of, order
from abalo.core.statistics.verdicts import Bound
from abalo.corpora import load as load_corpus
from abalo.corpora.corpus import Corpus
from abalo.models.labelling.prediction import Prediction
from abalo.tasks.ner.task import TASK
from benchmarks import errors as independent
from benchmarks.arguments import Parser
from benchmarks.broken import NAMES, Broken, broken_models
from benchmarks.results import Aim, show
from perturbations import Sentence, entity_spans

SENTENCES, SEEDS, FOUND = 490, (1, 2, 4), 0.85
_HARD, _SQUARES = (1.5, 0.75), 1.125
"""How hard a third of the sentences are, and the others: 1 in the mean, and the mean of the squares."""

LOSSES = (("many events", 0.2, 0.03), ("few events", 0.005, 0.005))
"""The share of entities that the reference misses, and how many more the model may miss, and does."""

GATE = Gate(resamples=2_000)
TODAY = date(2026, 1, 1)
LEVEL = (1 - GATE.confidence) / 2
MARGIN = 0.01


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("errors", "2"))
    parser.add_argument(
        "what", nargs="?", default="all", help="errors, large, broken, or REPORTS; default: all but those"
    )
    parser.add_argument("runs", type=int, nargs="?", help="of errors; default: 1000, of all 200")
    parser.add_argument("--calibrated", action="store_true", help="bounds as abalo calibrate writes them")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Shows what is asked for."""
    options = parser().parse_args(given)
    if options.what == "all":
        large()
        print()
        broken()
        print()
        errors(options.runs or 200)
    elif options.what == "errors":
        errors(options.runs or 1_000)
    elif options.what == "large":
        large()
    elif options.what == "broken":
        broken()
    else:
        replayed(Path(options.what), calibrated=options.calibrated)


# Errors ---------------------------------------------------------------------------------------------------------------


def errors(runs: int) -> None:
    """The share of runs that decide against the truth or for it, at a limit that is the truth, early and whole."""
    rows = [_row(f"{bound.name}, {name}", runs, found) for name, bound, found in _bounds_at_the_truth(runs)]
    rows += [_row(f"max_loss, {name}", runs, _losses_at_the_truth(runs, *given)) for name, *given in LOSSES]
    aims = [Aim(f"early {side} (%)", _at_most(runs), at_most=True) for side in ("beyond", "within")]
    show("stopping_errors", rows, aims)
    show("stopping_false_alarms", [_false_alarms(runs)], [Aim("early (%)", _at_most(runs), at_most=True)])


def _row(limit: str, runs: int, said: Counter[str]) -> dict[str, object]:
    """``said`` counts verdicts by way and side, and sums looks."""
    return {
        "limit": limit,
        "runs": runs,
        **{
            f"{way} {side} (%)": round(100 * said[f"{way} {side}"] / runs, 2)
            for side in ("beyond", "within")
            for way in ("early", "whole")
        },
        "look at the end (mean)": round(said["looks"] / runs, 1),
    }


def _at_most(runs: int) -> float:
    """The level and two standard errors of the simulation, in per cent."""
    return round(100 * (LEVEL + 2 * math.sqrt(LEVEL * (1 - LEVEL) / runs)), 2)


def _bounds_at_the_truth(runs: int) -> Iterator[tuple[str, Bound, Counter[str]]]:
    """The verdicts on bounds at the truth."""
    sides = {"fail": "beyond", "pass": "within"}
    for name, lost in (("many events", 0.06), ("few events", 0.006)):
        drop = lost * (1 - (1 - FOUND) * _SQUARES)
        for bound in (Bound("f1_drop", "max", drop), Bound("f1", "min", FOUND - drop)):
            said: Counter[str] = Counter()
            case = replace(case_of(TASK, "accents", {}, GATE), bounds=(bound,))
            for run in range(runs):
                whole = at_the_truth(run, lost)
                part, number = stopped(whole, by_bounds(case, whole, 1))
                for way, evidence in (("early", part), ("whole", whole)):
                    (found,) = judge_early(case, TASK, evidence, GATE, 1)
                    said[f"{way} {sides.get(found.verdict)}"] += 1
                said["looks"] += number
            yield name, bound, said


def _losses_at_the_truth(runs: int, missed: float, loss: float) -> Counter[str]:
    """The verdicts on a model that has lost exactly what may be lost, judged by this loss alone."""
    sides = {"regressed": "beyond", "no worse": "within", "improved": "within"}
    gate = replace(GATE, max_loss=loss, correction="none")
    case = case_of(TASK, "accents", {}, gate)
    said: Counter[str] = Counter()
    for run in range(runs):
        whole, reference = at_the_limit(run, missed, loss)
        judge = by_losses(case, [case], {case.id: reference}, gate)
        part, number = stopped(whole, decided_by(judge))
        for way, evidence in (("early", part), ("whole", whole)):
            said[f"{way} {sides.get(judge(evidence)[0].state)}"] += 1
        said["looks"] += number
    return said


def _false_alarms(runs: int) -> dict[str, object]:
    """How often anything has regressed where nothing was lost: the models of `benchmarks.errors`."""
    cases = [case_of(TASK, name, {}, independent.GATE) for name in independent.CASES]
    corpus = load_corpus("bundled:legal-pt")
    said: Counter[str] = Counter()
    for run in range(runs):
        new, reference = (independent.evidence(corpus, SENTENCES, cases, 2 * run + side) for side in (0, 1))
        early = dict(new)
        for case in cases:
            judge = by_losses(case, cases, reference, independent.GATE)
            early[case.id], _ = stopped(new[case.id], decided_by(judge))
        for way, evidence in (("early", early), ("whole", new)):
            found = compare_task(TASK, cases, Runs(evidence, reference), independent.GATE, TODAY)
            said[way] += found.state == "regressed"
    shares = {f"{way} (%)": round(100 * said[way] / runs, 2) for way in ("early", "whole")}
    return {"sentences": SENTENCES, "runs": runs, **shares}


def at_the_truth(run: int, lost: float) -> Evidence:
    """A model that finds 85 % of entities, and loses about this share of them to perturbation; units seed by seed."""
    generator, held, hard = _drawn_sentences(run, lost)
    clean = generator.random(len(hard)) < 1 - (1 - FOUND) * hard
    shared = generator.random(len(hard)) < lost * hard
    found = []
    for _ in SEEDS:
        own = generator.random(len(hard)) < lost * hard
        found.append(clean & ~np.where(generator.random(len(hard)) < 0.5, shared, own))
    return _evidence(held, clean, found)


def at_the_limit(run: int, missed: float, loss: float) -> tuple[Evidence, Evidence]:
    """A model and its reference, which misses about this share of entities; the model misses so many more.

    Of what they miss they have two thirds in common, and so have the variants of an entity half.
    """
    generator, held, hard = _drawn_sentences(run, missed)
    lots = generator.random((1 + len(SEEDS), 2, len(hard)))  # shared and by seed, of the reference and of the model
    found: tuple[list[NDArray[np.bool_]], ...] = ([], [])
    for own in lots[1:]:
        same_seed, same_model = generator.random(len(hard)) < 0.5, generator.random(len(hard)) < 2 / 3
        reference, model = np.where(same_seed, lots[0], own)
        found[0].append(np.where(same_model, reference, model) >= (missed + loss) * hard)
        found[1].append(reference >= missed * hard)
    clean = np.ones(len(hard), dtype=bool)
    return _evidence(held, clean, found[0]), _evidence(held, clean, found[1])


def _drawn_sentences(run: int, rate: float) -> tuple[np.random.Generator, NDArray[np.int64], NDArray[np.float64]]:
    """How many entities each sentence of a run has, and how hard its sentence is for each of these."""
    generator = np.random.Generator(np.random.PCG64([run, round(1e6 * rate)]))
    known = _counts()
    held = known[generator.integers(len(known), size=SENTENCES)]
    return generator, held, np.repeat(np.where(generator.random(SENTENCES) < 1 / 3, *_HARD), held)


def _evidence(held: NDArray[np.int64], clean: NDArray[np.bool_], found: Sequence[NDArray[np.bool_]]) -> Evidence:
    """Counts of a model that predicts as many entities as there are: which are found clean, and under each seed."""
    rows, tables = np.repeat(np.arange(SENTENCES), held), []
    for each in found:
        hits = [np.bincount(rows[which], minlength=SENTENCES) for which in (clean, each)]
        counts = np.stack([hits[0], held, held, hits[1], held, held], axis=-1).astype(np.float64)
        tables.append(np.repeat(counts[:, None, :], 2, axis=1))  # overall, and of the only group
    ids = np.tile(np.array([f"{row:05}" for row in range(SENTENCES)]), len(SEEDS))
    units = len(ids)
    none, zeros = np.zeros(units, dtype=bool), np.zeros(units, dtype=np.int64)
    empty, gold = np.full(units, ""), np.tile(held, len(SEEDS))[:, None]
    table = {ALIKE: {"entity_counts": np.concatenate(tables)}}
    seeds = np.repeat(np.array(SEEDS), SENTENCES)
    return Evidence(("ENTITY",), ids, ids, seeds, zeros, empty, ids, ids, ~none, none, gold, table)


def _counts() -> NDArray[np.int64]:
    """How many entities the sentences of the bundled corpus have."""
    if not _KNOWN:
        distinct = dict.fromkeys(load_corpus("bundled:legal-pt").sentences)
        _KNOWN.append(np.array([len(entity_spans(each.tags or ())) for each in distinct]))
    return _KNOWN[0]


_KNOWN: list[NDArray[np.int64]] = []


def stopped(evidence: Evidence, decided: IsDecided) -> tuple[Evidence, int]:
    """The part of the evidence at which its case would have stopped, and the number of the look."""
    seeds = list(dict.fromkeys(evidence.seeds.tolist()))
    ranked = order(evidence.clusters.tolist(), seeds[0])
    looks = looks_of(len(ranked), len(seeds))
    for number, look in enumerate(looks, start=1):
        if number < len(looks) and not increment(looks, number, LEVEL):
            continue
        chosen = np.isin(evidence.clusters, ranked[: look.clusters]) & np.isin(evidence.seeds, seeds[: look.seeds])
        notes = {**evidence.notes, **look_notes(number, len(ranked), len(seeds))}
        part = replace(evidence.only(chosen), notes=notes)
        if number == len(looks) or decided(part):
            return part, number
    raise AssertionError("the last look ends every case")


def by_bounds(case: Case, whole: Evidence, family: int) -> IsDecided:
    """Whether a part of the evidence decides the bounds of the case."""
    return lambda part: not waiting(judge_early(case, TASK, part, GATE, family), partial(_held, whole))


Losing = Callable[[Evidence], list[Loss]]
"""Gives the losses that a part of the evidence shows."""


def decided_by(losses: Losing) -> IsDecided:
    """Whether a part of the evidence decides all losses that can stop a release."""
    return lambda part: not open_losses(losses(part))


def by_losses(case: Case, cases: Sequence[Case], reference: Mapping[str, Evidence], gate: Gate) -> Losing:
    """The losses of a part of the evidence against a reference, one of the ``cases`` of a run."""
    return lambda part: compare_early(case, cases, TASK, Runs({case.id: part}, reference), gate, TODAY)


def _held(evidence: Evidence, group: str | None) -> int:
    """How many clusters hold the group in gold."""
    chosen = slice(None) if group is None else evidence.held[:, evidence.groups.index(group)] > 0
    return len(np.unique(evidence.clusters[chosen]))


# Savings --------------------------------------------------------------------------------------------------------------


def replayed(reports: Path, *, calibrated: bool) -> None:
    """The model inputs that the drawn cases of a run would have needed."""
    every = {name: each for name, each in read(reports / "evidence.npz").items() if name.startswith("ner/")}
    cases = [case for case in load(bundled_path("thresholds.toml")).cases if case.id in every and _drawn(case)]
    if calibrated:
        cases = [replace(case, bounds=_calibrated(case, every[case.id])) for case in cases]
    family = sum(len(case.bounds) for case in cases)
    rows = []
    for case in cases:
        whole = every[case.id]
        part, number = stopped(whole, by_bounds(case, whole, family))
        verdicts = [[each.verdict for each in judge_early(case, TASK, found, GATE, family)] for found in (part, whole)]
        rows.append(
            {
                "case": case.id,
                "sentences": len(np.unique(part.clusters)),
                "of": len(np.unique(whole.clusters)),
                "seeds": len(np.unique(part.seeds)),
                "inputs": inputs(part),
                "of inputs": inputs(whole),
                "look": number,
                "early": "/".join(verdicts[0]),
                "whole": "/".join(verdicts[1]),
            }
        )
    taken, of = sum(row["inputs"] for row in rows), sum(row["of inputs"] for row in rows)  # type: ignore[misc]
    total = {"case": "all", "inputs": taken, "of inputs": of, "early": f"{taken / of:.2f} of the inputs"}
    rows.append({**dict.fromkeys(rows[0], ""), **total})
    show("stopping", rows)


def _drawn(case: Case) -> bool:
    return case.probe.name in ("perturbation", "pipeline") and bool(case.bounds)


def inputs(evidence: Evidence) -> int:
    """The distinct variants, which is what the model is asked about."""
    return len(np.unique(evidence.digests[evidence.changed]))


def _measured(case: Case, evidence: Evidence, bound: Bound) -> Estimate:
    metric = TASK.metrics()[bound.metric]
    return measure(evidence, [case.view], [metric], GATE)[case.view].estimate(bound.metric, bound.type)


def _calibrated(case: Case, evidence: Evidence) -> tuple[Bound, ...]:
    """The far end of each interval and a margin."""

    def limit(bound: Bound) -> float:
        estimate = _measured(case, evidence, bound)
        return estimate.high + MARGIN if bound.side == "max" else estimate.low - MARGIN

    return tuple(replace(bound, limit=limit(bound)) for bound in case.bounds)


# Broken models --------------------------------------------------------------------------------------------------------


class Remembering:
    """A model that is asked about no sentence twice."""

    def __init__(self, model: Any) -> None:
        self.labels, self.device, self.settings = model.labels, model.device, model.settings
        self.mask_token = model.mask_token
        self._model, self._known = model, dict[Sentence, Prediction]()

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        """The predictions, from memory where they are there."""
        new = [each for each in dict.fromkeys(sentences) if each not in self._known]
        self._known |= dict(zip(new, self._model.predict(new), strict=True))
        return [self._known[each] for each in sentences]


def broken() -> None:
    """How many verdicts of broken models are the same where cases stop early."""
    session = Bundled("ner")
    cases = [case for case in session.cases() if case.name in NAMES]
    family = sum(len(case.bounds) for case in session.cases() if case.name != BASELINE)
    model = Remembering(session.model)
    rows = []
    for name, change in {"as it ships": lambda _sentence, spans: spans, **broken_models(session)}.items():
        engine = Engine(
            TASK, session.corpus, Broken(name, model, change), session.gate, options=session.prepared.engine.options
        )
        said: Counter[str] = Counter()
        taken = of = 0
        for case in cases:
            whole = engine.run(case).evidence
            part, _ = stopped(whole, by_bounds(case, whole, family))
            found = [judge_early(case, TASK, each, session.gate, family) for each in (part, whole)]
            said.update(f"{early.verdict}, {late.verdict}" for early, late in zip(*found, strict=True))
            taken, of = taken + inputs(part), of + inputs(whole)
        same = sum(count for pair, count in said.items() if len(set(pair.split(", "))) == 1)
        contrary = said["pass, fail"] + said["fail, pass"]
        told = "; ".join(f"{pair}: {count}" for pair, count in sorted(said.items()))
        rows.append(
            {
                "model": name,
                "bounds": said.total(),
                "same": same,
                "contrary": contrary,
                "early, whole": told,
                "inputs": taken,
                "of": of,
            }
        )
    show("stopping_broken", rows, [Aim("contrary", 0, at_most=True)])


# A large corpus -------------------------------------------------------------------------------------------------------


class ByWord:
    """Knows words by heart, but for one in eight, which ones depends on the sentence; ``asked`` counts its inputs."""

    name = fingerprint = "by word"
    device = "cpu"
    mask_token = None
    reads_text = False

    def __init__(self, corpus: Corpus) -> None:
        self.known: Mapping[str, str] = {
            token: tag for each in corpus.sentences for token, tag in zip(each.tokens, each.tags or (), strict=True)
        }
        self.labels = tuple(sorted(set(self.known.values())))
        self.settings: dict[str, str] = {}
        self.asked = 0

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        """The labels, word by word."""
        self.asked += len(sentences)
        return [Prediction(self._tags(each.tokens), inputs=1) for each in sentences]

    def _tags(self, tokens: Sequence[str]) -> tuple[str, ...]:
        said = hashlib.blake2b(" ".join(tokens[-3:]).encode(), digest_size=len(tokens[:64])).digest()
        return tuple("O" if said[k % len(said)] < 32 else self.known.get(token, "O") for k, token in enumerate(tokens))


def many_sentences(count: int) -> Corpus:
    """So many distinct sentences: the bundled ones, again and again, each with a number behind it."""
    some = load_corpus("bundled:legal-pt").sentences
    return Corpus("large", tuple(_numbered(some[k % len(some)], k) for k in range(count)))


def large() -> None:
    """10,000 sentences: the bundled ones, each with a number behind it."""
    corpus = many_sentences(10_000)
    rows = []
    for name, entry in (("character_noise", {"rate": 0.1}), ("word_insertion", {"rate": 0.1})):
        case = case_of(TASK, name, {**entry, "max_f1_drop": 0.5, "min_f1": 0.1}, GATE)
        model = ByWord(corpus)
        session = Engine(TASK, corpus, model, replace(GATE, language="pt"), SEEDS)
        session.predictor.clean()
        before = model.asked
        whole = session.run(case).evidence
        asked = model.asked - before
        for words, bounds in (
            ("calibrated on it", _calibrated(case, whole)),
            ("0.03 from what was measured", _loose(case, whole, 0.03)),
        ):
            bound = replace(case, bounds=bounds)
            again = ByWord(corpus)
            early = Engine(TASK, corpus, again, replace(GATE, language="pt"), SEEDS)
            early.predictor.clean()
            before = again.asked
            found = (until_decided(bound, [early], LEVEL, partial(_decides, bound, early, 2)) or [])[0]
            verdicts = [[j.verdict for j in judge_early(bound, TASK, e, GATE, 2)] for e in (found.evidence, whole)]
            far = found.facts["taken"]
            rows.append(
                {
                    "case": case.id,
                    "bounds": words,
                    "inputs": again.asked - before,
                    "of": asked,
                    "share": round((again.asked - before) / asked, 3),
                    "sentences": far["sentences"],
                    "seeds": far["seeds"],
                    "early": "/".join(verdicts[0]),
                    "whole": "/".join(verdicts[1]),
                }
            )
    show("stopping_large", rows, [Aim("share", 0.1, at_most=True)])


def _loose(case: Case, evidence: Evidence, margin: float) -> tuple[Bound, ...]:
    values = {bound: _measured(case, evidence, bound).value for bound in case.bounds}
    return tuple(
        replace(bound, limit=value + margin if bound.side == "max" else value - margin)
        for bound, value in values.items()
    )


def _decides(case: Case, session: Engine, family: int, evidence: Evidence) -> bool:
    return not waiting(judge_early(case, TASK, evidence, session.gate, family), lambda _: len(session.examples))


def _numbered(sentence: Sentence, k: int) -> Sentence:
    tags = sentence.tags or ()
    return Sentence((*sentence.tokens, "fls", str(k)), (*tags, "O", "O"))


if __name__ == "__main__":
    main()
