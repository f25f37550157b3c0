"""The cost of changes to a linear model of aspect sentiment: ``python -m benchmarks.aspects --data DATA/absa``.

A logistic regression over words and pairs of words, those near the aspect once more, is trained on
``laptop_train.json`` and judged on the originals of ``arts_laptop.json`` by `abalo.Session`: by our changes, and by
the variants published there, on the aspects that have them. It is kept in a temporary folder and goes with it. Drawn
once under seed 1, with 95 % intervals over distinct sentences; needs scikit-learn: ``pip install 'abalo[sklearn]'``.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

import abalo
from abalo.core.statistics.estimates import Estimate
from abalo.models.classifiers.linear import LinearWeights, features
from abalo.tasks.aspects.corpus import load
from abalo.tasks.aspects.models.near import mark_aspect
from benchmarks.arguments import Parser
from benchmarks.results import with_interval

CASES: tuple[tuple[str, Mapping[str, Any]], ...] = (
    ("baseline", {}),
    ("rev_tgt", {}),
    ("rev_non", {}),
    ("add_diff", {"domain": "device"}),
    ("add_diff", {"domain": "device", "clauses": 3}),
    ("typos", {}),
    ("typos", {"inside_entities": False}),
    ("character_noise", {"rate": 0.1}),
    ("word_insertion", {"rate": 0.1}),
    ("punctuation", {}),
)
PUBLISHED = {"RevTgt": "adv1", "RevNon": "adv2", "AddDiff": "adv3"}


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--data", "DATA/absa"))
    parser.add_argument("--data", type=Path, required=True, help="folder with laptop_train.json and arts_laptop.json")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Trains the model and prints the tables."""
    options = parser().parse_args(given)
    known = json.loads((options.data / "arts_laptop.json").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        began = time.process_time()
        model = folder / "linear.npz"
        train(options.data / "laptop_train.json").save(model)
        print(f"trained in {time.process_time() - began:.1f} CPU seconds\n")
        session = opened(model, folder / "originals.json", known, is_original)
        print("| case | aspects changed | accuracy | drop | on the changed: clean → changed | macro F1 | flip rate |")
        print("|---|--:|--:|--:|--:|--:|--:|")
        for case, params in CASES:
            result = session.judge(case, **params)
            found = result.metrics
            now, drop = found["accuracy_changed"], found["accuracy_drop_changed"]
            both = "–" if not now.n else f"{now.value + drop.value:.3f} → {with_interval(now)}"
            shown = [with_interval(found[metric]) for metric in ("accuracy", "accuracy_drop")]
            more = [with_interval(found[metric]) for metric in ("macro_f1", "flip_rate")]
            print(
                f"| {result.case.id.removeprefix('aspects/')} | {result.results[0].changed:,} | "
                f"{' | '.join(shown)} | {both} | {' | '.join(more)} |"
            )
        print("\n| published variants | aspects | accuracy: original → variant | macro F1: original → variant |")
        print("|---|--:|--:|--:|")
        for title, sign in PUBLISHED.items():
            those, judged = on_published(model, folder, known, sign)
            shown = [" → ".join(with_interval(each[metric]) for each in judged) for metric in ("accuracy", "macro_f1")]
            print(f"| {title} | {those:,} | {' | '.join(shown)} |")


def is_original(key: str) -> bool:
    """Whether this is the id of an original of ARTS."""
    return not key.rpartition("_")[2].startswith("adv")


def on_published(
    model: Path, folder: Path, known: Mapping[str, Any], sign: str
) -> tuple[int, list[Mapping[str, Estimate]]]:
    """How many aspects have a published variant with this sign; the metrics of their originals and of the variants."""
    those = {key for key in known if f"{key}_{sign}" in known}
    variants = {f"{key}_{sign}" for key in those}
    return len(those), [
        opened(model, folder / "some.json", known, wanted.__contains__).judge("baseline").metrics
        for wanted in (those, variants)
    ]


def opened(model: Path, path: Path, known: Mapping[str, Any], wanted: Callable[[str], bool]) -> abalo.Session:
    """A session on those of the published sentences whose ids are wanted; they go to a file at ``path``."""
    thresholds = path.with_name("thresholds.toml")
    path.write_text(json.dumps([each for key, each in known.items() if wanted(key)]), encoding="utf-8")
    thresholds.write_text('[gate]\nlanguage = "en"\nseeds = [1]\n', encoding="utf-8")
    return abalo.Session(task="aspects", model=str(model), corpus=f"{path}?lenient", thresholds=thresholds)


def train(corpus: Path) -> LinearWeights:
    """The weights of a logistic regression over the features of a sentence with its aspect."""
    read = load(str(corpus))
    words = CountVectorizer(analyzer=features, min_df=2, binary=True)
    fitted = LogisticRegression(C=0.5, max_iter=2000)
    fitted.fit(words.fit_transform(_texts(read.inputs)), [label for (label,) in read.golds])
    step = float(np.abs(fitted.coef_).max()) / 127
    weights = np.round(fitted.coef_.T / step).astype(np.int8)
    known = {name: int(place) for name, place in words.vocabulary_.items()}
    return LinearWeights(tuple(fitted.classes_), known, weights, step)


def _texts(inputs: Iterable[tuple[str, str]]) -> list[str]:
    return [mark_aspect(sentence, aspect) for sentence, aspect in inputs]


if __name__ == "__main__":
    main()
