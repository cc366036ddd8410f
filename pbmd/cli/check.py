"""`pbmd check`: does everything work that a game will need, and if not, how to mend it."""

import json
import sqlite3
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from datetime import timedelta
from pathlib import Path
from typing import Annotated

import typer
from pydantic import TypeAdapter, ValidationError
from rich.console import Console
from rich.text import Text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col, func, select

from pbmd.cli.checks import Check
from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.desk import DEFAULT_SETTINGS, SettingsFile, ledger_trouble, settings_of, version_trouble
from pbmd.cli.dns import look_up
from pbmd.cli.hints import Server, about_login, mend, mend_folder
from pbmd.cli.hosts import trouble_of_hosts
from pbmd.cli.own_mail import check_by_mail
from pbmd.cli.players_see import seen_by_players
from pbmd.cli.progress import progress
from pbmd.cli.symptoms import Symptom, more, of_refusal
from pbmd.daemon.refusals import REFUSALS, SMTP_REFUSALS
from pbmd.desk.books.desk import Desk, open_desk, utc_now
from pbmd.desk.books.server_key import OtherKey
from pbmd.desk.books.work import Work
from pbmd.desk.ingest import clock_trouble
from pbmd.desk.keeping.damaged import is_in_file, look_through, way_back
from pbmd.desk.keeping.privacy import exposed
from pbmd.desk.keeping.webhooks import ways
from pbmd.desk.mail.direct import direct_mail
from pbmd.ledger.damage import DamagedLedger, UnfitLedger
from pbmd.ledger.log_file import printable
from pbmd.ledger.looks import broken_journals
from pbmd.ledger.schema import WrongSchema
from pbmd.ledger.tables import Game, GameStatus
from pbmd.post.accounts import AccountError
from pbmd.post.imap.connection import InboxLost, LoginRefused
from pbmd.post.imap.inbox import Inbox
from pbmd.post.outage import Refusals
from pbmd.post.smtp.client import Sent, Smtp, SmtpError
from pbmd.rules.registry import UnknownRuleset, UnusableRuleset, slugs
from pbmd.rules.troubles import BrokenGame, read_position, usable_ruleset
from pbmd.settings import Address, Settings, holds_password
from pbmd.terms.times import TimeError, parse_duration

app = typer.Typer(**SETTINGS)
_MOST_NAMED = 10
_OF_MAIL = ("IMAP login", "IMAP folder", "SMTP login", "SMTP")
_AT_FILE = "see that the file is pbmd's own and its disk not full, or restore it from a backup"
_AT_SERVER = "see that PostgreSQL runs there, and lets this user into the database that [server] names: psql tries it, too"


@app.command(
    "check",
    epilog=examples("pbmd check", "pbmd check --mail", "pbmd check --send-to you@example.org", "pbmd check --json"),
)
def command(
    send_to: Annotated[str | None, typer.Option(help="Send a test mail to this address.", metavar="ADDRESS")] = None,
    by_mail: Annotated[
        bool, typer.Option("--mail", help="Send pbmd itself two mails, see what becomes of them, and take them away.")
    ] = False,
    wait: Annotated[str, typer.Option(help="How long to wait for these, such as 120s or 10m.", metavar="TIME")] = "120s",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Try everything that a game needs: settings, data folder, rulesets, positions, the login to both mail servers.

    At the end stands what players will see. With --mail you are told, too, whether mail to pbmd's address and to plus addresses
    of it comes, how long that takes, into which folder it falls, and what the mail server says of its sender.

    Exit code 1 if something does not work, 2 if the settings cannot be used.
    """
    chosen = settings_of(settings)
    _check_address(send_to)
    longest = _wait(wait)
    checks: list[Check] = []
    for check in _all_checks(chosen, settings, send_to):
        checks.append(check)
        if not as_json:
            _show(check)
    for check in _by_mail(chosen, longest, checks) if by_mail else ():
        checks.append(check)
        if not as_json:
            _show(check)
    ok, seen = all(check.ok for check in checks), seen_by_players(chosen)
    if as_json:
        told = {"ok": ok, "checks": [asdict(check) for check in checks], "players_see": seen}
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        _show_seen(seen)
    if not ok:
        raise typer.Exit(WENT_WRONG)


def _wait(text: str) -> timedelta:
    try:
        return parse_duration(text)
    except TimeError as problem:
        fail(f"--wait: {problem}")


def _by_mail(settings: Settings, wait: timedelta, before: Sequence[Check]) -> Iterator[Check]:
    """Nothing is sent where it could not be seen to come."""
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
    line.append(f"{check.name:<12}", style="default not bold").append(printable(check.detail), style="default not bold")
    console.print(line)
    if check.mend:
        console.print(Text(f"        {'':<12}To mend it: {printable(check.mend)}"))
    if check.more:
        console.print(Text(f"        {'':<12}More: {check.more}"))


def _show_seen(seen: Mapping[str, str]) -> None:
    console = Console(highlight=False, soft_wrap=True)
    console.print("\nWhat players will see:")
    for name, value in seen.items():
        console.print(Text(f"        {name.replace('_', ' '):<12}{printable(value)}"))


def _all_checks(settings: Settings, file: Path, send_to: str | None) -> Iterator[Check]:
    yield _addresses(settings)
    folder = _data_folder(settings)
    yield folder
    if folder.ok:
        for each in exposed(settings, file if holds_password(file) else None):
            yield Check("privacy", False, f"{each.readers} can read {each.path} ({each.what})", each.mend)
        yield from _ledger_and_rulesets(settings)
    yield from _imap(settings)
    yield _smtp(settings, send_to)
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


def _ledger_and_rulesets(settings: Settings) -> Iterator[Check]:
    try:
        with progress("looking at the ledger"):
            look_through(settings)
        desk = open_desk(settings)
    except DamagedLedger as problem:
        yield _damaged(settings, problem)
        return
    except WrongSchema as problem:
        yield Check("ledger", False, *version_trouble(problem))
        return
    except OtherKey as problem:
        yield Check("server.key", False, problem.trouble, problem.mend)
        return
    except UnfitLedger as problem:
        yield Check("ledger", False, problem.told, problem.mend)
        return
    except (OSError, SQLAlchemyError, sqlite3.Error) as problem:
        said = str(problem) if isinstance(problem, OSError) else ledger_trouble(problem)
        yield Check("ledger", False, said, _AT_FILE if is_in_file(settings) else _AT_SERVER)
        return
    try:
        games = _unfinished(desk)
        yield Check("ledger", True, f"{len(games)} game{'' if len(games) == 1 else 's'} not finished; {_state(settings)}")
        yield from _hosts(desk)
        yield from _webhooks(desk)
        yield _journals(desk)
        yield _rulesets(desk, {ruleset for _, ruleset, _ in games})
        yield _positions(desk)
        yield from _senders(settings, [name for name, _, terms in games if json.loads(terms).get("trust") == "strict"])
    except DamagedLedger as problem:
        yield _damaged(settings, problem)
    except SQLAlchemyError as problem:
        yield Check("ledger", False, ledger_trouble(problem), "restore it from a backup")
    finally:
        desk.engine.dispose()


def _hosts(desk: Desk) -> Iterator[Check]:
    """Whether all hosts of the ledger have one key, one version and the same rules; nothing where there can be but one."""
    with Work(desk, reads=True) as work:
        told, trouble, hint = trouble_of_hosts(work)
    if told:
        yield Check("hosts", not trouble, trouble or f"one key, one version, the same rules: {told}", hint)


def _webhooks(desk: Desk) -> Iterator[Check]:
    """Whether the news of games can be posted, as far as that can be told without posting anything."""
    for way in ways(desk):
        hint = "name the game in [webhook] as pbmd status does, and put the address alone into its file" if way.trouble else ""
        yield Check("webhook", not way.trouble, f"news of {way.game}: {way.trouble or f'posted to {way.host}'}", hint)


def _state(settings: Settings) -> str:
    if is_in_file(settings):
        return "the file is whole"
    url = make_url(settings.database_url)
    name = url.database or url.query.get("service") or "the database of this user"
    return f"in PostgreSQL: {name} at {url.host or url.query.get('host') or 'this machine'}"


def _damaged(settings: Settings, problem: DamagedLedger) -> Check:
    return Check("ledger", False, f"it is damaged: {problem}", f"stop the daemon. {way_back(settings)}")


def _journals(desk: Desk) -> Check:
    """Whether all journals, also of games that are over, are what was written."""
    with progress("reading the journals") as told, Work(desk, reads=True) as work:
        broken = [f"{name}: {trouble}" for name, trouble in broken_journals(work.session, progress=told)]
        entries = work.session.exec(select(func.coalesce(func.sum(Game.chain_number), 0))).one()
    if not broken:
        return Check("journals", True, f"{entries} entries, as they were written")
    hint = (
        "something other than pbmd has changed the ledger: find out what, and go back to a backup from before it. "
        f"{way_back(desk.settings)}"
    )
    return Check("journals", False, "; ".join(broken), hint)


def _unfinished(desk: Desk) -> list[tuple[str, str, str]]:
    """Name, ruleset and terms of each game that is not over."""
    games = select(Game.name, Game.ruleset, Game.terms).where(col(Game.status) != GameStatus.FINISHED)
    with Work(desk, reads=True) as work:
        return list(work.session.exec(games))


def _senders(settings: Settings, strict: list[str]) -> Iterator[Check]:
    """Strict games want the mail server's word on senders, and all their mail is held if it is not known whose that is."""
    if settings.mail.authserv_id or (not strict and settings.game.trust != "strict"):
        return
    which = f"{', '.join(strict)} {'is' if len(strict) == 1 else 'are'} strict" if strict else "new games are to be strict"
    hint = (
        "set authserv_id in [mail] to the name that your mail server writes into Authentication-Results, if it does so for "
        "every mail, or choose another trust"
    )
    told = f"{which}, but whose word on senders is to be believed is not set"
    yield Check("senders", False, told, hint, more(Symptom.FORWARDED))


def _rulesets(desk: Desk, played: set[str]) -> Check:
    wanted = sorted({*slugs(), *played, *(folder.name for folder in desk.settings.rulesets)})
    troubles = {slug: trouble for slug in wanted if (trouble := _trouble_of_ruleset(desk, slug))}
    if troubles:
        hint = "install it, or set rulesets in the settings to the path of its folder"
        if any(isinstance(trouble, UnusableRuleset) for trouble in troubles.values()):
            hint = "whoever writes it mends that line; pbmd try RULESET then looks at all of it"
        told = [f"{slug}: {trouble}" for slug, trouble in troubles.items()]
        return Check("rulesets", False, "; ".join(told), hint)
    return Check("rulesets", True, ", ".join(wanted) or "none is installed")


def _positions(desk: Desk) -> Check:
    """Whether every position can be read, those of games that are over too: their pages and archives are made of them."""
    troubles: list[str] = []
    with Work(desk, reads=True) as work, progress("reading the positions") as told:
        begun = list(work.session.exec(select(Game.id).where(Game.position != "").order_by(col(Game.id))))
        for done, game_id in enumerate(begun, start=1):
            name, slug, document = work.session.exec(
                select(Game.name, Game.ruleset, Game.position).where(Game.id == game_id)
            ).one()
            try:
                read_position(name, usable_ruleset(name, slug, desk.ruleset), document)
            except BrokenGame as problem:
                troubles.append(str(problem))
            told(done, len(begun))
    if troubles:
        more = [f"and {len(troubles) - _MOST_NAMED} games more"] if len(troubles) > _MOST_NAMED else []
        hint = (
            "mend the ruleset, or install the version that wrote them, and pbmd resume GAME; "
            "pbmd rollback GAME TURN goes back to a turn that can be read"
        )
        return Check("positions", False, "; ".join([*troubles[:_MOST_NAMED], *more]), hint)
    return Check("positions", True, f"{len(begun)} can be read")


def _trouble_of_ruleset(desk: Desk, slug: str) -> UnknownRuleset | None:
    try:
        desk.ruleset(slug)
    except UnknownRuleset as problem:
        return problem
    return None


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
    with suppress(OSError):  # the check of the data folder has told of it
        Refusals(settings.data / refusals).forget()


def _imap_clock(inbox: Inbox, tolerance_seconds: float) -> Check:
    try:
        ahead = inbox.server_ahead()
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
    news = "new mail is announced (IDLE)" if look.announces else f"no IDLE, so it is read every {account.poll_seconds:g} s"
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


def _smtp(settings: Settings, send_to: str | None) -> Check:
    account = settings.smtp_account()
    place = f"{account.host}:{account.port}"
    try:
        with Smtp(account) as smtp:
            if send_to is None:
                return Check("SMTP login", True, f"{account.user or 'no login'} at {place}; no mail was sent")
            result = smtp.send(settings.server.address, send_to, _test_mail(settings, send_to))
    except (SmtpError, AccountError) as problem:
        return Check("SMTP login", False, str(problem), mend(problem, Server.of(account)), about_login(problem))
    if isinstance(result, Sent):
        _forget(settings, SMTP_REFUSALS)
        return Check("SMTP", True, f"a test mail to {send_to} was taken by {place}")
    hint = f"ask your provider whether this login may send from {settings.server.address}"
    told = f"{place} did not take the test mail to {send_to}: {result}"
    return Check("SMTP", False, told, hint, more(*of_refusal(str(result)) or (Symptom.SPAM,)))


def _test_mail(settings: Settings, recipient: str) -> bytes:
    text = (
        "pbmd can send mail.\n\nIf this came as spam, your players will miss their reports: see that the domain of\n"
        f"{settings.server.address} allows this server to send for it (SPF, DKIM).\n"
    )
    return direct_mail(settings, recipient, "check", "a test mail", text, utc_now())
