"""What `pbmd check` finds out about the ledger and its contents: journals, positions, and the rulesets that they need."""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping

from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col, func, select

from pbmd.cli.checks import Check
from pbmd.cli.desk import ledger_trouble, tell_unreadable, version_trouble
from pbmd.cli.hosts import trouble_of_hosts
from pbmd.cli.progress import progress
from pbmd.cli.symptoms import Symptom, more
from pbmd.desk.books.desk import Desk, open_desk
from pbmd.desk.books.server_key import UnusableKey
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.deadlines.phase_kinds import unknown_in_settings, unknown_kinds
from pbmd.desk.publish.webhooks import ways
from pbmd.desk.unreadable.erasing import kept_aside
from pbmd.desk.unreadable.unsettled import unsettled, words_of
from pbmd.desk.upkeep.daily_look import altered_books
from pbmd.desk.upkeep.damaged import is_in_file, look_through, way_back
from pbmd.ledger.damage import DamagedLedger, UnfitLedger
from pbmd.ledger.damage_check import broken_journals
from pbmd.ledger.schema import WrongSchema
from pbmd.ledger.tables import Game, GameStatus
from pbmd.post.explained import explained
from pbmd.rules.registry import UnknownRuleset, UnusableRuleset, slugs
from pbmd.rules.troubles import BrokenGame, read_position, usable_ruleset
from pbmd.settings import Settings

_MOST_NAMED = 10
_AT_FILE = "see that the file is pbmd's own and its disk not full, or restore it from a backup"
_AT_SERVER = "see that PostgreSQL runs there, and lets this user into the database that [server] names: psql tries it, too"


def check_ledger(settings: Settings) -> Iterator[Check]:
    """Try all of it, as far as it can be opened."""
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
    except UnusableKey as problem:
        yield Check("server.key", False, problem.trouble, problem.mend)
        return
    except UnfitLedger as problem:
        yield Check("ledger", False, problem.told, problem.mend)
        return
    except (OSError, SQLAlchemyError, sqlite3.Error) as problem:
        said = explained(problem) if isinstance(problem, OSError) else ledger_trouble(problem)
        yield Check("ledger", False, said, _AT_FILE if is_in_file(settings) else _AT_SERVER)
        return
    try:
        with progress("reading all rows"):
            tell_unreadable(desk, in_use=False)
        games = _unfinished(desk)
        yield Check("ledger", True, f"{len(games)} game{'' if len(games) == 1 else 's'} not finished; {_state(settings)}")
        yield from _hosts(desk)
        yield from _webhooks(desk)
        yield _rows(desk)
        yield _books(desk)
        yield _journals(desk)
        yield _rulesets(desk, {ruleset for _, ruleset, _ in games})
        yield from _phases(desk, games)
        yield _positions(desk)
        yield from _senders(settings, [name for name, _, terms in games if json.loads(terms).get("trust") == "strict"])
    except DamagedLedger as problem:
        yield _damaged(settings, problem)
    except SQLAlchemyError as problem:
        yield Check("ledger", False, ledger_trouble(problem), "restore it from a backup")
    finally:
        desk.engine.dispose()


def _hosts(desk: Desk) -> Iterator[Check]:
    """Whether all hosts of the ledger have one key, one version and the same rules; nothing where there can be only one
    host."""
    with Transaction(desk, reads=True) as work:
        told, trouble, hint = trouble_of_hosts(work)
    if told:
        yield Check("hosts", not trouble, trouble or f"one key, one version, the same rules: {told}", hint)


def _webhooks(desk: Desk) -> Iterator[Check]:
    """Whether the news of games can be posted, as far as that can be known without posting anything."""
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


def _rows(desk: Desk) -> Check:
    """Whether all values could be read, or somebody has dealt with those that could not."""
    with Transaction(desk, reads=True) as work:
        lost, kept = unsettled(work), kept_aside(work)
        names = [name for name in dict.fromkeys(_name(work, value.game_id) for value in lost) if name]
    if not lost:
        aside = (
            f"; {kept} that could not be {'lies' if kept == 1 else 'lie'} aside, until pbmd tidy or pbmd forget takes that away"
            if kept
            else ""
        )
        return Check("rows", True, f"all can be read{aside}")
    ways = [f"pbmd resume {name} --as-it-is" for name in names]
    hint = " or ".join([f"what stood there is kept apart. {way_back(desk.settings)}", *ways])
    return Check("rows", False, f"could not be read: {words_of(lost)}", hint)


def _books(desk: Desk) -> Check:
    """Whether all games are stored as they were written, in their rows and, for the open step, in the journal."""
    with progress("reading the books") as told:
        found = dict(altered_books(desk, told))
    with Transaction(desk, reads=True) as work:
        games = dict(work.session.exec(select(Game.name, Game.status)).all())
    details = [f"{name}: {', '.join(parts)}" for name, parts in found.items()]
    ways = [f"pbmd resume {name} --as-it-is" for name in found if games[name] is not GameStatus.FINISHED]
    if not details:
        return Check("books", True, f"{len(games)} game{'' if len(games) == 1 else 's'}, as they were written")
    hint = f"something other than pbmd has changed the ledger: find out what. {way_back(desk.settings)}"
    return Check("books", False, "; ".join(details), "; or ".join([hint, *ways[:_MOST_NAMED]]))


def _name(work: Transaction, game_id: int | None) -> str:
    return work.session.exec(select(Game.name).where(Game.id == game_id)).first() or ""


def _journals(desk: Desk) -> Check:
    """Whether all journals, including those of finished games, are what was written."""
    with progress("reading the journals") as told, Transaction(desk, reads=True) as work:
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
    with Transaction(desk, reads=True) as work:
        return list(work.session.exec(games))


def _senders(settings: Settings, strict: list[str]) -> Iterator[Check]:
    """Strict games need the mail server's verdict on senders; without the name of that server all their mail is held."""
    if settings.mail.authserv_id or (not strict and settings.game.trust != "strict"):
        return
    which = f"{', '.join(strict)} {'is' if len(strict) == 1 else 'are'} strict" if strict else "new games are to be strict"
    hint = (
        "set authserv_id in [mail] to the name that your mail server writes into Authentication-Results, if it does so for "
        "every mail, or choose another trust"
    )
    told = f"{which}, but whose word on senders is to be believed is not set"
    yield Check("senders", False, told, hint, more(Symptom.FORWARDED))


def _phases(desk: Desk, games: Iterable[tuple[str, str, str]]) -> Iterator[Check]:
    """Kinds of phases for which there are terms, in the settings or of a game, and which the rules do not have."""
    for wrong in unknown_in_settings(desk):
        hint = "write the kind as the rules call it, or take that table out of the settings: as it is it counts for nothing"
        yield Check("phases", False, wrong, hint)
    for name, slug, terms in games:
        kinds: Mapping[str, object] = json.loads(terms).get("phases", {})
        if kinds and _trouble_of_ruleset(desk, slug) is None:
            hint = f"the terms of the game for it count for nothing; install the version of {slug} that the game was made with"
            for wrong in unknown_kinds(desk.ruleset(slug).info, kinds):
                yield Check("phases", False, f"{name}: {wrong}", hint)


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
    """Whether every position can be read, including those of finished games: their pages and archives are made from them."""
    troubles: list[str] = []
    with Transaction(desk, reads=True) as work, progress("reading the positions") as told:
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
