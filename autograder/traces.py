"""Whether something of a call may outlive it.

A function that keeps something (in a global, in a default that is a list, in a file) may answer the next call
differently, so a notebook's checks run in copies of its process that have seen no other call. Where nothing can be
kept, the notebook's own process answers them all, which takes half the time.

This is told by the text alone, and on the safe side: what is not known to keep nothing is taken to keep something.
That costs such a notebook milliseconds, and never a point.
"""

from __future__ import annotations

import builtins
from collections.abc import Collection, Iterable

from autograder.facts import BINDING, facts_of
from autograder.submission import Cell

MOST = 200_000
"""Characters of all cells that are looked into: more of them may keep anything."""

_BUILTINS = frozenset(vars(builtins)) - BINDING - set("__import__ breakpoint compile eval input open".split())
"""Those that functions may use."""


def is_forgetful(cells: Iterable[Cell], given_source: str, asked: Collection[str]) -> bool:
    """Whether no call of the functions in `asked` can find anything of another such call.

    What `given_source` defines is put back to that before the first call, and keeps nothing.
    """
    sources = [cell.source for cell in cells if cell.runs]
    if sum(map(len, sources)) > MOST:
        return False
    given = facts_of(given_source)
    own = [facts_of(source) for source in sources if source.strip() not in given_source]
    if any(facts.keeps for facts in own):
        return False
    loose = given.loose.union(*(facts.loose for facts in own))
    trusted = given.definitions.keys() - loose - {name for facts in own for name in facts.definitions}
    bound = _BUILTINS.union(trusted, *(facts.definitions for facts in own))
    waiting, seen = list(bound.intersection(asked)), set(trusted)
    keeps = not loose.isdisjoint(asked)
    while waiting and not keeps:
        name = waiting.pop()
        if name not in seen:
            seen.add(name)
            found = [facts.definitions[name] for facts in own if name in facts.definitions]
            waiting += (read for definition in found for read in definition.reads)
            keeps = name in loose or name not in bound or any(definition.keeps for definition in found)
    return not keeps
