"""The gain and the price of bfloat16: seconds of CPU time, and labels that differ from those in float32.

    python -m benchmarks.precision [--model FOLDER] [--data corpus.conll] [--limit 400]

Aim: two thirds of the time, and at most one label in a thousand that differs. Only processors and GPUs that multiply
in bfloat16 gain by it. Both are measured in this process, in turns, one thread.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import torch

from abalo.bundled import bundled
from abalo.corpora import load as load_corpus
from abalo.models.loading import load as load_model
from abalo.models.prediction import Prediction
from benchmarks.results import Aim, show

DTYPES = ("fp32", "bf16")
REPEATS = 3


def main() -> None:
    """Predicts the corpus in both."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.precision", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument(
        "--model", default=str(bundled("fixtures/model")), help="a checkpoint (default: the bundled one)"
    )
    parser.add_argument("--data", default="bundled:legal-pt", help="a corpus (default: %(default)s)")
    parser.add_argument("--limit", type=int, default=400, help="sentences of it (default: %(default)s)")
    parser.add_argument("--device", default="cpu", help="where the model runs (default: %(default)s)")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    sentences = load_corpus(arguments.data, limit=arguments.limit).sentences
    models = {dtype: load_model(arguments.model, device=arguments.device, dtype=dtype) for dtype in DTYPES}
    seconds: dict[str, list[float]] = {dtype: [] for dtype in DTYPES}
    found: dict[str, Sequence[Prediction]] = {}
    for _ in range(REPEATS):
        for dtype, model in models.items():
            started = time.process_time() if arguments.device == "cpu" else time.perf_counter()
            found[dtype] = model.predict(sentences)
            ended = time.process_time() if arguments.device == "cpu" else time.perf_counter()
            seconds[dtype].append(ended - started)
    pairs = zip(found["fp32"], found["bf16"], strict=True)
    labels = [(own, other) for one, two in pairs for own, other in zip(one.tags, two.tags, strict=True)]
    differing = sum(own != other for own, other in labels)
    fast, slow = min(seconds["bf16"]), min(seconds["fp32"])
    show(
        "precision",
        [
            {
                "sentences": len(sentences),
                "fp32 s": round(slow, 2),
                "bf16 s": round(fast, 2),
                "times as fast": round(slow / fast, 2),
                "labels that differ": f"{differing} of {len(labels):,}",
                "per thousand": round(1000 * differing / len(labels), 2),
            }
        ],
        [Aim("times as fast", 1.5), Aim("per thousand", 1, at_most=True)],
    )


if __name__ == "__main__":
    main()
