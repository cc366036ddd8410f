"""END PRESS and the like where nothing begins what they end: whoever mistypes PRESS TO or PREVIEW wants no line of it carried
out."""

import pytest

from pbmd.ledger.tables import GameStatus
from tests.desk.letter.test_beside_orders import CONQUEST, ORDERS, OVERLORD, came_of, written
from tests.desk.world import World, address_of, body_of, message_of


@pytest.mark.parametrize("slug", ORDERS)
@pytest.mark.parametrize("opening", ["Prevew", "Preview of my orders:", "PREVIEW 1"])
def test_the_orders_of_a_mistyped_preview_are_not_filed(slug: str, opening: str) -> None:
    came = came_of(slug, written(slug, f"{opening}\n{{0}}\n{{1}}\nEND PREVIEW"))
    assert (came.orders, "NOT READ: END PREVIEW closes nothing" in came.subject) == ((), True), came.text
    assert "END PREVIEW closes nothing here: no line above it is PREVIEW." in came.text
    assert ORDERS[slug][1] in came.text


@pytest.mark.parametrize("slug", ORDERS)
def test_orders_beside_it_count_and_the_subject_says_that_lines_were_not_read(slug: str) -> None:
    came = came_of(slug, written(slug, "{0}\nMessage to all:\nhello\nEND PRESS\n{1}"))
    assert came.orders == ORDERS[slug][:2], came.text
    assert came.subject.endswith("lines not read")


@pytest.mark.parametrize("slug", ORDERS)
def test_where_nobody_knows_what_begins_it_no_order_counts(slug: str) -> None:
    came = came_of(slug, written(slug, "{0}\nAn alle:\nhallo\nEND PRESS\n{1}"))
    assert came.orders == (), came.text
    assert all(order in came.text for order in ORDERS[slug][:2])


@pytest.mark.parametrize(
    "opening", ["PRES TO Borealis", "PRESS Borealis", "Message to Borealis:", "PRESS\nTo: Borealis", "Hi!"]
)
def test_no_command_of_a_mistyped_message_is_carried_out(running: World, opening: str) -> None:
    answer = running.send("Altair", f"{opening}\nI will\nWAIT\nuntil you\nRESIGN\nEXTEND 24h\nNEW TOKEN\nEND PRESS")
    assert "END PRESS closes nothing here: no line above it is PRESS TO <seats|ALL>." in " ".join(answer.split())
    assert "NEW TOKEN" in answer
    assert not running.questions(address_of("Altair"))
    assert not running.log("extended")
    assert not running.outbox("press")


def test_a_message_above_it_that_begins_rightly_is_sent(running: World) -> None:
    running.send("Altair", "PRESS TO Borealis\nhello\nEND PRESS\nPRESS Cygnus\nWAIT\nEND PRESS")
    assert [mail.recipient for mail in running.outbox("press")] == [address_of("Borealis")]
    assert "WAIT" not in body_of(running.outbox("press")[-1])
    assert "NOT READ: END PRESS closes nothing" in str(message_of(running.outbox("acknowledgement")[-1])["Subject"])


@pytest.mark.parametrize("slug", [CONQUEST, OVERLORD])
def test_that_closes_once_too_often_it_costs_no_order(slug: str) -> None:
    came = came_of(slug, written(slug, "{0}\n\nPREVIEW\n{1}\nEND PREVIEW\nEND PREVIEW"))
    assert came.orders == ORDERS[slug][:1], came.text


@pytest.mark.parametrize("opening", ["PRESS TO Altair", "Message to all:", "Announcment", "Dear players,"])
@pytest.mark.parametrize("end", ["END PRESS", "END ANNOUNCE"])
def test_no_command_of_the_game_master_within_is_carried_out(running: World, opening: str, end: str) -> None:
    answer = running.master(f"{opening}\n\nPAUSE\n\nEJECT Altair\n{end}")
    assert f"{end} closes nothing here" in answer
    assert "It is written ANNOUNCE … END ANNOUNCE." in answer
    assert running.game().status is GameStatus.RUNNING
    assert not running.questions("gm@pbmd.test")


def test_a_question_whose_letter_it_is_tells_of_such_lines(running: World) -> None:
    running.send("Altair", "PRES TO Borealis\nhello\nEND PRESS", sender="else@where.test")
    assert "2 lines" in body_of(running.questions(address_of("Altair"))[-1])
