"""Whatever a file holds, each reader reads it or refuses it, in at most two CPU seconds for 100 kB."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from abalo.config.tasks import read_corpus, task_of_corpus
from abalo.core.protocols.options import RunOptions
from abalo.core.protocols.task import tasks
from abalo.errors import AbaloError
from tests.readers import cpu_limit, files


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzzed")


def said(function, *given):
    """The refusal of a function; a text if it does not refuse."""
    try:
        function(*given)
    except AbaloError as error:
        return str(error)
    return "read"


@pytest.mark.parametrize("task", tasks())
def test_a_reader_reads_or_refuses_any_file_in_time(task, folder):
    @settings(max_examples=max(20, settings.default.max_examples // 5))
    @given(files(task), st.sampled_from(["", "?lenient"] if task != "choice" else [""]))
    def test(file, asked):
        name, data = file
        (folder / name).write_bytes(data)
        with cpu_limit():
            assert said(task_of_corpus, f"{folder}/{name}").strip()
            assert said(read_corpus, tasks()[task], f"{folder}/{name}{asked}", RunOptions()).strip()

    test()


FOUND = {
    "dev.csv": "Sentence #,Once #,Word,Tag\nSentrd,Tag\nSentence: 1,Ann,B-PER\n,left,O\n,home,O\n",
    "dev.json": '[{"data": {"text": "Ann"}, "annotations": [{"result": [1, {"value": {"start": 0, "end": 3}}]}]}]',
}


@pytest.mark.parametrize(("name", "text"), FOUND.items(), ids=FOUND)
@pytest.mark.parametrize("task", tasks())
def test_what_was_found_once_is_read_or_refused(task, name, text, tmp_path):
    (tmp_path / name).write_text(text, "utf-8")
    assert said(read_corpus, tasks()[task], f"{tmp_path}/{name}?lenient", RunOptions()).strip()
