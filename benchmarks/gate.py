"""The gate's wall time over its floor: the bare forward time of the windows that it needs. Aim: at most 1.15 on a CPU.

Both are measured in this process, after the model is loaded, on the bundled model and corpus with the cases and seeds
of thresholds.toml.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import zip_longest
from typing import Any

import torch
from transformers import AutoModelForTokenClassification, AutoTokenizer

from abalo.bundled import bundled
from abalo.config.thresholds import load as load_thresholds
from abalo.core.engine import Engine
from abalo.corpora import load as load_corpus
from abalo.models import TokenModel
from abalo.models.devices import use_threads
from abalo.models.loading import load as load_model
from abalo.models.prediction import Prediction
from abalo.tasks.ner.task import TASK
from benchmarks.results import Aim, show
from perturbations import Sentence

PADDED_PIECES = 4096


class _Recorded:
    """A model that keeps the sentences it was shown."""

    def __init__(self, model: TokenModel) -> None:
        self._model = model
        self.shown: list[Sentence] = []

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        self.shown += sentences
        return self._model.predict(sentences)


def main() -> None:
    """Runs every case, then sends the same sentences straight through the model."""
    print(f"PyTorch has {use_threads()}\n")
    corpus = load_corpus("bundled:legal-pt")
    thresholds = load_thresholds(bundled("thresholds.toml"))
    model: Any = _Recorded(load_model(str(bundled("fixtures/model")), device="cpu"))
    model.predict(corpus.sentences[:16])
    model.shown.clear()

    started = time.perf_counter()
    session = Engine(TASK, corpus, model, thresholds.gate)
    cases = [case for case in thresholds.cases if case.task == TASK.name and not case.deep]
    cases = [case for case in cases if not case.probe.entries.skipped(case.plan, session.language)]
    for case, following in zip_longest(cases, cases[1:]):
        session.judge(case, len(cases), following=following)
    gate = time.perf_counter() - started
    floor = _bare_forward_seconds(model.shown)
    show(
        "gate",
        [
            {
                "windows": len(model.shown),
                "gate s": round(gate, 2),
                "bare forward s": round(floor, 2),
                "ratio": round(gate / floor, 2),
                "threads": torch.get_num_threads(),
                "sentences per s": round(len(model.shown) / gate),
            }
        ],
        [Aim("ratio", 1.15, at_most=True)],
    )


def _bare_forward_seconds(sentences: Sequence[Sentence]) -> float:
    """Seconds in the forward alone, in length-sorted batches of about `PADDED_PIECES` pieces, tokenised beforehand."""
    path = str(bundled("fixtures/model"))
    tokenizer = AutoTokenizer.from_pretrained(path)
    network = AutoModelForTokenClassification.from_pretrained(path, dtype=torch.float32).eval()
    encoded = tokenizer([list(s.tokens) for s in sentences], is_split_into_words=True)["input_ids"]
    batches: list[list[list[int]]] = [[]]
    for pieces in sorted(encoded, key=len):
        if (len(batches[-1]) + 1) * len(pieces) > PADDED_PIECES:
            batches.append([])
        batches[-1].append(pieces)
    padded = [tokenizer.pad({"input_ids": batch}, return_tensors="pt") for batch in batches if batch]
    started = time.perf_counter()
    with torch.inference_mode():
        for inputs in padded:
            network(**inputs)
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
