"""``abalo sheet``: sheets for raters."""

from __future__ import annotations

import argparse
from pathlib import Path

from abalo.commands.options import Commands


def add(commands: Commands) -> None:
    """Adds the command and its options."""
    parser = commands.add_parser(
        "sheet",
        help="make sheets on which people rate grammaticality",
        description="Writes a CSV file per rater with original and adversarial sentences, blinded and shuffled, and "
        "the key to them, which raters do not get.",
    )
    parser.add_argument(
        "logs", type=Path, nargs="+", metavar="LOG", help="such as reports/attacks/context_attack.jsonl"
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to write")
    parser.add_argument("--raters", type=int, default=2, help="(default: %(default)s)")
    parser.add_argument("--per-rater", type=int, default=100, help="sentences of each kind (default: %(default)s)")
    parser.add_argument(
        "--overlap", type=float, default=0.2, help="share that raters have in common (default: %(default)s)"
    )
    parser.add_argument("--seed", type=int, default=1, help="(default: %(default)s)")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace, _command: str) -> int:
    """Writes the sheets and their key."""
    from abalo.attacks.log import read
    from abalo.raters.sheets import deal, items_of, write

    items = [item for log in options.logs for item in items_of(read(log)[1], f"{log}: result")]
    write(deal(items, options.raters, options.per_rater, options.overlap, options.seed), options.out)
    print(f"sheets for {options.raters} raters in {options.out}; keep key.csv from them")
    return 0
