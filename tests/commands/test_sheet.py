"""``abalo sheet`` and ``abalo ratings`` on variants, from the drawing to the results."""

import csv
import json

from abalo.cli import main
from tests.texts import TextWith


def sheet(*arguments):
    return main(["sheet", "--perturbations", "--corpus", "corpus.conll", "--out", "sheets", *arguments])


def fill(folder, text="right", labels="right"):
    for path in sorted((folder / "sheets").glob("rater-*.csv")):
        with path.open(encoding="utf-8-sig", newline="") as file:
            rows = list(csv.DictReader(file))
        with path.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]))
            writer.writeheader()
            given = {"text": text, "labels": labels}
            writer.writerows(row | {name: said for name, said in given.items() if name in row} for row in rows)


def test_variants_are_drawn_judged_and_counted(folder, capsys):
    assert sheet("--with", "accents", "--with", "synonyms", "--param", "lexicon=legal_pt", "--n", "2", "--labels") == 0
    assert capsys.readouterr().out == (
        "4 variants of 2 perturbations\nsheets for 2 raters in sheets; keep key.json from them\n"
    )
    fill(folder, text="acceptable")
    assert main(["ratings", "sheets", "--out", "ratings.tsv", "--date", "2026-01-02", "--disagreements"]) == 0
    said = capsys.readouterr().out
    assert "| accents | 2 | 0.00 [0.00, 0.84] | 0.00 [0.00, 0.84] | 1.00 | – | 1.00 | 0.00 [0.00, 0.84] |" in said
    assert said == TextWith("agree on every")
    assert (folder / "ratings.tsv").read_text().count("2026-01-02") == 2


def test_fewer_variants_than_asked_for_are_told(capsys):
    assert sheet("--with", "accents", "--with", "number", "--n", "3") == 0
    assert capsys.readouterr().out.splitlines()[:3] == [
        "2 variants of 1 perturbation",
        TextWith("fewer variants", ": accents: 2 of 3"),
        TextWith("no variant, ", ": number"),
    ]


def test_settings_tell_two_of_one_perturbation_apart(folder):
    assert sheet("--with", "accents", "--with", "accents", "--rate", "0.5", "--n", "1") == 0
    variants = json.loads((folder / "sheets" / "key.json").read_text())["items"].values()
    assert [each["perturbation"] for each in variants] == ["accents", "accents rate=0.5"]


def test_without_with_all_that_fit_the_language_are_drawn(folder):
    assert sheet("--n", "1") == 0
    variants = json.loads((folder / "sheets" / "key.json").read_text())["items"].values()
    assert {"accents", "synonyms", "swap_named_ent"} <= {each["perturbation"] for each in variants}


def test_labelled_texts_are_drawn_from(folder):
    (folder / "texts.tsv").write_text("text\tlabel\nNão gostei\tnegative\nIsso foi bom\tpositive\n")
    assert main(["sheet", "--perturbations", "--corpus", "texts.tsv", "--with", "accents", "--out", "texts"]) == 0
    with (folder / "texts" / "rater-1.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    assert "Não" in row["original"]
    assert "Nao" in row["variant"]


def test_misuse_is_told(folder, refused):
    assert refused("sheet", "--out", "o") == (
        "abalo sheet: nothing to rate; give logs of attacks, or --perturbations --corpus CORPUS"
    )
    assert refused("sheet", "log.jsonl", "--with", "accents", "--n", "3", "--out", "o") == (
        "--n, --with: only for variants; add --perturbations"
    )
    assert refused("sheet", "--perturbations", "--out", "o").startswith("--corpus: missing")
    assert refused("sheet", "log.jsonl", "--perturbations", "--corpus", "corpus.conll", "--out", "o").startswith("LOG,")
    same = ("--with", "accents", "--with", "accents")
    assert refused("sheet", "--perturbations", "--corpus", "corpus.conll", *same, "--out", "o") == (
        "--with accents: given twice; drop one"
    )
    (folder / "words.conllu").write_text("1\tAna\t_\tPROPN\t_\t_\t0\troot\t_\t_\n\n", encoding="utf-8")
    assert refused("sheet", "--perturbations", "--corpus", "words.conllu", "--labels", "--out", "o") == (
        "--labels: words.conllu has no labels to show; leave it out"
    )
    assert refused("ratings", ".").startswith("key.json: cannot be read")
    assert not (folder / "o").exists()


def test_a_sheet_that_is_not_filled_in_has_no_ratings(folder, refused):
    sheet("--with", "accents", "--n", "1")
    assert refused("ratings", "sheets").startswith("sheets/rater-1.csv:2: text is empty; expected right")
    fill(folder)
    assert refused("ratings", "sheets", "--date", "soon") == "--date soon: expected a day as YYYY-MM-DD"
