"""Names of cases in reports."""

import pytest

from abalo.attacks import attacks
from abalo.core.documents.found import Result
from abalo.core.protocols.results import scenario
from abalo.core.records import json_records as typed
from abalo.invariances import invariances
from perturbations import members
from tests.reporting.documents import result


@pytest.mark.parametrize(
    ("perturbation", "params", "said"),
    [
        (
            "swap_ent_oov",
            {"training": "corpus", "entities": "invented:pt", "otherwise": "invented:pt"},
            "Entities not in the training data",
        ),
        ("swap_number", {"one_event": True, "language": "pt"}, "A shared number replaced (one event)"),
        ("letter_case", {"language": "any"}, "Letter case"),
        (
            "swap_ent_oov",
            {"training": "data/train.conll", "entities": "invented:en", "otherwise": "invented:pt"},
            "Entities not in the training data (entities invented:en)",
        ),
        ("contraction", {"language": "pt"}, "Contractions"),
        ("contraction", {"language": "en"}, "Contractions"),
        ("boundary", {"mask_token": "[MASK]"}, "Mask token beside a target"),
        ("no_longer_there", {"entities": "corpus"}, "No longer there (entities corpus)"),
        (
            "pipeline",
            {"steps": [{"name": "concat_sent", "following": "corpus"}, {"name": "typos", "rate": 0.1}]},
            "Pipeline (following sentences appended, then typos rate 0.1)",
        ),
    ],
)
def test_what_a_case_leaves_open_is_told_where_it_is_not_the_usual(perturbation, params, said):
    made = result(perturbation, params, 0.8, []) | {"id": f"ner/{perturbation}"}  # the case gives no language
    assert scenario(typed.read(Result, made | ({"probe": "pipeline"} if "steps" in params else {}))) == said


def test_a_language_is_told_if_the_case_gives_it():
    made = result("contraction", {"language": "en"}, 0.8, [])
    assert scenario(typed.read(Result, {**made, "id": "ner/contraction[language-en]"})) == "Contractions (language en)"


def test_every_title_is_of_one_case_only():
    titles = [each.title for each in members().values()] + [
        each.heading for each in (*attacks().values(), *invariances().values())
    ]
    assert len(set(titles)) == len(titles)
    assert all(title[0].isupper() and "_" not in title for title in titles)
