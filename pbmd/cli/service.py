"""The files with which a machine runs pbmd unattended: a unit for systemd, a rule for logrotate."""

import grp
import os
import pwd
import re
import shutil
import sys
from pathlib import Path

from pbmd.resources import folder

_UNFIT = re.compile(r"""["'\\*?\[\]{}\x00-\x1f\x7f]""")


def fit(directory: Path) -> Path:
    """A folder that can stand in these files. Raises `ValueError`: systemd and logrotate have no common way to write some
    characters."""
    if found := _UNFIT.search(str(directory)):
        raise ValueError(f"{str(directory)!r} has {found[0]!r} in it, for which systemd and logrotate want another folder")
    return directory


def unit(directory: Path) -> str:
    """The unit of the daemon whose settings are in that folder (an absolute path), run by whoever writes it."""
    text = (folder("deploy") / "pbmd.service").read_text(encoding="utf-8")
    text = text[text.index("[Unit]") :]  # above it stands how to install it by hand
    # A percent sign begins something else everywhere, a dollar sign in commands; WorkingDirectory takes no quotation marks.
    place, program = str(directory).replace("%", "%%"), shutil.which("pbmd")
    command = f'"{program}"' if program else f'"{sys.executable}" -m pbmd'
    changes = {
        r"^ExecStart=.*$": f'ExecStart={command.replace("%", "%%")} run --settings "{place}/pbmd.toml"'.replace("$", "$$"),
        r"^User=.*\nGroup=.*\n": f"User={_user()}\n",
        r"^StateDirectory=.*\nStateDirectoryMode=.*\n": f'WorkingDirectory={place}\nReadWritePaths="{place}"\n',
    }
    if any(path.is_relative_to(home) for path in _needed(directory, program) for home in ("/home", "/root")):
        changes[r"^ProtectHome=.*$"] = "ProtectHome=no"
    for there, here in changes.items():
        text, found = re.subn(there, lambda _, here=here: here, text, flags=re.MULTILINE)
        assert found == 1, there
    return text


def log_rotation(directory: Path) -> str:
    """The rule that keeps two years of the dashboard log, a file a month. pbmd finds out by itself that the file was moved."""
    text = (folder("deploy") / "pbmd.logrotate").read_text(encoding="utf-8")
    changes = {'"/var/lib/pbmd/': f'"{directory}/data/', "su pbmd pbmd\n": f"su {_user()} {_group()}\n"}
    for there, here in changes.items():
        assert there in text, there
        text = text.replace(there, here)
    return text


def _needed(directory: Path, program: str | None) -> tuple[Path, ...]:
    """What pbmd reads. The program may be a link to where it was installed, and the interpreter may be somewhere else again."""
    found = (Path(program),) if program else ()
    return (directory, *found, Path(sys.prefix), Path(sys.executable).resolve())


def _user() -> str:
    """The user who writes it, by name, or by number if there is none."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return str(os.getuid())


def _group() -> str:
    try:
        return grp.getgrgid(os.getgid()).gr_name
    except KeyError:
        return str(os.getgid())
