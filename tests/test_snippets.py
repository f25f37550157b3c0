"""Every block of code in every page: Python runs, TOML is read, commands have the options that they are given."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from abalo.cli import parser
from abalo.config.options import OPTIONS
from abalo.config.thresholds import load
from tests.rows import every

ROOT = Path(__file__).parent.parent
PAGES = sorted(path.relative_to(ROOT).as_posix() for path in [ROOT / "README.md", *ROOT.glob("docs/**/*.md")])

ELSEWHERE = {
    ("README.md", "python"): "tests/test_readme.py",
    **{("docs/tutorial.md", language): "tests/test_tutorial.py" for language in ("console", "python", "toml", "yaml")},
    ("docs/how-to/add-a-task.md", "python"): "tests/test_documentation.py",
    **{("docs/how-to/extend.md", language): "tests/test_adding.py" for language in ("python", "toml", "tsv")},
    **{(f"docs/how-to/{page}.md", "toml"): "tests/test_guides.py" for page in ("attacks", "word-lists")},
    ("docs/reference/python.md", "python"): "tests/test_documentation.py",
    ("docs/how-to/capabilities.md", "python"): "tests/test_capabilities_page.py",
    ("docs/how-to/capabilities.md", "toml"): "tests/test_capabilities_page.py",
    ("docs/reference/capabilities.md", "toml"): "tests/test_capabilities_page.py",
    **{(f"docs/how-to/{page}.md", "python"): "tests/test_how_to.py" for page in ("models", "questions", "services")},
    ("docs/how-to/labels.md", "python"): "tests/hostile/test_foreign.py",
    ("docs/how-to/labels.md", "json"): "tests/test_how_to.py",
    ("docs/how-to/prompts.md", "toml"): "tests/test_prompts_guide.py",
    ("docs/how-to/questions.md", "json"): "tests/test_how_to.py",
    ("docs/how-to/scores.md", "json"): "tests/test_scores_guide.py",
    ("docs/how-to/scores.md", "toml"): "tests/test_scores_guide.py",
    ("docs/how-to/scores.md", "python"): "tests/test_scores_guide.py",
    **{("docs/how-to/ci.md", language): "tests/ci/test_recipes.py" for language in ("sh", "yaml")},
    ("docs/reference/report.md", "python"): "tests/reporting/test_schema.py",
}
"""The tests of blocks that need files or models beside them, by page and language."""

READ = {"python", "toml", "", "console", "sh", "text"}
"""The languages that are checked here; text is output."""


def blocks(page: str) -> list[tuple[str, str]]:
    """The blocks of a page, each with its language."""
    return re.findall(r"^```(\w*)\n(.*?)^```", ROOT.joinpath(page).read_text("utf-8"), re.DOTALL | re.MULTILINE)


NEEDS_DATA = {("docs/findings/textflint-entities.md", "toml")}
"""Blocks about corpora and models that do not ship."""


def of(language: str) -> list[str]:
    """The pages with blocks in that language that no other test has."""
    has = [page for page in PAGES if any(each == language for each, _ in blocks(page))]
    return [page for page in has if (page, language) not in ELSEWHERE and (page, language) not in NEEDS_DATA]


@every("page", PAGES)
def test_every_block_is_in_a_language_that_is_checked(page):
    assert {each for each, _ in blocks(page) if (page, each) not in {*ELSEWHERE, *NEEDS_DATA}} <= READ


@every(("page", "language"), ELSEWHERE)
def test_blocks_that_are_checked_elsewhere_are_read_there(page, language):
    assert any(each == language for each, _ in blocks(page))
    assert Path(page).name in ROOT.joinpath(ELSEWHERE[page, language]).read_text("utf-8")


@pytest.mark.parametrize("page", of("python"))
def test_python_prints_what_its_comments_say(page, tmp_path):
    program = "\n".join(body for language, body in blocks(page) if language == "python")
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-c", program],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1"},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == re.findall(r"^ *print\(.*\)  # (.*)$", program, re.MULTILINE)


@pytest.mark.parametrize("page", of("toml"))
def test_toml_is_a_thresholds_file(page, tmp_path):
    for number, (language, body) in enumerate(blocks(page)):
        if language == "toml":
            path = tmp_path / f"{number}.toml"
            path.write_text(body, "utf-8")
            assert load(path).cases


def whole(lines: list[str]) -> list[str]:
    """The lines, those that an open quotation mark joins as one."""
    found: list[str] = []
    for line in lines:
        if found and found[-1].count('"') % 2:
            found[-1] += f"\n{line}"
        else:
            found.append(line)
    return found


def commands(page: str) -> list[list[str]]:
    """The commands of a page, in words: lines of its shell blocks, in a console those after the prompt."""
    found = []
    for language, body in blocks(page):
        if (page, language) in ELSEWHERE:
            continue
        lines = body.replace("\\\n", " ").splitlines()
        if language == "console":
            lines = [line.removeprefix("$ ") for line in lines if line.startswith("$ ")]
        if language in ("", "console", "sh"):
            found += [shlex.split(part, comments=True) for line in whole(lines) for part in line.split(" && ")]
    return [words[: words.index(">")] if ">" in words else words for words in found if words]


@every("page", [page for page in PAGES if commands(page)])
def test_commands_take_the_options_that_are_shown(page):
    options = {option.flag_name: option for option in OPTIONS}
    for program, *arguments in commands(page):
        if program == "abalo":
            assert parser().parse_args(arguments).run
        if program == "pytest":
            for place, word in enumerate(arguments):
                if word.startswith("--abalo-"):
                    option = options[word.partition("=")[0]]
                    given = arguments[place + 1 : place + 2]
                    assert option.flag or "=" in word or (given and not given[0].startswith("-")), (page, word)
                    assert not option.choices or "=" in word or given[0] in option.choices
