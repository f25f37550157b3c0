"""Word lists: their form, source and licence."""

import re
from typing import get_args
from unicodedata import is_normalized

import pytest

from perturbations import find, lexicons, parse, render
from perturbations.families.character.accents import strip_accents
from perturbations.families.entity.places import Region
from perturbations.lexicons import entries, pairs, words
from perturbations.resources import REVIEWED, Sort
from tests.rows import every

TABLES = {name: path for name, path in lexicons.paths().items() if name != "read_scripts"}
"""All but the one that is about perturbations, not about words."""
NAMES = sorted(TABLES)
STOP_WORDS = [name for name in NAMES if name.startswith("stop_words_")]
SYNONYMS = [name for name in NAMES if name.startswith(("synonyms_", "near_synonyms_"))]
OF_CHARACTERS = ["homoglyphs", "look_alikes"]
LISTS = [
    name
    for name in NAMES
    if name.startswith(
        (
            "anaphors_",
            "asked_nouns_",
            "counting_words_",
            "degree_adverbs_",
            "doubled_adjectives_",
            "abbreviations",
            "lands_",
            "legal_signs_",
            "neutral_adverbs_",
            "not_before_verbs_",
            "not_only_names",
            "object_nouns_",
            "personal_words",
            "pointing_words_",
            "repeated_verbs_",
            "titles_",
            "verb_homographs_",
        )
    )
]
PHRASES = [name for name in NAMES if name.startswith(("openers_", "remarks_"))]
FIXED = [name for name in NAMES if name.startswith("fixed_phrases_")]
CLASSES = [name for name in NAMES if name.startswith("word_classes_")]
TOLD = [
    name
    for name in NAMES
    if name.startswith(("anaphors_", "phrases_", "pointing_words_", "opinion_words_", "side_clauses_"))
]
GROUPED = [
    name
    for name in NAMES
    if name.startswith(("antonyms_", "contractions_", "exclaimed_", "other_things_", "short_forms_", "verbs_"))
]
DENIALS = [name for name in NAMES if name.startswith("double_denials_")]
KNOWN_NAMES = [name for name in NAMES if name.startswith("known_names_")]
MULTIPLE = ["multi_pos_en", "multi_pos_pt"]
REFUSED = [name for name in NAMES if name.startswith("refused_")]
KEPT = ["multi_pos_kept_en", "multi_pos_kept_pt"]
PREFIXES = ["prefixes_en", "prefixes_pt"]
REPHRASED = [name for name in NAMES if name.startswith("question_phrases_")]
JUDGING = [name for name in NAMES if name.startswith("opinion_words_")]
CLAUSES = [name for name in NAMES if name.startswith("aspect_clauses_")]
TREES = [name for name in NAMES if name.startswith("set_off_clauses_")]
SIGNS = [name for name in NAMES if name.startswith("function_words_")]
NOT_LOWER = ["invented_zh", "names_zh"]
MIXED = ["other_things_en"]
"""With nationalities and months, which English writes with a capital."""
PROPER = [name for name in NAMES if re.match("(invented|lands|names|places)_..$", name) and name not in NOT_LOWER]
THREE = [*SYNONYMS, *PREFIXES, *DENIALS, *KNOWN_NAMES, "agreeing_words_pt", "legal_pt", "places_pt", "verbs_pt"]
OTHERS = (
    JUDGING
    + CLAUSES
    + TREES
    + STOP_WORDS
    + LISTS
    + PHRASES
    + FIXED
    + GROUPED
    + THREE
    + MULTIPLE
    + KEPT
    + CLASSES
    + SIGNS
    + REPHRASED
)
PAIRS = [name for name in NAMES if name not in OTHERS]
COLUMNS = (
    dict.fromkeys(STOP_WORDS + LISTS + PHRASES + FIXED, 1)
    | dict.fromkeys(PAIRS + GROUPED + KEPT + CLASSES + SIGNS, 2)
    | dict.fromkeys(THREE, 3)
    | dict.fromkeys(MULTIPLE + JUDGING + CLAUSES + TREES, 4)
    | dict.fromkeys(REPHRASED, 5)
)
KINDS = {"NOUN", "VERB", "ADJ", "ADV", "ADP", "SCONJ", "CCONJ"}

TWO_KEYS = [*SYNONYMS, *REFUSED, *PREFIXES, *KEPT, *JUDGING, "gendered_words_en", "verbs_pt"]
"""Where a word may stand twice, each time with another."""

every_table = every("name", NAMES)
every_table_of_synonyms = pytest.mark.parametrize("name", SYNONYMS)


def rows(table) -> list[list[str]]:
    return [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines() if line[0] != "#"]


def read_rows(name: str) -> list[tuple[str, ...]]:
    return list(lexicons.rows(name))


def cells(name: str) -> list[str]:
    """Every word of a table, as its reader gives it."""
    if name in STOP_WORDS + LISTS:
        return list(words(name))
    if name in PHRASES + FIXED + GROUPED:  # several words in a cell, with spaces or | between
        return [word for row in read_rows(name) for cell in row for word in cell.replace("|", " ").split(" ")]
    if name in DENIALS:
        return [word for row in read_rows(name) for word in f"{row[0]} {row[2]}".replace("|", " ").split(" ")]
    if name in REPHRASED:
        return [word for row in read_rows(name) for cell in row[:2] for word in cell.split(" ")]
    if name in MULTIPLE + KEPT + CLASSES:
        return [row[0] for row in read_rows(name)]
    if name in JUDGING:
        return [word for row in read_rows(name) for word in (row[0], *row[3].split("|"))]
    if name in TREES:
        return [word for row in read_rows(name) for word in row[0].split(" ")]
    if name in CLAUSES:
        return [word for row in read_rows(name) for word in (*row[0].split(" "), *row[3].split("|"))]
    if name in (*PAIRS, "agreeing_words_pt", "legal_pt"):
        return [cell for row in read_rows(name) for cell in row[:2]]
    return [cell for word, found in entries(name).items() for entry in found for cell in (word, *entry.synonyms)]


@every_table
def test_the_first_lines_say_source_and_licence(name):
    head = [line for line in TABLES[name].read_text(encoding="utf-8").splitlines()[:5] if line.startswith("#")]
    assert any("Source:" in line for line in head)
    assert any("Licence:" in line for line in head)


@every_table
def test_every_row_has_its_columns_and_is_there_once(name):
    table = TABLES[name]
    assert {len(row) for row in rows(table)} == {COLUMNS[name]}
    keys = [tuple(row[: 3 if name in MULTIPLE else 2 if name in TWO_KEYS else 1]) for row in rows(table)]
    assert len(keys) == len(set(keys))
    assert keys == sorted(keys)


@every("name", [name for name in NAMES if name not in OF_CHARACTERS + PROPER + SIGNS + NOT_LOWER + KNOWN_NAMES + MIXED])
def test_every_word_is_one_token_in_lower_case_composed(name):
    found = cells(name)
    least = 100 if name in STOP_WORDS + SYNONYMS + PAIRS and name != "entity_types" else 30
    few = {
        "degree_adverbs_": 3,
        "emoji_": 29,
        "irregular_numbers_": 60,
        "neutral_adverbs_": 1,
        "object_nouns_": 20,
        "pointing_words_": 15,
        "posts_": 60,
        "pronouns_": 30,
        "refused_": 20,
        "seed": 5,
        "titles_": 20,
        "set_off_clauses_": 3,
        "side_clauses_": 4,
        "cohyponyms_zh": 60,
    }
    assert len(found) > next((count for begins, count in few.items() if name.startswith(begins)), least)
    odd = [word for word in found if word != word.lower() or not is_normalized("NFC", word)]
    odd += [word for word in found if (" ".join(word.split()) if name in TOLD else "".join(word.split())) != word]
    assert odd == []


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("other_things_")])
def test_what_takes_the_place_of_a_thing_is_another_thing(name):
    """Nothing is among the others of its own, and a capital goes with capitals."""
    for word, others in pairs(name).items():
        found = others.split("|")
        assert word not in found
        assert len(set(found)) == len(found)
        assert {other[0].isupper() for other in found} == {word[0].isupper()}


@every("name", PROPER)
def test_every_proper_name_begins_with_a_capital_and_is_composed(name):
    found = [row[0] for row in read_rows(name)]
    assert len(found) > 100
    odd = [each for each in found if not each[0].isupper() or " ".join(each.split()) != each]
    assert odd + [each for each in found if not is_normalized("NFC", each)] == []


@pytest.mark.parametrize("name", KNOWN_NAMES)
def test_a_known_name_has_several_words_and_capitals_and_no_opinion_in_its_summary(name):
    opinions = entries(f"double_denials_{name.rpartition('_')[2]}")
    assert len(read_rows(name)) > 40
    for known, _, summary in read_rows(name):
        assert len(known.split(" ")) > 1, known
        assert known[0].isupper(), known
        assert not opinions.keys() & set(summary.lower().split()), known


@pytest.mark.parametrize("name", SIGNS)
def test_a_sign_of_a_language_is_a_word_in_lower_case_or_some_letters(name):
    for sign, kind in read_rows(name):
        assert kind in ("own word", "other word", "own letters", "other letters")
        assert sign == sign.lower()
        assert is_normalized("NFC", sign)
        assert kind.endswith("word") or re.fullmatch(r".|.-.", sign)


@every(
    ("name", "column", "values"),
    [
        ("given_names_pt", 1, {"woman", "man"}),
        ("given_names_en", 1, {"woman", "man"}),
        ("invented_given_names_pt", 1, {"woman", "man"}),
        ("invented_given_names_en", 1, {"woman", "man"}),
        ("agreeing_words_pt", 2, {"determiner", "adjective", "pronoun"}),
        ("legal_pt", 2, {"", "woman"}),
        ("places_pt", 1, set(get_args(Region)) - {"america"}),
        ("places_pt", 2, {"none", "o", "a"}),
        ("places_en", 1, set(get_args(Region)) - {"america"}),
        ("entity_types", 1, set(get_args(Sort))),
        ("known_names_en", 1, {"woman", "man", "film", "told woman", "told man"}),
        ("known_names_pt", 1, {"woman", "man", "film", "told woman", "told man"}),
        *((name, 1, {"ADJ", "VERB"}) for name in DENIALS),
    ],
)
def test_what_is_said_of_a_word_is_one_of_a_few_things(name, column, values):
    assert {row[column] for row in read_rows(name)} == values


@pytest.mark.parametrize("language", ["en", "pt"])
def test_lands_are_places_or_names(language):
    places = {row[0] for row in read_rows(f"places_{language}")}
    invented = {name for name, sorts in lexicons.pairs(f"invented_{language}").items() if "place" in sorts}
    real = {name for name, sorts in lexicons.pairs(f"names_{language}").items() if "place" in sorts}
    assert words(f"lands_{language}") <= places | invented | real
    assert len(places - words(f"lands_{language}")) > 100


@pytest.mark.parametrize("language", ["en", "pt"])
def test_the_gender_is_told_of_given_names_of_invented_persons(language):
    told = lexicons.pairs(f"invented_given_names_{language}")
    persons = [name for name, sorts in lexicons.pairs(f"invented_{language}").items() if "person" in sorts.split("|")]
    assert {name.split()[0].lower() for name in persons} >= told.keys()
    assert sum(name.split()[0].lower() in told for name in persons) > 50


@every_table_of_synonyms
def test_synonyms_are_of_known_kinds(name):
    assert {entry.pos for found in entries(name).values() for entry in found} <= KINDS


@every_table_of_synonyms
def test_no_word_is_among_its_own_synonyms_and_none_is_twice(name):
    by_word = [(word, entry.synonyms) for word, found in entries(name).items() for entry in found]
    assert [word for word, synonyms in by_word if word in synonyms or len(synonyms) != len(set(synonyms))] == []


@every_table_of_synonyms
def test_no_stop_word_has_synonyms(name):
    stop_words = f"stop_words_{name.rpartition('_')[2]}"
    assert stop_words in STOP_WORDS
    assert entries(name).keys() & words(stop_words) == set()


@every(
    ("word", "pos", "synonym"),
    [
        ("stupidest", "ADJ", "dumbest"),
        ("discloses", "VERB", "reveals"),
        ("disclosed", "VERB", "revealed"),
        ("buying", "VERB", "purchasing"),
        ("movies", "NOUN", "films"),
        ("children", "NOUN", "kids"),
        ("quickly", "ADV", "rapidly"),
    ],
)
def test_english_synonyms_keep_kind_and_inflection(word, pos, synonym):
    assert [entry for entry in entries("synonyms_en")[word] if entry.pos == pos and synonym in entry.synonyms]


def test_a_form_of_two_tenses_gets_only_synonyms_that_are_both():
    (verb,) = entries("synonyms_en")["commenced"]
    assert verb.synonyms == ("started",)  # neither "began" nor "begun"


@pytest.mark.parametrize("reader", [entries, pairs, lexicons.rows, words])
def test_an_unknown_lexicon_names_those_there_are(reader):
    with pytest.raises(ValueError, match=r"no lexicon 'klingon'; there are: .*legal_pt, .*synonyms_en"):
        reader("klingon")


def test_the_legal_synonyms_are_at_least_sixty_pairs():
    assert len(pairs("legal_pt")) >= 60
    assert pairs("legal_pt")["tribunal"] == "corte"


def test_no_word_is_its_own_synonym_even_without_accents():
    assert [word for word, synonym in pairs("legal_pt").items() if strip_accents(word) == strip_accents(synonym)] == []


def test_no_two_words_are_the_same_without_accents():
    found = [strip_accents(word) for word in pairs("legal_pt")]
    assert len(found) == len(set(found))


@pytest.mark.parametrize(("reader", "name"), [(pairs, "legal_pt"), (entries, "synonyms_en")])
def test_a_lexicon_cannot_be_changed_by_its_users(reader, name):
    with pytest.raises(TypeError):
        reader(name)["lei"] = "x"


@pytest.mark.parametrize("language", ["en", "pt"])
def test_no_word_is_its_own_opposite_and_none_is_twice(language):
    opposites = {word: others.split("|") for word, others in pairs(f"antonyms_{language}").items()}
    assert len(opposites) > 250
    assert [word for word, others in opposites.items() if word in others or len(others) != len(set(others))] == []


@every(
    ("word", "opposites"),
    [
        ("correto", "incorreto"),
        ("correta", "incorreta"),
        ("corretos", "incorretos"),
        ("corretas", "incorretas"),
        ("pequena", "grande"),
        ("graves", "leves"),
        ("rapidamente", "lentamente"),
    ],
)
def test_portuguese_opposites_agree_in_gender_and_number(word, opposites):
    assert pairs("antonyms_pt")[word] == opposites


def test_a_form_of_both_genders_has_no_opposite_of_one():
    assert pairs("antonyms_pt")["pequena"] == "grande"
    assert "grande" not in pairs("antonyms_pt")  # which would be "pequeno" or "pequena"


def test_portuguese_verbs_have_four_persons_in_each_tense():
    tenses = {}
    for infinitive, tense, forms in read_rows("verbs_pt"):
        tenses.setdefault(infinitive, {})[tense] = forms.split("|")
    assert len(tenses) >= 80
    assert {len(forms) for verb in tenses.values() for forms in verb.values()} == {4}
    assert {infinitive for infinitive, verb in tenses.items() if len(verb) != 7} == {"ir"}


@every(
    ("infinitive", "tense", "forms"),
    [
        ("julgar", "preterite", "julguei|julgou|julgamos|julgaram"),
        ("conhecer", "present", "conheço|conhece|conhecemos|conhecem"),
        ("dirigir", "subjunctive", "dirija|dirija|dirijamos|dirijam"),
        ("conseguir", "present", "consigo|consegue|conseguimos|conseguem"),
        ("deferir", "present", "defiro|defere|deferimos|deferem"),
        ("expedir", "subjunctive", "expeça|expeça|expeçamos|expeçam"),
        ("atribuir", "imperfect", "atribuía|atribuía|atribuíamos|atribuíam"),
        ("reduzir", "present", "reduzo|reduz|reduzimos|reduzem"),
        ("manter", "present", "mantenho|mantém|mantemos|mantêm"),
        ("propor", "preterite", "propus|propôs|propusemos|propuseram"),
        ("intervir", "preterite", "intervim|interveio|interviemos|intervieram"),
        ("fazer", "future", "farei|fará|faremos|farão"),
        ("dizer", "conditional", "diria|diria|diríamos|diriam"),
        ("nomear", "present", "nomeio|nomeia|nomeamos|nomeiam"),
        ("ajuizar", "present", "ajuízo|ajuíza|ajuizamos|ajuízam"),
        ("ser", "past-subjunctive", "fosse|fosse|fôssemos|fossem"),
        ("receber", "past-subjunctive", "recebesse|recebesse|recebêssemos|recebessem"),
    ],
)
def test_portuguese_verbs_are_conjugated(infinitive, tense, forms):
    assert (infinitive, tense, forms) in read_rows("verbs_pt")


@every(
    ("base", "forms"),
    [
        ("say", "says|said|said|saying"),
        ("deny", "denies|denied|denied|denying"),
        ("stop", "stops|stopped|stopped|stopping"),
        ("die", "dies|died|died|dying"),
        ("take", "takes|took|taken|taking"),
        ("reach", "reaches|reached|reached|reaching"),
    ],
)
def test_english_verbs_are_inflected(base, forms):
    assert pairs("verbs_en")[base] == forms


@pytest.mark.parametrize(("language", "finite"), [("en", 2), ("pt", 4)])
def test_homographs_are_forms_of_verbs_in_the_table(language, finite):
    forms = {form for *_, cell in read_rows(f"verbs_{language}") for form in cell.split("|")[:finite]}
    assert words(f"verb_homographs_{language}") <= forms


@every("name", PHRASES)
def test_phrases_end_as_they_should(name):
    ends = {phrase.split()[-1] for (phrase,) in read_rows(name)}
    comma = "，" if name.endswith("_zh") else ","
    assert ends == {comma} if name.startswith("openers") else not ends & set(",.;:!?，。；：！？")


OF_SPEECH = {"NOUN", "VERB", "ADJ", "ADV"}


@pytest.mark.parametrize("name", MULTIPLE)
def test_words_of_several_parts_of_speech_are_many_of_each(name):
    found = read_rows(name)
    counts = {pos: len({word for word, kind, *_ in found if kind == pos}) for pos in OF_SPEECH}
    assert all(counts[pos] >= 60 for pos in ("NOUN", "VERB", "ADJ"))
    assert counts["ADV"] >= 20


@pytest.mark.parametrize("name", MULTIPLE)
def test_each_can_be_another_part_of_speech_than_the_one_it_stands_for(name):
    for word, pos, _, others in read_rows(name):
        assert pos in OF_SPEECH
        assert pos not in others.split("|"), word
        assert set(others.split("|")) <= OF_SPEECH | {"ADP", "CCONJ"}, word


@pytest.mark.parametrize("name", PREFIXES)
def test_words_of_another_prefix_have_the_same_remainder(name):
    for word, found in entries(name).items():
        for entry in found:
            assert entry.pos in OF_SPEECH
            for other in entry.synonyms:
                shared = next(i for i in range(len(word) + 1) if other.endswith(word[i:]))
                assert len(word) - shared >= 2, (word, other)


@pytest.mark.parametrize("name", PREFIXES)
def test_what_becomes_another_word_by_its_prefix_can_become_this_one_again(name):
    known = entries(name)
    back = [
        (word, other)
        for word, found in known.items()
        for entry in found
        for other in entry.synonyms
        if entry.pos not in {again.pos for again in known.get(other, ())}
    ]
    assert back == []


@pytest.mark.parametrize("name", KEPT)
def test_words_that_are_kept_are_of_the_classes_that_are_replaced(name):
    assert {pos for _, pos in read_rows(name)} == OF_SPEECH


def test_a_list_is_named_in_python_as_in_a_file():
    named = find("synonyms").configured(lexicon="seed", rate=1)
    assert render(named.sample(parse("o TRIBUNAL da LEI"), seed=1).sentence) == "o CORTE da NORMA"
    assert find("synonyms").configured(lexicon="lists").params["lexicon"] is REVIEWED
    with pytest.raises(ValueError, match="no_such"):
        find("synonyms").configured(lexicon="no_such")
