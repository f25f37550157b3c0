"""Names of relations with characters that nobody sees."""

from pathlib import Path

import pytest

from abalo.config.options import make_options
from abalo.core.protocols.task import tasks
from abalo.errors import AbaloError

TREE = "1\tAna\t_\tPROPN\t_\t_\t2\t{}\t_\t_\n2\tsaiu\t_\tVERB\t_\t_\t0\troot\t_\t_\n\n"

PAIR = '{{"text": "Ana knows Rui", "subject": [0, 3], "object": [10, 13], "relation": "{}"}}\n'

UNSEEN = {"a bell": "\x07", "another direction": "\u202e", "no width": "\u200b", "an escape": "\x1b[2J"}


def read(task, spec):
    return tasks()[task].read(spec, make_options(thresholds=Path("thresholds.toml"), corpus=spec))


@pytest.mark.parametrize("unseen", UNSEEN.values(), ids=UNSEEN)
def test_a_relation_of_a_tree_with_unseen_characters_is_refused_as_a_tag_is(tmp_path, unseen):
    path = tmp_path / "own.conllu"
    path.write_text(TREE.format(f"n{unseen}subj"), "utf-8")
    with pytest.raises(AbaloError) as caught:
        read("parsing", str(path))
    assert "own.conllu:1: 'Ana' has the relation " in str(caught.value)
    assert "characters that cannot be seen" in str(caught.value)
    assert unseen not in str(caught.value)


def test_a_relation_of_a_tree_without_them_is_read(tmp_path):
    path = tmp_path / "own.conllu"
    path.write_text(TREE.format("nsubj:pass"), "utf-8")
    assert len(read("parsing", str(path)).sentences) == 1


@pytest.mark.parametrize("unseen", [r"\u0007", r"\u202e", r"\u200b"])
def test_a_relation_of_a_pair_with_unseen_characters_is_refused(tmp_path, unseen):
    path = tmp_path / "own.jsonl"
    path.write_text(PAIR.format(f"x{unseen}y"), "utf-8")
    with pytest.raises(AbaloError, match=r"own\.jsonl:1: the relation is 'x\\"):
        read("relations", str(path))
