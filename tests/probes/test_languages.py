"""Cases for languages, on corpora of one."""

from typing import Literal

import pytest

from abalo.config.thresholds import load
from abalo.core.protocols.task import tasks
from abalo.core.records.gate import Gate
from abalo.corpora import Corpus
from abalo.errors import AbaloError
from abalo.reporting.documents.document import applying
from abalo.sources.resources import Resources
from perturbations import find, parse, word_level
from tests.conftest import problems
from tests.rows import every
from tests.scripted import Gazetteer, corpus_of, session_of
from tests.texts import TextWith

EMPTY = Corpus("none", ())
SHIPPED = 'training = "bundled:legal-pt/train"'


@pytest.mark.parametrize(
    ("table", "language", "says"),
    [
        ("[[ner.accents]]", "de", None),
        ("[[ner.contraction]]", "en", None),
        (
            "[[ner.contraction]]",
            "zh",
            "contraction needs the language data 'contractions', which Abalo does not have for zh; it has them for en",
        ),
        ("[[ner.contraction]]", "de", "for en"),
        ("[[ner.accents]]", "zh", "accents changes letters of an alphabet; zh is written without"),
        ("[[ner.keyboard]]", "zh", "keyboard changes letters"),
        ("[[ner.typos]]", "zh", "typos changes letters"),
        ("[[ner.antonym]]", "zh", None),
        ('[[ner.contraction]]\nlanguage = "pt"', "zh", None),
        (
            "[[ner.synonyms]]",
            "en",
            "synonyms needs the language data 'legal', which Abalo does not have for en; it has them for pt",
        ),
        ("[[ner.synonyms]]", "und", "for pt; the language of the corpus is not known"),
        ("[[ner.synonyms]]", "mul", "for pt; the corpus is in several languages"),
        ("[[ner.synonyms]]", "auto", None),
        ('[[ner.synonyms]]\nlexicon = "legal_pt"', "en", None),
        (
            "[[ner.digits]]",
            "pt",
            "digits needs the language data 'numerals', which Abalo does not have for pt; it has them for",
        ),
        ("[[ner.digits]]", "zh", None),
        (
            '[[ner.pipeline]]\nsteps = ["accents", "digits"]',
            "pt",
            "digits needs the language data 'numerals', which Abalo does not have for pt",
        ),
        ('[[ner.pipeline]]\nsteps = ["digits", {name = "tense", language = "en"}]', "zh", None),
        ('[[ner.slice]]\nof = "phrase"', "zh", "for en"),
        ('[[ner.slice]]\nof = "length"', "zh", None),
        ("[[ner.baseline]]", "zh", None),
        ("[[ner.swap_ent_oov]]", "zh", None),
        ("[[ner.swap_ent_oov]]", "xx", "for en, fr, pt and zh; the corpus is xx"),
        (f"[[ner.swap_ent_oov]]\n{SHIPPED}", "zh", None),
        (f'[[ner.slice]]\nof = "unseen_entities"\n{SHIPPED}', "en", None),
        *(
            (
                f'[[ner.slice]]\nof = "{of}"\ntraining = "none"',
                language,
                f"{of} needs a corpus that the model has learned from: training =",
            )
            for of in ("unseen_entities", "unseen_context")
            for language in ("pt", "en", "auto")
        ),
        ("[[ner.context_attack]]", "en", None),
        ("[[ner.context_attack]]", "zh", "for en"),
        ('[[ner.context_attack]]\nstop_words = "stop_words_zh"', "zh", None),
        ("[[ner.entity_attack]]", "zh", None),
        ("[[ner.stop_word_case]]", "und", "for pt"),
        ("[[ner.typo_outside]]", "und", None),
        ("[[choice.paraphrase_consistency]]", "zh", "for en and pt; the corpus is zh"),
        ("[[choice.paraphrase_consistency]]", "mul", None),
        ("[[choice.perturbation_stability]]", "und", None),
        ('[[ner.back_translation]]\nforward = "none"\nbackward = "none"', "auto", "back_translation needs forward and"),
        ('[[ner.swap_ent_oov]]\nentities = "corpus"', "zh", None),
        ("[[ner.mlm_suggestion]]", "en", "mlm_suggestion asks the model that ships, which is of pt; name another"),
        ('[[ner.mlm_suggestion]]\nmodel = "owner/english"', "en", None),
        ('[[ner.mlm_suggestion]]\nlanguage = "pt"', "en", None),
        (
            '[[ner.synonym_embedding]]\nvectors = "none"',
            "pt",
            "synonym_embedding needs vectors, which is 'none'",
        ),
    ],
)
def test_a_case_that_cannot_run_says_why(write, table, language, says):
    (case,) = load(write(table)).cases
    found = case.probe.entries.skipped(case.plan, language)
    assert found is None if says is None else found.startswith(says)


@pytest.mark.parametrize(
    ("table", "language", "resource"),
    [
        ("[[ner.mlm_suggestion]]", "en", True),
        ('[[ner.mlm_suggestion]]\nmodel = "none"', "pt", True),
        ("[[ner.clare]]", "en", True),
        ("[[ner.contraction]]", "zh", False),
        ("[[ner.context_attack]]", "zh", False),
        ('[[ner.slice]]\nof = "unseen_entities"\ntraining = "none"', "pt", True),
        ('[[ner.slice]]\nof = "phrase"', "zh", False),
    ],
)
def test_a_skipped_case_lacks_a_resource_or_its_language(write, table, language, resource):
    thresholds = load(write(table)).spoken({"ner": language})
    (skipped,) = applying(thresholds, tasks()["ner"], deep=True)["skipped"]
    assert skipped["lacks"] == ("resource" if resource else "language")


@pytest.mark.parametrize(
    ("name", "given", "language", "used"),
    [
        ("contraction", {}, "en", "en"),
        ("contraction", {"language": "pt"}, "en", "pt"),
        ("letter_case", {}, "fr", "fr"),
        ("letter_case", {}, "de", "any"),
        ("word_insertion", {}, "en", "en"),
        ("word_insertion", {}, "und", "any"),
        ("insert", {"language": "pt"}, "de", "pt"),
    ],
)
def test_a_perturbation_speaks_the_language_of_the_corpus_if_it_can(name, given, language, used):
    assert Resources(EMPTY, language=language).configured(find(name), given).params["language"] == used


@every("name", ["word_insertion", "context_distractors", "insert"])
@every(
    ("language", "fillers"),
    [
        ("pt", {"xxx", "lorem", "teste", "ruido"}),
        ("en", {"um", "uh", "hmm", "anyway"}),
        ("fr", {"lorem", "ipsum", "qsdf", "etc"}),
        ("zh", {"xxx", "asdf", "嗯", "呃"}),
        ("de", {"xxx", "lorem"}),
        ("und", {"xxx", "lorem"}),
        ("mul", {"xxx", "lorem"}),
    ],
)
def test_fillers_are_of_the_language_of_the_corpus(name, language, fillers):
    made = Resources(EMPTY, language=language).configured(find(name), {})
    (first, *_) = made.sites(parse("a [Ana PESSOA] saiu"))
    assert {word for edit in first for word in edit.tokens} == fillers


def test_so_does_one_of_a_user_that_lists_its_languages():
    @word_level(example=("a", "A"))
    def shouts(word: str, *, language: Literal["en", "de"] = "de"):
        return (word.upper(),)

    spoken = {code: Resources(EMPTY, language=code).configured(shouts, {}).params["language"] for code in ("en", "pt")}
    assert spoken == {"en": "en", "pt": "de"}


@pytest.mark.parametrize(
    ("language", "given", "named"),
    [
        ("pt", {}, ("corpus", "invented:pt", "invented:pt")),
        ("en", {}, ("corpus", "invented:en", "invented:en")),
        ("en", {"entities": "invented:pt"}, ("corpus", "invented:pt", "invented:en")),
        ("zh", {"entities": "corpus"}, ("corpus", "corpus", "invented:zh")),
    ],
)
def test_invented_names_are_of_the_language(language, given, named):
    params = Resources(EMPTY, language=language).named(find("swap_ent_oov"), given)
    assert (params["training"], params["entities"], params["otherwise"]) == named


@pytest.mark.parametrize("language", ["pt", "en", "und"])
@pytest.mark.parametrize(
    ("given", "used"), [({}, "corpus"), ({"training": "bundled:legal-pt/train"}, "bundled:legal-pt/train")]
)
def test_training_data_is_the_corpus_that_is_judged_unless_a_case_names_other(language, given, used):
    assert Resources(EMPTY, language=language).named(find("swap_ent_oov"), given)["training"] == used


@pytest.mark.parametrize(("language", "lists"), [("pt", "pt"), ("en", "en")])
def test_an_attack_looks_words_up_in_the_lists_of_the_language(write, language, lists):
    (case,) = load(write("[[ner.context_attack]]")).cases
    settings = case.probe.member(case).configured(**case.probe.spoken(case, language))
    assert (settings.synonyms, settings.stop_words) == (f"lexicon:near_synonyms_{lists}", f"stop_words_{lists}")


def test_a_case_for_another_language_is_none_of_the_bounds_to_correct_for(write):
    found = load(write("[[ner.accents]]\nmax_f1_drop = 0.1\n[[ner.synonyms]]\nmax_f1_drop = 0.1\n"))
    accents, synonyms = found.cases
    assert found.bounds_beside(accents, deep=False) == 2
    english = found.spoken({"ner": "en"})
    assert english.bounds_beside(accents, deep=False) == 1
    assert english.left_out("ner", deep=False) == [
        (synonyms, TextWith("synonyms needs ", " 'legal', ", " for en; ", " for pt"))
    ]


def test_so_does_a_slice(write):
    corpus = corpus_of("[Ana PESSOA] did not go", "[Ana PESSOA] went")
    (case,) = load(write('[[ner.slice]]\nof = "phrase"')).cases
    found = case.probe.run(case, session_of(corpus, Gazetteer(), gate=Gate(language="en")))
    inside = [outcome.sentence for outcome in found.outcomes if not outcome.outside]
    assert inside == [parse("[Ana PESSOA] did not go")]
    assert found.params["language"] == "en"


def test_what_is_no_code_of_a_language_is_told(write):
    (problem,) = problems(write('[gate]\nlanguage = "Português"'))
    assert problem.endswith('language: \'Português\'; expected "auto", or the code of a language, such as "pt" or "en"')


@pytest.mark.parametrize(
    ("language", "said"), [("", ""), ('language = "en"\n', ""), ('language = "pt"\n', "English alone")]
)
def test_a_value_for_one_language_fits_entries_of_that_language(language, said, write):
    path = write(f'[[ner.tense]]\n{language}inflections = "lemminflect"\n')
    if said:
        with pytest.raises(AbaloError, match=said):
            load(path)
    else:
        assert len(load(path).cases) == 1
