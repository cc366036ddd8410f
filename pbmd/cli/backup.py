"""`pbmd backup` and `pbmd restore`: the ledger copied while the daemon runs, and put back."""

import json
import sqlite3
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.desk import at_desk, settings_of
from pbmd.cli.gone_back import UNKNOWN, go_on, must_not_have_reported, words_of_games
from pbmd.cli.new_key import tell_all_of_new_key
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.cli.progress import progress
from pbmd.daemon.installation import AlreadyRunning, only_one
from pbmd.desk.books.desk import utc_now
from pbmd.desk.upkeep.backups import ledger_file, make_backup
from pbmd.desk.upkeep.restore import Difference, difference, made_ready, put_back, put_key_back
from pbmd.desk.upkeep.sizes import megabytes, size_words
from pbmd.ledger.backup import look_at
from pbmd.ledger.damage import DamagedLedger
from pbmd.rules import Refused
from pbmd.settings import Settings

app = typer.Typer(**SETTINGS)
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


@app.command("backup", epilog=examples("pbmd backup", "pbmd backup --to /srv/backup --keep 30"))
def backup(
    to: Annotated[
        Path | None, typer.Option(help="The folder to write to; else the one in the settings.", metavar="DIR")
    ] = None,
    keep: Annotated[int, typer.Option(min=0, help="Delete all but so many backups there; 0: none.")] = 0,
    as_json: AsJson = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Copy the ledger and its key as they are at this instant, while the daemon runs, and check the copy.

    It holds everything, also what is secret, and only its owner can read it.
    """
    with at_desk(settings) as desk, _troubles():
        with progress("backup") as told:
            made = make_backup(desk, to or desk.settings.data / desk.settings.backups.folder, keep, told)
        if as_json:
            shown = {"path": str(made.path), "megabytes": megabytes(made.bytes), "letters": made.letters, "games": made.games}
            print(json.dumps(shown))
        else:
            size = size_words(made.bytes)
            print(f"{made.path}: {made.games} games, {made.letters} letters, {size}; it was read again and is whole.")


@app.command("restore", epilog=examples("pbmd restore data/backups/ledger-20261121T184415Z.sqlite"))
def restore(
    file: Annotated[Path, typer.Argument(help="A backup that pbmd made.", metavar="FILE")],
    force: Annotated[
        bool, typer.Option("--force", help="Also if reports have gone out since the backup, or the key is lost.")
    ] = False,
    as_json: AsJson = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Put a backup in the place of the ledger; the daemon must not run. The replaced ledger is kept beside it.

    A backup of an older pbmd is brought up to date before it takes that place; of one that this pbmd cannot use nothing does.

    Letters that came since are read again. Where reports have gone out since, it is refused without --force: those turns would
    be resolved and reported again in another way. With it such games are paused, and all players told. The key comes back with
    its ledger, if it is lost or another; where there is no copy of it, --force makes a new one.
    """
    chosen = settings_of(settings)
    try:
        chosen.data.mkdir(mode=0o700, parents=True, exist_ok=True)
        with _troubles(), only_one(chosen.data):
            told = _restore(chosen, settings, file, force=force)
    except (Refused, DamagedLedger) as problem:
        fail(problem)
    except AlreadyRunning as problem:
        fail(problem, 3)
    except OSError as problem:
        fail(problem, WENT_WRONG)
    if as_json:
        print(json.dumps(told, default=str, ensure_ascii=False, indent=2))
    else:
        print("\n".join(told["words"]))
    if told["mailbox"]:
        raise typer.Exit(WENT_WRONG)


def _restore(chosen: Settings, settings: Path, file: Path, *, force: bool) -> dict[str, Any]:
    ledger = ledger_file(chosen)
    whole = look_at(file)
    lacks = difference(file, ledger)
    if not force:
        must_not_have_reported(lacks, "--force restores it, and pauses these games")
    with ExitStack() as stack:
        with _unchanged(file), progress("restore") as told:
            fresh = stack.enter_context(made_ready(chosen, file, lacks, told))
        key, is_new = put_key_back(chosen, file, fresh, force=force)
        aside = put_back(chosen, fresh, utc_now())
    try:
        with at_desk(settings) as desk:
            came, trouble = go_on(desk, f"{file.name}, {whole.games} games, {whole.letters} letters", lacks)
            untold = tell_all_of_new_key(desk) if is_new else []
    except typer.Exit:
        typer.echo(f"pbmd: {' '.join(_words(file, aside, lacks))}", err=True)
        raise
    return {
        "restored": file,
        "replaced": aside,
        "lost": [asdict(each) for each in lacks.lost],
        "letters": lacks.letters,
        "brought_back": came,
        "mailbox": trouble,
        "words": [
            *_words(file, aside, lacks),
            *([key] if key else []),
            *untold,
            trouble or f"{came} letters are read again.",
        ],
    }


def _words(file: Path, aside: Path | None, lacks: Difference) -> list[str]:
    words = [f"{file} is the ledger now."]
    if aside:
        words.append(f"The replaced one is {aside}.")
    if not lacks.readable:
        words.append(f"What it had more than the backup cannot be told, since it is not there or cannot be read. {UNKNOWN}")
    return [*words, *words_of_games(lacks)]


@contextmanager
def _unchanged(file: Path) -> Generator[None]:
    try:
        yield
    except (DamagedLedger, OSError, sqlite3.Error) as problem:
        fail(f"{file} cannot be restored: {problem}; nothing was changed", WENT_WRONG)


@contextmanager
def _troubles() -> Generator[None]:
    try:
        yield
    except (DamagedLedger, sqlite3.Error) as problem:
        fail(problem, WENT_WRONG)
