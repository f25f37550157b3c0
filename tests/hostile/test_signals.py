"""Runs that are stopped from outside, or by a model that stops its process: never a verdict, never an earlier one."""

import pytest

from abalo.cli import main

KILLING = """
import os
import signal

from models import gazetteer


def killed():
    asked = []

    def predict(batch):
        asked.append(batch)
        if len(asked) > 3:  # the clean corpus takes three batches
            {ending}
        return gazetteer()(batch)

    return predict
"""

ENDINGS = {
    "SIGKILL": ("os.kill(os.getpid(), signal.SIGKILL)", -9),
    "SIGTERM": ("os.kill(os.getpid(), signal.SIGTERM)", 2),
    "SIGINT": (  # which a process that was started in the background ignores
        "signal.signal(signal.SIGINT, signal.default_int_handler); os.kill(os.getpid(), signal.SIGINT)",
        2,
    ),
    "leaving without a word": ("os._exit(0)", 0),  # which no process can prevent from inside
    "aborting": ("os.abort()", -6),
}


@pytest.mark.slow
@pytest.mark.parametrize(("ending", "code"), ENDINGS.values(), ids=ENDINGS)
def test_a_run_that_is_stopped_halfway_has_no_verdict(project, capsys, ending, code):
    project.run()
    assert project.document()["verdict"] == "pass"
    project.write("killing.py", KILLING.format(ending=ending))
    assert project.run(model="killing:killed", subprocess=True).ret == code
    assert (project.document()["verdict"], project.document()["complete"]) == ("inconclusive", False)
    capsys.readouterr()
    assert main(["verdict", str(project.path / "reports")]) == 2
    assert capsys.readouterr().out.startswith("INCOMPLETE: ")
    assert main(["accept", str(project.path / "reports"), "--as", str(project.path / "kept")]) == 2
    assert "the run did not finish" in capsys.readouterr().err
    assert not (project.path / "kept").exists()
    assert project.run().ret == 0  # nothing has to be tidied up
    assert main(["verdict", str(project.path / "reports")]) == 0


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["0", "2"])
def test_a_model_that_cannot_be_loaded_ends_every_run_alike(project, capsys, workers):
    project.write("broken.py", "def make():\n    raise OSError('no weights')\n")
    result = project.run("-n", workers, model="broken:make")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert result.stdout.str().partition("short test summary")[0].count("raised OSError: no weights") == 1
    assert (project.document()["verdict"], project.document()["complete"]) == ("fail", False)
    assert main(["verdict", str(project.path / "reports")]) == 1
