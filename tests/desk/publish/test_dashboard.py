"""The pages are kept up to date beside everything else."""

import threading
import time
from pathlib import Path

from pbmd.desk.changes import pauses
from pbmd.desk.publish import dashboard
from pbmd.desk.publish.dashboard import dashboard_source, show_on
from tests.desk.world import World


def test_they_are_written_at_once_and_again_at_the_end(running: World, monkeypatch) -> None:
    monkeypatch.setattr(dashboard, "PAUSE_SECONDS", 600.0)
    page = dashboard_source(running.desk).folder / "games" / "galaxy-7" / "index.html"
    stopping = threading.Event()
    written = threading.Event()
    thread = threading.Thread(target=show_on, args=(running.desk, stopping, written))
    thread.start()
    try:
        _wait_for(page)
        running.act("galaxy-7", pauses.pause, "a journey")
        written.set()
        assert "a journey" not in page.read_text("utf-8")
    finally:
        stopping.set()
        written.set()
        thread.join()
    assert "a journey" in page.read_text("utf-8")


def test_writing_them_takes_a_small_share_of_the_time(running: World, monkeypatch) -> None:
    waits: list[float] = []

    class Stopping(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            waits.append(timeout or 0)
            return len(waits) > 2

    def slow(_: object) -> bool:
        time.sleep(0.2)
        return True

    monkeypatch.setattr(dashboard, "show", slow)
    written = threading.Event()
    monkeypatch.setattr(written, "wait", lambda _: True)
    show_on(running.desk, Stopping(), written)
    assert waits[0] == 0
    assert all(wait >= 0.2 * dashboard.SHARE for wait in waits[1:])


def test_an_end_in_the_instant_before_they_are_looked_at_is_not_slept_through(running: World, monkeypatch) -> None:
    stopping, waits = threading.Event(), list[float]()

    class Written(threading.Event):
        def clear(self) -> None:
            stopping.set()
            self.set()
            super().clear()

        def wait(self, timeout: float | None = None) -> bool:
            waits.append(timeout or 0)
            return self.is_set()

    monkeypatch.setattr(dashboard, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(dashboard, "show", lambda _: True)
    show_on(running.desk, stopping, Written())
    assert waits == []


def _wait_for(path: Path) -> None:
    give_up = time.monotonic() + 60
    while not path.exists():
        assert time.monotonic() < give_up
        time.sleep(0.01)
