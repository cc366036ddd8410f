"""The files with which a machine runs pbmd by itself: a unit for systemd, a rule for logrotate."""

import getpass
import re
import shutil
import sys
from pathlib import Path

from pbmd.resources import folder


def unit(directory: Path) -> str:
    """The unit of the daemon whose settings are in that folder (an absolute path), run by whoever writes it."""
    text = (folder("deploy") / "pbmd.service").read_text(encoding="utf-8")
    text = text[text.index("[Unit]") :]  # above it stands how to install it by hand
    place = _escaped(directory)
    program = shutil.which("pbmd") or f"{sys.executable} -m pbmd"
    changes = {
        r"^ExecStart=.*$": f"ExecStart={program} run --settings {place}/pbmd.toml",
        r"^User=.*\nGroup=.*\n": f"User={getpass.getuser()}\n",
        r"^StateDirectory=.*\nStateDirectoryMode=.*\n": f"WorkingDirectory={place}\nReadWritePaths={place}\n",
    }
    if any(path.is_relative_to(home) for path in (directory, Path(program)) for home in ("/home", "/root")):
        changes[r"^ProtectHome=.*$"] = "ProtectHome=no"
    for there, here in changes.items():
        text, found = re.subn(there, lambda _, here=here: here, text, flags=re.MULTILINE)
        assert found == 1, there
    return text


def log_rotation(directory: Path) -> str:
    """The rule that keeps two years of the dashboard log, a file a month. pbmd finds out by itself that the file was moved."""
    return f"""\
"{directory}/data/dashboard.log" "{directory}/data/dashboard.jsonl" {{
    su {getpass.getuser()} {getpass.getuser()}
    monthly
    rotate 24
    compress
    delaycompress
    missingok
    notifempty
    nocreate
}}
"""


def _escaped(path: Path) -> str:
    """A path in a unit: a percent sign begins something else there, and so does a blank."""
    return str(path).replace("%", "%%").replace("\\", "\\\\").replace(" ", "\\x20")
