"""Documents of runs as they are in memory, read back from folders of reports, and held to their JSON Schemas."""

import json
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.probe import probes
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.core.statistics.evidence import Evidence
from abalo.files import write_together
from abalo.reporting.documents.examples import parse_lines, with_examples
from abalo.reporting.documents.schemas import EXAMPLES, ROBUSTNESS, schema_of
from abalo.reporting.documents.stored import as_stored, as_text, from_stored, sealed
from abalo.reporting.formats.files import EVIDENCE_NAME, EXAMPLES_NAME, JSON_NAME, as_files
from abalo.reporting.formats.marks import marked
from abalo.reporting.runs.finished import read_document, read_run
from abalo.reporting.runs.sealing import reference_files


def document_in(folder) -> dict:
    """The document with a result for each view, and with its examples where there are any.

    Both fit their schemas, and the seal fits.
    """
    stored = _stored(folder)
    assert not (problems := misfits(stored)), problems
    read_document(Path(folder, JSON_NAME))
    assert not (problems := misfits_of_lines(_lines(folder))), problems
    return read_back(folder)


def read_back(folder) -> dict:
    """The same of a report that a test has written in part."""
    document, path = from_stored(_stored(folder)), Path(folder, EXAMPLES_NAME)
    return document | {
        "results": typed.as_json(
            with_examples(
                [typed.read(Result, each) for each in document["results"]], parse_lines(_lines(folder), path).examples
            )
        )
    }


def _stored(folder) -> dict:
    return json.loads(Path(folder, JSON_NAME).read_text("utf-8"), parse_constant=constant)


def _lines(folder) -> list[str]:
    path = Path(folder, EXAMPLES_NAME)
    return path.read_text("utf-8").split("\n") if path.exists() else []


def write_measured(document: Document, evidence: Mapping[str, Evidence], folder: Path) -> None:
    """Writes the report of a run as far as commands judge it: no pages, no examples."""
    document, mark = marked(document)
    write_together(folder, {**as_files(document, evidence), **mark.file})


def misfits(stored: dict) -> list[str]:
    """A line for each place at which a document in its stored form does not fit its schema."""
    return _misfits(ROBUSTNESS, [stored])


def misfits_of_lines(lines: Iterable[str]) -> list[str]:
    """The same for lines of examples.jsonl, one of each shape: `parse_lines` reads every line by the same types."""
    by_shape = {repr(_shape(each)): each for each in map(json.loads, filter(None, lines))}
    return _misfits(EXAMPLES, by_shape.values(), _shape)


def _shape(value: Any) -> Any:
    """The value without its texts, and of a list, without what repeats a part."""
    if isinstance(value, dict):
        return {name: _shape(each) for name, each in value.items()}
    if isinstance(value, list):
        return [*{repr(shape): shape for shape in map(_shape, value)}.values()]
    return "" if isinstance(value, str) else value if value is None or isinstance(value, bool) else value > 0


@cache
def _schema(kind: str, *_registered: object) -> tuple[dict[str, Any], bytes]:
    """A file's schema while these tasks and probes are registered, with its digest."""
    schema = schema_of(kind)
    return schema, sha256(json.dumps(schema).encode()).digest()


_FITTING: set[bytes] = set()
"""Digests of values that fit, or of their shapes, each with its schema."""


def _misfits(kind: str, values: Iterable[Any], shape: Callable[[Any], Any] = lambda value: value) -> list[str]:
    from jsonschema import Draft202012Validator  # where it is not there, other tests run all the same

    schema, rules = _schema(kind, *tasks().values(), *probes().values())
    validator, found = Draft202012Validator(schema), []
    for value in values:
        known = sha256(rules + json.dumps(shape(value)).encode())
        if known.digest() not in _FITTING:
            errors = [f"{error.json_path}: {error.message:.300}" for error in validator.iter_errors(value)]
            found += errors
            _FITTING.update([] if errors else [known.digest()])
    return found


def accept(folder, **said) -> None:
    """Makes a run the reference that ``abalo accept`` would make of it on another day, in the same folder."""
    run = read_run(Path(folder))
    Path(folder, EVIDENCE_NAME).unlink(missing_ok=True)
    write_together(Path(folder), reference_files(typed.read(Document, run.document), run.evidence, said))


def constant(name):
    """Refuses NaN and infinities, which JSON does not have."""
    raise AssertionError(f"{name} is no JSON")


def write(document: dict, path) -> None:
    """Writes a document that is in memory as a report, whatever it is called."""
    Path(path).write_text(as_text(sealed(as_stored(document))), encoding="utf-8")


def rewrite(path, change: Callable[[dict], object] = bool, **fields) -> None:
    """Changes the stored document of a report, or some of its fields, and seals it anew."""
    stored = json.loads(Path(path).read_text("utf-8"))
    change(stored)
    Path(path).write_text(as_text(sealed(stored | fields)), encoding="utf-8")


def timeless(document: dict) -> dict:
    """The document without times, its id and the next commands, which name the folder of the report."""
    results = [{name: value for name, value in result.items() if name != "seconds"} for result in document["results"]]
    kept = {name: value for name, value in document.items() if name not in ("date", "run", "next")}
    return kept | {"results": results}
