"""``python -m tests.servers``: a small game by mail on every pair of mail servers, and a table of how they went."""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import pytest
import typer
from rich.console import Console
from rich.table import Table

from tests.servers.matches import Match, facts_of, pairs, read_record, run_match, write_record
from tests.servers.table import PAGE, with_table


def main(
    names: Annotated[list[str] | None, typer.Argument(help="some of the servers, as in: cyrus exim (all)")] = None,
    write: Annotated[bool, typer.Option("--write", help="write the table of docs/mail.md anew; only for all servers")] = False,
) -> None:
    """Play a game on real mail servers. Exit code 1 when one goes wrong: then its settings, ledger and logs are kept."""
    console = Console()
    try:
        wanted = pairs(names or ())
    except ValueError as problem:
        raise typer.BadParameter(str(problem)) from None
    if write and names:
        raise typer.BadParameter("--write is for all servers: name none", param_hint="--write")
    matches = [_match(imap, smtp, console) for imap, smtp in wanted]
    console.print(_shown(matches))
    if any(match.findings for match in matches):
        raise typer.Exit(1)
    if write:
        write_record(facts_of(matches))
        PAGE.write_text(with_table(PAGE.read_text(), read_record()))


def _match(imap: str, smtp: str, console: Console) -> Match:
    folder = Path(tempfile.mkdtemp(prefix="pbmd-servers-"))
    try:
        match = run_match(imap, smtp, folder)
    except pytest.skip.Exception as reason:
        sys.exit(f"servers: {reason}")
    told = "; ".join(match.findings) or "good"
    console.print(f"{imap} and {smtp}: {told}, {match.seconds:.0f} s", highlight=False, markup=False)
    if match.findings:
        console.print(f"settings, ledger and logs are kept in {folder}", highlight=False, markup=False)
    else:
        shutil.rmtree(folder)
    return match


def _shown(matches: list[Match]) -> Table:
    table = Table("IMAP", "SMTP", "letters", "mails", "seconds", "found")
    for match in matches:
        imap, smtp = (f"{facts.name} {facts.version}" for facts in (match.imap, match.smtp))
        table.add_row(imap, smtp, str(match.letters), str(match.mails), f"{match.seconds:.0f}", str(len(match.findings) or "-"))
    return table


if __name__ == "__main__":
    typer.run(main)
