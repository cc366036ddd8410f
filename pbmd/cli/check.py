"""`pbmd check`: whether everything works that a game will need, and if not, how to mend it."""

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from datetime import timedelta
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter, ValidationError
from rich.console import Console
from rich.text import Text

from pbmd.cli.check_ledger import check_ledger
from pbmd.cli.check_letters import check_letters
from pbmd.cli.checks import Check
from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.desk import settings_of
from pbmd.cli.dns import look_up
from pbmd.cli.hints import Server, about_login, mend, mend_folder
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.cli.own_mail import check_by_mail
from pbmd.cli.players_see import seen_by_players
from pbmd.cli.symptoms import Symptom, more, of_refusal
from pbmd.daemon.refusals import REFUSALS, SMTP_REFUSALS
from pbmd.desk.books.desk import utc_now
from pbmd.desk.ingest import clock_trouble
from pbmd.desk.mail.unqueued import direct_mail
from pbmd.desk.upkeep.privacy import exposed
from pbmd.ledger.log_file import printable
from pbmd.post.accounts import AccountError
from pbmd.post.imap.connection import ConnectionEnded, InboxLost, LoginRefused
from pbmd.post.imap.fetched import Look
from pbmd.post.imap.inbox import Inbox
from pbmd.post.imap.lock import FOLDER as LOCK_FOLDER
from pbmd.post.outage import Refusals
from pbmd.post.smtp.client import Sent, Smtp, SmtpError
from pbmd.rendering.painter import why_not
from pbmd.settings import Address, Settings, holds_password, unused_tables
from pbmd.terms.times import TimeError, parse_duration

app = typer.Typer(**SETTINGS)
_LONGEST = 2000
"""What is said about one thing is cut after this many characters: a name may have 64 kB of text."""
_OF_MAIL = ("IMAP login", "IMAP folder", "SMTP login", "SMTP")


@app.command(
    "check",
    epilog=examples(
        "pbmd check", "pbmd check --mail", "pbmd check --letters", "pbmd check --send-to you@example.org", "pbmd check --json"
    ),
)
def command(
    send_to: Annotated[str | None, typer.Option(help="Send a test mail to this address.", metavar="ADDRESS")] = None,
    by_mail: Annotated[
        bool, typer.Option("--mail", help="Send pbmd itself two mails, see what becomes of them, and take them away.")
    ] = False,
    unread: Annotated[
        bool, typer.Option("--letters", help="Fetch the letters that are unread, and say which cannot be had; none is stored.")
    ] = False,
    after: Annotated[
        int,
        typer.Option(
            min=0, help="As --letters, but only those above this UID: to go on where a check has ended.", metavar="UID"
        ),
    ] = 0,
    wait: Annotated[str, typer.Option(help="How long to wait for these, such as 120s or 10m.", metavar="TIME")] = "120s",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Try everything that a game needs: settings, data folder, rulesets, positions, the login to both mail servers.

    With --letters what is unread is fetched, too: a letter that the mail server cannot give may keep pbmd from reading on.

    At the end stands what players will see. With --mail you are told, too, whether mail to pbmd's address and to plus addresses
    of it comes, how long that takes, into which folder it falls, and what the mail server says of its sender.

    Exit code 1 if something does not work, 2 if the settings cannot be used.
    """
    chosen = settings_of(settings)
    _check_address(send_to)
    longest = _wait(wait)
    checks: list[Check] = []
    for found in _all_checks(chosen, settings, send_to):
        checks.append(_harmless(found))
        if not as_json:
            _show(checks[-1])
    more_checks = [
        (unread or after > 0, lambda: _of_letters(chosen, after, checks)),
        (by_mail, lambda: _by_mail(chosen, longest, checks)),
    ]
    for found in chain.from_iterable(check() for wanted, check in more_checks if wanted):
        checks.append(_harmless(found))
        if not as_json:
            _show(checks[-1])
    ok, seen = all(check.ok for check in checks), seen_by_players(chosen)
    if as_json:
        told = {"ok": ok, "checks": [asdict(check) for check in checks], "players_see": seen}
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        _show_seen(seen)
    if not ok:
        raise typer.Exit(WENT_WRONG)


def _harmless(check: Check) -> Check:
    """Make what servers say readable on a terminal, without control characters, and not longer than a screen."""
    return replace(check, detail=_short(printable(check.detail)), mend=printable(check.mend))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} …"


def _wait(text: str) -> timedelta:
    try:
        return parse_duration(text)
    except TimeError as problem:
        fail(f"--wait: {problem}")


def _of_letters(settings: Settings, after: int, before: Sequence[Check]) -> Iterator[Check]:
    if wrong := [check.name for check in before if not check.ok and check.name.startswith("IMAP l")]:
        yield Check("letters", False, f"not tried: {wrong[0]} does not work")
        return
    yield from check_letters(settings, after)


def _by_mail(settings: Settings, wait: timedelta, before: Sequence[Check]) -> Iterator[Check]:
    """Nothing is sent to where its arrival could not be seen."""
    if wrong := [check.name for check in before if not check.ok and check.name in _OF_MAIL]:
        yield Check("own mail", False, f"not tried: {wrong[0]} does not work")
        return
    yield from check_by_mail(settings, wait)


def _check_address(address: str | None) -> None:
    try:
        TypeAdapter(Address | None).validate_python(address)
    except ValidationError:
        fail(f'--send-to takes an e-mail address like you@example.org, not "{address}"')


def _show(check: Check) -> None:
    console = Console(highlight=False, soft_wrap=True)
    line = Text("ok      " if check.ok else "FAILED  ", style="green" if check.ok else "bold red")
    line.append(f"{check.name:<12}", style="default not bold").append(check.detail, style="default not bold")
    console.print(line)
    if check.mend:
        console.print(Text(f"        {'':<12}To mend it: {check.mend}"))
    if check.more:
        console.print(Text(f"        {'':<12}More: {check.more}"))


def _show_seen(seen: Mapping[str, str]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print("\nWhat players will see:")
    for name, value in seen.items():
        console.print(Text(f"        {name.replace('_', ' '):<12}{printable(value)}"))


def _all_checks(settings: Settings, file: Path, send_to: str | None) -> Iterator[Check]:
    yield _addresses(settings)
    for told in unused_tables(file):
        yield Check("settings", True, told, "take it out")
    folder = _data_folder(settings)
    yield folder
    if folder.ok:
        for each in exposed(settings, file if holds_password(file) else None):
            yield Check("privacy", False, f"{each.readers} can read {each.path} ({each.what})", each.mend)
        yield from check_ledger(settings)
    yield from _imap(settings)
    yield _smtp(settings, send_to)
    yield from _pictures()
    yield from look_up(settings.server.address.rpartition("@")[2])


def _addresses(settings: Settings) -> Check:
    addresses = f"mail to {settings.server.address}, GM {settings.server.gm}"
    if any(address.endswith("@example.org") for address in (settings.server.address, settings.server.gm)):
        return Check(
            "settings", False, addresses, "write your own addresses into [server]; those of the template belong to nobody"
        )
    return Check("settings", True, addresses)


def _data_folder(settings: Settings) -> Check:
    try:
        settings.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=settings.data) as file:
            file.write(b"x")
    except OSError as problem:
        hint = f"make the folder writable for the user that runs pbmd, or set data in [server] (now {settings.server.data})"
        return Check("data", False, f"{settings.data}: {problem.strerror or problem}", hint)
    return Check("data", True, f"{settings.data} can be written")


def _imap(settings: Settings) -> Iterator[Check]:
    account = settings.imap_account()
    inbox = Inbox(account, now=utc_now)
    try:
        try:
            inbox.connect()
        except (InboxLost, LoginRefused) as problem:
            yield Check("IMAP login", False, str(problem), mend(problem, Server.of(account)), about_login(problem))
            return
        _forget(settings, REFUSALS)
        yield Check("IMAP login", True, f"{account.user} at {account.host}:{account.port}")
        yield _imap_folder(inbox)
        yield _imap_clock(inbox, settings.imap.clock_tolerance_seconds)
    finally:
        inbox.close()


def _forget(settings: Settings, refusals: str) -> None:
    """The next pbmd tick need not wait."""
    with suppress(OSError):  # the check of the data folder has reported it
        Refusals(settings.data / refusals).forget()


def _imap_clock(inbox: Inbox, tolerance_seconds: float) -> Check:
    try:
        ahead = inbox.server_ahead()
    except ConnectionEnded as problem:
        hint = f"with a mail program, delete all that is in the folder {LOCK_FOLDER}: the server may fail at a broken message"
        return Check("IMAP clock", False, str(problem), hint)
    except InboxLost as problem:
        return Check("IMAP clock", False, str(problem), mend_folder(problem, Server.of(inbox.account)))
    if ahead is None:
        return Check("IMAP clock", True, "the server does not show it")
    if trouble := clock_trouble(ahead, tolerance_seconds):
        hint = "set the clock of this machine by the network (NTP); if it is right, raise clock_tolerance_seconds in [imap]"
        return Check("IMAP clock", False, trouble, hint, more(Symptom.CLOCK))
    return Check("IMAP clock", True, "the server's clock and this machine's agree")


def _imap_folder(inbox: Inbox) -> Check:
    account = inbox.account
    try:
        look = inbox.look()
    except InboxLost as problem:
        return Check("IMAP folder", False, str(problem), mend_folder(problem, Server.of(account)))
    news = _news(inbox, look)
    letters = f"{account.folder} has {look.letters} letter{'' if look.letters == 1 else 's'}"
    if account.processed == "move" and not look.moves:
        hint = 'set processed = "flag" or "leave" in [imap]'
        return Check("IMAP folder", False, f"{letters}; {news}; the server has neither MOVE nor UIDPLUS", hint)
    kept = {
        "move": f"what is read is moved to {account.processed_folder}",
        "flag": "what is read is flagged",
        "leave": "what is read stays",
    }
    return Check("IMAP folder", True, f"{letters}; {news}; {kept[account.processed]}")


def _news(inbox: Inbox, look: Look) -> str:
    """How pbmd learns of new mail in the open folder. A server may promise to announce it, and not do so."""
    account = inbox.account
    at_intervals = f"so it is read every {account.poll_seconds:g} s"
    if not account.idle or not look.announces:
        return f"{'no IDLE' if account.idle else 'idle = false'}, {at_intervals}"
    try:
        agrees = inbox.agrees_to_idle()
    except InboxLost:
        agrees = False
        with suppress(InboxLost, LoginRefused):  # the next check reports it
            inbox.connect()
    return "new mail is announced (IDLE)" if agrees else f"IDLE is promised and not agreed to, {at_intervals}"


def _smtp(settings: Settings, send_to: str | None) -> Check:
    account = settings.smtp_account()
    place = f"{account.host}:{account.port}"
    try:
        with Smtp(account) as smtp:
            if send_to is None:
                return _smtp_login(settings, smtp)
            result = smtp.send(settings.server.address, send_to, _test_mail(settings, send_to))
    except (SmtpError, AccountError) as problem:
        return Check("SMTP login", False, str(problem), mend(problem, Server.of(account)), about_login(problem))
    if isinstance(result, Sent):
        _forget(settings, SMTP_REFUSALS)
        return Check("SMTP", True, f"a test mail to {send_to} was taken by {place}")
    hint = f"ask your provider whether this login may send from {settings.server.address}"
    told = f"{place} did not take the test mail to {send_to}: {result}"
    return Check("SMTP", False, told, hint, more(*of_refusal(str(result)) or (Symptom.SPAM,)))


def _smtp_login(settings: Settings, smtp: Smtp) -> Check:
    """Whether there is a login, or the server accepts mail without one."""
    account = smtp.account
    place = f"{account.host}:{account.port}"
    if account.user is not None:
        return Check("SMTP login", True, f"{account.user} at {place}; no mail was sent")
    if said := smtp.login_wanted(settings.server.address, settings.server.address):
        told = f"{place} takes no mail without a login: {said}"
        return Check("SMTP login", False, told, "set user and password in [smtp]", more(Symptom.LOGIN))
    return Check("SMTP login", True, f"no login at {place}; no mail was sent")


def _pictures() -> Iterator[Check]:
    """Whether maps are sent as pictures; mentioned only if they are not, since that is no error."""
    if trouble := why_not():
        yield Check("pictures", True, f"maps go as drawings (SVG), which not all mail programs show; {trouble}")


def _test_mail(settings: Settings, recipient: str) -> bytes:
    text = (
        "pbmd can send mail.\n\nIf this came as spam, your players will miss their reports: see that the domain of\n"
        f"{settings.server.address} allows this server to send for it (SPF, DKIM).\n"
    )
    return direct_mail(settings, recipient, "check", "a test mail", text, utc_now())
