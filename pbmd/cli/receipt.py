"""`pbmd receipt`: what a receipt proves."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from pbmd.archive.ground.books import Books, books_of_archive, books_of_ledger
from pbmd.archive.receipt.claims import Claims, NoReceipt, claims_of_code, claims_of_mail
from pbmd.archive.receipt.examine import Finding, examine, examine_books, is_about, of_another_game
from pbmd.archive.receipt.mailbox import NO_MAIL, Kept, mails_in
from pbmd.cli.common import SETTINGS, WENT_WRONG, examples, fail
from pbmd.cli.desk import DEFAULT_SETTINGS, SettingsFile, at_desk, table_of
from pbmd.desk.books.work import Work
from pbmd.ledger.log_file import printable

app = typer.Typer(**SETTINGS)

_MARKS = {True: "yes", False: "NO", None: "?"}
_MOST_NAMED = 5
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


@app.command(
    "receipt",
    epilog=examples(
        "pbmd receipt answer.eml --archive galaxy-7",
        "pbmd receipt ~/Maildir Archive.mbox --archive galaxy-7",
        "pbmd receipt 12 --game galaxy-7",
        "pbmd receipt 4be0fa1bc2d85b5c --archive galaxy-7 --json",
    ),
)
def command(
    claims: Annotated[
        list[str],
        typer.Argument(
            help="Mails of pbmd: files, mbox, Maildir, folders with any of these; or the number, digest or chain head in one.",
            metavar="CODE|MAILS...",
        ),
    ],
    archive: Annotated[Path | None, typer.Option(help="The archive to look in; no settings are needed.", metavar="DIR")] = None,
    game: Annotated[str, typer.Option(help="The game in the ledger to look in.", metavar="GAME")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    settings: SettingsFile = DEFAULT_SETTINGS,
) -> None:
    """Tell what the mails that a player has kept prove: whether each receipt, arrival, digest, chain head, dice secret and
    commitment in them is in the books, what became of the orders, and whether each report has the text that the books have.

    Mails of other games and such that are not of pbmd are left out, counted and named. What stands around a report (deadlines,
    press, the order form) is in no books, and not compared.

    Exit code 0: the books have all that was looked at. 1: they have not, or it cannot be told, or a mail cannot be read. 2:
    there was nothing to look at, or there are no such books.
    """
    if archive and game:
        fail("give --archive or --game, not both")
    mails = [mail for claim in claims for mail in _mails(claim)]
    if not any(claimed and claimed.statements for _, claimed in mails):
        _fail_for_nothing(mails)
    books = _archived(archive) if archive else _kept(settings, game or _only_game(mails))
    of_books = examine_books(books)
    looked = list(_look(mails, books)) if of_books.holds else []
    _tell(of_books, looked, as_json=as_json)


_Mail = tuple[Kept, Claims | None]


def _mails(claim: str) -> Iterator[_Mail]:
    path = Path(claim)
    try:
        if not claim or not path.exists():
            yield Kept(claim), claims_of_code(claim)
            return
    except NoReceipt as problem:
        fail(problem)
    for kept in mails_in(path):
        yield _claimed(kept)


def _claimed(kept: Kept) -> _Mail:
    if kept.problem:
        return kept, None
    try:
        return Kept(kept.where), claims_of_mail(kept.raw)
    except NoReceipt as problem:
        return Kept(kept.where, problem=str(problem)), None
    except Exception as trouble:  # a mail is anybody's, and parsers stumble over what nobody has thought of
        return Kept(kept.where, problem=f"it cannot be taken apart: {type(trouble).__name__}"), None


def _fail_for_nothing(mails: Sequence[_Mail]) -> None:
    problems = [f"{kept.where}: {kept.problem}" for kept, _ in mails if kept.problem]
    if problems:
        fail(printable("; ".join(problems[:_MOST_NAMED])))
    many = (
        f"none of these {len(mails)} mails has" if len(mails) > 1 else "this mail has no" if mails else "there is no mail with"
    )
    what = "receipt, chain head, dice secret or report in it; take an acknowledgement or a report"
    fail(f"{many} {'a ' if len(mails) > 1 or not mails else ''}{what}")


def _only_game(mails: Iterable[_Mail]) -> str:
    """The game that the mails are about."""
    names = sorted({name for _, claims in mails if claims for name in claims.games})
    if len(names) != 1:
        told = f"; these mails are of {', '.join(names[:_MOST_NAMED])}" if names else ""
        fail(f"which game? give --archive DIR or --game GAME{told}")
    return names[0]


def _archived(folder: Path) -> Books:
    payload = folder / "data"
    try:
        return books_of_archive(payload if payload.is_dir() else folder)
    except (OSError, ValueError) as problem:
        fail(f"{folder} is no archive that can be read: {printable(str(problem))}")


def _kept(settings: Path, name: str) -> Books:
    with at_desk(settings) as desk, Work(desk, reads=True) as work:
        return books_of_ledger(work.session, table_of(work, name).game)


def _look(mails: Sequence[_Mail], books: Books) -> Iterator[Looked]:
    ours = [bool(claims and any(is_about(each, books) for each in claims.statements)) for _, claims in mails]
    for (kept, claims), is_ours in zip(mails, ours, strict=True):
        if claims is None:
            left_out = _NO_MAIL if kept.problem == NO_MAIL else _UNREADABLE
            yield Looked(kept.where, "", left_out=left_out, why=kept.problem)
        elif is_ours:
            yield from _look_at_ours(kept.where, claims, books)
        elif claims.statements and not any(ours):
            # With nothing else to look at these are what was asked about.
            yield Looked(kept.where, claims.subject, [of_another_game(claims, books)])
        elif claims.statements:
            yield Looked(kept.where, claims.subject, left_out=_OTHER_GAME, why=", ".join(sorted(claims.games)))
        else:
            yield Looked(kept.where, claims.subject, left_out=_NOTHING if claims.written else _NOT_OURS)


def _look_at_ours(where: str, claims: Claims, books: Books) -> Iterator[Looked]:
    """A mail with something of this game, and perhaps with something of others."""
    yield Looked(where, claims.subject, examine(claims, books))
    others = sorted({each.game for each in claims.statements if not is_about(each, books)})
    if others:
        yield Looked(where, claims.subject, left_out=_OTHER_GAME, why=f"what it has of {', '.join(others)}")


def _tell(of_books: Finding, looked: Sequence[Looked], *, as_json: bool) -> None:
    examined = [mail for mail in looked if not mail.left_out]
    left_out = [mail for mail in looked if mail.left_out]
    findings = [of_books, *(finding for mail in examined for finding in mail.findings)]
    proved = all(map(_stands, findings)) and not any(mail.left_out == _UNREADABLE for mail in left_out)
    if as_json:
        told = {"proved": proved, **_as_json(of_books, examined, left_out)}
        print(json.dumps(told, ensure_ascii=False, indent=2))
    else:
        _show(of_books)
        for mail in examined:
            _show_mail(mail, alone=len(looked) == 1)
        for line in (*_left_out_words(left_out), _verdict(findings, examined, left_out)):
            print(printable(line))
    if not proved:
        raise typer.Exit(WENT_WRONG)


def _as_json(of_books: Finding, examined: Sequence[Looked], left_out: Sequence[Looked]) -> dict[str, Any]:
    of_mails = (asdict(each) | {"mail": mail.where} for mail in examined for each in mail.findings)
    left = [{"mail": mail.where, "subject": mail.subject, "left_out": mail.left_out, "why": mail.why} for mail in left_out]
    return {"findings": [asdict(of_books), *of_mails], "left_out": left}


def _stands(finding: Finding) -> bool:
    """Whether the books have it, or it was not looked at."""
    return finding.holds is True or (finding.holds is None and not finding.whole)


def _show(each: Finding) -> None:
    print(f"{_MARKS[each.holds]:<4} {each.what:<12} {printable(each.value)}\n{'':17} {printable(each.words)}")


def _show_mail(mail: Looked, *, alone: bool) -> None:
    """All of a mail that is alone; of others one line, and below it what is wrong in it."""
    if alone:
        for finding in mail.findings:
            _show(finding)
        return
    mark = _MARKS[next((each.holds for each in mail.findings if not _stands(each)), True)]
    print(printable(f"{mark:<4} {mail.where}: {mail.subject or '(no subject)'} ({_count(len(mail.findings), 'value')})"))
    for finding in mail.findings:
        if not finding.holds:
            _show(finding)


def _left_out_words(left_out: Sequence[Looked]) -> Iterator[str]:
    for kind, count in Counter(mail.left_out for mail in left_out).items():
        what = "files that are no mails" if kind == _NO_MAIL else f"mails {kind}"
        yield f"Left out: {what}: {count}."
        named = [mail for mail in left_out if mail.left_out == kind]
        for mail in named[:_MOST_NAMED]:
            yield f"     {mail.where}: {mail.why or mail.subject or '(no subject)'}"
        if count > _MOST_NAMED:
            yield f"     and {count - _MOST_NAMED} more, which --json names"


def _verdict(findings: Sequence[Finding], examined: Sequence[Looked], left_out: Sequence[Looked]) -> str:
    if any(each.holds is False for each in findings):
        return "This does not agree with the books; see the lines with NO."
    if not all(map(_stands, findings)):
        return "Not everything can be told from these books; see the lines with ?."
    count = sum(len(mail.findings) for mail in examined)
    if not left_out and all(each.whole for each in findings):
        return f"All of it is in the books: {_count(count, 'value')}."
    looked_at = f"{_count(count, 'value')} in {_count(len(examined), 'mail')}"
    if any(mail.left_out == _UNREADABLE for mail in left_out):
        return f"What could be read is in the books, {looked_at}; but some could not be read, see above."
    return f"What was looked at is in the books: {looked_at}. For the rest see above."


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
