"""What a host does behind words that are honest and not compared, or in place of a few words of a mail that is true else."""

import re
from collections.abc import Callable
from typing import Any

from pbmd.desk.changes import deadline_changes, rollback
from pbmd.desk.changes.gm import eject
from pbmd.desk.changes.options import set_option
from pbmd.desk.changes.pauses import pause, resume
from pbmd.desk.votes.decide import veto
from tests.archive.cheats.hosts import first_mail, then
from tests.archive.cheats.played import (
    CHEATED,
    DAY,
    FRIEND,
    GAME,
    LOOKS_ON,
    MOVES,
    SEATS,
    VOTES,
    Evidence,
    Move,
    Played,
    World,
    fills,
    late,
    passes,
    sends,
)
from tests.archive.cheats.told_again import as_another
from tests.archive.cheats.whole_texts import Altered, Game

_ANSWER, _REPORT, _LAST = "t2] Borealis: orders in", "Turn 1: what happened", "the game is over"
_BESIDES, _LIE = "further words in 1 mail", "Altair has resigned."
_FILE, _NOT_ORDERS = "its file ", "the orders that it lists are not those of its digest"
_ENTRY = "The entry of which it tells is in the journal, for all to read."
_OF_HOST = "Such a mail proves nothing. Its words are those of the host."
_NO_REPORT = "its text is not that of any report in the books"
_OTHER_TEXT = "its text is not that of such a notice of entry"
_OTHER_WORDS = "its words are not those of the entry in the books"


def _instead(name: str, *moves: Move) -> Game:
    return lambda played: played.again(name, **{name.replace(" ", "_"): then(*moves)})


def _acts(act: Callable[..., Any], *args: Any) -> Game:
    def move(world: World) -> None:
        world.act(GAME, act, *args)

    return _instead("c2", move, late)


def _storm(world: World) -> None:
    world.act(GAME, pause, "a storm")
    world.now += DAY
    world.act(GAME, resume)


def _ejects(work: Any, table: Any) -> None:
    eject(work, table, table.seat(CHEATED))


_more_time = _acts(deadline_changes.extend, DAY, "the game master", "a storm")
_option = _acts(set_option, "target", "61", "too low")
_failed = _instead("vote b", sends(CHEATED, "VOTE 1 NO"), sends(FRIEND, "VOTE 1 NO"), passes(2 * DAY))
_stopped = _instead("vote b", lambda world: world.act(GAME, veto, 1, "a storm"))


def _failed_in_the_open(played: Played) -> Evidence:
    def begins(world: World) -> None:
        world.start(GAME, SEATS, {"target": 60}, ruleset="count", reminders=(), vote_ballots="open", **VOTES)

    return played.again("begins", begins=begins, vote_b=sends(CHEATED, "VOTE 1 NO"))


def _taken_back(played: Played) -> Evidence:
    def back(world: World) -> None:
        world.act(GAME, rollback.roll_back, 2, "a mistake")

    again = then(passes(5 * DAY), *(MOVES[name] for name in ("c3", "b3", "a3")), passes())
    return played.again("vote a", vote_a=back, vote_b=None, vote_c=None, turn_3=again)


def sends_press_again(played: Played) -> Evidence:
    """As if its writer had written it once more, a day later."""
    raw = as_another(first_mail(played.mails, "press from"))
    again = re.sub(rb"(?m)^Date: .*\r$", b"Date: Sat, 21 Nov 2026 12:51:00 +0000\r", raw, count=1)
    return Evidence(played.archive, {**played.mails, CHEATED: (*played.mails[CHEATED], again)})


brings_an_older_head_back = Altered(
    "brings_an_older_head_back_in_a_list",
    "writes an older head into the list that an answer gives back",
    _ANSWER,
    r"^(#orders - \S+) \S+",
    r"\1 5.aaaaaaaaaaaaaaaaaaaa",
    "two histories",
    "text",
    found=True,
).host


ROWS = (
    Altered(
        "says_that_orders_are_not_cancelled",
        "says that orders are not cancelled which are",
        "are cancelled",
        "are cancelled",
        "are not cancelled",
        _BESIDES,
        "text",
        _instead("b2", fills(CHEATED, "Add 1"), sends(CHEATED, "CANCEL ORDERS"), MOVES["b2"]),
    ),
    Altered(
        "says_that_press_was_refused",
        "says that press was refused which went out",
        "Your message went",
        "went to",
        "was refused by",
        _BESIDES,
        "text",
        _instead("press", sends(CHEATED, f"PRESS TO {LOOKS_ON}\nHi.\nEND PRESS")),
    ),
    Altered(
        "says_that_orders_are_in_among_games",
        "says in the answer to LIST that a player has resigned",
        "Borealis: games",
        "GAMES",
        f"GAMES {_LIE}",
        _LIE,
        "text",
        _instead("b2", sends(CHEATED, "LIST"), MOVES["b2"]),
        left=_OF_HOST,
    ),
    Altered(
        "adds_behind_what_an_option_does",
        "adds a sentence behind what an option does",
        "an option of the game",
        r"23 h\.",
        f"23 h. {_LIE}",
        _LIE,
        game=_option,
        left=_ENTRY,
    ),
    Altered(
        "says_otherwise_what_an_option_does",
        "says otherwise what an option does",
        "an option of the game",
        "first wins",
        "first loses",
        "first loses",
        game=_option,
        left=_ENTRY,
    ),
    Altered(
        "says_that_fewer_may_vote",
        "says that fewer may vote, who must all agree",
        "vote 1 has begun",
        "2 of the 3 players",
        "All 2 players",
        "it says that 2 may vote",
        left=_ENTRY,
    ),
    Altered(
        "says_otherwise_what_a_failed_vote_does",
        "says otherwise what follows from a vote that has failed",
        "has failed",
        "Nothing changes",
        "The turn ends at once",
        _OTHER_TEXT,
        game=_failed,
        found=True,
    ),
    Altered(
        "says_that_a_failed_vote_passed",
        "says that a vote has passed below a headline that it has failed",
        "has failed",
        "has not passed",
        "has passed",
        _OTHER_TEXT,
        game=_failed,
        found=True,
    ),
    Altered(
        "tells_other_ballots_of_a_failed_vote",
        "says that others have voted for and against what has failed, where all may know",
        "has failed",
        "No: Borealis and Cygnus",
        "No: Borealis",
        _OTHER_TEXT,
        game=_failed_in_the_open,
        found=True,
    ),
    Altered(
        "calls_a_failed_vote_stopped",
        "calls a vote stopped that has failed",
        "has failed",
        "vote 1 has failed",
        "vote 1 is stopped",
        "no entry in the books says it",
        game=_failed,
        found=True,
    ),
    Altered(
        "gives_another_reason_for_a_veto",
        "gives another reason why a vote was stopped",
        "is stopped",
        "a storm",
        "Borealis asked for it",
        _OTHER_WORDS,
        game=_stopped,
        found=True,
    ),
    Altered(
        "names_another_end_of_a_vote",
        "names another day on which a vote ends",
        "vote 1 has begun",
        "Thu 26 Nov 2026 12:58",
        "Fri 27 Nov 2026 12:58",
        _OTHER_WORDS,
        found=True,
    ),
    Altered(
        "gives_another_reason_for_a_pause",
        "gives another reason for a pause",
        "is paused",
        "a storm",
        "Borealis is late",
        _OTHER_WORDS,
        game=_instead("c2", _storm, MOVES["c2"]),
        found=True,
    ),
    Altered(
        "names_other_days_of_an_absence",
        "names another day until which a player is away",
        "is away",
        "28 Dec",
        "27 Dec",
        _OTHER_WORDS,
        game=_instead("b2", sends(LOOKS_ON, "ABSENT FROM 2026-12-24 TO 2026-12-28"), MOVES["b2"]),
        found=True,
    ),
    Altered(
        "says_that_who_was_ejected_resigned",
        "tells a player whom the game master ejected that they resigned",
        "no more",
        "The game master has taken the seat from you",
        "You have resigned",
        "its text is not that of such a notice",
        game=_instead("c3", lambda world: world.act(GAME, _ejects), MOVES["c3"]),
        found=True,
    ),
    Altered(
        "says_that_another_turn_is_played_again",
        "says that another turn is played again",
        "is played again",
        "turn 2",
        "turn 1",
        "no entry in the books says it",
        "text",
        _taken_back,
        found=True,
    ),
    Altered(
        "says_in_a_notice_that_it_is_of_another_turn",
        "says in a notice of more time that it is of the turn before",
        "is 1 day later",
        "turn 2:",
        "turn 1:",
        "no entry says it in turn 1",
        "text",
        _more_time,
        left=_ENTRY,
    ),
    Altered(
        "writes_below_many_empty_lines",
        "writes a sentence below many empty lines",
        _ANSWER,
        r"and when\.",
        "and when." + "\n" * 60 + _LIE,
        _LIE,
        "text",
    ),
    Altered(
        "signs_a_notice_with_another_word",
        "adds a sentence below a notice, as a signature",
        "is 1 day later",
        r"23 h\.",
        f"23 h.\n\n-- \n{_LIE}",
        _LIE,
        game=_more_time,
        left=_ENTRY,
    ),
    Altered(
        "puts_a_footer_below_a_notice",
        "adds a sentence below a notice, as a list does",
        "is 1 day later",
        r"23 h\.",
        f"23 h.\n____\n{_LIE}\n",
        _LIE,
        "text",
        _more_time,
        left=_ENTRY,
    ),
    Altered(
        "calls_a_notice_void_above_it",
        "says above a notice that it is void, as a gateway does",
        "is 1 day later",
        r"\A",
        "[EXTERNAL] The game master took it back.\n\n",
        "took it back",
        "text",
        _more_time,
        left=_ENTRY,
    ),
    Altered(
        "writes_a_name_in_other_letters",
        "writes the name of a writer of press with a letter of another alphabet",
        "press from Altair",
        "From: A",
        "From: \u0410",
        "no press with these words from this writer",
        found=True,
    ),
    Altered(
        "writes_orders_in_other_letters",
        "lists orders with a letter of another alphabet",
        _ANSWER,
        "^  A",
        "  \u0410",
        _NOT_ORDERS,
        found=True,
    ),
    Altered(
        "turns_letters_round",
        "lists orders with letters that turn round what is seen",
        _ANSWER,
        "^  Add 6",
        "  \u202e6 ddA\u202c",
        _NOT_ORDERS,
        found=True,
    ),
    Altered(
        "strikes_orders_through",
        "lists orders struck through",
        _ANSWER,
        "^  Add 6",
        "  A\u0336d\u0336d\u0336 6\u0336",
        _NOT_ORDERS,
        found=True,
    ),
    Altered(
        "writes_letters_that_nobody_sees",
        "passes press on with letters in it that nobody sees",
        "press from Altair",
        "Beware",
        "Beware\U000e0041\U000e0042",
        "no press with these words from this writer",
        found=True,
    ),
    Altered(
        "says_that_press_went_to_more",
        "says that press went to another player, too",
        "press from Altair",
        "To:   Borealis",
        "To:   Borealis, Cygnus",
        "entry 10 has it to Borealis",
        found=True,
    ),
    Altered(
        "ends_an_order_form_in_other_words",
        "writes another end under the order form",
        _REPORT,
        "^#end",
        "#End of it",
        "beside the report it says",
    ),
    Altered(
        "names_another_game_in_an_answer",
        "names another game in the file beside an answer",
        _ANSWER,
        "of galaxy-7",
        "of galaxy-8",
        _FILE,
        "file",
    ),
    Altered(
        "names_another_winner",
        "names another who has won in the last report alone",
        _LAST,
        "Winner: Altair",
        "Winner: Cygnus",
        "what stands above the report",
        left=_ENTRY,
    ),
    Altered(
        "says_otherwise_why_it_is_over",
        "says otherwise in the last report why the game is over",
        _LAST,
        "the target was reached",
        "the game master ended it",
        "what stands above the report",
        left=_ENTRY,
    ),
    Altered(
        "sends_a_report_again_as_another",
        "sends the report of one turn again as that of another",
        "report of turn 1",
        "^REPORT OF TURN 1",
        "REPORT OF TURN 2",
        _NO_REPORT,
        "text",
        _instead("b3", sends(CHEATED, "REPORT 1"), MOVES["b3"]),
    ),
    Altered(
        "alters_a_report_that_is_sent_again",
        "alters a report that is sent again",
        "report of turn 1",
        "total 23",
        "total 22",
        _NO_REPORT,
        "text",
        _instead("b3", sends(CHEATED, "REPORT 1"), MOVES["b3"]),
    ),
)
"""Those in one mail."""
