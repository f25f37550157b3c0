"""Tests leave nothing to each other, and run in any order."""

import pytest

import abalo.pytest_plugin.fixtures  # noqa: F401 - pytester forgets modules that are first imported inside a test
from abalo.attacks import attacks
from abalo.attacks.parts import methods, rankings
from abalo.core.protocols.probe import probes
from abalo.core.protocols.registry import Registry
from abalo.core.protocols.task import tasks
from abalo.invariances import invariances
from abalo.reporting.content.blocks import blocks
from abalo.reporting.content.sections import sections
from abalo.slices import slices
from abalo.validators import validators

REGISTRIES: list[Registry] = [
    *(tasks, probes, attacks, rankings, methods, invariances, slices, validators, blocks, sections),
    *(task.metrics for task in tasks().values()),
]
"""Every registry that users add to."""

OF_A_TEST, OF_A_MODULE = "of_a_test", "of_a_module"


def register(name: str) -> None:
    """Adds a member of that name to each registry."""
    for registry in REGISTRIES:
        registry.register(type("Added", (), {"name": name})())


def holding(name: str) -> int:
    """The number of registries with a member of that name."""
    return sum(name in registry() for registry in REGISTRIES)


REGISTERING = """
from pathlib import Path

import pytest

from perturbations import word_level
from perturbations.languages import add_languages, codes
from perturbations.catalogue import members
from tests.test_isolation import OF_A_MODULE, OF_A_TEST, REGISTRIES, holding, register


@pytest.fixture(scope="module")
def of_the_module():
    register(OF_A_MODULE)


def test_first(of_the_module):
    register(OF_A_TEST)
    add_languages(Path("languages").absolute())

    @word_level(example=("a", "ab"))
    def followed_by_b(word):
        return (word + "b",)

    assert holding(OF_A_TEST) == len(REGISTRIES)
    assert "followed_by_b" in members()
    assert "xx" in codes()


def test_second():
    assert holding(OF_A_TEST) == 0
    assert holding(OF_A_MODULE) == len(REGISTRIES)
    assert "followed_by_b" not in members()
    assert "xx" not in codes()
"""

AFTER_IT = """
from tests.test_isolation import OF_A_MODULE, holding


def test_third():
    assert holding(OF_A_MODULE) == 0
"""


def test_members_that_a_test_or_a_fixture_of_a_module_registers_are_gone_after_it(pytester):
    pytester.mkpydir("languages")
    pytester.mkpydir("languages/xx")
    pytester.makepyfile(test_a=REGISTERING, test_b=AFTER_IT)
    pytester.runpytest_inprocess("-p", "tests.conftest").assert_outcomes(passed=3)


def test_members_that_the_conftest_of_a_run_in_a_test_registers_are_those_of_that_test(pytester):
    pytester.makepyfile(
        test_a="""
        pytest_plugins = ["pytester"]

        def test_first(pytester):
            pytester.makeconftest('''
                from perturbations import word_level

                @word_level(example=("a", "ab"))
                def followed_by_b(word):
                    return (word + "b",)
            ''')
            pytester.makepyfile("def test_inner(): pass")
            pytester.runpytest_inprocess().assert_outcomes(passed=1)

        def test_second():
            from perturbations.catalogue import members
            assert "followed_by_b" not in members()
        """
    )
    pytester.runpytest_inprocess("-p", "tests.conftest").assert_outcomes(passed=2)


FILES = {f"test_{name}": "\n".join(f"def test_{i}(): pass" for i in range(5)) for name in "abcd"}
"""Four files of five tests."""


@pytest.fixture
def order(pytester):
    """The ids of the tests in the order in which they are run."""
    pytester.makepyfile(**FILES)

    def found(*arguments: str) -> list[str]:
        result = pytester.runpytest_inprocess("-p", "tests.conftest", "--collect-only", "-q", *arguments)
        return [line for line in result.outlines if "::" in line]

    return found


def test_an_order_is_repeated_by_its_seed_and_tests_of_a_file_stay_together(order):
    plain, shuffled = order(), order("--shuffle=1")
    assert plain == sorted(plain)
    assert len(plain) == 20
    assert sorted(shuffled) == plain != shuffled == order("--shuffle=1") != order("--shuffle=2")
    files = [each.partition("::")[0] for each in shuffled]
    assert [*dict.fromkeys(files)] == files[::5]
    assert files[::5] != sorted(files[::5])


def test_a_selection_of_tests_has_their_order_among_all(order):
    selected = ("test_d.py::test_4", "test_b.py", "test_d.py::test_1")
    assert order("--shuffle=1", *selected) == [each for each in order("--shuffle=1") if each.startswith(selected)]


def test_the_seed_is_told(pytester):
    pytester.makepyfile("def test_alone(): pass")
    result = pytester.runpytest_inprocess("-p", "tests.conftest", "--shuffle=77")
    result.stdout.fnmatch_lines(["order: --shuffle=77"])
