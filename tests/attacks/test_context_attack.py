"""The context attack against written-out scores, every choice worked out by hand."""

import pytest

from abalo.core.records.example import Variant
from abalo.core.records.outcome import Reached, Searched, Tried
from abalo.corpora.examples import example_of, variant_of
from abalo.tasks.ner.metrics.attack import METRICS, search_counts
from perturbations import Edit, apply
from tests.attacks.scripted import Model, ended, greedy, options, target_of
from tests.scripted import outcome

SCRIPT = {
    "we met Ana Sá today": "O=9 O=9 B-P=5 I-P=4 O=9",
    "we Ana Sá today": "O=9 B-P=3 I-P=4 O=9",
    "we met Ana Sá": "O=9 O=9 B-P=5/O=1 O=6/I-P=1",
    "we met Ana Sá now": "O=9 O=9 B-P=5 O=3/I-P=2 O=9",
    "we saw Ana Sá now": "O=9 O=9 B-P=4 O=3 O=9",
    "we greeted Ana Sá now": "O=9 O=9 B-P=2.5 O=3 O=9",
}


def text(end) -> str:
    return " ".join(end.found.perturbed.sentence.tokens)


def reached(target, end) -> Reached | None:
    best = end.found.best
    return None if best is None else Reached(variant_of(example_of(target.sentence), best.perturbed), best.prediction)


def rates(target, end) -> dict[str, float]:
    found = outcome(
        target.sentence,
        target.clean,
        end.found.perturbed,
        end.found.prediction,
        targets=(target.span,),
        searched=Searched(1, end.queries, end.spent, end.found.similarity, end.tried, reached(target, end)),
    )
    sums = search_counts([found], "structural", ["L", "P"]).sum(axis=(0, 1))
    return {metric.name: float(metric.value(sums)) for metric in METRICS if metric.count is search_counts}


def importance(target, without, model) -> float:
    return target.importance(model([target.variant(without)])[0], without)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        (1, 2.0),  # Ana's B-P loses 5 - 3, Sá's I-P nothing
        (4, 9.0),  # Sá's right label loses 4 - 1 and becomes O, which gains 6 - 0
    ],
)
def test_importance_is_what_right_labels_lose_and_wrong_ones_gain(place, expected):
    model = Model(SCRIPT)
    target = target_of("we met [Ana Sá P] today", model)
    without = apply(target.sentence, [Edit(place, place + 1, ())])
    assert importance(target, without, model) == pytest.approx(expected)


def test_of_a_wrong_label_only_what_it_gained_counts():
    model = Model({"met Ana": "O=9 B-P=5/O=2", "Ana": "O=6/B-P=1"})
    target = target_of("met [Ana P]", model)
    without = apply(target.sentence, [Edit(0, 1, ())])
    assert importance(target, without, model) == pytest.approx((5 - 1) + (6 - 2))  # with its whole score it would be 10


def test_for_an_inner_word_the_better_of_i_and_b_is_the_right_score():
    model = Model({"met Ana Sá": "O=9 B-P=5 I-P=4", "Ana Sá": "B-P=5 B-P=7/I-P=1"})
    target = target_of("met [Ana Sá P]", model)
    without = apply(target.sentence, [Edit(0, 1, ())])
    assert importance(target, without, model) == pytest.approx(4 - 7)


def test_the_most_important_word_comes_first_then_only_words_that_are_still_right():
    model = Model(SCRIPT)
    target = target_of("we met [Ana Sá P] today", model)
    end = ended(greedy(target, options(p1="saw greeted", p4="now")), model)
    assert text(end) == "we greeted Ana Sá now"  # Ana lost 2.5 under "greeted", 1 under "saw"; Sá no longer counts
    assert model.asked == [
        "we Ana Sá today",
        "we met Ana Sá",
        "we met Ana Sá now",
        "we saw Ana Sá now",
        "we greeted Ana Sá now",
    ]
    assert (end.queries, end.spent) == (5, False)
    found = rates(target, end)
    assert (found["success_rate"], found["partial_success_rate"], found["any_word_wrong_rate"]) == (0, 1, 1)


def test_the_most_similar_permitted_candidate_that_breaks_it_ends_the_search():
    model = Model(
        {
            "met Ana today": "O=9 B-P=5 O=9",
            "Ana today": "B-P=1 O=9",
            "met Ana": "O=9 B-P=4",
            "saw Ana today": "O=9 O=5 O=9",
            "greeted Ana today": "O=9 B-L=5 O=9",
        }
    )
    target = target_of("met [Ana P] today", model)
    alike = {"saw Ana today": 0.85, "greeted Ana today": 0.9, "hailed Ana today": 0.79}
    end = ended(greedy(target, options(p0="saw hailed greeted", p2="now")), model, alike)
    assert text(end) == "greeted Ana today"
    assert end.found.similarity == 0.9
    assert "hailed Ana today" not in model.asked
    found = rates(target, end)
    assert (found["success_rate"], found["type_error_rate"], found["missed_entity_rate"]) == (1, 1, 0)
    assert found["single_change_rate"] == 1
    assert found["words_perturbed"] == 1 / 2


def test_a_lost_start_with_a_found_end_is_a_partial_success():
    # [Dirkson et al., Table 1]
    model = Model(
        {
            "The Republic of China bought flowers": "O=9 B-L=5 I-L=5 I-L=5 O=9 O=9",
            "The Republic of China flowers": "O=9 B-L=4 I-L=5 I-L=5 O=9",
            "The Republic of China purchased flowers": "O=9 O=5 O=5 B-L=5 O=9 O=9",
        }
    )
    target = target_of("The [Republic of China L] bought flowers", model)
    end = ended(greedy(target, options(p4="purchased")), model)
    assert rates(target, end)["partial_success_rate"] == 1
    assert rates(target, end)["success_rate"] == 0


def test_of_those_that_turn_most_words_the_one_that_lowers_the_others_most_wins():
    model = Model(
        {
            "of Ana de Sá": "O=9 B-P=5 I-P=5 I-P=5",
            "Ana de Sá": "B-P=5 I-P=5 I-P=5",
            "by Ana de Sá": "O=9 O=9 O=9 I-P=4",  # two turned, the third lowered by 1
            "to Ana de Sá": "O=9 B-P=2 O=9 O=9",  # two turned, the third lowered by 3
            "in Ana de Sá": "O=9 O=9 B-P=0.5 I-P=0.5",  # one turned, two lowered by 4.5 each
        }
    )
    target = target_of("of [Ana de Sá P]", model)
    assert text(ended(greedy(target, options(p0="by to in")), model)) == "to Ana de Sá"


def test_a_word_that_nothing_helps_stays():
    model = Model({"met Ana": "O=9 B-P=5", "Ana": "B-P=5", "saw Ana": "O=9 B-P=5", "hit Ana": "O=9 B-P=6"})
    target = target_of("met [Ana P]", model)
    end = ended(greedy(target, options(p0="saw hit")), model)
    assert end.found.perturbed is None
    assert end.found.prediction is target.clean


def test_without_ranking_words_come_in_the_order_given_and_no_word_is_deleted():
    model = Model(SCRIPT | {"we saw Ana Sá today": "O=9 O=9 B-P=4 I-P=4 O=9"})
    target = target_of("we met [Ana Sá P] today", model)
    end = ended(greedy(target, options(p1="saw", p4="now"), order=[1, 4]), model)
    assert model.asked == ["we saw Ana Sá today", "we saw Ana Sá now"]
    assert text(end) == "we saw Ana Sá now"


def test_the_budget_ends_a_search_with_what_it_has():
    model = Model(SCRIPT)
    target = target_of("we met [Ana Sá P] today", model)
    end = ended(greedy(target, options(p1="saw greeted", p4="now")), model, budget=4)
    assert (end.queries, end.spent) == (4, True)
    assert text(end) == "we saw Ana Sá now"


def test_a_model_without_scores_is_judged_by_its_labels_alone():
    from abalo.models.labelling.prediction import Prediction

    def plain(variants):
        asked = [variant.example.sentence for variant in variants]
        return [Prediction(tuple("O" if "saw" in s.tokens else t for t in base[len(s)])) for s in asked]

    base = {2: ("O", "B-P"), 1: ("B-P",)}
    model = Model({"met Ana": "O=9 B-P=5"})
    target = target_of("met [Ana P]", model)
    object.__setattr__(target, "clean", plain([Variant(target.example, {})])[0])
    model.__class__ = type("Plain", (Model,), {"__call__": lambda self, sentences: plain(sentences)})
    assert text(ended(greedy(target, options(p0="saw")), model)) == "saw Ana"


def test_the_best_state_reached_is_kept_where_a_later_step_repairs_it():
    """The first change turns two of three words, the second turns the third back and one of the two right again."""
    model = Model(
        {
            "met Ana de Sá today": "O=9 B-P=5 I-P=5 I-P=5 O=9",
            "saw Ana de Sá today": "O=9 O=9 O=9 I-P=5 O=9",
            "saw Ana de Sá now": "O=9 B-P=5 I-P=5 O=9 O=9",
        }
    )
    target = target_of("met [Ana de Sá P] today", model)
    end = ended(greedy(target, options(p0="saw", p4="now"), order=[0, 4]), model)
    assert text(end) == "saw Ana de Sá now"
    assert " ".join(end.found.best.perturbed.sentence.tokens) == "saw Ana de Sá today"
    found = rates(target, end)
    assert (found["partial_success_rate"], found["best_partial_success_rate"]) == (0, 1)
    assert (found["any_word_wrong_rate"], found["success_rate"]) == (1, 0)


def test_the_search_goes_on_if_a_one_word_entity_is_found_with_an_inner_label():
    model = Model(
        {
            "met Ana today": "O=9 B-P=5/I-P=1 O=9",
            "saw Ana today": "O=9 I-P=4/B-P=2 O=9",
            "saw Ana now": "O=9 O=3/I-P=2/B-P=2 O=9",
        }
    )
    target = target_of("met [Ana P] today", model)
    first = ended(greedy(target, options(p0="saw"), order=[0]), model)
    assert text(first) == "saw Ana today"  # the better of the two labels lost 1
    found = rates(target, first)
    assert (found["success_rate"], found["partial_success_rate"], found["any_word_wrong_rate"]) == (0, 0, 0)
    end = ended(greedy(target, options(p0="saw", p2="now"), order=[0, 2]), model)
    assert text(end) == "saw Ana now"
    assert rates(target, end)["missed_entity_rate"] == 1


def test_an_inner_label_on_the_first_of_several_words_turns_none_and_lowers_nothing():
    model = Model(
        {
            "met Ana Sá today": "O=9 B-P=5/I-P=1 I-P=5 O=9",
            "saw Ana Sá today": "O=9 I-P=6/B-P=2 I-P=5 O=9",  # found exactly, with a surer label of its type
            "hit Ana Sá today": "O=9 B-P=4/I-P=1 I-P=5 O=9",
        }
    )
    target = target_of("met [Ana Sá P] today", model)
    assert ended(greedy(target, options(p0="saw"), order=[0]), model).found.perturbed is None
    assert text(ended(greedy(target, options(p0="saw hit"), order=[0]), model)) == "hit Ana Sá today"


def test_an_inner_label_on_the_first_word_of_a_found_entity_makes_no_word_important():
    model = Model({"met Ana Sá": "O=9 B-P=5/I-P=1 I-P=5", "Ana Sá": "I-P=5/B-P=2 I-P=5"})
    target = target_of("met [Ana Sá P]", model)
    assert importance(target, apply(target.sentence, [Edit(0, 1, ())]), model) == 0  # by labels it would be 3 + 4
    lost = Model({"met Ana Sá": "O=9 B-P=5/I-P=1 I-P=5", "Ana Sá": "I-P=5/B-P=2 O=5/I-P=4"})
    target = target_of("met [Ana Sá P]", lost)
    without = apply(target.sentence, [Edit(0, 1, ())])
    # Not found: B-P loses 3 and I-P gains 4; of the second word I-P loses 1 and O gains 5.
    assert importance(target, without, lost) == pytest.approx(3 + 4 + 1 + 5)


def test_a_search_that_only_ranked_its_words_knows_that_nothing_was_similar_enough():
    model = Model(SCRIPT)
    target = target_of("we met [Ana Sá P] today", model)
    end = ended(greedy(target, options(p4="now")), model, {"we met Ana Sá now": 0.1})
    assert model.asked == ["we met Ana Sá"]
    assert end.tried == Tried(candidates=1, unlike=1, other_part_of_speech=0, shown=0)
    assert rates(target, end)["filtered_by_similarity_rate"] == 1
