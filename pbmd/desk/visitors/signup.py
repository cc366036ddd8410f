"""JOIN: a newcomer asks for a seat by mail, and gets it when a reply from the address has confirmed it, or is one itself."""

from dataclasses import dataclass, replace
from typing import Any

from pbmd.desk.books.attendance import played_by
from pbmd.desk.books.holders import known_to_rules
from pbmd.desk.books.question_payloads import OfVisitor
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.changes.new_game import Newcomer, add_seat, check_seat
from pbmd.desk.changes.openings.places import beginnings_of_seats, first_free, gives_later, list_words
from pbmd.desk.changes.openings.series import OverLimit, must_be_open, must_play_in_few, open_games
from pbmd.desk.changes.openings.standing_games import begin
from pbmd.desk.confirming.known_words import in_known_words, words_of, words_of_handbook
from pbmd.desk.deadlines.forecast import holders_words, limit_words
from pbmd.desk.deadlines.pace_text import deadlines_in_short, pace_words
from pbmd.desk.language.commands import Command
from pbmd.desk.language.own_name import shown_of_writer
from pbmd.desk.letter.opened_letter import Arrived
from pbmd.desk.mail.draft import REFUSAL, Draft, render, subject_before
from pbmd.desk.mail.queue import mail_to, mail_to_seat
from pbmd.desk.mail.rate_limits import answer_digest, refusals_left, request_text
from pbmd.desk.mail.tags import run_by
from pbmd.desk.mail.tokens import IN_NAMES
from pbmd.desk.step.dice_secrets import set_up_proof
from pbmd.desk.visitors.ask import Visit, answer_visitor, ask_visitor, asking
from pbmd.desk.visitors.code_shown import OUR_WORDS, brings_our_words, has_proof, proof_for
from pbmd.desk.visitors.listing import listing
from pbmd.desk.visitors.one_page import one_page
from pbmd.desk.visitors.signup_form import form_for_anybody, form_of, has_no_room, most_seats, to_copy, without_greetings
from pbmd.ledger.tables import GameStatus, Seat
from pbmd.post.addresses import folded
from pbmd.post.read.letter import Letter
from pbmd.rendering.vote_words import terms_words
from pbmd.rules.protocol import Line, Refused, Signup, Status, Verdict
from pbmd.rules.signups import as_signup
from pbmd.terms.seating import seating_words

MAX_NAME = 60
MAX_SETUP_LINES = 50
MAX_SETUP_CHARS = 200
REFUSED = "sign-up refused"
"""The note of a letter that asked for a seat in vain."""
_UNKNOWN_GAME = "no game of that name takes sign-ups here"


def join(work: Transaction, arrived: Arrived, command: Command, plays: bool) -> str:
    """Give the sender the seat if the letter shows that its address is theirs, else ask whether they want it, or answer why
    they cannot have it, with the sign-up that would be accepted. Returns the note for the letter, "" if the answer is a seat or
    a question, which tells somebody who `plays` how many lines of the letter were not read.

    Nobody gets the seat before their address is proven: else forged sign-ups could fill a game.
    """
    letter, newcomer = arrived.letter, Newcomer(arrived.letter.sender, arrived.letter.sender_name)
    table = _open_game(work, command.words["game"])
    later = table is not None and gives_later(table)
    name, wish, left = "", Signup(""), ()
    proven = has_proof(work, letter) and not brings_our_words(arrived.script)
    try:
        if table is None:
            raise Refused(_UNKNOWN_GAME)
        _must_be_readable(arrived, command)
        holder = known_to_rules(table, newcomer.holder, newcomer.address)
        wish = Signup("", command.body, holder)
        name = _named(arrived, command, table, later=later)
        wish = replace(wish, seat=name if later else name[:MAX_NAME])
        _must_have_room(work, table, letter.sender)
        wish, left = without_greetings(table, wish)
        _must_not_name_its_writer(table, wish, newcomer)
        _must_be_named(table, name)
        verdicts = check_seat(work, table, wish, newcomer)
    except Refused as refusal:
        tried = _Tried(wish, proven, over_limit=isinstance(refusal, OverLimit))
        return _refuse(work, arrived, table, str(refusal), tried)
    if any(verdict.status is Status.ERROR for verdict in verdicts):
        return _refuse(work, arrived, table, "something in your sign-up is not right", _Tried(wish, proven, verdicts))
    if table.ruleset.fixed_seats:
        name = verdicts[0].canonical
    if proven:
        if sentence := _seat(work, table, replace(asking(arrived), seat=name, lines=_kept(wish)), letter, arrived.id):
            told = render("told.txt", {"seat": "", "game": None, "sentence": sentence, "left_out": ()})
            answer_visitor(work, letter, arrived.id, "your sign-up", told, table)
        return ""
    words = {"unread": _unread(arrived, later=later) + len(left) if plays else 0}
    wish = replace(wish, seat=name)
    kept = replace(asking(arrived), seat=name, lines=_kept(wish))
    ask_visitor(work, "join", table, arrived, kept, {**words, **_question(work, table, wish)})
    return ""


_LIST = "prefer"


def _named(arrived: Arrived, command: Command, table: OpenGame, *, later: bool) -> str:
    """The seat that a JOIN asks for, or the first free one of a list behind it, or on a line of its own; where seats are given
    `later`, the list. Raises `Refused`."""
    seat = command.words.get("seat", "").strip()
    if seat and not later:
        return seat
    said = [each.words for each in arrived.script.commands if each.kind == _LIST]
    lists = (words.get("seat") or words.get("seats") or "" for words in (command.words, *reversed(said)))
    wanted = next(filter(None, lists), "").strip()
    return wanted if later or not wanted or not table.ruleset.fixed_seats else first_free(table, wanted)


def _must_be_named(table: OpenGame, name: str) -> None:
    """Raises `Refused` if a sign-up asks for no seat where one must be asked for."""
    if not gives_later(table) and (not name or len(name) > MAX_NAME):
        raise Refused(f"say which {table.ruleset.info.seat_word} you want to be")


def _unread(arrived: Arrived, *, later: bool) -> int:
    """How many lines of a letter are not read beside a JOIN."""
    lists = sum(each.kind == _LIST for each in arrived.script.commands) if later else 0
    return len(arrived.script.orders) + len(arrived.script.commands) - 1 - lists


def _question(work: Transaction, table: OpenGame, wish: Signup) -> dict[str, Any]:
    """What the question says of the game, and of what was asked for."""
    return {
        "wish": _shown(table, wish),
        "seating": seating_words(table.terms, table.ruleset.info.seat_word),
        "pace": deadlines_in_short(table),
        "seats": most_seats(table),
        "taken": len(table.seats),
        "host": work.desk.settings.server.name,
        "limit": limit_words(table.terms),
        "hidden": holders_words(table.terms),
    }


def _must_not_name_its_writer(table: OpenGame, wish: Signup, newcomer: Newcomer) -> None:
    """A sign-up must not have its writer's name in it where nobody may know who plays; words of the game are no name. Raises
    `Refused`."""
    if not table.terms.hides_holders:
        return
    known = words_of_handbook(table.ruleset.info.handbook)
    for text in (wish.seat, *(line.text.rpartition(":")[2] for line in wish.lines)):
        if shown := shown_of_writer(text, newcomer.holder, (newcomer.address,), known):
            raise Refused(
                f"in {table.game.name} nobody is to know who plays which {table.ruleset.info.seat_word} before the game is "
                f"over, and your sign-up has {shown} in it; choose another one"
            )


def _shown(table: OpenGame, wish: Signup) -> str:
    """What was asked for, in words of the game; a list that was understood has no others."""
    info = table.ruleset.info
    if gives_later(table):
        return f"would like, best first: {wish.seat}" if wish.seat else f"will take any {info.seat_word}"
    known = words_of_handbook(info.handbook) | beginnings_of_seats(table, words_of(wish.seat))
    return in_known_words("\n".join((wish.seat, *(line.text for line in wish.lines))), known)


def _open_game(work: Transaction, name: str) -> OpenGame | None:
    """The game with that name if it takes sign-ups, or the only one with the same letters and digits: strangers do not learn of
    any other whether it exists."""
    table = work.table_named(name)
    if table is not None and table.game.status is GameStatus.SIGNUP:
        return table
    alike = [each for each in open_games(work) if _bare(each) == _bare(name)]
    return work.table_named(alike[0]) if len(alike) == 1 else None


def _bare(name: str) -> str:
    return "".join(filter(str.isalnum, name.casefold()))


def _kept(signup: Signup) -> tuple[tuple[int, str], ...]:
    return tuple((line.number, line.text) for line in signup.lines)


def _must_be_readable(arrived: Arrived, command: Command) -> None:
    """The lines of a sign-up must be few and short, and contain no token. Raises `Refused`."""
    if len(command.body) > MAX_SETUP_LINES:
        raise Refused(f"a sign-up has at most {MAX_SETUP_LINES} lines, yours has {len(command.body)}")
    if (longest := max((len(line.text) for line in command.body), default=0)) > MAX_SETUP_CHARS:
        raise Refused(f"a line of a sign-up has at most {MAX_SETUP_CHARS} characters, yours has {longest}")
    if arrived.shows_token(command):
        raise Refused(f"your sign-up cannot be taken: {IN_NAMES}")


def take_seat(work: Transaction, visit: Visit) -> str:
    """Give the seat to somebody who has confirmed it, and welcome them; starts the game when its last seat is taken. Returns
    the sentence for the answer, "" if the welcome is the answer.

    The rules get the seats in the order in which their sign-ups arrived; the order of confirmation decides which are left.
    """
    table, kept = visit.table, visit.kept
    assert table is not None, "a sign-up is for a game"
    if table.game.status is GameStatus.FINISHED:
        return f"{table.game.name} is over, so you have no seat."
    if table.game.status is not GameStatus.SIGNUP:
        return (
            f"{table.game.name} has begun without you, so you have no seat. LIST names the games that take sign-ups; "
            "STANDBY ALL: we ask you when a seat in a running one becomes free."
        )
    return _seat(work, table, kept, visit.letter, visit.letter_id)


def _seat(work: Transaction, table: OpenGame, kept: OfVisitor, letter: Letter, letter_id: int) -> str:
    """Give the seat, and welcome its holder. Returns the sentence for the answer, "" if the welcome is the answer."""
    signup = Signup(kept.seat, tuple(Line(*line) for line in kept.lines))
    try:
        _must_have_room(work, table, kept.address)
        _must_have_met_enough(work, table, kept.address)
        verdicts = add_seat(work, table, signup, Newcomer(kept.address, kept.holder), joined_at=kept.asked_for)
    except Refused as refusal:
        return f"You have no seat: {refusal}."
    if wrong := [verdict.message for verdict in verdicts if verdict.status is Status.ERROR]:
        return f"You have no seat: {'; '.join(wrong)}. Send JOIN again with what is free still."
    _welcome(work, letter, letter_id, table, table.seats[-1])
    if 0 < table.terms.seats <= len(table.seats):
        begin(work, table)
    return ""


def _must_have_room(work: Transaction, table: OpenGame, address: str) -> None:
    if any(seat.address == folded(address) for seat in table.seats):
        raise Refused(f"you already have a seat in {table.game.name}")
    if has_no_room(table):
        name = table.game.name
        raise Refused(f"{name} is full; send STANDBY {name}, and we ask you when a seat in it becomes free")
    must_be_open(work, table)
    must_play_in_few(work, table, address)


def _must_have_met_enough(work: Transaction, table: OpenGame, address: str) -> None:
    """People with a proven address are told their own record; before that the question says only what the game requires. Raises
    `Refused`."""
    terms, played = table.terms, played_by(work, address)
    if played.steps >= terms.min_met_after and not played.reaches(terms.min_met):
        raise Refused(
            f"{table.game.name} asks for at least {terms.min_met} % of turns met here, and you have met {played.met} of "
            f"{played.steps}; each turn that you meet in another game counts, and LIST names those that are open"
        )


@dataclass(frozen=True, slots=True)
class _Tried:
    """A sign-up that gave no seat, whether its address was proven, what the rules say about it, and whether a limit stands
    against it whatever they say."""

    signup: Signup
    proven: bool
    verdicts: tuple[Verdict, ...] = ()
    over_limit: bool = False


def _without_words_of(tried: _Tried, table: OpenGame) -> tuple[Verdict, ...]:
    """The verdicts with "…" for each word of the sign-up that its game does not have: with a forged sender the answer would
    carry a stranger's words to a victim."""
    theirs = words_of("\n".join((tried.signup.seat, *(line.text for line in tried.signup.lines))))
    known = words_of_handbook(table.ruleset.info.handbook) | beginnings_of_seats(table, theirs)
    return tuple(
        Verdict(
            each.line,
            in_known_words(each.text, known),
            each.status,
            in_known_words(each.message, known | (words_of(each.message) - theirs)),
        )
        for each in tried.verdicts
    )


def _welcome(work: Transaction, letter: Letter, letter_id: int, table: OpenGame, seat: Seat) -> None:
    values = {
        "game": table.game,
        "info": table.ruleset.info,
        "seat": seat.name,
        "seating": seating_words(table.terms, table.ruleset.info.seat_word),
        "wishes": list_words(table, seat) if gives_later(table) else "",
        "taken": len(table.seats),
        "seats": table.terms.seats,
        "page": one_page(table.ruleset.info.handbook),
        "pace": " ".join(filter(None, (pace_words(table), terms_words(table.terms, table.ruleset.info.votes)))),
        "sequential": table.ruleset.sequential,
        "press": table.terms.press,
        "hidden": table.terms.hides_holders,
        "run_by": run_by(work.desk.settings.server),
    }
    draft = Draft(
        "acknowledgement",
        f"acknowledgement {letter_id}",
        subject_before(table, "welcome" if gives_later(table) else f"welcome, {seat.name}"),
        render("welcome.txt", values),
        answers=letter.message_id,
        digest=answer_digest(request_text(letter), f"welcome {table.game.name} {seat.name}"),
        proof=set_up_proof(table, seat),
    )
    mail_to_seat(work, table, seat, draft)


def _refuse(work: Transaction, arrived: Arrived, table: OpenGame | None, reason: str, tried: _Tried) -> str:
    """Say why there is no seat, and what would be accepted; a stranger learns what the sign-up rules say, never who plays or
    from which address. Returns the note for the letter."""
    letter, to_send = arrived.letter, ""
    if tried.over_limit:
        return _stop(work, arrived, table, reason, proven=tried.proven)
    if table is None:
        to_send = listing(work)
    elif not has_no_room(table):
        form = form_of(table, tried.signup) if tried.proven else form_for_anybody(table, tried.signup)
        newcomer = Newcomer(letter.sender, letter.sender_name)
        to_send = to_copy(table, form if _is_right(work, table, as_signup(form), newcomer) else form_of(table))
    verdicts = tried.verdicts if tried.proven or table is None else _without_words_of(tried, table)
    last = not tried.proven and refusals_left(work, letter.sender) == 1
    values = {"reason": reason, "verdicts": verdicts, "to_send": to_send, "last": last, "open": table is not None}
    values["our_words"] = OUR_WORDS
    given = answer_digest(request_text(letter), f"refused {reason} {verdicts}")
    return _answer_in_vain(work, arrived, table, render("refused_signup.txt", values), given, proven=tried.proven)


def _is_right(work: Transaction, table: OpenGame, wish: Signup, newcomer: Newcomer) -> bool:
    """Whether a sign-up would be taken, as far as it depends on its words."""
    try:
        _must_not_name_its_writer(table, wish, newcomer)
        return not any(verdict.status is Status.ERROR for verdict in check_seat(work, table, wish, newcomer))
    except Refused:
        return False


def _stop(work: Transaction, arrived: Arrived, table: OpenGame | None, reason: str, *, proven: bool) -> str:
    """Say which limit stands against a sign-up, and no more: once an hour at most, whatever the letters say. Returns the
    note."""
    told = render("told.txt", {"seat": "", "game": None, "sentence": f"You have no seat: {reason}.", "left_out": ()})
    return _answer_in_vain(work, arrived, table, told, answer_digest("", f"stopped {reason}"), proven=proven)


def _answer_in_vain(work: Transaction, arrived: Arrived, table: OpenGame | None, text: str, given: str, *, proven: bool) -> str:
    """Answer a letter that asked for a seat in vain; `given` is the digest of the answer. Returns the note for the letter."""
    letter, kind = arrived.letter, "acknowledgement" if proven else REFUSAL
    title, key = "[pbmd] your sign-up", f"refusal {arrived.id}"
    draft = Draft(kind, key, title, text, answers=letter.message_id, digest=given)
    mail_to(work, letter.sender, draft, table, proof_for(work, letter.sender))
    work.log("refused", table, detail=f"sign-up by letter {arrived.id}")
    return REFUSED
