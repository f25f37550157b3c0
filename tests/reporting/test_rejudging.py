"""A finished run judged anew: exactly what a run with the other thresholds gives, without a model."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from abalo.comparison.document.foresight import with_foresight
from abalo.config.options import make_options
from abalo.config.thresholds import Thresholds, load
from abalo.core.documents.document import Document
from abalo.core.documents.found import Result
from abalo.core.protocols.probe import probes
from abalo.core.protocols.task import tasks
from abalo.core.records import json_records as typed
from abalo.core.statistics.evidence import from_bytes, sha256_of, to_bytes
from abalo.errors import AbaloError
from abalo.models.labelling.prediction import Prediction
from abalo.questions.question import Choice
from abalo.reporting.documents.document import assemble
from abalo.reporting.documents.examples import record_line
from abalo.reporting.documents.stored import from_stored
from abalo.reporting.formats.files import EVIDENCE_NAME, EXAMPLES_NAME, JSON_NAME, write_examples, write_json
from abalo.reporting.formats.markdown import markdown
from abalo.reporting.formats.terminal import lines
from abalo.reporting.runs.finished import Run, read_run
from abalo.reporting.runs.rejudging import copy_files, rejudge
from abalo.run.execution import Execution
from abalo.run.opened import Opened
from abalo.run.prepared import Prepared
from abalo.run.spec import RunSpec
from abalo.tasks.choice.corpus import Questionnaire
from abalo.tasks.choice.models.black_box import BlackBox
from tests.reporting.documents import REGRESSION
from tests.reports import read_back, rewrite, timeless, write, write_measured
from tests.scripted import Gazetteer, corpus_of
from tests.texts import TextWith

pytestmark = pytest.mark.slow

Json = dict[str, Any]

NUMBERS = range(60)
PEOPLE = corpus_of(
    *(f"hoje a [Zélia{k} PESSOA] vive em [Belém LOCAL] ." for k in NUMBERS),
    *(f"hoje a [Zélia{k} PESSOA] vive muito bem com [Saulo{k} PESSOA] em [Natal LOCAL] ." for k in NUMBERS),
)
FOUR = ("a stone", "a tree", "a bird", "a river")
QUESTIONS = Questionnaire(
    "by hand", tuple(Choice(f"q{k}", f"Which of the following is number {k}?", FOUR, k % 4) for k in NUMBERS)
)


class Forgetful(Gazetteer):
    """Knows places and every second Saulo, a few people without their accent, and some only before a full stop."""

    def __init__(self) -> None:
        plain = (f"[Zelia{k} PESSOA]" for k in NUMBERS if k % 3)
        second = (f"[Saulo{k} PESSOA]" for k in NUMBERS if k % 2)
        super().__init__("[Belém LOCAL]", "[Natal LOCAL]", *(f"[Zélia{k} PESSOA]" for k in NUMBERS), *plain, *second)

    def predict(self, sentences):
        lost = [sentence.tokens[-1] != "." and "7" in sentence.text for sentence in sentences]
        return [
            Prediction(("O",) * len(each.tags)) if gone else each
            for each, gone in zip(super().predict(sentences), lost, strict=True)
        ]


def answering(question: str, options: tuple[str, ...]) -> int | None:
    number = int("".join(filter(str.isdigit, question)))
    if not question.startswith("Which of the following") and number % 5 == 0:
        return None
    return 0 if number % 7 == 0 else options.index(FOUR[number % 4])


GATE = "resamples = 120"

SLICE = """
[[ner.slice]]
of = "length"
end = "longest"
share = 0.5
max_f1_gap = 0.11
"""

CHOICE = """
[[choice.baseline]]
min_accuracy = 0.7

[[choice.paraphrase_consistency]]
max_fragility_score = 0.2

[[choice.perturbation_stability]]
k = 5
max_fragility_score = { overall = 0.5, "pert:punct" = 0.3 }
"""

WITH_BOUNDS = f"""
[gate]
{GATE}

[[ner.baseline]]
min_f1 = {{ overall = 0.5, LOCAL = 0.9 }}

[[ner.accents]]
max_f1_drop = 0.2

[[ner.char_typo]]
span_source = "predicted"
max_f1_drop = {{ PESSOA = 0.9 }}

[[ner.word_insertion]]
rate = 0.8
blocking = false
max_f1_drop = -0.5

[[ner.pipeline]]
steps = ["accents", {{ name = "character_noise", rate = 0.05 }}]
max_f1_drop = 0.25
{SLICE}
[[ner.entity_attack]]
budget = 3
seeds = [1]
limit = 70
max_success_rate = 0.9

[[ner.final_full_stop]]
draws = 120
max_violations_per_thousand = 300

[[ner.capability]]
name = "towns"
templates = ["hoje [{{who}} PESSOA] vive em [{{town}} LOCAL] ."]
who = "pool:PESSOA"
town = ["Belém", "Natal"]
sample = 60
min_pass_rate = 0.2
{CHOICE}"""
"""A case of every kind, and bounds that they keep, break and leave undecided."""

OTHERS = {
    "the same": ("", "", set()),
    "stricter": ("max_f1_drop = 0.2", "max_f1_drop = 0.01", {"ner/accents"}),
    "more bounds": ("min_accuracy = 0.7", "min_accuracy = 0.7\nmax_missing_rate = 0.1", set()),
    "no bound": ("max_f1_gap = 0.11", "", {"ner/slice"}),
    "failing, but not blocking": (
        "max_success_rate = 0.9",
        "max_success_rate = 0.0\nblocking = false",
        {"ner/entity_attack"},
    ),
    "blocking": ("blocking = false", "blocking = true", set()),
    "not one": (
        "max_violations_per_thousand = 300",
        "max_violations_per_thousand = 0",
        {"ner/final_full_stop"},
    ),
    "of fillings": ("min_pass_rate = 0.2", "min_pass_rate = 0.99", {"ner/capability"}),
    "of a type": ("max_f1_drop = 0.25", "max_f1_drop = { PESSOA = 0.9, LOCAL = 0.5 }", {"ner/pipeline"}),
    "of a variant": ('"pert:punct" = 0.3', '"pert:order_rev" = 0.0', {"choice/perturbation_stability"}),
    "other confidence": (GATE, f'{GATE}\nconfidence = 0.5\ncorrection = "none"', {"ner/accents", "ner/slice"}),
    "no correction": (GATE, f'{GATE}\ncorrection = "none"', set()),
    "more resamples": (GATE, "resamples = 500", set()),
    "strict about doubt": (GATE, f'{GATE}\ninconclusive = "fail"', set()),
    "one case fewer": (SLICE, "", {"ner/slice"}),
    "one task alone": (
        CHOICE,
        "",
        {"choice/baseline", "choice/paraphrase_consistency", "choice/perturbation_stability"},
    ),
}
"""Replacements that make another file, and the cases whose verdict they change."""


def families(thresholds: Thresholds) -> set[int]:
    """How many bounds a case with bounds is corrected for."""
    return {thresholds.bounds_beside(case, deep=False) for case in thresholds.cases if case.bounds}


def run(thresholds: Thresholds, folder: Path) -> Json:
    """The document of a run, as it stands in the folder with evidence and examples."""
    facts, results, evidence, lines = {}, [], {}, []
    for name, corpus, model in (
        ("ner", PEOPLE, Forgetful()),
        ("choice", QUESTIONS, BlackBox("by hand", "1", answering)),
    ):
        if all(case.task != name for case in thresholds.cases):
            continue
        options = make_options(thresholds=thresholds.path, seeds=(1, 2), model="mine", reports=folder)
        prepared = Prepared(Opened(RunSpec(tasks()[name], options, thresholds), corpus, [model]))
        facts |= prepared.facts | {"tasks": {**facts.get("tasks", {}), **prepared.facts["tasks"]}}
        for case in prepared.cases():
            found = Execution(prepared).judged(case, command=f"pytest {case.id}")
            results += found.results
            evidence[case.id] = found.evidence
            lines += found.records
    order = {case.id: number for number, case in enumerate(thresholds.cases)}
    results.sort(key=lambda result: order[result.id])
    facts = with_foresight(facts, evidence, thresholds)
    return written(
        typed.as_json(assemble(facts, [typed.read(Result, each) for each in results], [], [], complete=True)),
        evidence,
        lines,
        folder,
    )


def written(document: Json, evidence: Json, lines: Iterable[str], folder: Path) -> Json:
    write_measured(typed.read(Document, document), evidence, folder)
    write_examples(lines, folder)
    return read_back(folder)


def as_written(document: Json, folder: Path) -> Json:
    """The document after a journey through its file, without what depends on the clock and the digest of evidence."""
    document = {name: value for name, value in document.items() if name != "evidence_sha256"}
    read = from_stored(json.loads(write_json(typed.read(Document, document), folder).read_text(encoding="utf-8")))
    pairs = zip(read["results"], document["results"], strict=True)
    return timeless(read | {"results": [result | {"examples": told["examples"]} for result, told in pairs]})


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("run")


def thresholds_of(text: str, folder: Path) -> Thresholds:
    path = folder / "thresholds.toml"
    path.write_text(text, encoding="utf-8")
    return load(path)


@pytest.fixture(scope="module")
def done(folder) -> Run:
    """The finished run of a case of every kind."""
    run(thresholds_of(WITH_BOUNDS, folder), folder)
    return read_run(folder).with_examples()


def test_there_is_a_case_of_every_kind_and_each_verdict(done):
    assert {result.probe for result in done.document.results} == {*probes()} - {
        "prompt"
    }  # it needs a model that is asked by a prompt
    assert {result.verdict for result in done.document.results} == {"pass", "fail", "inconclusive", None}
    assert all(done.document.counts.values())


def verdicts(document: Json) -> dict[str, str | None]:
    """By name of the case."""
    return {result["id"].split("[")[0]: result["verdict"] for result in document["results"] if result["bound"]}


@pytest.mark.parametrize("change", OTHERS)
def test_judging_anew_is_what_a_run_with_that_file_gives(done, tmp_path, change):
    old, new, other = OTHERS[change]
    assert old in WITH_BOUNDS
    file = thresholds_of(WITH_BOUNDS.replace(old, new), tmp_path)
    again, fresh = (
        as_written(typed.as_json(rejudge(done, file)), tmp_path),
        as_written(run(file, tmp_path / "fresh"), tmp_path),
    )
    assert again["results"] == fresh["results"]
    assert again == fresh
    before, after = verdicts(typed.as_json(done.document)), verdicts(again)
    assert {name for name in before if before[name] != after.get(name)} == other


def test_judging_by_the_same_file_changes_nothing(done, folder, tmp_path):
    again = as_written(typed.as_json(rejudge(done, load(folder / "thresholds.toml"))), tmp_path)
    assert again == as_written(typed.as_json(done.document), tmp_path)


@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    limits=st.lists(st.floats(0, 1), min_size=4, max_size=4),
    confidence=st.floats(0.5, 0.99),
    correction=st.sampled_from(["none", "bonferroni"]),
    resamples=st.sampled_from([100, 120]),
)
def test_judging_there_and_back_again_changes_nothing(
    done, folder, tmp_path, limits, confidence, correction, resamples
):
    own = load(folder / "thresholds.toml")
    gate = replace(own.gate, confidence=confidence, correction=correction, resamples=resamples)
    bounds = iter(limits * len(own.cases))
    cases = [
        replace(case, bounds=tuple(replace(bound, limit=next(bounds)) for bound in case.bounds)) for case in own.cases
    ]
    other = typed.as_json(rejudge(done, replace(own, gate=gate, cases=tuple(cases))))
    assert {result["m"] for result in other["results"] if result["bound"]} == (
        {1} if correction == "none" else families(own)
    )
    back = typed.as_json(rejudge(Run(typed.read(Document, other), done.evidence), own))
    assert as_written(back, tmp_path) == as_written(typed.as_json(done.document), tmp_path)


def test_numbers_among_the_facts_are_measured_anew(done, tmp_path):
    wide = typed.as_json(rejudge(done, thresholds_of(WITH_BOUNDS.replace(GATE, "confidence = 0.5"), tmp_path)))

    def widths(document: Json) -> list[float]:
        found = {result["probe"]: result for result in document["results"]}
        rest = found["slice"]["slice"]["rest"]["f1"]
        rows = found["rewording"]["per_type"].values()
        numbers = [rest, *(row[name] for row in rows for name in ("accuracy", "fragility_score") if row[name])]
        numbers += [
            own["baseline"][name] for own, name in zip(document["tasks"].values(), ("f1", "accuracy"), strict=True)
        ]
        return [each["high"] - each["low"] for each in numbers]

    before, after = widths(typed.as_json(done.document)), widths(wide)
    assert len(before) > 5
    assert all(new <= old for new, old in zip(after, before, strict=True))
    assert sum(new < old for new, old in zip(after, before, strict=True)) > 5
    assert wide["baseline"] == wide["tasks"]["ner"]["baseline"]


def test_no_corpus_is_read_and_no_model_is_loaded(done, folder, tmp_path, monkeypatch):
    def fail(*_, **__):
        raise AssertionError("nothing of this is needed")

    for task in tasks().values():
        for name in ("read", "load", "predictor", "resources"):
            monkeypatch.setattr(type(task), name, fail)
    for probe in probes().values():
        monkeypatch.setattr(type(probe), "run", fail)
    assert typed.as_json(rejudge(read_run(folder), load(folder / "thresholds.toml")))["results"]


def test_no_framework_is_loaded(done, folder):
    program = (
        "import sys; from pathlib import Path; from abalo.config.thresholds import load\n"
        "from abalo.reporting.runs.finished import read_run\n"
        "from abalo.reporting.runs.rejudging import rejudge\n"
        f"folder = Path({str(folder)!r})\n"
        "print(rejudge(read_run(folder), load(folder / 'thresholds.toml')).verdict)\n"
        "print(*{'torch', 'transformers', 'spacy', 'inspect_ai', 'datasets'} & {*sys.modules})"
    )
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert found.stdout == f"{done.document.verdict}\n\n"


# What the run does not have -------------------------------------------------------------------------------------------


def test_a_case_that_was_not_run_is_left_out_and_its_bounds_count(done, folder, tmp_path):
    more = thresholds_of(WITH_BOUNDS + "\n[[ner.character_noise]]\nrate = 0.1\nmax_f1_drop = 0.1\n", tmp_path)
    again = typed.as_json(rejudge(done, more))
    assert again["gate"]["bounds"] == done.document.gate.bounds + 1
    assert [result["id"] for result in again["results"]] == [result.id for result in done.document.results]
    m = {result.id: result.m for result in done.document.results if result.bound}
    for result in again["results"]:
        if result["bound"]:
            beside = result["task"] == "ner" and result["probe"] != "baseline"
            assert result["m"] == m[result["id"]] + beside
    assert again["not_run"] == [{"id": "ner/character_noise[rate-0.1]", "message": ""}]
    assert TextWith("not in ", ": ner/character_noise[rate-0.1]") in [
        line for line, _ in lines(typed.read(Document, again))
    ]
    assert markdown(typed.read(Document, again)) == TextWith("Not in ", ": ner/character_noise")


def test_deep_cases_and_those_of_tasks_that_were_not_judged_are_not_missed(done, tmp_path):
    more = "\n[[ner.keyboard]]\ndeep = true\nmax_f1_drop = 0.1\n\n[[pos.accents]]\nmax_accuracy_drop = 0.1\n"
    assert typed.as_json(rejudge(done, thresholds_of(WITH_BOUNDS + more, tmp_path)))["not_run"] == []


def test_a_case_whose_bounds_are_about_another_view_now_is_told(done, tmp_path):
    file = WITH_BOUNDS.replace("[[ner.accents]]", '[[ner.accents]]\nview = "structural"')
    again = typed.as_json(rejudge(done, thresholds_of(file, tmp_path)))
    assert again["not_run"] == [
        {
            "id": "ner/accents[structural]",
            "message": TextWith("run as ner/accents, ", "another view"),
        }
    ]


def test_other_parameters_are_another_case(done, tmp_path):
    again = typed.as_json(rejudge(done, thresholds_of(WITH_BOUNDS.replace("draws = 120", "draws = 121"), tmp_path)))
    assert "invariance" not in {result["probe"] for result in again["results"]}
    assert again["complete"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("seeds = [1]\n", "seeds = [2]\n", "was run under the seeds 1, not 2; run the gate again"),
        ("seeds = [1]\n", "seeds = [1, 2]\n", "was run under the seeds 1, not 1, 2; run the gate again"),
        ("seeds = [1]\n", "", "was run under the seeds 1, not 1, 2; run the gate again"),
        ("rate = 0.8\n", "rate = 0.8\nseeds = [1]\n", "was run under the seeds 1, 2, not 1; run the gate again"),
        ("[gate]\n", '[gate]\nlanguage = "en"\n', "the run was in the language 'pt', not 'en'; run the gate again"),
    ],
    ids=["other seeds", "more seeds", "no seeds of its own", "fewer seeds", "language"],
)
def test_a_file_that_draws_otherwise_is_refused(done, tmp_path, old, new, said):
    assert old in WITH_BOUNDS
    with pytest.raises(AbaloError) as caught:
        typed.as_json(rejudge(done, thresholds_of(WITH_BOUNDS.replace(old, new), tmp_path)))
    assert str(caught.value).startswith("thresholds.toml: ")
    assert str(caught.value).endswith(said)


def test_other_seeds_in_the_gate_are_refused_unless_the_run_had_seeds_of_its_own(done, tmp_path):
    other = thresholds_of(WITH_BOUNDS.replace("[gate]\n", "[gate]\nseeds = [7]\n"), tmp_path)
    assert typed.as_json(rejudge(done, other)), "the seeds of the run were given as an option, which would win again"
    document = typed.as_json(done.document)
    document["gate"]["seeds"] = [1, 2]
    with pytest.raises(AbaloError, match=r"ner/accents: was run under the seeds 1, 2, not 7; run the gate again"):
        typed.as_json(rejudge(Run(typed.read(Document, document), done.evidence), other))


@pytest.mark.parametrize(
    "text", ["[[ner.character_noise]]\nrate = 0.1\nmax_f1_drop = 0.1\n", "", "[gate]\nconfidence = 0.9"]
)
def test_a_file_with_none_of_the_cases_is_refused(done, tmp_path, text):
    with pytest.raises(AbaloError) as caught:
        typed.as_json(rejudge(done, thresholds_of(text, tmp_path)))
    message = str(caught.value)
    assert message.startswith("thresholds.toml: has none of the cases of the run: ner/baseline, ner/accents, ")
    assert message.endswith("; give another file with --thresholds FILE")


def test_a_run_in_which_no_case_came_to_its_end_is_refused(folder, done):
    empty = Run(assemble({}, [typed.read(Result, each) for each in []], ["ner/accents"], [], complete=False), {})
    with pytest.raises(AbaloError, match="no case of the run has a result; run the gate again"):
        typed.as_json(rejudge(empty, load(folder / "thresholds.toml")))


# What the run could not do --------------------------------------------------------------------------------------------


def without(document: Json, *ids: str, missing: Iterable[str] = (), errors: Iterable[str] = ()) -> Json:
    """The document of the same run, had these cases no result."""
    facts = {name: document[name] for name in ("versions", "gate", "tasks")}
    results = [result for result in document["results"] if result["id"] not in ids]
    return typed.as_json(
        assemble(
            facts,
            [typed.read(Result, each) for each in results],
            missing,
            [{"id": case, "message": "no"} for case in errors],
            complete=True,
        )
    )


@pytest.mark.parametrize("way", ["missing", "errors"])
def test_cases_without_a_result_stay_so_and_their_bounds_are_still_corrected_for(done, folder, tmp_path, way):
    broken = without(typed.as_json(done.document), "ner/accents", **{way: ["ner/accents"]})
    again = typed.as_json(rejudge(Run(typed.read(Document, broken), done.evidence), load(folder / "thresholds.toml")))
    assert (again["missing"], [each["id"] for each in again["errors"]]) == (
        (["ner/accents"], []) if way == "missing" else ([], ["ner/accents"])
    )
    assert not again["complete"]
    assert again["verdict"] == "fail"
    assert as_written(again, tmp_path) == as_written(broken, tmp_path)


def lenient(text: str) -> str:
    """The same cases, none of which can fail the run."""
    return re.sub(r"^(max|min)_", r"blocking = false\n\1_", text.replace("blocking = false\n", ""), flags=re.MULTILINE)


def test_a_missing_case_is_no_pass_but_one_that_the_file_lacks_is_not_missed(done, tmp_path):
    broken = without(typed.as_json(done.document), "ner/accents", missing=["ner/accents"])
    kept = typed.as_json(
        rejudge(Run(typed.read(Document, broken), done.evidence), thresholds_of(lenient(WITH_BOUNDS), tmp_path))
    )
    assert (kept["missing"], kept["complete"], kept["verdict"]) == (["ner/accents"], False, "inconclusive")
    file = thresholds_of(lenient(WITH_BOUNDS.replace("[[ner.accents]]\nmax_f1_drop = 0.2", "")), tmp_path)
    gone = typed.as_json(rejudge(Run(typed.read(Document, broken), done.evidence), file))
    assert (gone["missing"], gone["complete"]) == ([], False)  # it may have been interrupted, too


def test_an_error_fails_the_run_whatever_the_bounds(done, tmp_path):
    broken = without(typed.as_json(done.document), errors=["tests/test_mine.py::test_it"])
    again = typed.as_json(
        rejudge(Run(typed.read(Document, broken), done.evidence), thresholds_of(lenient(WITH_BOUNDS), tmp_path))
    )
    assert (again["verdict"], again["complete"], again["errors"]) == ("fail", False, broken["errors"])


def test_an_interrupted_run_is_no_pass(done, tmp_path):
    broken = typed.as_json(done.document) | {"complete": False}
    again = typed.as_json(
        rejudge(Run(typed.read(Document, broken), done.evidence), thresholds_of(lenient(WITH_BOUNDS), tmp_path))
    )
    assert (again["complete"], again["verdict"]) == (False, "inconclusive")


def test_regressions_stay_what_they_were(done, tmp_path):
    broken = typed.as_json(done.document) | {"regressions": [REGRESSION | {"id": "a", "status": "still broken"}]}
    again = typed.as_json(
        rejudge(Run(typed.read(Document, broken), done.evidence), thresholds_of(lenient(WITH_BOUNDS), tmp_path))
    )
    assert (again["regressions"], again["verdict"]) == (broken["regressions"], "fail")


# Reading --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def copy(done, folder, tmp_path):
    """The folder of the run, to be broken."""
    target = tmp_path / "copy"
    target.mkdir()
    for name in (JSON_NAME, EVIDENCE_NAME):
        (target / name).write_bytes((folder / name).read_bytes())
    return target


def refused(folder: Path) -> str:
    with pytest.raises(AbaloError) as caught:
        typed.as_json(rejudge(read_run(folder), load(folder.parent / "thresholds.toml")))
    return str(caught.value)


@pytest.fixture(autouse=True)
def _thresholds(tmp_path):
    (tmp_path / "thresholds.toml").write_text(WITH_BOUNDS, encoding="utf-8")


def test_a_folder_without_a_run_is_refused(tmp_path):
    message = refused(tmp_path / "none")
    assert message.startswith(f"{tmp_path / 'none'}: there is no such folder; ")


@pytest.mark.parametrize("text", [b"", b"{", b"\xff\xfe", b"[" * 100_000, b"NaN,"], ids=repr)
def test_what_is_not_json_is_refused(copy, text):
    (copy / JSON_NAME).write_bytes(text)
    message = refused(copy)
    assert message.startswith(f"{copy / JSON_NAME}: is not JSON: ")
    assert message.endswith("; run the gate again")


@pytest.mark.parametrize(
    "value", [[], 1, None, {}, {"schema": "abalo-robustness/2"}, {"schema": ["abalo-robustness/6"]}]
)
def test_another_schema_is_refused(copy, value):
    (copy / JSON_NAME).write_text(json.dumps(value))
    assert refused(copy) == (
        f"{copy / JSON_NAME}: is not the report of a run in the format abalo-robustness/6; run the gate again"
    )


@pytest.mark.parametrize("field", ["results", "missing", "errors", "complete", "regressions", "gate", "seal"])
@pytest.mark.parametrize("value", ["gone", 3, [3], {"ner": {}}], ids=repr)
def test_a_report_with_an_edited_field_is_refused(copy, field, value):
    document = json.loads((copy / JSON_NAME).read_text(encoding="utf-8"))
    (copy / JSON_NAME).write_text(json.dumps(document | {field: value}))
    assert refused(copy).startswith(
        f"{copy / JSON_NAME}: is damaged, or was edited: its seal is not that of its content"
    )


@pytest.mark.parametrize("field", ["results", "missing", "tasks", "seal"])
def test_a_report_without_a_field_is_refused(copy, field):
    document = json.loads((copy / JSON_NAME).read_text(encoding="utf-8"))
    del document[field]
    (copy / JSON_NAME).write_text(json.dumps(document))
    said = (
        "has no seal, so it may have been edited" if field == "seal" else "is damaged, or was edited: its seal is not "
    )
    assert refused(copy).startswith(f"{copy / JSON_NAME}: {said}")


def test_a_run_without_evidence_is_refused(copy):
    (copy / EVIDENCE_NAME).unlink()
    message = refused(copy)
    assert message.startswith(f"{copy / EVIDENCE_NAME}: cannot be read: ")
    assert message.endswith("; run the gate again")


@pytest.mark.parametrize("broken", [b"", b"PK", b"half"])
def test_corrupt_evidence_is_refused(copy, broken):
    whole = (copy / EVIDENCE_NAME).read_bytes()
    (copy / EVIDENCE_NAME).write_bytes(whole[: len(whole) // 2] if broken == b"half" else broken)
    message = refused(copy)
    assert message.startswith(f"{copy / EVIDENCE_NAME}: not the evidence of a run: ")
    assert message.endswith("; run the gate again")


def test_evidence_that_lacks_a_case_is_refused(copy):
    kept = from_bytes((copy / EVIDENCE_NAME).read_bytes())
    del kept["ner/accents"], kept["choice/baseline"]
    (copy / EVIDENCE_NAME).write_bytes(to_bytes(kept))
    assert refused(copy) == (
        f"{copy / EVIDENCE_NAME}: has no evidence of choice/baseline, ner/accents; run the gate again"
    )


def test_evidence_without_the_counts_of_a_metric_is_refused(copy):
    found = from_bytes((copy / EVIDENCE_NAME).read_bytes())
    own = found["ner/accents"]
    found["ner/accents"] = replace(
        own, tables={view: dict(list(part.items())[1:]) for view, part in own.tables.items()}
    )
    (copy / EVIDENCE_NAME).write_bytes(to_bytes(found))
    rewrite(copy / JSON_NAME, evidence_sha256=sha256_of(found))
    assert refused(copy).endswith("another version of Abalo wrote it; run the gate again")


def spoilt(copy: Path, case: str, **fields: Any) -> str:
    """The message about evidence in which the case has other arrays."""
    found = from_bytes((copy / EVIDENCE_NAME).read_bytes())
    found[case] = replace(found[case], **fields)
    (copy / EVIDENCE_NAME).write_bytes(to_bytes(found))
    return refused(copy)


def test_evidence_that_holds_no_numbers_negative_ones_or_groups_twice_is_refused(copy, done):
    own = done.evidence["ner/accents"]
    tables = {view: {name: table * np.nan for name, table in part.items()} for view, part in own.tables.items()}
    damaged = f"{copy / EVIDENCE_NAME}: is damaged: the counts of case ner/accents are no counts; run the gate again"
    assert spoilt(copy, "ner/accents", tables=tables) == damaged
    assert spoilt(copy, "ner/accents", tables=own.tables, held=own.held - 9) == damaged
    twice = (own.groups[0],) * len(own.groups)
    assert f"it has the group {own.groups[0]!r} twice" in spoilt(copy, "ner/accents", groups=twice, held=own.held)


def test_a_report_beside_the_evidence_of_another_run_is_refused(copy, done, folder):
    (copy / EXAMPLES_NAME).write_bytes((folder / EXAMPLES_NAME).read_bytes())
    document = typed.as_json(done.document) | {"evidence_sha256": sha256_of(done.evidence)}
    write(document, copy / JSON_NAME)
    assert typed.as_json(read_run(copy).with_examples().document) == document
    rest = dict(done.evidence)
    rest["ner/accents"] = replace(rest["ner/accents"], changed=~rest["ner/accents"].changed)
    (copy / EVIDENCE_NAME).write_bytes(to_bytes(rest))
    assert refused(copy).startswith(f"{copy / JSON_NAME}: is not about the evidence beside it, evidence.npz: they")


def test_results_of_a_task_that_is_not_known_here_and_results_twice_are_refused(copy):
    rewrite(copy / JSON_NAME, lambda document: document["results"].append(document["results"][0]))
    assert "is damaged: it has the case ner/baseline twice in the view projected; run the gate" in refused(copy)
    rewrite(copy / JSON_NAME, lambda document: document["results"].pop(0).update())
    rewrite(copy / JSON_NAME, lambda document: document["results"][-1].update(task="topic"))
    assert refused(copy).endswith(
        "is about the task 'topic', which is not known here; pass --conftest where the conftest.py that registers it is"
    )


# Beside the document --------------------------------------------------------------------------------------------------


def test_evidence_and_examples_go_along(folder, done, tmp_path):
    target = tmp_path / "elsewhere"
    target.mkdir()
    copy_files(folder, target)
    for name in (EVIDENCE_NAME, EXAMPLES_NAME):
        assert (target / name).read_bytes() == (folder / name).read_bytes()
    copy_files(target, target)
    assert (target / EVIDENCE_NAME).read_bytes() == (folder / EVIDENCE_NAME).read_bytes()


def test_a_run_without_text_has_no_examples_to_copy(folder, done, tmp_path):
    source, target = tmp_path / "a", tmp_path / "b"
    source.mkdir()
    target.mkdir()
    (source / EVIDENCE_NAME).write_bytes((folder / EVIDENCE_NAME).read_bytes())
    copy_files(source, target)
    record = {"sentence_id": "a1", "seed": 1, "tokens": ["Ana"], "gold": ["B-P"], "clean": ["O"], "edits": []}
    (target / EXAMPLES_NAME).write_text(record_line("ner/accents", {**record, "predicted": ["O"]}) + "\n")
    copy_files(source, target)
    assert [path.name for path in target.iterdir()] == [EVIDENCE_NAME]
