"""What a host does who alters some words somewhere in a mail: in its text and its page, or in the file beside it. What a mail
with something to check says is compared as a whole, so of that each of these is at least told of."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from pbmd.desk.changes.pauses import pause, resume
from tests.archive.cheats.hosts import Host, first_mail, instead, then
from tests.archive.cheats.played import (
    CHEATED,
    DAY,
    FRIEND,
    GAME,
    LOOKS_ON,
    MOVES,
    SEATS,
    Evidence,
    Move,
    Played,
    World,
    deadline,
    fills,
    go_on,
    mails_of,
    passes,
    sends,
)
from tests.archive.cheats.rewritten import Change, rewritten, without_page
from tests.archive.made import export
from tests.desk.restored import restored
from tests.desk.world import address_of, opened

Game = Callable[[Played], Evidence]


def _as_played(played: Played) -> Evidence:
    return Evidence(played.archive, played.mails)


def _writes(*letters: str, name: str = "b2", seat: str = CHEATED) -> Game:
    """A seat sends letters before a move."""
    return lambda played: played.again(
        name, **{name.replace(" ", "_"): then(*(sends(seat, each) for each in letters), MOVES[name])}
    )


def _with_terms(*moves: Move, **terms: object) -> Game:
    """The game with other terms, in which this is done before the orders of Borealis in turn 2."""

    def begins(world: World) -> None:
        world.start("galaxy-7", SEATS, {"target": 60}, ruleset="count", **({"reminders": ()} | terms))

    nothing = dict.fromkeys(("vote_a", "vote_b", "vote_c"))
    return lambda played: played.again("begins", begins=begins, b2=then(*moves, MOVES["b2"]), **nothing)


def _waits_for_a_reminder(world: World) -> None:
    world.now = deadline(world) - DAY / 2
    world.pass_time(DAY / 24)


class Altered(NamedTuple):
    """A way to cheat: what the host does, and in the mail with this in its subject which words, as a regular expression, become
    which others: in its file alone, or in its text, with the page left out, if `where` says so; in which game; what compare
    says, and what is left. What is `found` is wrong by the books, or by the rest of the mail."""

    name: str
    does: str
    subject: str
    old: str
    new: str
    told: str
    where: str = "all"
    game: Game = _as_played
    left: str = "What counts is in the mail."
    found: bool = False

    @property
    def host(self) -> Host:
        """Who does so."""

        def host(played: Played) -> Evidence:
            evidence = self.game(played)
            found = first_mail(evidence.mails, self.subject)
            raw = without_page(found) if self.where == "text" else found
            pattern = re.compile(self.old.replace(" ", r"\s+"), re.MULTILINE)

            def change(text: str) -> str:
                return pattern.sub(self.new, text, count=1)

            in_file: Change = change if self.where == "file" else str
            in_mail: Change = str if self.where == "file" else change
            changed = rewritten(raw, in_mail, in_mail, in_file)
            assert changed != rewritten(raw), self.name
            return Evidence(evidence.archive, instead(evidence.mails, found, changed))

        host.__name__ = self.name
        return host


_ANSWER, _REPORT, _LIE = "t2] Borealis: orders in", "Turn 2: what happened", "Altair has resigned."
_BESIDES = "further words in 1 mail"
_LISTED = "not compared: the list that it gives back"
_NO_HEAD = "a signed head that is none"
_FILE = "its file "
_NOTHING = "Such a mail proves nothing. Its words are those of the host."
_TO_ALTAIR = f"PRESS TO {LOOKS_ON}\nHello.\nEND PRESS"
_SEEN = """There was a secret token in your words; an x stands for each of its letters and digits now.
Whoever has it can act for its seat, so leave such lines and addresses out of what others read. If anybody may have seen it,
send NEW TOKEN.

"""
_ONLY_YOU = "Only you know what you wrote."
_ENTRY = "The entry of which it tells is in the journal, for all to read."


def _refused_in_part(played: Played) -> Evidence:
    return played.again("b2", b2=fills(CHEATED, "Add 6", "Add nothing"))


def _restored(played: Played) -> Evidence:
    return played.again("a3", a3=then(restored, MOVES["a3"]))


def _paused(played: Played) -> Evidence:
    def stands(world: World) -> None:
        world.act(GAME, pause, "a storm")
        world.now += DAY
        world.act(GAME, resume, "it is over")

    return played.again("c2", c2=then(stands, MOVES["c2"]))


def _failed(played: Played) -> Evidence:
    votes = then(sends(CHEATED, "VOTE 1 NO"), sends(FRIEND, "VOTE 1 NO"), passes(2 * DAY), MOVES["vote b"])
    return played.again("vote b", vote_b=votes)


def _readdressed(played: Played) -> Evidence:
    """Borealis plays on from another address, with the mails to both."""
    new = "new@players.test"

    def moves(world: World) -> None:
        world.send(CHEATED, f"ADDRESS {new}")
        for each in (address_of(CHEATED), new):
            world.reply(world.questions(each)[-1], "YES", sender=each)

    with played.gone_back("c3") as world:
        go_on(world, "c3", {"c3": then(moves, MOVES["c3"]), "b3": sends(CHEATED, "Add 7", sender=new)})
        mails = tuple(opened(mail.raw) for mail in world.outbox() if mail.recipient in (new, address_of(CHEATED)))
        return Evidence(export(world, played.room() / "archive"), {**mails_of(world), CHEATED: mails})


ROWS: Sequence[Altered] = (
    Altered("adds_to_an_answer", "adds a sentence to an answer", _ANSWER, "Keep this mail", f"{_LIE} Keep this mail", _LIE),
    Altered(
        "adds_above_an_answer",
        "adds a sentence above an answer",
        _ANSWER,
        "^Borealis: your orders",
        f"{_LIE} Borealis: your orders",
        _BESIDES,
        "text",
    ),
    Altered(
        "adds_as_if_quoted",
        "adds it as if somebody had said so in an answer",
        _ANSWER,
        "^TO CHANGE",
        f"| {_LIE}\n\nTO CHANGE",
        _LIE,
        "text",
    ),
    Altered(
        "says_that_the_first_mail_counts",
        "says that the first mail counts, and not the last",
        _ANSWER,
        "the last mail before",
        "the first mail before",
        _BESIDES,
    ),
    Altered(
        "says_that_all_have_sent",
        "says that all have sent orders",
        _ANSWER,
        "1 of 3 players has sent",
        "3 of 3 players have sent",
        "by the entries 1 had sent",
    ),
    Altered(
        "says_that_nobody_has_sent",
        "says that nobody has sent orders",
        _ANSWER,
        r"1 of 3 players has sent orders\.",
        "Nobody has sent orders yet.",
        "by the entries 1 had sent",
    ),
    Altered(
        "counts_more_players",
        "counts more players than there are",
        _ANSWER,
        "1 of 3 players",
        "1 of 5 players",
        "by the entries 1 had sent",
    ),
    Altered(
        "says_that_there_is_more_time",
        "says in an answer that more time is left",
        _ANSWER,
        "2 days 23 h",
        "9 days 23 h",
        "it is not 9 days 23 h until then",
    ),
    Altered(
        "says_in_a_report_that_there_is_less_time",
        "says in a report that less time is left",
        _REPORT,
        "in 3 days",
        "in 3 h",
        "it is not 3 h until then",
    ),
    Altered(
        "says_in_a_notice_that_there_is_less_time",
        "says in a notice that less time is left",
        "is 1 day later",
        "in 3 days 23 h",
        "in 23 h",
        "it is not 23 h until then",
    ),
    Altered(
        "names_another_weekday", "names another day of the week", _REPORT, "Thu 26", "Wed 26", "another day of the week", "text"
    ),
    Altered(
        "names_another_weekday_in_a_notice",
        "names another day of the week in a notice",
        "is 1 day later",
        "due Fri 27",
        "due Thu 27",
        "another day of the week",
    ),
    Altered(
        "names_another_hour_there",
        "gives another hour in the zone of a player",
        _ANSWER,
        r"\(13:31 Europe/Berlin\)",
        "(15:31 Europe/Berlin)",
        "another day of the week",
        game=_writes("TIMEZONE Europe/Berlin"),
    ),
    Altered(
        "names_another_turn_over_the_list",
        "writes another turn over the list of orders",
        _ANSWER,
        "ORDERS FOR TURN 2",
        "ORDERS FOR TURN 3",
        "one step in its text and its file",
        "text",
    ),
    Altered(
        "names_another_turn_in_the_file",
        "names another turn in the file beside an answer",
        _ANSWER,
        "galaxy-7, turn 2, for",
        "galaxy-7, turn 3, for",
        "one step in",
        "file",
    ),
    Altered(
        "gives_other_orders_back",
        "gives other orders back to be sent again",
        _ANSWER,
        r"Add 6(?=(?:<br>)?\s*#end)",
        "Add 1",
        _LISTED,
    ),
    Altered("gives_more_orders_back", "gives more orders back than it lists", _ANSWER, "#end", "Add 9\n#end", _LISTED),
    Altered(
        "leaves_the_end_of_the_list_out", "leaves out the end of the list that it gives back", _ANSWER, "#end", "", _BESIDES
    ),
    Altered("adds_a_command_behind_the_list", "adds a command behind that list", _ANSWER, "#end", "#end\nRESIGN", _BESIDES),
    Altered(
        "adds_to_the_file_of_an_answer",
        "adds a sentence to the file beside an answer",
        _ANSWER,
        "^FOR THE RECORD",
        f"{_LIE}\nFOR THE RECORD",
        _FILE,
        "file",
    ),
    Altered(
        "adds_to_the_file_of_a_report",
        "adds a sentence to the file beside a report",
        _REPORT,
        "^FAIRNESS",
        f"{_LIE}\nFAIRNESS",
        _FILE,
        "file",
    ),
    Altered(
        "advises_to_lose_the_file",
        "advises in a file to delete it",
        _REPORT,
        "Keep this file",
        "Delete this file",
        _FILE,
        "file",
    ),
    Altered(
        "names_another_archive",
        "names another archive in a file",
        _REPORT,
        "--archive galaxy-7",
        "--archive galaxy-8",
        _FILE,
        "file",
    ),
    Altered(
        "calls_a_proof_one_of_another_turn",
        "calls a proof one of another turn",
        _REPORT,
        "PROOF OF TURN 2",
        "PROOF OF TURN 1",
        _FILE,
        "file",
    ),
    Altered("spoils_a_signed_head", "spoils a signed head, so that nobody can read it", _REPORT, r"^— ", "- ", _FILE, "file"),
    Altered(
        "leaves_a_key_out",
        "leaves out the key of a signed head",
        _REPORT,
        r"\n\S+\+[0-9a-f]{8}\+\S+",
        "\nnone",
        "its signature was not checked",
        "file",
    ),
    Altered(
        "adds_a_comment_to_the_form", "adds a comment to the order form", _REPORT, "^#end", f"# {_LIE}\n#end", _LIE, "text"
    ),
    Altered("adds_a_comment_to_form_and_page", "adds it in the page, too", _REPORT, "#end", f"# {_LIE}\n#end", _LIE),
    Altered("leaves_the_end_of_the_form_out", "leaves out the end of the order form", _REPORT, "^#end", "", "Add --", "text"),
    Altered(
        "leaves_a_line_of_the_form_out",
        "leaves a line of the order form out",
        _REPORT,
        "^Add $",
        "",
        'its text lacks "Add',
        "text",
    ),
    Altered(
        "says_that_lines_with_marks_count",
        "says that lines with a mark count",
        _REPORT,
        "Only lines without # count",
        "Only lines with # count",
        "beside the report it says",
    ),
    Altered(
        "leaves_the_house_rules_out",
        "leaves the house rules out",
        "the game begins",
        r"House rules: target = 60\.",
        "",
        "its text lacks",
    ),
    Altered(
        "leaves_out_what_to_do_next",
        "leaves out until when orders are due",
        _REPORT,
        r"Due Thu 26 Nov 2026 12:51 UTC \(in 3 days\)\.",
        "",
        "beside the report it says",
        "text",
    ),
    Altered(
        "puts_a_line_into_the_title",
        "puts a line into the title of a report, so that it looks like none",
        _REPORT,
        "^Turn 2: what happened",
        f"{_LIE}\nTurn 2: what happened",
        "says",
        "text",
    ),
    Altered(
        "says_in_a_vote_that_more_must_agree",
        "says in the answer to a proposal that all must agree",
        "Vote_1_has_begun",
        "2 of the 3 players",
        "All 3 players",
        _BESIDES,
        game=lambda played: played.again(
            "vote a", vote_a=sends(CHEATED, "PROPOSE EXTENSION 24h"), vote_b=sends(LOOKS_ON, "VOTE 1 YES")
        ),
    ),
    Altered(
        "adds_to_the_answer_to_a_ballot",
        "adds a sentence to the answer to a ballot",
        "voted",
        "Keep this mail",
        f"{_LIE} Keep this mail",
        _LIE,
    ),
    Altered(
        "adds_to_the_answer_to_press",
        "adds a sentence to the answer to press",
        "message went",
        "-- HELP on",
        f"{_LIE}\n\n--\nHELP on",
        _LIE,
        "text",
        game=_writes(f"PRESS TO {LOOKS_ON}\nHello.\nEND PRESS"),
    ),
    Altered(
        "lies_in_the_answer_to_status",
        "tells something else in the answer to STATUS",
        "status",
        r"\A",
        f"{_LIE}\n",
        _BESIDES,
        "text",
        game=_writes("STATUS"),
        left=_NOTHING,
    ),
    Altered(
        "lies_in_the_answer_to_help",
        "tells something else in the answer to HELP",
        "help",
        "RESIGN",
        "ORDERS",
        _BESIDES,
        game=_writes("HELP"),
        left=_NOTHING,
    ),
    Altered(
        "lies_in_the_answer_to_record",
        "tells something else in the answer to RECORD",
        "So_far_you",
        r"\A",
        f"{_LIE}\n",
        _BESIDES,
        "text",
        game=_writes("RECORD"),
        left=_NOTHING,
    ),
    Altered(
        "lies_in_the_handbook",
        "sends another handbook",
        "handbook",
        r"\A",
        f"{_LIE}\n",
        "",
        "text",
        game=_writes("RULES"),
        left=_NOTHING,
    ),
    Altered(
        "lies_in_a_preview",
        "tells something else in a preview",
        "PREVIEW",
        r"\A",
        f"{_LIE}\n",
        _BESIDES,
        "text",
        game=_writes("PREVIEW\nAdd 5\nEND PREVIEW"),
        left=_NOTHING,
    ),
    Altered(
        "lies_about_a_wait",
        "says that WAIT holds the turn for ever",
        "Noted",
        "wait for its deadline",
        "wait for ever",
        _BESIDES,
        "text",
        game=_writes("WAIT"),
        left=_NOTHING,
    ),
    Altered(
        "lies_about_a_time_zone",
        "confirms another time zone",
        "zone",
        "Europe/Berlin",
        "Asia/Kolkata",
        _BESIDES,
        "text",
        game=_writes("TIMEZONE Europe/Berlin"),
        left=_NOTHING,
    ),
    Altered(
        "threatens_in_a_reminder",
        "threatens in a reminder",
        "no orders yet",
        "Reply with your orders",
        f"{_LIE} Reply with your orders",
        _LIE,
        game=_with_terms(_waits_for_a_reminder, reminders=("24h",)),
    ),
    Altered(
        "calls_a_reminder_the_last_hours",
        "says in a reminder that less time is left",
        "no orders yet",
        r"in \d+ h",
        "in 1 h",
        "it is not 1 h until then",
        game=_with_terms(_waits_for_a_reminder, reminders=("24h",)),
    ),
    Altered(
        "names_others_who_have_sent",
        "names another who has sent orders",
        _ANSWER,
        r"Borealis \(1 of 3\)",
        "Cygnus (1 of 3)",
        "by the entries Borealis had sent",
        game=_with_terms(who_has_sent="names"),
    ),
    Altered(
        "adds_a_comment_to_the_list",
        "adds a comment to the list that it gives back",
        _ANSWER,
        "^#end",
        f"# {_LIE}\n#end",
        _BESIDES,
        "text",
    ),
    Altered(
        "gives_a_second_list_back",
        "gives a second list back, with a command",
        _ANSWER,
        "^--$",
        "#orders x\nRESIGN\n#end\n\n--",
        _BESIDES,
        "text",
    ),
    Altered(
        "lists_orders_twice",
        "lists other orders below those of an answer",
        _ANSWER,
        "^Orders are due",
        "YOUR ORDERS FOR TURN 2, as we read them\n  Add 9\n\nOrders are due",
        _BESIDES,
        "text",
    ),
    Altered(
        "says_that_no_orders_are_in",
        "says below the list of orders that none are in",
        _ANSWER,
        "^Orders are due",
        "You have no orders in for turn 2. Orders are due",
        _BESIDES,
        "text",
    ),
    Altered(
        "says_that_other_orders_stay",
        "says that orders which are not sent again stay",
        _ANSWER,
        r"Send the whole list again; the last mail before the deadline counts",
        "To change an order, send a new one in its place; your other orders stay",
        _BESIDES,
    ),
    Altered(
        "ends_a_vote_in_an_answer",
        "says in an answer when a vote ends that there is not",
        _ANSWER,
        "TO CHANGE",
        "The vote ends Tue 24 Nov 2026 12:31 UTC.\n\nTO CHANGE",
        _BESIDES,
    ),
    Altered(
        "says_that_a_turn_stays_open",
        "says in an answer that the turn stays open",
        _ANSWER,
        "TO CHANGE",
        "The turn stays open until then, unless you send orders again or READY.\n\nTO CHANGE",
        _BESIDES,
    ),
    Altered(
        "wakes_a_player_who_is_awake",
        "says in an answer that a ballot counts only later",
        _ANSWER,
        "TO CHANGE",
        "PROPOSE begins a vote (see HELP PROPOSE).\n\nTO CHANGE",
        _BESIDES,
    ),
    Altered(
        "gives_another_time_of_what_is_replaced",
        "says of other orders that they were replaced",
        "orders replaced",
        r"came on (\w+ \d+ \w+ \d+) \d\d:\d\d",
        r"came on \1 11:11",
        "no orders of Borealis came then",
        game=_writes("Add 1"),
    ),
    Altered(
        "leaves_the_refused_lines_out",
        "leaves out which line was refused, and why",
        "1 line refused",
        r"^REFUSED\n(?:.*\S.*\n)+",
        "",
        "it has no list of refused lines",
        "text",
        _refused_in_part,
    ),
    Altered(
        "says_that_press_had_no_name",
        "says that press went without a name",
        "message went",
        r"went to Altair\.",
        "went to Altair, without your name.",
        'by entry 11 it would be "went to Altair"',
        "text",
        _writes(_TO_ALTAIR),
    ),
    Altered(
        "says_that_press_waits",
        "says that press waits for the next report",
        "message went",
        "went to Altair",
        "goes out with the next report, to Altair",
        'by entry 11 it would be "went to Altair"',
        "text",
        _writes(_TO_ALTAIR),
    ),
    Altered(
        "says_that_a_vote_is_over",
        "says that a vote is over with a ballot",
        "voted",
        r"has passed\. Keep",
        "has passed. With that the vote is over. Keep",
        _BESIDES,
        "text",
    ),
    Altered(
        "writes_another_seat_into_the_file_of_a_ballot",
        "writes another seat into the file that proves a ballot",
        "voted",
        "for Borealis",
        "for Altair",
        "its proof is that of Altair",
        "file",
        found=True,
    ),
    Altered(
        "promises_a_salt_for_more_dice",
        "tells a salt as one for all dice to come",
        _REPORT,
        "dice of turn 3, known",
        "dice of turn 3 and all others, known",
        _FILE,
        "file",
    ),
    Altered(
        "calls_a_salt_known",
        "says that everybody knows a salt",
        _REPORT,
        "known to you alone",
        "known to everybody",
        _FILE,
        "file",
    ),
    Altered(
        "calls_a_salt_void",
        "says that the salt of before counts no more",
        _REPORT,
        "^Head of the journal",
        "Your earlier salt is no longer valid.\nHead of the journal",
        _FILE,
        "file",
    ),
    Altered(
        "remarks_on_a_digest",
        "says that a digest is that of something else",
        _REPORT,
        r"\(the words of the mail\)",
        "(without the dice)",
        _FILE,
        "file",
    ),
    Altered(
        "leaves_the_deadline_out_of_a_file",
        "leaves the deadline out of the file beside an answer",
        _ANSWER,
        r"^Deadline .*\n",
        "",
        "it has no deadline in its file",
        "file",
    ),
    Altered(
        "lists_orders_twice_in_a_file",
        "lists other orders below those in the file beside an answer",
        _ANSWER,
        r"\Z",
        "\nThe orders that are in force with it:\n| Add 9\n",
        _FILE,
        "file",
    ),
    Altered(
        "names_no_receipt",
        "names no receipt in the text of an answer",
        _ANSWER,
        "Receipt 11, arrived",
        "Your mail arrived",
        "the mail says no receipt, and its file 11",
        "text",
        found=True,
    ),
    Altered(
        "asks_for_orders_in_a_notice",
        "says in a notice that no orders are in",
        "is 1 day later",
        r"\Z",
        "\nYou have no orders in. To send your old ones again, reply with\n  USE ORDERS OF TURN 1\n",
        "besides",
        "text",
        left=_ENTRY,
    ),
    Altered(
        "invents_an_outage_in_a_notice",
        "says in a notice of a vote that mail could not be read",
        "is 1 day later",
        r"\Z",
        "\nThe mailbox of the game could not be read from Fri 20 Nov 2026 12:00 UTC to Fri 20 Nov 2026 12:40 UTC.\n",
        "besides",
        "text",
        left=_ENTRY,
    ),
    Altered(
        "awaits_fewer_players",
        "says that fewer orders are awaited",
        _ANSWER,
        "1 of 3 players",
        "1 of 2 players",
        "",
        left="How many are awaited nothing tells.",
    ),
    Altered(
        "takes_ready_for_wait",
        "says of WAIT that the turn may end early",
        "Noted",
        r"will wait for its deadline\. READY takes that back",
        "may be resolved once all orders are in",
        _BESIDES,
        "text",
        _writes("WAIT"),
        left=_NOTHING,
    ),
    Altered(
        "says_that_something_else_was_written",
        "says in brackets that an order was written otherwise",
        _ANSWER,
        "^  Add 6",
        "  Add 6 (Add 66)",
        "",
        "text",
        left=_ONLY_YOU,
    ),
    Altered(
        "says_that_lines_were_not_read",
        "says that lines of a letter were not read",
        _ANSWER,
        "TO CHANGE",
        "Not read as orders: 3 lines of our own mail, quoted.\n\nTO CHANGE",
        "",
        left=_ONLY_YOU,
    ),
    Altered(
        "says_that_a_token_was_seen",
        "says that a token stood in a letter",
        _ANSWER,
        "TO CHANGE",
        f"{_SEEN}TO CHANGE",
        "",
        left=_ONLY_YOU,
    ),
    Altered(
        "adds_to_new_dice",
        "adds a sentence to the mail that dice are promised anew",
        "new dice",
        r"Nothing else has changed\.",
        f"Nothing else has changed. {_LIE}",
        _LIE,
        game=_restored,
    ),
    Altered(
        "has_an_old_salt_stay_valid",
        "says in that mail that the salt of before counts",
        "new dice",
        "salt is no longer valid",
        "salt is still valid",
        "salt is still valid",
        "text",
        _restored,
    ),
    Altered(
        "gives_more_time_after_a_pause",
        "says of a pause that more time is left after it than there is",
        "the game is paused",
        "2 days 23 h after",
        "5 days 23 h after",
        "by the entries it is not 5 days 23 h",
        game=_paused,
    ),
    Altered(
        "adds_to_a_report_that_is_sent_again",
        "adds a sentence to a report that is sent again",
        "report of turn 1",
        "^Your report of turn 1, once more",
        f"{_LIE} Your report of turn 1, once more",
        _BESIDES,
        "text",
        _writes("REPORT 1", name="b3"),
    ),
    Altered(
        "adds_behind_a_report_that_is_sent_again",
        "adds a sentence behind a report that is sent again",
        "report of turn 1",
        "^HELP on a line",
        f"{_LIE} HELP on a line",
        _BESIDES,
        "text",
        _writes("REPORT 1", name="b3"),
    ),
    Altered(
        "confirms_more_time_than_was_taken",
        "confirms more time than a player has taken",
        "1 h later, for everybody",
        "1 h later, for",
        "2 h later, for",
        'by entry 10 it would be "1 h later, for everybody"',
        "text",
        _writes("EXTEND 1h", name="press"),
        left=_ENTRY,
    ),
    Altered(
        "adds_to_what_ended_a_vote",
        "adds a sentence to what is not compared of the end of a vote",
        "vote 1 has failed",
        r"Nothing changes\.",
        f"Nothing changes. {_LIE}",
        _LIE,
        game=_failed,
        left=_ENTRY,
    ),
    Altered(
        "adds_to_what_a_new_address_gets",
        "adds a sentence to the mail that a seat has a new address",
        "Borealis is yours",
        "reply only to those",
        f"{_LIE} reply only to those",
        "no entry makes one that begins like this",
        game=_readdressed,
        left=_NOTHING,
    ),
)
"""All of them."""
