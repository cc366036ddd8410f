"""`pbmd init`: a settings file to start from, filled in with what is said or asked for."""

import os
import re
import shlex
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated, NamedTuple

import typer

from pbmd.cli.common import SETTINGS, examples, fail
from pbmd.cli.service import fit, log_rotation, unit
from pbmd.cli.template import filled
from pbmd.files import keep_file
from pbmd.resources import folder

app = typer.Typer(**SETTINGS)
EXAMPLE, _NOBODY = "games@example.org", "gm@example.org"
_HOST = re.compile(r"[^\s/@\"'\\]+")


class Provider(NamedTuple):
    """The servers of a mail provider, and the page that says what its logins are like."""

    imap: str
    smtp: str
    about: str = ""
    starttls: bool = False
    token: bool = False
    """Passwords are of no use there."""


_GOOGLE = Provider("imap.gmail.com", "smtp.gmail.com", "Gmail wants an app password: pbmd docs mail gmail")
_MICROSOFT = Provider(
    "outlook.office365.com",
    "smtp.office365.com",
    "Microsoft wants a token, not a password: pbmd docs mail microsoft",
    starttls=True,
    token=True,
)
_FASTMAIL = Provider("imap.fastmail.com", "smtp.fastmail.com", "Fastmail wants an app password: pbmd docs mail fastmail")
_APPLE = Provider("imap.mail.me.com", "smtp.mail.me.com", "iCloud wants an app-specific password", starttls=True)
_NO_PLUS = "has no plus addresses: pbmd docs mail others"
_YAHOO = Provider("imap.mail.yahoo.com", "smtp.mail.yahoo.com", f"Yahoo wants an app password and {_NO_PLUS}")
_AOL = Provider("imap.aol.com", "smtp.aol.com", f"AOL wants an app password and {_NO_PLUS}")
_GMX = f"GMX wants IMAP switched on in its web mail and {_NO_PLUS}"
_WEB_DE = f"WEB.DE wants IMAP switched on in its web mail and {_NO_PLUS}"
_PROVIDERS: Mapping[str, Provider] = {
    "gmail.com": _GOOGLE,
    "googlemail.com": _GOOGLE,
    "outlook.com": _MICROSOFT,
    "hotmail.com": _MICROSOFT,
    "live.com": _MICROSOFT,
    "fastmail.com": _FASTMAIL,
    "fastmail.fm": _FASTMAIL,
    "icloud.com": _APPLE,
    "me.com": _APPLE,
    "yahoo.com": _YAHOO,
    "aol.com": _AOL,
    "gmx.com": Provider("imap.gmx.com", "mail.gmx.com", _GMX),
    "gmx.de": Provider("imap.gmx.net", "mail.gmx.net", _GMX),
    "gmx.net": Provider("imap.gmx.net", "mail.gmx.net", _GMX),
    "web.de": Provider("imap.web.de", "smtp.web.de", _WEB_DE),
}
_NEXT = """\
What to do next:

  1. {first}
  2. cd {directory}
  3. pbmd check    says what does not work yet, and how to mend it
  4. pbmd check --mail    sends pbmd itself two mails, and says what became of them
  5. pbmd rules    shows the games that there are
  6. pbmd new galaxy-7 --ruleset galactic_overlord    opens a game for sign-up by mail
  7. pbmd run      reads mail, answers and resolves turns, until you stop it"""
_PUT = """Put the passwords where the file says,
     in files that only you can read."""
_EDIT = f"Edit it: the address, the game master, [imap] and [smtp]. {_PUT}"
_AS_ROOT = """
The unit has pbmd run as root, since root has written it. Better make a user for it, give that user the folder, and put the
name behind User= in the unit and behind su in the rule."""


@app.command(
    "init",
    epilog=examples(
        "pbmd init galaxy",
        "pbmd init galaxy --address games@example.org --gm you@example.org --timezone Europe/London",
        "pbmd init /etc/pbmd --systemd",
    ),
)
def command(
    directory: Annotated[Path, typer.Argument(help="The folder; it is made if need be.", metavar="DIR")],
    address: Annotated[str | None, typer.Option(help="The mailbox of the games.", metavar="ADDRESS")] = None,
    gm: Annotated[str | None, typer.Option("--gm", help="The game master's own address.", metavar="ADDRESS")] = None,
    imap: Annotated[
        str | None, typer.Option("--imap", help="The IMAP server; else guessed by the address.", metavar="HOST")
    ] = None,
    smtp: Annotated[
        str | None, typer.Option("--smtp", help="The SMTP server; else guessed by the address.", metavar="HOST")
    ] = None,
    timezone: Annotated[str | None, typer.Option(help="Your time zone, such as Europe/London.", metavar="ZONE")] = None,
    ask: Annotated[
        bool | None,
        typer.Option("--ask/--no-ask", help="Ask for what was not said; by default on a terminal.", show_default=False),
    ] = None,
    systemd: Annotated[bool, typer.Option("--systemd", help="Write a unit for systemd and a rule for logrotate, too.")] = False,
) -> None:
    """Write a commented pbmd.toml to start from, filled in with what you say. A file that is there already is left alone."""
    file = directory / "pbmd.toml"
    _must_not_be_there(file)
    said = {"address": address, "gm": gm, "imap": imap, "smtp": smtp, "timezone": timezone}
    try:
        filled(_template(), _values(said))  # what is wrong with that is said before anything is asked
        place = fit(directory.resolve()) if systemd else None
    except ValueError as problem:
        fail(problem)
    asks = sys.stdin.isatty() and not any(said.values()) if ask is None else ask
    passwords = dict[str, str]()
    if asks:
        said, passwords = _asked(said)
    values = _values(said)
    files = {"pbmd.toml": filled(_template(), values), **passwords}
    if place:
        files |= {"pbmd.service": unit(place), "pbmd.logrotate": log_rotation(place)}
    _write(directory, files)
    print(f"{file} is written.", end=" ")
    print(_NEXT.format(first=_first(said, passwords), directory=shlex.quote(str(directory))))
    if place:
        _tell_of_unit(place)


def _template() -> str:
    return (folder("deploy") / "pbmd.toml").read_text(encoding="utf-8")


def _first(said: Mapping[str, str | None], passwords: Mapping[str, str]) -> str:
    """What to do first."""
    found = _provider(said["address"] or "")
    if found.about:
        return f"{found.about}." if passwords or found.token else f"{found.about}. {_PUT}"
    return "Look through it." if passwords else _EDIT


def _tell_of_unit(place: Path) -> None:
    quoted = shlex.quote(str(place))
    print(f"""
As root, to have it run by itself:
     cp {quoted}/pbmd.service /etc/systemd/system/ && cp {quoted}/pbmd.logrotate /etc/logrotate.d/pbmd
     systemctl enable --now pbmd""")
    if os.getuid() == 0:
        print(_AS_ROOT)


def _asked(said: Mapping[str, str | None]) -> tuple[dict[str, str | None], dict[str, str]]:
    """What was said, and the answers to questions about all else; and the files of passwords that were typed."""
    print("Empty answers take what stands in brackets. All of it can be changed in the file later.\n")
    address = said["address"] or _ask("The mailbox of the games", EXAMPLE, _setting("address"))
    found = _provider(address)
    if found.about:
        print(f"  ({found.about})")
    answers: dict[str, str | None] = {
        "address": address,
        # Nothing is usual here: gm@ at a provider is a stranger.
        "gm": said["gm"] or _ask("Your own address, as game master", _NOBODY if address == EXAMPLE else None, _setting("gm")),
        "imap": said["imap"] or _ask("Its IMAP server", found.imap, _host),
        "smtp": said["smtp"] or _ask("Its SMTP server", found.smtp, _host),
        "timezone": said["timezone"] or _ask("Your time zone", _usual_zone(), _setting("timezone")),
    }
    password = "" if found.token else _ask_password()
    if not password:
        return answers, {}
    return answers, {"imap.password": f"{password}\n", "smtp.password": f"{password}\n"}


def _ask(what: str, usual: str | None, checked: Callable[[str], str]) -> str:
    """Ask until there is an answer that can be used."""

    def usable(answer: str) -> str:
        try:
            return checked(answer.strip())
        except ValueError as problem:
            raise typer.BadParameter(str(problem)) from None

    return str(typer.prompt(what, default=usual, value_proc=usable))


def _setting(key: str) -> Callable[[str], str]:
    def checked(value: str) -> str:
        try:
            filled(_template(), {("server", key): value})
        except ValueError as problem:
            raise ValueError(str(problem).removeprefix(f"{key}: ")) from None
        return value

    return checked


def _host(value: str) -> str:
    if not _HOST.fullmatch(value):
        raise ValueError("a server's name alone is wanted, such as imap.example.org")
    return value


def _usual_zone() -> str:
    with suppress(ValueError):
        return _setting("timezone")(os.environ.get("TZ") or "UTC")
    return "UTC"


def _ask_password() -> str:
    about = "The mailbox's password (it is not shown; empty: you write it into imap.password later)"
    while True:
        password = str(typer.prompt(about, default="", hide_input=True, show_default=False))
        if all(ord(character) >= 32 for character in password):
            return password
        typer.echo("Error: it has a character in it that no password has (a tab?)")


def _values(said: Mapping[str, str | None]) -> dict[tuple[str, str], str | int]:
    """What is to stand in the file, by table and key."""
    if not any(said.values()):
        return {}
    address = said["address"] or EXAMPLE
    found = _provider(address)
    values: dict[tuple[str, str], str | int | None] = {
        ("server", "address"): address,
        ("server", "gm"): said["gm"],
        ("server", "timezone"): said["timezone"],
        ("imap", "host"): said["imap"] or found.imap,
        ("imap", "user"): address,
        ("smtp", "host"): said["smtp"] or found.smtp,
        ("smtp", "user"): address,
    }
    if not said["smtp"] and found.starttls:
        values |= {("smtp", "port"): 587, ("smtp", "tls"): "starttls"}
    return {place: value for place, value in values.items() if value}


def _provider(address: str) -> Provider:
    """The provider by the address's domain; of one that is not known the usual names."""
    domain = address.rpartition("@")[2].lower()
    return _PROVIDERS.get(domain) or Provider(f"imap.{domain or 'example.org'}", f"smtp.{domain or 'example.org'}")


def _must_not_be_there(*files: Path) -> None:
    for file in files:
        if file.exists():
            fail(f"{file} is there already and was left as it is; rename it to begin anew")


def _write(directory: Path, files: Mapping[str, str]) -> None:
    """Write files that only their owner may read: a password may be in them. One that is there stays as it is."""
    _must_not_be_there(*(directory / name for name in files))  # all of them are written, or none
    file, begun = directory, list[Path]()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            file = directory / name
            keep_file(file, text.encode(), is_new=True)
            begun.append(file)
    except OSError as problem:
        for each in begun:
            each.unlink(missing_ok=True)
        if isinstance(problem, FileExistsError):
            fail(f"{problem.filename} is there already and was left as it is; rename it to begin anew")
        fail(f"{file}: {problem.strerror or problem}")
