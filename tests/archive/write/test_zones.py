"""Time zones tell where players live."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbmd.archive.write.anonymous import without_zones
from pbmd.terms.times import describe_time
from tests.archive.made import export, verified
from tests.desk.world import NAMES, World


def test_are_nowhere_in_an_anonymised_archive_and_its_turns_can_be_resolved_again(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    world = World(tmp_path / "home")
    world.start(seats=NAMES[:2], options={"target": 99}, ruleset="count", reminders=())
    for seat, zone in zip(NAMES[:2], ("Asia/Tokyo", "America/St_Johns"), strict=True):
        with world.changed(seat) as changed:
            changed.timezone = zone
    for _ in range(2):
        for seat in NAMES[:2]:
            world.send(seat, "Add 3")
        world.pass_time(timedelta(days=4))
    found = []
    for anonymised in (False, True):
        archive = export(world, tmp_path / str(anonymised), anonymised=anonymised)
        files = [path for path in (archive / "data").rglob("*") if path.is_file()]
        found.append([path for path in files if b"Tokyo" in path.read_bytes() or b"Johns" in path.read_bytes()])
    assert any(path.suffix == ".html" for path in found[0])
    assert found[1] == []
    assert verified(archive).checked["turns resolved alone"] == 2
    world.close()


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/St_Johns", "Etc/GMT+12", "America/Port-au-Prince", "UTC"])
@pytest.mark.parametrize("seconds", [False, True])
def test_are_taken_out_as_times_are_written(zone: str, seconds: bool) -> None:
    at = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)
    assert without_zones(describe_time(at, zone, seconds=seconds)) == describe_time(at, seconds=seconds)
