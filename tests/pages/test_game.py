"""What the page of a game and its feed tell, for whom."""

import xml.etree.ElementTree as ElementTree
from datetime import timedelta

import pytest
from sqlmodel import Session

from pbmd.desk.changes import pauses
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.publish.dashboard import dashboard_source
from pbmd.ledger.tables import Game, OutboxState, Report
from pbmd.pages.feed import feed
from pbmd.pages.game import GamePage, game_page
from pbmd.pages.needs import Need, needs
from pbmd.pages.site import update
from pbmd.pages.source import Audience
from pbmd.pages.state import games, health
from tests.desk.world import World, address_of

ATOM = "{http://www.w3.org/2005/Atom}"
HOUR = timedelta(hours=1)


def page(world: World, audience: Audience = "gm") -> GamePage:
    world.settle(dashboard={"audience": audience})
    with Session(world.desk.engine) as session:
        return game_page(session, dashboard_source(world.desk), attached(world.game(), session), world.folder / "page")


def attached(game: Game, session: Session) -> Game:
    """The game as it is in a ledger that is open, as the pages have it."""
    found = session.get(Game, game.id)
    assert found is not None
    return found


def needed(world: World, audience: Audience = "gm") -> list[Need]:
    world.settle(dashboard={"audience": audience})
    source = dashboard_source(world.desk)
    with Session(world.desk.engine) as session:
        rows = games(session, source)
        return needs(session, source, rows, health(session, source, rows))


def play_two_turns(world: World) -> None:
    """Altair sends in both turns, Borealis in the first, Cygnus never."""
    world.now += HOUR
    world.send("Altair", "Add 1")
    world.now += HOUR
    world.send("Borealis", "Add 2")
    world.send("Cygnus", "nonsense")
    assert world.pass_time(timedelta(hours=71)) == 1
    world.now += HOUR
    world.send("Altair", "Add 3")
    assert world.pass_time(timedelta(hours=72)) == 1


def test_a_turn_tells_when_why_and_who_missed_it_with_the_cause(world: World) -> None:
    world.count(who_has_sent="count")
    play_two_turns(world)
    first, second = page(world).turns
    assert (first.turn, first.number_missed, [each.seat for each in first.missed]) == (1, 1, ["Cygnus"])
    assert "could not be taken" in first.missed[0].cause
    assert [each.seat for each in second.missed] == ["Borealis", "Cygnus"]
    assert first.cause == second.cause == "the deadline passed"
    assert second.began == first.ended
    assert page(world).missed_by == {"Altair": 0, "Borealis": 1, "Cygnus": 2}


@pytest.mark.parametrize(
    ("terms", "number", "names"),
    [("names", 1, ["Cygnus"]), ("count", 1, []), ("nothing", None, [])],
    ids=lambda value: str(value),
)
def test_the_public_learns_of_missed_turns_what_the_terms_say_and_no_causes(
    world: World, terms: str, number: int | None, names: list[str]
) -> None:
    world.count(who_has_sent=terms)
    play_two_turns(world)
    first = page(world, "public").turns[0]
    assert first.number_missed == number
    assert [(each.seat, each.cause) for each in first.missed] == [(name, "") for name in names]


@pytest.mark.parametrize(("terms", "dots"), [("names", 2), ("count", 2), ("nothing", None)])
def test_arrivals_are_drawn_where_their_number_may_be_known(world: World, terms: str, dots: int | None) -> None:
    world.count(who_has_sent=terms)
    play_two_turns(world)
    drawn = page(world, "public").arrivals
    if dots is None:
        assert drawn is None
        return
    assert drawn is not None
    assert [(row.turn, len(row.dots)) for row in drawn.rows] == [(3, 0), (2, 1), (1, dots)]
    assert drawn.rows[2].dots[0].x < drawn.rows[2].dots[1].x
    assert ("Altair" in drawn.rows[2].dots[0].words) == (terms == "names")


def test_what_came_in_the_second_in_which_a_turn_began_is_drawn_at_its_beginning(world: World) -> None:
    world.now += timedelta(microseconds=700_000)
    world.count(who_has_sent="count")
    world.send("Altair", "Add 1")  # mailboxes know whole seconds only, so it seems to have come before the turn
    drawn = page(world).arrivals
    assert drawn is not None
    assert [(row.words, [dot.words for dot in row.dots]) for row in drawn.rows] == [
        ("1 came", ["Altair, less than 1 s after turn 1 began"])
    ]
    assert drawn.rows[0].dots[0].x == drawn.left


def test_what_was_taken_back_is_no_turn_and_was_missed_by_nobody(world: World) -> None:
    world.count(who_has_sent="count")
    play_two_turns(world)
    world.now += HOUR
    world.act("galaxy-7", roll_back, 2, "a mistake")
    assert [turn.turn for turn in page(world).turns] == [1]
    for seat in ("Altair", "Borealis", "Cygnus"):
        world.send(seat, "Add 1")
    world.read_mailbox()
    assert world.pass_time(timedelta(hours=74)) == 1
    first, second = page(world).turns
    assert (first.turn, second.turn) == (1, 2)
    assert [each.seat for each in first.missed] == ["Cygnus"]
    assert second.missed == ()
    assert "rolled-back" in {line.what for line in page(world, "public").lines}


def test_only_the_game_master_is_shown_the_whole_log(world: World) -> None:
    world.count(who_has_sent="count")
    play_two_turns(world)
    public = {line.what for line in page(world, "public").lines}
    private = {line.what for line in page(world).lines}
    assert public == {"created", "joined", "started", "resolved"}
    assert {"orders", "refused", "nmr"} <= private


def test_awaited_seats_are_named_where_they_may_be(world: World) -> None:
    world.count(who_has_sent="count")
    world.send("Altair", "Add 1")
    assert page(world).row.awaited == ("Borealis", "Cygnus")
    public = page(world, "public").row
    assert (public.awaited, public.sent, public.of) == (None, 1, 3)


def test_whose_move_it_is_all_may_know(world: World) -> None:
    world.start(ruleset="relay", options={"die": False}, who_has_sent="nothing")
    assert page(world, "public").row.awaited == ("Altair", "Borealis", "Cygnus")


def test_the_phase_of_a_turn_is_named(world: World) -> None:
    world.start(ruleset="tides")
    row = page(world, "public").row
    assert row.step_name == world.game().step_name != ""
    update(dashboard_source(world.desk))
    folder = dashboard_source(world.desk).folder
    for path in ("index.html", row.page):
        assert row.step_name in (folder / path).read_text().lower()


def test_charts_and_maps_come_from_the_public_view(world: World) -> None:
    world.start("societies-3", ruleset="societies")
    world.now += timedelta(hours=121)
    world.settle(dashboard={"audience": "public"})
    world.pass_time()
    source = dashboard_source(world.desk)
    with Session(world.desk.engine) as session:
        shown = game_page(session, source, attached(world.game("societies-3"), session), world.folder / "page")
    assert [chart.title for chart in shown.charts] == ["Cities", "Technology", "Wonders"]
    assert [line.name for line in shown.charts[0].lines] == ["Altair", "Borealis", "Cygnus"]
    assert [look.words for look in shown.looks] == ["at the beginning", "after turn 1"]
    for look in shown.looks:
        assert (world.folder / "page" / look.map).read_text("utf-8").startswith("<svg")


def test_what_needs_the_game_master_is_found(world: World) -> None:
    world.count()
    world.read_mailbox()
    assert needed(world) == []
    world.open("newcomers", "Vega", "Deneb", seats=2)
    world.act("galaxy-7", pauses.pause, "a journey")
    with world.changed("Altair") as seat:
        seat.unreachable_since = world.now
    with world.work() as work:
        for mail in world.outbox()[:2]:
            mail.state = OutboxState.FAILED
            work.session.merge(mail)
    assert {(need.game, need.words) for need in needed(world)} == {
        ("galaxy-7", "Paused"),
        ("galaxy-7", "Mail to Altair comes back"),
        ("newcomers", "All seats are taken"),
        ("", "Mails that were given up: 2"),
    }
    assert "Altair" not in repr(needed(world, "public"))


def test_a_request_of_a_player_is_for_the_game_master_alone(world: World) -> None:
    world.count(extension_budget="1h")
    world.read_mailbox()
    world.send("Altair", "EXTEND 30h because of a wedding")
    (need,) = needed(world)
    assert "Altair" in need.words
    assert need.what_to_do == "By mail: APPROVE 1 or REFUSE 1."
    assert need.commands == ("pbmd approve galaxy-7 1", "pbmd refuse galaxy-7 1")
    assert needed(world, "public") == []


def test_a_mailbox_that_was_not_read_for_long_and_mail_that_does_not_go_out_need_a_look(world: World) -> None:
    world.count()
    world.read_mailbox()
    world.now += HOUR
    assert [need.words for need in needed(world)] == ["The mailbox has not been read", "Mail waits to be sent"]


def test_no_address_is_in_what_a_mail_server_said(world: World) -> None:
    world.count()
    with world.work() as work:
        mail = world.outbox()[0]
        mail.state, mail.error = OutboxState.FAILED, f"550 <{address_of('Altair')}>: no such user"
        work.session.merge(mail)
    world.settle(dashboard={"audience": "gm"})
    source = dashboard_source(world.desk)
    update(source)
    shown = (source.folder / "mail.html").read_text("utf-8")
    assert "no such user" in shown
    assert "players.test" not in "".join(path.read_text("utf-8") for path in source.folder.rglob("*.html"))


def test_the_feed_is_atom_with_the_reports_of_the_turns(world: World) -> None:
    world.start()
    for _ in range(2):
        assert world.pass_time(timedelta(hours=73)) == 1
    world.act("galaxy-7", pauses.pause, "a journey\x0b of <us> & them")
    source = dashboard_source(world.desk)
    update(source)
    tree = ElementTree.parse(source.folder / "games" / "galaxy-7" / "feed.xml").getroot()
    entries = tree.findall(f"{ATOM}entry")
    titles = [entry.findtext(f"{ATOM}title") for entry in entries]
    assert titles[:3] == ["The game is paused", "Turn 2 is resolved", "Turn 1 is resolved"]
    assert entries[0].findtext(f"{ATOM}content") == "a journey  of <us> & them"
    public = [row.text for row in world.rows(Report) if row.reader == "public"]
    for entry, report in zip(entries[1:3], (public[2], public[1]), strict=True):
        assert report.strip() in (entry.findtext(f"{ATOM}content") or "")
    ids = [element.text for element in tree.iter(f"{ATOM}id")]
    assert len(set(ids)) == len(ids)
    assert all(name.startswith("urn:uuid:") for name in ids if name)
    assert tree.findtext(f"{ATOM}updated") == entries[0].findtext(f"{ATOM}updated")


def test_the_news_keep_their_ids(world: World) -> None:
    world.count()
    source = dashboard_source(world.desk)
    with Session(world.desk.engine) as session:
        before = feed(session, source, world.game())
    world.act("galaxy-7", pauses.pause, "")
    with Session(world.desk.engine) as session:
        after = feed(session, source, world.game())
    assert after.entries[1:] == before.entries
    assert after.id == before.id


def test_moves_of_one_instant_are_news_each(world: World) -> None:
    world.start(ruleset="relay", options={"die": False}, reminders=())
    for seat in ("Altair", "Borealis", "Cygnus"):
        world.send(seat, "Add 1")
    with Session(world.desk.engine) as session:
        news = feed(session, dashboard_source(world.desk), world.game()).entries
    assert sum("is resolved" in entry.title for entry in news) == 3
    assert len({entry.id for entry in news}) == len(news)
