"""The entity attack against written-out scores."""

import pytest

from abalo.attacks.entity_attack import entities_of, search
from tests.attacks.scripted import Model, ended, target_of
from tests.attacks.test_context_attack import rates, text
from tests.scripted import corpus_of

SCRIPT = {
    "viu Ana hoje": "O=9 B-P=5 O=9",
    "viu Rui hoje": "O=9 B-P=5 O=9",
    "viu Zé hoje": "O=9 O=5 O=9",
    "viu Eva Sá hoje": "O=9 O=5 O=5 O=9",
    "viu Lia Sá hoje": "O=9 O=5 B-P=5 O=9",
}


def outcome_of(*candidates: str, **alike: float):
    model = Model(SCRIPT)
    target = target_of("viu [Ana P] hoje", model)
    similarity = {f"viu {name.replace('_', ' ')} hoje": value for name, value in alike.items()}
    end = ended(search(target, [tuple(each.split()) for each in candidates]), model, similarity)
    return target, end, model


def test_of_those_that_break_the_model_the_most_similar_is_chosen():
    target, end, model = outcome_of("Rui", "Zé", "Eva Sá", Zé=0.9, Eva_Sá=0.95)
    assert text(end) == "viu Eva Sá hoje"
    assert model.calls == 1
    assert rates(target, end)["success_rate"] == 1
    assert rates(target, end)["missed_entity_rate"] == 1


def test_a_candidate_that_is_not_similar_enough_is_never_shown():
    _, end, model = outcome_of("Rui", "Zé", Zé=0.7)
    assert model.asked == ["viu Rui hoje"]
    assert end.found.perturbed is None


def test_passing_the_similarity_filter_is_no_success_by_itself():
    target, end, _ = outcome_of("Rui")
    assert rates(target, end)["success_rate"] == 0
    assert rates(target, end)["any_word_wrong_rate"] == 0


def test_where_none_breaks_the_model_the_one_with_most_wrong_words_is_shown():
    target, end, _ = outcome_of("Rui", "Lia Sá")
    assert text(end) == "viu Lia Sá hoje"
    assert rates(target, end)["success_rate"] == 0
    assert rates(target, end)["partial_success_rate"] == 1  # the second word is B-P, which counts as right


def test_the_new_entity_has_the_type_of_the_old_one():
    _, end, _ = outcome_of("Eva Sá")
    assert end.found.perturbed.sentence.tags == ("O", "B-P", "I-P", "O")


def test_entities_are_distinct_by_type_and_in_alphabetical_order():
    corpus = corpus_of("[Rui P] em [Natal L]", "[Ana Sá P] e [Rui P]", "[Natal P]")
    assert entities_of(corpus) == {"L": [("Natal",)], "P": [("Ana", "Sá"), ("Natal",), ("Rui",)]}


@pytest.mark.parametrize("seed", [1, 2])
def test_draws_depend_on_target_and_seed_alone(seed):
    from abalo.attacks.entity_attack import _draw_entities

    model = Model(SCRIPT)
    target = target_of("viu [Ana P] hoje", model)
    pool = [(f"N{i}",) for i in range(60)] + [("Ana",)]
    drawn = _draw_entities(target, {"P": pool}, seed, 50)
    assert drawn == _draw_entities(target, {"P": pool}, seed, 50)
    assert len(set(drawn)) == 50
    assert ("Ana",) not in drawn
    assert drawn != _draw_entities(target, {"P": pool}, seed + 1, 50)
    assert sorted(_draw_entities(target, {"P": pool[:3]}, seed, 50)) == pool[:3]


@pytest.mark.parametrize("inner", ["I-P=5", "B-P=1/I-P=5"])
def test_a_candidate_that_is_found_under_an_inner_label_changes_nothing(inner):
    model = Model(SCRIPT | {"viu Rui hoje": f"O=9 {inner} O=9"})
    target = target_of("viu [Ana P] hoje", model)
    alone = ended(search(target, [("Rui",)]), model)
    assert alone.found.perturbed is None
    found = rates(target, alone)
    assert (found["success_rate"], found["any_word_wrong_rate"], found["resisted_rate"]) == (0, 0, 1)
    both = ended(search(target, [("Rui",), ("Zé",)]), model, {"viu Zé hoje": 0.85})
    assert text(both) == "viu Zé hoje"


def test_of_those_that_do_not_break_it_one_that_is_not_found_comes_before_one_that_is():
    script = {"viu Lia Rui hoje": "O=9 I-P=5 I-P=5 O=9", "viu Lia Sá hoje": "O=9 O=5 I-P=5 O=9"}
    model = Model(SCRIPT | script)
    target = target_of("viu [Ana P] hoje", model)
    end = ended(search(target, [("Lia", "Rui"), ("Lia", "Sá")]), model, {"viu Lia Sá hoje": 0.85})
    assert text(end) == "viu Lia Sá hoje"
    assert rates(target, end)["partial_success_rate"] == 1
