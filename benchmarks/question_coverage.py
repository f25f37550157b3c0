"""Coverage of the rules about questions: ``python -m benchmarks.question_coverage FILE…``, files of JSON lines.

For each file how many questions have a paraphrase, how many each rule changes, how many cannot be reordered, and how
many the audit flags, by rule, under its own rules and as published. With ``--show 30 --seed 1`` thirty paraphrases
drawn from all, and as many flagged questions, to be read.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TypeVar

from abalo.questions.audit import audit_questions
from abalo.questions.question import Choice
from abalo.tasks.choice.files import load_choices
from benchmarks.arguments import Parser
from perturbations.families.choice import moving, normalise, paraphrases

T = TypeVar("T")

EVERY_RULE = 1000
"""More paraphrases than there are rules."""


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("bundled:questions", "--k", "1"))
    parser.add_argument("files", nargs="+", help="questions, as --abalo-corpus takes them; a folder for all in it")
    parser.add_argument("--k", type=int, default=EVERY_RULE, help="paraphrases of a question (default: all)")
    parser.add_argument("--json", action="store_true", help="a line of JSON per file, no tables")
    parser.add_argument("--show", type=int, default=0, help="how many to draw and print, instead of counts")
    parser.add_argument("--seed", type=int, default=1, help="of the draw (default: 1)")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Prints a table per file."""
    options = parser().parse_args(given)
    for name in _files(options.files):
        choices = load_choices(name)
        if options.show:
            print(f"\n### {Path(name).name}\n")
            print("\n".join(_drawn(choices, options.k, options.show, options.seed)))
            continue
        rows = list(_rows(choices, options.k))
        if options.json:
            print(json.dumps({"file": Path(name).name, **dict(rows)}))
            continue
        print(f"\n### {Path(name).name}\n\n| | questions |\n|---|--:|")
        for label, count in rows:
            print(f"| {label} | {count:,} |")


def _files(given: list[str]) -> Iterator[str]:
    for name in given:
        yield from map(str, sorted(Path(name).glob("*.jsonl"))) if Path(name).is_dir() else (name,)


def _rows(choices: tuple[Choice, ...], k: int) -> Iterator[tuple[str, int]]:
    yield "all", len(choices)
    made = [[each.kind for each in paraphrases(choice.question, k, choice.language)[1:]] for choice in choices]
    yield "with a paraphrase", sum(map(bool, made))
    for rule, count in Counter(kind for kinds in made for kind in kinds).most_common():
        yield f"paraphrase: {rule}", count
    yield "options that cannot be reordered", sum(moving(each.options, each.question) is None for each in choices)
    options = {each.id: each.options for each in choices}
    for label, as_published in (("flagged", False), ("flagged as published", True)):
        found = audit_questions(options, as_published=as_published)
        yield label, len(found)
        for rule, count in Counter(rule for flags in found.values() for rule in {flag.rule for flag in flags}).items():
            yield f"{label}: {rule}", count


def _drawn(choices: tuple[Choice, ...], k: int, count: int, seed: int) -> Iterator[str]:
    """Paraphrases beside their originals, then flagged questions, as lines."""
    made = [
        (choice, each, normalise(choice.question))
        for choice in choices
        for each in paraphrases(choice.question, k, choice.language)[1:]
    ]
    for number, (choice, each, before) in enumerate(_sample(made, count, seed), start=1):
        yield f"{number}. {choice.id}, {each.kind}\n   {before}\n   {each.text}"
    flagged = audit_questions({choice.id: choice.options for choice in choices})
    asked = {choice.id: choice for choice in choices}
    for number, (name, flags) in enumerate(_sample([*flagged.items()], count, seed), start=1):
        yield f"{number}. {name}: {asked[name].options}: {', '.join(flag.reason for flag in flags)}"


def _sample(found: list[T], count: int, seed: int) -> list[T]:
    return random.Random(seed).sample(found, min(count, len(found)))


if __name__ == "__main__":
    main()
