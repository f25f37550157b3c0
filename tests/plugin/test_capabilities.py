"""Capabilities in a run of pytest: beside the thresholds, and in Python."""

import pytest

pytestmark = pytest.mark.slow

CAPABILITIES = """
[[ner.capability]]
name = "places"
capability = "vocabulary"
templates = ["Ela mora em [{place} LOCAL] .", "[{place} LOCAL] fica longe ."]
place = ["Natal", "Belém", "Oslo"]
min_pass_rate = {limit}

[[ner.capability]]
name = "names"
capability = "fairness"
templates = ["{{who}} mora em Natal ."]
who = "pool:PESSOA"
change = "who"
sample = 60
min_pass_rate = 0.9
"""

IN_PYTHON = """
import pytest

from abalo.capabilities import template

PLACES = template(
    "Ela mora em [{place} LOCAL] .",
    "[{place} LOCAL] fica longe .",
    name="places",
    capability="vocabulary",
    place=["Natal", "Belém", "Oslo"],
    min_pass_rate=LIMIT,
)


def test_places(judge_template):
    result = judge_template(PLACES)
    assert result.holds, "\\n".join(result.broken)
"""

OF_FACTS = ("command", "seconds", "m")


def capabilities(limit: float) -> str:
    return CAPABILITIES.replace("{limit}", str(limit)).replace("{{", "{").replace("}}", "}")


@pytest.fixture
def in_python(project):
    """Runs the test in Python with this bound; gives its exit code, and what pytest said."""

    def run(limit: float, *arguments: str) -> pytest.RunResult:
        project.write("conftest.py", "from abalo.pytest_plugin.fixtures import *\n")
        project.write("test_mine.py", IN_PYTHON.replace("LIMIT", str(limit)))
        model = ("--abalo-corpus", "corpus.conll", "--abalo-model", "models:gazetteer", *arguments)
        return project.pytester.runpytest_inprocess("-p", "no:cacheprovider", "test_mine.py", *model)

    return run


def test_the_file_beside_the_thresholds_is_judged(project):
    project.write("capabilities.toml", capabilities(0.6))
    assert project.run("-k", "capability").ret == 0
    places, names = project.result("ner/capability[places]"), project.result("ner/capability[names]")
    assert (places["verdict"], places["metrics"]["pass_rate"]["value"]) == ("pass", 0.666667)
    assert (names["verdict"], names["capability"]["kind"], names["capability"]["exist"]) == ("pass", "invariance", 90)
    assert [(each["capability"], each["tests"]) for each in project.document()["capabilities"]] == [
        ("fairness", 1),
        ("vocabulary", 1),
    ]


def test_a_failed_capability_stops_the_release_and_says_what_broke(project):
    project.write("capabilities.toml", capabilities(0.7))
    result = project.run("-k", "capability")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(["*missed [[]Oslo LOCAL]*"])
    assert "| vocabulary | 0.333, 1 of 1 test failed |" in (project.path / "reports" / "robustness.md").read_text(
        "utf-8"
    )


def test_without_text_nothing_is_quoted(project):
    project.write("capabilities.toml", capabilities(0.7))
    project.run("-k", "capability", "--abalo-no-text")
    assert project.result("ner/capability[places]")["capability"]["failures"] == []


def test_a_capability_is_one_of_the_bounds_that_are_corrected_for(project):
    project.run("-k", "accents")
    before = project.result("ner/accents")["m"]
    project.write("capabilities.toml", capabilities(0.7))
    project.run("-k", "accents")
    assert project.result("ner/accents")["m"] == before + 2


def test_what_is_wrong_in_the_file_is_a_usage_error(project):
    project.write("capabilities.toml", capabilities(7))
    result = project.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*capabilities.toml [[][[]ner.capability]] number 1 min_pass_rate: 7*"])


def test_python_gives_the_row_that_the_file_gives(project, in_python):
    project.write("capabilities.toml", capabilities(0.7))
    project.run("-k", "places")
    of_file = project.result("ner/capability[places]")
    project.path.joinpath("capabilities.toml").unlink()
    assert in_python(0.7).ret == pytest.ExitCode.TESTS_FAILED
    of_python = project.result("ner/capability[places]")
    for name in OF_FACTS:
        of_file.pop(name), of_python.pop(name)
    assert of_python == of_file


def test_python_says_which_fillings_broke(in_python):
    result = in_python(0.7)
    result.stdout.fnmatch_lines(["*missed [[]Oslo LOCAL]*", "*Oslo fica longe .: missed*"])
    assert in_python(0.6).ret == 0


def test_a_run_about_another_task_skips_it(in_python, project):
    assert in_python(0.7, "--abalo-task", "choice").ret != pytest.ExitCode.TESTS_FAILED


def test_a_second_capability_in_one_test_is_refused(in_python, project):
    in_python(0.6)
    text = project.path.joinpath("test_mine.py").read_text("utf-8")
    project.write("test_mine.py", text + "    judge_template(PLACES)\n")
    model = ("--abalo-corpus", "corpus.conll", "--abalo-model", "models:gazetteer")
    result = project.pytester.runpytest_inprocess("-p", "no:cacheprovider", "test_mine.py", *model)
    result.stdout.fnmatch_lines(["*'places' was judged in this test; parametrise it for 'places'*"])


def test_the_same_model_is_identical_and_a_worse_one_has_regressed(project):
    from abalo.cli import main

    project.write("capabilities.toml", capabilities(0.1).replace("min_pass_rate = 0.9", "min_pass_rate = 0.1"))
    assert project.run("-k", "capability or baseline").ret == 0
    assert main(["accept", str(project.path / "reports"), "--as", str(project.path / "references" / "1.0")]) == 0
    against = ("-k", "capability or baseline", "--abalo-against", "references/1.0")
    project.run(*against)
    states = states_of(project)
    assert set(states.values()) == {"identical"}
    forgetful = project.path.joinpath("models.py").read_text("utf-8") + FORGETFUL
    project.write("models.py", forgetful)
    project.run(*against, model="models:forgetful")
    assert states_of(project)["ner/capability[names]"] == "regressed"
    assert states_of(project)["ner/capability[places]"] == "regressed"


FORGETFUL = '''

def forgetful():
    """Forgets the names of some when they do not stand where the corpus has them, and all places but one."""
    def one(tokens):
        found = [tag(word) for word in tokens]
        if "mora" in tokens:
            return ["O" if word[:1] in "ÍNZ" or word == "Belém" else label for word, label in zip(tokens, found)]
        return found
    return lambda batch: [one(tokens) for tokens in batch]
'''


def states_of(project) -> dict[str, str]:
    losses = project.document()["comparison"]["tasks"]["ner"]["losses"]
    return {each["id"]: each["state"] for each in losses if "capability" in each["id"] and not each["type"]}
