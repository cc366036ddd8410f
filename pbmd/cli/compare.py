"""`pbmd compare`: what the mails of several players prove against each other."""

import json
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from pbmd.archive.appearance.html_against_text import HTML
from pbmd.archive.evidence.agreement import Disagreement
from pbmd.archive.evidence.mail_patterns import ITS_RECEIPT
from pbmd.archive.evidence.witness import Judged, judge, stands
from pbmd.cli.common import SETTINGS, WENT_WRONG, WRONG_USE, examples
from pbmd.cli.kept_mails import (
    MARKS,
    archived,
    counted,
    counts_line,
    counts_of,
    disagreement_lines,
    fail_for_nothing,
    keys_typed,
    mails_of,
    nothing_in,
    skipped_document,
    skipped_lines,
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
            help="Mails of pbmd: .eml, .msg, mbox, Maildir, zip, folders of these.",
            metavar="MAILBOX",
            exists=True,
        ),
    ],
    archive: Annotated[Path | None, typer.Option(help="An archive to hold them against besides.", metavar="PATH")] = None,
    key: Annotated[
        list[str] | None,
        typer.Option(help="The key of a game as its host tells it (`pbmd key`).", metavar="KEY"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Compare mails that players have kept with each other. Two histories of one game are found out, and named.

    It looks at chain heads (also those in order forms), receipts, digests, words for the dice, commitments, dice secrets,
    signed checkpoints and reports. Whoever tells two players two histories of one game is found out by two mails, which are
    named.

    What programs show of a mail, its HTML, is held against its text: other words, hidden ones, characters that are not seen,
    and links that lead elsewhere are named. Reports have tables of their own there, which only an archive can be held against.

    It needs neither settings nor network, and the mails of one player say much, too: whether each dice secret is the one that
    was promised, and each report the same when it was sent again. With an archive each mail is held against that, as `pbmd
    receipt` does, and what the archive has for a reader and no mail shows is named: reports, press, notices of another
    deadline, and orders to which no answer came.

    Exit code 0: what several mails tell is the same in all. 1: it is not, or a mail cannot be read, or the archive has
    something else. 2: there was nothing to compare, or mails of several readers and nothing that several of them were told.
    """
    mails = [mail for path in mailboxes for mail in mails_of(path)]
    if nothing_in(mails):
        fail_for_nothing(mails)
    with archived(archive) if archive else nullcontext() as books:
        judged = judge(mails, books, keys_typed(key or ()))
    if as_json:
        print(json.dumps(_document(judged) | {"counted": counts_of(mails)}, ensure_ascii=False, indent=2))
    else:
        for line in (counts_line(mails), *_lines(judged)):
            print(printable(line))
    if not judged.holds:
        raise typer.Exit(WENT_WRONG)
    if _compares_nothing(judged):
        raise typer.Exit(WRONG_USE)


def _compares_nothing(judged: Judged) -> bool:
    """Whether mails were not compared with those of another reader, though there are some, or with anything at all."""
    agreement = judged.agreement
    return judged.of_books is None and not (agreement.between if agreement.readers > 1 else agreement.compared)


def _document(judged: Judged) -> dict[str, Any]:
    findings = [asdict(each) for each in judged.findings]
    return {"agrees": judged.holds, **asdict(judged.agreement), "findings": findings, **skipped_document(judged)}


def _lines(judged: Judged) -> Iterator[str]:
    agreement = judged.agreement
    yield f"{'yes' if agreement.compared else '?':<4} {counted(agreement.compared, 'thing')} told in several mails"
    if agreement.readers > 1:
        yield f"{'yes' if agreement.between else '?':<4} {counted(agreement.between, 'thing')} of these told to several readers"
    else:
        yield "?    nothing was compared between readers: all these mails are of one"
    yield from disagreement_lines(judged)
    if judged.of_books is not None:
        yield f"{MARKS[judged.of_books.holds]:<4} {judged.of_books.what}: {judged.of_books.words}"
    if judged.same:
        yield f"yes  {counted(judged.same, 'mail')} with HTML that shows what the text says"
    for mail in judged.examined:
        for finding in mail.findings:
            if not finding.holds:
                yield f"{MARKS[finding.holds]:<4} {mail.where}: {finding.what} {finding.value}"
                yield f"     {finding.words}"
    yield from skipped_lines(judged)
    yield f"Not compared, since only one mail tells of them: {counted(agreement.alone, 'thing')}."
    if agreement.vague:
        yield f"Not compared, since it does not say of which step it is: {counted(agreement.vague, 'statement')}."
    if agreement.unsigned:
        yield f"Signatures not checked, since no mail has the key (--key): {counted(agreement.unsigned, 'checkpoint')}."
    yield _verdict(judged)


def _verdict(judged: Judged) -> str:
    if judged.agreement.disagreements:
        first = judged.agreement.disagreements[0]
        one, other = first.mails
        told = f"These mails tell two histories. They first disagree on the {first.about}: {one} and {other}."
        proof = next((each for each in judged.agreement.disagreements if each.notes), None)
        return told if proof is None else f"{told} {_proved(proof)}"
    if judged.agreement.worthless:
        return "A checkpoint in these mails is not what was signed; see the lines with NO."
    if told := _of_findings(judged):
        return told
    if judged.unreadable:
        return "What could be read agrees; but some could not be read, see above."
    if judged.agreement.readers > 1 and not judged.agreement.between:
        return "Nothing in these mails was told to several readers, so it cannot be said whether all were told the same."
    if not judged.agreement.compared:
        return "These mails have nothing in common to compare. Add mails of other players."
    return "What several of these mails tell is the same in each of them."


def _of_findings(judged: Judged) -> str:
    """What is wrong with individual mails; empty if nothing is."""
    wrong = {finding.what for finding in judged.findings if finding.holds is False}
    if wrong and wrong <= {HTML, ITS_RECEIPT}:
        return "What some of these mails show is not what their text, or the file beside it, says; see the lines with NO."
    if wrong:
        return "These mails do not agree with the archive; see the lines with NO."
    if not all(map(stands, judged.findings)):
        told = "told from this archive" if judged.of_books else "told of what programs show of these mails"
        return f"Not everything can be {told}; see the lines with ?."
    return ""


def _proved(proof: Disagreement) -> str:
    one, other = proof.mails
    return (
        f"It is proved: the {proof.about} is signed twice with one key, with two heads, in {one} and in {other}. Hand on both "
        f"(--json has them as notes); who compares the key with what the host tells needs to trust nobody."
    )
