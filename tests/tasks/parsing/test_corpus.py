"""Trees in CoNLL-U and CoNLL-X."""

from dataclasses import replace

import pytest

import abalo
from abalo.cli import main
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.errors import AbaloError
from abalo.tasks.parsing.corpus import TreeRules, arcs_of, load
from perturbations import Arcs

MULTIWORD = """# newdoc
# text = Saiu da casa.
1\tSaiu\tsair\tVERB\t_\t_\t0\troot\t_\t_
2-3\tda\t_\t_\t_\t_\t_\t_\t_\t_
2\tde\tde\tADP\t_\t_\t4\tcase\t_\t_
3\ta\to\tDET\t_\t_\t4\tdet\t_\t_
4\tcasa\tcasa\tNOUN\t_\t_\t1\tobl:arg\t_\tSpaceAfter=No
4.1\tfoi\tser\tVERB\t_\t_\t_\t_\t1:conj\t_
5\t.\t.\tPUNCT\t_\t_\t1\tpunct\t_\t_

"""

CONLL_X = "1\tAna\t_\tN\tprop\t_\t2\tSUBJ\t_\t_\n2\tsaiu\t_\tV\tv\t_\t0\tROOT\t_\t_\n"


@pytest.fixture
def written(tmp_path):
    def write(text, name="dev.conllu"):
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return str(path)

    return write


def test_words_have_heads_and_multiword_tokens_have_none(written):
    corpus = load(written(MULTIWORD))
    (sentence,) = corpus.sentences
    assert sentence.tokens == ("Saiu", "de", "a", "casa", ".")
    assert sentence.tags == ("VERB", "ADP", "DET", "NOUN", "PUNCT")
    assert arcs_of(sentence).heads == (-1, 3, 3, 0, 0)
    assert arcs_of(sentence).relations == ("root", "case", "det", "obl:arg", "punct")
    assert sentence.spaces == (" ", " ", " ", "", "")
    assert corpus.document_starts == (0,)
    assert corpus.types == ("case", "det", "obl", "punct", "root")


def test_what_is_counted_is_asked_behind_the_name(written):
    path = written(MULTIWORD)
    assert load(f"{path}?subtypes=true").types == ("case", "det", "obl:arg", "punct", "root")
    assert load(f"{path}?subtypes&no_punctuation").rules == TreeRules(subtypes=True, punctuation=False)
    assert len({load(path + asked).sha256 for asked in ("", "?subtypes", "?no_punctuation=true")}) == 3


def test_variants_are_written_with_their_trees(written, tmp_path):
    path, out = written(MULTIWORD.replace("\tcasa\tcasa", "\tmansão\tmansão")), str(tmp_path / "out.conllu")
    assert main(["perturb", path, "--task", "parsing", "--with", "accents", "--keep-originals", "--out", out]) == 0
    original, variant = load(f"{out}?subtypes").sentences
    assert original == load(path).sentences[0]
    assert variant == replace(original, tokens=("Saiu", "de", "a", "mansao", "."))
    assert arcs_of(variant) == Arcs("heads", (-1, 3, 3, 0, 0), ("root", "case", "det", "obl:arg", "punct"))


def test_a_head_that_is_not_known_is_written_as_such(written, tmp_path):
    text = "\n".join([CONLL_X, CONLL_X.replace("N\tprop\t_\t2\tSUBJ", "_\t_\t_\t_\t_")])
    corpus, out = load(written(text, "dev.conll")), tmp_path / "out.conllu"
    tasks()["parsing"].writers[".conllu"](corpus, corpus.examples, out, ())
    assert load(str(out)).sentences == corpus.sentences


def test_conll_x_is_read_too(written):
    (sentence,) = load(written(CONLL_X, "dev.conll")).sentences
    assert (sentence.tokens, sentence.tags) == (("Ana", "saiu"), ("N", "V"))
    assert arcs_of(sentence).heads == (1, -1)


def test_conll_x_may_leave_out_its_last_two_columns(written):
    short = CONLL_X.replace("\t_\t_\n", "\n")
    assert short == "1\tAna\t_\tN\tprop\t_\t2\tSUBJ\n2\tsaiu\t_\tV\tv\t_\t0\tROOT\n"
    assert load(written(short, "short.conll")).sentences == load(written(CONLL_X, "dev.conll")).sentences
    with pytest.raises(AbaloError, match=r":1: 9 columns, .*; expected 10 or 8, separated by tabs"):
        load(written(short.replace("SUBJ", "SUBJ\t_")))


def test_several_roots_and_none_are_told(written):
    two = CONLL_X.replace("2\tSUBJ", "0\tROOT")
    none = CONLL_X.replace("0\tROOT", "_\t_")
    path = written("\n".join([two, none, CONLL_X, CONLL_X]))
    session = abalo.Session(task="parsing", corpus=path)
    report = session.task.report
    facts = report.part_facts(session.prepared.engine)
    assert facts["corpus"]["roots"] == {"several": 1, "none": 1}
    assert "The gold has several roots in 1 of 4 sentences and none in 1." in facts["notice"]
    assert report.whole_facts([facts, facts])["corpus"]["roots"] == {"several": 2, "none": 2}
    sound = {**facts["corpus"], "roots": {"several": 0, "none": 0}, "notices": []}
    assert not report.notice(
        {**facts, "corpus": sound, "types": {**facts["types"], "never_predicted": {}, "outside": {}}}
    )


def test_a_head_that_nobody_knows_and_a_missing_tag_are_no_fault(written):
    text = CONLL_X.replace("N\tprop\t_\t2\tSUBJ", "_\t_\t_\t_\t_")
    (sentence,) = load(written(text)).sentences
    assert (sentence.tags, arcs_of(sentence).heads) == (("", "V"), (None, -1))
    assert TreeRules().known(sentence) == [False, True]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\t2\tSUBJ", "\t7\tSUBJ", ":1: the HEAD is 7; expected another word, up to 2, or 0; correct it"),
        ("\t2\tSUBJ", "\t1\tSUBJ", ":1: the HEAD is 1; expected another word"),
        ("\t2\tSUBJ", "\tx\tSUBJ", ":1: the HEAD is 'x'; expected the ID of another word, or 0"),
        ("\t2\tSUBJ", "\t2\t_", ":1: the word has a HEAD and no DEPREL"),
        ("\t0\tROOT", "\t1\tROOT", ":1: the heads from word 1 on lead in a circle; correct one"),
        ("\t0\tROOT\t_\t_", "\t0", ":2: 7 columns"),
        ("2\tsaiu", "1\tsaiu", ":2: the ID 1 stands twice, so heads are ambiguous"),
    ],
)
def test_faults_are_told_with_their_line(written, old, new, message):
    with pytest.raises(AbaloError) as told:
        load(written(CONLL_X.replace(old, new)))
    assert message in str(told.value)


def test_repairs_are_counted(written):
    assert (
        load(written(CONLL_X.replace("2\tsaiu", "3\tsaiu").replace("\t2\tSUBJ", "\t3\tSUBJ")) + "?lenient").repairs == 1
    )


def test_a_file_without_heads_is_refused(written):
    text = CONLL_X.replace("2\tSUBJ", "_\t_").replace("0\tROOT", "_\t_")
    with pytest.raises(AbaloError, match="no word has a head in column HEAD"):
        load(written(text))
    with pytest.raises(AbaloError, match=r"2 columns, .*; expected 10"):
        load(written("Ana\tPROPN\nsaiu\tVERB\n"))


def test_a_corpus_that_ships_is_recognised_and_a_file_has_to_be_named(written):
    task = tasks()["parsing"]
    assert task.recognises("bundled:parsing-pt")
    assert not task.recognises(written(MULTIWORD))
    assert not tasks()["pos"].recognises("bundled:parsing-pt")
    assert len(task.read("bundled:parsing-pt", RunOptions()).sentences) == 270


def test_every_bundled_sentence_is_a_tree_with_one_root():
    for sentence in load("bundled:parsing-pt").sentences:
        heads = arcs_of(sentence).heads
        assert heads.count(-1) == 1
        assert arcs_of(sentence).relations[heads.index(-1)] == "root"
