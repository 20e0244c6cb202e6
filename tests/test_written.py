"""Written work, the whole way: from the notebook to a page, from a person's marks to the points and the comment."""

from __future__ import annotations

import base64
import csv
import html
import io
import json
import re
import shutil
import zipfile
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from autograder.cli import main
from autograder.course import Course, Lab, load_course
from autograder.record import rejected
from autograder.rejected import Rejected
from autograder.reports.pages import write_written
from autograder.reports.written import Piece, written_work
from autograder.submission import read_submission
from tests.toy import POINTS, course_with, notebook

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
    plots = '      plots: {kind: written, points: 4, rubric: ["axes are labelled", "a legend"]}\n'
    meaning = '      meaning: {kind: written, points: 2, rubric: ["names the cause"]}\n'
    return course_with(tmp_path / "course", plots + meaning)


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
    first = [markdown("<!-- BEGIN QUESTION -->"), markdown("drawn"), markdown("<!-- END QUESTION -->")]
    cells = [*first, markdown("<!-- BEGIN QUESTION -->"), markdown("an answer"), markdown("and more")]
    work = written_work(json.dumps({"cells": cells}).encode(), course.labs["toy"])
    assert [piece.text for piece in work["meaning"]] == ["an answer", "and more"]


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


# --- what grading reads is what is shown ----------------------------------------------------------------------------


def in_nbformat_3() -> bytes:
    cells = json.loads(handed_in())["cells"]
    for cell in cells:
        if cell["cell_type"] == "code":
            cell["input"] = cell.pop("source")
            cell["outputs"] = [{"output_type": "display_data", "png": "aGVsbG8="} for _ in cell["outputs"]]
    metadata = {"otter": {"assignment_name": "toy"}}
    return json.dumps({"nbformat": 3, "metadata": metadata, "worksheets": [{"cells": cells}]}).encode()


def in_a_zip() -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        archive.writestr("__MACOSX/._hw.ipynb", b"")
        archive.writestr("hw/notes.ipynb", json.dumps({"cells": [markdown("my notes")]}))
        archive.writestr("hw/hw.ipynb", handed_in())
    return memory.getvalue()


FORMS = {
    "in a zip": in_a_zip,
    "nbformat 3": in_nbformat_3,
    "latin-1": lambda: handed_in().replace(b"Warmup helps.", "Warmup helps. Später.".encode("latin-1")),
    "control characters": lambda: handed_in().replace(b"Warmup helps.", b"Warmup helps.\x0b\n"),
    "NaN": lambda: handed_in().replace(b'"metadata": {}', b'"metadata": {"x": NaN}'),
    "UTF-16": lambda: handed_in().decode().encode("utf-16"),
    "byte order mark": lambda: b"\xef\xbb\xbf" + handed_in(),
}


@pytest.mark.parametrize("form", FORMS)
def test_whatever_form_can_be_graded_is_shown(form: str, course: Course, tmp_path: Path) -> None:
    (tmp_path / "hw.ipynb").write_bytes(FORMS[form]())
    grade = rejected(course.labs["toy"], "hw.ipynb", Rejected("", ""))
    assert read_submission(tmp_path / "hw.ipynb", lab="toy").cells
    write_written(grade, course.labs["toy"], tmp_path / "hw.ipynb", tmp_path)
    page = (tmp_path / "written/hw.ipynb.html").read_text()
    assert "draw()" in page and "Warmup helps." in page and "base64,aGVsbG8=" in page
    assert "Nothing was found" not in page


# --- pictures -------------------------------------------------------------------------------------------------------


def pieces(course: Course, *cells: dict[str, Any]) -> list[tuple[str, str]]:
    """What is shown of these cells in the first question."""
    rest = [markdown("<!-- END QUESTION -->\n<!-- BEGIN QUESTION -->"), markdown("<!-- END QUESTION -->")]
    document = {"cells": [markdown("<!-- BEGIN QUESTION -->"), *cells, *rest]}
    return [
        (piece.kind, piece.text) for piece in written_work(json.dumps(document).encode(), course.labs["toy"])["plots"]
    ]


def drawn(**data: Any) -> dict[str, Any]:
    output = {"output_type": "display_data", "data": {name.replace("__", "/"): value for name, value in data.items()}}
    return {"cell_type": "code", "source": "draw()", "outputs": [output]}


def test_an_svg_is_shown_as_an_image_that_cannot_run_anything(course: Course, tmp_path: Path) -> None:
    drawing = "<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    output = {"output_type": "display_data", "data": {"image/svg+xml": [drawing[:20], drawing[20:]]}}
    document = json.loads(handed_in().replace(json.dumps(PLOT).encode(), json.dumps(output).encode()))
    (tmp_path / "hw.ipynb").write_text(json.dumps(document))
    write_written(rejected(course.labs["toy"], "hw.ipynb", Rejected("", "")), course.labs["toy"],
                  tmp_path / "hw.ipynb", tmp_path)  # fmt: skip
    page = (tmp_path / "written/hw.ipynb.html").read_text()
    encoded = base64.b64encode(drawing.encode()).decode()
    assert f'src="data:image/svg+xml;base64,{encoded}"' in page and "alert(1)" not in page


def test_of_several_forms_of_one_picture_one_is_shown(course: Course) -> None:
    cell = drawn(**{"image/svg+xml": "<svg/>", "image/png": "aGVsbG8=", "text/plain": "<Figure>"})
    assert pieces(course, cell) == [("text", "draw()"), ("image", "aGVsbG8=")]


def test_pasted_pictures_are_shown(course: Course) -> None:
    pasted = markdown("Look: ![mine](attachment:my%20plot.png)")
    pasted["attachments"] = {"my plot.png": {"image/png": "aGVsbG8="}}
    assert pieces(course, pasted)[1:] == [("image", "aGVsbG8=")]
    inside = markdown("Look: ![mine](data:image/jpeg;base64,aGVsbG8=) and on")
    assert pieces(course, inside) == [("text", "Look: ![mine](picture-below) and on"), ("image", "aGVsbG8=")]


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        (markdown("![mine](attachment:gone.png)"), "The picture gone.png is not shown here"),
        (markdown("![mine](plots/mine.png)"), "lies outside the notebook: plots/mine.png"),
        (markdown("<img width=3 src='https://x.org/a.png'>"), "lies outside the notebook: https://x.org/a.png"),
        (drawn(**{"application/vnd.plotly.v1+json": {"data": []}}), "(application/vnd.plotly.v1+json)"),
        (drawn(**{"image/png": "A" * (4 * 2**20)}), "An output is not shown here (image/png)"),
        (markdown("long " * 5000), "The text goes on: 4,999 more characters are not shown."),
    ],
)
def test_what_is_not_shown_is_told(cell: dict[str, Any], said: str, course: Course) -> None:
    kind, text = pieces(course, cell)[-1]
    assert kind == "note" and said in text


@pytest.mark.parametrize("odd", [None, 3, "x", [], {}, [3, None, {"data": 3}, {"data": {"image/png": {"x": 1}}}, []]])
@pytest.mark.parametrize("part", ["id", "metadata", "outputs", "attachments", "cell_type"])
def test_parts_of_another_form_do_no_harm(part: str, odd: Any, course: Course) -> None:
    cell = {"cell_type": "code", "source": "an answer"} | {part: odd}
    assert pieces(course, cell)[0] == ("text", "an answer")


# --- whose work it is -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def torch() -> Lab:
    return load_course(Path(__file__).resolve().parents[1]).labs["torch_block"]


def answered(lab: Lab, *gone: str, ids: bool = True) -> dict[str, list[Piece]]:
    """The lab's handout with an answer to each written question, less the cells whose text holds one of these."""
    document = json.loads(lab.handout.read_text(encoding="utf-8"))
    cells = document["cells"]
    places = [i for i, cell in enumerate(cells) if "BEGIN QUESTION" in "".join(cell["source"])]
    for place, answer in zip(places, ("my plot", "my answer"), strict=True):
        cells[place + 1]["source"] = answer
        cells[place + 1] = cells[place + 1] | ({"outputs": [PLOT]} if answer == "my plot" else {})
    document["cells"] = [cell for cell in cells if not any(text in "".join(cell["source"]) for text in gone)]
    assert len(document["cells"]) == len(cells) - len(gone)
    for cell in document["cells"] if not ids else ():
        del cell["id"]
    return written_work(json.dumps(document).encode(), lab)


def texts(work: list[Piece]) -> list[str]:
    return [piece.text for piece in work if piece.kind == "text"]


@pytest.mark.parametrize("gone", [[], ["## 12. Two plots"], ["## 13. Interpretation"], ["## Check everything"]])
def test_cells_that_were_deleted_are_no_matter_where_the_rest_are_known(gone: list[str], torch: Lab) -> None:
    work = answered(torch, *gone)
    assert [texts(pieces) for pieces in work.values()] == [["my plot"], ["my answer"]]
    assert not any(piece.kind == "note" for pieces in work.values() for piece in pieces)


def test_without_its_beginning_a_questions_work_does_not_stand_under_another(torch: Lab) -> None:
    work = answered(torch, "## 12. Two plots", ids=False)
    assert texts(work["interpretation"]) == ["my answer"]
    assert "could not be told" in work["plots"][0].text and work["plots"][0].kind == "note"
    assert {"my plot", "my answer"} <= set(texts(work["plots"]))
    assert not any("class CausalSelfAttention" in text for text in texts(work["plots"])), "what was given is not work"


def test_where_one_question_runs_into_the_next_it_is_told(torch: Lab) -> None:
    work = answered(torch, "## 13. Interpretation", ids=False)
    assert "Where interpretation begins could not be told" in work["plots"][0].text
    assert "my answer" in texts(work["interpretation"])


def test_without_any_mark_all_work_is_shown_once(torch: Lab) -> None:
    work = answered(torch, "## 12. Two plots", "## 13. Interpretation", "END QUESTION -->\n\n---", ids=False)
    assert {"my plot", "my answer"} <= set(texts(work["plots"]))
    assert [piece.text for piece in work["interpretation"]] == [
        "Its place could not be told, either: look under plots."
    ]


def test_an_answer_in_the_questions_own_cell_is_shown(torch: Lab) -> None:
    document = json.loads(torch.handout.read_text(encoding="utf-8"))
    cell = next(cell for cell in document["cells"] if "## 12. Two plots" in "".join(cell["source"]))
    cell["source"] = "".join(cell["source"]) + "\n\nMy answer: ![p](attachment:p.png)"
    cell["attachments"] = {"p.png": {"image/png": "aGVsbG8="}}
    work = written_work(json.dumps(document).encode(), torch)["plots"]
    assert [piece.text for piece in work[:2]] == ["My answer: ![p](attachment:p.png)", "aGVsbG8="]


def test_too_many_points_for_the_files_lab_end_in_a_sentence(course: Course, tmp_path: Path) -> None:
    rubric = course.root / "grading.yml"
    other = '  big:\n    title: Big\n    questions:\n      center: {kind: written, points: 9, rubric: ["x"]}\n'
    rubric.write_text(rubric.read_text() + other)
    shutil.copytree(course.root / "solutions/toy", course.root / "solutions/big")
    folder, out = tmp_path / "class", tmp_path / "graded"
    folder.mkdir()
    (folder / "ada.ipynb").write_bytes(handed_in())
    out.mkdir()
    (out / "overrides.csv").write_text("file,question,points,reason\nada.ipynb,center,9,\n")
    command = ["--course", str(course.root), "grade", "-j", "1", str(folder), "-o", str(out)]
    result = CliRunner().invoke(main, command)
    assert result.exit_code == 2
    assert "overrides.csv:2: 9 points are more than the 3 of center in toy. Write fewer." in result.output
