"""What waits for the game master, with what answers it, and what they are shown of each seat."""

import re
from datetime import timedelta

import pytest
from sqlmodel import Session

from pbmd.desk.changes import pauses
from pbmd.desk.publish.dashboard import dashboard_source
from pbmd.desk.sending.outbox import hold
from pbmd.pages.needs import Need, needs
from pbmd.pages.site import update
from pbmd.pages.state import games, health
from tests.desk.world import World


def needed(world: World, audience: str = "gm") -> list[Need]:
    world.settle(dashboard={"audience": audience})
    source = dashboard_source(world.desk)
    with Session(world.desk.engine) as session:
        rows = games(session, source)
        return needs(session, source, rows, health(session, source, rows))


def game_page(world: World, audience: str = "gm") -> str:
    world.settle(dashboard={"audience": audience})
    source = dashboard_source(world.desk)
    update(source)
    return (source.folder / "games/galaxy-7/index.html").read_text("utf-8")


def cells(page: str, seat: str) -> list[str]:
    """What stands in the row of a seat, behind its name."""
    section = page.partition('id="seats"')[2].partition("</table>")[0]
    (row,) = (row for row in section.split("<tr")[1:] if f">{seat}</th>" in row)
    return [cell.rpartition("</span>")[0].rpartition(">")[2] or cell.rpartition(">")[2] for cell in row.split("</td>")[:-1]]


def standing(page: str) -> list[tuple[str, str]]:
    """The seats as they stand, each with what is said of its orders."""
    rows = page.partition('class="standing"')[2].partition("</table>")[0].split("<tr")[2:]
    return [(re.findall(r"(\w+)</th>", row)[0], "".join(re.findall(r'class="pill[^"]*">([^<]*)<', row))) for row in rows]


def test_a_question_to_the_game_master_waits_until_they_have_answered_or_its_time_is_over(world: World) -> None:
    world.count()
    world.read_mailbox()
    world.master("ABANDON because nobody is left")
    (need,) = needed(world)
    assert (need.words, need.game) == ("Your YES or NO is awaited", "galaxy-7")
    assert need.what_to_do.startswith("Reply YES or NO to the mail “are you sure?”, until ")
    assert needed(world, "public") == []
    world.reply(world.questions("gm@pbmd.test")[-1], "NO")
    assert needed(world) == []


def test_an_offer_of_a_seat_is_named_and_whom_it_was_made_to_is_not(world: World) -> None:
    world.count()
    world.read_mailbox()
    world.sure("REPLACE Borealis BY dora@elsewhere.test")
    (need,) = needed(world)
    assert need.words == "Borealis is offered to somebody"
    assert "dora" not in repr(need)


@pytest.mark.parametrize(("terms", "told"), [("count", True), ("nothing", False)])
def test_questions_to_players_are_counted_where_they_tell_nothing_of_orders(world: World, terms: str, told: bool) -> None:
    world.count(who_has_sent=terms)
    world.read_mailbox()
    world.send("Altair", "Add 3", to="games@pbmd.test", subject="galaxy-7")  # it proves too little
    assert world.questions("altair@players.test")
    found = [(need.words, need.game, need.commands) for need in needed(world)]
    expected = [("Questions to players that are open: 1", "galaxy-7", ("pbmd letters --held",))]
    assert found == (expected if told else [])


@pytest.mark.parametrize(("terms", "told"), [("count", True), ("nothing", False)])
def test_answers_that_a_brake_withheld_are_told_for_a_day(world: World, terms: str, told: bool) -> None:
    world.count(who_has_sent=terms)
    for number in range(1, 14):
        world.send("Altair", f"Add {number}")
    world.read_mailbox()
    found = [need for need in needed(world) if "brake" in need.words]
    assert [(need.words, need.what_to_do, need.commands) for need in found] == (
        [
            (
                "Answers that a brake withheld: 3 (to Altair)",
                "10 answers in an hour are the most for one address.",
                ("pbmd log galaxy-7 --kind brake",),
            )
        ]
        if told
        else []
    )
    assert not any("brake" in need.words for need in needed(world, "public"))
    world.now += timedelta(days=1)
    assert not any("brake" in need.words for need in needed(world))


def test_mails_that_the_game_master_holds_back_are_counted(world: World) -> None:
    world.count()
    world.read_mailbox()
    with world.work() as work:
        hold(work, world.outbox()[0].id or 0)
    assert [(need.words, need.commands) for need in needed(world)] == [
        ("Mails that you hold back: 1", ("pbmd outbox --state held",))
    ]


def test_a_seat_is_shown_with_its_holder_what_it_missed_its_extensions_and_when_it_is_away(world: World) -> None:
    world.count(extension_budget="24h", absences="gm")
    assert cells(game_page(world), "Altair") == ["Altair&#39;s player", "1 day", ""]
    world.send("Altair", "EXTEND 6h")
    world.send("Altair", "ABSENT FROM 2026-12-01 TO 2026-12-03")
    world.send("Borealis", "Add 1")
    world.send("Cygnus", "Add 1")
    world.pass_time(timedelta(days=4))
    page = game_page(world)
    away = "Tue 1 Dec 2026 to Thu 3 Dec 2026"
    assert cells(page, "Altair") == ["Altair&#39;s player", "1 of 1 turn", "18 h", away]
    assert cells(page, "Borealis") == ["Borealis&#39;s player", "0 of 1 turn", "1 day", ""]
    world.resign("Cygnus")
    page = game_page(world)
    assert cells(page, "Cygnus")[1:] == ["0 of 1 turn", "", ""]
    assert [(name, words) for name, words in standing(page) if words] == [
        ("Altair", "missing"),
        ("Borealis", "missing"),
        ("Cygnus", "given up"),
    ]


def test_a_wish_for_a_substitute_is_shown_beside_absences(world: World) -> None:
    world.count(absences="gm")
    world.send("Altair", "ABSENT FROM 2026-12-01 TO 2026-12-03")
    world.send("Altair", "SUBSTITUTE FROM 2026-12-02 TO 2026-12-03")
    away = "Tue 1 Dec 2026 to Thu 3 Dec 2026; wants a substitute, Wed 2 Dec 2026 to Thu 3 Dec 2026"
    assert cells(game_page(world), "Altair")[-1] == away


def test_the_public_learns_nothing_of_it(world: World) -> None:
    world.count(extension_budget="24h", absences="gm")
    world.send("Altair", "ABSENT FROM 2026-12-01 TO 2026-12-03")
    world.send("Altair", "SUBSTITUTE FROM 2026-12-01 TO 2026-12-03")
    page = game_page(world, "public")
    assert "Altair" in page
    assert not [told for told in ("&#39;s player", "2026-12-01", "1 Dec 2026", "Extensions", "substitute") if told in page]


def test_times_are_short_in_one_zone_and_whole_where_one_points_at_them(world: World) -> None:
    world.settle(server={"timezone": "Australia/Sydney"})
    world.count()
    page = game_page(world)
    whole = "Fri 20 Nov 2026 12:00 UTC (23:00 Australia/Sydney)"
    assert f'<time datetime="2026-11-20T12:00:00Z" title="{whole}">Fri 20 Nov 23:00</time>' in page
    assert "Times are Australia/Sydney" in page
    deadline = '<time datetime="2026-11-23T12:00:00Z" title="Mon 23 Nov 2026 12:00 UTC (23:00 Australia/Sydney)">'
    assert f"deadline {deadline}Mon 23 Nov 23:00</time>" in page, "also in the words of the log"
    world.now += timedelta(days=60)
    world.act("galaxy-7", pauses.pause, "")
    assert f'title="{whole}">Fri 20 Nov 2026 23:00</time>' in game_page(world)
