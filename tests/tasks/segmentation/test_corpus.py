"""Segmented text in three forms, each read as characters with labels; every problem with its place."""

import pytest

from abalo.cli import main
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.corpora.segmented import written_words
from abalo.corpora.word_labels import pieces_of, sentence_of, words_in
from abalo.errors import AbaloError
from abalo.tasks.segmentation.corpus import load
from perturbations import Span
from tests.published import published

TASK = tasks()["segmentation"]

CONLLU = """# text = 他看AK-47 书
1\t他\t_\tPRON\t_\t_\t2\tnsubj\t_\tSpaceAfter=No
2\t看\t_\tVERB\t_\t_\t0\troot\t_\tSpaceAfter=No
3\tAK-47\t_\tPROPN\t_\t_\t2\tobj\t_\t_
4\t书\t_\tNOUN\t_\t_\t2\tobj\t_\tSpaceAfter=No

"""
COLUMNS = "我 B\n们 E\n看 S\n电 B\n视 M\n台 E\n\n好 S\n"


def read(tmp_path, text, name="own.txt", asked="", **more):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    return load(f"{path}{asked}", **more)


def test_lines_of_words_are_characters_with_labels(tmp_path):
    (sentence,) = read(tmp_path, "他  看 中央电视台 。\n").sentences
    assert sentence.tokens == tuple("他看中央电视台。")
    assert sentence.tags == tuple("SSBMMMES")
    assert (sentence.text, sentence.policy) == ("他看中央电视台。", "bmes")


def test_a_run_of_letters_or_digits_is_one_character():
    assert pieces_of("第3.14版iPhone６s") == ["第", "3", ".", "14", "版", "iPhone６s"]


def test_two_runs_keep_a_space_between_and_words_of_one_run_do_not(tmp_path):
    (sentence,) = read(tmp_path, "买 Windows XP 2 台\n").sentences
    assert sentence.text == "买Windows XP 2台"
    assert sentence.tags == ("S",) * 5


def test_conllu_keeps_the_white_space_of_the_text(tmp_path):
    (sentence,) = read(tmp_path, CONLLU, "own.conllu").sentences
    assert (sentence.tokens, sentence.tags) == (("他", "看", "AK", "-", "47", "书"), tuple("SSBMES"))
    assert sentence.text == "他看AK-47 书"


@pytest.mark.parametrize(
    "text", [COLUMNS, COLUMNS.replace(" ", "\t"), COLUMNS.replace("M", "I"), "# a note\n" + COLUMNS]
)
def test_columns_of_characters(tmp_path, text):
    sentences = read(tmp_path, text, "own.bmes").sentences
    assert [[*written_words(each)] for each in sentences] == [["我们", "看", "电视台"], ["好"]]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("我 B\n们 E\n看 M\n书 E\n", "own.txt:3: M stands behind E; expected B or S"),
        ("我 B\n们 E\n看 B\n", "own.txt:3: the sentence ends with B; expected E or S"),
        ("我 E\n们 S\n", "own.txt:1: E stands at the beginning; expected B or S"),
        ("我 B\n们 E\n" * 20 + "看 Q\n", "own.txt:41: '看 Q'; expected a character and one of B, M, E, S"),
        ("他 看 书\r我们 看 书\r", r"own.txt:1: a lone carriage return; expected lines that end in"),
        ("我 B\r们 E\r", r"own.txt:1: a lone carriage return"),
        ("没有空格的一行。\n", "own.txt: no line has a space; expected words with spaces between"),
        ("\n\n", "own.txt: no sentences; expected at least one"),
    ],
)
def test_problems_name_their_place(tmp_path, text, problem):
    with pytest.raises(AbaloError, match=problem):
        read(tmp_path, text)


def test_a_lenient_reading_begins_and_ends_words_where_labels_do_not_fit(tmp_path):
    corpus = read(tmp_path, "我 B\n们 E\n看 M\n书 B\n", asked="?lenient")
    assert [[*written_words(each)] for each in corpus.sentences] == [["我们", "看", "书"]]
    assert corpus.repairs == 3  # M behind E, B behind M, and B at the end


def test_the_training_list_is_that_of_another_corpus(tmp_path):
    (tmp_path / "train.txt").write_text("我们 看 书 。\n", "utf-8")
    (tmp_path / "dev.txt").write_text("我们 看 电影 。\n", "utf-8")
    corpus = load(f"{tmp_path / 'dev.txt'}?train={tmp_path / 'train.txt'}")
    seen = corpus.examples[0].source
    assert [word in seen for word in written_words(corpus.sentences[0])] == [True, True, False, True]
    assert load(str(tmp_path / "dev.txt")).examples[0].source is None


@pytest.mark.parametrize(
    ("name", "text", "ours"),
    [
        ("a.txt", "他 在 看 书 。\n她 也 来 了 。\n", True),
        ("a.txt", COLUMNS, True),
        ("a.conll", "他 O\n在 O\n北 B-LOC\n京 E-LOC\n", False),
        ("a.conll", "B O\nE O\n王 S-PER\n", False),
        ("a.conllu", CONLLU, False),
        ("a.tsv", "他 在 看\tpositive\n", False),
        ("a.txt", "This is a line of English text .\n", False),
        ("a.jsonl", '{"text": "他 在 看 书"}\n', False),
    ],
)
def test_what_is_taken_for_segmented_text(tmp_path, name, text, ours):
    path = tmp_path / name
    path.write_text(text, "utf-8")
    assert TASK.recognises(str(path)) is ours


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("然而/n ，/w 他/r 来/v 了/u 。/w\n", "words with tags, such as '然而/n'"),
        ("我 r S\n们 r E\n\n来 v S\n", "rows such as '我 r S'; expected a character and one of B, M, E, S"),
        ("北 B-LOC\n京 I-LOC\n来 O\n", "rows such as '北 B-LOC'"),
        ("北 b\n京 e\n来 s\n", "rows such as '北 b'"),
    ],
)
def test_other_forms_are_no_words(tmp_path, text, message):
    (tmp_path / "dev.txt").write_text(text, "utf-8")
    with pytest.raises(AbaloError, match=message):
        load(str(tmp_path / "dev.txt"))


def test_words_are_read_from_any_labels():
    assert words_in(("B", "M", "E", "S")) == (Span(0, 3, "word"), Span(3, 4, "word"))
    assert words_in(("M", "B", "E", "", "E")) == (Span(0, 1, "word"), Span(1, 3, "word"), Span(4, 5, "word"))
    assert words_in(("B", "E|S", "S")) == (Span(0, 2, "cut"), Span(1, 2, "cut"), Span(2, 3, "word"))


def test_a_word_with_white_space_inside_is_several():
    assert [*written_words(sentence_of(["New York", "市"]))] == ["New", "York", "市"]


def test_the_corpus_that_ships_is_read_back_as_it_was_written(tmp_path):
    corpus = TASK.read("bundled:segmentation-zh", RunOptions())
    TASK.writers[".txt"](corpus, corpus.examples, tmp_path / "again.txt", [])
    assert [each.tokens for each in load(str(tmp_path / "again.txt")).sentences] == [
        each.tokens for each in corpus.sentences
    ]
    assert len(corpus.sentences) == len(set(corpus.sentences)) == 584


def test_variants_are_written_as_lines_of_words(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.txt").write_text("他 说 央视 好 看 。\n", "utf-8")
    given = ["perturb", "own.txt", "--with", "swap_contraction", "--language", "zh", "--out", "new.txt"]
    assert main(given) == 0, capsys.readouterr().err
    assert (tmp_path / "new.txt").read_text("utf-8") == "他 说 中央 电视台 好 看 。\n"


def test_no_treebank_word_is_lost():
    path = published("ud/zh_gsdsimp-dev.conllu")
    corpus = load(str(path))
    forms = [line.split("\t")[1] for line in path.read_text("utf-8").splitlines() if line[:1].isdigit()]
    assert [word for each in corpus.sentences for word in written_words(each)] == forms
