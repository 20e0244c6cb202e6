"""Written work, the whole way: from the notebook to a page, from a person's marks to the points and the comment."""

from __future__ import annotations

import csv
import html
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from autograder.cli import main
from autograder.course import Course, load_course
from autograder.reports.written import written_work
from tests.toy import POINTS, copy_of_the_course, notebook

PLOT = {"output_type": "display_data", "data": {"image/png": "aGVsbG8="}}


def markdown(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def handed_in() -> bytes:
    """A right notebook with two written answers, marked off as Otter does it: an end and a beginning in one cell."""
    document = json.loads(notebook())
    drawn = document["cells"][0] | {"source": "draw()", "outputs": [PLOT]}
    document["cells"] += [
        markdown("<!-- BEGIN QUESTION -->\n\n## Plots\n\nDraw."),
        drawn,
        markdown("<!-- END QUESTION -->\n\n<!-- BEGIN QUESTION -->\n\n## Meaning\n\nSay it."),
        markdown("Warmup helps."),
        markdown("<!-- END QUESTION -->\n\n## The end"),
    ]
    return json.dumps(document).encode()


@pytest.fixture
def course(tmp_path: Path) -> Course:
    """The toy course with two written questions."""
    root = copy_of_the_course(tmp_path / "course").root
    rubric = root / "grading.yml"
    plots = '      plots: {kind: written, points: 4, rubric: ["axes are labelled", "a legend"]}\n'
    meaning = '      meaning: {kind: written, points: 2, rubric: ["names the cause"]}\n'
    rubric.write_text(rubric.read_text() + plots + meaning)
    return load_course(root)


def grade(course: Course, folder: Path, out: Path, *options: str) -> dict[str, str]:
    command = ["--course", str(course.root), "grade", "-j", "1", str(folder), "-o", str(out), *options]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 0, result.output
    with (out / "grades.csv").open(newline="", encoding="utf-8") as file:
        (row,) = csv.DictReader(file)
    return row


def text_of(page: Path) -> str:
    return html.unescape(" ".join(re.sub(r"<[^>]+>", " ", page.read_text(encoding="utf-8")).split()))


def test_a_persons_marks_come_in_by_the_lines_that_the_page_offers(course: Course, tmp_path: Path) -> None:
    folder, out = tmp_path / "class", tmp_path / "graded"
    folder.mkdir()
    (folder / "Ada, 1.ipynb").write_bytes(handed_in())
    row = grade(course, folder, out)
    assert [row["score"], row["possible"], row["pending"]] == [str(POINTS), str(POINTS), "6"]
    assert "4 wait for a person" in text_of(out / "feedback/Ada, 1.ipynb.html")

    page = out / "written/Ada, 1.ipynb.html"
    text = text_of(page)
    for piece in ("axes are labelled", "a legend", "draw()", "Warmup helps.", "plots (4 points)", "meaning (2 points)"):
        assert piece in text
    assert 'src="data:image/png;base64,aGVsbG8="' in page.read_text()
    offered = html.unescape(re.findall(r"<pre>(.*?)</pre>", page.read_text(), re.S)[0])
    assert "0 to 4," in offered and "0 to 2," in offered

    marks = offered.replace("0 to 4,", "3,no legend").replace("0 to 2,", "2,well said")
    (out / "marks.csv").write_text(marks, encoding="utf-8")
    row = grade(course, folder, out)
    assert [row["score"], row["possible"], row["pending"]] == [str(POINTS + 5), str(POINTS + 6), "0"]
    assert [row["plots"], row["meaning"]] == ["3", "2"]
    feedback = text_of(out / "feedback/Ada, 1.ipynb.html")
    assert "Found: no legend (3 of 4 points, given by a person)" in feedback
    assert "Found: well said (2 of 2 points, given by a person)" in feedback
    assert 'grader.check("plots")' not in feedback and "wait for a person" not in feedback


def test_the_labs_own_handout_is_read_question_by_question(course: Course) -> None:
    lab = load_course(Path(__file__).resolve().parents[1]).labs["torch_block"]
    document = json.loads(lab.handout.read_text(encoding="utf-8"))
    places = [i for i, cell in enumerate(document["cells"]) if "BEGIN QUESTION" in "".join(cell["source"])]
    assert len(places) == 2
    for place, answer in zip(places, ("my plot", "my answer"), strict=True):
        document["cells"][place + 1]["source"] = [answer]
    work = written_work(json.dumps(document).encode(), lab)
    assert [[piece.text for piece in pieces] for pieces in work.values()] == [["my plot"], ["my answer"]]


def test_a_part_whose_end_was_deleted_is_shown_to_the_last_cell(course: Course) -> None:
    cells = [markdown("<!-- BEGIN QUESTION -->"), markdown("an answer"), markdown("and more")]
    work = written_work(json.dumps({"cells": cells}).encode(), course.labs["toy"])
    assert [piece.text for piece in work["plots"]] == ["an answer", "and more"]


def test_points_that_a_person_changed_are_those_of_the_students_page(course: Course, tmp_path: Path) -> None:
    folder, out = tmp_path / "class", tmp_path / "graded"
    folder.mkdir()
    (folder / "ada.ipynb").write_bytes(handed_in())
    out.mkdir()
    (out / "overrides.csv").write_text("file,question,points,reason\nada.ipynb,center,1,half of it is copied\n")
    row = grade(course, folder, out, "--published")
    told = text_of(out / "feedback/ada.ipynb.html")
    assert (row["center"], row["score"]) == ("1", str(POINTS - 2))
    assert f"{POINTS - 2} of {POINTS} points" in told
    assert "center 1 of 3" in told and "3 points became 1" in told
