"""A large corpus through `abalo scale` in one process: seconds, and memory, which must not grow with the corpus.

    python -m benchmarks.scale [--sentences 100000] [--words 8] [--cases 2] [--labels 0]

Sentences are made up, each another one, and the model looks words up in a list. Each sentence holds an entity; with
``--labels`` it is a text that has one of so many labels instead. One seed. Aims: at most 0.5 GB for 20,000 sentences in
four cases, and 2 GB for 1,000,000.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.arguments import Parser
from benchmarks.results import Aim, show
from benchmarks.runs import most_memory, timed

GIGABYTES = 2
OF_SMALL = 0.5
SMALL = 20_000

CASES = ("accents", "typos", "keyboard", "ocr")

THRESHOLDS = """\
[gate]
language = "pt"
seeds = [1]

[[{task}.baseline]]
min_{metric} = 0.5
"""

CASE = """
[[{task}.{name}]]
max_{metric}_drop = 0.9
"""

NAMES = ("Ana", "José", "Íris", "Rui", "Zélia", "Otávio", "Célia")
WORDS = ("juiz", "não", "ação", "decidiu", "que", "é", "réu", "em")

MODELS = f"""\
NAMES = {NAMES!r}
LABELS = ("O", "B-PESSOA")


def by_word():
    return lambda batch: [["B-PESSOA" if word in NAMES else "O" for word in tokens] for tokens in batch]


def by_last_word():
    return lambda texts: [text.rsplit(" ", 1)[-1] for text in texts]
"""


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--sentences", "20"))
    parser.add_argument("--sentences", type=int, default=100_000, help="how many (default: 100,000)")
    parser.add_argument("--words", type=int, default=8, help="the words of each (default: 8)")
    parser.add_argument("--cases", type=int, default=2, choices=range(1, 1 + len(CASES)), help="default: 2")
    parser.add_argument("--labels", type=int, default=0, help="labels of texts (default: sentences with entities)")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Prints the table."""
    asked = parser().parse_args(given)
    task, metric, model = ("classification", "accuracy", "last_word") if asked.labels else ("ner", "f1", "word")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "words.py").write_text(MODELS, encoding="utf-8")
        cases = "".join(CASE.format(task=task, metric=metric, name=each) for each in CASES[: asked.cases])
        bounds = THRESHOLDS.format(task=task, metric=metric) + cases
        (folder / "thresholds.toml").write_text(bounds, encoding="utf-8")
        with (folder / "corpus.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(_line(number, asked.words, asked.labels) for number in range(asked.sentences))
        given = ["--task", task, "--corpus", "corpus.jsonl", "--model", f"words:by_{model}", "--out", "run"]
        wall, cpu = timed(["-m", "abalo", "scale", *given], folder)
    row = {
        "sentences": asked.sentences,
        "words each": asked.words,
        "cases": asked.cases,
        "labels": asked.labels or "entities",
        "wall s": round(wall),
        "CPU s": round(cpu),
        "most memory GB": round(most_memory(), 2),
    }
    show("scale", [row], [Aim("most memory GB", GIGABYTES if asked.sentences > SMALL else OF_SMALL, at_most=True)])


def _line(number: int, words: int, labels: int) -> str:
    """A sentence with one name, told from all others by its last word, or a text with its label as last word."""
    between = [WORDS[(number + place) % len(WORDS)] for place in range(words - 2)]
    tokens = [NAMES[number % len(NAMES)], *between, f"n{number}"]
    if labels:
        label = f"label{number % labels}"
        return json.dumps({"text": " ".join([*tokens, label]), "label": label}) + "\n"
    return json.dumps({"tokens": tokens, "tags": ["B-PESSOA", *("O" for _ in range(words - 1))]}) + "\n"


if __name__ == "__main__":
    main()
