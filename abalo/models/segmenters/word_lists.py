"""Any function as a word segmenter: ``module:factory``, and jieba.

It maps texts to word lists that add up to the text; white space is optional.
"""

from __future__ import annotations

import importlib
import tempfile
from collections.abc import Callable, Sequence
from itertools import accumulate, pairwise
from typing import Any

from abalo.corpora.word_labels import PARTS
from abalo.errors import AbaloError
from abalo.models.labelling.prediction import Prediction
from abalo.models.options import ModelOptions
from abalo.models.services.service import Served, Service
from abalo.models.user_code import draws_of, made_by, optional_text
from perturbations import Sentence

BATCH = 64

JIEBA = "jieba"

Cut = Callable[[list[str]], Any]


class WordLists(Served):
    """A `TokenModel` around a function from texts to words."""

    mask_token: str | None = None
    reads_text = True
    labels: tuple[str, ...] = ()

    def __init__(self, name: str, fingerprint: str, cut: Cut, *, black_box: bool, device: str = "cpu") -> None:
        self.name, self.fingerprint, self.black_box, self.device = name, fingerprint, black_box, device
        self.version: str | None = None
        self.draws: bool | None = None if black_box else False
        self.settings: dict[str, str | int | float | bool | None] = {"interface": "words"}
        self._cut = cut

    def predict(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        return self.in_batches(sentences, BATCH, self._predicted)

    def _predicted(self, sentences: Sequence[Sentence]) -> list[Prediction]:
        made = self._cut([sentence.text for sentence in sentences])
        if not isinstance(made, Sequence) or isinstance(made, str) or len(made) != len(sentences):
            listed = isinstance(made, Sequence) and not isinstance(made, str)
            size = f"{len(made)} lists" if listed else type(made).__name__
            raise AbaloError(
                f"model {self.name}: gave {size} for {len(sentences)} texts; expected a list of words for each text"
            )
        return [self._one(sentence, words) for sentence, words in zip(sentences, made, strict=True)]

    def _one(self, sentence: Sentence, words: object) -> Prediction:
        if (
            isinstance(words, str)
            or not isinstance(words, Sequence)
            or not all(isinstance(each, str) for each in words)
        ):
            raise AbaloError(f"model {self.name}: gave {words!r:.60} for a text; expected a list of its words")
        return Prediction(labels_of_words(sentence, words, self.name), inputs=int(bool(sentence.tokens)))


def load(spec: str, options: ModelOptions) -> WordLists:
    """Loads a factory's result."""
    options.refuse_for("a module:factory model")
    function, code = made_by(spec)
    if not callable(function):
        raise AbaloError(
            f"model {spec}: the factory returned {type(function).__name__}; expected a function from a list of texts "
            "to a list with the words of each"
        )
    service = Service(function, code, options)
    name = optional_text(function, "name", code) or spec
    model = WordLists(name, service.fingerprint, _called(service, function), black_box=True, device="unknown")
    model.service, model.version, model.draws = service, service.version, draws_of(function, code)
    return model


def labels_of_words(sentence: Sentence, words: Sequence[str], model: str) -> tuple[str, ...]:
    """Character labels from words; white space ends a word."""
    parts = [part for word in words for part in word.split()]
    given, text = "".join(parts), "".join(sentence.tokens)
    if given != text:
        place = next(
            (k for k, (a, b) in enumerate(zip(given, text, strict=False)) if a != b), min(len(given), len(text))
        )
        raise AbaloError(
            f"model {model}: its words do not make up the text: {given[place : place + 10]!r} where the text has "
            f"{text[place : place + 10]!r}; expected all characters but white space, unchanged"
        )
    ends = {0, *accumulate(map(len, parts))}
    at = 0
    for token, space in zip(sentence.tokens, sentence.spaces, strict=True):
        at += len(token)
        if space:
            ends.add(at)
    labels, start = [], 0
    for token in sentence.tokens:
        stop = start + len(token)
        cuts = [start, *sorted(end for end in range(start + 1, stop) if end in ends), stop]
        labels.append(PARTS.join(_sign(a in ends, b in ends) for a, b in pairwise(cuts)))
        start = stop
    return tuple(labels)


def _sign(begins: bool, ends: bool) -> str:
    return ("S" if ends else "B") if begins else ("E" if ends else "M")


def _called(service: Service, function: Callable[..., object]) -> Cut:
    return lambda texts: service.ask("segmenting", function, texts)


def load_jieba(_spec: str, options: ModelOptions) -> WordLists:
    """Jieba with its own dictionary."""
    options.refuse_for("jieba")
    options.refuse_version("jieba")
    try:
        jieba = importlib.import_module("jieba")
    except ImportError as error:
        raise AbaloError("the model jieba needs jieba: pip install 'abalo[jieba]'") from error
    jieba.setLogLevel("WARNING")
    tokenizer = jieba.Tokenizer()
    with tempfile.TemporaryDirectory() as folder:  # by default it reads a cache that anybody could have put into /tmp
        tokenizer.tmp_dir = folder
        tokenizer.initialize()
    return WordLists(
        JIEBA, f"jieba {jieba.__version__}", lambda texts: [tokenizer.lcut(text) for text in texts], black_box=False
    )
