"""What a run takes as its corpus, labels, cases, documents and mistakes grow: CPU seconds and peak memory.

    python -m benchmarks.growth [--axis texts] [--most 20000]

Each row is a run from Python in a process of its own, which also writes the report; the model costs nothing. Texts are
made up, each another one. The exponent is that of the two largest sizes of an axis: 1 if what a run takes grows as the
size does. Aim: at most 1.1. For mistakes, which double nothing, the columns of the last row are to be held against the
first.
"""

from __future__ import annotations

import json
import math
import os
import random
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import abalo
from benchmarks.arguments import Parser
from benchmarks.results import Aim, show

SIZES = {
    "texts": (200, 2_000, 20_000),
    "labels": (2, 10, 100, 1_000),
    "cases": (10, 100, 1_000),
    "words": (500, 2_000, 8_000, 32_000),
    "mistakes": (0, 25, 50, 100),
}
"""Of each axis: texts of a corpus, labels, cases, words of a document, percent of the answers that are wrong."""

WORDS = ("juiz", "não", "ação", "decidiu", "que", "é", "réu", "em", "processo", "Vitória")
NAMES = ("accents", "typos", "keyboard")

MODEL = """\
import re


def answer():
    def one(text):
        number = int((re.findall("[0-9]+", text) or ["0"])[-1])
        return f"label{(number + (number * 7919 % 100 < WRONG)) % LABELS}"

    return lambda texts: [one(text) for text in texts]
"""
"""Reads the label from the number at the end of a text, and is wrong on a share of the numbers."""


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--axis", "words", "--most", "2000"))
    parser.add_argument("--axis", choices=SIZES, help="default: all, one after the other")
    parser.add_argument("--most", type=int, default=max(map(max, SIZES.values())), help="the largest size of an axis")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Prints the table."""
    asked = parser().parse_args(given)
    rows: list[dict[str, object]] = []
    for axis in [asked.axis] if asked.axis else SIZES:
        before: tuple[int, float] | None = None
        for size in (each for each in SIZES[axis] if each <= asked.most):
            seconds, megabytes = _taken(axis, size)
            growth = None if before is None or not before[0] else _exponent(before, (size, seconds))
            shown = None if growth is None or axis == "mistakes" else round(growth, 2)
            rows.append({"axis": axis, "size": size, "CPU s": seconds, "MB": megabytes, "exponent": shown or "–"})
            before = size, seconds
    show("growth", rows, [Aim("exponent", 1.1, at_most=True)])


def _exponent(before: tuple[int, float], now: tuple[int, float]) -> float:
    return math.log(now[1] / before[1]) / math.log(now[0] / before[0])


def _taken(axis: str, size: int) -> tuple[float, int]:
    """The CPU seconds and the megabytes at the peak of a run in a fork, which has all libraries already."""
    child = os.fork()
    if not child:
        try:
            with tempfile.TemporaryDirectory() as folder:
                _run(axis, size, Path(folder))
        except BaseException as error:  # noqa: BLE001 - a fork must not go on as its parent would
            print(error, flush=True)
            os._exit(1)
        os._exit(0)
    _, status, used = os.wait4(child, 0)
    if status:
        raise SystemExit(f"the run with {size} {axis} failed")
    return round(used.ru_utime + used.ru_stime, 1), used.ru_maxrss // 1024


def _run(axis: str, size: int, folder: Path) -> None:
    texts, labels, words, wrong = 2_000, 2, 12, 0
    if axis == "texts":
        texts = size
    elif axis == "labels":
        labels = size
    elif axis == "cases":
        texts = 50
    elif axis == "words":
        texts, words = 8, size
    else:
        wrong = size
    rates = [0.01 + 0.9 * k / size for k in range(size)] if axis == "cases" else []
    cases = [f"[[classification.character_noise]]\nrate = {rate}\n" for rate in rates] or [
        f"[[classification.{name}]]\n" for name in NAMES
    ]
    bounds = [f"{case}max_accuracy_drop = 0.9\n" for case in cases]
    (folder / "thresholds.toml").write_text("\n".join(['[gate]\nlanguage = "pt"\nseeds = [1]\n', *bounds]), "utf-8")
    draws = random.Random(1)
    with (folder / "corpus.jsonl").open("w", encoding="utf-8") as file:
        for number in range(texts):
            said = " ".join([*draws.choices(WORDS, k=words - 1), f"n{number}"])
            file.write(json.dumps({"text": said, "label": f"label{number % labels}"}) + "\n")
    (folder / "numbered.py").write_text(f"LABELS, WRONG = {labels}, {wrong}\n{MODEL}", "utf-8")
    os.chdir(folder)
    sys.path.insert(0, str(folder))
    abalo.Session("classification", "numbered:answer", "corpus.jsonl", "thresholds.toml").run().write()


if __name__ == "__main__":
    main()
