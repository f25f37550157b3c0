"""Measurements in the catalogue, and the files that they are read from."""

import pytest

from abalo.raters.results import TABLE
from docs import measured
from perturbations import find
from perturbations.languages import codes, language_named

COVERAGE = [
    ["antonym", "en", "wnut17/dev.conll", "2026-01-02", "1000", "410", "50"],
    ["antonym", "pt", "lener-br/dev.conll", "2026-01-02", "2000", "500", "60"],
]
RATINGS = {
    "perturbation": "antonym rate=1.0",
    "language": "pt",
    "corpus": "lener-br/dev.conll",
    "date": "2026-02-03",
    "raters": "2",
    "n": "30",
    "right_text": "0.933",
    "wrong_text": "0.017",
    "wrong_text_low": "0.000",
    "wrong_text_high": "0.116",
    "AC1": "0.874",
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


def test_shares_stand_by_language_with_their_number_and_date(tables):
    fits, judged = measured.facts("antonym")
    assert fits == (
        "Fits, of real sentences: en 41% of 1,000 (wnut17/dev.conll, 2026-01-02); "
        "pt 25% of 2,000 (lener-br/dev.conll, 2026-01-02)"
    )
    assert judged == (
        "Judged by readers, pt, rate=1.0: right 93%, wrong 2% (0% to 12%) of 30 variants by 2 readers, AC1 0.87 "
        "(lener-br/dev.conll, 2026-02-03)"
    )


def test_labels_that_were_judged_are_told(tables):
    path = tables / "ratings.tsv"
    head, row = path.read_text().splitlines()
    cells = row.split("\t")
    cells[TABLE.index("wrong_labels")] = "0.100"
    path.write_text(f"{head}\n" + "\t".join(cells) + "\n")
    assert "AC1 0.87; labels wrong 10% (lener-br" in measured.facts("antonym")[-1]


def test_a_perturbation_that_nobody_has_judged_is_unrated(tables):
    assert measured.facts("typos") == ["Unrated: no reader has judged its variants"]


def test_other_columns_are_refused(tables):
    (tables / "coverage.tsv").write_text("perturbation\tshare\n")
    with pytest.raises(ValueError, match=r"coverage.tsv: columns .*; expected perturbation, language, corpus"):
        measured.facts("antonym")


@pytest.mark.parametrize(
    ("path", "columns"), [(measured.COVERAGE, measured.COVERAGE_COLUMNS), (measured.RATINGS, TABLE)]
)
def test_every_row_that_ships_is_about_a_perturbation_that_there_is(path, columns):
    rows = measured._table(path, tuple(columns))
    assert all(find(row["perturbation"].partition(" ")[0]) for row in rows)
    assert len({(row["perturbation"], row["language"], row["corpus"]) for row in rows}) == len(rows)


@pytest.mark.parametrize("code", codes())
def test_what_readers_doubt_is_experimental_in_that_language_and_nothing_else_is(code):
    """After new ratings, ``experimental`` in the folder of the language is put right."""
    assert language_named(code).experimental == measured.doubted(code)


def test_the_newest_ratings_decide_and_errors_on_purpose_are_no_matter(tmp_path, monkeypatch):
    rows = [
        {"perturbation": "tense", "date": "2026-01-01", "wrong_text": "0.500", "family": "grammar"},
        {"perturbation": "tense", "date": "2026-01-02", "wrong_text": "0.033", "family": "grammar"},
        {"perturbation": "antonym", "date": "2026-01-01", "wrong_text": "0.000", "family": "word"},
        {"perturbation": "antonym", "date": "2026-01-02", "wrong_text": "0.034", "family": "word"},
        {"perturbation": "typos", "date": "2026-01-02", "wrong_text": "1.000", "family": "spelling"},
        {"perturbation": "number", "date": "2026-01-02", "wrong_text": "1.000", "family": "word", "language": "en"},
    ]
    lines = ["\t".join({"language": "pt", **row}.get(column, "") for column in TABLE) for row in rows]
    path = tmp_path / "ratings.tsv"
    path.write_text("\n".join(["\t".join(TABLE), *lines, ""]))
    monkeypatch.setattr(measured, "RATINGS", path)
    assert measured.doubted("pt") == {"antonym"}
