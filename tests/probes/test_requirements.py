"""Requirements of a case on its variants: how they are read, and what becomes of variants that break them."""

import pytest

from abalo.config.thresholds import load
from abalo.core.protocols.probe import Case
from abalo.core.records.gate import Gate
from abalo.core.running.engine import Engine
from abalo.core.running.judging import judge_case
from tests.conftest import ids, problems
from tests.scripted import Gazetteer, corpus_of, session_of
from tests.texts import TextWith

# Without accents the first half of these loses one word of two, the other half two of two.
CORPUS = corpus_of(*(f"[José{k} PESSOA] saiu" for k in range(60)), *(f"[José{k} PESSOA] já" for k in range(60)))
MODEL = Gazetteer(*(f"[José{k} PESSOA]" for k in range(60)))


@pytest.fixture
def opened(write):
    """Opens a session for the one case of a table."""

    def start(table: str, model=MODEL, seeds=(1,)) -> tuple[Case, Engine]:
        (case,) = load(write(table)).cases
        return case, session_of(CORPUS, model, seeds=seeds, gate=Gate(resamples=100))

    return start


ACCENTS = "[[ner.accents]]\nmax_f1_drop = 0.9\n"


def test_where_a_variant_is_filtered_out_the_clean_prediction_stands(opened):
    case, session = opened(ACCENTS + "require = {words_changed = 0.5}")
    found = case.probe.run(case, session)
    assert [outcome.changed for outcome in found.outcomes] == [True] * 60 + [False] * 60
    assert found.facts["filtered"] == 60
    assert found.outcomes[60].prediction is found.outcomes[60].clean
    _, result = session.judge(case)
    assert result.bound_view.estimate("f1_drop").value == pytest.approx(1 / 3)


def test_without_a_requirement_nothing_is_filtered(opened):
    case, session = opened(ACCENTS)
    found = session.run(case)
    assert (found.facts["filtered"], found.facts["require"], found.evidence.changed.all()) == (0, [], True)


def test_it_is_counted_once_per_seed_and_the_model_is_not_asked(opened):
    asked = Gazetteer(*(f"[José{k} PESSOA]" for k in range(60)))
    case, session = opened(ACCENTS + "require = {words_changed = 0.5}", model=asked, seeds=(1, 2, 4))
    found = session.run(case).facts
    assert found["filtered"] == 180
    assert found["inputs"] == 60
    assert not any(sentence.tokens[-1] == "ja" for sentence in asked.asked)


def test_a_case_of_which_everything_is_filtered_out_is_not_judged(opened):
    case, session = opened(ACCENTS + "require = {words_changed = 0.1}")
    found = judge_case(case, session.task, session.run(case).evidence, session.gate, 1)
    assert (found.verdict, found.deciding.reason) == ("inconclusive", TextWith("no variant", "require"))


def test_attacks_on_predicted_spans_share_what_is_left_with_those_on_gold(opened):
    table = '[[ner.char_typo]]\nspan_source = "{}"\nrequire = {{edit_distance = 0.2}}\n'
    facts = []
    for source in ("oracle", "predicted"):
        case, session = opened(table.format(source))
        facts.append(session.run(case).facts)
    oracle, predicted = facts
    assert oracle["inputs"] == predicted["inputs"] == predicted["shared_inputs"]
    assert 0 < oracle["filtered"] == predicted["filtered"] < 120


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
        require = {similarity = 1.8}
        """
    )
    expected = [
        "[[ner.accents]] require: 0.8; expected limits by validator, such as {similarity = 0.8}",
        "[[ner.synonyms]] require: 'similarty': no such validator; did you mean 'similarity'?",
        "[[ner.baseline]] require: no such parameter or bound",
        "[[ner.context_attack]] require: similarity is 1.8; expected the least it may be, a number from -1 to 1",
    ]
    for line, start in zip(problems(path), expected, strict=True):
        assert line.startswith(f"thresholds.toml {start}")
