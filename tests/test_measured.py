"""Measurements in the catalogue, and the files that they are read from."""

import os
import subprocess
import sys

import pytest

from abalo.raters.results import TABLE
from docs import measured
from perturbations import dependencies, find
from perturbations.dependencies import digest
from perturbations.languages import codes, language_named
from perturbations.lexicons import pairs
from tests.texts import TextWith

COVERAGE = [
    ["antonym", "ner", "en", "wnut17/dev.conll", "1000", "410", "50"],
    ["antonym", "ner", "pt", "lener-br/dev.conll", "2000", "500", "60"],
    ["antonym", "pos", "pt", "ud/pt_gsd-dev.conllu", "100", "30", "1"],
    ["antonym", "classification", "pt", "bundled:sentiment-pt", "100", "90", "90"],
]
NOW = digest(find("antonym"), "pt")
RATINGS = {
    "perturbation": "antonym rate=1.0",
    "family": "word",
    "language": "pt",
    "corpus": "lener-br/train.conll",
    "date": "2026-02-03",
    "raters": "2",
    "n": "30",
    "right_text": "0.933",
    "wrong_text": "0.017",
    "wrong_text_low": "0.000",
    "wrong_text_high": "0.116",
    "AC1": "0.874",
    "digest": NOW,
}


@pytest.fixture
def tables(tmp_path, monkeypatch):
    """The two files, with these rows."""
    for name, columns, rows in (
        ("COVERAGE", measured.COVERAGE_COLUMNS, COVERAGE),
        ("RATINGS", TABLE, [[RATINGS.get(column, "") for column in TABLE]]),
    ):
        path = tmp_path / f"{name.lower()}.tsv"
        path.write_text("".join("\t".join(row) + "\n" for row in [columns, *rows]), encoding="utf-8")
        monkeypatch.setattr(measured, name, path)
    return tmp_path


def rate(tables, *rows: dict[str, str]) -> None:
    """These ratings alone, each as `RATINGS` but for what it says."""
    lines = ["\t".join({**RATINGS, **row}.get(column, "") for column in TABLE) for row in rows]
    (tables / "ratings.tsv").write_text("\n".join(["\t".join(TABLE), *lines, ""]), encoding="utf-8")
    measured._table.cache_clear()


def test_a_corpus_has_what_fits_and_what_readers_called_wrong_on_one_line(tables):
    """The parts of a corpus count as one: what was read in its training data stands beside what fits its other part."""
    assert measured.facts("antonym") == [
        TextWith("en, wnut17/dev.conll (ner): fits 41%, changes 5% of 1,000; nobody"),
        TextWith("pt, bundled:sentiment-pt (classification): fits 90%, changes 90% of 100; nobody"),
        TextWith(
            "pt, lener-br/dev.conll (ner): fits 25%, changes 3% of 2,000; ",
            "2% (0% to 12%) of 30 wrong (rate=1.0) (2026-02-03)",
        ),
        TextWith("pt, ud/pt_gsd-dev.conllu (pos): fits 30%, changes 1% of 100; nobody"),
    ]


def test_labels_that_were_judged_are_told(tables):
    rate(tables, {"wrong_labels": "0.100"})
    assert "of 30 wrong (rate=1.0), labels wrong 10% (2026" in measured.facts("antonym")[2]


def test_ratings_of_other_rules_are_said_to_be_from_before(tables):
    rate(tables, {"digest": "0123456789ab"})
    assert "(2026-02-03, before " in measured.facts("antonym")[2]
    assert measured.read("pt") == set()


def test_what_was_read_and_never_measured_says_so(tables):
    rate(tables, {"corpus": "elsewhere/dev.conll"})
    assert "pt, elsewhere/dev.conll: not measured; readers called 2%" in "\n".join(measured.facts("antonym"))


def test_a_perturbation_that_nobody_has_judged_is_unrated(tables):
    assert measured.facts("typos") == [TextWith("Unrated: nobody")]


def test_other_columns_are_refused(tables):
    (tables / "coverage.tsv").write_text("perturbation\tshare\n")
    with pytest.raises(ValueError, match=r"coverage.tsv: columns .*; expected perturbation, task, language, corpus"):
        measured.facts("antonym")


@pytest.mark.parametrize(
    ("path", "columns"), [(measured.COVERAGE, measured.COVERAGE_COLUMNS), (measured.RATINGS, TABLE)]
)
def test_every_row_that_ships_is_about_a_perturbation_that_there_is(path, columns):
    rows = measured._table(path, tuple(columns))
    assert all(find(row["perturbation"].partition(" ")[0]) for row in rows)
    assert len({(row["perturbation"], row.get("task"), row["language"], row["corpus"]) for row in rows}) == len(rows)


@pytest.mark.slow
@pytest.mark.parametrize("code", codes())
def test_what_readers_found_right_and_what_is_rare_are_facts_of_a_language(code):
    """After new ratings or a new table: ``python -m docs.measured`` prints what stands in the folder of a language."""
    assert language_named(code).read == measured.read(code)
    assert language_named(code).rare == measured.rare(code)


@pytest.mark.slow
def test_what_readers_found_right_in_a_script_is_a_word_list():
    found = {name: set(scripts.split("|")) for name, scripts in pairs("read_scripts").items()}
    places = sorted({place for _, place in measured._worst() if place.isupper()})
    assert found == {
        name: {place for place in places if name in measured.read(place)}
        for name in sorted(set().union(*map(measured.read, places)))
    }


def test_the_worst_real_corpus_counts_and_not_the_newest(tables):
    rate(
        tables,
        {"date": "2026-01-01", "wrong_text": "0.317"},
        {"date": "2026-03-01", "wrong_text": "0.000", "corpus": "assin2/train.xml"},
    )
    assert (measured.read("pt"), measured.doubted("pt")) == (set(), {"antonym"})


def test_of_one_corpus_the_newest_ratings_count(tables):
    rate(
        tables,
        {"date": "2026-01-01", "wrong_text": "0.317"},
        {"date": "2026-03-01", "wrong_text": "0.033", "corpus": "lener-br/dev.conll"},
    )
    assert (measured.read("pt"), measured.doubted("pt")) == ({"antonym"}, set())


def test_text_that_was_made_of_templates_does_not_count(tables):
    rate(tables, {"corpus": "bundled:sentiment-pt", "wrong_text": "0.000"})
    assert measured.read("pt") == set()


def test_errors_on_purpose_are_read_once_per_script_however_wrong_they_look(tables):
    typing = {"perturbation": "typos", "family": "spelling", "wrong_text": "0.900"}
    rate(tables, {**typing, "digest": digest(find("typos"), "pt")})
    assert measured.read("LATIN") == {"typos"}
    assert measured.read("pt") == measured.read("CJK") == set()


def test_rare_is_what_changes_little_on_each_real_corpus(tables):
    assert measured.rare("en") == measured.rare("pt") == set()  # 5 %; 3 % on one of two, and templates do not count
    rows = [[*row[:-1], "1"] for row in COVERAGE[:3]] + COVERAGE[3:]
    text = "".join("\t".join(row) + "\n" for row in [measured.COVERAGE_COLUMNS, *rows])
    (tables / "coverage.tsv").write_text(text, encoding="utf-8")
    measured._table.cache_clear()
    assert measured.rare("en") == measured.rare("pt") == {"antonym"}


def test_what_is_unread_is_listed_for_the_tasks_whose_cases_ship(tables):
    wanted = measured.unread()
    assert ("antonym", "en", "wnut17/dev.conll") in wanted
    assert ("antonym", "pt", "lener-br/dev.conll") not in wanted  # read, in its other part
    assert ("antonym", "pt", "ud/pt_gsd-dev.conllu") in wanted
    assert not [corpus for _, _, corpus in wanted if corpus.startswith("bundled:")]
    rows = ["\t".join("pairs" if cell == "pos" else cell for cell in row) for row in COVERAGE]  # has no such case
    text = "\n".join(["\t".join(measured.COVERAGE_COLUMNS), *rows, ""])
    (tables / "coverage.tsv").write_text(text, encoding="utf-8")
    measured._table.cache_clear()
    assert not [corpus for _, _, corpus in measured.unread() if corpus.startswith("ud/")]


def test_what_is_read_by_script_is_asked_for_on_the_real_text_that_it_fits_most(tables):
    rows = [
        ["accents", "classification", "en", "sst2/dev.tsv", "900", "0", "0"],
        ["accents", "classification", "pt", "bundled:sentiment-pt", "464", "464", "464"],
        ["accents", "ner", "en", "wnut17/dev.conll", "997", "6", "6"],
        ["accents", "ner", "pt", "lener-br/dev.conll", "750", "400", "400"],
    ]
    lines = ["\t".join(row) for row in [measured.COVERAGE_COLUMNS, *rows]]
    (tables / "coverage.tsv").write_text("\n".join([*lines, ""]), encoding="utf-8")
    measured._table.cache_clear()
    assert measured.unread() == [("accents", "pt", "lener-br/dev.conll")]


def test_a_digest_changes_with_rules_and_lists_and_not_with_words_about_them(monkeypatch):
    before = digest(find("antonym"), "pt")
    original = dependencies._source.__wrapped__

    def edited(old: str, new: str):
        def source(module: str) -> str:
            return original(module).replace(old, new)

        for function in (dependencies._reach, dependencies._definitions, dependencies._imports, dependencies._tree):
            function.cache_clear()
        monkeypatch.setattr(dependencies, "_source", source)
        return digest(find("antonym"), "pt")

    try:
        assert edited("An adjective or adverb turned", "A word turned") == before
        assert edited("if language ==", "if 'x' ==") != before or edited("inside_entities", "within") != before
        monkeypatch.undo()
        monkeypatch.setattr(dependencies, "rows", lambda name: (("novo", "velho"),))
        dependencies._reach.cache_clear()
        assert digest(find("antonym"), "pt") != before
    finally:
        monkeypatch.undo()
        for function in (dependencies._reach, dependencies._definitions, dependencies._imports, dependencies._tree):
            function.cache_clear()
    assert digest(find("antonym"), "pt") == before != digest(find("antonym"), "en")


@pytest.mark.slow
def test_a_digest_does_not_depend_on_the_order_of_sets():
    code = (
        "from perturbations import find; from perturbations.dependencies import digest; "
        "print(*(digest(find(name), 'pt') for name in ('letter_case', 'prejudice', 'swap_named_ent')))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(found) == 1


@pytest.mark.slow
def test_two_readers_have_judged_every_shipped_case_in_every_language_that_it_serves():
    assert measured.unread() == []
