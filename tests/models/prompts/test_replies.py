"""Replies as models write them: where each kind is read, and what is unreadable."""

import json
import time
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.models.prompts.answers import AnswerForm
from abalo.models.prompts.entities import EntityForm
from abalo.models.prompts.labels import LabelForm
from abalo.models.prompts.replies import after_thoughts
from abalo.models.prompts.tags import TagForm
from abalo.models.prompts.translations import TranslationForm
from abalo.tasks.choice.models.prompted import QuestionForm
from perturbations import Sentence, parse
from tests.models.prompts.scripted import prompt_of
from tests.rows import every

OPTIONS = ("oak", "wool", "iron", "glass")
QUESTION = SimpleNamespace(question="Which is a metal?", options=OPTIONS)
MOODS = LabelForm(("negative", "neutral", "positive"), several=False)
PASSAGE = ("Ann left Paris. Bob stayed.", "Who left Paris?")
SOURCE = "O gato dorme."


def letter(reply, options=OPTIONS):
    place = QuestionForm().read(reply, SimpleNamespace(question="?", options=options))
    return None if place is None else "ABCD"[place]


def label(reply, labels=MOODS.labels):
    found = LabelForm(tuple(labels), several=False).read(reply, "a text")
    return None if found is None else found[0]


@every(
    "reply",
    [
        *(
            "C",
            "c",
            "(C)",
            "C)",
            "C.",
            "C) iron",
            "C. iron",
            "(C) iron",
            "C: iron",
            "C - iron",
            "C (iron)",
            "iron",
            "Iron.",
        ),
        *("**C**", "`C`", '"C"', "[C]", "- C", "Option C", "Opção C", "letra C", "Option **C**", "选C", "Ｃ", "（C）"),
        *("**Answer:** C", "Final answer: C", "### Answer: C", "**Final Answer: C**", "### Answer\nC", "【答案】C"),
        *("<answer>C</answer>", "<answer>C", "<answer><answer>C</answer></answer>", "```\nC\n```", "```\nC"),
        *("Here is my answer:\n```\nC\n```", r"\boxed{C}", r"So it is $\boxed{\text{C}}$.", r"ANSWER: $\boxed{C}$"),
        *("The answer is **C) iron**.", "The correct answer is C. Note that answer B is tempting but wrong."),
        *("Answer: C\nWhy not answer A? Because oak is wood.", "Answer: C. Iron is a metal.", "C\n\nIron is a metal."),
        *("Could it be B? No.\n</think>\nC", "<think>The answer is A? No.</think>\nC", "[THINK]A[/THINK]C"),
        *("◁think▷A◁/think▷C", "<thinking>\nA\n</thinking>\n\nC", "<reasoning>A</reasoning>\n**C**"),
        *("Resposta: C", "A resposta correta é a letra C.", "A alternativa correta é a C.", "Gabarito: C"),
        *("Antwort: C", "Die richtige Antwort ist C.", "Respuesta: C", "La respuesta correcta es la C."),
        *(
            "答案：C",
            "正确答案是C。因为铁是金属。",
            "故选C。",
            "Réponse : C",
            "La bonne réponse est C.",
            "정답은 C입니다.",
        ),
        *('{"answer": "C"}', '```json\n{"answer": "iron"}\n```', "C is the correct answer.", "Option C is correct."),
    ],
)
def test_a_letter_is_read(reply):
    assert letter(reply) == "C"


@every(
    "reply",
    [
        *("I cannot give an answer. A question like this needs context.", "No answer. A passage is missing.", "", " "),
        *("A or C", "A and C", "A\nC", "The answer is A.\nThe answer is C.", "Answer: A\nAnswer: C", "C. oak", "C?"),
        *("The correct answer is C. oak", "Answer: C. Oak", "C, because iron is a metal", "The answer is not C."),
        *("Is the answer C?", "E", "Answer: E", "<think>C", "C-", "<answer>A</answer>\n<answer>C</answer>"),
        *("The answer is B.\n```\nC\n```", "不选C", "A resposta não é C.", '{"answer": "A"} {"answer": "C"}'),
        *(
            "A) oak\nB) wool\nC) iron\nD) glass",
            "Não posso responder.",
            "Ich kann das nicht beantworten.",
            "我无法回答。",
        ),
        *(r"\boxed{A} \boxed{C}", "This is C we have a problem", "C" * 1_000_000),
    ],
)
def test_a_letter_is_unreadable(reply):
    assert letter(reply) is None


def test_options_that_hold_a_letter_of_their_own_are_read_by_what_they_say():
    options = ("B) green", "A) red", "C) blue", "D) grey")
    assert (letter("B", options), letter("B) green", options), letter("B. A) red", options)) == ("B", "A", "B")
    assert letter("A", ("B", "A", "x", "y")) == "A", "the letter was asked for"


@every(
    "reply",
    [
        *("positive", "Positive.", "**Positive**", "Sentiment: positive", "Positive\n\nThe review praises the film."),
        *("Reasoning: some would say negative, but no.\nLabel: positive", "Label: positive. The film is praised."),
        *("Positive. The review praises the film.", "The sentiment is positive.", "It's positive!", "标签：positive"),
        *(
            "Rótulo: positive",
            "情感：positive",
            "答案是positive。",
            "**Label: positive**",
            "<think>negative</think>positive",
        ),
        *('{"label": "positive"}', '```json\n{"label": "POSITIVE"}\n```', "```\npositive\n```", "positive\npositive"),
        *("Could it be negative? No.\n</think>\npositive", "<label>positive</label>", "O sentimento é positive."),
    ],
)
def test_a_label_is_read(reply):
    assert label(reply) == "positive"


@every(
    "reply",
    [
        *(
            "positive or negative",
            "nonpositive",
            "not positive",
            "The text is positive",
            "I cannot say positive.",
            "positive?",
        ),
        *("This is not positive, it is negative.", "Label: positive\nLabel: negative", "Label: positive. negative."),
        *('{"label": "positive", "label": "negative"}', "Positive\nNegative", "<think>positive", "positive" * 100_000),
        *(
            "Label: either positive or negative",
            "As an AI model, I cannot judge.",
            "Não posso dizer se é positive ou negative.",
        ),
    ],
)
def test_a_label_is_unreadable(reply):
    assert label(reply) is None


@every(
    ("labels", "reply", "expected"),
    [
        (("entailment", "not_entailment"), "not entailment", "not_entailment"),
        (("entailment", "not_entailment"), "Label: Not-Entailment", "not_entailment"),
        (("contradiction", "entailment", "neutral"), "not entailment", None),
        *((("-1", "0", "1"), reply, "-1") for reply in ("-1", "−1", "Label: -1", "**-1**", '{"label": -1}')),
        *((("-1", "0", "1"), reply, None) for reply in ("- 1", "+1", "1 or -1", "1-")),
        *((("C", "C-", "A*"), reply, reply) for reply in ("C", "C-", "A*")),
        *((("C",), reply, None) for reply in ("C-", "C#", "C*")),
        *((("yes", "Yes"), reply, expected) for reply, expected in (("yes", "yes"), ("Yes", "Yes"), ("YES", None))),
        (("正面", "负面"), "正面。这部电影很好看。", "正面"),
        (("正面", "负面"), "情感：负面", "负面"),
        (("正面", "负面"), "不是正面", None),
    ],
)
def test_labels_that_resemble_each_other_are_told_apart(labels, reply, expected):
    assert label(reply, labels) == expected


@pytest.mark.parametrize("reply", ["Answer: not\nentailment", "**Not**\n**entailment**", "Label:\n\nNot\n\nentailment"])
def test_a_label_behind_a_negation_on_the_line_before_is_not_read(reply):
    assert label(reply, ("entailment", "not_entailment")) in (None, "not_entailment")
    assert label(reply, ("entailment", "neutral")) is None


def test_a_label_whose_first_word_stands_on_the_line_before_is_not_another():
    assert label("It is\n**very**\n**good**", ("good", "very good")) is None
    assert label("It is\n**so**\n**good**", ("good", "very good")) == "good"


@every(
    ("reply", "expected"),
    [
        *(
            (reply, ("fear", "joy"))
            for reply in (
                *("Labels:\n- joy\n- fear", "**Labels:**\n\n* joy\n* fear", "## Labels\n- joy\n- fear"),
                *("Labels:\n\njoy\nfear", "Here are the labels:\n- joy\n- fear", "Labels:\n1. joy\n2. fear"),
                *("- joy\n\n- fear\n\nThe text is both.", "joy, fear\n\n**joy**\nIt laughs.\n**fear**\nIt runs."),
                *("Labels: joy, fear\n\nThere is no anger.", "joy\nfear", "The labels are joy, fear."),
            )
        ),
        *((reply, ("joy",)) for reply in ("Labels:\n- joy\n\nIt laughs.", "joy\n\n- It laughs.\n- It sings.")),
        *(
            (reply, None)
            for reply in (
                "Labels:\n- joy\n- a bit of fear",
                "Labels: joy, fear\n\nActually, the labels are joy, anger.",
                "Labels: joy\n\nLabels:\n- joy\n- fear",
                "Labels: joy\nfear",
            )
        ),
    ],
)
def test_several_labels_are_read_from_a_list(reply, expected):
    assert LabelForm(("anger", "fear", "joy", "sadness"), several=True).read(reply, "a text") == expected


@pytest.mark.parametrize(
    "reply",
    [
        *("Label: positive\n\nActually, the label is negative.", "Label: negative\n\nThe answer is positive."),
        *("Label: positive\nNo wait.\nnegative", "The label is positive. On second thoughts, it is negative."),
        *("Positive. No, negative.", "Positive. No. Negative.", "positive\n\nWait, actually negative."),
        *(
            "Label: positive\nCorrection: negative",
            "Label: positive. Correct label: negative.",
            "Positive\nNegative\nHm.",
        ),
        *("Label: positive. **Actually**, the label is **negative**. Sorry.", "标签：positive。不对，标签是negative。"),
    ],
)
def test_a_label_that_is_taken_back_is_unreadable(reply):
    assert label(reply) is None


@pytest.mark.parametrize(
    "reply",
    [
        *("Label: positive\n\nSome words are negative, but it ends well.", "Label: positive. No negative words."),
        *(
            "Positive. No, really, the film is praised.",
            "positive\n\nThe start is dull. It is negative. The end is not.",
        ),
        *("Label: positive\nActually, the label is positive.", "Label: positive\n\nThe answer is not negative."),
        *("The label is negative. No.\nLabel: positive", "Label: positive\n\nIs it negative? No."),
        "Label: positive\n\nOptions:\n- negative\n- neutral\n- positive",
    ],
)
def test_a_label_that_is_explained_is_read(reply):
    assert label(reply) == "positive"


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        *(
            (reply, None)
            for reply in (
                *("Answer: B\n\nActually, the answer is C.", "The answer is B. Wait, the answer is C.", "Answer: A\nB"),
                *("Answer:\nC\nA", "C\n\nIron shines.\nHold on, A is correct.\nYes."),
            )
        ),
        *(
            (reply, "C")
            for reply in (
                *(
                    "Answer: C. why not answer A?",
                    "Answer: C\nA) oak\nB) wool\nD) glass",
                    "C\n\nA is wood.\nB is no metal.",
                ),
                "The answer is C.\n\nIf it had asked for wood, the answer would be A.",
            )
        ),
    ],
)
def test_a_letter_that_is_taken_back_is_unreadable(reply, expected):
    assert letter(reply) == expected


def test_the_word_that_the_prompt_ends_in_announces_the_answer():
    for template, cue in (
        ("{labels} {text}\n\nStimmungslage:", "Stimmungslage"),
        ("{labels} {text}\nWhat is it? **Mood:** ", "Mood"),
        ("{labels}: {text}", ""),
        ("{text} {labels}\n标签：", "标签"),
    ):
        assert prompt_of(MOODS, prompt=template).cue == cue
    assert MOODS.read("Because it is good.\nStimmungslage: positive\nSo there.", "a text", "Stimmungslage") == (
        "positive",
    )
    assert MOODS.read("Because it is good.\nStimmungslage: positive\nSo there.", "a text") is None


@every(
    ("reply", "expected"),
    [
        *(
            (reply, "Ann")
            for reply in ("Ann", "“Ann”", "**Ann**", "```\nAnn\n```", "Answer: Ann", "Resposta: Ann", "答案：Ann")
        ),
        *(
            (reply, "Ann")
            for reply in ("<think>\nBob? No.\n</think>\n\nAnn", "<answer>Ann</answer>", "The answer:\n\nAnn")
        ),
        *((reply, "Ann") for reply in ("Ann\n\nThe passage says so.", "Bob stayed.\nAntwort: Ann", r"\boxed{Ann}")),
        *(
            (reply, "")
            for reply in ("No answer.", "unanswerable", "Sem resposta.", "keine Antwort", "无法回答。", "null")
        ),
        *((reply, None) for reply in ("Answer: Ann\nAnswer: Bob", "<think>Ann", "Answer:", "", '{"place": 3}')),
        ("The passage says that Ann left.", "The passage says that Ann left."),
        ("I'm sorry, I can't answer that.", "I'm sorry, I can't answer that."),
    ],
)
def test_an_answer_about_a_passage_is_read(reply, expected):
    assert AnswerForm().read(reply, PASSAGE) == expected


@every(
    "reply",
    [
        *(
            "The cat sleeps.",
            '"The cat sleeps."',
            "“The cat sleeps.”",
            "```\nThe cat sleeps.\n```",
            "<think>gato\n</think>The cat sleeps.",
        ),
        *("Here is the translation:\n\nThe cat sleeps.", "Sure! Here's the translation: The cat sleeps."),
        *("Translation: The cat sleeps.", "**Translation:** The cat sleeps.", "### Translation\n\nThe cat sleeps."),
        *(
            "Tradução: The cat sleeps.",
            "Übersetzung: The cat sleeps.",
            "译文：The cat sleeps.",
            "以下是翻译：The cat sleeps.",
        ),
        *("Claro! Aqui está a tradução:\n\nThe cat sleeps.", '{"translation": "The cat sleeps."}', "The cat\nsleeps."),
    ],
)
def test_a_translation_is_read(reply):
    assert TranslationForm(("pt", "en")).read(reply, SOURCE) == "The cat sleeps."


@pytest.mark.parametrize(
    ("source", "reply"),
    [
        ("Vendeu a tradução.", "He sold the translation: it was bad."),
        ("", "The translation: a failure."),
        ("Usa {} e [].", "Use {} and [] in the code."),
        ("Tradução: foi má.", "Translation: it was bad."),
        ("Aqui está a tradução: foi assinada.", "Here is the translation: it was signed."),
        ('"Sim", disse.', '"Yes"'),
        ("Sim e não.", '"Yes" and "no"'),
        ("Usa <think> e </think>.", "Use <think> and </think>."),
        ("O gato\u00a0dorme.", "The cat\u00a0sleeps.  Well."),
        ("", "'Tis of the cats'"),
        ('{"a": "b"}', '{"translation": "b"}'),
    ],
)
def test_a_translation_stays_as_it_is(source, reply):
    assert TranslationForm(("pt", "en")).read(reply, source) == reply


@pytest.mark.parametrize("reply", ["", "<think>The cat", "Translation:", "```\n```", "x" * 1_000_000])
def test_a_translation_is_unreadable(reply):
    assert TranslationForm(("pt", "en")).read(reply, SOURCE) is None


ENTITIES = json.dumps({"entities": [{"text": "Rio", "type": "LOC"}]})


@every(
    ("reply", "expected"),
    [
        *(
            (reply, "B-LOC O O")
            for reply in (ENTITIES, f"As asked in [1], the answer is: {ENTITIES}", f"{ENTITIES}\nDone [2].")
        ),
        *(
            (f'<think>{{"entities": []}}</think>{ENTITIES}', "B-LOC O O"),
            ('```json\n[["Rio", "LOC"]]\n```', "B-LOC O O"),
        ),
        *(
            (reply, "B-LOC O O")
            for reply in ("[Rio](LOC) e Ana", "Here it is:\n\n[Rio](LOC) e Ana", "[Rio](LOC) e Ana\n\nDone.")
        ),
        *(
            (reply, None)
            for reply in (f'{ENTITIES} {{"entities": []}}', "I see [Rio](LOC) and nothing else in this text.", "[1, 2]")
        ),
        *(
            (reply, None)
            for reply in ("[Rio](LOC) e Ana\n[Rio](PER) e Ana", "Rio is a LOC.", f"<think>{ENTITIES}", "Não há.")
        ),
        *(
            (json.dumps({"entities": entries}), expected)
            for entries, expected in (
                ([{"text": "Rio", "label": "LOC"}], "B-LOC O O"),
                ([{"text": "Rio", "type": "LOC", "label": "PER"}], "B-LOC O O"),
                ([{"text": "Rio", "type": "LOC"}, {"text": "e", "type": "ROBOT"}], "B-LOC O O"),
                ([{"text": "Rio", "kind": "LOC"}], None),
                ([{"word": "Rio", "type": "LOC"}], None),
                ([{"text": "Rio", "type": "ROBOT"}], None),
                ([{"text": "Roma", "type": "LOC"}], "O O O"),
                ([], "O O O"),
            )
        ),
        *((reply, None) for reply in ('{"LOC": ["Rio"]}', json.dumps([["Rio", "LOC"]] * 4), "I'm sorry.")),
    ],
)
def test_entities_are_read(reply, expected):
    found = EntityForm(("LOC", "PER")).read(reply, parse("Rio e Ana"))
    assert (None if found is None else " ".join(found.tags)) == expected


@pytest.mark.parametrize(("which", "expected"), [("2", "O B-LOC"), (2, "O B-LOC"), ("two", "B-LOC O"), ("3", "O O")])
def test_an_occurrence_may_be_a_string_of_digits(which, expected):
    reply = json.dumps({"entities": [{"text": "Rio", "type": "LOC", "occurrence": which}]})
    assert " ".join(EntityForm(("LOC",)).read(reply, parse("Rio Rio")).tags) == expected


@pytest.mark.parametrize(
    ("value", "expected"), [(1990, "1990"), (1.5, "1.5"), ("1990", "1990"), (None, ""), (True, None), ([1990], None)]
)
def test_an_answer_in_json_may_be_a_number(value, expected):
    reply = json.dumps({"answer": value})
    assert AnswerForm(json=True).read(reply, PASSAGE) == AnswerForm().read(reply, PASSAGE) == expected


# Assembled replies -------------------------------------------------------------------------------------------------

THOUGHTS = st.sampled_from(
    [
        "",
        "<think>\nIt could be {other}.\n</think>\n\n",
        "Answer: {other}?\n</think>\n",
        "[THINK]{other}[/THINK]",
        "◁think▷{other}◁/think▷\n",
    ]
)
LEADS = st.sampled_from(["", "Let me see.\n", "Sure, I can help with that!\n\n", "Claro.\n", "好的。\n", "Gerne.\n"])
WORDS = st.sampled_from(
    ["Answer:", "Final answer:", "**Answer:**", "Resposta:", "Antwort:", "Respuesta:", "答案：", "### Answer:"]
)
MARKS = st.sampled_from(["{}", "**{}**", "{}.", '"{}"', "({})", "`{}`", "{} ", "**{}**."])
ENDS = st.sampled_from(
    [
        "",
        "\n",
        "\n\nBecause the text says so.",
        "\nWhy not {other}? It is wrong.",
        "\n\nPorque sim.",
        "\n因为如此。",
        "\nDer Rest ist falsch.",
    ]
)
KINDS = st.sampled_from([(letter, "C", "A"), (label, "positive", "negative"), (letter, "C. iron", "B")])


def read_as(read, said):
    return {"C. iron": "C"}.get(said, said) if read is letter else said


@given(KINDS, THOUGHTS, LEADS, WORDS, MARKS, ENDS)
def test_an_announced_answer_is_read_whatever_stands_around_it(kind, thought, lead, word, marks, end):
    read, said, other = kind
    reply = thought.format(other=other) + lead + word + " " + marks.format(said) + end.format(other=other)
    assert read(reply) == read_as(read, said)


@given(KINDS, THOUGHTS, MARKS, st.sampled_from(["", "\n\nBecause the text says so.", "\n\nPorque sim."]))
def test_an_answer_on_the_first_line_is_read(kind, thought, marks, end):
    read, said, other = kind
    assert read(thought.format(other=other) + marks.format(said) + end) == read_as(read, said)


@given(KINDS, THOUGHTS, LEADS, WORDS, WORDS, MARKS, ENDS)
def test_two_announced_answers_are_unreadable(kind, thought, lead, word, second, marks, end):
    read, said, other = kind
    both = f"{word} {marks.format(said)}\n{second} {marks.format(other)}"
    assert read(thought.format(other=other) + lead + both + end.format(other=other)) is None


@given(
    KINDS,
    THOUGHTS,
    st.sampled_from(
        [
            "I think {} fits",
            "not {}",
            "{}, or maybe not",
            "Nobody says {} here.",
            "Se for {}, tudo bem.",
            "不是{}",
            "kein {}",
        ]
    ),
)
def test_an_answer_inside_a_phrase_is_unreadable(kind, thought, phrase):
    read, said, other = kind
    assert read(thought.format(other=other) + phrase.format(said)) is None


INSIDE = st.text(
    st.characters(categories=("L", "N", "P", "S", "Zs"), exclude_characters="`<◁[\"'“”‘’„«»‹›「」『』{"), min_size=1
)


@given(INSIDE.filter(lambda text: text == text.strip() and ":" not in text and "：" not in text))
def test_no_step_changes_the_inside_of_a_translation(text):
    form = TranslationForm(("pt", "en"))
    for before, after in (
        ("", ""),
        ("<think>a: b</think>\n", ""),
        ("Translation: ", ""),
        ("```\n", "\n```"),
        ("Here it is:\n\n", ""),
    ):
        assert form.read(before + text + after, SOURCE) == text


@given(st.text(max_size=80))
def test_what_follows_the_last_thought_is_kept_as_it_is(text):
    if after_thoughts(text) == text:
        assert after_thoughts(f"<think>no</think>{text}") == text
        assert after_thoughts(f"<think>{text}") is None


@given(st.text(max_size=60))
def test_any_reply_is_read_or_not(reply):
    assert letter(reply) in (*"ABCD", None)
    assert label(reply) in (*MOODS.labels, None)
    assert AnswerForm().read(reply, PASSAGE) in (None, "") or reply.strip()


# Time ---------------------------------------------------------------------------------------------------------------

LONG = Sentence(("Rio",) * 300, spaces=(" ",) * 300)
HOSTILE = {
    "mentions": json.dumps({"entities": [{"text": "Rio", "type": "LOC"}] * 1000}),
    "marks": "[Rio](LOC) " * 18_000,
    "open thoughts": "<think>" * 140_000,
    "closed thoughts": "</think>" * 125_000 + "C",
    "brackets": "[" * 100_000 + "]" * 100_000,
    "objects": '{"answer":' * 20_000,
    "boxes": "\\boxed{" * 28_000,
    "answers": "Answer: C\n" * 20_000,
    "headings": "**Answer**\n" * 18_000,
    "tags": "<answer>" * 25_000,
    "fences": "```\n" * 50_000,
    "stars": "*a " * 66_000,
    "blanks": " " * 200_000,
    "sentences": "the answer is " * 14_000,
    "megabyte": "x" * 1_000_000,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_reply_costs_little(name):
    started = time.process_time()
    for form, given_ in (
        (QuestionForm(), QUESTION),
        (MOODS, "a text"),
        (AnswerForm(), PASSAGE),
        (TranslationForm(), SOURCE),
        (EntityForm(("LOC",)), LONG),
        (EntityForm(("LOC",), marked=True), LONG),
        (TagForm(("N",)), LONG),
    ):
        form.read(HOSTILE[name], given_)
    assert time.process_time() - started < 10, "all forms together; quadratic ones took minutes"


def test_as_many_mentions_as_words_are_read_and_more_are_unreadable():
    form = EntityForm(("LOC",))
    for count, expected in ((300, ("B-LOC",) * 300), (301, None)):
        found = form.read(json.dumps([["Rio", "LOC"]] * count), LONG)
        assert (None if found is None else found.tags) == expected
