"""``abalo replay``: failures that attacks found, tried again."""

from __future__ import annotations

import argparse
from pathlib import Path

from abalo.bundled import bundled
from abalo.commands.options import Commands, add_model_options
from abalo.errors import AbaloError


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "replay",
        help="try again the failures that an attack found",
        description="Makes the edits in a regression corpus, or in the log of an attack, again, and says what the "
        "model makes of them now. The exit code is 1 where anything is still broken.",
    )
    parser.add_argument("file", type=Path, help="as --abalo-save-failures writes it, or reports/attacks/NAME.jsonl")
    parser.add_argument("--number", type=int, help="only this one of what is broken in the file, from 1")
    parser.set_defaults(run=run)
    add_model_options(parser)


def run(options: argparse.Namespace, _command: str) -> int:
    """Prints whether each is fixed, still broken or broken differently; 1 where any is not fixed."""
    from abalo.attacks.regressions import load, replayed
    from abalo.corpora.types import parse_types
    from abalo.models.loading import load_as_asked
    from abalo.models.predictor import TokenPredictor

    records = load(options.file)
    if not records:
        raise AbaloError(f"{options.file}: holds nothing that was broken")
    if options.number is not None and not 1 <= options.number <= len(records):
        raise AbaloError(f"--number {options.number}: expected a number from 1 to {len(records)}")
    chosen = records if options.number is None else [records[options.number - 1]]
    types = None if options.types is None else parse_types(options.types)
    model = load_as_asked(options.model or str(bundled("fixtures/model")), options, (), types=types)
    predict = TokenPredictor(model, ()).answering()
    found = [replayed(record, predict) for record in chosen]
    for number, each in enumerate(found, start=options.number or 1):
        print(f"{number}. {each.explanation}")
    return int(any(each.status != "fixed" for each in found))
