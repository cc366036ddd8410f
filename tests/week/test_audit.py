"""The auditor of the week finds what is lost, doubled, silent or too much."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime

import pytest

from pbmd.ledger.tables import Game, Letter, LetterState
from tests.week.audit import Evidence, audit
from tests.week.club import SERIAL, Member, Written

MONDAY = datetime(2026, 11, 9, 12, 0, tzinfo=UTC)
ADA = Member("galaxy-7", "Altair", "ada@players.test")
GM = "gm@pbmd.test"
LETTER = Written(1, MONDAY, "games", ADA, b"", "<week.1@players.test>")


def row(serial: int, state: LetterState = LetterState.DONE) -> Letter:
    return Letter(raw=f"{SERIAL}: {serial}\nSubject: orders\n\nAdd 1\n".encode(), state=state, fingerprint="", size=0)


def mail(day: int = 0, answers: str = "") -> EmailMessage:
    made = EmailMessage()
    made["Date"] = format_datetime(MONDAY + timedelta(days=day))
    made["In-Reply-To"] = answers
    return made


SOUND = Evidence(
    days=7.0,
    letters=(LETTER,),
    rows=(row(1),),
    games=(Game(name="galaxy-7", ruleset="count", step=6),),
    mails={ADA.address: (mail(answers=LETTER.message_id),), GM: (mail(), mail(), mail(), mail(1), mail(2), mail(2))},
    said={"daemon-1.err": "pbmd reads the mail of games@pbmd.test"},
    verified={"galaxy-7": ()},
    gm=GM,
)


def test_a_week_in_which_all_went_well_is_found_good() -> None:
    assert list(audit(SOUND)) == []


@pytest.mark.parametrize(
    ("evidence", "found"),
    [
        (replace(SOUND, rows=()), "letter 1 (galaxy-7, Altair) is lost"),
        (replace(SOUND, rows=(row(1), row(1))), "letter 1 is in the ledger 2 times"),
        (replace(SOUND, rows=(row(1, LetterState.QUARANTINED),)), "letter 1 is quarantined"),
        (replace(SOUND, mails={}), "letter 1 (galaxy-7, Altair) was never answered"),
        (
            replace(SOUND, games=(Game(name="galaxy-7", ruleset="count", step=2),)),
            "galaxy-7 has come to its step 2 alone in 7 days",
        ),
        (replace(SOUND, said={"daemon-1.err": "Traceback (most recent call last):"}), "daemon-1.err: Traceback"),
        (replace(SOUND, verified={"galaxy-7": ("the chain is broken",)}), "the archive of galaxy-7: the chain is broken"),
        (replace(SOUND, mails={**SOUND.mails, GM: (mail(), mail(1), mail(1), mail(1))}), "Tuesday: 3 mails to the game master"),
    ],
)
def test_what_went_wrong_is_named(evidence: Evidence, found: str) -> None:
    assert any(found in finding for finding in audit(evidence))


def test_what_needs_no_answer_may_have_none() -> None:
    assert list(audit(replace(SOUND, letters=(replace(LETTER, answered=False),), mails={}))) == []
