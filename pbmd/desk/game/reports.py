"""The reports of a step, to whoever gets one."""

from collections.abc import Mapping
from typing import Any

from pbmd.desk.books.tick import START, Taken, Tick
from pbmd.desk.books.work import Table, Work
from pbmd.desk.game.chance import commitment_of, own_salt
from pbmd.desk.game.maps import report_map
from pbmd.desk.game.press import take_waiting
from pbmd.desk.game.watchers import send_public
from pbmd.desk.mail.clock_words import clock_words
from pbmd.desk.mail.draft import Draft, render, subject
from pbmd.desk.mail.queue import mail_to_seat
from pbmd.desk.mail.tags import mark_line
from pbmd.ledger.tables import Report, Seat, SeatState, step_words
from pbmd.reports.render import report_html, report_text
from pbmd.rules.protocol import PUBLIC, seat_reader

_NAMED = 3
"""Of more moves the subject gives only the number."""


def report_all(work: Work) -> None:
    """Report what was carried out and is not reported yet, in whichever games: one mail to each seat."""
    for game_id in [*work.ticks]:
        send_reports(work, work.table(game_id), work.ticks.pop(game_id))


def send_reports(work: Work, table: Table, tick: Tick) -> None:
    """Render and keep a report for every seat and the public, of the position of the tick, and mail it to the seats that are
    played."""
    game, rules, position = table.game, table.ruleset, tick.position
    awaiting = set(rules.awaiting(position))
    press = take_waiting(work, table)
    for seat in table.seats:
        view = rules.view(position, tick.events, seat_reader(seat.name))
        form = rules.order_form(position, seat.name) if seat.name in awaiting and tick.outcome is None else ""
        taken = tick.taken.get(seat.number, Taken(""))
        values: dict[str, Any] = {
            "game": game,
            "seat": seat.name,
            "title": rules.info.title,
            "reported": step_words(tick.turn, tick.name),
            "first": tick.step == START,
            "sequential": rules.sequential,
            "moved": "; ".join(tick.moved),
            "taken": taken.text,
            "outcome": tick.outcome,
            "body": report_text(rules, view),
            "press": press.get(seat.name, ""),
            "receipts": [*([] if taken.text else tick.receipts.get(seat.number, [])), *tick.away.get(seat.number, [])],
            "mark": mark_line(work, seat),
            "form": form,
            "commitment": commitment_of(table),
            "secret": tick.secret.hex() if tick.step != START else "",
            "salt": own_salt(table, seat),
            # The number of entries tells how many letters of others came.
            "numbers_told": table.terms.who_has_sent != "nothing",
            **clock_words(table, seat, work.now),
        }
        text = render("report.txt", values)
        mailed = seat.state is SeatState.ACTIVE
        picture = report_map(work, table, view, mailed=mailed)
        # What is kept gets into the archive, where the terms say which press may be.
        html = render("report.html", values | {"body": report_html(rules, view, picture.kept), "press": "", "salt": ""})
        _keep(work, table, tick, f"seat:{seat.number}", values["body"], html)
        if mailed:
            if picture.kept or values["press"] or values["salt"]:
                html = render("report.html", values | {"body": report_html(rules, view, picture.shown)})
            key = f"report {table.id} {tick.step} {seat.number}"
            words = subject(table, _headline(table, seat, tick, values))
            draft = Draft(
                "report", key, words, text, html, taken.answers, inline=picture.inline, attachments=picture.attachments
            )
            mail_to_seat(work, table, seat, draft)
    view = rules.view(position, tick.events, PUBLIC)
    picture = report_map(work, table, view, mailed=False)
    text = report_text(rules, view)
    _keep(work, table, tick, "public", text, report_html(rules, view, picture.kept))
    send_public(work, table, tick, text)


def _headline(table: Table, seat: Seat, tick: Tick, words: Mapping[str, Any]) -> str:
    """What the report is about, for this seat."""
    if tick.outcome is not None:
        return f"report of {words['reported']}: the game is over"
    if tick.step == START:
        return f"the game begins: {table.game.step_words}"
    if not table.ruleset.sequential:
        return f"report of {words['reported']}" + (f"; orders for {table.game.step_words}, please" if words["form"] else "")
    if words["form"]:
        until = f", until {words['deadline']}" if words["deadline"] else ""
        return f"{seat.name}: your move in {table.game.step_words}{until}"
    moved = tick.moved if len(tick.moved) <= _NAMED else [f"{len(tick.moved)} moves"]
    return "; ".join([*moved, *([f"{words['who']} {words['are']} to move"] if words["who"] else [])])


def _keep(work: Work, table: Table, tick: Tick, reader: str, text: str, html: str) -> None:
    work.add(Report, game_id=table.id, step=tick.step, turn=tick.turn, reader=reader, text=text, html=html)
