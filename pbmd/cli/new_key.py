"""A new server key after the old one was lost, for the commands that make one."""

from pathlib import Path
from typing import Any

from pbmd.cli.changes import writing
from pbmd.cli.desk import at_desk, settings_of, troubles_told
from pbmd.daemon.installation import only_one
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.server_key import KEY
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.upkeep.new_key import make_new_key, tell_of_new_key, unfinished
from pbmd.rules import Refused
from pbmd.rules.registry import UnknownRuleset
from pbmd.rules.troubles import BrokenGame


def go_on_with_new_key(settings: Path) -> dict[str, Any]:
    """Make it and inform everybody concerned; no daemon may be running. Returns what was done, for JSON, with the `words` for
    people."""
    chosen = settings_of(settings)
    with troubles_told(chosen), only_one(chosen.data):
        aside = make_new_key(chosen)
    with at_desk(settings) as desk:
        words = [f"{chosen.data / KEY} is a new one; the players of all games that are not over get a mail."]
        if aside is not None:
            words.append(f"What was in its place is {aside}.")
        words += tell_all_of_new_key(desk)
    return {"key": chosen.data / KEY, "replaced": aside, "words": words}


def tell_all_of_new_key(desk: Desk) -> list[str]:
    """Mail the players of all games that are not over, each game by itself. Returns a line for each game that could not be
    mailed."""
    with writing(desk) as work:
        work.log("server-key")
    with Transaction(desk, reads=True) as work:
        games = unfinished(work)
    untold = list[str]()
    for game in games:
        try:
            with writing(desk) as work:
                tell_of_new_key(work, work.table(game))
        except (BrokenGame, Refused, UnknownRuleset) as problem:
            untold.append(f"One game could not be told, do it by hand when it goes on: {problem}")
    return untold
