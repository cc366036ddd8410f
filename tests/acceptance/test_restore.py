"""A backup is restored in the middle of a game: no letter is lost, and no report comes twice with another content."""

from email.message import EmailMessage
from pathlib import Path

import pytest
from sqlmodel import col

from pbmd.ledger.tables import Game, Letter, LetterState, Outbox, OutboxState, Submission, SubmissionState
from tests.acceptance.house import House, open_house
from tests.acceptance.players import Player, text_of, top_posted
from tests.mailservers import Dovecot

GOOD = "Build 2 Laserfrigates\nOOB default: LFTLTF"
SEATS = ("Altair", "Borealis")

pytestmark = pytest.mark.dovecot


def reports(mails: list[EmailMessage]) -> list[EmailMessage]:
    return [mail for mail in mails if "The proof of this turn is attached" in " ".join(text_of(mail).split())]


def acknowledged(house: House, player: Player) -> int:
    return sum("orders in" in str(mail["Subject"]) for mail in house.sink.of(player.address))


@pytest.mark.parametrize("ledger", ["kept", "lost"])
def test_a_game_goes_on_from_a_backup(ledger: str, tmp_path: Path, dovecot: Dovecot) -> None:
    with open_house(tmp_path, dovecot, deadline="1h") as house:
        house.new_game("galaxy-7", SEATS)
        house.start()
        altair, borealis = (
            Player(house, seat, f"{seat.lower()}@players.test", top_posted, lambda turn: GOOD if turn <= 2 else "")
            for seat in SEATS
        )
        house.wait_until("first reports", lambda: all(house.sink.of(each.address) for each in (altair, borealis)))
        altair.play()
        borealis.play()
        house.wait_until("the first turn is over", lambda: house.rows(Game)[0].step == 1)
        house.wait_until(
            "its reports", lambda: all(len(reports(house.sink.of(each.address))) == 2 for each in (altair, borealis))
        )
        house.wait_until("all is noted", lambda: not house.rows(Outbox, col(Outbox.state) != OutboxState.SENT))
        house.pbmd("backup")  # while the daemon runs

        # Altair's orders come after the backup, are dealt with and tidied away; then it all ends at once.
        altair.play()
        house.wait_until("they are in", lambda: acknowledged(house, altair) == 2)
        house.wait_until(
            "they are tidied away", lambda: dovecot.doveadm("search", "-u", house.user, "mailbox", "INBOX", "ALL").split() == []
        )
        house.kill()
        data = tmp_path / "data"
        if ledger == "lost":
            for path in data.glob("ledger.sqlite*"):
                path.unlink()
        backup = next((data / "backups").glob("ledger-*.sqlite"))
        told = house.pbmd("restore", str(backup))
        assert "letters are read again" in told
        assert ("galaxy-7: entries" in told) is (ledger == "kept")
        assert len(house.rows(Submission, col(Submission.state) == SubmissionState.FILED)) == 0

        house.start()
        house.wait_until("they are in again", lambda: acknowledged(house, altair) == 3)
        borealis.play()
        house.wait_until("the second turn is over", lambda: house.rows(Game)[0].step == 2)
        house.wait_until(
            "its reports", lambda: all(len(reports(house.sink.of(each.address))) == 3 for each in (altair, borealis))
        )
        house.stop()

        used: list[Submission] = house.rows(Submission, col(Submission.state) == SubmissionState.USED)
        assert [(each.step, each.seat_id) for each in used] == [(0, 1), (0, 2), (1, 1), (1, 2)]
        letters: list[Letter] = house.rows(Letter)
        assert (len(letters), {letter.state for letter in letters}) == (4, {LetterState.DONE})
        for player in (altair, borealis):
            mails = reports(house.sink.of(player.address))
            subjects = [str(mail["Subject"]) for mail in mails]
            assert len(set(subjects)) == len(subjects) == 3, "each report came once"
            everything = house.sink.of(player.address)
            by_id = {mail["Message-ID"]: text_of(mail) for mail in everything}
            assert all(by_id[mail["Message-ID"]] == text_of(mail) for mail in everything), "one Message-ID, two texts"
        number = used[2].number
        assert "they were used" in house.pbmd("receipt", str(number), "--game", "galaxy-7")
