"""What the action asks of a run, though the machine of the job may be used again."""

import os
import subprocess
from pathlib import Path

GATE = Path(__file__).parents[2] / "ci" / "gate.sh"
USES_KEPT = {
    "": False,
    "--abalo-limit=20\n--abalo-local-only": False,
    "x--abalo-replies": False,
    "--abalo-replies=../kept": True,
    "--abalo-limit=20\n--abalo-replies=../kept": True,
}
"""By the options of a job, whether replies that were kept may be used."""


def test_the_action_uses_no_kept_replies_unless_told(tmp_path):
    program = tmp_path / "bin" / "python"
    program.parent.mkdir()
    program.write_text('#!/usr/bin/env bash\nprintf "%s\\n" "$@" >>asked; echo >>asked\n', "utf-8")
    program.chmod(0o755)
    said = {"ABALO_REPORTS": "reports", "ABALO_NAME": "abalo", "GITHUB_OUTPUT": "output"}
    environment = {**os.environ, **said, "PATH": f"{program.parent}:{os.environ['PATH']}"}
    script = f'for options in "$@"; do ABALO_OPTIONS=$options bash "{GATE}"; done'
    subprocess.run(["bash", "-ec", script, "bash", *USES_KEPT], cwd=tmp_path, env=environment, check=True)
    runs = tmp_path.joinpath("asked").read_text("utf-8").split("\n\n")[:-1]
    for (options, uses_kept), asked in zip(USES_KEPT.items(), map(str.splitlines, runs), strict=True):
        assert ("--abalo-no-cache" in asked) is not uses_kept, options
        assert {*options.split("\n")} - {""} <= {*asked}
