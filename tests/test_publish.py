"""Feedback goes back to the commit that was graded: what the policy allows, never twice, hidden checks rarely."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from autograder import publish as module
from autograder.cli import main
from autograder.collect import Collector
from autograder.collection import Collection
from autograder.course import Course, load_course
from autograder.credential import TOKEN
from autograder.github_api import Api, GitHubError
from autograder.publish import Publisher, comment, read_grades
from autograder.record import CheckResult, Grade, QuestionResult
from tests.fake_github import BEFORE, DEADLINE, DOWN, READ_TOKEN, WRITE_TOKEN, FakeGitHub, Mishap
from tests.toy import copy_of_the_course, notebook

NOW = datetime(2026, 3, 3, 12, tzinfo=UTC)
GITHUBS_LIMIT = 65_536
HIDDEN = "the rows are centred by their largest number"


def check(name: str, visible: bool, message: str = "") -> CheckResult:
    return CheckResult(
        name=name, visible=visible, status="failed" if message else "passed", score=0, possible=1, message=message
    )


def a_grade(file: str, sha256: str, public: str = "not yet", hidden: str = HIDDEN) -> Grade:
    """A grade of the toy lab with one public check and one hidden one, each failed with a message."""
    checks = [check("worked_example", True, public), check("each_row", False, hidden)]
    question = QuestionResult(name="center", score=0, possible=2, pending=0, checks=checks)
    return Grade(
        lab="toy",
        file=file,
        student="ada",
        sha256=sha256,
        status="graded",
        reason=None,
        score=0,
        possible=2,
        pending=0,
        seconds=0,
        protections=[],
        warnings=["for staff alone"],
        notes=[],
        cells=[],
        questions=[question],
    )


@pytest.fixture
def github(tmp_path: Path) -> Iterator[FakeGitHub]:
    with FakeGitHub(tmp_path / "server").served() as fake:
        yield fake


@pytest.fixture
def api(github: FakeGitHub) -> Api:
    return Api(github.url, WRITE_TOKEN, lambda _: None)


def course_with(tmp_path: Path, feedback: str) -> Course:
    course = copy_of_the_course(tmp_path / "course")
    path = course.root / "grading.yml"
    path.write_text(path.read_text().replace("    warm:", f"    feedback: {feedback}\n    warm:"))
    return load_course(course.root)


class Class:
    """A class of one repository, collected anew whenever it is graded."""

    def __init__(self, github: FakeGitHub, api: Api, folder: Path, course: Course) -> None:
        self.github, self.api, self.folder, self.course = github, api, folder, course
        self.repository = github.create("toy-ada", {"toy.ipynb": notebook("first = 1\n")}, BEFORE - timedelta(days=1))
        github.clock = BEFORE

    def collected(self) -> Collection:
        collector = Collector(self.api, "course", "toy", "toy", self.folder, DEADLINE)
        list(collector.collect())
        return collector.collection

    def publish(self, now: datetime = NOW, grades_are_out: bool = False, hidden: str = HIDDEN) -> list[str]:
        """The outcomes, by one run of its own."""
        collection = self.collected()
        grades = [a_grade(str(e.file), str(e.sha256), hidden=hidden) for e in collection.repositories.values()]
        publisher = Publisher(self.api, collection, self.folder, self.course, now, grades_are_out)
        return [outcome for _, outcome, _ in publisher.publish(grades)]

    @property
    def comments(self) -> list[str]:
        return [text for _, text in self.repository.comments]


def a_class(github: FakeGitHub, api: Api, tmp_path: Path, feedback: str) -> Class:
    return Class(github, api, tmp_path / "collected", course_with(tmp_path, feedback))


def test_the_graded_commit_gets_a_comment_that_says_what_the_policy_allows(
    github: FakeGitHub, api: Api, tmp_path: Path
) -> None:
    group = a_class(github, api, tmp_path, "{public: now, hidden: after_publication}")
    assert group.publish() == ["published"]
    ((commit, text),) = group.repository.comments
    assert commit == group.repository.git("rev-parse", "main").decode().strip()
    assert "**worked example** (1 point)" in text and "not yet" in text
    assert HIDDEN not in text and "each row" not in text and "for staff alone" not in text
    assert f"For `toy.ipynb` as of commit {commit[:12]}, pushed 2026-02-28 20:59 UTC." in text
    assert group.publish(grades_are_out=True) == ["published"]
    assert HIDDEN in group.comments[1]


@pytest.mark.parametrize(
    ("feedback", "now", "when_out"),
    [
        ("{public: now, hidden: now}", (True, True), (True, True)),
        ("{public: now, hidden: after_publication}", (True, False), (True, True)),
        ("{public: now, hidden: never}", (True, False), (True, False)),
        ("{public: after_publication, hidden: after_publication}", None, (True, True)),
        ("{public: after_publication, hidden: never}", None, (True, False)),
        ("{public: never, hidden: never}", None, None),
    ],
)
def test_every_policy_is_obeyed(
    github: FakeGitHub,
    api: Api,
    tmp_path: Path,
    feedback: str,
    now: tuple[bool, bool] | None,
    when_out: tuple[bool, bool] | None,
) -> None:
    """What is told of public and of hidden checks, before the grades are out and after; None for no comment at all."""
    group = a_class(github, api, tmp_path, feedback)
    for out, told in ((False, now), (True, when_out)):
        group.repository.comments.clear()
        (tmp_path / "collected" / "published.json").unlink(missing_ok=True)
        assert group.publish(grades_are_out=out) == (["published"] if told else ["silent"])
        assert [("not yet" in text, HIDDEN in text) for text in group.comments] == ([told] if told else [])


def test_nothing_is_said_twice(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    group = a_class(github, api, tmp_path, "{public: now, hidden: after_publication}")
    assert [group.publish(NOW + timedelta(days=day)) for day in range(3)] == [["published"], ["known"], ["known"]]
    assert len(group.comments) == 1


def test_pushing_and_waiting_does_not_find_out_what_hidden_checks_test(
    github: FakeGitHub, api: Api, tmp_path: Path
) -> None:
    """A push each hour, and a run after each: hidden checks answer once a day."""
    group = a_class(github, api, tmp_path, "{public: now, hidden: now, hours_between: 24}")
    outcomes = []
    for hour in range(50):
        group.repository.push({"toy.ipynb": notebook(f"attempt = {hour}\n")}, BEFORE - timedelta(hours=60 - hour))
        outcomes += group.publish(NOW + timedelta(hours=hour))
    assert [hour for hour, outcome in enumerate(outcomes) if outcome == "published"] == [0, 24, 48]
    assert set(outcomes) == {"published", "waiting"}
    assert len(group.comments) == 3


def test_a_comment_on_public_checks_does_not_use_up_the_turn_of_hidden_ones(
    github: FakeGitHub, api: Api, tmp_path: Path
) -> None:
    group = a_class(github, api, tmp_path, "{public: now, hidden: after_publication}")
    assert group.publish(NOW) == ["published"]
    assert group.publish(NOW + timedelta(minutes=1), grades_are_out=True) == ["published"]
    assert group.publish(NOW + timedelta(minutes=2), grades_are_out=True, hidden="regraded") == ["waiting"]
    assert group.publish(NOW + timedelta(hours=25), grades_are_out=True, hidden="regraded") == ["published"]


def test_the_turn_is_the_repositorys_whatever_its_name_is(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    group = a_class(github, api, tmp_path, "{public: now, hidden: now}")
    assert group.publish() == ["published"]
    github.rename(group.repository, "a-fresh-start")
    group.repository.push({"toy.ipynb": notebook("second = 2\n")}, BEFORE)
    assert group.publish(NOW + timedelta(hours=1)) == ["waiting"]


def test_a_repository_that_is_renamed_since_still_gets_its_comment(
    github: FakeGitHub, api: Api, tmp_path: Path
) -> None:
    group = a_class(github, api, tmp_path, "{}")
    collection = group.collected()
    github.rename(group.repository, "elsewhere")
    (entry,) = collection.repositories.values()
    publisher = Publisher(api, collection, group.folder, group.course, NOW)
    grade = a_grade(str(entry.file), str(entry.sha256))
    assert [outcome for _, outcome, _ in publisher.publish([grade])] == ["published"]
    assert len(group.comments) == 1


def test_a_grade_of_another_version_is_not_told(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    group = a_class(github, api, tmp_path, "{}")
    collection = group.collected()
    (entry,) = collection.repositories.values()
    publisher = Publisher(api, collection, group.folder, group.course, NOW)
    grades = [a_grade(str(entry.file), "0" * 64), a_grade("somebody elses.ipynb", str(entry.sha256))]
    assert [outcome for _, outcome, _ in publisher.publish(grades)] == ["stale"]
    assert group.comments == []


def test_a_refusal_stops_nobody_else_and_is_tried_again(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    group = a_class(github, api, tmp_path, "{}")
    github.create("toy-ben", {"toy.ipynb": notebook("b = 2\n")}, BEFORE)
    group.repository.archived = True
    assert group.publish() == ["refused", "published"]
    group.repository.archived = False
    assert group.publish() == ["published", "known"]


def test_a_comment_is_not_sent_again_over_a_broken_connection(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    """Nobody knows whether it arrived; a limit, though, is a clear no, and waited for."""
    group = a_class(github, api, tmp_path, "{}")
    group.publish(NOW)
    group.repository.push({"toy.ipynb": notebook("again = 1\n")}, BEFORE)
    before = len(github.requests)
    github.mishaps[before + 5] = DOWN  # the list, the activity, a tree, a blob: then the comment
    with pytest.raises(GitHubError, match="does not hold"):
        group.publish(NOW)
    assert len(github.asked("POST")) == 2
    github.mishaps[len(github.requests) + 3] = Mishap(403, "secondary rate limit", {"Retry-After": "3"})
    assert group.publish(NOW) == ["published"]


def test_words_of_a_student_call_nobody_and_long_ones_end(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    group = a_class(github, api, tmp_path, "{}")
    (entry,) = group.collected().repositories.values()
    grade = a_grade("x", "y", public="@everyone ![x](http://x) <img src=x>")
    text = comment(entry, grade, group.course.labs["toy"], False)
    assert "@everyone" not in text and "](http" not in text and "<img" not in text
    long = a_grade("x", "y", public="word " * 30_000)
    text = comment(entry, long, group.course.labs["toy"], False)
    assert len(text) < GITHUBS_LIMIT < len(long.questions[0].checks[0].message)
    assert "Ask your instructor" in text and "For `toy.ipynb`" in text


# --- the command -----------------------------------------------------------------------------------------------------


def publish(course: Course, github: FakeGitHub, folder: Path, token: str | None = WRITE_TOKEN) -> Result:
    where = ["--collected", str(folder / "collected"), "--graded", str(folder / "graded"), "--api", github.url]
    arguments = ["--course", str(course.root), "publish", "--to", "github", *where]
    return CliRunner().invoke(main, arguments, env={TOKEN: token})


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "PAUSE", 0.0)


@pytest.mark.usefixtures("quick")
def test_the_command_publishes_what_was_graded(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    group = a_class(github, api, tmp_path, "{}")
    group.collected()
    grade = ["--course", str(group.course.root), "grade", "-j", "1", str(group.folder), "-o", str(tmp_path / "graded")]
    assert CliRunner().invoke(main, grade).exit_code == 0
    done = publish(group.course, github, tmp_path)
    assert done.exit_code == 0, done.output
    assert done.output.startswith("1 told, 0 knew already")
    (text,) = group.comments
    assert text.startswith("## Waves: ")
    assert [g.student for g in read_grades(tmp_path / "graded")] == ["ada"]


@pytest.mark.usefixtures("quick")
def test_trouble_is_said_with_its_remedy(github: FakeGitHub, api: Api, tmp_path: Path) -> None:
    group = a_class(github, api, tmp_path, "{}")

    def says(words: str, status: int, token: str | None = WRITE_TOKEN) -> None:
        done = publish(group.course, github, tmp_path, token)
        said = " ".join(done.output.split())
        assert words in said, said
        assert done.exit_code == status
        assert READ_TOKEN not in said and WRITE_TOKEN not in said and "Traceback" not in said

    says("nothing was collected there. Run `autograder collect` first.", 2)
    (entry,) = group.collected().repositories.values()
    says("Grade first, or look at --graded.", 2)
    says(f"no token in the environment variable {TOKEN}", 2, token=None)
    (tmp_path / "graded").mkdir()
    grades = tmp_path / "graded" / "grades.jsonl"
    grades.write_bytes(msgspec.json.encode(a_grade(str(entry.file), str(entry.sha256))) + b"\n")
    says("toy-ada: GitHub answers 403 (Resource not accessible by personal access token)", 1, token=READ_TOKEN)
    says("GitHub answers 401", 2, token="github_pat_expired")
    grades.write_bytes(b"{")
    says("grades.jsonl is damaged. Run `autograder grade` again", 2)
    (tmp_path / "collected" / "published.json").write_text("[]")
    says("nobody knows who was told what", 2)
