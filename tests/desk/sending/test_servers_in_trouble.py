"""A server that takes no mail at all, whoever it is for: no mail is to blame, so none is given up for it."""

from datetime import timedelta

import pytest

from pbmd.desk.sending.sender import new_pace, send_due
from pbmd.ledger.tables import OutboxState
from pbmd.post.smtp.client import Smtp, SmtpError
from tests.desk.world import World
from tests.post.scripted.server import GREETING, Fault
from tests.post.scripted.smtp import SmtpServer

TROUBLES = {
    "closed at the greeting": Fault(GREETING, (), "closes", times=40),
    "closed at EHLO": Fault("EHLO", (), "closes", times=40),
    "busy at EHLO": Fault("EHLO", ("421 4.3.2 too busy",), "closes", times=40),
    "a reply without end at EHLO": Fault("EHLO", tuple(f"250-X{number}" for number in range(20_000)), times=40),
}


@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
def test_its_trouble_counts_against_no_mail(running: World, trouble: Fault) -> None:
    pace = new_pace(running.desk)
    with SmtpServer(trouble) as server:
        running.settle(smtp={"host": "127.0.0.1", "port": server.port, "tls": "none", "connections": 1})

        def send() -> int:
            return send_due(running.desk, lambda: Smtp(running.desk.settings.smtp_account()), pace=pace)

        for _ in range(40):
            with pytest.raises(SmtpError):
                send()
            running.now += timedelta(hours=4)
        assert {(mail.state, mail.tries) for mail in running.outbox()} == {(OutboxState.QUEUED, 0)}
        assert send() == len(running.outbox()) == len(server.taken)
