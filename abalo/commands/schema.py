"""``abalo schema``: the JSON Schema of what a run writes."""

from __future__ import annotations

import argparse
import json

from abalo.commands.here import import_conftest
from abalo.commands.options import Commands
from abalo.commands.parsing import example


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "schema",
        help="print the JSON Schema of robustness.json, or of a line of examples.jsonl",
        description="Prints a JSON Schema, draft 2020-12, with which any validator can check the files of a run. It "
        "lists every field and refuses others; fields of tasks and kinds of test that a conftest.py here registers "
        "are included.",
        epilog=example("abalo schema examples"),
    )
    parser.add_argument(
        "kind",
        nargs="?",
        choices=("robustness", "examples"),
        default="robustness",
        help="robustness for robustness.json, examples for a line of examples.jsonl (default: %(default)s)",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Prints the schema."""
    from abalo.reporting.schemas import schema_of

    import_conftest()
    print(json.dumps(schema_of(options.kind), indent=1, ensure_ascii=False))
    return 0
