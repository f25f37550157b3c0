"""The limit on calls in a run of several processes."""

import pytest

from tests.reports import document_in

SERVICE = """

class Service:
    draws = False

    def replies(self, prompts):
        with open("asked.txt", "a") as file:
            file.write("x" * len(prompts))
        return ['{"entities": []}' for _ in prompts]

def service():
    return Service()
"""

THRESHOLDS = """
[gate]
language = "pt"
resamples = 200

[[ner.accents]]

[[ner.letter_case]]
rate = 0.5

[[ner.typos]]
rate = 0.2
"""


def asked(project):
    path = project.path / "asked.txt"
    return len(path.read_text("utf-8")) if path.exists() else 0


@pytest.mark.slow
def test_the_limit_holds_for_all_workers_and_a_run_that_needs_more_is_refused(project):
    project.write("models.py", project.path.joinpath("models.py").read_text("utf-8") + SERVICE)
    project.write("thresholds.toml", THRESHOLDS)
    options = ("--abalo-thresholds", "thresholds.toml", "--abalo-no-cache")
    refused = project.run("-n", "1", *options, "--abalo-max-calls", "3", model="models:service")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    assert "--abalo-max-calls allows 3; no call was made" in refused.stdout.str()
    assert asked(project) == 0
    project.run("-n", "2", *options, model="models:service")
    tasks, results = document_in(project.path / "reports")["tasks"], document_in(project.path / "reports")["results"]
    told = [tasks["ner"]["model"]["calls"], *({each["id"]: each["calls"] for each in results}.values())]
    assert sum(each["made"] for each in told) == asked(project) > 0
