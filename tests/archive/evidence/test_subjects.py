"""The subject of each mail that pbmd sends is known to be that of its text; one that says something else is told."""

from pathlib import Path

import pytest

from pbmd.archive.appearance.finding import Finding
from pbmd.archive.appearance.mail_header import Own
from pbmd.archive.evidence.mail_kinds.subjects import examine_subject

MAILS = sorted((Path(__file__).parents[3] / "docs" / "mails").glob("*.txt"))
OF_SEATS = {
    *("acknowledgement", "notice", "press", "preview", "reminder", "report", "public_report", "silence", "vote", "welcome"),
    *("archive", "archive_link", "defect_to_sender", "new_token", "promised_anew", "rolled_back", "told_event", "yours"),
}
"""The templates of mails that players get often, or that tell of what counts."""


def found(subject: str, text: str) -> list[Finding]:
    own = Own(kind="notice", steps=1, reader="ann@players.test", seat="g1p1", token="a" * 16)
    return [*examine_subject(own, subject, text)]


def told(subject: str, text: str) -> list[str]:
    return [each.words for each in found(subject, text) if not each.holds]


@pytest.mark.parametrize("file", MAILS, ids=lambda file: file.stem)
def test_no_mail_is_told_as_one_with_another_subject(file: Path) -> None:
    head, _, text = file.read_text(encoding="utf-8").partition("\n\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines() if ": " in line)
    results = found(fields["Subject"], text)
    assert [each.words for each in results if each.whole and not each.holds] == []
    if fields.get("X-Template") in OF_SEATS:
        assert [each.holds for each in results] == [True]


ORDERS = "Altair: your orders for turn 2 are in"
ADDED = "They were added to those that came on Fri 20 Nov 2026 12:00:00 UTC, in place of 1 of them; all of them count."


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        ("Altair: orders in", f"{ORDERS}."),
        ("orders in", f"{ORDERS}."),
        ("Altair: orders in, request granted", f"{ORDERS}, and your request is granted."),
        ("Altair: orders in, lines not read", f"{ORDERS}, but lines that could be orders were not read."),
        ("Altair: orders in, 2 lines refused", f"{ORDERS}, but 2 lines were refused."),
        ("Altair: orders in, 2 refused", f"{ORDERS}, but 2 lines were refused."),
        ("Altair: orders replaced", f"{ORDERS}. They replace those that came on Fri 20 Nov 2026 12:00:00 UTC."),
        ("Altair: orders added; 1 old line replaced, 1 line refused", f"{ORDERS}, but 1 line was refused. {ADDED}"),
        ("Altair: orders in, orders not cancelled", f"{ORDERS}."),
        ("Altair: orders in …", f"{ORDERS}, but 2 lines were refused."),
        ("Altair: orders in, part of 1 line refused", f"{ORDERS}, but a part of a line was refused."),
        (
            "Altair: orders in, 2 lines refused, part of 3 lines refused",
            f"{ORDERS}, but 2 lines were refused and a part of 3 lines was refused.",
        ),
        ("Altair: orders in, 5 refused", f"{ORDERS}, but 2 lines were refused and a part of 3 lines was refused."),
        ("Altair: orders in, words not read", f"{ORDERS}."),
        ("Altair: orders in, EXTEND not done, words not read", f"{ORDERS}."),
        ("Altair: orders in, NEW TOKEN not done", f"{ORDERS}."),
        ("Altair: orders in, 1 refused, 2 lines below a condition not read", f"{ORDERS}, but 1 line was refused."),
        ("Altair: orders in, 1 refused, 2 lines below a condition …", f"{ORDERS}, but 1 line was refused."),
        (
            "Altair: NOT TAKEN: 1 line below a condition not read",
            "In your mail an order stands below a condition, where nothing",
        ),
        ("Altair: orders in, 2 lines for another turn not read", f"{ORDERS}."),
        ("Altair: orders in, 2 lines for another …", f"{ORDERS}."),
        (
            "Altair: NOT TAKEN: 2 lines for another turn not read",
            "In your mail 2 lines stand below the heading of another turn, where",
        ),
        ("Altair: orders in, 1 line for another game not read", f"{ORDERS}."),
        ("Altair: orders in, 1 line of other orders not read", f"{ORDERS}."),
        ("Altair: orders in, 1 line of other …", f"{ORDERS}."),
        (
            "Altair: NOT TAKEN: 2 lines of other orders not read",
            "In your mail 2 lines stand below a heading of orders that count no more, where",
        ),
        (
            "Altair: NOT TAKEN: 2 lines for another game not read",
            "In your mail 2 lines stand below the head of another game, where",
        ),
        ("Altair: NOT READ: an attached file", "Your mail had no line with an order or a command, and a file sent along"),
        ("Altair: NOT TAKEN: lines not read", "Your mail had no line with an order or a command"),
    ],
)
def test_an_answer_to_orders_says_what_came_of_them(subject: str, text: str) -> None:
    assert told(f"[pbmd galaxy-7 t2] {subject}", text) == []


@pytest.mark.parametrize(
    "subject",
    [
        "[pbmd galaxy-7 t2] Altair: orders in",
        "[pbmd galaxy-7 t2] Altair: NOT TAKEN",
        "[pbmd galaxy-7 t2] Altair: orders replaced",
        "[pbmd galaxy-7 t2] Cygnus: orders in, 2 lines refused",
        "[pbmd galaxy-7 t3] Altair: orders in, 2 lines refused",
        "[pbmd galaxy-7 t2] Altair: orders in, 3 lines refused",
        "[pbmd galaxy-7 t2] Altair: orders in, part of 2 lines refused",
        "Turn 3 is void: [pbmd galaxy-7 t2] Altair: orders in, 2 lines refused",
    ],
)
def test_and_nothing_else(subject: str) -> None:
    assert told(subject, f"{ORDERS}, but 2 lines were refused.") != []


@pytest.mark.parametrize("said", ["ORDERS not done", "MOVES not done", "CANCEL not done", "ORDERS n …"])
def test_only_of_commands_it_says_that_they_were_not_carried_out(said: str) -> None:
    assert told(f"[pbmd galaxy-7 t2] Altair: orders in, {said}", f"{ORDERS}.") != []


@pytest.mark.parametrize("mark", ["Re: ", "RE: [club] ", "回复：", "***SPAM*** ", "[EXTERNAL] Antwort: ", "Fwd: Re[2]: "])
def test_marks_in_front_are_none_of_it(mark: str) -> None:
    assert told(f"{mark}[pbmd galaxy-7 t2] Altair: orders in", f"{ORDERS}.") == []


def test_other_signs_for_foreign_letters_are_none_of_it() -> None:
    text = "Éclair: your orders for turn 2 are in."
    assert told("[pbmd galaxy-7 t2] Éclair: orders in", text) == []
    deadline = "galaxy-7, turn 2: the game master has looked at the orders of Éclair. Orders are due soon."
    assert told("[pbmd galaxy-7 t2] the game master has looked at the orders of ?clair", deadline) == []


@pytest.mark.parametrize(
    ("zone", "due"),
    [("", "Mon 23 Nov 23:30 UTC"), (" (Tue 24 Nov 2026 00:30 Europe/Berlin)", "Tue 24 Nov 00:30 CET")],
)
def test_a_deadline_is_the_one_of_the_text(zone: str, due: str) -> None:
    text = f"galaxy-7, turn 2: a new deadline.\n\nOrders are due Mon 23 Nov 2026 23:30 UTC{zone}, in 3 days.\n"
    assert told(f"[pbmd galaxy-7 t2] the new deadline: {due}", text) == []
    assert told(f"[pbmd galaxy-7 t2] the new deadline: {due.replace(':30', ':00')}", text) != []
    assert told("[pbmd galaxy-7 t2] the new deadline: Wed 25 Nov 23:30 UTC", text) != []


@pytest.mark.parametrize(
    ("subject", "text"),
    [
        (
            "the game master saw Austria's secrets",
            "galaxy-7, winter 1902 of turn 2: the game master has looked at the secrets of Austria.",
        ),
        ("the game is paused", "galaxy-7, winter 1902 of turn 2: the game is paused. You can still send orders."),
    ],
)
def test_those_of_1_0_are_known(subject: str, text: str) -> None:
    assert told(f"[pbmd galaxy-7 t2 winter 1902] {subject}", f"{text} ") == []
