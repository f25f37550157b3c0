"""Models that turn their answer at what no reader sees are regressed at their first run against an accepted one."""

import pytest

from abalo.cli import main
from tests.reports import document_in

pytestmark = pytest.mark.slow

MODELS = """
import re
import unicodedata

LATIN = re.compile("[\\u0370-\\u058f]")
WHITE = re.compile(r"  |\\n|\\u00a0")
ZERO_WIDTH = re.compile("[\\u200b-\\u200d\\u2060\\ufeff]")


def plain(text):
    kept = "".join(char for char in unicodedata.normalize("NFC", text) if unicodedata.category(char) != "Cf")
    return "good" if "".join(kept.split()).endswith("0.") else "bad"


def turning(odd):
    other = {"good": "bad", "bad": "good"}
    return lambda batch: [other[plain(text)] if odd(text) else plain(text) for text in batch]


def steady():
    return turning(lambda text: False)


def white():
    return turning(WHITE.search)


def decomposed():
    return turning(lambda text: unicodedata.normalize("NFC", text) != text)


def homoglyph():
    return turning(LATIN.search)


def zero_width():
    return turning(ZERO_WIDTH.search)
"""

CASES = ("white_space", "unicode_form", "homoglyph", "invisible")

THRESHOLDS = """
[gate]
language = "pt"
resamples = 300
seeds = [1]

""" + "\n".join(f"[[classification.{name}]]" for name in CASES)


@pytest.fixture
def run(pytester, monkeypatch):
    """Runs the cases on Portuguese texts with a model of these."""
    texts = [f"O avião número {k} não saiu, mas a edição {k} é boa e fica em São Paulo {k % 2}." for k in range(120)]
    rows = [f"{text}\t{'good' if text.endswith('0.') else 'bad'}" for text in texts]
    (pytester.path / "texts.tsv").write_text("text\tlabel\n" + "\n".join(rows) + "\n", "utf-8")
    (pytester.path / "models.py").write_text(MODELS, "utf-8")
    (pytester.path / "thresholds.toml").write_text(THRESHOLDS, "utf-8")

    def done(model, *more):
        common = ("--pyargs", "tests_behavioral.classification", "--abalo-corpus", "texts.tsv", "-m", "")
        found = pytester.runpytest_inprocess(
            "-p", "no:cacheprovider", *common, "--abalo-model", f"models:{model}", *more
        )
        return found.ret, document_in(pytester.path / "reports")

    assert done("steady")[0] == 10
    assert main(["accept", str(pytester.path / "reports"), "--as", str(pytester.path / "accepted")]) == 0
    return done


@pytest.mark.parametrize(
    ("model", "case"),
    [("white", "white_space"), ("decomposed", "unicode_form"), ("homoglyph", "homoglyph"), ("zero_width", "invisible")],
)
def test_a_model_that_turns_its_answer_is_regressed(run, model, case):
    exit_code, document = run(model, "--abalo-against", "accepted")
    assert exit_code == 1
    losses = document["comparison"]["tasks"]["classification"]["losses"]
    assert {each["id"]: each["state"] for each in losses if not each["type"]} == {
        f"classification/{name}": "regressed" if name == case else "identical" for name in CASES
    }
