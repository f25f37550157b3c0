"""Recipes for CI, run as shell in a folder that holds a passing report: none ends with 0 if its run did not."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ci.conftest import forked
from tests.ci.runner import ROOT, content
from tests.ci.test_recipes import EXAMPLES, PAGE

pytestmark = pytest.mark.slow

TAGGER = ROOT.joinpath("tests", "ci", "story", "tagger.txt").read_text("utf-8")
CASES = "[[ner.baseline]]\n\n[[ner.accents]]\n"
LINES = ROOT.joinpath("fixtures", "corpora", "news-en", "eval.conll").read_text("utf-8").split("\n\n")[:60]


def answering(line):
    """The tagger, which runs this line in place of its first answer."""
    return TAGGER.replace("    return lambda batch", f"    import os\n\n    return lambda batch: {line} or", 1)


FAILURES = {
    "a typo in an option": {"addopts": "--abalo-limt=5"},
    "a typo in thresholds.toml": {"thresholds.toml": "[[ner.acents]]\n"},
    "a crash in the import": {"tagger.py": "import of_nowhere\n"},
    "a crash in the factory": {"tagger.py": "def by_rules():\n    return 1 // 0\n"},
    "a crash in the first batch": {"tagger.py": answering("1 // 0")},
    "a crash in a worker": {"tagger.py": answering("os._exit(1)"), "addopts": "-n1"},
    "kill -9": {"tagger.py": answering("os.kill(os.getpid(), 9)")},
    "no memory": {"tagger.py": answering("bytearray(1 << 62)")},
    "a silent end": {"tagger.py": answering("os._exit(0)")},
}


def blocks(name):
    """The first shell block below a heading, or of the page."""
    text = PAGE.partition(f"## {name}\n")[2] if name else PAGE
    return re.search(r"```sh\n(.*?)```", text, re.DOTALL)[1]


def of_gitlab():
    """The script without what it installs; each line is a step."""
    return "\n".join(line for line in EXAMPLES[".gitlab-ci.yml"]["abalo"]["script"] if "pip install" not in line)


def of_the_action():
    """The scripts of the gate, the report and the verdict."""
    value = '$(sed -n s/exit-code=//p "$GITHUB_OUTPUT" | tail -n 1)'
    return f'bash "{ROOT}/ci/gate.sh"; export ABALO_GATE={value}; bash "{ROOT}/ci/report.sh"; exit {value}'


def of_readme():
    """The two commands of CI around the comparison."""
    text = ROOT.joinpath("README.md").read_text("utf-8")
    first, last = re.search(r"In CI, begin with `([^`]+)`,[^`]+ and end with `([^`]+)`", text).groups()
    run = re.search(r"^pytest .* --abalo-against .*$", text, re.MULTILINE)[0]
    return f"{first}\n{run}\n{last}"


def of_several_machines():
    """The shards that another guide shows."""
    text = ROOT.joinpath("docs", "how-to", "large-corpora.md").read_text("utf-8")
    return re.search(r"## Run on several machines\n.*?```\n(.*?)```", text, re.DOTALL)[1]


RECIPES = {
    "page": blocks(""),
    "GitLab": of_gitlab(),
    "action": of_the_action(),
    "README": of_readme(),
    "shards": blocks("Shards"),
    "machines": of_several_machines(),
}

SHARDS = ("shards", "machines")

REPLAYED = """#!{python} -IS
import os, pathlib, shutil, sys

arguments = sys.argv[1:]
if pathlib.Path(sys.argv[0]).name == "python" and arguments[:2] != ["-m", "pytest"]:
    assert arguments[:3] == ["-P", "-m", "abalo"], arguments
    os.execv({abalo!r}, [{abalo!r}, *arguments[3:]])
given = dict(zip(arguments, arguments[1:])) | dict(each.split("=", 1) for each in arguments if "=" in each)
kind = "shard" if "--abalo-shard" in given else "whole"
shutil.copytree(pathlib.Path({left!r}, kind), given.get("--abalo-reports", "reports"), dirs_exist_ok=True)
sys.exit({codes}[kind])
"""
"""A ``pytest`` that leaves in the folder of reports what a failed run left there, and ends as it did."""


EACH = """
while [ $# -gt 0 ]; do
  said=$(cd "$1" && bash -o pipefail -c "$2" 2>&1) && code=0 || code=$?
  printf '%s\\0%s\\0' "$code" "$said"
  shift 2
done
"""


def run(first, *asked, addopts=""):
    """The exit code of each script, asked for with its folder, and what it printed; ``first`` has its programs."""
    variables = {
        "PATH": f"{first}:{Path(sys.executable).parent}:{os.environ['PATH']}",
        "PYTEST_ADDOPTS": addopts,
        "PYTHONPATH": str(ROOT),
        "CI_JOB_URL": "https://ci.example/1",
        "ABALO_TOKEN": "",
        "ABALO_REPORTS": "reports",
        "ABALO_NAME": "abalo",
        "ABALO_MODEL": "tagger:by_rules",
        "ABALO_CORPUS": "dev.conll",
        "ABALO_AGAINST": "references/1.0",
        "GITHUB_OUTPUT": "output",
        "GITHUB_STEP_SUMMARY": "summary",
        "GITHUB_SERVER_URL": "https://github.example",
        "GITHUB_REPOSITORY": "ours/model",
        "GITHUB_RUN_ID": "42",
    }
    found = subprocess.run(
        ["bash", "-c", EACH, "bash", *(str(each) for folder_and_script in asked for each in folder_and_script)],
        env={name: value for name, value in os.environ.items() if name != "GITHUB_ACTIONS"} | variables,
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    told = found.stdout.split("\0")[:-1]
    return list(zip(map(int, told[::2]), told[1::2], strict=True))


GATE = "pytest -q --pyargs tests_behavioral --abalo-model tagger:by_rules --abalo-corpus dev.conll"


@pytest.fixture(scope="module")
def programs(tmp_path_factory, forks):
    """A folder with ``abalo``, ``pytest`` and ``python`` for the shell."""
    return forked(tmp_path_factory.mktemp("forked"), forks)


@pytest.fixture(scope="module")
def passed(tmp_path_factory, programs):
    """A folder with a reference, and with the passing report of the recipe of the page and of its shards."""
    folder = tmp_path_factory.mktemp("passed")
    for name, text in {"tagger.py": TAGGER, "thresholds.toml": CASES, "dev.conll": "\n\n".join(LINES) + "\n"}.items():
        folder.joinpath(name).write_text(text, "utf-8")
    scripts = (f"{GATE}; abalo accept reports --as references/1.0", RECIPES["shards"], "abalo verdict reports")
    ended = run(programs, *((folder, script) for script in scripts))
    assert [code for code, _ in ended] == [0, 0, 0], ended
    return folder


PLACES = {"whole": "reports", "shard": "shards/1"}


def failing(failure, passed, programs, shim):
    """Makes a folder with a ``pytest`` that fails as the run did, which is made once, and a shard of it."""
    folder = shutil.copytree(passed, shim / "here")
    happens = dict(FAILURES[failure])
    addopts = happens.pop("addopts", "")
    for name, text in happens.items():
        folder.joinpath(name).write_text(text, "utf-8")
    before = {kind: content(folder / place) for kind, place in PLACES.items()}
    asked = {kind: f"{GATE} --abalo-against references/1.0 --abalo-reports {place}" for kind, place in PLACES.items()}
    asked["shard"] += " --abalo-shard 1/3"
    ended = run(programs, *((folder, asked[kind]) for kind in PLACES), addopts=addopts)
    codes = {kind: code for kind, (code, _) in zip(PLACES, ended, strict=True)}
    for kind, place in PLACES.items():
        shim.joinpath(kind).mkdir()
        for path, data in content(folder / place).items():
            if before[kind].get(path) != data:
                kept = shim / kind / path
                kept.parent.mkdir(parents=True, exist_ok=True)
                kept.write_bytes(data)
    for name in ("pytest", "python"):
        text = REPLAYED.replace("{python}", sys.executable).replace("{abalo!r}", repr(str(programs / "abalo")))
        text = text.replace("{left!r}", repr(str(shim))).replace("{codes}", repr(codes))
        shim.joinpath(name).write_text(text, "utf-8")
        shim.joinpath(name).chmod(0o755)


@pytest.mark.parametrize("failure", FAILURES)
def test_no_recipe_ends_with_0_if_the_run_did_not(tmp_path, passed, programs, failure):
    shim = tmp_path / "failed"
    failing(failure, passed, programs, shim)
    folders = {name: shutil.copytree(passed, tmp_path / name) for name in RECIPES}
    ended = run(f"{shim}:{programs}", *((folders[name], script) for name, script in RECIPES.items()))
    assert {name: end for name, end in zip(RECIPES, ended, strict=True) if end[0] not in (1, 2, 4)} == {}


def test_a_recipe_ends_with_0_if_nothing_happens(tmp_path, passed, programs):
    names = ("GitLab", "action")
    ended = run(programs, *((shutil.copytree(passed, tmp_path / name), RECIPES[name]) for name in names))
    assert [code for code, _ in ended] == [0, 0], ended


def test_without_its_first_line_a_crash_before_the_first_case_is_seen_too(tmp_path, passed, programs):
    folder = shutil.copytree(passed, tmp_path / "here")
    folder.joinpath("tagger.py").write_text(FAILURES["a crash in the factory"]["tagger.py"], "utf-8")
    recipe = RECIPES["page"].partition("\n")[2]
    assert "rm " not in recipe
    commands = ("accept reports --as references/2.0", "comment reports", "rejudge reports --out other", "verdict other")
    ended = run(programs, (folder, recipe), *((folder, f"abalo {command}") for command in commands))
    codes = [code for code, _ in ended]
    assert [*codes[:3], codes[4]] == [2, 2, 2, 2], ended
    assert not folder.joinpath("references", "2.0").exists()
