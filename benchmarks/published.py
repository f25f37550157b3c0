"""The folder of published corpora, which are not ours to ship."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

VARIABLE = "ABALO_TEST_DATA"
"""The environment variable that names the folder, for benchmarks as for tests."""


def add_data(parser: argparse.ArgumentParser) -> None:
    """Adds the option ``--data``, which needs no value if the environment names the folder."""
    usual = os.environ.get(VARIABLE)
    parser.add_argument(
        "--data",
        type=Path,
        default=Path(usual) if usual else None,
        required=not usual,
        help=f"folder of published corpora, with the folders sst2, sick, ud and so on; default: {VARIABLE}",
    )
