"""Maps are drawn in processes of their own: what comes of it, and what does not happen when something goes wrong there."""

import multiprocessing
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from pebble import ProcessFuture, ProcessPool

from pbmd.rendering import drawing_pool
from pbmd.rendering.drawing_jobs import Picture, Wanted, draw, wanted_of
from pbmd.rendering.drawing_pool import MOST_AT_ONCE, Studio
from tests.rendering.maps import chart, view_of

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


def toil_for_ever(_wanted: Wanted) -> Picture:
    while True:
        pass


ENDS_OR_HANGS = [(end_this_process, "ProcessExpired"), (toil_for_ever, "ProcessExpired"), (never_end, "TimeoutError")]


@pytest.mark.parametrize(("what", "told"), ENDS_OR_HANGS)
def test_a_process_that_ends_or_hangs_costs_one_picture(drawers, monkeypatch, what: Callable[[Wanted], Picture], told: str):
    with monkeypatch.context() as patch:
        patch.setattr(drawing_pool, "draw", what)
        patch.setattr(drawing_pool, "SECONDS", 0.5)
        patch.setattr(drawing_pool, "SILENT_SECONDS", 1.0 if what is never_end else PATIENCE)
        found = drawers.draw([wanted("One")])[wanted("One")]
    assert (found.svg, found.png) == ("", None)
    assert found.trouble == f"{told} while it was drawn"
    assert drawers.draw([wanted("One")])[wanted("One")].png


def wait_for_a_processor(wanted: Wanted) -> Picture:
    """As on a busy machine: time passes, and nothing is used of the processor's."""
    time.sleep(1.5)
    return draw(wanted)


def test_who_waits_for_a_processor_takes_no_time(drawers: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    drawers.draw([wanted("Before")])  # what is imported for the first takes more
    monkeypatch.setattr(drawing_pool, "draw", wait_for_a_processor)
    monkeypatch.setattr(drawing_pool, "SECONDS", 1.0)
    assert drawers.draw([wanted("One")])[wanted("One")].png


def test_a_picture_whose_process_is_ended_from_outside_is_drawn_by_another(
    drawers: Studio, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(drawing_pool, "draw", partial(end_once, str(tmp_path / "ended")))
    assert drawers.draw([wanted("One")])[wanted("One")].png


def end_once(mark: str, wanted: Wanted) -> Picture:
    if not Path(mark).exists():
        Path(mark).touch()
        end_this_process(wanted)
    return draw(wanted)


@pytest.mark.parametrize("processes", [1, 2])
def test_a_process_that_is_ended_while_it_has_nothing_to_do_costs_nothing(processes: int) -> None:
    with closing(Closing(Studio(processes))) as held:
        before = drawing_children()
        assert held.studio.draw([wanted("One")])[wanted("One")].png
        idle = drawing_children() - before
        assert len(idle) == processes
        os.kill(min(idle), signal.SIGKILL)
        wait_until(lambda: not runs(min(idle)))
        assert held.studio.draw([wanted("Two")])[wanted("Two")].png
    wait_until(lambda: not idle & drawing_children())


def test_what_comes_to_a_pool_in_the_instant_in_which_it_breaks_is_drawn_by_another(monkeypatch: pytest.MonkeyPatch) -> None:
    schedule = ProcessPool.schedule

    def lose(pool: ProcessPool, *_args: Any, **_more: Any) -> ProcessFuture:
        monkeypatch.setattr(ProcessPool, "schedule", schedule)
        pool.stop()  # it is as useless as one whose process is ended just now
        return ProcessFuture()

    with closing(Closing(Studio(1))) as held:
        assert held.studio.draw([wanted("One")])[wanted("One")].png
        monkeypatch.setattr(ProcessPool, "schedule", lose)
        assert held.studio.draw([wanted("Two")])[wanted("Two")].png


def drawing_children() -> set[int]:
    """The processes of this one that draw, or wait for something to draw."""
    return {child.pid or 0 for child in multiprocessing.active_children() if child.name.startswith("pebble")}


def wait_until(condition: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < ends, "waited too long"
        time.sleep(0.05)


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
    monkeypatch.setattr(drawing_pool, "draw", never_end)
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
from pbmd.rendering.drawing_jobs import wanted_of
from pbmd.rendering.drawing_pool import Studio
from tests.rendering.maps import chart, view_of
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
    wait_until(lambda: not any(runs(pid) for pid in drawing))


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def test_it_draws_with_less_claim_to_the_processor(drawers: Studio, monkeypatch: Any) -> None:
    monkeypatch.setattr(drawing_pool, "draw", how_nice)
    assert drawers.draw([wanted("One")])[wanted("One")].trouble == str(min(19, os.nice(0) + 10))


def how_nice(_wanted: Wanted) -> Picture:
    return Picture(trouble=str(os.nice(0)))
