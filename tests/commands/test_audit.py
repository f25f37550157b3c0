"""``abalo audit``: ambiguous questions, each with the reason."""

import json

from abalo.cli import main
from tests.texts import TextWith


def test_the_audit_says_which_questions_are_ambiguous_and_why(folder, capsys):
    lines = ['{"id": "a", "options": ["yes", "no"]}', '{"id": "b", "options": ["stone", "bird"]}']
    (folder / "q.jsonl").write_text("\n".join(lines))
    assert main(["audit", "q.jsonl", "--out", "flags.json"]) == 1
    assert capsys.readouterr().out == TextWith("a: boolean_like: 'yes', 'no': ", "\n1 of 2 questions flagged\n")
    assert list(json.loads((folder / "flags.json").read_text(encoding="utf-8"))) == ["a"]
    (folder / "q.jsonl").write_text(lines[1])
    assert main(["audit", "q.jsonl"]) == 0
    assert main(["audit", "q.jsonl", "--gap", "7"]) == 2


def test_the_published_rules_are_an_option_and_the_similarity_is_one_of_theirs(folder, capsys):
    (folder / "q.jsonl").write_text('{"id": "a", "options": ["x = -4", "-4 = x", "5", "6"]}')
    assert main(["audit", "q.jsonl"]) == 0
    assert main(["audit", "q.jsonl", "--as-published"]) == 1
    assert "a: near_duplicate: 'x = -4' and '-4 = x' share 100% of their words" in capsys.readouterr().out
    assert main(["audit", "q.jsonl", "--as-published", "--jaccard", "1.1"]) == 2
    assert main(["audit", "q.jsonl", "--jaccard", "0.5"]) == 2
    assert "--jaccard: is a limit of the published rules; add --as-published" in capsys.readouterr().err
