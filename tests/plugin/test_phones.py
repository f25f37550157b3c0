"""The page on a phone: it never scrolls sideways as a whole, whatever is opened in it."""

import json
import re
import subprocess
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from tests.reporting.browser import chromium_program

pytestmark = pytest.mark.slow

WIDTHS = (400, 800)
"""Pixels across, about those of a phone and of a tablet."""

FRAME = """<!DOCTYPE html><meta charset="utf-8">
<iframe src="{page}" style="width: {width}px; height: 800px; border: 0"></iframe>
<pre id="found">not measured</pre>
<script>
const frame = document.querySelector("iframe");
frame.onload = () => {{
  const page = frame.contentDocument, measured = {{}};
  const look = (name) => {{ measured[name] = page.documentElement.scrollWidth; }};
  look("as it opens");
  page.getElementById("show_all_details").click();
  look("with every case open");
  page.querySelectorAll("details").forEach((each) => {{ each.open = true; }});
  look("with everything unfolded");
  measured.width = frame.contentWindow.innerWidth;
  measured.tables = page.querySelectorAll(".abalo-scroll table").length;
  document.getElementById("found").textContent = JSON.stringify(measured);
}};
</script>
"""
"""A page around another as wide as a phone or a tablet: windows of a browser cannot be made as narrow."""

THRESHOLDS = """
[gate]
resamples = 500
[[ner.baseline]]
min_f1 = 0.9
[[ner.accents]]
max_f1_drop = 0.06
[[ner.character_noise]]
rate = 0.1
max_f1_drop = { overall = 0.5, PESSOA = 0.01 }
"""


@pytest.fixture
def page(project):
    """The page of a run in which cases failed."""
    project.write("thresholds.toml", THRESHOLDS)
    arguments = ("--html", "page.html", "--self-contained-html", "--abalo-thresholds", "thresholds.toml")
    assert project.run(*arguments, model="models:blind_to_accents").ret == 1
    return project.path / "page.html"


def rows_of(page: Path) -> dict[str, Any]:
    """The rows of a page by the ids of their tests, and how they are shown."""
    return json.loads(unescape(re.search(r'data-jsonblob="(.*?)"', page.read_text("utf-8"))[1]))


def log_of(page: Path, name: str) -> str:
    return next(tests[0]["log"] for node, tests in rows_of(page)["tests"].items() if name in node)


def test_phones_are_told_to_lay_the_page_out_as_wide_as_they_are(page):
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in page.read_text("utf-8")


def test_the_traceback_of_pytest_is_folded_away(page):
    log = log_of(page, "test_accents")
    assert log.startswith('<details class="abalo-log"><summary>Traceback ')
    assert log.endswith("</details>")
    assert "see more: abalo show reports ner/accents" in log


def test_rows_that_hold_or_are_undecided_are_closed(page):
    assert rows_of(page)["renderCollapsed"] == ["passed", "skipped", "rerun"]


def test_rows_are_closed_as_the_project_says_if_it_does(project):
    project.write("pytest.ini", "[pytest]\nrender_collapsed = all\n")
    project.run("-k", "accents", "--html", "page.html", "--self-contained-html")
    assert rows_of(project.path / "page.html")["renderCollapsed"] == ["all"]


def test_an_error_stands_in_sight_before_its_traceback(project):
    broken = "def factory():\n    def predict(batch):\n        raise ValueError('<b>no</b>')\n    return predict\n"
    project.write("broken.py", broken)
    project.run("--html", "page.html", "--self-contained-html", model="broken:factory")
    error, _, folded = log_of(project.path / "page.html", "test_accents").partition("</p>")
    assert re.fullmatch(r'<p class="abalo-error">model broken:factory: .* raised ValueError: &lt;b&gt;no&lt;.*', error)
    assert folded.startswith('<details class="abalo-log">')


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_makes_the_page_wider_than_the_screen(page, width):
    program = chromium_program()
    frame = page.with_name("frame.html")
    frame.write_text(FRAME.format(page=page.name, width=width), "utf-8")
    profile = page.with_name("profile")
    command = [program, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={profile}"]
    command += ["--allow-file-access-from-files", "--virtual-time-budget=5000", "--dump-dom", frame.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    found = json.loads(re.search(r'<pre id="found">(.*?)</pre>', shown)[1])
    assert found.pop("tables") > 5
    assert found.pop("width") == width
    assert max(found.values()) <= width, found
