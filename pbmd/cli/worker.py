"""`pbmd worker`: help the pbmd that leads, on this machine or another."""

import sys
from typing import Annotated

import typer

from pbmd.cli.common import ALREADY_RUNNING, DAMAGED, SETTINGS, WENT_WRONG, WRONG_USE, examples, fail, loading
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile, Verbose
from pbmd.cli.run import log_to_stderr

app = typer.Typer(**SETTINGS)
_MISSING = "workers need what pip install 'pbmd-games[postgres]' brings besides"


@app.command("worker", epilog=examples("pbmd worker", "pbmd worker --processes 4 --settings /etc/pbmd/pbmd.toml"))
def worker(
    processes: Annotated[int, typer.Option("--processes", "-n", min=1, max=64, help="How many.", metavar="N")] = 1,
    verbose: Verbose = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Share the work of another pbmd run, until stopped (Ctrl-C or SIGTERM): deal with letters and resolve turns, one game at a
    time. It reads no mailbox, sends no mail and writes no pages.

    For many games whose deadlines come at once. It may be started on any machine that reaches the ledger, which must be on
    PostgreSQL, with a copy of server.key; and stopped at any time, for nothing is lost with it. Exit code 4 if the ledger is
    damaged: then it stops at once, and the game master gets a mail.
    """
    with loading():
        from pbmd.cli.desk import at_desk, settings_of
        from pbmd.desk.publish.damage_alarm import sound_alarm
        from pbmd.desk.upkeep.damaged import look_first
        from pbmd.ledger.database import is_shared

    log_to_stderr(verbose)
    if not is_shared(settings_of(settings).database_url):
        fail("workers need a ledger on PostgreSQL ([server] database); with SQLite pbmd run does all of the work itself")
    try:
        from pbmd.daemon import worker as hands
    except ModuleNotFoundError as problem:
        fail(f"{_MISSING} (there is no {problem.name})", WENT_WRONG)
    if processes > 1:
        command = [sys.executable, "-m", "pbmd", "worker", "--settings", str(settings), *(["--verbose"] if verbose else [])]
        raise typer.Exit(hands.keep_working(command, processes, final=(WRONG_USE, ALREADY_RUNNING, DAMAGED)))
    with at_desk(settings, look_first, sound_alarm) as desk:
        typer.echo("pbmd helps with what is due; Ctrl-C ends it", err=True)
        hands.work(desk)
