"""Praise and blame said otherwise, known names, sentences in another order."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.corpora.running_text import running_text
from perturbations import apply, find, parse, render
from tests.rows import every


def made(name: str, text: str, **params) -> list[str]:
    """All texts that single edits of a text give."""
    sentence = running_text(text)
    sites = find(name).configured(**params).sites(sentence)
    return [apply(sentence, [edit]).sentence.text for site in sites for edit in site]


@every(
    ("language", "text", "expected"),
    [
        ("en", "The food was very good.", ["The food was not bad."]),
        ("en", "THE FILM IS EXCELLENT", ["THE FILM IS NOT BAD"]),
        ("en", "We like it", ["We do not dislike it"]),
        ("en", "She hated it", ["She did not like it"]),
        ("en", "It 's funny.", ["It 's not unfunny."]),
        ("pt", "O filme é muito bom.", ["O filme não é ruim."]),
        ("pt", "É bom!", ["Não é ruim!"]),
        ("pt", "Vi um final chato.", ["Vi um final nada divertido."]),
        ("pt", "Detestei o filme.", ["Não apreciei o filme."]),
        ("zh", "这部电影好看。", ["这部电影不难看。"]),
        ("zh", "我喜欢它", ["我不讨厌它"]),
    ],
)
def test_praise_and_blame_by_denying_the_opposite(language, text, expected):
    assert made("double_denial", text, language=language) == expected


@every(
    ("language", "text"),
    [
        ("en", "It is not good."),  # would be denied twice
        ("en", "It looks like a dog"),  # the published one makes "looks don't refuse" of it
        ("en", "They moved here."),  # the published one reverses it
        ("en", "It's a good film."),  # before a noun
        ("en", "An awful play"),
        ("en", "It was funny and sad."),  # both would be denied
        ("zh", "一个漂亮的东西"),
        ("zh", "打得精彩好看，"),
        ("zh", "消费者喜欢高雅"),
        ("en", "It is great fun."),  # the adjective belongs to the noun
        ("en", "It was so good that I cried"),
        ("en", "A film as good as any"),
        ("en", "I would like to"),
        ("en", "We love it"),  # who does not hate it need not love it
        ("en", "There's a great deal of talk."),
        ("en", "It lasts a good three days."),
        ("en", "It stands a good chance."),
        ("en", "It's such a good job that I cried."),
        ("en", "It's a decent enough film."),
        ("en", "It leaves an awful sour taste."),
        ("en", "It tries to be funny."),
        ("en", "Ann 's lovely , and amazing"),
        ("pt", "Adorei o filme."),
        ("pt", "O filme continua interessante."),  # "não continua" says that it has ended
        ("pt", "A peça não é barata, mas é agradável."),
        ("pt", "Não é bom."),
        ("pt", "É tão bom quanto o livro."),
        ("pt", "Uma boa ideia"),  # before its noun neither "não" nor "nada" can stand
        ("zh", "这部电影不好看"),
        ("zh", "这部电影很好看"),
        ("zh", "好人"),  # single characters stand in many words
    ],
)
def test_what_is_denied_compared_or_no_opinion_stays(language, text):
    assert made("double_denial", text, language=language) == []


def test_a_denial_of_the_opposite_is_less_strong_and_still_no_turn():
    assert find("double_denial").meaning == find("degree_adverb").meaning == "keeps"
    assert find("DoubleDenial") is find("double_denial")
    assert find("ExtentAdjust") is find("degree_adverb")


def test_adverbs_strengthen_what_they_stand_before():
    assert "It's a really awful film." in made("degree_adverb", "It's an awful film.", language="en")
    assert "It's an honestly good film." in made("degree_adverb", "It's a good film.", language="en")
    assert "O filme é realmente bom." in made("degree_adverb", "O filme é bom.", language="pt")
    assert "这部电影非常好看。" in made("degree_adverb", "这部电影好看。", language="zh")
    for language, text in (
        ("en", "It's not good."),
        ("en", "It's very good."),
        ("en", "Ann 's lovely and amazing is out."),  # may be a title
        ("en", "It's a pleasant enough film."),
        ("en", "The man was inspired by it."),
        ("en", "It's a bad mannered film."),
        ("pt", "É mais bonito."),
        ("zh", "很好看"),
    ):
        assert made("degree_adverb", text, language=language) == []


def test_a_known_name_gives_way_to_one_of_its_kind():
    found = made("swap_special_ent", "Ingrid Bergman is good in Modern Times.", language="en")
    women = [text for text in found if text.endswith("Modern Times.")]
    assert "Grace Kelly is good in Modern Times." in women
    assert not [text for text in women if text.startswith(("Cary Grant", "Ingrid"))]
    assert "Ingrid Bergman is good in The Shining." in found
    only = made("swap_special_ent", "Ingrid Bergman is good in Modern Times.", language="en", which="film")
    assert only == [text for text in found if text.startswith("Ingrid Bergman")]


def test_ordinary_phrases_are_no_titles():
    assert made("swap_special_ent", "in modern times we go to city lights", language="en") == []
    assert made("swap_special_ent", "We saw the city lights in Modern times", language="en") == []
    assert "i saw the wizard of oz" in made("swap_special_ent", "i saw gone with the wind", language="en")
    assert "i saw grace kelly" in made("swap_special_ent", "i saw ingrid bergman", language="en")


def test_an_article_before_a_name_fits_the_new_one():
    found = made("swap_special_ent", "It's like an Alfred Hitchcock film.", language="en")
    assert "It's like a Billy Wilder film." in found
    assert "It's like an Orson Welles film." in found
    assert not [text for text in found if text.startswith("It's like an B")]


def test_names_in_labelled_entities_stay():
    sentence = parse("[Ingrid Bergman PESSOA] em Vidas Secas")
    places = {edit.start for site in find("swap_special_ent").sites(sentence) for edit in site}
    assert places == {3}


def test_a_summary_stands_behind_the_first_mention_in_the_manner_of_the_text():
    assert made("add_sum", "I saw Rear Window, and Rear Window won.", language="en") == [
        "I saw Rear Window (a film of 1954 by Alfred Hitchcock), and Rear Window won."
    ]
    assert made("add_sum", "i saw gone with the wind", language="en") == [
        "i saw gone with the wind ( a film of 1939 by victor fleming )"
    ]
    for text in ("I like Alfred Hitchcock 's films.", "I saw an Alfred Hitchcock movie.", "A Grace Kelly biography"):
        assert made("add_sum", text, language="en") == []
    assert made("add_sum", "Grace Kelly won.", language="en") == [
        "Grace Kelly (an American actress, born in Philadelphia in 1929) won."
    ]
    assert made("add_sum", "Em Vidas Secas, o som é bom.", which="person") == []


def test_two_sentences_change_places_and_one_stays():
    assert made("sentence_order", "Good. I liked it!") == ["I liked it! Good."]
    assert made("sentence_order", "这部电影好看。我喜欢！") == ["我喜欢！这部电影好看。"]
    assert made("sentence_order", "Only one.") == []
    assert made("sentence_order", "Good. I liked it") == []
    assert made("sentence_order", "It ended… Good.") == []
    assert len(made("sentence_order", "Ana. Oh! Why? Fim.")) == 23
    assert len(made("sentence_order", "Ana. Oh. Why. Fim. End.")) == 9


def test_a_stop_in_an_entity_ends_no_sentence():
    assert list(find("sentence_order").sites(parse("[Yahoo ! ORG] ficou . [Ana PER] saiu ."))) != []
    assert list(find("sentence_order").sites(parse("[Yahoo ! ORG] ficou ."))) == []


@given(
    st.lists(st.sampled_from(["Good.", "I liked it!", "Really?", "It ended."]), min_size=2, max_size=7),
    st.integers(0, 9),
)
def test_every_token_is_there_once_whatever_the_order(parts, seed):
    sentence = running_text(" ".join(parts))
    found = find("sentence_order").sample(sentence, seed=seed)
    if found is None:
        assert len(set(parts)) < len(parts)  # two that are equal have changed places
    else:
        assert sorted(found.origins) == [(i,) for i in range(len(sentence))]
        assert sorted(found.sentence.text.replace(" ", "")) == sorted(sentence.text.replace(" ", ""))


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "a role for Al Pacino .", "a role for Al Pacino ( an actor , born in New York in 1940 ) ."),
        ("en", "President Bill Clinton came .", None),  # the word before says it
        ("en", "a song ( by Bob Dylan ) .", None),  # brackets in brackets
        ("pt", "o livro de Jorge Amado .", "o livro de Jorge Amado ( escritor brasileiro , nascido em 1912 ) ."),
    ],
)
def test_living_persons_and_politicians_are_told_about(language, text, expected):
    sentence = parse(text)
    sites = find("add_sum").configured(language=language).sites(sentence)
    assert [render(apply(sentence, [edit]).sentence) for site in sites for edit in site] == (
        [expected] if expected else []
    )


def test_a_person_becomes_one_who_did_the_same_and_lives_no_more():
    sentence = parse("a film by Steven Spielberg .")
    sites = find("swap_special_ent").configured(language="en").sites(sentence)
    found = {" ".join(edit.tokens) for site in sites for edit in site}
    assert {"Alfred Hitchcock", "Stanley Kubrick"} <= found
    assert found.isdisjoint({"Woody Allen", "Albert Einstein", "Elvis Presley", "Ronald Reagan"})
    for politician in ("Bill Clinton", "Ronald Reagan"):
        sentence = parse(f"{politician} came .")
        assert not [site for site in find("swap_special_ent").configured(language="en").sites(sentence) if site]
