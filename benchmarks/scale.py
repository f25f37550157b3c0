"""A large corpus through `abalo scale` in one process: seconds, and memory, which must not grow with the corpus.

    python -m benchmarks.scale [--sentences 100000] [--words 8]

Sentences are made up, each another one, and the model looks words up in a list. Two cases, accents and typos in words
of entities, one seed. Aim: at most 2 GB, for 1,000,000 sentences too.
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

CASES = ("accents", "typos")

THRESHOLDS = """\
[gate]
language = "pt"
seeds = [1]

[[ner.baseline]]
min_f1 = 0.5
"""

CASE = """
[[ner.{name}]]
max_f1_drop = 0.9
"""

NAMES = ("Ana", "José", "Íris", "Rui", "Zélia", "Otávio", "Célia")
WORDS = ("juiz", "não", "ação", "decidiu", "que", "é", "réu", "em")

MODEL = f"""\
NAMES = {NAMES!r}
LABELS = ("O", "B-PESSOA")


def by_word():
    return lambda batch: [["B-PESSOA" if word in NAMES else "O" for word in tokens] for tokens in batch]
"""


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--sentences", "20"))
    parser.add_argument("--sentences", type=int, default=100_000, help="how many (default: 100,000)")
    parser.add_argument("--words", type=int, default=8, help="the words of each (default: 8)")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Prints the table."""
    asked = parser().parse_args(given)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "words.py").write_text(MODEL, encoding="utf-8")
        cases = "".join(CASE.format(name=each) for each in CASES)
        (folder / "thresholds.toml").write_text(THRESHOLDS + cases, encoding="utf-8")
        with (folder / "corpus.jsonl").open("w", encoding="utf-8") as file:
            file.writelines(_line(number, asked.words) for number in range(asked.sentences))
        given = ["--corpus", "corpus.jsonl", "--model", "words:by_word", "--out", "run"]
        wall, cpu = timed(["-m", "abalo", "scale", *given], folder)
    row = {
        "sentences": asked.sentences,
        "words each": asked.words,
        "cases": len(CASES),
        "wall s": round(wall),
        "CPU s": round(cpu),
        "most memory GB": round(most_memory(), 2),
    }
    show("scale", [row], [Aim("most memory GB", GIGABYTES, at_most=True)])


def _line(number: int, words: int) -> str:
    """A sentence with one name, told from all others by its last word."""
    between = [WORDS[(number + place) % len(WORDS)] for place in range(words - 2)]
    tags = ["B-PESSOA", *("O" for _ in range(words - 1))]
    return json.dumps({"tokens": [NAMES[number % len(NAMES)], *between, f"n{number}"], "tags": tags}) + "\n"


if __name__ == "__main__":
    main()
