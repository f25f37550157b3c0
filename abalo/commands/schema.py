"""``abalo schema``: JSON Schemas of thresholds.toml and of a run's files."""

from __future__ import annotations

import argparse
import json

from abalo.commands.here import import_conftest
from abalo.commands.options import Commands
from abalo.commands.parsing import example
from abalo.commands.streams import on_any_encoding


def add(commands: Commands) -> None:
    """Adds the command."""
    parser = commands.add_parser(
        "schema",
        help="print the JSON Schema of robustness.json, gate.json, a line of examples.jsonl, or thresholds.toml",
        description="Prints a JSON Schema that any validator can use. It names every field and refuses others. Tasks, "
        "perturbations and kinds of test that a conftest.py here registers are included.",
        epilog=example("abalo schema examples"),
    )
    parser.add_argument(
        "kind",
        nargs="?",
        choices=("robustness", "examples", "thresholds", "gate"),
        default="robustness",
        help="robustness for robustness.json (the default), examples for each line of examples.jsonl, thresholds for "
        "thresholds.toml in an editor, gate for gate.json of abalo gate",
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Prints the schema."""
    from abalo.config.thresholds_schema import as_text, thresholds_schema
    from abalo.reporting.documents.schemas import schema_of

    import_conftest()
    with on_any_encoding("json"):
        if options.kind == "thresholds":
            print(as_text(thresholds_schema()), end="")
        else:
            print(json.dumps(schema_of(options.kind), indent=1, ensure_ascii=False))
    return 0
