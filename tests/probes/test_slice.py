"""Slices as cases: read, run, judged, calibrated."""

import math
from types import SimpleNamespace

import pytest

from abalo.config.calibration import add_bounds, calibrate_case
from abalo.config.thresholds import load
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.core.running.engine import CaseRun
from abalo.core.running.judging import Judged
from abalo.core.statistics.estimates import measure_metrics
from abalo.core.statistics.verdicts import Bound
from abalo.errors import AbaloError
from tests.conftest import ids, problems
from tests.scripted import Gazetteer, corpus_of, session_of
from tests.texts import TextWith

GATE = Gate(resamples=400)

SHORT = [f"[José{k} PESSOA] saiu" for k in range(60)]
LONG = [f"[Ana{k} PESSOA] saiu de casa bem cedo com [Rui{k} PESSOA]" for k in range(60)]
MODEL = Gazetteer(*SHORT, *(text.replace("[Ana", "Ana").replace(" PESSOA] saiu", " saiu") for text in LONG))
"""Finds all in the short sentences, and one of two in the long ones."""

LONGEST = '[[ner.slice]]\nof = "length"\nend = "longest"\nshare = 0.5\n'


@pytest.fixture
def both(write):
    """Runs and judges the one case of a table."""

    def judge(table: str, corpus=None, model=MODEL) -> tuple[CaseRun, Judged]:
        (case,) = load(write(table)).cases
        return session_of(corpus or corpus_of(*SHORT, *LONG), model, gate=GATE).judge(add_bounds(case))

    return judge


@pytest.fixture
def result(both):
    """Judges the one case of a table."""
    return lambda *given, **more: both(*given, **more)[1]


def f1_of_the_rest(found: Judged, task: str = "ner"):
    """The F1 outside of the slice as the report has it."""
    facts = {"slice": {"rest": {}}}
    case = found.case
    return case.probe.refreshed(facts, case, found.evidence, tasks()[task], GATE)["slice"]["rest"]["f1"]


def test_an_entry_is_a_case_about_the_slice_that_it_names(write):
    (case,) = load(write(LONGEST + "max_f1_gap = 0.1\nmin_f1 = 0.7\nlimit = 9\nblocking = false\n")).cases
    assert (case.id, case.name) == ("ner/slice[of-length-share-0.5-end-longest-limit-9]", "slice")
    assert case.plan.of.name == "length"
    assert not case.probe.perturbs
    assert case.bounds == (Bound("f1_gap", "max", 0.1), Bound("f1", "min", 0.7))


def test_entries_about_different_slices_stand_in_one_table(write):
    entries = ('of = "phrase"', 'of = "phrase"\nphrase = "question"', 'of = "length"')
    assert ids(load(write("".join(f"[[ner.slice]]\n{entry}\n" for entry in entries)))) == [
        "ner/slice[of-phrase]",
        "ner/slice[of-phrase-phrase-question]",
        "ner/slice[of-length]",
    ]


def test_scores_are_of_the_slice_and_the_gap_is_to_the_rest(result):
    found = result(LONGEST)
    view = found.bound_view
    assert view.estimate("f1").value == pytest.approx(2 / 3)
    assert f1_of_the_rest(found)["value"] == 1
    gap = view.estimate("f1_gap")
    assert gap.value == pytest.approx(1 / 3)
    assert (gap.n, view.estimate("f1").n, view.estimate("f1_gap", "PESSOA").n) == (60, 60, 60)
    assert view.support == {"PESSOA": 120}


def test_the_gap_has_an_interval_and_f1_of_the_slice_its_own(result):
    some = Gazetteer(*SHORT[:50], *LONG[:40])
    found = result(LONGEST, model=some)
    rest = measure_metrics(
        found.evidence.only(found.evidence.outside), "projected", [tasks()["ner"].metrics()["f1"]], GATE
    ).estimate("f1")
    found = found.bound_view
    gap, f1 = found.estimate("f1_gap"), found.estimate("f1")
    assert gap.low < gap.value < gap.high
    assert f1.low < f1.value < f1.high
    assert gap.se**2 == pytest.approx(f1.se**2 + rest.se**2, rel=0.2)


def test_every_view_says_the_same(result):
    views = result(LONGEST).measurements.values()
    assert len({(each.estimate("f1").value, each.estimate("f1_gap").value) for each in views}) == 1


def test_nothing_is_asked_of_the_model_beyond_the_clean_corpus(both):
    found, _ = both(LONGEST)
    outside = found.evidence.outside
    assert (found.facts["inputs"], found.facts["seeds"], (~outside).sum(), outside.sum()) == (0, [0], 60, 60)
    assert not found.evidence.changed.any()
    assert (found.facts["sentences"], found.facts["slice"]["rest"]["sentences"]) == (60, 60)


@pytest.mark.parametrize(
    ("bound", "verdict"), [("max_f1_gap = 0.5", "pass"), ("max_f1_gap = 0.2", "fail"), ("min_f1 = 0.8", "fail")]
)
def test_bounds_are_judged(result, bound, verdict):
    assert result(LONGEST + bound).verdict == verdict


def test_a_bound_can_be_on_one_type(result):
    found = result(LONGEST + "max_f1_gap = {PESSOA = 0.5}")
    assert found.verdict == "pass"


def test_few_sentences_in_the_slice_are_not_judged_and_it_says_so(result):
    found = result(LONGEST.replace("0.5", "0.1") + "max_f1_gap = 0.9\nmin_f1 = 0.1", corpus_of(*SHORT, *LONG[:20]))
    assert [each.reason for each in found.judgements] == [TextWith("fewer than 50", "in the slice (20)")] * 2
    assert found.verdict == "inconclusive"
    assert "in the slice would settle it" in found.explanation


def test_few_sentences_outside_say_nothing_about_a_gap_but_do_about_f1(result):
    found = result(LONGEST.replace("0.5", "0.6") + "max_f1_gap = 0.1\nmin_f1 = 0.5", corpus_of(*SHORT[:20], *LONG))
    gap, f1 = found.judgements
    assert (gap.verdict, gap.reason) == (
        "inconclusive",
        TextWith("fewer than 50", "outside of", "(20)"),
    )
    assert f1.verdict == "pass"


def test_an_empty_slice_is_no_pass(result):
    table = '[[ner.slice]]\nof = "phrase"\nphrase = "question"\nmin_f1 = 0.1\nmax_f1_gap = 0.5\n'
    found = result(table)
    (reason,) = {each.reason for each in found.judgements}
    assert reason == TextWith("fewer than 50", "in the slice (0)")
    assert math.isnan(found.bound_view.estimate("f1").value)


def test_a_slice_without_entities_is_no_pass(result):
    corpus = corpus_of(*SHORT, *(f"nada de novo aqui {k}" for k in range(60)))
    found = result(LONGEST + "min_f1 = 0.1", corpus)
    assert found.deciding.reason == "the slice holds no entities"


def test_copies_are_no_more_sentences(result):
    found = result(LONGEST.replace("0.5", "0.01") + "min_f1 = 0.1", corpus_of(*SHORT, *[LONG[0]] * 60))
    assert found.deciding.reason == TextWith("fewer than 50", "in the slice (1)")


def test_a_limit_is_of_the_corpus_not_of_the_slice(both):
    found, _ = both(LONGEST + "limit = 80\n")
    assert len(found.evidence) == found.facts["sentences"] + found.facts["slice"]["rest"]["sentences"] == 80


def test_a_slice_without_bounds_is_calibrated_by_its_gap(result):
    (found,) = calibrate_case(result(LONGEST), GATE, 1)
    assert found.judgement.bound.name == "max_f1_gap"
    assert found.judgement.estimate.high > 1 / 3
    assert found.limit is None  # of so few sentences only a larger loss is detectable
    assert found.detectable > 0.15


def test_a_rest_without_entities_is_nothing_to_be_compared_with(result):
    """The model invents one in each sentence outside, so that its F1 is 0 there: no slice could be worse than that."""
    plain = (f"hoje [chove{k} PESSOA] muito" for k in range(60))
    corpus = corpus_of(*LONG, *(f"hoje chove{k} muito" for k in range(60)))
    found = result(LONGEST + "max_f1_gap = 0.0\n", corpus, Gazetteer(*plain))
    assert math.isnan(found.bound_view.estimate("f1_gap").value)
    assert f1_of_the_rest(found) is None
    assert found.verdict == "inconclusive"
    assert found.deciding.reason == TextWith("fewer than 20 of 60", "outside of", "(0)")


def test_the_gap_is_to_the_sentences_of_the_rest_that_hold_an_entity(result):
    """30 of the rest hold one, which is found; in the other 30 one is invented, and these are left out."""
    plain = [f"hoje [chove{k} PESSOA]" for k in range(30)]
    corpus = corpus_of(*LONG, *SHORT[:30], *(text.replace("[", "").replace(" PESSOA]", "") for text in plain))
    found = result(LONGEST + "max_f1_gap = 0.5\n", corpus, Gazetteer(*SHORT, *plain))
    assert f1_of_the_rest(found)["value"] == 1
    assert found.bound_view.estimate("f1_gap").value == 1  # in the long ones it finds none
    assert found.verdict == "fail"


def test_a_type_that_the_rest_lacks_has_no_gap(result):
    """Of a place invented outside, and one that is found in the slice, no difference could be told."""
    corpus = corpus_of(*(text.replace("casa", "[Natal LOCAL]") for text in LONG), *SHORT)
    found = result(LONGEST, corpus, Gazetteer(*SHORT, "[Natal LOCAL]", "[saiu LOCAL]"))
    assert math.isnan(found.bound_view.estimate("f1_gap", "LOCAL").value)
    assert not math.isnan(found.bound_view.estimate("f1_gap", "PESSOA").value)


def test_mistakes_are_told_with_what_was_expected(write):
    path = write(
        """
        [[ner.slice]]
        share = 0.5

        [[ner.slice]]
        of = "lenght"

        [[ner.slice]]
        of = "unseen_entities"

        [[ner.slice]]
        of = "length"
        share = 2
        seeds = [1]
        view = "padded"
        max_f1_drop = 0.1
        words = "female"

        [[ner.slice]]
        seeds = [1]

        [[ner.accents]]
        max_f1_gap = 0.1
        of = "length"
        """
    )
    known = (
        "entity_density, entity_length, gender_words, length, perplexity, phrase, rare_types, several_spans, "
        "unseen_context, "
    )
    expected = [
        f'[[ner.slice]] number 1: which slice? expected of = "NAME" with one of {known}',
        "[[ner.slice]] number 2 of: 'lenght': no such slice; did you mean 'length'?; there are ",
        "[[ner.slice]] number 3: unseen_entities needs training, a corpus that the model has learned from: training",
        "[[ner.slice]] number 4 seeds: length is a slice, and perturbs nothing; leave it out",
        "[[ner.slice]] number 4 view: length is a slice, and perturbs nothing; leave it out",
        "[[ner.slice]] number 4 words: no such parameter or bound; parameters: of, share, end; settings: blocking, ",
        "[[ner.slice]] number 4 share: share is 2",
        "[[ner.slice]] number 4 max_f1_drop: has no meaning where nothing is perturbed; use precision, recall, f1, ",
        "[[ner.slice]] number 5 seeds: a slice perturbs nothing; leave it out",
        '[[ner.slice]] number 5: which slice? expected of = "NAME" with one of ',
        "[[ner.accents]] of: no such parameter or bound",
        "[[ner.accents]] max_f1_gap: has a meaning only for slices: [[ner.slice]]",
    ]
    for line, start in zip(problems(path), expected, strict=True):
        assert line.startswith(f"thresholds.toml {start}")


class Listed:
    """A corpus of a task from elsewhere, which has examples and no sentences."""

    name = "mine.jsonl"

    def first(self, limit):
        return self


def test_a_corpus_without_sentences_is_told_what_slices_read(write):
    (case,) = load(write(LONGEST)).cases
    session = SimpleNamespace(corpus=Listed(), examples=(), resources=SimpleNamespace(language="pt"))
    with pytest.raises(AbaloError, match=r"slice length: .* corpus\.sentences, which Listed of mine\.jsonl lacks"):
        case.probe.run(case, session)


def test_a_model_that_is_not_there_is_told_when_the_case_runs(result):
    with pytest.raises(AbaloError, match="no such folder"):
        result('[[ner.slice]]\nof = "perplexity"\nmodel = "causal-lm:nowhere"\n')
