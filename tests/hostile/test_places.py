"""Names that lead nowhere, or to what never ends, instead of to a file."""

import os
from pathlib import Path

import pytest

from abalo.config.thresholds import load as load_thresholds
from abalo.corpora import load
from abalo.corpora.peek import first_record, holds_entities, holds_other_labels
from abalo.errors import AbaloError
from abalo.models.labelling.maps import parse_label_map
from abalo.models.tokens.loading import load as load_model
from tests.rows import every


@pytest.fixture(autouse=True)
def pipe(tmp_path, monkeypatch):
    """The working directory, with a pipe in it that nobody writes to."""
    monkeypatch.chdir(tmp_path)
    os.mkfifo("pipe")


ENDLESS = ["pipe", "/dev/zero", "/dev/random", "/dev/null"]
READERS = {"corpus": load, "thresholds": lambda name: load_thresholds(Path(name)), "label map": parse_label_map}


@every("name", ENDLESS)
@every("read", READERS.values(), ids=READERS)
def test_a_pipe_or_a_device_is_refused_and_not_read(name, read):
    with pytest.raises(AbaloError, match="no regular file; expected one; save it as one"):
        read(name)


@pytest.mark.parametrize("name", ENDLESS)
def test_nor_is_it_looked_into_to_tell_the_task(name):
    assert not holds_entities(name)
    assert not holds_other_labels(name)
    assert not first_record(name)


@pytest.mark.parametrize("name", ["pipe", "/dev/zero"])
def test_a_thresholds_file_can_extend_neither(write, name):
    with pytest.raises(AbaloError, match="no regular file; expected one"):
        load_thresholds(write(f'extends = "{Path(name).absolute()}"\n'))


NOWHERE = {
    "a null in a name": ("a\0b", r"a\u0000b: cannot be read: embedded null byte"),
    "a name that no file can have": ("x" * 5_000, "cannot be read: File name too long"),
    "an address": ("https://example.org/dev.conll", "no such file; there is no folder https:/example.org either"),
    "a pattern": ("*.conll", "*.conll: no such file; expected a CoNLL or JSON file"),
    "standard input": ("-", "-: no such file; expected a CoNLL or JSON file"),
    "nothing": ("", "corpus: names no corpus; expected a file, such as dev.conll"),
    "a way out of the bundled ones": ("bundled:../../etc/passwd", "no such bundled corpus; expected one of bundled:"),
    "a data set without a name": ("hub:", "hub:: cannot be read; expected hub:<dataset>[:config]:<split>[:200]"),
    "the memory of a process": ("/proc/self/mem", "/proc/self/mem: cannot be read: Input/output error"),
}


@pytest.mark.parametrize(("name", "said"), NOWHERE.values(), ids=NOWHERE)
def test_a_corpus_that_is_nowhere_is_told_as_such(refusal, name, said):
    assert said in refusal(name)


MODELS = {
    "nothing": ("", "model '': no such file or folder"),
    "the home of nobody": ("~nobody-of-that-name/x", "model '~nobody-of-that-name/x': no such file or folder"),
    "a path out": ("owner/../../etc", "model 'owner/../../etc': no such file or folder"),
    "no module": (":make", "model :make: expected module:factory or path/to/file.py:factory; name both"),
    "no factory": ("json:", "model json:: expected module:factory or path/to/file.py:factory; name both"),
    "a parent of a module": ("..:make", "model ..:make: expected module:factory or path/to/file.py:factory"),
    "a file of no Python": ("/etc/hostname:make", "no module 'hostname' in /etc"),
    "a file": (
        "/etc/hostname",
        "is a file of no kind that is known; expected the folder of a checkpoint",
    ),
    "an address": ("https://example.org/m", "no module 'https' installed or in "),
    "a builtin": ("builtins:print", "the factory returned NoneType; expected a function from token lists"),
    "a function that takes something": ("json:loads", "is not a function that can be called without arguments"),
}


@pytest.mark.parametrize(("name", "said"), MODELS.values(), ids=MODELS)
def test_a_model_that_is_nowhere_is_told_as_such(name, said):
    with pytest.raises(AbaloError) as caught:
        load_model(name)
    assert said in str(caught.value)
