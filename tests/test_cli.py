"""The command ``abalo``: usage, help and version."""

import subprocess
import sys

import pytest

from abalo import __version__
from abalo.cli import main


@pytest.mark.parametrize("arguments", [[], ["calibrat"], ["calibrate", "--limit", "many"], ["calibrate", "--no-such"]])
def test_a_command_line_that_means_nothing_exits_with_2(capsys, arguments):
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: abalo" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["calibrate", "--help"],
        ["perturb", "--help"],
        ["augment", "--help"],
        ["rejudge", "--help"],
        ["compare", "--help"],
        ["history", "--help"],
        ["show", "--help"],
        ["list", "--help"],
        ["schema", "--help"],
        ["--version"],
    ],
)
def test_help_and_version_answer_without_importing_numpy(arguments):
    code = (
        f"import sys, abalo.cli\ntry:\n    abalo.cli.main({arguments})\nfinally:\n    print('numpy' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0
    assert done.stdout.splitlines()[-1] == "False"
    assert "usage: abalo" in done.stdout or __version__ in done.stdout


def test_options_may_be_spelt_as_those_of_pytest(capsys):
    assert main(["calibrate", "--abalo-limit", "0"]) == 2
    assert "--limit 0: expected a whole number from 1" in capsys.readouterr().err


RANDOM = """
import random


def make():
    def model(batch):
        return [[random.choice(("O", "B-PER")) for _ in tokens] for tokens in batch]
    return model
"""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--abalo-language", "English"), "abalo: --language English: expected "),
        (("--repeats", "0"), "abalo: --repeats 0: expected a whole number from 1 to 100"),
        (("--abalo-model", "pickled", "--corpus", "c.conll", "--out", "new.toml"), "pass --allow-pickle"),
    ],
)
def test_errors_name_the_options_of_calibrate_as_it_has_them(tmp_path, monkeypatch, capsys, arguments, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "chance.py").write_text(RANDOM, encoding="utf-8")
    (tmp_path / "c.conll").write_text("".join(f"Ana{i} B-PER\nsaiu O\n\n" for i in range(40)), encoding="utf-8")
    (tmp_path / "pickled").mkdir()
    for name in ("config.json", "pytorch_model.bin"):
        (tmp_path / "pickled" / name).write_text("{}", encoding="utf-8")
    assert main(["calibrate", *arguments]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "--abalo-" not in told
