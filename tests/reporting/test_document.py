"""The document behind every report: plain JSON values, one result per case and view, and the verdict on the run."""

import json
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.config.options import make_options
from abalo.config.thresholds import Thresholds
from abalo.core.documents.found import Result
from abalo.core.protocols.probe import Case, metrics_of
from abalo.core.protocols.results import probe_of
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.core.records.gate import Gate
from abalo.core.running.judging import judge_case
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import Bound
from abalo.corpora import Corpus
from abalo.models.tokens.scores import ScoreScale
from abalo.reporting.documents.document import assemble, results_of
from abalo.run.opened import Opened
from abalo.run.prepared import Prepared
from abalo.run.spec import RunSpec
from abalo.tasks.ner.task import NamedEntities
from tests.reporting.documents import judgement, result, result_of, sample
from tests.rows import every
from tests.scripted import Gazetteer, ScriptedModel, corpus_of, session_of
from tests.scripted import read_case as case
from tests.texts import TextWith

GATE = Gate(resamples=300)
PEOPLE = corpus_of(
    *(f"[José{i} PESSOA] mora em [Belém LOCAL]" for i in range(60)), "[José0 PESSOA] mora em [Belém LOCAL]"
)
KNOWN = (*(f"[José{i} PESSOA]" for i in range(60)), "[Belém LOCAL]", "[Belem LOCAL]")
MODEL = Gazetteer(*KNOWN)
MASKS = Gazetteer(*KNOWN, mask_token="<mask>")
BOUND = Bound("f1_drop", "max", 0.1)
TASK = tasks()["ner"]


def results(
    what: Case, corpus: Corpus = PEOPLE, model: ScriptedModel = MASKS, m: int = 1, gate: Gate = GATE, **more: Any
):
    run = session_of(corpus, model, gate=gate, **more).run(what)
    found = judge_case(what, TASK, run.evidence, gate, m)
    return typed.as_json(results_of(found, TASK, gate, {**run.facts, "command": "pytest …"}, run.examples))


def is_plain(value: Any) -> bool:
    """Whether json and execnet take it: exactly Python's own types, not NumPy's that derive from them."""
    if type(value) is dict:
        return all(type(key) is str and is_plain(each) for key, each in value.items())
    if type(value) is list:
        return all(map(is_plain, value))
    return type(value) in (str, int, float, bool, type(None))


def test_numpy_numbers_would_be_found():
    assert not is_plain({"a": [np.float64(1)]})
    assert not is_plain({"a": (1,)})


ACCENTS = case("accents", BOUND, Bound("f1_drop", "max", 0.1, "PESSOA"))


@pytest.mark.parametrize(
    "what",
    [
        ACCENTS,
        case(BASELINE, Bound("f1", "min", 0.5)),
        case("synonyms", BOUND),
        case("token_masking", BOUND, rate=0.5, mask_token="auto", view="structural"),
        case("word_insertion", fillers=["xxx"]),
    ],
    ids=lambda what: what.name,
)
def test_results_are_plain_values_and_the_bound_view_comes_first(what):
    found = results(what)
    assert is_plain(found)
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert found[0]["view"] == what.view
    assert sorted(each["view"] for each in found) == ["padded", "projected", "structural"]
    assert {each["id"] for each in found} == {what.id}


def test_what_was_run_is_in_every_view():
    masking = results(case("token_masking", rate=1.0, mask_token="auto"))
    for each in masking:
        assert (each["task"], each["name"]) == ("ner", "token_masking")
        assert each["params"] == {"rate": 1.0, "mask_token": "<mask>"}
        assert (each["seeds"], each["command"], each["blocking"]) == ([1, 2], "pytest …", True)


def test_sentences_copies_changes_and_variants_are_counted():
    half = corpus_of(*(f"[Ana{i} PESSOA] saiu" for i in range(59)), "[José0 PESSOA] saiu", "[José0 PESSOA] saiu")
    found = results(case("accents"), half)[0]
    assert (found["sentences"], found["distinct"]) == (61, 60)
    assert (found["changed"], found["variants"], found["inputs"]) == (2, 4, 1)


def test_a_sentence_is_changed_when_one_of_its_seeds_changed_it():
    found = results(case("character_noise", rate=0.03))[0]
    assert 0 < found["changed"] < found["variants"]
    assert found["changed"] <= found["sentences"] == 61


def test_only_the_bound_view_is_judged():
    bound, *others = results(ACCENTS, m=7)
    assert (bound["verdict"], bound["verdict_uncorrected"], bound["p"], bound["m"]) == ("fail", "fail", 0.0, 7)
    assert bound["bound"] == {"max_f1_drop": {"overall": 0.1, "PESSOA": 0.1}}
    assert bound["reason"] is None
    for other in others:
        assert [other[name] for name in ("bound", "verdict", "reason", "p", "m", "verdict_uncorrected")] == [None] * 6
        assert (other["judgements"], other["examples"]) == ([], [])


def test_one_bound_over_all_types_is_a_number():
    assert results(case("accents", BOUND))[0]["bound"] == {"max_f1_drop": 0.1}


def test_each_judgement_stands_with_its_numbers():
    overall, people = results(ACCENTS, m=2)[0]["judgements"]
    assert people == {
        "bound": "max_f1_drop",
        "type": "PESSOA",
        "limit": 0.1,
        "value": 1.0,
        "low": pytest.approx(0.9414, abs=5e-4),
        "high": 1.0,
        "p": 0.0,
        "verdict": "fail",
        "verdict_uncorrected": "fail",
        "reason": None,
        "needed": None,
        "detectable_loss": 0.0,
    }
    assert overall["type"] is None
    assert overall["value"] == pytest.approx(1 / 3)


def test_what_has_no_value_is_null_and_not_zero():
    found = results(case("synonyms", Bound("f1_drop_changed", "max", 0.1), Bound("f1", "min", 0.1, "TEMPO")))[0]
    assert (found["metrics"]["f1_changed"], found["metrics"]["f1_drop_changed"]) == (None, None)
    drop = found["metrics"]["f1_drop"]
    assert (drop["value"], drop["n"]) == (0.0, 60)
    assert -drop["low"] == drop["high"] == pytest.approx(0.0605, abs=5e-4)
    assert [each["value"] for each in found["judgements"]] == [None, None]
    assert (found["verdict"], found["reason"], found["p"]) == (
        "inconclusive",
        TextWith("no sentence", "place"),
        None,
    )


def test_without_correction_m_is_one():
    assert results(ACCENTS, m=7, gate=Gate(resamples=300, correction="none"))[0]["m"] == 1


def test_numbers_per_type_come_with_their_support():
    found, measured = results(ACCENTS)[0]["per_type"], metrics_of(ACCENTS.probe, TASK)
    assert set(found) == {"LOCAL", "PESSOA"}
    assert set(found["PESSOA"]) == {name for name, metric in measured.items() if metric.per_group} | {"support"}
    assert found["PESSOA"]["support"] == 61  # copies counted, seeds not
    assert found["LOCAL"]["f1_drop"]["value"] == 0


def test_examples_are_those_of_the_bound_view_and_without_text_there_are_none():
    bound, *others = results(ACCENTS)
    assert len(bound["examples"]) == 10
    assert [each["examples"] for each in others] == [[], []]
    hidden = results(ACCENTS, with_text=False)
    assert [each["examples"] for each in hidden] == [[], [], []]
    assert "José" not in json.dumps(hidden, ensure_ascii=False)


def document_of(
    *found: dict[str, Any],
    model: ScriptedModel = MODEL,
    path: str | None = "mine",
    gate: Gate = GATE,
    scale: ScoreScale | None = None,
    **options: Any,
) -> dict[str, Any]:
    """The document of these results, and of facts about the people and a model of them.

    ``path`` is what the run calls the model, None for the one that ships, ``options`` what else it is asked for.
    """
    thresholds = Thresholds(Path("some/where/mine.toml"), gate, ())
    asked = make_options(thresholds=thresholds.path, seeds=(1, 2), model=path, **options)
    prepared = Prepared(Opened(RunSpec(TASK, asked, thresholds), PEOPLE, [model]))
    if scale is not None:
        prepared.engine.predictor.scale = lambda: scale
    return typed.as_json(assemble(prepared.facts, [typed.read(Result, each) for each in found], [], [], complete=True))


def test_facts_are_plain_values_and_name_model_corpus_and_gate():
    found = document_of()
    assert is_plain(found)
    json.dumps(found, allow_nan=False)
    assert {"abalo", "python", "torch", "transformers"} <= set(found["versions"])
    assert ("spacy" in found["versions"]) == (find_spec("spacy") is not None)
    assert len(found["model"].pop("predictions")) == 32
    assert found["model"] == {
        "name": "scripted",
        "version": None,
        "differing": None,
        "black_box": True,
        "fingerprint": "scripted-1",
        "labels": ["O", "B-PESSOA", "I-PESSOA", "B-LOCAL", "I-LOCAL"],
        "mask_token": "[MASK]",
        "mask_fallback": True,
        "settings": {"dtype": "fp32"},
        "wordless": 0,
        "temperature": None,
        "temperature_at_limit": None,
    }
    assert (found["corpus"]["sentences"], found["corpus"]["distinct"], found["corpus"]["tokens"]) == (61, 60, 244)
    assert found["corpus"]["entities"] == {"LOCAL": 61, "PESSOA": 61}
    assert found["corpus"]["sha256"] == PEOPLE.sha256
    assert (found["device"], found["seeds"], found["inputs"]) == ("cpu", [1, 2], {"clean": 60, "cases": 0})
    assert found["baseline"]["f1"] == {"value": 1.0, "low": pytest.approx(0.9395, abs=5e-4), "high": 1.0, "n": 60}
    assert set(found["baseline"]["per_type"]["LOCAL"]) == {"precision", "recall", "f1", "support"}


def test_the_gate_is_what_the_thresholds_and_the_run_say():
    strict = Gate(0.9, inconclusive="fail", correction="none", resamples=200, language="en")
    assert document_of(gate=strict, profile="ci")["gate"] == {
        "thresholds": "mine.toml",
        "confidence": 0.9,
        "inconclusive": "fail",
        "correction": "none",
        "bounds": 0,
        "resamples": 200,
        "language": "en",
        "seeds": [1, 2, 4],
        "profile": "ci",
    }


def test_the_models_own_mask_token_is_no_fallback_and_one_that_is_asked_for_comes_first():
    own, asked = document_of(model=MASKS)["model"], document_of(model=MASKS, mask_token="[GONE]")["model"]
    assert (own["mask_token"], own["mask_fallback"]) == ("<mask>", False)
    assert (asked["mask_token"], asked["mask_fallback"]) == ("[GONE]", False)


class Odd(Gazetteer):
    """Of every sentence with an odd number, one word has no piece."""

    def predict(self, sentences):
        odd = [any(word[-1] in "13579" for word in sentence.tokens) for sentence in sentences]
        return [replace(each, wordless=int(k)) for each, k in zip(super().predict(sentences), odd, strict=True)]


def test_words_without_pieces_are_summed_up():
    assert document_of(model=Odd(*KNOWN))["model"]["wordless"] == 30


@pytest.mark.parametrize(("temperature", "at_limit"), [(1.3, False), (20.0, True), (0.05, True)])
def test_the_temperature_is_a_fact_about_the_model(temperature: float, at_limit: bool):
    model = document_of(scale=ScoreScale(MODEL.labels, temperature))["model"]
    assert (model["temperature"], model["temperature_at_limit"]) == (temperature, at_limit)


class Scored(Gazetteer):
    """Gives scores too, for the labels it is told to have."""

    def __init__(self, *labels: str) -> None:
        super().__init__("[Belém LOCAL]")
        self.labels = labels

    def predict(self, sentences):
        told = super().predict(sentences)
        return [replace(each, scores=np.zeros((len(each.tags), len(self.labels)), np.float32)) for each in told]


@pytest.mark.parametrize(
    ("model", "unscored"),
    [(MODEL, None), (Scored("O", "B-LOCAL"), 61), (Scored("O", "B-LOCAL", "B-PESSOA"), 0)],
    ids=["no scores", "people unknown", "all known"],
)
def test_entity_tokens_whose_label_the_model_lacks_are_counted_once_for_all_seeds(model, unscored):
    found = results(case("character_noise"), model=model)
    assert [each["unscored"] for each in found] == [unscored] * 3


def test_model_inputs_are_added_up_and_what_attacks_share_counts_once():
    noise = results(case("character_noise"))
    aimed = [results(case("char_typo", span_source=source)) for source in ("oracle", "predicted")]
    oracle, predicted = aimed[0][0], aimed[1][0]
    assert predicted["shared_inputs"] == predicted["inputs"] == oracle["inputs"] > 0
    expected = {"clean": 60, "cases": noise[0]["inputs"] + oracle["inputs"]}
    assert document_of(*noise, *aimed[0], *aimed[1])["inputs"] == expected


def test_an_attack_says_whose_spans_it_is_aimed_at_in_every_view():
    found = results(case("insert", span_source="predicted"))
    assert [(each["id"], each["span_source"]) for each in found] == [("ner/insert[predicted]", "predicted")] * 3


def test_the_model_that_ships_is_called_so_wherever_it_lies():
    assert document_of(path=None)["model"]["name"] == "the bundled model"


class Halved(Gazetteer):
    """Finds both entities of a sentence, and with the other aggregation the first alone."""

    def predict(self, sentences):
        told = super().predict(sentences)
        return [replace(each, alternative=(each.tags[0], *["O"] * (len(each.tags) - 1))) for each in told]


def test_the_other_aggregation_of_word_pieces_is_scored_on_the_same_forward():
    model = Halved(*KNOWN)
    assert document_of(model=model)["baseline"]["f1_other_aggregation"] == pytest.approx(2 / 3)
    assert len(model.asked) == 60
    assert document_of()["baseline"]["f1_other_aggregation"] is None


def test_the_whole_document_has_the_fields_of_the_sample_that_all_reports_are_tested_with():
    found = document_of(*results(ACCENTS))
    expected = sample()
    assert {*found, "evidence_sha256"} == {*expected}
    for name in ("model", "corpus", "gate", "baseline"):
        assert found[name].keys() == expected[name].keys()
    assert found["tasks"]["ner"].keys() == expected["tasks"]["ner"].keys()
    ours, theirs = found["results"][0], result_of(expected, "accents")
    assert ours.keys() == theirs.keys()
    assert ours["judgements"][0].keys() == theirs["judgements"][0].keys()
    assert ours["metrics"].keys() == theirs["metrics"].keys()
    assert ours["examples"][0].keys() == result_of(expected, "word_insertion")["examples"][0].keys()
    assert (ours["headline"], probe_of(typed.read(Result, ours))) == (
        theirs["headline"],
        probe_of(typed.read(Result, theirs)),
    )


FACTS = {"gate": {"inconclusive": "pass"}, "device": "cpu"}
STRICT = {"gate": {"inconclusive": "fail"}}


def verdicts(*given: str | None, blocking: bool = True, **more: Any) -> list[dict[str, Any]]:
    """Results with a bound each that was judged so, or without one."""
    values = {"pass": 0.05, "inconclusive": 0.08, "fail": 0.3}
    return [
        {
            **result(
                "accents",
                {},
                0.8,
                [judgement("max_f1_drop", 0.1, values[verdict], verdict, **more)] if verdict else [],
                blocking=blocking,
            ),
            "id": f"ner/{i}",
        }
        for i, verdict in enumerate(given)
    ]


@every(
    ("found", "gate", "expected"),
    [
        (verdicts("pass", None, None), FACTS, "pass"),
        (verdicts("pass", "inconclusive"), FACTS, "pass"),
        (verdicts("pass", "inconclusive"), STRICT, "inconclusive"),
        (verdicts("pass") + verdicts("inconclusive", blocking=False), STRICT, "pass"),
        (verdicts("pass", "fail", "inconclusive"), FACTS, "fail"),
        (verdicts("pass") + verdicts("fail", blocking=False), STRICT, "pass"),
        (verdicts("fail", blocking=False), FACTS, "measured"),
        (verdicts("inconclusive", "inconclusive"), FACTS, "pass"),
        (verdicts("inconclusive", "inconclusive", p=None), FACTS, "measured"),
        (verdicts(None, None), FACTS, "measured"),
        ([], FACTS, "measured"),
        ([], {}, "measured"),
    ],
)
def test_the_verdict_on_a_run_that_came_to_its_end(found, gate, expected):
    document = typed.as_json(assemble(gate, [typed.read(Result, each) for each in found], [], [], complete=True))
    assert (document["verdict"], document["complete"]) == (expected, True)


def test_an_error_fails_the_run():
    errors = [{"id": "ner/accents", "message": "no model today"}]
    document = typed.as_json(
        assemble(FACTS, [typed.read(Result, each) for each in verdicts("pass")], [], errors, complete=True)
    )
    assert (document["verdict"], document["complete"], document["errors"]) == ("fail", False, errors)


def test_a_case_without_a_result_leaves_the_run_incomplete_and_no_pass():
    document = typed.as_json(
        assemble(FACTS, [typed.read(Result, each) for each in verdicts("pass")], ["ner/z", "ner/a"], [], complete=True)
    )
    assert (document["verdict"], document["complete"]) == ("inconclusive", False)
    assert document["missing"] == ["ner/a", "ner/z"]


def test_an_interrupted_run_is_no_pass():
    document = typed.as_json(
        assemble(FACTS, [typed.read(Result, each) for each in verdicts("pass")], [], [], complete=False)
    )
    assert (document["verdict"], document["complete"]) == ("inconclusive", False)


def test_what_failed_already_stays_failed_when_the_run_is_interrupted():
    assert (
        typed.as_json(
            assemble(FACTS, [typed.read(Result, each) for each in verdicts("fail")], ["ner/a"], [], complete=False)
        )["verdict"]
        == "fail"
    )


def test_cases_are_counted_by_verdict_and_whether_they_block():
    found = verdicts("pass", "fail", "inconclusive", None) + verdicts("pass", "fail", "inconclusive", blocking=False)
    document = typed.as_json(assemble(FACTS, [typed.read(Result, each) for each in found], [], [], complete=True))
    assert document["counts"] == {"pass": 2, "fail": 1, "inconclusive": 2, "not_blocking": 1}
    assert document["schema"] == "abalo-robustness/6"
    assert document["device"] == "cpu"
    assert document["results"] == found


# Several tasks --------------------------------------------------------------------------------------------------------


class Other(NamedEntities):
    """One task more, which leads no document."""

    name = "other"
    leads = False


@pytest.fixture(scope="module")
def other():
    return tasks.register(Other()).name


def own_facts(task: str) -> dict[str, Any]:
    """The facts that a task gives of itself, each value marked by its name."""
    return {
        "notice": f"notice of {task}",
        "model": {"name": f"model of {task}", "fingerprint": task},
        "corpus": {"name": f"corpus of {task}", "distinct": 3},
        "inputs": {"clean": len(task)},
        "baseline": {f"score of {task}": None},
    }


def of_task(task: str, number: int, inputs: int) -> dict[str, Any]:
    return {
        **result("accents", {}, 0.8, []),
        "id": f"{task}/{number}",
        "task": task,
        "verdict": "pass",
        "blocking": True,
        "judgements": [],
        "name": str(number),
        "inputs": inputs,
        "shared_inputs": 0,
    }


@pytest.mark.usefixtures("other")
@given(
    names=st.lists(st.sampled_from(["ner", "choice", "other"]), min_size=1, max_size=3, unique=True),
    costs=st.lists(st.tuples(st.integers(0, 2), st.integers(0, 9)), max_size=6),
)
def test_at_the_top_stands_the_only_task_or_the_one_that_leads(names, costs):
    found = [of_task(names[k % len(names)], number, cost) for number, (k, cost) in enumerate(costs)]
    made = typed.as_json(
        assemble(
            {**FACTS, "tasks": {name: own_facts(name) for name in names}},
            [typed.read(Result, each) for each in found],
            [],
            [],
            complete=True,
        )
    )
    assert list(made["tasks"]) == names
    for name, own in made["tasks"].items():
        cases = sum(result["inputs"] for result in found if result["task"] == name)
        assert own == own_facts(name) | {"inputs": {"clean": len(name), "cases": cases}}
    top = names[0] if len(names) == 1 else "ner" if "ner" in names else None
    for field in own_facts(names[0]):
        assert made.get(field) == (None if top is None else made["tasks"][top][field])
        assert (field in made) == (top is not None)


def test_results_of_one_task_cost_another_nothing_even_where_they_are_made_alike():
    found = [of_task(name, 1, 5) for name in ("ner", "choice")]
    made = typed.as_json(
        assemble(
            {**FACTS, "tasks": {name: own_facts(name) for name in ("ner", "choice")}},
            [typed.read(Result, each) for each in found],
            [],
            [],
            True,
        )
    )
    assert [own["inputs"]["cases"] for own in made["tasks"].values()] == [5, 5]
