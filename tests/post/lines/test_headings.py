"""What stands above a copy of one of our mails is known by who wrote that mail, and when, in whatever language."""

import pytest

from pbmd.post.lines import quotes
from pbmd.post.lines.command_text import Own
from pbmd.post.read.letter import Letter, for_seat, read_letter
from tests.post.lines.test_letter_sent import REPORT, quoted
from tests.post.samples import TAG, mail, texts

OURS = mail(REPORT, "From: galaxy-7 (pbmd) <games@pbmd.test>", "To: ada@players.test", "Subject: [pbmd galaxy-7 t4] Turn 3")
WHO, WHEN = "galaxy-7 (pbmd) <games@pbmd.test>", "26 xyz 2026 14:05"
ORDERS = ["Build 3 Laserfrigates", "Attack Cygnus"]
"""Introductions in a language that nobody speaks, as programs break them."""
INTRODUCTIONS = {
    "one line": f"Zq {WHEN} plugh {WHO} xyzzy:",
    "the verb below": f"Zq {WHEN}, {WHO}\nxyzzy:",
    "in the name": "Zq 26 xyz 2026 14:05 plugh galaxy-7\n(pbmd) <games@pbmd.test> xyzzy:",
    "in the address": f"Zq {WHEN} galaxy-7 (pbmd) <\ngames@pbmd.test> xyzzy:",
    "before the sign that closes it": f"Zq {WHEN} galaxy-7 (pbmd) <games@pbmd.test\n> xyzzy:",
    "the date below": f"{WHO} xyzzy (plugh,\n26/08/2026 14:05):",
    "without a date": f"{WHO} xyzzy:",
    "name and date": "galaxy-7 (pbmd) xyzzy 26.8.2026:",
    "no colon": f"---- {WHEN} {WHO} xyzzy ----",
    "other digits": "۲۶ xyz ۲۰۲۶ galaxy-7 (pbmd) xyzzy:",
    "a rule above": f"------- Xyzzy Plugh -------\n{WHEN}, {WHO}:",
    "a greeting by the program": f"Hello games,\n\n{WHEN}, {WHO}:",
    "marks of direction": f"\u202bzq {WHEN} \u202agalaxy-7 (pbmd)\u202c\u200f <\u202agames@pbmd.test\u202c\u200f>:\u202c",
}
HEADERS = {
    "labels": f"Xyz: {WHO}\nPlugh: {WHEN}\nZq: ada@players.test\nQuux: Re: [pbmd galaxy-7 t4] Turn 3",
    "the date first": f"Plugh: {WHEN}\nXyz: {WHO}\nZq: ada@players.test",
    "below a rule": f"{'_' * 32}\nXyz: {WHO}\nPlugh: {WHEN}\nZq: ada@players.test",
    "in paragraphs": f"{WHO}\n26/08/2026 14:05\n\nZq\nada@players.test\n\nQuux\nRe: [pbmd galaxy-7 t4] Turn 3",
}


def answer(body: str) -> Letter:
    return for_seat(read_letter(mail(body)), Own(lambda tag: tag.lower() == TAG), [OURS], address="games@pbmd.test")


@pytest.mark.parametrize("gap", ["", "\n"])
@pytest.mark.parametrize("introduction", INTRODUCTIONS.values(), ids=INTRODUCTIONS)
def test_an_introduction_in_no_language_is_left_out(introduction: str, gap: str) -> None:
    letter = answer("\n".join([*ORDERS, "", introduction]) + f"\n{gap}{quoted(REPORT)}")
    assert texts(letter) == ORDERS
    assert quotes.INTRODUCTION in {piece.reason for piece in letter.left_out}


@pytest.mark.parametrize("introduction", [*INTRODUCTIONS.values(), *HEADERS.values()], ids=[*INTRODUCTIONS, *HEADERS])
def test_what_is_written_between_an_introduction_and_its_quote_is_read(introduction: str) -> None:
    orders = "\n".join(ORDERS)
    assert texts(answer(f"{introduction}\n\n{orders}\n\n{quoted(REPORT)}")) == ORDERS


@pytest.mark.parametrize("introduction", [*INTRODUCTIONS.values(), *HEADERS.values()], ids=[*INTRODUCTIONS, *HEADERS])
def test_so_is_what_stands_above_a_copy_without_quote_marks(introduction: str) -> None:
    assert texts(answer("\n".join([*ORDERS, "", introduction]) + f"\n\n{REPORT}")) == ORDERS


@pytest.mark.parametrize("introduction", INTRODUCTIONS.values(), ids=INTRODUCTIONS)
def test_an_order_right_above_an_introduction_stays_one(introduction: str) -> None:
    letter = for_seat(
        read_letter(mail("\n".join([*ORDERS, introduction]) + f"\n{quoted(REPORT)}")),
        Own(lambda tag: tag.lower() == TAG),
        [OURS],
        address="games@pbmd.test",
        is_order=lambda line: line in ORDERS,
    )
    assert texts(letter) == ORDERS


def test_the_mail_of_somebody_else_is_not_taken_for_ours() -> None:
    """Of what stands below it without quote marks nobody knows whose it is: it is told, and not read."""
    letter = answer(f"On Wed, 26 Aug 2026 at 14:05, Bob <bob@players.test> wrote:\n\nAttack Cygnus\n\n{quoted(REPORT)}")
    assert texts(letter) == []
    assert any("Attack Cygnus" in piece.text for piece in letter.left_out)


def test_our_address_in_what_somebody_writes_introduces_nothing() -> None:
    body = "Please answer from games@pbmd.test in future.\nBuild 3 Laserfrigates"
    assert texts(answer(body)) == body.split("\n")


def test_a_sign_that_closes_no_address_marks_a_quote() -> None:
    assert texts(answer("Build 3 Laserfrigates\nif 2 < 3\n> Attack Cygnus")) == ["Build 3 Laserfrigates", "if 2 < 3"]
