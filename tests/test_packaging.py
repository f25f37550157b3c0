"""The distributions, without a build: one version, the files that the code loads, a changelog by version."""

import ast
import re
import tomllib
from itertools import pairwise
from pathlib import Path

import pytest

from abalo import __version__
from abalo.bundled import CASES, OWN_GATE, bundled_path

ROOT = Path(__file__).parent.parent
PYPROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))
PROJECT = PYPROJECT["project"]
WHEEL = PYPROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
CHANGELOG = ROOT.joinpath("CHANGELOG.md").read_text("utf-8")
PACKAGES = ("abalo", "perturbations", "tests_behavioral")

NOT_SHIPPED = {"grammar", "reading", "templates", "training"}
"""Folders of fixtures that others are made from, and that nothing loads."""


def test_the_version_is_written_in_one_place():
    assert "version" not in PROJECT
    assert PROJECT["dynamic"] == ["version"]
    assert PYPROJECT["tool"]["hatch"]["version"] == {"path": "abalo/version.py"}
    written = re.findall(
        r'^__version__ = "(.+)"$', ROOT.joinpath("abalo", "version.py").read_text("utf-8"), re.MULTILINE
    )
    assert written == [__version__]


@pytest.mark.parametrize("folder", ["abalo", "perturbations", "tests_behavioral", "release", ".github", "ci"])
def test_nothing_but_its_place_spells_the_version_of_ours(folder):
    spelt = re.compile(rf"abalo\W{{1,6}}v?{re.escape(__version__)}\b", re.IGNORECASE)
    sources = (path for path in ROOT.joinpath(folder).rglob("*") if path.suffix in (".py", ".sh", ".toml", ".yml"))
    assert [path.relative_to(ROOT).as_posix() for path in sources if spelt.search(path.read_text("utf-8"))] == []


# What is in the wheel ---------------------------------------------------------------------------------------------


def loaded(path: Path) -> set[str]:
    """The names of files that ship which a module has: what it gives to ``bundled``, and paths into fixtures/."""
    tree = ast.parse(path.read_text("utf-8"))
    named = {
        target.id: node.value.value
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    found = {
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"fixtures/[\w./-]+", node.value)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "bundled":
            (given,) = node.args
            value = given.value if isinstance(given, ast.Constant) else named.get(ast.unparse(given))
            found |= {value} if isinstance(value, str) else set()
    return found


@pytest.fixture(scope="module")
def all_loaded():
    """The files that the code loads: capabilities.toml beside a thresholds file, the default cases by a shared name."""
    sources = (path for package in PACKAGES for path in ROOT.joinpath(package).rglob("*.py"))
    return sorted({"capabilities.toml", CASES}.union(*map(loaded, sources)))


def test_what_the_code_loads_is_known(all_loaded):
    assert {"fixtures/corpora", "fixtures/model", "fixtures/aspects/weights.npz"} <= {*all_loaded}


def test_the_default_cases_ship_and_the_gate_of_the_bundled_models_does_not():
    assert bundled_path(CASES) == ROOT / CASES
    assert CASES.split("/")[0] in WHEEL["packages"]
    assert OWN_GATE == ROOT / "thresholds.toml"
    assert not [source for source in WHEEL["force-include"] if source.endswith("thresholds.toml")]


def test_files_that_the_code_loads_are_in_the_wheel(all_loaded):
    assert [name for name in all_loaded if not ROOT.joinpath(name).exists()] == []
    shipped = [*WHEEL["force-include"], *PACKAGES]
    missing = [
        name for name in all_loaded if not any(name == source or name.startswith(f"{source}/") for source in shipped)
    ]
    assert missing == [], "missing from [tool.hatch.build.targets.wheel.force-include] of pyproject.toml"


def test_files_that_ship_are_there_and_lie_where_bundled_looks():
    for source, target in WHEEL["force-include"].items():
        assert ROOT.joinpath(source).exists(), source
        assert target == f"abalo/_bundled/{source}"


def test_a_folder_of_fixtures_ships_or_is_known_not_to():
    folders = {path.name for path in ROOT.joinpath("fixtures").iterdir() if path.is_dir() and path.name[0] not in "._"}
    shipped = {source.removeprefix("fixtures/") for source in WHEEL["force-include"] if source.startswith("fixtures/")}
    assert folders == shipped | NOT_SHIPPED


def test_packages_are_in_the_wheel_whole():
    assert WHEEL["packages"] == [*PACKAGES]
    assert not {"exclude", "include", "only-include", "artifacts"} & {*WHEEL}
    assert "exclude" not in PYPROJECT["tool"]["hatch"]["build"]


def test_modules_that_judge_are_found_by_the_name_of_their_package():
    modules = sorted(ROOT.joinpath("tests_behavioral").rglob("test_*.py"))
    assert {path.parent.name for path in modules} >= {"aspects", "choice", "classification", "ner", "pairs", "pos"}
    assert [path for path in modules if not path.with_name("__init__.py").is_file()] == []


def test_the_pythons_that_are_named_begin_with_the_one_that_is_required():
    named = [name.rpartition(" ")[2] for name in PROJECT["classifiers"] if "Python :: 3." in name]
    minors = [int(name.removeprefix("3.")) for name in named]
    assert PROJECT["requires-python"] == f">={named[0]}"
    assert minors == [*range(minors[0], minors[-1] + 1)]


# The changelog ----------------------------------------------------------------------------------------------------

HEADINGS = re.findall(r"^## (.+)$", CHANGELOG, re.MULTILINE)
RELEASED = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - (\d{4}-\d\d-\d\d)", heading) for heading in HEADINGS[1:]]


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def test_the_changelog_begins_with_unreleased_changes_then_versions_newest_first():
    assert HEADINGS[0] in {"[Unreleased]", f"[{__version__}] - unreleased"}
    assert None not in RELEASED, f"expected [1.2.3] - 2026-11-30, found {HEADINGS[1:]}"
    assert all(numbers(a[1]) > numbers(b[1]) and a[2] >= b[2] for a, b in pairwise(RELEASED))
    assert all(numbers(each[1]) <= numbers(__version__) for each in RELEASED)


def test_every_heading_of_a_version_has_its_link():
    links = dict(re.findall(r"^\[(.+)\]: (\S+)$", CHANGELOG, re.MULTILINE))
    assert [*links] == [heading[1:].partition("]")[0] for heading in HEADINGS]
    assert all(link.startswith(f"{PROJECT['urls']['Source']}/") for link in links.values())


def test_changes_are_of_the_kinds_that_keep_a_changelog_knows():
    kinds = {*re.findall(r"^### (.+)$", CHANGELOG, re.MULTILINE)}
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
