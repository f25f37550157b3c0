"""Tables of tokens as they are published: which columns are read, and what is said about it."""

import pytest

from abalo.config.tasks import task_of_corpus
from abalo.corpora import load
from abalo.tasks.ner.in_parts import EntitiesInParts
from tests.rows import every
from tests.texts import TextWith

WIKINEURAL = "0\tAna\tB-PER\n1\tReis\tI-PER\n2\tfoi\tO\n\n0\tFaro\tB-LOC\n1\t2\tO\n"
GERMEVAL = (
    "#\thttp://de.wikipedia.org/wiki/Ana\t[2009-10-17]\n"
    "1\tDie\tO\tO\n2\tUniversität\tB-ORG\tO\n3\tKöln\tI-ORG\tB-LOC\n4\tsucht\tO\tO\n5\tAna\tB-PER\tO\n6\t.\tO\tO\n\n"
    "#\thttp://de.wikipedia.org/wiki/Bob\t[2009-10-18]\n1\tBob\tB-PER\tO\n2\tging\tO\tO\n"
)
UNER = (
    "# sent_id = en-0001\n# text = Ana Reis left .\n1\tAna\tB-PER\t-\t-\n2\tReis\tI-PER\t-\t-\n3\tleft\tO\t-\t-\n"
    "4\t.\tO\t-\t-\n\n# sent_id = en-0002\n# text = # Rome O\n1\t#\tO\t-\t-\n2\tRome\tB-LOC\t-\t-\n"
)
HIPE = (
    "TOKEN\tNE-COARSE-LIT\tNE-COARSE-METO\tNE-FINE-LIT\tNE-FINE-METO\tNE-FINE-COMP\tNE-NESTED\tNEL-LIT\tNEL-METO\tMISC\n"
    "# hipe2022:document_id = NZZ-1798-01-20\n# hipe2022:language = de\n"
    "Ana\tB-pers\tO\tB-pers.ind\tO\tB-comp.name\tO\tQ1\t_\t_\n"
    "Reis\tI-pers\tO\tI-pers.ind\tO\tI-comp.name\tO\tQ1\t_\tNoSpaceAfter\n"
    ".\tO\tO\tO\tO\tO\tO\t_\t_\tEndOfSentence\n"
    "Bern\tB-loc\tB-org\tB-loc.adm.town\tB-org.adm\tO\tO\tQ70\tQ70\tEndOfLine|EndOfSentence\n"
)
CONLL_2012 = (
    "#begin document (bc/cctv/00/cctv_0000); part 000\n"
    "bc/cctv/00/cctv_0000  0  0  Ann   NNP  (TOP(S(NP*  -  -  -  Speaker#1  (PERSON*  (ARG0*  (12\n"
    "bc/cctv/00/cctv_0000  0  1  Lee   NNP  *)  -  -  -  Speaker#1  *)  *)  12)\n"
    "bc/cctv/00/cctv_0000  0  2  left  VBD  (VP*  leave  01  1  Speaker#1  *  (V*)  -\n"
    "bc/cctv/00/cctv_0000  0  3  Rome  NNP  (NP*)))  -  -  -  Speaker#1  (GPE)  (ARG1*)  -\n"
    "\n"
    "bc/cctv/00/cctv_0000  0  0  Yes   UH   (TOP*)  -  -  -  -  *  -\n"
    "\n"
    "#end document\n#begin document (bc/cctv/00/cctv_0001); part 000\n"
    "bc/cctv/00/cctv_0001  0  0  Two   CD   (TOP*)  -  -  -  -  (CARDINAL)  -\n"
    "#end document\n"
)
PLUS = (
    "# global.columns = ID FORM UPOS NE MISC\n"
    "1\tAnn\tPROPN\tB-PER\t_\n2\tleft\tVERB\tO\tSpaceAfter=No\n3\t.\tPUNCT\tO\t_\n"
)

KAGGLE = """Sentence #,Word,POS,Tag
Sentence: 1,Ana,NNP,B-per
,Reis,NNP,I-per
,",",",",O
,\"\"\"\",``,O
,"1,000",CD,O
Sentence: 2,Faro,NNP,B-geo
,burns,VBZ,O
"""

PUBLISHED = {
    "ner_dataset.csv of Kaggle": (KAGGLE, ['[Ana Reis per] , " 1,000', "[Faro geo] burns"]),
    "a number of the sentence on each line": (
        "sentence_id,words,labels\n0,Ann,B-PER\n0,left,O\n1,Rome,B-LOC\n1,burns,O\n",
        ["[Ann PER] left", "[Rome LOC] burns"],
    ),
    "a number of the sentence without a header": (
        "0\tAnn\tB-PER\n0\tleft\tO\n0\tRome\tB-LOC\n1\tBob\tB-PER\n1\twon\tO\n",
        ["[Ann PER] left [Rome LOC]", "[Bob PER] won"],
    ),
    "commas, empty lines of cells": ("Word,Tag\nAnn,B-PER\nleft,O\n,\nRome,B-LOC\n", ["[Ann PER] left", "[Rome LOC]"]),
    "commas without a header": ("Ann,B-PER\nleft,O\n\nRome,B-LOC\n", ["[Ann PER] left", "[Rome LOC]"]),
    "semicolons": ("Ann;B-PER\nleft;O\n\nRome;B-LOC\n", ["[Ann PER] left", "[Rome LOC]"]),
    "WikiNEuRal": (WIKINEURAL, ["[Ana Reis PER] foi", "[Faro LOC] 2"]),
    "GermEval 2014": (GERMEVAL, ["Die [Universität Köln ORG] sucht [Ana PER] .", "[Bob PER] ging"]),
    "UNER": (UNER, ["[Ana Reis PER] left .", "# [Rome LOC]"]),
    "HIPE 2022": (HIPE, ["[Ana Reis pers] .", "[Bern loc]"]),
    "CoNLL-2012": (CONLL_2012, ["[Ann Lee PERSON] left [Rome GPE]", "Yes", "[Two CARDINAL]"]),
    "names in brackets": ("Ann (PER*\nLee *)\nleft *\nRome (LOC)\n", ["[Ann Lee PER] left [Rome LOC]"]),
    "UNER with a multiword token": (
        "1\tAnn\tB-PER\t-\t-\n2-3\tdel\t_\t-\t-\n2\tde\tO\t-\t-\n3\tel\tO\t-\t-\n",
        ["[Ann PER] de el"],
    ),
    "CoNLL-2003": ("Ann NNP B-NP B-PER\nleft VBD B-VP O\n", ["[Ann PER] left"]),
    "a document and a number first": (
        "doc1 1 Ann B-PER\ndoc1 2 left O\ndoc1 3 Rome B-LOC\n\ndoc1 1 Bob B-PER\ndoc1 2 won O\n",
        ["[Ann PER] left [Rome LOC]", "[Bob PER] won"],
    ),
    "CoNLL-U Plus": (
        PLUS,
        ["[Ann PER] left ."],
    ),
    "a header": ("Word\tPOS\tTag\nAnn\tNNP\tB-PER\nleft\tVBD\tO\n", ["[Ann PER] left"]),
    "tags first by the header": ("tag word\nB-PER Ann\nO left\n", ["[Ann PER] left"]),
}


@every(("content", "sentences"), PUBLISHED.values(), ids=PUBLISHED)
def test_published_columns_are_read_as_entities(written, rendered, content, sentences):
    name = written(content)
    assert task_of_corpus(name).name == "ner"
    assert rendered(load(name)) == sentences


def test_running_numbers_are_named_and_left_out(written):
    (notice,) = load(written(WIKINEURAL)).notices
    assert "column 2" in notice
    assert "column 1 holds running numbers" in notice
    assert "?tokens=2&tags=3" in notice


@pytest.mark.parametrize("name", ["val.conllu", "val.iob2", "val.tsv"])
def test_the_ending_of_a_file_does_not_make_entities_parts_of_speech(written, rendered, name):
    written(WIKINEURAL, name)
    assert task_of_corpus(name).name == "ner"
    assert rendered(load(name))[0] == "[Ana Reis PER] foi"


def test_several_columns_of_tags_are_named(written, rendered):
    corpus = load(written(GERMEVAL))
    assert "column 4 holds tags too" in corpus.notices[0]
    assert rendered(load("dev.conll?tags=4"))[0] == "Die Universität [Köln LOC] sucht Ana ."


def test_columns_are_named_by_the_header_or_by_number(written, rendered):
    written(HIPE)
    (notice,) = load("dev.conll").notices
    assert "column 4 (NE-FINE-LIT)" in notice
    assert rendered(load("dev.conll?tags=NE-FINE-LIT"))[0] == "[Ana Reis pers.ind] ."
    assert rendered(load("dev.conll?tokens=1&tags=4"))[0] == "[Ana Reis pers.ind] ."
    assert load("dev.conll?tokens=TOKEN&tags=NE-COARSE-LIT").notices == ()


def test_flags_tell_where_sentences_end_and_where_no_space_follows(written):
    assert [sentence.text for sentence in load(written(HIPE)).sentences] == ["Ana Reis.", "Bern"]


def test_documents_and_parts_of_speech_of_conll_2012_are_kept(written):
    corpus = load(written(CONLL_2012))
    assert corpus.document_starts == (0, 2)
    assert corpus.parts_of_speech == (("PROPN", "PROPN", "VERB", "PROPN"), ("INTJ",), ("NUM",))


def test_a_name_of_conll_2012_that_is_closed_twice_is_an_error(written, refusal):
    broken = CONLL_2012.replace("Speaker#1  *  (V*)", "Speaker#1  *)  (V*)")
    assert "dev.conll:4: '*)' closes a name that is not open" in refusal(written(broken))


def test_chunks_are_no_entities(written):
    assert load(written("Ann NNP B-NP B-PER\nleft VBD B-VP O\n")).notices == ()
    assert load(written("Ann NNP B-NP O\nleft VBD B-VP O\n")).entity_counts == {}


def test_words_of_two_columns_stay_words_whatever_they_are(written, rendered):
    assert rendered(load(written("1 O\n2 B-X\n"))) == ["1 [2 X]"]


@pytest.mark.parametrize(
    "content",
    ["".join(f"{k} O\n" for k in range(9)) + "9 B-X\n", "- O\n" * 9 + "- B-X\n"],
    ids=["numbers", "one value"],
)
def test_words_that_do_not_look_like_words_are_told(written, content):
    (notice,) = load(written(content)).notices
    assert "10 of 10 words are" in notice
    assert "?tokens=COLUMN" in notice


def test_a_column_that_is_not_there_is_an_error(written, refusal):
    written(WIKINEURAL)
    assert refusal("dev.conll?tags=9") == (
        "dev.conll: no column '9'; expected a number from 1 to 3; no header names the columns"
    )
    assert refusal("dev.conll?tag=2") == (
        "dev.conll?tag=2: no setting 'tag'; expected tokens=COLUMN, tags=COLUMN, scheme=bio|iob1|bioes, "
        "lenient=true|false; did you mean 'tags'?"
    )


def test_keys_of_json_can_be_named(written, rendered, refusal):
    name = written('{"words": ["Ann", "left"], "ner": ["B-PER", "O"]}\n', "dev.jsonl")
    assert "name the keys: FILE?tokens=KEY&tags=KEY" in refusal(name)
    assert rendered(load(f"{name}?tokens=words&tags=ner")) == ["[Ann PER] left"]
    assert task_of_corpus(f"{name}?tokens=words&tags=ner").name == "ner"


def test_a_row_of_another_width_is_mended_in_the_columns_that_are_read(written, rendered, refusal):
    content = "1\tAnn\tB-PER\n2\tleft\tO\n3\tRome\tx\tB-LOC\n4\twon\tO\n"
    assert "its column 2 for the token and its last for the tag" in refusal(written(content))
    assert rendered(load("dev.conll?lenient")) == ["[Ann PER] left [Rome LOC] won"]


SUFFIXED = "\n".join(f"{row}\tPER-B\n1\tleft\tO\n" for row in ("0\tAnn", "0\tBob", "0\tCid"))


@pytest.mark.parametrize(
    "content",
    [WIKINEURAL, GERMEVAL, UNER, CONLL_2012, HIPE + HIPE.partition("\n")[2].replace("# ", "\n# ", 1), SUFFIXED],
    ids=["WikiNEuRal", "GermEval", "UNER", "CoNLL-2012", "HIPE", "prefix last"],
)
def test_a_file_read_in_parts_has_the_sentences_of_the_whole(written, content):
    name = written(content)
    corpus = EntitiesInParts(name, None)
    source, parts = corpus.cut(1)
    assert len(parts) > 1
    read = [corpus.read(source, part) for part in parts]
    assert tuple(sentence for each in read for sentence in each.sentences) == load(name).sentences
    assert {each.notices for each in read} == {load(name).notices}


def test_what_is_repaired_and_the_scheme_are_the_same_in_all_parts(written):
    name = written("Ann B-PER\n\nBob I-PER\n\nRome I-LOC\n")
    for asked, repairs in (("lenient", [0, 1, 1]), ("scheme=iob1", [0, 0, 0])):
        corpus = EntitiesInParts(f"{name}?{asked}", None)
        source, parts = corpus.cut(1)
        read = [corpus.read(source, part) for part in parts]
        assert [each.repairs for each in read] == repairs
        assert [each.sentences[0].tags for each in read] == [("B-PER",), ("B-PER",), ("B-LOC",)]


def test_the_columns_asked_for_hold_in_all_parts(written):
    written(GERMEVAL)
    corpus = EntitiesInParts("dev.conll?tags=4", None)
    source, parts = corpus.cut(1)
    read = [corpus.read(source, part) for part in parts]
    assert [each.entity_counts for each in read] == [{"LOC": 1}, {}]


def test_the_column_that_says_which_sentence_a_word_is_in_is_named(written):
    (notice,) = load(written(KAGGLE, "ner_dataset.csv")).notices
    assert notice == TextWith("column 1 (Sentence #) ", "sentences begin")


def test_entities_in_the_last_column_of_conllu_are_read_where_they_are_asked_for(written, rendered):
    name = written(
        "# sent_id = 1\n1\tAnn\tAnn\tPROPN\t_\t_\t2\tnsubj\t_\tname=B-PER\n2-3\tdel\t_\t_\t_\t_\t_\t_\t_\t_\n"
        "2\tde\tde\tADP\t_\t_\t0\troot\t_\tSpaceAfter=No|name=O\n3\tel\tel\tDET\t_\t_\t2\tdet\t_\t_\n"
        "\n1\tRome\tRome\tPROPN\t_\t_\t0\troot\t_\tname=B-LOC\n",
        "dev.conllu",
    )
    corpus = load(name)
    assert rendered(corpus) == ["[Ann PER] de el", "[Rome LOC]"]
    assert corpus.sentences[0].text == "Ann deel"
    assert task_of_corpus(name).name == "pos"
