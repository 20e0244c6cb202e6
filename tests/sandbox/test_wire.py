"""Messages arrive whole, one after another, or not at all."""

from __future__ import annotations

import socket
import threading
import time

import msgspec
import pytest

from autograder.sandbox import codec, wire


def test_frames_arrive_whole_however_they_are_cut() -> None:
    message = wire.Call("f", bytes(range(256)) * 4000, standin=True)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        inbox = wire.Inbox(theirs)
        for receive in (lambda: wire.receive_body(theirs), lambda: inbox.body(10)):
            sender = threading.Thread(target=wire.send, args=(ours, message))
            sender.start()
            assert wire.request_decoder.decode(receive()) == message
            sender.join()
        wire.send(ours, wire.Ready(["a"]))
        wire.send(ours, wire.Ready(["b"]))
        assert wire.reply_decoder.decode(wire.receive_body(theirs)) == wire.Ready(["a"])
        body, fds = wire.receive_body_and_fds(theirs)
        assert wire.reply_decoder.decode(body) == wire.Ready(["b"]) and fds == []
        wire.send(ours, wire.Ready(["c"]))
        wire.send(ours, wire.Ready(["d"]))
        assert wire.reply_decoder.decode(inbox.body(1)) == wire.Ready(["c"]) and inbox.has_more
        assert wire.reply_decoder.decode(inbox.body(1)) == wire.Ready(["d"]) and not inbox.has_more
        ours.sendall(b"\x01")
        ours.close()
        with pytest.raises(EOFError):
            inbox.body(1)
        with pytest.raises(EOFError):
            wire.receive_body(theirs)


def test_a_file_descriptor_travels_beside_its_frame() -> None:
    ours, theirs = socket.socketpair()
    end, other = socket.socketpair()
    with ours, theirs, end, other:
        wire.send(ours, wire.Fork(), (other.fileno(),))
        body, fds = wire.receive_body_and_fds(theirs)
        assert isinstance(wire.request_decoder.decode(body), wire.Fork)
        with socket.socket(fileno=fds[0]) as received:
            received.sendall(b"hello")
            assert end.recv(5) == b"hello"


def test_a_frame_too_large_is_refused_and_one_that_trickles_times_out() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.sendall((codec.MAX_FRAME + 1).to_bytes(4, "little"))
        with pytest.raises(codec.Malformed):
            wire.Inbox(theirs).body(1)
        ours.sendall((1000).to_bytes(4, "little"))
        stop = threading.Event()

        def trickle() -> None:
            while not stop.wait(0.02):
                ours.sendall(b"x")

        thread = threading.Thread(target=trickle)
        thread.start()
        started = time.monotonic()
        with pytest.raises(TimeoutError):
            wire.Inbox(theirs).body(0.3)
        stop.set()
        thread.join()
        assert time.monotonic() - started < 5


LONG = "x" * (wire.MAX_LINE + 1)


@pytest.mark.parametrize(
    "message",
    [
        wire.Ready([LONG]),
        wire.CellRan(LONG, [], ""),
        wire.CellRan(None, [LONG], ""),
        wire.CellRan(None, ["note"] * (wire.MAX_LINES + 1), ""),
        wire.Raised(LONG, "", ""),
        wire.Raised("", LONG, ""),
        wire.Raised("", "", LONG),
        wire.NotThere(LONG, None, ()),
        wire.NotThere("", LONG, ()),
        wire.NotThere("", None, (LONG,)),
        wire.NotThere("", None, ("name",) * (wire.MAX_LINES + 1)),
        wire.Ask(LONG, b""),
    ],
    ids=lambda message: type(message).__name__,
)
def test_a_message_with_a_text_that_is_too_long_is_none(message: wire.Reply) -> None:
    with pytest.raises(msgspec.ValidationError):
        wire.reply_decoder.decode(msgspec.msgpack.encode(message))
