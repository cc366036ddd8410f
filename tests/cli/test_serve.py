"""`pbmd serve`, as a process of its own."""

import re
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from pbmd.desk.books.server_key import KEY
from tests.cli.interruptible import interrupt, running
from tests.desk.world import World


def test_it_shows_the_pages_until_it_is_stopped(tmp_path: Path) -> None:
    settings = tmp_path / "pbmd.toml"
    settings.write_text(
        '[server]\naddress = "games@pbmd.test"\ngm = "gm@pbmd.test"\ndata = "data"\n'
        '[imap]\nhost = "localhost"\nuser = "games"\npassword = "secret"\n[smtp]\nhost = "localhost"\n'
    )
    data = tmp_path / "data"
    data.mkdir()
    world = World(data)
    (data / KEY).write_bytes(world.desk.key)
    world.start("galaxy-7")
    world.close()
    with running("serve", "--port", "0", "--settings", str(settings)) as serving:
        assert serving.stdout is not None
        assert serving.stderr is not None
        found = re.search(r"(http://127\.0\.0\.1:\d+/)[a-z2-7]{24}/", serving.stdout.readline())
        assert found is not None
        with urlopen(found[0], timeout=120) as answer:
            assert "galaxy-7" in answer.read().decode()
        # Others who are logged in to this machine do not know the word in the address.
        with pytest.raises(HTTPError, match="404"):
            urlopen(found[1], timeout=120)
        assert interrupt(serving) == 0
        assert "Traceback" not in serving.stderr.read()
