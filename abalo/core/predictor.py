"""Predictions of one session: every input once, the clean corpus once for all workers."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock

from abalo.models.checks import checked
from abalo.models.labels import check_predicted
from abalo.models.protocol import TokenModel
from abalo.models.scores import Scale, scale_of
from abalo.tasks.ner.alignment import Prediction, Scores
from perturbations import Sentence

Key = tuple[tuple[str, ...], ...]
"""What a model can tell inputs apart by: the tokens, and the white space where it reads that."""


@dataclass(frozen=True, slots=True, eq=False)
class CasePredictions:
    """One prediction per input, in order.

    ``forwards`` counts the distinct windows needed beyond the clean corpus, ``shared`` those of them that the inputs
    beside which these were predicted need too.
    """

    predictions: list[Prediction]
    forwards: int
    shared: int = 0


class Predictor:
    """A model with what it has predicted so far. Predictions are shared: equal inputs get the same object.

    ``clean`` is the unperturbed corpus. ``store`` is a folder, shared by the workers of one session, where the first to
    get there leaves the clean predictions for the others; None where there is one process. All predictions are kept
    until the predictor goes.
    """

    def __init__(self, model: TokenModel, clean: Sequence[Sentence], store: Path | None = None) -> None:
        self.model = model
        self._sentences = tuple(clean)
        self._store = store
        self._clean: dict[Key, Prediction] | None = None
        self._scale: tuple[Scale | None] | None = None
        self._cases: dict[bytes, CasePredictions] = {}

    def clean(self) -> list[Prediction]:
        """One prediction per sentence of the clean corpus, in order; the model runs at most once for it."""
        known = self.known()
        return [known[self.key(sentence)] for sentence in self._sentences]

    def scale(self) -> Scale | None:
        """How the model's scores are read, fitted on the clean corpus; None for a model that gives none."""
        if self._scale is None:
            self._scale = (scale_of(self.model.labels, self._sentences, self.clean()),)
        return self._scale[0]

    def predict(self, sentences: Sequence[Sentence], beside: Sequence[Sentence] = ()) -> CasePredictions:
        """Predictions for the inputs of one case: one call of the model for all that are not in the clean corpus.

        Which inputs share a batch depends on the case alone, never on what was predicted before. Inputs that are also
        ``beside``, the inputs of a case that has much in common with this one, are taken from the batches of that case,
        which are predicted first. The same inputs again cost nothing.
        """
        keys, others = [[self.key(sentence) for sentence in each] for each in (sentences, beside)]
        digest = _digest([*keys, (), *others])
        if digest not in self._cases:
            shared = dict(zip(others, self.predict(beside).predictions, strict=True)) if beside else {}
            self._cases[digest] = self._predict(sentences, keys, shared)
        return self._cases[digest]

    def answering(self) -> Answering:
        """Predictions for a search, which asks again and again."""
        return Answering(self)

    def _predict(
        self, sentences: Sequence[Sentence], keys: Sequence[Key], shared: Mapping[Key, Prediction]
    ) -> CasePredictions:
        known = self.known()
        distinct = {key: each for key, each in _distinct(keys, sentences).items() if key not in known}
        found = self.run({key: each for key, each in distinct.items() if key not in shared})
        taken = {key: shared[key] for key in distinct if key in shared}
        everything = {**known, **taken, **found}
        windows = [sum(prediction.windows for prediction in part.values()) for part in (found, taken)]
        return CasePredictions([everything[key] for key in keys], sum(windows), windows[1])

    def known(self) -> dict[Key, Prediction]:
        """The clean predictions, from memory, else from the store, else from the model."""
        if self._clean is None:
            distinct = _distinct(map(self.key, self._sentences), self._sentences)
            self._clean = self.run(distinct) if self._store is None else self._shared(self._store, distinct)
            self._check_types(self._clean.values())
        return self._clean

    def _check_types(self, predictions: Iterable[Prediction]) -> None:
        if not self.model.labels:
            predicted = {tag for prediction in predictions for tag in prediction.tags}
            gold = {tag for sentence in self._sentences for tag in sentence.tags or ()}
            check_predicted(predicted, gold, self.model.name)

    def _shared(self, store: Path, distinct: dict[Key, Sentence]) -> dict[Key, Prediction]:
        store.mkdir(parents=True, exist_ok=True)
        name = hashlib.blake2b(self.model.fingerprint.encode() + _digest(distinct), digest_size=16).hexdigest()
        path = store / f"clean-{name}.npz"
        with FileLock(f"{path}.lock"):
            if not path.exists():
                _write(list(self.run(distinct).values()), path)
        return dict(zip(distinct, checked(self.model, list(distinct.values()), _read(path)), strict=True))

    def run(self, distinct: dict[Key, Sentence]) -> dict[Key, Prediction]:
        """What the model says, checked, in one call; nothing is remembered."""
        if not distinct:
            return {}
        sentences = list(distinct.values())
        return dict(zip(distinct, checked(self.model, sentences, self.model.predict(sentences)), strict=True))

    def key(self, sentence: Sentence) -> Key:
        """What the model can tell the sentence from others by."""
        return (sentence.tokens, sentence.spaces) if self.model.reads_text else (sentence.tokens,)


class Answering:
    """Answers the questions of a search: one call of the model for all that it has not asked before.

    ``forwards`` counts the distinct windows needed beyond the clean corpus.
    """

    def __init__(self, predictor: Predictor) -> None:
        self.forwards = 0
        self._predictor = predictor
        self._found: dict[Key, Prediction] = {}

    def __call__(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        """One prediction per sentence, in order."""
        keys = [self._predictor.key(sentence) for sentence in sentences]
        known = self._predictor.known()
        new = {
            key: each for key, each in _distinct(keys, sentences).items() if key not in known and key not in self._found
        }
        fresh = self._predictor.run(new)
        self.forwards += sum(prediction.windows for prediction in fresh.values())
        self._found |= fresh
        return [known[key] if key in known else self._found[key] for key in keys]


def _distinct(keys: Iterable[Key], sentences: Iterable[Sentence]) -> dict[Key, Sentence]:
    """The first sentence of each key, in order."""
    distinct: dict[Key, Sentence] = {}
    for key, sentence in zip(keys, sentences, strict=True):
        distinct.setdefault(key, sentence)
    return distinct


def _digest(keys: Iterable[Key]) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for key in keys:
        digest.update(json.dumps(key).encode())
    return digest.digest()


# The store: one array that numpy reads without pickle, and everything else as JSON beside it --------------------------


def _write(predictions: Sequence[Prediction], path: Path) -> None:
    """Writes the predictions whole or not at all."""
    rows = [(p.tags, p.alternative, p.windows, p.wordless, p.scores is not None) for p in predictions]
    scores = [p.scores for p in predictions if p.scores is not None] or [np.zeros((0, 0), dtype=np.float32)]
    fresh = path.with_suffix(f".{os.getpid()}.npz")
    text = np.frombuffer(json.dumps(rows).encode(), dtype=np.uint8)
    np.savez(fresh, allow_pickle=False, rows=text, scores=np.concatenate(scores))
    fresh.replace(path)


def _read(path: Path) -> list[Prediction]:
    with np.load(path, allow_pickle=False) as stored:
        rows: list[Any] = json.loads(stored["rows"].tobytes())
        scores: Scores = stored["scores"]
    scores.setflags(write=False)
    predictions, done = [], 0
    for tags, alternative, windows, wordless, has_scores in rows:
        own = scores[done : done + len(tags)] if has_scores else None
        done += len(tags) if has_scores else 0
        other = None if alternative is None else tuple(alternative)
        predictions.append(Prediction(tuple(tags), own, other, windows, wordless))
    return predictions
