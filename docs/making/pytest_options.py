"""The options of pytest that the plugin adds, from the table that it registers."""

from __future__ import annotations

from pathlib import Path

from abalo.config.options import OPTIONS, RUN_KEYS, Option
from docs.made import NOTICE, table

PAGE = Path(__file__).parents[1] / "reference" / "pytest-options.md"

INTRODUCTION = f"""\
# Options of pytest

{NOTICE}

`pytest --help` lists the same options in the group *abalo*. Options marked *file* can stand in
[`[run]`](thresholds.md#run) of `thresholds.toml`; the command line wins. All can stand in `addopts` of `pytest.ini` or
`pyproject.toml`. From Python, `abalo.Session` takes them as keywords: `--abalo-label-map` is `label_map`.

```
pytest --pyargs tests_behavioral --abalo-model ./checkpoint --abalo-corpus dev.conll
```

"""


def made() -> str:
    """The whole page."""
    return INTRODUCTION + table(("Option", "Default", "File", "Meaning"), [row(each) for each in OPTIONS])


def row(option: Option) -> list[str]:
    """The cells of an option."""
    choices = f"{{{','.join(option.choices)}}}" if option.choices else "VALUE"
    value = "" if option.flag else f" {option.metavar or choices}"
    usual = "–" if option.default is None else f"`{option.default}`"
    return [f"`{option.flag_name}{value}`", usual, "yes" if option.name in RUN_KEYS else "–", option.help]
