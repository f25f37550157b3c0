"""One spelling of resources: names mean the same for perturbations, attacks and fillers, and are checked at once."""

import pytest

from abalo.config.thresholds import load, load_suite
from abalo.core.records.gate import Gate
from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.sources.loading import load_synonyms
from abalo.sources.resources import Resources, editions
from perturbations import find, parse
from tests.conftest import problems

OURS = "# ours\nrun\tVERB\tjog\nbig\tADJ\tsmall\nrecurso\tNOUN\tapelo\nórgão\tNOUN\tente\n"


@pytest.fixture
def ours(tmp_path):
    path = tmp_path / "ours.tsv"
    path.write_text(OURS, encoding="utf-8")
    return f"lexicon:{path}"


def words(name: str, text: str, **params: str) -> list[str]:
    """The new words, of the perturbation that names its resources as thresholds.toml does."""
    member = Resources(Corpus("none", ()), language="en").configured(find(name), params)
    found = (variant for variant in [member.configured(rate=1.0).sample(parse(text), seed=1)] if variant)
    before = text.split()
    return [new for variant in found for new in variant.sentence.tokens if new not in before]


def of_attack(spec: str, word: str) -> list[str]:
    return [each.word for (found,) in [load_synonyms(spec).of([(parse(word), 0)])] for each in found]


def test_a_list_of_ones_own_means_the_same_for_perturbations_and_attacks(ours):
    assert words("synonyms", "they run now", lexicon=ours) == ["jog"]
    assert words("synonym_wordnet", "they run now", synonyms=ours) == ["jog"]
    assert words("antonym", "a big house", antonyms=ours) == ["small"]
    assert words("synonym_attack", "they run to [Lima LOC]", lexicon=ours)[0] == "jog"
    assert of_attack(ours, "run") == ["jog"]


def test_words_of_a_list_are_found_in_any_letter_case_and_without_accents(ours):
    assert words("synonyms", "Recurso negado", lexicon=ours) == ["Apelo"]
    assert words("synonyms", "o orgao negou", lexicon=ours) == ["ente"]


def test_a_list_that_ships_means_the_same_with_and_without_its_prefix():
    for spec in ("legal_pt", "lexicon:legal_pt"):
        assert words("synonyms", "o delito", lexicon=spec) == ["crime"]
        assert of_attack(spec, "delito") == ["crime"]
    for spec in ("seed", "lexicon:seed"):
        assert of_attack(spec, "LEI") == ["NORMA"]
        assert words("synonyms", "a LEI 12", lexicon="seed") == ["NORMA"]


def test_a_wordnet_gives_words_of_one_meaning_that_end_alike(tmp_path):
    lines = "00000001-n\tlemma\tpraia\n00000001-n\tlemma\tcosta\n00000001-n\tlemma\tlitoral\n"
    tab = tmp_path / "pt.tab"
    tab.write_text(f"# x\tpor\thttps://example.org\tCC BY\n{lines}00000002-n\tlemma\tcosta\n", encoding="utf-8")
    assert words("synonyms", "a praia", lexicon=f"wordnet:{tab}") == ["costa"]  # not litoral, with another gender
    assert words("synonyms", "a costa", lexicon=f"wordnet:{tab}") == []  # two meanings


def test_lists_are_those_that_ship():
    assert words("synonyms", "o recurso e o delito", lexicon="lists") == words("synonyms", "o recurso e o delito")


def test_a_result_says_which_file_it_was(ours):
    member = Resources(Corpus("none", ())).configured(find("synonyms"), {"lexicon": ours})
    assert editions(member)["lexicon"].startswith("ours.tsv (4 words, ")


CASES = [
    ("ner.synonyms", "lexicon"),
    ("ner.synonym_attack", "lexicon"),
    ("ner.synonym_wordnet", "synonyms"),
    ("ner.antonym", "antonyms"),
    ("ner.context_attack", "synonyms"),
    ("ner.pwws", "synonyms"),
]


@pytest.mark.parametrize(("table", "key"), CASES)
@pytest.mark.parametrize("spec", ["lexicon:no/file.tsv", "lexicon:stop_words_pt", "lexicn:x", "wordnet:no/folder"])
def test_what_is_not_there_is_told_when_the_thresholds_are_read(write, table, key, spec):
    (problem,) = problems(write(f'[[{table}]]\n{key} = "{spec}"\n'))
    assert problem.startswith(f"thresholds.toml [[{table}]] {key}: ")
    assert spec in problem
    assert "stop_words_en" not in problem  # only what has words for words is offered


@pytest.mark.parametrize(("table", "key"), CASES)
def test_a_line_of_another_form_is_told_when_the_thresholds_are_read(write, tmp_path, table, key):
    (tmp_path / "bad.tsv").write_text("run\tjog\n", encoding="utf-8")
    (problem,) = problems(write(f'[[{table}]]\n{key} = "lexicon:{tmp_path / "bad.tsv"}"\n'))
    assert "bad.tsv line 1: 'run\\tjog'; expected a word, a tab, its part of speech" in problem


@pytest.mark.parametrize(("table", "key"), CASES[:5])
def test_lists_are_a_name_everywhere(write, table, key):
    (case,) = load(write(f'[[{table}]]\n{key} = "lists"\n')).cases
    assert case.params == {key: "lists"}


def capability(filler: str, language: str = "pt") -> str:
    return f"""
        [[classification.capability]]
        name = "names"
        language = "{language}"
        templates = [{{text = "{{x}} chegou", label = "positive"}}]
        x = "{filler}"
        """


@pytest.mark.parametrize(
    "filler", ["lexicon:no/file.tsv", "lexicon:given_nmes_pt", "wordnet:FOLDER", "wn:oewn", "lists"]
)
def test_fillers_are_checked_when_they_are_read(write, filler):
    with pytest.raises(AbaloError, match="x: "):
        load_suite(write(capability(filler)), Gate())


def test_a_list_of_the_language_needs_no_code(write):
    assert load_suite(write(capability("lexicon:given_names")), Gate())
    assert load_suite(write(capability("lexicon:given_names_pt")), Gate())
    with pytest.raises(AbaloError, match="ships for fr"):
        load_suite(write(capability("lexicon:given_names", "fr")), Gate())
