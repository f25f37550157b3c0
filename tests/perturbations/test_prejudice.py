"""Persons of another gender, places elsewhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from perturbations import Sentence, apply, entity_spans, find, parse, render
from perturbations.lexicons import pairs, rows, words
from perturbations.strategies import sentences
from tests.rows import every


def sites(text: str | Sentence, **params) -> list[list[str]]:
    """Site by site, what could become of the sentence."""
    sentence = parse(text) if isinstance(text, str) else text
    found = find("Prejudice").configured(**params).sites(sentence)
    return [[render(apply(sentence, [edit]).sentence) for edit in site] for site in found]


def turned(text: str, to: str = "woman", **params) -> str | None:
    """The sentence, [N] for names that were put in; the same whichever name was drawn."""
    names = {name for name, gender in pairs(f"given_names_{params.get('language', 'pt')}").items() if gender == to}
    perturbed = find("prejudice").configured(to=to, **params).sample(parse(text), seed=1)
    if perturbed is None:
        return None
    old, new = parse(text), perturbed.sentence
    shown = ["N" if token.lower() in names and token not in old.tokens else token for token in new.tokens]
    return render(Sentence(tuple(shown), new.tags))


def test_every_name_of_the_other_gender_could_come():
    (options,) = sites("[Ana PER] viu [João Sá PER]")
    women = [name for name, gender in pairs("given_names_pt").items() if gender == "woman"]
    assert options == [f"[Ana PER] viu [{name[0].upper() + name[1:]} Sá PER]" for name in women]


@every(
    ("text", "expected"),
    [
        ("[João PER] saiu", "[N PER] saiu"),
        ("[JOÃO PEDRO DE SÁ PER] saiu", "[N N DE SÁ PER] saiu"),
        ("[Joao Sá PER] saiu", "[N Sá PER] saiu"),  # without its accent
        ("[Ana PER] saiu", None),
        ("[Gilvane Xá PER] saiu", None),
        ("[João Neto PER] e o neto", "[João Neto PER] e a neta"),  # no woman is called so, and it is no word for one
        ("[Luís Barroso Filho PER] saiu", None),
        ("os servidores públicos aposentados", "as servidoras públicas aposentadas"),
        ("o servidor mirabolado saiu", None),  # whose other form is in no list
        ("se homem , e se mulher", None),
        ("relator ( a ) : [João PER]", "relator ( a ) : [N PER]"),
        ("2º vogal , o juiz [João PER]", None),  # who may be the same
        ("[Gilvane Xá PER] e o juiz , ele", None),
        (
            "o réu [João PER] , brasileiro , casado e aposentado , saiu",
            "a ré [N PER] , brasileira , casada e aposentada , saiu",
        ),
        ("o direito brasileiro", None),
        ("do referido senhor [João PER]", "da referida senhora [N PER]"),
        ("do nobre promotor", "da nobre promotora"),
        ("segundo o autor", "segundo a autora"),
        ("AO RÉU [JOÃO PER]", "À RÉ [N PER]"),
        ("o ministro [Gilvane Xá PER]", None),  # whose name stays, stays
        ("Min. [Gilvane Xá PER] , relator", None),
        ("O senhor [João PER] está cansado", "A senhora [N PER] está cansada"),
        ("[Ana PER] e [João PER] são irmãos", "[Ana PER] e [N PER] são irmãs"),
        ("[Xá PER] e [João PER] são irmãos", "[Xá PER] e [N PER] são irmãos"),  # one may be a man
        ("[João PER] é cristão", None),  # feminine forms in -ã are not told apart
        ("o réu não foi citado", "a ré não foi citada"),
        ("o pedido do réu foi julgado", "o pedido da ré foi julgado"),  # not she
        ("o voto de [João PER] foi acolhido", "o voto de [N PER] foi acolhido"),
        ("os autores foram alvo", "as autoras foram alvo"),
        ("o réu , [João PER] , foi preso", "a ré , [N PER] , foi presa"),  # behind an apposition
        ("o réu [João PER] , casado , foi preso", "a ré [N PER] , casada , foi presa"),
        ("o indivíduo [João PER] foi visto", "o indivíduo [N PER] foi visto"),  # whose gender is the noun's own
        ("do juiz , mesmo incompetente", "da juíza , mesmo incompetente"),  # even
        ("A [Sebastião PER] chegou", "A [N PER] chegou"),
        ("Relator : [ARNOLDO CAMANHO PER]", None),
        ("Relator : [Ministro Napoleão Maia Filho PER]", None),
        ("Relatores : Min . [Xá PER] e o réu", "Relatores : Min . [Xá PER] e a ré"),
        ("o relator , o ministro [Xá PER]", None),
        ("[Xá PER] - Relator", None),
        ("[Ana PER] , o ministro [João PER]", "[Ana PER] , a ministra [N PER]"),  # his, not hers
        ("Acordam os Desembargadores , [Ana PER] e [Xá PER]", None),  # of whom one may be a man
        ("O senhor Osmar", None),  # whose name no label shows
        ("a Dra . [Xá PER] e o juiz", "a Dra . [Xá PER] e a juíza"),
        ("nele o acusado", "nele a acusada"),
        ("o acusado disse que ele foi", "a acusada disse que ela foi"),
        ("disse que ele foi", None),  # as often a thing
        ("o [Ministro da Justiça ORG] e o ministro", "o [Ministro da Justiça ORG] e a ministra"),
        ("[Dom João PER] [Rio LOC]", None),
        ("[Senhor João Sá PER]", "[Senhora N Sá PER]"),
    ],
)
def test_a_sentence_becomes_one_about_women(text, expected):
    assert turned(text) == expected


@every(
    ("text", "expected"),
    [
        ("à autora [Ana Sá PER] , nascida em [Rio LOC]", "ao autor [N Sá PER] , nascido em [Rio LOC]"),
        ("concedida a [Ana PER]", "concedida a [N PER]"),  # the preposition
        ("a ré saiu", "o réu saiu"),
        ("A [Ana PER] chegou", None),  # as often the article
        ("foi [Ana PER] e a [Rita PER]", None),
        ("[Ana PER] e [Rita PER] são irmãs", "[N PER] e [N PER] são irmãos"),
        ("[Ana PER] está cansada", "[N PER] está cansado"),
        ("a autora foi vítima", "o autor foi vítima"),
        ("a vítima [Ana PER] foi ouvida", "a vítima [N PER] foi ouvida"),
        ("as autoras , [Ana PER] e [Rita PER] , foram citadas", "os autores , [N PER] e [N PER] , foram citados"),
        ("a autora é calma", None),
        ("a função não pode ser delegada", None),  # no person
        ("[João PER] saiu", None),
    ],
)
def test_and_back_to_men(text, expected):
    assert turned(text, to="man") == expected


@every(
    ("text", "to", "expected"),
    [
        (
            "[John Smith PER] lost his hat , he said to Mr. Li 's brother",
            "woman",
            "[N Smith PER] lost her hat , she said to Ms. Li 's sister",
        ),
        ("the F @ # KING king", "woman", "the F @ # KING queen"),
        ("# king", "woman", None),
        ("he ' s his glove", "woman", "she ' s her glove"),
        ("[Mary PER] told her son she left", "man", "[N PER] told her son he left"),  # her is his and him
    ],
)
def test_english_persons(text, to, expected):
    assert turned(text, to=to, language="en") == expected


def test_the_same_name_becomes_the_same_and_another_another():
    (options,) = sites("[João PER] e [Pedro PER] , [JOÃO PER]")
    for option in options:
        first, second, again = (sentence_words[0] for sentence_words in names_in(option))
        assert first.lower() == again.lower() != second.lower()
        assert again.isupper()


def names_in(option: str) -> list[tuple[str, ...]]:
    sentence = parse(option)
    return [sentence.tokens[span.start : span.stop] for span in entity_spans(sentence.tags)]


def test_without_labels_the_lists_tell_names_but_not_within_places():
    sentence = Sentence(parse("João foi a São Paulo e a joão").tokens)
    (options,) = sites(sentence)
    assert all(option.endswith(" foi a São Paulo e a joão") and not option.startswith("João") for option in options)


@every(
    "text",
    [
        "parcela de poder de polícia delegado",  # the participle
        "AGRAVADO : Juiz de Direito",  # the label would be left
        "Requerido ( s ) : o governador",
        "os servidores , desde que estes tenham saído",
        "os servidores , entre os quais militares",
        "[Xá PER] , também réu",
        "RELATOR : Ministro Ten Brig Ar [Xá PER]",
    ],
)
def test_nothing_turns_that_would_leave_a_word_in_the_old_gender(text):
    assert sites(text) == []


@every(
    ("text", "after"),
    [
        ("V O T O O Senhor Ministro", "V O T O A Senhora Ministra"),
        ("o delegado", "a delegada"),
        ("o servidor e este Tribunal", "a servidora e este Tribunal"),
        ("o Juiz-Auditor", "a Juíza-Auditora"),
        ("AGRAVADO : X , o juiz", "AGRAVADO : X , a juíza"),
    ],
)
def test_what_turns_all_the_same(text, after):
    assert sites(text) == [[after]]


def test_without_labels_words_beside_names_that_no_list_has_stay():
    assert sites(Sentence(parse("Relator : Ministro Napoleão Maia Filho").tokens)) == []


# Places ---------------------------------------------------------------------------------------------------------------


def places(region: str, article: str = "none", *, lands: bool = False) -> list[str]:
    """Towns, or countries and states."""
    listed = [name for name, where, kind in rows("places_pt") if (where, kind) == (region, article)]
    return [name for name in listed if (name in words("lands_pt")) is lands]


@every(
    ("text", "article"),
    [
        ("em [Lima LOC]", "none"),
        ("no [Peru LOC] .", "o"),
        ("da [Bahia LOC]", "a"),
        ("foi a [Lima LOC]", "none"),
        ("viu a [Bahia LOC]", "a"),
        ("[Lima LOC]", "none"),
    ],
)
def test_places_become_those_that_take_the_same_article(text, article):
    ((*options,),) = sites(text, to="africa")
    before, _, after = text.partition("[")
    after = after.partition("]")[2]
    assert options == [f"{before}[{place} LOC]{after}" for place in places("africa", article, lands=article != "none")]


def test_every_place_is_replaced_also_one_at_the_end_and_those_that_touch():
    """The last word is never tested in the catalogue, and after a miss a window is skipped."""
    assert len(sites("[Rio Feio LOC] [Lima LOC] e mais [Cuzco LOC]", to="asia")) == 3


def test_places_without_labels_are_found_wherever_they_stand():
    sentence = Sentence(parse("de Nova York a Lima , não a lima , e São José São Paulo").tokens)
    found = [site[0].split(" ") for site in sites(sentence, to="africa")]
    assert len(found) == 2
    assert [" ".join(option) for option in found][1].startswith("de Nova York a Addis")


@every(
    ("text", "language"),
    [
        ("they came from Upper Egypt", "en"),
        ("at ISO New England today", "en"),
        ("in Washington , D.C. today", "en"),
        ("the Boston Globe says so", "en"),
        ("o governo de Mato Grosso de o Sul", "pt"),
    ],
)
def test_places_inside_a_longer_name_stay_without_labels(text, language):
    assert sites(Sentence(tuple(text.split())), to="africa", language=language) == []


def test_two_places_never_become_one():
    first, second = sites("de [Nova York LOC] a [Cuzco LOC]", to="africa")
    assert {each.split("[")[1] for each in first}.isdisjoint(each.split("[")[2] for each in second)
    assert len(first) > 3
    assert len(second) > 3


@pytest.mark.parametrize("text", ["in a [Honor camp LOC]", "the biggest ship on [Earth LOC]"])
def test_what_is_no_proper_place_stays(text):
    assert sites(text, to="africa", language="en") == []


def test_a_place_stays_where_no_article_fits():
    assert sites("nos [Alpes LOC]", to="asia") == []
    assert sites("the [Hague LOC]", to="asia", language="en") == []


@every(
    ("text", "fits", "does_not"),
    [
        ("o governador do [Distrito Federal LOC]", "Quênia", "Cairo"),
        ("em [Pernambuco LOC] , hoje", "Angola", "Luanda"),
        ("no [Estado de Mato Grosso LOC]", "Estado de Angola", "Estado de Luanda"),
        ("em [Xapuri LOC]", "Luanda", "Angola"),  # in no list, without an article: a town
        ("do [Xingu LOC]", "Quênia", "Luanda"),
    ],
)
def test_a_land_becomes_a_land_and_a_town_a_town(text, fits, does_not):
    ((*options,),) = sites(text, to="africa")
    assert any(f"[{fits} LOC]" in option for option in options)
    assert not any(f"[{does_not} LOC]" in option for option in options)


@pytest.mark.parametrize(
    "text",
    ["neste [Distrito Federal LOC]", "o governador do [DF LOC]", "no [Peru LOC] e do [Peru LOC]"],
)
def test_a_place_stays_where_no_name_can_stand_an_abbreviation_does_or_it_is_named_twice(text):
    assert sites(text, to="africa") == []


def test_in_a_longer_name_the_place_is_replaced():
    ((first, *_),) = sites("na [Comarca de Campinas LOC]", to="africa")
    assert first == "na [Comarca de Acra LOC]"


def test_other_addresses_stay():
    assert sites("na [Rua das Flores LOC] , [BR 101 LOC]", to="asia") == []


def test_a_place_of_the_region_is_not_replaced_by_itself():
    ((*options,),) = sites("em [LUANDA LOC]", to="africa")
    assert len(options) == len(places("africa")) - 1
    assert all(option[4:].split(" LOC")[0].isupper() for option in options)


def test_other_regions_and_english_names():
    ((*options,),) = sites("in [Lima LOC]", to="europe", language="en")
    towns = [name for name, region in rows("places_en") if region == "europe" and name not in words("lands_en")]
    assert options == [f"in [{name} LOC]" for name in towns]


@given(sentence=sentences(types=("PESSOA", "LOCAL", "MISC")), to=st.sampled_from(["woman", "man", "asia"]))
def test_only_persons_places_and_listed_words_change(sentence, to):
    perturbed = find("prejudice").configured(to=to).sample(sentence, seed=1)
    if perturbed is None:
        return
    spans = [span for span in entity_spans(sentence.tags) if span.type == "MISC"]
    kept = [sentence.tokens[span.start : span.stop] for span in spans]
    new = perturbed.sentence
    assert [new.tokens[s.start : s.stop] for s in entity_spans(new.tags) if s.type == "MISC"] == kept
    if to != "asia":
        assert new.tags == sentence.tags


@every(
    "text",
    [
        "Ele se mostrou inclinado a falar",
        "Impressionado com isso , [João PER] saiu",
        "[João PER] saiu ; o pai ficou e o outro réu foi visto , inclinado",
        "o ex - governador [João PER]",
        "o nosso alcaide - mor [João PER]",
        "[João Sá PER] , o Feijão , saiu",
        "[João PER] saiu para cobrá-los",
        "as servidoras e os aposentados viram [João PER]",
        "os três filhos , Ana e [João PER]",
        "trabalhadores saíram e foram reprimidos com [João PER] e foram presos",
    ],
)
def test_a_sentence_in_which_something_is_left_in_the_old_gender_stays(text):
    assert turned(text) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("o recurso foi provido e [João PER] saiu", "o recurso foi provido e [N PER] saiu"),
        ("o correio eletrônico fornecido por [João PER]", "o correio eletrônico fornecido por [N PER]"),
        ("[João PER] tem lutado pelo direito adquirido", "[N PER] tem lutado pelo direito adquirido"),
    ],
)
def test_what_agrees_with_another_noun_is_no_obstacle(text, expected):
    assert turned(text) == expected


@every(
    "text",
    [
        "Moro em São Caetano do Sul",
        "Moro em Santo André",
        "Moro na Rua Doutor Luiz Magalhães",
        "O Distrito de João Dias",
        "O senhor Hermenegildo da Costa Paulo",
    ],
)
def test_no_name_of_a_saint_a_place_or_a_longer_name_turns(text):
    """None of these texts has labels."""
    names = ("Caetano", "André", "Luiz", "João", "Paulo")
    found = sites(Sentence(tuple(text.split())))
    assert all(any(name in variant for name in names) for site in found for variant in site)


def test_without_labels_a_word_for_a_person_stays_where_somebody_is_named_who_stays():
    for text in ("O governador de Goiás , Marconi Perillo , saiu", "disse Makhtar Diop , diretor do banco"):
        assert sites(Sentence(tuple(text.split()))) == []
    assert sites(Sentence(("O", "diretor", "do", "banco", "saiu"))) == [["A diretora do banco saiu"]]


def test_a_text_in_small_letters_stays_without_labels():
    """Nobody can tell whose name stands in it: *mark romanek and his films*."""
    assert sites(Sentence(("o", "diretor", "do", "banco", "saiu"))) == []
