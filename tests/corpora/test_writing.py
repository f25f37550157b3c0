"""Tables and JSON lines that are written: what a file takes, its task reads again as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.bundled import CASES, bundled_path
from abalo.config.options import make_options
from abalo.core.protocols.task import tasks
from abalo.core.records.example import Example
from abalo.corpora.running_text import running_text
from abalo.corpora.writing import write_table
from abalo.errors import AbaloError

TASK = tasks()["classification"]
OPTIONS = make_options(thresholds=bundled_path(CASES))

texts = st.text("ab é\"',;|#=\\\t\n\r\x0b\x85\u2028\xa0\ufeff我🙂-12", min_size=1).map(str.strip)
texts = texts.filter(lambda text: any(map(str.isalnum, text)))


@pytest.mark.parametrize("ending", sorted(TASK.writers))
@given(written=st.lists(st.tuples(texts, st.sampled_from("xy1")), min_size=1, max_size=4), noted=st.booleans())
def test_what_is_written_is_read_as_it_was_or_refused(tmp_path_factory, ending, written, noted):
    path = tmp_path_factory.mktemp("written") / f"texts{ending}"
    examples = [
        Example(str(number), {"text": running_text(text)}, str(number), (label,), source=False)
        for number, (text, label) in enumerate(written)
    ]
    try:
        TASK.writers[ending](None, examples, path, [{"id": example.id, "seed": 1} for example in examples] * noted)
    except AbaloError:
        assert ending == ".tsv"
        assert any(mark in text for text, _ in written for mark in "\t\n\r")
        return
    read = TASK.read(str(path), OPTIONS).examples
    assert [(each.sentence.text, each.gold) for each in read] == [(text, (label,)) for text, label in written]


def test_a_member_of_a_list_that_would_be_cut_is_refused(tmp_path):
    with pytest.raises(AbaloError, match=r"example 2 has 'a\|b' in a list"):
        write_table([{"labels": ["c"]}, {"labels": ["a|b"]}], tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()
