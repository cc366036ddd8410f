"""The folder of pages: written when something has changed, whole, and only what has changed."""

import json
import os
from dataclasses import replace
from datetime import timedelta
from errno import ENOSPC
from pathlib import Path
from typing import Any

import pytest

from pbmd.desk.changes import pauses
from pbmd.desk.publish.dashboard import dashboard_source, show
from pbmd.ledger.tables import Game
from pbmd.pages import site
from pbmd.pages.site import REFRESH, update
from pbmd.pages.source import Audience, Source
from tests.desk.world import World
from tests.docs.pages import ROOT

CODE, TEMPLATES = ROOT / "pbmd", ROOT / "templates" / "dashboard"


@pytest.fixture
def source(running: World) -> Source:
    running.read_mailbox()
    return dashboard_source(running.desk)


def written(source: Source) -> dict[str, int]:
    """The files and which copy of each it is: another inode for each time it was written."""
    return {str(path.relative_to(source.folder)): path.stat().st_ino for path in source.folder.rglob("*") if path.is_file()}


def test_there_is_a_page_for_all_games_one_for_mail_and_one_with_a_feed_for_each_game(running: World, source: Source) -> None:
    running.count("another")
    assert update(source) == 8
    pages = {path for path in written(source) if not path.endswith("steps.json")}
    each = {f"games/{name}/{file}" for name in ("galaxy-7", "another") for file in ("index.html", "feed.xml")}
    assert pages == {"index.html", "mail.html", "style.css", "script.js", *each}


def test_every_template_of_a_page_is_used() -> None:
    texts = [path.read_text("utf-8") for path in (*CODE.rglob("*.py"), *TEMPLATES.glob("*.j2"))]
    names = [path.name for path in TEMPLATES.glob("*.html.j2")]
    assert names
    assert [name for name in names if not any(name in text for text in texts)] == [], "neither rendered nor taken in"


def test_nothing_is_written_when_nothing_has_happened(source: Source) -> None:
    update(source)
    before = written(source)
    assert update(source) == 0
    assert written(source) == before


def test_only_the_game_in_which_something_has_happened_is_written_anew(running: World, source: Source) -> None:
    running.count("another")
    update(source)
    before = written(source)
    running.act("another", pauses.pause, "a journey")
    update(source)
    after = written(source)
    assert {path for path in after if after[path] != before.get(path)} == {
        "index.html",
        "mail.html",  # players were told
        "games/another/index.html",
        "games/another/feed.xml",
    }
    assert "a journey" in (source.folder / "games/another/index.html").read_text("utf-8")


def test_to_find_nothing_new_looks_only_at_the_end_of_the_log(running: World, source: Source) -> None:
    update(source)
    plans = running.plans(lambda: update(source))
    assert len(plans) == 1
    assert not plans[0].startswith("SCAN")


@pytest.mark.parametrize("audience", ["gm", "public"])
def test_no_page_reads_a_table_from_end_to_end_that_grows_with_letters(running: World, audience: str) -> None:
    running.settle(dashboard={"audience": audience})
    source = dashboard_source(running.desk)
    running.send("Altair", "Add 1")
    plans = running.plans(lambda: update(source))
    scans = [plan for plan in plans if plan.startswith("SCAN") and "USING" not in plan]
    assert {
        plan for plan in scans if any(table in plan for table in ("letter", "outbox", "log", "journal", "submission"))
    } == set()


def test_what_is_told_of_the_mailbox_is_renewed_now_and_then(running: World, source: Source) -> None:
    update(source)
    running.now += REFRESH
    running.read_mailbox()
    assert update(source) == 2


@pytest.mark.parametrize(("before", "after"), [("public", "gm"), ("gm", "public")])
def test_pages_for_others_are_written_anew(running: World, source: Source, before: str, after: str) -> None:
    running.settle(dashboard={"audience": before})
    update(dashboard_source(running.desk))
    running.settle(dashboard={"audience": after})
    update(dashboard_source(running.desk))
    page = (source.folder / "games/galaxy-7/index.html").read_text("utf-8")
    assert ("keep it to yourself" in page) == (after == "gm")


def rights(folder: Path) -> set[str]:
    """The rights of a folder and of all that is in it."""
    return {f"{path.stat().st_mode & 0o777:o}" for path in (folder, *folder.rglob("*"))}


def test_as_pbmd_comes_the_pages_are_the_game_masters_and_nobody_else_can_read_them(world: World) -> None:
    world.start("societies-3", ("Altair", "Borealis", "Cygnus"), ruleset="societies")
    source = dashboard_source(world.desk)
    assert source.for_gm
    before = os.umask(0o022)
    try:
        update(source)
    finally:
        os.umask(before)
    assert rights(source.folder) == {"700", "600"}
    assert list(source.folder.rglob("map-*.svg"))
    assert rights(source.folder.with_suffix(".state")) == {"600"}


def test_pages_that_others_could_read_are_closed_when_they_become_the_game_masters(running: World) -> None:
    before = os.umask(0o022)
    try:
        running.settle(dashboard={"audience": "public"})
        source = dashboard_source(running.desk)
        update(source)
        assert rights(source.folder) == {"755", "644"}
        running.settle(dashboard={"audience": "gm"})
        update(dashboard_source(running.desk))
    finally:
        os.umask(before)
    assert rights(source.folder) >= {"700", "600"}
    assert source.folder.stat().st_mode & 0o777 == 0o700
    assert (source.folder / "index.html").stat().st_mode & 0o777 == 0o600


def test_a_lost_or_spoilt_note_of_what_was_written_only_costs_time(source: Source) -> None:
    update(source)
    note = source.folder.with_suffix(".state")
    assert json.loads(note.read_text())["through"] > 0
    note.write_text("{")
    update(source)
    note.unlink()
    update(source)
    assert update(source) == 0


@pytest.mark.parametrize("note", ['{"through": "x"}', '{"at": 5}', '{"at": "2026-11-30"}', '{"again": null}', "[" * 100_000])
def test_a_note_of_what_was_written_that_says_something_else_only_costs_time(source: Source, note: str) -> None:
    source.folder.with_suffix(".state").write_text(note)
    update(source)
    assert update(source) == 0


def test_pages_of_a_game_that_cannot_be_written_keep_no_others_away(running: World, source: Source) -> None:
    running.count("closed")
    (source.folder / "games" / "closed" / "index.html").mkdir(parents=True)
    with pytest.raises(OSError, match=r"index\.html"):
        update(source)
    assert "galaxy-7" in (source.folder / "index.html").read_text("utf-8")
    assert (source.folder / "games" / "galaxy-7" / "index.html").is_file()
    (source.folder / "games" / "closed" / "index.html").rmdir()
    running.now += REFRESH
    update(source)
    assert (source.folder / "games" / "closed" / "index.html").is_file()


def test_what_cannot_be_written_for_other_readers_is_not_left_to_them(running: World, monkeypatch: pytest.MonkeyPatch) -> None:
    running.settle(dashboard={"audience": "gm"})
    update(dashboard_source(running.desk))
    running.settle(dashboard={"audience": "public"})
    source = dashboard_source(running.desk)

    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(site, "game_page", fail)
    update(source)
    assert not (source.folder / "games/galaxy-7/index.html").exists()
    assert not (source.folder / "games/galaxy-7/feed.xml").exists()


def test_half_a_file_is_never_there(source: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    update(source)
    before = (source.folder / "index.html").read_bytes()

    def power_cut(*_: object) -> None:
        raise OSError(ENOSPC, "no space left on device")

    monkeypatch.setattr(Path, "replace", power_cut)
    source.folder.with_suffix(".state").unlink()
    monkeypatch.setattr(site, "_made_by", lambda _: "another")
    (source.folder / "games/galaxy-7/index.html").unlink()
    with pytest.raises(OSError, match="no space"):
        update(source)
    assert (source.folder / "index.html").read_bytes() == before
    assert [path for path in source.folder.rglob(".*") if path.is_file()] == []


def test_a_game_that_cannot_be_shown_keeps_no_other_away(
    running: World, source: Source, caplog: pytest.LogCaptureFixture
) -> None:
    running.count("broken")
    with running.work() as work:
        table = work.table_named("broken")
        assert table is not None
        table.game.position = '{"secret": "xyzzy"}'
        work.session.add(table.game)
    update(source)
    overview = (source.folder / "index.html").read_text("utf-8")
    assert "galaxy-7" in overview
    assert "cannot be shown" in overview
    assert "xyzzy" not in overview + caplog.text
    assert (source.folder / "games/galaxy-7/index.html").exists()


@pytest.mark.parametrize(
    ("audience", "terms", "where"), [("gm", "count", True), ("public", "count", False), ("gm", "nothing", False)]
)
def test_of_a_game_that_cannot_go_on_there_is_what_needs_no_rules(
    running: World, source: Source, audience: Audience, terms: str, where: bool
) -> None:
    running.count("nova", who_has_sent=terms)
    running.act("nova", pauses.pause, "a journey")
    with running.work() as work:
        table = work.table_named("nova")
        assert table is not None
        document = json.loads(table.game.position)
        document["players"][0]["score"] = "xyzzy"
        table.game.position, table.game.digests = json.dumps(document), "{}"
        work.session.add(table.game)
    update(replace(source, audience=audience))
    overview, page = ((source.folder / name).read_text("utf-8") for name in ("index.html", "games/nova/index.html"))
    for shown in (overview, page):
        assert "cannot be shown whole: see to its ruleset, count" in shown
        assert ("at players[0].score" in shown) == where, "where it is wrong may tell of orders"
        assert "xyzzy" not in shown
    for name in ("Altair", "Borealis", "a journey", "paused"):
        assert name in page


def test_a_turn_that_cannot_be_shown_keeps_no_other_away(
    running: World, source: Source, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3):
        running.pass_time(timedelta(days=3, minutes=1))
    rules = running.desk.ruleset("count")

    def view(position: Any, events: Any, reader: Any) -> Any:
        if position.turn == 3 and not events == ():
            raise ZeroDivisionError("xyzzy")
        return rules.view(position, events, reader)

    fresh = replace(source, ruleset=lambda _: replace(rules, view=view))
    update(fresh)
    page = (source.folder / "games/galaxy-7/index.html").read_text("utf-8")
    assert "1 turn has no map and no numbers here" in page
    assert "galaxy-7 cannot be shown as it was after turn 2: ZeroDivisionError" in caplog.text
    assert "xyzzy" not in caplog.text
    assert json.loads(source.folder.with_suffix(".state").read_text())["again"] == ["galaxy-7"]
    running.now += REFRESH
    update(source)
    assert "has no map and no numbers" not in (source.folder / "games/galaxy-7/index.html").read_text("utf-8")


def test_the_settings_can_do_without_pages(running: World) -> None:
    running.settle(dashboard={"pages": False})
    assert show(running.desk)
    assert not dashboard_source(running.desk).folder.exists()


def test_what_hinders_the_pages_ends_nothing(running: World, caplog: pytest.LogCaptureFixture) -> None:
    dashboard_source(running.desk).folder.write_text("in the way")
    assert not show(running.desk)
    assert "cannot be written" in caplog.text


def test_a_name_is_shown_as_it_is_and_not_as_markup(running: World, source: Source) -> None:
    with running.changed("Altair") as seat:
        seat.name = "<script>alert(1)</script>"
    update(source)
    pages = "".join(path.read_text("utf-8") for path in source.folder.rglob("*.html"))
    assert "<script>alert" not in pages


def test_a_map_is_drawn_once(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from pbmd.pages import maps

    world.start("societies-3", ("Altair", "Borealis", "Cygnus"), ruleset="societies")
    source = dashboard_source(world.desk)
    update(source)
    assert len(list(source.folder.rglob("map-*.svg"))) == 1
    monkeypatch.setattr(maps, "map_svg", lambda _: pytest.fail("drawn again"))
    world.act("societies-3", pauses.pause, "")
    assert update(source) > 0
    assert len(list(source.folder.rglob("map-*.svg"))) == 1


def test_games_that_are_over_and_games_that_take_sign_ups_have_a_page(world: World) -> None:
    world.count(target=1)
    world.open("newcomers", "Vega")
    for seat in ("Altair", "Borealis", "Cygnus"):
        world.send(seat, "Add 1")
    world.pass_time(timedelta(hours=73))
    assert world.rows(Game)[0].status == "finished"
    source = dashboard_source(world.desk)
    update(source)
    overview = (source.folder / "index.html").read_text("utf-8")
    assert "1 game is over</summary>" in overview
    assert "Vega" in overview
    ends = [overview, (source.folder / "games/galaxy-7/index.html").read_text("utf-8")]
    assert ["the target was reached. Winners: Altair, Borealis, Cygnus." in page for page in ends] == [True, True]
    assert {path.parent.name for path in source.folder.glob("games/*/index.html")} == {"galaxy-7", "newcomers"}


def test_the_heading_of_the_overview_is_how_many_things_wait(running: World, source: Source) -> None:
    for audience, before, after in (
        ("gm", "Nothing to do", "1 thing waits for you"),
        ("public", "1 game under way", "1 game under way"),
    ):
        pages = replace(source, audience=audience, folder=source.folder / audience)
        for heading in (before, after):
            update(pages)
            assert f"<h1>{heading}</h1>" in (pages.folder / "index.html").read_text("utf-8")
            if heading == before and audience == "gm":
                running.act("galaxy-7", pauses.pause, "a journey")


def test_the_page_of_a_game_that_is_over_tells_its_last_turn_and_not_the_next(world: World) -> None:
    world.count(target=1)
    source = dashboard_source(world.desk)
    update(source)
    page = source.folder / "games" / "galaxy-7" / "index.html"
    assert "<h1>galaxy-7: turn 1</h1>" in page.read_text("utf-8")
    for seat in ("Altair", "Borealis", "Cygnus"):
        world.send(seat, "Add 1")
    world.pass_time(timedelta(hours=73))
    update(source)
    assert "<h1>galaxy-7 is over</h1>" in page.read_text("utf-8")
    assert "It ended in turn 1." in page.read_text("utf-8")
    assert "turn 2" not in page.read_text("utf-8")
