"""Maps in the reports: shown in the mail, attached to it, kept with the page; and no report waits for one."""

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import col

import rulesets.cosmic_conquest
from pbmd.desk.changes import new_game
from pbmd.desk.changes.seats import Consent, Holder, hand_over
from pbmd.desk.step.game_transaction import changing_games
from pbmd.desk.step.reporting import maps
from pbmd.ledger.tables import Report
from pbmd.rendering import picture
from pbmd.rendering.labels import WIDTH
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.picture import digest_told, drawing_digest, drawn_svg
from pbmd.rules.options import complete
from pbmd.rules.protocol import Signup
from pbmd.terms.terms import Terms
from tests.desk.world import World, address_of, body_of, message_of

pytestmark = pytest.mark.usefixtures("small_pictures")

COLOURS = ("Red", "Yellow")


@pytest.fixture
def conquest(world: World) -> World:
    """A desk that knows Cosmic Conquest, wherever pbmd is installed from."""
    folder = Path(rulesets.cosmic_conquest.__file__).parent
    world.desk = replace(world.desk, settings=world.desk.settings.model_copy(update={"rulesets": (folder,)}))
    return world


def start(world: World) -> None:
    """A game of Red and Yellow."""
    with changing_games(world.desk) as work:
        table = new_game.create_game(work, "galaxy-7", "cosmic_conquest", Terms(second_thought="0m"), {})
        signups: list[Signup] = []
        for colour in COLOURS:
            sample = table.ruleset.sample_signup
            assert sample is not None
            signups.append(sample(signups, complete(table.ruleset.info.options, {})))
            new_game.add_seat(work, table, signups[-1], new_game.Newcomer(address_of(colour), f"{colour}'s player"))
        new_game.start_game(work, table)


def report_of(world: World, colour: str) -> EmailMessage:
    return message_of(world.outbox("report", colour)[-1])


def parts(message: EmailMessage) -> dict[str, EmailMessage]:
    return {part.get_content_type(): part for part in message.walk() if isinstance(part, EmailMessage)}


def test_the_mail_shows_the_map_and_has_one_picture(conquest):
    start(conquest)
    found = parts(report_of(conquest, "Red"))
    assert list(found) == [
        "multipart/mixed", "multipart/alternative", "text/plain", "multipart/related", "text/html", "image/png"
    ]  # fmt: skip
    cid = re.search(rf'<img src="cid:([^"]+)" width="{WIDTH}"', found["text/html"].get_content())
    assert cid
    assert found["image/png"]["Content-ID"] == f"<{cid[1]}>"
    assert found["image/png"].get_content().startswith(b"\x89PNG")
    assert found["image/png"].get_filename() == "map-before-turn-1.png"


def test_the_picture_tells_of_which_drawing_it_is_made(conquest):
    start(conquest)
    page = next(row.html for row in conquest.rows(Report) if row.reader == "seat:1")
    assert digest_told(parts(report_of(conquest, "Red"))["image/png"]["Content-ID"]) == drawing_digest(drawn_svg(page))


def test_everybody_has_a_picture_of_their_own(conquest):
    start(conquest)
    pictures = [parts(report_of(conquest, colour))["image/png"].get_content() for colour in COLOURS]
    assert pictures[0] != pictures[1]


class TestWhoWantsItOtherwise:
    """SET REPORT: what comes with one's own reports."""

    @pytest.fixture
    def told(self, conquest: World) -> Callable[..., dict[str, EmailMessage]]:
        """What is in the next report of Red, who has said this before."""
        start(conquest)

        def told(*said: str) -> dict[str, EmailMessage]:
            for words in said:
                conquest.send("Red", words)
            for colour in COLOURS:
                conquest.send(colour, "Pass")
            assert conquest.pass_time(timedelta(hours=1)) == 1
            return parts(report_of(conquest, "Red"))

        return told

    def test_gets_the_drawing_in_place_of_the_picture(self, conquest, told):
        found = told("SET REPORT SVG")
        assert "image/png" not in found
        assert found["image/svg+xml"].get_filename() == "map-before-turn-2.svg"
        assert f'<img src="cid:{found["image/svg+xml"]["Content-ID"][1:-1]}"' in found["text/html"].get_content()
        assert "image/png" in parts(report_of(conquest, "Yellow"))

    def test_has_no_picture_made_of_it(self, told, monkeypatch):
        made = []
        monkeypatch.setattr(picture, "svg_png", lambda svg: made.append(svg) or b"")
        told("SET REPORT SVG")
        assert len(made) == len(COLOURS) - 1

    def test_gets_the_picture_if_the_drawing_is_too_large(self, told, monkeypatch):
        monkeypatch.setattr(maps, "ROOM", 1000)
        assert "image/png" in told("SET REPORT SVG")

    def test_can_take_that_back(self, told):
        assert "image/png" in told("SET REPORT SVG", "SET REPORT PNG")

    def test_gets_the_report_for_programs(self, conquest, told):
        found = told("set report json")
        document = json.loads(found["application/json"].get_content())
        assert (document["seat"], document["turn"], document["orders"]["awaited"]) == ("Red", 2, True)
        assert "application/json" not in parts(report_of(conquest, "Yellow"))

    def test_gets_no_report_for_programs_any_more(self, told):
        assert "application/json" not in told("SET REPORT DATA", "SET REPORT NO DATA")

    def test_is_told_what_comes(self, conquest):
        start(conquest)
        said = [" ".join(conquest.send("Red", words).split()) for words in ("SET REPORT SVG", "SET REPORT DATA")]
        assert "the map as a drawing (SVG), if it is not too large, else as a picture (PNG)." in said[0]
        assert "(PNG); and report.json, for programs." in said[1]
        assert [line.detail for line in conquest.log("report-files")] == ["svg", "json svg"]

    def test_leaves_nothing_of_it_to_who_takes_the_seat_over(self, conquest):
        start(conquest)
        conquest.send("Red", "SET REPORT JSON")
        with conquest.work() as work:
            table = work.table_named("galaxy-7")
            hand_over(work, table, table.seat("Red"), "heir@players.test", Consent(1, ()), Holder("Heir", "UTC"))
        assert conquest.seat("Red").report_files == ""


def test_a_seat_whose_maps_nobody_looks_at_has_none(conquest):
    conquest.desk = replace(conquest.desk, shows_map=lambda seat: seat != "Red")
    start(conquest)
    has_map = {row.reader: bool(drawn_svg(row.html)) for row in conquest.rows(Report)}
    assert has_map == {"seat:1": False, "seat:2": True, "public": True}
    assert list(parts(report_of(conquest, "Red"))) == ["multipart/mixed", "multipart/alternative", "text/plain", "text/html"]
    assert not conquest.log("no-map")


def test_the_page_that_is_kept_needs_no_attachment(conquest):
    start(conquest)
    for row in conquest.rows(Report, col(Report.game_id) == conquest.game().id):
        assert "<svg " in row.html
        assert "cid:" not in row.html


def test_what_a_reply_copies_from_such_a_report_is_not_taken_for_orders(conquest):
    start(conquest)
    report = conquest.outbox("report", "Red")[-1]
    answer = conquest.reply(report, "Pass\n\n" + body_of(report).partition("#orders")[0])
    assert json.loads(conquest.submissions()[-1].orders) == ["Pass"], answer


@pytest.mark.parametrize("broken", ["svg_of", "svg_png"])
def test_a_map_that_cannot_be_drawn_holds_up_no_report(conquest, monkeypatch, broken):
    def fail(_given):
        raise MapError("Sol is secret")

    monkeypatch.setattr(picture, broken, fail)
    start(conquest)
    html = parts(report_of(conquest, "Red"))["text/html"].get_content()
    assert "<img" not in html
    assert "The systems and their neighbours" in html
    lines = conquest.log("no-map")
    assert {line.seat for line in lines} >= set(COLOURS)
    assert all("secret" not in line.detail and line.detail.startswith("MapError in ") for line in lines)


class TestWithoutThePackagesForPictures:
    """They are an extra, and `pbmd check` tells what is missing."""

    @pytest.fixture(autouse=True)
    def missing(self, no_pictures: None) -> None:
        pass

    def test_the_drawing_is_attached_and_nothing_is_wrong(self, conquest):
        start(conquest)
        report = report_of(conquest, "Red")
        found = parts(report)
        assert "image/png" not in found
        assert "<img" not in found["text/html"].get_content()
        assert found["image/svg+xml"].get_filename() == "map-before-turn-1.svg"
        page = next(row.html for row in conquest.rows(Report) if row.reader == "seat:1")
        assert found["image/svg+xml"].get_content().decode().strip() == drawn_svg(page).strip()
        assert not conquest.log("no-map")

    def test_a_report_that_is_sent_again_has_it_too(self, conquest):
        start(conquest)
        conquest.send("Red", "REPORT")
        assert "image/svg+xml" in parts(message_of(conquest.outbox(seat="Red")[-1]))

    def test_who_wants_the_drawing_in_its_place_gets_it(self, conquest):
        start(conquest)
        conquest.send("Red", "SET REPORT SVG")
        for colour in COLOURS:
            conquest.send(colour, "Pass")
        assert conquest.pass_time(timedelta(hours=1)) == 1
        assert '<img src="cid:' in parts(report_of(conquest, "Red"))["text/html"].get_content()


def test_a_game_without_a_map_has_the_mails_that_it_always_had(world):
    world.count()
    assert list(parts(report_of(world, "Altair"))) == ["multipart/mixed", "multipart/alternative", "text/plain", "text/html"]
    assert not world.log("no-map")
