"""The pages of the seats that a person plays, with what a mail does elsewhere: orders are sent, and the step is resolved, by a
button."""

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from http import HTTPStatus
from urllib.parse import parse_qs

from pbmd.desk.books.desk import Desk
from pbmd.desk.books.transaction import Transaction
from pbmd.desk.mail.tags import page_tag
from pbmd.desk.publish.archives import archive_of_seat
from pbmd.desk.seat_pages.check import check_orders
from pbmd.desk.seat_pages.last_report import seat_told
from pbmd.desk.seat_pages.seat_state import seat_now, seat_of, seat_of_link, seat_press
from pbmd.pages.public_server import NOT_FOUND, PublicSite, public_server
from pbmd.pages.seat_pages import Answer
from pbmd.pages.seat_render import render
from pbmd.pages.seat_source import SeatSource
from pbmd.pages.server import HOST
from pbmd.play.game import Delivered, PlayedGame, played_table
from pbmd.play.local_desk import text_of
from pbmd.post.tags import SeatNumber, write_tag
from pbmd.rendering.seat_now import OwnSeat, SeatNow

_TO_HOME = Answer(HTTPStatus.SEE_OTHER, location="./")


@dataclass
class PlaySite(PublicSite):
    """The pages, and what can be done on them. `played` is the game as it is now: another one after a load. Whoever does
    anything with it holds the `lock`: there is a terminal, too."""

    played: Callable[[], PlayedGame] = field(kw_only=True)
    lock: threading.RLock = field(kw_only=True)

    def seat_page(self, path: str, client: str, posted: bytes | None = None) -> Answer:
        """The answer to a request for a page of a seat, or for something to be done there."""
        with self.lock:
            game = self.played()
            self.source = _source(game)
            page, _, what = path.rpartition("/")
            act = _ACTS.get(what)
            if act is None or posted is None:
                return super().seat_page(path, client, posted)
            of = self.source.seat_of(page.rpartition("/")[2])
            return act(game, of, posted) if of else NOT_FOUND


@contextmanager
def pages(played: Callable[[], PlayedGame], lock: threading.RLock, port: int) -> Generator[Callable[[str], str]]:
    """Show the pages on this machine alone as long as the context is open, which gets what says the address of a seat's pages.
    Raises `OSError` when the port is taken."""
    site = PlaySite(_source(played()), HOST, played=played, lock=lock)
    with public_server(site, port) as web:
        shown = threading.Thread(target=web.serve_forever, name="web", daemon=True)
        shown.start()
        try:
            yield lambda seat: f"http://{HOST}:{web.server_address[1]}/s/{_tag(played(), seat)}/"
        finally:
            web.shutdown()
            shown.join()


def _tag(game: PlayedGame, seat: str) -> str:
    with Transaction(game.desk.desk, reads=True) as work:
        return write_tag(page_tag(work, played_table(work).seat(seat)))


def _source(game: PlayedGame) -> SeatSource:
    desk = game.desk.desk
    return SeatSource(
        engine=desk.engine,
        seat_of=partial(seat_of_link, desk),
        stands=partial(_stands, game),
        told=partial(seat_told, desk),
        press=partial(seat_press, desk),
        check=partial(check_orders, desk),
        archive=partial(archive_of_seat, desk),
    )


def _stands(game: PlayedGame, of: SeatNumber) -> SeatNow:
    """How things stand for a seat; without the deadline, which comes when somebody presses a button."""
    own = tuple(OwnSeat(seat, _tag(game, seat)) for seat in game.mine)
    return replace(seat_now(game.desk.desk, of), own_seats=own, deadline=None, left="", clock="")


def _name(desk: Desk, of: SeatNumber) -> str:
    with Transaction(desk, reads=True) as work:
        return seat_of(work, of)[1].name


def _send(game: PlayedGame, of: SeatNumber, posted: bytes) -> Answer:
    fields = parse_qs(posted.decode(errors="replace"), keep_blank_values=True, max_num_fields=4)
    orders = fields.get("orders", [""])[0].replace("\r\n", "\n")
    return _answered(game, of, game.write(_name(game.desk.desk, of), orders))


def _resolve(game: PlayedGame, _of: SeatNumber, _posted: bytes) -> Answer:
    game.resolve()
    return _TO_HOME


def _undo(game: PlayedGame, _of: SeatNumber, _posted: bytes) -> Answer:
    game.undo()
    return _TO_HOME


def _answered(game: PlayedGame, of: SeatNumber, mails: Sequence[Delivered]) -> Answer:
    """The page with the mails that a letter has caused."""
    told = [(each.seat, each.mail["Subject"], text_of(each.mail)) for each in mails]
    page = render("seat_answered.html.j2", stands=_stands(game, of), here="orders", mails=told)
    return Answer(HTTPStatus.OK, body=page.encode())


_ACTS: dict[str, Callable[[PlayedGame, SeatNumber, bytes], Answer]] = {"send": _send, "resolve": _resolve, "undo": _undo}
