"""The name that was probably meant where one is missing: of those that the notebook's own cells bind."""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Iterable
from itertools import islice

MOST = 1000
"""Names that are looked at."""

_DEFINED = re.compile(r"^(?:async[ \t]+)?(?:def|class)[ \t]+(\w{1,80})\b", re.M)
_ASSIGNED = re.compile(r"^(\w{1,80})[ \t]*=(?!=)", re.M)


def similar_name(name: str, sources: Iterable[str], taken: Collection[str]) -> str:
    """A name that these cells bind at their top, like this one but for case, underscores or a few letters, or short for
    it (`ffn` for `feed_forward`). Empty where there is none."""
    text = "\n".join(sources)
    defined, assigned = (_folded(pattern.finditer(text), {name, *taken}) for pattern in (_DEFINED, _ASSIGNED))
    known = assigned | defined
    close = difflib.get_close_matches(_fold(name), known, 1)
    short = [folded for folded in defined if _is_short_for(folded, name)]
    return next((known[folded] for folded in close + short), "")


def _folded(found: Iterable[re.Match[str]], taken: Collection[str]) -> dict[str, str]:
    """Names by their form without case and underscores."""
    return {_fold(match[1]): match[1] for match in islice(found, MOST) if match[1] not in taken}


def _fold(name: str) -> str:
    return name.replace("_", "").lower()


def _is_short_for(folded: str, name: str) -> bool:
    """Whether it begins as the initials of a name of several words do."""
    initials = "".join(word[0] for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", name)).lower()
    return len(initials) > 1 and len(folded) > 1 and (folded.startswith(initials) or initials.startswith(folded))
