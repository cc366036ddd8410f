"""The auditor of the week finds what is lost, doubled, silent or too much."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import pytest

from pbmd.ledger.tables import Game, GameStatus, Letter, LetterState
from tests.week.audit import ARRIVED, Evidence, audit
from tests.week.club import SERIAL, Member, Written

MONDAY = datetime(2026, 11, 9, 12, 0, tzinfo=UTC)
ADA = Member("galaxy-7", "Altair", "ada@players.test")
GM = "gm@pbmd.test"
LETTER = Written(1, MONDAY, "games", ADA, b"", "<week.1@players.test>")


def row(serial: int, state: LetterState = LetterState.DONE) -> Letter:
    return Letter(raw=f"{SERIAL}: {serial}\nSubject: orders\n\nAdd 1\n".encode(), state=state, fingerprint="", size=0)


def mail(day: int = 0, answers: str = "", subject: str = "[pbmd] nothing to do") -> EmailMessage:
    made = EmailMessage()
    made[ARRIVED] = (MONDAY + timedelta(days=day)).isoformat()
    made["Subject"] = subject
    made["In-Reply-To"] = answers
    return made


SOUND = Evidence(
    days=7.0,
    letters=(LETTER,),
    rows=(row(1),),
    games=(Game(name="galaxy-7", ruleset="count", step=6),),
    mails={ADA.address: (mail(answers=LETTER.message_id),), GM: (mail(), mail(), mail(), mail(1), mail(2), mail(2))},
    log="",
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
        (
            replace(SOUND, games=(Game(name="galaxy-7", ruleset="count", step=6, status=GameStatus.PAUSED),)),
            "galaxy-7 is paused",
        ),
        (
            replace(SOUND, mails={**SOUND.mails, ADA.address: (), "bob@players.test": SOUND.mails[ADA.address]}),
            "letter 1 (galaxy-7, Altair) was never answered",
        ),
        (replace(SOUND, troubles=("nothing was read again",)), "nothing was read again"),
        (
            replace(SOUND, said={"daemon-1.err": "galaxy-7 cannot go on and is paused: KeyError at go.py:7"}),
            "daemon-1.err: galaxy-7 cannot go on",
        ),
        (
            replace(SOUND, said={"daemon-1.err": "what the journal of galaxy-7 has of outage 1 cannot be read: line 1"}),
            "daemon-1.err: what the journal of galaxy-7",
        ),
        (replace(SOUND, said={"daemon-1.err": "Traceback (most recent call last):"}), "daemon-1.err: Traceback"),
        (replace(SOUND, verified={"galaxy-7": ("the chain is broken",)}), "the archive of galaxy-7: the chain is broken"),
        (
            replace(SOUND, mails={**SOUND.mails, GM: (mail(), mail(1), mail(1), mail(1))}),
            "Tuesday: 3 mails to the game master by which",
        ),
    ],
)
def test_what_went_wrong_is_named(evidence: Evidence, found: str) -> None:
    assert any(found in finding for finding in audit(evidence))


def test_what_needs_no_answer_may_have_none() -> None:
    assert list(audit(replace(SOUND, letters=(replace(LETTER, answered=False),), mails={}))) == []


def test_a_question_that_had_just_been_answered_may_have_none() -> None:
    log = "12  2026-11-12T12:43:39Z  galaxy-7  t4  brake  Altair  not sent: acknowledgement 4 (letter 4)\n"
    row_of_it = row(1)
    row_of_it.id = 4
    assert list(audit(replace(SOUND, mails={GM: SOUND.mails[GM]}, rows=(row_of_it,), log=log))) == []


def test_mails_by_which_there_is_something_to_do_are_not_too_many() -> None:
    asking = mail(1, subject="[pbmd galaxy-7 t2] 1 thing to do; turn 1 was played")
    assert list(audit(replace(SOUND, mails={**SOUND.mails, GM: (mail(), *[asking] * 4)}))) == []


def test_mails_of_the_version_before_are_not_too_many() -> None:
    mails = {**SOUND.mails, GM: (mail(), *[mail(1)] * 4, mail(2))}
    assert list(audit(replace(SOUND, mails=mails, upgraded_at=MONDAY + timedelta(days=1, hours=2)))) == []
    assert list(audit(replace(SOUND, mails=mails, upgraded_at=MONDAY + timedelta(hours=2)))) != []
