"""The check before a run, and who was judged, as a user meets them."""

import pytest

from abalo.cli import main

SERVICES = '''

def failing():
    def predict(batch):
        raise IndexError("index out of range in self")
    return predict


def restless():
    """Finds no name in the second call and in every other."""
    calls = []
    def predict(batch):
        calls.append(batch)
        blind = len(calls) % 2 == 0
        return [["O" if blind and word in PEOPLE else tag(word) for word in tokens] for tokens in batch]
    return predict


def service():
    """Its answers depend on a file that its code does not name."""
    week = open("week.txt").read()
    lost = "Ana" if week == "2" else ""
    return lambda batch: [["O" if word == lost else tag(word) for word in tokens] for tokens in batch]
'''


@pytest.fixture
def services(project):
    project.write("models.py", project.path.joinpath("models.py").read_text("utf-8") + SERVICES)
    return project


def told(result: pytest.RunResult, message: str) -> int:
    """How many tests say it; the lines of the short summary say it again."""
    shown = result.stdout.str().partition("short test summary")[0]
    return shown.count(message)


@pytest.mark.slow
@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_a_model_that_cannot_predict_is_told_once(services, workers):
    result = services.run(*workers, model="models:failing")
    assert result.ret in (pytest.ExitCode.TESTS_FAILED, pytest.ExitCode.INTERRUPTED)
    assert told(result, "IndexError: index out of range in self") == 1
    assert services.document()["verdict"] == "fail"


def test_a_model_that_draws_is_judged_under_a_notice(services):
    services.run("-k", "baseline", model="models:restless")
    assert services.document()["model"]["differing"] > 0.05
    notice = "the model is random: "
    page = services.path.joinpath("reports", "robustness.md").read_text("utf-8")
    assert page.startswith("# ")
    assert page.index("\n") < page.index(notice) < page.index("models:restless, fingerprint ")


def test_how_long_a_run_takes_is_told_before_it(project):
    result = project.run("-k", "accents or baseline")
    # The first batch holds the clean corpus, and accents take all 70 sentences under each of three seeds.
    result.stdout.fnmatch_lines(["abalo: ner: 210 predictions to make, at * a second: about * s"])
    assert "left to predict" not in str(project.document())


def test_a_version_is_in_every_report_and_in_the_fingerprint(project):
    found = []
    for version in ("2026-11-01", "2026-11-08"):
        project.run("-k", "baseline", "--abalo-model-version", version)
        found.append(project.document()["tasks"]["ner"]["model"])
        page = project.path.joinpath("reports", "robustness.md").read_text("utf-8")
        assert f"models:gazetteer, version {version}, fingerprint " in page
        known = f"{found[-1]['fingerprint'][:12]}, version {version}, predictions {found[-1]['predictions'][:12]}"
        assert f"models:gazetteer ({known})" in page.splitlines()[2]
    assert [model["version"] for model in found] == ["2026-11-01", "2026-11-08"]
    assert found[0]["fingerprint"] != found[1]["fingerprint"]
    assert found[0]["predictions"] == found[1]["predictions"]


@pytest.mark.slow
def test_two_weeks_of_one_service_are_not_the_same_model(services):
    services.write("week.txt", "1")
    services.run(model="models:service")
    first = services.document()["model"]
    assert main(["accept", str(services.path / "reports"), "--as", str(services.path / "references" / "1.0")]) == 0
    services.write("week.txt", "2")
    result = services.run("--abalo-against", "references/1.0", model="models:service")
    second = services.document()["model"]
    assert first["fingerprint"] == second["fingerprint"]
    assert first["predictions"] != second["predictions"]
    page = services.path.joinpath("reports", "robustness.md").read_text("utf-8")
    assert f"({second['fingerprint'][:12]}, predictions {second['predictions'][:12]})" in page
    assert services.document()["comparison"]["tasks"]["ner"]["changed_unseen"]
    result.stdout.fnmatch_lines(["ner against the reference 1.0 (*same fingerprint, *predictions"])


def test_a_blank_version_is_refused(project):
    result = project.run("--abalo-model-version", " ")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*--abalo-model-version is blank: expected a name*"])


@pytest.mark.slow
def test_a_run_without_pytorch_says_nothing_about_its_threads(project):
    result = project.run("--abalo-threads", "1", "-k", "accents", subprocess=True)
    assert result.ret == 0
    result.stdout.no_fnmatch_line("*PyTorch*")


def test_the_threads_of_pytorch_are_told_once(project):
    pytest.importorskip("torch")
    result = project.run("--abalo-threads", "1")
    assert told(result, "abalo: PyTorch uses 1 thread (as asked for)") == 1
