"""Who writes that nothing is done has sent, in every game, and the answer says so."""

from pathlib import Path
from typing import Any

import pytest

from pbmd.desk.changes import new_game
from pbmd.desk.step.game_transaction import changing_games
from pbmd.rules.options import complete
from pbmd.rules.registry import get, slugs
from pbmd.rules.sheets import sheet_of
from pbmd.simulate import signups
from pbmd.terms.terms import Terms
from tests.desk.world import World, body_of

GAME = "game-1"


def begun(folder: Path, slug: str) -> tuple[World, str, Any]:
    """A desk with a running game of that ruleset, a seat that is awaited, and the mail with its order form."""
    world, rules = World(folder), get(slug)
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, GAME, slug, Terms(reminders=(), second_thought="0m"), {})
        players = signups(rules, max(2, rules.info.min_seats), complete(rules.info.options, {}))
        for number, signup in enumerate(players):
            new_game.add_seat(work, table, signup, new_game.Newcomer(f"player{number}@players.test", f"Player {number}"))
        new_game.start_game(work, table)
        seat = rules.awaiting(table.position)[0]
    place = [signup.seat for signup in players].index(seat) if seat in [signup.seat for signup in players] else 0
    (report, *_) = [
        mail for mail in world.outbox() if "\n#orders" in body_of(mail) and mail.recipient == f"player{place}@players.test"
    ]
    return world, seat, report


NOTHING = [
    (slug, text)
    for slug in slugs()
    for text in ("PASS", "I will do nothing this turn.", "no builds")
    if slug != "starship_squadrons" and (slug, text) != ("diplomacy", "no builds")
]


@pytest.mark.in_turn(4)
@pytest.mark.parametrize(("slug", "text"), NOTHING)
def test_who_does_nothing_has_sent(tmp_path: Path, slug: str, text: str) -> None:
    world, seat, report = begun(tmp_path, slug)
    answer = " ".join(world.reply(report, text).split())
    assert "NOT TAKEN" not in answer, answer
    rules = get(slug)
    position = rules.load(world.position(GAME))
    assert seat not in rules.awaiting(position) or sheet_of(rules.sheets(position), seat) is not None
    world.close()


def test_no_builds_among_moves_says_nothing_of_the_moves(tmp_path: Path) -> None:
    world, seat, report = begun(tmp_path, "diplomacy")
    answer = " ".join(world.reply(report, "No builds").split())
    assert "nothing was changed. If you want to give no orders this turn" in answer
    assert seat in get("diplomacy").awaiting(get("diplomacy").load(world.position(GAME)))
    world.close()


def test_where_something_has_to_be_done_the_answer_says_what(tmp_path: Path) -> None:
    rules = get("starship_squadrons")
    world, seat, report = begun(tmp_path, "starship_squadrons")
    answer = " ".join(world.reply(report, "nothing").split())
    assert "here something has to be done" in answer
    assert "SQUADRON Scout: J4 M6 S5 A2 R4 D3" in answer
    assert seat in rules.awaiting(rules.load(world.position(GAME)))
    world.close()
