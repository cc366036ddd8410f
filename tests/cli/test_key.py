"""`pbmd key`: by which key a game's checkpoints are signed."""

import json
from pathlib import Path

from pbmd.archive.evidence.claims import claims_of_mail
from tests.archive.made import world_of_commands
from tests.cli.conftest import Home


def test_it_is_the_key_that_stands_beside_the_checkpoints_in_reports(tmp_path: Path) -> None:
    world = world_of_commands(tmp_path / "home")
    world.start(ruleset="count")
    [key] = claims_of_mail(world.outbox("report", "Altair")[-1].raw).keys
    world.close()
    home = Home(tmp_path / "home")
    assert json.loads(home.good("key", "--json")) == {"games": [{"game": "galaxy-7", "key": str(key)}]}
    assert home.good("key", "galaxy-7") == f"galaxy-7\n    {key}\n"


def test_no_game_has_no_key(tmp_path: Path) -> None:
    home = Home(tmp_path)
    home.write_settings()
    assert home.good("key") == "There is no game yet.\n"
    assert 'there is no game "x"' in home.problem("key", "x")
