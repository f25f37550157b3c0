"""A benchmark's table on the terminal and its figures as JSON."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path

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
