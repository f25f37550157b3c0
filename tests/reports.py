"""Documents of runs as they are in memory, read back from folders of reports."""

import json
from pathlib import Path

from abalo.reporting.examples import parsed, with_examples
from abalo.reporting.files import EXAMPLES_NAME, JSON_NAME
from abalo.reporting.stored import as_stored, as_text, from_stored


def document_in(folder) -> dict:
    """The document with a result for each view, and with its examples where there are any."""
    document = from_stored(json.loads(Path(folder, JSON_NAME).read_text("utf-8"), parse_constant=constant))
    path = Path(folder, EXAMPLES_NAME)
    lines = path.read_text("utf-8").split("\n") if path.exists() else []
    return document | {"results": with_examples(document["results"], parsed(lines, path).examples)}


def constant(name):
    """Refuses NaN and infinities, which JSON does not have."""
    raise AssertionError(f"{name} is no JSON")


def write(document: dict, path) -> None:
    """Writes a document that is in memory as a report, whatever it is called."""
    Path(path).write_text(as_text(as_stored(document)), encoding="utf-8")


def timeless(document: dict) -> dict:
    """The document without what the clock says."""
    results = [{name: value for name, value in result.items() if name != "seconds"} for result in document["results"]]
    return {name: value for name, value in document.items() if name != "date"} | {"results": results}
