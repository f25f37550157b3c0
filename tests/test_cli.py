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
