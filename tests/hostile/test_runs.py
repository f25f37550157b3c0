"""Bad input ends in one clear message and a non-zero exit: never a traceback alone, never a pass."""

import pytest

from abalo.cli import main
from abalo.locking import LOCK_NAME
from abalo.reporting.formats.marks import MARK_NAME

pytestmark = pytest.mark.slow


def assert_refused(result: pytest.RunResult, *fragments: str) -> None:
    output = result.stdout.str() + result.stderr.str()
    assert result.ret not in (0, pytest.ExitCode.INTERNAL_ERROR)
    assert "INTERNALERROR" not in output
    for fragment in fragments:
        assert fragment in output


def test_unknown_names_in_the_thresholds_are_all_told_at_once(project):
    project.write(
        "thresholds.toml", "[gate]\nconfidense = 0.9\n[[ner.acents]]\nmax_f1_drop = 0.1\n[[ner.synonyms]]\nrat = 1\n"
    )
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert_refused(result, "did you mean 'confidence'?", "did you mean 'accents'?", "did you mean 'rate'?")
    assert "Traceback" not in result.stderr.str()


@pytest.mark.slow
@pytest.mark.parametrize("arguments", [(), ("--no-summary",), ("-n", "1")])
def test_an_error_in_the_configuration_is_told_once(project, arguments):
    result = project.run("--abalo-types", "", *arguments)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert (result.stdout.str() + result.stderr.str()).count("--abalo-types ''") == 1


def test_an_empty_corpus_is_refused(project):
    project.write("corpus.conll", "\n\n")
    assert_refused(project.run(), "corpus.conll")
    assert project.document()["verdict"] == "fail"


def test_a_corpus_that_is_not_there_is_refused(project):
    assert_refused(project.run("--abalo-corpus", "corpsu.conll"), "corpsu.conll", "corpus.conll")


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("return [['O'] * len(t) for t in batch][:-1]", "fewer|rows|predictions"),
        ("return [['O'] * (len(t) - 1) for t in batch]", "tokens|tags|labels"),
        ("raise RuntimeError('no model today')", "no model today"),
    ],
)
def test_a_callable_that_breaks_its_contract_is_refused(project, body, message):
    project.write("broken.py", f"def factory():\n    def predict(batch):\n        {body}\n    return predict\n")
    result = project.run(model="broken:factory")
    assert_refused(result, "broken:factory")
    assert any(part in result.stdout.str() for part in message.split("|"))


def test_scores_that_are_not_numbers_are_refused(project):
    project.write(
        "broken.py",
        "import numpy as np\n\n\nclass Model:\n    labels = ('O', 'B-PESSOA', 'I-PESSOA', 'B-LOCAL', 'I-LOCAL', "
        "'B-ORGANIZACAO', 'I-ORGANIZACAO')\n\n    def scores(self, batch):\n"
        "        return [np.full((len(t), 7), np.nan) for t in batch]\n",
    )
    assert_refused(project.run(model="broken:Model"), "broken:Model", "nan")


def test_a_model_with_other_labels_is_refused_with_the_way_out(project):
    project.write(
        "other.py",
        "import numpy as np\n\n\nclass Model:\n    labels = ('O', 'B-PER', 'I-PER')\n\n    def scores(self, batch):\n"
        "        return [np.zeros((len(t), 3)) for t in batch]\n",
    )
    assert_refused(project.run(model="other:Model"), "PER", "PESSOA", "--abalo-label-map")


def test_a_black_box_that_predicts_other_types_is_refused_with_the_way_out(project):
    project.write("other.py", "def factory():\n    return lambda batch: [['B-PER'] * len(t) for t in batch]\n")
    assert_refused(project.run(model="other:factory"), "PER", "PESSOA", "--abalo-label-map")


def test_a_model_that_is_not_there_is_refused(project):
    assert_refused(project.run(model="models:gazeteer"), "gazeteer", "gazetteer")


def test_a_report_folder_that_cannot_be_written_is_told_before_any_work(project):
    project.write("taken", "a file, not a folder")
    result = project.run("--abalo-reports", "taken")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert_refused(result, "taken", "--abalo-reports")


def test_an_option_out_of_range_is_refused(project):
    assert_refused(project.run("--abalo-limit", "0"), "--abalo-limit 0")
    assert_refused(project.run("--abalo-seeds", "1,x"), "--abalo-seeds '1,x'")


def test_an_interrupted_run_writes_what_it_has_and_says_so(project):
    project.write(
        "interruption.py",
        "def pytest_runtest_setup(item):\n    if 'baseline' in item.nodeid:\n        raise KeyboardInterrupt\n",
    )
    project.pytester.syspathinsert()
    result = project.run("-p", "interruption", interrupted=True)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    document = project.document()
    assert document["complete"] is False
    assert "ner/baseline" in document["missing"]
    assert document["verdict"] != "pass"
    assert "incomplete" in project.path.joinpath("reports", "robustness.md").read_text("utf-8").lower()


def test_a_bound_on_a_type_that_nobody_knows_is_refused(project):
    project.write("thresholds.toml", "[[ner.accents]]\nmax_f1_drop = {PESOA = 0.1}\n")
    assert_refused(project.run(), "no entity type 'PESOA'", "did you mean 'PESSOA'?")


def files(project):
    """The content of every file among the reports, by path, without the lock and the mark of the last run."""
    reports = project.path / "reports"
    found = {path.relative_to(reports).as_posix(): path for path in reports.rglob("*") if path.is_file()}
    return {name: path.read_bytes() for name, path in found.items() if name not in (LOCK_NAME, MARK_NAME)}


BROKEN = {"model": "broken:make"}

THAT_RUN_NO_CASE = {
    "an option": (4, ("--abalo-types", ""), {}),
    "a table of thresholds": (4, ("--abalo-thresholds", "typo.toml"), {}),
    "a reference that is not there": (4, ("--abalo-against", "references/1.0"), {}),
    "a page in the place of the report": (4, ("--html", "reports/report.html", "--self-contained-html"), {}),
    "a task without cases": (4, ("--abalo-task", "pos"), {}),
    "a file of tests that is none": (2, ("broken_test.py",), {}),
    "a corpus that is not there": (1, ("--abalo-corpus", "corpsu.conll"), {}),
    "a corpus without sentences": (1, ("--abalo-corpus", "empty.conll"), {}),
    "a model that is not there": (1, (), {"model": "models:gazeteer"}),
    "a model that cannot be loaded": (1, (), BROKEN),
    "the same with --abalo-latex": (1, ("--abalo-latex",), BROKEN),
    "a list of cases": (0, ("--collect-only",), {}),
    "a list of cases with a wrong option": (4, ("--collect-only", "--abalo-types", ""), {}),
    "nothing selected": (5, ("-k", "nothing"), {}),
}
"""Exit code, arguments and model."""


@pytest.fixture
def misused(project):
    """A project with what cannot be used, and the report of a run that was right."""
    project.write("typo.toml", "[[ner.acents]]\nmax_f1_drop = 0.1\n")
    project.write("broken.py", "def make():\n    raise OSError('no weights')\n")
    project.write("broken_test.py", "import nothing_of_this_name\n")
    project.write("empty.conll", "\n\n")
    assert project.run("-k", "accents").ret == 0
    return project


@pytest.mark.parametrize(("code", "arguments", "model"), THAT_RUN_NO_CASE.values(), ids=THAT_RUN_NO_CASE)
def test_a_run_without_a_case_touches_no_earlier_report(misused, code, arguments, model):
    before = files(misused)
    for no_text in ((), ("--abalo-no-text",)):
        assert misused.run(*no_text, *arguments, **model).ret == code
        assert files(misused) == before


@pytest.mark.slow
@pytest.mark.parametrize("case", ["an option", "a model that cannot be loaded", "nothing selected"])
def test_nor_does_one_with_workers(misused, case):
    before = files(misused)
    code, arguments, model = THAT_RUN_NO_CASE[case]
    found = misused.run("-n", "1", "--abalo-no-text", *arguments, **model).ret
    assert found == code
    assert files(misused) == before


@pytest.mark.parametrize("arguments", [("--abalo-types", ""), ("--collect-only",), ("-k", "nothing")])
def test_where_there_is_no_report_it_writes_none(project, arguments):
    project.run(*arguments)
    assert not (project.path / "reports").exists() or files(project).keys() <= {".gitignore"}


def test_it_is_said_that_the_report_is_of_an_earlier_run_and_no_verdict_is_printed(misused):
    said = misused.run(model="broken:make").stdout
    said.fnmatch_lines(["*no weights*", "reports: no case ran, *an earlier run, *"])
    said.no_fnmatch_line("*PASS*")


def test_a_report_is_stale_once_a_run_has_begun_that_wrote_none(misused, capsys):
    reports = misused.path / "reports"
    mark = reports.joinpath(MARK_NAME).read_bytes()
    for code, arguments, model in THAT_RUN_NO_CASE.values():
        misused.run(*arguments, **model)
        stale = code == 1
        assert (reports.joinpath(MARK_NAME).read_bytes() != mark) == stale
        assert (main(["verdict", str(reports)]) == 2) == stale
        mark = reports.joinpath(MARK_NAME).read_bytes()
        if stale:
            assert main(["accept", str(reports), "--as", str(misused.path / "references")]) == 2
            assert main(["comment", str(reports)]) == 2
            assert not (misused.path / "references").exists()
            misused.run("-k", "accents")
            mark = reports.joinpath(MARK_NAME).read_bytes()
    assert main(["verdict", str(reports)]) == 0
    capsys.readouterr()


def test_a_model_that_cannot_be_loaded_is_in_the_report_where_none_has_results(project):
    project.write("broken.py", "def make():\n    raise OSError('no weights')\n")
    assert project.run(model="models:gazeteer").ret == pytest.ExitCode.TESTS_FAILED
    assert project.run(model="broken:make").ret == pytest.ExitCode.TESTS_FAILED
    (error,) = project.document()["errors"]
    assert "no weights" in error["message"]
    assert project.document()["verdict"] == "fail"


def test_a_report_that_was_made_of_fewer_files_is_restored_with_these(misused):
    (misused.path / "reports" / "report.html").unlink()
    before = files(misused)
    misused.run(model="broken:make")
    assert files(misused) == before


def test_once_a_case_has_run_the_report_is_of_this_run(misused):
    misused.write("ending.py", ENDING.format(raised="OSError('no more')"))
    assert misused.run(model="ending:factory").ret == pytest.ExitCode.TESTS_FAILED
    assert {result["id"] for result in misused.document()["results"]} == {"ner/baseline"}
    assert misused.document()["verdict"] == "fail"


def test_a_perturbation_that_breaks_its_contract_is_named_with_its_place(project):
    project.write(
        "conftest.py",
        "from perturbations import word_level\n\n\n@word_level(example=('a', 'ab'))\ndef careless(word):\n"
        '    """A string where a list is meant."""\n    return word + "b"\n',
    )
    project.write("thresholds.toml", "[[ner.careless]]\nmax_f1_drop = 0.1\n")
    assert_refused(project.run(), "ner/careless", "conftest.py:4")


def test_a_marker_that_names_no_table_is_refused(project):
    project.write(
        "test_mine.py", "import pytest\n\n\n@pytest.mark.abalo('ner.acents')\ndef test_f1(case):\n    assert case\n"
    )
    result = project.pytester.runpytest_inprocess("test_mine.py")
    assert_refused(result, "names no table", "did you mean 'accents'?")


def test_a_model_that_ends_the_process_is_refused(project):
    project.write("broken.py", "import sys\n\n\ndef factory():\n    sys.exit(0)\n")
    assert_refused(project.run(model="broken:factory"), "broken:factory", "SystemExit")


TWO_SLICES = """
[[ner.slice]]
of = "unseen_entities"
training = "models.py"

[[ner.swap_ent_oov]]
training = "models.py"
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_problem_that_several_cases_have_is_told_once(project, workers):
    project.write("thresholds.toml", TWO_SLICES)
    result = project.run("-n", workers)
    result.assert_outcomes(failed=2)
    told, _ = result.stdout.str().split("short test summary info")  # pytest repeats it there, cut unless CI is set
    assert (told + result.stderr.str()).count("no corpus: ") == 1
    result.stdout.fnmatch_lines(["cannot run, *reason that ner/s* gives"])


ENDING = """
import asyncio

import pytest

from models import gazetteer


class Odd(BaseException):
    pass


def factory():
    calls = []

    def predict(batch):
        calls.append(batch)
        if len(calls) > 3:  # the clean corpus takes three batches
            raise {raised}
        return gazetteer()(batch)

    predict.draws = False
    return predict
"""


@pytest.mark.parametrize(
    "raised", ["SystemExit(0)", "Odd('strange')", "asyncio.CancelledError()", "pytest.skip.Exception('not today')"]
)
def test_whatever_a_model_raises_is_a_failure_of_that_case_in_one_line(project, raised):
    project.write("ending.py", ENDING.format(raised=raised))
    assert_refused(result := project.run(model="ending:factory"), "model ending:factory: the function")
    result.assert_outcomes(passed=1, failed=2)
    assert [error["id"] for error in project.document()["errors"]] == ["ner/accents", "ner/word_insertion[rate-0.1]"]


@pytest.mark.slow
@pytest.mark.parametrize(("raised", "code"), [("KeyboardInterrupt", 2), ("pytest.exit.Exception('enough', 3)", 3)])
def test_what_ends_pytest_ends_it_from_within_a_model_too(project, raised, code):
    project.write("ending.py", ENDING.format(raised=raised))
    result = project.run(model="ending:factory", interrupted=True)
    assert result.ret == code
    assert (project.document()["verdict"], project.document()["complete"]) == ("inconclusive", False)
    assert project.document()["errors"] == []


def test_what_a_model_prints_is_kept_out_of_the_page_without_text(project):
    shown = "def printing():\n    return lambda batch: [print(*words) or [tag(w) for w in words] for words in batch]\n"
    project.write("models.py", (project.path / "models.py").read_text("utf-8") + "\n\n" + shown)
    page = ("--html=page.html", "--self-contained-html")
    project.run(*page, model="models:printing")
    assert "ouviu Ana em" in (project.path / "page.html").read_text("utf-8")
    project.run(*page, "--abalo-no-text", model="models:printing")
    assert "ouviu Ana em" not in (project.path / "page.html").read_text("utf-8")


def test_reports_go_nowhere_by_accident(project):
    result = project.run("--abalo-reports", "")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--abalo-reports is empty: expected a folder, such as reports*"])
