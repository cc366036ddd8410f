"""What the GM's commands have in common: they open the desk named by the settings, and report every user's error in one
line."""

import sqlite3
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import typer
from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import col, select

from pbmd.cli.common import ALREADY_RUNNING, DAMAGED, WENT_WRONG, WRONG_USE, FileProblem, Problems, fail
from pbmd.daemon.installation import AlreadyRunning
from pbmd.desk.books.desk import Desk, open_desk
from pbmd.desk.books.open_game import TEXTS
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.upkeep.damaged import way_back
from pbmd.ledger.damage import DamagedLedger, UnfitLedger, said_by
from pbmd.ledger.readable import unreadable
from pbmd.ledger.schema import WrongSchema
from pbmd.ledger.tables import Game
from pbmd.rules import OptionError, Refused, match_name
from pbmd.rules.registry import UnknownRuleset
from pbmd.rules.troubles import BrokenGame
from pbmd.settings import Settings, SettingsError, read_settings
from pbmd.terms.times import TimeError


def settings_of(file: Path) -> Settings:
    """The settings; ends the command with a line for each error in them."""
    try:
        return read_settings(file)
    except SettingsError as problem:
        for line in str(problem).splitlines():
            typer.echo(f"pbmd: {line}", err=True)
        raise typer.Exit(WRONG_USE) from None


@contextmanager
def at_desk(
    file: Path,
    look: Callable[[Settings], None] = lambda _: None,
    alarm: Callable[[Settings, DamagedLedger], None] = lambda _settings, _problem: None,
) -> Generator[Desk]:
    """The desk for the duration of a command. An error of the user or the machine ends the command with one line.

    `look` runs before the ledger is opened; damage that it, or the command, finds is also reported by `alarm`.
    """
    settings = settings_of(file)
    with troubles_told(settings, alarm):
        look(settings)
        desk = open_desk(settings)
        try:
            tell_unreadable(desk, in_use=True)
            yield desk
        except (FileProblem, Problems, OptionError, Refused, TimeError, UnknownRuleset, BrokenGame):
            raise
        except (ArithmeticError, LookupError, TypeError, ValueError):  # a row that cannot be read may lead to any of these
            if not tell_unreadable(desk, in_use=False):
                raise
            fail("the command came upon what cannot be read; it is put aside now: give the command again", WENT_WRONG)
        finally:
            desk.engine.dispose()


def tell_unreadable(desk: Desk, *, in_use: bool) -> list[str]:
    """Check that all values can be read in the rows `in_use`, or in all; put aside those that cannot, and say so. Returns what
    was found, in words. Raises `DamagedLedger` and `SQLAlchemyError`."""
    with desk.reading_engine.connect() as connection:
        if in_use and not unreadable(connection, TEXTS, in_use=True):
            return []
    from pbmd.desk.unreadable.put_aside import look  # hardly anybody ever has anything to put aside

    return look(desk, in_use=in_use)  # which writes to the program's own log


@contextmanager
def troubles_told(
    settings: Settings, alarm: Callable[[Settings, DamagedLedger], None] = lambda _settings, _problem: None
) -> Generator[None]:
    """End the command with one line after an error of the user, the machine or the database; damage is reported by `alarm`."""
    try:
        yield
    except (FileProblem, Problems, OptionError, Refused, TimeError, UnknownRuleset) as problem:
        fail(problem)
    except AlreadyRunning as problem:
        fail(problem, ALREADY_RUNNING)
    except BrokenGame as problem:
        fail(problem, WENT_WRONG)
    except DamagedLedger as problem:
        alarm(settings, problem)
        fail(damage_words(settings, problem), DAMAGED)
    except (SQLAlchemyError, sqlite3.Error) as problem:
        fail(f"the ledger cannot be used: {ledger_trouble(problem)}", WENT_WRONG)
    except UnfitLedger as problem:
        fail(f"the ledger cannot be used: {problem}", WENT_WRONG)
    except WrongSchema as problem:
        fail(f"the ledger cannot be used: {'; '.join(version_trouble(problem))}", WENT_WRONG)
    except OSError as problem:
        fail(problem, WENT_WRONG)


def ledger_trouble(problem: SQLAlchemyError | sqlite3.Error) -> str:
    """What the database said, without the statement and its values, which may be secret."""
    said = problem if isinstance(problem, sqlite3.Error) else getattr(problem, "orig", None)
    return said_by(said) if said else type(problem).__name__


def version_trouble(problem: WrongSchema) -> tuple[str, str]:
    """Why the ledger cannot be brought up to date for this version of pbmd, and what to do."""
    if problem.foreign:
        return (
            "it was written by another version of pbmd, most likely a newer one",
            "use that version, or go back to a backup that this one has made (pbmd restore FILE)",
        )
    return f"it cannot be brought up to date for this version of pbmd: {problem}", "install this version anew"


def damage_words(settings: Settings, problem: DamagedLedger) -> str:
    """What is wrong with the ledger, and the way back."""
    return f"the ledger is damaged: {problem}. {way_back(settings)}"


def table_of(work: Transaction, name: str) -> OpenGame:
    """The game of that name. Raises `Refused` with a name that may be meant, or where to find the names."""
    table = work.table_named(name)
    if table is not None:
        return table
    names = work.session.exec(select(Game.name).order_by(col(Game.id))).all()
    match = match_name(name, names)
    if match.found:
        raise Refused(f'there is no game "{name}"; did you mean "{match.found}"?')
    where = "" if match.ambiguous or match.near else "; pbmd status lists all" if names else "; pbmd new makes one"
    raise Refused(f"{match.problem(name, 'game')}{where}")
