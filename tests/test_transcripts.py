"""docs/transcripts.py: pages are replayed, checked and remade."""

import pytest

from docs.transcripts import Run, main, remade, replay


def run(shown: list[str], printed: list[str]) -> Run:
    return Run("abalo", 0, 0, shown, printed, 0)


def test_lines_are_compared_in_order_and_lines_that_are_left_out_are_marked():
    lines = ["a", "b", "c 2030-01-01"]
    assert run(["a", "b", "c 2026-11-23"], lines).difference is None
    assert run(["…", "c 2026-11-23"], lines).difference is None
    assert run(["a", "…"], lines).difference is None
    assert run(["a", "c 2026-11-23"], lines).difference == "c 2026-11-23"
    assert run(["a", "b"], lines).difference == "nothing more, but 'c 2030-01-01'"
    assert run(["…", "d"], lines).difference == "d"


def test_a_line_is_remade_from_the_printed_line_that_is_most_like_it():
    printed = ["head", "typos  drop 0.31  PASS", "accents  drop 0.02  PASS", "PASS: 2 of 2"]
    assert run(["…", "accents  drop 0.5  PASS", "PASS: 1 of 2"], printed).remade() == [
        "…",
        "accents  drop 0.02  PASS",
        "PASS: 2 of 2",
    ]
    with pytest.raises(ValueError, match="prints no line like: nothing of the kind"):
        run(["…", "nothing of the kind"], printed).remade()
    with pytest.raises(ValueError, match="prints no line for: more"):
        run(["…", "PASS: 2 of 2", "more"], printed).remade()


PAGE = """\
```python
# say.py
print("one\\ntwo 7\\nthree")
```

```diff
--- a/say.py
+++ b/say.py
@@ -1 +1 @@
-print("one\\ntwo 7\\nthree")
+print("one\\ntwo 8\\nthree")
```

```console
$ python say.py
…
two 7
…
$ ls \\
    say.py
$ python -c 'import sys; sys.exit(3)'
$ cat say.py
```

```markdown
old
```

```
$ exit 1
```
"""


def test_a_page_is_replayed_step_by_step(tmp_path):
    folder = tmp_path / "project"
    folder.mkdir()
    runs = list(replay(PAGE, folder))
    assert [each.code for each in runs] == [0, 0, 3, 0]
    assert [each.difference for each in runs] == ["two 7", "nothing more, but 'say.py'", None, "old"]
    made = remade(PAGE, runs)
    assert "$ python say.py\n…\ntwo 8\n…\n$ ls \\\n    say.py\nsay.py\n$ python -c" in made
    assert "```markdown\nprint" in made


def test_the_command_remakes_a_page_and_then_finds_no_difference(tmp_path, capfd):
    path = tmp_path / "page.md"
    path.write_text(PAGE, "utf-8")
    assert main([str(path), "--check"]) == 1
    assert "does not print: two 7" in capfd.readouterr().err
    assert main([str(path)]) == 0
    assert main([str(path), "--check"]) == 0
