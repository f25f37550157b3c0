"""Commands on what a reader reads, by names of files, folders and readers."""

import json
from pathlib import Path

import pytest

from abalo.cli import main
from abalo.config.thresholds import load as load_thresholds
from abalo.corpora import load
from abalo.corpora.training import check_training, load_named
from abalo.sources.resources import problem_with
from perturbations import render
from perturbations.resources import Pool


@pytest.fixture
def notes(written):
    """A folder of brat with one document of two lines."""
    Path("notes").mkdir()
    written("Rui viu Évora.\nAna não riu.\n", "notes/a.txt")
    written("T1\tPESSOA 0 3\tRui\nT2\tLOCAL 8 13\tÉvora\nT3\tPESSOA 15 18\tAna\n", "notes/a.ann")
    return "notes"


@pytest.mark.parametrize("corpus", ["notes", "brat:notes", "brat:notes/a.txt?example=line"])
def test_variants_are_written_with_their_gold(notes, corpus):
    assert main(["perturb", corpus, "--with", "accents", "--rate", "1", "--out", "out.jsonl"]) == 0
    assert [render(each) for each in load("out.jsonl").sentences] == [
        "[Rui PESSOA] viu [Evora LOCAL] .",
        "[Ana PESSOA] nao riu .",
    ]


@pytest.mark.parametrize("corpus", ["notes", "brat:notes", "brat:notes/a.txt"])
def test_nothing_is_written_over_what_is_read(notes, corpus, capsys):
    before = Path("notes/a.txt").read_bytes()
    assert main(["perturb", corpus, "--with", "accents", "--out", "notes/a.txt"]) != 0
    assert "is the corpus itself" in capsys.readouterr().err
    assert Path("notes/a.txt").read_bytes() == before


def test_a_corpus_in_parts_needs_another_form(notes, capsys):
    assert main(["scale", "--corpus", "brat:notes", "--task", "ner", "--out", "parts"]) != 0
    assert "is read by the reader brat, so it cannot be read in parts" in capsys.readouterr().err


def test_a_thresholds_file_names_a_corpus_beside_it(notes, written):
    Path("inner").mkdir()
    own = {"accents": "brat:../notes?example=line", "words": "../notes", "file": "../notes/a.ann"}
    for name, spec in own.items():
        path = Path(written(f'[run]\ncorpus = "{spec}"\n', f"inner/{name}.toml"))
        corpus = load_thresholds(path).run.values["corpus"]
        assert len(load(corpus).sentences) == 2


def test_a_setting_can_name_what_a_reader_reads(notes):
    for spec in ("notes", "brat:notes", "notes/a.ann?example=document"):
        assert problem_with(spec, Pool) is None
        check_training(spec)
        assert load_named(spec).entity_counts == {"PESSOA": 2, "LOCAL": 1}
    assert problem_with("brat:none", Pool).startswith("'brat:none'; no such file")


def test_readers_are_listed_with_their_settings(capsys):
    assert main(["list", "readers", "--format", "json"]) == 0
    found = {each["name"]: each["about"] for each in json.loads(capsys.readouterr().out)["readers"]}
    assert [*found] == ["brat", "label_studio", "prodigy"]
    assert found["brat"].endswith("; settings: example=line|document")
