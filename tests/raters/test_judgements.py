"""Results of filled sheets with variants, worked out by hand, and what is refused."""

import json
import math

import pytest

from abalo.errors import AbaloError
from abalo.raters import forms
from abalo.raters.forms import write_json
from abalo.raters.judgements import collect_judgements, disagreements, report
from abalo.raters.results import TABLE, markdown, write


def read(folder):
    return collect_judgements(*forms.read(folder))


VARIANTS = {
    "bb": ("accents", "character", "s1"),
    "cc": ("accents", "character", "s2"),
    "dd": ("typos", "character", "s1"),
    "ff": ("synonyms", "word", "s3"),
}


@pytest.fixture
def folder(tmp_path):
    """A key and two sheets, filled."""
    names = ("perturbation", "family", "sentence_id")
    variants = {
        name: dict(zip(names, each, strict=True)) | {"seed": 1, "digest": f"of {each[0]}", "edits": []}
        for name, each in VARIANTS.items()
    }
    raters = {f"rater-{number}": list(VARIANTS) for number in (1, 2)}
    key = {"form": "labelled variants", "corpus": "dev.conll", "language": "pt", "raters": raters}
    (tmp_path / "key.json").write_text(json.dumps(key | {"items": variants}))
    fill(tmp_path, 1, "bb,a,b,right,right", "cc,a,b,acceptable,right", "dd,a,b,wrong,right", "ff,a,b,right,wrong")
    fill(tmp_path, 2, "ff,a,b,Right,right", "dd,a,b,wrong,right", "cc,a,b, wrong ,right", "bb,a,b,right,right")
    return tmp_path


def fill(folder, rater, *rows):
    (folder / f"rater-{rater}.csv").write_text("\n".join(["id,original,variant,text,labels", *rows]))


def refusal(folder):
    with pytest.raises(AbaloError) as caught:
        read(folder)
    return str(caught.value).replace(f"{folder}/", "")


def test_filled_sheets_are_read_whatever_the_order_of_rows_and_the_case_of_words(folder):
    sheets = read(folder)
    assert (sheets.corpus, sheets.language, sheets.raters) == ("dev.conll", "pt", ("rater-1", "rater-2"))
    assert {each.name: dict(each.said) for each in sheets.variants} == {
        "bb": {"text": ("right", "right"), "labels": ("right", "right")},
        "cc": {"text": ("acceptable", "wrong"), "labels": ("right", "right")},
        "dd": {"text": ("wrong", "wrong"), "labels": ("right", "right")},
        "ff": {"text": ("right", "right"), "labels": ("wrong", "right")},
    }


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("cc,a,b,rihgt,right", "text 'rihgt'; expected right, acceptable or wrong"),
        ("cc,a,b,,right", "text is empty; expected right, acceptable or wrong"),
        ("cc,a,b,right", "labels is empty; expected right or wrong"),
        ("cc,a,b,right,acceptable", "labels 'acceptable'; expected right or wrong"),
        ("zz,a,b,right,right", "id 'zz'; expected one that key.json has for rater-1; put it right"),
        ("bb,a,b,right,right", "id 'bb' for the second time; remove one of its rows"),
    ],
)
def test_a_row_that_is_misspelt_or_incomplete_is_told_with_line_and_value(folder, row, told):
    fill(folder, 1, "bb,a,b,right,right", row, "dd,a,b,right,right", "ff,a,b,right,right", "cc,a,b,right,right")
    assert f"rater-1.csv:3: {told}" in refusal(folder)


def test_rows_that_are_gone_are_told(folder):
    fill(folder, 2, "bb,a,b,right,right", "cc,a,b,right,right")
    assert refusal(folder) == "rater-2.csv:3: no row after this one for id 'dd' and 1 more; put it back"
    fill(folder, 2)
    assert refusal(folder) == "rater-2.csv:1: no row after this one for id 'bb' and 3 more; put it back"


def test_a_sheet_without_its_column_or_that_is_not_there_is_told(folder):
    (folder / "rater-2.csv").write_text("id,original,variant,text\nbb,a,b,right")
    assert "rater-2.csv:1: 'id,original,variant,text'; expected the columns" in refusal(folder)
    (folder / "rater-2.csv").unlink()
    assert refusal(folder) == "rater-2.csv: cannot be read: No such file or directory"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "{}",
        '{"form": "of another kind"}',
        '{"form": "variants", "corpus": "c", "language": "pt", "raters": {}, "items": {}}',
        '{"form": "variants", "corpus": 1, "language": "pt", "raters": {"rater-1": []}, "items": {}}',
        '{"form": "sentences", "raters": {"rater-1": ["aa"]}, "items": {}}',
        '{"form": "sentences", "raters": {"rater-1": ["aa", "aa"]}, "items": {"aa": {"pair": "p", "kind": "k"}}}',
    ],
)
def test_a_key_that_was_changed_is_refused(folder, text):
    (folder / "key.json").write_text(text)
    assert refusal(folder).startswith("key.json: ")
    assert refusal(folder).endswith("; take the key as it was written")


def test_a_key_cannot_name_a_sheet_elsewhere(folder):
    (folder / "key.json").write_text((folder / "key.json").read_text().replace("rater-1", "../rater-1"))
    assert refusal(folder).startswith("key.json: not a key")


def test_shares_and_agreement_are_those_worked_out_by_hand(folder):
    found = report(read(folder), "2026-01-02")
    accents, synonyms, typos = found.perturbations
    assert [each.name for each in found.perturbations] == ["accents", "synonyms", "typos"]
    assert [(each.name, each.n) for each in found.families] == [("character", 3), ("word", 1), ("all", 4)]
    # Ratings right right, acceptable wrong.
    assert {word: share.value for word, share in accents.text.shares.items()} == {
        "right": 0.5,
        "acceptable": 0.25,
        "wrong": 0.25,
    }
    assert accents.text.agreement == 0.5
    assert accents.text.kappa == pytest.approx(1 - 2 * 1 / 4)  # distances 0 and 1; of all to all 0 + 2 + 1 + 1
    # Of 4 ratings 2, 1, 1: chance agrees in (1/4 + 3/16 + 3/16) / 2 = 5/16.
    assert accents.text.ac1 == pytest.approx((1 / 2 - 5 / 16) / (11 / 16))
    assert accents.labels.shares["wrong"].value == 0
    assert synonyms.labels.shares["wrong"].value == 0.5
    assert synonyms.labels.agreement == 0
    assert math.isnan(typos.text.kappa)
    assert typos.text.ac1 == 1


def test_what_nobody_called_wrong_can_still_be_wrong(folder):
    accents = report(read(folder), "2026-01-02").perturbations[0]
    # None of two sentences, whose two ratings each count as one: 1 - 0.025 ** (1 / 2), as Clopper and Pearson have it.
    assert accents.labels.shares["wrong"].low == 0
    assert accents.labels.shares["wrong"].high == pytest.approx(1 - 0.025**0.5)


def test_variants_of_one_sentence_are_one_piece_of_evidence(folder):
    character = report(read(folder), "2026-01-02").families[0]
    assert character.n == 3
    # Three variants of two sentences, with 4 and 2 ratings: these 6 count as 36/20 at most.
    assert character.labels.shares["wrong"].high == pytest.approx(1 - 0.025 ** (20 / 36))


def test_disagreements_are_listed_with_what_each_rater_wrote(folder):
    assert disagreements(read(folder)) == [
        "accents cc: text: acceptable, wrong",
        "  a",
        "  b",
        "synonyms ff: labels: wrong, right",
        "  a",
        "  b",
    ]


def test_the_page_has_a_row_for_each_perturbation_and_family(folder):
    page = markdown(report(read(folder), "2026-01-02"))
    assert "| accents | 2 | 0.50 [" in page
    assert "| family character | 3 | " in page
    assert "| all | 4 | " in page
    assert "Corpus dev.conll, language pt, 2026-01-02; raters:\n2 people" in page


def test_the_json_has_none_for_what_has_no_meaning(folder, tmp_path):
    result = report(read(folder), "2026-01-02")
    write_json(result, tmp_path / "out.json")
    written = json.loads((tmp_path / "out.json").read_text())
    assert written["perturbations"][2]["text"]["kappa"] is None
    assert written["perturbations"][0]["text"]["shares"]["right"]["value"] == 0.5


def table_of(path):
    return [line.split("\t") for line in path.read_text().splitlines()]


def test_a_table_keeps_the_rows_of_other_corpora_and_takes_new_ratings_for_old(folder, tmp_path):
    path = tmp_path / "ratings.tsv"
    sheets = read(folder)
    write(report(sheets, "2026-01-02"), sheets, path)
    head, *rows = table_of(path)
    assert head == TABLE
    assert [row[:7] for row in rows] == [
        [name, family, "pt", "dev.conll", "2026-01-02", "2", n]
        for name, family, n in (("accents", "character", "2"), ("synonyms", "word", "1"), ("typos", "character", "1"))
    ]
    assert [row[head.index("digest")] for row in rows] == ["of accents", "of synonyms", "of typos"]
    assert rows[2][head.index("kappa")] == ""
    assert rows[0][head.index("right_text")] == "0.500"
    path.write_text(path.read_text().replace("typos\tcharacter\tpt\tdev.conll", "typos\tcharacter\ten\tother.conll"))
    write(report(sheets, "2026-03-04"), sheets, path)
    assert [(row[0], row[2], row[4]) for row in table_of(path)[1:]] == [
        ("accents", "pt", "2026-03-04"),
        ("synonyms", "pt", "2026-03-04"),
        ("typos", "en", "2026-01-02"),
        ("typos", "pt", "2026-03-04"),
    ]


def test_a_file_that_is_no_such_table_is_left_alone(folder, tmp_path):
    sheets = read(folder)
    result = report(sheets, "2026-01-02")
    path = tmp_path / "notes.tsv"
    path.write_text("a\tb\n")
    with pytest.raises(AbaloError, match=r"notes.tsv:1: expected the columns perturbation, family"):
        write(result, sheets, path)
    assert path.read_text() == "a\tb\n"


def test_without_labels_to_judge_there_is_one_column(folder):
    key = json.loads((folder / "key.json").read_text())
    (folder / "key.json").write_text(json.dumps(key | {"form": "variants", "raters": {"rater-1": list(VARIANTS)}}))
    (folder / "rater-1.csv").write_text("id,original,variant,text\n" + "".join(f"{i},a,b,right\n" for i in VARIANTS))
    sheets = read(folder)
    result = report(sheets, "2026-01-02")
    assert result.perturbations[0].labels is None
    assert "Wrong labels" not in markdown(result)
    assert "| accents | 2 | 1.00 [0.16, 1.00] | 0.00 [0.00, 0.84] | – | – | – |" in markdown(result)
    write(result, sheets, folder / "out.tsv")
    assert {len(row) for row in table_of(folder / "out.tsv")} == {len(TABLE)}
