"""The token for GitHub: read from one environment variable, and taken out of it: no process started later has it.

It is never an argument, for every user of a machine can list those; and never asked for where students' code will run.
"""

from __future__ import annotations

import os

from autograder.errors import Explained

TOKEN = "AUTOGRADER_GITHUB_TOKEN"


class CredentialError(Explained):
    """There is no token, or none that can be used; the text says what to do."""


def token_from_environment() -> str:
    """The token, which leaves the environment. Raises CredentialError."""
    token = forget_token().strip()
    if not token:
        raise CredentialError(
            f"there is no token in the environment variable {TOKEN}. docs/github.md says how to make one."
        )
    if not (token.isascii() and token.isprintable()) or " " in token:
        raise CredentialError(f"what {TOKEN} holds is no token. Copy it again, without quotes and line breaks.")
    return token


def forget_token() -> str:
    """Take the token out of the environment, if it is there: graders and sandboxes start without it."""
    return os.environ.pop(TOKEN, "")
