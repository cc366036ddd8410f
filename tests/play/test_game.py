"""A game at one machine: what is shown is what pbmd would mail, and all of it can be taken back."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from sqlmodel import select

from pbmd.desk.books.transaction import Transaction
from pbmd.ledger.tables import Report
from pbmd.play.game import NotSavedError, Plan, PlayedGame, begin, load, saved_in
from pbmd.play.local_desk import LocalDesk, text_of
from pbmd.rendering import picture
from pbmd.rendering.picture import drawn_svg
from pbmd.rules.options import complete
from pbmd.rules.registry import from_folder, get
from pbmd.simulate import signups
from tests.play.conftest import RULES, Sit


def texts(mails):
    return [(each.seat, " ".join(text_of(each.mail).split())) for each in mails]


def test_it_begins_with_the_mail_that_its_player_would_get(sit: Sit) -> None:
    ((seat, text),) = texts(sit("Borealis").begun())
    assert seat == "Borealis"
    assert "ORDER FORM" in text


def test_a_letter_is_answered_line_by_line(sit: Sit) -> None:
    ((_, answer),) = texts(sit().write("Altair", "Add 3\nAdd 30"))
    assert "1 line was refused" in answer
    assert "Add 30" in answer


def test_resolve_has_the_others_write_and_brings_the_report_of_this_seat_alone(sit: Sit) -> None:
    game = sit()
    game.write("Altair", "Add 3")
    reports = texts(game.resolve())
    assert [seat for seat, _ in reports] == ["Altair"]
    assert game.state().step == "turn 2"
    assert not game.desk.troubles


def test_what_a_game_master_could_look_up_is_revealed(sit: Sit) -> None:
    game = sit("Altair", "Borealis")
    assert "No orders are in." in game.revealed()
    game.write("Borealis", "Add 3")
    assert "Borealis\n  Add 3" in game.revealed()
    assert "Total 0" in game.revealed()


def test_nothing_is_resolved_before_its_player_says_so(sit: Sit) -> None:
    game = sit("Altair", "Borealis", "Cygnus")
    for seat in game.mine:
        game.write(seat, "Add 3")
    assert game.state() == ("turn 1", (), ("Altair", "Borealis", "Cygnus"), "", False)
    assert {each.seat for each in game.resolve()} == {*game.mine}


def test_undo_takes_back_letter_and_resolution_and_the_same_dice_come_again(sit: Sit) -> None:
    game = sit()
    game.write("Altair", "Add 3")
    first = texts(game.resolve())
    assert game.undo()
    assert game.state().sent == ("Altair",)
    assert texts(game.resolve()) == first
    assert game.undo()
    assert game.undo()
    assert game.state() == ("turn 1", ("Altair", "Borealis", "Cygnus"), (), "", False)
    assert not game.undo()


@pytest.mark.parametrize("act", [lambda game: game.write("Altair", "Add 3"), lambda game: game.resolve()])
def test_what_is_interrupted_was_not_done(
    sit: Sit, monkeypatch: pytest.MonkeyPatch, act: Callable[[PlayedGame], object]
) -> None:
    game = sit()
    before = game.state()

    def interrupted(_desk: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("pbmd.play.local_desk.process_letters", interrupted)
        with pytest.raises(KeyboardInterrupt):
            act(game)
    game.desk.work()
    assert game.state() == before
    assert not game.undo()


def test_a_seed_is_a_game(sit: Sit) -> None:
    def played(seed: int) -> list[tuple[str, str]]:
        game = sit(seed=seed)
        return texts([*game.begun(), *game.resolve(), *game.resolve()])

    assert played(1) == played(1)
    assert played(1) != played(2)


def test_it_is_played_to_its_end(sit: Sit) -> None:
    game = sit()
    for _ in range(30):
        game.resolve()
        if game.state().outcome:
            break
    assert "Winner: Cygnus." in game.state().outcome


def test_in_a_game_of_moves_all_move_until_it_is_the_turn_of_the_player(sit: Sit) -> None:
    game = sit("Borealis", ruleset="relay")
    game.begun()
    assert "Borealis" in game.state().awaited
    assert any("moved" in text or "Add 3" in text for _, text in texts(game.write("Borealis", "Add 3")))
    assert "Borealis" in game.state().awaited


@pytest.mark.parametrize("mine", [("Altair",), ("Borealis", "Cygnus")])
def test_where_seats_move_in_turn_resolve_ends_the_whole_turn(sit: Sit, mine: tuple[str, ...]) -> None:
    game = sit(*mine, ruleset="relay")
    game.begun()
    game.resolve()
    assert game.state().step == "turn 1"
    assert set(game.state().awaited) & set(mine)
    game.write(game.state().awaited[0], "Add 3")
    turn = int(game.state().step.removeprefix("turn "))
    assert game.resolve()
    assert game.state().step == f"turn {turn + 1}"


def test_a_saved_game_goes_on_where_it_was(sit: Sit, tmp_path: Path) -> None:
    game = sit()
    game.write("Altair", "Add 3")
    game.save(tmp_path / "kept.pbmd", "./count")
    expected = texts(game.resolve())
    saved, ledger = saved_in(tmp_path / "kept.pbmd")
    (tmp_path / "other").mkdir()
    desk = LocalDesk(tmp_path / "other", {"count": from_folder(RULES / "count")}, saved.seed)
    assert texts(load(desk, saved, ledger).resolve()) == expected
    desk.close()


@pytest.mark.parametrize("content", [b"", b"PK\x05\x06" + bytes(18), b"no zip"])
def test_what_is_no_saved_game_is_told_so(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "x").write_bytes(content)
    with pytest.raises(NotSavedError, match="is no game saved by pbmd play"):
        saved_in(tmp_path / "x")


def test_no_environment_variable_leads_it_to_somebodys_ledger(
    sit: Sit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBMD_SERVER__DATABASE", f"sqlite:///{tmp_path / 'precious.sqlite'}")
    monkeypatch.setenv("PBMD_GAME__PRESS", "false")
    game = sit()
    assert not (tmp_path / "precious.sqlite").exists()
    assert game.desk.desk.settings.database_url.endswith("ledger.sqlite")
    assert game.desk.desk.settings.game.press


def test_a_mail_shows_nothing_of_the_seats_that_others_play(sit: Sit) -> None:
    """Twins whose other players' orders are different, and whose public sum is not looked at."""

    def report(orders: str) -> str:
        game = sit()
        game.write("Altair", "Add 3")
        return " ".join(text for _, text in texts(game.write("Altair", f"STATUS\n{orders}")))

    told = report("")
    assert not re.search(r"Borealis|Cygnus", told)


def test_a_ledger_of_no_version_of_pbmd_is_told(sit: Sit, tmp_path: Path) -> None:
    game = sit()
    game.save(tmp_path / "kept.pbmd", "./count")
    saved, _ = saved_in(tmp_path / "kept.pbmd")
    (tmp_path / "other").mkdir()
    desk = LocalDesk(tmp_path / "other", {"count": from_folder(RULES / "count")}, saved.seed)
    with pytest.raises(NotSavedError, match="the saved game cannot be read"):
        load(desk, saved, b"SQLite format 3\0" + bytes(5000))
    desk.close()


class TestMaps:
    """They take longer than all else, so none is drawn that nobody looks at."""

    @pytest.fixture
    def drawn(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        """The drawings of which pictures are made."""
        made: list[str] = []
        monkeypatch.setattr(picture, "svg_png", lambda svg: made.append(svg) or b"")
        return made

    @pytest.fixture
    def cluster(self, tmp_path: Path) -> Iterator[Callable[..., PlayedGame]]:
        rules = get("local_cluster")
        with ExitStack() as stack:

            def begun(*, pictures: bool) -> PlayedGame:
                folder = tmp_path / str(pictures)
                folder.mkdir()
                desk = LocalDesk(folder, {"local_cluster": rules}, 1)
                stack.callback(desk.close)
                people = tuple(signups(rules, 4, complete(rules.info.options, {})))
                mine = (people[0].seat,)
                return begin(desk, Plan("local_cluster", "local_cluster", rules, {}, people, mine, 1, pictures))

            yield begun

    @staticmethod
    def maps(game: PlayedGame) -> dict[str, bool]:
        """Who has maps in all reports so far, who in none; mixed is an error."""
        with Transaction(game.desk.desk, reads=True) as work:
            rows = work.session.exec(select(Report)).all()
        found = {(row.reader, bool(drawn_svg(row.html))) for row in rows}
        assert len(found) == len(dict(found))
        return dict(found)

    def test_are_drawn_for_people_and_the_public_alone(self, cluster, drawn: list[str]) -> None:
        game = cluster(pictures=False)
        game.begun()
        game.resolve()
        assert {reader for reader, has in self.maps(game).items() if has} == {"seat:1", "public"}
        assert not drawn

    def test_are_pictures_where_the_terminal_shows_them(self, cluster, drawn: list[str]) -> None:
        cluster(pictures=True)
        assert len(drawn) == 1

    def test_come_with_reports_of_a_seat_that_is_taken(self, cluster) -> None:
        game = cluster(pictures=False)
        other = game.seats[1]
        game.take(other)
        assert game.mine == game.seats[:2]
        shown = [each for each in game.resolve() if each.seat == other and each.is_report]
        assert any(part.get_content_type() == "image/svg+xml" for part in shown[-1].mail.walk())

    def test_go_by_the_terminal_in_which_a_saved_game_is_loaded(self, cluster, drawn: list[str], tmp_path: Path) -> None:
        game = cluster(pictures=True)
        game.save(tmp_path / "kept", "local_cluster")
        saved, ledger = saved_in(tmp_path / "kept")
        drawn.clear()
        loaded = load(game.desk, saved, ledger)
        loaded.resolve()
        assert not drawn
        load(game.desk, saved, ledger, pictures=True).resolve()
        assert drawn
