"""Word lists: their form, source and licence."""

from importlib.resources import files
from unicodedata import is_normalized

import pytest

from perturbations.families.character.accents import strip_accents
from perturbations.lexicons import entries, pairs, words

TABLES = sorted((table for table in files("perturbations.lexicons").iterdir() if table.name.endswith(".tsv")), key=str)
NAMES = [table.name.removesuffix(".tsv") for table in TABLES]
STOP_WORDS = [name for name in NAMES if name.startswith("stop_words_")]
SYNONYMS = [name for name in NAMES if name.startswith("synonyms_")]
PAIRS = [name for name in NAMES if name not in STOP_WORDS + SYNONYMS]
PHRASES = [name for name in NAMES if name.startswith("phrases_")]
COLUMNS = dict.fromkeys(STOP_WORDS, 1) | dict.fromkeys(PAIRS, 2) | dict.fromkeys(SYNONYMS, 3)
KINDS = {"NOUN", "VERB", "ADJ", "ADV", "ADP", "SCONJ", "CCONJ"}

every_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
every_table_of_synonyms = pytest.mark.parametrize("name", SYNONYMS)


def rows(table) -> list[list[str]]:
    return [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines() if line[0] != "#"]


def cells(name: str) -> list[str]:
    """Every word of a table, as its reader gives it."""
    if name in STOP_WORDS:
        return list(words(name))
    if name in PAIRS:
        return [cell for pair in pairs(name).items() for cell in pair]
    return [cell for word, found in entries(name).items() for entry in found for cell in (word, *entry.synonyms)]


@every_table
def test_the_first_lines_say_source_and_licence(table):
    head = [line for line in table.read_text(encoding="utf-8").splitlines()[:5] if line.startswith("#")]
    assert any("Source:" in line for line in head)
    assert any("Licence:" in line for line in head)


@every_table
def test_every_row_has_its_columns_and_is_there_once(table):
    name = table.name.removesuffix(".tsv")
    assert {len(row) for row in rows(table)} == {COLUMNS[name]}
    keys = [tuple(row[: max(1, COLUMNS[name] - 1)]) for row in rows(table)]
    assert len(keys) == len(set(keys))
    # The oldest list goes by subject.
    assert keys == sorted(keys) or name == "legal_pt"


@pytest.mark.parametrize("name", NAMES)
def test_every_word_is_one_token_in_lower_case_composed(name):
    found = cells(name)
    assert len(found) > 100
    spaced = name in PHRASES
    odd = [
        word
        for word in found
        if word != word.lower() or " ".join(word.split()) != word or not is_normalized("NFC", word)
    ]
    assert odd == []
    assert spaced == any(" " in word for word in found)


@every_table_of_synonyms
def test_synonyms_are_of_known_kinds(name):
    assert {entry.pos for found in entries(name).values() for entry in found} <= KINDS


@every_table_of_synonyms
def test_no_word_is_among_its_own_synonyms_and_none_is_twice(name):
    by_word = [(word, entry.synonyms) for word, found in entries(name).items() for entry in found]
    assert [word for word, synonyms in by_word if word in synonyms or len(synonyms) != len(set(synonyms))] == []


@every_table_of_synonyms
def test_no_stop_word_has_synonyms(name):
    stop_words = f"stop_words_{name.removeprefix('synonyms_')}"
    assert stop_words in STOP_WORDS
    assert entries(name).keys() & words(stop_words) == set()


@pytest.mark.parametrize(
    ("word", "pos", "synonym"),
    [
        ("healthy", "ADJ", "salubrious"),
        ("bigger", "ADJ", "larger"),
        ("says", "VERB", "states"),
        ("said", "VERB", "declared"),
        ("killed", "VERB", "murdered"),
        ("buying", "VERB", "purchasing"),
        ("bought", "VERB", "purchased"),
        ("movies", "NOUN", "films"),
        ("wives", "NOUN", "spouses"),
        ("crises", "NOUN", "emergencies"),
        ("quickly", "ADV", "rapidly"),
        ("despite", "ADP", "notwithstanding"),
        ("although", "SCONJ", "though"),
    ],
)
def test_english_synonyms_keep_kind_and_inflection(word, pos, synonym):
    assert [entry for entry in entries("synonyms_en")[word] if entry.pos == pos and synonym in entry.synonyms]


def test_a_form_of_two_tenses_gets_only_synonyms_that_are_both():
    synonyms = {entry.pos: entry.synonyms for entry in entries("synonyms_en")["noticed"]}["VERB"]
    assert "spotted" in synonyms
    assert not {"saw", "seen"} & set(synonyms)


@pytest.mark.parametrize("reader", [entries, pairs, words])
def test_an_unknown_lexicon_names_those_there_are(reader):
    with pytest.raises(ValueError, match=r"no lexicon 'klingon'; there are: .*legal_pt, .*synonyms_en"):
        reader("klingon")


def test_the_legal_synonyms_are_at_least_sixty_pairs():
    assert len(pairs("legal_pt")) >= 60
    assert pairs("legal_pt")["lei"] == "norma"


def test_no_word_is_its_own_synonym_even_without_accents():
    assert [word for word, synonym in pairs("legal_pt").items() if strip_accents(word) == strip_accents(synonym)] == []


def test_no_two_words_are_the_same_without_accents():
    found = [strip_accents(word) for word in pairs("legal_pt")]
    assert len(found) == len(set(found))


@pytest.mark.parametrize(("reader", "name"), [(pairs, "legal_pt"), (entries, "synonyms_en")])
def test_a_lexicon_cannot_be_changed_by_its_users(reader, name):
    with pytest.raises(TypeError):
        reader(name)["lei"] = "x"
