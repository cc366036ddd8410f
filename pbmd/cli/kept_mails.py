"""Mails that people kept, for commands that hold them against books or against each other: which are read, what is looked at,
and what is left out."""

from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

from pbmd.archive.appearance.finding import Finding
from pbmd.archive.evidence.claims import claims_of_code, claims_of_mail, claims_of_note
from pbmd.archive.evidence.mailbox import NO_MAIL, StoredMail, mails_in
from pbmd.archive.evidence.statements import NoReceipt
from pbmd.archive.evidence.witness import NOT_MAIL, Judged, Looked, Mail, stands
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.archive.format.books import Books
from pbmd.archive.format.packed import unpacked
from pbmd.cli.common import fail
from pbmd.ledger.log_file import printable
from pbmd.notes.signed_note import NoNote, Verifier, verifier_of

MARKS = {True: "yes", False: "NO", None: "?"}
MOST_NAMED = 5
_LONGEST_FILE = 1_000_000
"""Bytes of a file that is no mail and may have a checkpoint."""


def code_or_mails(claim: str) -> Iterator[Mail]:
    """The mails in a file or folder, or the one value that is given in place of it."""
    path = Path(claim)
    try:
        if not claim or not path.exists():
            yield StoredMail(claim), claims_of_code(claim)
            return
    except NoReceipt as problem:
        fail(problem)
    yield from mails_of(path)


def mails_of(path: Path) -> Iterator[Mail]:
    """The mails in a file or folder, each with what it claims, or None and the reason why that cannot be told."""
    for kept, claims in map(_claimed, mails_in(path)):
        yield replace(kept, box=str(path)), claims


def _claimed(kept: StoredMail) -> Mail:
    told = replace(kept, raw=b"")
    if kept.problem == NO_MAIL:
        claims = claims_of_note(kept.raw[:_LONGEST_FILE].decode("utf-8", "replace"))
        return (replace(told, problem=""), claims) if claims.checkpoints else (told, None)
    if kept.problem:
        return told, None
    try:
        return told, claims_of_mail(kept.raw)
    except NoReceipt as problem:
        return replace(told, problem=str(problem)), None
    except Exception as trouble:  # a mail is anybody's, and parsers stumble over what nobody has thought of
        return replace(told, problem=f"it cannot be taken apart: {type(trouble).__name__}"), None


def keys_typed(texts: Iterable[str]) -> list[Verifier]:
    """Keys of games as they were typed. Ends the command if one is none."""
    try:
        return [verifier_of(text) for text in texts]
    except NoNote as problem:
        fail(problem)


@contextmanager
def archived(path: Path) -> Generator[Books]:
    """The books of an archive, a folder or packed. Ends the command if there are none."""
    with ExitStack() as stack:
        try:
            folder = stack.enter_context(unpacked(path))
            books = books_of_archive(folder / "data" if (folder / "data").is_dir() else folder)
        except (OSError, ValueError) as problem:
            fail(f"{path} is no archive that can be read: {printable(str(problem))}")
        yield books


def fail_for_nothing(mails: Sequence[Mail]) -> NoReturn:
    """End the command, for in none of these mails there is anything to look at."""
    problems = [f"{kept.where}: {kept.problem}" for kept, _ in mails if kept.problem]
    if problems:
        fail(printable("; ".join(problems[:MOST_NAMED])))
    many = (
        f"none of these {len(mails)} mails has" if len(mails) > 1 else "this mail has no" if mails else "there is no mail with"
    )
    what = "receipt, chain head, dice secret or report in it; take an acknowledgement or a report"
    fail(f"{many} {'a ' if len(mails) > 1 or not mails else ''}{what}")


def show(each: Finding) -> None:
    """Print what came of a value."""
    print(f"{MARKS[each.holds]:<4} {each.what:<12} {printable(each.value)}\n{'':17} {printable(each.words)}")


def show_mail(mail: Looked, *, alone: bool) -> None:
    """All of a mail that is alone; of others one line, and below it what is wrong in it."""
    if alone:
        for finding in mail.findings:
            show(finding)
        return
    mark = MARKS[next((each.holds for each in mail.findings if not stands(each)), True)]
    print(printable(f"{mark:<4} {mail.where}: {mail.subject or '(no subject)'} ({counted(len(mail.findings), 'value')})"))
    for finding in mail.findings:
        if not finding.holds:
            show(finding)


def disagreement_lines(judged: Judged) -> Iterator[str]:
    """Lines on which two mails disagree, both named."""
    for each in judged.agreement.disagreements:
        yield f"NO   {each.game}: {each.about}"
        yield f"     {each.words}"
        if each.notes:
            yield f"     a proof: both are signed with {each.key}"
    for each in judged.agreement.worthless:
        yield f"NO   {each.where}: {each.about}"
        yield f"     {each.problem}"


def skipped_lines(judged: Judged) -> Iterator[str]:
    """Lines that tell what was not looked at, and what is not there to be looked at."""
    for kind, count in Counter(mail.left_out for mail in judged.left_out).items():
        what = "files that are no mails" if kind == NOT_MAIL else f"mails {kind}"
        yield f"Left out: {what}: {count}."
        yield from _first_of([_named(mail) for mail in judged.left_out if mail.left_out == kind])
    if judged.passed_over:
        yield f"Not looked at, or not wholly: {counted(judged.passed_over, 'value')}, each with its reason above."
    if judged.absent:
        yield f"In the books, but not among these mails: {len(judged.absent)}. Ask for what you never got, or never sent."
        yield from _first_of(judged.absent)
    if judged.unanswered:
        told = "since they were restored, or came twice within an hour, or another held the seat"
        yield f"No answer was looked for to {counted(judged.unanswered, 'letter')}, {told}."
    if judged.silenced:
        what = f"{counted(judged.silenced, 'answer')} {'is' if judged.silenced == 1 else 'are'} missing"
        yield f"{what} from a time of which a mail says that no answers come; that is the host's word."
    yield from _html_lines(judged)
    if judged.unheld:
        yield f"Not compared, since no entry has them: further words in {counted(len(judged.unheld), 'mail')}."
        yield from _first_of(judged.unheld)
    yield "What is told of as not compared is the word of whoever wrote the mail."


def _html_lines(judged: Judged) -> Iterator[str]:
    """What was not compared of the HTML of mails."""
    if judged.plain and (judged.same or judged.laid_out):
        yield f"Without HTML, so that their text is all they show: {counted(judged.plain, 'mail')}."
    if judged.laid_out:
        count = counted(len(judged.laid_out), "report")
        yield f"Not compared with their text, since the HTML has tables of its own; an archive would tell: {count}."
        yield from _first_of(judged.laid_out)


def skipped_document(judged: Judged) -> dict[str, Any]:
    """The same for JSON."""
    left = [
        {"mail": mail.where, "subject": mail.subject, "left_out": mail.left_out, "why": mail.why} for mail in judged.left_out
    ]
    html = {"same": judged.same, "plain": judged.plain, "laid_out": list(judged.laid_out)}
    return {
        "left_out": left,
        "absent": list(judged.absent),
        "unanswered": judged.unanswered,
        "silenced": judged.silenced,
        "unheld": judged.unheld,
        "html": html,
    }


def _named(mail: Looked) -> str:
    return f"{mail.where}: {mail.why or mail.subject or '(no subject)'}"


def _first_of(named: Sequence[str]) -> Iterator[str]:
    yield from (f"     {each}" for each in named[:MOST_NAMED])
    if len(named) > MOST_NAMED:
        yield f"     and {len(named) - MOST_NAMED} more, which --json names"


def counts_of(mails: Sequence[Mail]) -> dict[str, Any]:
    """How many mails there are, how many of them are about each game and about none, and how many files are no mails."""
    found = [claims for stored, claims in mails if claims is not None or stored.problem != NO_MAIL]
    games = Counter(game for claims in found if claims for game in sorted(claims.games))
    others = sum(not (claims and claims.games) for claims in found)
    return {"mails": len(found), "games": dict(games.most_common()), "of_no_game": others, "no_mails": len(mails) - len(found)}


def counts_line(mails: Sequence[Mail]) -> str:
    """``13 mails, 12 of galaxy-7, 1 of no game``."""
    counts = counts_of(mails)
    of_games = [f"{count} of {game}" for game, count in [*counts["games"].items()][:MOST_NAMED]]
    more = [f"games besides: {len(counts['games']) - MOST_NAMED}"] if len(counts["games"]) > MOST_NAMED else []
    none = [f"{counts['of_no_game']} of no game"] if counts["of_no_game"] else []
    files = [f"and {counted(counts['no_mails'], 'file')} besides"] if counts["no_mails"] else []
    return ", ".join((counted(counts["mails"], "mail"), *of_games, *more, *none, *files))


def nothing_in(mails: Sequence[Mail]) -> bool:
    """Whether there is nothing to look at."""
    return not any(claims and (claims.says_anything or claims.shows_otherwise) for _, claims in mails)


def counted(number: int, what: str) -> str:
    """``1 value``, ``2 values``."""
    return f"{number} {what}{'' if number == 1 else 's'}"
