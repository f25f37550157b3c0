"""Label maps, types and labels that cannot be meant."""

import pytest

from abalo.corpora.types import check_types, parse_types
from abalo.errors import AbaloError
from abalo.models.labelling.labels import BIO, PLAIN
from abalo.models.labelling.maps import parse_label_map
from tests.rows import every

ENTRIES = "expected entries such as PER=PESSOA, with commas between"
AN_OBJECT = 'expected an object such as {"PER": "PESSOA"}'

MAPS = {
    "nothing": ("", "neither entries such as PER=PESSOA nor a JSON file that can be read (Is a directory)"),
    "no names": ("=", f"label map '=': found '=', {ENTRIES}"),
    "no new name": ("PER=", f"label map 'PER=': found 'PER=', {ENTRIES}"),
    "no old name": ("=PER", f"label map '=PER': found '=PER', {ENTRIES}"),
    "a comma too many": ("A=B,", f"label map 'A=B,': found '', {ENTRIES}"),
    "a sign too many": ("A=B=C", f"label map 'A=B=C': found 'A=B=C', {ENTRIES}"),
    "a comma too few": ("PER=PESSOA LOC=LOCAL", f"found 'PER=PESSOA LOC=LOCAL', {ENTRIES}"),
    "a name twice": ("A=B,A=C", "label map 'A=B,A=C': 'A' is renamed twice; keep one of them"),
    "no file": ("map.json", "nor a JSON file that can be read (No such file or directory)"),
    "a null in a name": ("a\0b", "label map a\0b: is not JSON (embedded null byte)"),
}


@pytest.mark.parametrize(("text", "said"), MAPS.values(), ids=MAPS)
def test_a_map_that_is_none_is_refused(tmp_path, monkeypatch, text, said):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AbaloError) as caught:
        parse_label_map(text)
    assert said in str(caught.value)


FILES = {
    "an array": ("[]", AN_OBJECT),
    "a number": ("3", AN_OBJECT),
    "a name that is a number": ('{"A": 3}', AN_OBJECT),
    "a name that is null": ('{"A": null}', AN_OBJECT),
    "an empty name": ('{"A": ""}', AN_OBJECT),
    "a blank name": ('{"A": " "}', AN_OBJECT),
    "a map in a map": ('{"A": {"B": "C"}}', AN_OBJECT),
    "a name twice": ('{"A": "B", "A": "C"}', "is not JSON (the key 'A' is there twice)"),
    "half an object": ('{"A": ', "is not JSON"),
    "brackets without end": ("[" * 100_000, "is not JSON (maximum recursion depth"),
    "no UTF-8": (b"\xff\xfe", "is not JSON ('utf-8' codec can't decode"),
}


@pytest.mark.parametrize(("content", "said"), FILES.values(), ids=FILES)
def test_a_map_in_a_file_that_is_none_is_refused(written, content, said):
    with pytest.raises(AbaloError) as caught:
        parse_label_map(written(content, "map.json"))
    assert str(caught.value).startswith("label map map.json: ")
    assert said in str(caught.value)


LABELS = {
    "a type called O": (["O", "B-O", "I-O"], {}, "label 'B-O' is of an entity type called O, which stands for no"),
    "a single one of a type called O": (["O", "S-O"], {}, "label 'S-O' is of an entity type called O"),
    "a type called overall": (
        ["O", "B-overall"],
        {},
        "label 'B-overall' is of an entity type called overall, which stands for all types together in thresholds.toml",
    ),
    "no type": (["O", "B-"], {}, "label 'B-' names no entity type that can be seen"),
    "a blank type": (["O", "B- "], {}, "label 'B- ' names no entity type that can be seen"),
    "no name": (["O", ""], {}, "label '' names no entity type that can be seen"),
    "an escape": (["O", "B-\x1b[31m"], {}, r"label 'B-\x1b[31m' names no entity type that can be seen"),
    "a zero-width space": (["O", "B-P\u200bER"], {}, r"label 'B-P\u200bER' names no entity type that can be seen"),
    "a label for a type": (
        ["O", "B-PER"],
        {"PER": "B-PESSOA"},
        "label 'B-PESSOA' is a whole label, where 'PER' is a type; expected a type: write PER=PESSOA",
    ),
    "a new name that no one sees": (["O", "B-PER"], {"PER": "\u200b"}, "names no entity type that can be seen"),
    "a whole label of a type called O": (["O", "B-PER"], {"B-PER": "B-O"}, "label 'B-O' is of an entity type called O"),
    "a type that is not there": (["O", "B-PER"], {"PRE": "PESSOA"}, "has no label or type 'PRE'; did you mean 'PER'?"),
    "a renaming of nothing": (["O", "B-PER"], {"": "PESSOA"}, "has no label or type ''"),
}


@every(("labels", "label_map", "said"), LABELS.values(), ids=LABELS)
def test_labels_that_name_no_type_are_refused(labels, label_map, said):
    with pytest.raises(AbaloError) as caught:
        BIO.columns(labels, label_map, "mine")
    assert str(caught.value).startswith(("model mine: ", "label map "))
    assert said in str(caught.value)


def test_what_a_refusal_advises_about_a_type_called_o_helps():
    assert BIO.columns(["O", "B-O", "B-PER"], {"O": "O"}, "mine").labels == ("O", "B-PER")


def test_labels_that_are_there_twice_are_one():
    columns = BIO.columns(["O", "B-PER", "B-PER", "S-PER"], None, "mine")
    assert (columns.labels, columns.columns) == (("O", "B-PER"), (0, 1, 1, 1))


@pytest.mark.parametrize("label", ["", " ", "NO\u200bUN", "\x1b[31m"])
def test_nor_may_a_part_of_speech_be_unseen(label):
    with pytest.raises(AbaloError, match="names nothing that can be seen; expected a label such as 'NOUN'"):
        PLAIN.columns(["X", label], None, "mine")


def test_what_a_refusal_lists_of_a_model_cannot_reach_the_terminal():
    with pytest.raises(AbaloError) as caught:
        BIO.check(["O", "B-\x1b[31mPER"], ["B-LOC"], "mine")
    assert r"types of the model:  \u001b[31mPER" in str(caught.value)


TYPES = {
    "nothing": ("", "--abalo-types '': expected names of entity types with commas between, such as PER,LOC"),
    "a comma": (",", "--abalo-types ',': expected names of entity types"),
    "a comma too many": ("PER,,LOC", "--abalo-types 'PER,,LOC': expected names of entity types"),
    "a name twice": ("PER,PER", "--abalo-types 'PER,PER': 'PER' is there twice; keep one of them"),
    "O": ("O", "--abalo-types O: dev.conll has no entity type 'O'; there are LOC, PER"),
    "a label": ("B-PER", "--abalo-types B-PER: dev.conll has no entity type 'B-PER'; did you mean 'PER'?"),
    "a slip": ("PRE", "--abalo-types PRE: dev.conll has no entity type 'PRE'; did you mean 'PER'?; there are LOC, PER"),
    "a pattern": ("*", "--abalo-types *: dev.conll has no entity type '*'; there are LOC, PER"),
}


@pytest.mark.parametrize(("text", "said"), TYPES.values(), ids=TYPES)
def test_types_that_are_none_are_refused(text, said):
    with pytest.raises(AbaloError) as caught:
        check_types(parse_types(text), ("PER", "LOC"), "dev.conll")
    assert said in str(caught.value)
