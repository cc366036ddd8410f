"""Strangers who know nothing but an address: with three mails they have given their first orders, through real mail servers."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from pbmd.ledger.tables import Game, Submission, SubmissionState
from pbmd.rules.registry import get
from tests.acceptance.house import House, open_house
from tests.acceptance.players import html_only, text_of, top_posted
from tests.acceptance.test_mastered_by_mail import Person, person
from tests.mailservers import Dovecot

RULESETS = ("cosmic_conquest", "diplomacy", "galactic_overlord", "local_cluster", "societies", "starship_squadrons")
TAKEN = (SubmissionState.FILED, SubmissionState.USED, SubmissionState.GRANTED)


def named(ruleset: str) -> str:
    """The name of the game of these rules."""
    return ruleset.replace("_", "-")


def lines_to_copy(mail: EmailMessage, game: str) -> str:
    """From JOIN on to the next blank line, as somebody copies it who does as the mail says."""
    text = text_of(mail).replace("\r\n", "\n")
    return text[text.index(f"JOIN {game} AS") :].partition("\n\n")[0]


def first_offer(report: EmailMessage) -> str:
    """The first line that the order form offers; empty if there is no form."""
    _, _, form = text_of(report).partition("#orders ")
    return next((line[2:] for line in form.partition("#end")[0].splitlines() if line.startswith("# ")), "")


@pytest.mark.dovecot
def test_asked_joined_and_ordered_in_every_ruleset(tmp_path: Path, dovecot: Dovecot) -> None:
    with open_house(tmp_path, dovecot) as house:
        for ruleset in RULESETS:
            seats = str(get(ruleset).info.min_seats)
            house.pbmd("new", named(ruleset), "--ruleset", ruleset, "--seats", seats, "--deadline", "72h")
        house.start()
        for ruleset in RULESETS:
            people = [
                person(house, f"{ruleset.partition('_')[0]}{number}", html_only if number % 2 else top_posted)
                for number in range(get(ruleset).info.min_seats)
            ]
            for one in people:
                joins(one, named(ruleset))
            reports = [one.got("the game begins") for one in people]
            player, offer = next(
                (one, offer) for one, mail in zip(people, reports, strict=True) if (offer := first_offer(mail))
            )
            player.answer(reports[people.index(player)], offer)
            house.wait_until(f"orders in {ruleset}", lambda ruleset=ruleset: named(ruleset) in games_with_orders(house))
            assert len(player.sent) == 3
        house.stop()


def joins(one: Person, game: str) -> None:
    """With two mails, and with what the first answer says."""
    told = one.writes("Hello,\nhow do I join?", "how to play here")
    one.answer(told, f"Hi again,\n\n{lines_to_copy(told, game)}\n\nSee you,\n{one.seat}")
    one.got(f"[pbmd {game}] welcome,")


def games_with_orders(house: House) -> set[str]:
    """The names of the games in which orders were taken."""
    names = {game.id: game.name for game in house.rows(Game)}
    return {names[each.game_id] for each in house.rows(Submission) if each.state in TAKEN}
