"""Sequence classifiers of transformers. Labels are those that a pipeline would give: ``id2label`` of the config.

A text that is longer than a window is read in several, which overlap by the stride. Its logits are the mean of theirs,
each window weighing as much as it has word pieces. A text that fits into one has the logits that a pipeline gives. Two
texts that are read together stand in one window; where it is too short, the longer of them loses its end, piece by
piece.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from abalo.errors import AbaloError
from abalo.models.checkpoint import TEXTS, Checkpoint
from abalo.models.classifiers.protocol import Classified, Input
from abalo.models.classifiers.reading import LabelReader
from abalo.models.devices import full_precision
from abalo.models.hugging_face import fingerprint_of
from abalo.models.local_files import room
from abalo.models.opening import opened
from abalo.models.options import ModelOptions
from abalo.models.prediction import Scores
from abalo.models.runtimes import Runtime
from abalo.models.silence import quiet
from abalo.models.windowed import Windowed, own_labels, padding_of, refuse_without_way_forward
from abalo.models.windows import Windows

_INDEPENDENT = "multi_label_classification"


class HuggingFaceClassifier(Windowed):
    """A `Classifier` around a transformers checkpoint."""

    black_box = False

    def __init__(self, name: str, checkpoint: Checkpoint, runtime: Runtime, options: ModelOptions) -> None:
        network, tokenizer = checkpoint.network, checkpoint.tokenizer
        if network.config.num_labels < 2:
            raise AbaloError(
                f"model {name}: gives one number for a text, and no labels; expected a classifier of two labels or more"
            )
        self._reader = LabelReader.of(name, own_labels(network.config, name), options)
        self._tokenizer = tokenizer
        self._independent = network.config.problem_type == _INDEPENDENT
        self._max_length = room(network, tokenizer, options.max_length)
        self._stride = options.stride * self._max_length // options.max_length
        self._special = tokenizer.num_special_tokens_to_add(pair=False)
        refuse_without_way_forward(name, self._max_length, self._max_length - self._special, self._stride)
        self._padding = padding_of(network, tokenizer)
        self.labels = self._reader.labels
        self.mask_token: str | None = tokenizer.mask_token
        self.settings: dict[str, str | int | float | bool | None] = {
            "architecture": type(network).__name__,
            **runtime.settings,
            "max_length": self._max_length,
            "stride": self._stride,
            "several_labels": options.several,
            **options.renaming,
        }
        self.fingerprint = fingerprint_of(checkpoint, runtime, self.settings)
        super().__init__(name, runtime)

    def predict(self, texts: Sequence[Input]) -> list[Classified]:
        """The labels of each text, in order; raises `AbaloError`."""
        if not texts:
            return []
        with quiet(), full_precision():
            windows = self._windows(texts)
            logits = self._logits(windows)
        weights = np.maximum(windows.lengths - self._special, 1).astype(np.float32)
        means = np.zeros((len(texts), logits.shape[1]), dtype=np.float32)
        np.add.at(means, windows.sentences, logits * weights[:, None])
        means /= np.bincount(windows.sentences, weights, minlength=len(texts))[:, None]
        used = np.bincount(windows.sentences, minlength=len(texts)).tolist()
        found = self._reader.of_logits(means, independent=self._independent)
        return [replace(each, windows=count) for each, count in zip(found, used, strict=True)]

    def _windows(self, given: Sequence[Input]) -> Windows:
        """The windows of texts, or those of pairs, one each."""
        pairs = [each for each in given if not isinstance(each, str)]
        texts = [list(part) for part in zip(*pairs, strict=True)] if pairs else [list(given)]
        windows: dict[str, Any] = {} if pairs else {"stride": self._stride, "return_overflowing_tokens": True}
        encoded = self._tokenizer(
            *texts,
            truncation=True,
            max_length=self._max_length,
            return_token_type_ids="token_type_ids" in self._padding,
            return_attention_mask=False,
            **windows,
        )
        lengths = np.array([len(window) for window in encoded["input_ids"]], dtype=np.int64)
        owners = np.array(encoded.get("overflow_to_sample_mapping", range(len(lengths))), dtype=np.int64)
        inputs = {name: np.fromiter(chain.from_iterable(encoded[name]), np.int64) for name in self._padding}
        no_words = np.zeros(int(lengths.sum()), dtype=np.int64)
        return Windows(inputs, no_words, lengths, owners, self._max_length - self._special - self._stride)

    def _logits(self, windows: Windows) -> Scores:
        """The logits of every window, (windows × the network's own labels)."""
        wanted = len(self._reader.columns.columns)
        logits = np.empty((len(windows), wanted), dtype=np.float32)
        for numbers, batch, scores in self.forwards(windows, self._padding):
            if scores.shape != (len(batch.mask), wanted):
                raise AbaloError(
                    f"model {self.name}: logits of shape {scores.shape} for {len(batch.mask)} windows; expected one "
                    f"row for each and {wanted} columns: is it a sequence classifier?"
                )
            logits[numbers] = scores
        return logits


def load(name: str, options: ModelOptions) -> HuggingFaceClassifier:
    """The model in the folder, the graph, or of the hub id, ``name``; raises `AbaloError` naming what is wrong."""
    options.refuse_version("a checkpoint")
    if options.aggregation != "mean":
        raise AbaloError("aggregation is about words of several pieces, and here texts are labelled: leave it out")
    return HuggingFaceClassifier(name, *opened(name, options, TEXTS), options)
