"""Bad input ends in one clear message and a non-zero exit: never a traceback alone, never a pass."""

import pytest

from abalo.cli import main


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
    result = project.run("--abalo-types", "", *arguments, subprocess=True)
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
def test_a_callable_that_breaks_its_promise_is_refused(project, body, message):
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
    result = project.run("-p", "interruption", subprocess=True)
    assert result.ret == pytest.ExitCode.INTERRUPTED
    document = project.document()
    assert document["complete"] is False
    assert "ner/baseline" in document["missing"]
    assert document["verdict"] != "pass"
    assert "incomplete" in project.path.joinpath("reports", "robustness.md").read_text("utf-8").lower()


def test_a_bound_on_a_type_that_nobody_knows_is_refused(project):
    project.write("thresholds.toml", "[[ner.accents]]\nmax_f1_drop = {PESOA = 0.1}\n")
    assert_refused(project.run(), "no entity type 'PESOA'", "did you mean 'PESSOA'?")


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_wrong_configuration_replaces_the_report_of_an_earlier_run(project, workers):
    project.run("-k", "accents")
    project.write("thresholds.toml", "[[ner.acents]]\nmax_f1_drop = 0.1\n")
    project.run("-n", workers, subprocess=workers != "0")
    document = project.document()
    assert document["verdict"] == "fail"
    assert "did you mean 'accents'?" in document["errors"][0]["message"]
    assert "PASS" not in (project.path / "reports" / "robustness.md").read_text("utf-8")


def test_a_run_that_never_began_leaves_the_results_of_the_run_before(project, capsys):
    def files():
        return {path.name: path.read_bytes() for path in (project.path / "reports").iterdir()}

    reports = str(project.path / "reports")
    project.run("-k", "accents", "--abalo-latex")
    before = files()
    for _ in range(2):
        result = project.run("-k", "accents", "--abalo-types", "")
        assert result.ret == pytest.ExitCode.USAGE_ERROR
        result.stdout.fnmatch_lines(["the report of the run before is kept: robustness.previous.json; *"])
        after = files()
        for name in ("robustness.json", "robustness.md", "robustness.tex"):
            assert after.pop(name) != before[name]
        assert {name.replace(".previous", ""): data for name, data in after.items()} == before
        capsys.readouterr()
        assert main(["verdict", reports]) == 1
        assert "PASS" not in capsys.readouterr().out
    for name in ("robustness.json", "robustness.md", "robustness.tex"):
        (project.path / "reports" / name.replace(".", ".previous.")).replace(project.path / "reports" / name)
    assert main(["rejudge", reports, "--thresholds", str(project.path / "thresholds.toml")]) == 0


@pytest.mark.parametrize("next_run", [("-k", "accents"), ("--abalo-types", "", "--abalo-no-text")])
def test_what_was_kept_goes_with_the_evidence_and_where_no_text_may_stay(project, next_run):
    project.run("-k", "accents")
    kept = project.path / "reports" / "robustness.previous.json"
    project.run("-k", "accents", "--abalo-types", "")
    assert kept.exists()
    project.run(*next_run)
    assert not kept.exists()


def test_a_file_that_has_the_name_of_what_is_kept_and_is_not_ours_stays(project):
    (project.path / "reports").mkdir()
    mine = project.write("reports/robustness.previous.json", "[]")
    project.run("-k", "accents")
    assert project.run("-k", "accents", "--abalo-types", "").ret == pytest.ExitCode.USAGE_ERROR
    assert mine.read_text("utf-8") == "[]"


def test_a_perturbation_that_breaks_its_promise_is_named_with_its_place(project):
    project.write(
        "conftest.py",
        "from perturbations import word_level\n\n\n@word_level(example=('a', 'ab'))\ndef careless(word):\n"
        '    """A string where a list is meant."""\n    return word + "b"\n',
    )
    project.write("thresholds.toml", "[[ner.careless]]\nmax_f1_drop = 0.1\n")
    assert_refused(project.run(subprocess=True), "ner/careless", "conftest.py:4")


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
    result = project.run("-n", workers, subprocess=workers != "0")
    result.assert_outcomes(failed=2)
    told, _ = result.stdout.str().split("short test summary info")  # pytest repeats it there, cut unless CI is set
    assert (told + result.stderr.str()).count("no corpus: ") == 1
    result.stdout.fnmatch_lines(["cannot run, for the reason that ner/s* gives"])


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
    result = project.run(model="ending:factory", subprocess=code == pytest.ExitCode.INTERRUPTED)
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
