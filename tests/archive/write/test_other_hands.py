"""The archive of a seat that has changed hands, for who holds it now."""

import json
import tomllib
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from sqlmodel import Session

from pbmd.archive.format.audience import ALL, Audience
from pbmd.desk.changes.gm import abandon, eject
from pbmd.desk.changes.seats import Consent, Holder, hand_over
from pbmd.desk.questions.seat_offers import offer
from pbmd.ledger.hands import taken_over
from tests.archive.made import export, verified
from tests.desk.world import NAMES, World


def test_does_not_tell_who_held_it_before(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    world = World(tmp_path / "home")
    world.start(seats=NAMES[:3], ruleset="count", reminders=())
    with world.changed("Borealis") as seat:
        seat.signup = '[[1,"Player name: Bartholomew"]]'
    world.act("galaxy-7", lambda work, table: eject(work, table, table.seat("Borealis"), "silence"))
    with world.work() as work:
        table = work.table_named("galaxy-7")
        assert table is not None
        offer(work, table, "Borealis", "new@players.test", Holder("Newcomer", "UTC"))
    world.reply(world.questions("new@players.test")[-1], "YES")
    own = export(world, tmp_path / "own", audience=Audience("seat", "Borealis"))
    assert "Newcomer" in (own / "data" / "game.toml").read_text()
    assert not [path for path in own.rglob("*") if path.is_file() and b"Bartholomew" in path.read_bytes()]
    whole = export(world, tmp_path / "whole", audience=ALL)
    assert "Bartholomew" in (whole / "data" / "game.toml").read_text()
    world.close()


WORDS = ("Regards, Bartholomew", "between us", "from me to you", "unwell")


def take_over(world: World) -> None:
    """Borealis goes to somebody else."""
    with world.work() as work:
        table = work.table_named("galaxy-7")
        assert table is not None
        hand_over(work, table, table.seat("Borealis"), "new@players.test", Consent(1), Holder("Newcomer", "UTC"))


def held_since(world: World) -> int:
    """The entry by which Borealis came to its holder."""
    with Session(world.desk.engine) as session:
        return taken_over(session, world.game(), "Borealis")


def with_words(archive: Path) -> set[tuple[str, str]]:
    """Which of the words stand in which file."""
    files = [path for path in (archive / "data").rglob("*") if path.is_file()]
    return {(path.name, word) for path in files for word in WORDS if word.encode() in path.read_bytes()}


@pytest.mark.parametrize("over", [False, True])
def test_does_not_tell_what_they_wrote_but_what_the_seat_did(tmp_path: Path, over: bool) -> None:
    (tmp_path / "home").mkdir()
    with closing(World(tmp_path / "home")) as world:
        world.count()
        world.send("Altair", "PRESS TO Borealis\nbetween us\nEND PRESS\nAdd 2")
        world.send("Borealis", "PRESS TO Altair\nfrom me to you\nEND PRESS\nPRESS TO ALL\nhello all\nEND PRESS\nAdd 3")
        world.now += timedelta(minutes=1)
        world.send("Borealis", "Add 4\nRegards, Bartholomew")
        world.send("Cygnus", "Add 1")
        world.pass_time(timedelta(days=3))
        world.send("Borealis", "I am unwell")
        world.pass_time(timedelta(days=4))
        take_over(world)
        world.send("Borealis", "PRESS TO Altair\nI am the new one\nEND PRESS\nAdd 5\nAdd hm", sender="new@players.test")
        world.pass_time(timedelta(days=4))
        if over:
            world.act("galaxy-7", abandon)
        whole = export(world, tmp_path / "whole")
        own = export(world, tmp_path / "own", audience=Audience("seat", "Borealis"))
        assert {word for _, word in with_words(whole)} == set(WORDS)
        assert ("2-borealis.html", "unwell") in with_words(whole)
        assert with_words(own) == set()
        first, last = (tomllib.loads((own / f"data/turns/{turn}/orders.toml").read_text()) for turn in ("001", "003"))
        assert [given["text"].split("\n")[0] for given in first["orders"]][-1:] == ["Add 4"]
        assert [given["text"].rstrip().splitlines()[-2:] for given in last["orders"]] == [["Add 5", "Add hm"]]
        assert json.loads((own / "data/turns/001/sheets.json").read_text())[-1]["lines"] == ["Add 4"]
        journal = (own / "data" / "journal.jsonl").read_text()
        assert ("hello all" in journal, "I am the new one" in journal) == (over, over)


def test_the_player_of_a_seat_that_a_substitute_had_has_all_of_it(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir()
    with closing(World(tmp_path / "home")) as world:
        world.count(deadline="every Friday 18:00")
        world.send("Borealis", "I am unwell")
        world.send("Borealis", "SUBSTITUTE dora@players.test FROM 2026-11-20 TO 2026-11-24")
        world.confirm("dora@players.test")
        assert held_since(world) == world.journal("holder")[-1].number
        world.pass_time(timedelta(days=5))
        assert held_since(world) == 0
        world.pass_time(timedelta(days=5))
        world.act("galaxy-7", abandon)
        own = export(world, tmp_path / "own", audience=Audience("seat", "Borealis"))
        assert "Borealis's player" in (own / "data" / "game.toml").read_text()
        assert {word for _, word in with_words(own)} == {"unwell"}
        whole = export(world, tmp_path / "whole")
        assert verified(whole).problems == verified(own).problems == []
        told = "".join(path.read_text() for path in whole.rglob("*.html"))
        assert "Somebody played Borealis from then on, as a substitute." in told
        assert "had Borealis back from a substitute." in told
