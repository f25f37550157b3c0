"""``abalo --completion``: what a shell offers for the beginning of a word."""

import shutil
import subprocess
import sys

import pytest

from abalo.cli import main, parser
from abalo.commands.completion import SHELLS, completion


def offered(*typed: str) -> list[str]:
    """What bash offers for the last word."""
    bash = shutil.which("bash") or pytest.skip("there is no bash")
    words = " ".join(f"'{each}'" for each in typed)
    ask = f'COMP_WORDS=({words}); COMP_CWORD={len(typed) - 1}; _shtab_abalo; echo "${{COMPREPLY[@]}}"'
    script = f"{completion(parser(), 'bash')}\n{ask}"
    return subprocess.run([bash, "-c", script], check=True, capture_output=True, text=True).stdout.split()


def test_commands_options_and_choices_are_offered():
    assert {"verdict", "view"} <= {*offered("abalo", "v")}
    assert offered("abalo", "view", "--no") == ["--no-browser"]
    assert offered("abalo", "compare", "--format", "m") == ["markdown"]


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_has_a_script(shell, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--completion", shell])
    assert ended.value.code == 0
    assert "abalo" in capsys.readouterr().out


def test_without_shtab_the_line_that_installs_it_is_told(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["--completion", "bash"]) == 2
    assert "pip install 'abalo[completion]'" in capsys.readouterr().err


def test_another_shell_is_refused(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["--completion", "fish"])
    assert ended.value.code == 2
    assert "expected one of bash, zsh, tcsh" in capsys.readouterr().err
