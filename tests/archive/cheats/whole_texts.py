"""What a host does who alters some words somewhere in a mail: in its text and its page, or in the file beside it. What a mail
with something to check says is compared as a whole, so of that each of these is at least told of."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from tests.archive.cheats.hosts import Host, first_mail, instead, then
from tests.archive.cheats.played import CHEATED, DAY, LOOKS_ON, MOVES, SEATS, Evidence, Move, Played, World, deadline, sends
from tests.archive.cheats.rewritten import Change, rewritten, without_page

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
    says, and what is left."""

    name: str
    does: str
    subject: str
    old: str
    new: str
    told: str
    where: str = "all"
    game: Game = _as_played
    left: str = "What counts is in the mail."

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
        "",
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
        "",
        game=_writes("HELP"),
        left=_NOTHING,
    ),
    Altered(
        "lies_in_the_answer_to_record",
        "tells something else in the answer to RECORD",
        "So_far_you",
        r"\A",
        f"{_LIE}\n",
        "",
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
        "",
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
        "",
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
        "",
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
        "by the entries 1 had sent",
        game=_with_terms(who_has_sent="names"),
    ),
)
"""All of them."""
