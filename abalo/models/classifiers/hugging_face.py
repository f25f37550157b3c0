"""Sequence classifiers of transformers, with labels from ``id2label``.

Long texts are read in overlapping windows; logits are averaged, weighted by pieces. A pair shares one window, and the
longer text is cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain

import numpy as np

from abalo.errors import AbaloError
from abalo.models.classifiers.flips import CharSpan, PieceFlips, piece_gradients
from abalo.models.classifiers.reading import LabelReader
from abalo.models.labelling.classified import Classified, TextInput
from abalo.models.labelling.prediction import Scores
from abalo.models.networks.checkpoint import TEXTS, Checkpoint
from abalo.models.networks.devices import full_precision
from abalo.models.networks.local_files import room
from abalo.models.networks.opening import open_network
from abalo.models.networks.runtimes import Runtime, TorchRuntime
from abalo.models.networks.silence import quiet
from abalo.models.networks.sorted_batches import Windowed, own_labels, padding_of, refuse_without_way_forward
from abalo.models.networks.windows import Windows
from abalo.models.options import ModelOptions
from abalo.models.tokens.hugging_face import fingerprint_of

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
        self._flips: PieceFlips | None = None
        super().__init__(name, runtime)

    def predict(self, texts: Sequence[TextInput]) -> list[Classified]:
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
        return [replace(each, inputs=count) for each, count in zip(found, used, strict=True)]

    def flips(
        self, given: TextInput, gold: Sequence[str], part: int, spans: Sequence[CharSpan], most: int, least: float
    ) -> list[list[str]] | None:
        """For each word span of text ``part``, at most ``most`` words that differ by one piece.

        The words that cost ``gold`` most by gradient come first; piece vectors have at least cosine ``least``. None
        without gradients.
        """
        if not isinstance(self.runtime, TorchRuntime):
            return None
        columns = [k for k, place in enumerate(self._reader.columns.columns) if self.labels[place] in gold]
        if self._flips is None:
            self._flips = PieceFlips(self._tokenizer)
        with full_precision():
            found = piece_gradients(
                self.runtime.network,
                self._tokenizer,
                given,
                columns,
                longest=self._max_length,
                independent=self._independent,
                least=least,
            )
        text = given if isinstance(given, str) else given[part]
        return [self._flips.of(text, span, part, found, most) for span in spans]

    def _windows(self, given: Sequence[TextInput]) -> Windows:
        pairs = [each for each in given if not isinstance(each, str)]
        texts = [list(part) for part in zip(*pairs, strict=True)] if pairs else [list(given)]
        windows: dict[str, object] = {} if pairs else {"stride": self._stride, "return_overflowing_tokens": True}
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
    """Loads a folder, graph or hub id."""
    options.refuse_version("a checkpoint")
    if options.aggregation != "mean":
        raise AbaloError("aggregation is about words of several pieces, and here texts are labelled: leave it out")
    return HuggingFaceClassifier(name, *open_network(name, options, TEXTS), options)
