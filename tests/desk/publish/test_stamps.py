"""Heads stamped by an outside service: asked beside all else, tried again, and never in the way."""

import sys
import time
from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.desk.publish.stamps import NoStamp, proof_of, stamp_due
from pbmd.ledger.tables import Alarm, Stamp
from pbmd.settings import Stamp as Setting
from tests.desk.visitors.test_serve import finish_the_turn
from tests.desk.world import World
from tests.rendering.test_drawing_pool import runs

NOTE = "example.org/games/galaxy-7\n3\nhash\n\n— x y\n"
GOOD = "import sys; sys.stdout.buffer.write(b'\\x30\\x00' + sys.stdin.buffer.read()[:14])"


def command(program: str, **limits: int) -> Setting:
    return Setting(command=(sys.executable, "-S", "-c", program), **limits)


@pytest.fixture
def stamping(world: World) -> World:
    world.settle(stamp={"command": (sys.executable, "-S", "-c", GOOD)})
    world.start(ruleset="count", options={"target": 1000, "die": False}, reminders=())
    return world


class TestTheCommand:
    def test_gets_the_checkpoint_and_gives_the_proof(self) -> None:
        assert proof_of(NOTE, command(GOOD)) == b"0\0" + NOTE.encode()[:14]

    def test_has_no_shell(self, tmp_path: Path) -> None:
        there = tmp_path / "made"
        setting = Setting(command=("echo", f"$(touch {there}); touch {there}", ">", str(there)))
        assert b"$(touch" in proof_of(NOTE, setting)
        assert not there.exists()

    @pytest.mark.parametrize(
        ("program", "why"),
        [
            ("raise SystemExit(3)", "exit code 3"),
            ("pass", "printed nothing"),
            ("while True: print('x' * 10000)", "more than 2 kB"),
        ],
    )
    def test_that_fails_is_said_to(self, program: str, why: str) -> None:
        with pytest.raises(NoStamp, match=why):
            proof_of(NOTE, command(program, kilobytes=2))

    def test_that_is_not_there_is_said_to_be_none(self) -> None:
        with pytest.raises(NoStamp, match="cannot be run: No such file"):
            proof_of(NOTE, Setting(command=("/nowhere/stamp",)))

    def test_that_takes_too_long_is_ended_with_what_it_has_begun(self, tmp_path: Path) -> None:
        begun = tmp_path / "begun"
        child = f"import os, time; open({str(begun)!r}, 'w').write(f'{{os.getpid()}}.'); time.sleep(600)"
        program = f"import subprocess, sys, time; subprocess.Popen([sys.executable, '-S', '-c', {child!r}]); time.sleep(600)"
        for seconds in (1, 5, 25, 125):  # until the machine is quick enough to begin it in that time
            with pytest.raises(NoStamp, match=f"did not end within {seconds} s"):
                proof_of(NOTE, command(program, seconds=seconds))
            if begun.exists() and begun.read_text().endswith("."):
                break
        ends = time.monotonic() + 60
        while runs(int(begun.read_text().removesuffix("."))):
            assert time.monotonic() < ends, "it still runs"
            time.sleep(0.05)


def test_each_report_is_stamped_once(stamping: World) -> None:
    finish_the_turn(stamping)
    assert stamp_due(stamping.desk) == 2
    assert stamp_due(stamping.desk) == 0
    rows = stamping.rows(Stamp)
    assert [row.proof[:2] for row in rows] == [b"0\0", b"0\0"]
    assert [row.note.split("\n")[1] for row in rows] == [str(row.entry) for row in rows]


def test_nothing_is_asked_for_unless_it_is_set(world: World) -> None:
    world.count()
    assert world.rows(Stamp) == []
    assert stamp_due(world.desk) == 0


def test_what_fails_is_an_alarm_and_tried_again_and_the_game_goes_on(stamping: World) -> None:
    stamping.settle(stamp={"command": ("/nowhere/stamp",)})
    assert stamp_due(stamping.desk) == 0
    finish_the_turn(stamping)
    [alarm] = [row for row in stamping.rows(Alarm) if row.kind == "stamp"]
    assert alarm.ended is None
    assert "cannot be run" in stamping.log("alarm")[0].detail
    stamping.settle(stamp={"command": (sys.executable, "-S", "-c", GOOD)})
    assert stamp_due(stamping.desk) == 1, "only that of the new turn is due"
    stamping.now += timedelta(minutes=11)
    assert stamp_due(stamping.desk) == 1
    assert all(row.proof for row in stamping.rows(Stamp))
    [alarm] = [row for row in stamping.rows(Alarm) if row.kind == "stamp"]
    assert alarm.ended is not None


def test_it_is_given_up_after_a_week(stamping: World) -> None:
    stamping.settle(stamp={"command": ("/nowhere/stamp",)})
    for _ in range(20):
        stamp_due(stamping.desk)
        stamping.now += timedelta(days=1)
    [row] = stamping.rows(Stamp)
    assert (row.tries, row.next_try_at) == (11, None)
