"""Answers keep their text and their place through every edit of the passage, or the variant is refused."""

import json
import re
from collections import Counter
from dataclasses import replace

import pytest

from abalo.core.protocols.task import tasks
from abalo.corpora.running_text import running_text
from abalo.models.questions.protocol import PassagePlace
from abalo.models.questions.scoring import Rules
from abalo.tasks.reading.corpus import load
from abalo.tasks.reading.example import CONTEXT, QUESTION, GoldAnswer, QuestionFacts, example_of, place_of
from perturbations import Edit, apply, find, members
from perturbations.answers import answer_text, answers_in, outside_answers, touches
from perturbations.resources import Texts
from tests.published import published
from tests.rows import every

TASK = tasks()["reading"]
PASSAGE = "Ana Souza was born in Lima. The judge left early. She moved to Oslo in 1990."
OURS = ("modify_pos", "add_sent_diverse", "perturb_answer", "perturb_question", "no_question_mark", "more_passages")


def asked(answer, question="Where was Ana born?", passage=PASSAGE, **known):
    at = passage.index(answer) if answer else 0
    answers = [GoldAnswer(answer, PassagePlace(at, at + len(answer)))] if answer else []
    return example_of(running_text(passage), running_text(question), answers, QuestionFacts("q", Rules(), **known))


def answers(example):
    return [answer_text(example.fields[CONTEXT], span) for span in answers_in(example.fields[CONTEXT])]


def varied(example, name, seed=1, field="", **params):
    member = find(name).configured(**params)
    edits = {
        key: made
        for key, sentence in TASK.fields.given(example, field or TASK.fields.usual(member)).items()
        if (made := member.sample(sentence, seed=seed)) is not None
    }
    return TASK.carry(example, edits) if edits else None


# By hand --------------------------------------------------------------------------------------------------------------


def test_an_edit_of_the_answer_is_left_out_and_one_beside_it_is_made():
    example = asked("Lima")
    passage = example.fields[CONTEXT]
    (answer,) = answers_in(passage)
    inside, beside = Edit(5, 6, ("Rome",)), Edit(4, 5, ("at",))
    assert outside_answers(passage, [inside, beside]) == [beside]
    assert not touches(passage, Edit(5, 5, ("old",)), answer)
    made = apply(passage, [beside])
    assert answers(TASK.carry(example, {CONTEXT: made})) == ["Lima"]


def test_an_insertion_within_an_answer_touches_it_and_a_move_of_the_whole_does_not():
    passage = asked("Ana Souza").fields[CONTEXT]
    (answer,) = answers_in(passage)
    assert touches(passage, Edit(1, 1, ("de",)), answer)
    order = (2, 3, 0, 1)
    moved = Edit(0, 4, tuple(passage.tokens[k] for k in order), origins=tuple((k,) for k in order))
    assert not touches(passage, moved, answer)
    torn = (1, 2, 0, 3)
    assert touches(passage, moved._replace(origins=tuple((k,) for k in torn)), answer)


def test_capitals_change_an_answer_only_where_a_case_says_so():
    example = asked("Lima")
    beside = varied(example, "letter_case")
    assert (beside.gold, answers(beside)) == (("Lima",), ["Lima"])
    assert beside.fields[CONTEXT].text == PASSAGE.upper().replace("LIMA", "Lima")
    changed = varied(example, "letter_case", field="inside_answers")
    assert (changed.gold, answers(changed)) == (("LIMA",), ["LIMA"])
    question = varied(example, "letter_case", field="question")
    assert question.fields[QUESTION].text == "WHERE WAS ANA BORN?"
    assert (question.gold, question.fields[CONTEXT].text) == (("Lima",), PASSAGE)


def test_an_answer_without_a_place_leaves_its_question_out():
    example = asked("Lima")
    example = replace(example, source=replace(example.source, placed=False))
    assert varied(example, "typos", rate=1.0) is None


def test_the_answer_is_dropped_only_where_no_answer_is_a_reply():
    passage = "Ana was born in Lima. Bob left. Lima is large. It rained."
    example = asked("Lima", passage=passage, droppable=True)
    changed = varied(example, "drop_answer")
    assert (changed.gold, changed.fields[CONTEXT].text) == ((), "Bob left. It rained.")
    assert varied(asked("Lima", passage=passage), "drop_answer") is None


def moved(passage, answer="Lima"):
    """The passages that moves of one sentence make of a passage, over many seeds."""
    found = (varied(asked(answer, passage=passage), "modify_pos", seed, language="en") for seed in range(12))
    return {each.fields[CONTEXT].text for each in found if each is not None}


def test_a_sentence_moves_to_the_front_or_the_end_but_not_one_that_looks_back():
    passage = "Ana was born in Lima. The judge left early. It rained all day. Bob sang in the street until late."
    assert moved(passage) == {
        "Bob sang in the street until late. Ana was born in Lima. The judge left early. It rained all day.",
    }


@pytest.mark.parametrize(
    ("second", "third"),
    [
        ("Bob bought a red boat in spring.", "He sold it."),
        ("Bob bought a red boat in spring.", "The boat sank."),
        ("Bob met Maria Souza at the old harbour.", "Souza laughed."),
        ("The findings were printed in a journal.", "Bob sang in the street."),  # what findings?
        ("A list of towns.", "Rome."),  # no sentences
        ("Bob bought another boat for his wife in spring.", "The judge left early."),
        ("Bob bought a red boat for his wife in spring.", "Then the judge left."),
        ("After some months Bob bought a red boat for his wife.", "The judge left early."),
        ("Where did Bob live in May?", "Bob lived in a small house near Rome."),
    ],
)
def test_no_sentence_moves_behind_one_that_needs_it_or_from_what_it_needs(second, third):
    first = "Ana was born in Lima."
    assert f"{first} {third} {second}" not in moved(f"{first} {second} {third}")


@pytest.mark.parametrize(
    ("first", "second", "third", "moves"),
    [
        ("Ana nasceu em Lima.", "Bento recebeu alguns quadros antigos em maio.", "Bia mora em Oslo.", True),
        ("Ana nasceu em Lima.", "Bento oferece várias disciplinas optativas à noite.", "Algumas são novas.", False),
        ("Ana nasceu em Lima.", "Bento comprou um robô para o laboratório.", "Ana usou-o na aula de física.", False),
        ("Ana nasceu em Lima.", "Bento criou uma comissão com três pessoas.", "A Comissão trabalha aqui.", False),
        ("Ana nasceu em Lima.", "Bento recebeu alguns questionários.", "Bia riu. Ana leu esses questionários.", False),
        ("Em 1989 Ana nasceu em Lima.", "Em 1990 Bento foi morar com Maria no porto.", "Bia mora em Oslo.", False),
        ("Ana nasceu em Lima.", "Criado por lei em maio, o curso começou em Oslo.", "Bia mora em Oslo.", False),
        ("Ana nasceu em Lima.", "Bento viajou com Maria em maio para ver a sua filha.", "Bia mora em Oslo.", False),
        ("Outra área é a física de Lima.", "A área, que é nova, cresce muito em maio.", "Bia mora em Oslo.", False),
    ],
)
def test_a_portuguese_sentence_moves_to_the_end_unless_one_needs_it(first, second, third, moves):
    example = asked("Lima", passage=f"{first} {second} {third}")
    found = (varied(example, "modify_pos", seed, language="pt") for seed in range(12))
    assert (f"{first} {third} {second}" in {each.fields[CONTEXT].text for each in found if each}) is moves


def test_the_first_sentence_does_not_move_away():
    first, second = "Bob sang in the street until late.", "Ana was born in Lima."
    assert moved(f"{first} {second}") == set()


FRAME = (
    "An earlier version of this text wrongly read|Before it was corrected, the next sentence read|"
    "The first draft of this text wrongly said"
)


def distractors(answer, told, language="en"):
    """The sentences put before the one with the answer, over many seeds."""
    first = "The judge left early. "
    example = asked(answer, passage=f"{first}{told}")
    found = (varied(example, "add_sent_diverse", seed, language=language) for seed in range(12))
    texts = [each.fields[CONTEXT].text for each in found if each is not None]
    assert all(text.startswith(first) and text.endswith(f" {told}") for text in texts)
    return {text.removeprefix(first).removesuffix(f" {told}") for text in texts}


@pytest.mark.parametrize(
    ("answer", "told", "expected"),
    [
        ("Lima", "Lima won Super Bowl XLIX.", r"[\w-]+ won Super Bowl XLIX\."),
        ("1990", "Ana Souza sang in 1990.", r"Ana Souza sang in 19[89]\d\."),
        ("40,000", "The plague killed 40,000 people in Paris.", r"The plague killed [2-9]0,000 people in Paris\."),
        ("5 May", "However, the fair in June closed on 5 May.", r"However, the fair in June closed on \d+ May\."),
        ("four weeks", "It lasted four weeks.", "It lasted (three|five|six|seven|eight|nine|ten) weeks."),
        ("the Normans", "He saw the Normans.", r"He saw the \S+s\."),
        ("University of Lima", "He led the University of Lima.", r"He led the University of [\w-]+\."),
    ],
)
def test_a_distractor_quotes_the_answers_sentence_with_another_answer_as_an_error(answer, told, expected):
    found = distractors(answer, told)
    assert len(found) > 1
    for text in found:
        assert re.fullmatch(rf"({FRAME}): “{expected}”", text), text
        assert answer not in text


def test_a_portuguese_distractor_exchanges_listed_words_too():
    quoted = {text.partition(": ")[2] for text in distractors("agosto", "Ana chegou em agosto.", "pt")}
    assert quoted <= {f"“Ana chegou em {month}.”" for month in ("janeiro", "março", "dezembro")}
    assert len(quoted) > 1


@every(
    ("answer", "told"),
    [
        ("the lake", "The judge saw the lake."),  # nothing of a kind
        ("Lima", "Lima led the museum"),  # no final mark
        ("Lima", 'Lima said "no" to the museum.'),
        ("Lima", "Lima led the museum, and Lima left."),  # the answer would still be there
        ("Lima", "Lima (or Tesla) led the museum."),  # explained
        ("None", "None of the boats sank."),
        ("Lima", f"Lima {'very ' * 45}nearly led the museum."),
        ("V&A", "Bob led the V&A."),
        ("Kepler Research Center", "Bob led the Kepler Research Center."),
        ("OpenTV", "Bob used OpenTV."),
        ("Super Bowl XLIX", "Bob won Super Bowl XLIX."),
        ("four to six", "It took four to six weeks."),
        ("1990 to 1994", "It lasted from 1990 to 1994."),
        ("12", "It cost 12 (twelve) reais."),
        ("the boat that 12 tall judges had", "Bob saw the boat that 12 tall judges had."),  # hardly another answer
    ],
)
def test_an_answer_without_another_of_its_kind_gets_no_distractor(answer, told):
    assert distractors(answer, told) == set()


def test_years_keep_their_order_and_decades_stay_round():
    for text in distractors("1994", "Kent built the museum in 1990 and left in 1994."):
        assert int(re.search(r"left in (\d+)", text)[1]) > 1990
    for text in distractors("1980s", "Kent ran the museum in the 1980s."):
        assert re.search(r"in the 19\d0s", text)


def test_nothing_is_dropped_where_another_sentence_nearly_answers_the_question():
    passage = "Ana Souza was born in Lima. Bob left town. The birth of Ana Souza was by the sea where she was born."
    example = asked("Lima", "Where was Ana Souza born?", passage, droppable=True)
    assert varied(example, "drop_answer", language="en") is None
    assert varied(asked("Lima", "Who saw it?", passage, droppable=True), "drop_answer", language="en") is not None


def test_other_passages_never_hold_the_answer():
    example = asked("Lima")
    refused = ("LIMA is large.", "However, Bob left.", "A list of towns", "Bob sang\nat home.")
    others = Texts("corpus", tuple(map(running_text, (*refused, "Bob sang.", "Kim left.", PASSAGE))))
    changed = varied(example, "more_passages", count=5, passages=others, language="en")
    first, second, third = changed.fields[CONTEXT].text.split("\n\n")
    assert {first, second, third} == {PASSAGE, "Bob sang.", "Kim left."}
    assert second != PASSAGE  # before or behind, never between
    texts = (varied(example, "more_passages", seed, count=1, passages=others).fields[CONTEXT].text for seed in range(9))
    assert {text.startswith(PASSAGE) for text in texts} == {True, False}
    before = varied(example, "more_passages", count=1, place="before", passages=others)
    assert before.fields[CONTEXT].text.endswith(f"\n\n{PASSAGE}")
    assert answers(before) == ["Lima"]
    with pytest.raises(ValueError, match="count is 0; expected a number from 1 to 50"):
        varied(example, "more_passages", count=0, passages=others)


def test_a_question_loses_its_mark_or_gets_other_words():
    example = asked("Lima")
    assert varied(example, "no_question_mark").fields[QUESTION].text == "Where was Ana born"
    for question, left in {'Who said "Why?"': 'Who said "Why"', 'Who said "why"?': 'Who said "why"'}.items():
        assert varied(asked("Lima", question), "no_question_mark").fields[QUESTION].text == left
    framed = varied(example, "perturb_question", language="en").fields[QUESTION].text
    assert framed in ("According to the text, where was Ana born?", "Based on the passage, where was Ana born?")


# Published questions --------------------------------------------------------------------------------------------------


def wrong_in(corpus, language, names, seeds):
    """How many variants there are, and those in which an answer is not what its place and its text say."""
    passages = Texts("corpus", tuple(dict.fromkeys(corpus.passages)))
    made, wrong, fits = 0, [], Counter()
    for name in names:
        member = find(name)
        if member.unfit(language) or (member.cost == "model"):
            continue
        known = {"language": language} if "language" in member.params and language in (*member.spoken, "") else {}
        known |= {"passages": passages, "count": 2} if "passages" in member.params else {}
        member = member.configured(**known)
        for example in corpus.examples:
            sentence = example.fields[CONTEXT if TASK.fields.usual(member) == CONTEXT else QUESTION]
            for seed in seeds:
                edited = member.sample(sentence, seed=seed)
                changed = None if edited is None else TASK.carry(example, {TASK.fields.usual(member): edited})
                if changed is None:
                    continue
                made += 1
                fits[name] += 1
                context = changed.fields[CONTEXT]
                for gold, span in zip(changed.gold, answers_in(context), strict=True):
                    start, stop = place_of(context, span)
                    if context.text[start:stop] != answer_text(context, span) or gold.strip() not in context.text:
                        wrong.append((name, seed, example.source.key, gold))
                assert changed.gold == example.gold
    return made, wrong, fits


def universal():
    return [name for name, member in members().items() if TASK.accepts(member) and name != "drop_answer"]


def test_no_answer_loses_its_place_in_a_sample_of_published_questions():
    corpus = load(str(published("reading/xquad-en.json"))).first(25)
    made, wrong, _ = wrong_in(corpus, "en", universal(), [1])
    assert made > 300
    assert wrong == []


@pytest.mark.slow
def test_no_answer_loses_its_place_in_fifty_thousand_variants():
    total = 0
    for name, language in (("xquad-en", "en"), ("faquad-train", "pt")):
        corpus = load(f"{published(f'reading/{name}.json')}?lenient")
        made, wrong, fits = wrong_in(corpus, language, universal(), [1, 2, 3])
        print(name, made, json.dumps(fits))
        assert wrong == []
        total += made
    assert total >= 50_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "file", "share"),
    [
        ("modify_pos", "xquad-en", 0.3),
        ("modify_pos", "faquad-train", 0.2),
        ("perturb_answer", "xquad-en", 0.3),
        ("perturb_answer", "faquad-train", 0.3),
        ("add_sent_diverse", "xquad-en", 0.15),
        ("add_sent_diverse", "faquad-train", 0.15),
    ],
)
def test_ours_fit_enough_published_questions(name, file, share):
    corpus = load(f"{published(f'reading/{file}.json')}?lenient")
    member = find(name).configured(language="en" if file == "xquad-en" else "pt")
    fitting = sum(member.fits(example.fields[CONTEXT]) for example in corpus.examples)
    assert fitting >= share * len(corpus.examples), fitting
