"""A notice, made again from the entry that it tells of; and the notices that entries make, and no mail shows."""

import re
from collections import defaultdict
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from pbmd.archive.appearance.finding import MOST_TOLD, Finding, not_compared, said_besides
from pbmd.archive.appearance.links import without_detours
from pbmd.archive.evidence.mail_kinds.mail_dates import NEWER, is_at_once, is_newer
from pbmd.archive.evidence.mail_patterns import KNOWN, NOTICE, beyond, fixed_sentences, turn_of
from pbmd.archive.evidence.statements import Statement
from pbmd.archive.format.books import Books, VoteOver
from pbmd.archive.format.press_and_deadlines import KeptNotice, in_one_line, plainly_quoted, same_words, without_blanks
from pbmd.ledger.entries.step_entries import ImportedEntry, StartedEntry
from pbmd.ledger.entries.vote_entries import FAILED, PASSED, VETOED
from pbmd.rendering.entry_notices import ANNOUNCEMENT, OF_ABANDONED, OTHER_HEADLINES, STEP
from pbmd.rendering.vote_words import QUORUM, quorum_words

_OF_OTHERS = re.compile(rf"(?:{'|'.join(OTHER_HEADLINES)})\. ")


def compare_notice(statement: Statement, books: Books, seat: str, dated: datetime | None = None) -> Iterator[Finding]:
    """Whether an entry makes a notice that begins like that, with these words in it."""
    if not statement.headline:
        if statement.kind == NOTICE:
            why = (
                "no entry tells what it says"
                if _OF_OTHERS.match(statement.told)
                else "no entry makes one that begins like this"
            )
            yield not_compared(NOTICE, statement.step, why)
        return
    statement = _with_whole_name(statement, books)
    of_headline = [kept for kept in books.notices if in_one_line(kept.notice.headline) == statement.headline]
    same = [kept for kept in of_headline if _is_same(statement, kept)]
    if not same and (same := [kept for kept in of_headline if _is_same(_by_detours(statement), kept)]):
        statement = _by_detours(statement)
        yield not_compared(NOTICE, statement.headline, "links in it, which lead by others; servers that look at links do so")
    if same:
        yield _in_its_turn(statement, same, books)
        kept = _its_own(statement, same)
        yield from _agreeing(statement, kept, books)
        yield from _besides(statement, kept, books)
    else:
        yield _not_in(of_headline, statement, books, seat, dated)


def _not_in(
    of_headline: Sequence[KeptNotice], statement: Statement, books: Books, seat: str, dated: datetime | None
) -> Finding:
    """What to say of a notice that no entry has, given those that begin like it."""
    if is_newer(dated, books.times) and not books.open_end:
        return Finding(NOTICE, statement.headline, None, f"no entry that is shown says it; {NEWER}")
    if of_headline and seat and not any(kept.notice.is_for(seat) for kept in of_headline):
        return Finding(NOTICE, statement.headline, False, f"no entry says it to {seat}")
    if of_headline:
        return Finding(NOTICE, statement.headline, False, "its words are not those of the entry in the books")
    if books.open_end or books.withheld or any(not kind for kind, _ in books.kinds):
        return Finding(NOTICE, statement.headline, None, "no entry that is shown says it; a later one may", whole=False)
    return Finding(NOTICE, statement.headline, False, "no entry in the books says it")


def _with_whole_name(statement: Statement, books: Books) -> Statement:
    """The same with the headline of an entry that ends in a name with a dot, as St. Petersburg: from a mail alone nobody can
    tell where that sentence ends."""
    said = f"{statement.headline}. {statement.told}"
    for headline in (in_one_line(kept.notice.headline) for kept in books.notices):
        if len(headline) > len(statement.headline) and said.startswith(f"{headline}. "):
            return replace(statement, headline=headline, told=said[len(headline) + 2 :])
    return statement


def _by_detours(statement: Statement) -> Statement:
    """A notice with the links that servers have put others around."""
    return replace(statement, told=without_detours(statement.told), said=without_detours(statement.said))


def _in_its_turn(statement: Statement, same: Sequence[KeptNotice], books: Books) -> Finding:
    """Whether one of the entries that make a notice is of the turn that it names."""
    turn, turns = turn_of(statement.step), {books.kinds[kept.entry - 1][1] for kept in same}
    if turn is None or None in turns or turn in turns:
        return Finding(NOTICE, statement.headline, True, "an entry of the journal says it")
    words = f"no entry says it in {statement.step}, and entry {same[-1].entry} did in turn {books.kinds[same[-1].entry - 1][1]}"
    return Finding(NOTICE, statement.headline, None, words)


def _is_same(statement: Statement, kept: KeptNotice) -> bool:
    told = kept.notice
    has_words = f"{in_one_line(told.words)} " in f"{statement.told} "
    has_rules = in_one_line(told.until) in statement.told and told.rules in statement.told
    return same_words(in_one_line(told.reason), statement.said) and has_words and has_rules


def _its_own(statement: Statement, same: Sequence[KeptNotice]) -> KeptNotice:
    """Of several entries with the same words the one of whose notice all else stands there, too."""
    return max(same, key=lambda kept: all(re.search(plainly_quoted(each), statement.told) for each in kept.notice.says))


def _besides(statement: Statement, kept: KeptNotice, books: Books) -> Iterator[Finding]:
    """What a notice says that neither its entry tells nor the desk says with it."""
    told = kept.notice
    rest = statement.told.replace(in_one_line(told.words) or KNOWN, KNOWN, 1).replace(told.rules or KNOWN, KNOWN, 1)
    says = (plainly_quoted(each).replace(STEP, re.escape(in_one_line(statement.step))) for each in told.says)
    for each in (*says, *map(_wrapped, _ends_with(kept, books))):
        if kept.is_ours and not re.search(each, statement.told):
            yield Finding(NOTICE, statement.headline, False, f"its text is not that of such a notice of entry {kept.entry}")
            return
        rest = re.sub(each, KNOWN, rest, count=1)
    above, below = beyond(rest, fixed_sentences("notices", told.headline, seats=frozenset(map(in_one_line, books.seats))))
    if told.headline == ANNOUNCEMENT and above:
        yield Finding(NOTICE, statement.headline, False, f'it says "{above[:MOST_TOLD]}" besides, which the entry has not')
    elif words := " … ".join(filter(None, (above, below))):
        yield said_besides(NOTICE, statement.headline, words)


def _agreeing(statement: Statement, kept: KeptNotice, books: Books) -> Iterator[Finding]:
    """Whether as many must agree in a vote as its notice says, and as many may vote as when it was over."""
    asks, quorum = re.search(QUORUM, statement.told), kept.notice.quorum
    if not (kept.is_ours and quorum and asks):
        return
    many, in_the_end = int(asks["many"]), books.could_vote(statement.headline)
    if quorum_words(quorum, many) != asks[0]:
        yield Finding(NOTICE, statement.headline, False, f"by entry {kept.entry} another number must agree than it says")
    elif in_the_end not in (None, many):
        told = f"it says that {many} may vote, and when the vote was over {in_the_end} could"
        yield not_compared(NOTICE, statement.headline, told)


_OVER = {
    PASSED: "Vote {vote}, on {what}, has passed.",
    FAILED: "The vote on {what} has not passed. Nothing changes.",
    VETOED: "The game master has stopped the vote on {what}. Nothing changes.",
}


def _over_with(kept: KeptNotice, books: Books) -> VoteOver | None:
    """The vote of whose end a notice tells, or that has led to what it tells."""
    before = books.votes_over.get(kept.entry - 1)
    has_led = before is not None and before.entry.result == PASSED and not before.entry.impossible
    return books.votes_over.get(kept.entry) or (before if has_led else None)


def _wrapped(text: str) -> str:
    """What a text is in a mail, which breaks lines behind hyphens, too, as a regular expression."""
    return re.escape(in_one_line(text)).replace(r"\-", "- ?")


def _ends_with(kept: KeptNotice, books: Books) -> Iterator[str]:
    """What is said of a game or a vote that is over, as other entries have it."""
    if kept.notice == OF_ABANDONED._replace(reason=kept.notice.reason):
        has_begun = any(kind in (StartedEntry.kind, ImportedEntry.kind) for kind, _ in books.kinds[: kept.entry])
        yield "without a winner." if has_begun else "before it began."
    if over := _over_with(kept, books):
        vote, result = over.entry.vote, over.entry.result or ""
        begun = (each.notice.words for each in books.notices if each.notice.headline == f"vote {vote} has begun")
        what = next(begun, "").partition(" proposes ")[2].removesuffix(".")
        if what and result in _OVER:
            yield _OVER[result].format(vote=vote, what=what)
        if over.ballots and result != VETOED:
            yield over.ballots
    if players := books.who_played(kept.entry):
        yield f"Who played: {'; '.join(players)}."


def entry_of_notice(statement: Statement, dated: datetime | None, books: Books) -> int:
    """The entry of which a notice of that date tells; 0 if that is not known."""
    statement = _with_whole_name(statement, books)
    of_headline = [kept for kept in books.notices if in_one_line(kept.notice.headline) == statement.headline]
    same = [kept for kept in of_headline if _is_same(_by_detours(statement), kept) or _is_same(statement, kept)]
    of_then = (kept.entry for kept in same if len(same) == 1 or _is_of(dated, kept, books))
    return next(of_then, 0)


Shown = tuple[Statement, datetime | None]
"""A notice that a mail shows, and the date of the mail."""


def absent_notices(seat: str, has: Iterable[Shown], held: Container[int], books: Books) -> Iterator[str]:
    """The notices that the entries of some time make for a seat, each as often as it is missing."""
    shown = defaultdict[tuple[str, str], list[datetime | None]](list)
    for told, dated in has:
        statement = _with_whole_name(told, books)
        shown[statement.headline, _in_one_piece(statement.said)].append(dated)
    expected = defaultdict[tuple[str, str], list[KeptNotice]](list)
    for kept in books.notices:
        if seat in kept.readers and kept.entry in held:
            expected[in_one_line(kept.notice.headline), _in_one_piece(in_one_line(kept.notice.reason))].append(kept)
    absent = (kept for key, same in expected.items() for kept in _unmatched(same, shown[key], books))
    for kept in sorted(absent, key=lambda each: each.entry):
        yield f"a notice to {seat}: {kept.words}"


def _in_one_piece(words: str) -> str:
    return without_blanks(without_detours(words))


def _unmatched(kept: Sequence[KeptNotice], dates: Sequence[datetime | None], books: Books) -> list[KeptNotice]:
    """Those of some equal notices that no mail shows, by the dates of the mails: one that is dated when an entry was written
    counts for no other, however often it comes."""
    if len(kept) == 1:
        return [] if dates else [*kept]
    missing = [each for each in kept if not any(_is_of(dated, each, books) for dated in dates)]
    others = sum(not any(_is_of(dated, each, books) for each in kept) for dated in dates)
    return missing[others:]


def _is_of(dated: datetime | None, kept: KeptNotice, books: Books) -> bool:
    """Whether a mail is dated when that entry was written."""
    written = books.times[kept.entry - 1] if kept.entry <= len(books.times) else None
    return is_at_once(written, dated)
