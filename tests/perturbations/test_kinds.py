"""Kinds of names: what can stand in the place of a name, each rule by hand."""

import pytest

from perturbations import entity_spans, parse
from perturbations.families.entity.alike import demand
from perturbations.languages import rules
from perturbations.languages.parts import Kinds
from perturbations.resources import Invented, sort_of
from tests.rows import every


def kinds_at(text: str, language: str) -> set[str]:
    """The kinds that can stand for the first entity."""
    sentence = parse(text)
    (first, *_) = entity_spans(sentence.tags)
    return set(demand(sentence, first, language).kinds)


def kind_of(name: str, sort: str, language: str) -> str | None:
    return rules(language, "kinds", Kinds).kind_of(tuple(name.split()), sort)


# Portuguese -----------------------------------------------------------------------------------------------------------


@every(
    ("name", "sort", "kind"),
    [
        ("Ana Sá", "person", "woman"),
        ("JOÃO DE SÁ", "person", "man"),
        ("Joao Sá", "person", "man"),  # without its accent
        ("Zulmirto Quaresval", "person", "man"),  # invented
        ("Ana", "person", "woman alone"),
        ("Alvarenço", "person", "surname"),  # of an invented person, and of a place
        ("Silva Lemos", "person", None),
        ("Silva , Ana", "person", None),
        ("Juíza Ana Sá", "person", None),
        ("Presidente Alvarim", "person", None),
        ("Recife", "place", None),  # a town with an article
        ("Brasilia", "place", "town"),
        ("Guarapitu", "place", "town"),
        ("Distrito Federal", "place", "land o"),
        ("Bahia", "place", "land a"),
        ("Pernambuco", "place", "land none"),
        ("Tocauari", "place", "land o"),  # invented
        ("Estado do Ceará", "place", "estado"),
        ("Xapuri", "place", None),
        ("Brasilia Cursos LTDA", "organisation", "company"),
        ("Cemig Distribuição S/A", "organisation", "company"),
        ("Petroval", "organisation", "company"),
        ("Supremo Tribunal Federal", "organisation", "high court"),
        ("TJDFT", "organisation", "state court in short"),
        ("8ª Turma Cível", "organisation", "chamber"),
        ("União", "organisation", None),
        ("Tribunal Pleno", "organisation", None),
    ],
)
def test_a_portuguese_name_tells_its_kind_or_none(name, sort, kind):
    assert kind_of(name, sort, "pt") == kind


@every(
    ("text", "kinds"),
    [
        ("[Ana Sá PER] saiu", {"woman"}),
        ("[Ana PER] saiu", {"woman", "woman alone"}),
        ("a Ministra [Xis Sá PER]", {"woman"}),
        ("GABINETE DO DESEMBARGADOR [XIS SÁ PER]", {"man"}),
        ("[Xis Sá PER] - Relatora", {"woman"}),
        ("Apelado ( s ) : [Xis Sá PER] Relatora : Y", {"man"}),  # she is the next entry
        ("voto da [Xis Sá PER]", {"woman"}),
        ("[Cleonilso Sá PER]", {"man"}),  # ends in -o
        ("[Mariozam Sá PER]", set()),
        ("[Xis PER]", set()),
        ("[Silva , Ana PER]", set()),
        ("o Sr. [Ana 3 PER]", set()),
        ("[Rui Sá PER] dos Santos", set()),  # the name goes on
        ("[Rui Sá PER] do [STF ORG]", {"man"}),
        ("[Rui Sá PER] e Ana Rui Sá", set()),  # it would be left
        ("[Rui Sá PER] e [Rui Sá PER]", {"man"}),
        ("[Rui Sá PER] ( [Rui PER] )", set()),
    ],
)
def test_a_portuguese_person_is_of_the_gender_that_name_or_title_tell(text, kinds):
    assert kinds_at(text, "pt") == kinds


@every(
    ("text", "kinds"),
    [
        ("em [Brasília LOC]", {"town"}),
        ("[BRASÍLIA LOC] , 3 de abril", {"town"}),
        ("em [Xapuri LOC]", {"town"}),  # by its preposition
        ("rural [Xapuri LOC]", set()),
        ("no [Xapuri LOC]", set()),
        ("em [Rua Direita LOC]", set()),
        ("em [SP LOC]", set()),
        ("do [Distrito Federal LOC]", {"land o"}),
        ("neste [Distrito Federal LOC]", set()),
        (": [DISTRITO FEDERAL LOC]", set()),  # without the article that it takes
        ("do [Distrito Federal LOC] e Territórios", set()),
        ("do [Distrito Federal LOC] e do [Distrito Federal ORG]", set()),  # one would be left
        ("da [Bahia LOC]", {"land a"}),
        ("no [Estado do Ceará LOC]", {"estado"}),
    ],
)
def test_a_portuguese_place_takes_the_article_that_stands_there(text, kinds):
    assert kinds_at(text, "pt") == kinds


@every(
    ("text", "kinds"),
    [
        ("pela [Acme LTDA ORG]", {"company"}),
        ("pelo [Acme LTDA ORG]", set()),  # as a bank
        ("o [Supremo Tribunal Federal ORG]", {"high court"}),
        ("o [Supremo Tribunal Federal ORG] ( STF )", set()),  # whose short form would be left
        ("o [Supremo Tribunal Federal ORG] ( [STF ORG] )", set()),
        ("a [Acme LTDA ORG] - ACME", set()),
        ("a [União ORG]", set()),
    ],
)
def test_a_portuguese_organisation_is_what_its_words_say(text, kinds):
    assert kinds_at(text, "pt") == kinds


def test_a_short_form_in_brackets_stays_as_its_name_does():
    sentence = parse("o [Supremo Tribunal Federal ORG] ( [STF ORG] )")
    assert [demand(sentence, span, "pt").kinds for span in entity_spans(sentence.tags)] == [frozenset()] * 2


# English --------------------------------------------------------------------------------------------------------------


@every(
    ("name", "sort", "kind"),
    [
        ("Emma Stone", "person", "woman"),
        ("james", "person", "man alone"),
        ("Alvina Truscombe", "person", "woman"),
        ("Aldercross", "person", "surname"),
        ("Superman", "person", None),
        ("Paris", "place", "town"),
        ("Abberwick", "place", "town"),
        ("Jamaica", "place", "land"),
        ("Compton", "place", None),
        ("Acrivane", "organisation", "company"),
        ("Royal Society for the Study of Moors", "organisation", None),  # takes an article
        ("Apple", "organisation", None),
    ],
)
def test_an_english_name_tells_its_kind_or_none(name, sort, kind):
    assert kind_of(name, sort, "en") == kind


@every(
    ("text", "kinds"),
    [
        ("[Emma Stone PER] laughs", {"woman"}),
        ("i like [james PER]", {"man", "man alone"}),
        ("[Superman PER] laughs", {"woman", "man", "woman alone", "man alone"}),
        ("[Superman PER] and his cape", set()),  # of a gender that only the pronoun tells
        ("the [Joker PER]", set()),
        ("[The Joker PER]", set()),
        ("[Coen brothers PER] made it", set()),
        ("things get [Ray Bradbury- PER] ish", set()),
        ("[smit 7 y PER]", set()),
        ("[KK PER] laughs", set()),
        ("[KK PER] LAUGHS", {"woman", "man", "woman alone", "man alone"}),
        ("in [Paris LOC]", {"town"}),
        ("in [Compton LOC]", {"town"}),
        ("proud [Compton LOC]", set()),
        ("on [Earth LOC]", set()),
        ("in [Jamaica LOC]", {"land"}),
        ("in [WI LOC]", set()),
        ("the [White House LOC]", set()),
        ("[Apple ORG] is late", {"company"}),
        ("an [Apple ORG] phone", set()),
        ("on [NBC ORG]", set()),
    ],
)
def test_an_english_name_is_replaced_where_no_article_stands(text, kinds):
    assert kinds_at(text, "en") == kinds


# Chinese --------------------------------------------------------------------------------------------------------------


@every(
    ("name", "sort", "kind"),
    [
        ("江泽民", "person", "Chinese"),
        ("克林顿", "person", "foreign"),
        ("科菲·安南", "person", "foreign, in full"),
        ("马克思", "person", None),  # could be either
        ("孔波雷", "person", None),
        ("桥本", "person", None),
        ("李", "person", None),
        ("中国", "place", "country"),
        ("阿维兰国", "place", "country"),  # invented
        ("有穷国", "place", None),
        ("亚洲", "place", "continent"),
        ("山东", "place", "province"),
        ("北京", "place", "municipality"),
        ("沈阳", "place", "city"),
        ("云澜", "place", "city"),  # invented
        ("岐山县", "place", "县"),
        ("塔科马市", "place", None),  # a foreign one
        ("西藏自治区", "place", None),
        ("山区", "place", None),
        ("巴黎", "place", None),
        ("中", "place", None),
        ("招商银行", "organisation", "银行"),
        ("中国人民银行", "organisation", None),
        ("微软公司", "organisation", "公司"),
        ("七国集团", "organisation", None),
        ("联合国", "organisation", None),
    ],
)
def test_a_chinese_name_tells_its_kind_or_none(name, sort, kind):
    assert kind_of(name, sort, "zh") == kind


@every(
    ("text", "kinds"),
    [
        ("[江 泽 民 PER] 说", {"Chinese"}),
        ("[邓 小 平 PER] 理 论", set()),
        ("[王 小 明 PER] 女 士", set()),
        ("[刘 淑 珍 PER] 说", set()),  # a woman by her name
        ("[科 菲 · 安 南 PER] 说", {"foreign, in full"}),
        ("[江 泽 民 PER] 和 [江 PER]", set()),
        ("[中 国 LOC] 人", {"country"}),
        ("[中 国 LOC] 画", set()),
        ("新 [中 国 LOC]", set()),
        ("一 个 [中 国 LOC]", set()),
        ("[拉 脱 维 亚 LOC] 和 [拉 LOC]", set()),  # whose short form would be left
        ("[杭 州 市 LOC] , 大 [杭 州 LOC]", set()),
        ("[沈 阳 LOC] 和 大 [沈 阳 LOC]", {"city"}),
        ("在 [北 京 LOC]", {"municipality", "city"}),
        ("在 [北 京 市 LOC]", {"municipality市", "市"}),
        ("[阿 尔 巴 尼 亚 LOC] 族", set()),
        ("[中 国 LOC] [清 华 大 学 ORG]", {"country"}),  # what is behind is a name of its own
    ],
)
def test_a_chinese_name_is_replaced_where_it_is_not_part_of_more(text, kinds):
    assert kinds_at(text, "zh") == kinds


# All ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "pt", "zh"])
@pytest.mark.parametrize("sort", ["person", "place", "organisation"])
def test_many_invented_names_tell_a_kind(language, sort):
    pool = Invented(language)
    told = [rules(language, "kinds", Kinds).kind_of(name, sort) for name in pool.entities(sort)]
    assert sum(kind is not None for kind in told) > 25


def test_where_no_language_is_meant_any_kind_can_stand():
    sentence = parse("[x LEGISLACAO]")
    (span,) = entity_spans(sentence.tags)
    assert demand(sentence, span, "any").kinds is None
    assert demand(sentence, span, "fr").kinds is None
    assert sort_of(span.type) is None


# Names of other types -------------------------------------------------------------------------------------------------


@every(
    ("language", "first", "second"),
    [
        ("en", "[renal failure DISEASE] was found", "[anxiety DISEASE] was found"),
        ("en", "[seizures DISEASE] are common", "[headaches DISEASE] are common"),
        ("en", "since [2014 DATE] it works", "since [1998 DATE] it works"),
        ("pt", "segundo a [Constituição Federal LEI]", "segundo a [Declaração Universal LEI]"),
        ("pt", "o [art. 5º da CF LEI] diz", "o [art. 121 do Código Penal LEI] diz"),
        ("pt", "em [12 de maio de 2010 TEMPO]", "em [3 de abril de 2009 TEMPO]"),
        ("zh", "患 者 有 [高血压 DISEASE]", "患 者 有 [糖尿病 DISEASE]"),
    ],
)
def test_names_of_one_form_can_stand_for_each_other(language, first, second):
    assert kinds_of_only(first, language) == kinds_of_only(second, language) != frozenset()


@every(
    ("language", "first", "second"),
    [
        ("en", "[seizures DISEASE] are common", "[anxiety DISEASE] is common"),
        ("en", "[hypertensive DISEASE] patients", "[hypertension DISEASE] patients"),
        ("en", "in [2014 DATE]", "in [May 2014 DATE]"),
        ("pt", "a [Constituição Federal LEI]", "o [Código Penal LEI]"),
        ("pt", "o [art. 5º da CF LEI]", "os [arts. 5º e 6º da CF LEI]"),
        ("pt", "a [Lei 8.112 LEI]", "o [Decreto 3.048 LEI]"),
        ("pt", "em [2010 TEMPO]", "em [12 de maio de 2010 TEMPO]"),
    ],
)
def test_names_of_different_forms_cannot(language, first, second):
    one, other = kinds_of_only(first, language), kinds_of_only(second, language)
    assert one != other
    assert one
    assert other


@every(
    ("language", "text"),
    [
        ("en", "a severe [pain DISEASE] came"),  # counted, which not every disease is
        ("en", "of [tumor DISEASE] growth"),
        ("en", "[AIDSs DISEASE]"),
        ("pt", "a [Lei 8.666 LEI] , de 1993"),  # its date would be wrong
        ("pt", "a Lei 8.666 de [21/06/1993 TEMPO]"),
        ("pt", "o [art. 5º LEI] , II , da Constituição"),
        ("pt", "de [2010 TEMPO] a [2012 TEMPO]"),  # in this order
        ("pt", "a [Lei 8.666 LEI] , a dita 8.666 ,"),
        ("pt", "conforme a [CF LEI]"),  # the gender of letters is not told
    ],
)
def test_names_stay_whose_form_is_not_told_or_that_something_else_must_fit(language, text):
    assert kinds_of_only(text, language) == frozenset()


def kinds_of_only(text, language):
    """The forms that can stand in the place of the first entity of the text."""
    sentence = parse(text)
    span = entity_spans(sentence.tags)[0]
    return frozenset(rules(language, "kinds", Kinds).kinds_at(sentence, span, None))
