"""Anonymous games (gunboat): what players are told of them, what is refused in them, and what is told at their end.

That nothing else tells who plays is in `test_secrecy.py`.
"""

import json
from contextlib import closing
from pathlib import Path

import pytest

from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.format.audience import TO_PUBLIC, Audience
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.archive.format.book_sources.ledger import books_of_ledger
from pbmd.archive.format.entries import read_entries
from pbmd.archive.format.findings import JOURNAL
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes.gm import abandon
from pbmd.desk.changes.rollback import roll_back
from pbmd.desk.imports.game import adopt_finished, go_on
from pbmd.ledger.tables import Report, Seat
from tests.archive.made import examined, export, forge, verified
from tests.desk.gunboat import CY, DORA, GAME, WATCHER, Gunboat
from tests.desk.world import ADDRESS, World, body_of, html_of

PLAYERS = ("Anna Lindqvist", "Bert Obermaier", "Cy Ray", "Dora D.")


@pytest.fixture
def game(world: World) -> Gunboat:
    """Three have joined, and the game has begun."""
    world.unless_patched("an anonymous game has begun", lambda: Gunboat(world, swapped=False, who_has_sent="names").join())
    return Gunboat(world, swapped=False, stands=True)


@pytest.fixture
def over(game: Gunboat) -> Gunboat:
    """One seat has changed hands, and the game has ended by its rules."""

    def end() -> None:
        game.replace()
        for number in (1, 9):
            game.turn({"Altair": f"Add {number}", "Bellatrix": "Add 1", "Cygnus": "Add 2"})

    game.world.unless_patched("an anonymous game is over", end)
    game.is_replaced()
    assert game.world.game().status == "finished"
    return game


def words(text: str) -> str:
    return " ".join(text.split())


def mails(world: World, address: str, kind: str = "") -> list[str]:
    return [words(body_of(mail)) for mail in world.outbox(kind) if mail.recipient == address]


# What is said before


def test_list_question_and_welcome_say_what_it_means(world: World) -> None:
    gunboat = Gunboat(world, swapped=False)
    listing = words(world.send("", "LIST", sender=WATCHER, to=ADDRESS))
    assert "An anonymous game (gunboat): nobody learns who plays which seat until the game is over" in listing
    gunboat.join()
    (question, *_) = mails(world, CY, "visit")
    assert "nobody learns who plays which seat until the game is over; the game master knows." in question
    assert "the last report names everybody who played, as they are called in their mails, and never an address" in question
    (welcome, *_) = mails(world, CY, "acknowledgement")
    assert "WHO PLAYS IS A SECRET" in welcome
    assert "Players nobody learns who plays which seat" in gunboat.say("Cygnus", "STATUS")


def test_whoever_takes_a_seat_over_is_told_before_and_after(game: Gunboat) -> None:
    game.replace()
    (offered,) = [text for text in mails(game.world, DORA, "question") if "Do you want to play Bellatrix" in text]
    assert "Who plays An anonymous game (gunboat): nobody learns" in offered
    (yours,) = [text for text in mails(game.world, DORA, "notice") if "From now on you are Bellatrix" in text]
    assert "Nobody learns that you play this seat until the game is over" in yours


def test_other_games_say_nothing_of_it(world: World) -> None:
    gunboat = Gunboat(world, swapped=False, holders="named")
    gunboat.join()
    for _ in range(2):
        gunboat.turn({"Altair": "Add 9", "Bellatrix": "Add 1", "Cygnus": "Add 2"})
    said = words(" ".join(body_of(mail) for mail in world.outbox()))
    assert "The game is over" in said
    assert not [word for word in ("gunboat", "anonymous game", "IS A SECRET", "WHO PLAYED") if word in said]
    assert not world.journal("revealed")
    assert '"holders"' not in world.game().terms


# What is refused


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("PRESS TO ALL\nhello\nAnna\nEND PRESS", "your message has your name in it"),
        ("PRESS TO Cygnus\nwrite to anna@home.test\nEND PRESS", "your message has your address in it"),
        ("EXTEND 1h because of Anna Lindqvist's wedding", "your reason has your name in it"),
    ],
)
def test_what_would_show_its_writer_is_not_sent_and_comes_back(game: Gunboat, text: str, shown: str) -> None:
    before, deadline = len(game.world.outbox()), game.world.game().deadline
    answer = game.say("Altair", text)
    assert f"{shown}, and in galaxy-7 nobody is to know who plays Altair before the game is over; so it was not sent" in answer
    assert len(game.world.outbox()) == before + 1
    assert game.world.game().deadline == deadline
    assert not game.world.journal("press")
    if text.startswith("PRESS"):
        assert "YOUR MESSAGE, WHICH WAS NOT SENT" in answer
    # It is the writer's own name that shows the writer.
    assert "not sent" not in game.say("Cygnus", text)


def test_once_it_is_over_players_may_sign_what_they_write(over: Gunboat) -> None:
    assert "Your message went to" in over.say("Altair", "PRESS TO ALL\nwell played\nAnna\nEND PRESS")


@pytest.mark.parametrize(
    ("sender", "seat", "is_taken"),
    [
        ("Eve Adamson <eve@players.test>", "Eve Adamson", False),
        ("Eve <eve@players.test>", "House of Eve", False),
        ("Count <eve@players.test>", "Count", True),  # a word of the rules
        ("Eve Adamson <eve@players.test>", "Vega", True),
    ],
)
def test_nobody_takes_a_seat_by_their_own_name(world: World, sender: str, seat: str, is_taken: bool) -> None:
    Gunboat(world, swapped=False)
    answer = words(world.send("", f"JOIN {GAME} AS {seat}", sender=sender, to=ADDRESS))
    refused = "nobody is to know who plays which counter before the game is over, and your sign-up has your name in it"
    assert (refused in answer) == (not is_taken)


# At the end


def test_the_last_report_names_all_who_played_in_text_and_html(over: Gunboat) -> None:
    for address in (over.address["Altair"], DORA, CY, WATCHER):
        last = [mail for mail in over.world.outbox("report") if mail.recipient == address][-1]
        text = words(body_of(last))
        assert "WHO PLAYED Altair: Anna Lindqvist Bellatrix: Bert Obermaier until turn 1, then Dora D. Cygnus: Cy Ray" in text
        if address != WATCHER:
            assert "Bellatrix: Bert Obermaier until turn 1, then Dora D." in html_of(last)
        assert "@" not in "".join(line for line in text.split("WHO PLAYED")[1].split("--")[0])


def test_neither_pages_nor_news_do(over: Gunboat) -> None:
    kept = [(row.text, row.html) for row in over.world.rows(Report)]
    assert not [name for name in PLAYERS if name in repr((kept, [line.detail for line in over.world.log()]))]


def test_a_game_that_is_abandoned_names_them_too(game: Gunboat) -> None:
    game.world.act(GAME, abandon, "nobody has time")
    for address in (CY, WATCHER):
        assert (
            "Who played: Altair: Anna Lindqvist; Bellatrix: Bert Obermaier; Cygnus: Cy Ray." in mails(game.world, address)[-1]
        )


def test_one_that_never_began_names_nobody(world: World) -> None:
    gunboat = Gunboat(world, swapped=False)
    world.send("", f"JOIN {GAME} AS Altair", sender="Eve Adamson <eve@players.test>", to=ADDRESS)
    world.confirm("eve@players.test")
    gunboat.world.act(GAME, abandon)
    assert not world.journal("revealed")
    assert "Who played" not in " ".join(mails(world, "eve@players.test"))


@pytest.mark.parametrize("name", ["", "vega@players.test", "The Game Master"])
def test_who_has_no_name_that_all_could_read_gives_none(world: World, name: str) -> None:
    gunboat = Gunboat(world, swapped=False)
    gunboat.people["Altair"] = (name and f'"{name}"', "vega@players.test", "UTC")
    gunboat.address["Altair"] = "vega@players.test"
    gunboat.join()
    world.act(GAME, abandon)
    assert "Who played: Altair: somebody who gives no name; Bellatrix: Bert Obermaier" in mails(world, CY)[-1]


def test_a_game_that_is_taken_back_names_them_again_when_it_is_over_again(over: Gunboat) -> None:
    over.world.act(GAME, roll_back, 2)
    over.turn({"Altair": "Add 9", "Bellatrix": "Add 1", "Cygnus": "Add 2"})
    first, second = (json.loads(entry.public) for entry in over.world.journal("revealed"))
    assert first == second
    assert first["players"][1] == {"player": "Bert Obermaier", "seat": "Bellatrix", "until": "turn 1"}


# Archives, receipts, books


def test_archives_name_them_when_it_is_over_and_none_before(over: Gunboat, tmp_path: Path) -> None:
    for view, names in ((TO_PUBLIC, PLAYERS), (Audience("seat", "Cygnus"), PLAYERS)):
        archive = export(over.world, tmp_path / view.kind, audience=view)
        page = (archive / "data" / "index.html").read_text()
        assert not [name for name in names if name not in page]
        assert verified(archive).problems == []
    blank = export(over.world, tmp_path / "blank", anonymised=True)
    files = [path for path in blank.rglob("*") if path.is_file()]
    assert not [(name, path) for name in PLAYERS for path in files if name.encode() in path.read_bytes()]
    assert verified(blank).problems == []


def test_an_archive_that_names_others_is_found_out(over: Gunboat, tmp_path: Path) -> None:
    archive = export(over.world, tmp_path / "archive")
    assert verified(archive).problems == []

    def name_another(entries: list[dict[str, object]]) -> None:
        (entry,) = [entry for entry in entries if entry["kind"] == "revealed"]
        entry["public"]["players"][0]["player"] = "Zaphod"  # pyright: ignore[reportIndexIssue]

    forge(archive, name_another)
    assert "names others than those who played Altair" in " ".join(str(each) for each in verified(archive).problems)


def test_the_last_mail_is_that_of_the_archive_and_of_the_ledger(over: Gunboat, tmp_path: Path) -> None:
    archive = export(over.world, tmp_path / "archive")
    with Transaction(over.world.desk, reads=True) as work:
        books = (books_of_archive(archive / "data"), books_of_ledger(work.session, over.world.game()))
    for address in (CY, DORA):
        last = [mail for mail in over.world.outbox("report") if mail.recipient == address][-1]
        for each in books:
            assert all(finding.holds for finding in examined(claims_of_mail(last.raw), each))
            altered = last.raw.replace(b": Anna Lindqvist", b": Zaphod")
            told = [finding.words for finding in examined(claims_of_mail(altered), each) if not finding.holds]
            assert len([words for words in told if "Zaphod" in words]) == 2, told  # in the text, and on the page


def test_an_imported_game_has_its_players(over: Gunboat, tmp_path: Path) -> None:
    archive = export(over.world, tmp_path / "archive")
    (tmp_path / "here").mkdir()
    with closing(World(tmp_path / "here")) as here:
        with here.work() as work:
            adopt_finished(work, lambda: read_entries(archive / JOURNAL))
        assert {seat.name: seat.holder for seat in here.rows(Seat)} == {
            "Altair": "Anna Lindqvist",
            "Bellatrix": "Dora D.",
            "Cygnus": "Cy Ray",
        }
        again = export(here, tmp_path / "again")
        assert (again / JOURNAL).read_bytes() == (archive / JOURNAL).read_bytes()


def test_a_game_that_goes_on_elsewhere_hides_them_and_names_them_at_its_end(game: Gunboat, tmp_path: Path) -> None:
    game.turn({"Altair": "Add 1", "Bellatrix": "Add 1", "Cygnus": "Add 2"})
    game.say("Bellatrix", "RESIGN")
    game.world.reply(game.world.questions(game.address["Bellatrix"])[-1], "YES")
    game.turn({"Altair": "Add 1", "Cygnus": "Add 2"})
    archive = export(game.world, tmp_path / "archive")
    (tmp_path / "here").mkdir()
    with closing(World(tmp_path / "here")) as here:
        here.now = game.world.now
        with here.work() as work:
            go_on(work, lambda: read_entries(archive / JOURNAL), 3)
        sealed = [json.loads(entry.secret) for entry in here.journal("joined")]
        assert [(each["holder"], each["hidden"]) for each in sealed] == [("", name) for name in PLAYERS[:3]]
        here.act(GAME, abandon)
        (entry,) = here.journal("revealed")
        assert json.loads(entry.public)["players"][1] == {
            "player": "Bert Obermaier",
            "seat": "Bellatrix",
            "until": "the game came here",
        }
