"""Adverbs before verbs, negation, and tense: all hang on finding finite verbs."""

import sys
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perturbations import Sentence, apply, find, parse, render
from perturbations.languages import rules
from perturbations.languages.en import inflections
from perturbations.languages.finite_verbs import finite_verbs
from perturbations.languages.parts import Verbs
from perturbations.lexicons import rows
from perturbations.strategies import sentences
from tests.rows import every

ADVERBS = {language: {adverb for (adverb,) in rows(f"neutral_adverbs_{language}")} for language in ("en", "pt")}
on_random_sentences = settings(max_examples=40)


class Tagged:
    """Parts of speech as given."""

    def __init__(self, tags: str) -> None:
        self._tags = tuple(tags.split())

    def of(self, sentences):
        return [self._tags for _ in sentences]


def variants(name: str, text: str, language: str, **params: object) -> list[str]:
    """Every sentence that one edit makes."""
    sentence = parse(text)
    sites = find(name).configured(language=language, **params).sites(sentence)
    return [render(apply(sentence, [edit]).sentence) for site in sites for edit in site]


def marked(text: str, language: str) -> str:
    """The text with a star before each finite verb."""
    sentence = parse(text)
    places = {verb.place for verb in finite_verbs(sentence, rules(language, "verbs", Verbs))}
    return " ".join(f"*{token}" if i in places else token for i, token in enumerate(sentence.tokens))


@every(
    "expected",
    [
        "o juiz *negou o pedido que o réu *fez",
        "*Trata-se de recurso . *Nega-se o pedido .",
        "a falta de recurso não *é causa de nulidade",
        "ele *conta que o processo *corre",
        "o réu não o *viu",
        "os que o *condenaram *erraram",
        "*NEGO PROVIMENTO AO RECURSO",
        "o caso , isto é , o processo",
        "ou seja , nada",
        "haja vista o pedido",
        "pedido julgado procedente",
        "a decisão *sedimentou e *fomentaram",
        "São Paulo *cresceu",
        "os autos em que *constam",
    ],
)
def test_portuguese_finite_verbs(expected):
    assert marked(expected.replace("*", ""), "pt") == expected


@every(
    "expected",
    [
        "the fox *jumps over lazy dogs",
        "officials *said they *know it",
        "the jumps of a fox",
        "he *has gone and she *had a car",
        "the man killed by a car *was there",
        "they *did not say it",
        "[Reuters ORG] *reported it",
        "it *is at 5 am",
        "to go home",
        "*Did you get it ?",
    ],
)
def test_english_finite_verbs(expected):
    assert marked(expected.replace("*", ""), "en") == expected.replace("[", "").replace(" ORG]", "")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "pt"])
@on_random_sentences
@given(sentence=sentences())
def test_no_word_of_an_entity_is_a_finite_verb(language, sentence):
    assert all(sentence.tags[verb.place] == "O" for verb in finite_verbs(sentence, rules(language, "verbs", Verbs)))


def test_verbs_in_names_are_none():
    assert finite_verbs(parse("[É Tudo Verdade OBRA] estreia"), rules("pt", "verbs", Verbs)) == []
    assert variants("negation", "[Who Is Afraid OBRA] opens", "en") == ["[Who Is Afraid OBRA] does not open"]


def test_an_adverb_stands_before_the_verb_and_what_belongs_to_it():
    found = variants("insert_adverb", "[Ana PESSOA] não se manifestou", "pt")
    assert set(found) == {f"[Ana PESSOA] {adverb} não se manifestou" for adverb in ADVERBS["pt"]}


def test_an_adverb_stands_behind_an_english_auxiliary():
    assert set(variants("insert_adverb", "[Ann PER] has gone", "en")) == {
        f"[Ann PER] has {a} gone" for a in ADVERBS["en"]
    }
    assert set(variants("insert_adverb", "she went", "en")) == {f"she {a} went" for a in ADVERBS["en"]}
    assert variants("insert_adverb", "Is she gone ?", "en") == []


@every(
    "text",
    [
        "why did she leave",
        "do you guys go",
        "Or does X seem odd",
        "what did the man see",
        "Does Ann know it",
        "number 46 is it",
    ],
)
def test_no_adverb_stands_by_an_auxiliary_before_its_subject(text):
    assert variants("insert_adverb", text, "en") == []


@pytest.mark.parametrize(
    ("before", "behind"),
    [("the winner", "is Ann"), ("the fox", "is a beast"), ("he", "did n ' t go"), ("she", "has a den")],
)
def test_an_adverb_stands_before_what_no_verb_follows(before, behind):
    assert variants("insert_adverb", f"{before} {behind}", "en") == [
        f"{before} {adverb} {behind}" for (adverb,) in rows("neutral_adverbs_en")
    ]


def test_an_adverb_is_in_capitals_where_the_verb_is():
    assert "THE KINGS ARE REALLY BACK" in variants("insert_adverb", "THE KINGS ARE BACK", "en")
    assert variants("insert_adverb", "O RECURSO NÃO MERECE PROVIMENTO", "pt") == []  # as often a heading


@every(
    ("text", "language"),
    [
        ("É o relatório", "pt"),
        ("eu nego o pedido", "pt"),
        ("a união manifestou-se", "pt"),  # behind an adverb: se manifestou
        ("se o juiz recusou o pedido", "pt"),
        ("para que o juiz recuse o pedido", "pt"),
        ("o juiz recusou o pedido ?", "pt"),
        ("if she went", "en"),
        ("when he is here", "en"),
        ("she went home ?", "en"),
        ("she just went", "en"),
        ("hope you got the house", "en"),
        ("what she did is fine", "en"),
        ("o juiz recusaria o pedido", "pt"),
    ],
)
def test_no_adverb_claims_what_the_sentence_does_not(text, language):
    assert variants("insert_adverb", text, language) == []


@every(
    ("text", "language"),
    [
        ("o juiz já decidiu", "pt"),
        ("o juiz decidiu fundamentadamente", "pt"),
        ("o juiz sequer decidiu", "pt"),
        ("o tribunal nega provimento ao recurso", "pt"),
        ("recurso a que se dava provimento", "pt"),
        ("ao contrário do que disse o juiz", "pt"),
        ("no caso , decidiu o juiz", "pt"),
        ("she is very happy", "en"),
        ("she always went home", "en"),
        ("I swear", "en"),
        ("the name is , as I know , Ann", "en"),
        ("Hey Ann is your name Lee", "en"),
    ],
)
def test_no_adverb_stands_beside_another_in_set_phrases_or_without_a_subject(text, language):
    assert variants("insert_adverb", text, language) == []


def test_of_two_verbs_that_stand_close_only_the_first_gets_an_adverb():
    near = "ele recusou o pedido e saiu"
    far = "ele recusou o pedido do pai , da mãe e da filha , em casa , de manhã , e saiu"
    both = [variants("insert_adverb", text, "pt") for text in (near, far)]
    marked_near, marked_far = ([each.replace("realmente ", "*") for each in found if "realm" in each] for found in both)
    assert marked_near == ["ele *recusou o pedido e saiu"]
    assert marked_far == [far.replace("recusou", "*recusou"), far.replace("saiu", "*saiu")]


def test_adverbs_hit_verbs_at_a_rate_and_not_all_of_them():
    text = "ele viu tudo de manhã , em casa , diante do pai e do filho , e saiu"
    many = [Sentence((*text.split(), str(i))) for i in range(500)]
    adverb = find("InsertAdv")
    assert adverb.rate == 0.5
    hits = [len(p.edits) if (p := adverb.sample(sentence, seed=1)) is not None else 0 for sentence in many]
    assert 400 < sum(hits) < 600
    assert set(hits) == {0, 1, 2}


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "pt"])
@on_random_sentences
@given(sentence=sentences(), words=st.lists(st.sampled_from(["foi", "nega", "is", "said", "he"]), max_size=4))
def test_an_adverb_is_never_part_of_an_entity(language, sentence, words):
    longer = Sentence((*sentence.tokens, *words), (*sentence.tags, *("O" for _ in words)))
    perturbed = find("insert_adverb").configured(language=language, rate=1).sample(longer, seed=1)
    if perturbed is not None:
        new = perturbed.sentence
        assert all(tag == "O" for tag, origin in zip(new.tags, perturbed.origins, strict=True) if not origin)
        assert [tag for tag in new.tags if tag != "O"] == [tag for tag in longer.tags if tag != "O"]


def test_verbs_of_no_table_are_found_by_parts_of_speech():
    text = "ele desabrochou hoje e a flor fenece"
    assert marked(text, "pt") == "ele *desabrochou hoje e a flor fenece"
    found = variants("insert_adverb", "a flor fenece", "pt", parts_of_speech=Tagged("DET NOUN VERB"))
    assert "a flor realmente fenece" in found
    assert variants("negation", "o acordo foi bom", "pt", parts_of_speech=Tagged("DET NOUN NOUN ADJ")) == []


@pytest.mark.parametrize("wrong", ["spacy:pt", 3])
def test_what_gives_no_parts_of_speech_is_refused(wrong):
    with pytest.raises(TypeError, match="expected PartsOfSpeech or nothing"):
        variants("tense", "ele foi", "pt", parts_of_speech=wrong)
    with pytest.raises(ValueError, match="gave 1 tags for 2 tokens"):
        variants("tense", "ele foi", "pt", parts_of_speech=Tagged("PRON"))


@every(
    ("text", "expected"),
    [
        ("o réu recorreu", ["o réu não recorreu"]),
        ("o réu se defende", ["o réu não se defende"]),
        ("eu julgo o caso", ["eu não julgo o caso"]),
        ("O JUIZ RECUSOU TUDO", ["O JUIZ NÃO RECUSOU TUDO"]),
        ("É o relatório", []),  # set phrases begin so
        ("Trata-se de recurso", []),
        ("o tribunal nega provimento", []),
        ("a lei diz : é crime", []),
        ("o juiz mandou-lhe tudo", ["o juiz não lhe mandou tudo"]),
        ("o réu que recorreu perdeu", []),
        ("o réu recusou e saiu", []),
        ("o réu saiu , levando tudo", []),
        ("o réu também saiu", []),
        ("o réu saiu . ela ficou", ["o réu não saiu . ela ficou", "o réu saiu . ela não ficou"]),
        ("A [Organização Não Governamental ORG] saiu", ["A [Organização Não Governamental ORG] não saiu"]),
        ("o réu não recorreu", ["o réu recorreu"]),
        ("Não recorreu", ["Recorreu"]),
        ("Não se trata de recurso", ["Trata-se de recurso"]),
        ("Não [Ana PESSOA] , mas ele", []),
        ("o réu nunca recorreu e não saiu", []),
        ("é um não modelo", []),
        ("ninguém recorreu", []),
        ("o réu não disse nada", []),
        ("o réu não , o autor sim", []),
        ("recorreu ou não recorreu", []),
        ("o pedido", []),
        ("Requereu a improcedência", ["Não requereu a improcedência"]),
        ("Por isso , defiro o pedido", ["Por isso , não defiro o pedido"]),
        ("confira-se a decisão do juiz", []),
        ("o autor alega que o réu saiu", ["o autor não alega que o réu saiu"]),
        ("o autor entende que o réu saiu", []),  # "não entende que o réu tenha saído"
        ("a lei fere o artigo que trata disso", ["a lei não fere o artigo que trata disso"]),
        ("a lei fere o artigo porque trata disso", []),
        ("o réu diz que o autor não recorreu", ["o réu diz que o autor recorreu"]),
        ("o réu diz que o autor não recorreu mais", []),
        ("o réu não recorreu , mas o autor saiu", []),
        ("saiu o réu , não se defende", []),  # nobody writes ", se defende"
        ("o réu , à fl . 9 , saiu e voltou", []),
        ("com a vênia da divergência , acompanho o relator", []),
        ("o princípio é aplicável a todos , em razão da simetria", []),
        ("apesar da cobrança , o clube não usa os recursos", []),
        ("outra novidade é o volante", []),
        ("o ato não deve conduzir à invalidade quando atinge o objetivo", []),
    ],
)
def test_portuguese_negation(text, expected):
    assert variants("negation", text, "pt") == expected


@every(
    ("text", "expected"),
    [
        ("the fox jumps", ["the fox does not jump"]),
        ("they jump", ["they do not jump"]),
        ("the fox jumped", ["the fox did not jump"]),
        ("the fox is here", ["the fox is not here"]),
        ("the fox has jumped", ["the fox has not jumped"]),
        ("the fox has a den", ["the fox does not have a den"]),
        ("the fox can jump", ["the fox cannot jump"]),
        ("the fox will jump", ["the fox will not jump"]),
        ("Is she here ?", []),
        ("the fox is here . it jumps", []),
        ("the fox is here too", []),
        ("we have to jump", []),
        ("she can ' t wait", []),
        ("THE FOX JUMPS", ["THE FOX DOES NOT JUMP"]),
        ("the fox that jumps is red", []),
        ("the fox does not jump", ["the fox jumps"]),
        ("the fox did n't jump", ["the fox jumped"]),
        ("they do not jump", ["they jump"]),
        ("Do n't jump !", ["Jump !"]),
        ("the fox does not frobnicate", ["the fox does frobnicate"]),
        ("the fox is not here", ["the fox is here"]),
        ("the fox isn't here", ["the fox is here"]),
        ("the fox wo n't jump", ["the fox will jump"]),
        ("the fox can't jump", ["the fox can jump"]),
        ("the fox never jumps", ["the fox jumps"]),
        ("I do n ' t think it", ["I think it"]),
        ("he did n ’ t get it", ["he got it"]),
        ("they don ' t jump", ["they jump"]),
        ("they don’t jump", ["they jump"]),
        ("it is n ' t here", ["it is here"]),
        ("it isn ' t here", ["it is here"]),
        ("I ca n ' t go", ["I can go"]),
        ("ai n ' t so", []),
        ("Does anyone know it ?", []),
        ("when will you do it ?", []),
        ("Ann , will you do it ?", []),
        ("Do you guys know ?", []),
        ("Or does X seem odd ?", []),
        ("they do it", ["they do not do it"]),
        ("they did the deed", ["they did not do the deed"]),
        ("not only the fox", []),
        ("if not , why not ?", []),
        ("it ain't so", []),
        ("the fox has no den", []),
        ("nobody is here", []),
        ("he does not have any", []),
        ("John lives in Ireland", ["John does not live in Ireland"]),
        ("Business lives in Ireland", []),
        ("it 's a fox", ["it 's not a fox"]),
        ("we ' re here", ["we ' re not here"]),
        ("it 's gone", []),  # also "it has gone"
        ("the fox 's den is red", ["the fox 's den is not red"]),
        ("it is a fox that jumps", ["it is not a fox that jumps"]),
        ("it is a fox that jumps and still runs", []),
        ("any fox would jump", []),
        ("here is a fox", []),
        ("there is danger", []),
        ("the best fox he has seen", []),
        ("my oh my , is this a fox", []),
        ("the answer is : run", []),
        ("see how he does n't jump", ["see how he jumps"]),
        ("he does n't jump but he runs", []),
        ("they did n't", []),
        ("my cat would not allow it . It claws me", []),  # the second sentence takes it up
        ("install it , or it will not show", []),
        ("And here comes Ana !", []),
        ("another great thing is the screen", []),
        ("i love its screen", []),
        ("they developed a tool and we use it", []),
        ("96 never buy the paper", []),
    ],
)
def test_english_negation(text, expected):
    assert variants("ReverseNeg", text, "en") == expected


def test_two_negations_never_come_of_it():
    assert variants("negation", "o réu não recorreu", "pt", which="add") == []
    assert variants("negation", "o réu recorreu", "pt", which="remove") == []
    assert variants("negation", "he does not go", "en", which="add") == []


def test_do_not_is_chosen_for_they_and_does_not_for_he():
    assert variants("negation", "they say it", "en") == ["they do not say it"]
    assert variants("negation", "he says it", "en") == ["he does not say it"]


def test_a_negation_beyond_the_first_sentence_counts_too():
    assert variants("negation", "Saiu cedo . Não voltou .", "pt") == ["Saiu cedo . Voltou ."]


@on_random_sentences
@given(st.sampled_from(["o réu recorreu", "ele recusa o fato", "[Ana PESSOA] foi condenada", "o juiz se manifestou"]))
def test_a_negation_that_was_added_can_be_removed(text):
    (added,) = variants("negation", text, "pt")
    assert variants("negation", added, "pt") == [text]


@every(
    ("text", "expected"),
    [
        ("ele nega", ["negou"]),
        ("eles negaram", ["negam"]),
        ("nós negamos", []),
        ("Dizia o mesmo", ["Diz", "Disse"]),
        ("eu dizia", []),  # another verb, "e eu sanciono", may be in no table
        ("ela dizia", ["diz", "disse"]),
        ("o réu foi condenado", ["é"]),
        ("o réu foi ao fórum", ["vai"]),
        ("caso ele negue", []),
        ("ele negaria", []),
        ("ele nega e recorre", []),
        ("ele nega . ela recorre", ["negou", "recorreu"]),
        ("ele diz que foi", []),
        ("hoje ele nega", []),
        ("ele negou em 2018", []),
        ("ele negou em 3/4/2018", []),
        ("ele pode recorrer", []),
        ("É o relatório .", []),
        ("Faça-se o registro", []),
        ("Após , faça-se o registro", []),
        ("Negue o pedido", []),
        ("Trata-se de recurso", ["Tratou-se"]),
        ("É a lei", ["Foi"]),
        ("ISSO É A LEI", ["FOI"]),
        ("NEGO PROVIMENTO", ["NEGUEI"]),
        ("o pedido de recurso", []),
    ],
)
def test_portuguese_tense_keeps_person_and_mood(text, expected):
    sites = list(find("tense").sites(parse(text)))
    assert [edit.tokens[0] for site in sites for edit in site] == expected


@every(
    ("text", "expected"),
    [
        ("the fox jumps", ["jumped"]),
        ("the fox jumped", ["jumps"]),
        ("officials said", ["say"]),
        ("the official said", ["says"]),
        ("they said", ["say"]),
        ("Ann and Bob said", ["say"]),
        ("[United Nations ORG] said", ["says"]),
        ("two people in Porto said", []),
        ("I was there", ["am"]),
        ("she was there", ["is"]),
        ("wow ! and the value just got higher", ["gets"]),
        ("look ! and the value just got higher", []),
        ("a riddle explained clearly", []),
        ("here is a draft", []),
        ("you know , the fox", []),
        ("we are free this week", []),
        ("you should ' ve stayed", []),
        ("they 'll said", []),
        ("they did go", ["do"]),
        ("WE DID IT", ["DO"]),
        ("she will go", []),  # "would go" is of no time
        ("she is gone", ["was"]),
        ("she is here and likes it", []),
        ("she said he left", []),
        ("she went home yesterday", []),
        ("when she left", []),
        ("she danced and is happy", []),
        ("Regards , Ann", []),
        ("Did you get it ?", ["Do"]),
        ("he used to go", []),
        ("the man killed by dogs", []),
        ("THE FOX JUMPS", ["JUMPED"]),
    ],
)
def test_english_tense_keeps_person_as_far_as_words_tell(text, expected):
    sites = find("tense").configured(language="en").sites(parse(text))
    assert [edit.tokens[0] for site in sites for edit in site] == expected


@on_random_sentences
@given(st.sampled_from([(lemma, tense, forms) for lemma, tense, forms in rows("verbs_pt")]), st.integers(0, 3))
def test_another_tense_is_a_form_of_the_same_verb(row, person):
    lemma, _, forms = row
    subject = ("eu", "ele", "nós", "eles")[person]
    form = forms.split("|")[person]
    own = {form for other, _, cell in rows("verbs_pt") for form in cell.split("|") if other == lemma}
    sites = list(find("tense").sites(parse(f"{subject} {form}")))
    found = {edit.tokens[0] for site in sites for edit in site}
    assert form not in found
    shared = {other for other, _, cell in rows("verbs_pt") if form in cell.split("|")}
    assert shared != {lemma} or found <= own


@pytest.fixture
def inflector(monkeypatch):
    """LemmInflect as far as it is asked, with two verbs."""
    forms = {("boost", "VBP"): "boost", ("boost", "VBZ"): "boosts", ("boost", "VBD"): "boosted"}
    kinds = {"boosted": ["VERB"], "boosts": ["VERB", "NOUN"]}
    stub = SimpleNamespace(
        getAllLemmas=lambda word: dict.fromkeys(kinds.get(word, ()), ("boost",)),
        getInflection=lambda lemma, tag, *, inflect_oov: (forms[lemma, tag],) if not inflect_oov else (),
    )
    monkeypatch.setitem(sys.modules, "lemminflect", stub)
    _forget()
    yield
    _forget()


def _forget() -> None:
    inflections._library.cache_clear()
    inflections.dictionary_readings.cache_clear()


def test_english_verbs_beyond_the_table_come_from_lemminflect(inflector):
    assert variants("tense", "she boosted it", "en") == []
    assert variants("tense", "she boosted it", "en", inflections="lemminflect") == ["she boosts it"]
    assert variants("tense", "she said it", "en", inflections="lemminflect") == ["she says it"]


def test_a_word_that_could_be_a_noun_is_a_verb_where_parts_of_speech_say_so(inflector):
    assert variants("tense", "she boosts it", "en", inflections="lemminflect") == []
    tagged = Tagged("PRON VERB PRON")
    assert variants("tense", "she boosts it", "en", inflections="lemminflect", parts_of_speech=tagged) == [
        "she boosted it"
    ]


def test_without_lemminflect_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "lemminflect", None)
    _forget()
    with pytest.raises(ImportError, match=r"pip install 'abalo\[english\]'"):
        variants("tense", "she boosted it", "en", inflections="lemminflect")
    _forget()


def test_lemminflect_is_for_english_alone():
    with pytest.raises(ValueError, match="LemmInflect knows English alone"):
        variants("tense", "ela negou", "pt", inflections="lemminflect")


@pytest.mark.slow
def test_the_real_lemminflect_agrees_with_the_table():
    lemminflect = pytest.importorskip("lemminflect", reason="pip install 'abalo[english]'")
    _forget()
    for base, row in rows("verbs_en"):
        for form, tag in zip(row.split("|"), ("VBZ", "VBD", "VBN", "VBG"), strict=True):
            assert form in lemminflect.getInflection(base, tag, inflect_oov=False) or (base, tag) == ("get", "VBN")
    assert variants("tense", "she boosted it", "en", inflections="lemminflect") == ["she boosts it"]
    _forget()


def test_thanks_are_no_verb_though_the_dictionary_has_them_as_one():
    pytest.importorskip("lemminflect", reason="pip install 'abalo[english]'")
    _forget()
    assert variants("tense", "Thanks for your help !", "en", inflections="lemminflect") == []
    assert variants("tense", "she thanks us", "en", inflections="lemminflect") == []
    assert variants("tense", "she defies us", "en", inflections="lemminflect") == ["she defied us"]
