"""Names of cases in reports."""

import pytest

from abalo.core.results import scenario
from tests.reporting.documents import result


@pytest.mark.parametrize(
    ("perturbation", "params", "said"),
    [
        ("swap_ent_oov", {"training": "corpus", "entities": "invented:pt", "otherwise": "invented:pt"}, "Swap ent oov"),
        (
            "swap_ent_oov",
            {"training": "data/train.conll", "entities": "invented:en", "otherwise": "invented:pt"},
            "Swap ent oov (training train.conll, entities invented:en)",
        ),
        ("contraction", {"language": "pt"}, "Contraction"),
        ("contraction", {"language": "en"}, "Contraction (language en)"),
        ("boundary", {"mask_token": "[MASK]"}, "Boundary (mask token [MASK])"),
        ("no_longer_there", {"entities": "corpus"}, "No longer there (entities corpus)"),
        (
            "pipeline",
            {"steps": [{"name": "concat_sent", "following": "corpus"}, {"name": "typos", "rate": 0.1}]},
            "Pipeline (concat sent, then typos rate 0.1)",
        ),
    ],
)
def test_what_a_case_leaves_open_is_told_where_it_is_not_the_usual(perturbation, params, said):
    made = result(perturbation, params, 0.8, [])
    assert scenario(made | ({"probe": "pipeline"} if "steps" in params else {})) == said
