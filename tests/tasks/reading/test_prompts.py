"""Questions about passages by prompt: what a reply means, and a scripted model that is asked like any other."""

import json

import pytest

from abalo import Session
from abalo.models.prompts.answers import AnswerForm
from abalo.models.questions.scoring import usual_normalisation
from tests.rows import every
from tests.tasks.reading.test_corpus import asked, squad

GIVEN = ("Ana lives in Lima.", "Where does Ana live?")


@every(
    ("reply", "answer"),
    [
        ("Lima", "Lima"),
        ("  “Lima”\n", "Lima"),
        ("Answer: Lima", "Lima"),
        ("**Answer:** Lima", "Lima"),
        ("Let me think.\nShe lives there.\nAnswer: Lima", "Lima"),
        ("Lima\n\nThe passage says so.", "Lima"),
        ("No answer.", ""),
        ('{"answer": "Lima"}', "Lima"),
        ('```json\n{"answer": "Lima"}\n```', "Lima"),
        ('{"answer": null}', ""),
        ('{"answer": "no answer"}', ""),
        ('{"place": 3}', None),
        ('{"answer": ["Lima"]}', None),
        ("", None),
        (" \n ", None),
        ("Answer:", None),
        ("x" * 10_000_000, None),
    ],
)
@every("wants_json", [False, True])
def test_a_reply_is_read_as_an_answer_or_as_none(reply, answer, wants_json):
    assert AnswerForm(json=wants_json).read(reply, GIVEN) == answer


def test_a_prompt_shows_passage_question_and_the_wanted_form():
    form = AnswerForm(json=True)
    assert form.parts(GIVEN) == {"{passage}": GIVEN[0], "{question}": GIVEN[1]}
    assert "{passage}" in form.usual()
    assert "{question}" in form.usual()
    assert form.said(GIVEN, ("Lima", "in Lima")) == '{"answer": "Lima"}'
    assert AnswerForm().said(GIVEN, ()) == "no answer"
    assert json.loads(form.said(GIVEN, ())) == {"answer": None}


MODELS = """
import re

KNOWN = {"live": "Lima", "work": "Rome"}


def answer(question):
    return next((place for verb, place in KNOWN.items() if verb in question), None)


def direct():
    return lambda pairs: [answer(question) for _, question in pairs]


class Speaking:
    draws = False
    sends_to = ""

    def replies(self, prompts):
        found = [answer(prompt[-1]["content"].rpartition("Question: ")[2]) for prompt in prompts]
        return [f'{{"answer": "{each}"}}' if each else "no answer" for each in found]


class Mumbling(Speaking):
    def replies(self, prompts):
        return ["{}" for _ in prompts]


speaking, mumbling = Speaking, Mumbling
"""


@pytest.fixture
def project(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("readers.py").write_text(MODELS, "utf-8")
    lima = asked({"text": "Lima", "answer_start": 16}, question="Where does Ana live?")
    rome = asked({"text": "Rome", "answer_start": 31}, question="Where does Ana work?")
    nowhere = asked(question="Where does Ana sleep?", is_impossible=True)
    text = "Ana Souza lives in Lima and works in Rome."
    lima["answers"][0]["answer_start"], rome["answers"][0]["answer_start"] = text.index("Lima"), text.index("Rome")
    tmp_path.joinpath("corpus.json").write_text(squad(lima, rome, nowhere, version="v2.0", context=text), "utf-8")
    return tmp_path


def scores(model, **options):
    session = Session("reading", model, "corpus.json", **options)
    return {
        name: each.value for name, each in session.baseline.bound_view.overall.items() if name in ("f1", "exact_match")
    }


def test_a_model_that_speaks_scores_as_the_same_model_that_answers(project):
    assert scores("readers.py:speaking") == scores("readers.py:direct") == {"exact_match": 1, "f1": 1}


def test_a_reply_that_cannot_be_read_is_wrong_and_counted(project):
    session = Session("reading", "readers.py:mumbling", "corpus.json")
    assert session.baseline.bound_view.overall["exact_match"].value == 0
    assert session.prepared.facts["tasks"]["reading"]["model"]["unanswered"] == 1


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("Ana vive en la ciudad de Lima y su hermana en el barrio de las flores con los padres", "mlqa-es"),
        ("Die Frau und der Mann wohnen in dem Haus, das nicht von der Stadt ist, und mit den Eltern", "mlqa-de"),
        ("La donna e il marito vivono in una casa con un giardino e la figlia", "squad"),
        ("De vrouw en de man wonen in een huis met de ouders en die kinderen", "squad"),
        ("", "squad"),
    ],
)
def test_the_usual_normalisation_follows_the_commonest_words(text, rules):
    assert usual_normalisation("", text.replace(",", "").split()) == rules


def test_a_known_language_has_its_own():
    assert [usual_normalisation(code, []) for code in ("pt", "fr", "zh", "en")] == ["pt", "fr", "mlqa-zh", "squad"]
