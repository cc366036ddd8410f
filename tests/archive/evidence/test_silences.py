"""What a mail excuses that says that no answers come for a while: some answers to one seat, and not without a word."""

from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta

import pytest

from pbmd.archive.evidence.mailbox import StoredMail
from pbmd.archive.evidence.witness import Judged, judge
from tests.archive.cheats import judged
from tests.archive.cheats.hosts import writes_in_a_name
from tests.archive.cheats.played import CHEATED, DAY, LOOKS_ON, MINUTE, Evidence, Played
from tests.archive.cheats.said_around import with_silence

MISSING = "an answer to orders of Borealis with receipt 13"


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    with closing(Played(tmp_path_factory.mktemp("silences"))) as played:
        yield played


@pytest.fixture(scope="module")
def evidence(played: Played) -> Evidence:
    return writes_in_a_name(played)


def found(evidence: Evidence, at: datetime, until: datetime, to: str = CHEATED) -> Judged:
    mails = with_silence(evidence.mails, at, until, to)[CHEATED]
    stored = [(StoredMail(f"mail {place}"), judged.claims(raw)) for place, raw in enumerate(mails)]
    return judge(stored, judged.books(evidence.archive / "data"))


def test_it_excuses_what_is_of_its_time_and_counts_that(played: Played, evidence: Evidence) -> None:
    at = played.kept["c2"].now
    said = found(evidence, at, at + DAY)
    assert ([*said.absent], said.silenced) == ([], 1)


@pytest.mark.parametrize(
    ("begins", "lasts", "to"),
    [
        (timedelta(0), 3 * MINUTE, CHEATED),
        (timedelta(0), DAY, LOOKS_ON),
        (-2 * DAY, 9 * DAY, CHEATED),
        (10 * MINUTE, DAY, CHEATED),
    ],
    ids=["ended before", "to another", "days ago", "later"],
)
def test_it_excuses_nothing_else(played: Played, evidence: Evidence, begins: timedelta, lasts: timedelta, to: str) -> None:
    at = played.kept["c2"].now + begins
    said = found(evidence, at, at + lasts, to)
    assert ([*said.absent], said.silenced) == ([MISSING], 0)
