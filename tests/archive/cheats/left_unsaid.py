"""What a host does who leaves out of a mail what every such mail has, or writes something else around what is proved."""

import re
from collections.abc import Callable

from tests.archive.cheats import shown_otherwise
from tests.archive.cheats.hosts import first_mail, instead
from tests.archive.cheats.played import CHEATED, MOVES, Evidence, Played, World
from tests.archive.cheats.rewritten import Change, in_all, rewritten

_ANSWER, _REPORT = "t2] Borealis: orders in", "Turn 2: what happened"
_CAME = r"Your\s+orders\s+came[^.<]*\."
_USED = r"Orders used:[^.]*\.\n"


def _rewrites(subject: str, text: Change = str, page: Change = str, file: Change = str) -> Callable[[Played], Evidence]:
    def host(played: Played) -> Evidence:
        raw = first_mail(played.mails, subject)
        changed = rewritten(raw, text, page, file)
        assert changed != rewritten(raw)
        return Evidence(played.archive, instead(played.mails, raw, changed))

    return host


def _swap(old: str, new: str) -> Change:
    """Other words, however they are wrapped."""
    return lambda text: re.sub(r"\s+".join(map(re.escape, old.split())), new, text)


def _drop(pattern: str, instead_of_it: str = "") -> Change:
    return lambda text: re.sub(pattern, instead_of_it, text)


# Reports


def says_that_no_orders_came(played: Played) -> Evidence:
    change = _drop(_CAME, "You sent no orders for turn 2.")
    return _rewrites(_REPORT, change, change, _drop(_USED))(played)


def says_in_its_text_that_other_orders_were_used(played: Played) -> Evidence:
    change = _swap("receipt 11)", "receipt 7)")
    return _rewrites(_REPORT, change, change)(played)


def says_in_its_text_that_orders_came_later(played: Played) -> Evidence:
    change = _swap("12:45 UTC (receipt", "13:45 UTC (receipt")
    return _rewrites(_REPORT, change, change)(played)


def promises_no_dice(played: Played) -> Evidence:
    return _rewrites(_REPORT, file=_drop(r"Commitment to[^\n]*\n[^\n]*\n"))(played)


def tells_no_salt(played: Played) -> Evidence:
    return _rewrites(_REPORT, file=_drop(r"Your salt[^\n]*\n[^\n]*\n"))(played)


def leaves_the_signed_head_out(played: Played) -> Evidence:
    return _rewrites(_REPORT, file=_drop(r"CHECKPOINT(?s:.*)"))(played)


def writes_another_house_rule(played: Played) -> Evidence:
    return _rewrites("the game begins", *in_all(_swap("target = 60", "target = 90")))(played)


def adds_a_sentence_to_a_report(played: Played) -> Evidence:
    return _rewrites(_REPORT, *in_all(_swap("HELP lists", "Altair has resigned. HELP lists")))(played)


def adds_it_as_if_somebody_had_said_so(played: Played) -> Evidence:
    return _rewrites(_REPORT, *in_all(_swap("HELP lists", "| Altair has resigned.\nHELP lists")))(played)


def adds_it_as_if_it_stood_in_the_form(played: Played) -> Evidence:
    return _rewrites(_REPORT, *in_all(_swap("HELP lists", "# Altair has resigned.\nHELP lists")))(played)


# Answers


def leaves_the_word_out_of_an_answer(played: Played) -> Evidence:
    return _rewrites(_ANSWER, file=_drop(r"Word that goes[^\n]*\n\|[^\n]*\n"))(played)


def confirms_another_ballot(played: Played) -> Evidence:
    return _rewrites("voted", *in_all(_swap("voted yes", "voted no")))(played)


def counts_others_in_an_answer(played: Played) -> Evidence:
    return _rewrites(_ANSWER, *in_all(_swap("1 of 3 players has sent", "3 of 3 players have sent")))(played)


def gives_another_list_back(played: Played) -> Evidence:
    def page(text: str) -> str:
        return re.sub(r"Add 6(\s*(?:<br>)?\s*#end)", r"Add 1\1", text)

    return _rewrites(_ANSWER, lambda text: text.replace("\nAdd 6\n#end", "\nAdd 1\n#end"), page)(played)


def lists_other_orders_on_file(played: Played) -> Evidence:
    """In the answer to STATUS."""

    def move(world: World) -> None:
        MOVES["b2"](world)
        world.send(CHEATED, "STATUS")

    gone_on = played.again("b2", b2=move)
    raw = next(each for each in gone_on.mails[CHEATED] if b"Borealis: status" in each)
    change = _swap("Add 6", "Add 1")
    return Evidence(gone_on.archive, instead(gone_on.mails, raw, rewritten(raw, change, change)))


# Press, notices


def passes_press_on_as_of_another_turn(played: Played) -> Evidence:
    return _rewrites("press from Altair", *in_all(_swap("galaxy-7, turn 2", "galaxy-7, turn 1")))(played)


def says_that_press_went_to_all(played: Played) -> Evidence:
    return _rewrites("press from Altair", *in_all(_swap("To: Borealis", "To:   Altair, Borealis, Cygnus")))(played)


def says_that_press_went_to_nobody_in_the_game(played: Played) -> Evidence:
    return _rewrites("press from Altair", *in_all(_swap("To: Borealis", "To:   all who matter")))(played)


_PROPOSAL = "1 day more for the turn that is open when the vote has passed"


def tells_of_a_vote_on_something_else(played: Played) -> Evidence:
    return _rewrites("vote 1 has begun", *in_all(_swap(_PROPOSAL, "the end of the game without a result")))(played)


def tells_another_end_of_a_vote(played: Played) -> Evidence:
    return _rewrites("vote 1 has begun", *in_all(_swap("The vote ends Thu 26", "The vote ends Sat 28")))(played)


def says_that_ballots_are_open(played: Played) -> Evidence:
    change = _swap("Nobody learns who votes how.", "Everybody sees who votes how.")
    return _rewrites("vote 1 has begun", *in_all(change))(played)


def keeps_a_vote_back(played: Played) -> Evidence:
    mails = tuple(raw for raw in played.mails[CHEATED] if b"vote 1 has begun" not in raw)
    return Evidence(played.archive, {**played.mails, CHEATED: mails})


def adds_to_an_announcement(played: Played) -> Evidence:
    gone_on = shown_otherwise.announces(played)
    raw = first_mail(gone_on.mails, "an announcement")
    change = _swap("Orders are due", "Turn 3 is void. Orders are due")
    return Evidence(gone_on.archive, instead(gone_on.mails, raw, rewritten(raw, change, change)))
