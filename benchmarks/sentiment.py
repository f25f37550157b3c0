"""The cost of changes to a linear model of sentiment: ``python -m benchmarks.sentiment --data DATA/sst2``.

A logistic regression over words and pairs of words, weighted by TF-IDF, is trained on ``train.tsv`` and judged on
``dev.tsv`` by `abalo.Session`. It is kept in a temporary folder and goes with it. One row per case, drawn once under
seed 1, with 95 % intervals over distinct texts; needs scikit-learn and skops: ``pip install 'abalo[sklearn]'``.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from skops import io

import abalo
from benchmarks.arguments import Parser
from benchmarks.results import with_interval

KEEPS = (
    ("baseline", {}),
    ("double_denial", {}),
    ("swap_special_ent", {"which": "person"}),
    ("swap_special_ent", {"which": "film"}),
    ("add_sum", {"which": "person"}),
    ("add_sum", {"which": "film"}),
    ("degree_adverb", {}),
    ("irrelevant_text", {}),
    ("typos", {}),
    ("keyboard", {}),
    ("ocr", {}),
    ("misspelling", {}),
    ("synonym_wordnet", {}),
    ("contraction", {}),
    ("insert_adverb", {}),
    ("tense", {}),
    ("number", {}),
    ("chat_style", {}),
    ("punctuation", {}),
    ("word_insertion", {"rate": 0.1}),
    ("character_noise", {"rate": 0.1}),
)
TURNS = (("negation", {}), ("antonym", {"at_least": 1}))


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--data", "DATA/sst2"))
    parser.add_argument("--data", type=Path, required=True, help="folder with train.tsv and dev.tsv, text and label")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Trains the model and prints the tables."""
    options = parser().parse_args(given)
    with tempfile.TemporaryDirectory() as folder:
        model, thresholds = Path(folder) / "linear.skops", Path(folder) / "thresholds.toml"
        began = time.process_time()
        train(options.data / "train.tsv", model)
        print(f"trained in {time.process_time() - began:.1f} CPU seconds\n")
        thresholds.write_text('[gate]\nlanguage = "en"\nseeds = [1]\n', encoding="utf-8")
        corpus = str(options.data / "dev.tsv")
        session = abalo.Session(task="classification", model=str(model), corpus=corpus, thresholds=thresholds)
        print("| case | texts changed | accuracy | drop | on the changed: clean → changed | flip rate |")
        print("|---|--:|--:|--:|--:|--:|")
        for name, params in KEEPS:
            result = session.judge(name, **params)
            found = result.metrics
            now, drop = found["accuracy_changed"], found["accuracy_drop_changed"]
            shown = [with_interval(found[metric]) for metric in ("accuracy", "accuracy_drop")]
            both = "–" if not now.n else f"{now.value + drop.value:.3f} → {now.value:.3f}"
            print(f"| {_row(result)} | {' | '.join(shown)} | {both} | {with_interval(found['flip_rate'])} |")
        print("\n| case | texts changed | moves the wrong way | keeps its label |")
        print("|---|--:|--:|--:|")
        for name, params in TURNS:
            result = session.judge(name, **params)
            shown = [with_interval(result.metrics[metric]) for metric in ("wrong_way_rate", "unmoved_rate")]
            print(f"| {_row(result)} | {' | '.join(shown)} |")


def train(corpus: Path, model: Path) -> None:
    """Fits the pipeline and writes it as a file of skops."""
    rows = [line.split("\t") for line in corpus.read_text(encoding="utf-8").splitlines()]
    words = TfidfVectorizer(ngram_range=(1, 2), sublinear_tf=True, token_pattern=r"\S+")  # noqa: S106 - no password
    pipeline = make_pipeline(words, LogisticRegression(C=10, max_iter=1000))
    pipeline.fit([text for text, _ in rows], [label for _, label in rows])
    io.dump(pipeline, model)


def _row(result: abalo.Result) -> str:
    return f"{result.case.id.removeprefix('classification/')} | {result.results[0].changed:,}"


if __name__ == "__main__":
    main()
