"""Small tables that people keep in a spreadsheet beside the grades: forgiving about form, strict about content."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from autograder.errors import Explained


class SheetError(Explained):
    """A table cannot be used: reads `file:line: problem. Remedy.`"""

    def __init__(self, path: Path, line: int, problem: str, remedy: str) -> None:
        super().__init__(f"{path}:{line}: {problem}. {remedy}.")


@dataclass(frozen=True)
class Row:
    """One row: its place, for messages, and its cells by column."""

    path: Path
    line: int
    cells: dict[str, str]

    def __getitem__(self, column: str) -> str:
        return self.cells[column]

    def error(self, problem: str, remedy: str) -> SheetError:
        """What is wrong with this row."""
        return SheetError(self.path, self.line, problem, remedy)

    def whole_number(self, column: str) -> int:
        """A cell as points. Raises SheetError unless it is a whole number from 0."""
        text = self[column].removesuffix(".0")  # some spreadsheets write every number so
        if not (text.isascii() and text.isdigit() and len(text) < 7):
            raise self.error(
                f"{column}: {self[column]!r} is no whole number from 0", "Points are whole; write for example 3"
            )
        return int(text)


def read_sheet(path: Path, columns: Sequence[str], optional: Sequence[str] = ()) -> list[Row]:
    """The rows of a table with a header, whichever delimiter and byte order mark the spreadsheet chose.

    Empty rows are left out. Raises SheetError for a file that is no such table.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SheetError(path, 1, f"the table cannot be read ({reason})", "Save it as CSV in UTF-8") from None
    first = text.partition("\n")[0]
    told = _TOLD.fullmatch(first)
    delimiter = told[1] if told else max(",;\t", key=first.count)
    try:
        lines = csv.reader(io.StringIO(text), delimiter=delimiter, strict=True)
        if told:
            next(lines)
        header = [name.strip().lower() for name in next(lines, [])]
        missing = [column for column in columns if column not in header]
        if missing:
            raise SheetError(
                path,
                lines.line_num or 1,
                f"there is no column {missing[0]}",
                f"Let the first line name {', '.join([*columns, *optional])}",
            )
        return _rows(path, lines, header, columns, optional)
    except csv.Error as error:
        raise SheetError(path, lines.line_num, f"this is not CSV ({error})", "Save the table as CSV again") from None


_TOLD = re.compile(r'"?sep=([,;\t|])"?[ \t,;]*')
"""The line that Excel writes above a table to tell its delimiter."""


def _rows(path: Path, lines, header: list[str], columns: Sequence[str], optional: Sequence[str]) -> list[Row]:  # type: ignore[no-untyped-def]
    rows = []
    for values in lines:
        padded = [value.strip() for value in values] + [""] * (len(header) - len(values))
        cells = dict.fromkeys(optional, "") | dict(zip(header, padded, strict=False))
        row = Row(path, lines.line_num, cells)
        if not any(padded):
            continue
        empty = [column for column in columns if not cells[column]]
        if empty:
            raise row.error(f"{empty[0]} is empty", "Fill it in, or remove the row")
        rows.append(row)
    return rows
