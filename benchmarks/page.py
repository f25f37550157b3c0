"""How large report.html is, how long it takes to make, to open in Chromium and to filter.

Aim for 200 cases: 2 MB, a second to open, 0.1 s to filter.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.reporting.documents.stored import from_stored
from abalo.reporting.formats.report_page import report_page
from benchmarks.arguments import Lacks, Parser, need
from benchmarks.results import show

SAMPLE = Path(__file__).parent.parent / "reports" / "sample" / "robustness.json"
RUNS = 5

FILTER = """words => {
    const started = performance.now();
    document.getElementById("abalo-text").value = words;
    document.getElementById("abalo-filter").dispatchEvent(new Event("input"));
    document.body.getBoundingClientRect();
    return performance.now() - started;
}"""
"""The time in milliseconds from typing words to a page that is laid out again."""


def grown(document: Mapping[str, Any], number: int) -> dict[str, Any]:
    """The document with its cases again and again, until there are so many, under other ids and with other words."""
    by_case: dict[str, list[Mapping[str, Any]]] = {}
    for result in document["results"]:
        by_case.setdefault(result["id"], []).append(result)
    found: list[Mapping[str, Any]] = []
    for k in range(number):
        views = [*by_case.values()][k % len(by_case)]
        copy = k // len(by_case)
        found += [_again(each, copy) if copy else each for each in views]
    return {**document, "results": found}


def _again(result: Mapping[str, Any], copy: int) -> dict[str, Any]:
    """A result under another id, whose sentences share no words with those of others."""
    texts = ("tokens", "new_tokens")
    examples = [
        {key: [f"{word}{copy}" for word in value] if key in texts else value for key, value in each.items()}
        for each in result["examples"]
    ]
    return {**result, "id": f"{result['id']}-again-{copy}", "examples": examples}


def parser() -> Parser:
    """Its arguments."""
    parser = Parser(__doc__, smoke=("--cases", "5"))
    parser.add_argument("report", nargs="?", type=Path, default=SAMPLE, help="robustness.json of a run")
    parser.add_argument("--cases", type=int, default=200, help="how many cases the page has")
    return parser


def main(given: Sequence[str] | None = None) -> None:
    """Measures the page of the report that ships, and of as many cases as are asked for."""
    options = parser().parse_args(given)
    need("playwright", "pip install 'abalo[ui]'")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - the extra ui

    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None:
        raise Lacks("there is no Chromium on this machine")
    document = grown(from_stored(json.loads(options.report.read_text("utf-8"))), options.cases)
    started = time.perf_counter()
    page = report_page(typed.read(Document, document))
    made = time.perf_counter() - started
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder, "report.html")
        path.write_text(page, "utf-8")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        opened, first, again = [], [], []
        for _ in range(RUNS):
            shown = browser.new_page(viewport={"width": 1400, "height": 900})
            shown.goto(path.as_uri())
            opened.append(shown.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd"))
            first.append(shown.evaluate(FILTER, "accents"))
            again.append(shown.evaluate(FILTER, "recurso"))
            shown.close()
        browser.close()
    middle = RUNS // 2
    row = {
        "cases": options.cases,
        "MB": round(len(page.encode()) / 1e6, 2),
        "made in s": round(made, 1),
        "opened in ms (median of 5)": round(sorted(opened)[middle]),
        "first filter in ms": round(sorted(first)[middle]),
        "further filters in ms": round(sorted(again)[middle]),
    }
    show("page", [row])


if __name__ == "__main__":
    main()
