"""Changes of one of two sentences, and what they do to the relation between them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import Partner, Pipeline, Sentence, apply, compose, find, members
from perturbations.composition import in_turn
from perturbations.strategies import sentences
from tests.rows import every


def told(name, text, partner, *, second=True, language="en", **params):
    """The words that each edit puts in, of a sentence that is the second of two, or the first."""
    layer = Partner("other", tuple(partner.split()), entails=second)
    sentence = Sentence(tuple(text.split()), layers=(layer,))
    sites = find(name).configured(language=language, **params).sites(sentence)
    return sorted(" ".join(apply(sentence, [edit]).sentence.tokens) for site in sites for edit in site)


@pytest.mark.parametrize("second", [True, False])
def test_a_word_of_both_sentences_becomes_its_opposite_in_one(second):
    assert told("swap_antonym", "a small dog sleeps", "a small animal sleeps", second=second, words="antonyms") == [
        "a big dog sleeps",
        "a large dog sleeps",
    ]


@every(
    ("text", "partner"),
    [
        ("a small dog sleeps", "a dog sleeps"),  # not in both
        ("a small dog sees a small cat", "a small dog sees a cat"),  # twice
        ("no small dog sleeps", "no small animal sleeps"),
        ("a small dog is n't here", "a small dog isn't here"),
        ("does a small dog sleep ?", "a small dog sleeps"),
        ("every small dog sleeps", "every small dog rests"),
        ("a small dog may sleep", "a small dog may rest"),
        ("a small dog or a cat sleeps", "a small dog or a cat rests"),
    ],
)
def test_what_need_not_contradict_stays(text, partner):
    assert told("swap_antonym", text, partner, words="antonyms") == []


def test_an_opposite_that_the_partner_has_is_not_put():
    made = told("swap_antonym", "a small dog sleeps", "a small dog sees a large cat", words="antonyms")
    assert made == ["a big dog sleeps"]


def test_articles_fit_the_new_word():
    assert "a carrot is red" not in told("swap_antonym", "a tomato is here", "a tomato is there")
    assert "an onion is here" in told("swap_antonym", "a tomato is here", "a tomato is there")


def test_three_entails_two_so_amounts_grow_in_hypotheses_and_shrink_in_premises():
    text, partner = "he has 40 books now", "he owns 40 books"
    grown = told("swap_number", text.replace("he ", "it "), partner.replace("he ", "it "))
    shrunk = told("swap_number", text.replace("he ", "it "), partner.replace("he ", "it "), second=False)
    assert grown
    assert {int(each.split()[2]) > 40 for each in grown} == {True}
    assert {int(each.split()[2]) < 40 for each in shrunk} == {True}


def test_numbers_in_words_have_their_order():
    found = told("swap_number", "It has seven legs now", "It has seven legs")
    assert found == [f"It has {word} legs now" for word in ("eight", "nine", "ten")]


@every(
    "text",
    [
        "it has more than 12 books here",  # no contradiction: who has 20 has more than 12 [3.6]
        "it has at least 12 books here",
        "it has about 12 books here",
        "it has up to 12 books here",
        "it began in 1999 , they say",
        "it has 12 books and 12 pens here",
    ],
)
def test_a_limit_a_year_and_a_number_that_is_there_twice_stay(text):
    assert told("swap_number", text, "it has 12 books there since 1999") == []


@every(
    ("text", "partner"),
    [
        ("men and women sleep here", "men sleep there"),
        ("the small boat is here because the tide is in", "the small boat is there"),
        ("a small car is slow due to the snow", "a small car is slow"),
        ("the road is so narrow that a small car fits", "a small car is there"),
        ("it is less expensive here", "it is less expensive there"),
        ("a bearded man sleeps", "a man sleeps"),
        ("tension is running high", "tension was running high"),
        ("he drinks red wine", "he likes red wine"),
    ],
)
def test_a_word_stays_beside_its_opposite_and_in_reasons_comparisons_and_fixed_phrases(text, partner):
    assert told("swap_antonym", text, partner) == []


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("three men and two women came", "en"),
        ("five jurors came , with a sixth to follow", "en"),
        ("it was raised to 9 points , up from 7 points", "en"),
        ("quatro crianças , três meninas e um menino , vieram", "pt"),
    ],
)
def test_an_amount_beside_another_stays(text, language):
    assert told("swap_number", text, text, language=language) == []


def test_an_article_before_a_number_fits_the_new_one():
    found = told("swap_number", "it grew at a 7.2 percent rate", "it grew 7.2 percent")
    assert "it grew at an 8.5 percent rate" in found
    assert not [text for text in found if "a 8" in text or "an 9" in text]


def test_portuguese_opposites_agree():
    assert told("swap_antonym", "a caixa vazia fica ali", "há uma caixa vazia", language="pt") == [
        "a caixa cheia fica ali",
        "a caixa lotada fica ali",
    ]
    assert all(
        each.startswith("a ") for each in told("swap_antonym", "a flauta está ali", "há uma flauta", language="pt")
    )


def test_alone_a_sentence_is_read_with_itself():
    alone = Sentence(("o", "gato", "dorme"))
    assert find("swap_antonym").fits(alone)


def test_what_changes_do_to_the_relation_is_declared():
    relations = {name: member.relation for name, member in members().items()}
    assert {relations[name] for name in ("typos", "accents", "misspelling", "back_translation")} == {"keeps"}
    assert {relations[name] for name in ("irrelevant_text", "add_sum", "insert_adverb")} == {"adds"}
    assert {relations[name] for name in ("number", "negation", "antonym", "tense", "multi_pos")} == {"loses"}
    swaps = ("swap_antonym", "swap_number")
    assert {name for name, relation in relations.items() if relation == "excludes"} == set(swaps)
    for name in swaps:
        of_one_event = find(name).configured(one_event=True)
        assert of_one_event.relation == "contradicts"
        assert of_one_event.configured(one_event=False).relation == "excludes"
    assert all(member.relation != "keeps" for member in members().values() if member.meaning != "keeps")


@every(
    ("relations", "together"),
    [
        (["parallel"], "parallel"),
        (["parallel", "keeps"], "loses"),
        (["parallel", "parallel"], "loses"),
        ([], "keeps"),
        (["keeps", "adds"], "adds"),
        (["adds", "adds"], "adds"),
        (["adds", "contradicts"], "contradicts"),
        (["contradicts", "contradicts"], "loses"),
        (["excludes", "adds"], "excludes"),
        (["excludes", "contradicts"], "loses"),
        (["contradicts", "loses"], "loses"),
    ],
)
def test_changes_in_turn(relations, together):
    assert in_turn(relations) == together


def test_a_pipeline_tells_the_relation_of_its_steps_and_so_does_its_variant():
    steps = [find("swap_antonym").configured(language="en", one_event=True), find("typos")]
    sentence = Sentence(("the", "dog", "sleeps", "here"))
    assert Pipeline(tuple(steps)).relation == "contradicts"
    first = steps[0].sample(sentence, seed=1)
    assert first.relation == "contradicts"
    second = steps[1].sample(first.sentence, seed=1)
    assert compose(sentence, first, second).relation == "contradicts"
    assert Pipeline(tuple(steps)).sample(sentence, seed=1).relation == "contradicts"


@given(sentence=sentences(), words=st.lists(st.sampled_from(["cat", "12", "não", "x"]), max_size=4).map(tuple))
def test_no_edit_changes_a_partner(sentence, words):
    partner = Partner("other", words, entails=True)
    own = Sentence(sentence.tokens, spaces=sentence.spaces, layers=(partner,))
    assert own.partner == partner
    made = find("typos").sample(own, seed=1)
    assert made is None or made.sentence.partner == partner
    assert Sentence(sentence.tokens).partner is None


@every(
    ("text", "partner", "language", "expected"),
    [
        ("Two men are talking", "Two boys are talking", "en", "Seven men are talking"),
        ("Two cats are fighting each other", "Two cats are fighting", "en", "Four cats are fighting each other"),
        ("five people with three dogs run", "five people with three dogs run", "en", "five people with four dogs run"),
        ("Two boys stare at some dogs", "Two boys stare at dogs", "en", "Nine boys stare at some dogs"),
        ("One small man is sitting here", "One small man is here", "en", "Three small men are sitting here"),
        ("Duas crianças brincam", "Duas crianças brincam na praia", "pt", "Oito crianças brincam"),
    ],
)
def test_two_and_one_become_more(text, partner, language, expected):
    assert expected in told("swap_number", text, partner, language=language)


@every(
    "text",
    [
        "the dog stands on its two front paws",  # it has no five
        "a fight between two men starts",
        "two twin boys are playing",
        "two people , a man and a woman , are playing",
        "one man is standing and another one is sitting",
        "one man is a doctor",
        "five men and three women run",  # one may be a part of the other, or both may be added up
        "two men and two women run",
    ],
)
def test_couples_and_parts_stay_two(text):
    assert told("swap_number", text, text) == []


def test_two_stays_where_it_would_have_to_become_one():
    assert told("swap_number", "two men are talking", "two men are talking", second=False) == []


@every(
    "text",
    [
        "two men and a woman sleep",  # two women and a woman
        "the Rich Media company grows",
        "the girl Holly Jones sleeps",
        "it is unlikely to end until May",
        "that is foolish and wrong",
    ],
)
def test_words_that_something_beside_them_holds_stay(text):
    held = {"men", "women", "Rich", "girl", "unlikely", "foolish"}
    found = told("swap_antonym", text, text)
    assert all(set(text.split()) & held <= set(each.split()) for each in found)


def test_who_stands_close_to_three_is_no_guess_of_how_many():
    near = "a sheep is standing close to three white dogs"
    assert "a sheep is standing close to four white dogs" in told("swap_number", near, near, language="en")
    assert told("swap_number", "close to three white dogs came", "close to three white dogs came", language="en") == []
