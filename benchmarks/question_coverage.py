"""Coverage of the rules about questions: ``python -m benchmarks.question_coverage FILE…``, files of JSON lines.

For each file how many questions have a paraphrase, how many each rule changes, how many cannot be reordered, and how
many the audit flags, by rule, under its own rules and as published.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from abalo.tasks.choice.audit import audited
from abalo.tasks.choice.files import load_choices
from abalo.tasks.choice.question import Choice
from perturbations.families.choice import moving, paraphrases

EVERY_RULE = 1000
"""More paraphrases than there are rules."""


def main() -> None:
    """Prints a table per file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+", help="questions, as --abalo-questions takes them; a folder for all in it")
    parser.add_argument("--k", type=int, default=EVERY_RULE, help="paraphrases of a question (default: all)")
    parser.add_argument("--json", action="store_true", help="a line of JSON per file, no tables")
    options = parser.parse_args()
    for name in _files(options.files):
        rows = list(_rows(load_choices(name), options.k))
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
        found = audited(options, as_published=as_published)
        yield label, len(found)
        for rule, count in Counter(rule for flags in found.values() for rule in {flag.rule for flag in flags}).items():
            yield f"{label}: {rule}", count


if __name__ == "__main__":
    main()
