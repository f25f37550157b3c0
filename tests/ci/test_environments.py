"""The environments of our own checks: versions that are pinned, uv with the settings of pip, pip without uv."""

import os
import re
import subprocess
import tomllib

from packaging.requirements import Requirement

from tests.ci.runner import ROOT

PYPROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text("utf-8"))
PINS = [line for line in ROOT.joinpath("ci", "constraints.txt").read_text("utf-8").splitlines() if line[0] != "#"]

PYTHON = """#!/usr/bin/env bash
# In place of Python: makes environments whose programs write down how they were called.
case "$*" in
  "-m venv "*) mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; cp "$0" "$3/bin/python3" ;;
  "-m pip config get "*) [ -n "$PIP_FILES" ] && sed -n "s/^$5=//p" "$PIP_FILES" | grep . ;;
  *"pip install"*uv) [ -n "$HAS_UV" ] && cp "$0" "$(dirname "$0")/uv" ;;
  "venv "*) mkdir -p "${!#}/bin" ;;
  *) echo "$(basename "$0") $*"; env | grep -E "^(UV_|SSL_CERT_FILE)" | sort ;;
esac
"""


def direct():
    listed = [*PYPROJECT["project"]["dependencies"]]
    for named in (PYPROJECT["project"]["optional-dependencies"], PYPROJECT["dependency-groups"]):
        listed += [each for group in named.values() for each in group]
    return [asked for asked in map(Requirement, listed) if asked.name not in {"abalo", "torch"}]


def test_a_group_names_nothing_of_ours():
    named = {Requirement(each).name for group in PYPROJECT["dependency-groups"].values() for each in group}
    assert "abalo" not in named


def test_the_pins_hold_no_path_no_host_and_no_build_of_torch():
    assert [pin for pin in PINS if not re.match(r"[a-z0-9.-]+==[0-9a-z.]+( ; .+)?$", pin)] == []
    assert [pin for pin in PINS if re.match("torch=|nvidia|cuda|triton", pin)] == []


def test_what_pyproject_names_is_pinned_to_a_version_that_it_admits():
    pinned = {}
    for pin in map(Requirement, PINS):
        pinned.setdefault(pin.name, []).append(next(iter(pin.specifier)).version)
    assert [str(each) for each in direct() if each.name.lower() not in pinned] == []
    wrong = [(str(each), at) for each in direct() for at in pinned[each.name.lower()] if at not in each.specifier]
    assert wrong == []


def installed(tmp_path, **variables):
    """What is called to install "thing", with the variables of uv."""
    programs = tmp_path / "programs"
    programs.mkdir()
    programs.joinpath("python3").write_text(PYTHON, "utf-8")
    programs.joinpath("python3").chmod(0o755)
    steps = "source .ci/environments.sh; tools; environment made; into made thing"
    script = f"set -euo pipefail; work={tmp_path}; {steps}"
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_", "SSL_"))}
    given = {**inherited, "PATH": f"{programs}:{os.environ['PATH']}", "HAS_UV": "", "PIP_FILES": "", **variables}
    done = subprocess.run(["bash", "-c", script], cwd=ROOT, env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_uv_gets_what_pip_would_read(tmp_path):
    files = tmp_path / "pip.conf"
    files.write_text("global.find-links=/wheels /more\nglobal.constraint=/capped.txt\nglobal.cert=/ca.crt\n", "utf-8")
    said = installed(tmp_path, HAS_UV="1", PIP_FILES=str(files), PIP_EXTRA_INDEX_URL="file:///a file:///b")
    first, last = re.findall(r"^uv pip install .*$", said, re.MULTILINE)
    assert first.endswith(f"-c {ROOT}/ci/constraints.txt -c /capped.txt torch==2.13.0")
    assert last.endswith(" thing")
    assert {"UV_FIND_LINKS=/wheels,/more", "UV_INDEX=file:///a file:///b", "SSL_CERT_FILE=/ca.crt"} <= {
        line.strip() for line in said.splitlines()
    }
    assert "UV_PYTHON_DOWNLOADS=never" in said


def test_without_settings_uv_gets_none(tmp_path):
    said = installed(tmp_path, HAS_UV="1")
    assert "UV_PYTHON_DOWNLOADS=never" in said
    given = re.findall("^(UV_FIND_LINKS|UV_INDEX|UV_DEFAULT_INDEX|SSL_CERT_FILE)=", said, re.MULTILINE)
    assert given == []


def test_without_uv_pip_installs_with_the_same_pins(tmp_path):
    calls = re.findall(r"^python -m pip install (.*)$", installed(tmp_path), re.MULTILINE)
    assert [call.removeprefix("--quiet ") for call in calls[1:]] == [
        "--upgrade pip>=25.1",
        f"-c {ROOT}/ci/constraints.txt torch==2.13.0",
        f"-c {ROOT}/ci/constraints.txt thing",
    ]
