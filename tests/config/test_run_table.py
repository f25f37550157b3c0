"""``[run]`` of a thresholds file: which options it can set, and what it cannot."""

import os

import pytest

from abalo.config.options import OPTIONS, read_options
from abalo.config.run_table import KEYS, RunTable, for_file, run_line
from abalo.config.tasks import tasks_asked_for
from abalo.config.thresholds import load
from abalo.errors import AbaloError

NOT_GIVEN = {option.name: False if option.flag else None for option in OPTIONS}


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "ckpt").mkdir()
    (tmp_path / "mine.py").write_text("raise SystemExit('imported')")
    return tmp_path


def read(folder, text: str, name: str = "thresholds.toml") -> RunTable:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"[run]\n{text}", encoding="utf-8")
    return load(path).run


def problems(folder, text: str) -> list[str]:
    with pytest.raises(AbaloError) as caught:
        read(folder, text)
    return str(caught.value).splitlines()


def test_every_option_is_a_key_or_refused_by_name(folder):
    for option in OPTIONS:
        if option.name in KEYS:
            continue
        (problem,) = problems(folder, f"{option.name} = true")
        assert f"[run] {option.name}: " in problem
        assert (
            "[gate]" in problem
            if option.name in ("language", "least", "seeds", "against")
            else option.flag_name in problem
        )


@pytest.mark.parametrize("name", ["allow_pickle", "trust_remote_code", "device", "thresholds", "reports"])
def test_options_of_safety_and_of_one_run_are_no_keys(name):
    assert name not in KEYS


def test_values_are_those_of_the_options(folder):
    text = (
        'model = "ckpt"\ncorpus = "dev.conll"\ntask = "ner"\ntypes = "PER,LOC"\nlimit = 20\njoin = true\nstride = 8\n'
    )
    assert read(folder, text + 'label_map = {PERSON = "PER", GPE = "LOC"}').values == {
        "model": "ckpt",
        "corpus": "dev.conll",
        "task": "ner",
        "types": "PER,LOC",
        "limit": 20,
        "join": True,
        "stride": 8,
        "label_map": "PERSON=PER,GPE=LOC",
    }


def test_every_problem_is_listed_beside_those_of_the_cases(folder):
    text = (
        'modl = "x"\ntask = "nre"\nlimit = "20"\njoin = "yes"\nmodel = 3\ndtype = "fp8"\ncorpus = " "\n'
        'label_map = {PERSON = 1}\nallow_pickle = true\nlanguage = "en"\n[[ner.acents]]\n'
    )
    found = problems(folder, text)
    keys = ("modl", "task", "limit", "join", "model", "dtype", "corpus", "label_map", "allow_pickle", "language")
    assert [line.split(": ")[0] for line in found] == [
        *(f"thresholds.toml [run] {key}" for key in keys),
        "thresholds.toml [[ner.acents]]",
    ]
    assert "did you mean 'model'?" in found[0]
    assert "did you mean 'ner'?" in found[1]
    assert "--abalo-allow-pickle" in found[8]


@pytest.mark.parametrize("table", ['"ckpt"', "3", '[{model = "ckpt"}]'], ids=["text", "number", "array"])
def test_it_is_a_table(folder, table):
    path = folder / "thresholds.toml"
    path.write_text(f"run = {table}")
    with pytest.raises(AbaloError, match=r"thresholds.toml \[run\]: .* is not a table"):
        load(path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("limit = 0", "limit 0"),
        ("stride = 300", "stride"),
        ("join = true", "join"),
        ('label_map = "gone.json"', "gone.json"),
        ('label_map = {"a=b" = "PER"}', "label_map: a=b"),
        ("label_map = {}", "label_map: an empty table"),
        ('mask_token = "a b"', "mask_token 'a b'"),
        ('corpus = "hub:conll2003:test"', "--abalo-corpus hub:conll2003:test"),
        ('model = "inspect:openai/gpt"', "--abalo-model inspect:openai/gpt"),
        ('model_args = "api_key=1"', "api_key"),
        ('model = "../other.py:make"', "folder of this one"),
        ('model = "/tmp/other.py:make"', "folder of this one"),
        ('model = "/tmp/other:make"', "module in the folder"),
        ('model = "os.path;x:make"', "module in the folder"),
        ("lenient = true", '[run] lenient: is a setting of the corpus now: --abalo-corpus "FILE?lenient"'),
    ],
)
def test_what_no_run_could_use_is_refused(folder, text, said):
    (problem,) = problems(folder, text)
    assert problem.startswith("thresholds.toml [run]")
    assert said in problem


def test_options_win_key_by_key(folder):
    run = read(folder, 'model = "ckpt"\nlimit = 20\nlocal_only = true\ndtype = "bf16"')
    filled = run.under({**NOT_GIVEN, "limit": 5, "dtype": "fp32"})
    assert (filled["model"], filled["limit"], filled["local_only"], filled["dtype"]) == ("ckpt", 5, True, "fp32")


def test_a_model_that_only_the_hub_has_is_refused_if_it_is_needed(folder):
    run = read(folder, 'model = "org/name"')
    with pytest.raises(AbaloError, match="--abalo-model org/name"):
        run.under(NOT_GIVEN)
    assert run.under({**NOT_GIVEN, "model": "ckpt"})["model"] == "ckpt"


def test_code_is_named_by_a_trusted_file_alone(folder):
    for spec in ("mine:make", "mine.py:make"):
        run = read(folder, f'model = "ckpt,{spec}"')
        assert spec in run.under(NOT_GIVEN)["model"]
        with pytest.raises(AbaloError, match="is Python code"):
            run.under(NOT_GIVEN, trusted=False)
        assert run.under({**NOT_GIVEN, "model": "ckpt"}, trusted=False)["model"] == "ckpt"
    assert read(folder, 'model = "ckpt"').under(NOT_GIVEN, trusted=False)["model"] == "ckpt"


def test_paths_lead_from_the_folder_of_the_file(folder):
    (folder / "sub" / "net").mkdir(parents=True)
    (folder / "sub" / "map.json").write_text('{"PERSON": "PER"}')
    text = 'model = "net,mine:make,mine.py:make"\ncorpus = "dev.conll"\n'
    run = read(folder, text + 'label_map = "map.json"', "sub/thresholds.toml")
    assert run.values == {
        "model": "sub/net,./sub/mine:make,sub/mine.py:make",
        "corpus": "sub/dev.conll",
        "label_map": "sub/map.json",
    }
    for key, value in (("corpus", "sub/dev.conll"), ("model", "sub/net"), ("label_map", "PERSON=PER")):
        assert for_file(key, value, folder / "sub") == value.removeprefix("sub/")
    assert for_file("model", "ckpt", folder / "sub") == "../ckpt"
    assert for_file("model", "org/name", folder) is None
    assert for_file("model", "mine:make", folder) == "mine:make"
    assert for_file("model", "mine:make", folder / "sub") is None
    assert for_file("model", "json:loads", folder) is None


def test_the_table_of_a_base_lies_under_the_own_one(folder):
    (folder / "base").mkdir()
    read(folder, 'model = "mine:make"\ncorpus = "dev.conll"\nlimit = 3', "base/gate.toml")
    path = folder / "thresholds.toml"
    path.write_text('extends = "base/gate.toml"\n[run]\nlimit = 5')
    assert load(path).run.values == {"model": "./base/mine:make", "corpus": "base/dev.conll", "limit": 5}
    assert list(load(path).run.code) == ["model"]
    path.write_text('extends = "base/gate.toml"\n[run]\nmodel = "ckpt"')
    assert not load(path).run.code


def test_bounds_keep_their_digest_where_the_table_changes(folder):
    path = folder / "thresholds.toml"
    digests = set()
    for text in ("", '[run]\nmodel = "ckpt"\n', "[run]\nlimit = 3\n"):
        path.write_text(f"[[ner.accents]]\nmax_f1_drop = 0.1\n{text}")
        digests.add(load(path).sha256)
    assert len(digests) == 1


def test_a_linked_file_means_the_folder_of_the_link(folder):
    (folder / "elsewhere").mkdir()
    read(folder, 'model = "mine:make"', "elsewhere/gate.toml")
    (folder / "thresholds.toml").symlink_to(folder / "elsewhere" / "gate.toml")
    assert load(folder / "thresholds.toml").run.values == {"model": "./mine:make"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('model = "ckpt"\ncorpus = "dev.conll"\ntask = "pos"', "model ckpt · corpus dev.conll · task pos"),
        ('model = "abalo/overlap"\ntask = "choice"', "model abalo/overlap · bundled corpus · task choice"),
        ("limit = 3", "bundled models and corpora"),
    ],
)
def test_the_line_names_file_model_and_corpus(folder, text, said):
    run = read(folder, text)
    options = read_options(
        run.under(dict(NOT_GIVEN, device="auto", reports="reports")), folder / "thresholds.toml", folder
    )
    asked = tasks_asked_for(options, (), folder)
    assert run_line(options, asked) == f"{os.path.relpath(folder / 'thresholds.toml')} · {said}"


def test_the_line_names_other_tasks_that_the_corpus_fits(folder):
    path = folder / "gum.conllu"
    path.write_text("1\tTom\tTom\tPROPN\t_\t_\t0\troot\t_\tEntity=(e1-person-1-)\n\n", "utf-8")
    others = "task coreference, or --abalo-task pos, or --abalo-task parsing"
    for said, task in (others, ""), ("task pos", 'task = "pos"'):
        run = read(folder, f'model = "mine:make"\ncorpus = "{path}"\n{task}')
        given = run.under(dict(NOT_GIVEN, device="auto", reports="reports"))
        options = read_options(given, folder / "thresholds.toml", folder)
        asked = tasks_asked_for(options, (), folder)
        assert run_line(options, asked).endswith(said)


def test_conllu_without_heads_is_no_corpus_of_parsing(folder):
    path = folder / "words.conllu"
    for head, said in ("_", ""), ("0", ", or --abalo-task parsing"):
        path.write_text(f"1\tTom\tTom\tPROPN\t_\t_\t{head}\troot\t_\t_\n\n", "utf-8")
        given = read(folder, f'model = "mine:make"\ncorpus = "{path}"').under(
            dict(NOT_GIVEN, device="auto", reports="reports")
        )
        options = read_options(given, folder / "thresholds.toml", folder)
        assert run_line(options, tasks_asked_for(options, (), folder)).endswith(f"task pos{said}")
