"""With nothing to do the desk looks only into indexes of what is open, so that a tick costs the same however much is kept."""

from sqlalchemy import event

from pbmd.daemon.work import work_pass
from pbmd.desk.sending.sender import recover, send_due
from tests.desk.sending.test_sender import FakeSmtp


def test_no_tick_reads_a_whole_table(running):
    asked = []
    event.listen(
        running.desk.engine, "after_cursor_execute", lambda _c, _cursor, text, values, *_: asked.append((text, values))
    )
    recover(running.desk)
    work_pass(running.desk, mail_waits=lambda: None)
    work_pass(running.desk, mail_waits=lambda: None)
    send_due(running.desk, FakeSmtp().connect)
    with running.desk.engine.connect() as connection:
        plans = {
            (text, step[3])
            for text, values in asked
            if text.startswith("SELECT")
            for step in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {text}", values)
        }
    assert len(plans) >= 4
    assert [plan for plan in plans if plan[1].startswith("SCAN") and "USING INDEX" not in plan[1]] == []
