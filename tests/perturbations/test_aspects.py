"""Opinions on aspects reversed, and other aspects added; the flaws of the published ones are not here."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.corpora.running_text import running_text
from perturbations import Sentence, Span, apply, entity_spans, find, parse, render
from perturbations.families.aspect.opinions_on import TARGET
from tests.rows import every


def made(name: str, text: str, target: int = 0, **params) -> list[str]:
    """All variants of a sentence in bracket notation, with the aspect of that number as the target."""
    sentence = on_target(parse(text), target)
    sites = find(name).configured(**params).sites(sentence)
    return [render(apply(sentence, [edit]).sentence) for site in sites for edit in site]


def on_target(sentence: Sentence, target: int) -> Sentence:
    span = entity_spans(sentence.tags)[target]
    return Sentence(sentence.tokens, sentence.tags, sentence.spaces, (Span(span.start, span.stop, TARGET),))


@every(
    ("text", "expected"),
    [
        ("The [screen positive] is bright .", "The [screen negative] is dim ."),
        ("The [screen positive] is bright .", "The [screen negative] is not bright ."),
        ("The [screen negative] is n't bright .", "The [screen positive] is bright ."),
        ("The [screen negative] isn't very bright .", "The [screen positive] is very bright ."),
        ("A reliable [mouse positive] !", "An unreliable [mouse negative] !"),
        ("An awful [mouse negative] !", "A wonderful [mouse positive] !"),
        ("THE [FOOD positive] IS GOOD", "THE [FOOD negative] IS BAD"),
        ("I really love the [keys positive] .", "I really hate the [keys negative] ."),
        ("We do not like the [keys negative] .", "We like the [keys positive] ."),
        ("She didn't like the [keys negative] .", "She liked the [keys positive] ."),
        ("We were pleased with the [soup positive] .", "We were displeased with the [soup negative] ."),
        ("It [works positive] well .", "It [works negative] badly ."),
        ("The [keyboard positive] works well .", "The [keyboard negative] works poorly ."),
        ("It is easy to [use positive] .", "It is hard to [use negative] ."),
        ("The [fan negative] is too loud .", "The [fan positive] is quiet ."),
        ("The [battery positive] is long .", "The [battery negative] is short ."),
        ("The [case positive] is sleek and sturdy .", "The [case negative] is clunky and flimsy ."),
        ("Not easy to [carry negative] .", "Easy to [carry positive] ."),
        ("The [screen positive] is bright enough .", "The [screen negative] is not bright enough ."),
        ("The [hinge negative] is a bit loose .", "The [hinge positive] is tight ."),
        ("The [keyboard positive] is top notch .", "The [keyboard negative] is awful ."),
        ("The [keyboard negative] is too slick .", "The [keyboard positive] is not too slick ."),
        ("The [card negative] is low quality .", "The [card positive] is high quality ."),
        ("The ease of [use positive] is great .", "The ease of [use negative] is awful ."),
        ("The large [screen positive] is great .", "The large [screen negative] is awful ."),
        ("The [layout negative] of the laptop is ugly .", "The [layout positive] of the laptop is beautiful ."),
        ("[Design positive] : very durable .", "[Design negative] : very flimsy ."),
        ("[Vista negative] is a nightmare .", "[Vista positive] is a pleasure ."),
        ("It is very well [built positive] .", "It is very poorly [built negative] ."),
        ("It is great for [gaming positive] .", "It is awful for [gaming negative] ."),
        ("Love the [screen positive] .", "Hate the [screen negative] ."),
        ("The awesome new [screen positive] arrived .", "The awful new [screen negative] arrived ."),
        # what the aspect does, or what the thing has
        ("The [screen positive] gives you room .", "The [screen negative] does not give you room ."),
        ("The [apps positive] open in seconds .", "The [apps negative] do not open in seconds ."),
        ("The [fan negative] did not work .", "The [fan positive] worked ."),
        ("The [fan negative] doesn't work .", "The [fan positive] works ."),
        ("The [drive negative] can not read discs .", "The [drive positive] can read discs ."),
        ("The [fan negative] stopped working .", "The [fan positive] kept working ."),
        ("The [drive negative] failed .", "The [drive positive] never failed ."),
        ("It comes with a [webcam positive] .", "It comes without a [webcam negative] ."),
        ("It has plenty of [memory positive] .", "It lacks [memory negative] ."),
    ],
)
def test_the_opinion_on_the_target_is_reversed_and_its_polarity_with_it(text, expected):
    assert expected in made("rev_tgt", text)


def test_and_becomes_but_where_opinions_differ_now_and_the_other_way_round():
    both = "Great [soup positive] and great [bread positive] ."
    assert "Awful [soup negative] but great [bread positive] ." in made("rev_tgt", both)
    assert "Great [soup positive] but awful [bread negative] ." in made("rev_tgt", both, target=1)
    mixed = "Great [soup positive] but awful [bread negative] ."
    assert "Terrible [soup negative] and awful [bread negative] ." in made("rev_tgt", mixed)


def test_a_comma_gets_a_but_where_the_polarity_turns_once():
    both = "The [soup positive] is good , the [bread positive] is fresh ."
    assert "The [soup negative] is bad , but the [bread positive] is fresh ." in made("rev_tgt", both)
    assert "The [soup positive] is good , but the [bread negative] is stale ." in made("rev_non", both)
    three = "Good [soup positive] , fresh [bread positive] , great [staff positive] ."
    amid = "Good [soup positive] , though stale [bread negative] , great [staff positive] ."
    assert made("rev_tgt", three, target=1) == [amid]  # it turns twice
    joined = "Good [soup positive] and fresh [bread positive] and great [staff positive] ."
    assert made("rev_tgt", joined, target=1) == []
    assert "Bad [soup negative] , but fresh [bread positive] , great [staff positive] ." in made("rev_tgt", three)


@every(
    ("text", "target", "expected"),
    [
        # what is said of another aspect need not be understood
        (
            "The [soup positive] was good , the [bread negative] could have been better .",
            0,
            "The [soup negative] was bad , the [bread negative] could have been better .",
        ),
        ("Awesome place and the perfect [size positive] .", 0, "Awesome place but the awful [size negative] ."),
        ("It is fast and has great [battery life positive] .", 0, "It is fast but has awful [battery life negative] ."),
        ("Great place , good [soup positive] .", 0, "Great place , but bad [soup negative] ."),
        ("But the [soup negative] is bad .", 0, "But the [soup positive] is good ."),
        ("The [soup positive] is filling .", 0, "The [soup negative] is not filling ."),
        ("The [soup positive] is filling and hot .", 0, None),
        ("The [staff negative] was so rude to us .", 0, "The [staff positive] was so polite to us ."),
        ("The [speed positive] is spectacular .", 0, "The [speed negative] is not spectacular ."),
    ],
)
def test_only_what_is_said_of_the_target_has_to_be_certain(text, target, expected):
    found = made("rev_tgt", text, target)
    assert expected in found if expected else found == []


@every(
    "text",
    [
        "I love its solid [build positive] , light [weight positive] and [screen positive] .",  # all of them
        "The [programs positive] are great , including [mail positive] .",
        "The [graphics positive] are great , it's perfect .",
        "The [soup positive] is good and was filling .",
        "The [soup positive] is good since they cook well .",
        "A cluttered and dim [screen negative] .",
        "The [speed negative] is spectacular .",  # as irony has it
    ],
)
def test_what_bears_on_the_target_stays_with_it(text):
    assert made("rev_tgt", text) == []


def test_an_opinion_that_a_number_measures_stays():
    assert made("rev_tgt", "a .1 ghz faster [processor positive]") == []
    assert made("rev_tgt", "a faster [processor positive]") != []


def test_aspects_of_one_opinion_are_reversed_together():
    text = "The [screen positive] and the [keyboard positive] are great ."
    assert "The [screen negative] and the [keyboard negative] are awful ." in made("rev_tgt", text)
    one = "It has more [speed positive] and the [screen positive] is bright ."
    assert "It has more [speed positive] but the [screen negative] is dim ." in made("rev_tgt", one, target=1)


@every(
    "text",
    [
        "The [screen neutral] is bright .",
        "The [screen negative] is bright .",  # the word is not what the label is about
        "If the [screen positive] is bright , buy it .",
        "The [screen positive] would be great .",
        "Is the [screen positive] great ?",
        "The [screen positive] is great because it is sharp .",
        "The [screen positive] is great , and it never fails .",
        "The [screen positive] is bright and I bought another .",
        "The [screen positive] is so bright that I love it .",
        "The [screen positive] is great , although it is small .",
        "The [screen positive] is great and offers a lot .",
        "Problems with the [screen negative] are small .",
        "The [times negative] are long : two minutes .",
        "Thanks for the fast [delivery positive] .",
        "The nicest part is the low [heat positive] .",
        "It is the perfect [size positive] for me .",
        "I bought a [screen positive] .",
        "The [price positive] was great for the [specs positive] .",  # on both
        "The [menu negative] is not the easiest thing to [navigate negative] .",
        "[Keyboard positive] is reasonable [size positive] .",
        "I use the [speaker positive] - [sound positive] is great .",
        "Then one day the [drive negative] failed again .",  # a story
        "The [fan negative] did not do any good .",
        "I am tired of the inept [service negative] .",
        "The [screen positive] gives you room and is bright .",
        "All tools on [pages positive] and [notes positive] make it easy .",  # not what they do
        "I have a [webcam positive] .",
        "It has plenty of [memory positive] , lots of [space positive] .",
    ],
)
def test_what_is_not_certain_stays(text):
    assert made("rev_tgt", text) == []


def test_other_aspects_are_set_against_the_target_and_its_opinion_stays():
    text = "The [soup positive] is good , the [bread positive] is fresh and the [staff positive] is rude ."
    assert made("rev_non", text) == []  # what is said of the staff does not fit its polarity
    alike = "The [soup positive] is good and the [bread positive] is fresh ."
    assert "The [soup positive] is good but the [bread negative] is stale ." in made("rev_non", alike)
    assert "The [soup negative] is bad but the [bread positive] is fresh ." in made("rev_non", alike, target=1)


def test_an_opinion_that_is_only_exaggerated_keeps_its_polarity():
    """RevNon relabelled non-targets whose words it only intensified [TextFlint catalogue, 3.5, read]."""
    variants = made("rev_non", "The [soup positive] is good but the [bread negative] is stale .")
    assert set(variants) == {
        f"The [soup positive] is good but the [bread negative] is {adverb} stale ."
        for adverb in ("really", "truly", "very")
    }


def test_without_another_aspect_nothing_is_set_against_the_target():
    assert made("rev_non", "The [soup positive] is good .") == []


@pytest.mark.parametrize("clauses", [1, 2, 3])
def test_clauses_on_other_aspects_come_before_the_final_mark(clauses):
    """AddDiff needed three candidates, and its test for a final mark was never true [catalogue, 3.5, read]."""
    sentence = running_text("The soup was good.")
    tagged = Sentence(sentence.tokens, ("O", "B-positive", "O", "O", "O"), sentence.spaces)
    ((*edits,),) = find("add_diff").configured(clauses=clauses).sites(tagged)
    for edit in edits:
        new = apply(tagged, [edit]).sentence
        assert new.text.startswith("The soup was good, but the ")
        assert new.text.endswith(".")
        assert new.text.count(".") == 1
        assert [span.type for span in entity_spans(new.tags)] == ["positive", *["negative"] * clauses]
        assert len({span for span in new.tokens if span in ("price", "staff", "delivery", "website")}) <= clauses


def test_a_text_that_ends_within_brackets_gets_no_second_stop():
    variants = made("add_diff", "( The [soup positive] is good . )")
    assert "( The [soup positive] is good . ) The [delivery negative] was a week late ." in variants


def test_texts_of_several_sentences_or_polarities_get_a_sentence_more():
    several = made("add_diff", "The [soup positive] is good . I had it twice .")
    assert "The [soup positive] is good . I had it twice . The [price negative] is outrageous ." in several
    mixed = made("add_diff", "The [soup positive] is good but the [bread negative] is stale .")
    assert all(" . The " in variant for variant in mixed)


def test_a_target_that_is_only_named_keeps_that_whatever_is_added():
    types = {variant.rpartition(" ")[0].split("]")[-2][-8:] for variant in made("add_diff", "I had [soup neutral] .")}
    assert types == {"positive", "negative"}
    assert all("[soup neutral]" in variant for variant in made("add_diff", "I had [soup neutral] ."))


def test_what_the_text_speaks_of_is_not_judged_again():
    variants = made("add_diff", "The [delivery positive] was fast .")
    assert variants
    assert all(variant.count("delivery") == 1 for variant in variants)
    assert not any("website" in variant for variant in made("add_diff", "A good [web-site positive] on the web ."))


def test_further_aspects_are_there_for_a_domain():
    """AddDiff was dropped without a domain [TextFlint catalogue, 3.5, read]."""
    text = "The [screen positive] is bright ."
    assert not any("charger" in variant for variant in made("add_diff", text))
    assert any("charger" in variant for variant in made("add_diff", text, domain="device"))
    assert any("parking" in variant for variant in made("add_diff", text, domain="restaurant"))


def test_clauses_are_there_in_portuguese():
    variants = made("add_diff", "A [tela positive] é ótima .", language="pt")
    assert "A [tela positive] é ótima , mas o [preço negative] é um absurdo ." in variants


def test_as_many_clauses_as_there_are_aspects_at_most():
    with pytest.raises(ValueError, match="clauses is 4; expected a number from 1 to 3"):
        made("add_diff", "The [screen positive] is bright .", clauses=4)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("rev_tgt", "The [screen positive] is great ."),
        ("rev_non", "The [screen positive] is bright and the [keyboard positive] is great ."),
        ("add_diff", "The [screen positive] is bright ."),
    ],
)
def test_further_seeds_give_further_variants_of_an_aspect(name, text):
    variants = [find(name).configured(language="en").sample(parse(text), seed=seed) for seed in range(10)]
    assert len({variant.sentence.text for variant in variants if variant is not None}) > 1


@pytest.mark.parametrize("name", ["rev_tgt", "rev_non", "add_diff"])
def test_names_of_the_published_ones_find_ours(name):
    published = {"rev_tgt": "RevTgt", "rev_non": "RevNon", "add_diff": "AddDiff"}[name]
    assert find(published) is find(name)
    assert (find(name).labels, find(name).scheme) == ("changes", "aspects")


WORDS = st.sampled_from(
    ["the", "a", "screen", "is", "not", "great", "bad", "and", "but", ",", ".", "soup", "I", "love", "very", "too"]
)


@given(words=st.lists(WORDS, min_size=1, max_size=14), data=st.data())
def test_the_target_gets_the_opposite_or_keeps_its_polarity(words, data):
    kinds = st.sampled_from(["O", "O", "B-positive", "B-negative", "B-neutral"])
    tags = tuple(data.draw(kinds) if word in ("screen", "soup") else "O" for word in words)
    sentence = Sentence(tuple(words), tags)
    aspects = entity_spans(tags)
    opposite = {"positive": "negative", "negative": "positive"}
    for name, kept in (("rev_tgt", False), ("rev_non", True), ("add_diff", True)):
        for site in find(name).sites(sentence):
            for edit in site:
                new = entity_spans(apply(sentence, [edit]).sentence.tags)
                old = aspects[0].type
                assert new[0].type == (old if kept else opposite[old])
