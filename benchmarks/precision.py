"""The gain and the price of lower precision and of other runtimes: CPU seconds, and labels that differ from float32.

    python -m benchmarks.precision [--model FOLDER] [--data corpus.conll] [--limit 400]

Aim for each: two thirds of the time, and at most one label in a thousand that differs. Only processors and GPUs
that multiply in bfloat16, or in whole numbers of 8 bits, gain by these. All are measured in this process, in turns, one
thread; the first turn, in which a network is compiled, does not count. The last column has each sentence predicted by
itself, and counts the labels that are others than in batches. Graphs need the extra onnx, compiling a C++ compiler.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import torch

from abalo.bundled import bundled_path
from abalo.core.protocols.preflight import differing
from abalo.corpora import load as load_corpus
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.loading import load as load_model
from benchmarks.arguments import Parser
from benchmarks.exporting import export, quantised
from benchmarks.results import Aim, show
from perturbations import Sentence

PLAIN = "fp32"
WAYS = (PLAIN, "bf16", "compiled", "ONNX fp32", "ONNX int8")
REPEATS = 3


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--limit", "4", "--only", PLAIN, "bf16", "ONNX fp32", "ONNX int8"))
    parser.add_argument(
        "--model", default=str(bundled_path("fixtures/model")), help="a checkpoint (default: the bundled one)"
    )
    parser.add_argument("--data", default="bundled:legal-pt", help="a corpus (default: %(default)s)")
    parser.add_argument("--limit", type=int, default=400, help="sentences of it (default: %(default)s)")
    parser.add_argument("--only", nargs="+", choices=WAYS, default=WAYS, help="ways to run it; default: all")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Predicts the corpus by each."""
    arguments = parser().parse_args(given)
    torch.set_num_threads(1)
    sentences = load_corpus(arguments.data, limit=arguments.limit).sentences
    with tempfile.TemporaryDirectory() as folder:
        models = dict(_loaded(Path(arguments.model), Path(folder), arguments.only))
        seconds, found = _measured(models, sentences)
    alone = {name: _alone(model, sentences) for name, model in models.items()}
    labels = sum(len(each.tags) for each in found[PLAIN])
    rows = []
    for name in models:
        others = _differing(found[PLAIN], found[name])
        rows.append(
            {
                "runs as": name,
                "sentences": len(sentences),
                "CPU s": round(seconds[name], 2),
                "times as fast": "–" if name == PLAIN else round(seconds[PLAIN] / seconds[name], 2),
                "labels that differ": f"{others} of {labels:,}",
                "per thousand": round(1000 * others / labels, 2),
                "differ alone": _differing(found[name], alone[name]),
            }
        )
    show("precision", rows, [Aim("times as fast", 1.5), Aim("per thousand", 1, at_most=True)])


def _loaded(checkpoint: Path, folder: Path, only: Sequence[str]) -> Iterator[tuple[str, Any]]:
    """The model in every way that works here, float32 first; tells of each other way why it does not."""
    graph = folder / "model"

    def exported() -> Any:
        return load_model(str(export(checkpoint, graph)))

    def in_8_bits() -> Any:
        return load_model(str(quantised(graph / "model.onnx")))

    def compiled() -> Any:
        model: Any = load_model(str(checkpoint), device="cpu")
        model.runtime.network = torch.compile(model.runtime.network, dynamic=True)
        model.predict([Sentence(("Brasília", "."))])
        return model

    ways: dict[str, Callable[[], Any]] = {
        PLAIN: lambda: load_model(str(checkpoint), device="cpu"),
        "bf16": lambda: load_model(str(checkpoint), device="cpu", dtype="bf16"),
        "compiled": compiled,
        "ONNX fp32": exported,
        "ONNX int8": in_8_bits,
    }
    for name in only:
        try:
            yield name, ways[name]()
        except Exception as error:  # noqa: BLE001 - whatever a library lacks here
            print(f"NOT MEASURED: {name}: {type(error).__name__}: {str(error).strip().partition(chr(10))[0]}")


def _measured(
    models: dict[str, Any], sentences: Sequence[Sentence]
) -> tuple[dict[str, float], dict[str, list[Prediction]]]:
    """The least CPU time of each model for all sentences, and its predictions."""
    seconds: dict[str, list[float]] = {name: [] for name in models}
    found: dict[str, list[Prediction]] = {}
    for _ in range(1 + REPEATS):
        for name, model in models.items():
            started = time.process_time()
            found[name] = model.predict(sentences)
            seconds[name].append(time.process_time() - started)
    return {name: min(every[1:]) for name, every in seconds.items()}, found


def _alone(model: Any, sentences: Sequence[Sentence]) -> list[Prediction]:
    return [prediction for each in sentences for prediction in model.predict([each])]


def _differing(some: Sequence[Prediction], others: Sequence[Prediction]) -> int:
    return differing([each.tags for each in some], [each.tags for each in others])


if __name__ == "__main__":
    main()
