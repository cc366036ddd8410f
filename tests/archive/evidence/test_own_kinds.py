"""No kind of mail that pbmd sends is told as one that it does not send."""

from typing import get_args

import pytest

from pbmd.archive.appearance.mail_header import Own
from pbmd.archive.evidence.mail_kinds.own_kinds import examine_kind
from pbmd.desk.mail.draft import Kind


def told(kind: str, seat: str) -> list[str]:
    own = Own(kind=kind, steps=1, reader="ann@players.test", seat=seat, token="a" * 16 if seat else "")
    return [each.words for each in examine_kind(own, "Some words.")]


@pytest.mark.parametrize("kind", get_args(Kind))
def test_each_kind_of_the_desk_is_known(kind: str) -> None:
    assert not any(words.startswith("pbmd sends no mails") for words in told(kind, ""))


def test_one_that_nobody_sends_is_told() -> None:
    assert told("advice", "") == ['pbmd sends no mails of the kind "advice"']
