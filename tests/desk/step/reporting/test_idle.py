"""A side with nothing to do in a phase of a turn is mailed the words of its report, and no picture."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col
from typer.testing import CliRunner

import rulesets.diplomacy
import rulesets.starship_squadrons
from pbmd.cli import app
from pbmd.desk.changes import new_game
from pbmd.desk.mail.draft import LONGEST_SUBJECT
from pbmd.desk.step.game_transaction import changing_games
from pbmd.ledger.tables import Outbox, Report
from pbmd.rendering.picture import LEFT_OUT, drawn_svg
from pbmd.rendering.render import parted
from pbmd.rules import Signup
from pbmd.terms.terms import Terms
from tests.archive.made import export
from tests.desk.test_secrecy import bytes_for_others, ideal_seal
from tests.desk.world import World, address_of, body_of, message_of

GAME = "galaxy-7"
SMALL = 30_000
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
SIDES = ("anna", "ben")
HIDDEN = "SQUADRON {0}: M1 {1} AT {2}\nBUY ? 2\nPLACE Q1 ON {0}"
FLEETS = {"anna": HIDDEN.format("Duke", "A5", "0508"), "ben": HIDDEN.format("Thunder", "A5", "1509")}
HOME = {"diplomacy": rulesets.diplomacy, "starship_squadrons": rulesets.starship_squadrons}


def played(
    folder: Path, slug: str, seats: Sequence[str], options: dict[str, Any], *steps: Mapping[str, str], **desk: Any
) -> World:
    """A game after these steps: what each sends; who is not named sends nothing that is to be done."""
    folder.mkdir(exist_ok=True)
    world, package = World(folder, **desk), Path(str(HOME[slug].__file__)).parent
    world.desk = replace(world.desk, settings=world.desk.settings.model_copy(update={"rulesets": (package,)}))
    with changing_games(world.desk) as work:
        terms: dict[str, Any] = {"reminders": (), "second_thought": "0m", "who_has_sent": "nothing"}
        table = new_game.create_game(work, GAME, slug, Terms(**terms), options)
        for seat in seats:
            name = seat[:3] if slug == "diplomacy" else seat
            new_game.add_seat(work, table, Signup(name), new_game.Newcomer(address_of(seat), seat))
        new_game.start_game(work, table)
    for letters in steps:
        for seat in seats:
            world.now += timedelta(minutes=1)
            world.send(seat, letters.get(seat, "ORDERS\n"), game=GAME)
        assert world.pass_time(timedelta(hours=2)) == 1
    return world


def retreats(folder: Path) -> World:
    """Italy has dislodged a fleet of Austria, the only unit that is to retreat."""
    advance = {"Italy": "A Ven - Tyr\nA Rom - Ven"}
    return played(folder, "diplomacy", POWERS, {}, advance, {"Italy": "A Tyr - Tri\nA Ven S A Tyr - Tri"})


def first_phase(folder: Path, fleets: Mapping[str, str] = FLEETS, **desk: Any) -> World:
    """The side of anna moves."""
    return played(folder, "starship_squadrons", SIDES, {"map": "duel", "turn_mode": "phases"}, fleets, **desk)


PHASES: dict[str, tuple[Callable[[Path], World], str, tuple[str, ...]]] = {
    "diplomacy": (retreats, "Austria", POWERS[1:]),
    "starship_squadrons": (first_phase, "anna", ("ben",)),
}


@pytest.fixture(params=PHASES)
def phase(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[World, str, tuple[str, ...]]]:
    """A game in a phase in which only one is awaited, and who has nothing to do."""
    make, acts, idle = PHASES[request.param]
    with closing(make(tmp_path / "home")) as world:
        yield world, acts, idle


def report(world: World, seat: str) -> Outbox:
    return world.outbox("report", seat)[-1]


def last(world: World, seat: str) -> Report:
    """The last report that is kept for a seat."""
    return world.rows(Report, col(Report.reader) == f"seat:{world.seat(seat).number}")[-1]


def page_of(mail: Outbox) -> Any:
    return next(part for part in message_of(mail).walk() if part.get_content_type() == "text/html")


def kinds(mail: Outbox) -> list[str]:
    return [part.get_content_type() for part in message_of(mail).walk() if not part.is_multipart()]


@pytest.mark.usefixtures("small_pictures")
class TestWhoHasNothingToDo:
    def test_gets_the_words_of_the_report_alone(self, phase: tuple[World, str, tuple[str, ...]]) -> None:
        world, _, idle = phase
        step = world.game(GAME).step_called
        for seat in idle:
            mail = report(world, seat)
            text, whole = body_of(mail), last(world, seat)
            assert (kinds(mail), len(mail.raw) < SMALL) == (["text/plain", "text/html", "text/plain"], True)
            lines = text.partition("\n\n")[0].splitlines()
            assert max(map(len, lines)) <= 72
            first = " ".join(lines)
            assert first.startswith(f"You have nothing to do in {step}. It ends by ")
            assert first.endswith(" The map is left out: REPORT sends it.")
            assert all(part.strip("\n") in text for part in parted(whole.text))
            assert "ORDER FORM" not in text
            assert drawn_svg(whole.html)
            assert LEFT_OUT not in whole.html
            page = page_of(mail).get_content()
            assert page.count(LEFT_OUT) == 1
            assert "<img" not in page

    def test_reads_so_in_the_subject(self, phase: tuple[World, str, tuple[str, ...]]) -> None:
        world, _, idle = phase
        for seat in idle:
            subject = str(message_of(report(world, seat))["Subject"])
            assert "] nothing to do" in subject
            assert len(subject) <= LONGEST_SUBJECT

    def test_has_the_whole_of_it_for_the_asking(self, phase: tuple[World, str, tuple[str, ...]]) -> None:
        world, _, (seat, *_) = phase
        world.send(seat, "REPORT", game=GAME)
        answer = world.outbox("acknowledgement", seat)[-1]
        assert "image/png" in kinds(answer)
        assert "REPORT OF " in body_of(answer)
        world.send(seat, "SET REPORT SVG\nREPORT", game=GAME)
        (drawing,) = [p for p in message_of(world.outbox("acknowledgement", seat)[-1]).walk() if "svg" in p.get_content_type()]
        assert drawing.get_content().decode().strip() == drawn_svg(last(world, seat).html).strip()

    def test_has_a_mail_that_is_genuine(self, phase: tuple[World, str, tuple[str, ...]], tmp_path: Path) -> None:
        world, acts, (seat, *_) = phase
        books = export(world, tmp_path / "archive", GAME)
        files = [tmp_path / f"{number}.eml" for number in range(2)]
        for file, who in zip(files, (seat, acts), strict=True):
            file.write_bytes(report(world, who).raw)
        said = ask("receipt", *files, "--archive", books)
        pages = [each for each in said["findings"] if each["what"] in ("report", "its page")]
        assert [each["holds"] for each in pages] == [True] * 4
        assert not [each for each in said["findings"] if each["holds"] is False]
        assert ask("compare", *files)["disagreements"] == []


def ask(command: str, *words: Path | str, code: int = 0) -> dict[str, Any]:
    done = CliRunner().invoke(app, [command, *map(str, words), "--json"])
    assert done.exit_code == code, (done.output, done.exception)
    return json.loads(done.stdout)


@pytest.mark.usefixtures("small_pictures")
def test_who_is_awaited_has_all(phase: tuple[World, str, tuple[str, ...]]) -> None:
    world, acts, _ = phase
    mail = report(world, acts)
    assert "image/png" in kinds(mail)
    assert "ORDER FORM" in body_of(mail)
    assert "nothing to do" not in body_of(mail) + str(message_of(mail)["Subject"])


@pytest.mark.usefixtures("small_pictures")
def test_the_beginning_and_what_all_are_awaited_in_is_mailed_whole(tmp_path: Path) -> None:
    with closing(played(tmp_path, "diplomacy", POWERS, {}, {})) as world:
        assert all("image/png" in kinds(mail) for mail in world.outbox("report"))


@pytest.mark.parametrize("whose", SIDES)
def test_that_there_is_nothing_to_do_tells_nothing_of_others(whose: str, tmp_path: Path) -> None:
    """What nobody has seen of a fleet changes no byte of the whole mail of the other side, nor of the one without a picture."""
    told: list[dict[str, Any]] = []
    for name, guns in (("one", "A5"), ("two", "A9")):
        fleets = FLEETS | {whose: FLEETS[whose].replace("A5", guns)}
        with closing(first_phase(tmp_path / name, fleets, sealing=ideal_seal)) as world:
            told.append(bytes_for_others(world, whose))
            assert message_of(report(world, "ben"))["Subject"].startswith(f"[pbmd {GAME} t1 phase 1a] nothing to do")
    assert told[0] == told[1]


@pytest.mark.usefixtures("small_pictures")
def test_other_words_in_place_of_the_map_are_found_out(tmp_path: Path) -> None:
    with closing(first_phase(tmp_path / "home")) as world:
        books, file = export(world, tmp_path / "archive", GAME), tmp_path / "mail.eml"
        mail = message_of(report(world, "ben"))
        page = next(part for part in mail.walk() if part.get_content_type() == "text/html")
        assert LEFT_OUT in page.get_content()
        page.set_content(page.get_content().replace(LEFT_OUT, LEFT_OUT.replace("map", "war")), subtype="html")
        file.write_bytes(bytes(mail))
        found = ask("receipt", file, "--archive", books, code=1)["findings"]
        assert [each["what"] for each in found if each["holds"] is False] == ["its page"]
