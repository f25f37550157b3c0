"""The language of the corpus in a whole run."""

import pytest

from tests.perturbations.test_function_words import TEXTS
from tests.texts import TextWith

pytestmark = pytest.mark.slow

FOREIGN = """
[[ner.digits]]
max_f1_drop = 0.1

[[ner.slice]]
of = "phrase"
max_f1_gap = 0.1
"""
CASES = """
[gate]
resamples = 100

[[ner.accents]]
max_f1_drop = 0.5

[[ner.synonyms]]
max_f1_drop = 0.5

[[ner.insert_adverb]]
max_f1_drop = 0.5

[[ner.digits]]
max_f1_drop = 0.5
"""


@pytest.fixture
def corpus(project):
    """A function that puts sixty sentences of a language into ``corpus.conll``, each with a name at its end."""

    def write(language: str) -> None:
        rows = "\n".join(f"{word} O" for word in TEXTS[language].split())
        names = "\n\n".join(f"{rows}\n{name} B-PESSOA" for name in ["Ana", "Rui", "Eva"] * 20)
        project.write("corpus.conll", f"{names}\n")
        project.write("thresholds.toml", CASES)

    return write


def lacks(part: str, language: str) -> str:
    """The beginning of the reason, as the perturbation that needs this part alone gives it."""
    name = {"legal": "synonyms", "numerals": "digits"}[part]
    return f"{name} needs the language data '{part}', which Abalo does not have for {language}"


def skipped(document: dict) -> dict[str, str]:
    return {each["id"]: each["reason"] for each in document["tasks"]["ner"]["skipped"]}


@pytest.mark.parametrize(
    ("language", "left_out"),
    [
        ("pt", {"ner/digits": lacks("numerals", "pt")}),
        ("en", {"ner/synonyms": lacks("legal", "en"), "ner/digits": lacks("numerals", "en")}),
        ("zh", {"ner/accents": "accents changes letters", "ner/synonyms": lacks("legal", "zh")}),
    ],
)
def test_the_language_is_found_in_the_corpus_and_cases_for_others_are_skipped(project, corpus, language, left_out):
    corpus(language)
    result = project.run("-rs")
    result.assert_outcomes(skipped=len(left_out), passed=result.parseoutcomes().get("passed", 0))
    result.stdout.fnmatch_lines([f"*ner *language {language} (found *)", "*skipped: *because of the language*"])
    document = project.document()
    assert {case: reason.startswith(left_out.get(case, "?")) for case, reason in skipped(document).items()} == (
        dict.fromkeys(left_out, True)
    )
    assert (document["complete"], document["missing"]) == (True, [])
    assert (document["corpus"]["language"], document["corpus"]["language_found"]) == (language, True)
    assert (document["gate"]["language"], document["gate"]["bounds"]) == ("auto", 4 - len(left_out))
    assert {found["m"] for found in document["results"] if found["bound"]} == {4 - len(left_out)}
    assert f"language {language} (found " in project.path.joinpath("reports/robustness.md").read_text("utf-8")


def test_skipped_cases_are_counted_by_reason_below_the_headline(project, corpus):
    corpus("en")
    project.write("thresholds.toml", f'{CASES}[[ner.synonym_embedding]]\nvectors = "none"\n')
    result = project.run()
    because = {each["id"].split("[")[0]: each["lacks"] for each in project.document()["tasks"]["ner"]["skipped"]}
    assert because == {"ner/synonyms": "language", "ner/digits": "language", "ner/synonym_embedding": "resource"}
    result.stdout.fnmatch_lines(["*skipped: 2 * the language, 1 * a further model or*"])
    project.run("-k", "accents or digits").stdout.fnmatch_lines(["skipped: 1 because of the language"])


def test_where_none_is_found_only_cases_for_any_language_run_and_the_run_says_so(project, corpus):
    corpus("es")
    result = project.run()
    assert result.parseoutcomes()["skipped"] == 3
    result.stdout.fnmatch_lines(["The language of corpus.conll was not recognised*--abalo-language CODE*"])
    document = project.document()
    assert {found["name"] for found in document["results"]} == {"accents"}
    assert skipped(document)["ner/synonyms"] == TextWith("for pt; ", "not known")
    assert document["corpus"]["language"] == "und"
    assert document["complete"]


def test_it_can_be_told_and_the_option_wins(project, corpus):
    corpus("es")
    project.write("thresholds.toml", CASES.replace("[gate]", '[gate]\nlanguage = "zh"'))
    result = project.run("--abalo-language", "en")
    result.stdout.fnmatch_lines(["ner *language en (told)"])
    assert list(skipped(project.document())) == ["ner/synonyms", "ner/digits"]


def test_a_case_for_another_language_by_itself_is_nothing_judged(project, corpus):
    corpus("pt")
    assert project.run("-k", "digits").ret == 10
    document = project.document()
    assert (document["results"], document["missing"], document["complete"]) == ([], [], True)
    assert document["baseline"]["f1"]["value"] is not None


def test_what_is_no_code_is_refused(project, corpus):
    corpus("pt")
    result = project.run("--abalo-language", "English")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(['*--abalo-language English: expected "auto", or the code of a language*'])


def test_what_is_for_another_language_is_skipped_says_why_and_leaves_the_run_complete(project):
    project.write("thresholds.toml", (project.path / "thresholds.toml").read_text("utf-8") + FOREIGN)
    result = project.run("-rs")
    result.assert_outcomes(passed=3, skipped=1)
    result.stdout.fnmatch_lines(["*SKIPPED*digits needs *'numerals', * for pt*"])
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
        TextWith("a negation, ", f"{word} words"),
    )


def test_a_language_that_no_perturbation_knows_is_accepted_and_said(project):
    project.write("thresholds.toml", "[[ner.word_insertion]]\nrate = 0.1\nmax_f1_drop = 0.9\n")
    result = project.run("--abalo-language", "xx")
    said = " knows en, fr"
    assert said in result.stdout.str()
    assert said not in project.run("--abalo-language", "und").stdout.str()
