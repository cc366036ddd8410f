"""Lines longer than any order never reach a ruleset, whose time may grow with the square of a line."""

import pytest

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.letter import unread_orders
from pbmd.desk.letter.unread_orders import MAX_LINE_CHARS
from pbmd.desk.mail.tokens import tokens_of
from tests.desk.world import ADDRESS, body_of
from tests.processor_time import takes_at_most


def test_a_line_that_is_too_long_is_told_and_the_others_are_read(running):
    answer = running.send("Altair", f"Add 5\n{'x' * (MAX_LINE_CHARS + 1)}\n")
    assert running.sheet("Altair") == ["Add 5"]
    assert f"Lines of more than {MAX_LINE_CHARS} characters are not read; your mail had 1." in " ".join(answer.split())


def test_a_line_of_combining_marks_takes_no_time(world):
    world.start()
    with takes_at_most(10):
        assert world.send("Altair", "Build 2 Laserfrigates\n" + "\u0316\u0300" * 100_000)
    assert [submission.state.value for submission in world.submissions()] == ["filed"]


def test_nor_does_one_of_a_letter_that_may_be_anybodys(world):
    world.start()
    with takes_at_most(3):
        world.send("Altair", "Build 2 Laserfrigates\n" + "\u0316\u0300" * 50_000, to=ADDRESS)
    (question,) = world.questions()
    assert "Build 2 Laserfrigates" in body_of(question)
    assert "1 line that cannot be shown here" in body_of(question)


@pytest.mark.parametrize("line", ["HELP " + "x" * 300_000, "PRESS TO " + "x" * 300_000 + "\nhello\nEND PRESS"])
def test_an_answer_does_not_repeat_an_endless_one(running, line):
    assert len(running.send("Altair", line)) < 10_000


def test_an_order_line_with_a_token_is_not_read_since_archives_blank_it(running):
    with Transaction(running.desk, reads=True) as work:
        token, *_ = tokens_of(work, work.table(running.game().id).seat("Altair"))
    answer = running.send("Altair", f"Add 5\nAdd 6 {token}\nAdd 7 {' '.join(token)}\nAdd 8 g7p9.{'a' * 16}\n")
    assert running.sheet("Altair") == ["Add 5"]
    assert "We did not read 3 order lines: they have a secret token in them, which others might come to see." in " ".join(
        answer.split()
    )
    assert token not in answer


def test_nor_are_lines_over_which_a_token_goes_however_they_are_nested(running):
    with Transaction(running.desk, reads=True) as work:
        token, *_ = tokens_of(work, work.table(running.game().id).seat("Altair"))
    halves = [token[:8]] * 4 + [token[8:]] * 4
    running.send("Altair", "\n".join(["Add 5", *halves[3:5]]))
    assert running.sheet("Altair") == ["Add 5"]
    answer = running.send("Altair", "\n".join(["Add 6", *halves, "Add 7"]))
    assert "We did not read 10 order lines" in " ".join(answer.split())


def test_the_rules_are_asked_about_few_of_very_many_paragraphs_one_by_one(running, monkeypatch):
    """Each by itself has all that the rules try for a letter: hundreds of them would take hundreds of times as long."""
    asked: list[int] = []
    accepted = unread_orders.accepted

    def watched(*words, **more):
        asked.extend(len(line.text) for line in words[3])
        return accepted(*words, **more)

    monkeypatch.setattr(unread_orders, "accepted", watched)
    paragraphs = "\n\n".join(f"Lorem {number} ipsum dolor sit amet consetetur {'sadipscing ' * 40}" for number in range(400))
    running.send("Altair", f"{paragraphs}\n\nAdd 5\n")
    assert 5_000 < sum(asked) < 30_000
    assert running.sheet("Altair") == ["Add 5"]
