"""A letter of the ledger, opened: what it says, and whose it is."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from pbmd.desk.books.work import Work
from pbmd.desk.language.commands import Script
from pbmd.desk.language.player_commands import read_script
from pbmd.desk.letters.answered_mails import answered_mails, answered_of_anybody
from pbmd.desk.letters.arrived import Arrived, Doubtful, Master, Seated, Sender, Stored, Unclear, Whose
from pbmd.desk.letters.gm import for_master, master_of
from pbmd.desk.letters.questions import answering, questions_shown
from pbmd.desk.letters.unread import is_command, order_test
from pbmd.desk.letters.whose import identify, own_form
from pbmd.desk.mail.tokens import blanker_for, blanker_for_orders, without_tokens
from pbmd.ledger.tables import Confirmation
from pbmd.post.blank import Blanker
from pbmd.post.read.letter import Letter, Limits, TextLine, for_seat, read_letter
from pbmd.rules.protocol import Line
from pbmd.rules.troubles import BrokenGame

_TOO_LARGE = "Your mail is too large to be read. Please send only your orders, as plain text and without attachments."


def open_letter(work: Work, stored: Stored, confirmed: Sender | None = None) -> tuple[Arrived, Whose]:
    """The letter, read for the seat that it acts for, and that seat, or why there is none. `confirmed` is whose it is
    known to be already."""
    limits = Limits(message_bytes=work.desk.settings.limits.letter_kilobytes * 1000)
    letter = read_letter(stored.raw, limits)
    if stored.truncated:
        letter = letter._replace(lines=(), left_out=(), files=(), form_tags=(), problem=_TOO_LARGE)
    questions = questions_shown(work, letter)
    without_copies = _for_anybody(work, letter) if questions else letter
    sender = confirmed or _whose(work, without_copies, questions)
    if isinstance(sender, Sender | Doubtful):
        bold = _in_bold_there(sender)
        answered = answered_mails(work, sender.seat, letter)
        address, is_order = work.desk.settings.server.address, order_test(sender.table, sender.seat.name).is_order
        letter = for_seat(letter, own_form(work, sender), answered, bold=bold, address=address, is_order=is_order)
    elif isinstance(sender, Master):
        letter = for_master(work, sender, letter)
    else:
        letter = without_copies if questions else _for_anybody(work, letter)
    script = script_of(letter.lines)
    blanker = _blanker(work, letter, script, sender)
    letter, blanked = without_tokens_in(letter, blanker)
    script = script_of(letter.lines) if blanked else script
    if isinstance(sender, Seated) and _in_bold_there(sender):
        script = _in_bold(script, letter.lines)
    return Arrived(stored.id, stored.uid, stored.arrived_at, letter, questions, script, blanked, blanker, stored.raw), sender


def _for_anybody(work: Work, letter: Letter) -> Letter:
    """A letter that shows no seat, without what it copies from the mails that it answers: sign-ups, and what is said to
    questions."""
    address = work.desk.settings.server.address
    return for_seat(letter, lambda _: False, answered_of_anybody(work, letter), address=address, is_order=is_command)


_WORDLESS = (
    "orders", "add", "only", "cancel", "use", "status", "report", "rules", "help", "preview", "wait", "ready", "resign",
    "new-token", "timezone", "absent", "present", "calendar", "list", "unwatch", "record", "set-report",
)  # fmt: skip
"""The commands that have no words of their writer's which others could read."""


def _blanker(work: Work, letter: Letter, script: Script, sender: Whose) -> Blanker:
    """What blanks the tokens in what the writer says."""
    lines = (*letter.lines, *(line for file in letter.files for line in file.lines))
    text = "\n".join([letter.sender_name, *(line.original for line in lines)])
    if isinstance(sender, Seated) and not letter.files and all(each.kind in _WORDLESS for each in script.commands):
        return blanker_for_orders(work, sender.table, letter.sender, text)
    return blanker_for(work, None if isinstance(sender, Unclear | str) else sender.table, letter.sender, text)


def without_tokens_in(letter: Letter, blanker: Blanker) -> tuple[Letter, frozenset[int]]:
    """The letter with all tokens in its lines blanked, and the numbers of the lines that had one; a name of its writer that has
    one counts as none."""
    if blanker.written(letter.sender_name) != letter.sender_name:
        letter = letter._replace(sender_name="")
    texts, originals = [line.text for line in letter.lines], [line.original for line in letter.lines]
    clean = without_tokens(blanker, texts), without_tokens(blanker, originals)
    if clean == (texts, originals):
        return letter, frozenset()
    marked = without_tokens(blanker, [line.marked for line in letter.lines])
    lines = tuple(TextLine(line.number, *words) for line, *words in zip(letter.lines, *clean, marked, strict=True))
    changed = (old.number for old, new in zip(letter.lines, lines, strict=True) if old != new)
    return letter._replace(lines=lines), frozenset(changed)


def _in_bold_there(sender: Seated) -> bool:
    """Whether the rules read bold text. Those that are not there do not: whose letter it is must be known all the same."""
    try:
        return sender.table.ruleset.info.bold
    except BrokenGame:
        return False


def _whose(work: Work, letter: Letter, questions: Sequence[Confirmation]) -> Whose:
    if letter.vacation:
        return "no sender to act for"
    if (master := master_of(work, letter, questions)) is not None:
        return master
    answer = answering(work, letter, questions)
    if answer is not None and answer.said != "unclear":
        return answer
    sender = identify(work, letter)
    return sender if answer is None or isinstance(sender, Sender) else answer


def script_of(lines: Iterable[TextLine]) -> Script:
    """The commands and order lines of a text."""
    return read_script(Line(line.number, line.text) for line in lines)


def _in_bold(script: Script, lines: Iterable[TextLine]) -> Script:
    """The script for a ruleset that reads bold text: its order lines with [b]…[/b], as in HTML mail."""
    marked = {line.number: line.marked for line in lines if line.marked}
    return replace(script, orders=tuple(Line(line.number, marked.get(line.number, line.text)) for line in script.orders))
