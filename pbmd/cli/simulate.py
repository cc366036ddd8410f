"""`pbmd simulate`: whole games with random players, as fuzzing, load and balance tool."""

import json
import time
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import chain
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from pbmd.cli.authors import looked_at
from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.progress import on_terminal
from pbmd.cli.rulesets import ruleset_named, shown_place, typed_options
from pbmd.rules import OptionError, Refused
from pbmd.rules.options import complete
from pbmd.rules.registry import UnknownRuleset
from pbmd.simulate import Game, Plan, Summary, must_be_for, play, play_all, set_up, signups, summary, usual_players

app = typer.Typer(**SETTINGS)


@app.command(
    "simulate",
    epilog=examples(
        "pbmd simulate galactic_overlord --players 6 --games 100 --seed 1",
        "pbmd simulate galactic_overlord --jobs 4 --option turn_limit=50",
        "pbmd simulate galactic_overlord --seed 1 --first 17 --games 1",
    ),
)
def command(
    ruleset: Annotated[str, typer.Argument(help="A ruleset, or the path of its folder.", metavar="RULESET")],
    players: Annotated[
        int | None, typer.Option(min=1, help="Players in each game; 6, or as many as it takes, if you do not say.")
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 1,
    first: Annotated[int, typer.Option(min=1, help="Number of the first game, to repeat one of a larger run.")] = 1,
    jobs: Annotated[int, typer.Option(min=1, help="Processes to play in; the games are the same.")] = 1,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the game, as often as needed.", metavar="KEY=VALUE")
    ] = None,
    max_turns: Annotated[int, typer.Option(min=1, help="Give a game up after so many turns.")] = 500,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Play whole games with players that send random orders, and print how they went.

    It shows how long games last, who wins them and how quick they are. It calls what a game without mail needs: sign-up,
    set-up, letters, deadlines, steps and the end. Views, reports, forms and documents are looked at by pbmd try.

    Exit code 1 if a ruleset failed in any game; the others are played nevertheless.
    """
    plan = _plan(ruleset, players, option or [], seed, max_turns)
    began = time.perf_counter()
    played = _play(plan, replace(plan, load=partial(looked_at, ruleset)), range(first, first + games), jobs)
    seconds = time.perf_counter() - began
    figures = summary(played, plan.players)
    seats = [signup.seat for signup in signups(plan.load(), plan.players, plan.options)]
    if as_json:
        print(json.dumps(_as_json(figures, played, seats, seconds), indent=2))
    else:
        _print_table(figures, seats, seconds)
    failed = [game for game in played if game.problem]
    for game in failed:
        again = _command_line(ruleset, plan, option or [], game.number)
        where = f"  at {shown_place(game.place)}\n" if game.place else ""
        what = f"pbmd: game {game.number}, turn {game.turns + 1}: {game.problem}\n"
        typer.echo(f"{what}{where}  to repeat it, with the whole trace: {again}", err=True)
    if failed:
        if games == 1:
            typer.echo(failed[0].trace, err=True)
        raise typer.Exit(WENT_WRONG)


def _plan(name: str, wanted: int | None, options: Sequence[str], seed: int, max_turns: int) -> Plan:
    try:
        rules = looked_at(name)
        chosen = complete(rules.info.options, typed_options(rules.info, options))
        players = usual_players(rules, chosen) if wanted is None else wanted
        must_be_for(rules, players)
        plan = Plan(partial(ruleset_named, name), players, chosen, seed, max_turns)
        set_up(plan, 1)
    except (UnknownRuleset, OptionError, Refused) as problem:
        fail(problem)
    return plan


def _play(plan: Plan, careful: Plan, numbers: Sequence[int], jobs: int) -> list[Game]:
    """The games of a plan. The `careful` one checks the types of everything that the ruleset returns: it is for the first game,
    and for those that failed outside the ruleset, since it takes a tenth more time."""
    with on_terminal(TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()) as progress:
        games = chain([play(careful, numbers[0])], play_all(plan, numbers[1:], jobs))
        played = list(progress.track(games, total=len(numbers)))
    return [play(careful, game.number) if game.problem and not game.place else game for game in played]


def _as_json(figures: Summary, games: Sequence[Game], seats: Sequence[str], seconds: float) -> dict[str, Any]:
    failed = [
        {
            "game": game.number,
            "turn": game.turns + 1,
            "problem": game.problem,
            "place": shown_place(game.place) if game.place else "",
        }
        for game in games
        if game.problem
    ]
    return asdict(figures) | {
        "wins": dict(zip(seats, figures.wins, strict=True)),
        "problems": failed,
        "turns_per_second": round(figures.turns / seconds, 1),
    }


def _print_table(figures: Summary, seats: Sequence[str], seconds: float) -> None:
    table = Table(show_header=False)
    table.add_row("games", f"{figures.ended} ended, {figures.unfinished} unfinished, {figures.failed} failed")
    table.add_row("length in turns", f"{figures.shortest} shortest, {figures.median:g} median, {figures.longest} longest")
    wins = ", ".join(f"{seat} {wins}" for seat, wins in zip(seats, figures.wins, strict=True))
    table.add_row("won by", f"{wins}; nobody {figures.draws}")
    table.add_row("order lines a turn", f"{figures.orders_per_turn:g}, of them {figures.errors_per_turn:g} refused")
    table.add_row("turns a second", f"{figures.turns / seconds:.1f}")
    Console().print(table)


def _command_line(name: str, plan: Plan, options: Sequence[str], number: int) -> str:
    given = "".join(f" --option {option}" for option in options)
    limits = f"--players {plan.players} --seed {plan.seed} --max-turns {plan.max_turns}"
    return f"pbmd simulate {name} {limits}{given} --first {number} --games 1"
