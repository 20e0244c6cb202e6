"""`pytest tests/hidden tests/public --submission FILE`: an option that brings one file's checks under pytest.

Every run of pytest loads this module, so that the rest waits until the option is given.
"""

from __future__ import annotations

from pathlib import Path

import pytest

OPTION, PLUGIN = "submission", "one submission"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option."""
    about = "run the suites of this file's lab on it, its code in the sandbox"
    parser.getgroup("autograder").addoption(f"--{OPTION}", metavar="FILE", type=Path, help=about)


def pytest_configure(config: pytest.Config) -> None:
    """Start the sandbox, where the option is given."""
    file = config.getoption(OPTION)
    if file is not None:
        from autograder.tryout import OneSubmission

        config.pluginmanager.register(OneSubmission(file, config.rootpath), PLUGIN)


def pytest_unconfigure(config: pytest.Config) -> None:
    """End it."""
    plugin = config.pluginmanager.get_plugin(PLUGIN)
    if plugin is not None:
        plugin.close()
