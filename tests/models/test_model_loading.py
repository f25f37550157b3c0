import subprocess
import sys

import pytest

from abalo.errors import AbaloError
from abalo.models.tokens.loading import load


def refusal(spec, **settings) -> str:
    with pytest.raises(AbaloError) as caught:
        load(spec, **settings)
    return str(caught.value)


def test_an_existing_path_comes_before_a_module(write_module, checkpoint, tmp_path):
    import shutil

    write_module("taggers", "def make():\n    raise AssertionError('the folder was meant')\n")
    shutil.copytree(checkpoint, tmp_path / "taggers:make")
    assert load("taggers:make", device="cpu").settings["architecture"] == "BertForTokenClassification"


def test_the_directory_of_the_invocation_comes_before_installed_modules(write_module):
    path = write_module("seqeval", "def make():\n    return lambda batch: [['O'] * len(t) for t in batch]\n")
    shadowed = {name: module for name, module in sys.modules.items() if name.split(".")[0] == "seqeval"}
    for name in shadowed:
        del sys.modules[name]
    try:
        before = list(sys.path)
        load("seqeval:make")
        assert sys.modules["seqeval"].__file__ == str(path)
        assert sys.path == before
    finally:
        del sys.modules["seqeval"]
        sys.modules.update(shadowed)


def test_a_folder_that_is_not_there_is_an_error_with_the_nearest(tmp_path):
    (tmp_path / "legal-ner").mkdir()
    assert refusal(str(tmp_path / "legal-nre")) == (
        f"model {str(tmp_path / 'legal-nre')!r}: no such file or folder; did you mean {tmp_path / 'legal-ner'}?"
    )
    assert refusal("") == "model '': no such file or folder"


def test_a_file_is_no_folder(tmp_path):
    (tmp_path / "model.safetensors").touch()
    assert "is a file of no kind that is known; expected the folder" in refusal(str(tmp_path / "model.safetensors"))


def test_a_python_file_without_its_factory_is_an_error(tmp_path):
    (tmp_path / "mine.py").touch()
    assert refusal(str(tmp_path / "mine.py")).endswith(f"name the factory in it too: {tmp_path / 'mine.py'}:make_model")


@pytest.mark.parametrize(
    ("setting", "value", "message"),
    [
        ("device", "gpu", "device is 'gpu': expected one of auto, cpu, cuda, mps"),
        ("dtype", "int8", "dtype is 'int8': expected one of fp32, bf16, fp16"),
        ("aggregation", "max", "aggregation is 'max': expected one of mean, first"),
        ("max_length", 0, "max_length is 0: expected a number of pieces from 1"),
        ("stride", 256, "stride is 256: expected a number of pieces from 0 to below max_length (256)"),
        ("stride", -1, "stride is -1"),
    ],
)
def test_a_setting_out_of_range_is_an_error(checkpoint, setting, value, message):
    assert message in refusal(str(checkpoint), **{setting: value})


def test_loading_knows_no_framework_before_a_model_is_loaded():
    code = (
        "import sys, abalo.models.tokens.loading, abalo.core.protocols.predictor, abalo.models.labelling.labels;"
        "sys.exit(bool({'torch', 'transformers', 'spacy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
