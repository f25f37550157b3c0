"""The noise of a model that draws, in the reports of a run and when it is judged again."""

import pytest

from abalo.cli import main
from tests.reports import document_in

DRAWING = '''

def drawing():
    """Misses one name in five, by chance."""
    import random

    drawn = random.Random(3)

    def named(word):
        label = tag(word)
        return "O" if label.startswith("B-") and drawn.random() < 0.2 else label

    return lambda batch: [[named(word) for word in tokens] for tokens in batch]
'''

THRESHOLDS = """
[gate]
language = "pt"
resamples = 500

[[ner.accents]]
max_entity_flip_rate = 0.001
"""


@pytest.mark.parametrize("workers", [(), pytest.param(("-n", "1"), marks=pytest.mark.slow)])
def test_noise_stands_beside_flips_and_keeps_their_bound_from_failing(project, capsys, workers):
    project.write("models.py", project.path.joinpath("models.py").read_text("utf-8") + DRAWING)
    project.write("thresholds.toml", THRESHOLDS)
    ran = project.run(*workers, "-k", "accents", model="models:drawing")
    result = next(each for each in project.document()["results"] if each["bound"])
    noise, (judged,) = result["noise"], result["judgements"]
    assert noise["metric"] == "entity_flip_rate"
    # Of 4 words of entities 3 are drawn: 2.4 are right, and a fifth of them is wrong the next time; SUPERIOR is never.
    assert 0 < noise["low"] < 0.2 * 2.4 / 3.4 < noise["high"]
    assert noise["repeats"] == 3
    assert judged["low"] < 0.001 < judged["high"] < noise["high"]
    assert judged["verdict"] == "inconclusive"
    shown = f"entity flip rate {noise['value']:.3f} [{noise['low']:.3f}, {noise['high']:.3f}]"
    reports = project.path / "reports"
    assert main(["comment", str(reports)]) == 0
    comment = capsys.readouterr().out
    for page in (ran.stdout.str(), reports.joinpath("report.html").read_text("utf-8"), comment):
        assert shown in " ".join(page.split())
    assert main(["rejudge", str(reports), "--thresholds", "thresholds.toml", "--out", "again"]) in (0, 10)
    found = next(each for each in document_in(project.path / "again")["results"] if each["id"] == result["id"])
    assert (found["noise"], found["judgements"]) == (noise, result["judgements"])
