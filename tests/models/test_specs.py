"""One grammar of specs: models of tokens, texts and questions refuse the same mistakes with the same words."""

import gc
from contextlib import nullcontext

import pytest

from abalo.core.protocols.options import RunOptions
from abalo.errors import AbaloError
from abalo.models.classifiers.loading import load as load_classifier
from abalo.models.tokens.loading import load_as_asked
from abalo.tasks.choice.models.loading import load as load_choice_model
from tests.rows import every

LOADERS = {
    "tokens": lambda spec, options: load_as_asked(spec, options, ()),
    "texts": lambda spec, options: load_classifier(spec, options, ()),
    "questions": load_choice_model,
}


def refusal(loader, spec, **options):
    with pytest.raises(AbaloError) as caught:
        LOADERS[loader](spec, RunOptions(**options))
    return str(caught.value)


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.py").write_text("def make():\n    return print\n")
    (tmp_path / "a.txt").touch()


@every("loader", LOADERS)
@every(
    ("spec", "told"),
    [
        ("", "model '': no such file or folder"),
        ("./mime.py", "model './mime.py': no such file or folder; did you mean mine.py?"),
        ("./nowhere", "model './nowhere': no such file or folder"),
        ("mine.py", "model mine.py: is a Python file; name the factory in it too: mine.py:make_model"),
        ("mine.py:other", "model mine.py:other: mine.py has no 'other'"),
        ("mine:", "model mine:: expected module:factory or path/to/file.py:factory; name both"),
    ],
)
def test_the_same_mistake_gets_the_same_message(loader, spec, told):
    assert refusal(loader, spec).startswith(told)


@pytest.mark.parametrize("loader", LOADERS)
def test_a_file_of_no_known_kind_is_refused(loader):
    assert refusal(loader, "./a.txt").startswith("model ./a.txt: is a file of no kind that is known; expected")


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(
    ("options", "told"),
    [
        (
            {"model_args": {"k": 1}},
            "model mine.py:make: --abalo-model-args k: no argument of a model in Python",
        ),
        ({"device": "cuda"}, "device 'cuda' has no meaning for a module:factory model"),
    ],
)
def test_settings_that_code_does_not_take_are_refused(loader, options, told):
    assert refusal(loader, "mine.py:make", **options).startswith(told)


@pytest.mark.parametrize("end", ["return print", "1 // 0"])
def test_the_garbage_collector_runs_rarely_only_while_a_model_is_loaded(tmp_path, end):
    usual = gc.get_threshold()
    (tmp_path / "mine.py").write_text(
        f"import gc, pathlib\ndef make():\n    pathlib.Path('seen').write_text(str(gc.get_threshold()[0]))\n    {end}\n"
    )
    with nullcontext() if end.startswith("return") else pytest.raises(AbaloError):
        LOADERS["tokens"]("mine.py:make", RunOptions())
    assert int((tmp_path / "seen").read_text()) > usual[0]
    assert gc.get_threshold() == usual
