"""Examples with their text: none unless asked for, then a sample that no cut and no order of chunks changes."""

import json
from pathlib import Path

import pytest

import abalo
from abalo.cli import main
from abalo.core.records import json_records as typed
from abalo.reporting.runs.finished import read_run
from abalo.scale.chunk import chunk_folder
from tests.reports import document_in, misfits_of_lines
from tests.scale.conftest import NAMES

pytestmark = pytest.mark.slow

MOST = 7


def lines_of(folder):
    return (Path(folder) / "examples.jsonl").read_text("utf-8").splitlines()


def records_of(folder):
    """The records of each case, without those that say how a report shows them."""
    found = {}
    for line in map(json.loads, lines_of(folder)):
        if "example" not in line:
            found.setdefault(line["case"], []).append(line)
    return found


def test_a_sample_of_each_case_is_the_same_however_the_corpus_is_cut(scale):
    for size in (7, 70, 1000):
        assert scale("--examples", str(MOST), out=str(size), size=size) == 0
    assert lines_of("7") == lines_of("70") == lines_of("1000")
    found = records_of("70")
    assert {len(own) for own in found.values()} == {MOST}
    tables = ("baseline", "accents", "char_typo", "word_insertion")
    assert {case.partition("[")[0] for case in found} == {f"ner/{table}" for table in tables}


def test_the_order_of_chunks_does_not_change_the_sample(scale, arranged):
    scale("--examples", str(MOST))
    arranged(lambda numbers: [*reversed(numbers)])
    assert scale("--examples", str(MOST), out="backwards") == 0
    assert lines_of("backwards") == lines_of("out")


def test_they_are_among_the_examples_of_one_process(scale):
    scale("--examples", str(MOST))
    session = abalo.Session(model="scale_models:by_word", corpus="corpus.jsonl", thresholds="thresholds.toml")
    session.run().write("plain")
    every, kept = records_of("plain"), records_of("out")
    assert all(record in every[case] for case, own in kept.items() for record in own)
    assert sum(map(len, kept.values())) < sum(map(len, every.values())) / 10


def test_the_report_shows_them_and_says_that_they_are_a_sample(scale):
    scale("--examples", str(MOST))
    document = document_in("out")
    result = next(each for each in document["results"] if each["id"] == "ner/accents")
    assert 0 < len(result["examples"]) <= MOST
    assert document["options"]["no_text"] is False
    assert document["tasks"]["ner"]["sampled"] == MOST
    assert f"at most {MOST} wrong examples" in document["notice"]
    assert any(name in Path("out/report.html").read_text("utf-8") for name in NAMES)
    assert misfits_of_lines(lines_of("out")) == []


def test_judged_again_they_are_still_there(scale):
    scale("--examples", str(MOST))
    assert main(["merge", "out", "--out", "merged"]) == 0
    assert lines_of("merged") == lines_of("out")
    assert main(["rejudge", "out", "--out", "again"]) == 0
    assert "drawn at random" in typed.as_json(read_run(Path("again")).document)["notice"]


def test_without_the_option_nothing_is_kept_and_a_run_with_it_is_another(scale, folder, capsys):
    assert scale() == 0
    assert not [*folder.rglob("examples.jsonl")]
    assert scale("--examples", "3") == 2
    assert "with other options, examples" in " ".join(capsys.readouterr().err.split())
    assert scale("--examples", "-1") == 2
    assert "--examples -1: expected a whole number from 0" in capsys.readouterr().err


def test_a_sample_that_is_damaged_is_made_again(scale, folder):
    scale("--examples", str(MOST))
    before = lines_of("out")
    (chunk_folder(folder / "out", 1) / "examples.jsonl").write_text("", "utf-8")
    assert scale("--examples", str(MOST)) == 0
    assert lines_of("out") == before
