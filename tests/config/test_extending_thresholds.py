"""Thresholds that extend others: what is taken over, what is replaced, and what is refused."""

import pytest

from abalo.bundled import CASES, OWN_GATE, bundled_path
from abalo.config.thresholds import load
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.statistics.plan import BASELINE
from abalo.core.statistics.verdicts import Bound
from tests.conftest import ids, problems


def test_the_default_cases_have_no_bound_of_any_kind():
    found = load(bundled_path(CASES))
    assert {case.task for case in found.cases} == {*tasks()}
    assert {case.name for case in found.cases} >= {"baseline", "accents", "character_noise", "word_insertion"}
    bounded = [case for case in found.cases if case.bounds or case.max_losses or case.waiver]
    assert [case.id for case in bounded] == []
    assert [case.id for case in found.cases if case.guesses or case.least is not None] == []
    assert found.gate == Gate()


def test_the_gate_of_the_bundled_models_bounds_every_case_that_can_run():
    own = load(OWN_GATE)
    # Without a bound are those that need what does not ship: Chinese text, models, word vectors, a wordnet.
    # Nothing of translation ships.
    with_corpus = [case for case in own.cases if tasks()[case.task].default_corpus]
    assert [case.id for case in with_corpus if case.name == BASELINE and not case.bounds] == []
    unbounded = {(case.task, case.name) for case in with_corpus if not case.bounds}
    assert unbounded == {
        *(("ner", name) for name in ("homophone", "nasal", "sound_slip", "digits")),
        *(("ner", name) for name in ("back_translation", "mlm_suggestion", "synonym_embedding")),
        *(("classification", name) for name in ("textfooler", "genetic_attack", "pwws", "improved_genetic")),
        *(("classification", name) for name in ("kuleshov", "a2t", "pso", "hotflip")),
        # A bound on these would let a loss of 0.15 pass, or is 1.
        *(("classification", name) for name in ("pruthi", "clare")),
        # These change too little of the bundled corpora for a bound.
        *(("pos", name) for name in ("contraction", "tense", "number", "synonym_wordnet", "antonym", "prejudice")),
        *(("classification", name) for name in ("slice", "number", "contraction", "chat_style")),
        ("aspects", "rev_tgt"),
        *(("reading", name) for name in ("accents", "synonym_wordnet")),
        # On the bundled questions, a bound on these would let a loss of 0.15 pass; of deepwordbug 40 are attacked.
        *(("reading", name) for name in ("add_sent_diverse", "perturb_answer", "drop_answer", "more_passages")),
        ("reading", "modify_pos"),
        *(("segmentation", name) for name in ("number_range", "slice")),
        *(("reading", name) for name in ("one_typo", "deepwordbug", "slice")),
        *(("parsing", name) for name in ("misspelling", "delete_subtree", "add_subtree", "slice")),
        # As of reading; what is told of persons stands in too few sentences.
        *(("relations", name) for name in ("swap_triple_pos", "swap_birth", "swap_age", "swap_employee")),
        *(("relations", name) for name in ("misspelling", "insert_clause", "pipeline", "deepwordbug", "slice")),
        # Rules that read from left to right lose nothing by these, or too few documents change.
        *(("coreference", name) for name in ("contraction", "rnd_concat", "rnd_shuffle", "other_gender", "slice")),
    }


def test_the_bundled_choice_baseline_guesses_and_is_asked_nothing():
    (found,) = (case for case in load(OWN_GATE).cases if (case.task, case.name) == ("choice", BASELINE))
    assert (found.least, found.guesses) == (0, True)


def test_a_table_of_its_own_takes_the_place_of_the_one_it_extends(write):
    base = load(bundled_path(CASES))
    found = load(write('extends = "default"\n[[ner.accents]]\nmax_f1_drop = 0.01\n[[ner.accents]]\nrate = 0.5\n'))
    assert sorted(ids(found)) == sorted([*ids(base), "ner/accents[rate-0.5]"])
    assert [case.name for case in found.cases if case.name != "accents"] == [
        case.name for case in base.cases if case.name != "accents"
    ]
    assert next(case for case in found.cases if case.id == "ner/accents").bounds == (Bound("f1_drop", "max", 0.01),)
    assert found.gate == base.gate


def test_the_gate_is_laid_over_key_by_key(write):
    write("[gate]\nconfidence = 0.8\nseeds = [9]\n", "base.toml")
    assert load(write('extends = "base.toml"\n[gate]\nseeds = [1]\n')).gate == Gate(confidence=0.8, seeds=(1,))


def test_an_empty_table_removes_what_the_base_has(write):
    write("[[ner.accents]]\n[[ner.synonyms]]\n", "base.toml")
    assert ids(load(write('extends = "base.toml"\n[ner]\naccents = []\n'))) == ["ner/synonyms"]


def test_a_base_is_found_beside_the_file_that_names_it(write, tmp_path):
    (tmp_path / "deep").mkdir()
    write("[[ner.accents]]\n", "deep/base.toml")
    write('extends = "base.toml"\n', "deep/middle.toml")
    assert ids(load(write('extends = "deep/middle.toml"\n'))) == ["ner/accents"]


def test_mistakes_in_a_base_are_told_with_its_name(write):
    write("[[ner.acents]]\n", "base.toml")
    assert problems(write('extends = "base.toml"\n')) == [
        "base.toml [[ner.acents]]: no such test; did you mean 'accents'?"
    ]


def test_a_base_that_is_missing_is_told_with_the_file_that_asked_for_it(write, tmp_path):
    (line,) = problems(write('extends = "defualt"\n'))
    assert line == f"{tmp_path / 'defualt'}: no such thresholds file; thresholds.toml extends it"


@pytest.mark.parametrize("name", ["thresholds.toml", "./thresholds.toml"])
def test_a_file_that_extends_itself_is_refused(write, name):
    (line,) = problems(write(f'extends = "{name}"\n'))
    assert line.startswith(f"thresholds.toml extends: '{name}' leads back to itself")


def test_files_that_extend_each_other_are_refused_with_the_way_round(write):
    write('extends = "thresholds.toml"\n', "other.toml")
    (line,) = problems(write('extends = "other.toml"\n'))
    assert "(thresholds.toml -> other.toml -> thresholds.toml)" in line


def test_extends_is_a_name(write):
    (line,) = problems(write("extends = 3\n"))
    assert line == 'thresholds.toml extends: 3; expected "default" or the path of a thresholds file'
