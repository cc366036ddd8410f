"""The notice of a vote says how many must agree, however many may vote."""

import pytest

from pbmd.archive.evidence.mail_kinds.notices import compare_notice
from pbmd.archive.evidence.statements import Statement
from pbmd.archive.format.books import Books
from pbmd.archive.format.press_and_deadlines import KeptNotice
from pbmd.ledger.entries.vote_entries import ProposedEntry
from pbmd.rendering.entry_notices import notices_of
from pbmd.rendering.vote_words import quorum_words

ENTRY = ProposedEntry(
    turn=1,
    step=1,
    vote=1,
    proposal="draw",
    ends="2026-11-25T12:00:00Z",
    quorum=60,
    ballots="secret",
    failure="told",
    sealed=None,
)
NOTICE = notices_of(ENTRY)[0]
HOW = (
    "To vote, reply with YES or NO on a line of its own; the last one counts. In any other mail of the game the line is "
    "VOTE 1 YES VOTE 1 NOTHING takes your vote back."
)


def wrong(asks: str) -> list[str]:
    told = f"{NOTICE.words} {NOTICE.until}. {asks} {NOTICE.rules} {HOW} "
    statement = Statement((), "galaxy-7", None, "notice", "turn 1", headline=NOTICE.headline, told=told)
    kept = KeptNotice(1, NOTICE, frozenset({"Altair"}), None, is_ours=True)
    books = Books("galaxy-7", [("proposed", 1)], {}, [], [], [], notices=[kept], seats=frozenset({"Altair"}))
    return [each.words for each in compare_notice(statement, books, "Altair") if each.holds is False]


@pytest.mark.parametrize("many", [1, 2, 3, 99, 100, 150, 12_345])
def test_what_the_quorum_asks_of_so_many_is_true(many: int) -> None:
    assert wrong(quorum_words(60, many)) == []


@pytest.mark.parametrize("asks", ["All 3 players", "91 of the 150 players", "1 of the 2 players"])
def test_another_number_is_not(asks: str) -> None:
    assert wrong(f"{asks} who may vote must say yes.") == ["by entry 1 another number must agree than it says"]


def test_a_vote_of_which_nobody_says_who_must_agree_is_doubted() -> None:
    assert wrong("Many must say yes.") == ["its text is not that of such a notice of entry 1"]
