"""What README and CONTRIBUTING show runs as shown."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from abalo.cli import parser
from abalo.config.thresholds import load
from abalo.pytest_plugin.options import _OPTIONS
from perturbations import catalogue, find, parse, render

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "CONTRIBUTING.md")


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", ROOT.joinpath(page).read_text("utf-8"), re.DOTALL)


@pytest.fixture
def no_new_members(monkeypatch):
    """Perturbations decorated in a test are forgotten after it."""
    catalogue.members()
    monkeypatch.setattr(catalogue, "_members", dict(catalogue._members))


@pytest.mark.parametrize("page", PAGES)
def test_python_blocks_define_a_perturbation_that_keeps_its_example(page, no_new_members):
    (block,) = blocks(page, "python")
    exec(compile(block, page, "exec"), {"__name__": page})  # the page is ours
    shouting = find("shouting").configured(rate=1)
    perturbed = shouting.sample(parse(shouting.example.before), seed=1)
    assert perturbed is not None
    assert render(perturbed.sentence) == shouting.example.after


@pytest.mark.parametrize("page", PAGES)
def test_toml_blocks_are_thresholds_files(page, no_new_members, tmp_path):
    for block in blocks(page, "python"):
        exec(compile(block, page, "exec"), {"__name__": page})
    for number, block in enumerate(blocks(page, "toml")):
        path = tmp_path / f"{number}.toml"
        path.write_text(block, "utf-8")
        assert load(path).cases


def test_every_option_in_the_readme_exists():
    known = {option.name for option in _OPTIONS}
    assert set(re.findall(r"--abalo-[a-z-]+", ROOT.joinpath("README.md").read_text("utf-8"))) <= known


@pytest.mark.parametrize("page", PAGES)
def test_every_command_is_one_that_abalo_takes(page):
    text = ROOT.joinpath(page).read_text("utf-8").replace("\\\n", " ")
    lines = re.findall(r"^abalo .*$", text, re.MULTILINE)
    assert lines
    for line in lines:
        _, *arguments = shlex.split(line, comments=True)
        assert parser().parse_args(arguments).run


def test_links_in_the_pages_lead_somewhere():
    for page in ROOT.glob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert ROOT.joinpath(target).exists(), f"{page.name}: {target} is missing"


def test_the_version_is_written_once_in_each_place():
    project = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))["project"]
    namespace: dict[str, str] = {}
    exec(ROOT.joinpath("abalo", "__init__.py").read_text("utf-8"), namespace)
    assert namespace["__version__"] == project["version"]
