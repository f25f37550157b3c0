"""The loss that one run foresees beside the loss that a comparison of two trainings would detect.

Pairs of models differ as a model and its successor do: trained on the two halves of a training set, on nine tenths and
all of it, under two seeds, or with other features. Classifiers of texts and of pairs, taggers of entities and of parts
of speech are linear; noise on the weights of the bundled tagger stands for another training of a network. *Seen* is the
detectable loss of the comparison, *r* the standard error of the loss over that of the reference's own score.

    python -m benchmarks.foresight [--data DATA] [texts SICK MSRP ASSIN tags entities noise]

DATA is a folder with the folders sst2, sick, msrp, assin2, ud and lener-br. All takes about 10 CPU minutes.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, TypeVar

from abalo import Session
from abalo.bundled import bundled_path
from abalo.comparison.test.comparison import compare_task
from abalo.comparison.test.family import Runs
from abalo.comparison.test.foresight import foreseen, standard_error
from abalo.core.documents.found import certain
from abalo.core.protocols.probe import Case
from abalo.core.protocols.task import Task
from abalo.core.records.gate import Gate
from abalo.core.statistics.evidence import Evidence
from abalo.core.statistics.losses import Loss
from abalo.core.statistics.plan import BASELINE
from abalo.corpora import load
from abalo.corpora.conllu import read
from abalo.models.classifiers.linear import features
from abalo.models.labelling.classified import TextInput
from abalo.models.training.linear import multinomial
from abalo.tasks.pairs.corpus import load as load_pairs
from benchmarks.arguments import Parser
from benchmarks.noised import noised
from benchmarks.published import add_data
from benchmarks.results import Aim, show

EXAMPLES = {"ner": 300}
"""The number of examples that models of a task are compared on; 500 for any other task."""

SEEDS = {"ner": (1,)}
"""The seeds of the cases of a task; those of the gate for any other task."""

TAGGED = 3_000
"""Sentences that taggers are trained on."""

SIGMAS = (0.1, 0.2, 0.3)
CASES = (BASELINE, "accents", "character_noise", "word_insertion", "typos", "keyboard", "letter_case", "ent_typos")
"""Cases of taggers of entities; those that search take long."""

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Trained:
    """Models of one ``task``, a ``corpus`` (None for the bundled one), and pairs of a reference and a model.

    ``models`` has for each name what trains the model and gives its path.
    """

    task: str
    models: Mapping[str, Callable[[], str]]
    pairs: Sequence[tuple[str, str]]
    corpus: str | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """The evidence of a model with the cases and the gate that it is judged by."""

    task: Task
    cases: Sequence[Case]
    gate: Gate
    evidence: Mapping[str, Evidence]


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--data", "DATA", "SICK"))
    add_data(parser)
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, []], help="kinds of models; default: all")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Trains, runs and compares the models of each kind."""
    options = parser().parse_args(given)
    rows = []
    for kind in options.kinds or KINDS:
        with tempfile.TemporaryDirectory() as folder:
            trained = KINDS[kind](options.data, Path(folder))
            runs = {name: run_of(trained, train()) for name, train in trained.models.items()}
        rows += [row_of(f"{kind}: {new} against {old}", runs[new], runs[old]) for old, new in trained.pairs]
    show("foresight", rows, [Aim(f"{part}: foreseen / seen", 0.67) for part in ("clean", "mean")])


# Training ------------------------------------------------------------------------------------------------------------


def parts(items: Sequence[Item]) -> dict[str, Sequence[Item]]:
    """All items in a random order, nine tenths of them, and either half."""
    items = Random(0).sample(items, len(items))
    middle = len(items) // 2
    return {
        "all": items,
        "nine tenths": items[: len(items) * 9 // 10],
        "half": items[:middle],
        "half 2": items[middle:],
    }


ALWAYS = (("half", "half 2"), ("nine tenths", "all"))
"""Pairs of a reference and a model that each kind has."""


def texts(data: Path, folder: Path) -> Trained:
    """Classifiers of texts; one has groups of letters as features."""
    train = sentiment(data / "sst2/train.tsv")
    models = classifiers(train, folder)
    models["letters"] = partial(classifier, train, folder / "letters.npz", letters=True)
    return Trained("classification", models, (*ALWAYS, ("all", "letters")), sentiment_corpus(data, folder))


def sentiment(path: Path) -> list[tuple[str, str]]:
    """The texts of a file of SST-2, each with its label."""
    names = {"0": "negative", "1": "positive"}
    return [(text, names[label]) for text, label in (line.split("\t") for line in path.read_text("utf-8").splitlines())]


def sentiment_corpus(data: Path, folder: Path) -> str:
    """The texts of SST-2 that models are compared on, written as a table with headings."""
    corpus, dev = folder / "dev.tsv", sentiment(data / "sst2/dev.tsv")
    corpus.write_text("text\tlabel\n" + "".join(f"{text}\t{label}\n" for text, label in dev), "utf-8")
    return str(corpus)


def pairs(train: str, dev: str, data: Path, folder: Path) -> Trained:
    """Classifiers of pairs of texts."""
    corpus = load_pairs(str(data / train))
    rows = [((one.text, two.text), gold[0]) for (one, two), gold in zip(corpus.pairs, corpus.golds, strict=True)]
    return Trained("pairs", classifiers(rows, folder), ALWAYS, str(data / dev))


def classifiers(rows: Sequence[tuple[TextInput, str]], folder: Path) -> dict[str, Callable[[], str]]:
    """Linear classifiers, one for each part of the training set."""
    return {name: partial(classifier, part, folder / f"{name}.npz") for name, part in parts(rows).items()}


def classifier(rows: Sequence[tuple[TextInput, str]], path: Path, *, letters: bool = False) -> str:
    """Trains a linear classifier and writes it."""
    found = multinomial([features(given, letters=letters) for given, _ in rows], [label for _, label in rows])
    replace(found, letters=letters).save(path)
    return str(path)


def tags(data: Path, folder: Path) -> Trained:
    """Taggers of parts of speech."""
    models = taggers(read(data / "ud/pt_gsd-train.conllu"), folder)
    return Trained("pos", models, (*ALWAYS, ("all", "seed 2")), str(data / "ud/pt_gsd-dev.conllu"))


def entities(data: Path, folder: Path) -> Trained:
    """Linear taggers of entities, the same as those of parts of speech."""
    trained = taggers([*dict.fromkeys(load(str(data / "lener-br/train.conll")).sentences)], folder)
    models = {name: partial(as_code, train) for name, train in trained.items()}
    return Trained("ner", models, (*ALWAYS, ("all", "seed 2")), str(data / "lener-br/dev.conll"))


def as_code(train: Callable[[], str]) -> str:
    """Writes beside a tagger the module that loads it."""
    path = Path(train())
    module = path.with_name(f"tagger_{path.stem.replace(' ', '_')}.py")
    make = f"def make():\n    return LinearTagger.load({str(path)!r}).tags\n"
    module.write_text(f"from abalo.models.tokens.linear import LinearTagger\n{make}", "utf-8")
    return f"{module}:make"


def taggers(sentences: Sequence[Any], folder: Path) -> dict[str, Callable[[], str]]:
    """Linear taggers, one for each part of so many sentences and one with another seed."""
    used = parts(Random(0).sample(sentences, min(TAGGED, len(sentences))))
    seeds = {**dict.fromkeys(used, 1), "seed 2": 2}
    used["seed 2"] = used["all"]
    return {name: partial(tagger, part, seeds[name], folder / f"{name}.npz") for name, part in used.items()}


def tagger(sentences: Sequence[Any], seed: int, path: Path) -> str:
    """Trains a linear tagger and writes it."""
    sys.path.insert(0, str(bundled_path("fixtures")))
    from train_pos import Settings, train  # noqa: PLC0415 - the scripts of fixtures are no package

    train(sentences, Settings(seed=seed, epochs=4)).save(path)
    return str(path)


def noise(_: Path, folder: Path) -> Trained:
    """The bundled tagger of entities, and others with noise on its weights."""
    models = {"bundled": lambda: str(bundled_path("fixtures/model"))}
    models |= {f"σ {sigma}": partial(_noised, sigma, folder) for sigma in SIGMAS}
    return Trained("ner", models, [("bundled", name) for name in models if name != "bundled"])


def _noised(sigma: float, folder: Path) -> str:
    return str(noised(sigma, 1, folder / str(sigma)))


KINDS: Mapping[str, Callable[[Path, Path], Trained]] = {
    "texts": texts,
    "SICK": partial(pairs, "sick/train.tsv", "sick/dev.tsv"),
    "MSRP": partial(pairs, "msrp/train.tsv", "msrp/dev.tsv"),
    "ASSIN": partial(pairs, "assin2/train.xml", "assin2/dev.xml"),
    "tags": tags,
    "entities": entities,
    "noise": noise,
}

# Comparing -----------------------------------------------------------------------------------------------------------


def run_of(trained: Trained, model: str) -> Run:
    """Runs the clean corpus and the cases that the mean loss is over."""
    limit = EXAMPLES.get(trained.task, 500)
    session = Session(trained.task, model=model, corpus=trained.corpus, limit=limit, seeds=SEEDS.get(trained.task))
    cases = [case for case in session.cases() if _used(case, session.task)]
    found = {session.baseline.case.id: session.baseline.evidence}
    found |= {case.id: session.prepared.engine.run(case).evidence for case in cases if case.name != BASELINE}
    return Run(session.task, cases, session.gate, found)


def _used(case: Case, task: Task) -> bool:
    shown = case.name == BASELINE or (case.probe.perturbs and case.probe.compared_by(task) == task.floor)
    return shown and (task.name != "ner" or case.name in CASES)


def row_of(name: str, new: Run, reference: Run) -> dict[str, object]:
    """The losses of a model, those seen and those that the reference alone foresees."""
    found = compare_task(new.task, new.cases, Runs(new.evidence, reference.evidence), new.gate, date.today())
    row: dict[str, object] = {"pair": name}
    clean = {case: each for case, each in reference.evidence.items() if case == found.baseline.case}
    for part, loss, evidence in (("clean", found.baseline, clean), ("mean", found.mean, reference.evidence)):
        assert loss is not None
        asked = (reference.task, evidence, reference.cases, reference.gate)
        row |= dict(_columns(part, loss, certain(foreseen(*asked).loss), standard_error(*asked)))
    return row


def _columns(part: str, loss: Loss, ahead: float, se: float) -> Iterator[tuple[str, object]]:
    yield f"{part}: score", round(loss.reference, 3)
    yield f"{part}: lost", round(loss.loss.value, 3)
    yield f"{part}: r", round(loss.loss.se / se, 2)
    yield f"{part}: foreseen", round(ahead, 3)
    yield f"{part}: seen", round(loss.detectable_loss, 3)
    yield f"{part}: foreseen / seen", round(ahead / loss.detectable_loss, 2)


if __name__ == "__main__":
    main()
