"""The game master's commands that ask before they do something, and those about requests: the twins of what a mail can say.

What cannot be undone says what exactly would happen, and is done only if the game still stands as it did then. ``--yes`` does
not ask.
"""

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from pbmd.cli.changes import carry_out, for_players, writing
from pbmd.cli.common import SETTINGS, examples, time_as_json
from pbmd.cli.desk import at_desk, table_of
from pbmd.cli.gm import Because, SeatName
from pbmd.cli.options import DEFAULT_SETTINGS, GameName, SettingsFile
from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.books.votes import voters
from pbmd.desk.changes import gm
from pbmd.desk.gm.commands import Done, carried_out, fixed, foreseen
from pbmd.desk.gm.question_facts import Known, changes, facts_of
from pbmd.desk.language.columns import labelled
from pbmd.desk.language.gm_commands import MASTERS
from pbmd.desk.votes.propose import HowToStop, no_votes_words, polls_of, votes_of
from pbmd.ledger.ballots import Poll
from pbmd.ledger.entries.vote_entries import NO, YES
from pbmd.ledger.tables import GameStatus
from pbmd.rendering.vote_words import proposal_words
from pbmd.rules import Refused

app = typer.Typer(**SETTINGS)


class Switch(StrEnum):
    """What can be on or off."""

    ON = "on"
    OFF = "off"


Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Number = Annotated[int, typer.Argument(help="Its number, as the mail about it and `pbmd status` have it.", metavar="NUMBER")]


@app.command("deadline", epilog=examples('pbmd deadline galaxy-7 "Friday 20:00"', 'pbmd deadline galaxy-7 "2026-11-27 20:00"'))
def deadline(
    game: GameName,
    when: Annotated[str, typer.Argument(help="A date and time, a day and time, or 'in 36h'.", metavar="WHEN")],
    because: Because = "",
    yes: Yes = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Set the deadline of the current turn, and tell the players. It asks if that leaves them less time."""
    _run(settings, game, "deadline", {"when": when, "reason": because}, yes=yes)


@app.command("rollback", epilog=examples("pbmd rollback galaxy-7 3", 'pbmd rollback galaxy-7 3 --because "a lost mail"'))
def rollback(
    game: GameName,
    turn: Annotated[int, typer.Argument(help="The turn from whose beginning to play again.", metavar="TURN")],
    because: Because = "",
    yes: Yes = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Take a game back to the beginning of a turn that is resolved. Nothing is deleted, and all players are told."""
    _run(settings, game, "rollback", {"turn": str(turn), "reason": because}, yes=yes)


@app.command("eject", epilog=examples('pbmd eject galaxy-7 Borealis --because "four turns without orders"'))
def eject(
    game: GameName, seat: SeatName, because: Because = "", yes: Yes = False, settings: SettingsFile = DEFAULT_SETTINGS
) -> None:
    """Take a seat from its player. All players are told."""
    _run(settings, game, "eject", {"seat": seat, "reason": because}, yes=yes)


@app.command("offer", epilog=examples("pbmd offer galaxy-7 Borealis"))
def offer(
    game: GameName, seat: SeatName, because: Because = "", yes: Yes = False, settings: SettingsFile = DEFAULT_SETTINGS
) -> None:
    """Offer a seat to the standby list. The first YES that arrives has it; until then it stays as it is.

    Of a seat that somebody plays it asks first, and they are told."""
    _run(settings, game, "offer", {"seat": seat, "reason": because}, yes=yes)


@app.command(
    "replace", epilog=examples("pbmd replace galaxy-7 Borealis --by dora@example.org --holder Dora --timezone Europe/Berlin")
)
def replace(
    game: GameName,
    seat: SeatName,
    by: Annotated[str, typer.Option(help="The address of the new holder.", metavar="ADDRESS")],
    holder: Annotated[str, typer.Option(help="The new holder's name.", metavar="NAME")] = "",
    timezone: Annotated[str, typer.Option(help="The new holder's time zone.", metavar="ZONE")] = "UTC",
    because: Because = "",
    yes: Yes = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Offer a seat to another player. It is theirs once they have answered YES; until then it stays as it is.

    Of a seat that somebody plays it asks first, and they are told."""
    words = {"seat": seat, "address": by, "holder": holder, "timezone": timezone, "reason": because}
    _run(settings, game, "replace", words, yes=yes)


@app.command("no-substitute", epilog=examples("pbmd no-substitute galaxy-7 Borealis"))
def no_substitute(game: GameName, seat: SeatName, because: Because = "", settings: SettingsFile = DEFAULT_SETTINGS) -> None:
    """End the time of a seat's substitute, or its player's wish for one. The seat is its player's again."""
    _run(settings, game, "no-substitute", {"seat": seat, "reason": because})


@app.command("wake", epilog=examples('pbmd wake galaxy-7 Borealis --because "he was in hospital"'))
def wake(game: GameName, seat: SeatName, because: Because = "", settings: SettingsFile = DEFAULT_SETTINGS) -> None:
    """Wait again for a seat that is asleep, since it had missed too much. What it misses in a row counts anew."""
    _run(settings, game, "wake", {"seat": seat, "reason": because})


@app.command("announce", epilog=examples('pbmd announce galaxy-7 "The next deadline is after the holidays."'))
def announce(
    game: GameName,
    text: Annotated[str, typer.Argument(help="What all players are to read.", metavar="TEXT")],
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Mail an announcement to all players of a game."""
    _run(settings, game, "announce", {"text": text})


@app.command("approve", epilog=examples("pbmd approve galaxy-7 3"))
def approve(game: GameName, number: Number, because: Because = "", settings: SettingsFile = DEFAULT_SETTINGS) -> None:
    """Grant a request, such as a long extension."""
    _run(settings, game, "approve", {"request": str(number), "reason": because})


@app.command("refuse", epilog=examples('pbmd refuse galaxy-7 3 --because "the third time in a row"'))
def refuse(game: GameName, number: Number, because: Because = "", settings: SettingsFile = DEFAULT_SETTINGS) -> None:
    """Refuse a request. The player gets a mail."""
    _run(settings, game, "refuse", {"request": str(number), "reason": because})


@app.command(
    "votes",
    epilog=examples(
        "pbmd votes galaxy-7", "pbmd votes galaxy-7 pause,extension", "pbmd votes galaxy-7 none", "pbmd votes galaxy-7 --json"
    ),
)
def votes(
    game: GameName,
    kinds: Annotated[
        str | None,
        typer.Argument(
            help="Pause, extension, replace, draw, cancel, all or none; without it votes are listed.", metavar="KINDS"
        ),
    ] = None,
    because: Because = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON: what applies now.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """List the open votes of the players, or say what they may vote on from now on. All players are told of a change."""
    if kinds:
        _run(settings, game, "votes", {"kinds": kinds, "reason": because}, is_told=not as_json)
    if kinds and not as_json:
        return
    with at_desk(settings) as desk, Transaction(desk, reads=True) as work:
        table = table_of(work, game)
        print(json.dumps(_votes(work, table), ensure_ascii=False, indent=2) if as_json else _votes_told(work, table))


def _votes_told(work: Transaction, table: OpenGame) -> str:
    how = HowToStop(f"pbmd votes {table.game.name} none", f"pbmd veto {table.game.name} {{number}}")
    rows = [labelled(*row) for row in votes_of(work, table, how)]
    return "\n".join(rows) or no_votes_words(table, f"pbmd votes {table.game.name} all")


def _votes(work: Transaction, table: OpenGame) -> dict[str, Any]:
    """What players may vote on, and the open votes, as everybody may know them."""
    is_over = table.game.status is GameStatus.FINISHED
    return {
        "game": table.game.name,
        "may_vote_on": [] if is_over else [*table.terms.votes],
        "open": [_vote(found, voters(table, found.said)) for found in polls_of(work, table)],
    }


def _vote(found: Poll, may: Sequence[str]) -> dict[str, Any]:
    said, ballots = found.said, {"yes": found.of(YES, may), "no": found.of(NO, may)}
    told = {"vote": found.number, "kind": said.proposal, "about": said.about or "", "on": proposal_words(said)}
    open_to_all = {"proposed_by": said.seat or "", **ballots} if found.is_open else {}
    return {**told, "reason": said.reason or "", "ends": time_as_json(found.ends), **open_to_all}


@app.command("veto", epilog=examples('pbmd veto galaxy-7 3 --because "we play it out"'))
def veto(game: GameName, number: Number, because: Because = "", settings: SettingsFile = DEFAULT_SETTINGS) -> None:
    """Stop a vote of the players. All players are told."""
    _run(settings, game, "veto", {"vote": str(number), "reason": because})


@app.command("set", epilog=examples("pbmd set galaxy-7", "pbmd set galaxy-7 turn_limit 20"))
def set_option(
    game: GameName,
    option: Annotated[str | None, typer.Argument(help="The option; without one they are listed.", metavar="OPTION")] = None,
    value: Annotated[str | None, typer.Argument(help="Its new value.", metavar="VALUE")] = None,
    because: Because = "",
    yes: Yes = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Change an option of the rules in a running game, where its ruleset allows it. All players are told."""
    words = {"reason": because} | ({"option": option} if option else {}) | ({"value": value} if value else {})
    if option and not value:
        raise typer.BadParameter("say the new value, too", param_hint="VALUE")
    _run(settings, game, "set", words, yes=yes)


@app.command("peek", epilog=examples("pbmd peek galaxy-7 Borealis"))
def peek(
    game: GameName, seat: SeatName, because: Because = "", yes: Yes = False, settings: SettingsFile = DEFAULT_SETTINGS
) -> None:
    """See the orders that a seat has in and its last report. All players get a mail that says so."""
    _run(settings, game, "peek", {"seat": seat, "reason": because}, yes=yes)


@app.command("abandon", epilog=examples('pbmd abandon galaxy-7 --because "too few players are left"'))
def abandon(game: GameName, because: Because = "", yes: Yes = False, settings: SettingsFile = DEFAULT_SETTINGS) -> None:
    """End a game without a winner. All players are told."""
    _run(settings, game, "abandon", {"reason": because}, yes=yes)


@app.command("quiet", epilog=examples("pbmd quiet galaxy-7 saturday,sunday --zone Europe/Berlin", "pbmd quiet galaxy-7 none"))
def quiet(
    game: GameName,
    days: Annotated[str, typer.Argument(help="Weekdays with commas, or none.", metavar="DAYS")],
    zone: Annotated[str, typer.Option(help="Where these days begin and end.", metavar="ZONE")] = "",
    because: Because = "",
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Keep deadlines off some weekdays. One that would fall there moves to the next day. All players are told."""
    _run(settings, game, "quiet", {"days": days, "zone": zone, "reason": because})


@app.command("holiday", epilog=examples("pbmd holiday galaxy-7 2026-12-25", "pbmd holiday galaxy-7 2026-12-24 --to 2027-01-02"))
def holiday(
    game: GameName,
    day: Annotated[str, typer.Argument(help="The day, or the first of them.", metavar="DATE")],
    to: Annotated[str, typer.Option(help="The last of them.", metavar="DATE")] = "",
    drop: Annotated[bool, typer.Option("--drop", help="It is no holiday any more.")] = False,
    because: Because = "",
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Say that no deadline of a game falls on a date, or from one to another. All players are told."""
    days = f"{day} to {to}" if to else day
    _run(settings, game, "no-holiday" if drop else "holiday", {"days": days, "reason": because})


@app.command("timezone", epilog=examples("pbmd timezone galaxy-7 Borealis Europe/Berlin"))
def timezone(
    game: GameName,
    seat: SeatName,
    zone: Annotated[str, typer.Argument(help="Like Europe/Berlin.", metavar="ZONE")],
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Tell a player the times in another time zone, beside UTC."""
    _run(settings, game, "timezone", {"seat": seat, "zone": zone})


@app.command("digest", epilog=examples("pbmd digest galaxy-7 daily", "pbmd digest galaxy-7 off"))
def digest(
    game: GameName,
    when: Annotated[str, typer.Argument(help="turns, daily or off.", metavar="WHEN")],
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Say how often you get a mail with what happened in a game and what waits for you: after each turn (`turns`), only once a
    day if there is news (`daily`), or never (`off`)."""
    _run(settings, game, "digest", {"when": when.lower()})


@app.command("standing", epilog=examples("pbmd standing galaxy-1 on", "pbmd standing galaxy-3 off"))
def standing(
    game: GameName,
    switch: Annotated[Switch, typer.Argument(help="Whether another game follows it.", metavar="on|off")],
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Open another game like this one whenever it fills up (galaxy-8 after galaxy-7)."""
    _run(settings, game, "standing", {"on": switch.value})


@app.command("gm-mail", epilog=examples("pbmd gm-mail galaxy-7", "pbmd gm-mail galaxy-7 --new-token"))
def gm_mail(
    game: GameName,
    new: Annotated[bool, typer.Option("--new-token", help="End what the mails to you so far prove.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Send yourself a mail that you can reply to in order to run the game."""
    with at_desk(settings) as desk:
        with writing(desk) as work:
            table = table_of(work, game)
            if new:
                gm.new_gm_token(work, table)
            else:
                gm.send_gm_token(work, table, f"gm-mail {table.id} {work.now.isoformat()}")
        print(f"{table.game.name}: a mail to {desk.settings.server.gm} is in the outbox.")


def _run(settings: Path, game: str, kind: str, words: Mapping[str, str], *, yes: bool = False, is_told: bool = True) -> None:
    """Carry out a command of the game master, after asking if it asks, and report the result."""
    said: Mapping[str, str] = {key: value for key, value in words.items() if value}
    with at_desk(settings) as desk:
        with Transaction(desk, reads=True) as work:
            table = table_of(work, game)
            said = fixed(work, kind, {key: for_players(work, table, value) for key, value in said.items()})
        stood = _asked(desk, game, kind, said, yes=yes)

        def do(work: Transaction) -> Done:
            table = table_of(work, game)
            if stood is not None and (changed := changes(work, table, MASTERS.by_kind[kind].rests_on, said, stood)):
                raise Refused(f"nothing was done, for {'; '.join(changed)}; give the command again if you still want it")
            return carried_out(work, table, kind, said)

        done = carry_out(desk, do)
        if is_told:
            _show(done)


def _asked(desk: Desk, game: str, kind: str, said: Mapping[str, str], *, yes: bool) -> Known | None:
    """The facts that the game master says yes to; None if there is nothing to ask. Read in a transaction of its own, so that
    nobody waits while they think."""
    row = MASTERS.by_kind[kind]
    if not row.foresee:
        return None
    with Transaction(desk, reads=True) as work:
        table = table_of(work, game)
        would_be, stood = foreseen(work, table, kind, said), facts_of(work, table, row.rests_on, said)
    if would_be and not yes:
        typer.confirm(f"{would_be}\nIs this to be done?", abort=True)
    return stood


def _show(done: Done) -> None:
    if done.sentence:
        print(f"{done.sentence} {done.next_in_shell}".rstrip())
    if done.text:
        print(done.text)
