"""Word lists: their form, source and licence."""

from importlib.resources import files

import pytest

from perturbations.families.character.accents import strip_accents
from perturbations.lexicons import pairs

TABLES = sorted(table for table in files("perturbations.lexicons").iterdir() if table.name.endswith(".tsv"))

every_table = pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)


def rows(table) -> list[list[str]]:
    return [line.split("\t") for line in table.read_text(encoding="utf-8").splitlines() if line[0] != "#"]


@every_table
def test_the_first_lines_say_source_and_licence(table):
    head = [line for line in table.read_text(encoding="utf-8").splitlines()[:5] if line.startswith("#")]
    assert any("Source:" in line for line in head)
    assert any("Licence:" in line for line in head)


@every_table
def test_every_row_has_two_cells_in_lower_case_and_its_word_once(table):
    words = [word for word, _ in rows(table)]
    assert len(words) == len(set(words))
    assert all(cell == cell.strip().lower() != "" and " " not in cell for row in rows(table) for cell in row)


def test_the_legal_synonyms_are_at_least_sixty_pairs():
    assert len(pairs("legal_pt")) >= 60
    assert pairs("legal_pt")["lei"] == "norma"


def test_no_word_is_its_own_synonym_even_without_accents():
    assert [word for word, synonym in pairs("legal_pt").items() if strip_accents(word) == strip_accents(synonym)] == []


def test_no_two_words_are_the_same_without_accents():
    words = [strip_accents(word) for word in pairs("legal_pt")]
    assert len(words) == len(set(words))


def test_a_lexicon_cannot_be_changed_by_its_users():
    with pytest.raises(TypeError):
        pairs("legal_pt")["lei"] = "x"
