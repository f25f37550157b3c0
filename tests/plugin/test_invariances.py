"""Invariances in a whole run: the draws, the search, and what becomes of a counterexample."""

import json

import pytest

pytestmark = pytest.mark.slow

DISTURBED = """

def disturbed():
    \"\"\"Knows every name, unless there is a z in the sentence.\"\"\"
    return lambda batch: [["O" if "z" in "".join(tokens) else tag(word) for word in tokens] for tokens in batch]
"""

INVARIANCES = """
[gate]
language = "pt"
resamples = 300

[[ner.typo_outside]]
draws = 300
max_violations_per_thousand = 0

[[ner.stop_word_case]]
draws = 300
max_violations_per_thousand = 0

[[ner.same_length_name]]
draws = 300
max_violations_per_thousand = 0

[[ner.doubled_space]]
draws = 300
max_violations_per_thousand = 0

[[ner.final_full_stop]]
draws = 300
max_violations_per_thousand = 0
"""

TYPO = "ner/typo_outside[draws-300]"


@pytest.fixture
def invariant(project):
    project.write("models.py", (project.path / "models.py").read_text("utf-8") + DISTURBED)
    corpus = (project.path / "corpus.conll").read_text("utf-8")
    project.write("corpus.conll", corpus.replace("horas O", "h O"))  # no z but that of Zélia
    project.write("thresholds.toml", INVARIANCES)
    return project


def test_a_gazetteer_keeps_every_invariance(invariant):
    result = invariant.run()
    assert result.ret == 0
    every = [each for each in invariant.document()["results"] if each["view"] == "structural"]
    (spaces,) = (each for each in every if each["name"] == "doubled_space")
    assert (spaces["verdict"], spaces["bound"]) == (None, None), "words are all that the gazetteer reads"
    assert spaces["reason"]
    assert invariant.document()["counts"] == {"pass": 4, "fail": 0, "inconclusive": 0, "not_blocking": 0}
    found = [each for each in every if each is not spaces]
    assert {each["verdict"] for each in found} == {"pass"}
    assert len(found) == 4
    assert all(each["invariance"]["searched"]["edits"] > 0 for each in found)
    assert not (invariant.path / "reports" / "counterexamples.jsonl").exists()


def test_a_planted_fault_is_caught_shown_kept_and_tried_again(invariant):
    result = invariant.run("--abalo-save-failures", "kept.jsonl", "--html=report.html", model="models:disturbed")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*One typo outside * any entity. But *", "    original *«*", "*«*z*»*"])
    found = invariant.result(TYPO, "structural")
    assert found["verdict"] == "fail"
    others = [each for each in invariant.document()["results"] if each["bound"] and each["id"] != TYPO]
    assert [each["verdict"] for each in others] == ["pass"] * 3

    _, record = (invariant.path / "reports" / "counterexamples.jsonl").read_text("utf-8").splitlines()
    (edit,) = json.loads(record)["edits"]
    assert "z" in edit["tokens"][0]
    page = (invariant.path / "report.html").read_text("utf-8")
    assert "under single edits" in page

    kept = ("-k", "regressions", "--abalo-regressions", "kept.jsonl")
    assert invariant.run(*kept, model="models:disturbed").ret == pytest.ExitCode.TESTS_FAILED
    assert {each["status"] for each in invariant.document()["regressions"]} == {"still broken"}
    assert invariant.run(*kept).ret == 0
    assert {each["status"] for each in invariant.document()["regressions"]} == {"fixed"}


def test_what_an_earlier_run_found_does_not_stay_behind(invariant):
    invariant.run(model="models:disturbed")
    invariant.run()
    path = invariant.path / "reports" / "counterexamples.jsonl"
    assert len(path.read_text("utf-8").splitlines()) == 1


def test_without_text_there_is_no_counterexample(invariant):
    result = invariant.run("--abalo-no-text", model="models:disturbed")
    assert invariant.result(TYPO, "structural")["invariance"]["broken"]
    assert invariant.result(TYPO, "structural")["invariance"]["counterexample"] is None
    assert "«" not in result.stdout.str()
    assert not (invariant.path / "reports" / "counterexamples.jsonl").exists()


def test_bounds_on_invariances_are_for_invariances(invariant):
    invariant.write("thresholds.toml", "[[ner.accents]]\nmax_violations_per_thousand = 3\n")
    result = invariant.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*has a meaning only for invariances: doubled_space, *"])


@pytest.mark.slow
def test_the_profile_says_how_hard_to_look(invariant, monkeypatch):
    monkeypatch.delenv("CI", raising=False)
    edits = []
    for given in ((), ("--abalo-profile", "ci")):
        invariant.run(*given, "-k", "typo_outside")
        edits.append(invariant.result(TYPO, "structural")["invariance"]["searched"]["edits"])
    assert edits[0] < edits[1]
    monkeypatch.setenv("CI", "true")
    invariant.run("-k", "typo_outside")
    assert invariant.result(TYPO, "structural")["invariance"]["searched"]["edits"] == edits[1]
