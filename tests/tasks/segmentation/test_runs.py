"""Runs: a report in words, cases by length, and models of several kinds."""

import abalo
from abalo.core.documents.blocks import Mark
from abalo.corpora.word_labels import sentence_of
from abalo.tasks.segmentation.blocks import _pieces

CORPUS = "".join(f"我 在 {name} 买 了 三 本 课本 。\n" for name in "甲乙丙丁戊己庚辛壬癸" for _ in range(1))


def test_stretches_that_are_cut_otherwise_are_one_piece():
    sentence = sentence_of(["他", "看了看", "书", "AK47", "吧"])
    predicted = ("S", "B", "E", "S", "S", "E|S", "S")
    found = _pieces(sentence.tokens, sentence.tags, ("S", "B", "E", "S", "S", "S|S", "S"), {3: ""}, "edited")
    assert found == [
        "他",
        Mark("lost", ("看了看",), "✗ 看了 看", "inserted"),
        "书",
        Mark("missed", ("AK47",), "→ AK47|"),
        "吧",
    ]
    assert len(predicted) == len(sentence)


def test_a_report_names_lengths_and_the_training_list(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.txt").write_text(CORPUS, "utf-8")
    (tmp_path / "m.py").write_text("def make():\n    return lambda texts: [list(t) for t in texts]\n", "utf-8")
    session = abalo.Session(task="segmentation", model="m.py:make", corpus="own.txt?train=own.txt")
    result = session.judge("swap_syn", rate=1.0, max_f1_drop=0.5)
    assert result.verdict in ("inconclusive", "pass")
    facts = session.run().document.tasks["segmentation"].corpus
    assert facts.more["lengths"] == {"1": 80, "2": 10}
    assert facts.more["training"] == "own.txt"
