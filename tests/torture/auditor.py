"""The auditor: compares what was sent in with ledger, answers, reports and mails at the sink, and says what is wrong.

It knows nothing of how pbmd works inside; it knows what pbmd promises. Each check is a generator of sentences.
"""

from collections.abc import Callable, Iterator

from tests.torture.evidence import Evidence
from tests.torture.promises import books, letters, mails, reveals

CHECKS: tuple[Callable[[Evidence], Iterator[str]], ...] = (
    letters.letters_are_there_once,
    letters.letters_are_dealt_with,
    letters.arrivals_are_the_servers,
    letters.mailbox_keeps_all,
    letters.connections_keep_their_order,
    letters.orders_are_decided_in_order,
    letters.sheets_stand_in_order,
    letters.one_submission_for_a_letter,
    letters.in_time_counts,
    letters.nobody_misses_a_turn_early,
    reveals.reveals_are_mailed_once,
    reveals.reveals_are_in_the_journal,
    reveals.reveals_leave_no_trace,
    mails.answers_are_given_once,
    mails.mails_are_queued_once,
    mails.reports_are_queued_once,
    mails.mails_went_out,
    mails.copies_are_unavoidable,
    books.journal_holds,
    books.archives_verify,
    books.steps_come_out_again,
    books.log_is_complete,
    books.daemons_ended_as_asked,
)


def audit(evidence: Evidence) -> list[str]:
    """All that is wrong, in words; nothing if nothing is."""
    return [finding for check in CHECKS for finding in check(evidence)]
