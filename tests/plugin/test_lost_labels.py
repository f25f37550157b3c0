"""A label that the accepted model found and the new one finds nowhere, as a run ends with it."""

import pytest

from abalo.cli import main
from tests.plugin.conftest import NAMES, PLACES, conll

CODES = [f"o código [C{n} CODIGO] e [D{n} CODIGO]" if n < 8 else f"o código [C{n} CODIGO]" for n in range(19)]
"""27 entities in 19 sentences."""

MODELS = '''

def code(word):
    return "B-CODIGO" if word[0] in "CD" and word[1:].isdigit() else tag(word)


def knows_codes():
    return lambda batch: [[code(word) for word in tokens] for tokens in batch]


def one_elsewhere():
    """Finds no code, and takes another word for one."""
    return lambda batch: [["B-CODIGO" if word == "tarde" else tag(word) for word in tokens] for tokens in batch]
'''


def judged(project, few, model, capsys):
    """A run of the model against one that knows the codes, and what abalo compare says of both."""
    days = ("hoje", "ontem", "cedo", "tarde", "logo")
    usual = [f"[{name} PESSOA] saiu de [{place} LOCAL] {day}" for name in NAMES for place in PLACES for day in days]
    project.write("corpus.conll", conll([*few, *usual]))
    project.write("models.py", project.path.joinpath("models.py").read_text("utf-8") + MODELS)
    project.write("thresholds.toml", '[gate]\nlanguage = "pt"\nresamples = 500\n\n[[ner.accents]]\n')
    chosen = ("-k", "accents")
    project.run(*chosen, model="models:knows_codes")
    assert main(["accept", str(project.path / "reports"), "--as", str(project.path / "references/1.0")]) == 0
    result = project.run(*chosen, "--abalo-against", "references/1.0", model=model)
    capsys.readouterr()
    sides = str(project.path / "references/1.0"), str(project.path / "reports")
    code = main(["compare", *sides, "--thresholds", str(project.path / "thresholds.toml")])
    return result, code, capsys.readouterr().out.strip().splitlines()


@pytest.mark.slow
@pytest.mark.parametrize("model", ["models:gazetteer", "models:one_elsewhere"])
def test_a_lost_label_is_a_failed_test(project, capsys, model):
    result, code, _ = judged(project, CODES, model, capsys)
    assert (result.ret, code) == (1, 1)
    result.stdout.fnmatch_lines(["*CODIGO*27 of 27 places in 19 sentences*"])
    assert project.document()["comparison"]["tasks"]["ner"]["lost"] == [
        {
            "type": "CODIGO",
            "places": 27,
            "found": 27,
            "examples": 19,
            "moved": [{"source": "CODIGO", "target": "", "count": 27, "places": 27}],
        }
    ]


@pytest.mark.slow
def test_a_label_of_four_sentences_that_is_gone_leaves_the_headline_open(project, capsys):
    result, code, compared = judged(project, CODES[8:12], "models:gazetteer", capsys)
    assert (result.ret, code) == (0, 0)
    shown = result.stdout.str().splitlines()
    (headline,) = [line for line in shown if line.startswith(("PASS", "OK", "FAIL"))]
    (task,) = [line for line in shown if line.startswith("ner against the reference 1.0")]
    assert "PASS" not in headline
    for line in (headline, compared[0], compared[-1]):
        assert "no worse" not in line
        assert "PASS" not in line
    named = [k for k, line in enumerate(compared) if "CODIGO" in line]
    assert "4 of 4 places" in compared[named[0]]
    assert task
