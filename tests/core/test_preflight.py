"""The first batch of a session: whether the model predicts, whether it answers alike twice, how fast it is."""

import pytest

from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.preflight import percent, refuse_random
from abalo.core.records.gate import Gate
from abalo.core.running.expected import Expected, Pace, estimate_predictions, seconds_by_case, try_searches
from abalo.core.statistics.evidence import sha256_of
from abalo.errors import AbaloError
from abalo.models.labelling.prediction import Prediction
from tests.core.test_predictor import Counting, Length, opened
from tests.scripted import Gazetteer, corpus_of, read_case, session_of
from tests.texts import TextWith


class Restless(Counting):
    """Says one letter more of "b" each time it is asked."""

    def predict(self, texts):
        self.calls.append(list(texts))
        return [Length(len(text) + (text == "b") * len(self.calls)) for text in texts]


class Broken(Counting):
    name = "broken"

    def predict(self, texts):
        raise IndexError("index out of range in self")


def test_the_first_thirty_two_are_predicted_first_and_never_again():
    texts = [f"t{number}" for number in range(40)]
    model, predictor = opened("t0", *texts)
    assert predictor.preflight().inputs == 32
    assert model.calls == [texts[:32]]
    predictor.clean()
    assert model.calls == [texts[:32], texts[32:]]
    assert [each.letters for each in predictor.clean()] == [2] * 11 + [3] * 30
    assert list(predictor.known()) == [(text,) for text in texts]


def test_asked_once_nothing_is_known_of_a_second_answer():
    model, predictor = opened("a", "b", model=Restless())
    found = predictor.preflight()
    assert (found.labels, found.differing, found.share, len(model.calls)) == (2, None, None, 1)


def test_asked_twice_one_label_of_four_differs():
    model, predictor = opened("a", "b", "c", "d", model=Restless())
    found = predictor.preflight(twice=True)
    assert (found.labels, found.differing, found.share) == (4, 1, 0.25)
    assert model.calls == [["a", "b", "c", "d"]] * 2
    assert [each.letters for each in predictor.clean()] == [1, 2, 1, 1]  # the first answers count


@pytest.mark.parametrize(("texts", "seconds"), [(100, 100.0), (40, 45.0)])
def test_the_time_of_a_model_that_remembers_is_that_of_texts_it_has_not_seen(monkeypatch, texts, seconds):
    clock = [0.0]

    class Remembering(Counting):
        def predict(self, given):
            seen = {text for call in self.calls for text in call}
            clock[0] += len({*given} - seen) + 5.0 * (not seen)  # a second a text, and five to begin with
            return super().predict(given)

    monkeypatch.setattr("abalo.core.protocols.predictor.time.perf_counter", lambda: clock[0])
    _, predictor = opened(*(f"t{number}" for number in range(texts)), model=Remembering())
    assert predictor.preflight(twice=True, size=300).seconds == pytest.approx(seconds)


def test_a_second_worker_knows_what_the_first_found(tmp_path):
    (first, one), (second, other) = (opened("a", "b", model=Restless(), store=tmp_path) for _ in range(2))
    assert one.preflight(twice=True) == other.preflight(twice=True)
    assert one.clean() == other.clean()
    assert (len(first.calls), len(second.calls)) == (2, 0)


def test_whatever_a_model_raises_is_one_message_with_its_place():
    _, predictor = opened("a", "b", model=Broken())
    with pytest.raises(
        AbaloError, match=r"model broken: predicting 2 inputs raised IndexError: index out of range in "
    ):
        predictor.preflight()


# Who was judged ------------------------------------------------------------------------------------------------------


def test_the_digest_of_predictions_does_not_depend_on_order_copies_or_batches():
    texts = [f"t{number}" for number in range(40)]
    _, predictor = opened(*texts)
    _, other = opened(*reversed(texts), "t3")
    other.preflight()
    assert predictor.digest() == other.digest()
    assert len(predictor.digest()) == 32


def test_the_digest_of_predictions_changes_with_one_label():
    class Other(Counting):
        def predict(self, texts):
            return [Length(len(text) + (text == "b")) for text in texts]

    assert opened("a", "b")[1].digest() != opened("a", "b", model=Other())[1].digest()


def test_the_digest_knows_no_scores():
    class Scored(Gazetteer):
        def predict(self, sentences):
            return [Prediction(each.tags, None, each.tags, inputs=2) for each in super().predict(sentences)]

    corpus = corpus_of("[José PESSOA] saiu")
    plain, scored = (session_of(corpus, kind("[José PESSOA]")).predictor for kind in (Gazetteer, Scored))
    assert plain.digest() == scored.digest()


# What a session does with it -----------------------------------------------------------------------------------------

CORPUS = corpus_of("[José PESSOA] saiu", "nada aqui", "[Ana PESSOA] e [Rui PESSOA]")


class Fickle(Gazetteer):
    """Finds José the first time only, and does not say so; three sentences have seven words."""

    black_box = False
    draws = None
    times = 0

    def predict(self, sentences):
        self.times += 1
        self.tag = lambda word: "B-PESSOA" if word == "José" and self.times == 1 else "O"
        return super().predict(sentences)


def test_a_model_that_answers_differently_draws_and_is_asked_three_times():
    session = session_of(CORPUS, Fickle())
    assert session.identity()["differing"] == 1 / 7
    assert (session.draws, session.repeats) == (True, 3)


def test_at_scale_a_model_that_answers_differently_is_refused():
    session = session_of(CORPUS, Fickle())
    with pytest.raises(AbaloError, match=r"14 % of labels differ \(1 of 7\) when the same 3 sentences are predicted"):
        refuse_random(session.model, session.preflight, "sentence")


@pytest.mark.parametrize(("draws", "asked", "repeats"), [(None, 300, 1), (False, 32, 1), (True, 32, 3)])
def test_a_black_box_is_asked_twice_on_300_inputs_unless_it_says_whether_it_draws(draws, asked, repeats):
    model = Gazetteer("[José PESSOA]")
    model.draws = draws
    session = session_of(corpus_of(*(f"José saiu {n}" for n in range(400))), model)
    assert session.preflight.inputs == asked
    assert len(model.asked) == asked * (2 if draws is None else 1)
    assert session.repeats == repeats


def test_a_run_says_how_often_a_model_that_draws_is_asked():
    assert session_of(CORPUS, Fickle(), options=RunOptions(repeats=5)).repeats == 5
    assert session_of(CORPUS, Fickle(), gate=Gate(repeats=4)).repeats == 4
    with pytest.raises(AbaloError, match="--abalo-stop-early"):
        _ = session_of(CORPUS, Fickle(), options=RunOptions(stop_early=True)).repeats


@pytest.mark.parametrize(("share", "said"), [(0.1, "10 %"), (1.0, "100 %"), (0.0025, "0.25 %"), (0.0333, "3.3 %")])
def test_shares_are_said_in_two_digits(share, said):
    assert percent(share) == said


# How long it takes ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("inputs", "searches", "most", "said"),
    [
        (300, 0, 0, "300 predictions to make, at 10 a second: about 30 s"),
        (
            1800,
            600,
            36_000,
            TextWith("1,800 predictions to make, at 10 a second: about 3 min, plus 600 searches", "first"),
        ),
        (
            1800,
            6,
            360,
            TextWith("about 3 min, plus 6 searches of attacks: at most 360 more, 36 s"),
        ),
        (48_000, 0, 0, "48,000 predictions to make, at 10 a second: about 1 h 20 min"),
    ],
)
def test_the_time_is_that_of_the_first_batch_for_all_inputs(inputs, searches, most, said):
    assert str(Expected(inputs, searches, 10, most=most)) == said


def test_slow_models_have_a_speed_too():
    assert str(Expected(3, 0, 0.25)) == "3 predictions to make, at 0.25 a second: about 12 s"
    assert str(Expected(38, 0, 1403.2)) == "38 predictions to make, at 1,403 a second: about 1 s"


def test_a_case_counts_its_sentences_once_per_seed_and_an_attack_a_search_per_entity():
    session = session_of(CORPUS, Gazetteer("[José PESSOA]"), seeds=(1, 2))
    cases = [
        read_case("accents"),  # 3 sentences under 2 seeds
        read_case("accents", limit=2, seeds=[5]),  # 2 under 1
        read_case("baseline"),  # predicted already
        read_case("doubled_space", draws=50),  # 50 edits
        read_case("entity_attack", budget=10),  # 3 entities under 2 seeds
    ]
    found = estimate_predictions(session, cases)
    assert (found.inputs, found.searches, found.most) == (6 + 2 + 0 + 50, 6, 6 * 10)
    assert found.rate == pytest.approx(3 / session.preflight.seconds)


def test_the_time_left_follows_the_pace_of_the_finished_cases():
    pace = Pace({"a": 10.0, "b": 20.0, "c": 30.0})
    assert pace.left() == 60
    pace.done("a", 5.0, 1_000)  # twice as fast as expected
    assert pace.left() == 25
    assert pace.left(spent=5.0) == 20
    assert pace.told(5.0, 24) == TextWith("1 of 3 cases", "1,024 inputs", "20 s left")
    pace.done("b", 10.0, 0)
    pace.done("c", 15.0, 0)
    assert pace.left() == 0


def test_the_first_searches_tell_the_time_of_all_and_leave_no_trace():
    session = session_of(CORPUS, Gazetteer("[José PESSOA]"), seeds=(1, 2))
    cases = [read_case("accents"), read_case("entity_attack", budget=10)]
    (seconds,) = try_searches(session, cases).values()
    expected = seconds_by_case(session, cases, {"ner/entity_attack[budget-10]": seconds})
    assert 0 < seconds < 60
    assert expected.keys() == {case.id for case in cases}
    again = session_of(CORPUS, Gazetteer("[José PESSOA]"), seeds=(1, 2))
    assert sha256_of({"a": session.run(cases[1]).evidence}) == sha256_of({"a": again.run(cases[1]).evidence})
