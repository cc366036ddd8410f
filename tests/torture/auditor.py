"""The auditor: compares what was sent in with ledger, answers, reports and mails at the sink, and says what is wrong.

It knows nothing of how pbmd works inside; it knows what pbmd promises. Each check is a generator of sentences.
"""

from collections.abc import Callable, Iterator

from tests.torture.evidence import Evidence
from tests.torture.promises import books, letters, mails, reveals

_Check = Callable[[Evidence], Iterator[str]]
AT_ANY_TIME: tuple[_Check, ...] = (
    letters.arrivals_are_the_servers,
    letters.connections_keep_their_order,
    letters.orders_are_decided_in_order,
    letters.sheets_stand_in_order,
    letters.in_time_counts,
    letters.nobody_misses_a_turn_early,
    reveals.reveals_are_in_the_journal,
    reveals.reveals_leave_no_trace,
    mails.mails_are_queued_once,
    mails.reports_are_queued_once,
    mails.copies_are_unavoidable,
    books.journal_holds,
    books.archives_verify,
    books.steps_come_out_again,
    books.daemons_ended_as_asked,
)
WHEN_SETTLED: tuple[_Check, ...] = (
    letters.letters_are_there_once,
    letters.letters_are_dealt_with,
    letters.mailbox_keeps_all,
    letters.one_submission_for_a_letter,
    reveals.reveals_are_mailed_once,
    mails.answers_are_given_once,
    mails.mails_went_out,
    books.log_is_complete,
)
"""What only holds when all is done: before that a letter that waits is not lost."""


def audit(evidence: Evidence) -> list[str]:
    """All that is wrong, in words; nothing if nothing is."""
    if evidence.unsettled:
        return [f"did not settle: {evidence.unsettled}", *_found(evidence, AT_ANY_TIME)]
    return _found(evidence, (*WHEN_SETTLED, *AT_ANY_TIME))


def _found(evidence: Evidence, checks: tuple[_Check, ...]) -> list[str]:
    return [finding for check in checks for finding in check(evidence)]
