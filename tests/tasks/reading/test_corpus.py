"""Questions about passages are read from SQuAD, lines and arrays, and what is wrong is told with its question."""

import csv
import io
import json

import pytest

from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.errors import AbaloError
from abalo.tasks.reading.corpus import load, recognises, record_of
from abalo.tasks.reading.example import CONTEXT, place_of
from perturbations.answers import answer_text, answers_in
from tests.published import published
from tests.texts import TextWith

PASSAGE = "Ana was born in Lima. She moved to Oslo in 1990."
QUESTION = "Where was Ana born?"
LIMA = {"text": "Lima", "answer_start": 16}


def squad(*qas, version="1.1", context=PASSAGE):
    return json.dumps({"version": version, "data": [{"paragraphs": [{"context": context, "qas": list(qas)}]}]})


def asked(*answers, **more):
    return {"id": "q1", "question": QUESTION, "answers": list(answers), **more}


def write(folder, text, name="a.json"):
    path = folder / name
    path.write_text(text, "utf-8")
    return str(path)


def problem(spec, **options):
    with pytest.raises(AbaloError) as caught:
        load(spec, **options)
    return str(caught.value)


LINE = {"id": "q1", "context": PASSAGE, "question": QUESTION}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.json", squad(asked(LIMA))),
        ("a.jsonl", json.dumps({**LINE, "answers": {"text": ["Lima"], "answer_start": [16]}})),
        ("a.jsonl", json.dumps({**LINE, "answers": [LIMA]})),
        ("a.jsonl", json.dumps({**LINE, "answers": ["Lima"]})),
        ("a.json", json.dumps([{**LINE, "answers": [LIMA]}])),
    ],
)
def test_every_format_gives_the_same_question(tmp_path, name, text):
    spec = write(tmp_path, text, name)
    assert recognises(spec)
    assert [task.name for task in tasks().values() if task.recognises(spec)] == ["reading"]
    (example,) = load(spec).examples
    context = example.fields[CONTEXT]
    assert (example.gold, example.source.key) == (("Lima",), "q1")
    assert [answer_text(context, span) for span in answers_in(context)] == ["Lima"]
    assert place_of(context, answers_in(context)[0]) == (16, 20)


def test_a_place_that_cuts_a_word_takes_the_word_and_keeps_the_text_of_the_file(tmp_path):
    spec = write(tmp_path, squad(asked({"text": "im", "answer_start": 17})))
    (example,) = load(spec).examples
    assert example.gold == ("im",)
    assert [answer_text(example.fields[CONTEXT], span) for span in answers_in(example.fields[CONTEXT])] == ["Lima"]


def test_white_space_before_a_passage_moves_its_answers(tmp_path):
    spec = write(tmp_path, squad(asked({"text": "Lima", "answer_start": 18}), context=f"\n {PASSAGE}"))
    (example,) = load(spec).examples
    assert place_of(example.fields[CONTEXT], answers_in(example.fields[CONTEXT])[0]) == (16, 20)


def test_an_answer_at_another_place_is_an_error_that_names_the_question(tmp_path):
    spec = write(tmp_path, squad(asked(LIMA), asked({"text": "Oslo", "answer_start": 3}, id="q2")))
    told = problem(spec)
    assert told.startswith(f"{spec} question 2: question 'q2': the answer 'Oslo' does not begin at character 3")
    assert "but at 35; correct 'answer_start', or give FILE?lenient" in told


def test_lenient_reading_moves_it_to_the_nearest_place_and_counts(tmp_path):
    text = "Lima is not Lima, Peru."
    spec = write(tmp_path, squad(asked({"text": "Lima", "answer_start": 11}), context=text))
    corpus = load(f"{spec}?lenient")
    (example,) = corpus.examples
    assert corpus.repairs == 1
    assert place_of(example.fields[CONTEXT], answers_in(example.fields[CONTEXT])[0]) == (12, 16)


def test_an_answer_that_stands_nowhere_stays_a_text_and_its_question_is_never_edited(tmp_path):
    spec = write(tmp_path, squad(asked({"text": "Rome", "answer_start": 0}), asked(LIMA)))
    corpus = load(f"{spec}?lenient")
    first, second = corpus.examples
    assert (first.gold, first.source.placed, second.source.placed) == (("Rome",), False, True)
    assert corpus.unplaced == corpus.repairs == 1
    assert corpus.notices == (TextWith("1 question ", "no place", "never edited."),)


def test_squad_2_has_questions_without_an_answer(tmp_path):
    spec = write(tmp_path, squad(asked(LIMA, is_impossible=False), asked(is_impossible=True), version="v2.0"))
    corpus = load(spec)
    assert corpus.rules.impossible
    assert [each.gold for each in corpus.examples] == [("Lima",), ()]
    assert all(each.source.droppable for each in corpus.examples)


def test_squad_1_asks_for_answers(tmp_path):
    assert "question 'q1': the answers are []; expected" in problem(write(tmp_path, squad(asked())))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"data": [3]}', "before it 3; expected an object with a list under 'paragraphs'"),
        ('{"data": []}', "no questions; expected at least one with its answers"),
        (squad(asked({"text": "Lima"}, question=" ")), "question 'q1': question is ' '; expected text"),
        (squad(asked({"text": 7, "answer_start": 1})), "the answers are"),
    ],
)
def test_what_is_no_question_is_told(tmp_path, text, told):
    assert told in problem(write(tmp_path, text))


def test_a_line_without_a_key_is_told_with_its_line(tmp_path):
    spec = write(tmp_path, json.dumps({**LINE, "answers": ["Lima"]}) + '\n{"context": "x"}\n', "a.jsonl")
    assert problem(spec).startswith(f"{spec}:2: ")


def test_the_language_tells_the_normalisation_unless_the_name_does(tmp_path):
    spec = write(tmp_path, squad(asked(LIMA)))
    assert load(f"{spec}?normalisation=mlqa-de").rules.normalisation == "mlqa-de"
    assert load("bundled:reading-pt").rules.normalisation == "pt"
    assert load("bundled:reading-en").rules.normalisation == "squad"
    assert load(f"{spec}?no_answer=true").examples[0].source.droppable
    assert not load(spec).examples[0].source.droppable
    told = problem(f"{spec}?normalisation=squid")
    assert told.endswith(
        "normalisation=squid; expected one of squad, mlqa-es, mlqa-de, mlqa-zh, fr, pt; did you mean 'squad'?"
    )


def test_written_questions_are_read_again(tmp_path):
    corpus = load("bundled:reading-en", limit=40)
    path = tmp_path / "again.jsonl"
    tasks()["reading"].writers[".jsonl"](corpus, corpus.examples, path, [])
    again = load(str(path))
    assert [record_of(each) for each in again.examples] == [record_of(each) for each in corpus.examples]
    assert again.sha256 == corpus.sha256


def test_passages_are_the_clusters():
    corpus = load("bundled:reading-en")
    assert len({example.cluster for example in corpus.examples}) == 240
    assert len({example.id for example in corpus.examples}) == len(corpus.examples) == 688


@pytest.mark.slow
def test_published_questions_are_read():
    assert len(load(str(published("reading/xquad-en.json"))).examples) == 632
    faquad = str(published("reading/faquad-train.json"))
    assert problem(faquad).startswith(f"{faquad}: 30 problems\n  {faquad} question 35: question '2e69c8349d22")
    corpus = load(f"{faquad}?lenient")
    assert (len(corpus.examples), corpus.repairs, corpus.unplaced) == (837, 30, 0)
    assert corpus.rules.normalisation == "pt"


def test_a_file_in_parts_gives_the_same_questions(tmp_path):
    corpus = load("bundled:reading-en", limit=30)
    path = tmp_path / "lines.jsonl"
    tasks()["reading"].writers[".jsonl"](corpus, corpus.examples, path, [])
    parts = tasks()["reading"].in_parts(str(path), RunOptions())
    source, cut = parts.cut(7)
    read = [example for part in cut for example in parts.read(source, part).examples]
    whole = load(str(path))
    assert [(each.id, each.gold) for each in read] == [(each.id, each.gold) for each in whole.examples]
    assert {each.source.rules for each in read} == {whole.rules}
    assert source.sha256 == whole.sha256


SPELT = ["{'text': ['Ana'], 'answer_start': [0]}", '{"text": ["Ana"], "answer_start": [0]}']
SPELT += ["{'text': array(['Ana'], dtype=object), 'answer_start': array([0], dtype=int32)}", "['Ana']"]


@pytest.mark.parametrize("answers", SPELT)
@pytest.mark.parametrize("separator", [",", "\t"])
def test_squad_as_a_table(tmp_path, answers, separator):
    rows = io.StringIO()
    table = csv.writer(rows, delimiter=separator)
    table.writerows(
        [["id", "Title", "Context", "question", "answers"], ["7", "t", "Ana saiu, Rui não.", "Quem?", answers]]
    )
    spec = write(tmp_path, rows.getvalue(), "a.csv")
    (found,) = load(spec).examples
    assert (found.gold, found.source.key, found.source.placed) == (("Ana",), "7", True)
    assert recognises(spec)


def test_a_table_with_a_column_for_places_and_for_no_answer(tmp_path):
    head = "context,question,answer_text,answer_start,is_impossible\n"
    rows = 'Ana e Ana.,Quem?,Ana,6,False\nAna e Ana.,Quando?,,,True\n"Só, aqui",Quem?,,,True\n'
    found = load(write(tmp_path, head + rows, "a.csv"))
    assert [each.gold for each in found.examples] == [("Ana",), (), ()]
    assert answers_in(found.examples[0].fields["context"])[0].start == 2
    assert "a.csv:2: 4 cells; expected 5" in problem(write(tmp_path, head + "Ana,Quem?,Ana,0\n", "a.csv"))
    assert "question '2'" in problem(write(tmp_path, head + "Ana,Quem?,Ana,x,\n", "a.csv"))


@pytest.mark.parametrize("form", [json.dumps, lambda rows: "".join(json.dumps(each) + "\n" for each in rows)])
def test_passages_with_their_questions_in_a_list(tmp_path, form):
    passage = {
        "context": "Ana saiu.",
        "qas": [{"id": "a", "question": "Quem?", "answers": [{"text": "Ana", "answer_start": 0}]}],
    }
    other = {"context": "Rui caiu.", "qas": [{"qid": "b", "question": "Quem?", "answers": ["Rui"]}, 3]}
    spec = write(tmp_path, form([passage, {**other, "qas": other["qas"][:1]}]))
    assert [(each.source.key, each.gold) for each in load(spec).examples] == [("a", ("Ana",)), ("b", ("Rui",))]
    assert recognises(spec)
    assert "3; expected an object with 'question'" in problem(write(tmp_path, form([passage, other])))
