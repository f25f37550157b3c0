"""Files of a checkpoint that run code while it is loaded."""

from hashlib import sha256

import pytest

from abalo.models.networks import checkpoint as checkpoints
from abalo.models.options import ModelOptions
from abalo.models.user_code import imports

FILES = {"pytorch_model.bin": b"pickled", "modeling.py": b"print(1)", "config.json": b"{}"}


@pytest.mark.parametrize(
    ("options", "weights", "run"),
    [
        ({}, False, set()),
        ({"allow_pickle": True}, False, {"pytorch_model.bin"}),
        ({"allow_pickle": True}, True, set()),  # safe weights are preferred
        ({"trust_remote_code": True}, False, {"modeling.py"}),
        ({"allow_pickle": True, "trust_remote_code": True}, False, {"modeling.py", "pytorch_model.bin"}),
    ],
)
def test_pickles_and_modules_that_run_are_recorded(tmp_path, options, weights, run):
    for name, content in FILES.items():
        (tmp_path / name).write_bytes(content)
    if weights:
        (tmp_path / "model.safetensors").write_bytes(b"")
    with imports() as found:
        checkpoints._note_code(tmp_path, ModelOptions(**options))
    assert found == {sha256(FILES[name]).hexdigest() for name in run}
