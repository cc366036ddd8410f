"""`pbmd results`: how the players who have agreed to be listed did in the games that are over."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail, time_as_json
from pbmd.cli.desk import at_desk
from pbmd.cli.grid import cell, show_rows
from pbmd.cli.options import DEFAULT_SETTINGS, SettingsFile
from pbmd.desk.books.attendance import digest_of_player
from pbmd.desk.books.transaction import Transaction
from pbmd.files import write_file
from pbmd.results.export import as_csv, as_document
from pbmd.results.finished import finished_games
from pbmd.results.ratings import MEANING
from pbmd.results.table import PLACES, PlayerResult, RulesetResults, results_of
from pbmd.terms.times import describe_time

app = typer.Typer(**SETTINGS)
_HEAD = ("player", "games", *PLACES, "wins", "draws", "missed turns", "rating")
_GAMES_HEAD = ("game", "over since", "seat", "place", "missed turns")


@app.command(
    "results",
    epilog=examples(
        "pbmd results", "pbmd results --ruleset diplomacy", "pbmd results --player Kim", "pbmd results --csv results.csv"
    ),
)
def results(
    ruleset: Annotated[str | None, typer.Option(help="Only games of this ruleset.", metavar="RULESET")] = None,
    player: Annotated[str | None, typer.Option(help="Only this player, with their games.", metavar="NAME")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    csv: Annotated[
        Path | None, typer.Option("--csv", help="Write a line for each player to this file.", metavar="FILE")
    ] = None,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Show the results of the games that are over, by the players who have agreed to be listed, with a rating of each.

    Players agree by mail: LIST ME AS and a name. Whoever has not agreed appears nowhere, and counts in the ratings of others as
    somebody of whom nothing is known. Games that were given up do not count.

    Exit code 1 if there is a game that cannot be read; all others count all the same."""
    with at_desk(settings) as desk:
        rules = desk.ruleset(ruleset.lower().replace("-", "_")).info if ruleset else None
        title = rules.title if rules else ""
        with Transaction(desk, reads=True) as work:
            found = finished_games(work.session, desk.ruleset, partial(digest_of_player, desk.key))
        chosen = [_of_player(each, player) for each in results_of(found.games) if rules is None or each.ruleset == rules.slug]
        chosen = [each for each in chosen if each.players]
        if player and not chosen:
            of_title = f" of {title}" if title else ""
            fail(f'no game{of_title} is over in which a player is listed as "{player}"')
        if csv:
            write_file(csv, as_csv(chosen))
        if as_json:
            print(json.dumps(as_document(chosen), default=time_as_json, ensure_ascii=False, indent=2))
        elif not csv:
            _show(chosen, player, title, desk.settings.server.timezone)
        if found.troubles:
            fail(f"these games could not be read, and do not count: {'; '.join(found.troubles)}", WENT_WRONG)


def _of_player(of: RulesetResults, player: str | None) -> RulesetResults:
    """The results of one player, or of all."""
    if player is None:
        return of
    games = (game for game in of.games if any(_is(seat.player, player) for seat in game.seats))
    return replace(of, players=tuple(each for each in of.players if _is(each.player, player)), games=tuple(games))


def _is(name: str, typed: str) -> bool:
    """Names that differ in capitals alone are never two players'."""
    return name.casefold() == typed.strip().casefold()


def _show(results: Sequence[RulesetResults], player: str | None, title: str, zone: str) -> None:
    console = Console()
    if not results:
        game = f"No game of {title}" if title else "No game"
        console.print(f"{game} is over in which a player is listed. Players agree by mail: LIST ME AS and a name.")
        return
    for of in results:
        console.print(cell(of.title, "bold"))
        show_rows(console, _HEAD, map(_row, of.players))
        if player:
            show_rows(console, _GAMES_HEAD, _games(of, player, zone))
    console.print(MEANING, highlight=False)


def _row(player: PlayerResult) -> Sequence[Text]:
    rating = f"{player.rating.strength:.1f} ± {player.rating.uncertainty:.1f}" if player.rating else ""
    counts = [cell(str(count) if count else "") for count in (*player.places, player.wins, player.draws)]
    missed = cell(f"{player.steps.missed} of {player.steps.all}", "yellow" if player.steps.missed else "")
    return [cell(player.player, "bold"), cell(str(player.games)), *counts, missed, cell(rating, "cyan")]


def _games(of: RulesetResults, player: str, zone: str) -> Iterator[Sequence[Text]]:
    for game in of.games:
        for seat in game.seats:
            if _is(seat.player, player):
                place = f"{seat.place} of {len(game.seats)}"
                missed = game.steps[seat.player].missed if seat.player in game.steps else 0
                row = (game.name, describe_time(game.ended, zone), seat.seat, place, str(missed or ""))
                yield [cell(text, "green" if seat.won else "") for text in row]
