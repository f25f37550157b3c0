"""--abalo-task: the task that a run is about, said or found out."""

import gzip
import json

import pytest

from abalo.attacks.log import FORMAT

CASES = """
[gate]
resamples = 100

[[ner.baseline]]
min_f1 = 0.5

[[choice.baseline]]
min_accuracy = 0.1
"""

UNTOUCHABLE = """
raise RuntimeError("the model was loaded")
"""


@pytest.fixture
def several(project):
    """A project with cases, corpora and models of two tasks."""
    project.write("thresholds.toml", CASES)
    project.write("answers.py", FIRST)
    questions = [
        {"id": f"q{k}", "question": f"How much is {k} and 1?", "options": [str(k + 1), "none", "many"], "answer": 0}
        for k in range(60)
    ]
    project.write("questions.jsonl", "".join(json.dumps(question) + "\n" for question in questions))
    return project


def judged(project, *arguments: str) -> set[str]:
    """The cases that a run has judged."""
    project.pytester.runpytest_inprocess("-p", "no:cacheprovider", "--pyargs", "tests_behavioral", *arguments)
    return {result["id"] for result in project.document()["results"]}


def collected(project, *arguments: str, where: str = "tests_behavioral") -> set[str]:
    """The tasks of the cases that a run would judge."""
    seen = project.pytester.inline_run("-p", "no:cacheprovider", "--collect-only", "-q", "--pyargs", where, *arguments)
    (finished,) = seen.getcalls("pytest_collection_finish")
    return {item.callspec.params["case"].task for item in finished.session.items}


def refusal(project, *arguments: str) -> str:
    """The error with which a run ends before it begins."""
    result = project.pytester.runpytest_inprocess("--pyargs", "tests_behavioral", *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    return "\n".join(result.errlines)


def test_a_run_without_model_and_corpus_is_about_every_task(several):
    assert collected(several) == {"ner", "choice"}


@pytest.mark.parametrize("task", ["ner", "choice"])
def test_the_task_that_is_said_wins_over_all_else(several, task):
    others = ("--abalo-corpus", "questions.jsonl" if task == "ner" else "corpus.conll")
    assert collected(several, "--abalo-task", task, *others) == {task}


@pytest.mark.parametrize(("corpus", "task"), [("corpus.conll", "ner"), ("questions.jsonl", "choice")])
def test_a_corpus_says_by_its_looks_which_task_it_is_for(several, corpus, task):
    assert collected(several, "--abalo-corpus", corpus) == {task}


def test_a_model_alone_is_for_the_task_that_leads(several):
    assert collected(several, "--abalo-model", "models:gazetteer") == {"ner"}


def test_the_selected_folder_comes_before_the_looks_of_the_corpus(several):
    asked = ("--abalo-corpus", "corpus.conll", "--abalo-model", "models:gazetteer")
    assert collected(several, *asked, where="tests_behavioral.choice") == {"choice"}


def test_a_gate_of_one_task_reports_nothing_of_another(several):
    assert judged(several, "--abalo-corpus", "corpus.conll", "--abalo-model", "models:gazetteer") == {"ner/baseline"}
    document = several.document()
    assert (document["verdict"], list(document["tasks"])) == ("pass", ["ner"])
    page = (several.path / "reports" / "robustness.md").read_text("utf-8")
    assert "uestion" not in page
    assert "choice" not in page


@pytest.mark.parametrize("said", [("--abalo-task", "choice"), ()], ids=["said", "found out"])
def test_the_corpus_is_read_by_the_task_that_it_is_for(several, said):
    asked = ("--abalo-corpus", "questions.jsonl", "--abalo-model", "answers:first")
    assert judged(several, *said, *asked) == {"choice/baseline"}
    facts = several.document()["tasks"]["choice"]
    assert (facts["model"]["name"], facts["corpus"]["name"], facts["corpus"]["questions"]) == (
        "answers:first",
        "questions.jsonl",
        60,
    )


def test_a_task_that_is_not_there_is_the_only_error_and_nothing_is_loaded(several):
    several.write("thresholds.toml", "[[ner.acents]]\n")
    several.write("models.py", UNTOUCHABLE)
    said = refusal(several, "--abalo-task", "choise", "--abalo-model", "models:gazetteer")
    assert said.count("ERROR") == 1
    assert "task 'choise': no such task; did you mean 'choice'?; there are " in said
    assert "acents" not in said
    assert "was loaded" not in said


def test_a_corpus_that_ships_for_another_task_is_named_with_it(several):
    said = refusal(several, "--abalo-task", "ner", "--abalo-corpus", "bundled:sentiment-pt")
    assert said.count("ERROR") == 1
    assert (
        "--abalo-corpus bundled:sentiment-pt: is a corpus of the task classification, but the run is for ner; pass "
        "--abalo-task classification, or a corpus for ner" in said
    )


def test_thresholds_of_other_tasks_alone_are_refused_with_their_tasks(several):
    several.write("thresholds.toml", "[[choice.baseline]]\nmin_accuracy = 0.1\n[[pos.accents]]\n")
    said = refusal(several, "--abalo-model", "models:gazetteer")
    assert said.count("ERROR") == 1
    assert "thresholds.toml: has only cases of choice, pos, but the run is for ner; pass --abalo-task" in said


@pytest.mark.parametrize(
    ("name", "content"), [("words.txt", "one\nword\na\nline\n"), ("other.jsonl", '{"colour": "red"}\n')]
)
def test_a_corpus_of_no_task_is_one_error_with_the_way_out(several, name, content):
    several.write(name, content)
    said = refusal(several, "--abalo-corpus", name)
    assert said.count("ERROR") == 1
    assert f"--abalo-corpus {name}: fits no task; name the task with --abalo-task NAME:" in said
    assert "ner: columns that end in O or B-" in said
    assert 'choice: JSON lines with a "question"' in said


@pytest.mark.parametrize(("corpus", "task"), [("corpus.conll", "ner"), ("questions.jsonl", "choice")])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_packed_corpus_says_by_its_looks_which_task_it_is_for(several, corpus, task, encoding):
    text = (several.path / corpus).read_text("utf-8")
    (several.path / f"{corpus}.gz").write_bytes(gzip.compress(text.encode(encoding)))
    assert collected(several, "--abalo-corpus", f"{corpus}.gz") == {task}


def test_an_array_says_by_its_first_record_which_task_it_is_for(several):
    records = [json.loads(line) for line in (several.path / "questions.jsonl").read_text("utf-8").splitlines()]
    several.write("questions.json", json.dumps(records, indent=2))
    several.write("tagged.json", json.dumps([{"tokens": ["Ana"], "tags": ["B-PESSOA"]}]))
    assert collected(several, "--abalo-corpus", "questions.json") == {"choice"}
    assert collected(several, "--abalo-corpus", "tagged.json") == {"ner"}


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("export.json", b'[{"data": {"text": "Ana saiu"}}]', "tasks of Label Studio without an annotation"),
        ("corpus.jsonl.gz", gzip.compress(b'{"tokens": ["Ana"]}')[:12], "the gzip in it is cut short"),
    ],
    ids=["label-studio", "gzip"],
)
def test_a_corpus_of_no_task_that_is_known_is_named(several, name, content, said):
    (several.path / name).write_bytes(content)
    refused = refusal(several, "--abalo-corpus", name)
    assert refused.count("ERROR") == 1
    assert f"{name}: {said}" in refused
    assert "fits no task" not in refused


def test_a_corpus_that_is_not_there_is_no_such_file(several):
    result = several.pytester.runpytest_inprocess("--pyargs", "tests_behavioral", "--abalo-corpus", "corpsu.conll")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*corpsu.conll: no such file*corpus.conll*"])


def test_where_the_project_lies_says_nothing(several, monkeypatch):
    inner = several.path / "choice"
    (inner / "tests").mkdir(parents=True)
    (inner / "pytest.ini").write_text("[pytest]\n")
    (inner / "thresholds.toml").write_text(CASES)
    (inner / "tests" / "conftest.py").write_text("from abalo.pytest_plugin.fixtures import *\n")
    (inner / "tests" / "test_all.py").write_text(ALL)
    monkeypatch.chdir(inner)
    lines = several.pytester.runpytest_inprocess(
        "--collect-only", "-q", str(inner / "tests"), "--abalo-corpus", "../corpus.conll"
    ).outlines
    assert [line.partition("::")[2] for line in lines if "::" in line] == ["test_tags[baseline]"]


def test_what_once_broke_a_tagger_is_not_tried_on_what_answers_questions(several):
    several.write("kept.jsonl", json.dumps({"format": FORMAT}) + "\n" + json.dumps(BROKEN) + "\n")
    assert collected(several, "--abalo-regressions", "kept.jsonl", "--abalo-task", "choice") == {"choice"}


BROKEN = {
    "attack": "by_hand",
    "broken": True,
    "tokens": ["Ana", "saiu"],
    "tags": ["B-PESSOA", "O"],
    "spaces": [" ", ""],
    "target": [0, 1, "PESSOA"],
    "edits": [],
    "labels": {"attacked": ["O"]},
}

FIRST = """
def first():
    return lambda question, options: 0
"""

ALL = """
import pytest


@pytest.mark.abalo("ner")
def test_tags(case, judge):
    assert judge(case).holds


@pytest.mark.abalo("choice")
def test_answers(case, judge):
    assert judge(case).holds
"""


def test_the_tests_that_are_left_out_are_counted_by_the_reason(several):
    several.write("thresholds.toml", CASES + "[[ner.accents]]\ndeep = true\n")
    arguments = ("--abalo-corpus", "corpus.conll", "--abalo-model", "models:gazetteer")
    common = ("-p", "no:cacheprovider", "--pyargs", "tests_behavioral", *arguments)
    said = several.pytester.runpytest_inprocess(*common)
    (counted,) = (line for line in said.stdout.lines if line.startswith("collected "))
    every, out, chosen = (int(word) for word in counted.split() if word.isdigit())
    assert (every - out, chosen) == (1, 1)
    said.assert_outcomes(passed=1)
    (line,) = (line for line in said.stdout.lines if line.startswith(f"abalo: {out} deselected: "))
    parts = line.partition("deselected: ")[2].split("; ")
    assert sum(int(part.split()[0]) for part in parts) == out
    assert {part.split()[0] for part in parts if "deep" in part} == {"1"}
    assert any("other tasks" in part for part in parts)
    fewer = several.pytester.runpytest_inprocess(*common, "-k", "baseline or accents")
    assert any(" 1 deep" in line and "such as -k" in line for line in fewer.stdout.lines)
