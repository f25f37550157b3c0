"""Secrets in settings, exceptions, warnings and printed words: no report, terminal or log has them."""

import json

import pytest

from abalo.core.protocols.options import told_args
from abalo.errors import AbaloError, redacted
from tests.reports import document_in

SECRET = "Zq8xW3mT7vR2pL9kJ4hG6fD1sA5nB0cV"

TOLD = {
    f"http://user:{SECRET}@host/v1": "http://…@host/v1",
    f"postgresql://{SECRET}@host/v1": "postgresql://…@host/v1",
    f"401 for Authorization: Bearer {SECRET}": "401 for Authorization: …",
    f"Bearer {SECRET}, which is no key": "Bearer …, which is no key",
    "{'Authorization': 'Basic dXNlcjp3b3Jk'}": "{'Authorization': …'}",
    "api_key=short1": "api_key=…",
    '"OPENAI_API_KEY": "0123456789abcdef0123456789abcdef"': '"OPENAI_API_KEY": …"',
    "password: hunter22": "password: …",
    "sk-proj-abcdefghijklmnop1234": "…",
    "AKIAIOSFODNN7EXAMPLE": "…",
    "ghp_0123456789abcdefghij": "…",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x": "…",
    f"key {SECRET} is wrong": "key … is wrong",
}
KEPT = [
    "model bert-base-portuguese-cased-LeNER-v2-2024-Large: 3 tags for 1 tokens; return one tag per token",
    "its mask_token is 'a b'; expected one word",
    "the digest 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
    "https://host.example/a@b and mail@host.example",
    "inconstitucionalissimamenteinconstitucional",
    "the bearer of this ring; secret: 1; token: [MASK]",
    "/home/user/Project2024WithALongNameOfMixedCaseLetters/x",
    "a" * 100_000,
]


@pytest.mark.parametrize(("said", "told"), TOLD.items())
def test_what_has_the_form_of_a_secret_is_not_told(said, told):
    assert redacted(said) == str(AbaloError(said)) == told


@pytest.mark.parametrize("said", KEPT, ids=range(len(KEPT)))
def test_other_words_are(said):
    assert redacted(said) == said


def test_settings_that_are_not_known_are_not_told():
    given = {"auth": "x", "base_url": "http://u:p@h/v1", "max_tokens": 8, "extra_headers": {"a": "b"}, "own": True}
    told = {"auth": "…", "base_url": "http://…@h/v1", "max_tokens": 8, "extra_headers": "…", "own": True}
    assert told_args(given) == told
    assert told_args({"stop_seqs": [f"Bearer {SECRET}"]}) == {"stop_seqs": ["Bearer …"]}


MODEL = """
import logging, sys, warnings
from pathlib import Path

SECRET = "{secret}"

def factory():
    def predict(batch):
        {way}
        return [["O"] * len(tokens) for tokens in batch]
    return predict
"""

WAYS = {
    "a warning": "warnings.warn(f'Authorization: Bearer {SECRET}')",
    "what it prints": "print(f'http://user:{SECRET}@host'); sys.stderr.write(f'api_key={SECRET}')",
    "what it logs": "logging.getLogger('x').warning('Bearer %s', SECRET)",
    "an exception": "raise ValueError(f'401 for Authorization: Bearer {SECRET}')",
    "an exception without a name for it": "raise ValueError('x' * 390 + ' ' + SECRET)",
    "the cause of an exception": "raise RuntimeError('x') from ValueError(f'password={SECRET}')",
    "an end of the process": "sys.exit(SECRET)",
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_model_that_tells_a_secret_tells_it_nobody(project, way):
    project.write("telling.py", MODEL.replace("{secret}", SECRET).replace("{way}", way))
    options = ("--html", "reports/page.html", "--self-contained-html", "--junit-xml", "junit.xml", "-rA")
    result = project.run("-k", "baseline", *options, model="telling:factory")
    files = [path for path in project.path.rglob("*") if path.suffix in (".json", ".md", ".html", ".jsonl", ".xml")]
    said = [result.stdout.str(), result.stderr.str(), *(path.read_text("utf-8") for path in files)]
    assert SECRET[:20] not in "\n".join(said)
    assert result.stdout.str()


SERVICES = {"classification": "inspect:mockllm/model", "choice": "mockllm/model"}
ROWS = {
    "classification": [{"text": f"Review {n}", "label": "good" if n % 2 else "bad"} for n in range(6)],
    "choice": [{"id": str(n), "question": f"What is {n}?", "options": ["a", "b"], "answer": "A"} for n in range(6)],
}


@pytest.mark.parametrize("task", SERVICES)
def test_settings_of_a_service_tell_no_secret(project, task):
    pytest.importorskip("inspect_ai")
    project.write("rows.jsonl", "\n".join(map(json.dumps, ROWS[task])))
    project.path.joinpath("thresholds.toml").unlink()
    args = f"auth={SECRET},base_url=http://user:{SECRET}@localhost:1/v1"
    result = project.pytester.runpytest_inprocess(
        *("-p", "no:cacheprovider", "--pyargs", f"tests_behavioral.{task}", "-k", "baseline", "--abalo-task", task),
        *("--abalo-corpus", "rows.jsonl", "--abalo-model", SERVICES[task], "--abalo-model-args", args),
        *("--junit-xml", "junit.xml"),
    )
    files = [path for path in project.path.rglob("*") if path.is_file()]
    assert {path.name for path in files if SECRET.encode() in path.read_bytes()} == set()
    assert SECRET not in result.stdout.str()
    document = document_in(project.path / "reports")
    assert document["options"]["model_args"] == {"auth": "…", "base_url": "http://…@localhost:1/v1"}
    assert document["tasks"][task]["model"]["settings"]["auth"] == "…"
