"""What user code reads: the files that its fingerprint depends on."""

import os

from abalo.models.watching import Watched


def test_a_file_that_the_code_itself_put_there_is_not_what_it_depends_on(tmp_path):
    tmp_path.joinpath("words.txt").write_text("Ana", "utf-8")
    watched = Watched(tmp_path)
    with watched.recording():
        tmp_path.joinpath("new.txt").write_text("Rui", "utf-8")
        os.replace(tmp_path / "new.txt", tmp_path / "kept.txt")  # noqa: PTH105 - as libraries write their caches
        for name in ("words.txt", "kept.txt"):
            tmp_path.joinpath(name).read_text("utf-8")
    assert watched.names() == ["file:words.txt"]
