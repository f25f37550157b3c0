"""Pipelines as cases: read, run, measured, calibrated."""

import pytest

from abalo.config.calibration import Calibrated, add_bounds, rewrite_limits
from abalo.config.thresholds import load
from abalo.core.records.gate import Gate
from abalo.core.statistics.estimates import Estimate
from abalo.core.statistics.verdicts import Bound, Judgement
from abalo.tasks.ner.task import TASK
from perturbations import Pipeline, find, render
from perturbations.pipelines import sampled_combinations
from tests.conftest import ids, problems
from tests.scripted import Gazetteer, corpus_of, session_of
from tests.texts import TextWith

CORPUS = corpus_of("[José PESSOA] saiu", "[Inês PESSOA] ficou", "nada aqui")
STEPS = 'steps = ["accents", {name = "token_masking", rate = 1.0}]'


def opened(write, entry: str, corpus=CORPUS):
    (case,) = load(write(f"[[ner.pipeline]]\n{entry}\n")).cases
    model = Gazetteer("[José PESSOA] [Inês PESSOA]", mask_token="<mask>")
    return case, session_of(corpus, model, gate=Gate(resamples=200))


def ran(write, entry: str):
    case, session = opened(write, entry)
    return case.probe.run(case, session)


def test_an_entry_is_a_case_with_steps_bounds_and_settings(write):
    (case,) = load(
        write(f"[[ner.pipeline]]\n{STEPS}\nmax_f1_drop = 0.4\nseeds = [3]\nblocking = false\ndeep = true\n")
    ).cases
    assert case.plan.pipeline == Pipeline((find("accents"), find("token_masking")))
    assert case.params == {"steps": ["accents", {"name": "token_masking", "rate": 1.0}]}
    assert case.id == "ner/pipeline[accents+token_masking.rate-1.0]"
    assert (case.bounds, case.seeds, case.blocking, case.deep, case.view) == (
        (Bound("f1_drop", "max", 0.4),),
        (3,),
        False,
        True,
        "projected",
    )


def test_entities_that_change_their_length_are_looked_for_in_the_new_sentence(write):
    found = load(
        write("""
        [[ner.pipeline]]
        steps = ["accents", "swap_named_ent"]

        [[ner.swap_named_ent]]

        [[ner.pipeline]]
        steps = ["accents", "swap_named_ent"]
        view = "projected"
        """)
    )
    assert [(case.id, case.view) for case in found.cases] == [
        ("ner/pipeline[accents+swap_named_ent]", "structural"),
        ("ner/pipeline[accents+swap_named_ent-projected]", "projected"),
        ("ner/swap_named_ent", "structural"),
    ]


def test_the_steps_are_made_in_turn(write):
    found = ran(write, STEPS)
    assert render(found.outcomes[0].perturbed.sentence) == "[<mask> PESSOA] <mask>"
    assert found.params == {"steps": ["accents", {"name": "token_masking", "rate": 1.0, "mask_token": "<mask>"}]}
    assert [outcome.seed for outcome in found.outcomes] == [1] * 3 + [2] * 3


def test_origins_lead_back_to_the_first_sentence(write):
    found = ran(write, 'steps = [{name = "word_insertion", rate = 1.0}, "accents"]')
    assert found.outcomes[0].perturbed.origins == ((0,), (), (1,), ())
    assert found.outcomes[0].perturbed.sentence.tokens[::2] == ("Jose", "saiu")


def test_it_is_measured_and_judged_like_any_other(write):
    case, session = opened(write, STEPS + "\nmax_f1_drop = 0.4")
    _, found = session.judge(case)
    assert found.bound_view.overall["f1_drop"].value == 1.0
    assert found.judgements[0].reason == "fewer than 50 distinct sentences (3)"
    case, session = opened(write, 'steps = ["accents", "synonyms"]\nmax_f1_drop = 0.4', corpus_of("[Ana PESSOA] riu"))
    _, unchanged = session.judge(case)
    assert unchanged.judgements[0].reason == TextWith("no sentence", "place")


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ("", 'nothing to do in turn; give steps, such as steps = ["accents", {name = "character_noise", rate = 0.05}]'),
        ('steps = "accents"', "steps: 'accents'; expected a list of two steps or more"),
        ('steps = ["accents"]', "steps: ['accents']; expected a list of two steps or more"),
        ('steps = ["accents", 3]', "steps number 2: 3; expected a name, or a table with one"),
        ('steps = ["accents", {rate = 0.5}]', "steps number 2: {'rate': 0.5}; expected a name, or a table with one"),
        ('steps = ["acents", "synonyms"]', "steps number 1: 'acents': no such perturbation; did you mean 'accents'?"),
        ('steps = ["accents", "baseline"]', "steps number 2: 'baseline': no such perturbation"),
        ('steps = ["accents", "OOV"]', "steps number 2: 'OOV' is called 'swap_ent_oov' here; write 'swap_ent_oov'"),
        (
            'steps = ["accents", {name = "insert", rate = 2}]',
            "steps number 2 rate: insert: rate is 2; expected a number from 0 to 1",
        ),
        (
            'steps = ["accents", {name = "insert", raet = 1}]',
            "steps number 2 raet: no such parameter of insert; did you mean 'rate'?; there are rate, distractors",
        ),
        (
            'steps = ["accents", {name = "swap_named_ent", entities = "gone"}]',
            "steps number 2 entities: 'gone'; no such file",
        ),
        (STEPS + '\nspan_source = "oracle"', "span_source: steps that are aimed at spans take the gold ones"),
        (STEPS + "\nrate = 0.1", "rate: no such parameter or bound"),
        (STEPS + "\nof = 2", "of: the steps are given, so there is nothing to draw; leave one out"),
        ("of = 2", "nothing to do in turn"),
        ("sampled = 0", "sampled: 0; expected a whole number from 1"),
        ("sampled = true", "sampled: True; expected a whole number from 1"),
        ("sampled = 5\nof = 4", "of: 4; expected 2 or 3, for pairs or triples"),
        ('sampled = 5\nlanguage = "xx"', "language: 'xx'; expected one of en, "),
        ("sampled = 1000000", "sampled: 1000000; the catalogue has "),
    ],
)
def test_a_mistake_is_told_with_its_place_and_what_was_expected(write, entry, expected):
    (line,) = problems(write(f"[[ner.pipeline]]\n{entry}\n"))
    assert line.startswith("thresholds.toml [[ner.pipeline]]")
    assert expected in line


def test_the_same_pipeline_twice_is_refused(write):
    (line,) = problems(write(f"[[ner.pipeline]]\n{STEPS}\n[[ner.pipeline]]\n{STEPS}\n"))
    assert "2 entries have the id 'ner/pipeline[accents+token_masking.rate-1.0]'" in line


# Drawn ----------------------------------------------------------------------------------------------------------------


IN_PORTUGUESE = '[gate]\nlanguage = "pt"\n'


def drawn(seed: int, count: int, of: int = 2, language: str = "pt") -> list[str]:
    found = sampled_combinations(count, of, language, TASK.accepts, seed=seed)
    return [f"ner/pipeline[{'+'.join(step.name for step in steps)}]" for steps in found]


def test_an_entry_can_ask_for_pairs_or_triples_of_the_catalogue(write):
    assert ids(load(write(f"{IN_PORTUGUESE}[[ner.pipeline]]\nsampled = 4\n"))) == drawn(1, 4)
    assert ids(load(write(f"{IN_PORTUGUESE}[[ner.pipeline]]\nsampled = 3\nof = 3\n"))) == drawn(1, 3, 3)


def test_only_steps_that_the_task_accepts_are_drawn_or_given(write):
    found = load(write(f"{IN_PORTUGUESE}[[ner.pipeline]]\nsampled = 300\n")).cases
    assert all(TASK.accepts(step) for case in found for step in case.plan.pipeline.steps)
    (line,) = problems(write('[[ner.pipeline]]\nsteps = ["accents", "rnd_insert"]\n'))
    assert "steps number 2: 'rnd_insert' does nothing to examples of the task ner" in line


def test_which_ones_depends_on_the_first_seed_of_the_entry_or_the_gate(write):
    assert ids(load(write(f"{IN_PORTUGUESE}seeds = [7, 8]\n[[ner.pipeline]]\nsampled = 4\n"))) == drawn(7, 4)
    assert ids(load(write(f"{IN_PORTUGUESE}seeds = [7]\n[[ner.pipeline]]\nsampled = 4\nseeds = [9, 1]\n"))) == drawn(
        9, 4
    )


def test_all_that_are_drawn_share_the_bounds_of_the_entry(write):
    found = load(write(f"{IN_PORTUGUESE}[[ner.pipeline]]\nsampled = 4\nmax_f1_drop = 0.3\nblocking = false\n")).cases
    assert [(case.bounds, case.blocking, case.entry) for case in found] == [
        ((Bound("f1_drop", "max", 0.3),), False, 0)
    ] * 4


def test_steps_of_another_language_are_told_so(write):
    found = load(write('[[ner.pipeline]]\nsampled = 60\nlanguage = "en"\n')).cases
    steps = [step for case in found for step in case.params["steps"]]
    assert {"name": "prejudice", "language": "en"} in steps
    assert "prejudice" not in steps
    assert "synonyms" not in steps


def test_what_is_given_is_not_drawn_again(write):
    first = sampled_combinations(1, 2, "pt", TASK.accepts, seed=1)[0]
    given = f"steps = {[step.name for step in first]}"
    found = load(write(f"{IN_PORTUGUESE}[[ner.pipeline]]\nsampled = 3\n[[ner.pipeline]]\n{given}\nmax_f1_drop = 0.2\n"))
    assert ids(found) == [*drawn(1, 3)[1:], drawn(1, 1)[0]]
    assert found.cases[-1].bounds == (Bound("f1_drop", "max", 0.2),)


def test_calibrating_them_gives_the_entry_the_loosest_limit(write):
    thresholds = load(
        write(f"{IN_PORTUGUESE}[[ner.pipeline]]\n{STEPS}\n\n[[ner.pipeline]]\nsampled = 3\nmin_f1 = 0.9\n")
    )
    found = []
    for number, case in enumerate(map(add_bounds, thresholds.cases), start=1):
        (bound,) = case.bounds
        judgement = Judgement(bound, Estimate(0, 0, 0, 0.01, 100), "pass", "pass", 0.5)
        found.append(Calibrated(case, judgement, number / 10))
    text = rewrite_limits(thresholds, found, {"ner": "by hand"})
    again = load(write(text, "new.toml"))
    assert [case.bounds[0].limit for case in again.cases] == [0.1, 0.2, 0.2, 0.2]
    assert ids(again) == ids(thresholds)


def test_they_are_drawn_for_each_language_that_a_corpus_can_be_in_and_apply_in_that_alone(write):
    found = load(write("[[ner.pipeline]]\nsampled = 3\n"))
    for language, same in [("pt", "pt"), ("en", "en"), ("zh", "zh"), ("und", "xx"), ("de", "xx")]:
        applying = [case.id for case in found.cases if case.probe.entries.skipped(case.plan, language) is None]
        assert sorted(applying) == sorted(drawn(1, 3, language=same))
    (case,) = [case for case in found.cases if case.id == drawn(1, 1)[0]]
    reason = case.probe.entries.skipped(case.plan, "zh")
    assert reason is not None
    assert reason == TextWith("in en and ")
    assert reason.endswith("; the corpus is zh")
    assert case.probe.entries.skipped(case.plan, "auto") is None


def test_they_are_drawn_for_the_language_of_the_gate(write):
    (case,) = load(write('[gate]\nlanguage = "en"\n[[ner.pipeline]]\nsampled = 1\n')).cases
    assert not any("language" in step for step in case.params["steps"])
    assert all(not step.languages or "en" in step.languages for step in case.plan.pipeline.steps)
