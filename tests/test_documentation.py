"""Programs and commands of the pages run as shown."""

import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

import pytest

from abalo.cli import parser
from abalo.config.options import OPTIONS
from tests.rows import every

ROOT = Path(__file__).parent.parent
PAGES = ("README.md", "CONTRIBUTING.md")
PAGES_OF_DOCS = sorted(path.relative_to(ROOT).as_posix() for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


def blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", ROOT.joinpath(page).read_text("utf-8"), re.DOTALL)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Runs a program in a folder of its own, with other files beside it, offline; gives what it printed."""

    def run(program: str, files: Mapping[str, str] = MappingProxyType({})) -> list[str]:
        folder = tmp_path_factory.mktemp("page")
        for name, text in {**files, "page.py": program}.items():
            folder.joinpath(name).parent.mkdir(parents=True, exist_ok=True)
            folder.joinpath(name).write_text(text, "utf-8")
        done = subprocess.run(
            [sys.executable, "-X", "utf8", "page.py"],
            cwd=folder,
            env=os.environ | {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    return run


@pytest.mark.slow
def test_the_python_interface_does_what_its_page_says(runs):
    program = "\n".join(blocks("docs/reference/python.md", "python"))
    said = re.findall(r"^ *print\(.*\)  # (.*)$", program, re.MULTILINE)
    assert len(said) > 5
    evidence = blocks("docs/reference/report.md", "python")[1]
    *printed, f1 = runs(f"{program}\n{evidence}")
    assert printed == said
    assert f1 == "0.899"  # as the page has it: 0.101 are lost of an F1 of 1


TOPICS = """
import json
from pathlib import Path

import abalo
from abalo.extend import register
from topic import TASK

register(TASK)
texts = [("o juiz {} não negou", "law"), ("o clube {} venceu", "sport")]
lines = [json.dumps({"text": text.format(k), "topic": topic}) for k in range(30) for text, topic in texts]
Path("topics.jsonl").write_text("\\n".join(lines), encoding="utf-8")
Path("classifier.py").write_text("def make(): return lambda texts: ['law' if 'não' in t else 'sport' for t in texts]")
session = abalo.Session(task="topic", model="classifier.py:make", corpus="topics.jsonl")
print(session.judge("baseline", min_accuracy=0.9))
print(session.judge("accents", max_accuracy_drop=0.1))
templates = [{"text": "{who} {verb} a sentença", "topic": "law"}]
values = {"who": ["ela não", "ele"], "verb": ["viu", "leu"], "min_pass_rate": 0.5}
print(session.judge("capability", name="law", templates=templates, **values))
print(session.judge("capability", name="who", templates=["{who} {verb}"], change="who", **values).broken[0])
print(session.judge("capability", name="label", templates=["{who} {verb}"], change="who", **values,
    expect="label does not become sport").metrics["pass_rate"].value)
print(session.prepared.facts["tasks"]["topic"]["corpus"]["distinct"])
"""
"""Judges the task that docs/how-to/add-a-task.md builds, by a model that tells topics by an accent."""


@pytest.mark.slow
def test_the_task_that_a_page_builds_is_judged(runs):
    files = [block.partition("\n") for block in blocks("docs/how-to/add-a-task.md", "python")]
    written = {head.removeprefix("# "): body for head, _, body in files} | {
        "topic/metrics/__init__.py": '"""Metrics."""\n'
    }
    assert runs(TOPICS, written) == [
        "<topic/baseline: pass>",
        "<topic/accents: fail>",
        "<topic/capability[law]: pass>",
        "ele viu (sport): was law, is sport",
        "0.5",
        "60",
    ]


@every("page", PAGES_OF_DOCS)
def test_every_option_that_is_named_exists(page):
    known = {option.flag_name for option in OPTIONS}
    assert set(re.findall(r"--abalo-[a-z]+(?:-[a-z]+)*", ROOT.joinpath(page).read_text("utf-8"))) <= known


@pytest.mark.parametrize("page", PAGES)
def test_every_command_is_one_that_abalo_takes(page):
    text = ROOT.joinpath(page).read_text("utf-8").replace("\\\n", " ")
    lines = re.findall(r"^abalo .*$", text, re.MULTILINE)
    assert lines
    for line in lines:
        _, *arguments = shlex.split(line, comments=True)
        assert parser().parse_args(arguments).run


def prose(page: str) -> str:
    """A page without its blocks of code."""
    return re.sub(r"```.*?```", "", ROOT.joinpath(page).read_text("utf-8"), flags=re.DOTALL)


def exit_codes(page: str) -> list[str]:
    """The rows of the table of exit codes in a page: a code and its condition each."""
    (rows,) = re.findall(r"^\| exit code \|.*\n\|.*\n((?:\|.*\n)+)", prose(page), re.MULTILINE)
    return rows.splitlines()


def test_the_table_of_exit_codes_has_every_code():
    codes = Counter(row.split("|")[1].strip() for row in exit_codes("docs/reference/exit-codes.md"))
    assert codes == {"1": 5, "10": 5, "0": 1, "2 to 5": 1}


def headings(page: Path) -> set[str]:
    """The anchors of a page."""
    titles = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


@every("page", PAGES_OF_DOCS)
def test_links_lead_somewhere(page):
    here = ROOT.joinpath(page)
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]+))?\)", prose(page)):
        found = here.parent / target if target else here
        assert found.exists(), f"{page}: {target} is missing"
        assert not anchor or anchor in headings(found), f"{page}: {target} has no heading #{anchor}"


@every("page", PAGES_OF_DOCS)
def test_paths_of_ours_that_are_named_are_there(page):
    folders = "abalo|benchmarks|docs|fixtures|perturbations|tests|tests_behavioral"
    named = re.findall(rf"`((?:{folders})/[\w./-]*)[`:]", prose(page))
    missing = {path for path in named if "<" not in path and not ROOT.joinpath(path).exists()}
    assert not missing, f"{page} names {', '.join(sorted(missing))}"
