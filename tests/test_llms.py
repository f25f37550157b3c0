"""llms.txt: every page once, at its address, with its first sentence; and the hook of pre-commit."""

import re
import shlex
from pathlib import Path

import pytest
import yaml

from abalo.cli import main
from docs.making import llms

ROOT = Path(__file__).parents[1]


def test_every_page_is_there_once_with_a_sentence():
    lines = re.findall(r"^- \[(.+)\]\((\S+)\): (.+)$", llms.made(), re.MULTILINE)
    pages = [page for page in ROOT.glob("docs/**/*.md") if page.name != "index.md" and "decisions" not in page.parts]
    found = [address.partition("/abalo/")[2].replace(".html", ".md") for _, address, _ in lines]
    assert sorted(found) == sorted(page.relative_to(ROOT / "docs").as_posix() for page in pages)
    assert all(len(sentence) > 10 for *_, sentence in lines)


@pytest.mark.parametrize(
    ("page", "expected"),
    [
        ("# A page\n\nFirst one. Second.\n", ("A page", "First one.")),
        ("# A page\n\n<!-- note -->\n\n| a |\n\n[Link](x.md) is here:\n\n```\n", ("A page", "Link is here")),
        ("# A page\n", ("A page", "")),
    ],
)
def test_the_first_sentence_of_a_page_is_that_of_its_first_paragraph(page, expected):
    assert llms.opening(page) == expected


def test_the_hook_of_pre_commit_is_a_command_that_there_is(tmp_path, monkeypatch, capsys):
    (hook,) = yaml.safe_load(ROOT.joinpath(".pre-commit-hooks.yaml").read_text("utf-8"))
    program, *words = shlex.split(hook["entry"])
    monkeypatch.chdir(tmp_path)
    assert (program, hook["pass_filenames"]) == ("abalo", False)
    assert main([*words, *hook["args"]]) == 2, "no run yet: the push is stopped"
    assert "reports" in capsys.readouterr().err
