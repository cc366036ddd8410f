"""With nothing to do the desk looks only into indexes of what is open, so that a tick costs the same however much is kept; but
once a minute it reads the rows that are in use."""

from pbmd.daemon.heartbeat import work_pass
from pbmd.desk.sending.sender import recover, send_due
from pbmd.desk.unreadable.looks import look_now_and_then
from tests.desk.sending.test_sender import FakeSmtp


def test_no_tick_reads_a_whole_table(running):
    def ticks():
        recover(running.desk)
        work_pass(running.desk, mail_waits=lambda: None)
        work_pass(running.desk, mail_waits=lambda: None)
        send_due(running.desk, FakeSmtp().connect)

    look_now_and_then(running.desk)
    plans = set(running.plans(ticks))
    assert len(plans) >= 4
    assert [plan for plan in plans if plan.startswith("SCAN") and "USING INDEX" not in plan] == []
