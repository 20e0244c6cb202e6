"""The pictures of docs/feedback.md: the sample class of Lab 1, graded and opened in Chromium.

    python scripts/screenshots.py

Needs Debian's chromium. What is shown are the pages as they are: take the pictures again when these change.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "tests" / "submissions" / "numpy_block"
IMAGES = ROOT / "docs" / "images"
MOST_BYTES = 150_000
OPTIONS = ["--no-sandbox"] if os.geteuid() == 0 else []


@dataclass(frozen=True)
class Picture:
    """One page of the graded class, in a window of some size, from the element `top` on."""

    name: str
    page: str
    width: int
    height: int
    scheme: str = "light"
    top: str = "body"


PICTURES = (
    Picture("report", "report.html", 1000, 800),
    Picture("report-rows", "report.html", 1000, 620, top="#look"),
    Picture("feedback", "feedback/renamed.ipynb.html", 820, 800),
    Picture("feedback-cause", "feedback/sample variance.ipynb.html", 820, 700, top="#look"),
    Picture("feedback-phone", "feedback/relu.ipynb.html", 390, 780, "dark", top="#look"),
)


def main() -> None:
    IMAGES.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        out = Path(folder)
        command = [sys.executable, "-m", "autograder", "grade", str(SAMPLE), "-o", str(out), "--published"]
        subprocess.run(command, cwd=ROOT, check=False)  # two of the class cannot be read: that is exit status 1
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=OPTIONS)
        for picture in PICTURES:
            take(browser, picture, out)
        browser.close()


def take(browser: Browser, picture: Picture, out: Path) -> None:
    """Write one picture, and see that it is no larger than a page of documents should load."""
    size = {"width": picture.width, "height": picture.height}
    page = browser.new_page(viewport=size, color_scheme=picture.scheme)
    page.goto((out / picture.page).as_uri())
    page.evaluate("id => document.querySelector(id).scrollIntoView()", picture.top)
    target = IMAGES / f"{picture.name}.png"
    page.screenshot(path=target)
    page.close()
    bytes_ = target.stat().st_size
    print(f"{target.relative_to(ROOT)}: {bytes_ // 1000} kB")
    if bytes_ > MOST_BYTES:
        raise SystemExit(f"{target} is larger than {MOST_BYTES // 1000} kB: make its window smaller")


if __name__ == "__main__":
    main()
