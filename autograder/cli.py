"""The commands, one a verb: arguments and printing, nothing else."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from autograder.audit import AuditError, LabAudit, audit
from autograder.build import BuildError, build
from autograder.classroom import Task, grade_all
from autograder.course import Course, CourseError, load_course
from autograder.doctor import examine, render
from autograder.files import write_whole
from autograder.master import MasterError
from autograder.matrix import page, section, summary
from autograder.record import Grade
from autograder.reports.table import as_csv, as_json_lines
from autograder.sandbox.host import SandboxError
from autograder.submission import find_submissions
from autograder.suite import SuiteError

console = Console(stderr=True, highlight=False, soft_wrap=True)


class UserError(click.ClickException):
    """A mistake of the user's: one sentence, exit status 2."""

    exit_code = 2


class Group(click.Group):
    """Shows the errors of the package as sentences, never as tracebacks."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (AuditError, CourseError, MasterError, BuildError, SuiteError, SandboxError) as error:
            raise UserError(str(error)) from None


@click.group(cls=Group)
@click.option("--course", "root", type=click.Path(path_type=Path, file_okay=False), help="The folder of grading.yml.")
@click.version_option(package_name="autograder")
@click.pass_context
def main(ctx: click.Context, root: Path | None) -> None:
    """Build, grade and audit labs whose answers stay out of students' reach."""
    ctx.obj = root


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--lab", help="The lab, where the notebooks do not name it.")
@click.option(
    "-o", "--out", type=click.Path(path_type=Path, file_okay=False), default=Path("graded"), show_default=True
)
@click.option("-j", "--jobs", type=click.IntRange(min=1), default=os.cpu_count(), help="Processes that grade.")
@click.pass_obj
def grade(root: Path | None, paths: tuple[Path, ...], lab: str | None, out: Path, jobs: int) -> None:
    """Grade files, zips and folders; the results go to OUT."""
    course = _course(root)
    if lab is not None and lab not in course.labs:
        raise UserError(f"--lab {lab}: there is no such lab. Labs here: {', '.join(course.labs)}.")
    tasks = [Task(file, path, lab) for file, path in find_submissions(paths, out)]
    if not tasks:
        raise UserError(f"no notebook or zip lies in {', '.join(map(str, paths))}. Name a folder that holds some.")
    grades = _graded(course, tasks, min(jobs, len(tasks)))
    out.mkdir(parents=True, exist_ok=True)
    questions = list(dict.fromkeys(q.name for g in grades for q in g.questions))
    write_whole(out / "grades.csv", as_csv(grades, questions).encode())
    write_whole(out / "grades.jsonl", as_json_lines(grades))
    refused = [grade for grade in grades if grade.status == "rejected"]
    for grade in refused:
        console.print(f"{grade.file}: rejected: {grade.reason}", markup=False)
    console.print(
        f"{len(grades) - len(refused)} graded, {len(refused)} rejected. Results: {out}/grades.csv", markup=False
    )
    sys.exit(1 if refused else 0)


@main.command(name="build")
@click.argument("labs", nargs=-1)
@click.option("--check", is_flag=True, help="Change nothing; fail when something is stale.")
@click.option("--release", multiple=True, metavar="LAB", help="Hand out a lab that opens after another has closed.")
@click.pass_obj
def build_command(root: Path | None, labs: tuple[str, ...], check: bool, release: tuple[str, ...]) -> None:
    """Make assignments/ and dist/ from solutions/ and the public tests."""
    report = build(_course(root), labs, check=check, release=release)
    for word, paths in (("written", report.written), ("stale", report.stale)):
        for path in paths:
            click.echo(f"{word}: {path}")
    for lab in report.withheld:
        click.echo(f"withheld from dist/: {lab} (name it with --release once its predecessor has closed)")
    click.echo(f"{len(report.current)} files were as they should be.")
    sys.exit(0 if report.ok else 1)


@main.command(name="audit")
@click.argument("labs", nargs=-1)
@click.option("--check", is_flag=True, help="Write nothing; fail when docs/audit.md is stale.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), default=os.cpu_count(), help="Processes that try answers.")
@click.pass_obj
def audit_command(root: Path | None, labs: tuple[str, ...], check: bool, jobs: int) -> None:
    """Try the marking on right answers, misconceptions and mutants; the matrix goes to docs/audit.md."""
    course = _course(root)
    if unknown := sorted(set(labs) - course.labs.keys()):
        raise UserError(f"{unknown[0]}: there is no such lab. Labs here: {', '.join(course.labs)}.")
    audits = _audited(course, labs or tuple(course.labs), jobs)
    path = course.root / "docs" / "audit.md"
    before = path.read_text(encoding="utf-8") if path.is_file() else ""
    now = page(course, audits, before)
    faults = [fault for found in audits for fault in found.faults]
    if check and now != before:
        faults.append(f"{path.relative_to(course.root)} is stale. Run `autograder audit`.")
    elif now != before:
        write_whole(path, now.encode())
    for found in audits:
        click.echo(f"{section(found)}\n")
    for fault in faults:
        click.echo(fault)
    click.echo(summary(audits))
    sys.exit(1 if faults else 0)


@main.command()
@click.pass_obj
def doctor(root: Path | None) -> None:
    """Show which protections, versions and engines work here."""
    report = examine(_root(root))
    Console().print(render(report))
    sys.exit(0 if report.ok else 1)


def _audited(course: Course, labs: tuple[str, ...], jobs: int) -> list[LabAudit]:
    columns = TextColumn("auditing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("auditing")

        def tell(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)

        return audit(course, labs, cache=course.root / ".audit_cache", jobs=jobs, tell=tell)


def _graded(course: Course, tasks: list[Task], jobs: int) -> list[Grade]:
    grades: list[Grade] = []
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("grading", total=len(tasks))
        for grade in grade_all(course, tasks, jobs):
            grades.append(grade)
            progress.update(bar, advance=1, description=grade.file)
            if not console.is_terminal:
                console.print(f"{grade.file}: {grade.score}/{grade.possible} {grade.status}", markup=False)
    return sorted(grades, key=lambda grade: grade.file)


def _course(root: Path | None) -> Course:
    found = _root(root)
    if found is None:
        raise UserError(
            "no grading.yml here or in a folder above. Go to the course's folder, or name it with --course."
        )
    return load_course(found)


def _root(root: Path | None) -> Path | None:
    if root is not None:
        return root
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / "grading.yml").is_file()), None)
