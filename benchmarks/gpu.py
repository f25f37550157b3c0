"""The gate on a GPU: windows per second over a bare loop's, and the share of time in which the GPU waits.

    python -m benchmarks.gpu [--layers 12 24]

A BERT of random weights with the tokenizer and the labels of the bundled model is judged by the cases of
thresholds.toml, in float32 and bfloat16; 12 layers are of BERT's base size, 24 of its large size. The bare loop sends
the same sentences through the network in batches of the same size, tokenised beforehand. *GPU waits*: the share of the
gate's wall time in which no kernel runs, by PyTorch's profiler in a second run of the gate. *Halved*: the run with a
memory that is too small for its batches, the padded pieces of a batch that were left, and whether its labels are equal.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch.profiler import ProfilerActivity, profile

from abalo.corpora import load as load_corpus
from abalo.models.tokens.loading import load as load_model
from benchmarks.arguments import Lacks, Parser
from benchmarks.gate import SIZES, Recorded, bare_forward_seconds, gate_seconds, save_random
from benchmarks.results import Aim, show

SPARE = 300 * 2**20
"""Bytes of memory beside the weights, in which no batch of the usual size fits."""


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--layers", "12"))
    parser.add_argument("--layers", type=int, nargs="+", choices=SIZES, default=[*SIZES], help="sizes of the model")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Measures each size in both precisions."""
    options = parser().parse_args(given)
    if not torch.cuda.is_available():
        raise Lacks("PyTorch finds no GPU here")
    rows = []
    for layers in options.layers:
        with tempfile.TemporaryDirectory() as folder:
            path = save_random(Path(folder), layers)
            rows += [_measured(path, layers, dtype) for dtype in ("fp32", "bf16")]
    show("gpu", rows, [Aim("ratio", 1.1, at_most=True)])


def _measured(path: Path, layers: int, dtype: str) -> dict[str, object]:
    """Windows per second of the gate and of a bare loop, and what the GPU did meanwhile."""
    model: Any = Recorded(load_model(str(path), device="cuda", dtype=dtype))
    torch.cuda.reset_peak_memory_stats()
    gate = gate_seconds(model)
    memory = torch.cuda.max_memory_allocated()
    with profile(activities=[ProfilerActivity.CUDA]) as profiled:
        gate_seconds(model)
    busy = sum(each.self_device_time_total for each in profiled.key_averages()) / 1e6
    torch_dtype = {"fp32": torch.float32, "bf16": torch.bfloat16}[dtype]
    floor = bare_forward_seconds(model.shown, path, "cuda", torch_dtype, model.budget)
    windows = len(model.shown)
    return {
        "model": f"{layers} layers, {dtype}",
        "windows": windows,
        "gate s": round(gate, 2),
        "windows per s": round(windows / gate),
        "bare": round(windows / floor),
        "ratio": round(gate / floor, 2),
        "GPU waits": f"{max(0.0, 1 - busy / gate):.0%}",
        "GB": round(memory / 1e9, 1),
        "halved": _halved(path, dtype),
    }


def _halved(path: Path, dtype: str) -> str:
    """A run in too little memory: the padded pieces of a batch before and after, and whether labels stay equal."""
    sentences = load_corpus("bundled:legal-pt").sentences
    model: Any = load_model(str(path), device="cuda", dtype=dtype)
    wanted, before = [each.tags for each in model.predict(sentences)], model.budget
    torch.cuda.empty_cache()
    total = torch.cuda.get_device_properties(0).total_memory
    torch.cuda.set_per_process_memory_fraction((torch.cuda.memory_reserved() + SPARE) / total)
    try:
        found = [each.tags for each in model.predict(sentences)]
    finally:
        torch.cuda.set_per_process_memory_fraction(1.0)
    differing = sum(map(lambda one, other: one != other, wanted, found))
    return f"{before:,} to {model.budget:,}, {differing} of {len(sentences)} differ"


if __name__ == "__main__":
    main()
