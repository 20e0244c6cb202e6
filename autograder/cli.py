"""The commands, one a verb: arguments and printing, nothing else.

What only one command needs is imported in it: grading a class again that has not changed shall take a moment.
"""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from autograder.classroom import Task
from autograder.cluster import Cluster, insist_there, is_address
from autograder.cores import cores
from autograder.corrections import Corrections
from autograder.course import Course, load_course
from autograder.credential import forget_token, token_from_environment
from autograder.errors import INTERRUPTED, Explained
from autograder.files import write_whole
from autograder.gradebook import Change, Gradebook
from autograder.progress import SLOW_SECONDS, Tally, Watch
from autograder.protections import VARIABLE, ProtectionError, insist, named
from autograder.results import Results
from autograder.roster import Roster
from autograder.session import GRADEBOOK, Session
from autograder.submission import find_submissions, folders_left_out, listed, other_files
from autograder.workers import Workers

if TYPE_CHECKING:
    from autograder.audit import LabAudit

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])

SHOWN = 20
"""Lines of one kind on the terminal."""


def _layers(ctx: click.Context, parameter: click.Parameter, value: str) -> tuple[str, ...]:
    try:
        return named(value)
    except ProtectionError as error:
        raise click.BadParameter(str(error)) from None


def _address(ctx: click.Context, parameter: click.Parameter, value: str | None) -> str | None:
    if value is None or is_address(value):
        return value
    raise click.BadParameter(f"{value} is no scheduler's address. Name its host and port, as in tcp://127.0.0.1:8786.")


requiring = click.option(
    "--require",
    metavar="LAYER,…",
    default="",
    envvar=VARIABLE,
    callback=_layers,
    help="Refuse to grade unless these protections are on; `autograder doctor` lists them.",
)


def into(folder: str, **how: Any) -> Callable[[F], F]:
    """The option that names the folder of what a command makes."""
    kind = click.Path(path_type=Path, file_okay=False)
    return click.option("-o", "--out", type=kind, default=Path(folder), show_default=True, metavar="OUT", **how)


def in_processes(help: str) -> Callable[[F], F]:
    """The option that says how many processes share the work."""
    return click.option("-j", "--jobs", type=click.IntRange(min=1), default=len(cores()), help=help)


console = Console(stderr=True, highlight=False, soft_wrap=True)


class UserError(click.ClickException):
    """A mistake of the user's: one sentence, exit status 2."""

    exit_code = 2


class Group(click.Group):
    """Shows the errors of the package, and interrupts, as sentences, never as tracebacks."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except Explained as error:
            raise UserError(str(error)) from None
        except KeyboardInterrupt:
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # what is left to do takes a moment
            _say(INTERRUPTED)
            sys.exit(130)


@click.group(cls=Group)
@click.option(
    "--course",
    "root",
    type=click.Path(path_type=Path, file_okay=False),
    help="The folder of grading.yml; if not given, this folder or the nearest above.",
)
@click.version_option(package_name="autograder")
@click.pass_context
def main(ctx: click.Context, root: Path | None) -> None:
    """Build, grade and audit labs whose answers stay out of students' reach."""
    ctx.obj = root


@main.command()
@click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--lab", help="The lab, where the notebooks do not name it.")
@into("graded", help="The folder of the results; marks.csv and overrides.csv are read there.")
@in_processes("Processes that grade; one a core if not given.")
@click.option(
    "--scheduler",
    metavar="ADDR",
    callback=_address,
    help="Grade on the Dask cluster of this scheduler (tcp://… or tls://…).",
)
@click.option("--fresh", is_flag=True, help="Grade again what has not changed.")
@click.option("--roster", type=click.Path(exists=True, path_type=Path, dir_okay=False), help="CSV: student, file.")
@click.option("--names", is_flag=True, help="Show students' names in report.html.")
@click.option("--published", is_flag=True, help="Feedback shows what waits for the grades' publication, too.")
@requiring
@click.pass_obj
def grade(
    root: Path | None,
    paths: tuple[Path, ...],
    lab: str | None,
    out: Path,
    jobs: int,
    scheduler: str | None,
    fresh: bool,
    roster: Path | None,
    names: bool,
    published: bool,
    require: tuple[str, ...],
) -> None:
    """Grade files, zips and folders; the results go to OUT."""
    forget_token()
    course = _course(root)
    _check_lab(lab, course)
    _insist(require, scheduler, new=not (out / GRADEBOOK).exists())
    tasks = [Task(file, path, lab) for file, path in find_submissions(paths, out)]
    unsearched = folders_left_out(paths, out)
    if not tasks:
        left = f" ({_folders_left_out(unsearched)})" if unsearched else ""
        raise UserError(
            f"no notebook or zip lies in {', '.join(map(str, paths))}{left}. Name a folder that holds some."
        )
    corrections, students = Corrections(out, course), Roster(roster) if roster else None
    with Gradebook(out / GRADEBOOK) as book:
        session = Session(course, book, tasks)
        waiting = session.waiting(fresh)
        tally = Tally(len(waiting))
        if waiting:
            hall = _hall(course, scheduler, min(jobs, len(waiting)), require)
            with Watch(console, tally) as watch:
                session.grade(waiting, hall, watch)
        if session.stopped:
            _say(
                f"Stopped: {tally.done} of {tally.total} were graded and are kept. The same command goes on from there."
            )
            sys.exit(130)
        from autograder.reports.pages import write_pages

        results = Results(book, course, [task.file for task in tasks], lab, corrections, students)
        results.write(out)
        write_pages(results, course, {task.file: task.path for task in tasks}, out, names, published)
        _say_how_it_went(tally, results, out)
    if others := other_files(paths, out):
        _say(f"{_number(len(others), 'other file')} left out, by name no notebook: {listed(others)}")
    if unsearched:
        _say(f"{_folders_left_out(unsearched)}. Name them, or make them readable, to have them graded.")
    sys.exit(1 if results.rejected else 0)


@main.command(name="build")
@click.argument("labs", nargs=-1)
@click.option("--check", is_flag=True, help="Change nothing; fail when something is stale.")
@click.option("--release", multiple=True, metavar="LAB", help="Hand out a lab that opens after another has closed.")
@click.pass_obj
def build_command(root: Path | None, labs: tuple[str, ...], check: bool, release: tuple[str, ...]) -> None:
    """Make assignments/ and dist/ from solutions/ and the public tests."""
    from autograder.build import build

    report = build(_course(root), labs, check=check, release=release)
    for word, paths in (("written", report.written), ("stale", report.stale)):
        for place, count in _by_folder(paths).items():
            click.echo(f"{word}: {place} ({_number(count, 'file')})" if place.endswith("/") else f"{word}: {place}")
    for lab in report.withheld:
        click.echo(f"withheld from dist/: {lab} (name it with --release once its predecessor has closed)")
    click.echo(f"{len(report.current)} files were as they should be.")
    sys.exit(0 if report.ok else 1)


def _by_folder(paths: Iterable[str]) -> Counter[str]:
    """How many files lie in each product; `dist/LAB/github-template/` holds dozens."""
    parts = (path.split("/") for path in paths)
    return Counter("/".join(some) if len(some) <= 3 else "/".join(some[:3]) + "/" for some in parts)


@main.command(name="audit")
@click.argument("labs", nargs=-1)
@click.option("--check", is_flag=True, help="Write nothing; fail when docs/audit.md is stale.")
@in_processes("Processes that try answers; one a core if not given.")
@click.pass_obj
def audit_command(root: Path | None, labs: tuple[str, ...], check: bool, jobs: int) -> None:
    """Try the marking on right answers, misconceptions and mutants; the matrix goes to docs/audit.md."""
    from autograder.audited import admitted, sections_of, stale, total
    from autograder.matrix import page

    course = _course(root)
    if unknown := sorted(set(labs) - course.labs.keys()):
        raise UserError(f"{unknown[0]}: there is no such lab. Labs here: {', '.join(course.labs)}.")
    path = course.root / "docs" / "audit.md"
    text = before = path.read_text(encoding="utf-8") if path.is_file() else ""
    if not check:
        text = page(course, _audited(course, labs or tuple(course.labs), jobs), before)
        write_whole(path, text.encode())
    asked = [course.labs[lab] for lab in labs or course.labs]
    outdated, faults = [*stale(asked, text)], [*admitted(asked, text)]
    if check and not outdated and not faults and page(course, [], before) != before:
        outdated.append("docs/audit.md is stale: it was changed by hand. Run `autograder audit`.")
    shown = [] if check else [section for lab, section in sections_of(text).items() if course.labs[lab] in asked]
    for paragraph in shown:
        click.echo(f"{paragraph}\n")
    for fault in (*outdated, *faults):
        click.echo(fault)
    if not outdated:
        click.echo(total(asked, text))
    sys.exit(1 if outdated or faults else 0)


@main.command(name="github")
@click.argument("checkout", default=".", type=click.Path(exists=True, path_type=Path, file_okay=False))
@click.option("--lab", help="The lab, where the checkout's notebook does not tell.")
@click.option("--show-output", is_flag=True, help="Show in the log what the notebook prints, where it can do no harm.")
@requiring
@click.pass_obj
def github_command(
    root: Path | None, checkout: Path, lab: str | None, show_output: bool, require: tuple[str, ...]
) -> None:
    """Grade a checkout's notebook by the public checks, and tell the workflow that runs this."""
    from autograder.github import course_folder, grade_push, hand_over, public_lab, tell
    from autograder.reports.github import command

    forget_token()
    try:
        insist(require)
        course = _course(root or course_folder(checkout))
        push = grade_push(checkout, public_lab(course, checkout, lab))
        hand_over(push, checkout)
        for line in tell(push, show_output):
            click.echo(line)
    except Explained as error:
        click.echo(command("error", str(error), title="The grader itself failed"))
        sys.exit(1)


_api = click.option(
    "--api", envvar="GITHUB_API_URL", default="https://api.github.com", show_default=True, help="GitHub's REST API."
)


@main.command()
@click.option("--from", "source", type=click.Choice(["github"]), required=True, help="Where the class's work lies.")
@click.option("--organisation", required=True, help="The account that owns the class's repositories.")
@click.option("--lab", required=True, help="The lab whose notebooks are wanted.")
@click.option("--prefix", help="Repositories are called PREFIX-STUDENT; the lab's name if not given.")
@click.option("--deadline", metavar="TIME", help="The last push before it counts: 2026-11-30T23:59:59+01:00.")
@into("collected")
@_api
@click.pass_obj
def collect(
    root: Path | None,
    source: str,
    organisation: str,
    lab: str,
    prefix: str | None,
    deadline: str | None,
    out: Path,
    api: str,
) -> None:
    """Fetch a class's notebooks, as last pushed before the deadline, into OUT; again, to go on or to see what is new.

    The token is read from the environment variable AUTOGRADER_GITHUB_TOKEN.
    """
    from autograder.collect import Collector, read_deadline
    from autograder.github_api import Api

    token = token_from_environment()
    course = _course(root)
    if lab not in course.labs:
        raise UserError(f"--lab {lab}: there is no such lab. Labs here: {', '.join(course.labs)}.")
    until = datetime.now(UTC) if deadline is None else read_deadline(deadline)
    collector = Collector(Api(api, token), organisation, (prefix or lab).rstrip("-"), lab, out, until)
    entries = []
    with console.status("collecting") as status:
        for entry in collector.collect():
            entries.append(entry)
            status.update(f"collecting: {len(entries)} repositories so far")
    if not entries:
        raise UserError(f"{organisation} has no repositories called {collector.prefix}-…. Look at --prefix.")
    for entry in _first([entry for entry in entries if entry.reason or entry.gone]):
        _say(f"{entry.name}: {entry.reason or 'It is gone. What was collected before stays.'}")
    count = Counter(entry.status for entry in entries)
    _say(
        f"{_number(count['collected'], 'notebook')} ({collector.fetched} fetched now), "
        f"{count['nothing']} handed in nothing, "
        f"{count['unreadable']} could not be collected. They are in {out}."
    )
    sys.exit(1 if any(entry.reason and entry.status != "nothing" for entry in entries) else 0)


@main.command()
@click.option("--to", "target", type=click.Choice(["github"]), required=True, help="Where the work came from.")
@click.option(
    "--collected", type=click.Path(path_type=Path, file_okay=False), default=Path("collected"), show_default=True
)
@click.option("--graded", type=click.Path(path_type=Path, file_okay=False), default=Path("graded"), show_default=True)
@click.option("--grades-are-out", is_flag=True, help="Tell also what the lab's policy keeps until then.")
@_api
@click.pass_obj
def publish(root: Path | None, target: str, collected: Path, graded: Path, grades_are_out: bool, api: str) -> None:
    """Comment on the commits that were collected and graded, as far and as often as each lab's policy allows.

    The token is read from the environment variable AUTOGRADER_GITHUB_TOKEN; this one must be allowed to write.
    """
    from autograder.collection import load_collection
    from autograder.github_api import Api
    from autograder.publish import Publisher, read_grades

    token = token_from_environment()
    course = _course(root)
    collection = load_collection(collected)
    if collection is None:
        raise UserError(f"--collected {collected}: nothing was collected there. Run `autograder collect` first.")
    publisher = Publisher(Api(api, token), collection, collected, course, datetime.now(UTC), grades_are_out)
    count: Counter[str] = Counter()
    for entry, outcome, why in publisher.publish(read_grades(graded)):
        count[outcome] += 1
        if why:
            _say(f"{entry.name}: {why}")
    _say(
        f"{count['published']} told, {count['known']} knew already, {count['silent']} have nothing to be told yet, "
        f"{count['waiting']} were told lately and wait, {count['stale']} are not graded as collected, "
        f"{count['refused']} were refused."
    )
    sys.exit(1 if count["refused"] or count["stale"] else 0)


@main.command()
@click.argument("file", type=click.Path(exists=True, path_type=Path, dir_okay=False))
@click.argument("question")
@click.option("--lab", help="The lab, where the notebook does not name it.")
@click.option("--html", type=click.Path(path_type=Path, dir_okay=False), help="Write a page instead of printing.")
@requiring
@click.pass_obj
def explain(
    root: Path | None, file: Path, question: str, lab: str | None, html: Path | None, require: tuple[str, ...]
) -> None:
    """For staff: what was called, with what, what came back, what was expected."""
    from autograder.explain import as_page
    from autograder.explain import explain as explained
    from autograder.grade import Judge
    from autograder.submission import Rejected, read_submission

    forget_token()
    insist(require)
    course = _course(root)
    try:
        submission = read_submission(file, lab=lab)
    except Rejected as refused:
        raise UserError(f"{file}: {refused.reason}") from None
    _check_lab(lab, course)
    found = course.labs.get(lab or submission.lab or "")
    if found is None:
        raise UserError(f"{file}: it does not say its lab. Name one with --lab: {', '.join(course.labs)}.")
    asked = found.questions.get(question)
    if asked is not None and asked.kind == "written":
        raise UserError(
            f"{question}: it is written work, which has no checks: a person marks it. `autograder grade` shows it "
            "beside its rubric in OUT/written/; the points go into OUT/marks.csv."
        )
    if asked is None:
        names = [q.name for q in found.questions.values() if q.kind == "auto"]
        raise UserError(f"{question}: {found.name} has no such question. Its questions: {', '.join(names)}.")
    judge = Judge(found)
    try:
        shown = explained(judge, submission, asked)
    finally:
        judge.close()
    if html:
        write_whole(html, as_page(shown, f"{file.name}: {question}").encode())
    else:
        Console().print(shown)


@main.command()
@click.pass_obj
def doctor(root: Path | None) -> None:
    """Show which protections, versions and engines work here."""
    from autograder.doctor import examine, render

    report = examine(_root(root))
    Console().print(render(report))
    sys.exit(0 if report.ok else 1)


def _audited(course: Course, labs: tuple[str, ...], jobs: int) -> list[LabAudit]:
    from autograder.audit import audit

    columns = TextColumn("auditing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        bar = progress.add_task("auditing")

        def tell(done: int, total: int) -> None:
            progress.update(bar, completed=done, total=total)

        return audit(course, labs, cache=course.root / ".audit_cache", jobs=jobs, tell=tell)


def _check_lab(lab: str | None, course: Course) -> None:
    if lab is not None and lab not in course.labs:
        raise UserError(f"--lab {lab}: there is no such lab. Labs here: {', '.join(course.labs)}.")


def _insist(require: tuple[str, ...], scheduler: str | None, new: bool) -> None:
    """On the machines that will run the notebooks, before anything is written; they are there if OUT is `new`."""
    if scheduler is None:
        insist(require)
    elif require or new:
        insist_there(scheduler, require)


def _hall(course: Course, scheduler: str | None, jobs: int, require: tuple[str, ...]) -> Workers | Cluster:
    return Workers(course.root, jobs) if scheduler is None else Cluster(scheduler, course, require)


def _say_how_it_went(tally: Tally, results: Results, out: Path) -> None:
    for file, reason in _first(list(results.rejected.items())):
        _say(f"{file}: rejected: {reason}")
    for file, warning in _first(list(results.strays.items())):
        _say(f"{file}: {warning}")
    for file in _first(sorted(tally.slow)):
        _say(f"{file}: slow: more than {SLOW_SECONDS:g} s; a cell or a call hung, or the machine was busy")
    for sentence in results.corrections.unused():
        _say(sentence)
    if results.set_aside:
        _say(f"{_number(results.set_aside, 'attempt')} set aside: another one of the same student counts.")
    if results.unknown:
        _say(f"{_number(len(results.unknown), 'submission')} in nobody's name on the roster: {listed(results.unknown)}")
    if results.absent:
        _say(f"{len(results.absent)} of the roster handed in nothing: {', '.join(results.absent)}.")
    if tally.done and (changes := results.changes()) is not None:
        _say(_what_changed(changes, out))
    counts = [f"{tally.done - tally.rejected} graded", f"{len(results.rejected)} rejected"]
    unchanged = len(results.files) - len(results.rejected) - (tally.done - tally.rejected)
    counts += [f"{unchanged} unchanged since they were graded (--fresh grades them again)"] if unchanged else []
    _say(f"{', '.join(counts)}. Results: {out}/grades.csv")


def _folders_left_out(folders: dict[str, str]) -> str:
    shown = listed(f"{folder} ({why})" for folder, why in folders.items())
    return f"{_number(len(folders), 'folder')} left out: {shown}"


def _what_changed(changes: list[Change], out: Path) -> str:
    if not changes:
        return f"The regrade changed no question's points: {out}/changes.csv is empty."
    files = len({change.file for change in changes})
    return f"The regrade changed {_number(len(changes), 'question')} of {_number(files, 'file')}: {out}/changes.csv"


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'s' * (count != 1)}"


def _first(items: list[T]) -> Iterator[T]:
    """Enough of a long list to see what it is about. Once these are told, where the rest is."""
    yield from items[:SHOWN]
    if len(items) > SHOWN:
        _say(f"… and {len(items) - SHOWN} more like these: the rest is in the results.")


def _say(text: str) -> None:
    """A line for people; in a workflow's log one that no runner takes for a command, whoever chose the words in it."""
    if os.environ.get("GITHUB_ACTIONS"):
        from autograder.reports.github import harmless

        text = harmless(text)
    console.print(text, markup=False)


def _course(root: Path | None) -> Course:
    found = _root(root)
    if found is None:
        raise UserError(
            "no grading.yml here or in a folder above. Go to the course's folder, or name it with --course."
        )
    return load_course(found.resolve())


def _root(root: Path | None) -> Path | None:
    if root is not None:
        return root
    here = Path.cwd()
    return next((folder for folder in (here, *here.parents) if (folder / "grading.yml").is_file()), None)
