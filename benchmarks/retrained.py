"""Nine recipes of training, for models that differ as a model and its retraining do.

Each model trains on nine tenths of a training set, drawn under the seed that the training uses too. All recipes are
small enough that dozens of models take minutes of CPU. Needs scikit-learn and skops: ``pip install 'abalo[sklearn]'``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from abalo.bundled import bundled_path
from abalo.corpora import load as load_entities
from abalo.corpora.conllu import read
from abalo.models.classifiers import linear
from abalo.models.classifiers.linear import LinearWeights
from abalo.models.classifiers.two_spans import near_spans, read_input
from abalo.models.tokens.linear import LinearTagger, features
from abalo.models.training.linear import matrix, vocabulary, whole
from abalo.tasks.pairs.corpus import load as load_pairs
from abalo.tasks.relations.corpus import load as load_relations
from abalo.tasks.relations.sentences import as_input
from benchmarks.foresight import as_code

Train = Callable[[Path, int, Path], str]
"""Trains on a file under a seed, writes the model to a path without ending, and returns the value of ``model``."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """A way to train models of a ``task``.

    * ``training``, ``judging``: files in the folder of data. The first ``used`` examples of the one, in a random order,
      are to train on. The others, up to ``kept``, and those of the second file are to judge on.
    * ``judged``: number of examples that pairs are judged on. The rest tells whether a pair is harmless.
    """

    name: str
    task: str
    train: Train
    training: str
    judging: str
    used: int
    judged: int
    kept: int = 0


@dataclass(frozen=True, slots=True)
class Parts:
    """Examples as blocks of lines: to train on, to judge, and to tell whether a pair is harmless."""

    head: str
    ending: str
    used: Sequence[str]
    judged: Sequence[str]
    others: Sequence[str]

    def write(self, blocks: Iterable[str], path: Path) -> Path:
        """Writes examples as a file; returns its path, which has the ending of the format."""
        path = path.with_suffix(self.ending)
        path.write_text(self.head + "".join(f"{block}{_end(self.ending)}" for block in blocks), "utf-8")
        return path


def parts_of(recipe: Recipe, data: Path) -> Parts:
    """The examples of a recipe; no text occurs twice."""
    order = Random(0)
    head, training = _blocks(data / recipe.training)
    _, judging = _blocks(data / recipe.judging)
    own, other = (order.sample(blocks, len(blocks)) for blocks in (training, judging))
    used = own[: recipe.used]
    seen, held = {*map(_text, used)}, []
    for block in [*other, *own[recipe.used : recipe.used + recipe.kept]]:
        if _text(block) not in seen:
            seen.add(_text(block))
            held.append(block)
    return Parts(head, Path(recipe.training).suffix, used, held[: recipe.judged], held[recipe.judged :])


def _end(ending: str) -> str:
    return "\n" if ending == ".tsv" else "\n\n"


def _blocks(path: Path) -> tuple[str, list[str]]:
    """The heading of a table, if any, and the examples."""
    text = path.read_text("utf-8")
    if path.suffix != ".tsv":
        return "", [block.strip("\n") for block in text.split("\n\n") if block.strip()]
    first, *lines = text.splitlines()
    if first.split("\t")[-1] in ("0", "1"):  # SST-2 has no heading
        return "text\tlabel\n", [first, *lines]
    return f"{first}\n", lines


def _text(block: str) -> str:
    """What makes an example, without its number and its comments."""
    lines = [line for line in block.splitlines() if not line.startswith(("#", "Comment:"))]
    number, _, rest = lines[0].partition("\t")
    return "\n".join([rest if number.isdigit() else lines[0], *lines[1:]])


def trained(recipe: Recipe, parts: Parts, seed: int, folder: Path) -> str:
    """Trains a model on nine tenths of the training set."""
    share = Random(seed).sample(parts.used, len(parts.used) * 9 // 10)
    return recipe.train(parts.write(share, folder / f"train-{seed}"), seed, folder / f"model-{seed}")


# Training ------------------------------------------------------------------------------------------------------------


def _stochastic(seed: int) -> Any:
    from sklearn.linear_model import SGDClassifier

    return SGDClassifier(loss="log_loss", max_iter=10, tol=None, random_state=seed, fit_intercept=False)


def _converged(seed: int) -> Any:
    from sklearn.linear_model import LogisticRegression

    return LogisticRegression(fit_intercept=False, max_iter=2000, random_state=seed)


def _perceptron(seed: int, *, average: bool) -> Any:
    from sklearn.linear_model import SGDClassifier

    steps = {"penalty": None, "learning_rate": "constant", "eta0": 1.0, "fit_intercept": False}
    return SGDClassifier(loss="perceptron", max_iter=5, tol=None, average=average, random_state=seed, **steps)


def _two_layers(seed: int) -> Any:
    from sklearn.neural_network import MLPClassifier

    return MLPClassifier((32,), max_iter=6, learning_rate_init=3e-3, random_state=seed)


def _texts(train: Path, seed: int, out: Path, *, model: Callable[[int], Any]) -> str:
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.pipeline import make_pipeline
    from skops import io

    rows = [line.split("\t") for line in train.read_text("utf-8").splitlines()[1:]]
    words = TfidfVectorizer(ngram_range=(1, 2), min_df=2, sublinear_tf=True, token_pattern=r"\S+")  # noqa: S106
    fitted = make_pipeline(words, model(seed)).fit([text for text, _ in rows], [label for _, label in rows])
    vars(fitted[-1]).pop("_optimizer", None)  # needed to train alone, and skops does not take it for safe
    io.dump(fitted, out.with_suffix(".skops"))
    return str(out.with_suffix(".skops"))


def _pairs(train: Path, seed: int, out: Path, *, model: Callable[[int], Any]) -> str:
    corpus = load_pairs(str(train))
    rows = [linear.features((first.text, second.text)) for first, second in corpus.pairs]
    return _linear(rows, [gold[0] for gold in corpus.golds], model(seed), out)


def _relations(train: Path, seed: int, out: Path) -> str:
    corpus = load_relations(str(train))
    rows = [[*dict.fromkeys(near_spans(read_input(as_input(each))).split())] for each in corpus.sentences]
    return _linear(rows, corpus.gold, _stochastic(seed), out)


def _linear(rows: Sequence[Sequence[str]], gold: Sequence[str], model: Any, out: Path) -> str:
    known = vocabulary(rows)
    fitted = model.fit(matrix(rows, known), gold)
    weights, step = whole(fitted.coef_.T)
    LinearWeights(tuple(map(str, fitted.classes_)), known, weights, step).save(out.with_suffix(".npz"))
    return str(out.with_suffix(".npz"))


def _tags(train: Path, seed: int, out: Path, *, average: bool) -> str:
    return _tagger(read(train), _perceptron(seed, average=average), out)


def _entities(train: Path, seed: int, out: Path) -> str:
    sentences = load_entities(str(train)).sentences
    return as_code(lambda: _tagger(sentences, _perceptron(seed, average=True), out))


def _tagger(sentences: Sequence[Any], model: Any, out: Path) -> str:
    rows = [row for sentence in sentences for row in features(sentence.tokens)]
    known = vocabulary(rows)
    fitted = model.fit(matrix(rows, known), [tag for sentence in sentences for tag in sentence.tags])
    weights, step = whole(fitted.coef_.T)
    LinearTagger(tuple(map(str, fitted.classes_)), known, weights, step).save(out.with_suffix(".npz"))
    return str(out.with_suffix(".npz"))


def _words(train: Path, seed: int, out: Path) -> str:
    sys.path.insert(0, str(bundled_path("fixtures")))
    import train_segmentation  # the scripts of fixtures are no package

    made = train_segmentation.train(read(train, column=None), train_segmentation.Settings(seed=seed, epochs=4))
    made.save(out.with_suffix(".npz"))
    return str(out.with_suffix(".npz"))


_SST2 = "sst2/train.tsv", "sst2/dev.tsv", 5_500, 500, 1_500
_SICK = "sick/train.tsv", "sick/dev.tsv", 4_500, 500
_UD = "ud/pt_gsd-train.conllu", "ud/pt_gsd-dev.conllu", 2_000, 300, 400

RECIPES = (
    Recipe("sentiment, tf-idf and SGD", "classification", partial(_texts, model=_stochastic), *_SST2),
    Recipe("sentiment, two layers", "classification", partial(_texts, model=_two_layers), *_SST2),
    Recipe(
        "relations, SGD",
        "relations",
        _relations,
        "relations/semeval8-train.txt",
        "relations/semeval8-dev.txt",
        7_000,
        500,
        1_000,
    ),
    Recipe(
        "segmentation, perceptron",
        "segmentation",
        _words,
        "ud/zh_gsdsimp-train.conllu",
        "ud/zh_gsdsimp-dev.conllu",
        350,
        200,
        150,
    ),
    Recipe("pairs, SGD", "pairs", partial(_pairs, model=_stochastic), *_SICK),
    Recipe("pairs, logistic regression", "pairs", partial(_pairs, model=_converged), *_SICK),
    Recipe("parts of speech, perceptron", "pos", partial(_tags, average=False), *_UD),
    Recipe("parts of speech, averaged perceptron", "pos", partial(_tags, average=True), *_UD),
    Recipe(
        "entities, averaged perceptron",
        "ner",
        _entities,
        "lener-br/train.conll",
        "lener-br/dev.conll",
        3_000,
        350,
        500,
    ),
)

SMALLEST = Recipe(
    "parts of speech", "pos", partial(_tags, average=True), "pos-pt/eval.conllu", "pos-pt/eval.conllu", 150, 40
)
"""A recipe on sentences that ship, too few to say anything about models."""
