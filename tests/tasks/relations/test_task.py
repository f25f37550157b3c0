"""The task of relations: what models are shown, what becomes of the spans, and what reports show."""

import json

import pytest

import abalo
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.errors import AbaloError
from abalo.tasks.relations.corpus import load
from abalo.tasks.relations.sentences import spans_in
from perturbations import Edit, apply, find, members

TASK = tasks()["relations"]
OF_RELATIONS = {"swap_ent", "swap_triple_pos", "swap_birth", "swap_age", "swap_employee", "insert_clause"}


@pytest.fixture(scope="module")
def usual() -> abalo.Session:
    return abalo.Session(task="relations", limit=150, seeds=[1], language="en")


def test_perturbations_fit_that_keep_the_relation():
    fit = {name for name, member in members().items() if TASK.accepts(member)}
    assert {"typos", "accents", "synonyms", *OF_RELATIONS} <= fit
    assert not {"negation", "antonym", "rev_tgt", "swap_named_ent", "boundary"} & fit


def test_no_other_task_takes_those_of_relations():
    for name, task in tasks().items():
        if name != "relations" and "perturbation" in task.probes:
            assert not any(task.accepts(find(each)) for each in OF_RELATIONS), name


@pytest.mark.parametrize("name", ["typos", "word_insertion", "ocr", "token_masking"])
@pytest.mark.parametrize("where", [True, "only"])
def test_universal_edits_leave_both_spans_alone_unless_they_are_asked_to_hit_them(name, where):
    member, hit = find(name).configured(rate=1, inside_entities=where), 0
    for example in load("bundled:relations-en", limit=40).examples:
        made = member.sample(example.sentence, seed=1)
        carried = example if made is None else TASK.carry(example, {"text": made})
        hit += carried is None or said(carried) != said(example)
    assert (hit > 0) is (where == "only")


def said(example):
    return [example.sentence.tokens[span.start : span.stop] for span in example.sentence.anchors]


def test_a_sentence_without_one_of_its_spans_is_left_out():
    (example, *_) = load("bundled:relations-en").examples
    span = example.sentence.anchors[0]
    gone = apply(example.sentence, [Edit(span.start, span.stop, ())])
    assert TASK.carry(example, {"text": gone}) is None


def test_the_model_that_ships_is_neither_perfect_nor_useless(usual):
    found = usual.judge("baseline").metrics
    assert 0.5 < found["macro_f1"].value < 0.9
    assert 0.5 < found["micro_f1"].value < 0.9


def test_code_is_given_tokens_and_spans_and_may_give_probabilities(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("own.py").write_text(
        "def make():\n"
        "    def label(given):\n"
        "        assert all(0 <= a < b <= len(tokens) >= d > c >= 0 for tokens, (a, b), (c, d) in given)\n"
        "        return [{'age': 0.9, 'title': 0.1} if any(t.isdigit() for t in tokens[o[0]:o[1]]) else "
        "{'age': 0.2, 'title': 0.8} for tokens, s, o in given]\n"
        "    return label\n"
    )
    own = abalo.Session(task="relations", model="own.py:make", limit=60, seeds=[1], language="en")
    assert own.judge("baseline").metrics["prob_drop_gold"].n


def test_texts_have_the_marks_that_are_asked_for(tmp_path, monkeypatch):
    sklearn = pytest.importorskip("sklearn.pipeline")
    skops = pytest.importorskip("skops.io")
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression

    texts = ["<s> Ana </s> was born in <o> Lima </o>", "<s> Ana </s> works for <o> Acme </o>"]
    model = sklearn.make_pipeline(CountVectorizer(token_pattern=r"\S+"), LogisticRegression())
    monkeypatch.chdir(tmp_path)
    skops.dump(model.fit(texts, ["birth_place", "employer"]), "m.skops")
    row = {"text": "Ana was born in Lima.", "subject": [0, 3], "object": [16, 20], "relation": "birth_place"}
    tmp_path.joinpath("a.jsonl").write_text(json.dumps(row))
    corpus = TASK.read("a.jsonl", RunOptions())
    found = TASK.load("m.skops", RunOptions(markers="<s>,</s>,<o>,</o>"), corpus)
    assert found.predict(corpus.inputs)[0].labels == ("birth_place",)
    assert found.settings["markers"] == "<s> </s> <o> </o>"
    assert found.fingerprint != TASK.load("m.skops", RunOptions(), corpus).fingerprint
    with pytest.raises(AbaloError, match="--abalo-markers a,b: expected four marks"):
        TASK.load("m.skops", RunOptions(markers="a,b"), corpus)


def test_prompts_show_the_sentence_with_marks_and_both_spans(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("lm.py").write_text(
        "class Model:\n"
        "    def replies(self, prompts):\n"
        "        assert all('[E1] ' in p and 'Subject: ' in p and 'Object: ' in p for p in map(str, prompts))\n"
        "        return ['spouse' for _ in prompts]\n"
        "def make():\n    return Model()\n"
    )
    own = abalo.Session(task="relations", model="lm.py:make", limit=30, seeds=[1], language="en")
    assert own.judge("baseline").metrics["accuracy"].value < 0.5


def test_a_rare_label_that_the_model_lacks_is_told_and_a_frequent_one_is_refused(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = lines_of("bundled:relations-en", 40)
    row = {"subject": [0, 3], "object": [10, 14], "relation": "rival"}
    odd = [json.dumps({"text": f"Ana {k} saw Lima.", **row}) for k in range(5)]
    tmp_path.joinpath("few.jsonl").write_text("\n".join([*lines, *odd[:4]]))
    corpus = TASK.read("few.jsonl", RunOptions())
    assert "rival" not in TASK.load(None, RunOptions(), corpus).labels
    tmp_path.joinpath("many.jsonl").write_text("\n".join([*lines, *odd]))
    with pytest.raises(AbaloError, match="rival"):
        TASK.load(None, RunOptions(), TASK.read("many.jsonl", RunOptions()))


def lines_of(name, limit):
    from abalo.tasks.relations.corpus import record_of

    return [json.dumps(record_of(example)) for example in load(name, limit=limit).examples]


def test_reports_mark_both_spans(usual):
    (result, *_) = usual.judge("typos", rate=0.5).results
    assert result.examples
    for example in result.examples:
        text = " ".join(example.tokens)
        assert text.count("[") == 2
        assert "]₁" in text
        assert "]₂" in text


def test_slices_of_the_spans(usual):
    (order, *_) = usual.judge("slice", of="span_order", first="object").results
    first = [
        each
        for each in usual.task.read("bundled:relations-en", usual.prepared.spec.options).sentences
        if each.anchors[1].start < each.anchors[0].start
    ]
    assert order.sentences == len(first) > 0
    (far, *_) = usual.judge("slice", of="span_distance", end="farthest").results
    assert far.sentences > 0


def test_every_sentence_of_the_bundled_corpus_can_change_its_letter_case_beside_the_spans():
    examples = TASK.read(TASK.default_corpus, RunOptions(limit=100)).examples
    change = find("letter_case").configured(language="en")
    made = [change.sample(each.sentence, seed=1) for each in examples]
    assert all(each is not None for each in made)
    for example, own in zip(examples, made, strict=True):
        before, after = spans_in(example.sentence), spans_in(own.sentence)
        assert [example.sentence.tokens[slice(each.start, each.stop)] for each in before] == [
            own.sentence.tokens[slice(each.start, each.stop)] for each in after
        ]
