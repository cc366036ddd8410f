"""`pbmd serve --public`, as a process of its own and as nobody should start it."""

import re
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest
from typer.testing import CliRunner

from pbmd.cli import app
from tests.cli.interruptible import interrupt, running
from tests.desk.world import World
from tests.pages.seats import HOME, path_of, with_pages

SETTINGS = (
    '[server]\naddress = "games@pbmd.test"\ngm = "gm@pbmd.test"\ndata = "data"\n'
    '[imap]\nhost = "localhost"\nuser = "games"\npassword = "secret"\n[smtp]\nhost = "localhost"\n'
)


def test_it_shows_a_player_the_pages_of_the_link_and_nothing_of_the_game_master(tmp_path: Path) -> None:
    settings = tmp_path / "pbmd.toml"
    settings.write_text(f'{SETTINGS}[pages]\npublic_url = "{HOME}"\n')
    data = tmp_path / "data"
    data.mkdir()
    world = with_pages(World(data))
    (data / "server.key").write_bytes(world.desk.key)
    world.start("galaxy-7")
    path = path_of(world)
    world.close()
    with running("serve", "--public", "--port", "0", "--settings", str(settings)) as serving:
        assert serving.stdout is not None
        assert serving.stderr is not None
        line = serving.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+", line)
        assert found is not None
        assert f"pass {HOME}/ on to {found[0]}/" in line
        with urlopen(found[0] + path, timeout=120) as answer:
            assert "Altair" in answer.read().decode()
        for other in ("/", "/games/galaxy-7/"):
            with pytest.raises(HTTPError, match="404"):
                urlopen(found[0] + other, timeout=120)
        assert interrupt(serving) == 0
        assert "Traceback" not in serving.stderr.read()


def test_without_an_address_where_players_find_them_it_says_what_is_missing(tmp_path: Path) -> None:
    settings = tmp_path / "pbmd.toml"
    settings.write_text(SETTINGS)
    result = CliRunner().invoke(app, ["serve", "--public", "--settings", str(settings)])
    assert result.exit_code == 2
    assert "set public_url in [pages]" in result.stderr
