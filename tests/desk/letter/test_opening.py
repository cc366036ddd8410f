"""Letters that copy a mail of ours: the desk knows what it sent, so the copy gives no orders."""

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.letter.opening import answered_mails
from pbmd.ledger.tables import Outbox
from pbmd.post.read.letter import read_letter
from tests.desk.world import body_of

WELSH = "Oddi wrth: Galaxy\nAnfonwyd: Dydd Sadwrn, 21 Tachwedd 2026 20:00\nAt: Altair\nPwnc: Tro 1\n\n"


def report(world, seat="Altair"):
    return world.outbox("report", seat)[-1]


def test_the_report_copied_without_quote_marks_by_an_unknown_program_gives_no_orders(running):
    mail = report(running)
    answer = running.send("Altair", f"ADD 5\n\n{WELSH}{body_of(mail)}", headers={"In-Reply-To": mail.message_id})
    assert running.sheet("Altair") == ["Add 5"]
    assert "REFUSED" not in answer
    assert "of our own mail, quoted" in answer


def test_so_it_is_when_the_program_does_not_say_which_mail_it_answers(running):
    running.send("Altair", f"ADD 5\n\n{WELSH}{body_of(report(running))}")
    assert running.sheet("Altair") == ["Add 5"]


def test_an_order_written_into_the_quote_is_pointed_out(running):
    lines = body_of(report(running)).splitlines()
    quoted = "\n".join(f"> {line}" for line in [*lines[:4], "ADD 9", *lines[4:]])
    answer = running.send("Altair", f"ADD 5\n\n{quoted}")
    assert running.sheet("Altair") == ["Add 5"]
    assert "It stands inside the mail that you answered, where it is not read:\n    > ADD 9\n" in answer


def test_the_mails_of_other_seats_are_never_looked_at(running):
    theirs = report(running, "Cygnus")
    raw = running.letter("Altair", f"{'x' * 30}\n> quoted\n", headers={"In-Reply-To": theirs.message_id})
    with Transaction(running.desk, reads=True) as work:
        found = answered_mails(work, running.seat("Altair"), read_letter(raw))
    assert found == [report(running).raw]


def test_a_short_letter_costs_no_look_into_the_outbox(running):
    with Transaction(running.desk, reads=True) as work:
        assert answered_mails(work, running.seat("Altair"), read_letter(running.letter("Altair", "ADD 5"))) == []


def test_it_is_found_by_an_index(running):
    raw = running.letter("Altair", "> quoted\n", headers={"In-Reply-To": report(running).message_id, "References": "<x@y.z>"})
    other = running.letter("Altair", "> quoted\n")
    seat = running.seat("Altair")

    def look():
        with Transaction(running.desk, reads=True) as work:
            answered_mails(work, seat, read_letter(raw))
            answered_mails(work, seat, read_letter(other))

    plans = [plan for plan in running.plans(look) if Outbox.__tablename__ in plan]
    assert plans
    assert all("USING INDEX" in plan for plan in plans), plans
