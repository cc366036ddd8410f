"""What becomes of orders on file when another letter comes: replaced, amended, added to; and what its answer says of it."""

import json
from datetime import timedelta
from pathlib import Path

import pytest

from pbmd.desk.changes import new_game
from pbmd.desk.player.orders.filing import fallen_away
from pbmd.desk.step.game_transaction import changing_games
from pbmd.rules import Signup
from pbmd.terms.terms import Terms
from tests.archive.made import export, verified
from tests.desk.world import World, address_of, body_of, message_of

FLEET = "Build 4 Lasercruisers\nBuild 2 Torpedofrigates\nTrain spy"
EUROPE = "europe"


@pytest.fixture
def galaxy(world: World) -> World:
    world.start(reminders=())
    return world


@pytest.fixture
def europe(world: World) -> World:
    """Diplomacy, in which letters amend, on its map for two."""
    with changing_games(world.desk) as work:
        terms = Terms(reminders=(), second_thought="0m")  # pyright: ignore[reportCallIssue]
        table = new_game.create_game(work, EUROPE, "diplomacy", terms, {"map": "france_austria"})
        for power in ("France", "Austria"):
            new_game.add_seat(work, table, Signup(power), new_game.Newcomer(address_of(power), power))
        new_game.start_game(work, table)
    return world


def subject_of(world: World) -> str:
    return " ".join(str(message_of(world.outbox("acknowledgement")[-1])["Subject"]).split())


def said(world: World, seat: str, text: str, game: str = "galaxy-7") -> str:
    """The answer, its lines put together."""
    world.now += timedelta(minutes=1)
    return " ".join(world.send(seat, text, game=game).split())


def in_europe(world: World, text: str) -> str:
    return said(world, "France", text, game=EUROPE)


def on_file(world: World, seat: str = "France", game: str = EUROPE) -> list[str]:
    sheets = world.position(game).get("sheets", [])
    return next((sheet["lines"] for sheet in sheets if sheet["player"] == seat), [])


def of_altair(world: World) -> list[str]:
    return on_file(world, "Altair", "galaxy-7")


class TestReplacing:
    """In most games a letter takes the place of the one before."""

    def test_what_fell_away_is_said_first_and_in_the_subject(self, galaxy: World) -> None:
        said(galaxy, "Altair", FLEET)
        answer = said(galaxy, "Altair", "Use counter-espionage")
        first = (
            "Altair: your orders for turn 1 are in. They replace those that came on Fri 20 Nov 2026 12:01:00 UTC, so 3 lines"
        )
        assert answer.startswith(f"{first} no longer stand.")
        assert "NO LONGER STANDS Build 4 Lasercruisers Build 2 Torpedofrigates Train spy To restore a line" in answer
        assert subject_of(galaxy).endswith("Altair: orders replaced; 3 old lines dropped")

    def test_where_nothing_fell_away_nothing_is_listed(self, galaxy: World) -> None:
        said(galaxy, "Altair", "Train spy")
        answer = said(galaxy, "Altair", FLEET)
        assert "They replace those that came on Fri 20 Nov 2026 12:01:00 UTC." in answer
        assert "NO LONGER STANDS" not in answer
        assert subject_of(galaxy).endswith("orders replaced")

    def test_of_the_same_orders_once_more_nothing_is_said(self, galaxy: World) -> None:
        said(galaxy, "Altair", FLEET)
        answer = said(galaxy, "Altair", "\n".join([*FLEET.split("\n"), "and no more"]))
        assert "They replace" not in answer
        assert subject_of(galaxy).endswith("orders in")

    def test_an_empty_sheet_drops_all(self, galaxy: World) -> None:
        said(galaxy, "Altair", FLEET)
        assert "so 3 lines no longer stand." in said(galaxy, "Altair", "ORDERS")

    def test_refused_orders_replace_nothing(self, galaxy: World) -> None:
        said(galaxy, "Altair", FLEET)
        answer = said(galaxy, "Altair", "Biuld 3 Torpedocruisers")
        assert "NO LONGER STANDS" not in answer
        assert "NOT TAKEN" in subject_of(galaxy)


class TestAdd:
    """ADD on a line of its own."""

    def test_the_lines_join_those_on_file_and_the_whole_is_new(self, galaxy: World) -> None:
        said(galaxy, "Altair", FLEET)
        answer = said(galaxy, "Altair", "ADD\nUse counter-espionage")
        assert of_altair(galaxy) == [*FLEET.split("\n"), "Use counter-espionage"]
        joined = "They were added to those that came on Fri 20 Nov 2026 12:01:00 UTC; all of them count as sent now."
        assert joined in answer
        assert subject_of(galaxy).endswith("orders added to those before")
        assert "as we read them Build 4 Lasercruisers Build 2 Torpedofrigates Train spy Use counter-espionage" in answer

    def test_what_the_new_lines_cannot_have_beside_the_old_is_refused(self, galaxy: World) -> None:
        said(galaxy, "Altair", "Use counter-espionage\nTrain spy")
        answer = said(galaxy, "Altair", "ADD\nBuild generator\nBuild 1 Laserfrigate")
        assert "REFUSED line 2 Build generator" in answer
        assert "and what you had sent is one (Train spy)" in answer
        assert of_altair(galaxy) == ["Use counter-espionage", "Train spy", "Build 1 Laserfrigate"]

    def test_with_nothing_right_in_it_all_stays_as_it_was(self, galaxy: World) -> None:
        said(galaxy, "Altair", FLEET)
        before = galaxy.position()
        answer = said(galaxy, "Altair", "ADD\nBiuld 3 Torpedocruisers")
        assert "No line of this mail was accepted, so what you had sent stands." in answer
        assert galaxy.position() == before
        assert "NOT TAKEN" in subject_of(galaxy)

    def test_alone_it_changes_nothing(self, galaxy: World) -> None:
        said(galaxy, "Altair", FLEET)
        for text in ("ADD", "ONLY", "ADD\nORDERS"):
            assert "your mail has no order lines, so nothing was changed." in said(galaxy, "Altair", text)
        assert of_altair(galaxy) == FLEET.split("\n")

    def test_alone_its_subject_is_short(self, galaxy: World) -> None:
        galaxy.send("Altair", "ADD")
        assert subject_of(galaxy).endswith("Altair: NOTHING CHANGED: ADD without orders")

    def test_an_order_that_begins_with_it_is_one(self, running: World) -> None:
        said(running, "Altair", "Add 3")
        assert running.sheet("Altair") == ["Add 3"]
        said(running, "Altair", "Add\nAdd 4")
        assert running.sheet("Altair") == ["Add 3", "Add 4"]

    def test_the_game_is_played_again_from_its_journal(self, galaxy: World, tmp_path: Path) -> None:
        said(galaxy, "Altair", FLEET)
        said(galaxy, "Altair", "ADD\nUse counter-espionage")
        said(galaxy, "Altair", "ADD\nBiuld 3 Torpedocruisers")
        kept = [json.loads(entry.secret).get("kept", 0) for entry in galaxy.journal("orders")]
        assert kept == [0, 3, 0]
        said(galaxy, "Borealis", "ORDERS")
        said(galaxy, "Cygnus", "ORDERS")
        galaxy.pass_time(timedelta(days=4))
        archive = export(galaxy, tmp_path / "archive", "galaxy-7")
        assert verified(archive).problems == []


class TestAmending:
    """In Diplomacy an order takes the place of the one for the same unit."""

    def test_the_others_stand(self, europe: World) -> None:
        in_europe(europe, "A Par - Bur\nF Bre - Mao")
        answer = in_europe(europe, "A Par - Gas")
        assert sorted(on_file(europe)) == ["A PAR - GAS", "F BRE - MAO"]
        assert "in place of 1 of them" in answer
        assert "NO LONGER STANDS A PAR - BUR" in answer
        assert subject_of(europe).endswith("orders added; 1 old line replaced")

    def test_a_vote_touches_no_order(self, europe: World) -> None:
        in_europe(europe, "A Par - Bur\nF Bre - Mao")
        in_europe(europe, "DRAW")
        assert sorted(on_file(europe)) == ["A PAR - BUR", "DRAW", "F BRE - MAO"]
        in_europe(europe, "A Par - Gas")
        assert sorted(on_file(europe)) == ["A PAR - GAS", "DRAW", "F BRE - MAO"]

    def test_passing_replaces_all(self, europe: World) -> None:
        in_europe(europe, "A Par - Bur\nF Bre - Mao")
        assert "2 lines no longer stand" in in_europe(europe, "PASS")

    def test_only_replaces_and_cancel_clears(self, europe: World) -> None:
        in_europe(europe, "A Par - Bur\nF Bre - Mao")
        in_europe(europe, "ONLY\nA Par - Gas")
        assert on_file(europe) == ["A PAR - GAS"]
        in_europe(europe, "CANCEL ORDERS")
        assert on_file(europe) == []

    def test_of_builds_sent_ahead_those_of_the_last_letter_count(self, europe: World) -> None:
        in_europe(europe, "A Par - Bur\nBuild A Mar")
        in_europe(europe, "Build F Bre")
        assert on_file(europe)[0] == "A PAR - BUR"
        assert "A MAR B" not in on_file(europe)

    def test_a_preview_shows_what_would_stand(self, europe: World) -> None:
        in_europe(europe, "A Par - Bur\nF Bre - Mao")
        europe.now += timedelta(minutes=1)
        europe.send("France", "PREVIEW\nA Mar - Spa\nEND PREVIEW", game=EUROPE)
        preview = body_of(europe.outbox("preview", "France")[-1])
        assert "Burgundy" in preview or "BUR" in preview
        assert sorted(on_file(europe)) == ["A PAR - BUR", "F BRE - MAO"]

    def test_the_game_is_played_again_from_its_journal(self, europe: World, tmp_path: Path) -> None:
        in_europe(europe, "A Par - Bur\nF Bre - Mao")
        in_europe(europe, "A Par - Gas\nA Mar - Spa")
        in_europe(europe, "F Bre - Nonsense")
        said(europe, "Austria", "ORDERS", game=EUROPE)
        europe.pass_time(timedelta(days=8))
        archive = export(europe, tmp_path / "archive", EUROPE)
        assert verified(archive).problems == []


def test_a_line_that_stood_twice_and_stands_once_fell_away_once() -> None:
    assert fallen_away(("a", "b", "a"), ("a", "c")) == ("b", "a")
