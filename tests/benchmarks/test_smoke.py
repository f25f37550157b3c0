"""Every benchmark runs at its smallest size, and the commands in the documentation parse."""

import re
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from benchmarks import results
from benchmarks.arguments import Lacks
from benchmarks.published import VARIABLE
from tests.rows import every

ROOT = Path(__file__).parents[2]
NAMES = sorted(
    path.stem
    for path in (ROOT / "benchmarks").glob("*.py")
    if '\nif __name__ == "__main__":' in path.read_text(encoding="utf-8") and path.stem != "__main__"
)
PAGES = [page for folder in ("findings", "explanation") for page in sorted((ROOT / "docs" / folder).rglob("*.md"))]
COMMAND = re.compile(r"(?:^|[\s`(])(?:\S+/bin/)?python -m benchmarks(?:\.(\w+))?((?:\\\n|[^`\n])*)")


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_a_benchmark_runs_at_its_smallest_size(name, tmp_path, monkeypatch):
    monkeypatch.setattr(results, "FOLDER", tmp_path / "results")
    module = import_module(f"benchmarks.{name}")
    try:
        assert not module.main(["--smoke"])
    except Lacks as error:
        pytest.skip(f"benchmarks.{name}: {error}")
    assert not (tmp_path / "results").exists(), "figures of the smallest size are not kept"


@every("name", NAMES)
def test_the_smallest_size_of_each_benchmark_parses(name):
    assert import_module(f"benchmarks.{name}").parser().parse_args(["--smoke"]).smoke


def commands(text):
    """The benchmarks that a page names with their arguments."""
    for name, rest in COMMAND.findall(text):
        given = shlex.split(rest.replace("\\\n", " "), comments=True)
        yield name, given[: given.index("&&")] if "&&" in given else given


WRITTEN = sorted({(name, tuple(given)) for page in PAGES for name, given in commands(page.read_text(encoding="utf-8"))})


@every(("name", "given"), WRITTEN)
def test_each_command_in_the_documentation_parses(name, given, monkeypatch):
    assert name in NAMES
    monkeypatch.setenv(VARIABLE, "DATA")
    import_module(f"benchmarks.{name}").parser().parse_args([*given])


def test_commands_are_read_with_breaks_comments_and_options():
    page = "```\npython -m benchmarks.gate --base \\\n    --device cpu   # twice\n"
    page += "PEER/bin/python -m benchmarks.peers\n```\n"
    page += "Run `python -m benchmarks.noise 200`, or"
    found = [("gate", ["--base", "--device", "cpu"]), ("peers", []), ("noise", ["200"])]
    assert list(commands(page)) == found


def test_a_command_that_a_benchmark_no_longer_has_does_not_parse():
    with pytest.raises(SystemExit):
        import_module("benchmarks.gate").parser().parse_args(["--no-such-option"])
