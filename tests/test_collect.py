"""A class's repositories are collected: each as the server saw it last before the deadline, and nothing twice."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from autograder import github_api
from autograder.cli import main
from autograder.collect import Collector, read_deadline
from autograder.collection import CollectionError, Entry, load_collection
from autograder.course import Course
from autograder.credential import TOKEN
from autograder.github_api import Api, GitHubError
from autograder.submission import student_name
from tests.fake_github import AFTER, BEFORE, CUT, DEADLINE, DOWN, READ_TOKEN, FakeGitHub, Mishap
from tests.toy import copy_of_the_course, notebook

HERE = "toy.ipynb"


def work(text: str) -> bytes:
    """A notebook that is like no other."""
    return notebook(f"mine = {text!r}\n")


@pytest.fixture
def github(tmp_path: Path) -> Iterator[FakeGitHub]:
    with FakeGitHub(tmp_path / "server", page=3).served() as fake:
        yield fake


@pytest.fixture
def waited() -> list[float]:
    """Seconds that were waited, had it been for real."""
    return []


@pytest.fixture
def api(github: FakeGitHub, waited: list[float]) -> Api:
    return Api(github.url, READ_TOKEN, waited.append)


def collector(api: Api, out: Path, deadline: datetime = DEADLINE) -> Collector:
    return Collector(api, "course", "toy", "toy", out, deadline)


def collected(api: Api, out: Path, deadline: datetime = DEADLINE) -> dict[str, Entry]:
    """Student -> what was collected, by a run of its own."""
    return {entry.student: entry for entry in collector(api, out, deadline).collect()}


def held(out: Path, entry: Entry) -> bytes:
    """The notebook that was collected."""
    assert (entry.status, entry.reason) == ("collected", None)
    return (out / str(entry.file)).read_bytes()


# --- which repositories, and which push ------------------------------------------------------------------------------


def test_the_class_is_found_by_its_prefix_over_all_pages(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    for name in ("toy-ada", "Toy-Ben", "toy-cleo", "toy-dora", "toybox", "other-ada", "toy"):
        github.create(name, {HERE: work(name)})
    github.create("toy-template", {HERE: work("the handout")}).template = True
    found = collected(api, tmp_path)
    assert {student: held(tmp_path, entry) for student, entry in found.items()} == {
        "ada": work("toy-ada"),
        "Ben": work("Toy-Ben"),
        "cleo": work("toy-cleo"),
        "dora": work("toy-dora"),
    }
    assert {student_name(str(entry.file)) for entry in found.values()} == set(found)
    assert len(github.asked("GET /orgs/course/repos")) == 3


@pytest.mark.parametrize("student", ["ada-copy", "ben-2", "12_3456", "x_77_assignsubmission_file"])
def test_a_student_is_called_as_the_repository_says_whatever_it_says(
    github: FakeGitHub, api: Api, tmp_path: Path, student: str
) -> None:
    github.create(f"toy-{student}", {HERE: work("a")})
    (entry,) = collected(api, tmp_path).values()
    assert entry.student == student
    assert student_name(str(entry.file)) == student


def test_the_last_push_before_the_deadline_counts(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    repository = github.create("toy-ada", {HERE: work("first")}, BEFORE - timedelta(days=1))
    for number in range(4):
        repository.push({HERE: work(f"more {number}")}, BEFORE + timedelta(minutes=number))
    repository.push({HERE: work("on the second")}, DEADLINE)
    for number in range(5):  # two pages of later ones
        repository.push({HERE: work(f"late {number}")}, AFTER + timedelta(minutes=number))
    assert held(tmp_path, collected(api, tmp_path)["ada"]) == work("on the second")
    assert len(github.asked("/activity")) == 2


def test_a_commit_with_a_forged_date_counts_by_when_it_was_pushed(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    repository = github.create("toy-ada", {HERE: work("honest")})
    repository.push({HERE: work("late, dated early")}, AFTER, dated=BEFORE - timedelta(days=9))
    late = github.create("toy-ben", {HERE: work("early, dated late")}, BEFORE)
    late.push({HERE: work("still early")}, BEFORE + timedelta(minutes=1), dated=AFTER + timedelta(days=9))
    found = collected(api, tmp_path)
    assert held(tmp_path, found["ada"]) == work("honest")
    assert held(tmp_path, found["ben"]) == work("still early")


def test_what_was_pushed_to_another_branch_does_not_count(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    repository = github.create("toy-ada", {HERE: work("main")})
    repository.push({HERE: work("draft")}, BEFORE + timedelta(minutes=9), branch="draft")
    assert held(tmp_path, collected(api, tmp_path)["ada"]) == work("main")


def test_a_push_that_was_forced_away_after_the_deadline_is_still_found(
    github: FakeGitHub, api: Api, tmp_path: Path
) -> None:
    repository = github.create("toy-ada", {HERE: work("in time")})
    repository.push({HERE: work("late")}, AFTER, force=True)
    assert held(tmp_path, collected(api, tmp_path)["ada"]) == work("in time")


def test_a_forced_push_before_the_deadline_counts_as_any(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    repository = github.create("toy-ada", {HERE: work("first")}, BEFORE)
    repository.push({HERE: work("again")}, BEFORE + timedelta(minutes=1), force=True)
    assert held(tmp_path, collected(api, tmp_path)["ada"]) == work("again")


def test_a_commit_that_the_server_has_thrown_away_is_said_to_be_gone(
    github: FakeGitHub, api: Api, tmp_path: Path
) -> None:
    """An older one is not taken in its place without a word."""
    repository = github.create("toy-ada", {HERE: work("old")}, BEFORE - timedelta(days=1))
    repository.push({HERE: work("in time")}, BEFORE)
    repository.push({HERE: work("late")}, AFTER, force=True)
    repository.forget_what_no_branch_holds()
    entry = collected(api, tmp_path)["ada"]
    assert entry.status == "unreadable"
    assert "is not there any more. Ask the student" in str(entry.reason)
    assert not list(tmp_path.rglob("*.ipynb"))


# --- repositories that are not as they should be ---------------------------------------------------------------------


def test_an_empty_repository_has_handed_in_nothing(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    github.create("toy-ada")
    late = github.create("toy-ben", {HERE: work("late")}, AFTER)
    gone = github.create("toy-cleo", {HERE: work("gone")}, BEFORE)
    gone.note("branch_deletion", "1" * 40, "0" * 40, BEFORE + timedelta(minutes=1))
    for entry in collected(api, tmp_path).values():
        assert (entry.status, entry.reason) == ("nothing", "Nothing was pushed to main before the deadline.")
    assert late.activity and not github.asked("/git/")


def test_a_renamed_repository_stays_its_students(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    repository = github.create("toy-ada", {HERE: work("a")})
    collected(api, tmp_path, DEADLINE - timedelta(days=30))
    github.rename(repository, "my-own-name")
    found = collected(api, tmp_path)
    assert held(tmp_path, found["ada"]) == work("a")
    assert found["ada"].name == "my-own-name"
    asked = len(github.requests)
    assert collected(api, tmp_path)["ada"].name == "my-own-name"
    assert len(github.requests) - asked == 1, "the list alone"


def test_a_repository_that_is_renamed_while_we_collect_is_followed(
    github: FakeGitHub, api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository = github.create("toy-ada", {HERE: work("a")})
    real = Collector._last_push

    def renaming(self: Collector, listed: object) -> object:
        github.rename(repository, "elsewhere")
        return real(self, listed)  # type: ignore[arg-type]

    monkeypatch.setattr(Collector, "_last_push", renaming)
    assert held(tmp_path, collected(api, tmp_path)["ada"]) == work("a")
    assert github.asked(r"/repositories/\d+/git/blobs/")


def test_of_a_deleted_repository_what_was_collected_stays(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    repository = github.create("toy-ada", {HERE: work("a")})
    github.create("toy-ben", {HERE: work("b")})
    collected(api, tmp_path)
    github.delete(repository)
    found = collected(api, tmp_path)
    assert found["ada"].gone and not found["ben"].gone
    assert held(tmp_path, found["ada"]) == work("a")


def test_a_repository_that_is_deleted_while_we_collect_stops_nobody_else(
    github: FakeGitHub, api: Api, tmp_path: Path
) -> None:
    github.create("toy-ada", {HERE: work("a")})
    github.create("toy-ben", {HERE: work("b")})
    github.mishaps[2] = Mishap(404, "Not Found")
    found = collected(api, tmp_path)
    assert found["ada"].status == "unreadable"
    assert held(tmp_path, found["ben"]) == work("b")
    assert held(tmp_path, collected(api, tmp_path)["ada"]) == work("a"), "the next run looks again"


def test_another_repository_under_a_students_name_takes_nobodys_place(
    github: FakeGitHub, api: Api, tmp_path: Path
) -> None:
    """Where the first one was only renamed, a person has to say whose the second is."""
    first = github.create("toy-ada", {HERE: work("first")})
    collected(api, tmp_path)
    github.rename(first, "mine")
    github.former_names.clear()
    github.create("toy-ada", {HERE: work("second")})
    for _ in range(2):
        runs = list(collector(api, tmp_path).collect())
        assert [(entry.name, entry.status) for entry in runs] == [("mine", "collected"), ("toy-ada", "unreadable")]
        assert str(runs[1].reason).startswith("mine was collected as ada's before. Ask whose")
        assert held(tmp_path, runs[0]) == work("first")


def test_a_repository_that_was_deleted_and_made_anew_in_time_counts(
    github: FakeGitHub, api: Api, tmp_path: Path
) -> None:
    first = github.create("toy-ada", {HERE: work("first")}, BEFORE - timedelta(days=1))
    github.clock = BEFORE
    collected(api, tmp_path)
    github.delete(first)
    github.create("toy-ada", {HERE: work("anew")}, BEFORE)
    assert held(tmp_path, collected(api, tmp_path)["ada"]) == work("anew")
    state = load_collection(tmp_path)
    assert state is not None and sorted(entry.student for entry in state.repositories.values()) == ["ada"]


def test_a_repository_made_anew_after_the_deadline_does_not_undo_what_was_collected(
    github: FakeGitHub, api: Api, tmp_path: Path
) -> None:
    first = github.create("toy-ada", {HERE: work("in time")})
    collected(api, tmp_path)
    github.delete(first)
    github.create("toy-ada", {HERE: work("late")}, AFTER)
    runs = list(collector(api, tmp_path).collect())
    assert [(entry.student, entry.status, entry.gone) for entry in runs] == [
        ("ada", "nothing", False),
        ("ada", "collected", True),
    ]
    assert held(tmp_path, runs[1]) == work("in time")


def test_of_two_gigabytes_only_the_notebook_is_fetched(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    files = {HERE: work("small"), "model.bin": b"weights", "data/corpus.txt": b"words", "data/more.ipynb": work("x")}
    repository = github.create("toy-ada", files)
    repository.kilobytes = 2_000_000
    repository.sizes = {"model.bin": 1_500_000_000, "data/corpus.txt": 500_000_000}
    assert held(tmp_path, collected(api, tmp_path)["ada"]) == work("small")
    blob = repository.git("rev-parse", f"main:{HERE}").decode().strip()
    assert github.asked("/git/blobs/") == [f"GET /repos/course/toy-ada/git/blobs/{blob}"]
    assert all("/git/" in r or "/activity" in r or "/orgs/" in r for r in github.requests), "no archive, no clone"
    assert github.sent < 10_000


def test_a_notebook_too_large_to_be_graded_is_not_fetched(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    github.create("toy-ada", {HERE: work("a")}).sizes = {HERE: 300_000_000}
    entry = collected(api, tmp_path)["ada"]
    assert entry.status == "unreadable" and "larger than 64 MB" in str(entry.reason)
    assert not github.asked("/git/blobs/")


def test_the_notebook_is_chosen_as_the_students_own_workflow_does(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    other = json.dumps({"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()
    github.create("toy-only", {"my work.ipynb": work("only"), ".hidden/toy.ipynb": other, "README.md": b""})
    github.create("toy-says", {"deep/er.ipynb": work("says so"), "notes.ipynb": other})
    github.create("toy-two", {"a.ipynb": work("a"), "b.ipynb": work("b")})
    github.create("toy-none", {"README.md": b"later"})
    found = collected(api, tmp_path)
    assert held(tmp_path, found["only"]) == work("only")
    assert held(tmp_path, found["says"]) == work("says so")
    assert str(found["two"].reason).startswith("The repository holds 2 notebooks (a.ipynb, b.ipynb).")
    assert found["none"].reason == "The repository holds no notebook. Commit and push toy.ipynb."


def test_a_link_in_a_notebooks_place_is_none(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    repository = github.create("toy-ada", {"README.md": b""})
    made = repository.git("hash-object", "-w", "--stdin", stdin=b"/etc/passwd").decode().strip()
    tree = repository.git("mktree", stdin=f"120000 blob {made}\t{HERE}\n".encode()).decode().strip()
    who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
    commit = repository.git(*who, "commit-tree", "-m", "x", tree).decode().strip()
    repository.note("push", "0" * 40, commit, BEFORE + timedelta(minutes=5))
    assert collected(api, tmp_path)["ada"].status == "unreadable"


def test_a_notebook_that_was_taken_away_in_time_is_not_graded_from_before(
    github: FakeGitHub, api: Api, tmp_path: Path
) -> None:
    repository = github.create("toy-ada", {HERE: work("a")}, BEFORE - timedelta(days=1))
    assert held(tmp_path, collected(api, tmp_path, BEFORE - timedelta(hours=1))["ada"]) == work("a")
    repository.push({"README.md": b"I withdraw"}, BEFORE)
    assert collected(api, tmp_path)["ada"].status == "unreadable"
    assert not list(tmp_path.rglob("toy-ada/*.ipynb"))


# --- runs that stop, and run again -----------------------------------------------------------------------------------


def test_nothing_is_fetched_twice(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    for name in ("toy-ada", "toy-ben", "toy-cleo"):
        github.create(name, {HERE: work(name)})
    github.create("toy-dora")
    first = collected(api, tmp_path)
    asked = len(github.requests)
    assert collected(api, tmp_path) == first
    assert github.requests[asked:] == github.asked("/orgs/")[:2]


def test_before_the_deadline_only_what_is_new_is_fetched(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    github.clock = BEFORE
    ada = github.create("toy-ada", {HERE: work("a"), "notes.txt": b""}, BEFORE - timedelta(days=1))
    ben = github.create("toy-ben", {HERE: work("b")}, BEFORE - timedelta(days=1))
    collected(api, tmp_path)
    ada.push({HERE: work("a"), "notes.txt": b"more"})
    ben.push({HERE: work("b, mended")})
    blobs = len(github.asked("/git/blobs/"))
    found = collected(api, tmp_path)
    assert held(tmp_path, found["ben"]) == work("b, mended")
    assert found["ada"].commit == ada.git("rev-parse", "main").decode().strip()
    assert len(github.asked("/git/blobs/")) - blobs == 1, "ada's notebook is the same"


def test_just_after_the_deadline_the_servers_record_is_not_yet_trusted(
    github: FakeGitHub, api: Api, tmp_path: Path
) -> None:
    github.clock = DEADLINE + timedelta(minutes=1)
    repository = github.create("toy-ada", {HERE: work("a")}, BEFORE)
    collected(api, tmp_path)
    repository.push({HERE: work("in the last second")}, DEADLINE)
    assert held(tmp_path, collected(api, tmp_path)["ada"]) == work("in the last second")


def test_another_deadline_is_asked_for_anew(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    github.create("toy-ada", {HERE: work("a")}).push({HERE: work("extended")}, AFTER)
    assert held(tmp_path, collected(api, tmp_path)["ada"]) == work("a")
    assert held(tmp_path, collected(api, tmp_path, AFTER)["ada"]) == work("extended")


def test_a_notebook_that_was_changed_here_is_fetched_again(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    github.create("toy-ada", {HERE: work("a")})
    path = tmp_path / str(collected(api, tmp_path)["ada"].file)
    path.write_bytes(b"changed")
    assert held(tmp_path, collected(api, tmp_path)["ada"]) == work("a")


def test_a_run_whose_network_is_cut_goes_on_where_it_stopped(
    github: FakeGitHub, api: Api, waited: list[float], tmp_path: Path
) -> None:
    for number in range(6):
        github.create(f"toy-{number}", {HERE: work(str(number))})
    github.down_from = 12
    with pytest.raises(GitHubError, match=r"does not hold .* the same command goes on from there"):
        collected(api, tmp_path)
    assert waited == [2, 4, 8]
    state = load_collection(tmp_path)
    assert state is not None and len(state.repositories) == 3
    github.down_from = None
    assert sorted(collected(api, tmp_path)) == list("012345")
    assert len(set(github.asked("/git/blobs/"))) == 6
    lost = 12 + len(waited)
    answered = [r for n, r in enumerate(github.requests, 1) if not 12 <= n <= lost]
    assert len([r for r in answered if "/git/blobs/" in r]) == 6, "none of them twice"


@pytest.mark.parametrize("mishap", [CUT, DOWN, Mishap(502, "Bad Gateway")])
@pytest.mark.parametrize("request_number", [1, 2, 3, 4])
def test_one_answer_that_is_lost_or_cut_is_asked_for_again(
    github: FakeGitHub, api: Api, tmp_path: Path, mishap: Mishap, request_number: int
) -> None:
    github.create("toy-ada", {HERE: work("a")})
    github.mishaps[request_number] = mishap
    assert held(tmp_path, collected(api, tmp_path)["ada"]) == work("a")
    assert len(github.requests) == 5


def test_bytes_that_are_not_the_notebooks_are_not_kept(
    github: FakeGitHub, api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    github.create("toy-ada", {HERE: work("a")})
    monkeypatch.setattr(Api, "raw", lambda *_: work("b"))
    with pytest.raises(GitHubError, match=r"toy-ada: toy.ipynb did not arrive as it was sent"):
        collected(api, tmp_path)
    assert not list(tmp_path.rglob("*.ipynb"))


# --- limits ----------------------------------------------------------------------------------------------------------


def limit(github: FakeGitHub, seconds: int) -> Mishap:
    """The limit of requests in an hour."""
    reset = str(int((github.clock + timedelta(seconds=seconds)).timestamp()))
    headers = {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": reset}
    return Mishap(403, "API rate limit exceeded for user ID 1.", headers)


SECONDARY = "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."


def test_limits_are_waited_for_as_long_as_github_says(
    github: FakeGitHub, api: Api, waited: list[float], tmp_path: Path
) -> None:
    github.create("toy-ada", {HERE: work("a")})
    github.mishaps = {
        1: limit(github, 120),
        3: Mishap(403, SECONDARY, {"Retry-After": "30"}),
        5: Mishap(429, SECONDARY),
        6: Mishap(403, SECONDARY),
    }
    assert held(tmp_path, collected(api, tmp_path)["ada"]) == work("a")
    assert waited == [121, 30, 60, 120]


def test_a_limit_that_lasts_too_long_ends_the_run_and_the_next_goes_on(
    github: FakeGitHub, api: Api, waited: list[float], tmp_path: Path
) -> None:
    for student in ("ada", "ben"):
        github.create(f"toy-{student}", {HERE: work(student)})
    github.mishaps[6] = limit(github, 3000)
    with pytest.raises(GitHubError, match=r"come back in 51 minutes.*goes on from there"):
        collected(api, tmp_path)
    assert waited == []
    assert [held(tmp_path, entry) for entry in collected(api, tmp_path).values()] == [work("ada"), work("ben")]
    assert len(github.asked("toy-ada/git/blobs")) == 1


def test_all_waits_together_are_bounded(github: FakeGitHub, waited: list[float], tmp_path: Path) -> None:
    github.create("toy-ada", {HERE: work("a")})
    github.mishaps = {number: Mishap(403, SECONDARY, {"Retry-After": "0"}) for number in range(1, 100)}
    with pytest.raises(GitHubError, match="limit for this token"):
        collected(Api(github.url, READ_TOKEN, waited.append, patience=20), tmp_path)
    assert sum(waited) == 20


# --- the command -----------------------------------------------------------------------------------------------------


@pytest.fixture
def course(tmp_path: Path) -> Course:
    return copy_of_the_course(tmp_path / "course")


def collect(course: Course, github: FakeGitHub, *more: str, token: str | None = READ_TOKEN) -> Result:
    asked = ["--from", "github", "--organisation", "course", "--lab", "toy", "--deadline", DEADLINE.isoformat()]
    arguments = ["--course", str(course.root), "collect", *asked, "--api", github.url, *more]
    return CliRunner().invoke(main, arguments, env={TOKEN: token})


def test_the_command_says_what_it_did_and_what_is_missing(github: FakeGitHub, course: Course, tmp_path: Path) -> None:
    github.create("toy-ada", {HERE: work("a")})
    github.create("toy-ben")
    out = tmp_path / "out"
    done = collect(course, github, "--out", str(out))
    assert done.exit_code == 0, done.output
    said = " ".join(done.output.split())
    assert "toy-ben: Nothing was pushed to main before the deadline." in said
    assert f"1 notebook (1 fetched now), 1 handed in nothing, 0 could not be collected. They are in {out}." in said
    github.create("toy-cleo", {"a.ipynb": work("a"), "b.ipynb": work("b")})
    assert collect(course, github, "--out", str(out)).exit_code == 1


def test_errors_name_what_is_wrong_and_what_to_do(
    github: FakeGitHub, course: Course, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(github_api, "ATTEMPTS", 1)
    out = ["--out", str(tmp_path / "out")]
    github.create("toy-ada", {HERE: work("a")})
    assert collect(course, github, *out).exit_code == 0
    down = FakeGitHub(tmp_path / "down")
    down.url = "http://127.0.0.1:9"
    for done, words in (
        (collect(course, github, *out, token=None), f"no token in the environment variable {TOKEN}"),
        (collect(course, github, *out, token="a b"), "is no token. Copy it again"),
        (
            collect(course, github, *out, token="github_pat_expired"),
            "401 (Bad credentials) to GET /orgs/course/repos. Put",
        ),
        (
            collect(course, github, "--organisation", "cours", "--out", str(tmp_path / "new")),
            "no organisation cours, or this token may not see it",
        ),
        (collect(course, github, *out, "--organisation", "../x"), "--organisation ../x: GitHub has no such names"),
        (collect(course, github, *out, "--prefix", "lab9"), "is of course/toy-* (toy). Name another folder"),
        (collect(course, github, "--prefix", "lab9", "--out", str(tmp_path / "new")), "no repositories called lab9-…"),
        (collect(course, github, *out, "--deadline", "2026-03-01 23:59"), "which moment is this?"),
        (collect(course, github, *out, "--deadline", "tomorrow"), "which moment is this?"),
        (collect(course, github, *out, "--lab", "tox"), "--lab tox: there is no such lab. Labs here: toy."),
        (collect(course, github, *out, "--api", "http://example.org"), "this is no https address"),
        (collect(course, down, *out), "the connection to http://127.0.0.1:9 does not hold"),
    ):
        said = " ".join(done.output.replace("│", " ").split())
        assert words in said, said
        assert done.exit_code == 2
        assert "Traceback" not in said and READ_TOKEN not in said and "expired" not in said


@pytest.mark.parametrize("damage", [b"{", b"[]", b'{"schema": "autograder/collection/v9"}', b"\xff"])
def test_a_damaged_record_is_said_to_be_one(api: Api, tmp_path: Path, damage: bytes) -> None:
    (tmp_path / "collected.json").write_bytes(damage)
    with pytest.raises(CollectionError, match=r"collect(ed|ion)"):
        collector(api, tmp_path)


def test_what_is_not_githubs_answer_is_said_to_be_none(
    api: Api, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Api, "_ask", lambda *_: github_api.Reply({}, b"<html>"))  # type: ignore[arg-type]
    with pytest.raises(GitHubError, match="does not answer as GitHub does"):
        collected(api, tmp_path)


def test_a_deadline_is_the_same_moment_wherever_it_is_read() -> None:
    assert read_deadline("2026-03-01T23:59:59+01:00") == read_deadline("2026-03-01T22:59:59Z") == DEADLINE


# --- where the token goes --------------------------------------------------------------------------------------------


def test_the_token_goes_to_no_other_server(github: FakeGitHub, waited: list[float], tmp_path: Path) -> None:
    """Neither a redirect nor a next page leads it astray; and nothing shows it."""
    with FakeGitHub(tmp_path / "other").served() as other:
        github.mishaps[1] = Mishap(301, "Moved", {"Location": f"{other.url}/orgs/course/repos"})
        api = Api(github.url, READ_TOKEN, waited.append)
        with pytest.raises(GitHubError, match="301"):
            collected(api, tmp_path)
        real = github.url
        for number in range(4):
            github.create(f"toy-{number}", {HERE: work("a")})
        github.url = other.url  # so its links to next pages lead there
        with pytest.raises(GitHubError, match="where the token must not go"):
            collected(Api(real, READ_TOKEN, waited.append), tmp_path)
        assert other.requests == []
    assert READ_TOKEN not in repr(api)
