"""Letters by way of a mailing list: the player of the seat is told, at their own address and nowhere else."""

from collections.abc import Mapping
from typing import Any

import pytest

from tests.desk.world import ADDRESS, World, address_of, body_of, message_of

_LIST = "club@lists.test"
_BY_LIST = {"List-Id": "<club.lists.test>", "Reply-To": _LIST}
REWRITTEN: Mapping[str, Any] = {"sender": f'"Altair via Club" <{_LIST}>', "headers": _BY_LIST}
PASSED_ON: Mapping[str, Any] = {"headers": _BY_LIST}


def told(world: World) -> str:
    (mail,) = world.outbox("acknowledgement")
    assert mail.recipient == address_of("Altair")
    return " ".join(body_of(mail).split())


def test_that_it_wrote_in_its_own_name_are_told_as_not_read(running: World) -> None:
    running.send("Altair", "Add 5\nRESIGN", **REWRITTEN)
    assert "Nothing in it was read" in told(running)
    assert "write NEW TOKEN in a reply to this mail" in told(running)
    assert "Add 5" not in told(running)
    assert not running.submissions()
    assert not running.questions()


def test_that_it_left_as_they_were_are_told_as_read(running: World) -> None:
    running.send("Altair", "Add 5", **PASSED_ON)
    assert running.submissions()
    assert "It was read, but such a mail gets no answer" in told(running)


def test_are_told_once_in_a_step(running: World) -> None:
    """Whatever program answers that, there is no loop."""
    for number in range(3):
        running.send("Altair", f"Add {number + 1}", **REWRITTEN)
        running.send("Altair", f"Add {number + 1}", **PASSED_ON)
    assert told(running)


def test_tell_nothing_to_the_list(running: World) -> None:
    running.send("Altair", "STATUS", **REWRITTEN)
    assert all(mail.recipient != _LIST for mail in running.mails())
    mail = running.outbox("acknowledgement")[-1]
    assert str(message_of(mail)["To"]).endswith(f"<{address_of('Altair')}>")


@pytest.mark.parametrize("to", [ADDRESS, f"games+g1p1.{'z' * 16}@pbmd.test"])
def test_without_a_secret_that_is_right_tell_nobody_anything(running: World, to: str) -> None:
    before = len(running.mails())
    running.send("Altair", "STATUS", to=to, **REWRITTEN)
    assert len(running.mails()) == before


def test_can_be_acted_upon_by_a_reply(running: World) -> None:
    running.send("Altair", "STATUS", **REWRITTEN)
    assert "Your seat has a new secret" in running.reply(running.outbox("acknowledgement")[-1], "NEW TOKEN")


def test_of_programs_that_only_reply_tell_nobody(running: World) -> None:
    before = len(running.mails())
    running.send("Altair", "STATUS", sender=_LIST, headers=_BY_LIST | {"Auto-Submitted": "auto-replied"})
    assert len(running.mails()) == before
