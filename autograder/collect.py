"""A class's repositories on GitHub -> a folder of notebooks, each as it was last pushed before the deadline.

When something was pushed is what the server recorded, never the date of a commit, which is its author's to choose.
Of a repository nothing is fetched but lists of names and the notebook itself. What is there is written down after each
repository, so that a run that was cut goes on where it stopped, and nothing is fetched twice.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

import msgspec

from autograder.checkout import choose, may_be_graded
from autograder.collection import FILE, Collection, CollectionError, Entry, load_collection
from autograder.files import write_whole
from autograder.github_api import Api, GitHubError, Refused
from autograder.notebook import MAX_NOTEBOOK, read_notebook
from autograder.rejected import too_large
from autograder.submission import Rejected

MARGIN = timedelta(minutes=10)
"""After the deadline, until a push from before it is surely in the server's records."""

EMPTY = 409
"""GitHub's answer to questions about what an empty repository holds."""


GONE = "It, or the commit that was pushed last, is not there any more. Ask the student for the notebook."


class Repository(msgspec.Struct):
    """What GitHub's list of repositories says of one."""

    id: int
    name: str
    default_branch: str = "main"
    is_template: bool = False


class Push(msgspec.Struct):
    """One entry of a repository's activity: where a branch stood from when on."""

    after: str
    ref: str
    timestamp: datetime
    activity_type: str


class File(msgspec.Struct):
    """One entry of a commit's tree."""

    path: str
    mode: str
    type: str
    sha: str
    size: int = 0


class Tree(msgspec.Struct):
    """A commit's files, or the first many thousands of them."""

    tree: list[File]
    truncated: bool = False


@dataclass
class Collector:
    """Collects the repositories `<prefix>-<student>` of an organisation into the folder `out`."""

    api: Api
    organisation: str
    prefix: str
    lab: str
    out: Path
    deadline: datetime
    fetched: int = field(default=0, init=False)
    """Notebooks that were not here before."""

    def __post_init__(self) -> None:
        for word, value in (("--organisation", self.organisation), ("--prefix", self.prefix)):
            if not re.fullmatch(r"[A-Za-z0-9._-]+", value):
                raise CollectionError(f"{word} {value}: GitHub has no such names. Write it as it stands in an address.")
        asked = Collection(organisation=self.organisation, prefix=self.prefix, lab=self.lab)
        self.collection = load_collection(self.out) or asked
        found = self.collection
        if (found.organisation, found.prefix, found.lab) != (asked.organisation, asked.prefix, asked.lab):
            raise CollectionError(
                f"{self.out / FILE} is of {found.organisation}/{found.prefix}-* ({found.lab}). Name another folder "
                "with --out."
            )

    def collect(self) -> Iterator[Entry]:
        """Every repository of the class, as it is done with. Raises GitHubError where it cannot go on."""
        known = self.collection.repositories
        there = {str(found.id): found for found in self._listed()}
        for number, entry in known.items():
            entry.gone = number not in there
        ours = [number for number, found in there.items() if number in known or self._student(found)]
        for number in sorted(ours, key=lambda number: there[number].name.casefold()):
            before = known.get(number)
            known[number] = self._entry(there[number], before)
            if known[number] is not before:
                self._replace_the_gone(known[number])
                self.collection.save(self.out)
            yield known[number]
        self.collection.save(self.out)
        yield from (entry for entry in known.values() if entry.gone)

    def _listed(self) -> Iterator[Repository]:
        try:
            yield from self.api.pages(f"orgs/{self.organisation}/repos", Repository, {"type": "all"})
        except Refused as refused:
            if refused.status != 404:
                raise
            raise GitHubError(
                f"GitHub knows no organisation {self.organisation}, or this token may not see it. Look at "
                "--organisation, and at whose repositories the token is for."
            ) from None

    def _student(self, repository: Repository) -> str:
        """Whose repository this is, by its name; empty where it is none of the class's."""
        start = f"{self.prefix}-".casefold()
        ours = repository.name.casefold().startswith(start) and not repository.is_template
        return repository.name[len(start) :] if ours else ""

    def _namesake(self, student: str, own: Entry | None) -> Entry | None:
        """Another repository that is there, and of which this student's notebook was collected."""
        others = [e for e in self.collection.repositories.values() if e is not own and e.file and not e.gone]
        return next((other for other in others if other.student.casefold() == student.casefold()), None)

    def _replace_the_gone(self, entry: Entry) -> None:
        """Forget deleted repositories whose notebook another one, made in their place, has now overwritten."""
        known = self.collection.repositories
        for number in [n for n, old in known.items() if old.gone and old.file and old.file == entry.file]:
            del known[number]

    # --- one repository -----------------------------------------------------------------------------------------

    def _entry(self, repository: Repository, before: Entry | None) -> Entry:
        """What one repository holds; as it was before where nothing can have changed."""
        student = before.student if before else self._student(repository)
        if other := self._namesake(student, before):
            why = f"{other.name} was collected as {student}'s before. Ask whose this one is, and rename it."
            return Entry(name=repository.name, student=student, status="unreadable", reason=why)
        if before and before.settled == self.deadline and self._is_here(before):
            before.name = repository.name
            return before
        asked = self.api.time
        try:
            entry = self._handed_in(repository, student, before)
            entry.settled = self.deadline if asked > self.deadline + MARGIN else None
        except Refused as refused:
            if refused.status == 401:
                raise
            entry = self._refused(repository, student, before, refused)
        if before and before.file and before.file != entry.file:
            (self.out / before.file).unlink(missing_ok=True)
        return entry

    def _refused(self, repository: Repository, student: str, before: Entry | None, refused: Refused) -> Entry:
        """Of a repository that GitHub does not show us, what was collected before stays, and is said to be that."""
        why = GONE if refused.status == 404 else str(refused)
        if before and before.status == "collected" and self._is_here(before):
            return msgspec.structs.replace(before, reason=f"{why} What was collected before stays.", settled=None)
        return Entry(name=repository.name, student=student, status="unreadable", reason=why)

    def _handed_in(self, repository: Repository, student: str, before: Entry | None) -> Entry:
        """The notebook of the last push before the deadline, or why there is none."""
        entry = Entry(name=repository.name, student=student, status="nothing")
        push = self._last_push(repository)
        if push is None:
            entry.reason = f"Nothing was pushed to {repository.default_branch} before the deadline."
            return entry
        entry.commit, entry.pushed = push.after, push.timestamp
        if before and before.status == "collected" and before.commit == push.after and self._is_here(before):
            return msgspec.structs.replace(before, name=repository.name, reason=None)
        try:
            entry.path, entry.blob, content = self._notebook(repository, push.after, before)
        except Rejected as rejected:
            entry.status, entry.reason = "unreadable", f"{rejected.reason[0].upper()}{rejected.reason[1:]}"
            return entry
        entry.status, entry.file, entry.sha256 = "collected", self._file(student), hashlib.sha256(content).hexdigest()
        write_whole(self.out / entry.file, content)
        return entry

    def _last_push(self, repository: Repository) -> Push | None:
        """Where the branch stood at the deadline, by the server's own record; None where it was not there."""
        query = {"ref": f"refs/heads/{repository.default_branch}", "direction": "desc"}
        try:
            for push in self.api.pages(self._path(repository, "activity"), Push, query):
                if push.timestamp <= self.deadline:
                    return None if push.activity_type == "branch_deletion" else push
        except Refused as refused:
            if refused.status != EMPTY:
                raise
        return None

    def _notebook(self, repository: Repository, commit: str, before: Entry | None) -> tuple[str, str, bytes]:
        """Path, blob and bytes of the notebook at a commit. Raises Rejected."""
        files = self._files(repository, commit)
        few = sum(file.size for file in files.values()) <= MAX_NOTEBOOK

        @cache
        def content(path: str) -> bytes:
            return self._blob(repository, files[path], before)

        def is_of_the_lab(path: str) -> bool:
            try:
                return few and read_notebook(content(path)).lab == self.lab
            except Rejected:
                return False

        path = choose(self.lab, files, is_of_the_lab)
        return path, files[path].sha, content(path)

    def _files(self, repository: Repository, commit: str) -> dict[str, File]:
        """The notebook of the lab's name where it lies on top; else all files that may be it. Raises Rejected."""
        path = self._path(repository, f"git/trees/{commit}")
        on_top = {file.path: file for file in self.api.get(path, Tree).tree if _is_file(file)}
        if (name := f"{self.lab}.ipynb") in on_top:
            return {name: on_top[name]}
        whole = self.api.get(path, Tree, {"recursive": "1"})
        files = {file.path: file for file in whole.tree if _is_file(file) and may_be_graded(file.path)}
        if whole.truncated:
            raise Rejected("the repository holds too many files to look through", f"Put {self.lab}.ipynb on top")
        return files

    def _blob(self, repository: Repository, file: File, before: Entry | None) -> bytes:
        """A file's bytes, from here where they lie here already. Raises Rejected."""
        if file.size > MAX_NOTEBOOK:
            raise too_large(MAX_NOTEBOOK)
        if before and before.blob == file.sha and self._is_here(before):
            return (self.out / str(before.file)).read_bytes()
        content = self.api.raw(self._path(repository, f"git/blobs/{file.sha}"))
        if hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest() != file.sha:
            raise GitHubError(
                f"{repository.name}: {file.path} did not arrive as it was sent. Run the same command again."
            )
        self.fetched += 1
        return content

    def _file(self, student: str) -> str:
        """Where a student's notebook goes: by this path `submission.student_name` knows whose it is."""
        return f"{self.prefix}-submissions/{self.prefix}-{student}/{self.lab}.ipynb"

    def _path(self, repository: Repository, rest: str) -> str:
        return f"repos/{self.organisation}/{repository.name}/{rest}"

    def _is_here(self, entry: Entry) -> bool:
        """Whether what an entry tells of lies here, unchanged."""
        if entry.file is None:
            return entry.status != "collected"
        path = self.out / entry.file
        return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == entry.sha256


def read_deadline(text: str) -> datetime:
    """A moment that is the same everywhere. Raises CollectionError."""
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        found = datetime.min
    if found.tzinfo is None:
        raise CollectionError(
            f"--deadline {text}: which moment is this? Write it as 2026-11-30T23:59:59+01:00, or with Z."
        )
    return found.astimezone(UTC)


def _is_file(file: File) -> bool:
    """A file that is one: no folder, no link, no submodule."""
    return file.type == "blob" and file.mode in ("100644", "100755")
