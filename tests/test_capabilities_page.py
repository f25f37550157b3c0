"""docs/how-to/capabilities.md can be read; the tests of CheckList in docs/reference/capabilities.md are run."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import abalo
from abalo.capabilities import template
from abalo.capabilities.facts import facts_of
from abalo.config.thresholds import case_of, load, load_suite
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.run.execution import Execution
from docs.making import capabilities

PAGE = (Path(__file__).parents[1] / "docs" / "how-to" / "capabilities.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
ENTRIES = [block for block in BLOCKS if "capability]]" in block]
SLICES = [block for block in BLOCKS if "slice]]" in block]
CHECKLIST = capabilities.tests()


@pytest.fixture(scope="module")
def sessions():
    """A session of each task with the model that ships; of sentiment in English."""
    given = {"ner": None, "pos": None, "classification": "bundled:sentiment-en"}
    return {task: abalo.Session(task, corpus=corpus, limit=60) for task, corpus in given.items()}


def cases_in(block, folder):
    path = folder / "capabilities.toml"
    path.write_text(block, encoding="utf-8")
    return load_suite(path, Gate())


def names(block: str) -> Sequence[str]:
    return re.findall('^name = "(.*?)"', block, re.MULTILINE)


@pytest.mark.parametrize("block", ENTRIES, ids=[names(block)[0] for block in ENTRIES])
def test_every_block_is_a_file_that_can_be_read(block, tmp_path):
    cases = cases_in(block.replace("suites = ", "# suites = "), tmp_path)
    assert [case.plan.name for case in cases] == names(block)
    assert all(case.bounds for case in cases)


def test_the_suite_that_is_shown_ships(tmp_path):
    assert len(cases_in(re.findall("^suites = .*?$", PAGE, re.MULTILINE)[0], tmp_path)) > 20


def test_slices_are_cases_of_thresholds_toml(tmp_path):
    (block,) = SLICES
    tmp_path.joinpath("thresholds.toml").write_text(block, "utf-8")
    assert [case.plan.params["of"] for case in load(tmp_path / "thresholds.toml").cases] == [
        "length",
        "unseen_entities",
    ]


@pytest.mark.parametrize("test", CHECKLIST, ids=[names(test.entry)[0] for test in CHECKLIST])
def test_each_test_of_checklist_is_run_and_judged(test, tmp_path, sessions):
    (case,) = cases_in(test.entry, tmp_path)
    found = Execution(sessions[case.task].prepared).judged(case, bounds=1).results[0]
    said = facts_of(found)
    assert said.run >= 3
    assert said.undecided == 0
    assert found.metrics["pass_rate"].value == pytest.approx(1 - said.failed / said.run)
    assert found.verdict in ("pass", "fail", "inconclusive")
    assert found.verdict != "inconclusive" or not said.census


def test_the_kinds_of_the_tests_are_those_that_are_said():
    kinds = {"minimum functionality": "MFT", "invariance": "INV", "directional": "DIR"}
    plans = capabilities.plans(capabilities.CHECKLIST)
    assert len(plans) == 20
    for test, plan in zip(CHECKLIST, plans, strict=True):
        loose = plan.expect.startswith("at most")  # CheckList calls it an invariance all the same
        assert ("INV" if loose else kinds[plan.kind]) == test.kind, plan.name


def test_the_python_of_the_page_makes_cases():
    (code,) = [block for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "judge_template" in block]
    made = {"template": template}
    exec(code.partition("TESTS = ")[0].replace("import pytest", ""), made)  # the page is ours
    exec("TESTS = " + code.partition("TESTS = ")[2].partition("\n\n\n")[0], made)
    cases = [case_of(tasks()[each.task], "capability", each.values, Gate()) for each in made["TESTS"]]
    assert [case.id for case in cases] == ["ner/capability[towns]", "ner/capability[names]", "pos/capability[nouns]"]
