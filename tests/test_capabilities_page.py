"""docs/capabilities.md: all that it shows can be read."""

import re
from pathlib import Path

import pytest

from abalo.config.thresholds import load_suite
from abalo.core.gate import Gate

PAGE = (Path(__file__).parents[1] / "docs" / "capabilities.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("block", BLOCKS, ids=[re.findall('name = "(.*?)"', block)[0] for block in BLOCKS])
def test_every_block_is_a_file_that_can_be_read(block, tmp_path):
    path = tmp_path / "capabilities.toml"
    path.write_text(block, encoding="utf-8")
    cases = load_suite(path, Gate())
    assert len(cases) == block.count("[[")
    assert {case.bounds[0].limit for case in cases} <= {0.8, 0.9, 0.95, 1.0}
