"""The store of a run: what is put in comes out, and nothing that was damaged does."""

from dataclasses import replace

import pytest

from abalo import files
from abalo.core.running.engine import CaseRun
from abalo.core.statistics.evidence import sha256_of
from abalo.errors import AbaloError
from abalo.run.store import CaseRecord, RunStore, StoredLines, clean_name, remove_finished
from tests.scripted import evidence_of, outcome, read_case

CASE = read_case("accents")
RUN = "of this run"


@pytest.fixture
def record():
    """A case of two units; its text has a separator of lines that is none of JSON's, and half a character."""
    evidence = evidence_of([outcome("[João PER] saiu", ["O", "O"]), outcome("Ela saiu")])
    example = {"tokens": ["a\u2028b", "\ud800"], "rank": 3}
    return CaseRecord.of(CaseRun(CASE, evidence, {"seconds": 0.5}, [example], [{"sentence_id": "1"}]))


@pytest.fixture
def full(monkeypatch):
    """Fills the disk."""

    def fill(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "fsync", fill)


def test_a_case_comes_out_as_it_went_in(tmp_path, record):
    RunStore(tmp_path).add(record, RUN)
    store = RunStore(tmp_path)  # as another process sees it
    assert store.has(CASE.id)
    assert not store.has("ner/typos")
    found = store.find(CASE, RUN)
    assert sha256_of({CASE.id: found.run.evidence}) == sha256_of({CASE.id: record.run.evidence})
    assert (found.run.facts, found.run.examples) == ({"seconds": 0.5}, record.run.examples)
    assert found.lines == [line.replace("\ud800", "\\ud800") for line in record.lines]
    assert store.lines(CASE.id) == found.lines
    assert sha256_of({"": store.evidence(CASE.id)}) == sha256_of({"": record.run.evidence})


def test_a_later_record_of_a_case_takes_the_place_of_the_earlier_one(tmp_path, record):
    store = RunStore(tmp_path)
    store.add(record, RUN)
    store.add(replace(record, lines=['{"case": "ner/accents"}', record.lines[-1]]), RUN)
    assert len(store.lines(CASE.id)) == 2
    assert [path.suffix for path in (tmp_path / "finished").iterdir()] == [".case"]


def test_the_clean_corpus_is_beside_its_baseline_case(tmp_path, record):
    store, baseline = RunStore(tmp_path), read_case("baseline")
    store.add(record, RUN, clean_name("ner"))
    assert not store.has(baseline.id)
    store.add(CaseRecord(replace(record.run, case=baseline), []), RUN)
    assert (len(store.lines(clean_name("ner"))), store.lines(baseline.id)) == (2, [])


def test_lines_are_read_whenever_they_are_asked_for(tmp_path, record):
    store = RunStore(tmp_path)
    found = StoredLines(store, [CASE.id])
    store.add(record, RUN)
    assert [*found] == [*found] == store.lines(CASE.id)
    remove_finished(tmp_path)
    assert not (tmp_path / "finished").exists()
    with pytest.raises(AbaloError, match="was lost or damaged"):
        list(found)


@pytest.mark.parametrize("place", [0, 40, -1])
def test_a_changed_byte_is_found(tmp_path, record, place):
    store = RunStore(tmp_path)
    store.add(record, RUN)
    (path,) = (tmp_path / "finished").iterdir()
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    for ask in (store.evidence, store.lines):
        with pytest.raises(AbaloError, match=path.name):
            ask(CASE.id)
    with pytest.raises(AbaloError, match="not a finished case"):
        store.find(CASE, RUN)


def test_a_case_of_another_run_is_refused(tmp_path, record):
    store = RunStore(tmp_path)
    store.add(record, RUN)
    with pytest.raises(AbaloError, match="of another run"):
        store.find(CASE, "of that run")


@pytest.mark.usefixtures("full")
def test_what_cannot_be_written_stays_in_memory_unless_another_process_reads_it(tmp_path, record):
    store = RunStore(tmp_path)
    store.add(record, RUN)
    assert "No space left" in str(store.problem)
    assert len(store.lines(CASE.id)) == 2
    assert len(store.evidence(CASE.id)) == 2
    assert [*(tmp_path / "finished").iterdir()] == []
    with pytest.raises(AbaloError, match="No space left"):
        RunStore(tmp_path, shared=True).add(record, RUN)
