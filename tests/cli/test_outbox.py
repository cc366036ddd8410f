"""`pbmd outbox`: what waits, failed or is held, and one mail sent, held or dropped."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from pbmd.ledger.tables import LogLine, Outbox, OutboxState
from tests.cli.conftest import Home
from tests.cli.test_status import change

LATER = datetime.now(UTC) + timedelta(hours=1)


@pytest.fixture
def busy(home: Home) -> Home:
    """A home with a game whose first mail was sent and whose second has failed."""
    home.start_game()
    first, second = home.rows(Outbox)
    first.state, first.sent_at = OutboxState.SENT, LATER
    second.state, second.tries, second.error = (
        OutboxState.FAILED,
        3,
        "550 5.1.1 <bert@players.test>: unknown, says mx@players.test",
    )
    change(home, first, second)
    return home


def states(home: Home) -> list[str]:
    return [mail.state.value for mail in home.rows(Outbox)]


class TestShows:
    def test_what_is_not_sent(self, busy: Home) -> None:
        [mail] = busy.json("outbox")
        assert {key: mail[key] for key in ("mail", "state", "kind", "game", "seat", "tries", "next_try_at", "sent_at")} == {
            "mail": 2,
            "state": "failed",
            "kind": "report",
            "game": "galaxy-7",
            "seat": "Borealis",
            "tries": 3,
            "next_try_at": None,
            "sent_at": None,
        }

    def test_a_table_for_people(self, busy: Home) -> None:
        told = busy.good("outbox")
        row = next(line for line in told.splitlines() if "failed" in line)
        assert [cell.strip() for cell in row.strip("│").split("│")][:5] == ["2", "failed", "report", "galaxy-7", "Borealis"]

    def test_a_block_for_each_mail_on_a_narrow_screen(self, busy: Home) -> None:
        lines = busy.run("outbox", width=40).stdout.splitlines()
        assert lines[:5] == ["mail: 2", "state: failed", "kind: report", "game: galaxy-7", "seat: Borealis"]
        assert re.fullmatch(r"queued: \w{3} \d{1,2} \w{3} \d{4} \d\d:\d\d UTC", lines[5])
        assert lines[6] == "tries: 3"
        assert " ".join(" ".join(lines[7:]).split()) == "error: 550 5.1.1 <(address)>: unknown, says (address)"
        assert max(map(len, lines)) <= 40

    @pytest.mark.parametrize("as_json", [(), ("--json",)])
    def test_no_address_even_if_a_server_names_it(self, busy: Home, as_json: tuple[str, ...]) -> None:
        for command in ("outbox", "status"):
            told = busy.good(command, *as_json)
            assert "players.test" not in told
            assert "550 5.1.1 <(address)>: unknown, says (address)" in " ".join(told.split())

    def test_mails_in_the_states_asked_for(self, busy: Home) -> None:
        assert [mail["mail"] for mail in busy.json("outbox", "--state", "sent")] == [1]
        assert [mail["mail"] for mail in busy.json("outbox", "--state", "sent", "--state", "failed")] == [1, 2]
        assert "no mails" in busy.good("outbox", "--state", "held")

    def test_mails_of_one_game(self, busy: Home) -> None:
        busy.start_game("nebula-1")
        assert [mail["mail"] for mail in busy.json("outbox", "nebula-1")] == [3, 4]
        assert busy.problem("outbox", "nova") == 'there is no game "nova"; pbmd status lists all'

    def test_the_last_ones(self, busy: Home) -> None:
        assert [mail["mail"] for mail in busy.json("outbox", "--state", "sent", "--state", "failed", "--lines", "1")] == [2]

    def test_that_a_mail_has_come_back(self, busy: Home) -> None:
        first, _ = busy.rows(Outbox)
        first.bounced_at = LATER
        change(busy, first)
        assert "sent, came back" in busy.good("outbox", "--state", "sent")


class TestActs:
    def test_retry_makes_a_mail_due_with_all_its_tries(self, busy: Home) -> None:
        busy.good("outbox", "--retry", "2")
        mail = busy.rows(Outbox)[1]
        assert (mail.state, mail.tries) == (OutboxState.QUEUED, 0)
        assert mail.next_try_at <= datetime.now(UTC)
        assert "mail 2 (report) is tried again" in busy.log

    def test_hold_and_drop(self, busy: Home) -> None:
        busy.good("outbox", "--hold", "2")
        assert states(busy) == ["sent", "held"]
        busy.good("outbox", "--drop", "2")
        assert states(busy) == ["sent", "failed"]
        assert busy.rows(Outbox)[1].error == "dropped by the game master"
        assert [line.seat for line in busy.rows(LogLine, LogLine.what == "outbox")] == ["Borealis"] * 2

    @pytest.mark.parametrize("act", ["--retry", "--hold", "--drop"])
    def test_what_is_sent_is_sent(self, busy: Home, act: str) -> None:
        assert busy.problem("outbox", act, "1") == "mail 1 has been sent"
        assert busy.problem("outbox", act, "9") == "there is no mail 9"
        assert states(busy) == ["sent", "failed"]

    def test_what_may_have_gone_out_is_not_sent_twice(self, busy: Home) -> None:
        mail = busy.rows(Outbox)[1]
        mail.state = OutboxState.SENDING
        change(busy, mail)
        assert "may have gone out" in busy.problem("outbox", "--retry", "2")

    @pytest.mark.parametrize("act", ["--hold", "--drop"])
    def test_it_is_too_late_for_a_mail_that_is_being_handed_over(self, busy: Home, act: str) -> None:
        mail = busy.rows(Outbox)[1]
        mail.state, mail.error, mail.next_try_at = OutboxState.SENDING, "", LATER
        change(busy, mail)
        assert "is being handed over just now" in busy.problem("outbox", act, "2")
        assert states(busy) == ["sent", "sending"]

    @pytest.mark.parametrize(("act", "state"), [("--hold", "held"), ("--drop", "failed")])
    @pytest.mark.parametrize(("error", "at"), [("no answer", LATER), ("", LATER - timedelta(hours=2))])
    def test_one_in_doubt_need_not_be_sent_again(self, busy: Home, act: str, state: str, error: str, at: datetime) -> None:
        mail = busy.rows(Outbox)[1]
        mail.state, mail.error, mail.next_try_at = OutboxState.SENDING, error, at
        change(busy, mail)
        busy.good("outbox", act, "2")
        assert states(busy) == ["sent", state]

    def test_several_or_none(self, busy: Home) -> None:
        busy.start_game("nebula-1")
        assert busy.problem("outbox", "--hold", "3", "--hold", "1") == "mail 1 has been sent"
        assert states(busy) == ["sent", "failed", "queued", "queued"]
        busy.good("outbox", "--hold", "3", "--hold", "4")
        assert states(busy) == ["sent", "failed", "held", "held"]
        busy.good("outbox", "--retry", "2", "--retry", "3", "--retry", "4")
        assert states(busy) == ["sent", "queued", "queued", "queued"]

    def test_all_that_were_given_up_but_not_what_was_dropped(self, busy: Home) -> None:
        busy.start_game("nebula-1")
        third = busy.rows(Outbox)[2]
        third.state = OutboxState.FAILED
        change(busy, third)
        busy.good("outbox", "--drop", "4")
        assert busy.good("outbox", "nebula-1", "--retry", "failed").startswith("Mail 3 is sent")
        assert states(busy) == ["sent", "failed", "queued", "failed"]
        busy.good("outbox", "--retry", "failed")
        assert states(busy) == ["sent", "queued", "queued", "failed"]
        assert busy.good("outbox", "--retry", "failed") == "no mails\n"

    @pytest.mark.parametrize("mail", ["all", "-1", "1_0", "²", "1" * 30])
    def test_what_is_no_number_is_said_so(self, busy: Home, mail: str) -> None:
        assert busy.problem("outbox", f"--retry={mail}") == f'"{mail}" is no number of a mail'

    def test_one_at_a_time(self, busy: Home) -> None:
        assert busy.problem("outbox", "--retry", "2", "--drop", "2") == "--retry and --drop do not go together"

    def test_an_unreachable_player_is_in_the_status(self, busy: Home) -> None:
        from pbmd.ledger.tables import Seat

        seat = busy.rows(Seat)[1]
        seat.unreachable_since = LATER
        change(busy, seat)
        assert "Borealis in galaxy-7 since" in busy.good("status")
        assert [(each["game"], each["seat"]) for each in busy.json("status")["unreachable"]] == [("galaxy-7", "Borealis")]
