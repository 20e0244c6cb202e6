"""The doctor says what works, and for what does not, why and what to do."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from autograder import doctor, protections
from autograder.doctor import Package, examine, render
from autograder.sandbox.confine import Probe, probe


@pytest.fixture(scope="module")
def report():
    return examine()


def shown(report: doctor.Report) -> str:
    console = Console(width=160, record=True, file=open(os.devnull, "w"))  # noqa: SIM115
    with console.file:
        console.print(render(report))
    return console.export_text()


def test_every_protection_is_shown_on_or_off(report):
    assert [(layer.name, layer.on) for layer in report.protections] == [
        (name, layer.on) for name, layer in probe().items()
    ]
    assert all(layer.name in shown(report) for layer in report.protections)


def test_a_worker_is_really_started(report):
    assert report.trial.trouble == ""
    assert report.trial.seconds > 0
    assert set(report.trial.protections) == {layer.name for layer in report.protections if layer.on}


def test_versions_and_the_machine_are_shown(report):
    text = shown(report)
    assert sys.version.split()[0] in text
    assert all(name in text for name in ("numpy", "otter-grader", "ipython", "torch"))
    assert report.cores >= 1
    assert report.memory > 2**28


def test_a_protection_that_is_off_comes_with_a_reason_and_a_remedy(monkeypatch):
    off = {**probe(), "landlock": Probe(False, "the kernel refuses: made up")}
    monkeypatch.setattr(protections, "probe", lambda: off)
    report = examine()
    layer = next(layer for layer in report.protections if layer.name == "landlock")
    assert not layer.on
    assert "made up" in layer.why
    assert "Linux 5.13" in layer.remedy
    assert any(trouble.startswith("landlock is off: the kernel refuses") for trouble in report.troubles)
    assert "Trouble: landlock is off" in shown(report)


def test_a_package_too_old_or_missing_is_trouble_and_an_optional_one_is_not(report):
    packages = (
        Package("numpy", "1.0", ">=1.26", suits=False, optional=False),
        Package("rich", None, ">=13", suits=False, optional=False),
        Package("dask", None, "", suits=True, optional=True),
    )
    troubles = replace(report, packages=packages).troubles
    assert [trouble.partition(",")[0] for trouble in troubles] == ["numpy is 1.0", "rich is not installed"]
    assert all("pip install" in trouble for trouble in troubles)


def test_a_course_among_pythons_own_folders_is_trouble():
    assert examine(Path(os.__file__).parent).course_lies_open
    assert not examine(Path(__file__).parent).course_lies_open
