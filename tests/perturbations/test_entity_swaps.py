"""Entities exchanged for others, each kind by hand."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from perturbations import Perturbation, Sentence, entity_spans, find, parse, render
from perturbations.lexicons import rows, words
from perturbations.resources import INVENTED, LEAST_IN_POOL, REAL, FromCorpus, Invented
from perturbations.strategies import sentences
from tests.rows import every

FILLERS = [f"Nome{i:02}" for i in range(LEAST_IN_POOL)]


def pool_of(name: str, *texts: str, types: tuple[str, ...] = ("PER", "LOC", "ORG")) -> FromCorpus:
    """A corpus of the sentences, each twice, and of as many other entities of each type as a pool needs."""
    others = [f"[{filler}{kind} {kind}]" for kind in types for filler in FILLERS]
    return FromCorpus(name, map(parse, [*texts, *others] * 2))


POOL = pool_of(
    "mine",
    "[Ana PER] [Rui Sá PER] [Ana Maria de Sá PER] [Vila PER]",
    "[Rio LOC] [Vila LOC] [Belo Monte LOC] [Vila Nova do Porto LOC]",
    "[Acme ORG] [2014 TIME]",
)
SURNAMES = [f"Vel{letter}osa" for letter in "abcdefghijklmnopqrst"]
TOWNS = [place for place, _, article in rows("places_pt") if article == "none" and place not in words("lands_pt")][:20]
SWAPS = ("swap_named_ent", "swap_ent_oov", "swap_ent_longer", "swap_ent_cross_category")


def options(perturbation: Perturbation, text: str) -> list[list[str]]:
    """For each entity that could change, what could stand there, less the fillers of a pool."""
    found = [[" ".join(edit.tokens) for edit in site] for site in perturbation.sites(parse(text))]
    return [[name for name in site if not name.startswith("Nome")] for site in found]


def made(perturbation: Perturbation, text: str, seed: int = 1) -> str | None:
    perturbed = perturbation.sample(parse(text), seed=seed)
    return None if perturbed is None else render(perturbed.sentence)


def test_another_entity_of_the_type_takes_the_place():
    swap = find("SwapNamedEnt").configured(entities=POOL)
    assert options(swap, "[Ana PER] foi a [Rio LOC]") == [
        ["Ana Maria de Sá", "Rui Sá", "Vila"],
        ["Belo Monte", "Vila", "Vila Nova do Porto"],
    ]


def test_a_type_without_another_entity_stays():
    assert made(find("swap_named_ent").configured(entities=POOL), "em [2013 TIME] [x LAW]") is None


@pytest.mark.parametrize("name", ["swap_named_ent", "swap_ent_oov"])
def test_fewer_entities_than_a_pool_needs_are_replaced_by_invented_ones(name):
    found = [
        options(find(name).configured(entities=FromCorpus("p", map(parse, texts * 2))), "de [Lima LOC]")[0]
        for texts in ([f"[{town} LOC]" for town in TOWNS[:19]], [f"[{town} LOC]" for town in TOWNS])
    ]
    assert "Guarapitu" in found[0]
    assert not set(TOWNS) & set(found[0])
    assert found[1] == sorted(TOWNS)


def test_longer_ones_are_real_where_the_pool_is_small():
    swap = find("swap_ent_longer").configured(entities=FromCorpus("p", [parse("[a b c PER] [a b c PER]")]))
    assert options(swap, "[Rui PER]") == [[" ".join(name) for name in REAL.entities("PER") if len(name) > 2]]
    (towns,) = options(swap.configured(language="pt"), "de [Lima LOC]")
    assert {"Feira de Santana", "Juiz de Fora"} <= set(towns)


def test_of_fewer_than_three_longer_ones_none_is_drawn():
    """One of two would take nearly every place."""
    texts = [f"[Acme {kind} PER] [Acme {kind} Reis PER]" for kind in ("Um", "Dois", "Três")]
    for count, expected in ((2, []), (3, ["Acme Dois Reis", "Acme Três Reis", "Acme Um Reis"])):
        pool = pool_of("p", *texts[:count], types=("PER",))
        swap = find("swap_ent_longer").configured(entities=pool, otherwise=pool)
        assert options(swap, "[Rui PER]") == ([expected] if expected else [])


def test_longer_is_longer_than_what_stands_there_and_three_words_at_least():
    pool = pool_of(
        "mine",
        "[Ana PER] [Rui Sá PER] [Ana de Sá PER] [Eva de Sá PER] [Lia Sá Reis PER] [Ana Maria de Sá PER]",
        "[Rio LOC] [Vila Nova do Porto LOC] [Porto do Rio LOC] [Vila do Rio LOC] [Belo Monte LOC]",
    )
    swap = find("SwapLonger").configured(entities=pool, otherwise=pool)
    persons = ["Ana Maria de Sá", "Ana de Sá", "Eva de Sá", "Lia Sá Reis"]
    assert options(swap, "[Ana PER] [Vila Nova do Porto LOC] [Belo Monte LOC]") == [
        persons,
        ["Porto do Rio", "Vila Nova do Porto", "Vila do Rio"],
    ]
    assert options(swap.configured(least=1), "[Ana PER] [Rui Sá PER]") == [[*persons, "Rui Sá"], persons]


def test_cross_category_takes_what_is_of_another_type_elsewhere():
    several = [f"[Ana {filler} {kind}]" for filler in SURNAMES for kind in ("PER", "LOC")]
    pool = FromCorpus("mine", map(parse, ["[Ana Vila PER]", "[Lia Porto PER]", *several] * 2))
    (found,) = options(find("CrossCategory").configured(entities=pool), "[Eva Sá PER]")
    assert found == [f"Ana {filler}" for filler in SURNAMES]


def test_cross_category_takes_real_names_where_fewer_are_of_several_types():
    """Of 17 strings that LeNER-Br has under two types, once or by a slip, all variants were made."""
    swap = find("CrossCategory").configured(entities=POOL)
    (found,) = options(swap, "[Ana PER]")
    assert "Vila" not in found
    assert {"Santos", "Salvador", "Bosch"} <= set(found)
    assert len(found) >= LEAST_IN_POOL


def test_cross_category_takes_real_names_where_the_pool_has_none():
    swap = find("swap_ent_cross_category").configured(entities=FromCorpus("x", [parse("[Ana PER]")]))
    (found,) = options(swap, "[Ana PER] [1998 TEMPO]")
    assert {tuple(name.split()) for name in found} < set(REAL.shared("PER"))
    assert len(found) > 20


@pytest.mark.parametrize(
    ("language", "place", "expected"), [("en", "in [Bath LOC]", "Houston"), ("pt", "de [Lima LOC]", "Salvador")]
)
def test_real_names_of_several_types_are_of_the_kind_that_stands_there(language, place, expected):
    real = Invented(language, table="names")
    swap = find("swap_ent_cross_category").configured(entities=real, otherwise=real, language=language)
    (found,) = options(swap, place)
    assert expected in found
    assert "Heinz" not in found


@pytest.mark.parametrize("language", ["en", "pt", "zh"])
@pytest.mark.parametrize("kind", ["PER", "LOC", "ORG"])
def test_enough_names_are_invented_of_one_type_and_of_several(language, kind):
    pool = Invented(language)
    assert len(pool.shared(kind)) >= LEAST_IN_POOL
    assert len(pool.entities(kind)) - len(pool.shared(kind)) >= 2 * LEAST_IN_POOL


TRAINING = FromCorpus("train", [parse("o [Ana PER] VELVOTEX viu zulmirto e a guarapitu de [Eva Reis PER]")])


def test_out_of_vocabulary_has_no_word_of_the_training_corpus_but_stop_words():
    pool = pool_of("p", "[Ana Paz PER] [EVA PER] [Íris de Reis PER] [Íris de Paz PER] [Zulmirto PER]")
    swap = find("OOV").configured(training=TRAINING, entities=pool, language="fr")  # where no kinds are told
    assert options(swap, "[Rui PER]") == [["Íris de Paz"]]


def test_what_tells_no_entity_is_not_out_of_vocabulary():
    pool = pool_of("p", "[de PER] [- PER] [, . PER]")
    (found,) = options(find("swap_ent_oov").configured(training=TRAINING, entities=pool), "[Rui PER]")
    assert not {"de", "-", ", ."} & set(found)


def test_out_of_vocabulary_is_invented_where_the_pool_is_all_known():
    swap = find("swap_ent_oov").configured(training=TRAINING, entities=FromCorpus("p", [parse("[Ana PER] [Ana LAW]")]))
    (found,) = options(swap, "[Rui PER] [x LAW]")
    assert len(found) > 20
    assert "Zulmirto Quaresval" not in found
    assert not any(TRAINING.has_word(word) for name in found for word in name.split() if word not in ("de", "e", "dos"))


def test_capitals_are_answered_with_capitals():
    swap = find("swap_ent_oov").configured(entities=pool_of("p", "[Íris Paz PER]"), language="fr")
    assert {name for name in options(swap, "[RUI SÁ PER]")[0] if not name.startswith("NOME")} == {"ÍRIS PAZ"}
    assert options(swap, "[Rui Sá PER]") == [["Íris Paz"]]
    assert "íris paz" in options(swap, "[rui sá PER]")[0]


def test_names_in_capitals_are_for_those_in_capitals():
    women = [f"[ANA {filler.upper()} PER]" for filler in SURNAMES]
    pool = FromCorpus("p", map(parse, [*women, "[Íris Paz PER]"] * 2))
    swap = find("swap_named_ent").configured(entities=pool, otherwise=pool, language="pt")
    assert options(swap, "[Eva Sá PER]") == [["Íris Paz"]]
    assert len(options(swap, "[EVA SÁ PER]")[0]) == len(SURNAMES) + 1


def test_english_names_are_invented_for_english_corpora():
    swap = find("swap_ent_oov").configured(language="en", entities=Invented("en"))
    (found,) = options(swap, "in [London LOC]")
    assert "Abberwick" in found


def test_what_is_of_another_type_too_is_not_out_of_vocabulary():
    (found,) = options(find("swap_ent_oov"), "[Rui PER]")
    assert set(found).isdisjoint(" ".join(name) for name in INVENTED.shared("PER"))


CHINESE_TRAINING = FromCorpus("train", [Sentence(tuple("在云澜市的栖梧集团会见温如砚"))])


def test_chinese_names_are_out_of_vocabulary_as_words_where_tokens_are_characters():
    swap = find("swap_ent_oov").configured(language="zh", training=CHINESE_TRAINING, **CHINESE_POOLS)
    persons, cities, firms = (
        {"".join(edit.tokens) for edit in site}
        for site in swap.sites(parse("[李 强 PER] 去 [武 汉 市 LOC] [清 华 集 团 ORG]"))
    )
    assert "顾砚秋" in persons  # 顾 is in no word of the corpus, 砚 is
    assert "温如砚" not in persons
    assert "云澜市" not in cities
    assert "栖梧集团" not in firms
    assert all(city.endswith("市") for city in cities)


@every(
    ("place", "expected"), [("中国", "阿维兰国"), ("湖南省", "暮溪省"), ("北京", "云澜"), ("中", None), ("东北", None)]
)
def test_chinese_places_are_exchanged_within_their_kind(place, expected):
    swap = find("swap_ent_oov").configured(language="zh", **CHINESE_POOLS)
    found = [edit.tokens[0] for site in swap.sites(parse(f"在 [{place} LOC]")) for edit in site]
    assert (expected in found) if expected else found == []


CHINESE_POOLS = {"entities": Invented("zh"), "otherwise": Invented("zh")}


@pytest.mark.parametrize("name", SWAPS)
def test_entities_that_touch_are_both_replaced_and_stay_two(name):
    """N1: of entities that touch, none is lost."""
    perturbed = find(name).sample(parse("[Ana PER] [Rui PER] [Lima LOC]"), seed=1)
    assert [span.type for span in entity_spans(perturbed.sentence.tags)] == ["PER", "PER", "LOC"]
    assert len(perturbed.edits) == 3


@pytest.mark.parametrize("name", SWAPS)
def test_entities_at_both_ends_and_of_several_words_are_replaced(name):
    text = "[Ana Sá PER] foi de [Lima LOC] a [Brasília LOC]"
    perturbed = (
        find(name).configured(rate=1, **({"least": 4} if name == "swap_ent_longer" else {})).sample(parse(text), seed=3)
    )
    new = perturbed.sentence
    spans = entity_spans(new.tags)
    assert (spans[0].start, spans[-1].stop) == (0, len(new))
    between = [token for token, tag in zip(new.tokens, new.tags, strict=True) if tag == "O"]
    assert between == ["foi", "de", "a"]


@every("name", [*SWAPS, "ent_typos"])
def test_an_entity_that_begins_with_an_inside_label_is_one_all_the_same(name):
    """N5: the catalogue refuses a sequence that begins with I-."""
    new = find(name).sample(Sentence(("Ana", "saiu"), ("I-PER", "O")), seed=1).sentence
    assert [(span.start, span.type) for span in entity_spans(new.tags)] == [(0, "PER")]
    assert new.tokens[-1] == "saiu"


@pytest.mark.parametrize("name", SWAPS)
def test_an_entity_of_an_unknown_type_is_no_error(name):
    """SwapEnt of the catalogue crashes on a type that its lists lack."""
    assert made(find(name), "[x QUALQUER] y") is None


@pytest.mark.parametrize("name", SWAPS)
def test_a_sentence_without_labels_stays(name):
    assert find(name).sample(Sentence(("Ana", "saiu")), seed=1) is None


@pytest.mark.parametrize("name", SWAPS)
def test_the_same_sentence_is_answered_the_same_whatever_came_before(name):
    """The pool of the catalogue loses an entry whenever the original is in it."""
    swap = find(name).configured(**({"training": POOL} if name == "swap_ent_oov" else {}), entities=POOL)
    first = options(swap, "[Ana PER] [Rui Sá PER]")
    for text in ("[Ana Maria de Sá PER]", "[Vila PER] [Vila LOC]", "[Rui Sá PER]"):
        options(swap, text)
    assert options(swap, "[Ana PER] [Rui Sá PER]") == first


# Names, not mentions --------------------------------------------------------------------------------------------------


def renamed(text: str, seed: int = 1) -> list[str]:
    """The entities of a variant."""
    new = find("swap_ent_oov").sample(parse(text), seed=seed).sentence
    return [" ".join(new.tokens[span.start : span.stop]) for span in entity_spans(new.tags)]


@every("seed", range(5))
def test_one_name_becomes_one_name_in_the_letter_case_of_each_mention(seed):
    first, second, third = renamed("[RUI SÁ PER] e [Ana Sá PER] : [Rui Sá PER]", seed)
    assert first == third.upper() != "RUI SÁ"
    assert second.lower() != third.lower()


@every("seed", range(5))
def test_of_two_names_none_becomes_the_same(seed):
    towns = ["Lima", "Natal", "Salvador", "Luanda", "Quito", "Bogotá", "Manaus", "Belém"]
    found = renamed("de " + " , de ".join(f"[{town} LOC]" for town in towns), seed)
    assert len(set(found)) == len(towns)


def test_a_surname_becomes_the_new_surname_and_a_given_name_the_new_given_name():
    whole, surname, given, capitals = renamed("[Rui Costa Prado PER] , [Prado PER] , [Rui PER] e [PRADO PER]")
    assert [surname, given, capitals] == [whole.split()[-1], whole.split()[0], whole.split()[-1].upper()]


def test_a_part_of_a_name_that_stays_stays():
    assert find("swap_ent_oov").sample(parse("o [Xis 3 PER] e o [Xis PER]"), seed=1) is None


def test_where_chance_passes_a_name_over_it_does_so_at_every_mention():
    swap = find("swap_ent_oov").configured(rate=0.5)
    found = [swap.sample(parse(f"[Rui Sá PER] e [Rui Sá PER] {i}"), seed=1) for i in range(200)]
    assert {len(each.edits) for each in found if each} == {2}
    assert 60 < sum(each is not None for each in found) < 140


def test_no_name_comes_that_is_there_already():
    pool = FromCorpus("p", map(parse, [f"[Ana {filler} PER]" for filler in SURNAMES] * 2))
    swap = find("swap_named_ent").configured(entities=pool, language="pt")
    for seed in range(40):
        new = swap.sample(parse("[Eva Sá PER] , não AnaVelaosa nem anavelbosa"), seed=seed).sentence
        assert new.tokens[1] not in ("Velaosa", "Velbosa")


def test_a_kind_of_which_the_pool_has_few_comes_from_the_other():
    texts = [f"[Rui {filler} PER]" for filler in SURNAMES] + [f"[Ana {filler} PER]" for filler in SURNAMES[:4]]
    pool = FromCorpus("p", map(parse, texts * 2))
    swap = find("swap_named_ent").configured(entities=pool, language="pt")
    assert options(swap, "[Davi Sá PER]") == [[f"Rui {surname}" for surname in SURNAMES]]
    assert "Maristela Benevúria dos Santelmos" in options(swap, "[Eva Sá PER]")[0]
    alone = swap.configured(otherwise=pool)
    assert len(options(alone, "[Eva Sá PER]")[0]) == 4


def test_entities_are_hit_at_a_rate():
    swap = find("swap_named_ent").configured(entities=POOL, rate=0.3)
    sampled = [swap.sample(parse(f"[Ana PER] {i}"), seed=1) for i in range(2000)]
    assert 0.25 < sum(each is not None for each in sampled) / 2000 < 0.35


# Slips ----------------------------------------------------------------------------------------------------------------


def slips(word: str, **params) -> set[str]:
    return {found for site in options(find("EntTypos").configured(**params), f"[{word} PER]") for found in site}


def test_a_slip_is_one_operation_in_one_word():
    assert slips("Ana", operation="delete") == {"Aa", "An"}
    assert slips("Ana", operation="swap") == {"Aan"}
    assert slips("Ana", operation="swap", skip_first=False) == {"Aan", "nAa"}
    assert slips("Ana Sá", operation="swap", skip_first=False) == {"Aan Sá", "nAa Sá", "Ana áS"}
    assert len(slips("Ana", operation="replace")) == 2 * 25
    assert slips("Ana", operation="replace", skip_last=True) == {f"A{x}a" for x in "abcdefghijklmopqrstuvwxyz"}
    inserted = slips("Ana", operation="insert")
    assert {"AXna", "Anxa", "Anax"} <= inserted
    assert not {"xAna", "Axna", "AnXa"} & inserted


def test_what_is_put_in_is_of_the_kind_that_stands_there():
    assert slips("19", operation="replace") == {f"1{digit}" for digit in "012345678"}
    assert slips("AB", operation="replace") == {f"A{x}" for x in "ACDEFGHIJKLMNOPQRSTUVWXYZ"}


@given(
    word=st.text("aabAB1.-éº", min_size=1, max_size=8),
    operation=st.sampled_from(("swap", "replace", "insert", "delete")),
    skip_first=st.booleans(),
    skip_last=st.booleans(),
)
def test_an_operation_makes_no_name_twice(word, operation, skip_first, skip_last):
    slip = find("ent_typos").configured(operation=operation, skip_first=skip_first, skip_last=skip_last)
    found = [edit.tokens for site in slip.sites(Sentence((word,), ("B-PER",))) for edit in site]
    assert len(found) == len(set(found))
    assert (word,) not in found


def test_of_equal_letters_in_a_row_one_goes_and_one_comes():
    delete, insert = (find("ent_typos").configured(operation=each) for each in ("delete", "insert"))
    assert options(delete, "[carro PER]") == [["crro", "caro", "carr"]]
    assert sum(name == "carrro" for name in options(insert, "[carro PER]")[0]) == 1


def test_punctuation_stays():
    assert slips("n.º", operation="delete", skip_first=False) == {".º", "n."}
    assert slips("a-b", operation="swap", skip_first=False) == set()


def test_no_letter_of_another_script_comes_into_a_name():
    assert slips("王小明") == {"王明小", "王明", "王小"}
    assert slips("王小明", operation="insert") == slips("王小明", operation="replace") == set()


@every("word", ["A", "é", "e\u0301", ".", "A."])
def test_one_letter_is_never_mistyped(word):
    """EntTypos of the catalogue gave one-letter entities unchanged, as variants."""
    assert slips(word, skip_first=False) == set()


@example(sentence=Sentence(("Ana", "Ana", "㐀"), ("O", "B-PER", "I-PER"), (" ", " ", "")), seed=0)
@given(sentence=sentences(), seed=st.integers(0, 2**32))
def test_an_entity_hit_differs_in_exactly_one_word(sentence, seed):
    perturbed = find("ent_typos").configured(skip_first=False).sample(sentence, seed=seed)
    mistakable = [
        span
        for span in entity_spans(sentence.tags)
        if any(sum(map(str.isalnum, token)) > 1 for token in sentence.tokens[span.start : span.stop])
    ]
    if perturbed is None:
        assert mistakable == []
        return
    assert perturbed.sentence.tags == sentence.tags
    different = [old != new for old, new in zip(sentence.tokens, perturbed.sentence.tokens, strict=True)]
    assert [sum(different[span.start : span.stop]) for span in mistakable] == [1] * len(mistakable)
    assert sum(different) == len(mistakable)


def test_words_and_operations_are_equally_likely():
    found = [made(find("ent_typos"), f"[Ana Independência PER] {i}") for i in range(2000)]
    share = sum(not text.startswith("[Ana ") for text in found) / len(found)
    assert 0.45 < share < 0.55
    shorter = sum(len(text.rpartition(" PER]")[0]) < len("[Ana Independência") for text in found) / len(found)
    assert 0.2 < shorter < 0.3
