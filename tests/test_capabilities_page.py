"""docs/capabilities.md: all that it shows can be read, and its ten tests are run."""

import re
from pathlib import Path

import pytest

import abalo
from abalo.capabilities import template
from abalo.config.thresholds import case_of, load_suite
from abalo.core.gate import Gate
from abalo.core.task import tasks

PAGE = (Path(__file__).parents[1] / "docs" / "capabilities.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
TEN = [block for block in BLOCKS if re.search(r'^name = "\d', block, re.MULTILINE)]


SENTIMENT = next(block for block in BLOCKS if 'name = "S1 ' in block)


@pytest.fixture(scope="module")
def sessions():
    """A session of each task with the model that ships; of sentiment in English."""
    given = {"ner": None, "pos": None, "classification": "bundled:sentiment-en"}
    return {task: abalo.Session(task, corpus=corpus, limit=60) for task, corpus in given.items()}


def cases_in(block, folder):
    path = folder / "capabilities.toml"
    path.write_text(block, encoding="utf-8")
    return load_suite(path, Gate())


@pytest.mark.parametrize("block", BLOCKS, ids=[re.findall('name = "(.*?)"', block)[0] for block in BLOCKS])
def test_every_block_is_a_file_that_can_be_read(block, tmp_path):
    cases = cases_in(block, tmp_path)
    assert len(cases) == block.count("[[")
    assert all(case.bounds for case in cases)


def test_there_are_ten_tests_of_all_kinds():
    names = [re.findall('name = "(.*?)"', block)[0] for block in TEN]
    assert [int(name.partition(" ")[0]) for name in names] == list(range(1, 11))


@pytest.mark.parametrize("number", range(10))
def test_each_of_the_ten_is_run_and_judged(number, tmp_path, sessions):
    check(*cases_in(TEN[number], tmp_path), sessions)


@pytest.mark.parametrize("number", range(10))
def test_each_test_of_sentiment_is_run_and_judged(number, tmp_path, sessions):
    check(cases_in(SENTIMENT, tmp_path)[number], sessions)


def check(case, sessions):
    """All of it is run, and its numbers agree."""
    found = sessions[case.task].judged(case, bounds=1).results[0]
    said = found["capability"]
    assert said["run"] >= 3
    assert said["undecided"] == 0
    assert found["metrics"]["pass_rate"]["value"] == pytest.approx(1 - said["failed"] / said["run"])
    assert found["verdict"] in ("pass", "fail", "inconclusive")
    assert found["verdict"] != "inconclusive" or not said["census"]


def test_the_kinds_of_the_ten_are_those_that_the_table_says(tmp_path):
    told = re.findall(r"^\| (\d+) \| .*? \| (MFT|INV|DIR) \|", PAGE, re.MULTILINE)
    kinds = {"minimum functionality": "MFT", "invariance": "INV", "directional": "DIR"}
    for (number, kind), block in zip(told, TEN, strict=True):
        plan = cases_in(block, tmp_path)[0].plan
        loose = plan.expect.startswith("at most")  # CheckList calls it an invariance all the same
        assert (plan.name.partition(" ")[0], "INV" if loose else kinds[plan.kind]) == (number, kind)


def test_the_kinds_of_the_tests_of_sentiment_are_those_that_the_table_says(tmp_path):
    told = re.findall(r"^\| (S\d+) \| .*? \| (MFT|INV|DIR) \|", PAGE, re.MULTILINE)
    kinds = {"minimum functionality": "MFT", "invariance": "INV", "directional": "DIR"}
    plans = [case.plan for case in cases_in(SENTIMENT, tmp_path)]
    assert [(plan.name.partition(" ")[0], kinds[plan.kind]) for plan in plans] == told


def test_the_python_of_the_page_makes_cases():
    (code,) = [block for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "judge_template" in block]
    names = {"template": template}
    exec(code.partition("TESTS = ")[0].replace("import pytest", ""), names)  # the page is ours
    exec("TESTS = " + code.partition("TESTS = ")[2].partition("\n\n\n")[0], names)
    made = [case_of(tasks()[each.task], "capability", each.values, Gate()) for each in names["TESTS"]]
    assert [case.id for case in made] == ["ner/capability[towns]", "ner/capability[names]", "pos/capability[nouns]"]
