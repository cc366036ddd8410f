"""A letter of the ledger, opened: what it says, and whose it is.

Letters of people without a seat, sign-ups and answers to questions are read in the same way: their copies are those of the
mails to that address.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from functools import partial

from sqlalchemy import bindparam, select
from sqlmodel import col

from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.language.commands import Command, Script
from pbmd.desk.language.gm_commands import MASTERS
from pbmd.desk.language.marks import says_nothing
from pbmd.desk.language.order_words import TALK, commands_test
from pbmd.desk.language.player_commands import PlayerLanguage
from pbmd.desk.letter.opened_letter import Arrived, Doubtful, Master, Seated, Sender, Stored, Unclear, Whose
from pbmd.desk.letter.sender import identify, master_of, own_form
from pbmd.desk.letter.unread_orders import READ_LINES, has_orders, order_test, right_orders, votes_in
from pbmd.desk.mail.named import IS_NAMED, named_by
from pbmd.desk.mail.tokens import blanker_for, blanker_for_orders
from pbmd.desk.questions.ask import answering, questions_shown
from pbmd.desk.step.on_file import sheet_on_file
from pbmd.ledger.tables import Confirmation, Outbox, Seat
from pbmd.post.blank import Blanker
from pbmd.post.lines.command_text import NOBODY, Own
from pbmd.post.lines.form_line import sheet_digest
from pbmd.post.lines.sorted_lines import left_out
from pbmd.post.lines.text import key, normal
from pbmd.post.read.letter import Letter, Limits, TextLine, for_seat, html_of, may_copy, read_letter
from pbmd.rules.protocol import Arrival, Line
from pbmd.rules.troubles import BrokenGame
from pbmd.terms.times import EPOCH

_TOO_LARGE = "Your mail is too large to be read. Please send only your orders, as plain text and without attachments."


def open_letter(work: Transaction, stored: Stored, confirmed: Sender | None = None) -> tuple[Arrived, Whose]:
    """The letter, read for the seat that it acts for, and that seat, or why there is none. `confirmed` is whose it is
    known to be already."""
    limits = Limits(message_bytes=work.desk.settings.limits.letter_kilobytes * 1000)
    letter = read_letter(stored.raw, limits)
    if stored.truncated:
        letter = letter._replace(lines=(), left_out=(), files=(), form_tags=(), problem=_TOO_LARGE)
    questions = questions_shown(work, letter)
    without_copies = _for_anybody(work, letter) if questions else letter
    sender, commands = confirmed or _whose(work, without_copies, questions), work.desk.commands
    arrival = (stored.arrived_at - EPOCH) // timedelta(microseconds=1), stored.uid
    answered: list[bytes] = []
    if isinstance(sender, Sender | Doubtful):
        bold = _in_bold_there(sender)
        answered = answered_mails(work, sender.seat, letter)
        address, test = work.desk.settings.server.address, order_test(sender.table, sender.seat.name)
        own = Own(
            own_form(work, sender),
            partial(_is_on_file, sender),
            partial(_beside_orders, sender),
            test.is_taken,
            sender.seat.name,
        )
        seen = {"own": own, "answered": answered, "address": address, "is_order": test.is_order, "bold": bold}
        letter = _or_in_html(letter, partial(for_seat, **seen), partial(_can_be_used, sender, arrival))
    elif isinstance(sender, Master):
        letter = _for_master(work, sender, letter)
    else:
        letter = (
            without_copies if questions else _or_in_html(letter, partial(_for_anybody, work), partial(_has_command, commands))
        )
    script = script_of(letter.lines, commands)
    blanker = _blanker(work, letter, script, sender)
    letter, blanked = without_tokens_in(letter, blanker)
    script = script_of(letter.lines, commands) if blanked else script
    letter, script = _without_reaction(letter, script, sender)
    arrived = Arrived(
        stored.id,
        stored.uid,
        stored.arrived_at,
        arrival,
        letter,
        questions,
        script,
        blanked,
        blanker,
        stored.raw,
        tuple(answered),
    )
    return (_in_bold(sender, arrived) if isinstance(sender, Seated) and _in_bold_there(sender) else arrived), sender


_REACTION_LINES = 3


def _without_reaction(letter: Letter, script: Script, sender: Whose) -> tuple[Letter, Script]:
    """The letter of a seat with nothing to be read in it, if it is a reaction to a mail."""
    if not isinstance(sender, Sender | Doubtful) or not _is_reaction(letter, script):
        return letter, script
    told = left_out([line.original for line in letter.lines], TALK)
    return letter._replace(left_out=letter.left_out + told, lines=()), Script()


def _is_reaction(letter: Letter, script: Script) -> bool:
    """Whether a letter is what a program writes for somebody who reacts to a mail with a sign: in whatever language, nothing
    but signs and a line that begins with the writer's name and announces the mail below it."""
    name = normal(letter.sender_name).casefold()

    def announces(text: str) -> bool:
        return bool(name) and text.casefold().startswith(name) and text.endswith(":")

    texts = [line.text for line in script.orders]
    if not texts or script.commands or not all(announces(text) or says_nothing(text) for text in texts):
        return False
    return sum(map(announces, texts)) < _REACTION_LINES


def _has_command(commands: PlayerLanguage, lines: Sequence[TextLine]) -> bool:
    return any(command.kind != "orders" for command in script_of(lines, commands).commands)


def _can_be_used(sender: Sender | Doubtful, arrival: Arrival, lines: Sequence[TextLine]) -> bool:
    """Whether there is a command in a text, or an order that the rules would take of a seat."""
    table, commands = sender.table, sender.table.commands
    if _has_command(commands, lines):
        return True
    try:
        return has_orders(table, sender.seat.name, script_of(lines[:READ_LINES], commands).orders, arrival)
    except BrokenGame:
        return False


def _is_on_file(sender: Sender | Doubtful, found: str) -> bool:
    """Whether a digest is that of the orders which a seat has on file."""
    try:
        sheet = sheet_on_file(sender.table, sender.seat)
    except BrokenGame:
        return False
    return sheet is not None and sheet_digest(sheet.lines) == found


def _beside_orders(sender: Sender | Doubtful, texts: Sequence[str]) -> frozenset[int]:
    """The places of the lines that stand beside orders and change none: commands, with the lines that belong to them, and what
    the rules have as votes."""
    table, commands = sender.table, sender.table.commands
    votes = votes_in(table, sender.seat.name, [Line(place, text) for place, text in enumerate(texts, start=1)])
    found = commands.read(Line(place, text) for place, text in enumerate(texts)).commands
    spans = (_span(commands, each) for each in found if each.kind in commands.beside_orders and not each.open)
    return frozenset(place for span in spans for place in span) | frozenset(number - 1 for number in votes)


def _span(commands: PlayerLanguage, command: Command) -> range:
    """The places of a command, of its lines, and of the one that closes them."""
    last = command.body[-1] if command.body else command.line
    is_closed = commands.by_kind[command.kind].closed_by is not None
    return range(command.line.number, last.number + 1 + is_closed)


_HTML_INSTEAD = "it could not be used, so the HTML part of the mail was read instead"
_HTML_BESIDE = "it stands only in the HTML part of the mail, and could not be used"


def _or_in_html(written: Letter, read: Callable[[Letter], Letter], is_enough: Callable[[Sequence[TextLine]], bool]) -> Letter:
    """The letter as it is `read`, from its HTML part if nothing in the plain text beside that can be used, and something in it
    can. Programs write there that one should look at the HTML, in whatever language, or nothing at all."""
    letter = read(written)
    if letter.body.html is None or is_enough(letter.lines):
        return letter
    html = read(html_of(written))
    # What a program shows as a quote in one of the two, and not in the other, is not the writer's.
    said = [key(line.lstrip("> \t")) for line in letter.body.lines[:_MOST_COMPARED]]
    known, running = frozenset(said), "".join(said)
    beside = [line for line in html.lines[:READ_LINES] if key(line.text) not in known]
    if is_enough(beside):
        return html._replace(left_out=html.left_out + left_out([line.original for line in letter.lines], _HTML_INSTEAD))
    other = [line.original for line in beside if key(line.text) not in running]
    return letter._replace(left_out=letter.left_out + left_out(other, _HTML_BESIDE))


_MOST_COMPARED = 500


def _for_master(work: Transaction, master: Master, letter: Letter) -> Letter:
    """The letter without what it copies from the mails that it answers."""
    address = work.desk.settings.server.address
    return for_seat(letter, NOBODY, _answered_of_gm(work, master.table, letter), address=address, is_order=_IS_COMMAND_OF_GM)


_IS_COMMAND_OF_GM = commands_test(MASTERS).is_order


def _for_anybody(work: Transaction, letter: Letter) -> Letter:
    """A letter that shows no seat, without what it copies from the mails that it answers: sign-ups, and what is said to
    questions."""
    address, is_command = work.desk.settings.server.address, commands_test(work.desk.commands).is_order
    return for_seat(letter, NOBODY, _answered_of_anybody(work, letter), address=address, is_order=is_command)


def _blanker(work: Transaction, letter: Letter, script: Script, sender: Whose) -> Blanker:
    """What blanks the tokens in what the writer says."""
    lines = (*letter.lines, *(line for file in letter.files for line in file.lines))
    text = "\n".join([letter.sender_name, *(line.original for line in lines)])
    wordless = all(each.kind in work.desk.commands.wordless for each in script.commands)
    if isinstance(sender, Seated) and not letter.files and wordless:
        return blanker_for_orders(work, sender.table, letter.sender, text)
    return blanker_for(work, None if isinstance(sender, Unclear | str) else sender.table, letter.sender, text)


def without_tokens_in(letter: Letter, blanker: Blanker) -> tuple[Letter, frozenset[int]]:
    """The letter with all tokens in its lines blanked, and the numbers of the lines that had one; a name of its writer that has
    one counts as none."""
    if blanker.written(letter.sender_name) != letter.sender_name:
        letter = letter._replace(sender_name="")
    texts, originals = [line.text for line in letter.lines], [line.original for line in letter.lines]
    clean = blanker.lines(texts), blanker.lines(originals)
    if clean == (texts, originals):
        return letter, frozenset()
    marked = blanker.lines([line.marked for line in letter.lines])
    lines = tuple(TextLine(line.number, *words) for line, *words in zip(letter.lines, *clean, marked, strict=True))
    changed = (old.number for old, new in zip(letter.lines, lines, strict=True) if old != new)
    return letter._replace(lines=lines), frozenset(changed)


def _in_bold_there(sender: Seated) -> bool:
    """Whether the rules read bold text. Those that are not there do not: whose letter it is must be known all the same."""
    try:
        return sender.table.ruleset.info.bold
    except BrokenGame:
        return False


def _whose(work: Transaction, letter: Letter, questions: Sequence[Confirmation]) -> Whose:
    if letter.vacation:
        return "no sender to act for"
    if (master := master_of(work, letter, questions)) is not None:
        return master
    answer = answering(work, letter, questions) if questions else None
    if answer is not None and answer.said != "unclear":
        return answer
    sender = identify(work, letter)
    return sender if answer is None or isinstance(sender, Sender) else answer


def script_of(lines: Iterable[TextLine], commands: PlayerLanguage) -> Script:
    """The commands and order lines of a text."""
    return commands.read([Line(line.number, line.text) for line in lines])


def _in_bold(sender: Seated, arrived: Arrived) -> Arrived:
    """The letter for a ruleset that reads bold text: its order lines with [b]…[/b], as in HTML mail.

    Bold type marks what counts only where all right orders are in it: it may be a name or a heading that is set in bold. Where
    some are and others are not, these are `beside_bold`.
    """
    script = arrived.script
    marked = {line.number: line.marked for line in arrived.letter.lines if line.marked}
    if not marked:
        return arrived
    bold = tuple(Line(line.number, marked.get(line.number, line.text)) for line in script.orders)
    right = partial(right_orders, sender.table, sender.seat.name, arrival=arrived.arrival)
    in_type = right(bold)
    plain = right(script.orders)
    if plain and not in_type:  # it is within orders: "Conquer Vega with *3* units"
        return arrived
    beside = tuple(line for line in script.orders if line.number in plain - in_type - marked.keys())
    if not beside:
        return replace(arrived, script=replace(script, orders=bold))
    return replace(arrived, beside_bold=beside)


# --- The mails of ours that a letter may answer, so that what it copies from them is not read as its own ----------------------

_MOST = 3
"""A thread may be long, but what mail programs copy is the mail that is answered, and the one before inside of it."""
_REFERENCES = 20
_KEPT = select(col(Outbox.raw)).where(col(Outbox.raw) != b"")
_TO_SEAT = _KEPT.where(col(Outbox.seat_id) == bindparam("seat"))
_NEWEST = col(Outbox.id).desc()
# Made once: putting a statement together takes longer than the ledger takes to answer.
_NAMED = _TO_SEAT.where(IS_NAMED).order_by(_NEWEST).limit(_MOST)
_REPORT = (
    _TO_SEAT.where(col(Outbox.recipient) == bindparam("to"), col(Outbox.kind) == "report")
    .order_by(col(Outbox.queued_at).desc(), _NEWEST)
    .limit(1)
)
_TO_ADDRESS = _KEPT.where(col(Outbox.recipient) == bindparam("to"))
_NAMED_TO_ADDRESS = _TO_ADDRESS.where(IS_NAMED).order_by(_NEWEST).limit(_MOST)
_LAST_TO_ADDRESS = _TO_ADDRESS.order_by(col(Outbox.queued_at).desc(), _NEWEST).limit(_MOST)
_TO_GM = _KEPT.where(col(Outbox.game_id) == bindparam("game"), col(Outbox.recipient) == bindparam("to"))
_NAMED_TO_GM = _TO_GM.where(IS_NAMED).order_by(_NEWEST).limit(_MOST)


def answered_mails(work: Transaction, seat: Seat, letter: Letter) -> list[bytes]:
    """The mails to this seat that the letter names as those it answers, else the last report; none for a letter that is
    too short to have a copy in it."""
    if not may_copy(letter):
        return []
    ledger = work.session.connection()
    if letter.references:
        named = named_by(letter.references[-_REFERENCES:] + letter.references[:1])
        if found := list(ledger.execute(_NAMED, {"seat": seat.id, **named}).scalars()):
            return found
    return list(ledger.execute(_REPORT, {"seat": seat.id, "to": seat.address}).scalars())


def _answered_of_gm(work: Transaction, table: OpenGame, letter: Letter) -> list[bytes]:
    """The same for a letter of the game master: the mails to them about the game that it names."""
    if not may_copy(letter) or not letter.references:
        return []
    named = named_by(letter.references[-_REFERENCES:] + letter.references[:1])
    which = {"game": table.id, "to": work.desk.settings.server.gm, **named}
    return list(work.session.connection().execute(_NAMED_TO_GM, which).scalars())


def _answered_of_anybody(work: Transaction, letter: Letter) -> list[bytes]:
    """The same for a letter that shows no seat: the mails to its sender's address that it names, else the last ones."""
    if not may_copy(letter) or not letter.sender:
        return []
    ledger, ids = work.session.connection(), letter.references[-_REFERENCES:] + letter.references[:1]
    named = list(ledger.execute(_NAMED_TO_ADDRESS, {"to": letter.sender, **named_by(ids)}).scalars()) if ids else []
    return named or list(ledger.execute(_LAST_TO_ADDRESS, {"to": letter.sender}).scalars())
