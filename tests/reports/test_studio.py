"""Maps are drawn in processes of their own: what comes of it, and what does not happen when something goes wrong there."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from pbmd.reports import studio
from pbmd.reports.drawn import Picture, Wanted, draw, wanted_of
from pbmd.reports.studio import MOST_AT_ONCE, Studio
from tests.reports.maps import chart, view_of

PATIENCE = 120


def wanted(title: str, *, png: bool = True) -> Wanted:
    found = wanted_of(view_of(chart(title=title)), png=png)
    assert found is not None
    return found


@pytest.fixture
def drawers() -> Iterator[Studio]:
    found = Studio(1)
    yield found
    found.stop()


def test_the_pictures_are_those_that_are_drawn_here(drawers, full_size_pictures):
    maps = [wanted("One"), wanted("Two", png=False)]
    assert drawers.draw([*maps, maps[0]]) == {each: draw(each) for each in maps}


def test_a_map_that_cannot_be_drawn_is_told_and_the_others_are_drawn(drawers):
    broken = Wanted(b'{"nodes": 3}', png=True)
    found = drawers.draw([broken, wanted("One")])
    assert found[broken].trouble.startswith("MapError in ")
    assert not found[broken].svg
    assert found[wanted("One")].png


def end_this_process(_wanted: Wanted) -> Picture:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def never_end(_wanted: Wanted) -> Picture:
    while True:
        time.sleep(1)


@pytest.mark.parametrize(("what", "told"), [(end_this_process, "ProcessExpired"), (never_end, "TimeoutError")])
def test_a_process_that_ends_or_hangs_costs_one_picture(drawers, monkeypatch, what: Callable[[Wanted], Picture], told: str):
    with monkeypatch.context() as patch:
        patch.setattr(studio, "draw", what)
        patch.setattr(studio, "SECONDS", 1.0)
        found = drawers.draw([wanted("One")])[wanted("One")]
    assert (found.svg, found.png) == ("", None)
    assert found.trouble == f"{told} while it was drawn"
    assert drawers.draw([wanted("One")])[wanted("One")].png


def test_whoever_asked_is_told_when_a_picture_is_drawn_and_need_not_wait():
    told = threading.Event()
    with closing(Closing(Studio(1, on_done=told.set))) as held:
        held.studio.begin(7, [wanted("One")])
        assert told.wait(PATIENCE)
        begun = held.studio.begun(7)
        assert begun is not None
        assert begun.done
        assert begun.pictures()[wanted("One")].png
        held.studio.forget(7)
        assert held.studio.begun(7) is None


class Closing:
    def __init__(self, held: Studio) -> None:
        self.studio = held

    def close(self) -> None:
        self.studio.stop()


def test_there_is_room_for_some_games_only(drawers: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studio, "draw", never_end)
    for game in range(MOST_AT_ONCE):
        assert not drawers.is_full
        drawers.begin(game, [wanted("One")])
    assert drawers.is_full
    drawers.forget(3)
    assert not drawers.is_full


def test_maps_that_nobody_fetches_make_room_for_others() -> None:
    here = Studio()
    for game in (*range(MOST_AT_ONCE), 0, MOST_AT_ONCE, MOST_AT_ONCE + 1):
        assert not here.is_full
        here.begin(game, [wanted("One", png=False)])
    assert [game for game in range(MOST_AT_ONCE + 2) if here.begun(game) is None] == [1, 2]


def test_tries_are_counted():
    here = Studio()
    for tries in range(3):
        here.begin(1, [wanted("One", png=False)])
        begun = here.begun(1)
        assert begun is not None
        assert begun.tries == tries


PROGRAM = """
import sys, time
from pbmd.reports.drawn import wanted_of
from pbmd.reports.studio import Studio
from tests.reports.maps import chart, view_of
if __name__ == "__main__":
    studio = Studio(1)
    studio.draw([wanted_of(view_of(chart(title="One")), png=True)])
    print("drawn", flush=True)
    time.sleep(600)
"""


def test_the_processes_end_with_a_daemon_that_is_killed(tmp_path: Path) -> None:
    program = tmp_path / "daemon.py"
    program.write_text(PROGRAM)
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    daemon: subprocess.Popen[str]
    with subprocess.Popen([sys.executable, program], stdout=subprocess.PIPE, text=True, env=environment) as daemon:
        assert daemon.stdout is not None
        assert daemon.stdout.readline() == "drawn\n"
        children = [int(each) for each in Path(f"/proc/{daemon.pid}/task/{daemon.pid}/children").read_text().split()]
        drawing = [pid for pid in children if b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()]
        assert drawing
        daemon.kill()
    ends = time.monotonic() + PATIENCE
    while any(runs(pid) for pid in drawing):
        assert time.monotonic() < ends
        time.sleep(0.05)


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_it_draws_with_less_claim_to_the_processor(drawers: Studio, monkeypatch: Any) -> None:
    monkeypatch.setattr(studio, "draw", how_nice)
    assert drawers.draw([wanted("One")])[wanted("One")].trouble == str(os.nice(0) + 10)


def how_nice(_wanted: Wanted) -> Picture:
    return Picture(trouble=str(os.nice(0)))
