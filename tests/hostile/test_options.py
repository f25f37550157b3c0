"""Options of pytest that cannot be meant: a usage error, or a run that ends at its first test, with one message."""

import os

import pytest

from perturbations.suggestions import did_you_mean  # noqa: F401 - imported before a pytest runs inside a test

pytestmark = pytest.mark.slow

USAGE = pytest.ExitCode.USAGE_ERROR
FAILED = pytest.ExitCode.TESTS_FAILED
SEEDS = "expected distinct whole numbers with commas between, such as 1,2,4"

REFUSED = {
    "a limit below 1": (["--abalo-limit", "-1"], USAGE, "--abalo-limit -1: expected a whole number from 1"),
    "a limit in words": (["--abalo-limit", "x"], USAGE, "--abalo-limit: invalid int value: 'x'"),
    "no seeds": (["--abalo-seeds", ""], USAGE, f"--abalo-seeds '': {SEEDS}"),
    "a seed twice": (["--abalo-seeds", "1,1"], USAGE, f"--abalo-seeds '1,1': {SEEDS}"),
    "a seed below 0": (["--abalo-seeds=-1"], USAGE, f"--abalo-seeds '-1': {SEEDS}"),
    "half a seed": (["--abalo-seeds", "1.5"], USAGE, f"--abalo-seeds '1.5': {SEEDS}"),
    "a seed without end": (["--abalo-seeds", "9" * 30], USAGE, f"': {SEEDS}"),
    "the name of a language": (["--abalo-language", "Portuguese"], USAGE, "--abalo-language Portuguese: expected"),
    "a former option": (
        ["--abalo-lenient"],
        USAGE,
        '--abalo-lenient: is a setting of the corpus now: --abalo-corpus "',
    ),
    "a former option with a value": (
        ["--abalo-scheme", "bio"],
        USAGE,
        '--abalo-scheme: is a setting of the corpus now: --abalo-corpus "FILE?scheme=bio"',
    ),
    "a scheme that does not fit": (
        ["--abalo-corpus", "corpus.conll?scheme=bioes"],
        FAILED,
        "is I-ORGANIZACAO, but its entity never ends",
    ),
    "a map that is none": (
        ["--abalo-label-map", "PER"],
        USAGE,
        "label map PER: neither entries such as PER=PESSOA nor",
    ),
    "a map to a label": (["--abalo-label-map", "PESSOA=B-PESSOA"], FAILED, "label 'B-PESSOA' is a whole label"),
    "a type twice": (["--abalo-types", "PESSOA,PESSOA"], USAGE, "'PESSOA' is there twice; keep one of them"),
    "a type in small letters": (["--abalo-types", "pessoa"], FAILED, "corpus.conll has no entity type 'pessoa'"),
    "nothing to join": (["--abalo-join"], USAGE, "--abalo-join: nothing to join"),
    "a device that is none": (["--abalo-device", "tpu"], USAGE, "--abalo-device: invalid choice: 'tpu'"),
    "a device for a callable": (
        ["--abalo-device", "cuda"],
        FAILED,
        "device 'cuda' has no meaning for a module:factory",
    ),
    "no thread": (["--abalo-threads", "0"], USAGE, "--abalo-threads 0: expected a whole number from 1"),
    "no window": (["--abalo-max-length", "0"], USAGE, "max_length is 0: expected a number of pieces from 1"),
    "a stride beyond": (["--abalo-stride", "999"], USAGE, "stride is 999: expected a number of pieces from 0 to below"),
    "a mask of nothing": (["--abalo-mask-token", " "], USAGE, "--abalo-mask-token is blank: expected a visible word"),
    "a mask of two words": (["--abalo-mask-token", "a b"], USAGE, "--abalo-mask-token 'a b': expected one word"),
    "a version that no one sees": (["--abalo-model-version", "a\x1b[31m"], USAGE, r"'a\x1b[31m': expected characters"),
    "a corpus that is a device": (["--abalo-corpus", "/dev/zero"], FAILED, "/dev/zero: no regular file; expected one"),
    "a corpus that is a pipe": (["--abalo-corpus", "pipe"], FAILED, "pipe: no regular file; expected one; save it"),
    "a corpus that is a folder": (["--abalo-corpus", "."], FAILED, ".: a folder; expected a CoNLL or JSON file"),
    "two corpora": (["--abalo-corpus", "a,b"], FAILED, "a,b: no such file"),
    "thresholds on a device": (["--abalo-thresholds", "/dev/zero"], USAGE, "/dev/zero: no regular file"),
    "thresholds that are columns": (["--abalo-thresholds", "corpus.conll"], USAGE, "corpus.conll: not valid TOML"),
    "reports in a file": (["--abalo-reports", "corpus.conll"], USAGE, "is a file, not a folder; make the folder"),
    "reports nowhere": (["--abalo-reports", "/proc/x"], USAGE, "/proc/x: cannot be written: "),
    "reports of no name": (["--abalo-reports", "x" * 300], USAGE, "cannot be written: File name too long"),
    "no reference": (["--abalo-against", "nope"], USAGE, "nope: there is no such folder"),
    "a reference in its own reports": (["--abalo-against", "reports"], USAGE, "is where this run writes its reports"),
    "no regressions": (["--abalo-regressions", "nofile"], USAGE, "nofile: cannot be read: No such file or directory; "),
    "regressions of another kind": (["--abalo-regressions", "corpus.conll"], USAGE, "not the log of an attack"),
    "failures into the corpus": (["--abalo-save-failures", "corpus.conll"], USAGE, "not the log of an attack"),
    "failures without text": (["--abalo-no-text", "--abalo-save-failures", "f"], USAGE, "needs text, which --abalo-no"),
    "a task that is none": (["--abalo-task", "nre"], USAGE, "task 'nre': no such task; did you mean 'ner'?"),
    "a secret": (["--abalo-model-args", "api_key=sk-1"], USAGE, "would be in the report; give secrets in the"),
    "an empty name of a training": (["--abalo-model", "a,,b"], FAILED, "--abalo-model a,,b: an empty name; expected"),
    "the home of nobody": (["--abalo-model", "~nobody-of-that-name/x"], FAILED, "no such file or folder"),
    "a slip in an option": (["--abalo-limti", "1"], USAGE, "unrecognized arguments: --abalo-limti"),
}


@pytest.mark.parametrize(("options", "code", "said"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_meant_is_refused_and_nothing_passes(project, options, code, said):
    os.mkfifo(project.path / "pipe")
    corpus = project.path.joinpath("corpus.conll").read_bytes()
    result = project.run(*options)
    told = result.stdout.str() + result.stderr.str()
    assert result.ret == code
    assert said in told
    assert not [word for word in ("Traceback", "INTERNALERROR", "sk-1") if word in told]
    assert project.path.joinpath("corpus.conll").read_bytes() == corpus
    if (project.path / "reports" / "robustness.json").exists():
        assert (project.document()["verdict"], project.document()["complete"]) == ("fail", False)


DECIDES_NOTHING = {
    "one sentence": ["--abalo-limit", "1"],
    "forty-nine sentences": ["--abalo-limit", "49"],
}


@pytest.mark.parametrize("options", DECIDES_NOTHING.values(), ids=DECIDES_NOTHING)
def test_too_few_sentences_decide_nothing(project, options):
    assert project.run(*options).ret == 10
    assert (project.document()["verdict"], project.document()["counts"]["pass"]) == ("inconclusive", 0)


def test_a_limit_beyond_the_corpus_is_the_corpus(project):
    assert project.run("--abalo-limit", "9" * 20).ret == 0
    assert project.document()["corpus"]["sentences"] == 70
