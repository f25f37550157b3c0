"""The strategies that users' own tests draw from."""

import importlib
import json

import pytest
from hypothesis import Phase, find, given, settings
from hypothesis import strategies as st

from perturbations import Edit, Sentence, apply, members, parse, unchanged
from perturbations import find as named
from perturbations.strategies import edits_by, noises, sentences, sentences_of, tries

CORPUS = [parse("[José Sá PESSOA] mora aqui ."), parse("a [Lei nº 1 LEI] diz"), parse("sim"), parse("sim")]
PLAIN = [member for member in members().values() if member.cost == "text"]


def test_sentences_of_a_corpus_shrink_to_the_shortest():
    assert find(sentences_of(CORPUS), lambda sentence: True) == parse("sim")
    assert find(sentences_of(CORPUS), lambda sentence: "PESSOA" in str(sentence.tags)) == CORPUS[0]


@pytest.mark.slow
@pytest.mark.parametrize("member", PLAIN, ids=lambda member: member.name)
@given(data=st.data())
@settings(max_examples=25)
def test_every_edit_of_every_perturbation_can_be_made_alone(member, data):
    sentence = data.draw(sentences(min_tokens=1) | st.sampled_from([*CORPUS, parse(member.example.before)]))
    sites = list(member.sites(sentence))
    if not sites:
        assert edits_by(member, sentence).is_empty
        return
    edit = data.draw(edits_by(member, sentence))
    assert any(edit in options for options in sites)
    made = apply(sentence, [edit])
    assert len(made.sentence.tags) == len(made.sentence.tokens) == len(made.origins)
    assert apply(sentence, [Edit.from_json(json.loads(json.dumps(edit.to_json())))]) == made
    assert {old for origin in made.origins for old in origin} <= set(range(len(sentence)))


@pytest.mark.slow
@given(st.data())
@settings(max_examples=150)
def test_a_plan_of_noise_can_be_made_at_once_and_leaves_the_rest(data):
    sentence = data.draw(sentences(max_tokens=8))
    plan = data.draw(noises(PLAIN, sentence, max_edits=6))
    assert len(plan) <= 6
    made = apply(sentence, plan)
    touched = {i for edit in plan for i in range(edit.start, edit.stop)}
    places = made.positions(len(sentence))
    for i, token in enumerate(sentence.tokens):
        if i not in touched:
            assert made.sentence.tokens[places[i]] == token
    if not plan:
        assert made == unchanged(sentence)


def sites_of(sentence):
    """Each word, doubled."""
    return [
        lambda i=i, word=word: [Edit(i, i + 1, (word * 2,)), Edit(i, i + 1, (word * 3,))]
        for i, word in enumerate(sentence.tokens)
    ]


@pytest.mark.slow
def test_tries_shrink_to_one_simplest_edit_of_the_first_sentence():
    few = tries(CORPUS, sites_of, at_once=8)
    assert find(few, lambda plan: True) == [(CORPUS[0], Edit(0, 1, ("JoséJosé",)))]
    plan = find(few, lambda plan: any("diz" in edit.tokens[0] for _, edit in plan))
    assert [edit for _, edit in plan if "diz" in edit.tokens[0]] == [Edit(4, 5, ("dizdiz",))]


def test_tries_are_mostly_as_many_as_a_model_is_shown_at_once():
    sizes = []

    @given(tries(CORPUS, sites_of, at_once=5))
    @settings(max_examples=100, database=None)
    def draw(plan):
        sizes.append(len(plan))

    draw()
    assert set(sizes) == {1, 5}
    assert sizes.count(5) > sizes.count(1)


def test_tries_do_not_depend_on_the_modules_that_are_loaded(tmp_path, monkeypatch):
    corpus = [Sentence((f"word{i}",), ("O",), ()) for i in range(400)]

    def drawn():
        plans = []

        @given(tries(corpus, sites_of, at_once=8))
        @settings(max_examples=30, derandomize=True, database=None, phases=[Phase.generate])
        def draw(plan):
            plans.append(plan)

        draw()
        return plans

    before = drawn()
    (tmp_path / "loaded_in_between.py").write_text(f"constants = {list(range(400))}")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("loaded_in_between")
    assert drawn() == before


def test_a_perturbation_without_a_site_gives_no_edit():
    assert edits_by(named("accents"), parse("abc")).is_empty
