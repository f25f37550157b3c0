"""thresholds.toml: what is read, and what is said about mistakes."""

import pytest

from abalo.bundled import CASES, OWN_GATE, bundled_path
from abalo.config.thresholds import Thresholds, load
from abalo.core.records.gate import Gate
from abalo.core.statistics.plan import Parameters
from abalo.core.statistics.verdicts import Bound
from abalo.errors import AbaloError
from abalo.probes.perturbation import PerturbationPlan
from abalo.probes.pipeline import PipelinePlan
from docs import measured
from perturbations import find, word_level
from perturbations.languages import codes
from tests.conftest import ids, problems


def test_an_entry_is_a_case_with_its_parameters_bounds_and_settings(write):
    path = write(
        """
        [gate]
        confidence = 0.9
        seeds = [7]
        inconclusive = "fail"
        correction = "none"
        resamples = 2000

        [[ner.character_noise]]
        rate = 0.1
        max_f1_drop = {overall = 0.25, PESSOA = 0.1}
        min_recall = 0.5
        view = "structural"
        blocking = false
        seeds = [3, 5]
        limit = 60
        """
    )
    found = load(path)
    assert found.gate == Gate(0.9, (7,), "fail", "none", 2000)
    (case,) = found.cases
    assert (case.task, case.name, case.plan.perturbation) == ("ner", "character_noise", find("character_noise"))
    assert case.params == {"rate": 0.1}
    assert case.bounds == (
        Bound("f1_drop", "max", 0.25),
        Bound("f1_drop", "max", 0.1, "PESSOA"),
        Bound("recall", "min", 0.5),
    )
    assert (case.view, case.blocking, case.seeds, case.limit) == ("structural", False, (3, 5), 60)
    assert case.id == "ner/character_noise[rate-0.1-limit-60-structural]"


def test_the_same_file_read_twice_is_equal(write):
    path = write("[[ner.accents]]\nmax_f1_drop = 0.1\n")
    assert load(path) == load(path)


def test_an_empty_file_has_the_usual_gate_and_no_case(write):
    path = write("")
    assert load(path) == Thresholds(path, Gate(), ())


def test_the_baseline_has_no_perturbation(write):
    (case,) = load(write("[[ner.baseline]]\nmin_f1 = 0.9\n")).cases
    assert (case.id, case.plan, case.bounds) == ("ner/baseline", Parameters(), (Bound("f1", "min", 0.9),))
    assert not case.probe.perturbs


def test_a_byte_order_mark_is_no_trouble(write):
    assert ids(load(write(b"\xef\xbb\xbf[[ner.accents]]\n"))) == ["ner/accents"]


def test_one_error_lists_every_mistake_of_a_file_with_its_place_and_what_was_expected(write):
    path = write(
        """
        gat = 1

        [gate]
        confidense = 0.9
        confidence = 1.0
        seeds = [1, 1]
        inconclusive = "maybe"
        correction = ["none"]
        resamples = 10

        [ner]
        accents = "yes"

        [[ner.baseline]]
        rate = 0.1
        min_f1 = true

        [[ner.charcter_noise]]
        rate = 0.1

        [[ner.character_noise]]
        rate = 1.5
        max_f1_dorp = 0.2

        [[ner.character_noise]]
        rate = true
        view = "sideways"
        blocking = "no"
        seeds = []
        limit = 0
        max_f1_drop = 20
        min_f1_changed = {PESSOA = 0.1}
        min_f1 = {}
        max_recall = {PESSOA = nan}

        [[ner.token_masking]]
        mask_token = 2020-01-01
        rat = 0.1

        [[classification.viba]]

        [chess]
        """
    )
    expected = [
        "[gate] confidense: no such key; did you mean 'confidence'?",
        "[gate] confidence: 1.0; expected a number from 0.5 to below 1",
        (
            "[gate] seeds: [1, 1]; expected a list of distinct whole numbers from 0, of 18 digits at most, such as "
            "[1, 2, 4]"
        ),
        "[gate] inconclusive: 'maybe'; expected one of pass, fail",
        "[gate] correction: ['none']; expected one of bonferroni, none",
        "[gate] resamples: 10; expected a whole number from 100 to 1,000,000",
        "[gat]: no such section; did you mean 'gate'?",
        "[[ner.accents]]: 'yes' is not an array of tables; write [[ner.accents]]",
        "[[ner.baseline]] rate: no such parameter or bound",
        "[[ner.baseline]] min_f1: True; expected a number from 0 to 1",
        "[[ner.charcter_noise]]: no such test; did you mean 'character_noise'?",
        "[[ner.character_noise]] number 1 max_f1_dorp: no such parameter or bound; did you mean 'max_f1_drop'",
        "[[ner.character_noise]] number 1 rate: character_noise: rate is 1.5; expected a number from 0 to 1",
        "[[ner.character_noise]] number 2 view: 'sideways'; expected one of projected, structural, padded",
        "[[ner.character_noise]] number 2 blocking: 'no'; expected true or false",
        "[[ner.character_noise]] number 2 seeds: []; expected a list of distinct whole numbers",
        "[[ner.character_noise]] number 2 limit: 0; expected a whole number from 1",
        "[[ner.character_noise]] number 2 max_f1_drop: 20; expected a number from -1 to 1",
        "[[ner.character_noise]] number 2 min_f1_changed PESSOA: f1_changed has no value per entity type",
        "[[ner.character_noise]] number 2 min_f1: an empty table; expected a limit",
        "[[ner.character_noise]] number 2 max_recall PESSOA: nan; expected a number from 0 to 1",
        "[[ner.character_noise]] number 2 rate: character_noise: rate is True; expected a number from 0 to 1",
        "[[ner.token_masking]] rat: no such parameter or bound; did you mean 'rate'",
        "[[ner.token_masking]] mask_token: 2020-01-01; expected a value that JSON has too",
        "[[classification.viba]]: is not a test of classification; there is [[ner.viba]]",
        "[chess]: no such section",
    ]
    found = problems(path)
    for line, start in zip(found, expected, strict=True):
        assert line.startswith(f"thresholds.toml {start}")


def test_an_unknown_bound_is_told_with_all_that_there_are(write):
    (line,) = problems(write("[[ner.accents]]\nmax_speed = 0.2\n"))
    assert (
        "parameters: rate, at_least, inside_entities, require; settings: view, blocking, deep, seeds, limit, "
        "max_newly_wrong; bounds: max_ or min_ and one of conf_drop_gold" in line
    )


def test_a_gate_in_double_brackets_is_refused(write):
    (line,) = problems(write("[[gate]]\nconfidence = 0.9\n"))
    assert line.startswith("thresholds.toml [gate]: [{'confidence': 0.9}] is not a table; write [gate]")


@pytest.mark.parametrize("value", ["2", "true", "[1]", "{a = 1}"])
def test_a_parameter_of_another_type_is_refused(write, value):
    (line,) = problems(write(f"[[ner.token_masking]]\nmask_token = {value}\n"))
    assert line.endswith("expected a string")


def test_a_missing_file_is_told_with_the_option_that_names_one(tmp_path):
    (line,) = problems(tmp_path / "gone.toml")
    assert line == f"{tmp_path / 'gone.toml'}: no such thresholds file; give one with --abalo-thresholds FILE"


def test_a_folder_is_no_thresholds_file(tmp_path):
    (line,) = problems(tmp_path)
    assert line.startswith(f"{tmp_path}: the thresholds cannot be read: ")


def test_a_mistake_in_the_toml_is_told_with_its_line(write):
    (line,) = problems(write("[[ner.accents]\n"))
    assert "thresholds.toml: not valid TOML: " in line
    assert "line 1" in line


def test_a_file_in_another_encoding_is_refused(write):
    (line,) = problems(write("# órgão\n".encode("latin-1")))
    assert "thresholds.toml: the thresholds cannot be read: " in line


@pytest.mark.parametrize(
    ("entry", "slug"),
    [
        ('mask_token = "ç/…"', "mask_token-___"),
        ('mask_token = "<mask>"\nrate = 0.15', "rate-0.15-mask_token-_mask_"),
        ("limit = 60", "limit-60"),
        ('mask_token = "owner/model-v1.5"', "mask_token-owner_model_v1.5"),
        ('mask_token = "/home/ana/words.conll"', "mask_token-words.conll"),
        ('mask_token = "lexicon:../lists/words.tsv"', "mask_token-lexicon_words.tsv"),
        ('mask_token = "data/words.vec.gz:2000"', "mask_token-words.vec.gz_2000"),
        ("mask_token = 'C:\\lists\\words.tsv'", "mask_token-words.tsv"),
        ("max_f1_drop = 0.1", ""),
    ],
)
def test_ids_are_ascii_and_in_the_order_of_the_parameters_not_of_the_file(write, entry, slug):
    (case,) = load(write(f"[[ner.token_masking]]\n{entry}\n")).cases
    assert case.slug == slug
    assert case.id == ("ner/token_masking" + (f"[{slug}]" if slug else ""))


def test_a_list_is_joined_by_plus_signs(write):
    (case,) = load(write('[[ner.word_insertion]]\nfillers = ["xxx", "não"]\n')).cases
    assert case.slug == "fillers-xxx+n_o"


@pytest.mark.parametrize(
    ("first", "second"),
    [("rate = 0.1", "rate = 0.1\nmax_f1_drop = 0.2"), ('mask_token = "ç"', 'mask_token = "ã"'), ("", "seeds = [9]")],
)
def test_two_entries_never_share_an_id(write, first, second):
    (line,) = problems(write(f"[[ner.token_masking]]\n{first}\n[[ner.token_masking]]\n{second}\n"))
    assert line.startswith("thresholds.toml [[ner.token_masking]]: 2 entries have the id 'ner/token_masking")
    assert "join them, or choose parameters that differ in ASCII letters or digits" in line


def test_entries_that_differ_in_rate_or_limit_are_two_cases(write):
    found = load(write("[[ner.accents]]\n[[ner.accents]]\nlimit = 60\n[[ner.accents]]\nrate = 0.5\n"))
    assert ids(found) == ["ner/accents", "ner/accents[limit-60]", "ner/accents[rate-0.5]"]


def test_a_decorated_function_is_a_case_like_ours_with_its_parameters_checked(write):
    @word_level(example=("[Ana PESSOA]", "[Anax PESSOA]"))
    def tail(word: str, *, letter: str = "x") -> tuple[str, ...]:
        """A letter behind the word."""
        return (word + letter,)

    (case,) = load(write('[[ner.tail]]\nletter = "y"\nmax_f1_drop = 0.1\n')).cases
    assert (case.id, case.plan.perturbation) == ("ner/tail[letter-y]", tail)
    (line,) = problems(write("[[ner.tail]]\nletter = 3\n"))
    assert line == "thresholds.toml [[ner.tail]] letter: tail: letter is 3; expected a string"
    (line,) = problems(write("[[ner.tial]]\n"))
    assert "did you mean 'tail'?" in line


def test_a_parameter_that_thresholds_toml_could_not_tell_from_a_setting_is_refused(write):
    @word_level(example=("a", "ab"))
    def clashing(word: str, *, limit: int = 1) -> tuple[str, ...]:
        """A parameter that is a setting, too."""
        return (word + "b" * limit,)

    (line,) = problems(write("[[ner.clashing]]\nlimit = 2\n"))
    assert "its parameter 'limit' is also a setting or bound; rename it in the perturbation" in line


def test_a_published_name_is_answered_with_ours(write):
    (problem,) = problems(write("[[ner.TwitterType]]\nmax_f1_drop = 0.1\n"))
    assert problem.endswith("'TwitterType' is called 'chat_style' here; write [[ner.chat_style]]")


def test_an_attack_is_aimed_at_gold_spans_unless_the_entry_says_otherwise(write):
    found = load(
        write("""
        [[ner.insert]]
        max_f1_drop = 0.2

        [[ner.insert]]
        span_source = "predicted"
        view = "structural"
        min_entity_retention_rate = 0.5
        max_conf_drop_gold_structural = 3.5
        """)
    )
    assert [(case.plan.span_source, case.id) for case in found.cases] == [
        ("oracle", "ner/insert[oracle]"),
        ("predicted", "ner/insert[predicted-structural]"),
    ]
    assert found.cases[1].bounds == (
        Bound("entity_retention_rate", "min", 0.5),
        Bound("conf_drop_gold_structural", "max", 3.5),
    )


def test_one_attack_can_be_bound_in_two_views(write):
    found = load(
        write("""
        [[ner.insert]]
        max_f1_drop = 0.2

        [[ner.insert]]
        view = "structural"
        min_entity_retention_rate = 0.5
        """)
    )
    assert [case.id for case in found.cases] == ["ner/insert[oracle]", "ner/insert[oracle-structural]"]


@pytest.mark.parametrize(
    ("entry", "expected"),
    [
        ('[[ner.synonyms]]\nlexicon = "nope"', "lexicon: 'nope'; there is none; expected "),
        ('[[ner.boundary]]\nmask_token = ""', "mask_token: mask_token is ['']; expected words"),
        ("[[ner.insert]]\ndistractors = []", "distractors: distractors is []; expected words, at least one"),
        ('[[ner.insert]]\ndistractors = ["foo bar"]', "distractors: distractors is ['foo bar']; expected words"),
        ("[[ner.entity_attack]]\ncandidates = 0", "candidates: candidates is 0; expected a number from 1"),
        ('[[ner.context_attack]]\nranking = "best"', "ranking: ranking is 'best'; expected one of"),
        ("[[ner.context_attack]]\nrate = 0.1", "rate: no such parameter or bound"),
    ],
)
def test_a_value_that_the_test_itself_would_refuse_is_refused_at_once(write, entry, expected):
    (problem,) = problems(write(entry + "\n"))
    assert expected in problem


def test_an_attack_that_searches_is_judged_in_the_new_sentence(write):
    (case,) = load(write("[[ner.entity_attack]]\nmax_success_rate = 0.5\n")).cases
    assert (case.view, case.probe.name, case.plan.of.name) == ("structural", "attack", "entity_attack")
    assert case.id == "ner/entity_attack"


def test_a_span_source_belongs_to_attacks(write):
    assert problems(
        write("""
        [[ner.accents]]
        span_source = "oracle"

        [[ner.insert]]
        span_source = "gold"
        """)
    ) == [
        "thresholds.toml [[ner.accents]] span_source: accents is not aimed at spans; leave it out",
        "thresholds.toml [[ner.insert]] span_source: 'gold'; expected one of oracle, predicted",
    ]


@pytest.mark.parametrize(
    ("bound", "expected"),
    [
        ("max_entity_flip_rate = -0.1", "-0.1; expected a number from 0 to 1"),
        ("max_prob_drop_gold = 2", "2; expected a number from -1 to 1"),
        ("max_conf_drop_gold = inf", "inf; expected a number"),
    ],
)
def test_a_limit_lies_where_its_metric_can(write, bound, expected):
    (problem,) = problems(write(f"[[ner.insert]]\n{bound}\n"))
    assert problem == f"thresholds.toml [[ner.insert]] {bound.split()[0]}: {expected}"


def test_a_bound_on_a_metric_without_meaning_in_its_view_is_refused(write):
    (problem,) = problems(write("[[ner.insert]]\nmin_entity_retention_rate = 0.5\n"))
    place = "thresholds.toml [[ner.insert]] min_entity_retention_rate"
    assert problem == f'{place}: has no meaning in the projected view; set view = "structural"'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[ner.accents]]\nmax_f1_drop = " + "9" * 400 + "\n", "expected a number from -1 to 1"),
        ("[[ner.accents]]\nmax_f1_drop = " + "9" * 5000 + "\n", "not valid TOML"),
        ("a = " + "[" * 5000 + "]" * 5000 + "\n", "not valid TOML"),
        ('extends = "a\\u0000b"\n', "is no path"),
    ],
)
def test_a_file_that_means_harm_ends_in_one_message(write, text, expected):
    with pytest.raises(AbaloError, match=expected):
        load(write(text))


def test_what_would_move_the_cursor_is_shown_as_an_escape(write):
    (problem,) = problems(write('["\\u001b[31mred"]\n'))
    assert "\x1b" not in problem
    assert "u001b" in problem


def test_a_section_that_is_no_table_is_told_so(write):
    assert problems(write("ner = 3\n")) == ["thresholds.toml [ner]: 3 is not a table; write [[ner.NAME]]"]


@pytest.mark.parametrize(
    ("task", "bound", "subject"),
    [
        ("ner", "max_f1_drop", "f1_drop"),
        ("ner", "max_f1_drop_changed", "f1_drop_changed"),
        ("ner", "max_entity_flip_rate", "entity_flip_rate"),
        ("ner", "max_prob_drop_gold", "prob_drop_gold"),
        ("pos", "max_accuracy_drop", "accuracy_drop"),
        ("pos", "min_accuracy_changed", "accuracy_changed"),
        ("pos", "max_flip_rate", "flip_rate"),
    ],
)
def test_a_bound_on_a_loss_is_refused_where_nothing_is_changed(write, task, bound, subject):
    (line,) = problems(write(f"[[{task}.baseline]]\n{bound} = 0.1\n"))
    assert line == (
        f"thresholds.toml [[{task}.baseline]] {bound}: has no meaning where nothing is changed: baseline"
    ), subject


@pytest.mark.parametrize(("task", "drop", "kept"), [("ner", "f1_drop", "f1"), ("pos", "accuracy_drop", "accuracy")])
def test_the_loss_of_a_drop_cannot_be_limited(write, task, drop, kept):
    (line,) = problems(write(f"[[{task}.accents]]\nmax_{drop}_loss = 0.1\n"))
    assert line == (
        f"thresholds.toml [[{task}.accents]] max_{drop}_loss: a model that is worse on clean and on perturbed text "
        f"alike has the same drop; limit the loss with max_{kept}_loss"
    )


def test_numbers_of_the_clean_corpus_can_be_bound_where_nothing_is_changed(write):
    (case,) = load(write("[[ner.baseline]]\nmin_recall = 0.5\nmax_span_miss_rate = 0.5\n")).cases
    assert [bound.metric for bound in case.bounds] == ["recall", "span_miss_rate"]


@pytest.mark.parametrize("value", ['["oracle", "predicted"]', "3", "{a = 1}", '"orcale"'])
def test_a_span_source_that_is_none_is_a_problem_among_the_others(write, value):
    found = problems(write(f"[[ner.insert]]\nspan_source = {value}\nrate = 2\n"))
    assert len(found) == 2
    assert found[0].endswith("; expected one of oracle, predicted")


@pytest.mark.parametrize("of", ["entity_density", "entity_length", "rare_types", "unseen_entities", "unseen_context"])
def test_a_slice_by_entities_is_refused_where_a_task_has_none(write, of):
    (line,) = problems(write(f'[[pos.slice]]\nof = "{of}"\n'))
    assert f"{of!r} is a slice by entities, which the task pos has none of; use gender_words, length, " in line


def perturbed_by(plan) -> list:
    """The perturbations of a case, if it is one of perturbations."""
    if isinstance(plan, PipelinePlan):
        return list(plan.pipeline.steps)
    return [plan.perturbation] if isinstance(plan, PerturbationPlan) else []


@pytest.mark.slow
def test_what_readers_found_wrong_is_in_no_case_that_pytest_alone_runs():
    cases = [case for path in (bundled_path(CASES), OWN_GATE) for case in load(path).cases if not case.deep]
    found = {(case.id, each.name) for case in cases for each in perturbed_by(case.plan)}
    wrong = set().union(*(measured.doubted(where) for where in (*codes(), "LATIN", "CJK")))
    assert len(found) > 20
    assert {(case, name) for case, name in found if name in wrong} == set()


# The seeds of a comparison --------------------------------------------------------------------------------------------


def test_a_comparison_has_one_seed_unless_somebody_chose(write):
    found = load(write('extends = "default"\n'))
    assert found.seeds_against(None, None) is None
    assert found.seeds_against(None, "references/1.0") == (1,)
    assert found.seeds_against((2, 4), "references/1.0") == (2, 4)


def test_a_file_that_names_the_reference_compares_too(write):
    assert load(write('[gate]\nagainst = "references/1.0"\n')).seeds_against(None, None) == (1,)


def test_seeds_of_the_own_file_or_of_one_that_it_extends_win(write):
    path = write("[gate]\nseeds = [1, 2, 4]\n")
    path.with_name("own.toml").write_text(f'extends = "{path.name}"\n[gate]\nagainst = "references/1.0"\n', "utf-8")
    for each in (path, path.with_name("own.toml")):
        assert load(each).seeds_against(None, "references/1.0") is None
