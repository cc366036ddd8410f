"""What a brake has kept back is told in the next mail to that address: how many mails, from when to when, and why."""

from dataclasses import replace
from html import escape

from sqlalchemy import bindparam, delete
from sqlmodel import col, select

from pbmd.desk.books.work import Work
from pbmd.desk.mail.draft import Draft, render
from pbmd.ledger.tables import Withheld
from pbmd.terms.times import describe_time

# Made once: putting a statement together takes longer than the ledger takes to answer.
_ANY = select(Withheld.address).limit(1)
_OF = select(Withheld).where(col(Withheld.address) == bindparam("address")).order_by(col(Withheld.first_at), Withheld.reason)
_FOOT, _END = "\n--\n", "</body>"


def note_withheld(work: Work, address: str, reason: str) -> None:
    """A mail to this address is not sent."""
    work.must_be_alone()  # an address may be in several games
    row = work.session.get(Withheld, (address, reason))
    if row is None:
        row = Withheld(address=address, reason=reason, mails=0, first_at=work.now, last_at=work.now)
        work.session.add(row)
    row.mails, row.last_at = row.mails + 1, work.now
    work.session.flush()
    work.has_withheld = True


def with_what_was_withheld(work: Work, address: str, draft: Draft, timezone: str) -> Draft:
    """A mail to this address that also tells what was not sent since the last one; that is then told."""
    if work.has_withheld is None:
        work.has_withheld = work.session.exec(_ANY).first() is not None
    if not work.has_withheld:
        return draft
    rows = work.session.scalars(_OF, {"address": address}).all()
    if not rows:
        return draft
    work.must_be_alone()
    sentences = [_sentence(row, timezone) for row in rows]
    work.session.connection().execute(delete(Withheld).where(col(Withheld.address) == address))
    for row in rows:
        work.session.expunge(row)
    text = _above_foot(draft.text, render("withheld.txt", {"sentences": sentences}))
    return replace(draft, text=text, html=_page(draft.html, sentences))


def _sentence(row: Withheld, timezone: str) -> str:
    first = describe_time(row.first_at, timezone)
    if row.mails == 1:
        return f"1 mail to you was not sent, {first}: {row.reason}."
    return f"{row.mails} mails to you were not sent between {first} and {describe_time(row.last_at, timezone)}: {row.reason}."


def _above_foot(text: str, told: str) -> str:
    """The text of a mail with more at its end, above the lines that each mail ends with."""
    body, foot, rest = text.rpartition(_FOOT)
    return f"{body.rstrip()}\n\n{told.rstrip()}\n{foot}{rest}" if foot else f"{text.rstrip()}\n\n{told.rstrip()}\n"


def _page(page: str, sentences: list[str]) -> str:
    if _END not in page:
        return page
    before, end, rest = page.rpartition(_END)
    told = "".join(f'<p style="margin:16px;font-size:13px">{escape(sentence)}</p>\n' for sentence in sentences)
    return f"{before}{told}{end}{rest}"
