"""The same numbers in one process and in many, in any order, whatever the hash seed."""

import json
import sys
from types import SimpleNamespace

import pytest

from abalo.cli import main
from abalo.pytest_plugin import report
from tests.plugin.conftest import another_hash_seed
from tests.reports import timeless

EVERY_KIND = """
[gate]
language = "pt"
resamples = 300

[[ner.baseline]]
min_f1 = 0.1

[[ner.accents]]
max_f1_drop = 0.06
require = {words_changed = 0.2}

[[ner.synonyms]]
max_f1_drop = 0.5

[[ner.digits]]
max_f1_drop = 0.1

[[ner.slice]]
of = "phrase"
language = "pt"
max_f1_gap = 0.1

[[ner.slice]]
of = "length"
end = "longest"
max_f1_gap = 0.1
blocking = false

[[ner.typo_outside]]
draws = 300
max_violations_per_thousand = 0

[[ner.same_length_name]]
draws = 300
max_violations_per_thousand = 0

[[ner.entity_attack]]
candidates = 5
least_similarity = 0.0
sample = 20
max_success_rate = 0.99
"""
"""Cases that are judged, compared, searched, attacked, and skipped as those of another language."""


def without_times(document: dict) -> dict:
    for result in document["results"]:
        result.pop("command")
    return timeless(document)


@pytest.mark.slow
@pytest.mark.usefixtures("interpreters")
def test_two_workers_write_the_same_and_predict_the_clean_corpus_once(project, monkeypatch):
    def written():
        """What stands beside the document; the failures that were saved are gone then."""
        kept, reports = project.path / "kept.jsonl", project.path / "reports"
        paths = [kept, reports / "evidence.npz", reports / "examples.jsonl", *reports.glob("attacks/*.jsonl")]
        files = {path.name: path.read_bytes() for path in paths}
        kept.unlink()
        return files

    project.write("models.py", project.path.joinpath("models.py").read_text("utf-8") + COUNTING)
    project.write("thresholds.toml", EVERY_KIND)
    corpus = project.path.joinpath("corpus.conll").read_text("utf-8").replace("horas O", "h O")
    project.write("corpus.conll", corpus + "\n" + corpus.replace("ouviu O", "não O\nouviu O"))
    project.run()
    assert main(["accept", str(project.path / "reports"), "--as", str(project.path / "references" / "1.0")]) == 0
    asked = ("--abalo-against", "references/1.0", "--abalo-save-failures", "kept.jsonl")
    asked += ("--abalo-label-map", "PESOA=PESSOA,B-HORA=O")
    assert project.run(*asked, model="models:counting").ret == 1
    document = project.document()
    assert len({each["id"] for each in document["results"]}) == 8
    failed = {each["name"] for each in document["results"] if each["verdict"] == "fail"}
    assert failed == {"same_length_name", "slice", "typo_outside"}
    assert document["comparison"]["state"] == "regressed"
    types = document["tasks"]["ner"]["types"]
    assert (types["unused_names"], types["dropped"]) == (["PESOA"], ["B-HORA"])
    alone, files = without_times(project.document()), written()
    assert len(files) == 4
    assert all(files.values())
    calls_alone = project.path.joinpath("calls.txt").read_text("utf-8").count("ouviu Ana em Belém , às 0 h .\n")
    project.path.joinpath("calls.txt").unlink()
    monkeypatch.setenv("PYTHONHASHSEED", another_hash_seed())
    assert project.run(*asked, "-n", "2", model="models:counting").ret == 1
    assert without_times(project.document()) == alone
    assert written() == files
    calls = project.path.joinpath("calls.txt").read_text("utf-8")
    assert calls.count("ouviu Ana em Belém , às 0 h .\n") == calls_alone


@pytest.mark.slow
def test_the_order_of_cases_changes_nothing(project):
    project.run()
    first = without_times(project.document())
    modules = [f"tests_behavioral.ner.test_{name}" for name in ("word_insertion", "accents", "baseline")]
    common = ("--abalo-corpus", "corpus.conll", "--abalo-model", "models:gazetteer")
    project.pytester.runpytest_inprocess("--pyargs", *modules, *common)
    second = without_times(project.document())

    def by_key(results):
        return sorted(json.dumps(result, sort_keys=True) for result in results)

    assert by_key(first["results"]) == by_key(second["results"])


@pytest.mark.slow
def test_a_mistake_in_the_thresholds_is_told_once_also_with_workers(project):
    project.write("thresholds.toml", "[[ner.acents]]\nmax_f1_drop = 0.1\n")
    result = project.run("-n", "2")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    output = result.stdout.str() + result.stderr.str()
    assert output.count("did you mean 'accents'?") == 1
    assert "Traceback" not in output


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "code", "outcome"), [("all_outside", 1, {"failed": 1}), ("gazetteer", 0, {"passed": 3})]
)
def test_an_optimised_python_gives_the_same_verdict(project, model, code, outcome):
    project.run(model=f"models:{model}").assert_outcomes(**outcome)
    verdicts = {result["id"]: result["verdict"] for result in project.document()["results"]}
    common = ("--pyargs", "tests_behavioral.ner", "--abalo-corpus=corpus.conll", f"--abalo-model=models:{model}")
    optimised = project.pytester.run(sys.executable, "-O", "-m", "pytest", "--assert=plain", *common)
    optimised.assert_outcomes(**outcome, warnings=1)  # pytest's own, about asserts
    assert {result["id"]: result["verdict"] for result in project.document()["results"]} == verdicts
    assert optimised.ret == code


COUNTING = """

def counting():
    def predict(batch):
        with open("calls.txt", "a", encoding="utf-8") as calls:
            calls.writelines(" ".join(tokens) + "\\n" for tokens in batch)
        deaf = [{"não", "z", "Saulo"} & {*tokens, *"".join(tokens)} for tokens in batch]
        return [["O" if no else hour(word) for word in tokens] for no, tokens in zip(deaf, batch, strict=True)]

    return predict


def hour(word):
    return "B-HORA" if word == "h" else tag(word)
"""


def test_workers_on_another_machine_are_refused(project, monkeypatch):
    monkeypatch.setattr(report, "tempfile", SimpleNamespace(mkdtemp=lambda prefix: f"/of/another/{prefix}machine"))
    result = project.run("-n", "1")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    told = "a worker cannot see /of/another/abalo-machine, through which a run's processes share; run all here, with -n"
    assert [line for line in result.outlines if "abalo-machine" in line] == [f"ERROR: --tx: {told}"]
