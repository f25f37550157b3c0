"""The cost of changes to linear models of pairs: ``python -m benchmarks.pairs --data DATA``.

For SICK, ASSIN 2 and MSRP a logistic regression over what two sentences have and have not in common
(`abalo.models.classifiers.linear`) is trained on the train part and judged on the dev part by `abalo.Session`. It is
kept in a temporary folder and goes with it. One row per case, drawn once under seed 1, with 95 % intervals over
distinct pairs; needs scikit-learn: ``pip install 'abalo[sklearn]'``.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression

import abalo
from abalo.models.classifiers.linear import LinearWeights, features
from abalo.tasks.pairs.artefacts import CHECKS, artefacts
from abalo.tasks.pairs.corpus import LabelledPairs, load
from benchmarks.arguments import Parser
from benchmarks.results import with_interval

SETS = (
    ("SICK", "sick/train.tsv", "sick/dev.tsv", "en"),
    ("ASSIN 2", "assin2/train.xml", "assin2/dev.xml", "pt"),
    ("MSRP", "msrp/train.tsv", "msrp/dev.tsv", "en"),
)
CASES = (
    ("swap_antonym", {}),
    ("swap_antonym", {"words": "antonyms"}),
    ("swap_number", {}),
    ("irrelevant_text", {"field": "premise"}),
    ("synonym_wordnet", {"field": "hypothesis"}),
    ("typos", {"field": "hypothesis"}),
    ("typos", {}),
    ("keyboard", {"field": "hypothesis"}),
    ("misspelling", {}),
    ("punctuation", {}),
)
LEAST = 2
"""A feature counts from this number of pairs."""


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--data", "DATA"))
    parser.add_argument("--data", type=Path, required=True, help="folder with the folders sick, assin2 and msrp")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Trains the models and prints the tables."""
    data = parser().parse_args(given).data
    for name, train, dev, language in SETS:
        with tempfile.TemporaryDirectory() as folder:
            model, thresholds = Path(folder) / "linear.npz", Path(folder) / "thresholds.toml"
            began = time.process_time()
            trained(load(str(data / train))).save(model)
            seconds = time.process_time() - began
            thresholds.write_text(f'[gate]\nlanguage = "{language}"\nseeds = [1]\n', encoding="utf-8")
            corpus = str(data / dev)
            session = abalo.Session(task="pairs", model=str(model), corpus=corpus, thresholds=thresholds)
            _print(name, session, load(corpus), seconds)


def trained(corpus: LabelledPairs) -> LinearWeights:
    """A classifier of pairs, its weights rounded to 8 bits."""
    counts = CountVectorizer(analyzer=features, binary=True, min_df=LEAST)
    rows = counts.fit_transform([(first.text, second.text) for first, second in corpus.pairs])
    model = LogisticRegression(fit_intercept=False, max_iter=2000).fit(rows, [gold[0] for gold in corpus.golds])
    own = model.coef_.T if len(model.classes_) > 2 else np.concatenate([-model.coef_, model.coef_]).T / 2
    step = float(np.abs(own).max()) / 127
    whole = np.round(own / step).astype(np.int8)
    names = {str(name): int(place) for name, place in counts.vocabulary_.items()}
    return LinearWeights(tuple(map(str, model.classes_)), names, whole, step)


def _print(name: str, session: abalo.Session, corpus: LabelledPairs, seconds: float) -> None:
    clean = session.judge("baseline").metrics
    scored = f"; Spearman's ρ {with_interval(clean['spearman'])}" if clean["spearman"].n else ""
    said = f"accuracy {with_interval(clean['accuracy'])}, macro F1 {with_interval(clean['macro_f1'])}"
    print(f"{name}: {said}{scored}; trained in {seconds:.1f} CPU seconds\n")
    print("| case | pairs changed | on the changed: clean → changed | drop there | flip rate | drop of ρ |")
    print("|---|--:|--:|--:|--:|--:|")
    for case, params in CASES:
        result = session.judge(case, **params)
        found = result.metrics
        now, drop = found["accuracy_changed"], found["accuracy_drop_changed"]
        both = "–" if not now.n else f"{now.value + drop.value:.3f} → {now.value:.3f}"
        shown = " | ".join(with_interval(each) for each in (drop, found["flip_rate"], found["spearman_drop"]))
        called = result.case.id.removeprefix("pairs/")
        print(f"| {called} | {result.results[0].changed:,} | {both} | {shown} |")
    told = artefacts(corpus.examples)
    if told is not None:
        print("\n" + "; ".join(f"{said}: {told[each]:.3f}" for each, said in CHECKS.items()) + "\n")


if __name__ == "__main__":
    main()
