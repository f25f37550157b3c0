"""Attacks in a whole run: bounds, logs, regressions that are saved and tried again."""

import json

import pytest

from tests.texts import TextWith

pytestmark = pytest.mark.slow

KNOWS_SOME = """

def knows_some():
    \"\"\"Knows people but Saulo, and loses who is heard by another word than "ouviu".\"\"\"

    def tags(tokens):
        found = [tag(word) for word in tokens]
        for i, word in enumerate(tokens):
            if word == "Saulo" or (found[i] == "B-PESSOA" and "escutou" in tokens):
                found[i] = "O"
        return found

    return lambda batch: [tags(tokens) for tokens in batch]
"""

ATTACKS = """
[gate]
language = "pt"
resamples = 500
seeds = [1, 2]

[[ner.entity_attack]]
candidates = 12
least_similarity = 0.0
max_success_rate = 0.1
"""

CONTEXT = """
[gate]
language = "pt"
resamples = 500

[[ner.context_attack]]
synonyms = "lexicon:mine.tsv"
least_similarity = 0.0
max_success_rate = 0.1
"""


@pytest.fixture
def attacked(project):
    project.write("models.py", (project.path / "models.py").read_text("utf-8") + KNOWS_SOME)
    project.write("thresholds.toml", ATTACKS)
    return project


def test_a_model_that_knows_its_names_by_heart_fails_on_the_one_it_does_not_know(attacked):
    result = attacked.run(model="models:knows_some")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    found = attacked.result("ner/entity_attack[least_similarity-0.0-candidates-12]", "structural")
    assert found["verdict"] == "fail"
    assert found["metrics"]["success_rate"]["value"] == pytest.approx(63 / 203)  # every person can be Saulo, no place
    assert found["metrics"]["missed_entity_rate"]["value"] == 1
    assert found["attack"]["sources"]["entities"].startswith("corpus.conll (")
    result.stdout.fnmatch_lines(["success rate *, allowed ≤ 0.100*"])


def test_a_model_that_knows_every_name_passes(attacked):
    assert attacked.run().ret == 0
    found = attacked.result("ner/entity_attack[least_similarity-0.0-candidates-12]", "structural")
    assert (found["verdict"], found["metrics"]["success_rate"]["value"], found["changed"]) == ("pass", 0, 0)


def test_a_model_that_finds_nothing_gives_nothing_to_attack_and_passes_nothing(attacked):
    result = attacked.run(model="models:all_outside")
    assert result.ret == pytest.ExitCode.TESTS_FAILED  # by its clean score
    found = attacked.result("ner/entity_attack[least_similarity-0.0-candidates-12]", "structural")
    assert found["reason"] == TextWith("no target")
    assert found["metrics"]["success_rate"] is None


def test_the_context_attack_reads_a_lexicon_of_the_users(attacked):
    attacked.write("thresholds.toml", CONTEXT)
    attacked.write("mine.tsv", "ouviu\tVERB\tescutou\n")
    attacked.run(model="models:knows_some")
    found = attacked.result("ner/context_attack[least_similarity-0.0-synonyms-lexicon_mine.tsv]", "structural")
    assert found["metrics"]["success_rate"]["value"] > 0
    assert found["metrics"]["single_change_rate"]["value"] == 1
    assert found["attack"]["offsets"]


def test_an_attack_that_may_show_nothing_is_undecided_though_it_ranked_its_words(attacked):
    attacked.write("thresholds.toml", CONTEXT.replace("least_similarity = 0.0", "least_similarity = 1.0"))
    attacked.write("mine.tsv", "ouviu\tVERB\tescutou\n")
    assert attacked.run(model="models:knows_some").ret == 10
    found = attacked.result("ner/context_attack[least_similarity-1.0-synonyms-lexicon_mine.tsv]", "structural")
    assert found["reason"] == TextWith("no target")
    assert found["attack"]["queries"]["total"] > 0
    failures = found["attack"]["failures"]
    assert failures["similarity"] > 0
    assert sum(failures.values()) == failures["similarity"] + failures["nothing_to_try"] == found["attack"]["untried"]


def test_rarity_is_counted_in_all_the_training_corpora(attacked):
    attacked.write("mine.tsv", "ouviu\tVERB\tescutou\n")
    found = []
    for training in ('"corpus.conll"', '["corpus.conll", "corpus.conll"]'):
        attacked.write("thresholds.toml", f"{CONTEXT}training = {training}\n")
        attacked.run(model="models:knows_some")
        found.append(attacked.document()["results"][0]["attack"]["rarity"])
    once, twice = found
    assert (twice["of"], twice["replacement"], twice["training"]) == ("words", 0, "corpus.conll + corpus.conll")
    assert twice["original"] == 2 * once["original"] > 0


def test_what_was_broken_is_saved_and_tried_again(attacked):
    attacked.run("--abalo-save-failures", "kept.jsonl", model="models:knows_some").stdout.fnmatch_lines(
        ["* new failures in kept.jsonl"]
    )
    again = attacked.run("-k", "regressions", "--abalo-regressions", "kept.jsonl", model="models:knows_some")
    assert again.ret == pytest.ExitCode.TESTS_FAILED
    again.stdout.fnmatch_lines(["*still broken*", "*Saulo PESSOA*"])
    document = attacked.document()
    assert document["verdict"] == "fail"
    assert {each["status"] for each in document["regressions"]} == {"still broken"}

    fixed = attacked.run("-k", "regressions", "--abalo-regressions", "kept.jsonl")
    assert fixed.ret == 0
    assert attacked.document()["verdict"] == "pass"
    assert {each["status"] for each in attacked.document()["regressions"]} == {"fixed"}


KNOWN = """
[[ner.capability]]
name = "known failures"
templates = "failures:kept.jsonl"
min_pass_rate = 1.0
"""


def test_what_was_saved_is_judged_as_a_capability(attacked):
    attacked.run("--abalo-save-failures", "kept.jsonl", model="models:knows_some")
    saved = [json.loads(line) for line in (attacked.path / "kept.jsonl").read_text("utf-8").splitlines()[1:]]
    attacked.write("capabilities.toml", KNOWN)

    def broken(model):
        """The exit code, and how many of how many sentences break the model."""
        code = attacked.run("-k", "capability", model=model).ret
        said = attacked.result("ner/capability[known_failures]")["capability"]
        return code, said["failed"], said["run"]

    texts = {(tuple(each["tokens"]), json.dumps(each["edits"])) for each in saved}
    assert broken("models:knows_some") == (pytest.ExitCode.TESTS_FAILED, len(texts), len(texts))
    assert broken("models:gazetteer") == (0, 0, len(texts))


def test_without_text_a_regression_shows_none(attacked):
    attacked.run("--abalo-save-failures", "kept.jsonl", model="models:knows_some")
    asked = ("-k", "regressions", "--abalo-regressions", "kept.jsonl", "--abalo-no-text", "--html=report.html")
    again = attacked.run(*asked, model="models:knows_some")
    assert again.ret == pytest.ExitCode.TESTS_FAILED
    for said in (again.stdout.str(), (attacked.path / "report.html").read_text("utf-8")):
        assert "still broken" in said
        assert "TRIBUNAL" not in said


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ('[[ner.context_attack]]\nstop_words = "nope"', "no lexicon 'nope'; there are: "),
        ('[[ner.context_attack]]\nstop_words = "synonyms_pt"', "lexicon 'synonyms_pt' is no list of words"),
        ('[[ner.entity_attack]]\ntraining = "nope.conll"', "training is 'nope.conll'; no such file"),
    ],
)
def test_settings_that_name_what_is_not_there_end_the_run_before_it_begins(attacked, setting, said):
    attacked.write("thresholds.toml", setting + "\n")
    result = attacked.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines([f"*{said}*"])


def test_an_attack_that_has_nothing_to_try_for_most_says_so(attacked):
    attacked.write("thresholds.toml", CONTEXT)
    attacked.write("mine.tsv", "nobody\tNOUN\tanybody\n" + "3\tNUM\tquatro\n")
    attacked.run(model="models:knows_some")
    page = (attacked.path / "reports" / "robustness.md").read_text("utf-8")
    assert page == TextWith("had nothing to", "word lists or")


def test_without_a_corpus_of_regressions_there_is_no_test_of_them(attacked):
    result = attacked.run("--collect-only", "-q")
    assert "test_is_fixed" not in result.stdout.str()


def test_a_regression_corpus_that_is_none_ends_the_run(attacked):
    result = attacked.run("--abalo-regressions", "corpus.conll")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*corpus.conll: not the log of an attack*"])


@pytest.mark.slow
def test_with_workers_a_regression_that_is_left_is_no_error(attacked):
    attacked.run("--abalo-save-failures", "kept.jsonl", model="models:knows_some")
    asked = ("-n", "1", "-k", "regressions", "--abalo-regressions", "kept.jsonl")
    again = attacked.run(*asked, model="models:knows_some")
    assert again.ret == pytest.ExitCode.TESTS_FAILED
    document = attacked.document()
    assert {each["status"] for each in document["regressions"]} == {"still broken"}
    assert document["errors"] == []


def test_an_attack_resumes_from_its_log(attacked):
    attacked.run(model="models:knows_some")
    (log,) = (attacked.path / "reports" / "attacks").glob("entity_attack-least_similarity-0.0-cand*.jsonl")
    whole = log.read_bytes()
    log.write_bytes(whole[: len(whole) // 2])
    before = attacked.document()["results"]
    attacked.run("--abalo-resume", model="models:knows_some")
    assert log.read_bytes() == whole
    after = attacked.document()["results"]
    assert [result["metrics"] for result in before] == [result["metrics"] for result in after]


def test_without_text_no_log_is_written(attacked):
    attacked.run("--abalo-no-text", model="models:knows_some")
    assert not (attacked.path / "reports" / "attacks").exists()
    refused = attacked.run("--abalo-no-text", "--abalo-save-failures", "kept.jsonl")
    assert refused.ret == pytest.ExitCode.USAGE_ERROR
    refused.stderr.fnmatch_lines(["*--abalo-save-failures needs text, which --abalo-no-text withholds*"])


def test_a_deep_case_runs_only_where_it_is_asked_for(attacked):
    deep = "\n[[ner.entity_attack]]\nsample = 0\ndeep = true\nmax_success_rate = 0.5\n"
    attacked.write("thresholds.toml", ATTACKS + deep)
    attacked.run("--collect-only", "-q").stdout.fnmatch_lines(["1/* tests collected (* deselected)*"])
    attacked.run("--collect-only", "-q", "-m", "deep").stdout.fnmatch_lines(["*test_bounds?sample-0?"])
    both = attacked.run("--collect-only", "-q", "-m", "deep or not deep").stdout.str()
    assert both.count("test_entity_attack::test_bounds") == 2


def test_where_every_case_is_skipped_each_says_why(attacked):
    attacked.write("thresholds.toml", "[[ner.homophone]]\n")
    result = attacked.run("--abalo-language=fi")
    result.stdout.fnmatch_lines(["abalo: ner/homophone skipped: *"])
    assert result.ret == 10


def test_a_bound_of_attacks_is_refused_elsewhere(attacked):
    attacked.write("thresholds.toml", "[[ner.accents]]\nmax_success_rate = 0.1\n")
    result = attacked.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*max_success_rate: has a meaning only for attacks: context_attack, entity_attack*"])
