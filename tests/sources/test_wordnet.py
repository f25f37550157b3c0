"""Words from the database files of WordNet, here a tiny one."""

import re

import pytest

from abalo.errors import AbaloError
from abalo.sources import Synonym
from abalo.sources.loading import load_synonyms
from abalo.sources.senses import SenseSynonyms
from abalo.sources.wordnet import WordNet
from perturbations.resources import Sense

LICENCE = "  1 This file begins with a licence, indented.\n"
SYNSETS = {
    "noun": [["bank", "depository"], ["bank", "slope", "river_bank"], ["Paris"]],
    "verb": [["trust", "bank"]],
    "adj": [["galore(ip)", "abundant"]],
    "adv": [],
}


def write(folder, part, synsets, orders=None):
    """The files of a part of speech; ``orders`` gives the synsets of a word, most frequent first."""
    data, offsets = LICENCE, []
    for number, lemmas in enumerate(synsets):
        offsets.append(len(data))
        words = " ".join(f"{lemma} 0" for lemma in lemmas)
        data += f"{offsets[number]:08d} 00 n {len(lemmas):02x} {words} 001 @ {offsets[0]:08d} n 0000 | a gloss; 1 2\n"
    (folder / f"data.{part}").write_text(data)
    senses = {}
    for number, lemmas in enumerate(synsets):
        for lemma in lemmas:
            senses.setdefault(lemma.partition("(")[0].lower(), []).append(number)
    senses |= orders or {}
    rows = [
        f"{word} n {len(found)} 1 @ {len(found)} 0 {' '.join(f'{offsets[k]:08d}' for k in found)}  \n"
        for word, found in sorted(senses.items())
    ]
    (folder / f"index.{part}").write_text(LICENCE + "".join(rows))


@pytest.fixture
def folder(tmp_path):
    for part, synsets in SYNSETS.items():
        write(tmp_path, part, synsets, {"bank": [1, 0]} if part == "noun" else None)
    return tmp_path


def test_synonyms_are_the_other_single_words_most_frequent_sense_first_nouns_before_verbs(folder, site):
    source = load_synonyms(f"wordnet:{folder}")
    assert source.of([site("bank")]) == [(Synonym("slope", 1.0), Synonym("depository", 1.0), Synonym("trust", 1.0))]


def test_a_word_is_found_in_any_letter_case_but_only_in_its_base_form(folder, words_of):
    source = load_synonyms(f"wordnet:{folder}")
    assert words_of(source, "Bank") == ["Slope", "Depository", "Trust"]
    assert words_of(source, "PARIS") == words_of(source, "banks") == words_of(source, "river_bank") == []


def test_an_adjective_loses_the_mark_of_its_place(folder, words_of):
    source = load_synonyms(f"wordnet:{folder}")
    assert words_of(source, "abundant") == ["galore"]
    assert words_of(source, "galore") == ["abundant"]


def test_parts_of_speech_can_be_chosen_and_numbers_limited(folder, words_of):
    assert words_of(SenseSynonyms(WordNet(folder, ["verb"]), 50), "bank") == ["trust"]
    assert words_of(load_synonyms(f"wordnet:{folder}", most=1), "bank") == ["slope"]


def test_a_synset_of_more_than_nine_words_is_counted_in_hexadecimal(folder, words_of):
    lemmas = [f"word{chr(97 + k)}" for k in range(17)]
    write(folder, "adv", [lemmas])
    assert words_of(load_synonyms(f"wordnet:{folder}"), "worda") == lemmas[1:]


def test_a_word_has_its_meanings_apart_with_their_part_of_speech(folder):
    bank = [Sense("NOUN", ("slope",)), Sense("NOUN", ("depository",)), Sense("VERB", ("trust",))]
    assert WordNet(folder).senses("bank") == bank
    assert WordNet(folder).senses("galore") == [Sense("ADJ", ("abundant",))]
    assert WordNet(folder).senses("Bank") == WordNet(folder).senses("banks") == []


def test_an_antonym_belongs_to_the_word_of_the_pointer_and_not_to_its_synset(tmp_path):
    for part in ("noun", "verb", "adv"):
        write(tmp_path, part, [])
    # rarely and seldom, and often and frequently: the second word of each is the opposite of the second of the other
    first = "00000000 00 r 02 rarely 0 seldom 0 001 ! 00000067 r 0202 | a gloss\n"
    second = "00000067 00 r 02 frequently 0 often(ip) 0 002 ! 00000000 r 0202 & 00000000 r 0000 | another\n"
    assert len(first) == 67
    (tmp_path / "data.adj").write_text(first + second)
    index = {"rarely": 0, "seldom": 0, "often": 67, "frequently": 67}
    (tmp_path / "index.adj").write_text("".join(f"{word} a 1 1 ! 1 0 {place:08d}\n" for word, place in index.items()))
    source = WordNet(tmp_path)
    assert source.senses("seldom") == [Sense("ADJ", ("rarely",), ("often",))]
    assert source.senses("often") == [Sense("ADJ", ("frequently",), ("seldom",))]
    assert source.senses("rarely") == [Sense("ADJ", ("seldom",), ())]


def test_the_name_tells_size_content_and_parts(folder):
    name = load_synonyms(f"wordnet:{folder}").name
    assert re.fullmatch(r"WordNet \(7 words, [0-9a-f]{8}\), at most 50", name)
    assert re.fullmatch(r"WordNet \(verb; 2 words, [0-9a-f]{8}\)", WordNet(folder, ["verb"]).edition)
    write(folder, "adv", [["soon"]])
    assert load_synonyms(f"wordnet:{folder}").name != name


def test_missing_and_broken_files_are_errors(folder, site):
    data = (folder / "data.noun").read_text()
    (folder / "data.noun").write_text(LICENCE + data)
    with pytest.raises(AbaloError, match=r"data\.noun has no synset at byte \d+, where index\.noun says there is one"):
        load_synonyms(f"wordnet:{folder}").of([site("bank")])
    (folder / "index.adv").write_text("soon r x\n")
    with pytest.raises(AbaloError, match=r"index\.adv line 1 is not a line of an index"):
        load_synonyms(f"wordnet:{folder}")
    (folder / "index.adv").unlink()
    with pytest.raises(AbaloError, match=r"no index\.adv; expected the folder of WordNet's database files"):
        load_synonyms(f"wordnet:{folder}")
    with pytest.raises(AbaloError, match="no such folder"):
        load_synonyms(f"wordnet:{folder / 'none'}")
