"""A game in a terminal, as its user types it."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from rich.console import Console

from pbmd.play import terminal
from pbmd.play.game import NotSavedError, PlayedGame
from pbmd.play.seat_names import NoSuchSeatError, seats_of
from pbmd.play.terminal import Terminal
from pbmd.play.typed_lines import play, prompted
from tests.play.conftest import Sit

Typed = Callable[..., str]


def no_game(file: Path) -> tuple[PlayedGame, str]:
    raise NotSavedError(f"{file} is no game saved by pbmd play")


@pytest.fixture
def typed(sit: Sit) -> Typed:
    """What is printed when these lines are typed."""

    def play_lines(
        *lines: str, game: PlayedGame | None = None, refresh: Callable[[PlayedGame], str] = lambda _: "", width: int = 100
    ) -> str:
        console = Console(file=io.StringIO(), width=width)

        def explain(trouble: Exception) -> str:
            return type(trouble.__cause__ or trouble).__name__

        play(Terminal(game or sit(), "./count", console, no_game, refresh, explain), lines)
        assert isinstance(console.file, io.StringIO)
        return console.file.getvalue()

    return play_lines


def test_it_begins_with_what_to_type_and_the_first_mail(typed: Typed) -> None:
    shown = typed()
    assert 'Then type "resolve"' in shown
    assert "ORDER FORM" in shown
    assert "turn 1: your orders are missing." in shown


def test_an_empty_line_sends_what_was_typed_as_one_letter(typed: Typed) -> None:
    shown = typed("Add 3", "Add 4", "")
    assert "Add 3" in shown.partition("YOUR ORDERS")[2]
    assert "Add 4" in shown.partition("YOUR ORDERS")[2]
    assert 'turn 1: your orders are in. "resolve" goes on.' in shown


def test_the_end_of_what_is_typed_sends_it_too(typed: Typed) -> None:
    assert "YOUR ORDERS" in typed("Add 3")


def test_resolve_shows_the_report(typed: Typed) -> None:
    shown = typed("Add 3", "", "resolve")
    assert "Turn 1: what happened" in shown
    assert "turn 2: your orders are missing." in shown


def test_an_empty_line_within_a_message_is_part_of_it(sit: Sit, typed: Typed) -> None:
    game = sit("Altair", "Borealis")
    message = ["PRESS TO Borealis", "Good morning.", "", "Let us meet.", "", "END PRESS"]
    shown = typed(*message, "Add 3", "", game=game)
    assert shown.count("An empty line is part of what stands there, up to END PRESS.") == 1
    assert "Good morning." in shown
    assert "Let us meet." in shown
    assert "Add 3" in shown.partition("YOUR ORDERS")[2]
    assert shown.count("YOUR ORDERS") == 1


def test_a_message_without_an_end_is_sent_where_what_is_typed_ends(typed: Typed) -> None:
    assert "END PRESS is missing" in " ".join(typed("PRESS TO Borealis", "", "Good morning.").split())


def test_commands_of_a_mail_work_as_in_a_mail(typed: Typed) -> None:
    assert "no orders are in" in typed("STATUS", "")


def test_a_word_of_the_terminal_within_a_letter_or_behind_a_blank_is_part_of_the_letter(typed: Typed) -> None:
    assert "what happened" not in typed("Add 3", "resolve", "Add 4", "")
    assert "what happened" not in typed(" resolve", "")


@pytest.mark.parametrize("word", ["resolve", "RESOLVE", "Resolve"])
def test_a_word_of_the_terminal_may_be_in_capitals(typed: Typed, word: str) -> None:
    assert "Turn 1: what happened" in typed(word)


@pytest.mark.parametrize("word", ["quit", "QUIT", "q", "Q", "exit", "Exit"])
def test_there_are_several_words_to_leave(typed: Typed, word: str) -> None:
    assert "what happened" not in typed(word, "resolve")


@pytest.mark.parametrize("end", [(), ("",)])
def test_words_of_the_terminal_at_the_end_of_a_letter_are_done_and_not_sent(typed: Typed, end: tuple[str, ...]) -> None:
    shown = typed("Add 3", "Resolve", "reveal", *end)
    assert "refused" not in shown
    assert "Add 3" in shown.partition("YOUR ORDERS")[2]
    done = shown.partition('"Resolve" is for the terminal: it was not sent, and is done now.')[2]
    assert "Turn 1: what happened" in done.partition('"reveal" is for the terminal')[0]
    assert "No orders are in." in done


@pytest.mark.parametrize(("line", "word"), [("resovle", "resolve"), ("Resolve now", "resolve"), ("unod", "undo")])
def test_a_word_of_the_terminal_with_a_slip_in_it_is_named(typed: Typed, line: str, word: str) -> None:
    assert f'If you meant "{word}", which is for the terminal' in typed(line, "")


@pytest.mark.parametrize("lines", [("Add 3",), ("STATUS",), ("nonsense",), (" resolve",), ("Add 3", "resovle")])
def test_nothing_else_is_taken_for_a_slip(typed: Typed, lines: tuple[str, ...]) -> None:
    assert "If you meant" not in typed(*lines, "").replace("If you meant a command", "")


def test_nothing_is_done_after_a_letter_that_ends_with_quit(typed: Typed) -> None:
    shown = typed("Add 3", "q", "", "resolve")
    assert "YOUR ORDERS" in shown
    assert "what happened" not in shown


def test_what_a_game_answers_at_the_end_of_a_letter_is_sent(typed: Typed) -> None:
    assert "is for the terminal" not in typed("Add 3", "HELP", "")


def test_what_is_an_order_of_the_game_is_sent(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PlayedGame, "is_order", lambda _game, _seat, line: line == "Save")
    assert "is for the terminal" not in typed("Add 3", "Save", "")
    assert "which file" not in typed("Save", "")
    assert "which file" in typed("save")


def test_the_rules_say_what_an_order_is(sit: Sit) -> None:
    game = sit()
    assert game.is_order("Altair", "Add 3")
    assert not game.is_order("Altair", "resolve")
    assert game.state().sent == ()


def test_the_prompt_tells_that_a_letter_goes_on(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    lines = iter(["Add 3", "Add 4", "", "quit"])

    def typed_in(prompt: str) -> str:
        asked.append(prompt)
        return next(lines)

    monkeypatch.setattr("builtins.input", typed_in)
    desk = Terminal(sit(), "./count", Console(file=io.StringIO(), width=100), no_game, lambda _: "", str)
    play(desk, prompted(desk))
    assert [prompt.strip() for prompt in asked] == ["Altair>", "...", "...", "Altair>"]


def test_form_report_and_reveal_show_what_they_say(typed: Typed) -> None:
    assert typed("report").count("the game begins") == 2 * typed().count("the game begins")
    assert typed("resolve", "report").count("Turn 1: what happened") > typed("resolve").count("Turn 1: what happened")
    assert "Add" in typed("form").rpartition("missing.")[2]
    assert "No orders are in." in typed("reveal")


def test_the_form_is_there_as_long_as_orders_can_be_changed(typed: Typed) -> None:
    assert "Add" in typed("Add 3", "", "form").rpartition("goes on.")[2]
    assert "No orders are awaited" not in typed("Add 3", "", "form")


@pytest.mark.parametrize(("before", "begun"), [((), "Add "), (("Add 3", ""), "Add 3\n")])
def test_the_editor_begins_with_the_orders_that_are_in_or_else_the_form(
    typed: Typed, monkeypatch: pytest.MonkeyPatch, before: tuple[str, ...], begun: str
) -> None:
    opened: list[str] = []

    def edited(text: str, extension: str) -> str:
        opened.append(text)
        return "Add 4\n"

    monkeypatch.setattr("click.edit", edited)
    shown = typed(*before, "edit")
    assert opened[0].startswith(begun), opened
    assert "Add 4" in shown.rpartition("YOUR ORDERS")[2]


def test_after_undo_the_last_report_is_the_one_before(typed: Typed) -> None:
    shown = typed("resolve", "undo", "report").rpartition("is taken back.")[2]
    assert "the game begins" in shown
    assert "what happened" not in shown


def test_a_seat_that_is_taken_has_the_report_that_it_got_before(typed: Typed) -> None:
    assert "Borealis: Turn 1: what happened" in typed("resolve", "seat Borealis", "report")


def test_another_seat_is_taken_by_its_name(typed: Typed) -> None:
    assert "Altair (yours), Borealis, Cygnus" in typed("seat")
    assert 'did you mean "Borealis"?' in typed("seat Borealiss")
    assert "there are Altair, Borealis and Cygnus." in typed("seat Zorn")
    assert "Borealis is yours from now on, too." in typed("seat bor")
    shown = typed("seat Borealis", "Add 3", "")
    assert "Borealis is yours from now on, too." in shown
    assert "Borealis: your orders" in shown


def test_undo_says_what_it_did(typed: Typed) -> None:
    assert "There is nothing to take back." in typed("undo")
    assert "The resolution of turn 1 is taken back." in typed("Add 3", "", "resolve", "undo")
    assert "The letter of Borealis is taken back." in typed("seat Borealis", "Add 3", "", "undo")
    shown = typed("Add 3", "", "undo")
    assert "Your letter is taken back." in shown
    assert shown.rstrip().endswith("turn 1: your orders are missing.")


def test_save_says_how_to_go_on_and_load_what_is_wrong(typed: Typed, tmp_path: Path) -> None:
    assert f"pbmd play --load {tmp_path}/kept goes on with it" in typed(f"save {tmp_path}/kept").replace("\n", " ")
    assert (tmp_path / "kept").exists()
    assert "No such file" in typed(f"save {tmp_path}/none/kept")
    assert "is no game saved by pbmd play" in typed(f"load {tmp_path}/kept").replace("\n", " ")
    assert "save FILE: which file?" in typed("save")
    assert "load FILE: which file?" in typed("load")


def test_an_editor_that_is_not_there_is_told(typed: Typed, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "no-such-editor")
    monkeypatch.setenv("EDITOR", "no-such-editor")
    assert "There is no editor to be had" in typed("edit").replace("\n", " ")


def test_help_lists_the_words_and_quit_ends(typed: Typed) -> None:
    shown = typed("help", "quit", "resolve")
    for word in ("resolve", "undo", "seat [NAME]", "reveal", "save FILE"):
        assert word in shown
    assert "what happened" not in shown


def test_a_question_mark_alone_asks_for_help(typed: Typed) -> None:
    shown = typed("?", "quit")
    assert "save FILE" in shown
    assert "NOT TAKEN" not in shown


@pytest.mark.parametrize("width", [40, 60, 80])
def test_what_the_terminal_says_is_broken_between_words_at_its_width(typed: Typed, width: int) -> None:
    shown = typed("help", width=width)
    said = [*shown.partition("─")[0].splitlines(), *shown.rpartition("are missing.")[2].splitlines()]
    assert max(map(len, said)) <= width
    words = " ".join(shown.split())
    assert "all else that can be mailed to a game work, too." in words
    assert "take back your last letter, or the last resolution" in words


def test_a_path_is_not_broken(typed: Typed, tmp_path: Path) -> None:
    file = tmp_path / ("kept" * 30)
    assert str(file) in typed(f"save {file}", width=60)


def test_changed_rules_are_told_before_what_is_done_with_them(typed: Typed) -> None:
    news = iter(["The rules were read anew."])
    assert "The rules were read anew." in typed("Add 3", "", "resolve", refresh=lambda _: next(news, ""))


def test_a_game_that_is_over_says_so(typed: Typed) -> None:
    shown = typed(*["resolve"] * 30)
    assert "The game is over." in shown


def test_an_interrupt_ends_what_is_done_and_not_the_game_of_somebody_who_sits_there(
    sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_game: PlayedGame) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(PlayedGame, "resolve", interrupted)
    console = Console(file=io.StringIO(), width=100)

    def played(*, by_hand: bool) -> None:
        play(Terminal(sit(), "./count", console, no_game, lambda _: "", str, typed_by_hand=by_hand), ["resolve", "reveal"])

    played(by_hand=True)
    assert isinstance(console.file, io.StringIO)
    assert "No orders are in." in console.file.getvalue().partition("Interrupted: nothing was done.")[2]
    with pytest.raises(KeyboardInterrupt):
        played(by_hand=False)


def test_it_is_told_that_others_move_where_that_takes_long(sit: Sit, monkeypatch: pytest.MonkeyPatch) -> None:
    def told(*, after: float, is_terminal: bool = True) -> int:
        console = Console(file=io.StringIO(), width=100, force_terminal=is_terminal)
        monkeypatch.setattr(terminal, "_PATIENCE_SECONDS", after)
        play(Terminal(sit(), "./count", console, load=no_game, refresh=lambda _: "", explain=str), ["resolve"])
        assert isinstance(console.file, io.StringIO)
        return console.file.getvalue().count("The others move …")

    assert told(after=0.0) == 1
    assert told(after=60.0) == 0
    assert told(after=0.0, is_terminal=False) == 0


def test_seats_are_named_by_their_beginnings() -> None:
    seats = ("Austria", "England", "France")
    assert seats_of(["fra", "Austria"], seats) == ("Austria", "France")
    with pytest.raises(NoSuchSeatError, match='no seat is called "Spain"; there are Austria, England and France'):
        seats_of(["Spain"], seats)
    with pytest.raises(NoSuchSeatError, match='"a" may be Ann or Al'):
        seats_of(["a"], ("Ann", "Al", "Bob"))


def test_rules_that_fail_are_told_and_undo_goes_back(typed: Typed, sit: Sit) -> None:
    shown = typed("Add 3", "", "resolve", "resolve", "undo", "undo", game=sit(options={"crash_turn": 1}))
    assert shown.count("The rules failed: ZeroDivisionError") == 1
    assert 'The game has stopped. "undo" goes back to before' in shown
    assert shown.rstrip().endswith('turn 1: your orders are in. "resolve" goes on.')


def test_a_loaded_game_shows_its_last_report_and_not_all_mails(sit: Sit) -> None:
    game = sit()
    game.begun()
    game.write("Altair", "Add 3")
    game.resolve()
    assert ["Turn 1: what happened" in str(each.mail["Subject"]) for each in game.latest()] == [True]
