"""Pages: self-contained HTML from templates, written only where their content has changed."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from autograder.files import FileError
from autograder.reports.feedback import plain

TEMPLATES = Path(__file__).resolve().parents[1] / "templates" / "html"


@cache
def environment() -> Environment:
    """Templates escape everything that is not Markup; `|inline` shows the code in a line of text as such."""
    made = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
    made.filters["inline"] = inline
    return made


def inline(text: str) -> Markup:
    """A line of text as HTML: `code` is code, all else, HTML included, is only text."""
    return Markup(_markdown().renderInline(plain(text)))


def digest_of(*parts: Any) -> str:
    """Names a page's content: what it is made from, and the templates."""
    return hashlib.sha256(msgspec.json.encode([parts, _templates()])).hexdigest()[:20]


def write_page(path: Path, template: str, digest: str, content: Mapping[str, Any]) -> bool:
    """Render a template to a file, unless the file already shows this content; says whether it was written.

    Raises FileError.
    """
    if _shows(path, digest):
        return False
    page = environment().get_template(template).render(digest=digest, **content)
    part = path.with_name(f".{path.name[:200]}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_text(page, encoding="utf-8")
        part.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink()
        raise FileError.of(path, error) from None
    return True


def page_name(file: str) -> str:
    """`sub/hw.ipynb` -> `sub__hw.ipynb.html`; no two files share a name.

    A name too long for a file system ends in a digest of it, and so does one that another file could have, too: that
    of `sub__hw.ipynb`.
    """
    name, digest = file.replace("/", "__"), hashlib.sha256(file.encode()).hexdigest()[:12]
    if len(name.encode()) > 200:
        name = name.encode()[:180].decode(errors="ignore") + digest
    elif _folders_in(name) != file:
        name = f"{name}-{digest}"
    return f"{name}.html"


def _folders_in(name: str) -> str:
    """The file that a page's name is read as. Of three underscores the last two are the slash: Moodle's folders end
    in one."""
    return name[::-1].replace("__", "/")[::-1]


def _shows(path: Path, digest: str) -> bool:
    try:
        with path.open(encoding="utf-8") as file:
            return f'content="{digest}"' in file.read(1000)
    except OSError:
        return False


@cache
def _templates() -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted(TEMPLATES.iterdir())]


@cache
def _markdown() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False})
