"""Slices and requirements in a whole run."""

import pytest

from tests.texts import TextWith

SLICES = """
[gate]
language = "pt"
resamples = 300

[[ner.slice]]
of = "gender_words"
words = "female"
share_of_what = 1
"""

TABLES = """
[gate]
language = "pt"
resamples = 300

[[ner.slice]]
of = "phrase"
language = "pt"
max_f1_gap = 0.1
min_f1 = 0.9

[[ner.slice]]
of = "length"
end = "longest"
max_f1_gap = 0.1
blocking = false

[[ner.accents]]
max_f1_drop = 0.06
require = {words_changed = 0.2}
"""

NEGATION = "ner/slice[of-phrase-language-pt]"

DEAF = """

def deaf_to_no():
    \"\"\"Knows every name, unless there is a negation in the sentence.\"\"\"
    return lambda batch: [["O" if "não" in tokens else tag(word) for word in tokens] for tokens in batch]
"""


@pytest.fixture
def sliced(project):
    """Seventy sentences, and the same with a negation."""
    project.write("models.py", (project.path / "models.py").read_text("utf-8") + DEAF)
    corpus = (project.path / "corpus.conll").read_text("utf-8")
    project.write("corpus.conll", corpus + "\n" + corpus.replace("ouviu O", "não O\nouviu O"))
    project.write("thresholds.toml", TABLES)
    return project


NEGATED = TextWith("sentences", "negation", "Portuguese words")


def test_a_model_that_is_as_good_on_the_slice_passes(sliced):
    result = sliced.run("-k", "slice")
    assert result.ret == 0
    found = sliced.result(NEGATION)
    assert (found["verdict"], found["distinct"], found["metrics"]["f1_gap"]["value"]) == ("pass", 70, 0)
    assert found["slice"] == {
        "of": "phrase",
        "text": NEGATED,
        "rest": {"sentences": 70, "distinct": 70, "f1": {"value": 1, "low": 0.948666, "high": 1, "n": 70}},
    }
    assert (found["inputs"], found["changed"], found["variants"], found["examples"]) == (0, 0, 0, [])


def test_a_model_that_is_worse_there_fails_and_every_report_says_so(sliced):
    result = sliced.run("-k", "slice", "--html=report.html", model="models:deaf_to_no")
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    result.stdout.fnmatch_lines(
        [
            "F1 gap 1.000 [[]0.950, 1.000], allowed ≤ 0.100*",
            "ner/slice?of-phrase-language-pt?  *gap 1.000 *FAIL",
        ]
    )
    found = sliced.result(NEGATION)
    assert len(found["examples"]) == 10
    assert all("não" in each["tokens"] for each in found["examples"])  # those of the slice alone
    assert [each["verdict"] for each in found["judgements"]] == ["fail", "fail"]
    page = (sliced.path / "reports" / "robustness.md").read_text("utf-8")
    assert "- F1 0.000 [0.000, 0.051], allowed ≥ 0.900" in page
    assert page == TextWith("like those of", ": sentences", "negation", "Portuguese words.")
    html = (sliced.path / "report.html").read_text("utf-8")
    assert html == NEGATED


@pytest.mark.slow
def test_a_slice_that_does_not_block_stops_nothing(sliced):
    longest = "ner/slice[of-length-end-longest]"
    result = sliced.run("-k", "longest", model="models:deaf_to_no")
    assert (result.ret, sliced.result(longest)["verdict"]) == (10, "fail")  # no bound that blocks was judged
    assert sliced.document()["verdict"] == "measured"
    assert sliced.run("-k", "longest or accents", model="models:deaf_to_no").ret == 0


def test_what_is_filtered_out_is_counted_and_told(sliced):
    result = sliced.run("-v", "-k", "accents", "--html=report.html", model="models:blind_to_accents")
    found = sliced.result("ner/accents[require_words_changed-0.2]")
    assert found["require"] == [
        {
            "validator": "words_changed",
            "side": "max",
            "limit": 0.2,
            "by": TextWith("replaced, inserted or", "the longer sentence"),
        }
    ]
    changed, filtered = found["variants"], found["filtered"]
    assert changed > 0 < filtered
    result.stdout.fnmatch_lines([f"*{filtered} variants filtered out*"])
    page = (sliced.path / "reports" / "robustness.md").read_text("utf-8")
    assert f"- Accents (words changed ≤ 0.2): {filtered} of {filtered + changed} variants did not meet" in page
    html = (sliced.path / "report.html").read_text("utf-8")
    assert f"{filtered} more filtered out" in html


def test_a_mistake_is_told_once(sliced):
    sliced.write("thresholds.toml", SLICES)
    result = sliced.run()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*share_of_what: no such parameter or bound; parameters: of, words, language; *"])
