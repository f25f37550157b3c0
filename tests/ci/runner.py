"""A runner for the steps of action.yml: their conditions, their environment and their scripts, without a network.

Steps that use another action are noted and not run. Of the language of expressions it knows what action.yml needs.
"""

import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load(ROOT.joinpath("action.yml").read_text("utf-8"))

_TOKEN = re.compile(r"'(?:[^']|'')*'|hashFiles\([^)]*\)|[A-Za-z_][\w.-]*|&&|\|\|")
_TRANSLATED = {"&&": " and ", "||": " or ", "true": "True", "false": "False"}

GH = """#!{python}
'''A ``gh`` that keeps the comments of one pull request in a file, page by page as the service does.'''
import json, os, pathlib, subprocess, sys

state = pathlib.Path(os.environ["FAKE_GH"])
known = json.loads(state.read_text("utf-8"))
words, fields, options = sys.argv[1:], dict(), dict()
plain = []
while words:
    word = words.pop(0)
    if word in ("-f", "-F"):
        name, _, value = words.pop(0).partition("=")
        raw = word == "-f"
        fields[name] = value if raw else pathlib.Path(value[1:]).read_text("utf-8") if value[:1] == "@" else int(value)
    elif word in ("--jq", "--method"):
        options[word] = words.pop(0)
    elif not word.startswith("--"):
        plain.append(word)
known["calls"].append([*plain, options.get("--method", "")])
if known["refuses"] and (plain[1] != "graphql" or known["refuses"] == "all"):
    state.write_text(json.dumps(known), "utf-8")
    sys.exit("gh: Resource not accessible by integration (HTTP 403)")
if plain[1] == "graphql":
    assert (fields["owner"], fields["name"], fields["number"]) == ("ours", "model", 7), fields
    for start in range(0, len(known["comments"]), 2):
        nodes = known["comments"][start : start + 2]
        page = dict(data=dict(repository=dict(pullRequest=dict(comments=dict(nodes=nodes)))))
        subprocess.run(["jq", "-r", options["--jq"]], input=json.dumps(page).encode(), check=True)
elif options["--method"] == "PATCH":
    number = int(plain[1].removeprefix("repos/ours/model/issues/comments/"))
    (found,) = (each for each in known["comments"] if each["databaseId"] == number)
    found["body"] = fields["body"]
else:
    assert plain[1] == "repos/ours/model/issues/7/comments", plain
    number = 1 + max((each["databaseId"] for each in known["comments"]), default=0)
    known["comments"].append(dict(databaseId=number, body=fields["body"], viewerDidAuthor=True))
state.write_text(json.dumps(known), "utf-8")
"""


@dataclass
class Service:
    """The comments of a pull request, behind a fake ``gh``; ``refuses`` writing or "all", as a read-only token does."""

    folder: Path
    comments: list[dict[str, Any]] = field(default_factory=list)
    refuses: str = ""

    def environment(self) -> dict[str, str]:
        """The variables by which a script finds it; the state is written anew."""
        self.folder.mkdir(exist_ok=True)
        program, state = self.folder / "gh", self.folder / "gh.json"
        program.write_text(GH.replace("{python}", sys.executable), "utf-8")
        program.chmod(0o755)
        state.write_text(json.dumps({"comments": self.comments, "refuses": self.refuses, "calls": []}), "utf-8")
        return {"PATH": f"{self.folder}:{Path(sys.executable).parent}:{os.environ['PATH']}", "FAKE_GH": str(state)}

    def read(self) -> list[list[str]]:
        """Takes over the comments as they are now; the calls that were made."""
        found = json.loads(self.folder.joinpath("gh.json").read_text("utf-8"))
        self.comments = found["comments"]
        return found["calls"]


@dataclass
class Job:
    """A job on a checkout: what happened, which commit it is, the inputs of the action, variables of the machine."""

    checkout: Path
    temporary: Path
    service: Service
    event_name: str = "pull_request"
    event: dict[str, Any] = field(default_factory=dict)
    sha: str = ""
    inputs: dict[str, str] = field(default_factory=dict)
    machine: dict[str, str] = field(default_factory=dict)
    used: dict[str, dict[str, str]] = field(default_factory=dict)
    log: str = ""
    _outputs: dict[str, dict[str, str]] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The summary of the job."""
        path = self.temporary / "summary.md"
        return path.read_text("utf-8") if path.exists() else ""

    def run(self) -> int:
        """The exit code: that of the first step that failed, else 0."""
        for step in ACTION["runs"]["steps"]:
            if not self.value(step.get("if", "true")):
                continue
            if "uses" in step:
                self.used[step["uses"].partition("@")[0]] = {
                    key: self.filled(str(each)) for key, each in step.get("with", {}).items()
                }
                continue
            code = self.script(step)
            if code:
                return code
        return 0

    def script(self, step: dict[str, Any]) -> int:
        """Runs the script of a step, and takes over its outputs."""
        assert step["shell"] == "bash"
        outputs = self.temporary / "outputs"
        outputs.write_text("", "utf-8")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.checkout / self.filled(step.get("working-directory", ".")),
            env=os.environ
            | self.service.environment()
            | {
                "GITHUB_ACTIONS": "true",
                "GITHUB_ACTION_PATH": str(ROOT),
                "GITHUB_OUTPUT": str(outputs),
                "GITHUB_STEP_SUMMARY": str(self.temporary / "summary.md"),
                "GITHUB_SERVER_URL": "https://github.example",
                "GITHUB_REPOSITORY": "ours/model",
                "GITHUB_RUN_ID": "42",
                "GITHUB_SHA": self.sha,
                "RUNNER_TEMP": str(self.temporary),
                "PYTHONPATH": str(ROOT),
                "GIT_CONFIG_GLOBAL": str(self.temporary / "gitconfig"),
                "GIT_CONFIG_SYSTEM": os.devnull,
                "no_proxy": "127.0.0.1",
            }
            | self.machine
            | {key: self.filled(each) for key, each in step.get("env", {}).items()},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        self.service.read()
        self.log += done.stdout + done.stderr
        if "id" in step:
            lines = outputs.read_text("utf-8").splitlines()
            self._outputs[step["id"]] = dict(line.split("=", 1) for line in lines)
        return done.returncode

    def filled(self, text: str) -> str:
        """The text with the values of its expressions."""
        return re.sub(r"\$\{\{(.+?)\}\}", lambda found: _text(self.value(found[1])), text)

    def value(self, expression: str) -> Any:
        """The value of an expression; None for what is not there."""

        def translated(found: re.Match[str]) -> str:
            word = found[0]
            if word.startswith("'"):
                return repr(word[1:-1])
            if word.startswith("hashFiles"):
                return "'0000'"
            return _TRANSLATED.get(word) or f"look_up({word!r})"

        program = _TOKEN.sub(translated, expression)
        return eval(program, {"__builtins__": {}, "look_up": self._look_up})  # expressions of our own action.yml

    def _look_up(self, name: str) -> Any:
        usual = {key: str(each.get("default", "")) for key, each in ACTION["inputs"].items()}
        found: Any = {
            "inputs": usual | {"token": "fake", "install": "false", "cache": ""} | self.inputs,
            "github": {"event": self.event, "event_name": self.event_name, "sha": self.sha, "token": "fake"},
            "steps": {name: {"outputs": outputs} for name, outputs in self._outputs.items()},
            "runner": {"os": "Linux"},
        }
        for part in name.split("."):
            found = found.get(part) if isinstance(found, dict) else None
        return found


def _text(value: Any) -> str:
    return "" if value is None else str(value)


def pull_request(base: str, head: str, repository: str = "ours/model") -> dict[str, Any]:
    """The event of a pull request from a repository."""
    own = {"number": 7, "base": {"sha": base}, "head": {"sha": head, "repo": {"full_name": repository}}}
    return {"pull_request": own}


def shell(folder: Path, script: str, given: str | None = None) -> str:
    """What commands, most of them of git, print there, in one process; the first that fails ends them and the test."""
    who = {f"GIT_{role}_{what}": "t@example.org" for role in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env=os.environ | who | alone,
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def head(checkout: Path) -> str:
    """The commit that is checked out on a branch."""
    branch = checkout.joinpath(".git", "HEAD").read_text("utf-8").removeprefix("ref: ").strip()
    return checkout.joinpath(".git", branch).read_text("utf-8").strip()


def content(folder: Path) -> dict[Path, bytes]:
    """What the files of a folder hold."""
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


REFERENCES = "refs/abalo/abalo"
"""Where the runs of a gate lie that has no name of its own."""


def kept_runs(checkout: Path) -> list[str]:
    """The commits whose runs are kept, oldest first."""
    return [path.name for path in sorted(checkout.parent.joinpath("origin", REFERENCES).glob("*/*"))]


def keep_by_hand(origin: Path, runs: dict[str, str]) -> None:
    """Keeps runs of these commits in the repository, oldest first, each with a report of this text."""
    stream = ""
    for second, (commit, report) in enumerate(runs.items(), start=1_000_000_000):
        stream += f"commit {REFERENCES}/{second}/{commit}\ncommitter t <t@example.org> {second} +0000\ndata 0\n"
        stream += f"M 100644 inline robustness.json\ndata {len(report.encode())}\n{report}\n"
    shell(origin, "git fast-import --quiet", stream)


Answer = Callable[[str, str, str], tuple[int, str]]
"""Answers a request by its method, path and body with a status and a text."""


@contextmanager
def served(answer: Answer) -> Iterator[str]:
    """A service on this machine; its address."""

    class Handler(BaseHTTPRequestHandler):
        def reply(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("utf-8")
            status, text = answer(self.command, self.path, body)
            self.send_response(status)
            if status == 401:
                self.send_header("WWW-Authenticate", "Basic")
            self.send_header("Content-Length", str(len(text.encode())))
            self.end_headers()
            self.wfile.write(text.encode())

        do_GET = do_POST = do_PUT = reply  # noqa: N815 - the names of http.server

        def log_message(self, *_: Any) -> None:
            """Prints nothing."""

    server = HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
