"""``abalo replay``, ``abalo sheet`` and ``abalo ratings``: changes that broke a model, tried again and rated."""

import pytest

from abalo.cli import main

BROKEN = """\
{"format": "abalo attack log 1"}
{"attack": "entity_attack", "target": [0, 1, "PESSOA"], "tokens": ["José", "saiu"], "tags": ["B-PESSOA", "O"], \
"spaces": [" ", ""], "edits": [{"start": 0, "stop": 1, "tokens": ["Ana"], "tags": ["B-PESSOA"]}], \
"adversarial": {"tokens": ["Ana", "saiu"], "spaces": [" ", ""]}, "sentence_id": "a", \
"labels": {"clean": ["B-PESSOA"], "attacked": ["O"]}, "broken": true}
{"attack": "entity_attack", "tokens": ["Rui", "saiu"], "spaces": [" ", ""], "adversarial": null, "sentence_id": "b", \
"broken": false}
"""


def test_replaying_says_whether_it_is_still_broken(models_here, capsys):
    (models_here / "broken.jsonl").write_text(BROKEN, encoding="utf-8")
    assert main(["replay", "broken.jsonl", "--model", "models_here:by_word"]) == 1
    said = capsys.readouterr().out
    assert said.startswith("1. still broken")
    assert "original:  [José PESSOA] saiu" in said
    assert "perturbed: [Ana PESSOA] saiu" in said


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["replay", "none.jsonl"], "none.jsonl: cannot be read: No such file or directory; give a file that --"),
        (["replay", "broken.jsonl", "--number", "2"], "--number 2: expected a number from 1 to 1"),
        (["sheet", "broken.jsonl", "--out", "sheets"], "too few sentences of kind 'entity_attack'"),
        (["ratings", "nowhere"], "nowhere"),
    ],
)
def test_what_cannot_be_replayed_or_rated_ends_in_one_message(folder, capsys, arguments, message):
    (folder / "broken.jsonl").write_text(BROKEN, encoding="utf-8")
    assert main(arguments) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert message in said


def test_sheets_go_out_and_ratings_come_back(folder, capsys):
    (line,) = [line for line in BROKEN.splitlines() if '"broken": true' in line]
    records = [line.replace('"José"', f'"José{i}"').replace('"a"', f'"{i}"') for i in range(20)]
    (folder / "log.jsonl").write_text("\n".join([BROKEN.splitlines()[0], *records, ""]), encoding="utf-8")
    assert main(["sheet", "log.jsonl", "--out", "sheets", "--per-rater", "4"]) == 0
    for sheet in folder.glob("sheets/rater-*.csv"):
        sheet.write_text(sheet.read_text("utf-8-sig").replace(",\n", ",4\n").replace(",\r\n", ",4\r\n"), "utf-8")
    assert main(["ratings", "sheets"]) == 0
    assert "entity_attack" in capsys.readouterr().out
