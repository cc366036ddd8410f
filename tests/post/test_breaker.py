"""The deadlines under which every step with a mail server runs."""

import socket
import threading
import time
from collections.abc import Iterator

import pytest

from pbmd.post.breaker import Breaker


@pytest.fixture
def line() -> Iterator[tuple[Breaker, socket.socket]]:
    """A connection whose other end says nothing, and its breaker."""
    ours, theirs = socket.socketpair()
    ours.settimeout(60)  # for a breaker that does nothing
    breaker = Breaker()
    breaker.hold(ours)
    with ours, theirs:
        yield breaker, ours
    breaker.release()


def test_a_read_that_takes_too_long_is_cut(line: tuple[Breaker, socket.socket]) -> None:
    breaker, ours = line
    begun = time.monotonic()
    with breaker.deadline(0.1):
        assert ours.recv(1) == b""
    assert breaker.tripped
    assert 0.1 <= time.monotonic() - begun < 60


def test_a_short_deadline_is_kept_while_a_long_one_runs(line: tuple[Breaker, socket.socket]) -> None:
    breaker, ours = line
    with Breaker().deadline(600), Breaker().deadline(300), breaker.deadline(0.1):
        assert ours.recv(1) == b""
    assert breaker.tripped


def test_a_long_deadline_is_kept_after_shorter_ones(line: tuple[Breaker, socket.socket]) -> None:
    breaker, ours = line
    with Breaker().deadline(0.05):
        time.sleep(0.1)
    with Breaker().deadline(0.1):
        pass
    with breaker.deadline(0.3):
        assert ours.recv(1) == b""
    assert breaker.tripped


def test_what_was_done_in_time_is_not_cut_later(line: tuple[Breaker, socket.socket]) -> None:
    breaker, ours = line
    with breaker.deadline(1):
        pass
    time.sleep(1.2)
    assert not breaker.tripped
    assert ours.send(b"x") == 1


def test_each_line_has_its_own_deadline(line: tuple[Breaker, socket.socket]) -> None:
    breaker, ours = line
    other = Breaker()
    with other.deadline(600), breaker.deadline(0.05):
        assert ours.recv(1) == b""
        assert not other.tripped


def test_many_deadlines_need_one_thread() -> None:
    def step() -> None:
        with Breaker().deadline(600):
            pass

    step()
    before = set(threading.enumerate())
    for _ in range(50):
        step()
    assert set(threading.enumerate()) <= before


def test_a_connection_that_is_released_while_it_is_cut_harms_no_other(line: tuple[Breaker, socket.socket]) -> None:
    class Vanishing(Breaker):
        """Its user lets go of the connection the moment after it was seen to be there."""

        held: socket.socket | None = None
        looks = 0

        @property
        def _handle(self) -> socket.socket | None:  # pyright: ignore[reportIncompatibleVariableOverride]
            self.looks += 1
            return self.held if self.looks == 1 else None

        @_handle.setter
        def _handle(self, handle: socket.socket | None) -> None:
            self.held = handle

    breaker, ours = line
    released = Vanishing()
    released.hold(ours)
    with breaker.deadline(0.3), released.deadline(0.05):
        assert ours.recv(1) == b""
    with Breaker().deadline(600), breaker.deadline(0.1):
        time.sleep(0.5)
    assert breaker.tripped
    assert released.held
    released.held.close()
