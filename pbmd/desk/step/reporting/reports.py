"""The reports of a step, to everybody who gets one."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

from sqlmodel import col, select

from pbmd.desk.books.carried_out import START, Taken, Tick, Unreported
from pbmd.desk.books.checkpoints import SignedHead, signed_head
from pbmd.desk.books.report_files import SVG, for_programs, wants
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.digest.digest import tell_of_turn
from pbmd.desk.mail.clock_words import NO_CLOCK, ClockWords, clock_words
from pbmd.desk.mail.draft import Draft, Proof, render, subject
from pbmd.desk.mail.queue import mail_to_seat
from pbmd.desk.mail.tags import form_top, mark_line, orders_button, page_link
from pbmd.desk.step.dice_secrets import commitment_of, salts_in
from pbmd.desk.step.gathering import let_go
from pbmd.desk.step.reporting.idle import idle_headlines, idle_seats, idle_words
from pbmd.desk.step.reporting.maps import Pictured, ReportMap, are_drawn, report_map
from pbmd.desk.step.reporting.press import take_waiting
from pbmd.desk.step.reporting.watchers import send_public
from pbmd.desk.step.sleepers.falling_asleep import sleep_words
from pbmd.desk.step.substitutes.away_mails import copy_report
from pbmd.ledger.entries.rows import TurnEntry
from pbmd.ledger.tables import Game, Report, Seat, SeatState, StepRecord, called, called_briefly, step_words
from pbmd.post.proof_file import proof_name
from pbmd.rendering.blocks.page import Button
from pbmd.rendering.render import (
    Rendered,
    You,
    course_of,
    html_parts,
    is_out,
    report_html,
    report_text,
    text_parts,
    whole_text,
    with_other_picture,
    you_of,
)
from pbmd.rules.protocol import PUBLIC, View, seat_reader
from pbmd.rules.troubles import BrokenGame, read_position
from pbmd.rules.words import capital, listing

_log = logging.getLogger("pbmd.clerk")
_NAMED = 3
"""If there are more moves than this, the subject gives only their number."""


def report_key(table: OpenGame, step: int, seat: Seat) -> str:
    """Identifies the mail with the report of a step to a seat."""
    return f"report {table.id} {step} {seat.number}"


def report_all(work: Transaction) -> None:
    """Report what was resolved and is not reported yet, in all games: one mail to each seat."""
    ticks = work.slot(Unreported).left
    for game_id in [*ticks]:
        send_reports(work, work.table(game_id), ticks.pop(game_id))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportWords:
    """The values for the templates of a seat's report. `happened`: the `reported` step as its title calls it; `you`: what
    the rules say became of the seat, `missed` and `receipts`: what became of its mails, `used`: the latter as a proof says
    it; `course`: how a finished game went, as rows; `players`: who played it, if nobody knew; `out`: the seat is out of a
    game that goes on; `taken`: its move that was resolved, `record`: the receipt for that, `besides`: what else is said
    about its letter; `moved`: who else has moved; `idle`: that it has nothing to do now; `notes`: what changed about the
    deadline; `mark`: the line with which its order form begins; `checkpoint`: the signed head of the journal, and `key` the
    one to check its signature; `link`: where the seat's own pages are; `preview`: what lists of mails show; `button`: what
    opens a mail with the form; `kept`: it is the page that archives have, and no mail."""

    game: Game
    seat: str
    title: str
    reported: str
    happened: str
    first: bool
    sequential: bool
    outcome: str
    body: str
    form: str
    you: str = ""
    commitment: str
    secret: str
    salt: str = ""
    moved: str = ""
    taken: str = ""
    besides: str = ""
    record: str = ""
    press: str = ""
    idle: str = ""
    missed: tuple[str, ...] = ()
    receipts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    used: str = ""
    mark: str = "#orders"
    numbers_told: bool = True
    checkpoint: str = ""
    key: str = ""
    words: str = ""
    turn_entry: TurnEntry | None = None
    kept: bool = False
    link: str = ""
    preview: str = ""
    out: bool = False
    course: tuple[tuple[str, ...], ...] = ()
    players: tuple[str, ...] = ()
    button: Button | None = None
    clock: ClockWords = NO_CLOCK

    def filled(self, template: str) -> str:
        """A template of a report with these words."""
        return render(template, {each.name: getattr(self, each.name) for each in fields(self)})


class _Names(NamedTuple):
    """What the step of a report is called in a sentence (`reported`), as players say it at the beginning of one
    (`happened`), and the same where the turn stands beside it (`brief`). `says_next`: it makes clear which one comes next."""

    reported: str
    happened: str
    brief: str
    says_next: bool


def _names(tick: Tick) -> _Names:
    reported, brief = step_words(tick.turn, tick.name), called_briefly(tick.turn, tick.name)
    words = called(reported)
    return _Names(reported, capital(words), capital(brief), says_next=tick.turn > 0 and words != reported)


class _Common(NamedTuple):
    """What the reports of a step have in common: its names; who is `awaited` now, and the numbers of those who have
    nothing to do (`idle`); the maps to be shown, by the seat's number; its press and its salt, by its name; what is said of
    `sleep`, by its number; the signed head, how a finished game went, and what the next dice are committed to."""

    names: _Names
    awaited: frozenset[str]
    idle: frozenset[int]
    pictured: Mapping[int, Pictured]
    press: Mapping[str, str]
    salts: Mapping[str, bytes]
    sleep: Mapping[int, tuple[str, ...]]
    head: SignedHead
    course: tuple[tuple[str, ...], ...]
    commitment: str


def send_reports(work: Transaction, table: OpenGame, tick: Tick) -> None:
    """Render and store a report for every seat and the public, for the position of the tick, and mail it to the seats that are
    played. Nothing is done if a map is not drawn yet: see `pbmd.desk.step.game_transaction`."""
    rules = table.ruleset
    views = [(seat, rules.view(tick.position, tick.events, seat_reader(seat.name))) for seat in table.seats]
    public = rules.view(tick.position, tick.events, PUBLIC)
    awaited = frozenset(rules.awaiting(tick.position) if tick.outcome is None else ())
    idle = idle_seats(table, tick, awaited)
    pictured = {
        seat.number: Pictured(view, _is_mailed(seat) and seat.number not in idle, wants(seat, SVG))
        for seat, view in views
        if _has_map(view) and work.desk.shows_map(seat.name)
    }
    of_all = Pictured(public, mailed=False)
    if rules.info.map and not are_drawn(work, [*pictured.values(), of_all]):
        return  # everything is done again once they are drawn
    if rules.tell is not None:
        let_go(work, table)
    common = _Common(
        names=_names(tick),
        awaited=awaited,
        idle=idle,
        pictured=pictured,
        press=take_waiting(work, table),
        salts=dict(salts_in(table, table.game.salts)),
        sleep=_sleep(work, table) if table.has_sleepers and tick.outcome is None else {},
        head=signed_head(work, table, tick),
        course=course_of(_numbers(work, table, public)) if tick.outcome else (),
        commitment=commitment_of(table),
    )
    for seat, view in views:
        _report_to(work, table, seat, view, tick, common)
    picture = report_map(work, table, of_all) if _has_map(public) else ReportMap()
    text = report_text(rules, public)
    _keep(work, table, tick, "public", text, report_html(rules, public, picture.kept))
    send_public(work, table, tick, text, common.head)
    tell_of_turn(work, table, tick)


def _has_map(view: View) -> bool:
    return view.data.get("map") is not None


def _is_mailed(seat: Seat) -> bool:
    return seat.state is SeatState.ACTIVE


def _report_to(work: Transaction, table: OpenGame, seat: Seat, view: View, tick: Tick, common: _Common) -> None:
    rules, names, is_idle = table.ruleset, common.names, seat.number in common.idle
    picture = report_map(work, table, common.pictured[seat.number]) if seat.number in common.pictured else ReportMap()
    parts, pages, told = text_parts(rules, view), html_parts(rules, view, picture.kept), you_of(view)
    report, is_over_for_it = whole_text(parts), is_out(view) and tick.outcome is None
    words = _words(work, table, seat, tick, parts=parts, common=common)
    if is_over_for_it:
        words = replace(words, out=True, receipts=(*words.receipts, _OUT), clock=NO_CLOCK)
    # What is stored gets into the archive, where the terms say which press it may contain.
    kept = {
        "press": "",
        "besides": "",
        "link": "",
        "words": "",
        "mark": mark_line(work, seat),
        "kept": True,
        "course": (),
        "players": (),
    }
    html = replace(words, you=pages.you, body=pages.rest, **kept).filled("report.html")
    _keep(work, table, tick, f"seat:{seat.number}", report, html)
    if not _is_mailed(seat):
        return
    if is_idle:
        picture = picture.left_out
        words = replace(words, idle=idle_words(table, words.clock, has_map=bool(picture.kept)))
    pages = with_other_picture(pages, picture.kept, picture.shown) or html_parts(rules, view, picture.shown)
    headlines = idle_headlines(tick) if is_idle else _headlines(table, tick, words, names.brief)
    if seat.number in tick.taken and (unread := tick.taken[seat.number].unread):
        headlines = tuple(f"{headline}, {unread}" for headline in headlines)
    title = subject(table, *headlines, seat=seat.name if rules.sequential and words.form else "", step=not names.says_next)
    text = words.filled("report.txt")
    button = orders_button(work, seat, title, text)
    html = replace(words, you=pages.you, body=pages.rest, preview=_preview(told, words), button=button).filled("report.html")
    draft = Draft(
        "report",
        report_key(table, tick.step, seat),
        title,
        text,
        html,
        tick.taken[seat.number].answers if seat.number in tick.taken else "",
        inline=picture.inline,
        attachments=(*picture.attachments, *for_programs(table, seat, view, tick, words.form)),
        proof=_proof(words, tick),
    )
    mail_to_seat(work, table, seat, draft)
    if table.has_substitutes:
        copy_report(work, table, seat, draft.key, report)


def _preview(told: You | None, words: ReportWords) -> str:
    """What a list of mails shows of a report, in its own sentences: what became of the reader, and when orders are due."""
    clock = words.clock
    due = ("Until" if words.sequential else "Due") + f" {clock.deadline}{clock.ahead}" if words.form and clock.deadline else ""
    return " ".join(filter(None, (*words.missed[:1], told.headline if told else "", due)))


def _words(work: Transaction, table: OpenGame, seat: Seat, tick: Tick, *, parts: Rendered, common: _Common) -> ReportWords:
    head, names = common.head, common.names
    rules, taken = table.ruleset, tick.taken.get(seat.number, Taken(""))
    form = rules.order_form(tick.position, seat.name) if seat.name in common.awaited else ""
    notes = (*tick.receipts.get(seat.number, ()),) if tick.step == START else ()
    receipts = () if taken.text or notes else (*tick.receipts.get(seat.number, ()),)
    return ReportWords(
        game=table.game,
        seat=seat.name,
        title=rules.info.title,
        reported=names.reported,
        happened=names.happened,
        first=tick.step == START,
        sequential=rules.sequential,
        moved=_who_moved(tick, seat),
        taken=taken.text,
        besides=taken.besides,
        record=taken.record,
        outcome=tick.outcome.told(rules.seats(tick.position)) if tick.outcome else "",
        you=parts.you,
        body=parts.rest,
        press=common.press.get(seat.name, ""),
        missed=(*tick.missed.get(seat.number, ()),),
        receipts=receipts,
        course=common.course,
        players=tick.players,
        notes=(*notes, *tick.away.get(seat.number, ()), *common.sleep.get(seat.number, ())),
        used="" if taken.text else tick.used.get(seat.number, ""),
        mark=form_top(work, table, seat, reports=True) if form else "",
        form=form,
        commitment=common.commitment,
        secret=tick.secret.hex() if tick.step != START else "",
        salt=common.salts.get(seat.name, b"").hex(),
        # The number of entries would show how many letters of others came.
        numbers_told=table.terms.who_has_sent != "nothing",
        checkpoint=head.note,
        key=head.key,
        words=head.words,
        turn_entry=head.entry,
        link=page_link(work, seat),
        clock=clock_words(table, seat, work.now),
    )


def _sleep(work: Transaction, table: OpenGame) -> dict[int, tuple[str, ...]]:
    """What is said of sleep to those whom it concerns, by the numbers of their seats."""
    return {seat.number: (words,) for seat in table.seats if (words := sleep_words(work, table, seat))}


def _who_moved(tick: Tick, seat: Seat) -> str:
    """If the seat itself was skipped, the mail says so elsewhere, and the rules report those who were skipped with it."""
    return "; ".join(step.words for step in tick.moved if seat.number not in step.skipped)


_OUT = "You are out of the game. The public reports keep coming to you until the end; RESIGN on a line of its own stops them."
_TURNS_SHOWN = 5
"""As many columns as a line has room for, in addition to the beginning and the end."""


def _numbers(work: Transaction, table: OpenGame, public: View) -> list[tuple[str, Mapping[str, Any]]]:
    """The public figures: at the beginning, after evenly spaced turns in between, and now."""
    work.write()
    stands = select(StepRecord.turn, StepRecord.id).where(StepRecord.game_id == table.id, StepRecord.rolled_back == 0)
    last = dict(work.session.exec(stands.order_by(col(StepRecord.step))).all())
    *before, now = [*last] or [0]
    shown = before[:: max(1, -(-len(before) // _TURNS_SHOWN))]
    rules, told = table.ruleset, list[tuple[str, Mapping[str, Any]]]()
    first = work.session.exec(select(StepRecord.before).where(StepRecord.game_id == table.id, StepRecord.step == 0)).first()
    documents = [*([("start", first)] if first else []), *((f"t{turn}", _after(work, last[turn])) for turn in shown)]
    for when, document in documents:
        try:
            view = rules.view(read_position(table.game.name, rules, document), (), PUBLIC)
        except BrokenGame as problem:
            # An unreadable old row must not keep the game from ending: the table has a column less.
            _log.warning("how %s went is told without %s: %s", table.game.name, when, problem)
            continue
        told.append((when, view.data.get("numbers", {})))
    return [*told, (f"t{now}", public.data.get("numbers", {}))]


def _after(work: Transaction, record: int | None) -> str:
    return work.session.exec(select(StepRecord.after).where(StepRecord.id == record)).one()


def _proof(words: ReportWords, tick: Tick) -> Proof:
    """What goes with a report for readers who doubt it."""
    game = words.game
    values = {
        "game": game,
        "seat": words.seat,
        "of": "the beginning" if words.first else words.reported,
        "next": game.step_words,
        "report": True,
        "used": f"{words.used}." if words.used else "",
        "secret": words.secret,
        "commitment": words.commitment,
        "salt": words.salt,
        "form": words.form,
        "chain_head": game.chain_head,
        "chain_number": game.chain_number if words.numbers_told else 0,
        "record": words.record,
        "checkpoint": words.checkpoint,
        "key": words.key,
        "words": words.words,
        "turn_entry": words.turn_entry,
        "numbers_told": words.numbers_told,
    }
    name = proof_name(game.name, None if words.first else tick.turn, tick.name)
    return Proof(name, "proof.txt", values)


def _headlines(table: OpenGame, tick: Tick, words: ReportWords, brief: str) -> tuple[str, ...]:
    """The report's headlines for its seat, from the longest words to the shortest."""
    if tick.outcome is not None:
        return _of_the_end(tick, words)
    if tick.step == START:
        return (*(f"the game begins; {wanted}" for wanted in _wanted(words)), "the game begins")
    if not table.ruleset.sequential:
        happened = f"{brief}: what happened"
        return (*(f"{happened}; {wanted}" for wanted in _wanted(words)), happened)
    return _of_moves(tick, words)


def _wanted(words: ReportWords) -> tuple[str, ...]:
    """When orders are due, if any are wanted."""
    day = words.clock.day
    by = (f"orders by {day}", f"orders by {day.partition(' ')[2]}") if day else ()
    return (*by, "orders, please") if words.form else ()


def _of_the_end(tick: Tick, words: ReportWords) -> tuple[str, ...]:
    """The last report says who has won."""
    winners = tick.outcome.winners if tick.outcome else ()
    won = f"{listing(winners)} {'has' if len(winners) == 1 else 'have'} won, " if winners else ""
    return f"{words.happened}: {won}the game is over", f"{won}the game is over", "the game is over"


def _of_moves(tick: Tick, words: ReportWords) -> tuple[str, ...]:
    """The same if one moves after the other: whose move it is, and who has moved."""
    if words.form:
        move, due = f"your move in {words.game.step_called}", words.clock.due
        return (f"{move}, by {due}", f"your move, by {due}", move) if due else (move,)
    after = (f"{words.clock.who} {words.clock.are} to move",) if words.clock.who else ()
    moved = tuple(step.words for step in tick.moved)
    several = (f"{len(moved)} moves",) if len(moved) > 1 else moved
    full = moved if len(moved) <= _NAMED else several
    briefly = (f"next: {words.clock.who}",) if words.clock.who else ()
    return ("; ".join((*full, *after)), "; ".join((*several, *after)), *after, *briefly)


def _keep(work: Transaction, table: OpenGame, tick: Tick, reader: str, text: str, html: str) -> None:
    work.add(Report, game_id=table.id, step=tick.step, turn=tick.turn, reader=reader, text=text, html=html)
