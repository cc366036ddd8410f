"""The mail programs and languages of docs/mail.md: none of what they write costs an order, and none of it is one."""

from collections.abc import Iterator

import pytest

from pbmd.post.lines.command_text import Own
from pbmd.post.lines.quotes import INTRODUCTION
from pbmd.post.read.letter import Letter, for_seat, read_letter
from tests.desk.world import World
from tests.post.lines.test_letter_sent import REPORT, quoted
from tests.post.mail_programs import ENDINGS, INTRODUCTIONS, Introduction, broken
from tests.post.samples import TAG, mail, texts

ADDRESS, TO, SUBJECT = "games@pbmd.test", "ada@players.test", "[pbmd galaxy-7 t4] Turn 3"
OURS = mail(REPORT, f"From: galaxy-7 (pbmd) <{ADDRESS}>", f"To: {TO}", f"Subject: {SUBJECT}")
ORDERS = ["Build 3 Laserfrigates", "Attack Cygnus"]
PROGRAMS = sorted({each.program for each in INTRODUCTIONS})


def read(body: str) -> Letter:
    return for_seat(
        read_letter(mail(body)),
        Own(lambda tag: tag.lower() == TAG),
        [OURS],
        address=ADDRESS,
        is_order=lambda line: line in ORDERS,
    )


def filled(introduction: Introduction) -> Iterator[str]:
    yield from broken(
        introduction.text.format(name="galaxy-7 (pbmd)", address=ADDRESS, to=TO, subject=f"Re: {SUBJECT}"), ADDRESS
    )


def below(introduction: Introduction) -> str:
    gap = "" if introduction.below == "quoted" else "\n"
    return gap + (REPORT if introduction.below == "a copy" else quoted(REPORT))


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("program", PROGRAMS)
def test_orders_above_and_below_what_a_program_writes_above_a_quote_are_read(program: str) -> None:
    orders = "\n".join(ORDERS)
    for introduction in (each for each in INTRODUCTIONS if each.program == program):
        for text in filled(introduction):
            above = read(f"{orders}\n\n{text}\n{below(introduction)}")
            assert texts(above) == ORDERS, text
            assert (
                INTRODUCTION in {piece.reason for piece in above.left_out}
                or text.startswith(">")
                or introduction.below == "a copy"
            ), text
            assert texts(read(f"{text}\n\n{orders}\n\n{below(introduction)}")) == ORDERS, text
            if introduction.below != "a copy":
                assert texts(read(f"{text}\n{below(introduction)}\n{orders}")) == ORDERS, text


def test_what_a_program_writes_below_a_mail_costs_no_order(running: World) -> None:
    running.settle(limits=dict.fromkeys(("answers_per_hour", "answers_per_day"), 10**6))
    for number, ending in enumerate(ENDINGS):
        answer = running.send("Altair", f"Add {number % 9 + 1}\n\n{ending.text}\n")
        assert "REFUSED" not in answer, answer
        assert running.sheet("Altair") == [f"Add {number % 9 + 1}"], answer
