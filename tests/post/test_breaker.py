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


def test_a_connection_that_is_cut_is_not_let_go_of_meanwhile() -> None:
    """Else its number could be that of another connection already when it is cut."""
    cutting, released = threading.Event(), threading.Event()
    numbers: list[int] = []

    class Slow(socket.socket):
        def shutdown(self, how: int) -> None:
            cutting.set()
            released.wait(0.2)
            numbers.append(self.fileno())
            super().shutdown(how)

    ours, theirs = socket.socketpair()
    theirs.settimeout(5)
    breaker = Breaker()
    with Slow(fileno=ours.detach()) as slow, theirs:
        breaker.hold(slow)
        with breaker.deadline(0.05):
            assert cutting.wait(5)
            breaker.release()
            released.set()
        assert theirs.recv(1) == b""
    assert numbers
    assert numbers[0] >= 0


def test_a_connection_that_was_made_too_late_is_not_used(line: tuple[Breaker, socket.socket]) -> None:
    """Nothing would cut it any more."""
    _, ours = line
    late = Breaker()
    with late.deadline(0.05):
        time.sleep(0.3)
        assert late.tripped
        with pytest.raises(TimeoutError):
            late.hold(ours)
    assert ours.fileno() == -1
