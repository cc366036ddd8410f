"""`pbmd run` and `pbmd tick`: the daemon, and one pass of what it does."""

import logging
from functools import partial

import typer

from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail, loading
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile, Verbose

app = typer.Typer(**SETTINGS)


@app.command("run", epilog=examples("pbmd run", "pbmd run --verbose --settings /etc/pbmd/pbmd.toml"))
def run(verbose: Verbose = False, settings: SettingsFile = DEFAULT_SETTINGS) -> None:
    """Run the daemon: read mail, answer it, resolve turns and send reports, until it is stopped (Ctrl-C or SIGTERM).

    Troubles are told on standard error; what happens in the games is in the dashboard log (`pbmd log --follow`). Exit code 4
    if the ledger is damaged: then it stops at once, and the game master gets a mail.
    """
    with loading():
        from pbmd.cli.desk import at_desk
        from pbmd.daemon.set_aside import is_wanted
        from pbmd.daemon.threads import Daemon
        from pbmd.desk.publish.damage_alarm import sound_alarm
        from pbmd.desk.upkeep.damaged import look_first

    log_to_stderr(verbose)
    with at_desk(settings, look_first, sound_alarm) as desk:
        imap = desk.settings.imap
        while is_wanted(desk.settings.data):
            daemon = Daemon(desk)
            daemon.handle_signals()
            reads = f"pbmd reads {imap.folder} of {imap.user} at {imap.host}; Ctrl-C ends it"
            daemon.run(partial(typer.echo, reads, err=True))
            if not daemon.rests:
                break


@app.command("tick", epilog=examples("pbmd tick", "*/5 * * * * pbmd tick --settings /etc/pbmd/pbmd.toml"))
def tick_once(verbose: Verbose = False, settings: SettingsFile = DEFAULT_SETTINGS) -> None:
    """Do one round of the daemon's work and exit, for use with cron. Exit code 1 if a mail server failed, 4
    if the ledger is damaged."""
    with loading():
        from pbmd.cli.desk import at_desk
        from pbmd.daemon.set_aside import is_set_aside
        from pbmd.daemon.tick import tick
        from pbmd.desk.publish.damage_alarm import sound_alarm
        from pbmd.desk.upkeep.damaged import look_first
        from pbmd.post.imap.connection import InboxLost, LoginRefused
        from pbmd.post.smtp.client import SmtpError

    log_to_stderr(verbose)
    with at_desk(settings, look_first, sound_alarm) as desk:
        if is_set_aside(desk.settings.data):
            typer.echo("pbmd: this host is set aside, and nothing is done (pbmd drain --undo takes it back)", err=True)
            return
        try:
            tick(desk)
        except (InboxLost, LoginRefused) as problem:
            fail(f"the mailbox could not be read: {problem}; all else was done{_more(problem)}", WENT_WRONG)
        except SmtpError as problem:
            fail(f"mail could not be sent: {problem}; it stays in the outbox{_more(problem)}", WENT_WRONG)


def _more(problem: Exception) -> str:
    """Which command says more, if one does."""
    from pbmd.cli.hints import about_login

    told = about_login(problem)
    return f". More: {told}" if told else ""


def log_to_stderr(verbose: bool) -> None:
    """Send the program's own log to standard error."""
    logging.basicConfig(format="%(asctime)s %(levelname)s %(name)s: %(message)s", level=logging.WARNING)
    # Only pbmd's own: at that level a library might show what is in the mails.
    logging.getLogger("pbmd").setLevel(logging.DEBUG if verbose else logging.INFO)
