"""The guide about prompts: its files, its commands, and what it says of calls."""

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.models.generative.mock_server import Mock, serving

PAGE = Path(__file__).parent.parent.joinpath("docs", "how-to", "prompts.md").read_text("utf-8")
FILES = re.findall(r"<!-- file: (\S+) -->\n```\w+\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [shlex.split(line) for line in re.findall(r"^\$ (.*)$", PAGE, re.MULTILINE)]
SENTENCES = [
    f"{name} B-PESSOA\n{verb} O\n{number} O\n\n"
    for number in range(60)
    for name in ("Ana", "Rui")
    for verb in ("saiu", "José")
]


@pytest.fixture
def folder(tmp_path):
    for name, body in FILES:
        tmp_path.joinpath(name).write_text(body, "utf-8")
    tmp_path.joinpath("dev.conll").write_text("".join(SENTENCES), "utf-8")
    tmp_path.joinpath("train.conll").write_text("Ana B-PESSOA\nveio O\n\nnada O\n\nRui B-PESSOA\nfoi O\n\n", "utf-8")
    return tmp_path


@pytest.fixture
def run(forks):
    """Runs a command in a folder, as a user would."""
    return forks.run


@pytest.mark.slow
def test_the_three_commands_and_their_calls(folder, run):
    look, accept, against = COMMANDS[-3:]
    first = run([*look, "--abalo-max-calls", "200"], folder)
    assert first.returncode == pytest.ExitCode.USAGE_ERROR, first.stdout + first.stderr
    assert re.search(r"the run needs \d+ calls, and --abalo-max-calls allows 200; no call was made", first.stdout)
    assert not folder.joinpath(".abalo").exists()
    looked = run(look, folder)
    assert looked.returncode == 10, looked.stdout + looked.stderr
    (planned,) = re.findall(r"abalo: ner: (\d+) calls to service.py:make", looked.stdout)
    document = json.loads(folder.joinpath("reports", "robustness.json").read_text("utf-8"))
    made = document["tasks"]["ner"]["model"]["calls"]["made"] + sum(
        each["calls"]["made"] for each in {each["id"]: each for each in document["results"]}.values()
    )
    assert made == int(planned) == 240 + 120  # every sentence, and José without its accent
    assert run(accept, folder).returncode == 0
    again = run(against, folder)
    assert again.returncode == 0, again.stdout + again.stderr
    assert "abalo: ner: 0 calls to service.py:make" in again.stdout


KEY = "correct-horse-battery-staple"

DIALECTS = {
    "http://localhost:8000/v1": {"reasoning": "reasoning_content"},  # vLLM with a reasoning parser
    "http://localhost:11434/v1": {"reasoning": "reasoning"},  # Ollama
}


def by_name(question, _enforced):
    """The names that the page knows, as its service replies them."""
    words = question.rpartition("Text: ")[2].split()
    return json.dumps({"entities": [{"text": each, "type": "PESSOA"} for each in words if each in ("Ana", "Rui")]})


@pytest.mark.slow
@pytest.mark.parametrize("address", DIALECTS)
def test_the_commands_for_servers(folder, run, address):
    (command,) = [each for each in COMMANDS if address in " ".join(each)]
    more = [
        "-k",
        "baseline or accents",
        "--abalo-model-args",
        "temperature=0,max_tokens=200",
        "--junit-xml",
        "junit.xml",
    ]
    with serving(Mock(by_name, **DIALECTS[address])) as mock:
        asked = [each.replace(address, mock.base_url) for each in command]
        done = run([*asked, *more], folder, {"OPENAI_API_KEY": KEY, "XDG_CACHE_HOME": str(folder / "cache")})
        assert done.returncode == 10, done.stdout + done.stderr
        (planned,) = re.findall(r"abalo: ner: (\d+) calls to openai:\S+", done.stdout)
        assert len(mock.asked) == int(planned) == 240 + 120
        assert {each["Authorization"] for each in mock.headers} == {f"Bearer {KEY}"}
        assert {each["model"] for each in mock.asked} == {asked[4].removeprefix("openai:").partition("?")[0]}
        assert all(
            each["messages"][0] == {"role": "system", "content": "You label legal texts."} for each in mock.asked
        )
        again = run([*asked, *more], folder, {"OPENAI_API_KEY": KEY, "XDG_CACHE_HOME": str(folder / "cache")})
        assert again.returncode == 10, again.stdout + again.stderr
        assert len(mock.asked) == 240 + 120
        mock.raw = [(500, {}, b"<html>upstream</html>")]
        failed = run([*asked, *more, "--abalo-no-cache", "--abalo-model-args", "temperature=0,retries=0"], folder)
        assert failed.returncode == 1, failed.stdout + failed.stderr
        assert "status 500: <html>upstream</html>" in failed.stdout
    assert run(["abalo", "verdict", "reports"], folder).returncode == 2
    said = [each.stdout + each.stderr for each in (done, again, failed)]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert KEY not in "".join(said)
    assert not any(KEY.encode() in path.read_bytes() for path in files)
    assert "Traceback" not in "".join(said)


@pytest.mark.slow
def test_the_run_says_which_host_receives_the_corpus_and_never_a_key(folder, run):
    spec = "openai:m?ask.toml&base_url=http://texts.invalid:8000/v1"
    usual = ["pytest", "--pyargs", "tests_behavioral", "--abalo-corpus", "dev.conll", "-k", "baseline", "--abalo-model"]
    told = run([*usual, spec, "--abalo-model-args", "retries=0"], folder)
    assert "the texts of the corpus are sent to texts.invalid:8000" in told.stdout
    assert told.returncode == 1, told.stdout + told.stderr
    for part in (f"&api_key={KEY}", f"&key={KEY}"):
        refused = run([*usual, spec + part], folder)
        assert refused.returncode != 0
        assert "give the key in the environment, as OPENAI_API_KEY" in refused.stdout + refused.stderr
        assert KEY not in refused.stdout + refused.stderr
    assert not any(KEY.encode() in path.read_bytes() for path in folder.rglob("*") if path.is_file())


@pytest.mark.slow
def test_other_prompts_and_an_attack_without_scores(folder, run):
    changed = run(COMMANDS[-4], folder)
    assert changed.returncode in (0, 1, 10), changed.stdout + changed.stderr
    document = json.loads(folder.joinpath("reports", "robustness.json").read_text("utf-8"))
    found = {each["name"]: each for each in document["results"]}
    prompts = found["prompt"]["prompts"]
    assert {"as it is", "wording: short", "example_order: reversed", "reply_format: marked"} <= set(prompts["scores"])
    assert (prompts["sensitive"], prompts["changing"], prompts["loss"]["low"]) == (False, 0, 0)
    assert found["prompt"]["calls"]["made"] == 240 * (len(prompts["scores"]) - 1)
    attack = found["bad_characters"]
    assert attack["params"]["search"] == "hard_label"
    assert attack["calls"]["made"] <= 50 * 20


def test_the_prompt_file_is_the_one_of_the_page(folder, monkeypatch):
    from abalo.core.protocols.options import Calling, RunOptions
    from abalo.tasks.ner.task import TASK

    monkeypatch.chdir(folder)
    corpus = TASK.read("dev.conll", RunOptions())
    model = TASK.load("service.py:make?ask.toml", RunOptions(calling=Calling(no_cache=True)), corpus)
    said = model.asker.prompt.conversation(corpus.sentences[0])
    assert said[0] == ("system", "You label legal texts.")
    assert [role for role, _ in said] == ["system", "user", "assistant", "user", "assistant", "user"]
    right = {
        "1": '{"entities": [{"text": "Ana", "type": "PESSOA"}]}',
        "2": '{"entities": []}',
        "3": '{"entities": [{"text": "Rui", "type": "PESSOA"}]}',
    }
    numbers = model.settings["examples"].removesuffix(" of train.conll").split(", ")
    assert [said[2][1], said[4][1]] == [right[number] for number in numbers]
    assert "Types: PESSOA (people, without their titles)." in said[-1][1]
    assert model.predict(corpus.sentences[:1])[0].tags == ("B-PESSOA", "O", "O")


def test_a_model_that_leaves_the_machine_is_refused(folder, monkeypatch):
    pytest.importorskip("inspect_ai", reason="the extra mcq is not installed: pip install 'abalo[mcq]'")
    from abalo.core.protocols.options import Calling, RunOptions
    from abalo.errors import AbaloError
    from abalo.tasks.ner.task import TASK

    monkeypatch.chdir(folder)
    corpus, alone = TASK.read("dev.conll", RunOptions()), RunOptions(calling=Calling(local_only=True))
    with pytest.raises(AbaloError, match="sends the texts of the corpus to openai; refused by --abalo-local-only"):
        TASK.load("inspect:openai/gpt-5", alone, corpus)
    assert TASK.load("inspect:openai/gpt-5", RunOptions(), corpus).sends_to == "openai"
    monkeypatch.setenv("LOCAL_BASE_URL", "http://localhost:8000/v1")
    assert TASK.load("inspect:openai-api/local/m", alone, corpus).sends_to == ""
    assert TASK.load("inspect:ollama/llama3", alone, corpus).draws is True
    monkeypatch.setenv("OLLAMA_BASE_URL", "https://example.org/v1")
    with pytest.raises(AbaloError, match="to ollama"):
        TASK.load("inspect:ollama/llama3", alone, corpus)
