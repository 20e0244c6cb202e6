"""GitHub as far as staff use it, on loopback: its REST API over real git repositories, and its bad days.

What it answers is read from the repositories by git itself; when something was pushed is what this server noted, which
no commit can say. Every request is written down. Whatever is asked for that is not here is answered by 404, so a test
that counts requests also sees what should not have been asked for.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

READ_TOKEN = "github_pat_reads0123456789abcdefghij"
WRITE_TOKEN = "github_pat_writes0123456789abcdefghi"
DEADLINE = datetime.fromisoformat("2026-03-01T22:59:59+00:00")
BEFORE, AFTER = DEADLINE - timedelta(hours=2), DEADLINE + timedelta(hours=2)


@dataclass
class Mishap:
    """An answer that a request gets instead of its own."""

    status: int
    message: str
    headers: dict[str, str] = field(default_factory=dict)


CUT = Mishap(0, "half of the answer comes, then the connection ends")
DOWN = Mishap(-1, "nothing comes")


@dataclass
class Repository:
    """A repository of the organisation's, and what the server knows of it beside what git does."""

    number: int
    name: str
    folder: Path
    default_branch: str = "main"
    activity: list[dict[str, Any]] = field(default_factory=list)
    kilobytes: int = 1
    sizes: dict[str, int] = field(default_factory=dict)
    """Sizes to tell instead of the true ones."""
    truncated: bool = False
    comments: list[tuple[str, str]] = field(default_factory=list)
    archived: bool = False
    template: bool = False

    def push(
        self,
        files: Mapping[str, bytes],
        at: datetime = BEFORE,
        *,
        dated: datetime | None = None,
        force: bool = False,
        branch: str = "main",
    ) -> str:
        """Commit these files alone and push; `dated` is what the commit claims. Returns the commit."""
        before = self.git("rev-parse", "--verify", "--quiet", f"refs/heads/{branch}", check=False).decode().strip()
        parts = [f"commit refs/heads/{branch}\nmark :1\n".encode()]
        parts += [f"committer A student <student@example.org> {int((dated or at).timestamp())} +0000\n".encode()]
        parts += [b"data 4\nwork\n", f"from {before}\n".encode() if before and not force else b"", b"deleteall\n"]
        for path, content in files.items():
            parts += [f"M 100644 inline {json.dumps(path)}\ndata {len(content)}\n".encode(), content, b"\n"]
        parts += [b"\nget-mark :1\n"]
        script = b"".join(parts)
        after = self.git("fast-import", "--quiet", "--force", "--cat-blob-fd=1", stdin=script).decode().strip()
        kind = "branch_creation" if not before else "force_push" if force else "push"
        self.note(kind, before or "0" * 40, after, at, branch)
        return after

    def note(self, kind: str, before: str, after: str, at: datetime, branch: str = "main") -> None:
        """Write down what happened to a branch, and when."""
        moment = at.strftime("%Y-%m-%dT%H:%M:%SZ")
        entry = {"id": len(self.activity), "ref": f"refs/heads/{branch}", "before": before, "after": after}
        self.activity.insert(0, {**entry, "timestamp": moment, "activity_type": kind, "actor": {"login": "x"}})

    def forget_what_no_branch_holds(self) -> None:
        """As the server does in time with commits that were pushed away."""
        self.git("reflog", "expire", "--expire=now", "--all")
        self.git("gc", "--quiet", "--prune=now")

    def git(self, *arguments: str, stdin: bytes = b"", check: bool = True) -> bytes:
        command = ["git", "-C", str(self.folder), *arguments]
        return subprocess.run(command, input=stdin, capture_output=True, check=check).stdout


class FakeGitHub:
    """One organisation. `page` is the most items that one answer holds, `clock` the server's time."""

    def __init__(self, folder: Path, organisation: str = "course", page: int = 100) -> None:
        self.organisation, self.page, self._folder = organisation, page, folder
        self._made = 0
        self.clock = DEADLINE + timedelta(days=1)
        self.repositories: dict[int, Repository] = {}
        self.former_names: dict[str, int] = {}
        self.requests: list[str] = []
        self.sent = 0
        self.mishaps: dict[int, Mishap] = {}
        """By the number of the request that meets it, counted from 1."""
        self.down_from: int | None = None
        self.url = ""
        folder.mkdir(parents=True, exist_ok=True)
        self._empty = folder / "empty.git"
        subprocess.run(["git", "init", "--quiet", "--bare", "--template=", "-b", "main", self._empty], check=True)

    def create(self, name: str, files: Mapping[str, bytes] | None = None, at: datetime = BEFORE) -> Repository:
        """A new repository; with files, these are pushed."""
        self._made += 1
        number = 1000 + self._made
        repository = Repository(number, name, self._folder / f"{number}.git")
        shutil.copytree(self._empty, repository.folder)
        self.repositories[number] = repository
        if files is not None:
            repository.push(files, at)
        return repository

    def rename(self, repository: Repository, name: str) -> None:
        self.former_names[repository.name] = repository.number
        repository.name = name

    def delete(self, repository: Repository) -> None:
        del self.repositories[repository.number]

    def named(self, name: str) -> Repository | None:
        return next((found for found in self.repositories.values() if found.name.casefold() == name.casefold()), None)

    def asked(self, pattern: str) -> list[str]:
        """The requests that a pattern finds."""
        return [request for request in self.requests if re.search(pattern, request)]

    @contextmanager
    def served(self) -> Iterator[FakeGitHub]:
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield self
        finally:
            server.shutdown()
            thread.join()
            server.server_close()


@dataclass
class _Answer:
    status: int
    content: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)


def _json(document: Any, status: int = 200, **headers: str) -> _Answer:
    return _Answer(status, json.dumps(document).encode(), {name.replace("_", "-"): v for name, v in headers.items()})


def _no(status: int, message: str, **headers: str) -> _Answer:
    return _json({"message": message, "documentation_url": "https://docs.github.com/rest"}, status, **headers)


NOT_FOUND = _no(404, "Not Found")


class _Server:
    """What is answered to one request."""

    def __init__(self, fake: FakeGitHub, method: str, target: str, headers: Mapping[str, str], body: bytes) -> None:
        self.fake, self.method, self.headers, self.body = fake, method, headers, body
        parts = urlsplit(target)
        self.path, self.query = parts.path, {key: values[0] for key, values in parse_qs(parts.query).items()}

    def answer(self) -> _Answer:
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if token not in (READ_TOKEN, WRITE_TOKEN):
            return _no(401, "Bad credentials")
        if found := re.fullmatch(r"/orgs/([^/]+)/repos", self.path):
            return self._repositories(found[1])
        if found := re.fullmatch(r"/repos/([^/]+)/([^/]+)/(.+)", self.path):
            return self._by_name(*found.groups())
        if found := re.fullmatch(r"/repositories/(\d+)/(.+)", self.path):
            repository = self.fake.repositories.get(int(found[1]))
            return self._of(repository, found[2]) if repository else NOT_FOUND
        return NOT_FOUND

    def _repositories(self, organisation: str) -> _Answer:
        if organisation.casefold() != self.fake.organisation:
            return NOT_FOUND
        listed = [
            {
                "id": found.number,
                "name": found.name,
                "default_branch": found.default_branch,
                "is_template": found.template,
                "size": found.kilobytes,
                "private": True,
            }
            for found in self.fake.repositories.values()
        ]
        start = (int(self.query.get("page", "1")) - 1) * self._page
        return self._paged(listed, start, {"page": str(start // self._page + 2)})

    def _by_name(self, organisation: str, name: str, rest: str) -> _Answer:
        if organisation.casefold() != self.fake.organisation:
            return NOT_FOUND
        repository = self.fake.named(name)
        if repository is None and name in self.fake.former_names:
            query = "&".join(f"{key}={value}" for key, value in self.query.items())
            number = self.fake.former_names[name]
            there = f"{self.fake.url}/repositories/{number}/{rest}" + (f"?{query}" if query else "")
            return _no(301 if self.method == "GET" else 307, "Moved Permanently", Location=there)
        return self._of(repository, rest) if repository else NOT_FOUND

    def _of(self, repository: Repository, rest: str) -> _Answer:
        if self.method == "POST" and (found := re.fullmatch(r"commits/([0-9a-f]{40})/comments", rest)):
            return self._comment(repository, found[1])
        if self.method != "GET":
            return NOT_FOUND
        if rest == "activity":
            return self._activity(repository)
        if found := re.fullmatch(r"git/(trees|blobs)/([0-9a-f]{40})", rest):
            return self._tree(repository, found[2]) if found[1] == "trees" else self._blob(repository, found[2])
        return NOT_FOUND

    def _activity(self, repository: Repository) -> _Answer:
        assert self.query.get("direction", "desc") == "desc", "this server knows one order"
        entries = [e for e in repository.activity if e["ref"] == self.query.get("ref", e["ref"])]
        cursor = self.query.get("after", "")
        start = int(base64.b64decode(cursor)) if cursor else 0
        return self._paged(entries, start, {"after": base64.b64encode(str(start + self._page).encode()).decode()})

    def _tree(self, repository: Repository, sha: str) -> _Answer:
        if not repository.git("for-each-ref"):
            return _no(409, "Git Repository is empty.")
        if not self._has(repository, sha):
            return NOT_FOUND
        recursive = ["-r", "-t"] if self.query.get("recursive") else []
        listed = repository.git("ls-tree", "-l", "-z", *recursive, sha).decode()
        tree = []
        for line in listed.split("\0")[:-1]:
            about, path = line.split("\t", 1)
            mode, kind, name, size = about.split()
            entry = {"path": path, "mode": mode, "type": kind, "sha": name, "url": "…"}
            tree.append(entry | ({"size": repository.sizes.get(path, int(size))} if kind == "blob" else {}))
        return _json({"sha": sha, "tree": tree, "truncated": repository.truncated and bool(recursive)})

    def _blob(self, repository: Repository, sha: str) -> _Answer:
        if not self._has(repository, sha):
            return NOT_FOUND
        content = repository.git("cat-file", "blob", sha)
        if self.headers.get("Accept") == "application/vnd.github.raw+json":
            return _Answer(200, content)
        return _json({"sha": sha, "encoding": "base64", "content": base64.b64encode(content).decode()})

    def _has(self, repository: Repository, sha: str) -> bool:
        return repository.git("cat-file", "-t", sha, check=False) != b""

    def _comment(self, repository: Repository, sha: str) -> _Answer:
        if WRITE_TOKEN not in self.headers["Authorization"]:
            return _no(403, "Resource not accessible by personal access token")
        if repository.archived:
            return _no(403, "Repository was archived so is read-only.")
        if not self._has(repository, sha):
            return _no(422, f"No commit found for SHA: {sha}")
        repository.comments.append((sha, json.loads(self.body)["body"]))
        return _json({"id": len(repository.comments)}, 201)

    @property
    def _page(self) -> int:
        return min(int(self.query.get("per_page", "30")), self.fake.page)

    def _paged(self, items: list[Any], start: int, following: dict[str, str]) -> _Answer:
        links = {}
        if start + self._page < len(items):
            query = "&".join(f"{key}={value}" for key, value in (self.query | following).items())
            links["Link"] = f'<{self.fake.url}{self.path}?{query}>; rel="next", <{self.fake.url}>; rel="last"'
        return _json(items[start : start + self._page], **links)


def _handler(fake: FakeGitHub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
            fake.requests.append(f"{self.command} {self.path}")
            number = len(fake.requests)
            mishap = fake.mishaps.get(number)
            if mishap is DOWN or (fake.down_from is not None and number >= fake.down_from):
                return
            if mishap is None or mishap is CUT:
                answer = _Server(fake, self.command, self.path, dict(self.headers), body).answer()
            else:
                answer = _no(mishap.status, mishap.message)
                answer.headers.update(mishap.headers)
            self._send(answer, len(answer.content) // 2 if mishap is CUT else len(answer.content))

        do_POST = do_GET  # noqa: N815

        def _send(self, answer: _Answer, length: int) -> None:
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content[:length])
            fake.sent += length

        def date_time_string(self, timestamp: float | None = None) -> str:
            return format_datetime(fake.clock, usegmt=False).replace("+0000", "GMT")

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler
