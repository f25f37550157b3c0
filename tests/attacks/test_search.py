"""The engine: lock step, constraints, duplicates, budgets."""

from abalo.attacks.search import Ask, Found, Refusal, lock_step
from abalo.core.records.outcome import Tried
from abalo.core.records.targets import Effect, Target
from abalo.corpora.examples import TEXT, example_of
from abalo.models.labelling.prediction import Prediction
from abalo.models.tokens.predictor import TokenPredictor
from perturbations import Edit, Sentence, apply
from tests.scripted import ScriptedModel, corpus_of

CLEAN = Prediction(("O",))


def word(text: str) -> Sentence:
    return Sentence((text,))


class Word(Target):
    """A sentence that nothing can break."""

    def holds(self, prediction, made=None):
        return True

    def labels_in(self, prediction, made=None):
        return ()

    def read(self, prediction, made=None):
        return Effect((), (), False, ())

    def importance(self, prediction, made):
        return 0.0


def asking(start: str, *rounds: str, probe: bool = False):
    """A search that asks for the words of each round in place of ``start``, and keeps what it was told last."""
    sentence, last = word(start), Found(None, CLEAN)
    target = Word(example_of(sentence), TEXT, CLEAN)
    for each in rounds:
        answers = yield Ask(target, [apply(sentence, [Edit(0, 1, (w,))]) for w in each.split()], probe)
        last = Found(answers[-1].perturbed, answers[-1].prediction, answers[-1].similarity) if answers else last
    return last


def first_words(variants):
    return [variant.example.sentence.tokens[0] for variant in variants]


def one_letter(variants):
    return [Prediction((first,)) for first in first_words(variants)]


def all_alike(pairs):
    return [1.0] * len(pairs)


def shown(ended) -> list[str]:
    return [end.found.prediction.tags[0] for end in ended]


def test_all_searches_advance_together_one_call_a_step():
    calls = []

    def predict(variants):
        calls.append(first_words(variants))
        return one_letter(variants)

    ended = lock_step([asking("x", "a b", "c"), asking("y", "d"), asking("z", "e", "f", "g")], predict, all_alike, 10)
    assert calls == [["a", "b", "d", "e"], ["c", "f"], ["g"]]
    assert shown(ended) == ["c", "d", "g"]
    assert [end.queries for end in ended] == [3, 1, 3]


def test_what_a_constraint_refuses_is_never_shown_and_costs_nothing():
    asked = []

    def predict(variants):
        asked.extend(first_words(variants))
        return one_letter(variants)

    def without_b(pairs):
        return [Refusal.SIMILARITY if made.sentence.tokens == ("b",) else 0.9 for _, made in pairs]

    (end,) = lock_step([asking("x", "a b")], predict, without_b, 10)
    assert asked == ["a"]
    assert (end.queries, end.found.similarity) == (1, 0.9)


def test_probes_are_bound_by_no_constraint():
    (end,) = lock_step(
        [asking("x", "a b", probe=True)], one_letter, lambda pairs: [Refusal.SIMILARITY] * len(pairs), 10
    )
    assert (shown([end]), end.queries) == (["b"], 2)


def test_the_budget_is_each_searchs_own_and_never_passed():
    ended = lock_step([asking("x", "a b c", "d e"), asking("y", "f")], one_letter, all_alike, 4)
    assert [end.queries for end in ended] == [4, 1]
    assert [end.spent for end in ended] == [True, False]
    assert shown(ended) == ["d", "f"]


def test_a_search_that_asks_nothing_has_its_end():
    def at_once():
        return Found(None, CLEAN)
        yield

    (end,) = lock_step([at_once()], one_letter, all_alike, 4)
    assert (end.found.perturbed, end.queries) == (None, 0)


def test_what_was_asked_before_is_not_predicted_again():
    corpus = corpus_of("[Ana P] saiu")
    model = ScriptedModel(lambda word: "O")
    answering = TokenPredictor(model, corpus.sentences).answering()
    first, second = Sentence(("Rui", "saiu")), Sentence(("Eva", "saiu"))
    answering([first, corpus.sentences[0], first])
    asked = len(model.asked)
    answering([second, first])
    assert len(model.asked) == asked + 1
    assert answering.inputs == 2


def asking_until(words: str, enough: str):
    """A search that asks for the words until the model is shown one, and keeps all that it was told."""
    target = Word(example_of(word("x")), TEXT, CLEAN)
    candidates = [apply(word("x"), [Edit(0, 1, (w,))]) for w in words.split()]
    answers = yield Ask(target, candidates, enough=lambda answer: answer.prediction.tags == (enough,))
    return Found(None, Prediction(tuple(answer.prediction.tags[0] for answer in answers)))


def by_letter(pairs):
    """The later in the alphabet, the less alike; z not enough."""
    words = [made.sentence.tokens[0] for _, made in pairs]
    return [Refusal.SIMILARITY if w == "z" else 1 - ord(w) / 1000 for w in words]


def test_where_one_answer_is_enough_the_most_alike_come_first_and_nothing_after_it():
    calls = []

    def predict(variants):
        calls.append(first_words(variants))
        return one_letter(variants)

    searches = [asking_until("m l z k j i h g f e d c b a", "f"), asking_until("b a", "never")]
    first, second = lock_step(searches, predict, by_letter, 100)
    assert calls == [["a", "b", "c", "d", "a", "b"], ["e", "f", "g", "h"]]
    assert (first.queries, first.spent) == (8, False)
    assert first.found.prediction.tags == tuple("abcdefgh")
    assert first.tried == Tried(candidates=14, unlike=1, other_part_of_speech=0, shown=8)
    assert second.found.prediction.tags == ("a", "b")


def test_under_a_budget_the_most_alike_come_first_where_one_answer_is_enough():
    (end,) = lock_step([asking_until("e d c b a", "never")], one_letter, by_letter, 2)
    assert end.found.prediction.tags == ("a", "b")
    assert (end.queries, end.spent) == (2, True)


def test_a_budget_that_stopped_nothing_is_not_spent():
    (end,) = lock_step([asking_until("e d c b a", "b")], one_letter, by_letter, 4)
    assert (end.queries, end.spent) == (4, False)
