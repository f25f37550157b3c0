"""The gain of hardening: the bundled tagger and the bundled classifier of sentiment, taught what they fail.

    python -m benchmarks.hardening ner --out OUT
    python -m benchmarks.hardening sentiment --out OUT --wordnet DATA/wordnet/wn-data-por.tab
    python -m benchmarks.hardening regularisers --out OUT

Bounds are set so tight that whatever costs anything fails: the question is what training gains. One family of
perturbations is held out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from abalo.api import Session
from abalo.bundled import bundled_path
from abalo.cli import main as abalo
from benchmarks.arguments import Parser

NER = """
[gate]
[[ner.baseline]]
min_f1 = 0.8
[[ner.char_typo]]
max_f1_drop = 0.05
[[ner.character_noise]]
rate = 0.1
max_f1_drop = 0.05
[[ner.typos]]
max_f1_drop = 0.05
[[ner.word_insertion]]
rate = 0.1
max_f1_drop = 0.05
"""
MORE = """
[[ner.accents]]
max_f1_drop = 0.05
[[ner.context_distractors]]
max_f1_drop = 0.05
[[ner.keyboard]]
max_f1_drop = 0.05
[[ner.letter_case]]
max_f1_drop = 0.05
[[ner.token_masking]]
rate = 0.15
max_f1_drop = 0.05
"""
SENTIMENT = """
[gate]
[[classification.baseline]]
min_accuracy = 0.7
[[classification.accents]]
max_accuracy_drop = 0.02
[[classification.character_noise]]
rate = 0.1
max_accuracy_drop = 0.02
[[classification.keyboard]]
max_accuracy_drop = 0.02
[[classification.letter_case]]
max_accuracy_drop = 0.02
[[classification.typos]]
max_accuracy_drop = 0.02
[[classification.deepwordbug]]
sample = 150
max_success_rate = 0.2
[[classification.textfooler]]
sample = 150
synonyms = "wordnet:{wordnet}"
max_success_rate = 0.2
"""
TRAIN = str(bundled_path("fixtures/corpora/legal-pt/train.conll"))
TRAINING = ("--share", "0.6", "--rate", "3e-4", "--hold-out", "character")
REGULARISERS = ((), ("--drop-pieces", "0.1"), ("--masked-lm", "0.2"), ("--contrast", "0.1"))


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(
        __doc__, smoke=("ner", "--out", "OUT", "--train", "DATA/lener-br/train.conll", "--epochs", "1", "--limit", "4")
    )
    parser.add_argument("what", choices=("ner", "sentiment", "regularisers"))
    parser.add_argument("--out", type=Path, required=True, help="folder for models and reports")
    parser.add_argument("--wordnet", help="a wordnet of Portuguese, for TextFooler in the place of its vectors")
    parser.add_argument("--train", default=TRAIN, help="sentences to learn entities from; default: those that ship")
    parser.add_argument("--epochs", type=int, default=2, help="of ner; default: %(default)s")
    parser.add_limit()
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Judges, hardens, judges again, and prints the page."""
    arguments = parser()
    asked = arguments.parse_args(given)
    asked.out.mkdir(parents=True, exist_ok=True)
    match asked.what:
        case "ner":
            _judged("ner", NER + MORE, asked.out, asked.limit)
            _hardened(asked.out, asked.train, (*TRAINING, "--epochs", str(asked.epochs)))
        case "sentiment":
            if asked.wordnet is None:
                arguments.error("--wordnet: missing; name a file of the Open Multilingual Wordnet")
            _judged("classification", SENTIMENT.format(wordnet=asked.wordnet), asked.out, asked.limit)
            settings = ("--share", "0.8", "--epochs", "10", "--rounds", "3", "--searched", "5000", "--letters")
            held_out = ("--table", "textfooler", "--hold-out", "spelling")
            _hardened(asked.out, str(_texts(asked.out / "train.tsv")), (*settings, *held_out))
        case _:
            _judged("ner", NER, asked.out, asked.limit)
            for extra in REGULARISERS:
                print(f"\n### {' '.join(extra) or 'none'}\n", flush=True)
                _hardened(asked.out, asked.train, (*TRAINING, "--epochs", "1", *extra))


def _judged(task: str, thresholds: str, out: Path, limit: int | None) -> None:
    path = out / "thresholds.toml"
    path.write_text(thresholds, encoding="utf-8")
    Session(task, thresholds=path, limit=limit).run(deep=True).write(out / "reports")


def _hardened(out: Path, train: str, more: Sequence[str]) -> None:
    places = (
        "--train",
        train,
        "--report",
        str(out / "reports"),
        "--out",
        str(out / "after"),
        "--to",
        str(out / "gain"),
    )
    abalo(["harden", *places, *more])
    seconds = json.loads((out / "gain" / "hardening.json").read_text("utf-8"))["seconds"]
    print(f"{sum(each['cpu'] for each in seconds.values()) / 60:.1f} CPU minutes in all", flush=True)


def _texts(path: Path) -> Path:
    """The texts that the classifier was trained on, of the language that it is judged on."""
    sys.path.insert(0, str(bundled_path("fixtures")))
    rows = [("text", "label"), *import_module("make_sentiment_corpora").texts("pt", "train", 12, 32)]
    path.write_text("".join(f"{text}\t{label}\n" for text, label in rows), encoding="utf-8")
    return path


if __name__ == "__main__":
    main()
