"""The task of parts of speech: its corpora, its models, its cases."""

import gzip
from pathlib import Path

import pytest

from abalo.config.thresholds import case_of
from abalo.core.protocols.options import RunOptions
from abalo.core.records.gate import Gate
from abalo.core.running.engine import Engine
from abalo.errors import AbaloError
from abalo.tasks.pos.corpus import load
from abalo.tasks.pos.task import TASK
from perturbations import find, members

OPTIONS = RunOptions()

CONLLU = """\
# newdoc
# text = O canto soa.
1\tO\to\tDET\tDT\t_\t2\tdet\t_\t_
2\tcanto\tcanto\tNOUN\tNN\t_\t3\tnsubj\t_\t_
3\tsoa\tsoar\tVERB\tVBZ\t_\t0\troot\t_\tSpaceAfter=No
4\t.\t.\tPUNCT\t.\t_\t3\tpunct\t_\t_
"""


@pytest.fixture(scope="module")
def session() -> Engine:
    corpus = load("bundled:pos-pt", limit=80)
    return Engine(TASK, corpus, TASK.load(None, OPTIONS, corpus), Gate(resamples=200), seeds=(1,), options=OPTIONS)


def test_a_corpus_in_conllu_has_universal_tags_unless_those_of_the_language_are_asked_for(tmp_path):
    path = tmp_path / "dev.conllu"
    path.write_text(CONLLU, "utf-8")
    (sentence,) = load(str(path)).sentences
    assert (sentence.tags, sentence.policy, sentence.text) == (("DET", "NOUN", "VERB", "PUNCT"), "each", "O canto soa.")
    assert load(f"{path}?xpos").sentences[0].tags == ("DT", "NN", "VBZ", ".")


def test_a_packed_corpus_is_one_too(tmp_path):
    path = tmp_path / "dev.conllu.gz"
    path.write_bytes(gzip.compress(CONLLU.encode("utf-16")))
    assert TASK.recognises(str(path))
    assert TASK.recognises(f"{path}?xpos")
    assert load(f"{path}?xpos").sentences[0].tags == ("DT", "NN", "VBZ", ".")


def test_two_columns_of_any_tag_set_are_a_corpus_and_entity_tags_are_none_of_its_business(tmp_path):
    words, entities = tmp_path / "words.txt", tmp_path / "entities.txt"
    words.write_text("gato NOUN\ndorme VERB\n", "utf-8")
    entities.write_text("Ana B-PER\ndorme O\n", "utf-8")
    assert load(str(words)).sentences[0].tags == ("NOUN", "VERB")
    assert (TASK.recognises(str(words)), TASK.recognises(str(entities))) == (True, False)
    assert TASK.recognises(str(tmp_path / "any.conllu"))
    assert TASK.recognises("bundled:pos-pt")
    assert not TASK.recognises("bundled:legal-pt")


def test_running_numbers_in_front_of_tagged_words_are_left_out_and_said(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("# a comment\n1\tgato\tNOUN\n2\tdorme\tVERB\n\n1\t7\tNUM\n2\tsim\tINTJ\n", "utf-8")
    assert TASK.recognises(str(path))
    corpus = load(str(path))
    assert [(each.tokens, each.tags) for each in corpus.sentences] == [
        (("gato", "dorme"), ("NOUN", "VERB")),
        (("7", "sim"), ("NUM", "INTJ")),
    ]
    (notice,) = corpus.notices
    assert "column 1" in notice


def test_a_model_that_lacks_a_tag_of_the_corpus_is_refused(tmp_path):
    path = tmp_path / "words.txt"
    path.write_text("gato SUBSTANTIVO\n", "utf-8")
    with pytest.raises(AbaloError, match="SUBSTANTIVO"):
        TASK.load(None, OPTIONS, load(str(path)))


def test_all_perturbations_but_those_of_entities_have_a_table():
    tables = TASK.probes and {name for name, member in members().items() if TASK.accepts(member)}
    assert {"accents", "character_noise", "word_insertion", "multi_pos", "prefix_swap", "concat_sent"} <= tables
    assert not {"char_typo", "swap_named_ent", "ent_typos"} & tables
    assert find("multi_pos").scheme == "upos"


def test_the_tagger_that_ships_is_judged_by_its_accuracy(session):
    case = case_of(TASK, "baseline", {"min_accuracy": 0.8}, session.gate)
    run, judged = session.judge(case)
    estimate = judged.bound_view.estimate("accuracy")
    gold = [tag for example in session.examples for tag in example.sentence.tags]
    predicted = [tag for prediction in session.predictor.clean() for tag in prediction.tags]
    assert estimate.value == sum(a == b for a, b in zip(gold, predicted, strict=True)) / len(gold)
    assert judged.verdict == "pass"
    assert run.facts["sentences"] == 80


@pytest.mark.parametrize("name", ["accents", "word_insertion", "multi_pos", "concat_sent"])
def test_gold_is_carried_through_perturbations(session, name):
    run = case_of(TASK, name, {"max_accuracy_drop": 0.9}, session.gate)
    ran = run.probe.run(run, session)
    changed = [outcome for outcome in ran.outcomes if outcome.changed]
    assert changed
    for outcome in changed:
        new = outcome.perturbed.sentence
        for place, origin in enumerate(outcome.perturbed.origins):
            allowed = {"", *(outcome.sentence.tags[old] for old in origin)}
            assert new.tags[place] in allowed or not origin


def test_the_weights_that_ship_stand_in_a_folder_with_their_licence():
    folder = Path(__file__).parents[3] / "fixtures/pos-pt"
    assert {path.name for path in folder.iterdir()} == {"LICENSE", "NOTICE", "README.md", "weights.npz"}
    assert "CC BY-SA 4.0" in folder.joinpath("README.md").read_text("utf-8")


def test_a_bound_on_a_tag_that_there_is_not_is_refused_with_what_was_meant(session):
    case = case_of(TASK, "accents", {"max_accuracy_drop": {"NOUN": 0.1, "NUON": 0.2, "overall": 0.3}}, session.gate)
    ((_, bound, reason),) = TASK.check([case], session)
    assert bound.type == "NUON"
    assert reason.startswith("no part of speech 'NUON' in corpus or model; did you mean 'NOUN'?; there are ADJ, ADP, ")
