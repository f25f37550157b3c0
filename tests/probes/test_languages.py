"""Cases for languages, on corpora of one."""

import pytest

from abalo.config.thresholds import load
from abalo.core.gate import Gate
from abalo.corpora import Corpus
from abalo.sources.resources import Resources
from perturbations import find, parse
from tests.conftest import problems
from tests.scripted import Gazetteer, corpus_of, session_of

EMPTY = Corpus("none", ())


@pytest.mark.parametrize(
    ("table", "language", "says"),
    [
        ("[[ner.accents]]", "de", None),
        ("[[ner.contraction]]", "en", None),
        ("[[ner.contraction]]", "zh", "contraction is for pt and en; the language is zh"),
        ('[[ner.contraction]]\nlanguage = "pt"', "zh", None),
        ("[[ner.synonyms]]", "en", "synonyms is for pt; "),
        ('[[ner.synonyms]]\nlexicon = "legal_pt"', "en", None),
        ("[[ner.zh_digits]]", "pt", "zh_digits is for zh; "),
        ("[[ner.zh_digits]]", "zh", None),
        ('[[ner.pipeline]]\nsteps = ["accents", "zh_digits"]', "pt", "zh_digits is for zh; "),
        ('[[ner.pipeline]]\nsteps = ["zh_digits", {name = "tense", language = "en"}]', "zh", None),
        ('[[ner.slice]]\nof = "phrase"', "zh", "phrase is for pt and en; "),
        ('[[ner.slice]]\nof = "length"', "zh", None),
        ("[[ner.baseline]]", "zh", None),
        ("[[ner.swap_ent_oov]]", "zh", "swap_ent_oov is for pt and en; "),
        ('[[ner.swap_ent_oov]]\nentities = "corpus"', "zh", None),
        ("[[ner.mlm_suggestion]]", "en", "mlm_suggestion asks the model that ships, which is of pt; name another"),
        ('[[ner.mlm_suggestion]]\nmodel = "owner/english"', "en", None),
        ('[[ner.mlm_suggestion]]\nlanguage = "pt"', "en", None),
        (
            '[[ner.synonym_embedding]]\nvectors = "none"',
            "pt",
            "synonym_embedding needs vectors, given as 'none'",
        ),
    ],
)
def test_a_case_that_cannot_run_says_why(write, table, language, says):
    (case,) = load(write(table)).cases
    found = case.probe.skipped(case.plan, language)
    assert found is None if says is None else found.startswith(says)


@pytest.mark.parametrize(
    ("name", "given", "language", "used"),
    [
        ("contraction", {}, "en", "en"),
        ("contraction", {"language": "pt"}, "en", "pt"),
        ("letter_case", {}, "zh", "pt"),
    ],
)
def test_a_perturbation_speaks_the_language_of_the_corpus_if_it_can(name, given, language, used):
    assert Resources(EMPTY, language=language).configured(find(name), given).params["language"] == used


@pytest.mark.parametrize(
    ("language", "given", "named"),
    [
        ("pt", {}, ("corpus", "invented:pt", "invented:pt")),
        ("en", {}, ("corpus", "invented:en", "invented:en")),
        ("en", {"entities": "invented:pt"}, ("corpus", "invented:pt", "invented:en")),
        ("zh", {"entities": "corpus"}, ("corpus", "corpus", "none")),
    ],
)
def test_invented_names_are_of_the_language(language, given, named):
    params = Resources(EMPTY, language=language).named(find("swap_ent_oov"), given)
    assert (params["training"], params["entities"], params["otherwise"]) == named


def test_so_does_a_slice(write):
    corpus = corpus_of("[Ana PESSOA] did not go", "[Ana PESSOA] went")
    (case,) = load(write('[[ner.slice]]\nof = "phrase"')).cases
    found = case.probe.run(case, session_of(corpus, Gazetteer(), gate=Gate(language="en")))
    inside = [outcome.sentence for outcome in found.outcomes if not outcome.outside]
    assert inside == [parse("[Ana PESSOA] did not go")]
    assert found.params["language"] == "en"


def test_what_is_no_code_of_a_language_is_told(write):
    (problem,) = problems(write('[gate]\nlanguage = "Português"'))
    assert problem.endswith('language: \'Português\'; expected the code of a language, such as "pt" or "en"')
