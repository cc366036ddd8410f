"""The page of results: when there is one, and what is on it."""

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from sqlalchemy import update as sql_update
from sqlmodel import Session, col

from pbmd.desk.publish.dashboard import dashboard_source, observers_source
from pbmd.ledger.tables import Game, ListedPlayer
from pbmd.pages import results, site
from pbmd.pages.site import update
from pbmd.pages.source import Source
from tests.desk.world import World
from tests.results.games import list_as, play


@pytest.fixture
def source(world: World) -> Source:
    play(world, "nova-1", Altair="Add 9", Borealis="Add 2", Cygnus="Add 4")
    world.read_mailbox()
    return dashboard_source(world.desk)


def page(source: Source) -> str:
    """The page after an update, without its style and script; empty if there is none."""
    update(source)
    file = source.folder / "results.html"
    text = file.read_text("utf-8") if file.exists() else ""
    return re.sub(r"<(style|script)>.*?</\1>", "", text, flags=re.DOTALL)


def words(text: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", text)).split())


def overview(source: Source) -> str:
    return (source.folder / "index.html").read_text("utf-8")


def test_there_is_none_and_no_link_to_one_as_long_as_nobody_is_listed(source: Source) -> None:
    assert page(source) == ""
    assert "results.html" not in overview(source)


def test_with_a_consent_it_is_written_and_linked_and_without_one_it_is_gone(world: World, source: Source) -> None:
    page(source)
    list_as(world, "Cygnus", "Cy", "nova-1")
    assert "Cy" in words(page(source))
    assert 'href="results.html"' in overview(source)
    assert 'href="results.html"' in (source.folder / "mail.html").read_text("utf-8")
    world.send("Cygnus", "DO NOT LIST ME", game="nova-1")
    assert page(source) == ""
    assert "results.html" not in overview(source)


def test_every_page_can_be_reached_from_the_overview(world: World, source: Source) -> None:
    list_as(world, "Cygnus", "Cy", "nova-1")
    update(source)
    reached, todo = set[Path](), {(source.folder / "index.html").resolve()}
    while todo:
        page = todo.pop()
        reached.add(page)
        links = re.findall(r'href="([\w./-]+\.html)"', page.read_text("utf-8"))
        todo |= {(page.parent / link).resolve() for link in links} - reached
    written = {path.resolve() for path in source.folder.rglob("*.html")}
    assert len(written) >= 4
    assert {path.name for path in written - reached} == set(), "no page links to them"


def test_it_has_places_rating_and_games_and_what_a_rating_means(world: World, source: Source) -> None:
    list_as(world, "Cygnus", "Cy", "nova-1")
    text = words(page(source))
    assert re.search(r"Player Rating Games 1st 2nd 3rd Lower Wins Draws Turns missed Cy 2\d\.\d ± 1\d\.\d 1 1 0 of 1", text)
    assert re.search(r"nova-1 over since .* · 1\. Altair, 2\. Cygnus \( Cy \), 3\. Borealis", text)
    assert "A rating says how strong a player is" in text


def test_a_game_that_ends_is_on_it_and_what_else_happens_writes_nothing(
    world: World, source: Source, monkeypatch: pytest.MonkeyPatch
) -> None:
    list_as(world, "Cygnus", "Cy", "nova-1")
    page(source)
    written: list[Path] = []
    monkeypatch.setattr(site, "write_results", lambda _session, source: written.append(source.folder) or 0)
    world.count("nova-2", ("Cygnus", "Deneb"), target=9)
    world.send("Cygnus", "Add 9", game="nova-2")
    update(source)
    assert written == []
    world.send("Deneb", "Add 1", game="nova-2")
    world.pass_time(timedelta(minutes=1))
    update(source)
    assert written == [source.folder]


def test_observers_get_it_too(world: World, source: Source) -> None:
    list_as(world, "Cygnus", "Cy", "nova-1")
    assert "Cy" in words(page(observers_source(world.desk)))


def test_a_defect_in_it_holds_up_no_other_page_and_it_is_tried_again(
    world: World, source: Source, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    list_as(world, "Cygnus", "Cy", "nova-1")
    with monkeypatch.context() as patch:
        patch.setattr(results, "finished_games", lambda *_: 1 // 0)
        assert page(source) == ""
    assert "no page of results: ZeroDivisionError" in caplog.text
    assert (source.folder / "games" / "nova-1" / "index.html").exists()
    world.now += site.REFRESH
    assert "Cy" in words(page(source))


def test_a_game_that_cannot_be_read_is_left_out(world: World, source: Source, caplog: pytest.LogCaptureFixture) -> None:
    play(world, "nova-2", Altair="Add 9", Cygnus="Add 2")
    list_as(world, "Cygnus", "Cy", "nova-2")
    with Session(world.desk.engine) as session:
        session.connection().execute(sql_update(Game).where(col(Game.name) == "nova-2").values(position="{}"))
        session.commit()
    text = page(source)
    assert "nova-1" in text
    assert "nova-2" not in text
    assert "left out of the results: nova-2" in caplog.text


# Secrecy


def test_no_address_and_nobody_who_has_not_agreed_is_on_it(world: World, source: Source) -> None:
    list_as(world, "Cygnus", "Cy", "nova-1")
    text = page(source)
    assert "@" not in text
    assert "players.test" not in text
    assert "Altair's player" not in unescape(text)


def held_by(*addresses: str) -> Callable[[World], None]:
    """Altair and Borealis, whose holders are not listed, are held by these addresses."""

    def change(world: World) -> None:
        for name in ("nova-1", "nova-2"):
            with world.work() as work:
                table = work.table_named(name)
                assert table is not None
                for seat, address in zip(table.seats[:2], addresses, strict=True):
                    seat.address, seat.holder = address, f"{address} himself"

    return change


def test_nothing_on_it_tells_who_those_are_who_have_not_agreed(world: World, source: Source) -> None:
    """Not even that the same person was met twice, or is strong: all of them count alike."""
    play(world, "nova-2", Altair="Add 9", Borealis="Add 2", Cygnus="Add 4")
    list_as(world, "Cygnus", "Cy", "nova-1")
    pages = []
    for change in (held_by("a@x.test", "b@x.test"), held_by("b@x.test", "a@x.test"), held_by("c@y.test", "d@y.test")):
        change(world)
        site.forget(source.folder)
        pages.append(page(source))
    assert pages[0]
    assert len({*pages}) == 1


def test_a_name_that_came_into_the_ledger_in_another_way_is_shown_as_text(world: World, source: Source) -> None:
    list_as(world, "Cygnus", "Cy", "nova-1")
    with Session(world.desk.engine) as session:
        session.connection().execute(sql_update(ListedPlayer).values(name='<img src="x">'))
        session.commit()
    text = page(source)
    assert "<img" not in text
    assert '<img src="x">' in unescape(text)


def test_the_page_is_the_same_for_everybody(world: World, source: Source) -> None:
    list_as(world, "Cygnus", "Cy", "nova-1")
    own, public = (page(replace(source, audience=audience)) for audience in ("gm", "public"))
    assert own.partition("<footer>")[0] == public.partition("<footer>")[0]
