"""Mails that people kept, for commands that hold them against books or against each other: which are read, what is looked at,
and what is left out."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from pbmd.archive.ground.books import Books, books_of_archive
from pbmd.archive.receipt.claims import Claims, NoReceipt, claims_of_code, claims_of_mail, claims_of_note
from pbmd.archive.receipt.examine import Finding, are_about, examine, is_about, of_another_game
from pbmd.archive.receipt.mailbox import NO_MAIL, Kept, mails_in
from pbmd.cli.common import fail
from pbmd.ledger.log_file import printable
from pbmd.notes.signed import NoNote, Verifier, verifier_of

MARKS = {True: "yes", False: "NO", None: "?"}
MOST_NAMED = 5
_LONGEST_FILE = 1_000_000
"""Bytes of a file that is no mail and may have a checkpoint."""
_OTHER_GAME, _NOTHING, _NOT_OURS, _UNREADABLE = "of another game", "with nothing to check", "not of pbmd", "not to be read"
_NO_MAIL = "no mail"
"""Why something was left out."""


@dataclass(frozen=True, slots=True)
class Looked:
    """A mail that was looked at and what came of it; one that was left out has no findings, and says why."""

    where: str
    subject: str
    findings: Sequence[Finding] = ()
    left_out: str = ""
    why: str = ""


Mail = tuple[Kept, Claims | None]


def code_or_mails(claim: str) -> Iterator[Mail]:
    """The mails in a file or folder, or the one value that is given in place of it."""
    path = Path(claim)
    try:
        if not claim or not path.exists():
            yield Kept(claim), claims_of_code(claim)
            return
    except NoReceipt as problem:
        fail(problem)
    yield from mails_of(path)


def mails_of(path: Path) -> Iterator[Mail]:
    """The mails in a file or folder, each with what it claims, or None and the reason why that cannot be told."""
    return map(_claimed, mails_in(path))


def _claimed(kept: Kept) -> Mail:
    if kept.problem == NO_MAIL:
        claims = claims_of_note(kept.raw[:_LONGEST_FILE].decode("utf-8", "replace"))
        return (Kept(kept.where), claims) if claims.checkpoints else (Kept(kept.where, problem=NO_MAIL), None)
    if kept.problem:
        return kept, None
    try:
        return Kept(kept.where), claims_of_mail(kept.raw)
    except NoReceipt as problem:
        return Kept(kept.where, problem=str(problem)), None
    except Exception as trouble:  # a mail is anybody's, and parsers stumble over what nobody has thought of
        return Kept(kept.where, problem=f"it cannot be taken apart: {type(trouble).__name__}"), None


def keys_typed(texts: Iterable[str]) -> list[Verifier]:
    """Keys of games as they were typed. Ends the command if one is none."""
    try:
        return [verifier_of(text) for text in texts]
    except NoNote as problem:
        fail(problem)


def archived(folder: Path) -> Books:
    """The books of an archive. Ends the command if there are none."""
    payload = folder / "data"
    try:
        return books_of_archive(payload if payload.is_dir() else folder)
    except (OSError, ValueError) as problem:
        fail(f"{folder} is no archive that can be read: {printable(str(problem))}")


def look(mails: Sequence[Mail], books: Books) -> Iterator[Looked]:
    """Hold all mails against the books."""
    ours = [bool(claims and are_about(claims, books)) for _, claims in mails]
    for (kept, claims), is_ours in zip(mails, ours, strict=True):
        if claims is None or not claims.says_anything:
            yield from left_out_of([(kept, claims)])
        elif is_ours:
            yield from _look_at_ours(kept.where, claims, books)
        elif not any(ours):
            # With nothing else to look at these are what was asked about.
            yield Looked(kept.where, claims.subject, [of_another_game(claims, books)])
        else:
            yield Looked(kept.where, claims.subject, left_out=_OTHER_GAME, why=", ".join(sorted(claims.games)))


def left_out_of(mails: Iterable[Mail]) -> Iterator[Looked]:
    """Those in which there is nothing to look at."""
    for kept, claims in mails:
        if claims is None:
            left_out = _NO_MAIL if kept.problem == NO_MAIL else _UNREADABLE
            yield Looked(kept.where, "", left_out=left_out, why=kept.problem)
        elif not claims.says_anything:
            yield Looked(kept.where, claims.subject, left_out=_NOTHING if claims.own is not None else _NOT_OURS)


def _look_at_ours(where: str, claims: Claims, books: Books) -> Iterator[Looked]:
    """A mail with something of this game, and perhaps with something of others."""
    yield Looked(where, claims.subject, examine(claims, books))
    others = sorted({each.game for each in claims.statements if not is_about(each, books)})
    if others:
        yield Looked(where, claims.subject, left_out=_OTHER_GAME, why=f"what it has of {', '.join(others)}")


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


def stands(finding: Finding) -> bool:
    """Whether the books have it, or it was not looked at."""
    return finding.holds is True or (finding.holds is None and not finding.whole)


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


def is_unreadable(mail: Looked) -> bool:
    """Whether it was left out since it cannot be read."""
    return mail.left_out == _UNREADABLE


def left_out_words(left_out: Sequence[Looked]) -> Iterator[str]:
    """Lines that tell what was not looked at."""
    for kind, count in Counter(mail.left_out for mail in left_out).items():
        what = "files that are no mails" if kind == _NO_MAIL else f"mails {kind}"
        yield f"Left out: {what}: {count}."
        named = [mail for mail in left_out if mail.left_out == kind]
        for mail in named[:MOST_NAMED]:
            yield f"     {mail.where}: {mail.why or mail.subject or '(no subject)'}"
        if count > MOST_NAMED:
            yield f"     and {count - MOST_NAMED} more, which --json names"


def counted(number: int, what: str) -> str:
    """``1 value``, ``2 values``."""
    return f"{number} {what}{'' if number == 1 else 's'}"
