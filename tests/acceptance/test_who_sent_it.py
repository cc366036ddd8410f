"""A mail that proves too little, through Dovecot and SMTP: held, asked about, confirmed, and counted as of its arrival."""

from email.message import EmailMessage
from pathlib import Path

import pytest

from pbmd.ledger.tables import Letter, LetterState, Submission, SubmissionState
from pbmd.post.read.letter import read_letter
from tests.acceptance.house import House, open_house
from tests.acceptance.players import Player, text_of, top_posted
from tests.mailservers import Dovecot

ANNA = "altair@players.test"


def write(house: House, sender: str, text: str, number: int, to: str = "") -> None:
    """A new mail, without a token unless `to` has one."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to or house.address, "my orders"
    mail["Message-ID"] = f"<new{number}@players.test>"
    mail.set_content(text)
    house.dovecot.deliver((to or house.address).partition("@")[0], mail.as_bytes(), sender=sender)


@pytest.mark.dovecot
def test_a_new_mail_counts_once_its_player_says_so_even_after_a_crash(tmp_path: Path, dovecot: Dovecot) -> None:
    with open_house(tmp_path, dovecot, deadline="72h") as house:
        house.new_game("galaxy-7", ("Altair", "Borealis"))
        house.start()
        house.wait_until("the first report", lambda: house.sink.of(ANNA))
        write(house, "mallory@evil.test", "Raise shields", 1)
        write(house, ANNA, "Train spy\nOOB default: LFTLTF", 2)
        (question,) = house.wait_until("the question", lambda: house.sink.of(ANNA)[1:])
        assert "| Train spy" in text_of(question)
        house.kill()
        house.start()
        anna = Player(house, "Altair", ANNA, top_posted, lambda turn: "")
        anna.answer(question, "YES")
        # The kill may have fallen between the server's answer and our note of it, so that the question came twice.
        house.wait_until("the answer", lambda: any("orders for turn 1 are in" in text_of(mail) for mail in house.sink.of(ANNA)))
        house.stop()
        (submission,) = house.rows(Submission)
        letters = {read_letter(letter.raw).message_id: letter for letter in house.rows(Letter)}
        stranger, held = letters["<new1@players.test>"], letters["<new2@players.test>"]
        assert submission.state is SubmissionState.FILED
        assert (submission.letter_id, submission.arrived_at) == (held.id, held.arrived_at)
        assert {letter.state for letter in house.rows(Letter)} == {LetterState.DONE}
        assert stranger.note.startswith("not answered")
        assert house.sink.of("mallory@evil.test") == []
