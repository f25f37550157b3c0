"""Recipes of TextAttack 0.3.11 and ours of the same name, on the same models and the same texts.

    PEER/bin/python -m benchmarks.textattack --data DATA --wordnet WORDNET [--texts 100] [--encoder FOLDER]
        [--models linear,encoder] [--only DeepWordBug] [--repeats 3]

PEER is an environment that has TextAttack and what Abalo needs; docs/findings/other-libraries.md says how it was
made. The models are the linear one of sentiment that ships, on the first texts of its corpus, and MiniLM fine-tuned
on SST-2 as in `benchmarks.linear_and_encoder`, on the first texts of ``dev.tsv``. TextAttack is given our model as it
is, so both ask the same function; texts that it is sent, its calls and its CPU seconds are counted there. Stop words
are ours for both.

Each measurement is of a process of its own that has attacked one other text before, so that everything is loaded; of
several repeats, by turns, the one with the fewest CPU seconds counts. Aim: a fifth of the CPU seconds, and a success
rate within the interval of the other.
"""

from __future__ import annotations

import argparse
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
from abalo.bundled import bundled
from abalo.core.few_events import ShareLaw, share_law
from abalo.core.searches import succeeded
from abalo.models.classifiers.loading import load as load_model
from abalo.models.classifiers.predictor import ClassPredictor
from abalo.models.options import ModelOptions
from abalo.tasks.classification.corpus import DEFAULT, LabelledTexts, load
from abalo.tasks.classification.task import TASK
from benchmarks.fine_tune import fine_tuned_classifier
from benchmarks.linear_and_encoder import EXAMPLES, RECIPE
from benchmarks.results import show
from benchmarks.rivals import stage
from perturbations.lexicons import words

AIM = 5.0
"""How many times as few CPU seconds are aimed at."""

ALPHA = 0.025
"""Below and above a 95 % interval."""


@dataclass(frozen=True, slots=True)
class Ground:
    """A model, and the texts that it is attacked on. The last text is there to warm up, and is not measured.

    ``wordnet`` names a wordnet of the language as Abalo's settings do, ``code`` is the language as NLTK calls it.
    ``table`` is a file of the synonyms that TextAttack finds for the words of the texts.
    """

    name: str
    model: str
    corpus: LabelledTexts
    language: str
    code: str
    wordnet: str
    table: Path


@dataclass(frozen=True, slots=True)
class Pair:
    """A recipe of TextAttack and ours; ``differs`` says in what, where a name alone would not.

    ``theirs`` makes the attack from the model and the ground, ``params`` gives our settings from the ground.
    """

    name: str
    theirs: Callable[[Any, Ground], Any]
    ours: str
    params: Callable[[Ground], Mapping[str, Any]]
    differs: str


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
        known = {outcome.example.id: succeeded(outcome, TASK.targets.seen) for outcome in found.outcomes}
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


def _with_our_stop_words(attack: Any, ground: Ground) -> Any:
    from textattack.constraints.pre_transformation import StopwordModification

    for constraint in attack.pre_transformation_constraints:
        if isinstance(constraint, StopwordModification):
            constraint.stopwords = set(words(f"stop_words_{ground.language}"))
    return attack


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

    count = len(ground.corpus.sentences) - 1
    run(_part(ground.corpus, count, count + 1))
    model.predict = counted
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


def main() -> None:
    """Prints the table."""
    asked = _parser().parse_args()
    with tempfile.TemporaryDirectory() as folder:
        stage(Path(folder), asked.wordnet)
        _stage_portuguese(Path(folder), asked.data)
        rows: list[Mapping[str, object]] = []
        for ground in _grounds(asked, Path(folder)):
            for number, pair in enumerate(PAIRS):
                if not asked.only or pair.name in asked.only.split(";"):
                    rows += _rows_of(number, ground, asked.repeats)
                    print(*(f"{name}: {value}" for name, value in rows[-1].items()), sep="; ", flush=True)
        show("textattack", rows)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.textattack", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--data", type=Path, required=True, help="folder with sst2 and wordnet")
    parser.add_argument("--wordnet", type=Path, required=True, help="folder with the database files of WordNet 3.0")
    parser.add_argument("--texts", type=int, default=100, help="how many are attacked (default: %(default)s)")
    parser.add_argument("--encoder", help="folder of MiniLM fine-tuned on SST-2 (default: fine-tuned here)")
    parser.add_argument("--models", default="linear,encoder", help="with commas between them (default: %(default)s)")
    parser.add_argument("--only", help=f"recipes, with semicolons between them: {'; '.join(p.name for p in PAIRS)}")
    parser.add_argument("--repeats", type=int, default=3, help="how often each is measured (default: %(default)s)")
    return parser


def _rows_of(pair: int, ground: Ground, repeats: int) -> list[Mapping[str, object]]:
    """A row for each library."""
    runs = [[_alone(side, pair, ground) for side in (_theirs, _ours)] for _ in range(repeats)]
    theirs, ours = (min(side, key=lambda run: run.cpu) for side in zip(*runs, strict=True))
    low, high = theirs.law.low(ALPHA), theirs.law.high(ALPHA)
    same = low <= ours.law.value <= high
    known = {"model": ground.name, "recipe": PAIRS[pair].name}
    return [
        {**known, **_row("TextAttack", theirs), f"times, aim {AIM:g}": "", "same success": ""},
        {
            **known,
            **_row("Abalo", ours),
            f"times, aim {AIM:g}": f"{theirs.cpu / ours.cpu:.1f}",
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
            corpus, model = load(DEFAULT, limit=asked.texts + 1), str(bundled("fixtures/sentiment/weights.npz"))
            tab = f"wordnet:{asked.data / 'wordnet' / 'wn-data-por.tab'}"
            ground = Ground("linear, Portuguese", model, corpus, "pt", "por", tab, table)
        else:
            corpus = load(str(asked.data / "sst2" / "dev.tsv"), limit=asked.texts + 1)
            model = asked.encoder or _encoder(asked.data, folder)
            ground = Ground("MiniLM, SST-2", model, corpus, "en", "eng", f"wordnet:{asked.wordnet}", table)
        _write_table(ground)
        found.append(ground)
    return found


def _encoder(data: Path, folder: Path) -> str:
    """MiniLM fine-tuned on as many examples as in `benchmarks.linear_and_encoder`."""
    read = load(str(data / "sst2" / "train.tsv"))
    rows = list(dict.fromkeys(zip([sentence.text for sentence in read.sentences], read.golds, strict=True)))
    order = Random(RECIPE.seed)
    drawn = sorted(rows, key=lambda _: order.random())[:EXAMPLES]
    out = folder / "encoder"
    fine_tuned_classifier([text for text, _ in drawn], [gold for _, (gold,) in drawn], out, RECIPE)
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
