"""Text as in chats, by hand."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import Sentence, apply, entity_spans, find, parse, render
from perturbations.families.pragmatic.chat_style import LINKS
from perturbations.languages import language_named
from perturbations.lexicons import pairs
from perturbations.strategies import sentences
from tests.rows import every

LANGUAGES = ("pt", "en")


def handles(language: str) -> tuple[str, ...]:
    return language_named(language).handles


def variant(text: str, seed: int = 1, mode: str = "words", **params: object) -> str | None:
    perturbed = find("TwitterType").configured(mode=mode, **params).sample(parse(text), seed=seed)
    return None if perturbed is None else render(perturbed.sentence)


def options(text: str, **params: object) -> list[list[str]]:
    sentence = parse(text)
    return [
        [render(apply(sentence, [edit]).sentence) for edit in site]
        for site in find("chat_style").configured(**params).sites(sentence)
    ]


@pytest.mark.parametrize("text", ["você viu [Ana PER] ?", "[Ana PER] viu você ?", "[Ana PER] não te viu ; viu você"])
def test_words_are_shortened_wherever_they_stand(text):
    # TextFlint shortens only the first word of a text.
    assert "vc" in variant(text).split()


def test_every_word_with_a_short_form_is_a_site_with_all_its_forms():
    assert options("Porque você saiu também ?", mode="words") == [
        ["Pq você saiu também ?"],
        ["Porque vc saiu também ?"],
        ["Porque você saiu tb ?", "Porque você saiu tbm ?"],
    ]


def test_the_letter_case_is_that_of_the_word():
    assert variant("VOCÊ e Você e você") == "VC e Vc e vc"


@every(
    ("language", "text", "expected"),
    [
        ("pt", "com certeza , por favor", "ctz , pfv"),
        ("pt", "Com Certeza", "Ctz"),
        ("en", "See you later , by the way", "Cul8r , btw"),
        ("en", "I don\u2019t know", "Idk"),
        ("en", "I DO NOT KNOW", "IDK"),
        ("en", "i do n't know", "idk"),
    ],
)
def test_phrases_are_taken_whole_the_longest_first(language, text, expected):
    found = {variant(text, seed=seed, language=language) for seed in range(30)}
    assert expected in found
    assert {len(each.split()) for each in found} == {len(expected.split())}


def test_a_phrase_is_one_only_where_its_words_have_one_label():
    assert options("com [certeza PER]", mode="words") == [["c/ [certeza PER]"], ["com [ctz PER]"]]
    assert options("[bom dia PER]", mode="words") == [["[bdia PER]"]]
    assert options("[bom PER] [dia PER]", mode="words") == []
    assert options("[com certeza , Ana PER]", mode="words")[0] == ["[ctz , Ana PER]"]


def test_without_labels_phrases_are_taken_too():
    (site,) = find("chat_style").configured(mode="words").sites(Sentence(("bom", "dia")))
    assert [edit.tokens for edit in site] == [("bdia",)]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("mode", ["handle", "link", "any"])
def test_one_handle_or_link_comes_at_one_end(language, mode):
    strings = {"handle": handles(language), "link": LINKS, "any": handles(language) + LINKS}[mode]
    (site,) = options("[Ana PER]", mode=mode, language=language)
    assert site == [text for string in strings for text in (f"{string} [Ana PER]", f"[Ana PER] {string}")]


def test_any_shortens_words_and_adds_something_at_an_end():
    found = [variant("você viu [Ana PER]", seed=seed, mode="any").split() for seed in range(20)]
    assert all(len(each) == 5 and "vc" in each for each in found)
    assert {each[0] == "vc" for each in found} == {True, False}


def test_words_alone_may_leave_nothing_to_do():
    assert variant("[Ana PER] caiu .") is None
    assert find("chat_style").sample(Sentence(()), seed=1) is None


def test_a_rate_of_nothing_changes_nothing():
    assert variant("você viu", mode="any", rate=0) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_has_these_handles_and_links(language):
    assert all(handle[0] == "@" and len(handle[1:]) > 15 for handle in handles(language))
    hosts = [link.removeprefix("https://").removeprefix("http://").removeprefix("www.").split("/")[0] for link in LINKS]
    assert set(hosts) <= {"example.com", "example.org", "example.net"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_short_forms_are_other_words_and_no_longer(language):
    for written, forms in pairs(f"chat_{language}").items():
        for form in forms.split("|"):
            assert form != written.replace("_", " ")
            assert len(form) <= len(written)


@given(sentence=sentences(), language=st.sampled_from(LANGUAGES), seed=st.integers(0, 9))
def test_what_is_added_belongs_to_no_entity(sentence, language, seed):
    perturbed = find("chat_style").configured(mode="any", language=language).sample(sentence, seed=seed)
    if perturbed is None:
        assert not len(sentence)
        return
    added = [i for i, origin in enumerate(perturbed.origins) if not origin]
    assert len(added) == 1
    assert added[0] in (0, len(perturbed.sentence) - 1)
    assert perturbed.sentence.tags[added[0]] == "O"
    assert len(entity_spans(perturbed.sentence.tags)) == len(entity_spans(sentence.tags))


@given(
    words=st.lists(
        st.sampled_from(("com", "certeza", "você", "bom", "dia", "por", "favor", "a", "gente", "Ana")), max_size=8
    ),
    data=st.data(),
)
def test_sites_never_overlap_and_can_all_be_hit_at_once(words, data):
    tags = tuple(data.draw(st.sampled_from(["O", "B-PER"])) for _ in words)
    sentence = Sentence(tuple(words), tags)
    sites = list(find("chat_style").sites(sentence))
    for chosen in list(product(*sites))[:200]:
        apply(sentence, chosen)
