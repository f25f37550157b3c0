"""Tags that are BIO in all but how they are written."""

import pytest

from abalo.config.tasks import task_of_corpus
from abalo.corpora import load
from abalo.errors import AbaloError
from tests.rows import every

WORDS = ("Ann", "Lee", "left", "in", "Rome", ".")

FORMS = {
    "lower case": ("b-PER i-PER o o b-LOC o", "[Ann Lee PER] left in [Rome LOC] ."),
    "lower case but for O": ("b-PER i-PER O O b-LOC O", "[Ann Lee PER] left in [Rome LOC] ."),
    "underscore": ("B_PER I_PER O O B_LOC O", "[Ann Lee PER] left in [Rome LOC] ."),
    "colon": ("B:PER I:PER O O B:LOC O", "[Ann Lee PER] left in [Rome LOC] ."),
    "prefix last": ("PER-B PER-I O O LOC-B O", "[Ann Lee PER] left in [Rome LOC] ."),
    "prefix last, underscore": ("PER_B PER_I O O LOC_B O", "[Ann Lee PER] left in [Rome LOC] ."),
    "prefix last, BIOES": ("PER-B PER-E O O LOC-S O", "[Ann Lee PER] left in [Rome LOC] ."),
    "no type": ("B I O O B O", "[Ann Lee ENTITY] left in [Rome ENTITY] ."),
    "no type, BMES": ("B E O O S O", "[Ann Lee ENTITY] left in [Rome ENTITY] ."),
    "bare types": ("PER PER O O LOC O", "[Ann Lee PER] left in [Rome LOC] ."),
    "a hyphen for O": ("PER-B PER-I - - LOC-B -", "[Ann Lee PER] left in [Rome LOC] ."),
    "an underscore for O": ("B_PER I_PER _ _ B_LOC _", "[Ann Lee PER] left in [Rome LOC] ."),
    "BIO with another sign for O": ("B-PER I-PER 0 0 B-LOC 0", "[Ann Lee PER] left in [Rome LOC] ."),
    "BIO with a word for O": ("B-PER I-PER OUT OUT B-LOC OUT", "[Ann Lee PER] left in [Rome LOC] ."),
    "bare types in lower case": ("per per o o loc o", "[Ann Lee per] left in [Rome loc] ."),
    "bare types with another word for O": ("PER PER NONE NONE LOC NONE", "[Ann Lee PER] left in [Rome LOC] ."),
    "bare types with another sign for O": ("PER PER 0 0 LOC 0", "[Ann Lee PER] left in [Rome LOC] ."),
    "words for B and I": ("BEGIN-PER INSIDE-PER O O BEGIN-LOC O", "[Ann Lee PER] left in [Rome LOC] ."),
    "bare types with a hyphen": (
        "person-other person-other O O location-GPE O",
        "[Ann Lee person-other] left in [Rome location-GPE] .",
    ),
}


def columns(tags: str) -> str:
    return "".join(f"{word} {tag}\n" for word, tag in zip(WORDS, tags.split(), strict=True))


@every(("tags", "sentence"), FORMS.values(), ids=FORMS)
def test_tags_of_another_form_are_entities_and_said_to_be(written, rendered, tags, sentence):
    name = written(columns(tags))
    assert task_of_corpus(name).name == "ner"
    corpus = load(name)
    assert rendered(corpus) == [sentence]
    (notice,) = corpus.notices
    assert repr(tags.split()[0]) in notice
    assert "--abalo-task" in notice


def test_another_sign_for_o_is_named(written):
    (notice,) = load(written(columns("B-PER I-PER OUT OUT B-LOC OUT"))).notices
    assert "'OUT' was read as O" in notice


@pytest.mark.parametrize("tags", ["1 2 0 0 3 0"])
def test_tags_that_are_numbers_are_one_problem(written, refusal, tags):
    told = refusal(written(columns(tags)))
    assert "the tags are numbers, such as '1'" in told
    assert len(told.splitlines()) == 1


def test_touching_entities_keep_their_beginnings(written, rendered):
    assert rendered(load(written("Ann PER-B\nBob PER-B\nleft O\n"))) == ["[Ann PER] [Bob PER] left"]


def test_json_may_have_these_forms_too(written, rendered):
    name = written('{"tokens": ["Ann", "Lee", "left"], "tags": ["PER-B", "PER-I", "O"]}\n', "dev.jsonl")
    assert rendered(load(name)) == ["[Ann Lee PER] left"]


@pytest.mark.parametrize(
    "tags",
    ["PER PER O LOC LOC LOC", "B M E S S S", "1 2 0 0 3 0", "BPER IPER O O BLOC O", "PER(B) PER(I) O O LOC(B) O"],
    ids=[
        "bare types that are more than O",
        "words in BMES",
        "numbers",
        "B and I without a sign",
        "B and I in brackets",
    ],
)
def test_a_file_that_may_hold_entities_is_never_parts_of_speech_unasked(written, tags):
    with pytest.raises(AbaloError, match="name the task with --abalo-task"):
        task_of_corpus(written(columns(tags)))


@pytest.mark.parametrize(
    "tags",
    ["NOUN NOUN VERB ADP PROPN PUNCT", "N N V P O ,", "NN-S NN VB IN NNP ."],
    ids=["universal", "one sign each", "a hyphen"],
)
def test_parts_of_speech_stay_parts_of_speech(written, tags):
    assert task_of_corpus(written(columns(tags))).name == "pos"


def test_one_tag_of_another_form_among_bio_is_an_error(written, refusal):
    assert "dev.conll:2: 'Lee' has the tag 'PER-I'" in refusal(written(columns("B-PER PER-I O O B-LOC O")))


def test_without_any_o_nothing_is_taken_for_granted(written, refusal):
    assert "'Ann' has the tag 'PER'" in refusal(written("Ann PER\nRome LOC\n"))
