"""What the action asks of a run, though the machine of the job may be used again."""

import os
import subprocess
from pathlib import Path

import pytest

GATE = Path(__file__).parents[2] / "ci" / "gate.sh"


@pytest.mark.parametrize(
    ("options", "uses_kept"),
    [
        ("", False),
        ("--abalo-limit=20\n--abalo-local-only", False),
        ("x--abalo-replies", False),
        ("--abalo-replies=../kept", True),
        ("--abalo-limit=20\n--abalo-replies=../kept", True),
    ],
)
def test_the_action_uses_no_kept_replies_unless_told(tmp_path, options, uses_kept):
    program = tmp_path / "bin" / "python"
    program.parent.mkdir()
    program.write_text('#!/usr/bin/env bash\nprintf "%s\\n" "$@" >asked\n', "utf-8")
    program.chmod(0o755)
    said = {"ABALO_REPORTS": "reports", "ABALO_NAME": "abalo", "ABALO_OPTIONS": options, "GITHUB_OUTPUT": "output"}
    environment = {**os.environ, **said, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    subprocess.run(["bash", str(GATE)], cwd=tmp_path, env=environment, check=True)
    asked = tmp_path.joinpath("asked").read_text("utf-8").splitlines()
    assert ("--abalo-no-cache" in asked) is not uses_kept
    assert {*options.split("\n")} - {""} <= {*asked}
