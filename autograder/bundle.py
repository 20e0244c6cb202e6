"""The autograder zip: all that `otter grade`, `otter run` and Gradescope need to grade one lab.

Otter's image build lays out only `setup.sh`, `environment.yml` and `requirements.*` before it runs the
first: the package and the course travel under names of that form. The same sources give the same bytes.
"""

from __future__ import annotations

import base64
import hashlib
import importlib.metadata
import io
import json
import re
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import yaml

from autograder.course import FILE, CourseError, Lab
from autograder.master import GIVEN_FROM
from autograder.otter import COURSE_ZIP
from autograder.reports import gradescope
from autograder.sandbox.host import WALL_FACTOR

PACKAGE = Path(__file__).parent
PINS = "constraints.txt"
TORCH_INDEX = "https://download.pytorch.org/whl/cpu"
SPARE_SECONDS = 60
"""For starting, judging and writing, beyond what a submission's own limits allow."""

KILLED = "The grader was ended from outside: out of time or memory. Its output says more."
RUN_OTTER = '"""Otter\'s image build wants this file; `run_autograder` does its work."""\n'
ONE_ENTRY = "Podman's build wants this folder to hold something.\n"


def autograder_zip(lab: Lab, handout: bytes) -> bytes:
    """The bytes of `autograder.zip`; `handout` is the student's notebook. Raises `CourseError` without pins."""
    wheel_name, wheel = package_wheel()
    limit = str(int(lab.limits.total_seconds * WALL_FACTOR + SPARE_SECONDS))
    failure = json.dumps(gradescope.failure(KILLED))
    files: dict[str, str | bytes] = {
        "setup.sh": template("setup.sh", WHEEL=wheel_name),
        "run_autograder": template("run_autograder", SECONDS=limit, FAILURE=failure),
        "run_otter.py": RUN_OTTER,
        "otter_config.json": json.dumps(_otter_config(lab), indent=1),
        "environment.yml": "# Not used: setup.sh makes a virtual environment.\n",
        "requirements.txt": grader_requirements(lab),
        "requirements.pins.txt": grader_pins(lab),
        "requirements.autograder.whl": wheel,
        COURSE_ZIP: zipped(packed_course(lab, handout)),
        "tests/README": ONE_ENTRY,
        "files/README": ONE_ENTRY,
    }
    return zipped({name: data.encode() if isinstance(data, str) else data for name, data in files.items()})


def packed_course(lab: Lab, handout: bytes) -> dict[str, bytes]:
    """The part of the course that grades one lab: its rubric, suites, master, misconceptions and handout."""
    files = {FILE: _rubric(lab), **_masters(lab, lab.name)}
    files[lab.handout.relative_to(lab.root).as_posix()] = handout
    folders = [f"solutions/{lab.name}/misconceptions", f"tests/public/{lab.name}", f"tests/hidden/{lab.name}"]
    paths = [path for folder in folders for path in (lab.root / folder).rglob("*.py")]
    packages = [lab.root / folder / "__init__.py" for folder in ("tests", "tests/public", "tests/hidden")]
    for path in [*paths, *packages]:
        if path.is_file():
            files[path.relative_to(lab.root).as_posix()] = path.read_bytes()
    return files


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip with its entries in order of name, of one age, uncompressed: compressors differ."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, data in sorted(files.items()):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            executable = name.endswith(".sh") or name == "run_autograder"
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.create_system = 3
            archive.writestr(entry, data)
    return buffer.getvalue()


def package_wheel() -> tuple[str, bytes]:
    """This package as a wheel: its name and bytes. Its requirements are pinned apart."""
    version = importlib.metadata.version("autograder")
    info = f"autograder-{version}.dist-info"
    sources = [path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    files = {path.relative_to(PACKAGE.parent).as_posix(): path.read_bytes() for path in sources}
    files[f"{info}/METADATA"] = f"Metadata-Version: 2.1\nName: autograder\nVersion: {version}\n".encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: autograder\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/RECORD"] = "".join(_record(files, f"{info}/RECORD")).encode()
    return f"autograder-{version}-py3-none-any.whl", zipped(files)


def _record(files: Mapping[str, bytes], record: str) -> Iterator[str]:
    for name, data in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        yield f"{name},sha256={digest},{len(data)}\n"
    yield f"{record},,\n"


def template(name: str, **values: str) -> str:
    """A file of `templates/` in which each `@KEY@` is replaced by its value."""
    text = (PACKAGE / "templates" / name).read_text(encoding="utf-8")
    for key, value in values.items():
        text = text.replace(f"@{key}@", value)
    return text


def _otter_config(lab: Lab) -> dict[str, Any]:
    """What stock Otter needs to know: our plugin, and what students may see of the results it writes."""
    return {
        "lang": "python",
        "plugins": ["autograder.otter.Plugin"],
        "pdf": False,
        "show_stdout": False,
        "show_hidden": lab.feedback.hidden != "never",
        "force_public_test_summary": lab.feedback.public == "now",
    }


def _rubric(lab: Lab) -> bytes:
    """`grading.yml` with this lab alone."""
    rubric = yaml.safe_load((lab.root / FILE).read_text(encoding="utf-8"))
    entry = {key: value for key, value in rubric["labs"][lab.name].items() if key != "requires_closed"}
    return yaml.safe_dump({"labs": {lab.name: entry}}, sort_keys=False, allow_unicode=True).encode()


def _masters(lab: Lab, name: str) -> dict[str, bytes]:
    """A lab's master, and those from which it takes given functions."""
    path = Path("solutions", name, "lab.py")
    source = (lab.root / path).read_bytes()
    files = {path.as_posix(): source}
    for found in GIVEN_FROM.finditer(source.decode()):
        files |= _masters(lab, found["lab"])
    return files


# --- Packages -------------------------------------------------------------------------------------


def grader_requirements(lab: Lab) -> str:
    """The packages that grading needs, and where the CPU build of torch lies for the labs that use it.

    Otter is none of them: with all that it brings it would make most of the image, and the host has it.
    """
    ours = importlib.metadata.requires("autograder") or ()
    lines = [line for line in ours if "extra ==" not in line and not line.startswith("otter-grader")]
    if "torch" in lab.warm:
        lines += [f"--extra-index-url {TORCH_INDEX}", "torch"]
    return "".join(f"{line}\n" for line in lines)


def grader_pins(lab: Lab) -> str:
    """The course's exact pins; of torch the CPU build, and none where the lab does not use it."""
    path = lab.root / PINS
    if not path.is_file():
        raise CourseError("the pinned packages are missing", "Write name==version lines there", file=PINS)
    pins = path.read_text(encoding="utf-8")
    return re.sub(r"^torch==([\d.]+)\S*\n", r"torch==\1+cpu\n" if "torch" in lab.warm else "", pins, flags=re.M)
