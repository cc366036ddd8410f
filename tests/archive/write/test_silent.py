"""Games that tell nobody who has sent: their journal has an entry for each letter, with its time."""

from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.archive.format.audience import TO_PUBLIC, Audience
from pbmd.archive.format.plan import NothingToExport
from tests.archive.made import export
from tests.desk.world import NAMES, World


@pytest.mark.parametrize("audience", [TO_PUBLIC, Audience("seat", "Borealis")], ids=str)
def test_have_no_archive_for_players_until_they_are_over(tmp_path: Path, audience: Audience) -> None:
    (tmp_path / "home").mkdir()
    world = World(tmp_path / "home")
    world.start(seats=NAMES[:2], options={"target": 12}, ruleset="count", reminders=(), who_has_sent="nothing")
    world.send("Altair", "Add 5")
    world.pass_time(timedelta(days=4))
    with pytest.raises(NothingToExport, match="tells nobody who has sent"):
        export(world, tmp_path / "archive", audience=audience)
    assert not (tmp_path / "archive").exists()
    export(world, tmp_path / "all")
    world.send("Altair", "Add 9")
    world.pass_time(timedelta(days=4))
    assert world.game().status == "finished"
    export(world, tmp_path / "archive", audience=audience)
    world.close()
