import json
import math
import os
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.errors import AbaloError
from abalo.files import write_text, write_together
from abalo.reporting.documents.stored import as_stored, from_stored, seal_of
from abalo.reporting.formats.files import JSON_NAME, check_reports, write_all, write_json, write_report
from tests.reporting.documents import invariant, sample

values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(exclude_categories=())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=10,
)


def test_the_json_file_reads_back_as_the_document(tmp_path: Path):
    document = sample()
    path = write_json(typed.read(Document, document), tmp_path)
    assert path == tmp_path / "robustness.json"
    stored = json.loads(path.read_text(encoding="utf-8"))
    found = from_stored(stored)
    assert stored["seal"] == seal_of(as_stored(document))
    assert found == document | {"results": [result | {"examples": []} for result in document["results"]]}


def test_counterexamples_have_the_numbers_of_the_document(tmp_path: Path):
    document = deepcopy(invariant())
    invariance = next(result["invariance"] for result in document["results"] if result.get("invariance"))
    invariance["counterexample"] = invariance["counterexample"] | {"confidence": {"before": 2 / 3, "after": 1 / 3}}
    write_all(typed.read(Document, document), {}, [], tmp_path)
    (line,) = tmp_path.joinpath("counterexamples.jsonl").read_text("utf-8").splitlines()[1:]
    found = json.loads(line)
    results = json.loads(tmp_path.joinpath(JSON_NAME).read_text("utf-8"))["results"]
    assert found["confidence"] == {"before": 0.666667, "after": 0.333333}
    assert found in [result["invariance"]["counterexample"] for result in results if result.get("invariance")]


def test_the_folder_is_made_with_those_above_it(tmp_path: Path):
    assert write_json(typed.read(Document, {}), tmp_path / "a" / "b").read_text() == "{}\n"


def test_keys_keep_their_order_and_the_file_ends_in_a_newline(tmp_path: Path):
    text = write_json(typed.read(Document, {"b": 1, "a": [True]}), tmp_path).read_text()
    assert text == '{\n "b": 1,\n "a": [true]\n}\n'


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (math.nan, "null"),
        (math.inf, "null"),
        (-math.inf, "null"),
        (0.12345678, "0.123457"),
        (-0.0000001, "0.0"),
        (1, "1"),
        (2.0, "2.0"),
    ],
)
def test_numbers_are_rounded_to_six_places_and_those_without_a_meaning_are_null(tmp_path: Path, value, written: str):
    assert write_json(typed.read(Document, {"x": (value,)}), tmp_path).read_text().split() == [
        "{",
        '"x":',
        f"[{written}]",
        "}",
    ]


def test_accents_stay_readable_and_a_lone_surrogate_becomes_its_escape(tmp_path: Path):
    path = write_json(typed.read(Document, {"text": "ação \ud800"}), tmp_path)
    assert "ação \\ud800".encode() in path.read_bytes()
    assert json.loads(path.read_text(encoding="utf-8")) == {"text": "ação \ud800"}


@settings(max_examples=50)
@given(document=st.dictionaries(st.text(max_size=5).map("x{}".format), values, max_size=4))
def test_whatever_the_values_the_file_is_valid_json(tmp_path_factory: pytest.TempPathFactory, document):
    path = write_json(typed.read(Document, document), tmp_path_factory.getbasetemp())
    assert list(json.loads(path.read_text(encoding="utf-8"))) == [json.loads(json.dumps(key)) for key in document]


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_failure_midway_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch, step: str):
    path = write_json(typed.read(Document, {"run": "old"}), tmp_path)
    before = path.read_bytes()

    def fail(*args):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(*((os, "fsync") if step == "fsync" else (Path, "replace")), fail)
    with pytest.raises(
        AbaloError, match=r"cannot be written: No space left on device; make the folder .*--abalo-reports"
    ):
        write_json(typed.read(Document, {"run": "new"}), tmp_path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_an_interrupt_midway_leaves_the_old_file_and_nothing_else(tmp_path: Path, monkeypatch):
    path = write_json(typed.read(Document, {"run": "old"}), tmp_path)

    def interrupt(*args):
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_json(typed.read(Document, {"run": "new"}), tmp_path)
    assert list(tmp_path.iterdir()) == [path]
    assert json.loads(path.read_text()) == {"run": "old"}


@pytest.mark.parametrize(
    "write", [check_reports, lambda folder: write_report(typed.read(Document, sample()), {}, [], folder)]
)
def test_a_folder_that_cannot_be_is_an_error_with_place_reason_and_remedy(tmp_path: Path, write):
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    with pytest.raises(AbaloError) as caught:
        write(file / "reports")
    assert str(caught.value).startswith(str(file / "reports"))
    assert f"{file} is a file, not a folder" in str(caught.value)
    assert "--abalo-reports DIR" in str(caught.value)
    assert file.read_text() == "mine"


def test_a_folder_without_permission_is_an_error(tmp_path: Path):
    tmp_path.chmod(0o500)
    if os.access(tmp_path, os.W_OK):
        pytest.skip("this user may write anywhere")
    with pytest.raises(AbaloError, match="Permission denied"):
        check_reports(tmp_path)


def test_a_writable_folder_is_made_and_has_nothing_but_what_keeps_it_out_of_git(tmp_path: Path):
    check_reports(tmp_path / "reports")
    assert [path.name for path in (tmp_path / "reports").iterdir()] == [".gitignore"]


def test_a_text_can_go_anywhere_else_with_its_own_remedy(tmp_path: Path):
    write_text(tmp_path / "new" / "mine.toml", "bounds")
    assert (tmp_path / "new" / "mine.toml").read_text() == "bounds"
    with pytest.raises(AbaloError, match=r"mine\.toml is a file, not a folder; choose --out FILE"):
        write_text(tmp_path / "new" / "mine.toml" / "x.toml", "bounds", "choose --out FILE")


def test_of_several_files_none_changes_where_one_cannot_be_written(tmp_path: Path):
    write_together(tmp_path, {"a": b"old", "b": b"old"})
    with pytest.raises(AbaloError, match="cannot be written"):
        write_together(tmp_path, {"a": b"new", "b" * 300: b"new"})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"old", "b": b"old"}
    write_together(tmp_path, {"a": b"new", "b": b"new"})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"new", "b": b"new"}
