"""Synonyms from reviewed lists."""

import re

import pytest

from abalo.errors import AbaloError
from abalo.sources import Synonym
from abalo.sources.loading import load_synonyms
from perturbations.lexicons import entries

LEXICON = "# ours\nrun\tVERB\tdash|race\n\nrun\tNOUN\tsprint\nórgão\tNOUN\tentidade pública|instituição\n"


@pytest.fixture
def lexicon(tmp_path):
    path = tmp_path / "ours.tsv"
    path.write_text(LEXICON, encoding="utf-8")
    return path


def test_synonyms_of_all_kinds_come_in_the_order_of_the_file_and_count_as_1(lexicon, site):
    source = load_synonyms(f"lexicon:{lexicon}")
    assert source.of([site("run"), site("walk")]) == [
        (Synonym("dash", 1.0), Synonym("race", 1.0), Synonym("sprint", 1.0)),
        (),
    ]


def test_a_word_is_found_in_any_letter_case_and_without_accents_then_answered_without(lexicon, words_of):
    source = load_synonyms(f"lexicon:{lexicon}")
    assert words_of(source, "RUN") == ["DASH", "RACE", "SPRINT"]
    assert words_of(source, "Órgão") == ["Instituição"]
    assert words_of(source, "Orgao") == ["Instituicao"]


def test_only_the_first_ones_are_given_where_fewer_are_asked_for(lexicon, words_of):
    assert words_of(load_synonyms(f"lexicon:{lexicon}", most=2), "run") == ["dash", "race"]


def test_the_name_tells_file_size_and_content(lexicon):
    name = load_synonyms(f"lexicon:{lexicon}").name
    assert re.fullmatch(r"lexicon ours\.tsv \(2 words, [0-9a-f]{8}\), at most 50", name)
    lexicon.write_text(LEXICON.replace("dash", "rush"), encoding="utf-8")
    assert load_synonyms(f"lexicon:{lexicon}").name != name


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("run\tdash", "'run\\tdash'"),
        ("run\tVERB\t", "'run\\tVERB\\t'"),
        ("run\tVERB\tdash||race", "'run\\tVERB\\tdash||race'"),
        ("run\tVERB\tdash\tx", "'run\\tVERB\\tdash\\tx'"),
    ],
)
def test_a_line_of_another_form_is_an_error_with_its_number(tmp_path, line, found):
    path = tmp_path / "bad.tsv"
    path.write_text(f"# ours\nsit\tVERB\trest\n{line}\n", encoding="utf-8")
    with pytest.raises(AbaloError) as caught:
        load_synonyms(f"lexicon:{path}")
    assert str(caught.value) == (
        f"lexicon:{path} line 3: {found}; expected a word, a tab, its part of speech, a tab, and its synonyms with | "
        "between"
    )


def test_a_file_that_is_not_utf_8_is_an_error(tmp_path):
    (tmp_path / "latin.tsv").write_bytes("órgão\tNOUN\tx".encode("latin-1"))
    with pytest.raises(AbaloError, match="cannot be read as UTF-8 text"):
        load_synonyms(f"lexicon:{tmp_path / 'latin.tsv'}")


def test_a_missing_file_is_an_error_with_the_nearest_one(lexicon):
    with pytest.raises(AbaloError, match=r"our\.tsv: no such file; did you mean .*ours\.tsv\?"):
        load_synonyms(f"lexicon:{lexicon.with_name('our.tsv')}")


def test_lexicons_that_ship_with_abalo_are_called_by_name(words_of):
    two_columns = load_synonyms("lexicon:legal_pt")
    assert two_columns.name.startswith("lexicon legal_pt (")
    assert words_of(two_columns, "LITÍGIO") == []
    assert words_of(two_columns, "DELITO") == ["CRIME"]
    word, kinds = next(iter(entries("synonyms_en").items()))
    three_columns = load_synonyms("lexicon:synonyms_en")
    assert words_of(three_columns, word.upper())[0] == kinds[0].synonyms[0].upper()


def test_an_unknown_name_and_a_list_without_synonyms_are_errors():
    with pytest.raises(AbaloError, match=r"lexicon:legal_xx: no lexicon 'legal_xx'; did you mean 'legal_pt'\?"):
        load_synonyms("lexicon:legal_xx")
    with pytest.raises(AbaloError, match=r"no lexicon 'stop_words_pt'; .*; or give the path of a \.tsv file"):
        load_synonyms("lexicon:stop_words_pt")
