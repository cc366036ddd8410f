"""`pbmd compare`: what the mails of several players prove against each other."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from pbmd.archive.receipt.agreement import Agreement, Disagreement, Read, hold_together
from pbmd.archive.receipt.examine import Finding, examine_books
from pbmd.cli.common import SETTINGS, WENT_WRONG, examples
from pbmd.cli.kept_mails import (
    MARKS,
    Looked,
    Mail,
    archived,
    counted,
    fail_for_nothing,
    is_unreadable,
    keys_typed,
    left_out_of,
    left_out_words,
    look,
    mails_of,
    stands,
)
from pbmd.ledger.log_file import printable

app = typer.Typer(**SETTINGS)


@app.command(
    "compare",
    epilog=examples(
        "pbmd compare altair.mbox ~/Maildir",
        "pbmd compare altair.mbox borealis.mbox --archive galaxy-7",
        "pbmd compare altair.mbox borealis.mbox --key example.org/games/galaxy-7+1f2e3d4c+AQ…",
        "pbmd compare altair.mbox borealis.mbox --json",
    ),
)
def command(
    mailboxes: Annotated[
        list[Path],
        typer.Argument(
            help="Mails of pbmd: files, mbox, Maildir, folders with any of these.", metavar="MAILBOX...", exists=True
        ),
    ],
    archive: Annotated[Path | None, typer.Option(help="An archive to hold them against besides.", metavar="DIR")] = None,
    key: Annotated[
        list[str] | None,
        typer.Option(help="The key of a game as its host tells it (`pbmd key`).", metavar="KEY"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Hold the mails that players have kept against each other: chain heads, receipts, digests, commitments, dice secrets,
    signed checkpoints and reports. Who tells two players two histories of one game is found out by two mails, which are named.

    It needs neither settings nor network, and the mails of one player say much, too: whether each dice secret is the one that
    was promised, and each report the same when it was sent again. With an archive each mail is held against that, as `pbmd
    receipt` does.

    Exit code 0: what several mails tell is the same in all. 1: it is not, or a mail cannot be read, or the archive has
    something else. 2: there was nothing to compare.
    """
    mails = [mail for path in mailboxes for mail in mails_of(path)]
    read = [Read(kept.where, claims) for kept, claims in mails if claims and claims.says_anything]
    if not read:
        fail_for_nothing(mails)
    _tell(mails, hold_together(read, keys_typed(key or ())), archive, as_json=as_json)


def _tell(mails: Sequence[Mail], agreement: Agreement, archive: Path | None, *, as_json: bool) -> None:
    findings, looked = _held_against(archive, mails) if archive else ([], list(left_out_of(mails)))
    left_out = [mail for mail in looked if mail.left_out]
    agrees = not (agreement.disagreements or agreement.worthless or any(map(is_unreadable, left_out)))
    agrees = agrees and all(map(stands, findings))
    if as_json:
        print(json.dumps(_document(agreement, findings, left_out, agrees=agrees), ensure_ascii=False, indent=2))
    else:
        for line in _lines(agreement, findings, looked):
            print(printable(line))
    if not agrees:
        raise typer.Exit(WENT_WRONG)


def _held_against(archive: Path, mails: Sequence[Mail]) -> tuple[list[Finding], list[Looked]]:
    """What came of each value that was held against the archive, first of it itself, and of each mail."""
    books = archived(archive)
    of_books = examine_books(books)
    looked = list(look(mails, books)) if of_books.holds else []
    return [of_books, *(finding for mail in looked for finding in mail.findings)], looked


def _document(agreement: Agreement, findings: Sequence[Finding], left_out: Sequence[Looked], *, agrees: bool) -> dict[str, Any]:
    left = [{"mail": mail.where, "subject": mail.subject, "left_out": mail.left_out, "why": mail.why} for mail in left_out]
    return {"agrees": agrees, **asdict(agreement), "findings": [asdict(each) for each in findings], "left_out": left}


def _lines(agreement: Agreement, findings: Sequence[Finding], looked: Sequence[Looked]) -> Iterator[str]:
    yield f"{'yes' if agreement.compared else '?':<4} {counted(agreement.compared, 'thing')} told in several mails"
    for each in agreement.disagreements:
        yield f"NO   {each.game}: {each.about}"
        yield f"     {each.words}"
        if each.notes:
            yield f"     a proof: both are signed with {each.key}"
    for each in agreement.worthless:
        yield f"NO   {each.where}: {each.about}"
        yield f"     {each.problem}"
    if findings:
        of_books = findings[0]
        yield f"{MARKS[of_books.holds]:<4} {of_books.what}: {of_books.words}"
    for mail in looked:
        for finding in mail.findings:
            if not stands(finding):
                yield f"{MARKS[finding.holds]:<4} {mail.where}: {finding.what} {finding.value}"
                yield f"     {finding.words}"
    left_out = [mail for mail in looked if mail.left_out]
    yield from left_out_words(left_out)
    yield f"Not compared, since only one mail tells of them: {counted(agreement.alone, 'thing')}."
    if agreement.vague:
        yield f"Not compared, since it does not say of which step it is: {counted(agreement.vague, 'statement')}."
    if agreement.unsigned:
        yield f"Signatures not checked, since no mail has the key (--key): {counted(agreement.unsigned, 'checkpoint')}."
    yield _verdict(agreement, findings, left_out)


def _verdict(agreement: Agreement, findings: Sequence[Finding], left_out: Sequence[Looked]) -> str:
    if agreement.disagreements:
        first = agreement.disagreements[0]
        one, other = first.mails
        told = f"These mails tell two histories. They first disagree on the {first.about}: {one} and {other}."
        proof = next((each for each in agreement.disagreements if each.notes), None)
        return told if proof is None else f"{told} {_proved(proof)}"
    if agreement.worthless:
        return "A checkpoint in these mails is not what was signed; see the lines with NO."
    if any(finding.holds is False for finding in findings):
        return "These mails do not agree with the archive; see the lines with NO."
    if not all(map(stands, findings)):
        return "Not everything can be told from this archive; see the lines with ?."
    if any(map(is_unreadable, left_out)):
        return "What could be read agrees; but some could not be read, see above."
    if not agreement.compared:
        return "No two of these mails tell of the same thing, so nothing can be said; take mails of several players."
    return "What several of these mails tell is the same in all of them."


def _proved(proof: Disagreement) -> str:
    one, other = proof.mails
    return (
        f"It is proved: the {proof.about} is signed twice with one key, with two heads, in {one} and in {other}. Hand on both "
        f"(--json has them as notes); who compares the key with what the host tells needs to trust nobody."
    )
