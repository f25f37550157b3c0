"""Files of documents with clusters: read, refused, written and read again, cut into windows."""

import json

import pytest

from abalo.config.tasks import task_of_corpus
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.errors import AbaloError
from abalo.models.coreference.scoring import gold_clusters
from abalo.tasks.coreference import TASK
from abalo.tasks.coreference.corpus import load
from perturbations.documents import document_name, mentions_of, sentences_of
from tests.published import published
from tests.texts import TextWith

OLD = """\
#begin document (bc/a); part 000
bc/a 0 0 Tom NNP (TOP* - - - - * (0)|(1
bc/a 0 1 's POS * - - - - * 1)
bc/a 0 2 dog NN * - - - - * -

bc/a 0 0 He PRP (TOP* - - - - * (0)
bc/a 0 1 ran VBD * - - - - * -

#end document
#begin document (bc/a); part 001
bc/a 1 0 Ann NNP (TOP* - - - - * (0)

#end document
"""
TABS = "#begin document (b); part 0\nb\t0\t0\tTom\t_\t_\t(0\nb\t0\t1\tMax\t_\t_\t(1|0)\nb\t0\t2\tLee\t_\t_\t1)\n"
TABS += "b\t0\t3\tran\t_\t_\t\n\n#end document\n"
FUD = """\
# newdoc id = c
# global.Entity = eid-etype-head-other
1\tTom\t_\tPROPN\t_\t_\t2\tnsubj\t_\tEntity=(e1-person-1-
2\tMax\t_\tPROPN\t_\t_\t0\troot\t_\tEntity=e1)(e2-x-1-(e3[1/2]-y-1-)|SpaceAfter=No
2.1\t_\t_\tPRON\t_\t_\t_\t_\t_\tEntity=(e4-z-1-)
3\t.\t_\tPUNCT\t_\t_\t2\tpunct\t_\tEntity=e2)

1\tHe\t_\tPRON\t_\t_\t0\troot\t_\tEntity=(e1-person-1-)

"""
LINES = {"doc_key": "d", "sentences": [["Tom", "ran"], ["He", "fell"]], "clusters": [[[0, 0], [2, 2]], [[0, 3]]]}


def written(tmp_path, text, name):
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def clusters(document):
    return sorted(map(sorted, gold_clusters(document).values()))


@pytest.mark.parametrize(
    ("text", "name", "expected"),
    [
        (OLD, "a.conll", [[[(0, 1), (3, 4)], [(0, 2)]], [[(0, 1)]]]),
        (TABS, "b.conll", [[[(0, 2)], [(1, 3)]]]),  # a crossing pair
        (FUD, "c.conllu", [[[(0, 2), (3, 4)], [(1, 3)]]]),
        (json.dumps(LINES), "d.jsonl", [[[(0, 1), (2, 3)], [(0, 4)]]]),
    ],
)
def test_every_form_is_read_and_recognised(tmp_path, text, name, expected):
    spec = written(tmp_path, text, name)
    corpus = load(spec)
    assert [clusters(each) for each in corpus.sentences] == expected
    assert TASK.recognises(spec)


def test_columns_with_clusters_and_no_names_are_of_no_other_task(tmp_path):
    assert task_of_corpus(written(tmp_path, TABS, "b.conll")) is TASK
    named = OLD.replace("NNP (TOP* - - - - * (0)|(1", "NNP (TOP* - - - - (PERSON) (0)|(1")
    assert task_of_corpus(written(tmp_path, named, "a.conll")).name == "ner"


def test_documents_have_their_names_sentences_and_spaces(tmp_path):
    first, second = load(written(tmp_path, OLD, "a.conll")).sentences
    assert (document_name(first), document_name(second)) == ("bc/a", "bc/a part 1")
    assert sentences_of(first) == [(0, 3), (3, 5)]
    (third,) = load(written(tmp_path, FUD, "c.conllu")).sentences
    assert third.text == "Tom Max. He"
    assert sentences_of(third) == [(0, 3), (3, 4)]


def test_what_cannot_be_a_mention_here_is_told(tmp_path):
    *_, told = load(written(tmp_path, FUD, "c.conllu")).notices
    assert told == TextWith("Read 3 mentions; left out 1 mention with gaps, 1 mention of empty nodes", "2 clusters")


@pytest.mark.parametrize(
    ("text", "name", "said"),
    [
        (OLD.replace("1)", "2)", 1), "a.conll", r"a.conll:3: 2\) closes a mention that is not open"),
        (OLD.replace("1)", "-"), "a.conll", "a.conll:2: a mention of 1 begins here and never ends in bc/a"),
        (OLD.replace("(0)|(1", "0|1"), "a.conll", "the last column is '0|1'; expected such as"),
        (OLD.replace("(0)|(1", "(0)|(2)"), "a.conll", r"a.conll:2: the mention 'Tom' of bc/a is in clusters 0 and 2"),
        (OLD.replace("(0)|(1", "(0)|(0)"), "a.conll", r"a.conll:2: the mention 'Tom' of bc/a is twice in cluster 0"),
        (FUD.replace("giv", "").replace("(e1-person-1-)", "(e1-person-1-"), "a.conllu", "a.conllu:8: a mention of e1"),
        ("Tom ran\n", "a.conll", "stands in no document; expected '#begin document' before it"),
        (OLD.replace("bc/a 0 2 dog NN * - - - - * -", "bc/a dog -"), "a.conll", "a.conll:4: .* the word in column 4"),
        (OLD.replace("dog NN * - - - - * -", "dog NN * - - - - *"), "a.conll", "a.conll:4: 11 columns; expected 12"),
        ('{"sentences": [["a"]], "clusters": [5]}', "a.jsonl", "the cluster 5; expected a list of mentions"),
        (OLD[: OLD.rindex("#end")], "a.conll", "the document bc/a part 1 has no '#end document' behind it"),
        (FUD.replace("Entity=e2)", "Entity=e2"), "a.conllu", r"Entity is 'e2'; expected such as \(e1-person-1\)"),
        (FUD.replace("Entity=(e1-person", "Entity=((e1-person"), "a.conllu", "a.conllu:3: Entity is"),
        ("", "a.conll", "no documents"),
        ('{"sentences": [["a"]]}', "a.jsonl", "expected an object with lists 'sentences' and 'clusters'"),
        (
            '{"sentences": [["a"]], "clusters": [[[0, 1]]]}',
            "a.jsonl",
            r"mention \[0, 1\] of document 1 lies outside the 1 tokens",
        ),
        (
            '{"sentences": [["a", "b"]], "clusters": [[[1, 0]]]}',
            "a.jsonl",
            r"\[1, 0\] of document 1 ends before it begins",
        ),
        ('{"sentences": [["a"]], "clusters": [[0]]}', "a.jsonl", "the mention 0; expected the numbers of its first"),
        ('{"sentences": [[" "]], "clusters": []}', "a.jsonl", "not lists of words with visible characters"),
        ('{"sentences": [["a"]], "clusters": [], "spaces": ["b"]}', "a.jsonl", "the spaces are not white space"),
    ],
)
def test_broken_files_say_where_and_what(tmp_path, text, name, said):
    with pytest.raises(AbaloError, match=said):
        load(written(tmp_path, text, name))


def test_the_cluster_is_the_field_that_the_file_names(tmp_path):
    path = tmp_path / "a.conllu"
    turned = FUD.replace("eid-etype-head-other", "etype-eid-head-other").replace("(e1-person", "(person-e1")
    path.write_text(turned.replace("(e2-x", "(x-e2").replace("(e3[1/2]-y", "(y-e3[1/2]"), "utf-8")
    assert {each.type for each in mentions_of(load(str(path)).sentences[0])} == {"e1", "e2"}
    path.write_text(FUD.replace("eid-etype", "GRP-etype"), "utf-8")  # as GUM has it
    assert {each.type for each in mentions_of(load(str(path)).sentences[0])} == {"e1", "e2"}
    path.write_text(FUD.replace("eid-etype", "etype"), "utf-8")
    with pytest.raises(AbaloError, match="expected eid or GRP among its fields"):
        load(str(path))


def test_a_treebank_with_tags_and_clusters_says_how_to_judge_them(tmp_path):
    spec = written(tmp_path, FUD, "c.conllu")
    assert task_of_corpus(spec) is TASK
    told = {name: tasks()[name].read(spec, RunOptions()).notices for name in ("pos", "coreference")}
    assert told["pos"] == ("Clusters of mentions are in the file, too: --abalo-task coreference judges them.",)
    assert "Parts of speech are in the file, too: --abalo-task pos judges them." in told["coreference"]


def test_names_of_documents_may_begin_with_the_sign_of_comments(tmp_path):
    text = OLD.replace("bc/a", "#7").replace("\n#7 0 2", "\n# a comment\n#7 0 2")
    first, second = load(written(tmp_path, text, "a.conll")).sentences
    assert (first.tokens, document_name(first)) == (("Tom", "'s", "dog", "He", "ran"), "#7")
    for ending in (".conll", ".conllu"):
        corpus = load(str(tmp_path / "a.conll"))
        TASK.writers[ending](corpus, corpus.examples, tmp_path / f"b{ending}", ())
        again = load(str(tmp_path / f"b{ending}"))
        assert [each.tokens for each in again.sentences] == [first.tokens, second.tokens]


@pytest.mark.parametrize(
    ("name", "kept"), [("a\tb\n#end document", "a b #end document"), ("(x)", "(x)"), (" ", "document 1")]
)
def test_any_name_of_a_document_is_written_on_one_line(tmp_path, name, kept):
    corpus = load(written(tmp_path, json.dumps({**LINES, "doc_key": name}), "d.jsonl"))
    for ending in (".conll", ".conllu"):
        TASK.writers[ending](corpus, corpus.examples, tmp_path / f"b{ending}", ())
        (again,) = load(str(tmp_path / f"b{ending}")).sentences
        assert (document_name(again), clusters(again)) == (kept, clusters(corpus.sentences[0]))


def test_documents_of_one_name_are_told(tmp_path):
    (told,) = load(written(tmp_path, OLD.replace("part 001", "part 000"), "a.conll")).notices
    assert told.startswith("2 documents are called 'bc/a'; each was read as a document of its own.")


def test_mentions_of_one_cluster_that_cross_are_written_as_json_alone(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text('{"sentences": [["a", "b", "c", "d"]], "clusters": [[[0, 2], [1, 3]]]}\n')
    corpus = load(str(path))
    for ending in (".conll", ".conllu"):
        with pytest.raises(AbaloError, match="document 1 has mentions of one cluster that cross"):
            TASK.writers[ending](corpus, corpus.examples, tmp_path / f"b{ending}", ())
    TASK.writers[".jsonl"](corpus, corpus.examples, tmp_path / "b.jsonl", ())
    assert [mentions_of(each) for each in load(str(tmp_path / "b.jsonl")).sentences] == [
        mentions_of(each) for each in corpus.sentences
    ]


def test_a_mention_that_never_ends_is_left_out_by_lenient_reading(tmp_path):
    corpus = load(f"{written(tmp_path, OLD.replace('1)', '-'), 'a.conll')}?lenient")
    assert corpus.repairs == 1
    assert clusters(corpus.sentences[0]) == [[(0, 1), (3, 4)]]


@pytest.mark.parametrize("ending", [".jsonl", ".conll", ".conllu"])
def test_written_documents_are_read_again(tmp_path, ending):
    path = tmp_path / f"again{ending}"
    corpora = [load(written(tmp_path, TABS, "b.conll")), load("bundled:coreference-pt", limit=20)]
    for corpus in corpora:
        TASK.writers[ending](corpus, corpus.examples, path, ())
        again = load(str(path))
        assert list(map(clusters, again.sentences)) == list(map(clusters, corpus.sentences))
        assert [each.tokens for each in again.sentences] == [each.tokens for each in corpus.sentences]
        assert list(map(sentences_of, again.sentences)) == list(map(sentences_of, corpus.sentences))


def test_published_documents_are_read_and_written(tmp_path):
    corpus = load(str(published("coreference/4300_ulysses.conll")))
    assert task_of_corpus(corpus.name) is TASK
    (document,) = corpus.sentences
    assert (len(document), len(sentences_of(document))) == (2034, 179)
    assert corpus.sizes == {"mentions": 361, "clusters": 66, "singletons": 44}
    for ending, write in TASK.writers.items():
        write(corpus, corpus.examples, tmp_path / f"again{ending}", ())
        assert clusters(load(str(tmp_path / f"again{ending}")).sentences[0]) == clusters(document)


def test_windows_cut_clusters_and_say_how_many(tmp_path):
    spec = written(tmp_path, json.dumps(LINES), "d.jsonl")
    corpus = load(f"{spec}?window=1")
    assert list(map(clusters, corpus.sentences)) == [[[(0, 1)]], [[(0, 1)]]]  # a mention across the cut is in neither
    assert [each.tokens for each in corpus.sentences] == [("Tom", "ran"), ("He", "fell")]
    assert corpus.cut == 1
    (notice,) = corpus.notices
    assert notice == TextWith("windows of 1 sentence; ", "cut 1 cluster", "help no bound")
    one, other = corpus.examples
    assert one.cluster == other.cluster
    assert len({each.cluster for each in load(f"{spec}?window=1&unit=window").examples}) == 2
    assert len(load(f"{spec}?window=5").sentences) == 1


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("window=0", "window=0; expected how many sentences a window has"),
        ("window=-1", "window=-1; expected how many sentences a window has"),
        ("unit=window", "unit=window needs windows; add window=20"),
    ],
)
def test_other_settings_are_refused(tmp_path, asked, said):
    with pytest.raises(AbaloError, match=said):
        load(f"{written(tmp_path, OLD, 'a.conll')}?{asked}")


@pytest.mark.parametrize(("asked", "kept"), [("", True), ("?singletons", True), ("?singletons=false", False)])
def test_singletons_are_kept_if_the_file_has_some(asked, kept):
    assert TASK.read(f"bundled:coreference-en{asked}", RunOptions(limit=3)).rules.singletons is kept


def test_a_file_without_singletons_leaves_them_out(tmp_path):
    record = {**LINES, "clusters": LINES["clusters"][:1]}
    path = written(tmp_path, json.dumps(record), "d.jsonl")
    assert load(path).rules.singletons is False
    assert load(f"{path}?singletons").rules.singletons is True


def test_the_digest_knows_clusters_not_their_names(tmp_path):
    def digest(text):
        return load(written(tmp_path, text, "a.conll")).sha256

    assert digest(OLD) == digest(OLD.replace("(1", "(7").replace("1)", "7)"))
    assert digest(OLD) != digest(OLD.replace("He PRP (TOP* - - - - * (0)", "He PRP (TOP* - - - - * (5)"))


def test_bundled_documents_are_distinct_and_have_what_the_gate_needs():
    for language in ("en", "pt"):
        corpus = load(f"bundled:coreference-{language}")
        assert len({each.id for each in corpus.examples}) == len(corpus.sentences) > 200
        assert all(any(len(cluster) > 1 for cluster in gold_clusters(each).values()) for each in corpus.sentences)
        assert all(mentions_of(each) for each in corpus.sentences)
