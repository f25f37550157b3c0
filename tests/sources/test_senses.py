"""Wordnets that a case names in the place of the lists that ship."""

import sys
from importlib.metadata import version

import pytest

from abalo.core.protocols.probe import Case
from abalo.errors import AbaloError
from abalo.probes.perturbation import PROBE, PerturbationPlan
from abalo.sources import wn_lexicon
from abalo.sources.loading import load_synonyms
from abalo.sources.resources import Resources, editions, problem_with
from abalo.sources.senses import load_senses
from perturbations import find, parse, render
from perturbations.resources import REVIEWED, Meanings, Sense, Senses
from tests.conftest import problems
from tests.scripted import Gazetteer, corpus_of, session_of
from tests.sources.test_wordnet import SYNSETS
from tests.sources.test_wordnet import write as write_database

TAB = """# Small-PT\tpor\thttps://example.org\tCC BY
00000002-n\tlemma\tcasa
00000002-n\tlemma\tmoradia
00000002-n\tlemma\tcasa de campo
00000001-v\tpor:lemma\tcasa
00000001-v\tpor:def\t0\tuma definição
00000003-a\tlemma\tveloz
00000003-a\tlemma\trápido

"""

LMF = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE LexicalResource SYSTEM "http://globalwordnet.github.io/schemas/WN-LMF-1.1.dtd">
<LexicalResource xmlns:dc="https://globalwordnet.github.io/schemas/dc/">
  <Lexicon id="tiny" label="Tiny" language="en" email="a@example.org" license="https://example.org/free" version="1">
    <LexicalEntry id="tiny-quick-r"><Lemma writtenForm="quick" partOfSpeech="r"/>
      <Sense id="tiny-quick-3" synset="tiny-3"/></LexicalEntry>
    <LexicalEntry id="tiny-quick-a"><Lemma writtenForm="quick" partOfSpeech="a"/>
      <Sense id="tiny-quick-1" synset="tiny-1"><SenseRelation relType="antonym" target="tiny-slow-2"/></Sense>
      <Sense id="tiny-quick-4" synset="tiny-4"/></LexicalEntry>
    <LexicalEntry id="tiny-rapid-a"><Lemma writtenForm="rapid" partOfSpeech="a"/>
      <Sense id="tiny-rapid-1" synset="tiny-1"/></LexicalEntry>
    <LexicalEntry id="tiny-alive-a"><Lemma writtenForm="at full speed" partOfSpeech="a"/>
      <Sense id="tiny-full-1" synset="tiny-1"/></LexicalEntry>
    <LexicalEntry id="tiny-slow-a"><Lemma writtenForm="slow" partOfSpeech="a"/>
      <Sense id="tiny-slow-2" synset="tiny-2"/></LexicalEntry>
    <Synset id="tiny-1" ili="" partOfSpeech="a"/><Synset id="tiny-2" ili="" partOfSpeech="a"/>
    <Synset id="tiny-3" ili="" partOfSpeech="r"/><Synset id="tiny-4" ili="" partOfSpeech="a"/>
  </Lexicon>
</LexicalResource>
"""


def known(**words):
    """A wordnet of these words."""
    return Meanings("known", words)


def options(name, text, **params):
    """All variants of one edit each."""
    member = find(name).configured(language="en", **params)
    return [" ".join(edit.tokens) for site in member.sites(parse(text)) for edit in site]


@pytest.fixture
def tab(tmp_path):
    path = tmp_path / "pt.tab"
    path.write_text(TAB, encoding="utf-8")
    return f"wordnet:{path}"


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    """A lexicon of wn, in a folder of its own."""
    wn = pytest.importorskip("wn", reason="pip install 'abalo[wordnet]'")
    monkeypatch.setattr(wn.config, "data_directory", tmp_path / "wn")
    (tmp_path / "tiny.xml").write_text(LMF, encoding="utf-8")
    wn.add(tmp_path / "tiny.xml", progress_handler=None)
    return "wn:tiny:1"


def test_a_tab_file_gives_the_single_words_of_each_synset(tab):
    source = load_senses(tab)
    assert source.senses("casa") == [Sense("VERB", ()), Sense("NOUN", ("moradia",))]
    assert source.senses("rápido") == [Sense("ADJ", ("veloz",))]
    assert source.senses("Casa") == source.senses("casa de campo") == []
    assert source.edition.startswith("Small-PT (4 words, ")


def test_a_tab_file_is_known_by_what_it_holds(tab, tmp_path):
    other = tmp_path / "other.tab"
    other.write_text(TAB.replace("veloz", "ligeiro"), encoding="utf-8")
    assert load_senses(tab).edition != load_senses(f"wordnet:{other}").edition


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("casa\n", "line 1: 'casa'; expected the id of a synset, such as 00001740-n"),
        ("# x\n0001-n\tlemma\tcasa\n", "line 2: "),
        ("# x\n00000001-n\tlemma\t \n", "line 2: "),
        ("# x\n", "has no words; expected lines such as"),
        ("", "has no words; expected lines such as"),
    ],
)
def test_a_broken_tab_file_is_an_error(tmp_path, text, message):
    path = tmp_path / "broken.tab"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(AbaloError, match=message):
        load_senses(f"wordnet:{path}")


def test_a_wn_lexicon_gives_adjectives_first_single_words_and_antonyms_of_the_word(tiny):
    source = load_senses(tiny)
    assert source.senses("quick") == [Sense("ADJ", ("rapid",), ("slow",)), Sense("ADJ", ()), Sense("ADV", ())]
    assert source.senses("rapid") == [Sense("ADJ", ("quick",))]
    assert source.senses("nothing") == source.senses("Quick") == []
    assert source.edition == "tiny:1 (https://example.org/free)"


def test_an_attack_takes_synonyms_from_wn_too(tiny, words_of):
    assert words_of(load_synonyms(tiny), "Rapid") == ["Quick"]


def test_a_lexicon_that_wn_has_not_is_told_with_what_to_do(tiny):
    with pytest.raises(AbaloError, match=r"wn has no such lexicon .*: python -m wn download oewn:2024, or for a file"):
        load_senses("wn:oewn:2024")


def test_without_wn_the_line_to_install_it_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "wn", None)
    monkeypatch.setattr(wn_lexicon, "find_spec", lambda _name: None)
    with pytest.raises(AbaloError, match=r"'wn:oewn:2024' needs wn: pip install 'abalo\[wordnet\]'"):
        load_senses("wn:oewn:2024")


def test_what_names_no_wordnet_is_told(write, tmp_path):
    (problem,) = problems(write('[[ner.synonym_wordnet]]\nsynonyms = "wordnet:nowhere"'))
    assert 'synonyms: wordnet:nowhere: no such folder; expected "lists" for the lists that ship, ' in problem
    assert problem_with("lists", Senses) is problem_with("none", Senses) is None
    assert "wordnet:FOLDER, wordnet:FILE.tab, wn:LEXICON" in problem_with("wordnet:x.tab", Senses)
    assert problem_with(3, Senses).startswith("3; expected")
    with pytest.raises(AbaloError, match=r"no such folder"):
        load_senses(f"wordnet:{tmp_path / 'none'}")


def test_a_word_of_one_meaning_alone_is_exchanged_by_default():
    source = known(huge=[Sense("ADJ", ("enormous",))], rapid=[Sense("ADJ", ("quick",)), Sense("ADJ", ("steep",))])
    text = "a huge and rapid change"
    assert options("synonym_wordnet", text, synonyms=source) == ["an enormous"]
    assert options("synonym_wordnet", text, synonyms=source, meant="first") == ["an enormous", "quick"]
    assert options("synonym_wordnet", text, synonyms=source, meant="any") == ["an enormous", "quick", "steep"]


def test_a_word_of_several_parts_of_speech_has_a_first_meaning_only_with_its_tag():
    source = known(steep=[Sense("ADJ", ("sheer",)), Sense("VERB", ("soak",))])

    class Tagger:
        name = "scripted"

        def of(self, sentences):
            return [("DET", "ADJ", "NOUN") for _ in sentences]

    assert options("synonym_wordnet", "a steep path", synonyms=source, meant="first") == []
    given = {"synonyms": source, "parts_of_speech": Tagger()}
    assert options("synonym_wordnet", "a steep path", **given) == ["sheer"]
    assert options("synonym_wordnet", "a steep path", **given, kinds=("VERB",)) == []


def test_what_the_word_classes_have_as_something_else_stays():
    source = known(said=[Sense("ADJ", ("aforementioned",))], the=[Sense("NOUN", ("article",))])
    assert options("synonym_wordnet", "she said the word", synonyms=source) == []


def test_names_words_in_entities_and_words_that_are_none_stay():
    source = known(
        huge=[Sense("ADJ", ("Herculean", "sky-high", "huge", "vast"))],
        **{"33": [Sense("ADJ", ("xxxiii",))]},
    )
    text = "he met [Mr huge PER] with Huge steps and 33 huge dogs"
    assert options("synonym_wordnet", text, synonyms=source) == ["vast"]


def test_a_portuguese_word_keeps_its_ending_since_a_wordnet_tells_no_genders(tab):
    source = known(celeuma=[Sense("NOUN", ("barulho", "algazarra"))])
    member = find("synonym_wordnet").configured(language="pt", synonyms=source, rate=1)
    assert render(member.sample(parse("houve uma celeuma"), seed=1).sentence) == "houve uma algazarra"


def test_opposites_come_from_a_wordnet_for_adjectives_and_adverbs_alone():
    source = known(
        toxic=[Sense("ADJ", (), ("harmless",))], defeat=[Sense("NOUN", (), ("victory",))], legal=[Sense("ADJ", ())]
    )
    assert options("antonym", "a toxic defeat is legal", antonyms=source) == ["harmless"]
    assert options("antonym", "toxic or harmless", antonyms=source) == []


def test_the_lists_are_meant_where_no_case_says_otherwise():
    resources = Resources(corpus_of("nada"), language="en")
    member = resources.configured(find("synonym_wordnet"), {})
    assert member.params["synonyms"] is REVIEWED
    assert resources.named(member, {})["synonyms"] == "lists"
    assert editions(member) == {}


def test_a_report_tells_which_wordnet_it_was(tmp_path):
    for part, synsets in SYNSETS.items():
        write_database(tmp_path, part, synsets)
    texts = "the bank is galore here", "nothing"
    params = {"language": "en", "synonyms": f"wordnet:{tmp_path}", "rate": 1}
    plan = PerturbationPlan(find("synonym_wordnet"), params)
    case = Case("ner", "synonym_wordnet", PROBE, plan, "projected", "projected")
    ran = PROBE.run(case, session_of(corpus_of(*texts), Gazetteer(*texts)))
    assert ran.params["synonyms"] == f"wordnet:{tmp_path}"
    assert ran.facts["drawn_with"] == {"synonyms": load_senses(f"wordnet:{tmp_path}").edition}
    made = {render(each.variant.example.sentence) for each in ran.outcomes if each.variant is not None}
    assert made == {"the bank is abundant here"}


def test_a_report_tells_the_version_of_a_library_and_of_faker():
    pytest.importorskip("lemminflect", reason="pip install 'abalo[english]'")
    tense = find("tense").configured(language="en", inflections="lemminflect")
    assert editions(tense) == {"inflections": f"lemminflect {version('lemminflect')}"}
    assert editions(tense.configured(inflections="table")) == {}
    assert editions(find("tense").configured(language="pt", inflections="lemminflect")) == {}
    pytest.importorskip("faker", reason="pip install 'abalo[faker]'")
    swap = Resources(corpus_of("nada")).configured(find("swap_named_ent"), {"entities": "faker:pt_BR"})
    assert editions(swap) == {"entities": f"Faker {version('faker')}"}
