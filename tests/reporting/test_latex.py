import re
import shutil
import subprocess
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from abalo.core.documents.document import Document
from abalo.core.records import json_records as typed
from abalo.errors import visible
from abalo.reporting.formats.latex import PREAMBLE, escape, latex
from tests.reporting.documents import SLICE, attacked, interrupted, questioned, result_of, sample, searched, sliced
from tests.texts import TextWith

COMMANDS = {
    r"\textbackslash{}": "\\",
    r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"{\char34}": '"',
    r"{\char96}": "`",
    **{rf"\{sign}": sign for sign in "{}$&#%_"},
    "{}": "",
}
READ = re.compile("|".join(map(re.escape, sorted(COMMANDS, key=len, reverse=True))))


def read(text: str) -> str:
    """The text that LaTeX sets, of ASCII; an unescaped special character is an error."""
    assert not set(READ.sub("", text)) & set('\\{}$&#%_^~<>|"`')
    return READ.sub(lambda found: COMMANDS[found[0]], text)


END = r" \tabularnewline"


def tables(document: dict[str, Any]) -> dict[str, list[list[str]]]:
    """The cells of each table, its heads first, by label."""
    found = {}
    for block in re.findall(
        r"\\begin\{longtable\}.*?\\end\{longtable\}", latex(typed.read(Document, document)), re.DOTALL
    ):
        label = re.search(r"\\label\{tab:abalo-([\w-]+)\}", block)[1]
        heads = re.search(r"\\toprule (.*?) \\tabularnewline \\midrule\\endfirsthead", block)[1]
        rows = [line.removesuffix(END) for line in block.splitlines() if line.endswith(END)]
        found[label] = [[cell(each) for each in re.split(r" (?<!\\)& ", row)] for row in (heads, *rows)]
    return found


def cell(text: str) -> str:
    stacked = re.fullmatch(r"\\shortstack\[r\]\{(.*)\}", text)
    return (stacked[1].replace(r" \\ ", " ") if stacked else text).removeprefix(r"\raggedright ").replace("~", " ")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (r"\input{x}", r"\textbackslash{}input\{x\}"),
        ("50 % of R&D #1, a_b", r"50 \% of R\&D \#1, a\_b"),
        ("$x^2$ ~ <b>|", r"\$x\textasciicircum{}2\$ \textasciitilde{} \textless{}b\textgreater{}\textbar{}"),
        ("--no 'x'' ?` !`", "-{}-no 'x'{}' ?{}{\\char96} !{}{\\char96}"),
        ("ação nº 2ª § 5", r"ação n\textordmasculine{} 2\textordfeminine{} \S{} 5"),
        ("−0.1 ≤ 1 ‰ – …", r"$-$0.1 $\leq$ 1 \textperthousand{} -- \ldots{}"),
        ("中 ħ ✓", "[U+4E2D] [U+0127] [U+2713]"),
        ("one\nline\x00", r"one line\textbackslash{}u0000"),
    ],
)
def test_text_stands_for_itself(text, written):
    assert escape(text) == written


@given(st.text(st.characters(max_codepoint=126)))
def test_whatever_the_text_nothing_in_it_is_a_command(text):
    assert read(escape(text)) == visible(text)


@given(st.text())
def test_only_signs_of_latin_script_are_left(text):
    assert all(char.isascii() or "\xc0" <= char <= "\u017e" for char in escape(text))


def test_the_table_of_scenarios_has_a_row_for_each_case():
    heads, baseline, accents, noise, *_ = tables(sample())["scenarios"]
    assert heads == ["Scenario", "F1", r"Measured [95 \% interval]", "Bound", "Changed", "Verdict on bound"]
    assert baseline == ["Baseline", "0.866", "F1 0.866 [0.836, 0.896]", r"F1 $\geq$ 0.800", "--", "pass"]
    assert accents[:3] == ["Accents", "0.824", "F1 drop 0.043 [0.013, 0.073]"]
    assert noise == [
        "Character noise",
        "0.653",
        "F1 drop 0.214 [0.184, 0.244]",
        r"F1 drop $\leq$ 0.150; F1 drop of PESSOA $\leq$ 0.400",
        "180/200",
        r"\textbf{fail}",
    ]


def test_a_baseline_that_was_not_judged_has_a_row_all_the_same():
    document = sample()
    document["results"] = [each for each in document["results"] if each["name"] == "accents"]
    rows = tables(document)["scenarios"]
    assert [row[0] for row in rows] == ["Scenario", "Baseline", "Accents"]
    assert rows[1][1:] == ["0.866", "F1 0.866 [0.836, 0.896]", "--", "--", "measured"]


def test_attacks_have_as_many_tables_as_their_columns_need():
    found = tables(attacked())
    first, second = found["targeted-attacks"], found["targeted-attacks-2"]
    heads = ["Precision", "Recall", "F1", "F1 drop over all", "Flip rate", "Span miss", "Span token error"]
    heads += [f"{kind} drop {side}" for kind in ("Conf", "Prob") for side in ("gold", "pred")]
    assert first[0][:2] == second[0][:2] == ["Attack", "Spans"]
    assert first[0][2:] + second[0][2:] == heads
    assert abs(len(first[0]) - len(second[0])) <= 2
    assert [row[:2] for row in first] == [row[:2] for row in second]
    assert ["oracle", "0.301", "0.324", "0.312", "0.554 [0.524, 0.584]"] in [row[1:6] for row in first]
    structure = found["attacks-that-move-words-in-the-structural-view"]
    assert [row[0] for row in structure] == ["Attack", "Baseline", TextWith("Distractors")]


def test_attacks_that_search_have_tables_of_their_own():
    found = tables(searched())
    assert found["adaptive-attacks"][1][:3] == [
        "Context attack (sample 60)",
        "120, in 60 of 80 sentences",
        "0.400 [0.350, 0.450]",
    ]
    assert found["adaptive-attacks-3"][0][-1] == "Success over seeds"
    assert found["success-rate-per-entity-type"][1][0] == "Context attack (sample 60)"
    assert "success rate 0.400 [0.350, 0.450]" in [row[2] for row in found["scenarios"]]


def test_entity_types_are_shared_out_over_tables_and_a_cell_without_the_type_is_a_dash():
    document = sample()
    del result_of(document, "accents")["per_type"]["LOCAL"]
    found = tables(document)
    parts = zip(found["f1-per-entity-type"], (row[1:] for row in found["f1-per-entity-type-2"]), strict=True)
    heads, baseline, accents, *_ = (left + right for left, right in parts)
    assert heads == ["Scenario", "JURISPRUDENCIA", "LEGISLACAO", "LOCAL", "ORGANIZACAO", "PESSOA", "TEMPO"]
    assert baseline[:4] == ["Baseline", "0.836", "0.848", "0.860"]
    assert accents[:4] == ["Accents", "0.794", "0.806", "--"]


def test_the_verdict_comes_first_then_what_must_be_known_then_what_the_numbers_are_about():
    text = latex(typed.read(Document, sample() | {"notice": "Bounds of another model."}))
    assert text.startswith(f"% Made by Abalo; needs {PREAMBLE}\n\n")
    _, verdict, notice, facts, *_ = text.split("\n\n")
    assert notice == r"\noindent\textbf{Bounds of another model.}"
    assert verdict == r"\noindent\textbf{FAIL}: character\_noise[rate-0.1] fails, 1 undecided."
    assert r"Model: ./checkpoints/\textless{}b\textgreater{}lener\textbar{}v2" in facts
    assert r"\textbf{INCOMPLETE}: 2 collected cases " in latex(typed.read(Document, interrupted()))


def test_no_sentence_of_the_corpus_is_in_it():
    assert "Edson" not in latex(typed.read(Document, attacked()))
    assert "Fachin" not in latex(typed.read(Document, attacked()))


def test_questions_are_no_scenarios_and_have_a_table_of_their_own():
    found = tables(questioned())
    assert "scenarios" not in found
    name = "answers-to-questions-asked-in-several-ways"
    heads, baseline, stability = found[name]
    assert (heads[0], heads[3]) == ("Asked", "Fragility")
    assert baseline[1] == "0.333 [0.216, 0.468]"
    assert stability[3] == "0.500 [0.368, 0.632]"
    assert [row[-1] for row in found[f"{name}-3"]] == ["Verdict on bound", "pass", r"\textbf{fail}"]
    assert name not in tables(sample())


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="there is no pdflatex")
def test_latex_takes_it(tmp_path):
    document = attacked()
    document["results"] += searched()["results"]
    document["model"]["name"] = (
        "\\evil{} $x$ & # % _ ^ ~ <> | \" ` -- '' !` ?` ,, 漢字 2ª nº § ﬁ \ud800 \u202e ^^M \\end{longtable}"
    )
    document["results"][0]["name"] = "[x]_*"
    for result in document["results"]:
        result["per_type"] = {"[T_1]&%": next(iter(result["per_type"].values()))} | result["per_type"]
    (tmp_path / "robustness.tex").write_text(latex(typed.read(Document, document)), encoding="utf-8")
    lines = [r"\documentclass[a4paper]{article}", PREAMBLE, r"\begin{document}\input{robustness}\end{document}"]
    (tmp_path / "page.tex").write_text("\n".join(lines), encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "page.tex"]
    done = subprocess.run(command, cwd=tmp_path, check=False, capture_output=True, text=True, errors="replace")
    assert done.returncode == 0, done.stdout[-2000:]
    assert "Overfull" not in done.stdout


def test_slices_have_a_table_of_their_own():
    found = tables(sliced())
    assert not any("Slice" in row[0] for row in found["scenarios"][1:])
    name = "slices-parts-of-the-corpus"
    parts = zip(found[name], (row[1:] for row in found[f"{name}-2"]), strict=True)
    heads, hard, small, unbound = (left + right for left, right in parts)
    assert [heads[0], *heads[2:4], *heads[5:]] == ["Slice", "Sentences", "F1", "Gap", "Bound", "Verdict on bound"]
    assert [read(each) for each in hard[:6]] == [
        "Slice: longest sentences",
        SLICE["text"],
        "22/110",
        "0.720 [0.690, 0.750]",
        "0.880 [0.850, 0.910]",
        "0.160 [0.130, 0.190]",
    ]
    assert hard[7] == r"\textbf{fail}"
    assert (small[7], unbound[5]) == ("undecided", "--")
