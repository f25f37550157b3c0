"""Agreement with a Portuguese noun whose gender changes, by hand."""

import pytest

from perturbations import apply, find, parse, render
from perturbations.families.word.word_lists import shipped_list
from perturbations.languages.pt.agreement import adjectives, around, determiners
from tests.rows import every


def turned(text: str, noun: str, to: str = "woman", features: list[dict[str, str]] | None = None) -> str | None:
    """The words around the noun as they agree with one of the other gender, the noun itself as it is."""
    lowered = text.split()
    found = around(lowered, lowered.index(noun), to, features)
    return None if found is None else " ".join(found.get(i, word) for i, word in enumerate(lowered))


@every(
    ("text", "expected"),
    [
        ("o tribunal decidiu", "a tribunal decidiu"),
        ("do tribunal", "da tribunal"),
        ("ao tribunal", "à tribunal"),
        ("pelo egrégio tribunal federal", "pela egrégia tribunal federal"),
        ("decisão do supremo tribunal federal", "decisão da suprema tribunal federal"),
        ("naquele tribunal reconhecido e competente", "naquela tribunal reconhecida e competente"),
        ("em tribunal estrangeiro", "em tribunal estrangeira"),
        ("tribunal de contas", "tribunal de contas"),
        ("o tribunal , provocado pelo réu , decidiu", "a tribunal , provocada pelo réu , decidiu"),
        ("perante este tribunal , o juiz negou", "perante esta tribunal , o juiz negou"),
    ],
)
def test_determiners_contractions_and_adjectives_change_with_the_noun(text, expected):
    assert turned(text, "tribunal") == expected


@every(
    "text",
    [
        "o tribunal mirabolo decidiu",  # may be an adjective, of which no other form is known
        "o tribunal foi provocado",  # a predicate
        "o tribunal de contas , provocado pelo réu , decidiu",
        "o tribunal , o qual decidiu",
        "o tribunal e seus ministros negaram o que ele pediu",
        "deste e . tribunal",  # the determiner stands before an abbreviation
        "o juiz ou tribunal decidiu",  # or another noun
    ],
)
def test_where_what_agrees_is_not_certain_nothing_changes(text):
    assert turned(text, "tribunal") is None


def test_a_before_a_noun_that_becomes_a_man_may_be_the_preposition():
    assert turned("sujeita a multa", "multa", "man") is None
    assert turned("paga da multa", "multa", "man") == "paga do multa"


def test_features_tell_what_no_list_knows():
    text = "o tribunal alhures decidiu"
    assert turned(text, "tribunal", features=[{}, {}, {}, {}]) == "a tribunal alhures decidiu"
    assert turned(text, "tribunal", features=[{}, {}, {"Gender": "Masc"}, {}]) is None


def test_forms_are_known_both_ways():
    assert determiners("woman")["pelos"] == "pelas"
    assert determiners("man")["pelas"] == "pelos"
    assert adjectives("woman")["públicos"] == "públicas"
    assert adjectives("man")["públicas"] == "públicos"
    assert adjectives("woman")["federal"] == "federal"


@every(
    ("text", "expected"),
    [
        ("o [TRIBUNAL DE JUSTIÇA ORG] negou", ["a [CORTE DE JUSTIÇA ORG] negou"]),
        ("decisão do [Supremo Tribunal Federal ORG]", ["decisão da [Suprema Corte Federal ORG]"]),
        ("o [Conselho do Tribunal ORG]", []),  # it does not head the name
        ("o [Acórdão 123 LEI]", []),  # a citation
        ("no tribunal do júri", []),
        ("os débitos foram pagos", []),
        ("a demanda do autor", []),
    ],
)
def test_synonyms_of_another_gender_bring_what_agrees(text, expected):
    sentence = parse(text)
    found = find("synonyms").configured(lexicon=shipped_list("legal_pt")).sites(sentence)
    assert [render(apply(sentence, [edit]).sentence) for site in found for edit in site] == expected


def test_names_stay_where_asked():
    assert (
        find("synonyms")
        .configured(lexicon=shipped_list("legal_pt"), inside_entities=False)
        .sample(parse("o [TRIBUNAL ORG]"), seed=1)
        is None
    )


def test_synonyms_ask_the_morphology_they_are_given():
    class Morphology:
        def features(self, sentences):
            return [[{"Gender": "Masc"} for _ in sentence.tokens] for sentence in sentences]

    text = parse("o tribunal alhures decidiu")
    named = find("synonyms").configured(lexicon=shipped_list("legal_pt"))
    assert named.sample(text, seed=1) is not None
    assert named.configured(morphology=Morphology()).sample(text, seed=1) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("o réu alega que o juiz errou no acórdão", True),  # two signs of legal text
        ("a empresa alega que apenas vende pão", False),
    ],
)
def test_without_a_name_the_synonyms_of_courts_come_in_legal_text_alone(text, expected):
    assert find("synonyms").fits(parse(text)) is expected
    assert find("synonyms").configured(lexicon=shipped_list("legal_pt")).fits(parse(text))


@every(
    ("text", "expected"),
    [
        ("o recurso [Acórdão n.º 12 LEI] do réu", None),
        ("no acórdão n.º 12 , a advogada [Ana PER]", "no acórdão n.º 12 , a causídica [Ana PER]"),
        ("acórdão da advogada [Ana PER]", "aresto da causídica [Ana PER]"),
        ("ao tribunal do júri [Ana PER]", None),
        ("viu [Conselho do Tribunal ORG]", None),
        ("viu o recurso no Tribunal [Ana PER]", None),
    ],
)
def test_the_attack_spares_citations_and_names_as_synonyms_do(text, expected):
    found = find("synonym_attack").configured(lexicon=shipped_list("legal_pt"), rate=1.0).sample(parse(text), seed=1)
    assert (found and render(found.sentence)) == expected


def test_the_attack_leaves_text_that_is_not_legal():
    text = "a advogada [Ana PER] chegou"
    assert find("synonym_attack").sample(parse(text), seed=1) is None
    assert find("synonym_attack").configured(lexicon=shipped_list("legal_pt")).sample(parse(text), seed=1) is not None
