"""The pages in a real browser: what they do, who can use them, and that nothing of a student's runs there."""

from __future__ import annotations

import json
import os
import shutil
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright import sync_api

from autograder.course import Course, Lab
from autograder.record import CellResult, CheckResult, Grade, QuestionResult
from autograder.reports.feedback import texts
from autograder.reports.html import page_name
from autograder.reports.pages import Report, write_pages

CHROMIUM = shutil.which("chromium")
OPTIONS = ["--disable-dev-shm-usage", *(["--no-sandbox"] if os.geteuid() == 0 else [])]

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="there is no chromium here: apt-get install chromium"),
]

EVIL = "<script>document.title='owned'</script><img src=x onerror=\"document.title='owned'\">"
EVIL_FILE = "<script>alert(1)<script> & <img src=x onerror=alert(1)> #1?.ipynb"
PHONE = {"width": 360, "height": 740}
MOST_BYTES, MOST_SECONDS = 6_000_000, 2.0
CONTRAST = 4.5
SCRIPTS = Path(__file__).parent / "browser"
MEASURE_CONTRAST, AUDIT_STRUCTURE = ((SCRIPTS / name).read_text() for name in ("contrast.js", "structure.js"))


# --- a class to look at ---------------------------------------------------------------------------------------------


def graded(lab: Lab, file: str, wrong: str | None = None, **settings: Any) -> Grade:
    """A submission in which all checks of one question failed, with a message that is no kind one."""
    questions = []
    for question in lab.questions.values():
        checks = [
            CheckResult(
                name=check.name,
                visible=check.visible,
                status="failed" if question.name == wrong else "passed",
                score=0 if question.name == wrong else check.points,
                possible=check.points,
                message=f"`{wrong}` raised ValueError: {EVIL}" if question.name == wrong else "",
            )
            for check in question.checks
        ]
        pending = question.points if question.kind == "written" else 0
        score, possible = sum(check.score for check in checks), question.points - pending
        result = QuestionResult(name=question.name, score=score, possible=possible, pending=pending, checks=checks)
        questions.append(result)
    grade = Grade(
        lab=lab.name, file=file, student=Path(file).stem, sha256="0" * 64, status="graded", reason=None, score=0,
        possible=lab.possible, pending=lab.pending, seconds=0.1, protections=[], warnings=[], notes=[], cells=[],
        questions=questions,
    )  # fmt: skip
    grade.score = sum(question.score for question in questions)
    for name, value in settings.items():
        setattr(grade, name, value)
    return grade


def written_notebook() -> bytes:
    """A notebook whose written answers hold what a page must show as text."""
    pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    output = {"output_type": "display_data", "data": {"image/png": pixel, "text/html": EVIL}}
    cells = [
        {"cell_type": "markdown", "source": f"<!-- BEGIN QUESTION -->\n{EVIL}"},
        {"cell_type": "code", "source": f"# {EVIL}\n{'x = 1; ' * 60}", "outputs": [output]},
        {"cell_type": "markdown", "source": "<!-- END QUESTION -->"},
        {"cell_type": "markdown", "source": "<!-- BEGIN QUESTION -->\nNothing more.\n<!-- END QUESTION -->"},
    ]
    return json.dumps({"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": cells}).encode()


@pytest.fixture(scope="module")
def out(course: Course, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pages of a class in two labs, with names, one of them a hostile one."""
    folder = tmp_path_factory.mktemp("graded")
    notebook = folder / "written.ipynb"
    notebook.write_bytes(written_notebook())
    numpy, torch = course.labs["numpy_block"], course.labs["torch_block"]
    cells = [CellResult(index=4, status="error", message=f"NameError: {EVIL}")]
    hostile = graded(numpy, EVIL_FILE, "gelu", student=EVIL, notes=[EVIL], warnings=[EVIL], cells=cells)
    relu = graded(numpy, "relu.ipynb", "gelu")
    hint = texts(numpy).hints["gelu", "relu"]
    for check in relu.questions[2].checks:
        check.message, check.misconception = f"`gelu` has the right shape, but 3 of 4 values are off. {hint}", "relu"
    refused = graded(numpy, "torn.ipynb", status="rejected", reason=f"it stops half way {EVIL}", score=0)
    grades = [hostile, relu, graded(numpy, "right.ipynb"), refused, graded(torch, "written.ipynb", "warmup")]
    grades += [graded(numpy, f"no {number}.ipynb", "block" if number % 2 else None) for number in range(20)]
    write_pages(grades, course, {"written.ipynb": notebook}, folder, names=True)
    return folder


@pytest.fixture(scope="module")
def pages(out: Path) -> dict[str, Path]:
    """The pages by what they are."""
    return {
        "report": out / "report.html",
        "feedback": out / "feedback" / page_name(EVIL_FILE),
        "named cause": out / "feedback/relu.ipynb.html",
        "all right": out / "feedback/right.ipynb.html",
        "rejected": out / "feedback/torn.ipynb.html",
        "written": out / "written/written.ipynb.html",
    }


EACH = pytest.mark.parametrize(
    "name", ["report", "feedback", "named cause", "all right", "rejected", "written"], ids=lambda name: name
)


# --- a browser that tells what it was asked for ----------------------------------------------------------------------


@dataclass
class Visit:
    """A page in the browser, with everything that went wrong and every request that was no file's."""

    page: Any
    errors: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)

    def to(self, path: Path) -> Any:
        self.page.goto(path.as_uri())
        return self.page

    def watch(self) -> None:
        self.page.on("console", lambda message: message.type == "error" and self.errors.append(message.text))
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.errors.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        self.page.route("**/*", self._route)

    def _route(self, route: Any) -> None:
        if route.request.url.startswith(("file:", "data:")):
            route.continue_()
        else:
            self.requests.append(route.request.url)
            route.abort()


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=OPTIONS)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Any) -> Iterator[Callable[..., Visit]]:
    """Opens a page; afterwards there must have been no error and no request that leaves the machine."""
    visits = []

    def opened(**settings: Any) -> Visit:
        made = Visit(chromium.new_page(**settings))
        made.watch()
        visits.append(made)
        return made

    yield opened
    for made in visits:
        made.page.close()
        assert made.errors == [] and made.requests == []


# --- every page -----------------------------------------------------------------------------------------------------


@EACH
def test_a_page_opens_without_errors_or_requests_and_students_text_stays_text(
    visit: Callable[..., Visit], pages: dict[str, Path], name: str
) -> None:
    page = visit().to(pages[name])
    page.wait_for_timeout(50)
    assert page.title() != "owned"
    assert page.locator("img[onerror]").count() == 0
    if name in ("report", "feedback", "rejected", "written"):
        assert "<script>document.title='owned'</script><img src=x" in page.locator("main").inner_text()


@EACH
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_stands_out_from_its_ground(
    visit: Callable[..., Visit], pages: dict[str, Path], name: str, scheme: str
) -> None:
    page = visit(color_scheme=scheme).to(pages[name])
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (ground == "rgb(255, 255, 255)") == (scheme == "light")
    measured = page.evaluate(MEASURE_CONTRAST)
    assert len(measured) > 3
    assert [text for text, contrast in measured if contrast < CONTRAST] == []


def test_the_measure_of_contrast_finds_faint_text(visit: Callable[..., Visit], pages: dict[str, Path]) -> None:
    page = visit().to(pages["feedback"])
    page.evaluate("document.querySelector('h1').style.color = '#808080'")
    worst = min(page.evaluate(MEASURE_CONTRAST), key=lambda pair: pair[1])
    assert worst[0] == "The Transformer block in NumPy" and 3.9 < worst[1] < 4


@EACH
def test_a_page_is_built_as_those_need_it_who_do_not_see_it(
    visit: Callable[..., Visit], pages: dict[str, Path], name: str
) -> None:
    assert visit().to(pages[name]).evaluate(AUDIT_STRUCTURE) == []


def test_the_audit_of_structure_finds_what_is_wrong(visit: Callable[..., Visit], pages: dict[str, Path]) -> None:
    page = visit().to(pages["report"])
    page.evaluate(
        """document.querySelector('main').insertAdjacentHTML('beforeend',
        '<h5>deep</h5><input><table><tr><th>x</th></tr></table><svg></svg><p id="all"></p><a href="x"></a>')"""
    )
    found = page.evaluate(AUDIT_STRUCTURE)
    for fault in ("heading", "label", "scope", "svg", "twice", "link"):
        assert any(fault in line for line in found), (fault, found)


@EACH
def test_a_page_fits_a_phone(visit: Callable[..., Visit], pages: dict[str, Path], name: str) -> None:
    page = visit(viewport=PHONE).to(pages[name])
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@EACH
def test_a_page_prints_on_paper_without_its_tools(
    visit: Callable[..., Visit], pages: dict[str, Path], name: str
) -> None:
    page = visit().to(pages[name])
    page.emulate_media(media="print")
    assert page.locator("h1").is_visible()
    assert not page.locator(".tools").first.is_visible()
    assert page.pdf(format="A4")[:5] == b"%PDF-"


@pytest.mark.parametrize("name", ["feedback", "named cause", "rejected", "written"])
def test_feedback_needs_no_script(visit: Callable[..., Visit], pages: dict[str, Path], name: str) -> None:
    with_scripts = visit().to(pages[name]).locator("main").inner_text()
    without = visit(java_script_enabled=False).to(pages[name]).locator("main").inner_text()
    assert without == with_scripts and len(without) > 100


def test_the_report_says_most_without_scripts_and_where_the_rows_are(
    visit: Callable[..., Visit], pages: dict[str, Path]
) -> None:
    text = visit(java_script_enabled=False).to(pages["report"]).locator("main").inner_text()
    assert "Teach gelu again" in text or "Teach block again" in text
    assert "grades.csv holds the same rows" in text


# --- feedback -------------------------------------------------------------------------------------------------------


def test_trouble_with_the_notebook_comes_first_and_a_question_leads_to_its_part(
    visit: Callable[..., Visit], pages: dict[str, Path]
) -> None:
    page = visit(viewport=PHONE).to(pages["feedback"])
    headings = page.locator("h2").all_inner_texts()
    assert headings == ["First: cells that did not run to their end", "Points", "What to look at"]
    page.get_by_role("link", name="gelu").click()
    part = page.get_by_role("article", name="gelu")
    assert "Asked: gelu at -1, 0, 1 and 3" in part.inner_text()
    assert part.get_by_role("heading").bounding_box()["y"] < PHONE["height"]


def test_a_named_cause_stands_above_the_checks_it_explains_and_the_next_step_below(
    visit: Callable[..., Visit], pages: dict[str, Path]
) -> None:
    text = visit().to(pages["named cause"]).get_by_role("article", name="gelu").inner_text()
    order = [text.index(part) for part in ("What we think it is: This is ReLU", "Asked:", "Found:", "Next: Read what")]
    assert order == sorted(order)


# --- the report -----------------------------------------------------------------------------------------------------


def first_cells(page: Any, column: int = 0) -> list[str]:
    """A column of the table of submissions, as it is shown."""
    return [row.locator("th, td").nth(column).inner_text() for row in page.locator("#rows tbody tr").all()]


def test_rows_sort_by_number_and_by_word_both_ways(visit: Callable[..., Visit], pages: dict[str, Path]) -> None:
    page = visit().to(pages["report"])
    button = page.get_by_role("button", name="score")
    for direction in ("ascending", "descending"):
        button.click()
        scores = [int(text) for text in first_cells(page, 3)]
        assert scores == sorted(scores, reverse=direction == "descending") and len(set(scores)) > 2
        assert page.get_by_role("columnheader", name="score").get_attribute("aria-sort") == direction
    page.get_by_role("button", name="submission").click()
    assert page.locator("[aria-sort]").count() == 1
    numbered = [name for name in first_cells(page) if name.startswith("no ")]
    assert numbered[:3] == ["no 0 (no 0.ipynb)", "no 1 (no 1.ipynb)", "no 2 (no 2.ipynb)"]


def test_rows_are_filtered_and_searched_and_counted(visit: Callable[..., Visit], pages: dict[str, Path]) -> None:
    page = visit().to(pages["report"])
    count = page.get_by_role("status")
    assert count.inner_text() == "25 of 25"
    page.get_by_label("Status").select_option("rejected")
    assert count.inner_text() == "1 of 25" and first_cells(page) == ["torn (torn.ipynb)"]
    page.get_by_label("Status").select_option("all")
    page.get_by_label("Lab").select_option("torch_block")
    assert first_cells(page) == ["written (written.ipynb)"]
    page.get_by_label("Lab").select_option("all")
    page.get_by_label("Search").fill("RELU graded")
    assert first_cells(page) == ["relu (relu.ipynb)"]
    page.get_by_label("Search").fill("nobody")
    assert count.inner_text() == "0 of 25" and first_cells(page) == []


@pytest.mark.parametrize(("row", "file"), [("relu", "relu.ipynb"), ("img src", EVIL_FILE)])
def test_a_row_opens_its_feedback_whatever_the_files_name(
    visit: Callable[..., Visit], pages: dict[str, Path], row: str, file: str
) -> None:
    page = visit().to(pages["report"])
    page.locator("#rows").get_by_role("link", name=row).click()
    assert page.locator("main").inner_text().partition("\n\n")[2].startswith(f"Feedback on {file}")


def test_the_keyboard_alone_sorts_searches_and_opens(visit: Callable[..., Visit], pages: dict[str, Path]) -> None:
    page = visit().to(pages["report"])

    def go_to(wanted: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            active = page.evaluate("document.activeElement.id || document.activeElement.innerText")
            outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
            assert outline != "none", f"no one sees that {active} has the focus"
            if active == wanted:
                return
        pytest.fail(f"Tab never reaches {wanted}")

    go_to("search")
    page.keyboard.type("relu")
    assert first_cells(page) == ["relu (relu.ipynb)"]
    go_to("score")
    page.keyboard.press("Enter")
    assert page.get_by_role("columnheader", name="score").get_attribute("aria-sort") == "ascending"
    go_to("relu (relu.ipynb)")
    page.keyboard.press("Enter")
    page.wait_for_url("**/feedback/relu.ipynb.html")


def test_without_names_a_row_still_leads_to_its_feedback(
    visit: Callable[..., Visit], course: Course, tmp_path: Path
) -> None:
    write_pages([graded(course.labs["numpy_block"], EVIL_FILE, "gelu")], course, {}, tmp_path, names=False)
    page = visit().to(tmp_path / "report.html")
    assert "<img" not in page.content().replace(EVIL, "")
    page.locator("#rows").get_by_role("link", name="no. 1").click()
    page.wait_for_url("**/feedback/**")
    assert EVIL_FILE in page.locator("main").inner_text()


@pytest.mark.slow
def test_ten_thousand_rows_are_small_and_soon_at_hand(
    visit: Callable[..., Visit], course: Course, tmp_path: Path
) -> None:
    lab, report = course.labs["numpy_block"], Report(course, names=True)
    for number in range(10_000):
        grade = graded(lab, f"late/lastname{number:05}_firstname_{number * 7919}_numpy_block.ipynb")
        grade.warnings = ["Cell 12 assigns to a library's own name; please look at it."] * (number % 5 == 0)
        report.add(grade)
    report.write(tmp_path)
    assert (tmp_path / "report.html").stat().st_size < MOST_BYTES
    assert min(seconds_until_at_hand(visit(), tmp_path / "report.html") for _ in range(3)) < MOST_SECONDS


def seconds_until_at_hand(visit: Visit, path: Path) -> float:
    """From opening a report to having sorted it and found one row in it."""
    started = time.perf_counter()
    page = visit.to(path)
    page.get_by_role("button", name="score").click()
    page.get_by_label("Search").fill("lastname09876")
    page.get_by_text("1 of 10000", exact=True).wait_for()
    return time.perf_counter() - started
