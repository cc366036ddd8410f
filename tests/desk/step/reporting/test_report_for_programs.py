"""``report.json``: a program that reads nothing else of its mails plays every game."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import col

from pbmd.desk.changes import new_game
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Outbox, SubmissionState
from pbmd.resources import folder
from pbmd.rules.options import complete
from pbmd.rules.registry import slugs
from pbmd.simulate import signups
from pbmd.terms.terms import Terms
from tests.desk.bunches import OPTIONS, PLAYERS
from tests.desk.world import World, message_of
from tests.schemas import Draft202012Validator

SCHEMA = Draft202012Validator(json.loads((folder("templates") / "mail/report.schema.json").read_text()))
LETTERS, MOST_ROUNDS = 8, 16
PLAIN = Terms.model_validate({"reminders": ()})
TAKEN = {SubmissionState.FILED, SubmissionState.USED, SubmissionState.GRANTED}


@dataclass
class Bot:
    """Who plays a seat by a program: it knows the mails that it got, and of those the last file report.json alone."""

    world: World
    seat: str
    address: str
    read: int = 0

    def reports(self) -> Iterator[tuple[Outbox, dict[str, Any]]]:
        """Those that have come since it looked last."""
        mails = self.world.mails(col(Outbox.recipient) == self.address, col(Outbox.kind) == "report")
        for mail in mails[self.read :]:
            (file,) = [part for part in message_of(mail).walk() if part.get_content_type() == "application/json"]
            document = json.loads(file.get_payload(decode=True))  # pyright: ignore[reportArgumentType]
            SCHEMA.validate(document)
            yield mail, document
        self.read = len(mails)

    def play(self) -> int:
        """Answer the last of what has come; gives the number of letters."""
        found = list(self.reports())
        if not found or not found[-1][1]["orders"]["awaited"]:
            return 0
        mail, document = found[-1]
        assert (document["seat"], document["ruleset"]) == (self.seat, self.world.game().ruleset)
        orders = document["orders"]
        lines = orders["instead"][:1] if orders["instead"] and document["turn"] % 2 == 0 else orders["together"]
        assert lines, "whoever is awaited can order something"
        self.world.reply(mail, "\n".join(lines))
        return 1


def begun(world: World, slug: str) -> list[Bot]:
    """A game of programs."""
    options = OPTIONS.get(slug, {})
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, "galaxy-7", slug, PLAIN, options)
        rules = table.ruleset
        for place, signup in enumerate(signups(rules, PLAYERS[slug], complete(rules.info.options, options))):
            new_game.add_seat(work, table, signup, new_game.Newcomer(f"bot{place}@players.test", f"Bot {place}"))
        for seat in table.seats:
            seat.report_files = "json"
        new_game.start_game(work, table)
        return [Bot(world, seat.name, seat.address) for seat in table.seats]


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("slug", slugs())
def test_a_program_plays_by_it_alone(world: World, slug: str) -> None:
    bots = begun(world, slug)
    letters = 0
    for _ in range(MOST_ROUNDS):
        if letters >= LETTERS:
            break
        written = sum(bot.play() for bot in bots)
        letters += written
        # Where an order is answered in the middle of a turn, the program waits for the end of that.
        world.pass_time(timedelta(minutes=5) if written else timedelta(days=4))
    assert letters >= LETTERS
    assert world.game().turn > 1
    submissions = world.submissions()
    assert len(submissions) == letters
    assert {submission.state for submission in submissions} <= TAKEN
    assert not any("error" in submission.verdicts for submission in submissions)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(SCHEMA.schema)
