"""What a host does who cheats with what order forms bring back, and with what is signed: heads, words and
checkpoints."""

import re
from email import message_from_bytes
from email.policy import default
from unittest.mock import patch

from pbmd.desk.books.desk import Desk
from pbmd.notes.signed_note import Signer
from tests.archive.cheats.hosts import (
    first_mail,
    forged,
    instead,
    luckiest,
    then,
    update,
)
from tests.archive.cheats.played import (
    CHEATED,
    DAY,
    FRIEND,
    GAME,
    LOOKS_ON,
    MOVES,
    OWN_WORD,
    SEATS,
    Evidence,
    Mails,
    Move,
    Played,
    fills,
    go_on,
    joined,
    late,
    mails_of,
    passes,
)
from tests.archive.made import export, fitted
from tests.desk.visitors.test_signup import join
from tests.desk.world import World

_OTHER_WORD = "chosen by the host"


# Heads that come back


def _other_history(played: Played) -> Mails:
    """The mails of a history in which Altair has added 9 in turn 2."""
    return played.again("a2", a2=fills(LOOKS_ON, "Add 9")).mails


def _form_in(mails: Mails) -> str:
    """The form of the report of turn 2, as Borealis has got it."""
    report = message_from_bytes(first_mail(mails, "Turn 2: what happened"), policy=default).get_body(("plain",))
    assert report is not None
    return re.findall(r"^#orders .*?^#end$", report.get_content().replace("\r", ""), re.MULTILINE | re.DOTALL)[0]


def _lets_in(played: Played, other: Mails) -> Evidence:
    """Borealis answers from the other history, and the host takes it as it comes."""
    form = fills(CHEATED, "Add 7", word=OWN_WORD, form=_form_in(other))
    gone_on = played.again("b3", b3=form)
    return Evidence(gone_on.archive, {**gone_on.mails, CHEATED: other[CHEATED]})


def lets_a_foreign_head_in(played: Played) -> Evidence:
    return _lets_in(played, _other_history(played))


def says_nothing_of_a_foreign_head(played: Played) -> Evidence:
    other = _other_history(played)
    with patch("pbmd.desk.player.serve.mind_head", lambda *_: None):
        return _lets_in(played, other)


def strikes_a_dispute(played: Played) -> Evidence:
    return forged(
        played,
        lambda entries: entries.remove(next(entry for entry in entries if entry["kind"] == "disputed")),
        lets_a_foreign_head_in(played),
    )


def disguises_a_form(played: Played) -> Evidence:
    """The form of the other history has the head of the one that is archived, so that replies betray nothing."""
    other = _other_history(played)
    report, true = first_mail(other, "Turn 2: what happened"), first_mail(played.mails, "Turn 2: what happened")
    here, there = (re.findall(rb"#orders \S+ (\S+)", raw)[0] for raw in (report, true))
    disguised = fitted(report.replace(here, there))
    return Evidence(played.archive, {**played.mails, CHEATED: instead(other, report, disguised)[CHEATED]})


# Words


def exchanges_a_word_before_intake(played: Played) -> Evidence:
    return played.again("b2", b2=fills(CHEATED, "Add 6", word=_OTHER_WORD))


def drops_a_word_before_intake(played: Played) -> Evidence:
    return played.again("b2", b2=_without_word)


def _without_word(world: World) -> None:
    """The letter of turn 2 without its word."""
    fills(CHEATED, "Add 6", word=" ")(world)


def acknowledges_the_word_that_came(played: Played) -> Evidence:
    gone_on = exchanges_a_word_before_intake(played)
    answer = first_mail(gone_on.mails, "t2] Borealis: orders in")
    forged_answer = answer.replace(_OTHER_WORD.encode(), OWN_WORD.encode())
    return Evidence(gone_on.archive, instead(gone_on.mails, answer, forged_answer))


def exchanges_a_word_after_receipt(played: Played) -> Evidence:
    gone_on = exchanges_a_word_before_intake(played)
    return Evidence(gone_on.archive, joined(played.until("a2"), gone_on.mails))


def exchanges_a_word_in_the_ledger(played: Played) -> Evidence:
    change = update("UPDATE submission SET word = :new WHERE word = :old AND state = 'filed'", new="chosen", old=OWN_WORD)
    # pbmd holds the orders on file against the journal, so a host who does this has another pbmd.
    with patch("pbmd.desk.deadlines.proof.differences", lambda _work, _table: []):
        return played.again("c2", c2=then(change, late))


def grinds_words(played: Played) -> Evidence:
    def last(word: str) -> dict[str, Move | None]:
        return {"c2": passes(4 * DAY), "c3": None, "a3": then(MOVES["a3"], fills(FRIEND, "Add 3", word=word))}

    return luckiest(played, "c2", ((0, last(word)) for word in ("one", "two", "three", "four")))


# What is signed


def _with_another_key(_desk: Desk, log: str) -> Signer:
    return Signer(f"pbmd.test/games/{log}", b"m" * 32)


def signs_a_fork_with_another_key(played: Played) -> Evidence:
    with patch("pbmd.desk.books.checkpoints.signer_of", _with_another_key):
        other = _other_history(played)
    return Evidence(played.archive, {**played.mails, CHEATED: other[CHEATED]})


def signs_the_archive_with_another_key(played: Played) -> Evidence:
    with played.gone_back("c3") as world:
        go_on(world, "c3", {})
        with patch("tests.archive.made.signer_of", _with_another_key):
            return Evidence(export(world, played.room() / "archive", signed=True), mails_of(world))


# The set-up


def _signs_up(world: World) -> None:
    """All join by mail, and the game begins with the last of them."""
    world.open(GAME, seats=len(SEATS), options={"target": 60}, reminders=())
    for seat in SEATS:
        join(world, seat)


def sets_up_again_after_sign_ups(played: Played) -> Evidence:
    with played.gone_back("begins", luck=1) as world:
        _signs_up(world)
        promised = next(mail.raw for mail in world.outbox("acknowledgement", CHEATED))
    again = played.again("begins", luck=2, begins=_signs_up)
    welcome = next(raw for raw in again.mails[CHEATED] if b"Welcome to" in raw)
    return Evidence(again.archive, instead(again.mails, welcome, promised))


def exchanges_the_secret_of_the_set_up(played: Played) -> Evidence:
    return forged(
        played,
        lambda entries: next(entry for entry in entries if entry["kind"] == "started")["secret"].update(secret="00" * 32),
    )
