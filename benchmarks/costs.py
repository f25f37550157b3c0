"""Costs by which cases are dealt to shards: ``python -m benchmarks.costs REPORTS ...`` writes the table of each task.

A cost is how many inputs a case needs beyond the clean corpus, and beyond a case that it is dealt together with, for
100 inputs of the clean corpus, at least 1. It is counted, not timed, so it is the same on every machine. Of a case in
several reports that of the last counts. The table that ships was written from reports/sample and a run of deep cases:

    pytest -m deep --abalo-reports reports/deep
    python -m benchmarks.costs reports/sample reports/deep
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from abalo.config.dealing import COSTS
from abalo.core.records import json_records as typed
from abalo.errors import AbaloError
from abalo.files import write_text
from abalo.reporting.formats.files import JSON_NAME
from abalo.reporting.runs.finished import read_document
from benchmarks.arguments import ROOT, Parser

TASKS = Path(__file__).parents[1] / "abalo" / "tasks"

HEAD = """\
# The cost of a case by its id: inputs of the model beyond the clean corpus, for 100 inputs of that; at least 1.
# Written by python -m benchmarks.costs from runs of the bundled models. Licence: Apache-2.0, as all of Abalo.
"""


def costs_in(document: Mapping[str, Any]) -> dict[str, int]:
    """The costs of the cases of a run, by id."""
    clean = {name: own["inputs"]["clean"] for name, own in document["tasks"].items()}
    return {
        result["id"]: max(1, round(100 * (result["inputs"] - result["shared_inputs"]) / clean[result["task"]]))
        for result in document["results"]
    }


def _finished(path: Path) -> Mapping[str, Any]:
    document = typed.as_json(read_document(path))
    if not document["complete"]:
        raise AbaloError(f"{path}: is not complete; run the gate again")
    return document


def table(costs: Mapping[str, int]) -> str:
    """The costs as the content of a table."""
    return HEAD + "".join(f"{case}\t{cost}\n" for case, cost in sorted(costs.items()))


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=(str(ROOT / "reports" / "sample"), "--out", "OUT"))
    parser.add_argument("reports", type=Path, nargs="+", help="the folders of finished runs")
    parser.add_argument("--out", type=Path, default=TASKS, help="the folder of the folders of tasks")
    return parser


def main(given: Sequence[str] | None = None) -> int:
    """Writes a table for each task that the reports are about, ``TASK/costs.tsv``."""
    options = parser().parse_args(given)
    found: dict[str, int] = {}
    try:
        for folder in options.reports:
            found |= costs_in(_finished(folder / JSON_NAME))
        for task in sorted({case.partition("/")[0] for case in found}):
            own = {case: cost for case, cost in found.items() if case.startswith(f"{task}/")}
            write_text(options.out / task / COSTS, table(own))
    except AbaloError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"{options.out}: {len(found)} cases")
    return 0


if __name__ == "__main__":
    sys.exit(main())
