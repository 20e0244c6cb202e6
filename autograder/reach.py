"""How far a change of one answer reaches: the questions whose checks may come out otherwise.

Whatever names an answer's functions, in its own answer or in its checks, may call them; whatever names that, too, may
call them by way of it. The other questions are answered and checked as in the master: trying them again for each case
would say nothing.
"""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import NamedTuple

import msgspec

from autograder.course import Lab, Question
from autograder.master import Master

_WORD = re.compile(r"\w+")


class _Link(NamedTuple):
    """Some names that are provided with the help of others: by a question, or by what is given."""

    question: str
    provides: frozenset[str]
    mentions: frozenset[str]


def reached(lab: Lab, master: Master, changed: str) -> Lab:
    """The part of a lab that a change of one question's answer may touch."""
    links = [*_given(master), *_answers(lab, master)]
    names = _names(lab.questions[changed])
    found: set[_Link] = set()
    while more := {link for link in links if names & link.mentions} - found:
        found |= more
        names = names.union(*(link.provides for link in more))
    builders = {name for name in lab.questions if changed in lab.foundations(name)}
    return _part(lab, {changed, *builders, *(link.question for link in found)})


def _answers(lab: Lab, master: Master) -> list[_Link]:
    """Each question with all that its answer and its checks may refer to."""
    links = []
    for question in lab.questions.values():
        suites = map(_text, (lab.public_suite(question.name), lab.hidden_suite(question.name)))
        links.append(_Link(question.name, _names(question), _words(master.solution_source(question.name), *suites)))
    return links


def _given(master: Master) -> list[_Link]:
    """Each given function or class with all that it may refer to."""
    nodes = ast.parse(master.given_source()).body
    defined = [node for node in nodes if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    return [_Link("", frozenset({node.name}), _words(ast.unparse(node))) for node in defined]


def _names(question: Question) -> frozenset[str]:
    return frozenset({*question.functions, *question.values})


def _words(*texts: str) -> frozenset[str]:
    return frozenset(word for text in texts for word in _WORD.findall(text))


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8-sig") if path.is_file() else ""


def _part(lab: Lab, names: set[str]) -> Lab:
    """The lab with only these questions, which build on nothing else."""
    kept = {name: question for name, question in lab.questions.items() if name in names}
    return msgspec.structs.replace(
        lab,
        questions={
            name: msgspec.structs.replace(
                question, builds_on=tuple(base for base in question.builds_on if base in names)
            )
            for name, question in kept.items()
        },
    )
