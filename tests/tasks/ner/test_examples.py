"""The sentences that a perturbation hurt most."""

from dataclasses import replace

from abalo.core.protocols.task_report import EXAMPLES
from abalo.core.records.example import JsonObject
from abalo.core.records.outcome import Outcome, Searched, Tried
from abalo.tasks.ner.task import TASK
from perturbations import Edit, Span, apply, parse
from tests.scripted import outcome


def examples(outcomes: list[Outcome]) -> list[JsonObject]:
    return TASK.report.examples(outcomes, "projected")


def broken(text: str, predicted: str, clean: str | None = None, seed: int = 1) -> Outcome:
    """The sentence with an x behind its first word; labels are B or o for each word."""
    sentence = parse(text)
    changed = apply(sentence, [Edit(0, 1, (sentence.tokens[0] + "x",))])
    return outcome(sentence, None if clean is None else labels(clean), changed, labels(predicted), seed)


def labels(text: str) -> list[str]:
    return ["O" if letter == "o" else "B-PER" for letter in text]


TWO = "[Ana PER] viu [Rui PER]"


def test_the_worst_come_first_and_what_lost_nothing_is_left_out():
    once, twice = broken(TWO, "Boo"), broken("[Eva PER] viu [Ivo PER]", "ooo")
    kept = broken("[Lia PER] viu [Gil PER]", "BoB")
    found = examples([kept, once, twice, outcome("[Noa PER] saiu", ["O", "O"])])
    assert [(each["broken"], each["tokens"][0]) for each in found] == [(2, "Eva"), (1, "Ana")]


def test_a_sentence_is_shown_once_under_the_seed_that_hurt_it_most():
    found = examples([broken(TWO, "Boo", seed=1), broken(TWO, "ooo", seed=2), broken(TWO, "ooo", seed=4)])
    assert [(each["seed"], each["broken"]) for each in found] == [(2, 2)]


def test_an_entity_invented_counts_as_much_as_one_missed():
    (found,) = examples([broken("[Ana PER] saiu", "BB")])
    assert found["broken"] == 1


def test_what_was_wrong_before_is_not_counted():
    assert examples([broken(TWO, "ooo", clean="ooo"), broken(TWO, "Boo", clean="ooo")]) == []
    (found,) = examples([broken(TWO, "ooo", clean="Boo")])
    assert found["broken"] == 1


def test_an_example_holds_all_that_a_reader_needs():
    sentence = parse("[Ana Sá PER] saiu ontem")
    changed = apply(sentence, [Edit(0, 1, ("Axa",)), Edit(1, 1, ("xxx",)), Edit(3, 4, ())])
    (found,) = examples([outcome(sentence, None, changed, ["O"] * 4, seed=4)])
    assert found.pop("sentence_id") == outcome(sentence).example.id
    assert found == {
        "seed": 4,
        "broken": 1,
        "tokens": ["Ana", "Sá", "saiu", "ontem"],
        "gold": ["B-PER", "I-PER", "O", "O"],
        "clean": ["B-PER", "I-PER", "O", "O"],
        "new_tokens": ["Axa", "xxx", "Sá", "saiu"],
        "new_gold": ["B-PER", "I-PER", "I-PER", "O"],
        "predicted": ["O", "O", "O", "O"],
        "origins": [[0], [], [1], [2]],
        "edited": [0, 1],
        "removed": [3],
        "targets": [],
        "new_targets": [],
    }


def test_the_targets_of_an_attack_are_told_before_and_after():
    sentence = replace(parse("viu [Ana Sá PER] ontem"), anchors=(Span(1, 3, "PER"),))
    changed = apply(sentence, [Edit(1, 1, ("xxx",))])
    (found,) = examples([outcome(sentence, None, changed, ["O"] * 5, targets=sentence.anchors)])
    assert (found["targets"], found["new_targets"]) == ([[1, 3, "PER"]], [[2, 4, "PER"]])


def test_there_are_only_so_many_and_their_order_does_not_depend_on_that_of_the_corpus():
    outcomes = [broken(f"[Ana{i} PER] saiu", "oo") for i in range(30)]
    found = examples(outcomes)
    assert len(found) == EXAMPLES == 10
    assert found == examples(outcomes[::-1])


def test_each_view_compares_in_its_own_way():
    # One word more in front: nothing is lost where tokens are followed, everything where places are.
    sentence = parse(TWO)
    shifted = outcome(sentence, None, apply(sentence, [Edit(0, 0, ("xxx",))]), labels("oBoB"))
    assert [TASK.report.examples([shifted], view) for view in ("projected", "structural")] == [[], []]
    (found,) = TASK.report.examples([shifted], "padded")
    assert found["broken"] == 4


def searched(text: str, predicted: str, *target: int) -> Outcome:
    sentence = parse(text)
    changed = apply(sentence, [Edit(1, 2, ("viux",))])
    spent = Searched(choices=1, queries=3, spent=False, similarity=0.9, tried=Tried(3, 0, 0, 3))
    return outcome(sentence, None, changed, labels(predicted), targets=[Span(*target, "PER")], searched=spent)


def test_of_a_search_only_what_broke_its_target_is_shown():
    assert examples([searched(TWO, "Boo", 0, 1)]) == []
    (found,) = examples([searched(TWO, "Boo", 2, 3)])
    assert (found["broken"], found["targets"], found["new_targets"]) == (1, [[2, 3, "PER"]], [[2, 3, "PER"]])


def test_where_nothing_is_changed_the_sentences_with_most_errors_are_shown():
    found = TASK.report.mistakes(
        [
            outcome("[Noa PER] saiu", labels("oB")),
            outcome("[Eva PER] foi", labels("Bo")),
            outcome("[Ana PER] viu [Rui PER] e [Léo PER]", labels("ooooo")),
        ]
    )
    assert [each["broken"] for each in found] == [3, 2]  # three missed; one missed and one invented
    assert found[1]["tokens"] == found[1]["new_tokens"] == ["Noa", "saiu"]
    assert found[1]["clean"] == found[1]["predicted"] == ["O", "B-PER"]
    assert found[1]["gold"] == found[1]["new_gold"] == ["B-PER", "O"]
    assert (found[1]["origins"], found[1]["edited"], found[1]["removed"]) == ([[0], [1]], [], [])
