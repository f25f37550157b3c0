"""``abalo audit``: ambiguous questions, each with the reason."""

import json

from abalo.cli import main


def test_the_audit_says_which_questions_are_ambiguous_and_why(folder, capsys):
    lines = ['{"id": "a", "options": ["yes", "no"]}', '{"id": "b", "options": ["stone", "bird"]}']
    (folder / "q.jsonl").write_text("\n".join(lines))
    assert main(["audit", "q.jsonl", "--out", "flags.json"]) == 1
    assert capsys.readouterr().out == (
        "a: boolean_like: 'yes', 'no': an answer of a yes-or-no question\n1 of 2 questions flagged\n"
    )
    assert list(json.loads((folder / "flags.json").read_text(encoding="utf-8"))) == ["a"]
    (folder / "q.jsonl").write_text(lines[1])
    assert main(["audit", "q.jsonl"]) == 0
    assert main(["audit", "q.jsonl", "--gap", "7"]) == 2
