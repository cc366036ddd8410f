"""What a host does who gives or takes time and keeps back what tells it, waits though all is in, hands reports over late, drops
or alters letters of which the player has a copy, or moves house to undo a turn."""

import re
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from email.utils import format_datetime
from unittest.mock import patch

from pbmd.archive.format.entries import read_entries
from pbmd.desk.books.desk import mailbox_name
from pbmd.desk.changes import deadline_changes, quiet_days
from pbmd.desk.changes.gm import eject
from pbmd.desk.changes.options import set_option
from pbmd.desk.changes.pauses import pause, resume
from pbmd.desk.changes.peek import peek
from pbmd.desk.due.outages import note_unreadable
from pbmd.desk.imports import game as imports
from pbmd.desk.ingest import _note_reading
from tests.archive.cheats import hosts, what_comes_back
from tests.archive.cheats.hosts import first_mail, forged, instead
from tests.archive.cheats.played import (
    CHEATED,
    DAY,
    FRIEND,
    GAME,
    LOOKS_ON,
    MINUTE,
    MOVES,
    SEATS,
    Evidence,
    Move,
    Played,
    deadline,
    fills,
    mails_of,
    sends,
)
from tests.archive.cheats.rewritten import rewritten
from tests.archive.made import export
from tests.desk.world import SteadyEntropy, World

HOUR = timedelta(hours=1)


def _untold(evidence: Evidence, *subjects: str) -> Evidence:
    """Without the mails that have any of these in their subject."""

    def is_kept(raw: bytes) -> bool:
        head = re.sub(r"\r?\n[ \t]", " ", raw.decode().partition("\r\n\r\n")[0])
        title = re.search(r"^Subject: (.*)$", head, re.MULTILINE)
        return title is None or not any(each in title[1] for each in subjects)

    return replace(evidence, mails={seat: tuple(filter(is_kept, mails)) for seat, mails in evidence.mails.items()})


def _act(played: Played, act: Callable[[World], object], *subjects: str) -> Evidence:
    """The game master does something in turn 2, before Cygnus comes late."""

    def move(world: World) -> None:
        act(world)
        MOVES["c2"](world)

    return _untold(played.again("c2", c2=move), *subjects)


# Words of the game master


def adds_a_holiday(played: Played) -> Evidence:
    def move(world: World) -> None:
        world.act(GAME, quiet_days.add_holiday, (world.now + DAY).date().isoformat())
        world.now = deadline(world) - DAY + 10 * MINUTE
        world.send(FRIEND, "Add 9")

    return _untold(played.again("c2", c2=move), "quiet days")


def gives_the_friend_time(played: Played) -> Evidence:
    def move(world: World) -> None:
        def act(work: imports.Transaction, table: imports.OpenGame) -> None:
            deadline_changes.extend(work, table, 2 * DAY, "the game master", seat=table.seat(FRIEND))

        world.act(GAME, act)
        world.now = deadline(world) + DAY
        world.send(FRIEND, "Add 9")

    return _untold(played.again("c2", c2=move), "has 2 days more")


def stops_the_clock(played: Played) -> Evidence:
    def act(world: World) -> None:
        world.act(GAME, pause, "a storm")
        world.now += DAY
        world.act(GAME, resume)

    return _act(played, act, "is paused", "has resumed")


def says_nothing_of_a_peek(played: Played) -> Evidence:
    return _act(played, lambda world: world.act(GAME, lambda work, table: peek(work, table, table.seat(CHEATED))), "looked at")


def says_nothing_of_an_option(played: Played) -> Evidence:
    return _act(played, lambda world: world.act(GAME, set_option, "target", "61"), "an option of the game")


def says_nothing_of_an_absence(played: Played) -> Evidence:
    return _act(played, lambda world: world.send(LOOKS_ON, "ABSENT FROM 2026-12-24 TO 2026-12-28"), "is away")


def says_nothing_of_a_return(played: Played) -> Evidence:
    def act(world: World) -> None:
        world.send(LOOKS_ON, "ABSENT FROM 2026-12-24 TO 2026-12-28")
        world.send(LOOKS_ON, "CANCEL ABSENCE")

    return _act(played, act, "is not away")


def says_nothing_of_an_ejection(played: Played) -> Evidence:
    def act(world: World) -> None:
        world.act(GAME, lambda work, table: eject(work, table, table.seat(LOOKS_ON)))

    return _untold(played.again("a3", a3=act), "is empty", "no more")


# Outages, and more time by players


def _breaks_off(world: World, *during: Move) -> None:
    """The mailbox cannot be read from five hours before the deadline on, and an hour longer for each letter that comes."""
    world.now = deadline(world) - 5 * HOUR
    note_unreadable(world.desk)
    for move in during:
        world.now += HOUR
        move(world)
    world.now += HOUR
    _note_reading(world.desk, mailbox_name(world.desk), world.now)
    world.now = deadline(world) - HOUR
    world.send(FRIEND, "Add 9")


def gives_days_for_an_hour(played: Played) -> Evidence:
    def move(world: World) -> None:
        with patch("pbmd.desk.due.outages.deadline_after_outage", lambda _table, _span, at: at + 10 * DAY):
            _breaks_off(world)

    return played.again("c2", c2=move)


def makes_an_outage_up(played: Played) -> Evidence:
    """Letters are answered all the time."""
    return played.again("c2", c2=lambda world: _breaks_off(world, sends(CHEATED, "Add 6")))


def lets_the_friend_take_time(played: Played) -> Evidence:
    def move(world: World) -> None:
        with patch("pbmd.desk.player.commands.extension_budget", lambda *_: 30 * DAY):
            world.send(FRIEND, "EXTEND 5 days")
        world.now = deadline(world) - HOUR
        world.send(FRIEND, "Add 9")
        world.pass_time(20 * MINUTE)

    return played.again("c2", c2=move)


# When


def waits_though_all_are_in(played: Played) -> Evidence:
    """All orders are in; the host looks two days later. What Cygnus sends in between counts for no turn any more."""

    def move(world: World) -> None:
        MOVES["a3"](world)
        world.now += 2 * DAY
        world.send(FRIEND, "Add 5")

    return played.again("a3", a3=move)


def waits_for_the_friend(played: Played) -> Evidence:
    """All orders are in; two days later Cygnus sends others, which a pbmd of the host's own takes."""

    def move(world: World) -> None:
        MOVES["a3"](world)
        world.now += 2 * DAY
        with patch("pbmd.desk.deadlines.awaiting._is_step_due", lambda *_: False):
            world.send(FRIEND, "Add 5")

    return played.again("a3", a3=move)


def hands_a_report_over_late(played: Played) -> Evidence:
    """The report of turn 1, of Friday, gets to the mail server of Borealis an hour before the deadline on Monday."""
    raw = first_mail(played.mails, "Turn 1: what happened")
    line = b"Received: from pbmd.test by mx.players.test with ESMTP; Mon, 23 Nov 2026 11:31:00 +0000\r\n"
    own = b"Received: from localhost by mail.pbmd.test with ESMTP; Fri, 20 Nov 2026 12:31:00 +0000\r\n"
    return Evidence(played.archive, instead(played.mails, raw, line + own + raw))


# Letters of which the player has a copy


def _letter(played: Played) -> bytes:
    with played.gone_back("b2") as world:
        MOVES["b2"](world)
        return world.letters()[-1].raw


def _with_letter(played: Played, host: hosts.Host, letter: Callable[[], bytes] | None = None) -> Evidence:
    evidence = host(played)
    sent = letter() if letter else _letter(played)
    return replace(evidence, mails={**evidence.mails, CHEATED: (*evidence.mails[CHEATED], sent)})


def drops_a_kept_letter(played: Played) -> Evidence:
    return _with_letter(played, hosts.drops_before_intake)


def drops_a_kept_letter_and_gives_thanks_for_it(played: Played) -> Evidence:
    evidence = drops_a_kept_letter(played)
    told = re.search(rb"(?m)^Message-ID: (<letter\S+>)", _letter(played))
    assert told is not None
    answer = re.sub(rb"(?m)^In-Reply-To: .*\r\n", b"In-Reply-To: " + told[1] + b"\r\n", first_mail(evidence.mails, "voted"))
    thanks = "Thank you, Borealis. Your mail has arrived."
    page = re.compile(r"(?s)<h1.*</p>|<p.*</p>")
    made_up = rewritten(
        answer, lambda _: f"{thanks}\n", lambda text: page.sub(f"<p>{thanks}</p>", text, count=1), drops_file=True
    )
    return replace(evidence, mails={**evidence.mails, CHEATED: (*evidence.mails[CHEATED], made_up)})


def alters_a_kept_letter(played: Played) -> Evidence:
    return _with_letter(played, hosts.alters_before_intake)


def drops_the_word_of_a_kept_letter(played: Played) -> Evidence:
    return _with_letter(played, what_comes_back.drops_a_word_before_intake)


def exchanges_the_word_of_a_kept_letter(played: Played) -> Evidence:
    return _with_letter(played, what_comes_back.exchanges_a_word_before_intake)


def _of_move(name: str, wrote: Move, came: Move, **others: Move | None) -> hosts.Host:
    """Borealis wrote one letter, of which there is a copy, and pbmd sees another."""

    def host(played: Played) -> Evidence:
        with played.gone_back(name) as world:
            wrote(world)
            sent = world.letters()[-1].raw
        gone_on = played.again(name, **{name.replace(" ", "_"): came}, **others)
        return _with_letter(played, lambda _: gone_on, lambda: sent)

    return host


def cuts_the_word_of_a_kept_letter(played: Played) -> Evidence:
    return _of_move("b2", MOVES["b2"], fills(CHEATED, "Add 6", word="to be"))(played)


def makes_one_order_of_six(played: Played) -> Evidence:
    return _of_move("b2", fills(CHEATED, *["Add 1"] * 6), fills(CHEATED, "Add 1"))(played)


def turns_two_orders_round(played: Played) -> Evidence:
    return _of_move("b2", fills(CHEATED, "Add 6", "Add 3"), fills(CHEATED, "Add 3", "Add 6"))(played)


def strikes_an_order_out_of_a_kept_letter(played: Played) -> Evidence:
    return _of_move("b2", sends(CHEATED, "Add 6\nAdd 3"), sends(CHEATED, "Add 6"))(played)


def alters_the_press_of_a_kept_letter(played: Played) -> Evidence:
    press = f"PRESS TO {LOOKS_ON}\n{{}}\nEND PRESS"
    wrote, came = (sends(CHEATED, f"Add 6\n{press.format(each)}") for each in ("Beware of Cygnus.", "Trust Cygnus."))
    return _of_move("b2", wrote, came)(played)


def drops_the_press_of_a_kept_letter(played: Played) -> Evidence:
    wrote = sends(CHEATED, f"Add 6\nPRESS TO {LOOKS_ON}\nBeware of Cygnus.\nEND PRESS")
    return _of_move("b2", wrote, sends(CHEATED, "Add 6"))(played)


def strikes_wait_out_of_a_kept_letter(played: Played) -> Evidence:
    return _of_move("b2", sends(CHEATED, "Add 6\nWAIT"), sends(CHEATED, "Add 6"))(played)


def strikes_a_ballot_out_of_a_kept_letter(played: Played) -> Evidence:
    return _of_move("vote b", sends(CHEATED, "VOTE 1 YES\nRECORD"), sends(CHEATED, "RECORD"))(played)


def turns_the_ballot_of_a_kept_letter_round(played: Played) -> Evidence:
    return _of_move("vote b", MOVES["vote b"], sends(CHEATED, "VOTE 1 NO"), vote_c=sends(FRIEND, "VOTE 1 NO"))(played)


def postdates_a_kept_letter(played: Played) -> Evidence:
    """Borealis wrote on Friday; pbmd sees it as of after the deadline."""
    written, sent = format_datetime(played.kept["b2"].now), list[bytes]()

    def too_late(world: World) -> None:
        hosts.late(world)
        world.send(CHEATED, "Add 6", at=deadline(world) + 5 * MINUTE, headers={"Date": written})
        sent.append(world.letters()[-1].raw)

    return _with_letter(played, lambda played: played.again("b2", b2=None, c2=too_late), lambda: sent[0])


# Another house


def goes_on(played: Played, turn: int) -> Evidence:
    """The game goes on at another host, from the beginning of a turn, as it stood in turn 3."""
    with closing(World(played.room())) as here:
        entropy = SteadyEntropy()
        entropy.drawn = 7000
        here.desk = replace(here.desk, entropy=entropy)
        with played.gone_back("c3") as world:
            old, here.now, before = export(world, played.room() / "old"), world.now + DAY, mails_of(world)
        with here.work() as work:
            imports.go_on(work, lambda: read_entries(old / "data" / "journal.jsonl"), turn)
        for seat, order in zip(SEATS, ("Add 2", "Add 6", "Add 9"), strict=True):
            here.now += 7 * MINUTE
            here.send(seat, order)
        here.pass_time(30 * MINUTE)
        since = mails_of(here)
        archive = export(here, played.room() / "new", signed=True)
    return Evidence(archive, {seat: (*before[seat], *since[seat]) for seat in SEATS})


def moves_house_to_undo_a_turn(played: Played) -> Evidence:
    return goes_on(played, 2)


def begins_two_games(played: Played) -> Evidence:
    """Altair and Borealis are in two games of one name from the beginning."""
    other = played.again("begins", luck=3)
    return Evidence(played.archive, {**played.mails, CHEATED: other.mails[CHEATED]})


def opens_another_old_entry(played: Played) -> Evidence:
    """The game goes on from the beginning of turn 3, and the entry of the old journal is not what it was."""

    def change(entries: hosts.Entries) -> None:
        entry = next(entry for entry in entries if entry["kind"] == "imported")
        entry["secret"]["opened"]["public"]["turn"] = 1

    return forged(played, change, goes_on(played, 3))
