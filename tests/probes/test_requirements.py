"""What a case requires of its variants: read, and what becomes of those that do not keep it."""

import pytest

from abalo.core.judging import judged
from abalo.core.predictor import Predictor
from abalo.sources.resources import Resources
from abalo.core.case import run
from abalo.config.thresholds import Gate, load
from tests.conftest import ids, problems
from tests.scripted import Gazetteer, corpus_of

# Without accents the first half of these loses one word of two, the other half two of two.
CORPUS = corpus_of(*(f"[José{k} PESSOA] saiu" for k in range(60)), *(f"[José{k} PESSOA] já" for k in range(60)))
MODEL = Gazetteer(*(f"[José{k} PESSOA]" for k in range(60)))


@pytest.fixture
def ran(write):
    def start(table: str, corpus=CORPUS, model=MODEL, seeds=(1,)):
        (case,) = load(write(table)).cases
        return run(case, corpus, Predictor(model, corpus.sentences), seeds, Resources(corpus))

    return start


ACCENTS = "[[ner.accents]]\nmax_f1_drop = 0.9\n"


def test_where_a_variant_is_filtered_out_the_clean_prediction_stands(ran):
    found = ran(ACCENTS + "require = {words_changed = 0.5}")
    assert [outcome.changed for outcome in found.outcomes] == [True] * 60 + [False] * 60
    assert found.filtered == 60
    assert found.outcomes[60].prediction is found.outcomes[60].clean
    assert judged(found, Gate(resamples=100), 1).bound_view.estimate("f1_drop").value == pytest.approx(1 / 3)


def test_without_a_demand_nothing_is_filtered(ran):
    found = ran(ACCENTS)
    assert (found.filtered, found.required, all(outcome.changed for outcome in found.outcomes)) == (0, [], True)


def test_it_is_counted_once_per_seed_and_the_model_is_not_asked(ran):
    asked = Gazetteer(*(f"[José{k} PESSOA]" for k in range(60)))
    found = ran(ACCENTS + "require = {words_changed = 0.5}", model=asked, seeds=(1, 2, 4))
    assert found.filtered == 180
    assert found.forwards == 60
    assert not any(sentence.tokens[-1] == "ja" for sentence in asked.asked)


def test_a_case_of_which_everything_is_filtered_out_is_not_judged(ran):
    found = judged(ran(ACCENTS + "require = {words_changed = 0.1}"), Gate(resamples=100), 1)
    assert (found.verdict, found.deciding.reason) == ("inconclusive", "no variant is as required")


def test_attacks_on_predicted_spans_share_what_is_left_with_those_on_gold(ran):
    table = '[[ner.char_typo]]\nspan_source = "{}"\nrequire = {{edit_distance = 0.2}}\n'
    oracle, predicted = (ran(table.format(source)) for source in ("oracle", "predicted"))
    assert oracle.forwards == predicted.forwards == predicted.shared_forwards
    assert 0 < oracle.filtered == predicted.filtered < 120


def test_what_is_required_is_part_of_the_id(write):
    table = (
        "[[ner.accents]]\n[[ner.accents]]\nrequire = {similarity = 0.8}\n"
        '[[ner.accents]]\nrequire = {similarity = {limit = 0.8, source = "ngrams"}, words_changed = 0.1}\n'
    )
    assert ids(load(write(table))) == [
        "ner/accents",
        "ner/accents[require_similarity-0.8]",
        "ner/accents[require_similarity-limit_0.8+source_ngrams-require_words_changed-0.1]",
    ]


def test_mistakes_are_told(write):
    path = write(
        """
        [[ner.accents]]
        require = 0.8

        [[ner.synonyms]]
        require = {similarty = 0.8}

        [[ner.baseline]]
        require = {similarity = 0.8}

        [[ner.context_attack]]
        require = {similarity = 0.8}
        """
    )
    expected = [
        "[[ner.accents]] require: 0.8; expected limits by validator, such as {similarity = 0.8}",
        "[[ner.synonyms]] require: 'similarty': no such validator; did you mean 'similarity'?",
        "[[ner.baseline]] require: no such parameter or bound",
        "[[ner.context_attack]] require: no such parameter or bound",
    ]
    for line, start in zip(problems(path), expected, strict=True):
        assert line.startswith(f"thresholds.toml {start}")
