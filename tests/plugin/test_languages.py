"""The language of the corpus in a whole run."""

import pytest

FOREIGN = """
[[ner.zh_digits]]
max_f1_drop = 0.1

[[ner.slice]]
of = "phrase"
max_f1_gap = 0.1
"""


def test_what_is_for_another_language_is_skipped_says_why_and_leaves_the_run_complete(project):
    project.write("thresholds.toml", (project.path / "thresholds.toml").read_text("utf-8") + FOREIGN)
    result = project.run("-rs")
    result.assert_outcomes(passed=3, skipped=1)
    result.stdout.fnmatch_lines(["*SKIPPED*zh_digits is for zh; the language is pt"])
    document = project.document()
    assert (document["complete"], document["missing"], document["gate"]["language"]) == (True, [], "pt")
    assert document["gate"]["bounds"] == 4


@pytest.mark.parametrize(("language", "word"), [("pt", "Portuguese"), ("en", "English")])
def test_the_gate_says_which_it_is(project, language, word):
    project.write("thresholds.toml", f'[gate]\nresamples = 100\nlanguage = "{language}"\n{FOREIGN}')
    project.run("-k", "phrase")
    found = project.result("ner/slice[of-phrase]")
    assert (found["params"]["language"], found["slice"]["text"]) == (
        language,
        f"sentences with a negation, by {word} words",
    )
