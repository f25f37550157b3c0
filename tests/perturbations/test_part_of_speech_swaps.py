"""Words replaced so that their part of speech stays what gold says: by words of several, and by another prefix."""

import pytest

from perturbations import Sentence, apply, find, parse, render
from perturbations.lexicons import entries, rows
from tests.rows import every


def tagged(text: str) -> Sentence:
    """The sentence written as words with their tags: ``o/DET canto/NOUN``."""
    pairs = [word.rpartition("/") for word in text.split()]
    return Sentence(tuple(form for form, _, _ in pairs), tuple(tag for *_, tag in pairs))


def options(name: str, sentence: Sentence, **params) -> list[list[str]]:
    """The options of each site, as the words that change there."""
    sites = find(name).configured(rate=1, **params).sites(sentence)
    return [[" ".join(edit.tokens) for edit in site] for site in sites]


def words_of(language: str, pos: str, form: str) -> set[str]:
    return {word for word, kind, shape, _ in rows(f"multi_pos_{language}") if (kind, shape) == (pos, form)}


@every(
    ("text", "pos", "form"),
    [
        ("O/DET processo/NOUN acabou/VERB ./PUNCT", "NOUN", "masculine-singular"),
        ("A/DET sentença/NOUN saiu/VERB ./PUNCT", "NOUN", "feminine-singular"),
        ("Os/DET juízes/NOUN saíram/VERB ./PUNCT", "NOUN", "masculine-plural"),
        ("As/DET sentenças/NOUN saíram/VERB ./PUNCT", "NOUN", "feminine-plural"),
        ("O/DET setor/NOUN bancário/ADJ cresceu/VERB ./PUNCT", "ADJ", "masculine-singular"),
        ("As/DET obras/NOUN antigas/ADJ pararam/VERB ./PUNCT", "ADJ", "feminine-plural"),
        ("A/DET decisão/NOUN federal/ADJ saiu/VERB ./PUNCT", "ADJ", "singular"),
        ("As/DET decisões/NOUN federais/ADJ saíram/VERB ./PUNCT", "ADJ", "plural"),
        ("Ele/PRON nega/VERB o/DET pedido/NOUN ./PUNCT", "VERB", "present-third"),
        ("Ele/PRON quer/VERB negar/VERB o/DET pedido/NOUN ./PUNCT", "VERB", None),
        ("Veio/VERB para/ADP negar/VERB o/DET pedido/NOUN ./PUNCT", "VERB", "infinitive"),
        ("A/DET obra/NOUN foi/AUX iniciada/VERB em/ADP maio/PROPN", "VERB", "participle-feminine-singular"),
        ("O/DET réu/NOUN falou/VERB lentamente/ADV ./PUNCT", "ADV", "final"),
    ],
)
def test_portuguese_words_become_those_of_the_same_inflection(text, pos, form):
    sites = options("multi_pos", tagged(text), pos=pos, language="pt")
    assert len(sites) == (form is not None)
    for site in sites:
        assert {word.lower() for word in site} <= words_of("pt", pos, form)
        assert len(site) >= 5


@every(
    ("text", "pos", "form"),
    [
        ("The/DET judge/NOUN left/VERB ./PUNCT", "NOUN", "singular"),
        ("Many/ADJ judges/NOUN left/VERB ./PUNCT", "NOUN", "plural"),
        ("He/PRON took/VERB the/DET money/NOUN ./PUNCT", "VERB", "past"),
        ("He/PRON takes/VERB the/DET money/NOUN ./PUNCT", "VERB", None),
        ("He/PRON accepts/VERB the/DET money/NOUN ./PUNCT", "VERB", "third"),
        ("They/PRON were/AUX accepting/VERB the/DET money/NOUN ./PUNCT", "VERB", "progressive"),
        ("To/PART accept/VERB the/DET money/NOUN ./PUNCT", "VERB", "base"),
        ("It/PRON was/AUX accepted/VERB by/ADP him/PRON ./PUNCT", "VERB", "past"),
        ("The/DET big/ADJ house/NOUN fell/VERB ./PUNCT", "ADJ", "positive"),
        ("He/PRON spoke/VERB slowly/ADV ./PUNCT", "ADV", "final"),
    ],
)
def test_english_words_become_those_of_the_same_inflection(text, pos, form):
    sites = options("multi_pos", tagged(text), pos=pos, language="en")
    if form is None or "took" in text:  # a verb that also has other complements stays
        assert sites == []
        return
    assert len(sites) == 1
    assert set(sites[0]) <= words_of("en", pos, form)
    assert len(sites[0]) >= 20


@pytest.mark.parametrize("language", ["pt", "en"])
@pytest.mark.parametrize("text", ["[Ana PER] viu o processo .", "the judge left", "o processo acabou ."])
def test_a_sentence_without_parts_of_speech_has_no_variant(text, language):
    for pos in ("NOUN", "VERB", "ADJ", "ADV"):
        assert options("multi_pos", parse(text), pos=pos, language=language) == []
        assert options("multi_pos", Sentence(parse(text).tokens), pos=pos, language=language) == []


def test_gold_stays_and_nothing_else_changes():
    sentence = tagged("O/DET processo/NOUN acabou/VERB hoje/ADV ./PUNCT")
    (site,) = find("multi_pos").sites(sentence)
    for edit in site:
        new = apply(sentence, [edit]).sentence
        assert new.tags == sentence.tags
        assert [i for i in range(5) if new.tokens[i] != sentence.tokens[i]] == [1]


@every(
    "text",
    [
        "De/ADP acordo/NOUN com/ADP ele/PRON",  # nothing says gender and number
        "o/DET fato/NOUN de/ADP que/SCONJ ele/PRON saiu/VERB",  # only some nouns have a clause
        "a/DET decisão/NOUN de/ADP sair/VERB",
        "o/DET presidente/NOUN Lula/PROPN",  # a title
        "a/DET maioria/NOUN de/ADP os/DET réus/PROPN",  # it counts
        "o/DET artigo/NOUN 5/NUM",
    ],
)
def test_nouns_that_not_every_other_could_stand_for_stay(text):
    assert options("multi_pos", tagged(text), pos="NOUN") == []


@every(
    "text",
    [
        "he/PRON says/VERB the/DET judge/NOUN left/VERB",  # a clause
        "he/PRON gave/VERB the/DET judge/NOUN a/DET book/NOUN",  # two objects
        "he/PRON became/VERB a/DET judge/NOUN",
        "he/PRON accepted/VERB that/SCONJ it/PRON ended/VERB",
        "he/PRON accepted/VERB ./PUNCT",  # no object
        "he/PRON carries/VERB the/DET judge/NOUN away/ADV",
    ],
)
def test_verbs_that_not_every_other_could_stand_for_stay(text):
    assert options("multi_pos", tagged(text), pos="VERB", language="en") == []


def test_after_an_article_stands_a_word_that_takes_it():
    (after_a,) = options("multi_pos", tagged("a/DET judge/NOUN left/VERB"), language="en")
    (after_an,) = options("multi_pos", tagged("an/DET army/NOUN left/VERB"), language="en")
    assert "kick" in after_a
    assert "attack" in after_an
    assert not set(after_a) & set(after_an)
    assert all(word[0] in "aeiouh" for word in after_an)


def test_letter_case_is_kept_and_names_stay():
    assert options("multi_pos", tagged("meu/DET Processo/NOUN acabou/VERB")) == []
    (site,) = options("multi_pos", tagged("“/PUNCT Casas/NOUN ”/PUNCT"), language="en")
    assert all(word.istitle() for word in site)


def test_every_replacement_can_be_something_else_in_the_list():
    sentence = tagged("O/DET processo/NOUN acabou/VERB")
    (site,) = options("multi_pos", sentence)
    others = {word: kinds for word, pos, _, kinds in rows("multi_pos_pt") if pos == "NOUN"}
    assert all(others[word] for word in site)


class TestPrefixes:
    def test_a_word_gets_another_prefix_and_keeps_what_follows_it(self):
        (site,) = options("prefix_swap", tagged("a/DET redução/NOUN caiu/VERB"))
        assert "produção" in site
        assert "redução" not in site
        assert all(word.endswith("dução") for word in site)

    def test_gold_decides_which_word_it_is(self):
        as_noun = tagged("The/DET imports/NOUN grew/VERB ./PUNCT")
        as_verb = tagged("He/PRON imports/VERB the/DET oil/NOUN ./PUNCT")
        assert options("prefix_swap", as_noun, language="en") == [["exports", "transports"]]
        assert options("prefix_swap", as_verb, language="en") == [["deports", "exports", "transports"]]
        assert options("prefix_swap", tagged("The/DET reduction/PROPN"), language="en") == []

    def test_without_parts_of_speech_only_what_is_one_thing_changes(self):
        assert options("prefix_swap", parse("the production of [Acme ORG]"), language="en")
        assert options("prefix_swap", parse("he will reduce the debt of [Acme ORG]"), language="en")
        assert options("prefix_swap", parse("he will import the oil"), language="en") == []
        assert options("prefix_swap", parse("they reduced the debt"), language="en") != []
        assert options("prefix_swap", parse("the reduced debt"), language="en") == []
        assert options("prefix_swap", parse("quem reduz a pena")) != []
        assert options("prefix_swap", parse("ele conclui a tese de que sai")) == []

    def test_names_stay_unless_that_is_asked_for(self):
        sentence = parse("a [Instituição Aurora ORG] fechou")
        assert options("prefix_swap", sentence) == []
        (site,) = options("prefix_swap", sentence, inside_entities=True)
        assert "Constituição" in site

    @pytest.mark.parametrize(
        "text",
        [
            "He/PRON proposed/VERB that/SCONJ it/PRON ended/VERB",
            "the/DET decision/NOUN to/PART leave/VERB",
            "He/PRON submitted/VERB to/ADP it/PRON",
            "pre/ADJ -/PUNCT production/NOUN",
        ],
    )
    def test_words_that_take_what_others_do_not_stay(self, text):
        assert options("prefix_swap", tagged(text), language="en") == []

    def test_after_an_article_stands_a_word_that_takes_it(self):
        ((word,),) = options("prefix_swap", tagged("an/DET explosion/NOUN"), language="en")
        assert word == "implosion"
        (site,) = options("prefix_swap", tagged("a/DET subscription/NOUN"), language="en")
        assert set(site) == {"description", "prescription", "transcription"}

    def test_verbs_keep_tense_person_and_number(self):
        (site,) = options("prefix_swap", tagged("Eles/PRON reduziram/VERB a/DET pena/NOUN ./PUNCT"))
        assert {"produziram", "induziram"} <= set(site)
        (site,) = options("prefix_swap", tagged("A/DET pena/NOUN foi/AUX reduzida/VERB por/ADP o/DET juiz/NOUN"))
        assert {"produzida", "induzida"} <= set(site)

    def test_families_are_whole(self):
        found = {entry.pos: entry.synonyms for entry in entries("prefixes_pt")["percurso"]}
        assert found == {"NOUN": ("concurso", "discurso", "recurso")}


def test_examples_are_written_with_labels():
    before, after = find("multi_pos").example.before, find("multi_pos").example.after
    assert parse(before).tags == parse(after).tags == ("DET", "NOUN", "VERB")
    assert render(parse(before)) == before
