"""Recipes of TextAttack 0.3.11 and ours of the same name, on the same models and the same texts.

    PEER/bin/python -m benchmarks.textattack --data DATA --wordnet WORDNET [--texts 100] [--encoder FOLDER]
        [--models linear,english,encoder] [--only DeepWordBug] [--vectors FILE.npz] [--repeats 3]

PEER is an environment that has TextAttack and what Abalo needs; docs/findings/other-libraries.md says how it was
made. The models are the linear one of sentiment that ships, on the first texts of its corpus; a linear one trained on
SST-2 (``english``) and MiniLM fine-tuned on it as in `benchmarks.linear_and_encoder`, on the first texts of
``dev.tsv``. Recipes that need word vectors run where ``--vectors`` names a file of `benchmarks.counter_fitted`.
TextAttack is given our model as it is, so both ask the same function; texts that it is sent, its calls and its CPU
seconds are counted there. Stop words are ours for both.

Each measurement is of a process of its own that has attacked ten other texts before, so that everything is loaded; of
several repeats, by turns, the one with the fewest CPU seconds counts. Aim: a fifth of the CPU seconds, two thirds where
the model is MiniLM, and a success rate within the interval of the other.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from abalo.attacks import attacks
from abalo.attacks.campaign import campaign
from abalo.bundled import bundled_path
from abalo.core.statistics.few_events import ShareLaw, share_law
from abalo.core.statistics.search_metrics import has_succeeded
from abalo.models.classifiers.linear import features
from abalo.models.classifiers.loading import load as load_model
from abalo.models.classifiers.predictor import ClassPredictor
from abalo.models.options import ModelOptions
from abalo.models.training.linear import multinomial
from abalo.sources.vectors import read_vectors
from abalo.tasks.classification.corpus import DEFAULT, LabelledTexts, load
from abalo.tasks.classification.task import TASK
from benchmarks.arguments import Parser, need
from benchmarks.fine_tune import fine_tuned_classifier
from benchmarks.linear_and_encoder import EXAMPLES, FINE_TUNING
from benchmarks.results import Aim, show
from benchmarks.rivals import stage
from perturbations.lexicons import words

ALPHA = 0.025
"""Below and above a 95 % interval."""

WARMING = 10
"""Texts that are attacked before any is measured."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A model, and the texts that it is attacked on. The last `WARMING` are there to warm up, and are not measured.

    ``wordnet`` names a wordnet of the language as Abalo's settings do, ``code`` is the language as NLTK calls it.
    ``table`` is a file of the synonyms that TextAttack finds for the words of the texts, ``vectors`` one of English
    word vectors; None if there is none.
    """

    name: str
    model: str
    corpus: LabelledTexts
    language: str
    code: str
    wordnet: str
    table: Path
    vectors: Path | None = None
    aim: float = 5.0
    """How many times as few CPU seconds are aimed at."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A recipe of TextAttack and ours; ``differs`` says in what, where a name alone would not.

    ``theirs`` makes the attack from the model and the ground, ``params`` gives our settings from the ground.
    ``by_vectors`` says that both need word vectors.
    """

    name: str
    theirs: Callable[[Any, Ground], Any]
    ours: str
    params: Callable[[Ground], Mapping[str, Any]]
    differs: str
    by_vectors: bool = False


@dataclass(slots=True)
class Cost:
    """The texts that a model was sent, the calls, and the CPU seconds in it."""

    texts: int = 0
    calls: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Run:
    """For each text whether it was broken, None for one that was not attacked; the cost of all, in seconds."""

    broken: Sequence[bool | None]
    model: Cost
    cpu: float
    wall: float

    @property
    def law(self) -> ShareLaw:
        """The law of the success rate."""
        found = np.array([each for each in self.broken if each is not None], dtype=np.float64)
        return share_law(found, np.ones_like(found))


# Ours -----------------------------------------------------------------------------------------------------------------


def _ours(pair: Pair, ground: Ground) -> Run:
    attack, model = attacks()[pair.ours], _model(ground)
    settings = attack.configured(**{**attack.lists.get(ground.language, {}), **pair.params(ground)})

    def run(corpus: LabelledTexts) -> list[bool | None]:
        predictor = ClassPredictor(model, [sentence.text for sentence in corpus.sentences], corpus.golds)
        found = campaign(attack, settings, TASK, corpus, predictor, (1,))
        known = {outcome.example.id: has_succeeded(outcome, TASK.targets.seen) for outcome in found.outcomes}
        return [known.get(example.id) for example in corpus.examples]

    return _measured(run, model, ground)


# Theirs ---------------------------------------------------------------------------------------------------------------


def _theirs(pair: Pair, ground: Ground) -> Run:
    from textattack.models.wrappers import ModelWrapper

    model = _model(ground)

    class Wrapped(ModelWrapper):  # type: ignore[misc]
        """Our model as TextAttack wants it."""

        def __init__(self) -> None:
            self.model = model

        def __call__(self, text_input_list: Sequence[str], **_: Any) -> Any:
            return np.array([each.probabilities for each in model.predict(text_input_list)], dtype=np.float64)

    attack = pair.theirs(Wrapped(), ground)

    def run(corpus: LabelledTexts) -> list[bool | None]:
        golds = [model.labels.index(gold) for (gold,) in corpus.golds]
        texts = [sentence.text for sentence in corpus.sentences]
        return [_broken(attack.attack(text, gold)) for text, gold in zip(texts, golds, strict=True)]

    return _measured(run, model, ground)


def _broken(result: Any) -> bool | None:
    """Whether an attack came to its goal; of a reduction without a goal, whether one word is left."""
    from textattack.attack_results import MaximizedAttackResult, SkippedAttackResult, SuccessfulAttackResult

    if isinstance(result, SkippedAttackResult):
        return None
    if isinstance(result, MaximizedAttackResult):
        last = result.perturbed_result
        return bool(last.attacked_text.num_words <= 1 and last.output == last.ground_truth_output)
    return isinstance(result, SuccessfulAttackResult)


def _deepwordbug(model: Any, ground: Ground) -> Any:
    from textattack.attack_recipes import DeepWordBugGao2018

    return _with_our_stop_words(DeepWordBugGao2018.build(model), ground)


def _pwws(model: Any, ground: Ground) -> Any:
    from textattack import Attack
    from textattack.attack_recipes import PWWSRen2019
    from textattack.transformations import WordSwapWordNet

    made = PWWSRen2019.build(model)
    if ground.code != "eng":
        constraints = [*made.pre_transformation_constraints, *made.constraints]
        swap = WordSwapWordNet(language=ground.code)
        made = Attack(made.goal_function, constraints, swap, made.search_method)
    return _with_our_stop_words(made, ground)


def _pwws_from_table(model: Any, ground: Ground) -> Any:
    from textattack import Attack
    from textattack.transformations import WordSwap

    known = dict(_rows(ground.table))

    class Listed(WordSwap):  # type: ignore[misc]
        """The synonyms in the table."""

        def _get_replacement_words(self, word: str) -> list[str]:
            return known.get(word.lower(), [])

    made = _pwws(model, ground)
    constraints = [*made.pre_transformation_constraints, *made.constraints]
    return Attack(made.goal_function, constraints, Listed(), made.search_method)


def _reduction(model: Any, _ground: Ground) -> Any:
    from textattack.attack_recipes import InputReductionFeng2018

    return InputReductionFeng2018.build(model)


def _reduction_in_a_beam(model: Any, _ground: Ground) -> Any:
    from textattack import Attack
    from textattack.goal_functions import InputReduction
    from textattack.search_methods import BeamSearch
    from textattack.transformations import WordDeletion

    return Attack(InputReduction(model), [], WordDeletion(), BeamSearch(beam_width=5))


def _pruthi(model: Any, ground: Ground) -> Any:
    from textattack.attack_recipes import Pruthi2019

    return _with_our_stop_words(Pruthi2019.build(model), ground)


def _checklist(model: Any, _ground: Ground) -> Any:
    from textattack import Attack
    from textattack.constraints.pre_transformation import RepeatModification
    from textattack.goal_functions import UntargetedClassification
    from textattack.search_methods import GreedySearch
    from textattack.transformations import (
        CompositeTransformation,
        WordSwapChangeNumber,
        WordSwapContract,
        WordSwapExtend,
    )

    changes = CompositeTransformation([WordSwapExtend(), WordSwapContract(), WordSwapChangeNumber()])
    return Attack(UntargetedClassification(model), [RepeatModification()], changes, GreedySearch())


def _improved_genetic(model: Any, ground: Ground) -> Any:
    from textattack.constraints.overlap import MaxWordsPerturbed
    from textattack.search_methods import ImprovedGeneticAlgorithm

    search = ImprovedGeneticAlgorithm(
        pop_size=60, max_iters=20, max_replace_times_per_index=5, post_crossover_check=False
    )
    return _by_vectors(model, ground, 50, 0.75, search, [MaxWordsPerturbed(max_percent=0.2)])


def _kuleshov(model: Any, ground: Ground) -> Any:
    from textattack.constraints.overlap import MaxWordsPerturbed
    from textattack.search_methods import GreedySearch

    return _by_vectors(model, ground, 15, 0.5, GreedySearch(), [MaxWordsPerturbed(max_percent=0.5)], once=True)


def _a2t(model: Any, ground: Ground) -> Any:
    from textattack.constraints.pre_transformation import MaxModificationRate
    from textattack.search_methods import GreedyWordSwapWIR

    rate = MaxModificationRate(max_rate=0.1, min_threshold=4)
    return _by_vectors(model, ground, 20, 0.8, GreedyWordSwapWIR(wir_method="delete"), [rate], once=True)


def _by_vectors(
    model: Any, ground: Ground, most: int, cosine: float, search: Any, limits: Sequence[Any], *, once: bool = False
) -> Any:
    """A search among the nearest words by our vectors; ``once`` says that a word changes once at most."""
    from textattack import Attack
    from textattack.constraints.pre_transformation import RepeatModification, StopwordModification
    from textattack.constraints.semantics import WordEmbeddingDistance
    from textattack.goal_functions import UntargetedClassification
    from textattack.shared import WordEmbedding
    from textattack.transformations import WordSwapEmbedding

    assert ground.vectors is not None
    found = read_vectors(ground.vectors)
    nearest = np.argsort(-(found.unit @ found.unit.T), axis=1, kind="stable")[:, : most + 1]
    rows = {word: row for row, word in enumerate(found.words)}
    vectors = WordEmbedding(found.unit, rows, dict(enumerate(found.words)), nearest)
    constraints = [
        StopwordModification(),
        *([RepeatModification()] if once else []),
        *limits,
        WordEmbeddingDistance(embedding=vectors, min_cos_sim=cosine, compare_against_original=once),
    ]
    swap = WordSwapEmbedding(max_candidates=most, embedding=vectors)
    return _with_our_stop_words(Attack(UntargetedClassification(model), constraints, swap, search), ground)


def _pso(model: Any, ground: Ground) -> Any:
    from textattack import Attack
    from textattack.constraints.pre_transformation import RepeatModification, StopwordModification
    from textattack.goal_functions import UntargetedClassification
    from textattack.search_methods import ParticleSwarmOptimization
    from textattack.transformations import WordSwapWordNet

    constraints = [RepeatModification(), StopwordModification()]
    search = ParticleSwarmOptimization(pop_size=60, max_iters=20)
    swap = WordSwapWordNet(language=ground.code)
    return _with_our_stop_words(Attack(UntargetedClassification(model), constraints, swap, search), ground)


def _with_our_stop_words(attack: Any, ground: Ground) -> Any:
    from textattack.constraints.pre_transformation import StopwordModification

    for constraint in attack.pre_transformation_constraints:
        if isinstance(constraint, StopwordModification):
            constraint.stopwords = set(words(f"stop_words_{ground.language}"))
    return attack


UNLIMITED = {"similarity": "ngrams", "least_similarity": -1.0}
"""Settings that leave out the encoder of a recipe."""

PAIRS = (
    Pair("DeepWordBug", _deepwordbug, "deepwordbug", lambda _: {}, "theirs draws slips again at every step"),
    Pair(
        "PWWS",
        _pwws,
        "pwws",
        lambda ground: {"synonyms": ground.wordnet},
        "theirs finds inflected words too, and tries all synonyms of a word again when its turn comes",
    ),
    Pair(
        "PWWS, one table of synonyms",
        _pwws_from_table,
        "pwws",
        lambda ground: {"synonyms": f"lexicon:{ground.table}"},
        "as above, but the synonyms are the same",
    ),
    Pair(
        "input reduction",
        _reduction,
        "input_reduction",
        lambda _: {"width": 1, "budget": 10**9},
        "theirs ranks the words once; ours, with a beam of 1, at every step",
    ),
    Pair(
        "input reduction, a beam of 5",
        _reduction_in_a_beam,
        "input_reduction",
        lambda _: {"budget": 10**9},
        "marks are words for ours alone",
    ),
    Pair("Pruthi", _pruthi, "pruthi", lambda _: {}, "theirs puts in one drawn letter a place, ours every letter"),
    Pair(
        "CheckList, without names",
        _checklist,
        "checklist",
        lambda _: {},
        "theirs has no names and places, whose tagger it downloads, and changes any digit",
    ),
    Pair(
        "improved genetic",
        _improved_genetic,
        "improved_genetic",
        lambda ground: {"synonyms": f"vectors:{ground.vectors}", "budget": 10**6},
        "theirs looks for synonyms of the word that stands there now",
        by_vectors=True,
    ),
    Pair(
        "Kuleshov, the search",
        _kuleshov,
        "kuleshov",
        lambda ground: {"synonyms": f"vectors:{ground.vectors}", **UNLIMITED, "require": {}, "budget": 10**6},
        "neither has a language model or thought vectors, and both need another label",
        by_vectors=True,
    ),
    Pair(
        "A2T, the search",
        _a2t,
        "a2t",
        lambda ground: {"synonyms": f"vectors:{ground.vectors}", **UNLIMITED, "parts_of_speech": "off"},
        "neither has an encoder or parts of speech, and both rank words by leaving them out",
        by_vectors=True,
    ),
    Pair(
        "PSO, with a wordnet",
        _pso,
        "pso",
        lambda ground: {"synonyms": f"lexicon:{ground.table}", "budget": 10**6},
        "theirs tries all candidates of all words before it draws one",
    ),
)


# Both -----------------------------------------------------------------------------------------------------------------


def _measured(run: Callable[[LabelledTexts], list[bool | None]], model: Any, ground: Ground) -> Run:
    cost, predict = Cost(), model.predict

    def counted(texts: Sequence[str]) -> Any:
        began = time.process_time()
        found = predict(texts)
        cost.seconds += time.process_time() - began
        cost.texts += len(texts)
        cost.calls += 1
        return found

    count = len(ground.corpus.sentences) - WARMING
    run(_part(ground.corpus, count, count + WARMING))
    model.predict = counted
    gc.collect()
    gc.freeze()  # or a collection walks through all that the other library has loaded
    began, started = time.process_time(), time.perf_counter()
    broken = run(_part(ground.corpus, 0, count))
    return Run(broken, cost, time.process_time() - began, time.perf_counter() - started)


def _part(corpus: LabelledTexts, start: int, stop: int) -> LabelledTexts:
    return LabelledTexts(corpus.name, corpus.sentences[start:stop], golds=corpus.golds[start:stop])


def _model(ground: Ground) -> Any:
    labels = {label for gold in ground.corpus.golds for label in gold}
    return load_model(ground.model, ModelOptions(device="cpu"), labels)


def _alone(side: Callable[[Pair, Ground], Run], pair: int, ground: Ground) -> Run:
    """The measurement of a process of its own."""
    context = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=lambda: sender.send(side(PAIRS[pair], ground)))
    process.start()
    sender.close()
    found: Run = receiver.recv()
    process.join()
    return found


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--data", "DATA", "--wordnet", "DATA/wordnet", "--texts", "1", "--repeats", "1"))
    parser.add_argument("--data", type=Path, required=True, help="folder with sst2 and wordnet")
    parser.add_argument("--wordnet", type=Path, required=True, help="folder with the database files of WordNet 3.0")
    parser.add_argument("--texts", type=int, default=100, help="how many are attacked (default: %(default)s)")
    parser.add_argument("--encoder", help="folder of MiniLM fine-tuned on SST-2 (default: fine-tuned here)")
    parser.add_argument("--vectors", type=Path, help="file of English word vectors (default: none)")
    parser.add_argument("--models", default="linear,encoder", help="with commas between them (default: %(default)s)")
    parser.add_argument("--only", help=f"recipes, with semicolons between them: {'; '.join(p.name for p in PAIRS)}")
    parser.add_argument("--repeats", type=int, default=3, help="how often each is measured (default: %(default)s)")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Prints the table."""
    asked = parser().parse_args(given)
    need("textattack", "docs/findings/other-libraries.md describes an environment that has it")
    with tempfile.TemporaryDirectory() as folder:
        stage(Path(folder), asked.wordnet)
        _stage_portuguese(Path(folder), asked.data)
        rows: list[Mapping[str, object]] = []
        for ground in _grounds(asked, Path(folder)):
            for number, pair in enumerate(PAIRS):
                if pair.by_vectors and ground.vectors is None:
                    continue
                if not asked.only or pair.name in asked.only.split(";"):
                    rows += _rows_of(number, ground, asked.repeats)
                    print(*(f"{name}: {value}" for name, value in rows[-1].items()), sep="; ", flush=True)
        show("textattack", rows, [Aim("of the aim", 1)])


def _rows_of(pair: int, ground: Ground, repeats: int) -> list[Mapping[str, object]]:
    """A row for each library."""
    runs = [[_alone(side, pair, ground) for side in (_theirs, _ours)] for _ in range(repeats)]
    theirs, ours = (min(side, key=lambda run: run.cpu) for side in zip(*runs, strict=True))
    low, high = theirs.law.low(ALPHA), theirs.law.high(ALPHA)
    same = low <= ours.law.value <= high
    known = {"model": ground.name, "recipe": PAIRS[pair].name}
    return [
        {**known, **_row("TextAttack", theirs), "times": "", "of the aim": "", "same success": ""},
        {
            **known,
            **_row("Abalo", ours),
            "times": round(theirs.cpu / ours.cpu, 1),
            "of the aim": round(theirs.cpu / ours.cpu / ground.aim, 2),
            "same success": "yes" if same else "no",
        },
    ]


def _row(library: str, run: Run) -> Mapping[str, object]:
    law = run.law
    return {
        "library": library,
        "attacked": sum(each is not None for each in run.broken),
        "success": f"{law.value:.3f} [{law.low(ALPHA):.3f}, {law.high(ALPHA):.3f}]",
        "texts sent": f"{run.model.texts:,}",
        "calls": f"{run.model.calls:,}",
        "CPU s": f"{run.cpu:.2f}",
        "of which model": f"{run.model.seconds:.2f}",
        "wall s": f"{run.wall:.2f}",
    }


def _grounds(asked: argparse.Namespace, folder: Path) -> list[Ground]:
    found = []
    for name in asked.models.split(","):
        table = folder / f"{name}.tsv"
        if name == "linear":
            corpus = load(DEFAULT, limit=asked.texts + WARMING)
            model = str(bundled_path("fixtures/sentiment/weights.npz"))
            tab = f"wordnet:{asked.data / 'wordnet' / 'wn-data-por.tab'}"
            ground = Ground("linear, Portuguese", model, corpus, "pt", "por", tab, table)
        else:
            corpus = load(str(asked.data / "sst2" / "dev.tsv"), limit=asked.texts + WARMING)
            linear = name == "english"
            model = _linear(asked.data, folder) if linear else asked.encoder or _encoder(asked.data, folder)
            title = "linear, SST-2" if linear else "MiniLM, SST-2"
            ground = Ground(
                title,
                model,
                corpus,
                "en",
                "eng",
                f"wordnet:{asked.wordnet}",
                table,
                asked.vectors,
                5.0 if linear else 1.5,
            )
        _write_table(ground)
        found.append(ground)
    return found


def _encoder(data: Path, folder: Path) -> str:
    """MiniLM fine-tuned on as many examples as in `benchmarks.linear_and_encoder`."""
    read = load(str(data / "sst2" / "train.tsv"))
    rows = list(dict.fromkeys(zip([sentence.text for sentence in read.sentences], read.golds, strict=True)))
    order = Random(FINE_TUNING.seed)
    drawn = sorted(rows, key=lambda _: order.random())[:EXAMPLES]
    out = folder / "encoder"
    fine_tuned_classifier([text for text, _ in drawn], [gold for _, (gold,) in drawn], out, FINE_TUNING)
    return str(out)


def _linear(data: Path, folder: Path) -> str:
    """A linear classifier of words and pairs of words, trained on all of SST-2's training texts."""
    read = load(str(data / "sst2" / "train.tsv"))
    rows = [features(sentence.text) for sentence in read.sentences]
    out = folder / "linear.npz"
    multinomial(rows, [gold for (gold,) in read.golds]).save(out)
    return str(out)


def _stage_portuguese(folder: Path, data: Path) -> None:
    """Puts the Portuguese wordnet where NLTK looks for it, and keeps NLTK from asking the network."""
    place = folder / "corpora" / "omw-2.0" / "por"
    place.mkdir(parents=True)
    tab = data / "wordnet" / "wn-data-por.tab"
    place.joinpath(tab.name).write_bytes(tab.read_bytes())
    import nltk

    nltk.download = lambda *_, **__: False
    nltk.corpus.wordnet.add_omw()


def _write_table(ground: Ground) -> None:
    """Writes the synonyms that TextAttack finds for the words of the texts."""
    from textattack.transformations import WordSwapWordNet

    swap = WordSwapWordNet(language=ground.code)
    every = sorted({word.lower() for sentence in ground.corpus.sentences for word in sentence.tokens})
    listed = [(word, sorted(swap._get_replacement_words(word))) for word in every]
    lines = [f"{word}\tany\t{'|'.join(others)}" for word, others in listed if others]
    ground.table.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _rows(table: Path) -> list[tuple[str, list[str]]]:
    lines = table.read_text(encoding="utf-8").splitlines()
    return [(word, others.split("|")) for word, _, others in (line.split("\t") for line in lines)]


if __name__ == "__main__":
    main()
