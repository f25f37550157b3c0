import sys

import numpy as np
import pytest

from abalo.errors import AbaloError
from abalo.models.tokens.loading import load
from perturbations import Sentence


def sentences(*texts: str) -> list[Sentence]:
    return [Sentence(tuple(text.split())) for text in texts]


# The three things that a factory may return ---------------------------------------------------------------------------


def test_a_function_from_token_lists_to_tag_lists(write_module):
    write_module(
        "upper_tagger",
        """
def tag(batch):
    return [["B-PER" if token.isupper() else "O" for token in tokens] for tokens in batch]

def make():
    return tag
""",
    )
    model = load("upper_tagger:make")
    assert [p.tags for p in model.predict(sentences("ANA left", "x"))] == [("B-PER", "O"), ("O",)]
    assert model.predict(sentences("x"))[0].scores is None
    assert (model.labels, model.reads_text, model.mask_token, model.name) == ((), False, None, "upper_tagger:make")


def test_tags_in_another_form_than_bio_are_read_under_a_map_of_whole_labels(write_module):
    write_module("suffixes", "def make():\n    return lambda batch: [['PER-B', 'PER-I', 'O'] for _ in batch]\n")
    with pytest.raises(AbaloError, match=r"found tag 'PER-B'.*--abalo-label-map PER-B=B-PER,"):
        load("suffixes:make").predict(sentences("Ana Sá saiu"))
    model = load("suffixes:make", label_map={"PER-B": "B-PER", "PER-I": "I-PER"})
    assert model.predict(sentences("Ana Sá saiu"))[0].tags == ("B-PER", "I-PER", "O")


def test_an_object_with_labels_and_scores(write_module):
    write_module(
        "scorer",
        """
import numpy as np

class Scorer:
    labels = ["O", "B-PER", "S-PER", "I-PER"]
    mask_token = "<mask>"
    name = "my scorer"
    fingerprint = "v1"

    def scores(self, batch):
        return [np.array([[0, 1, 2, 0] if t == "Ana" else [1, 0, 0, 0] for t in tokens]) for tokens in batch]
""",
    )
    model = load("scorer:Scorer")
    [prediction] = model.predict(sentences("Ana left"))
    assert prediction.tags == ("B-PER", "O")
    np.testing.assert_array_equal(prediction.scores, [[0, 2, 0], [1, 0, 0]])
    assert prediction.scores.dtype == np.float32
    assert model.labels == ("O", "B-PER", "I-PER")
    assert (model.mask_token, model.name, model.fingerprint) == ("<mask>", "my scorer", "v1")


def test_an_object_with_entities_in_raw_text(write_module):
    write_module(
        "finder",
        """
class Finder:
    def entities(self, texts):
        return [[(text.find("Ana"), text.find("Ana") + 9, "PER")] if "Ana" in text else [] for text in texts]

def make():
    return Finder()
""",
    )
    model = load("finder:make", label_map={"PER": "PESSOA"})
    found = model.predict(sentences("x Ana Souza left", "nobody"))
    assert [p.tags for p in found] == [("O", "B-PESSOA", "I-PESSOA", "O"), ("O",)]
    assert model.reads_text


def test_a_factory_in_a_file_given_by_its_path(write_module, tmp_path):
    path = write_module("by_path", "def make():\n    return lambda batch: [['O'] * len(tokens) for tokens in batch]\n")
    assert load(f"{path}:make").predict(sentences("a b"))[0].tags == ("O", "O")
    assert load("by_path.py:make").predict(sentences("a"))[0].tags == ("O",)


def test_batches_hold_32_sentences_sorted_by_length_and_results_come_back_in_order(write_module):
    write_module(
        "recorder",
        """
seen = []

def make():
    def tag(batch):
        seen.append([len(tokens) for tokens in batch])
        return [["B-" + token for token in tokens] for tokens in batch]
    return tag
""",
    )
    model = load("recorder:make")
    told = []
    model.on_progress = lambda done, total: told.append((done, total))
    given = [Sentence(tuple(f"{i}" for _ in range(1 + i * 7 % 40))) for i in range(40)] + [Sentence(())]
    found = model.predict(given)
    import recorder

    assert list(map(len, recorder.seen)) == [32, 8]
    assert [n for batch in recorder.seen for n in batch] == list(range(1, 41))
    assert [p.tags for p in found] == [tuple(f"B-{token}" for token in each.tokens) for each in given]
    assert told == [(32, 40), (40, 40)]


def test_what_the_model_imports_only_when_it_runs_is_found_beside_it_too(write_module):
    write_module("beside", "TAG = 'B-PER'\n")
    write_module(
        "importing_late",
        """
def make():
    def tag(batch):
        from beside import TAG
        return [[TAG] * len(tokens) for tokens in batch]
    return tag
""",
    )
    assert load("importing_late:make").predict(sentences("a"))[0].tags == ("B-PER",)


def test_a_sentence_without_tokens_is_not_shown_to_the_model(write_module):
    path = write_module("no_model", "def make():\n    return lambda batch: 1 / 0\n")
    [prediction] = load(f"{path}:make").predict([Sentence(())])
    assert (prediction.tags, prediction.scores, prediction.inputs) == ((), None, 0)


def test_a_label_map_renames_the_types_of_tags(write_module):
    write_module("person_tagger", "def make():\n    return lambda batch: [['B-PER'] * len(t) for t in batch]\n")
    assert load("person_tagger:make", label_map={"PER": "PESSOA"}).predict(sentences("a"))[0].tags == ("B-PESSOA",)


VERSIONED = """
def tag(batch):
    return [["O"] * len(tokens) for tokens in batch]

tag.version = "week 1"

def make():
    return tag
"""


def test_a_version_is_part_of_the_fingerprint_whoever_tells_it(write_module):
    path = write_module("service", VERSIONED)
    told = load(f"{path}:make")
    asked = [load(f"{path}:make", model_version=each) for each in ("week 1", "week 2")]
    assert [model.version for model in (told, *asked)] == ["week 1", "week 1", "week 2"]
    assert told.fingerprint == asked[0].fingerprint != asked[1].fingerprint
    path = write_module("plain", VERSIONED.replace('tag.version = "week 1"', ""))
    assert load(f"{path}:make").version is None
    assert load(f"{path}:make").fingerprint != load(f"{path}:make", model_version="week 1").fingerprint


def test_a_version_that_is_no_text_is_refused(write_module):
    path = write_module("numbered", VERSIONED.replace('"week 1"', "3"))
    with pytest.raises(AbaloError, match="its version is 3; expected a string, or none at all"):
        load(f"{path}:make")


def test_without_a_fingerprint_that_of_the_file_counts(write_module):
    path = write_module("printed", "def make():\n    return print\n")
    first = load(f"{path}:make").fingerprint
    assert load(f"{path}:make").fingerprint == first
    path.write_text("def make():\n    return print  # changed\n")
    assert load(f"{path}:make").fingerprint != first


def test_a_warning_in_the_users_code_is_no_error(write_module, recwarn):
    write_module(
        "warner",
        """
import warnings

def make():
    def tag(batch):
        warnings.warn("old", DeprecationWarning)
        return [["O"] * len(tokens) for tokens in batch]
    return tag
""",
    )
    assert load("warner:make").predict(sentences("a"))[0].tags == ("O",)
    assert [str(warning.message) for warning in recwarn] == ["old"]


# In a folder alone ----------------------------------------------------------------------------------------------------


def test_a_module_named_with_its_folder_is_sought_there_alone(write_module, tmp_path, monkeypatch):
    below = tmp_path / "below"
    (below / "package").mkdir(parents=True)
    (below / "package" / "__init__.py").write_text("", encoding="utf-8")
    (below / "package" / "inner.py").write_text("from . import part\nmake = part.make\n", encoding="utf-8")
    (below / "package" / "part.py").write_text(
        "def make():\n    return lambda batch: [['O' for t in tokens] for tokens in batch]\n", encoding="utf-8"
    )
    write_module("only_here", "raise SystemExit\n")
    monkeypatch.chdir(tmp_path)
    assert load("./below/package.inner:make").name == "./below/package.inner:make"
    assert load("./below/package.inner:make").fingerprint == load(f"{below}/package.inner:make").fingerprint
    for name in ("only_here", "package.gone", "numpy", "a..b", "a b"):
        with pytest.raises(AbaloError, match="no module"):
            load(f"./below/{name}:make")
    (below / "json.py").write_text("raise SystemExit\n", encoding="utf-8")
    with pytest.raises(AbaloError, match="another module called 'json' is imported already"):
        load("./below/json:make")
    for name in [name for name in sys.modules if name.partition(".")[0] == "package"]:
        del sys.modules[name]
