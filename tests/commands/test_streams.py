"""Commands print on streams of any encoding, in this process and in one of their own."""

import io
import json
import os
import subprocess
import sys

import pytest

from abalo import Session
from abalo.cli import main
from abalo.commands.streams import on_any_encoding

THRESHOLDS = "[gate]\nresamples = 200\nlanguage = 'pt'\n[[ner.baseline]]\nmin_f1 = 0.2\n"


class Stream(io.TextIOWrapper):
    """A stream in memory with an encoding."""

    def __init__(self, encoding):
        super().__init__(io.BytesIO(), encoding=encoding, newline="")

    def said(self):
        self.flush()
        return self.buffer.getvalue().decode(self.encoding)


def printed(monkeypatch, encoding, text, form="text"):
    stream = Stream(encoding)
    monkeypatch.setattr(sys, "stdout", stream)
    with on_any_encoding(form):
        print(text, end="")
    assert stream.errors == "strict"
    return stream.said()


@pytest.mark.parametrize(
    ("encoding", "text", "expected"),
    [
        ("ascii", "F1 ≥ 0.5 → PASS ✓", "F1 >= 0.5 -> PASS +"),
        ("cp1252", "F1 ≤ 0.5 – São «a» ✗ …", "F1 <= 0.5 – São «a» x …"),
        ("latin-1", "ç−1 ±2", "ç-1 ±2"),
        ("cp437", "São ≥ 1", "S\\u00e3o ≥ 1"),
        ("gbk", "我 São", "我 S\\u00e3o"),
        ("ascii", "x₂ ½ ﬁ é 猫 😀", "x2 \\u00bd fi \\u00e9 \\u732b \\ud83d\\ude00"),
        ("utf-8", "≥ \udcff é", "≥ \\udcff é"),
        ("utf-16-le", "≥ 猫", "≥ 猫"),
    ],
)
def test_signs_become_plain_and_letters_are_escaped_if_a_stream_lacks_them(monkeypatch, encoding, text, expected):
    assert printed(monkeypatch, encoding, text) == expected


def test_json_and_html_keep_what_they_mean(monkeypatch):
    value = {"≥": "São 😀 “quoted”"}
    said = printed(monkeypatch, "ascii", json.dumps(value, ensure_ascii=False), "json")
    assert json.loads(said) == value
    assert printed(monkeypatch, "cp1252", "a ≥ é", "html") == "a &#8805; é"


@pytest.fixture
def reports(models_here):
    """A finished run."""
    (models_here / "thresholds.toml").write_text(THRESHOLDS, encoding="utf-8")
    Session(model="models_here:all_outside", corpus="corpus.conll", thresholds="thresholds.toml").run().write("reports")
    return models_here / "reports"


COMMANDS = (
    ["show", "reports", "baseline"],
    ["compare", "reports", "reports"],
    ["compare", "reports", "reports", "--format", "markdown"],
    ["compare", "reports", "reports", "--format", "json"],
    ["compare", "reports", "reports", "--format", "html"],
    ["comment", "reports"],
    ["history", "reports"],
    ["verdict", "reports"],
    ["list", "perturbations"],
    ["schema", "thresholds"],
    ["schema", "robustness"],
    ["show", "reports", "naïve–case"],
)


def test_every_command_ends_as_on_a_stream_with_all_characters(reports, monkeypatch):
    def code_and_text(command, name):
        streams = Stream(name), Stream(name)
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", streams[0])
            patched.setattr(sys, "stderr", streams[1])
            code = main(command)
        return code, [each.said() for each in streams]

    for command in COMMANDS:
        expected, usual = code_and_text(command, "utf-8")
        for encoding in ("ascii", "cp1252", "cp437", "gbk"):
            code, said = code_and_text(command, encoding)
            assert code == expected, (command, encoding)
            assert [bool(each) for each in said] == [bool(each) for each in usual], (command, encoding)
            if "json" in command or command[0] == "schema":
                assert json.loads(said[0]) == json.loads(usual[0]), (command, encoding)


EACH = """
import json, sys
from abalo.cli import main
codes = []
for command in json.loads(sys.argv[1]):
    print("\\nthen" if codes else "first", flush=True)
    codes.append(main(command))
sys.exit(str(codes))
"""
"""Runs commands, and tells their exit codes at the end."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "variables",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"PYTHONIOENCODING": "ascii"},
        {"LC_ALL": "POSIX", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
    ],
)
def test_a_process_with_another_encoding_prints_and_exits_as_usual(reports, variables):
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("LC_", "PYTHON"))}
    commands = (["show", "reports", "baseline"], ["compare", "reports", "reports"])
    run = subprocess.run(
        [sys.executable, "-c", EACH, json.dumps(commands)],
        env={**environment, **variables},
        cwd=reports.parent,
        capture_output=True,
        check=False,
    )
    assert b"Traceback" not in run.stderr
    first, between, second = run.stdout.partition(b"\nthen\n")
    assert first
    assert between
    assert second
    assert run.stderr.splitlines()[-1].decode() == str([main(command) for command in commands])
