"""The cage holds: nothing in it reaches what is outside, so the naive grader may be shown at work beside others."""

from __future__ import annotations

import os
import select
import socket
import subprocess
import sys

import pytest

from .cage import as_user, walls

pytestmark = pytest.mark.skipif(not walls(), reason="there are no namespaces to be had here")

KILL_ALL = "import os; assert os.getpid() == 1, 'not caged'; os.fork() or os.kill(-1, 9); os.wait()"
"""Whoever is first in a cage is process 1, as nobody is who is started from here: without a cage this does nothing."""


def caged(program: str, uid: str = "", holds: int = 0) -> subprocess.CompletedProcess[str]:
    command = [*walls(), *as_user(uid), sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, pass_fds=[holds])


def test_who_kills_everybody_kills_nobody_outside():
    with subprocess.Popen(["sleep", "60"]) as bystander:
        ended = caged(KILL_ALL)
        assert "not caged" not in ended.stderr
        assert bystander.poll() is None
        bystander.kill()


def test_what_is_left_running_goes_with_the_cage():
    reader, writer = os.pipe()
    try:
        daemon = "import subprocess; subprocess.Popen(['sleep', '60'], start_new_session=True, pass_fds=[{writer}])"
        assert caged(daemon.format(writer=writer), holds=writer).returncode == 0
        os.close(writer)
        assert select.select([reader], [], [], 10)[0], "nobody holds the other end"
    finally:
        os.close(reader)


def test_nobody_outside_can_be_seen_or_called():
    seen = caged("import os; print(sorted(int(p) for p in os.listdir('/proc') if p.isdecimal()))").stdout
    assert seen == "[1]\n"
    connect = "import socket; socket.create_connection(('127.0.0.1', {port}), 1)"
    with socket.create_server(("127.0.0.1", 0)) as server:
        ran = caged(connect.format(port=server.getsockname()[1]))
        assert "unreachable" in ran.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root is left behind")
def test_root_is_left_behind():
    assert caged("import os; print(os.getuid(), os.getgroups())", uid="60999").stdout == "60999 []\n"
    assert "denied" in caged("open('/etc/passwd', 'a')", uid="60999").stderr
