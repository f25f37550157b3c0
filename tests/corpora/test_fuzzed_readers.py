"""Whatever a file holds, each reader reads it or refuses it, in at most two CPU seconds for 100 kB."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.config.tasks import read_corpus, task_of_corpus
from abalo.core.options import RunOptions
from abalo.core.task import tasks
from abalo.errors import AbaloError
from tests.readers import cpu_limit, files


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("fuzzed")


def taken(task, path, lenient):
    """What happens to a file; None if it is read, else the refusal."""
    try:
        task_of_corpus(str(path))
    except AbaloError as error:
        assert str(error).strip()
    try:
        read_corpus(tasks()[task], str(path), RunOptions(lenient=lenient))
    except AbaloError as error:
        return str(error)
    return None


@pytest.mark.parametrize("task", tasks())
def test_a_reader_reads_or_refuses_any_file_in_time(task, folder):
    @given(files(task), st.booleans())
    def test(file, lenient):
        name, data = file
        (folder / name).write_bytes(data)
        with cpu_limit():
            told = taken(task, folder / name, lenient)
        assert told is None or told.strip()

    test()
