"""Capabilities put to models of which it is known what they can do."""

import json
from types import SimpleNamespace

import numpy as np
import pytest

from abalo.attacks.log import FORMAT
from abalo.config.thresholds import case_of
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.running.judging import judge_case
from abalo.core.statistics.evidence import from_bytes, join_trainings, to_bytes
from abalo.corpora.running_text import running_text
from abalo.errors import AbaloError
from abalo.models.labelling.classified import Classified
from abalo.models.labelling.prediction import Prediction
from abalo.questions.question import Choice
from abalo.tasks.choice.corpus import Questionnaire
from abalo.tasks.choice.models.black_box import BlackBox
from abalo.tasks.classification.corpus import LabelledTexts
from tests.scripted import Gazetteer, ScriptedModel, corpus_of, session_of
from tests.texts import TextWith

GATE = Gate(resamples=200)
CORPUS = corpus_of("[Ana PESSOA] vive em [Natal LOCAL] .", "[Rui PESSOA] vive em [Belém LOCAL] .")
KNOWS = Gazetteer("[Ana PESSOA] [Natal LOCAL]", "[Rui PESSOA] [Belém LOCAL]")
TOWNS = [f"Vila{k}" for k in range(100)]


def knowing(count):
    """A model that knows the first of these towns."""
    return Gazetteer("[Ana PESSOA] [Natal LOCAL] [Belém LOCAL]", *(f"[{town} LOCAL]" for town in TOWNS[:count]))


@pytest.fixture
def judge():
    """Runs and judges one capability; gives the run and what was judged."""

    def run(model=KNOWS, corpus=CORPUS, **values):
        case = case_of(tasks()["ner"], "capability", {"name": "x", **values}, GATE)
        return session_of(corpus, model, gate=GATE).judge(case)

    return run


@pytest.fixture
def faults(judge):
    """The faults of the fillings that broke."""

    def of(*given, **values):
        run, _ = judge(*given, **values)
        return [each["fault"] for each in run.facts["capability"]["failures"]]

    return of


# Minimum functionality ------------------------------------------------------------------------------------------------


def test_where_all_fillings_are_run_the_number_alone_decides(judge):
    values = {"templates": ["Em [{town} LOCAL]"], "town": TOWNS[:10]}
    for known, verdict in ((9, "pass"), (8, "fail")):
        run, found = judge(knowing(known), **values, min_pass_rate=0.9)
        estimate = found.bound_view.estimate("pass_rate")
        assert (estimate.value, estimate.low, estimate.high) == (known / 10,) * 3
        assert found.verdict == verdict
        assert run.facts["capability"]["census"]
        assert run.facts["capability"]["failed"] == 10 - known


def test_a_fail_of_all_fillings_stands_however_many_bounds_are_corrected_for(judge):
    run, found = judge(knowing(0), templates=["Em [{town} LOCAL]"], town=TOWNS[:3], min_pass_rate=0.5)
    again = judge_case(found.case, tasks()["ner"], run.evidence, GATE, 1000)
    assert (again.verdict, again.deciding.p) == ("fail", 0.0)


def test_a_sample_has_an_interval_that_holds_the_rate_of_all(judge):
    _, found = judge(knowing(80), templates=["Em [{town} LOCAL]"], town=TOWNS, sample=60, min_pass_rate=0.3)
    estimate = found.bound_view.estimate("pass_rate")
    assert estimate.low < 0.8 < estimate.high
    assert (estimate.n, found.verdict) == (60, "pass")


def test_a_sample_too_small_for_all_templates_is_none_of_all_fillings(judge):
    run, found = judge(templates=["[Ana PESSOA] saiu", "[Zé PESSOA] saiu"], sample=1, min_pass_rate=0.9)
    assert [part["run"] for part in run.facts["capability"]["templates"]] == [1, 0]
    assert (found.verdict, found.deciding.reason) == ("inconclusive", "fewer than 50 distinct fillings (1)")


def test_below_fifty_fillings_a_sample_passes_nothing_and_fails_by_the_exact_law(judge):
    asked = {"templates": ["Em [{town} LOCAL]"], "town": TOWNS, "sample": 49, "min_pass_rate": 0.9}
    _, found = judge(knowing(len(TOWNS)), **asked)
    assert (found.verdict, found.deciding.reason) == ("inconclusive", "fewer than 50 distinct fillings (49)")
    assert judge(knowing(0), **asked)[1].verdict == "fail"


def test_rates_per_template_stand_beside_that_of_all(judge):
    _, found = judge(
        knowing(5), templates=["Em [{town} LOCAL]", "[{town} LOCAL] e [Xis LOCAL]"], town=TOWNS[:5], min_pass_rate=0.5
    )
    rates = {name: own["pass_rate"].value for name, own in found.bound_view.per_group.items()}
    assert rates == {"template 1": 1.0, "template 2": 0.0}
    assert found.bound_view.estimate("pass_rate").value == 0.5


def test_a_filling_has_to_be_wholly_right(faults):
    assert faults(templates=["[Ana PESSOA] e Natal"]) == ["invented [Natal LOCAL]"]
    assert faults(templates=["[Ana PESSOA] e [Zé PESSOA]"]) == ["missed [Zé PESSOA]"]
    assert faults(templates=["[Ana PESSOA] em [Natal LOCAL]"]) == []


def test_what_broke_is_shown_with_what_is_right(judge):
    run, _ = judge(templates=["[{who} PESSOA] saiu"], who=["Ana", "Zé"])
    (failure,) = run.facts["capability"]["failures"]
    assert failure == {
        "template": "template 1",
        "values": {"who": "Zé"},
        "fault": "missed [Zé PESSOA]",
        "shown": [{"which": "right", "text": "[Zé PESSOA] saiu"}, {"which": "predicted", "text": "Zé saiu"}],
    }
    assert [record["tokens"] for record in run.records] == [("Zé", "saiu")]


def test_a_type_that_neither_corpus_nor_model_has_is_an_error(judge):
    with pytest.raises(AbaloError, match="no entity type 'LOCALE' in corpus or model; did you mean 'LOCAL'"):
        judge(templates=["Em [Natal LOCALE]"])


# Invariance -----------------------------------------------------------------------------------------------------------


def test_where_a_name_changes_no_entity_may_be_lost(faults):
    values = {"templates": ["{who} vive em Natal"], "change": "who"}
    assert faults(**values, who=["Ana", "Rui"]) == []
    assert sorted(faults(**values, who=["Ana", "Zé"])) == ["lost [Ana PESSOA]", "new [Ana PESSOA]"]


def test_an_entity_may_change_its_length_with_its_slot(faults):
    model = Gazetteer("[Ana Sá Melo PESSOA]", "[Rui PESSOA]", "[Natal LOCAL]")
    assert faults(model, templates=["hoje {who} vive em Natal"], change="who", who=["Ana Sá Melo", "Rui"]) == []


def test_words_put_in_change_nothing(faults):
    values = {"templates": ["{who} {neg} vive em Natal"], "who": ["Ana", "Rui"], "change": "neg"}
    assert faults(**values, neg=[{"neg": "", "to": "não"}, {"neg": "já", "to": ""}]) == []


def test_at_most_the_entity_in_a_slot_may_change(faults):
    values = {"templates": ["{who} vive em Natal"], "change": "who", "who": ["Ana", "Zé"]}
    assert faults(**values, expect="at most the entity in {who} changes") == []
    forgets = ScriptedModel(lambda word: {"Ana": "B-PESSOA", "Natal": "B-LOCAL"}.get(word, "O"))
    forgets.predict = lambda batch: [
        Prediction(tuple("O" if "Zé" in each.tokens else forgets.tag(word) for word in each.tokens)) for each in batch
    ]
    assert sorted(faults(forgets, **values, expect="at most the entity in {who} changes")) == [
        "lost [Natal LOCAL]",
        "new [Natal LOCAL]",
    ]


def test_sentences_of_the_corpus_are_changed_too(faults):
    town = [{"town": "Natal", "to": "Belém"}, {"town": "Belém", "to": "Xis"}]
    assert faults(templates="corpus", change="town", town=town) == ["lost [Belém LOCAL]"]


# Directional ----------------------------------------------------------------------------------------------------------


class Unsure(Gazetteer):
    """Gives a score to its label, less where the sentence has a "talvez"."""

    def predict(self, sentences):
        found = []
        for sentence, each in zip(sentences, super().predict(sentences), strict=True):
            scores = np.zeros((len(each.tags), len(self.labels)), dtype=np.float32)
            sure = 0.05 if "talvez" in sentence.tokens else 0.2  # over a temperature of 0.05
            for row, tag in enumerate(each.tags):
                scores[row, self.labels.index(tag)] = sure
            found.append(Prediction(each.tags, scores))
        return found


DOUBT = {
    "templates": ["{how} vive em [Natal LOCAL]"],
    "change": "how",
    "how": [{"how": "Ela", "to": "Ela talvez"}, {"how": "Ele", "to": "Ele também"}],
}


@pytest.mark.parametrize(
    ("expect", "broken"),
    [
        ("falls", 1),
        ("does not fall", 1),
        ("rises", 2),
        ("does not rise", 0),
        ("falls by more than 0.1", 1),
        ("falls by more than 0.9", 2),
        ("does not fall by more than 0.9", 0),
    ],
)
def test_a_confidence_may_be_expected_to_move(judge, expect, broken):
    run, _ = judge(
        Unsure("[Ana PESSOA] [Natal LOCAL] [Belém LOCAL] [Rui PESSOA]"), **DOUBT, expect=f"confidence of LOCAL {expect}"
    )
    assert run.facts["capability"]["failed"] == broken


def test_a_model_without_scores_leaves_it_undecided(judge):
    run, found = judge(**DOUBT, expect="confidence of LOCAL falls", min_pass_rate=0.5)
    assert (found.verdict, found.deciding.reason) == (
        "inconclusive",
        TextWith("no confidence"),
    )
    assert run.facts["capability"]["undecided"] == 2


def test_a_confidence_of_a_label_that_no_template_has_is_an_error(judge):
    with pytest.raises(AbaloError, match="has no PESSOA, of which it expects a confidence"):
        judge(**DOUBT, expect="confidence of PESSOA falls")


def test_a_label_that_nobody_has_is_an_error_in_what_is_expected_too(judge):
    with pytest.raises(AbaloError, match="no entity type 'LOCALE' in corpus or model; did you mean 'LOCAL'"):
        judge(templates=["hoje {x} sorri"], x=["Ana", "Rui"], change="x", expect="label does not become LOCALE")


@pytest.mark.parametrize(
    ("expect", "expected"),
    [
        ("label becomes PESSOA", ["is LOCAL, not PESSOA"]),
        ("label of {x} becomes PESSOA", ["is LOCAL, not PESSOA"]),
        ("label does not become LOCAL", ["became LOCAL"]),
        ("label of {x} does not become LOCAL", ["became LOCAL"]),
        ("label does not become PESSOA", []),
    ],
)
def test_a_label_may_be_expected(faults, expect, expected):
    x = [{"x": "Ana", "to": "Natal"}]
    assert faults(templates=["hoje {x} sorri"], x=x, change="x", expect=expect) == expected


# Known failures -------------------------------------------------------------------------------------------------------


def test_of_a_saved_failure_the_entity_that_was_lost_has_to_be_found(judge, tmp_path):
    saved = {
        "attack": "by_hand",
        "seed": 1,
        "tokens": ["Ana", "vive", "em", "Natal"],
        "tags": ["B-PESSOA", "O", "O", "B-LOCAL"],
        "spaces": [" ", " ", " ", ""],
        "edits": [{"start": 1, "stop": 2, "tokens": ["mora", "bem"]}],
        "target": [3, 4, "LOCAL"],
        "labels": {"clean": ["B-LOCAL"], "attacked": ["O"]},
        "broken": True,
    }
    path = tmp_path / "failures.jsonl"
    path.write_text("\n".join(map(json.dumps, [{"format": FORMAT}, saved])) + "\n", encoding="utf-8")
    values = {"templates": f"failures:{path}", "min_pass_rate": 1.0}
    for model, verdict in ((Gazetteer("[Natal LOCAL]"), "pass"), (Gazetteer("[Ana PESSOA]"), "fail")):
        run, found = judge(model, **values)
        assert (found.verdict, run.facts["capability"]["exist"]) == (verdict, 1)


def test_lines_of_tasks_with_several_fields_have_tabs_between_them(tmp_path):
    path = tmp_path / "failures.tsv"
    path.write_text("Good, not great.\tpositive\nNever again.\tnegative\n", encoding="utf-8")
    run, _ = of_texts({"name": "x", "templates": f"failures:{path}"})
    assert [each["fault"] for each in run.facts["capability"]["failures"]] == ["labelled positive, not negative"]


# Other tasks ----------------------------------------------------------------------------------------------------------


def of_texts(values, *, several=False):
    """The capability put to a classifier, sure by 0.9 of "negative" where there is a "bad", else of "positive"."""

    def read(texts):
        bad = np.array(["bad" in text for text in texts], dtype=np.float32)
        sure = 0.1 + 0.8 * np.stack([bad, 1 - bad], axis=1)
        return [Classified((NAMES[row.argmax()],), row, names=NAMES) for row in sure]

    model = SimpleNamespace(
        name="x", fingerprint="x", labels=NAMES, mask_token=None, device="cpu", settings={}, predict=read
    )
    texts = ("Natal is bad.", "All is well.", "Natal is bad, and Natal is far.")
    golds = (("negative",), ("positive",), ("negative",))
    corpus = LabelledTexts("x", tuple(map(running_text, texts)), "one label", golds=golds, several=several)
    case = case_of(tasks()["classification"], "capability", values, GATE)
    return session_of(corpus, model, task="classification", gate=GATE, seeds=(1,)).judge(case)


NAMES = ("negative", "positive")


@pytest.mark.parametrize(
    ("values", "faults"),
    [
        (
            {"templates": [{"text": "It is {x}.", "label": "{x.is}"}], "x": [{"x": "bad", "is": "positive"}]},
            ["labelled negative, not positive"],
        ),
        (
            {"templates": ["It is {x} ok."], "x": [{"x": "", "to": "bad"}, {"x": "", "to": "so"}], "change": "x"},
            ["was labelled positive, is labelled negative"],
        ),
        (
            {
                "templates": ["It is {x} ok."],
                "x": [{"x": "", "to": "bad"}, {"x": "", "to": "so"}],
                "change": "x",
                "expect": "confidence of positive falls by more than 0.5",
            },
            ["confidence of positive 0.9000, then 0.9000"],
        ),
        (
            {
                "templates": "corpus",
                "change": "x",
                "x": [{"x": "bad", "to": "nice"}],
                "expect": "label becomes positive",
            },
            [],
        ),
        (
            {
                "templates": "corpus",
                "change": "x",
                "x": [{"x": "Natal", "to": "Oslo"}],
                "expect": "label becomes positive",
            },
            ["is negative, not positive"] * 2,
        ),
    ],
)
def test_labels_of_whole_texts_are_judged(values, faults):
    run, _ = of_texts({"name": "x", **values})
    assert [each["fault"] for each in run.facts["capability"]["failures"]] == faults


def test_in_a_text_of_the_corpus_every_place_changes_at_once():
    run, _ = of_texts({"name": "x", "templates": "corpus", "change": "x", "x": [{"x": "Natal", "to": "bad"}]})
    assert run.facts["capability"]["run"] == 2
    run, _ = of_texts(
        {"name": "x", "templates": "corpus", "change": "x", "x": [{"x": "Nat", "to": "bad"}, {"x": "All", "to": "bad"}]}
    )
    (failure,) = run.facts["capability"]["failures"]
    assert [each["text"] for each in failure["shown"]] == ["All is well. (positive)", "bad is well. (negative)"]


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"templates": [{"text": "It is bad.", "label": "negativ"}]}, "no label 'negativ' in corpus or model; did you"),
        (
            {"templates": ["It {x}."], "x": ["a", "b"], "change": "x", "expect": "label does not become sad"},
            "no label 'sad' in corpus or model",
        ),
        (
            {"templates": [{"text": "It is bad.", "label": ["positive", "negative"]}]},
            "a text of this corpus has one label",
        ),
    ],
)
def test_labels_that_no_text_can_have_are_errors(values, said):
    with pytest.raises(AbaloError, match=said):
        of_texts({"name": "x", **values})


QUESTION = {"question": "Which is {x} ?", "options": ["dog", "cat"], "answer": "dog"}


def test_in_a_question_of_the_corpus_its_options_change_too():
    corpus = Questionnaire(
        "by hand",
        (
            Choice("q", "Is Natal in Natal or in Belém ?", ("in Natal", "in Belém"), 0),
            Choice("r", "Is Natal as far as Oslo ?", ("Natal", "Oslo"), 0),
        ),
    )
    values = {"name": "x", "templates": "corpus", "change": "x", "x": [{"x": "Natal", "to": "Oslo"}]}
    case = case_of(tasks()["choice"], "capability", values, GATE)
    model = BlackBox("by hand", "1", lambda question, options: int("Oslo" in question))
    run, _ = session_of(corpus, model, task="choice", gate=GATE).judge(case)
    (failure,) = run.facts["capability"]["failures"]  # of the other question two options would be the same
    assert failure["fault"] == "answered 'in Natal', then 'in Belém'"
    assert failure["shown"][1]["text"] == "Is Oslo in Oslo or in Belém ? in Oslo / [in Belém]"


def test_an_answer_that_is_no_option_cannot_be_expected():
    values = {"templates": [QUESTION], "x": ["big", "tame"], "change": "x", "expect": "answer does not become dogg"}
    case = case_of(tasks()["choice"], "capability", {"name": "x", **values}, GATE)
    corpus = Questionnaire("by hand", (Choice("q", "Which is it?", ("dog", "cat"), 0),))
    model = BlackBox("by hand", "1", lambda question, options: 0)
    with pytest.raises(AbaloError, match="no question has an option 'dogg'; did you mean 'dog'"):
        session_of(corpus, model, task="choice", gate=GATE).judge(case)


def test_answers_are_compared_with_the_right_option():
    question = {"question": "Which is {x} ?", "options": ["{x.is}", "{x2.is}"], "answer": "{x.is}"}
    rows = [{"x": "a dog", "is": "dog"}, {"x": "a cat", "is": "cat"}, {"x": "a cow", "is": "cow"}]
    case = case_of(tasks()["choice"], "capability", {"name": "x", "templates": [question], "x": rows}, GATE)
    corpus = Questionnaire("by hand", (Choice("q", "Which is it?", ("dog", "cat"), 0),))
    model = BlackBox("by hand", "1", lambda question, options: options.index("cat") if "cat" in options else 0)
    run, found = session_of(corpus, model, task="choice", gate=GATE).judge(case)
    assert found.bound_view.estimate("pass_rate").value == pytest.approx(4 / 6)
    assert {each["fault"] for each in run.facts["capability"]["failures"]} == {"answered 'cat'"}


# Evidence -------------------------------------------------------------------------------------------------------------


def test_evidence_read_back_is_judged_alike(judge):
    run, found = judge(knowing(70), templates=["Em [{town} LOCAL]"], town=TOWNS, sample=60, min_pass_rate=0.5)
    evidence = from_bytes(to_bytes({"x": run.evidence}))["x"]
    again = judge_case(found.case, tasks()["ner"], evidence, GATE, 1)
    assert again.judgements == found.judgements


def test_of_several_trainings_the_number_is_the_mean(judge):
    values = {"templates": ["Em [{town} LOCAL]"], "town": TOWNS[:10], "min_pass_rate": 0.7}
    runs = [judge(knowing(known), **values) for known in (10, 5)]
    together = join_trainings([run.evidence for run, _ in runs])
    found = judge_case(runs[0][1].case, tasks()["ner"], together, GATE, 1)
    estimate = found.bound_view.estimate("pass_rate")
    assert (estimate.value, estimate.low, estimate.by_training) == (0.75, 0.75, (1.0, 0.5))
    assert found.verdict == "pass"
