"""Marks at the end, brackets around, and words that say nothing, by hand."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from perturbations import Sentence, apply, entity_spans, find, parse, render
from perturbations.families.sentence.punctuation import PAIRS
from perturbations.lexicons import rows
from perturbations.strategies import sentences
from tests.rows import every

on_random_sentences = settings(max_examples=60)


def variants(name: str, sentence: Sentence | str, **params: object) -> list[list[Sentence]]:
    """For each site what its edits make, one at a time."""
    given = parse(sentence) if isinstance(sentence, str) else sentence
    sites = find(name).configured(**params).sites(given)
    return [[apply(given, [edit]).sentence for edit in site] for site in sites]


def rendered(name: str, text: str, **params: object) -> list[list[str]]:
    return [[render(sentence) for sentence in site] for site in variants(name, text, **params)]


@every(
    ("text", "body", "marks"),
    [
        ("ela saiu .", "ela saiu", ["..."]),
        ("ela saiu ...", "ela saiu", ["."]),
        ("ela saiu . . .", "ela saiu", ["."]),
        ("ela saiu …", "ela saiu", ["."]),
        ("ela saiu !", "ela saiu", [".", "..."]),
        ("ela saiu.", "ela saiu", ["..."]),
        ("viu [Quem ? OBRA] .", "viu [Quem ? OBRA]", []),
        ("viu [Quem OBRA] .", "viu [Quem OBRA]", ["..."]),
    ],
)
def test_the_final_mark_becomes_another(text, body, marks):
    assert rendered("punctuation", text, bracket=False) == ([[f"{body} {mark}" for mark in marks]] if marks else [])


@every(
    "text",
    [
        "ela saiu ?",
        "ela saiu ?!",
        "ela saiu",
        "ela saiu ,",
        "VOTO .",
        "em 2018 .",
        "pelo art. 2.",
        "nos art .",
        ". .",
    ],
)
def test_no_mark_is_put_where_the_text_states_nothing(text):
    assert rendered("punctuation", text, bracket=False) == []


def test_a_pair_goes_around_the_whole_and_its_final_mark():
    assert PAIRS == (("(", ")"), ('"', '"'), ("“", "”"))
    wraps = [f"{opening} [Ana PESSOA] saiu . {closing}" for opening, closing in PAIRS]
    assert rendered("Punctuation", "[Ana PESSOA] saiu .") == [["[Ana PESSOA] saiu ...", *wraps]]


@every(
    ("text", "openings"),
    [
        ("ela saiu", '("“'),
        ("ela saiu ?", '("“'),
        ("ela saiu . ele ficou", '"“'),
        ("ela ( a ré ) saiu", '"“'),
        ("a ) ela saiu", '"“'),
        ("ela “ saiu ”", "("),
        ("ela `` saiu ''", "("),
        ("ela saiu , disse :", ""),
        ("ela saiu ;", ""),
        ("ela “ saiu ” ( ontem )", ""),
    ],
)
def test_no_pair_is_nested_or_goes_around_text_that_goes_on(text, openings):
    found = [option for site in rendered("punctuation", text) for option in site]
    assert "".join(option[0] for option in found) == openings
    assert all(text in option for option in found)


def test_white_space_goes_by_that_of_the_text():
    glued = Sentence(("Ela", "saiu", "."), None, (" ", "", "\n"))
    assert [new.text for new in variants("punctuation", glued)[0][:2]] == ["Ela saiu...\n", "(Ela saiu.)\n"]
    apart = Sentence(("Ela", "saiu", "."))
    assert [new.text for new in variants("punctuation", apart)[0][:2]] == ["Ela saiu ...", "( Ela saiu . )"]


def test_other_marks_can_be_given_and_must_be_words():
    assert rendered("punctuation", "ela saiu .", bracket=False, marks=("!", ".")) == [["ela saiu !"]]
    with pytest.raises(ValueError, match="marks is"):
        rendered("punctuation", "ela saiu .", marks=("",))


@on_random_sentences
@given(sentences(min_tokens=1), st.booleans())
def test_no_mark_of_an_entity_is_lost(sentence, bracket):
    old = [sentence.tokens[span.start : span.stop] for span in entity_spans(sentence.tags)]
    for site in variants("punctuation", sentence, bracket=bracket):
        for new in site:
            assert [new.tokens[span.start : span.stop] for span in entity_spans(new.tags)] == old


OPENERS = {language: [opener for (opener,) in rows(f"openers_{language}")] for language in ("en", "pt")}
REMARKS = {language: [remark for (remark,) in rows(f"remarks_{language}")] for language in ("en", "pt")}
LONG = "o juiz ouviu a testemunha e depois mandou chamar [Ana Sá PESSOA]"
"""Twelve words."""


def capitalised(text: str) -> str:
    return text[0].upper() + text[1:]


def test_a_short_text_gets_an_opener_alone():
    assert rendered("AppendIrr", "[Ana PESSOA] saiu .") == [
        [f"{capitalised(opener)} [Ana PESSOA] saiu ." for opener in OPENERS["pt"]]
    ]
    assert rendered("AppendIrr", "[Ann PER] left .", language="en") == [
        [f"{capitalised(opener)} [Ann PER] left ." for opener in OPENERS["en"]]
    ]


@every(
    ("text", "opener", "expected"),
    [
        ("O juiz saiu", "Enfim ,", "Enfim , o juiz saiu"),
        ("o juiz saiu", "enfim ,", "enfim , o juiz saiu"),
        ("[O Globo ORG] saiu", "Enfim ,", "Enfim , [O Globo ORG] saiu"),
        ("[Brasília LOCAL] saiu", "Enfim ,", "Enfim , [Brasília LOCAL] saiu"),
        ("[STF ORG] decide", "Enfim ,", "Enfim , [STF ORG] decide"),
    ],
)
def test_an_opener_takes_the_capital_of_a_word_without_meaning(text, opener, expected):
    (site,) = rendered("irrelevant_text", text)
    (found,) = [variant for variant in site if variant.lower().startswith(opener.lower())]
    assert found == expected


def test_i_keeps_its_capital():
    assert "Anyway , I left" in rendered("irrelevant_text", "I left", language="en")[0]
    assert "Anyway , the dog left" in rendered("irrelevant_text", "The dog left", language="en")[0]


@every(
    ("end", "remarked"),
    [
        (" .", " . {Remark} ."),
        (" ...", " ... {Remark} ."),
        (" ?", " ? {Remark} ."),
        ("", " . {Remark} ."),
        (" ;", " , e {remark} ;"),
    ],
)
def test_a_remark_ends_a_longer_text_and_the_final_mark_stays_right(end, remarked):
    *_, found = rendered("irrelevant_text", LONG + end)
    assert found == [LONG + remarked.format(remark=r, Remark=capitalised(r)) for r in REMARKS["pt"]]


def test_nothing_is_said_behind_a_colon():
    said = [each for found in rendered("irrelevant_text", LONG + " :") for each in found]
    assert said
    assert all(each.endswith("[Ana Sá PESSOA] :") for each in said)


def test_nothing_is_said_around_headings_and_no_opener_before_another():
    assert rendered("irrelevant_text", "DANO MORAL ;", least=2) == []
    assert rendered("irrelevant_text", "Com efeito , ele saiu .") == []
    assert rendered("irrelevant_text", "1 . Nego o pedido .") == []
    assert rendered("irrelevant_text", "Preparo regular .") == []
    assert rendered("irrelevant_text", "E M E N T A da ação") == []
    assert rendered("irrelevant_text", "O parecer , em dez dias e por escrito , às fls . 57", least=5) == []
    assert rendered("irrelevant_text", "O juiz saiu cedo . AGRAVO INTERNO .", least=5) == []


def test_no_opener_comes_before_a_question_or_before_and():
    assert rendered("irrelevant_text", "Ele saiu ?") == []
    assert rendered("irrelevant_text", "Mas ele saiu .") == []
    assert rendered("irrelevant_text", "Does he know", language="en") == []
    assert rendered("irrelevant_text", "And he left", language="en") == []


def test_a_stop_before_a_quotation_mark_is_one():
    assert rendered("irrelevant_text", LONG + ' . "')[1][0] == LONG + ' . " As circunstâncias variam de caso a caso .'
    assert rendered("irrelevant_text", LONG + ' "')[1][0] == LONG + ' " . As circunstâncias variam de caso a caso .'


def test_how_long_a_longer_text_is_can_be_set():
    assert len(rendered("irrelevant_text", LONG)) == 2
    assert len(rendered("irrelevant_text", LONG, least=13)) == 1
    assert len(rendered("irrelevant_text", "ela saiu", least=2)) == 2


def test_a_mark_within_an_entity_ends_nothing():
    *_, found = rendered("irrelevant_text", "ela ouviu [Quem vem lá ? OBRA]", least=1)
    assert found[0].startswith("ela ouviu [Quem vem lá ? OBRA] . As circunstâncias")


def test_running_text_keeps_its_spacing():
    text = Sentence(("O", "juiz", "saiu", "."), None, (" ", " ", "", "\n"))
    (opened, *_), (closed, *_) = variants("irrelevant_text", text, least=3)
    assert opened.text == "A propósito, o juiz saiu.\n"
    assert closed.text == "O juiz saiu. As circunstâncias variam de caso a caso.\n"
    listed = Sentence(("o", "juiz", "saiu", ";"), None, (" ", " ", "", ""))
    assert (
        variants("irrelevant_text", listed, least=3)[1][0].text
        == "o juiz saiu, e as circunstâncias variam de caso a caso;"
    )
    bare = Sentence(("(", "saiu", ")"), None, ("", "", ""))
    assert variants("irrelevant_text", bare, least=1)[-1][0].text == "(saiu). As circunstâncias variam de caso a caso."


@pytest.mark.parametrize("name", ["irrelevant_text", "punctuation"])
@on_random_sentences
@given(sentence=sentences(min_tokens=1))
def test_no_word_is_lost_but_final_marks_and_what_is_added_is_no_entity(name, sentence):
    said = Sentence(("ele", "saiu", *sentence.tokens), ("O", "O", *sentence.tags), (" ", " ", *sentence.spaces))
    sentence = said if name == "irrelevant_text" else sentence  # which leaves alone what claims nothing
    perturbed = find(name).configured(rate=1).sample(sentence, seed=1)
    assume(perturbed is not None)
    new = perturbed.sentence
    kept = {old for origin in perturbed.origins for old in origin}
    lost = [token for i, token in enumerate(sentence.tokens) if i not in kept]
    assert all(set(token) <= set(".…!?,;:") for token in lost)
    assert all(tag == "O" for tag, origin in zip(new.tags, perturbed.origins, strict=True) if not origin)


def test_after_an_opener_the_entities_are_where_the_tags_say():
    sentence = parse("Em [Lima LOC] o juiz [Ivo Reis PESSOA] saiu")
    perturbed = find("irrelevant_text").sample(sentence, seed=1)
    again = find("char_typo").configured(rate=1).sample(perturbed.sentence, seed=1)
    touched = {edit.start for edit in again.edits}
    named = {i for span in entity_spans(perturbed.sentence.tags) for i in range(span.start, span.stop)}
    assert touched == named
    assert {perturbed.sentence.tokens[i] for i in named} == {"Lima", "Ivo", "Reis"}
