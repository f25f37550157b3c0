"""The task of aspects: what models are shown, and what becomes of polarity."""

import pytest

import abalo
from abalo.core.protocols.task import tasks
from abalo.slices.facts import facts_of
from abalo.tasks.aspects.corpus import load
from abalo.tasks.aspects.models.near import mark_aspect
from perturbations import Edit, apply, entity_spans, find, members
from tests.texts import TextWith

TASK = tasks()["aspects"]


@pytest.fixture(scope="module")
def usual() -> abalo.Session:
    return abalo.Session(task="aspects", limit=200, seeds=[1])


def test_perturbations_fit_that_keep_polarity_or_say_what_it_is():
    fit = {name for name, member in members().items() if TASK.accepts(member)}
    assert {"rev_tgt", "rev_non", "add_diff", "typos", "accents", "negation", "antonym", "synonyms"} <= fit
    assert not {"concat_sent", "multi_pos", "swap_named_ent", "char_typo", "boundary"} & fit


def test_no_other_task_takes_those_that_read_polarity():
    for name in ("ner", "pos", "classification", "choice"):
        task = tasks()[name]
        if "perturbation" in task.probes:
            assert not any(task.accepts(find(each)) for each in ("rev_tgt", "rev_non", "add_diff")), name


@pytest.mark.parametrize(("name", "flips"), [("rev_tgt", True), ("rev_non", False), ("add_diff", False)])
def test_the_gold_after_a_change_is_what_its_tags_say(name, flips):
    changed = 0
    for example in load("bundled:aspects-en", limit=120).examples:
        made = find(name).sample(example.sentence, seed=1)
        if made is not None:
            changed += 1
            carried = TASK.carry(example, {"text": made})
            assert (carried.gold != example.gold) is flips
            assert TASK.input(carried)[1] == TASK.input(example)[1]
    assert changed > 30


def test_polarity_is_not_known_where_a_sentence_is_turned_around():
    antonym = find("antonym").configured(rate=1, language="en")
    example = next(each for each in load("bundled:aspects-en").examples if antonym.fits(each.sentence))
    made = antonym.sample(example.sentence, seed=1)
    assert TASK.carry(example, {"text": made}).gold is None


def test_a_sentence_without_its_target_is_left_out():
    (example, *_) = load("bundled:aspects-en").examples
    target = example.sentence.anchors[0]
    gone = apply(example.sentence, [Edit(target.start, target.stop, ())])
    assert TASK.carry(example, {"text": gone}) is None


def test_a_typo_in_an_aspect_is_in_what_the_model_is_asked():
    (example, *_) = load("bundled:aspects-en").examples
    place = example.sentence.anchors[0].start
    made = apply(example.sentence, [Edit(place, place + 1, ("scren",))])
    text, aspect = TASK.input(TASK.carry(example, {"text": made}))
    assert aspect.startswith("scren")
    assert aspect in text


def test_the_model_that_ships_is_neither_perfect_nor_useless(usual):
    accuracy = usual.judge("baseline").metrics["accuracy"].value
    assert 0.7 < accuracy < 0.9


def test_a_reversed_target_is_right_with_its_new_polarity(usual, tmp_path, monkeypatch):
    """A model that reads the opinion loses nothing; one that always says the same loses all that it had."""
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("same.py").write_text("def make():\n    return lambda pairs: ['positive' for _ in pairs]\n")
    own = abalo.Session(task="aspects", model="same.py:make", limit=200, seeds=[1])
    found = own.judge("rev_tgt").metrics
    before = found["accuracy_changed"].value + found["accuracy_drop_changed"].value
    assert before + found["accuracy_changed"].value == pytest.approx(1)  # right before or after, never both
    assert found["flip_rate"].value > 0.5


def test_a_model_is_called_with_sentences_and_aspects(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("seen.py").write_text(
        "def make():\n"
        "    def label(pairs):\n"
        "        assert all(aspect in sentence for sentence, aspect in pairs)\n"
        "        return ['neutral' for _ in pairs]\n"
        "    return label\n"
    )
    own = abalo.Session(task="aspects", model="seen.py:make", limit=60, seeds=[1])
    assert own.judge("add_diff").metrics["flip_rate"].value == 0


def test_reports_say_which_aspect_is_meant(usual):
    (result, *_) = usual.judge("rev_tgt").results
    assert result.examples
    assert all(example.tokens[-1].startswith("[") for example in result.examples)
    turned = [example for example in result.examples if example.new_gold != example.gold]
    assert turned


@pytest.mark.parametrize(
    ("sentence", "aspect", "expected"),
    [
        (
            "A new screen is not very bright.",
            "screen",
            "near_A near_new near_ASPECT near_is near_not near_very near_bright",
        ),
        ("Good screen", "screen", "near_Good near_ASPECT"),
        ("Good screen", "keyboard", ""),
        ("A (B) c", "(B)", "near_A near_ASPECT near_c"),
    ],
)
def test_words_near_an_aspect_are_marked(sentence, aspect, expected):
    assert mark_aspect(sentence, aspect) == f"{sentence} {expected}".strip()


def test_the_slice_by_polarities_holds_sentences_of_several(usual):
    (result, *_) = usual.judge("slice", of="several_spans", which="mixed").results
    mixed = [
        each
        for each in usual.task.read("bundled:aspects-en", usual.prepared.spec.options).sentences
        if _polarities(each) > 1
    ]
    assert facts_of(result).text == TextWith("several types")
    assert result.sentences == len(mixed) > 0


def _polarities(sentence):
    return len({span.type for span in entity_spans(sentence.tags)})
