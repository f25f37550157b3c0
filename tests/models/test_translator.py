"""Translations by models of transformers."""

import json
import shutil

import huggingface_hub
import pytest

from abalo.errors import AbaloError
from abalo.models.auxiliary.translator import load_translator
from tests.models.tiny_translator import save_translator
from tests.sources.conftest import save_bert


@pytest.fixture(scope="session")
def reversing(tmp_path_factory):
    """The folder of a model that says words in reverse; not to be changed."""
    return save_translator(tmp_path_factory.mktemp("translator") / "reversing", learned=True)


@pytest.mark.slow
def test_each_text_has_the_translation_that_the_model_finds_best(reversing):
    translator = load_translator(str(reversing))
    texts = ["o juiz disse que não", "ontem o recurso foi"]
    expected = ["não que disse juiz o", "foi recurso o ontem"]
    assert translator.translations(texts) == expected
    assert translator.translations(texts[::-1]) == expected[::-1]
    assert translator.translations([]) == []
    assert translator.name.startswith("reversing (")


@pytest.mark.slow
def test_what_is_too_long_to_read_has_no_translation_and_is_not_cut(reversing):
    assert load_translator(str(reversing)).translations(["o " * 15, "o " * 16, "o juiz disse que não"])[1:] == [
        None,
        "não que disse juiz o",
    ]


@pytest.mark.parametrize("kind", ["Marian", "T5"])
def test_a_translation_without_end_is_none(tmp_path, kind):
    """A random model goes on until it is stopped, and one of the catalogue's would be taken as it is then."""
    assert load_translator(str(save_translator(tmp_path / "m", kind=kind))).translations(["o juiz disse"]) == [None]


def test_an_end_that_is_forced_at_the_limit_is_none(tmp_path):
    folder = save_translator(tmp_path / "m")
    settings = json.loads((folder / "generation_config.json").read_text())
    (folder / "generation_config.json").write_text(json.dumps(settings | {"forced_eos_token_id": 1}))
    assert load_translator(str(folder)).translations(["o juiz disse"]) == [None]


def test_settings_of_the_folder_that_would_draw_are_not_followed(tmp_path, reversing):
    folder = shutil.copytree(reversing, tmp_path / "drawing")
    settings = json.loads((folder / "generation_config.json").read_text())
    drawing = {"do_sample": True, "temperature": 5.0, "num_beams": 1}
    (folder / "generation_config.json").write_text(json.dumps(settings | drawing))
    assert load_translator(str(folder)).translations(["ontem o recurso foi"]) == ["foi recurso o ontem"]


def test_what_is_no_translation_model_is_an_error(tmp_path):
    with pytest.raises(AbaloError, match=r"translation:.*none: no such folder"):
        load_translator(str(tmp_path / "none"))
    with pytest.raises(AbaloError, match=r"no model\.safetensors in"):
        load_translator(str(tmp_path))
    with pytest.raises(AbaloError, match="AutoModelForSeq2SeqLM cannot load it: ValueError"):
        load_translator(str(save_bert(tmp_path / "bert", "BertForMaskedLM")))
    endless = save_translator(tmp_path / "endless", eos_token_id=None)
    with pytest.raises(AbaloError, match="has no eos_token_id, so no translation would end"):
        load_translator(str(endless))


def test_an_id_of_the_hub_is_looked_up_in_its_cache_alone(tmp_path, monkeypatch, reversing):
    def download(name, **options):
        assert options == {"local_files_only": True}
        if name != "mine/reversing":
            raise FileNotFoundError(name)
        return str(reversing)

    monkeypatch.setattr(huggingface_hub, "snapshot_download", download)
    found = load_translator("mine/reversing")
    assert found.name.startswith("reversing (")
    assert found.translations(["ontem o recurso foi"]) == ["foi recurso o ontem"]
    with pytest.raises(AbaloError, match=r"no model of that id in the cache.*hf download mine/other"):
        load_translator("mine/other")
    monkeypatch.chdir(tmp_path)
    shutil.copytree(reversing, tmp_path / "models" / "reversing")
    assert load_translator("models/reversing").name.startswith("reversing (")
