"""The manifest of a run in chunks, read back."""

import json

import pytest

from abalo.errors import AbaloError
from abalo.scale.manifest import NAME, read_manifest


@pytest.fixture
def made(scale, folder):
    """The folder of a run with two chunks, which keeps two examples a case."""
    lines = (folder / "corpus.jsonl").read_text("utf-8").splitlines(keepends=True)
    (folder / "small.jsonl").write_text("".join(lines[:60]), encoding="utf-8")
    assert scale("--examples", "2", corpus="small.jsonl", size=40) in (0, 1, 10)
    return folder / "out"


def test_a_manifest_is_read_as_it_was_written_and_chunks_keep_the_examples(made, scale, folder):
    manifest = read_manifest(made)
    assert (manifest.task, manifest.chunk_size, manifest.examples) == ("ner", 40, 2)
    assert [part.examples for part in manifest.parts] == [40, 20]
    assert manifest.labels is not None
    written = (made / NAME).read_bytes()
    manifest.write(made)
    assert (made / NAME).read_bytes() == written
    kept = [json.loads(line) for line in (made / "examples.jsonl").read_text("utf-8").splitlines()]
    records = [each["case"] for each in kept if "example" not in each]
    assert records
    assert all(records.count(case) == 2 for case in records)
    assert scale(corpus="small.jsonl", out="none", size=40) in (0, 1, 10)
    assert not list((folder / "none").rglob("examples.jsonl"))


def test_a_field_of_another_kind_is_refused_with_its_place(made):
    found = json.loads((made / NAME).read_text("utf-8"))
    (made / NAME).write_text(json.dumps(found | {"chunk_size": "40"}), "utf-8")
    with pytest.raises(AbaloError, match="chunk_size is 40; expected a whole number from 0"):
        read_manifest(made)
