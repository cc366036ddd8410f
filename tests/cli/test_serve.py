"""`pbmd serve`, as a process of its own."""

import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

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
    world.start("galaxy-7")
    world.close()
    command = [sys.executable, "-m", "pbmd", "serve", "--port", "0", "--settings", str(settings)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, bufsize=1) as serving:
        assert serving.stdout is not None
        try:
            found = re.search(r"(http://127\.0\.0\.1:\d+/)[a-z2-7]{24}/", serving.stdout.readline())
            assert found is not None
            with urlopen(found[0], timeout=120) as answer:
                assert "galaxy-7" in answer.read().decode()
            # Others who are logged in to this machine do not know the word in the address.
            with pytest.raises(HTTPError, match="404"):
                urlopen(found[1], timeout=120)
        finally:
            serving.send_signal(signal.SIGINT)
        assert serving.wait(120) == 0
        assert serving.stderr is not None
        assert "Traceback" not in serving.stderr.read()
