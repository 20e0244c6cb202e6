"""GitHub's REST API, as much of it as staff need: asking, waiting when told to, and saying what went wrong.

The token goes into one header of requests to one server, and nowhere else: no error shows it, and neither a redirect
nor a link to a next page carries it to another server.
"""

from __future__ import annotations

import contextlib
import email.utils
import http.client
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.message import Message
from typing import IO, TypeVar

import msgspec

from autograder.credential import TOKEN
from autograder.errors import Explained

T = TypeVar("T")

PUBLIC = "https://api.github.com"
JSON, RAW = "application/vnd.github+json", "application/vnd.github.raw+json"
VERSION = "2022-11-28"
PAGE = 100
MOST_BYTES = 100 * 1024 * 1024
"""Of one answer; GitHub's own limit for a file."""

SECONDS = 30
"""In which an answer must begin, and each next piece of it come."""

ATTEMPTS = 4
"""To get an answer over a bad connection."""

PATIENCE = 15 * 60
"""Seconds that one run waits, in all, for limits to pass."""

UNSAID = 60
"""Seconds to wait at a limit of which GitHub does not say how long it lasts; twice as long each further time."""


NEVER = datetime.min.replace(tzinfo=UTC)


class GitHubError(Explained):
    """GitHub cannot be asked; the text says why, and what to do."""


class Refused(GitHubError):
    """GitHub answered, and the answer is no: what was asked for is not there, or not for this token."""

    def __init__(self, status: int, said: str, asked: str) -> None:
        self.status, self.said = status, said
        super().__init__(f"GitHub answers {status} ({said}) to {asked}. {_REMEDIES.get(status, _ANY)}")


_REMEDIES = {
    401: f"Put a token into {TOKEN} that is valid today.",
    403: "Give the token the permissions that docs/github.md lists, for this organisation's repositories.",
    404: "Look at the names, and whether the token may see these repositories.",
}
_ANY = "Try again later, or ask GitHub's support."


class _BrokenError(Exception):
    """The connection, or the server, did not hold: worth another attempt. `refused` is what it said, if it did."""

    def __init__(self, problem: str, refused: Refused | None = None) -> None:
        self.refused = refused
        super().__init__(problem)


class _LimitedError(Exception):
    """A rate limit: `seconds` until it has passed, None where GitHub does not say."""

    def __init__(self, seconds: float | None) -> None:
        self.seconds = seconds


@dataclass(frozen=True)
class Reply:
    """An answer: its headers, and its content as it came."""

    headers: Message
    content: bytes


@dataclass
class Api:
    """One server and one token. `time` is the server's, as of its last answer."""

    url: str
    token: str = field(repr=False)
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)
    patience: float = PATIENCE
    time: datetime = NEVER

    def __post_init__(self) -> None:
        self.url = self.url.rstrip("/")
        parts = urllib.parse.urlsplit(self.url)
        if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in ("127.0.0.1", "localhost")):
            raise GitHubError(f"{self.url}: this is no https address, and a token must not travel without. Mend --api.")
        self._opener = urllib.request.build_opener(_SameServer)

    def get(self, path: str, type: type[T], query: Mapping[str, str] | None = None) -> T:
        """What lies at a path. Raises Refused, or GitHubError."""
        return self._decoded(self._ask("GET", self._address(path, query)), type)

    def pages(self, path: str, type: type[T], query: Mapping[str, str] | None = None) -> Iterator[T]:
        """The items of a list, page after page, each page when its first item is asked for."""
        address: str | None = self._address(path, {**(query or {}), "per_page": str(PAGE)})
        while address is not None:
            reply = self._ask("GET", address)
            yield from self._decoded(reply, list[type])  # type: ignore[valid-type]
            address = _next(reply.headers.get("Link", ""))

    def raw(self, path: str) -> bytes:
        """A file's bytes."""
        return self._ask("GET", self._address(path), accept=RAW).content

    def post(self, path: str, body: Mapping[str, str]) -> None:
        """Make something, once: where the connection breaks, nobody knows whether it was made, and it is an error."""
        self._ask("POST", self._address(path), body=msgspec.json.encode(body))

    def _address(self, path: str, query: Mapping[str, str] | None = None) -> str:
        return f"{self.url}/{path}" + (f"?{urllib.parse.urlencode(query)}" if query else "")

    def _ask(self, method: str, address: str, accept: str = JSON, body: bytes | None = None) -> Reply:
        """Ask until there is an answer, as long as that makes sense."""
        if _server(address) != _server(self.url):
            raise GitHubError(f"{self.url} sends us on to {_server(address)}, where the token must not go. Mend --api.")
        broken = limited = 0
        while True:
            try:
                return self._once(method, address, accept, body)
            except _LimitedError as limit:
                self._wait(UNSAID * 2**limited if limit.seconds is None else limit.seconds)
                limited += 1
            except _BrokenError as error:
                broken += 1
                if method != "GET" or broken == ATTEMPTS:
                    raise error.refused or GitHubError(
                        f"the connection to {_server(self.url)} does not hold ({error}). What is done is kept: "
                        "the same command goes on from there."
                    ) from None
                self.sleep(2**broken)

    def _once(self, method: str, address: str, accept: str, body: bytes | None) -> Reply:
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Accept": accept,
            "X-GitHub-Api-Version": VERSION,
            "User-Agent": "autograder",
        }
        request = urllib.request.Request(address, data=body, headers=headers, method=method)
        with _breaking():
            try:
                with self._opener.open(request, timeout=SECONDS) as response:
                    return self._read(response, response.headers)
            except urllib.error.HTTPError as error:
                with error:
                    reply = self._read(error, error.headers)
                raise self._refusal(error.code, reply, f"{method} {urllib.parse.urlsplit(address).path}") from None

    def _read(self, response: IO[bytes], headers: Message) -> Reply:
        with contextlib.suppress(TypeError, ValueError):
            self.time = email.utils.parsedate_to_datetime(headers["Date"]).replace(tzinfo=UTC)
        content = response.read(MOST_BYTES + 1)
        if len(content) > MOST_BYTES:
            raise GitHubError(f"{_server(self.url)} sends more than GitHub ever would. Look at --api.")
        announced = headers.get("Content-Length", "")
        if announced.isdecimal() and len(content) < int(announced):
            raise _BrokenError("the answer was cut off")
        return Reply(headers, content)

    def _refusal(self, status: int, reply: Reply, asked: str) -> Exception:
        said = _message(reply.content)
        refused = Refused(status, said.replace(self.token, "…"), asked)
        if status >= 500:
            return _BrokenError(f"it answers {status}", refused)
        if status in (403, 429):
            after, left = reply.headers.get("Retry-After"), reply.headers.get("X-RateLimit-Remaining")
            if after is not None and after.isdecimal():
                return _LimitedError(float(after))
            if left == "0":
                return _LimitedError(self._until(reply.headers.get("X-RateLimit-Reset", "")))
            if status == 429 or "rate limit" in said.lower():
                return _LimitedError(None)
        return refused

    def _until(self, reset: str) -> float | None:
        """Seconds from the server's now to the second that it names."""
        return max(float(reset) - self.time.timestamp(), 0) + 1 if reset.isdecimal() else None

    def _wait(self, seconds: float) -> None:
        seconds = max(seconds, 1)
        if seconds > self.patience:
            raise GitHubError(
                f"GitHub's limit for this token is reached; it asks us to come back in {-(-seconds // 60):.0f} "
                "minutes. What is done is kept: the same command then goes on from there."
            )
        self.patience -= seconds
        self.sleep(seconds)

    def _decoded(self, reply: Reply, type: type[T]) -> T:
        try:
            return msgspec.json.decode(reply.content, type=type)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise GitHubError(f"{self.url} does not answer as GitHub does ({error}). Look at --api.") from None


class _SameServer(urllib.request.HTTPRedirectHandler):
    """Follows to where a renamed repository lies now; the token never goes to another server."""

    def redirect_request(
        self, req: urllib.request.Request, fp: IO[bytes], code: int, msg: str, headers: Message, newurl: str
    ) -> urllib.request.Request | None:
        if _server(newurl) != _server(req.full_url) or (req.get_method() != "GET" and code not in (307, 308)):
            return None
        carried = {name: value for name, value in req.header_items() if name not in ("Host", "Content-length")}
        return urllib.request.Request(newurl, data=req.data, headers=carried, method=req.get_method())


@contextlib.contextmanager
def _breaking() -> Iterator[None]:
    """Whatever can happen to a connection is a _BrokenError."""
    try:
        yield
    except urllib.error.URLError as error:
        raise _BrokenError(str(error.reason)) from None
    except (OSError, http.client.HTTPException) as error:
        raise _BrokenError(str(error) or type(error).__name__) from None


def _server(address: str) -> str:
    parts = urllib.parse.urlsplit(address)
    return f"{parts.scheme}://{parts.netloc}"


def _next(links: str) -> str | None:
    found = re.search(r'<([^>]*)>;\s*rel="next"', links)
    return found[1] if found else None


def _message(content: bytes) -> str:
    """What GitHub says about a refusal, in one line fit to be printed."""
    try:
        said = msgspec.json.decode(content).get("message")
    except (msgspec.MsgspecError, UnicodeDecodeError, AttributeError):
        said = None
    return "".join(c if c.isprintable() else " " for c in str(said or "no reason given"))[:200]
