"""Labelled texts are read from tables, JSON and data sets, and what is wrong with them is told with its place."""

import gzip
import json

import pytest

from abalo.core.protocols.task import tasks
from abalo.errors import AbaloError
from abalo.tasks.classification.corpus import load, recognises
from tests.texts import TextWith

READ = [("Good film.", ("yes",)), ('He said "no", twice', ("no",))]


def texts(corpus):
    return [(sentence.text, gold) for sentence, gold in zip(corpus.sentences, corpus.golds, strict=True)]


def problem(path):
    with pytest.raises(AbaloError) as caught:
        load(str(path))
    return str(caught.value)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.tsv", 'text\tlabel\nGood film.\tyes\nHe said "no", twice\tno\n'),
        ("headless.tsv", 'Good film.\tyes\nHe said "no", twice\tno\nMore\tyes\nEven more\tno\n'),
        ("a.csv", 'id,Label,Sentence\n1,yes,Good film.\n2,no,"He said ""no"", twice"\n'),
        ("semicolons.csv", 'text;label\nGood film.;yes\n"He said ""no"", twice";no\n'),
        ("a.jsonl", '{"text": "Good film.", "label": "yes"}\n{"text": "He said \\"no\\", twice", "label": "no"}\n'),
        (
            "a.json",
            '[{"content": "Good film.", "intent": "yes"}, {"content": "He said \\"no\\", twice", "intent": "no"}]',
        ),
    ],
)
def test_every_format_gives_the_same_texts(tmp_path, name, content):
    (tmp_path / name).write_text(content, "utf-8")
    corpus = load(str(tmp_path / name), limit=2)
    assert texts(corpus) == READ
    assert not corpus.several


def test_a_cell_in_quotes_may_hold_a_line_end_and_places_are_lines(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('text,label\n"two\nlines",yes\n,no\n', "utf-8")
    assert problem(path).startswith(f"{path}:4: the text is ''; expected text")
    path.write_text('text,label\n"two\nlines",yes\n', "utf-8")
    assert load(str(path)).sentences[0].tokens == ("two", "lines")


def test_columns_of_other_names_can_be_named(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("avaliação\tnota\tdata\nBom\t1\thoje\n", "utf-8")
    assert "no column for 'text' and 'label', only 'avaliação', 'nota', 'data'" in problem(path)
    assert texts(load(f"{path}?text=avaliação&label=nota")) == [("Bom", ("1",))]


def test_a_header_with_unknown_names_is_no_text(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("frase\trótulo\nBom\tsim\nMau\tnão\n", "utf-8")
    assert "occurs only in this line; if the line is a header" in problem(path)


def test_lists_of_one_label_each_are_labels(tmp_path):
    path = tmp_path / "doccano.jsonl"
    rows = [{"id": 1, "text": "A good film", "label": ["positive"]}, {"id": 2, "text": "Dull", "label": ["negative"]}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    corpus = load(str(path))
    assert (corpus.golds, corpus.several) == ((("positive",), ("negative",)), False)
    assert [task.name for task in tasks().values() if task.recognises(str(path))] == ["classification"]


def test_labels_are_several_where_the_column_or_the_values_say_so(tmp_path):
    table, lists = tmp_path / "a.tsv", tmp_path / "a.jsonl"
    table.write_text("text\tlabels\nOne\tjoy|anger\nTwo\t\n", "utf-8")
    lists.write_text('{"text": "One", "label": ["joy", "anger"]}\n{"text": "Two", "label": []}\n', "utf-8")
    for path in (table, lists):
        corpus = load(str(path))
        assert texts(corpus) == [("One", ("anger", "joy")), ("Two", ())]
        assert corpus.several
        assert [example.source for example in corpus.examples] == [True, True]


def test_numbers_and_truth_values_are_labels_by_their_name(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"text": "One", "label": 1}\n{"text": "Two", "label": false}\n', "utf-8")
    assert load(str(path)).label_counts == {"1": 1, "false": 1}


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"text": "", "label": "a"}, "the text is ''; expected text with visible characters"),
        ({"text": ["a", "b"], "label": "a"}, "the text is ['a', 'b']"),
        ({"text": "One", "label": {}}, "the label is {}; expected a name"),
        ({"text": "One", "label": 0.5}, "the label is 0.5; expected a name"),
        ({"label": "a"}, "no column for 'text', only 'label'"),
        (["One", "a"], "expected an object with 'text' and 'label'"),
    ],
)
def test_what_is_no_labelled_text_is_told_with_its_line(tmp_path, record, said):
    path = tmp_path / "a.jsonl"
    path.write_text(f'{{"text": "Fine", "label": "a"}}\n{json.dumps(record)}\n', "utf-8")
    assert f"{path}:2: " in problem(path)
    assert said in problem(path)


def test_a_row_of_another_width_and_a_quote_left_open_are_told(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("text,label\nOne,a,b\n", "utf-8")
    assert f"{path}:2: 3 cells, 'One | a | b'; expected 2" in problem(path)
    path.write_text('text,label\n"One,a\n', "utf-8")
    assert f"{path}:2: unexpected end of data; expected cells with quotes that are closed" in problem(path)
    path.write_text("text,label\n", "utf-8")
    assert "no texts; expected at least one" in problem(path)


def test_a_data_set_on_disk_names_its_classes(tmp_path):
    datasets = pytest.importorskip("datasets")
    features = datasets.Features({"text": datasets.Value("string"), "label": datasets.ClassLabel(names=["no", "yes"])})
    data = datasets.Dataset.from_dict({"text": ["Good film.", "Bad"], "label": [1, 0]}, features=features)
    data.save_to_disk(str(tmp_path / "saved"))
    assert texts(load(str(tmp_path / "saved"))) == [("Good film.", ("yes",)), ("Bad", ("no",))]
    unlabelled = datasets.Dataset.from_dict({"text": ["Good film."], "label": [-1]}, features=features)
    unlabelled.save_to_disk(str(tmp_path / "test"))
    assert "the only text has no label" in problem(tmp_path / "test")
    mixed = datasets.Dataset.from_dict({"text": ["Good film.", "Bad"], "label": [-1, 0]}, features=features)
    mixed.save_to_disk(str(tmp_path / "mixed"))
    corpus = load(str(tmp_path / "mixed"))
    assert (texts(corpus), corpus.unlabelled) == ([("Bad", ("no",))], {"": 1})


def test_labelled_texts_are_told_from_words_with_tags(tmp_path):
    table, packed, words = tmp_path / "a.tsv", tmp_path / "a.csv.gz", tmp_path / "words.tsv"
    table.write_text("sentence\tlabel\nGood film\t1\n", "utf-8")
    packed.write_bytes(gzip.compress(b"text,label\nGood film,1\n"))
    words.write_text("gato\tNOUN\ndorme\tVERB\n", "utf-8")
    for path, name in ((table, "classification"), (packed, "classification"), (words, "pos")):
        assert [task.name for task in tasks().values() if task.recognises(str(path))] == [name]
    assert recognises(f"{table}?label=label")
    assert not recognises("bundled:pos-pt")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("A good film\t1\nno movement , no yuks\t0\nGood fun\t1\n", ["classification"]),
        ("Rio\tNOUN\nflows\tVERB\n\nIt\tPRON\n", ["pos"]),
        ("id sentence_A sentence_B label\n1 A dog runs 3.2 NEUTRAL\n2 Nobody is there now 2.8 NEUTRAL\n", []),
        ("A sentence of an article.\nAnother one, with nothing behind it.\n", []),
    ],
    ids=["texts-without-header", "tagged-words", "words-of-many-columns", "running-text"],
)
def test_a_file_is_the_corpus_of_one_task_or_of_none(tmp_path, content, expected):
    path = tmp_path / "dev.tsv"
    path.write_text(content, "utf-8")
    assert [task.name for task in tasks().values() if task.recognises(str(path))] == expected


def test_copies_share_a_cluster_and_the_digest_knows_labels(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("text\tlabel\nOne\ta\nOne\tb\n", "utf-8")
    first, second = load(str(path)).examples
    assert (first.id, first.cluster) == (second.id, second.cluster)
    digest = load(str(path)).sha256
    path.write_text("text\tlabel\nOne\ta\nOne\ta\n", "utf-8")
    assert load(str(path)).sha256 != digest


THAI = "\n".join(
    (
        '{"text": "ฉันรักแมว", "label": "pos", "w": ["ฉัน", "รัก", "แมว"]}',
        '{"text": "แย่มาก", "label": "neg", "w": "แย่ มาก"}',
    )
)


def test_words_of_thai_come_from_a_column_or_a_notice_says_that_they_are_not_known(tmp_path):
    (tmp_path / "thai.jsonl").write_text(THAI, encoding="utf-8")
    plain, told = (load(f"{tmp_path / 'thai.jsonl'}{asked}") for asked in ("", "?words=w"))
    assert [sentence.tokens for sentence in plain.sentences] == [("ฉันรักแมว",), ("แย่มาก",)]
    assert len(plain.notices) == 1
    assert "FILE?words=COLUMN" in plain.notices[0]
    assert [sentence.tokens for sentence in told.sentences] == [("ฉัน", "รัก", "แมว"), ("แย่", "มาก")]
    assert told.notices == ()


def test_words_that_are_not_those_of_the_text_are_a_problem_with_its_place(tmp_path):
    (tmp_path / "thai.jsonl").write_text(THAI.replace('"แย่ มาก"', '"แย่"'), encoding="utf-8")
    with pytest.raises(AbaloError, match=r"thai.jsonl\?words=w:2: "):
        load(f"{tmp_path / 'thai.jsonl'}?words=w")


def test_a_file_whose_columns_are_named_as_texts_and_labels_is_recognised(tmp_path):
    path = tmp_path / "reviews.csv"
    path.write_text("review,stars\nbom,1\nruim,0\n", encoding="utf-8")

    def known(asked):
        return [name for name, task in tasks().items() if task.recognises(f"{path}{asked}")]

    assert known("?text=review&label=stars") == ["classification"]
    assert known("?text=review&label=stars&unlabelled=-1") == ["classification"]
    assert known("?premise=review&hypothesis=stars") == ["pairs"]
    assert known("?text=review") == known("?label=stars&text=x") == known("") == []


@pytest.fixture
def path(tmp_path):
    """Writes a file and gives its name."""

    def write(content, name):
        (tmp_path / name).write_text(content, encoding="utf-8")
        return str(tmp_path / name)

    return write


def test_labels_that_differ_in_letter_case_alone_are_named(path):
    name = path("text,label\na b,POSITIVE\nb c,positive\nc d,neg\n", "dev.csv")
    (notice,) = load(name).notices
    assert "POSITIVE and positive" in notice


def test_markup_is_named_with_its_share(path):
    name = path("text,label\na <br /><br /> b,x\nb<br>c,y\nc d,x\n", "dev.csv")
    (notice,) = load(name).notices
    assert notice == TextWith("2 of 3 texts hold", "<br />")


def test_signs_of_comparison_are_no_markup(path):
    assert load(path("text,label\na <3 b,x\nb < c > d,y\n", "dev.csv")).notices == ()


@pytest.mark.parametrize("header", ["", "v1\tid\tv2\n"], ids=["without a header", "with a header"])
def test_columns_are_named_by_number(path, header):
    name = path(f"{header}ham\t1\tGo on\nspam\t2\tFree entry\nham\t3\tSo it is\n", "dev.tsv")
    corpus = load(f"{name}?text=3&label=1")
    assert [each.text for each in corpus.sentences] == ["Go on", "Free entry", "So it is"]
    assert corpus.golds == (("ham",), ("spam",), ("ham",))
    assert recognises(f"{name}?text=3&label=1")


def test_a_record_without_a_label_beside_others_is_left_out(path):
    corpus = load(path('{"text": "a b", "label": "x"}\n{"text": "b c"}\n', "dev.jsonl"))
    assert [each.text for each in corpus.sentences] == ["a b"]
    assert corpus.unlabelled == {"": 1}


def test_whole_numbers_of_pandas_are_labels(path):
    corpus = load(path('{"text": "a b", "label": 5.0}\n{"text": "b c", "label": 1.0}\n', "dev.jsonl"))
    assert corpus.golds == (("5",), ("1",))


def test_cells_with_tabs_between_them_that_are_quoted_as_in_csv_are_read_so(path):
    rows = 'He said ""no""\tx'
    corpus = load(path(f'text\tlabel\n"{rows[:-2]}"\tx\nplain\ty\n', "dev.tsv"))
    assert [each.text for each in corpus.sentences] == ['He said "no"', "plain"]


def test_quotation_marks_in_cells_between_tabs_are_signs(path):
    corpus = load(path('text\tlabel\n"No" he said\tx\n"Yes"\ty\n', "dev.tsv"))
    assert [each.text for each in corpus.sentences] == ['"No" he said', '"Yes"']
