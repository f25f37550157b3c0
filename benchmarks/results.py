"""A benchmark's table on the terminal and its figures as JSON; a figure with its interval."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path

from abalo.core.statistics import Estimate

FOLDER = Path(__file__).parent / "results"


def show(name: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Prints the rows as a Markdown table; writes them, with the machine they came from, to results/``name``.json."""
    columns = list(rows[0])
    print("| " + " | ".join(columns) + " |")
    print("|" + " --- |" * len(columns))
    for row in rows:
        print("| " + " | ".join(str(row[column]) for column in columns) + " |")
    FOLDER.mkdir(exist_ok=True)
    machine = {"python": platform.python_version(), "machine": platform.machine(), "cores": os.cpu_count()}
    text = json.dumps({"benchmark": name, **machine, "rows": list(rows)}, indent=1, ensure_ascii=False)
    (FOLDER / f"{name}.json").write_text(text + "\n", encoding="utf-8")


def with_interval(estimate: Estimate) -> str:
    """A figure with its interval, a dash where it has no meaning."""
    return f"{estimate.value:.3f} [{estimate.low:.3f}, {estimate.high:.3f}]" if estimate.n else "–"
