"""Examples in a prompt: drawn by their texts, numbered as in their corpus, and never judged."""

from itertools import permutations

import pytest

from abalo.errors import AbaloError
from abalo.models.prompts.entities import EntityForm
from abalo.models.prompts.labels import LabelForm
from abalo.models.prompts.template import Shot
from perturbations import Sentence
from tests.models.prompts.scripted import prompt_of

FORM = LabelForm(("bad", "good"))
WORDS = ("one", "two", "three", "four")


def pool(*texts, label="good"):
    return [Shot(number, text, (label,)) for number, text in enumerate(texts, start=1)]


def drawn(shots, judged=(), form=FORM, seed=0, **values):
    return prompt_of(form, shots, judged, examples="train.tsv", **values).draw(seed)


def texts(prompt):
    return [shot.given for shot in prompt.shots]


def test_a_draw_is_the_same_whatever_the_order_of_the_corpus():
    (found,) = {tuple(texts(drawn(pool(*order), shown=2))) for order in permutations(WORDS)}
    assert found == ("two", "four")  # the smallest BLAKE2b digests of (0, 'examples', text)
    assert drawn(pool(*WORDS), shown=2).source == "2, 4 of train.tsv"


def test_every_example_is_drawn_equally_often_and_in_any_order():
    found = [tuple(texts(drawn(pool(*"abcd"), shown=2, seed=seed))) for seed in range(1200)]
    counts = [found.count(pair) for pair in permutations("abcd", 2)]
    # 12 equally likely pairs: 100 each, with a standard deviation of about 10
    assert sum(counts) == 1200
    assert all(60 < count < 140 for count in counts)


def test_five_are_drawn_or_all_if_there_are_fewer():
    assert len(texts(drawn(pool(*"abcdefgh")))) == 5
    assert sorted(texts(drawn(pool(*"abc")))) == ["a", "b", "c"]
    with pytest.raises(AbaloError, match=r"model m: .*shown = 4, but train.tsv has 3 such examples"):
        drawn(pool(*"abc"), shown=4)
    with pytest.raises(AbaloError, match="shown = 2, but no examples"):
        prompt_of(FORM, shown=2)


def test_no_drawn_example_is_judged_however_it_is_written():
    assert texts(drawn(pool("Olá, São Paulo.", "b"), ["ola\u0301 , sa\u0303o paulo ."])) == ["b"]
    judged = ["A  film", "b\tFILM"]
    for seed in range(50):
        found = drawn(pool("a film", "B film", "c film", "d film"), judged, shown=1, seed=seed)
        assert texts(found)[0] in ("c film", "d film")
    with pytest.raises(AbaloError, match=r"shown = 3, but train\.tsv has 2 such examples outside the judged corpus"):
        drawn(pool("a film", "B film", "c film", "d film"), judged, shown=3)
    with pytest.raises(AbaloError, match=r"model m: train\.tsv holds only examples of the judged corpus"):
        drawn(pool("a film", "B film"), judged)


def test_a_judged_text_leaves_the_other_draws_as_they_are():
    usual = texts(drawn(pool(*"abcdef"), shown=3))
    assert texts(drawn(pool(*"abcdef"), [usual[1]], shown=4))[:2] == [usual[0], usual[2]]


def test_equal_texts_are_one_example():
    shots = [*pool("a film", "A  film"), Shot(3, "b", ("bad",))]
    assert sorted(shot.number for shot in drawn(shots).shots) == [1, 3]


def test_examples_have_labels_that_are_asked_for():
    shots = [*pool("a", "b", label="mixed"), Shot(3, "c", ("bad",))]
    assert texts(drawn(shots)) == ["c"]
    with pytest.raises(AbaloError, match=r"no example with labels of .* but with 'mixed'; expected some of bad, good"):
        drawn(pool("a", "b", label="mixed"))
    with pytest.raises(AbaloError, match=r"train\.tsv holds no example for the prompt"):
        drawn([])
    words = Sentence(("Ana", "saiu"))
    tagged = [Shot(1, words, ("B-ORG", "O")), Shot(2, Sentence(("Rui", "foi")), ("B-PER", "O"))]
    assert drawn(tagged, form=EntityForm(("PER",))).source == "2 of train.tsv"


def test_inputs_that_are_read_later_are_refused_by_number():
    prompt = drawn(pool(*"abc"))
    prompt.refuse_judged(["x", "y"])
    with pytest.raises(AbaloError, match=r"train\.tsv has examples .* in the judged corpus.*: 1, 3;"):
        prompt.refuse_judged(["x", "C", "A "])
