"""Of the same said several times in a letter one counts: a letter must not multiply what is done or mailed."""

import pytest

from pbmd.desk.language.commands import Form, Language
from pbmd.desk.language.gm_commands import MASTERS
from pbmd.desk.language.player_commands import PLAYERS
from pbmd.rules.protocol import Line
from tests.desk.world import World, address_of

ONLY_THE_LAST = "Of several commands of one kind in a mail only the last counts"
REPEATED = {
    "extend": ("EXTEND 1h", "EXTEND 2h"),
    "address": ("ADDRESS one@elsewhere.test", "ADDRESS two@elsewhere.test"),
    "deadline": ("DEADLINE in 36h", "DEADLINE in 40h"),
    "log": ("LOG 10", "LOG 20"),
    "quiet": ("QUIET Saturday", "QUIET NONE"),
}
"""Commands whose words say one thing each, of the players and of the game master."""


def counting(language: Language, *lines: str) -> tuple[list[str], tuple[str, ...]]:
    script = language.read(Line(number, text) for number, text in enumerate(lines, start=1))
    commands, sentences = language.once_each(script.commands)
    return [command.line.text for command in commands], sentences


def wordless() -> list[tuple[Language, Form]]:
    every = [(language, form) for language in (PLAYERS, MASTERS) for form in language.forms]
    return [(language, form) for language, form in every if form.once_per is not None and form.pattern.fullmatch(form.usage)]


@pytest.mark.parametrize(("language", "form"), wordless(), ids=lambda value: getattr(value, "kind", ""))
def test_what_has_no_words_counts_once_however_often_it_is_written(language: Language, form: Form) -> None:
    lines, sentences = counting(language, *[form.usage] * 30)
    assert (lines, sentences) == ([form.usage], ())


@pytest.mark.parametrize("kind", sorted(REPEATED))
def test_of_several_that_say_something_else_the_last_counts_and_that_is_said(kind: str) -> None:
    first, last = REPEATED[kind]
    language = PLAYERS if PLAYERS.command(Line(1, first)) else MASTERS
    assert counting(language, first, last) == ([last], (f'{ONLY_THE_LAST}: "{last}".',))


def test_what_ends_another_command_counts_in_its_place() -> None:
    assert counting(PLAYERS, "WAIT", "READY", "WAIT")[0] == ["WAIT"]
    assert counting(MASTERS, "HOLIDAY 2026-12-24", "NO HOLIDAY 2026-12-24")[0] == ["NO HOLIDAY 2026-12-24"]
    assert counting(MASTERS, "APPROVE 1", "REFUSE 1", "APPROVE 2")[0] == ["REFUSE 1", "APPROVE 2"]


def test_what_only_undoes_another_counts_beside_it() -> None:
    assert counting(MASTERS, *["PAUSE", "RESUME"] * 10)[0] == ["PAUSE", "RESUME"]


def test_what_is_about_something_else_counts_each_time() -> None:
    each = ("EXTEND 1h FOR Altair", "EXTEND 2h FOR Borealis", "EXTEND 3h", "HOLIDAY 2026-12-24", "HOLIDAY 2026-12-26")
    assert counting(MASTERS, *each) == (list(each), ())
    each = ("SET REPORT SVG", "SET REPORT JSON", "RULES combat", "RULES", "WATCH one", "WATCH two")
    assert counting(PLAYERS, *each, "rules COMBAT")[0] == [*each[:2], "RULES", "WATCH one", "WATCH two", "rules COMBAT"]


def test_a_letter_makes_one_new_token(running: World) -> None:
    running.send("Altair", "\n".join(["NEW TOKEN"] * 30))
    assert running.seat("Altair").token_generation == 2
    assert len(running.log("token")) == 1


def test_a_letter_of_the_game_master_makes_one_new_token(running: World) -> None:
    before = running.game().gm_generation
    running.master("\n".join(["NEW TOKEN"] * 20))
    assert running.game().gm_generation == before + 1


def test_more_time_asked_for_again_and_again_is_given_once_and_told_once(running: World) -> None:
    deadline = running.game().deadline
    told = running.send("Altair", "\n".join(f"EXTEND {minutes}m" for minutes in range(1, 31)))
    assert "only the last counts" in " ".join(told.split())
    assert (running.game().deadline - deadline).total_seconds() == 30 * 60
    assert len([mail for mail in running.outbox("notice") if mail.recipient == address_of("Borealis")]) == 1


def test_a_game_is_not_waited_for_and_not_waited_for_without_end(running: World) -> None:
    running.send("Altair", "\n".join(["WAIT", "READY"] * 15))
    assert [entry.kind for entry in running.journal() if entry.kind in ("wait", "ready")] == ["ready"]


@pytest.mark.parametrize("of", ["a seat", "the game master"])
def test_a_letter_makes_as_few_tokens_however_many_there_have_been(
    running: World, monkeypatch: pytest.MonkeyPatch, of: str
) -> None:
    from pbmd.post import tags

    made: list[str] = []
    mac = tags._mac
    monkeypatch.setattr(tags, "_mac", lambda key, text: made.append(text) or mac(key, text))

    def made_by_letters_at(generation: int) -> int:
        with running.work() as work:
            table = work.table(running.seat("Altair").game_id)
            table.seat("Altair").token_generation = generation if of == "a seat" else 1
            table.game.gm_generation = generation if of == "the game master" else 1
        tags.make_token.cache_clear()
        made.clear()
        running.send("Borealis", f"STATUS {generation}\nSTATUS")
        running.send("Borealis", f"PRESS TO Altair\nHello {generation}\nEND PRESS")
        return len(made)

    few = made_by_letters_at(100)
    assert 0 < few < 300
    assert made_by_letters_at(30_000) == few


def test_a_token_that_ended_last_is_blanked_as_the_one_that_holds(running: World) -> None:
    old = running.reply_address("Altair").partition("+")[2].partition(".")[2].partition("@")[0]
    running.send("Altair", "NEW TOKEN")
    running.send("Borealis", f"PRESS TO Cygnus\nlook: {old}\nEND PRESS")
    [press] = running.journal("press")
    assert old not in press.secret + press.public
