"""Sentences of documents left out, added, replaced, repeated and swapped; persons of another gender."""

import pytest

from perturbations import Span, apply, find, parse
from perturbations.documents import document_of, mentions_of, sentences_of
from perturbations.resources import JUDGED, Texts
from tests.rows import every


def document(text, name="d"):
    """Sentences with ``/`` between; the entities of the bracket notation are mentions."""
    parts = [parse(part.strip()) for part in text.split("/")]
    mentions, start = [], 0
    for part in parts:
        mentions += [Span(each.start + start, each.stop + start, each.type) for each in mentions_of(part)]
        start += len(part)
    return document_of([(part.tokens, (" ",) * len(part)) for part in parts], mentions, name)


OTHERS = Texts(JUDGED, (document("The rain fell all day . / [Bo b] saw the snow fall . / [He b] sat there .", "e"),))


def made(name, text, language="en", **params):
    """All variants by one edit, as sentences."""
    whole = document(text)
    member = find(name)
    more = {"passages": OTHERS} if "passages" in member.params else {}
    more |= {"language": language} if "language" in member.params else {}
    found = set()
    for site in member.configured(rate=1, **more, **params).sites(whole):
        for edit in site:
            new = apply(whole, [edit]).sentence
            found.add(" / ".join(" ".join(new.tokens[slice(*part)]) for part in sentences_of(new)))
    return found


@every(
    ("text", "gone"),
    [
        # The first sentence, one that a pronoun or a phrase needs, one in which somebody speaks, and a fragment stay.
        ("[Tom t] came home early . / [Ann a] stayed in town . / The night was cold .", [1, 2]),
        ("[Tom t] came home early . / [Ann a] stayed in town . / [She a] was not tired .", [2]),
        ("[Tom t] came home early . / [A dog d] sat in town . / [The dog d] was not tired .", [2]),
        ("[Tom t] came home early . / [Ann a] stayed in town . / However , it was cold .", [2]),
        ("[Tom t] came home early . / ' [I a] am in town . ' / The night was cold .", [2]),
        ("[Tom t] came home early . / said [Ann a] again . / The night was cold .", [2]),
    ],
)
def test_sentences_that_others_need_are_not_left_out(text, gone):
    parts = [" ".join(parse(part.strip()).tokens) for part in text.split("/")]
    wanted = {" / ".join(part for k, part in enumerate(parts) if k != place) for place in gone}
    assert made("rnd_delete", text) == wanted


def test_a_new_sentence_mentions_nothing_and_comes_before_none_that_looks_back():
    text = "[Tom t] came home early . / [He t] was very tired . / [Ann a] stayed in town ."
    assert made("rnd_insert", text) == {
        "Tom came home early . / He was very tired . / The rain fell all day . / Ann stayed in town ."
    }
    assert made("rnd_insert", "[Tom t] came home . / The rain was over soon .") == set()  # it has the rain, too
    assert made("rnd_replace", text) == {
        "Tom came home early . / The rain fell all day . / Ann stayed in town .",
        "Tom came home early . / He was very tired . / The rain fell all day .",
    }


def test_a_copy_stands_beside_its_sentence_unless_it_tells_of_something_new():
    text = "[Tom t] came home early . / [A dog d] sat in town . / ' [I a] am here . '"
    assert made("rnd_repeat", text) == {
        "Tom came home early . / Tom came home early . / A dog sat in town . / ' I am here . '"
    }


@every(
    ("text", "swaps"),
    [
        ("[Tom t] came home early . / [Ann a] stayed in town . / The night was cold .", {(1, 0, 2)}),
        ("[Tom t] came home early . / [He t] stayed in town . / The night was cold .", set()),
        ("[Tom t] came home early . / [Tom t] stayed in town .", set()),
        ("[Tom t] came home early . / [Bo b] stayed in town . / [He b] was cold there .", set()),
        ("[Tom t] came home early . / Both of them stayed there .", set()),
    ],
)
def test_neighbours_are_swapped_where_no_pronoun_is_read_otherwise_then(text, swaps):
    parts = [" ".join(parse(part.strip()).tokens) for part in text.split("/")]
    assert made("rnd_shuffle", text) == {" / ".join(parts[place] for place in order) for order in swaps}


def test_other_documents_are_appended_with_their_sentences_and_without_their_clusters():
    whole = document("[Tom t] came home early .")
    (site,) = find("rnd_concat").configured(passages=OTHERS, language="en").sites(whole)
    new = apply(whole, [site[0]]).sentence
    assert len(sentences_of(new)) == 4
    assert mentions_of(new) == (Span(0, 1, "t"),)
    assert not list(find("rnd_concat").configured(passages=OTHERS).sites(document("[Bo b] came home early .")))
    with pytest.raises(ValueError, match="documents is 11; expected a number from 1 to 10"):
        list(find("rnd_concat").configured(documents=11).sites(whole))


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("[Anna a] left . / [She a] met [her a] .", "{0} left . / He met him ."),
        ("[Peter p] left . / [His p] dog slept .", "{0} left . / Her dog slept ."),
        ("[Peter Hill p] left . / [Hill p] slept .", "{0} Hill left . / Hill slept ."),
    ],
)
def test_a_person_gets_another_name_and_all_pronouns_follow(text, now):
    found = made("other_gender", text)
    assert len(found) > 50
    names = {each.split()[0] for each in found}
    assert {now.format(name) for name in names} == found


@every(
    "text",
    [
        "[Anna a] left . / [She a] met [Peter p] . / [He p] slept .",  # he would be two persons
        "[Anna a] left . / [The girl a] slept .",
        "[Anna a] was a good girl . / [She a] slept .",
        "[Anna a] left . / Anna slept .",  # a mention that nobody marked
        "[Anna a] left . / [She a] slept with her bear .",
        "[Mrs Anna a] left .",
        "[Zorblax a] left . / [She a] slept .",
    ],
)
def test_what_does_not_follow_for_sure_stays(text):
    assert made("other_gender", text) == set()


def test_at_least_one_sentence_changes_whatever_chance_hits():
    whole = document("[Tom t] came home early . / [Ann a] stayed in town . / The night was cold .")
    member = find("rnd_delete").configured(language="en")
    assert (member.rate, member.params["at_least"], member.may_miss) == (0.2, 1, False)
    assert all(member.sample(whole, seed=seed) is not None for seed in range(20))
    assert any(member.configured(at_least=0).sample(whole, seed=seed) is None for seed in range(20))
