"""Token classifiers of transformers, from checkpoints or graphs."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from abalo.errors import AbaloError
from abalo.models.labelling.prediction import Prediction, Scores
from abalo.models.networks.checkpoint import TOKENS, Checkpoint
from abalo.models.networks.devices import full_precision
from abalo.models.networks.local_files import room
from abalo.models.networks.opening import open_network
from abalo.models.networks.runtimes import Runtime
from abalo.models.networks.silence import quiet
from abalo.models.networks.sorted_batches import Windowed, own_labels, padding_of, refuse_without_way_forward
from abalo.models.networks.windows import SPECIAL, Batch, Windows
from abalo.models.options import ModelOptions
from perturbations import Sentence

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

REPEATED = "repeated_labels"


class HuggingFaceModel(Windowed):
    """A `TokenModel` around a transformers checkpoint."""

    reads_text = False
    black_box = False

    def __init__(self, name: str, checkpoint: Checkpoint, runtime: Runtime, options: ModelOptions) -> None:
        network, tokenizer = checkpoint.network, checkpoint.tokenizer
        own = own_labels(network.config, name)
        self._columns = options.columns(own, name)
        self._windows = _Windowing(name, network, tokenizer, options)
        self._first_piece = options.aggregation == "first"
        self.labels = self._columns.labels
        self.mask_token: str | None = tokenizer.mask_token
        self.settings: dict[str, str | int | float | bool | None] = {
            "architecture": type(network).__name__,
            **runtime.settings,
            "aggregation": options.aggregation,
            "max_length": self._windows.max_length,
            "stride": self._windows.stride,
            **options.renaming,
        }
        self.fingerprint = fingerprint_of(checkpoint, runtime, self.settings)
        if checkpoint.space_before_words is not None:  # in the fingerprint by the tokenizer
            self.settings["space_before_words"] = checkpoint.space_before_words
        if repeated := [label for label, count in Counter(own).items() if count > 1]:
            self.settings[REPEATED] = ", ".join(repeated)
        super().__init__(name, runtime)

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        words = [list(sentence.tokens) for sentence in sentences if sentence.tokens]
        if not words:
            return [self._nothing() for _ in sentences]
        with quiet(), full_precision():
            windows, wordless = self._windows.of(words)
            predictions = iter(self._predictions(words, windows, wordless, self._logits(windows)))
        return [next(predictions) if sentence.tokens else self._nothing() for sentence in sentences]

    def _nothing(self) -> Prediction:
        return Prediction((), np.zeros((0, len(self.labels)), dtype=np.float32), alternative=(), inputs=0)

    def _predictions(
        self, words: Sequence[Sequence[str]], windows: Windows, wordless: Sequence[int], logits: Scores
    ) -> list[Prediction]:
        ends = np.cumsum([len(tokens) for tokens in words])
        count = int(ends[-1])
        starts = [0, *ends[:-1].tolist()]
        mean = self._columns.read(windows.mean_scores(logits, count), starts)
        first = self._columns.read(windows.first_scores(logits, count), starts)
        (chosen, tags), (_, alternative) = (first, mean) if self._first_piece else (mean, first)
        chosen.setflags(write=False)
        used = np.bincount(windows.sentences, minlength=len(words)).tolist()
        begin, predictions = 0, []
        for i, end in enumerate(ends.tolist()):
            predictions.append(
                Prediction(
                    tuple(tags[begin:end]), chosen[begin:end], tuple(alternative[begin:end]), used[i], wordless[i]
                )
            )
            begin = end
        return predictions

    def _logits(self, windows: Windows) -> Scores:
        distinct, places = windows.distinct()
        logits = np.empty((len(distinct.words), len(self._columns.columns)), dtype=np.float32)
        for _, batch, scores in self.forwards(distinct, self._windows.padding):
            self._check(batch, scores)
            logits[batch.cells] = scores[batch.mask]
        return logits[places]

    def _check(self, batch: Batch, scores: Scores) -> None:
        if scores.shape != (*batch.mask.shape, len(self._columns.columns)):
            raise AbaloError(
                f"model {self.name}: logits of shape {scores.shape} for {batch.mask.shape} pieces; expected one row "
                f"per piece and one column for each of {len(self._columns.columns)} labels: is it a token classifier?"
            )


class _Windowing:
    def __init__(
        self, name: str, network: PreTrainedModel, tokenizer: PreTrainedTokenizerBase, options: ModelOptions
    ) -> None:
        self._name = name
        self._tokenizer = tokenizer
        self.max_length = room(network, tokenizer, options.max_length)
        self.stride = options.stride * self.max_length // options.max_length
        self._room = self.max_length - tokenizer.num_special_tokens_to_add(pair=False)
        refuse_without_way_forward(name, self.max_length, self._room, self.stride)
        self.padding = padding_of(network, tokenizer)

    def of(self, sentences: Sequence[list[str]]) -> tuple[Windows, list[int]]:
        windows = self._encode(sentences)
        starts = np.cumsum([0, *map(len, sentences)])
        absent = np.setdiff1d(np.arange(starts[-1]), windows.words)
        if not len(absent):
            return windows, [0] * len(sentences)
        owners = np.searchsorted(starts, absent, side="right") - 1
        mended = [list(words) for words in sentences]
        for word, owner in zip(absent.tolist(), owners.tolist(), strict=True):
            mended[owner][word - int(starts[owner])] = self._unknown(sentences[owner][word - int(starts[owner])])
        return self._encode(mended), np.bincount(owners, minlength=len(sentences)).tolist()

    def _unknown(self, word: str) -> str:
        unknown: str | None = self._tokenizer.unk_token
        if unknown is None:
            raise AbaloError(
                f"model {self._name}: its tokenizer makes nothing of the token {word!a} and has no unknown token to "
                "stand for it; give the tokenizer an unk_token"
            )
        return unknown

    def _encode(self, sentences: Sequence[list[str]]) -> Windows:
        encoded = self._tokenizer(
            sentences,
            is_split_into_words=True,
            truncation=True,
            max_length=self.max_length,
            stride=self.stride,
            return_overflowing_tokens=True,
            return_token_type_ids="token_type_ids" in self.padding,
            return_attention_mask=False,
        )
        lengths = np.array([len(window) for window in encoded["input_ids"]], dtype=np.int64)
        owners = np.array(encoded["overflow_to_sample_mapping"], dtype=np.int64)
        words = np.fromiter(
            (SPECIAL if word is None else word for i in range(len(lengths)) for word in encoded.word_ids(i)), np.int64
        )
        first_words = np.cumsum([0, *map(len, sentences)])[owners]
        words[words != SPECIAL] += np.repeat(first_words, lengths)[words != SPECIAL]
        inputs = {name: np.fromiter(chain.from_iterable(encoded[name]), np.int64) for name in self.padding}
        return Windows(inputs, words, lengths, owners, self._room - self.stride)


def load(name: str, options: ModelOptions) -> HuggingFaceModel:
    """Loads a folder, graph or hub id."""
    options.refuse_version("a checkpoint")
    return HuggingFaceModel(name, *open_network(name, options, TOKENS), options)


def fingerprint_of(checkpoint: Checkpoint, runtime: Runtime, settings: dict[str, Any]) -> str:
    """BLAKE2b digest of weights, config, tokenizer and settings, 32 hexadecimal digits.

    Equal on all devices and versions of transformers.
    """
    digest = hashlib.blake2b(digest_size=16)
    config = json.loads(checkpoint.network.config.to_json_string())
    config.pop("transformers_version", None)
    for part in (json.dumps(config, sort_keys=True), checkpoint.tokenizer.backend_tokenizer.to_str(), settings):
        digest.update(f"{part}\x1f".encode("utf-8", "surrogatepass"))
    for weights in runtime.weights():
        digest.update(weights)
    return digest.hexdigest()
