"""How a host with all keys can cheat, what each way is, and who finds it: what docs/proofs.md shows as a table, and what the
tests compare with what the commands say.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from tests.archive.cheats import (
    after_answers,
    around_mails,
    behind_honest_words,
    hosts,
    in_a_name,
    left_unsaid,
    other_subjects,
    rules_inside,
    said_around,
    shown_otherwise,
    time_given,
    told_again,
    under_other_kinds,
    what_comes_back,
    whole_texts,
)
from tests.archive.cheats.hosts import Host


class Limit(Enum):
    """The limits that docs/proofs.md names under "What is not proved", by how each begins there."""

    SET_UP = "The set-up"
    LAST = "Who comes last"
    WITHHELD = "What was withheld"
    LOOKS = "A host that looks"
    WHEN = "When it was"
    SEEN_LATE = "What was seen late"
    NO_ENTRY = "What stands in no entry"


@dataclass(frozen=True, slots=True)
class Cheat:
    """`does` goes on from "The host"; `host` does it. `verify` are words of what `pbmd verify` finds, empty for nothing.
    `mails` are words of what `pbmd compare` finds with the archive, if it is given the mails of `whose`: any player, only who
    was cheated, or two that were told different things. `without`: the mails of one, or of two, disagree with no archive.
    `told` are words that a command, `told_by`, says without calling anything wrong, and `left` is what the page says of what is
    not found. `proved`: the two mails that disagree are signed with one key, so that nobody has to be believed. `limit` is what
    "What is not proved" has to say of what no command tells of. `trusting`: verify plays by the rules inside the archive.
    `alone`: the stand-alone verifier in the archive calls it wrong, too.
    """

    does: str
    host: Host
    verify: str = ""
    mails: str = ""
    whose: Literal["any", "cheated", "two"] = "any"
    without: Literal["", "one", "two"] = ""
    told: str = ""
    told_by: Literal["compare", "verify"] = "compare"
    left: str = ""
    proved: bool = False
    limit: Limit | None = None
    trusting: bool = False
    alone: bool = False


_CONTRADICT = "the books contradict themselves"
_TWO = "two histories"
_WORD = "The word is in the journal, for all to read."

CHEATS: Sequence[tuple[str, Sequence[Cheat]]] = (
    (
        "Letters",
        (
            Cheat(
                "drops a letter before pbmd sees it",
                hosts.drops_before_intake,
                left="There is no receipt. Ask, and send again.",
                limit=Limit.WITHHELD,
            ),
            Cheat(
                "drops a letter after its receipt, and plays on as if it had never come",
                hosts.drops_after_receipt,
                mails="another digest in the books",
                whose="cheated",
                without="two",
            ),
            Cheat(
                "strikes a letter out of the archive, and makes the hashes fit",
                hosts.strikes_out,
                verify="resolves a step that awaited orders of Borealis",
                alone=True,
                mails=_CONTRADICT,
            ),
            Cheat(
                "alters orders before pbmd sees them",
                hosts.alters_before_intake,
                left="Your receipt shows the orders as they were understood. Read it.",
                limit=Limit.WITHHELD,
            ),
            Cheat(
                "alters orders after their receipt, and plays on with others",
                hosts.alters_after_receipt,
                mails="another digest in the books",
                whose="cheated",
                without="one",
            ),
            Cheat(
                "alters orders, and sends a receipt for the true ones",
                hosts.acknowledges_what_was_sent,
                mails="another digest in the books",
                whose="cheated",
            ),
            Cheat(
                "alters the arrival in a receipt",
                hosts.alters_receipt,
                mails="the books have 2026-11-20 12:45:00 UTC",
                whose="cheated",
                without="one",
            ),
            Cheat(
                "swaps the orders of two seats, and plays the game anew with them",
                hosts.swaps_orders,
                mails="another digest in the books",
            ),
            Cheat(
                "writes in a seat's name, and keeps the answer back",
                hosts.writes_in_a_name,
                told="an answer to orders of Borealis with receipt 13",
                left="Only you know that you did not write.",
            ),
            Cheat(
                "takes the seat away in the ledger, and plays it",
                hosts.takes_the_seat,
                told="the report of turn 2 for Borealis",
                left="You get no report any more. Ask, and show the last.",
            ),
        ),
    ),
    (
        "Votes of the players",
        (
            Cheat(
                "drops a ballot after its receipt",
                hosts.drops_a_ballot,
                mails=_TWO,
                whose="cheated",
            ),
            Cheat(
                "strikes a ballot out of the journal",
                hosts.strikes_out_a_ballot,
                verify="by its ballots it was not decided yet",
                alone=True,
                mails=_CONTRADICT,
            ),
            Cheat(
                "turns a ballot round",
                hosts.turns_a_ballot_round,
                verify="by its ballots it had failed",
                mails=_TWO,
            ),
            Cheat(
                "calls a vote failed that has passed",
                hosts.calls_a_vote_failed,
                verify="is called failed, and by its ballots it had passed",
                alone=True,
                mails=_CONTRADICT,
            ),
            Cheat(
                "does not do what players have voted for",
                hosts.does_not_do_what_was_voted_for,
                verify="vote 1 has passed, and what it was about was not done",
                alone=True,
                mails=_CONTRADICT,
            ),
        ),
    ),
    (
        "When letters came",
        (
            Cheat(
                "backdates the late letter of a friend before pbmd sees it",
                hosts.backdates,
                left="Arrivals are the word of the mail server. The receipt goes to the friend.",
                limit=Limit.WHEN,
            ),
            Cheat(
                "postdates a letter before pbmd sees it",
                hosts.postdates,
                left="The answer says when it came. Your own mail server knows when it was handed over.",
                limit=Limit.WHEN,
            ),
            Cheat(
                "puts a letter aside until the turn is over",
                hosts.holds_back,
                left="The answer says that it came in time and was seen late.",
                limit=Limit.SEEN_LATE,
            ),
            Cheat(
                "calls a letter late that was not",
                hosts.calls_late,
                verify="calls late what Borealis sent",
                alone=True,
                mails=_CONTRADICT,
            ),
            Cheat(
                "takes a letter that was late",
                hosts.takes_late_orders,
                verify="takes what Cygnus sent",
                alone=True,
                mails=_CONTRADICT,
            ),
            Cheat(
                "exchanges the order in which two letters came before pbmd sees them",
                hosts.reorders_before_intake,
                left="Each receipt says when its letter came.",
                limit=Limit.WHEN,
            ),
            Cheat(
                "exchanges the order of two letters after their receipts",
                hosts.reorders_after_receipts,
                mails="another digest in the books",
            ),
        ),
    ),
    (
        "Time",
        (
            Cheat(
                "says that a seat missed a deadline that was not over",
                hosts.misses_too_early,
                verify="says that Borealis had missed its deadline, which was over only at",
            ),
            Cheat(
                "resolves a turn before its deadline",
                hosts.resolves_early,
                verify="had missed its deadline, which was over only at",
                mails=_TWO,
            ),
            Cheat(
                "opens a turn with less time than promised",
                hosts.opens_with_less,
                verify="opens a step with the deadline",
                mails=_TWO,
            ),
            Cheat(
                "writes other terms into the archive, by which there was less time",
                hosts.cuts_terms,
                mails=_TWO,
            ),
            Cheat(
                "gives a friend more time, and says nothing",
                hosts.extends_silently,
                verify="takes what Cygnus sent",
            ),
            Cheat(
                "gives a friend more time by the game master's word, and keeps back the mails that tell it",
                hosts.extends_by_word,
                told='a notice to Borealis: "a new deadline"',
                left="The word is in the journal, for all to read.",
            ),
            Cheat(
                "takes time away by the game master's word, and keeps back the mails that tell it",
                hosts.cuts_by_word,
                told='a notice to Borealis: "a new deadline"',
                left="The word is in the journal, for all to read. Ask `STATUS` before a deadline that matters.",
            ),
            Cheat(
                "writes a later deadline into a mail than there is",
                hosts.promises_more,
                told="no entry that is shown says it",
                left="A seat can have a later deadline of its own. Every receipt says it, too.",
            ),
        ),
    ),
    (
        "Dice",
        (
            Cheat(
                "exchanges the secret after the orders came",
                hosts.exchanges_secret,
                verify="the dice secret of entry 14 is not the one that was promised",
                alone=True,
                mails=_TWO,
            ),
            Cheat(
                "exchanges the salts after the orders came",
                hosts.exchanges_salts,
                verify="the secret of the salts of entry 14 is not the one that was promised",
                alone=True,
                mails=_TWO,
            ),
            Cheat(
                "exchanges promise and secret, and plays on with others",
                hosts.promises_anew,
                mails=_TWO,
            ),
            Cheat(
                "reveals another secret in a mail than was promised",
                hosts.mails_another_secret,
                mails=_TWO,
                whose="cheated",
                without="one",
            ),
            Cheat(
                "tells a player another salt than is used",
                hosts.mails_another_salt,
                mails="salt",
                whose="cheated",
            ),
            Cheat(
                "rolls again when a turn has gone out that a friend does not like, with another order of the friend",
                hosts.rolls_again,
                mails=_TWO,
                without="one",
                proved=True,
            ),
            Cheat(
                "goes back to a backup until the dice that are promised anew please",
                hosts.restores_until_it_pleases,
                told="nothing shows that the new dice secret was not chosen",
                told_by="verify",
                left="All get a mail of the last time. Send your orders again, with a word of your own.",
            ),
            Cheat(
                "goes back to a backup until the dice that are promised anew please, and keeps back the mails that tell it",
                hosts.restores_and_says_nothing,
                mails=_TWO,
                without="one",
                told="a notice to Borealis that the dice of turn 3 are promised anew",
            ),
            Cheat(
                "tries secrets before one is promised, knowing the orders to come",
                hosts.grinds_secrets,
                left="A promise does not prove that nobody had looked into the mailbox. Words that were still to come nobody "
                "could foresee.",
                limit=Limit.LOOKS,
            ),
            Cheat(
                "tries last orders of a friend until the dice fall well",
                hosts.grinds_last_orders,
                left="Who reads the secret and orders last chooses among as many rolls as there are orders and words.",
                limit=Limit.LAST,
            ),
            Cheat(
                "tries orders of arrival until a friend gets the best roll",
                hosts.grinds_arrivals,
                left="It changes no roll, but in some games who gets which. Each receipt says when its letter came.",
                limit=Limit.WHEN,
            ),
            Cheat(
                "sets the game up again until it pleases, before the first mail",
                hosts.sets_up_again,
                left="Who has signed up by mail has the promise; before that nobody has one.",
                limit=Limit.SET_UP,
            ),
            Cheat(
                "swaps two of the seats that were given by lists, or by lot",
                hosts.swaps_seats,
                verify="who got which seat is not what the lists of the players and the dice give",
            ),
            Cheat(
                "sets the game up again when players have signed up by mail",
                what_comes_back.sets_up_again_after_sign_ups,
                mails=_TWO,
                whose="cheated",
                without="two",
            ),
            Cheat(
                "writes another secret of the set-up into the archive than was promised",
                what_comes_back.exchanges_the_secret_of_the_set_up,
                verify="the dice secret of entry 5 is not the one that was promised",
                alone=True,
                mails=_TWO,
            ),
            Cheat(
                "reads secrets and orders in the ledger",
                hosts.reads_the_ledger,
                left="Nothing shows what was read past pbmd.",
                limit=Limit.LOOKS,
            ),
        ),
    ),
    (
        "What comes back with order forms",
        (
            Cheat(
                "tells two players two histories, and takes what their replies bring back as it comes",
                what_comes_back.lets_a_foreign_head_in,
                mails=_TWO,
                whose="cheated",
                without="two",
                proved=True,
                told="tells all players that a letter named another history",
                told_by="verify",
            ),
            Cheat(
                "does so, and tells nobody that a reply brought back another history",
                what_comes_back.says_nothing_of_a_foreign_head,
                verify="of another history, and nobody was told of it",
                mails=_TWO,
                whose="cheated",
                without="two",
                proved=True,
            ),
            Cheat(
                "does so, and strikes the entry `disputed` out of the archive",
                what_comes_back.strikes_a_dispute,
                verify="of another history, and nobody was told of it",
                alone=True,
                mails=_TWO,
                without="two",
                proved=True,
            ),
            Cheat(
                "does so, and writes the head of the one history into the order form of the other",
                what_comes_back.disguises_a_form,
                mails=_TWO,
                whose="cheated",
                without="one",
                proved=True,
            ),
            Cheat(
                "drops the word of a reply before pbmd sees it",
                what_comes_back.drops_a_word_before_intake,
                left="The answer shows no word. Send again.",
                limit=Limit.WITHHELD,
            ),
            Cheat(
                "exchanges the word of a reply before pbmd sees it",
                what_comes_back.exchanges_a_word_before_intake,
                left="The answer shows the word that counts. Read it, and send again.",
                limit=Limit.WITHHELD,
            ),
            Cheat(
                "exchanges the word of a reply, and sends a receipt for the true one",
                what_comes_back.acknowledges_the_word_that_came,
                mails="came with another word in the books",
                whose="cheated",
            ),
            Cheat(
                "exchanges a word after its receipt, and plays on with another",
                what_comes_back.exchanges_a_word_after_receipt,
                mails="came with another word in the books",
                whose="cheated",
                without="one",
            ),
            Cheat(
                "exchanges a word in the ledger before the dice are rolled",
                what_comes_back.exchanges_a_word_in_the_ledger,
                verify="dice.json: it comes out differently",
                alone=True,
                mails=_CONTRADICT,
            ),
            Cheat(
                "tries words with the last orders of a friend until the dice fall well",
                what_comes_back.grinds_words,
                left="Who sends last, and knows the secrets, chooses. Send late.",
                limit=Limit.LAST,
            ),
        ),
    ),
    (
        "What is signed",
        (
            Cheat(
                "signs another history with another key, lest both be signed with one",
                what_comes_back.signs_a_fork_with_another_key,
                mails="key of pbmd.test/games/galaxy-7",
                whose="cheated",
                without="one",
            ),
            Cheat(
                "signs the archive with another key than the reports",
                what_comes_back.signs_the_archive_with_another_key,
                mails="the end of this archive with",
            ),
        ),
    ),
    (
        "Reports and press",
        (
            Cheat(
                "alters a report that is mailed",
                hosts.alters_report,
                mails="its text is not that of the report in the books",
                whose="cheated",
            ),
            Cheat(
                "alters the page of it alone",
                hosts.alters_page,
                mails="its words are not those of the report's page in the books",
                whose="cheated",
            ),
            Cheat(
                "alters a report in the mail and in the archive alike",
                hosts.alters_report_and_archive,
                verify="it comes out differently",
            ),
            Cheat(
                "keeps a report back",
                hosts.withholds_report,
                told="the report of turn 2 for Borealis",
                left="A mail can be lost, too. Ask for it: REPORT.",
            ),
            Cheat(
                "plays by other rules than those that were announced",
                hosts.other_rules,
                verify="the digest of the position after the step in entry 9 is not what comes out",
            ),
            Cheat(
                "does so, and puts them into the archive, for who has no others and trusts them (`--trust-rules`)",
                rules_inside.puts_other_rules_inside,
                told="The rules in rules.zip are not those that are installed here",
                told_by="verify",
                left="They are the host's word. Verify with those that were announced.",
                trusting=True,
            ),
            Cheat(
                "keeps press back",
                hosts.keeps_press_back,
                told="press from Altair to Borealis, entry 10",
                left="A mail can be lost, too. Ask who wrote it.",
            ),
            Cheat(
                "alters press that is mailed",
                hosts.alters_mailed_press,
                mails="no press with these words from this writer",
                whose="cheated",
            ),
            Cheat(
                "alters press in the archive, and makes all that follows fit",
                hosts.alters_kept_press,
                mails=_TWO,
            ),
            Cheat(
                "strikes press out of the archive, and makes all that follows fit",
                hosts.strikes_press,
                mails=_TWO,
            ),
        ),
    ),
    (
        "Answers to orders",
        (
            Cheat(
                "drops a letter, and answers with all that proves the letter of another seat",
                shown_otherwise.answers_with_anothers_receipt,
                mails="it is of orders of Altair, and the mail is to Borealis",
                whose="cheated",
                without="one",
            ),
            Cheat(
                "alters orders before pbmd sees them, and answers as if the true ones had come",
                shown_otherwise.lists_other_orders,
                mails="its digest is not that of the orders that it lists",
                whose="cheated",
            ),
            Cheat(
                "does so in the text of the answer alone",
                shown_otherwise.lists_other_orders_in_text,
                mails="the orders in its text are not those in the file beside it",
                whose="cheated",
            ),
            Cheat(
                "alters orders after their receipt, and hides what the receipt says by letters that nobody sees",
                shown_otherwise.hides_a_receipt_by_invisible_letters,
                mails="another digest in the books",
                whose="cheated",
            ),
            Cheat(
                "alters orders after their receipt, and leaves digest and head out of it",
                shown_otherwise.leaves_digest_and_head_out,
                mails=_TWO,
                whose="cheated",
            ),
            Cheat(
                "alters orders before pbmd sees them, and answers with the true ones and without a receipt",
                shown_otherwise.leaves_the_receipt_out,
                told="it says that orders are in, and has no receipt",
                left="Every answer of the game has one. Ask, and send again.",
            ),
        ),
    ),
    (
        "What a mail shows",
        (
            Cheat(
                "says in a report that the receipt of another seat was used",
                shown_otherwise.uses_anothers_receipt,
                mails="it is of orders of Altair, and the mail is to Borealis",
                whose="cheated",
            ),
            Cheat(
                "tells a player the salt of another seat",
                shown_otherwise.tells_anothers_salt,
                mails="it is that of another seat, and the mail is to Borealis",
                whose="cheated",
            ),
            Cheat(
                "sends a player the report of another seat",
                shown_otherwise.sends_anothers_report,
                mails="it is the report of Altair, and the mail is to Borealis",
                whose="cheated",
            ),
            Cheat(
                "leaves the secret of the dice out of a report",
                shown_otherwise.reveals_no_secret,
                told="the report of turn 2 for Borealis",
                left="Each report but the first has one. Ask for it: REPORT.",
            ),
            Cheat(
                "leaves the four words out of a report",
                shown_otherwise.leaves_the_words_out,
                told="it has no words of the turn, as every report has",
                left="Each report ends with them. Ask another player for theirs.",
            ),
            Cheat(
                "leaves out of its file what the four words are made of",
                shown_otherwise.leaves_out_what_words_are_made_of,
                told="it has no words of the turn in its file, as every report has",
                left="The file beside each report has it. Ask for it: REPORT.",
            ),
            Cheat(
                "leaves out of its file that, and the head of the journal",
                shown_otherwise.leaves_the_head_out_of_a_report,
                told="it has no head of the journal in its file, no words of the turn in its file, as every report has",
                left="The file beside each report has both. Ask for it: REPORT.",
            ),
            Cheat(
                "sends a report without its proof",
                shown_otherwise.sends_no_proof,
                told="the report of turn 2 for Borealis",
                left="Each report has one. Ask for it: REPORT.",
            ),
            Cheat(
                "shows a false page, and hides the true one by a style",
                shown_otherwise.hides_the_true_page_by_a_style,
                mails="its words are not those of the report's page in the books",
                whose="cheated",
            ),
            Cheat(
                "shows a false page, and hides the true one in a comment",
                shown_otherwise.hides_the_true_page_in_a_comment,
                mails="its words are not those of the report's page in the books",
                whose="cheated",
            ),
            Cheat(
                "shows a false page, and has a relay write another Message-ID",
                shown_otherwise.alters_the_page_behind_a_relay,
                mails="its words are not those of the report's page in the books",
                whose="cheated",
            ),
            Cheat(
                "alters press that is mailed, and has a relay write another Message-ID",
                shown_otherwise.alters_press_behind_a_relay,
                mails="no press with these words from this writer",
                whose="cheated",
            ),
            Cheat(
                "passes press on in the name of another",
                shown_otherwise.passes_press_on_in_anothers_name,
                mails="no press with these words from this writer",
                whose="cheated",
            ),
            Cheat(
                "makes press up, in a mail that calls itself something else",
                shown_otherwise.makes_press_up,
                mails="no press with these words from this writer",
                whose="cheated",
            ),
            Cheat(
                "puts press behind a report that nobody wrote",
                shown_otherwise.puts_press_behind_a_report,
                mails="no press with these words from this writer",
                whose="cheated",
            ),
            Cheat(
                "alters an announcement of the game master for one player",
                shown_otherwise.alters_an_announcement,
                mails="its words are not those of the entry in the books",
                whose="cheated",
            ),
            Cheat(
                "invents an announcement",
                shown_otherwise.makes_an_announcement_up,
                mails="no entry in the books says it",
                whose="cheated",
            ),
            Cheat(
                "keeps an announcement back from one player",
                shown_otherwise.keeps_an_announcement_back,
                told='a notice to Borealis: "an announcement"',
                left="Its words are in the journal, for all to read.",
            ),
            Cheat(
                "alters the reason that a notice gives",
                shown_otherwise.alters_the_reason_of_a_notice,
                mails="its words are not those of the entry in the books",
                whose="cheated",
            ),
            Cheat(
                "adds a part of another type to an answer, for programs that show that",
                shown_otherwise.adds_a_part_of_another_type,
                told="it has a part of a type that no mail of pbmd has",
                left="A gateway may add parts, too. What counts is in the text.",
            ),
            Cheat(
                "shows a picture in an answer, on screens that are fine enough",
                shown_otherwise.shows_a_picture_on_fine_screens,
                mails="it shows one that did not come with it: https://pbmd.test/2.png",
                whose="cheated",
            ),
            Cheat(
                "shows a picture of its own in a report",
                shown_otherwise.shows_a_picture_in_a_report,
                mails="it shows one that did not come with it",
                whose="cheated",
                without="",
            ),
            Cheat(
                "shows a picture of its own below a report",
                shown_otherwise.shows_a_picture_below_a_report,
                told="it stands outside of what pbmd wrote",
                left="Servers put such there, too. Do not trust such pictures.",
            ),
            Cheat(
                "leaves a number out of the page of an answer, and has a link below that leads to it",
                shown_otherwise.leads_to_a_number_of_an_answer_below_it,
                mails="it does not show",
                whose="cheated",
            ),
            Cheat(
                "puts a link of its own below an answer",
                shown_otherwise.puts_a_link_below_an_answer,
                told="it stands outside of what pbmd wrote",
                left="Servers put such there, too. Do not follow such links.",
            ),
            Cheat(
                "shows other orders in the page of an answer, and has a second text that fits it",
                shown_otherwise.has_a_second_text_that_fits_the_page,
                mails="it has 2 texts, of which programs show one or none",
                whose="cheated",
            ),
            Cheat(
                "does so, and puts the true text where no program shows it",
                shown_otherwise.puts_the_true_text_where_no_program_shows_it,
                mails="it has 2 texts, of which programs show one or none",
                whose="cheated",
            ),
            Cheat(
                "leaves the first sentence of an answer out of its page",
                shown_otherwise.leaves_the_first_sentence_out_of_the_page,
                mails="it does not show",
                whose="cheated",
            ),
        ),
    ),
    (
        "What a mail leaves out, or says besides",
        (
            Cheat(
                "says in a report that no orders came",
                left_unsaid.says_that_no_orders_came,
                told="it names no orders that were used, and the books have these",
                left="The receipt is in your answer. Show it.",
            ),
            Cheat(
                "says in the text of a report that the orders of another receipt were used",
                left_unsaid.says_in_its_text_that_other_orders_were_used,
                mails="the mail says 7, and its file 11",
                whose="cheated",
            ),
            Cheat(
                "says in the text of a report that orders came later",
                left_unsaid.says_in_its_text_that_orders_came_later,
                mails="and its file Fri 20 Nov 2026 12:45 UTC",
                whose="cheated",
            ),
            Cheat(
                "promises no dice in a report",
                left_unsaid.promises_no_dice,
                told="it promises no dice of the next step, and entry 14 does",
                left="Each report but the last promises some. Ask for it: REPORT.",
            ),
            Cheat(
                "tells no salt in a report",
                left_unsaid.tells_no_salt,
                told="it tells no salt for the dice of the next step",
                left="Each report but the last tells one. Ask for it: REPORT.",
            ),
            Cheat(
                "leaves the signed head out of a report",
                left_unsaid.leaves_the_signed_head_out,
                told="it has no signed head in its file, as every report has",
                left="Each report has one. Ask for it: REPORT.",
            ),
            Cheat(
                "writes another house rule into the first report",
                left_unsaid.writes_another_house_rule,
                told='beside the report it says "target = 90."',
                left="The terms are in the journal, for all to read. RULES and STATUS say them, too.",
            ),
            Cheat(
                "adds a sentence to a report",
                left_unsaid.adds_a_sentence_to_a_report,
                told='beside the report it says "-- Altair has resigned.',
                left="What no entry says need not be true. Ask.",
            ),
            Cheat(
                "adds it as if somebody else had said so",
                left_unsaid.adds_it_as_if_somebody_had_said_so,
                told='says "-- Altair has resigned.',
                left="What no entry says need not be true. Ask.",
            ),
            Cheat(
                "adds it as if it stood in the order form",
                left_unsaid.adds_it_as_if_it_stood_in_the_form,
                told='says "-- Altair has resigned.',
                left="What no entry says need not be true. Ask.",
            ),
            Cheat(
                "exchanges a word, and leaves it out of the answer",
                left_unsaid.leaves_the_word_out_of_an_answer,
                told="it names no word for the dice, and in the books one came with these orders",
                left="Each answer names the word that came. Send again.",
            ),
            Cheat(
                "confirms another ballot than it counts",
                left_unsaid.confirms_another_ballot,
                mails="by the books Borealis has voted yes in it",
                whose="cheated",
            ),
            Cheat(
                "says in an answer that all others have sent orders",
                left_unsaid.counts_others_in_an_answer,
                told="by the entries 1 had sent",
                left="How many had sent orders when is in the journal. Nothing depends on it.",
            ),
            Cheat(
                "gives other orders back, to be changed and sent again",
                left_unsaid.gives_another_list_back,
                told="not compared: the list that it gives back",
                left="The next answer lists what it was. Read both.",
            ),
            Cheat(
                "lists other orders in the answer to STATUS",
                left_unsaid.lists_other_orders_on_file,
                told="further words in 1 mail",
                left="It has no receipt, and proves nothing. The answer to the orders does.",
            ),
            Cheat(
                "passes press on as if it were of another turn",
                left_unsaid.passes_press_on_as_of_another_turn,
                mails="entry 10 has it in turn 2",
                whose="cheated",
            ),
            Cheat(
                "says that press went to all",
                left_unsaid.says_that_press_went_to_all,
                mails="entry 10 has it to Borealis",
                whose="cheated",
            ),
            Cheat(
                "says that press went to others than seats",
                left_unsaid.says_that_press_went_to_nobody_in_the_game,
                mails="entry 10 has it to Borealis",
                whose="cheated",
            ),
            Cheat(
                "tells of a vote on something else",
                left_unsaid.tells_of_a_vote_on_something_else,
                mails="its words are not those of the entry in the books",
                whose="cheated",
            ),
            Cheat(
                "tells another end of a vote",
                left_unsaid.tells_another_end_of_a_vote,
                mails="its words are not those of the entry in the books",
                whose="cheated",
            ),
            Cheat(
                "says of a vote that everybody sees who votes how",
                left_unsaid.says_that_ballots_are_open,
                mails="its words are not those of the entry in the books",
                whose="cheated",
            ),
            Cheat(
                "tells a player nothing of an absence",
                time_given.says_nothing_of_an_absence,
                told='a notice to Borealis: "Altair is away"',
                left=_WORD,
            ),
            Cheat(
                "tells a player nothing of the end of an absence",
                time_given.says_nothing_of_a_return,
                told='a notice to Borealis: "Altair is not away"',
                left=_WORD,
            ),
            Cheat(
                "tells a player nothing of a vote",
                left_unsaid.keeps_a_vote_back,
                told='a notice to Borealis: "vote 1 has begun"',
                left=_WORD,
            ),
            Cheat(
                "adds a sentence to an announcement",
                left_unsaid.adds_to_an_announcement,
                mails="besides, which the entry has not",
                whose="cheated",
            ),
        ),
    ),
    (
        "Words that give or take time, or change what is played",
        (
            Cheat(
                "adds a holiday, and keeps back the mails that tell it",
                time_given.adds_a_holiday,
                told='a notice to Borealis: "the quiet days have changed"',
                left=_WORD,
            ),
            Cheat(
                "gives a friend alone more time, and keeps back the mails that tell it",
                time_given.gives_the_friend_time,
                told='a notice to Borealis: "Cygnus has 2 days more"',
                left=_WORD,
            ),
            Cheat(
                "stops the clock and lets it run on, and keeps back the mails that tell it",
                time_given.stops_the_clock,
                told='a notice to Borealis: "the game is paused"',
                left=_WORD,
            ),
            Cheat(
                "looks at the orders of a seat by PEEK, and keeps back the mails that tell it",
                time_given.says_nothing_of_a_peek,
                told='a notice to Borealis: "the game master has looked at the orders of Borealis"',
                left=_WORD,
            ),
            Cheat(
                "changes an option, and keeps back the mails that tell it",
                time_given.says_nothing_of_an_option,
                told='a notice to Borealis: "an option of the game is changed"',
                left=_WORD,
            ),
            Cheat(
                "takes a seat from its player, and keeps back the mails that tell it",
                time_given.says_nothing_of_an_ejection,
                told='a notice to Borealis: "Altair is empty"',
                left=_WORD,
            ),
            Cheat(
                "gives more time for an outage than that took",
                time_given.gives_days_for_an_hour,
                verify="gives no more time than until 2026-11-23 13:31:00 UTC",
            ),
            Cheat(
                "invents an outage that gives time, and answers letters meanwhile",
                time_given.makes_an_outage_up,
                told="within that time letters were dealt with",
                told_by="verify",
                left="Nothing shows an invented outage in which no letter came.",
            ),
            Cheat(
                "lets a friend take more time than the terms give to each",
                time_given.lets_the_friend_take_time,
                verify="took more time than the 24 h that each may take in all",
            ),
            Cheat(
                "waits two days though all orders are in, and takes what a friend sends then",
                time_given.waits_for_the_friend,
                told="Cygnus sent again",
                left="A host can have been off. Ask why.",
            ),
            Cheat(
                "waits two days though all orders are in",
                time_given.waits_though_all_are_in,
                told="all orders were in at",
                told_by="verify",
                left="A host can have been off. What anybody sends then counts for no turn that is over.",
            ),
            Cheat(
                "hands a report over an hour before the deadline",
                time_given.hands_a_report_over_late,
                told="that left 1.0 h until the deadline",
                left="Servers can be slow. Ask for more time.",
            ),
        ),
    ),
    (
        "Under the header, or with the proof, of another mail",
        (
            Cheat(
                "alters orders that a player had sent in an earlier turn, too, and gives the digest of then",
                under_other_kinds.gives_the_digest_of_an_earlier_turn,
                mails="another digest in the books",
                whose="cheated",
            ),
            Cheat(
                "answers with other orders than were taken, under a kind of mail in which nothing is compared",
                under_other_kinds.answers_under_another_kind,
                mails="the orders that it lists are not those of its digest",
                whose="cheated",
            ),
            Cheat(
                "invents an announcement, under a kind of mail in which nothing is compared",
                under_other_kinds.announces_under_another_kind,
                mails="no entry in the books says it",
                whose="cheated",
            ),
            Cheat(
                "asks for a YES that would be worth a seat",
                under_other_kinds.asks_what_nobody_asks,
                told='pbmd sends no mails of the kind "question" to seats',
                left="Ask the game master before you answer.",
            ),
            Cheat(
                "confirms another ballot than it counts, in other words",
                under_other_kinds.confirms_a_ballot_in_other_words,
                told='"You have voted no in vote 1',
                left="Ask `STATUS`, which says how you have voted.",
            ),
            Cheat(
                "confirms that no ballot counts, and counts it",
                under_other_kinds.confirms_that_no_ballot_counts,
                mails="by the books Borealis has voted yes in it",
                whose="cheated",
            ),
            Cheat(
                "tells a player the salt of another, under a header without a seat",
                under_other_kinds.tells_anothers_salt_without_a_seat,
                mails="it is that of another seat",
                whose="cheated",
            ),
            Cheat(
                "leads answers to a mail to a friend",
                under_other_kinds.leads_answers_to_a_friend,
                told="answers to it go to cygnus@players.test",
                left="Mailing lists do it, too. The buttons of the mail lead to the game.",
            ),
            Cheat(
                "tells a player the salt of the turn before again",
                under_other_kinds.tells_the_salt_of_the_turn_before,
                mails="the salt of Borealis for the dice of turn 1",
                whose="cheated",
            ),
            Cheat(
                "tells the words of the turn before again",
                under_other_kinds.tells_the_words_of_the_turn_before,
                mails="the mail has them for turn 2, and entry 9 is that of turn 1",
                whose="cheated",
            ),
        ),
    ),
    (
        "In a player's name",
        (
            Cheat(
                "votes in a name, and keeps the answer back",
                in_a_name.votes_in_a_name,
                told="an answer to a ballot in vote 1 of Borealis, entry 17",
                left="Only you know that you did not write.",
            ),
            Cheat(
                "writes press in a name, and keeps the answer back",
                in_a_name.writes_press_in_a_name,
                told="an answer to press of Borealis, entry 13",
                left="Only you know that you did not write.",
            ),
            Cheat(
                "takes orders back in a name, and keeps the answer back",
                in_a_name.takes_orders_back_in_a_name,
                told="an answer to orders taken back of Borealis, entry 13",
                left="Only you know that you did not write.",
            ),
            Cheat(
                "takes more time in a name, and keeps the answer back",
                in_a_name.takes_time_in_a_name,
                told="an answer to more time of Borealis, entry 13",
                left="Only you know that you did not write.",
            ),
            Cheat(
                "says READY in a name, and keeps the answer back",
                in_a_name.is_ready_in_a_name,
                told="an answer to READY of Borealis, entry 24",
                left="Only you know that you did not write.",
            ),
            Cheat(
                "resigns in a name, and keeps all mails back",
                in_a_name.resigns_in_a_name,
                told="an answer to a resignation of Borealis, entry 22",
                left="Only you know that you did not write.",
            ),
        ),
    ),
    (
        "What is true of another time",
        (
            Cheat(
                "gives the deadline of the next turn in an answer",
                told_again.gives_the_deadline_of_the_next_turn,
                told="an entry says it, but not for when this mail was written",
                left="Ask `STATUS` before a deadline that matters.",
            ),
            Cheat(
                "sends a reminder that says that orders have come",
                told_again.reminds_that_orders_have_come,
                told="it does not say what each mail of the kind",
                left="Only an answer with a receipt says that orders are in.",
            ),
            Cheat(
                "sets two deadlines, and sends the mail of the first for that of the second",
                told_again.sends_the_first_deadline_for_the_second,
                told="a new deadline",
                left=_WORD,
            ),
            Cheat(
                "looks at orders twice, and sends the mail of the first time for that of the second",
                told_again.tells_of_one_peek_for_two,
                told="the game master has looked at the orders of Borealis",
                left=_WORD,
            ),
            Cheat(
                "sends a notice again as one of the next turn",
                told_again.sends_a_notice_again_in_the_next_turn,
                told="no entry says it in turn 3",
                left="The entry of which it tells is in the journal, for all to read.",
            ),
        ),
    ),
    (
        "Subjects of mails",
        (
            Cheat(
                "calls refused orders accepted in the subject of the answer",
                other_subjects.calls_refused_orders_accepted,
                told='it says "Borealis: orders in", and its text "nothing in your mail',
                left="What counts is in the mail.",
            ),
            Cheat(
                "says nothing of a refused line in the subject of the answer",
                other_subjects.does_not_say_that_a_line_was_refused,
                told='it ends early, after "Borealis: orders in"',
                left="What counts is in the mail.",
            ),
            Cheat(
                "calls late orders accepted in the subject of the answer",
                other_subjects.calls_late_orders_accepted,
                told='it says "Borealis: orders in", and its text "your orders for turn 2 came',
                left="What counts is in the mail.",
            ),
            Cheat(
                "calls an answer one of the next turn in its subject",
                other_subjects.calls_an_answer_one_of_the_next_turn,
                told="it says turn 3, and its text turn 2",
                left="What counts is in the mail.",
            ),
            Cheat(
                "names another seat in the subject of an answer",
                other_subjects.writes_to_another_seat,
                told='it says "Cygnus: orders in"',
                left="What counts is in the mail.",
            ),
            Cheat(
                "gives another day for orders in the subject of a report",
                other_subjects.gives_another_day_for_orders,
                told='it says "Turn 1: what happened; orders by Wed 25 Nov"',
                left="What counts is in the mail.",
            ),
            Cheat(
                "says in the subject of a report that there is nothing to do",
                other_subjects.says_that_there_is_nothing_to_do,
                told='it says "nothing to do"',
                left="What counts is in the mail.",
            ),
            Cheat(
                "names another who has won in the subject of the last report",
                other_subjects.names_another_who_has_won,
                told='it says "Turn 3: Cygnus has won, the game is over"',
                left="What counts is in the mail.",
            ),
            Cheat(
                "calls an earlier deadline a later one in the subject of the notice",
                other_subjects.calls_an_earlier_deadline_a_later_one,
                told='it says "the deadline is 1 day later"',
                left="What counts is in the mail.",
            ),
            Cheat(
                "calls an announcement the end of the game in its subject",
                other_subjects.announces_an_end,
                told='it says "the game is cancelled"',
                left="What counts is in the mail.",
            ),
            Cheat(
                "calls a vote one on something else in the subject of its notice",
                other_subjects.calls_a_vote_one_on_something_else,
                told='it says "vote 1 has begun: draw"',
                left="What counts is in the mail.",
            ),
            Cheat(
                "names another writer in the subject of press",
                other_subjects.names_another_writer_of_press,
                told='it says "press from Cygnus to Borealis"',
                left="What counts is in the mail.",
            ),
        ),
    ),
    (
        "What a mail says around what is proved",
        (
            Cheat(
                "says in a notice that players gave time that the game master gave",
                said_around.says_that_players_gave_time,
                mails="its text is not that of such a notice of entry",
                whose="cheated",
            ),
            Cheat(
                "says in a notice that there is more time than was given",
                said_around.says_that_more_time_was_given,
                mails="its text is not that of such a notice of entry",
                whose="cheated",
            ),
            Cheat(
                "says of a pause that it ends by itself",
                said_around.says_that_the_clock_goes_on_by_itself,
                mails="its text is not that of such a notice of entry",
                whose="cheated",
            ),
            Cheat(
                "leaves out of the notice of a pause that orders can be sent",
                said_around.says_nothing_of_orders_in_a_pause,
                mails="its text is not that of such a notice of entry",
                whose="cheated",
            ),
            Cheat(
                "says that the game master looked at the orders of another",
                said_around.says_that_another_was_looked_at,
                mails="its text is not that of such a notice of entry",
                whose="cheated",
            ),
            Cheat(
                "says of a player whom the game master ejected that they resigned",
                said_around.says_that_a_player_resigned,
                mails="its text is not that of such a notice of entry",
                whose="cheated",
            ),
            Cheat(
                "names another holiday in the notice of it",
                said_around.names_another_holiday,
                mails="its text is not that of such a notice of entry",
                whose="cheated",
            ),
            Cheat(
                "says of a new deadline that it is for some alone",
                said_around.says_that_a_deadline_is_for_some,
                mails="its text is not that of such a notice of entry",
                whose="cheated",
            ),
            Cheat(
                "says that all must agree in a vote",
                said_around.says_that_all_must_agree,
                mails="another number must agree than it says",
                whose="cheated",
            ),
            Cheat(
                "says that the first ballot counts, and not the last",
                said_around.says_that_the_first_ballot_counts,
                mails="its text is not that of such a notice of entry",
                whose="cheated",
            ),
            Cheat(
                "confirms a ballot as one on something else",
                said_around.confirms_a_ballot_on_something_else,
                mails='it says that vote 1 is on "the end of the game without a result"',
                whose="cheated",
            ),
            Cheat(
                "does not say in an answer when orders came",
                said_around.does_not_say_when_orders_came,
                mails="the mail does not say when yours came",
                whose="cheated",
            ),
            Cheat(
                "does not say in an answer when orders are due",
                said_around.does_not_say_when_orders_are_due,
                mails="the mail does not say that orders are due",
                whose="cheated",
            ),
            Cheat(
                "makes an answer to orders up, without a proof",
                said_around.makes_an_answer_up,
                told="it says that orders are in, and has no receipt",
                left="No receipt means: it is not in. Send again.",
            ),
            Cheat(
                "hands a notice of more time over when that is over",
                said_around.hands_a_notice_over_late,
                told="that left no time until the deadline",
                left="A mail can be held up on its way. Ask.",
            ),
            Cheat(
                "adds to press what nobody wrote",
                said_around.adds_to_press,
                told='it does not say what each mail of the kind "press" says',
                left="What a player wrote stands behind the marks.",
            ),
            Cheat(
                "has an answer to press go to all",
                said_around.leads_an_answer_to_press_to_all,
                told='it does not say what each mail of the kind "press" says',
                left="Look at whom you write to.",
            ),
            Cheat(
                "says above press that it was read",
                said_around.says_above_press_that_it_was_read,
                told='it says "The game master has read this." besides',
                left="A server on the way can write there, too.",
            ),
            Cheat(
                "calls press to one press to all in its subject",
                said_around.calls_press_to_one_press_to_all,
                told="it says that press went to all, and its text to Borealis",
                left="What counts is in the mail.",
            ),
            Cheat(
                "shows an older head of the journal in an order form",
                said_around.shows_an_old_head_in_the_form,
                told="its order form shows another head than the file beside it",
                left="The file has the head of then.",
            ),
            Cheat(
                "says that answers stop, and that orders do not count",
                said_around.says_that_answers_stop_and_orders_do_not_count,
                told='it does not say what each mail of the kind "silence" says',
                left="Send your orders all the same.",
            ),
            Cheat(
                "writes in a seat's name, keeps the answer back, and says that answers stop for a day",
                said_around.writes_in_a_name_and_says_that_answers_stop,
                told="of which a mail says that no answers come",
                left="Ask what you were not answered.",
            ),
        ),
    ),
    (
        "Letters of which the player has kept a copy",
        (
            Cheat(
                "drops a letter before pbmd sees it, of which the player has a copy",
                time_given.drops_a_kept_letter,
                told="an answer to your letter of",
                left="A letter can be lost, too. Send again.",
            ),
            Cheat(
                "drops a letter, of which the player has a copy, and gives thanks for it in a made-up answer",
                time_given.drops_a_kept_letter_and_gives_thanks_for_it,
                told="no entry has its orders, and the mail that answers it says nothing of them",
                left="No receipt means: it is not in. Send again.",
            ),
            Cheat(
                "strikes WAIT out of a letter before pbmd sees it, of which the player has a copy",
                time_given.strikes_wait_out_of_a_kept_letter,
                told="it has WAIT, and the answer to it says nothing of that",
                left="The answer says what pbmd has done. Send again.",
            ),
            Cheat(
                "strikes a ballot out of a letter before pbmd sees it, of which the player has a copy",
                time_given.strikes_a_ballot_out_of_a_kept_letter,
                told="it has VOTE, and the answer to it says nothing of that",
                left="The answer says what pbmd has done. Send again.",
            ),
            Cheat(
                "alters orders before pbmd sees them, of which the player has a copy",
                time_given.alters_a_kept_letter,
                mails='entry 11 has "Add 1" in it, which it has not',
                whose="cheated",
            ),
            Cheat(
                "drops the word of a reply before pbmd sees it, of which the player has a copy",
                time_given.drops_the_word_of_a_kept_letter,
                mails='it has the word "to be or not to be", and entry 11 none',
                whose="cheated",
            ),
            Cheat(
                "exchanges the word of a reply before pbmd sees it, of which the player has a copy",
                time_given.exchanges_the_word_of_a_kept_letter,
                mails='it has the word "to be or not to be", and the answer to it',
                whose="cheated",
            ),
            Cheat(
                "cuts the word of a reply short before pbmd sees it, of which the player has a copy",
                time_given.cuts_the_word_of_a_kept_letter,
                mails='it has the word "to be or not to be", and the answer to it "to be"',
                whose="cheated",
            ),
            Cheat(
                "makes one order of six equal ones before pbmd sees them, of which the player has a copy",
                time_given.makes_one_order_of_six,
                told='it has "Add 1", which entry 11 has not',
                left="A line may be no order. The answer lists what pbmd read.",
            ),
            Cheat(
                "swaps two orders before pbmd sees them, of which the player has a copy",
                time_given.turns_two_orders_round,
                told="in another order, or more often, than they stand there",
                left="The answer lists what pbmd read.",
            ),
            Cheat(
                "strikes an order out of a letter without a form, of which the player has a copy",
                time_given.strikes_an_order_out_of_a_kept_letter,
                told='it has "Add 3", which entry 11 has not',
                left="A line may be no order. The answer lists what pbmd read.",
            ),
            Cheat(
                "alters press in a letter with orders, of which the player has a copy",
                time_given.alters_the_press_of_a_kept_letter,
                told='it has the message "Beware of Cygnus.", which is not in the books',
                left="Press can be refused, too. Then the answer says so.",
            ),
            Cheat(
                "drops press from a letter with orders, of which the player has a copy",
                time_given.drops_the_press_of_a_kept_letter,
                told='it has the message "Beware of Cygnus.", which is not in the books',
                left="Press can be refused, too. Then the answer says so.",
            ),
            Cheat(
                "turns a ballot round before pbmd sees it, of which the player has a copy",
                time_given.turns_the_ballot_of_a_kept_letter_round,
                mails='it says "yes", and the answer to it "no in vote 1"',
                whose="cheated",
            ),
            Cheat(
                "postdates a letter before pbmd sees it, of which the player has a copy",
                time_given.postdates_a_kept_letter,
                told="it came behind a deadline",
                left="The lines of the mail servers in your answer, and the log of your own, tell when it was handed over.",
            ),
        ),
    ),
    (
        "What an answer says was done, and what is not there",
        (
            Cheat(
                "loses press after its answer",
                after_answers.loses_press,
                told='no entry "press" was written when this mail says',
                left="Show the answer. Ask who was to get it.",
            ),
            Cheat(
                "plays orders that a player has taken back, and answered that they were",
                after_answers.plays_orders_that_were_taken_back,
                told='no entry "cancelled" was written when this mail says',
                left="Show the answer.",
            ),
            Cheat(
                "forgets WAIT after its answer",
                after_answers.forgets_to_wait,
                told='no entry "wait" was written when this mail says',
                left="Show the answer.",
            ),
            Cheat(
                "does so, and another player waits",
                after_answers.forgets_to_wait_though_another_waits,
                told='no entry "wait" was written when this mail says',
                left="Show the answer.",
            ),
            Cheat(
                "forgets an absence after its answer",
                after_answers.forgets_an_absence,
                told='no entry "absent" was written when this mail says',
                left="Show the answer. All players are told of an absence.",
            ),
            Cheat(
                "gives another deadline in the answer to STATUS",
                after_answers.gives_another_deadline_in_a_status,
                told="no entry that is shown says it",
                left="A seat can have a later deadline of its own. Every receipt says it, too.",
            ),
            Cheat(
                "puts a part of its own above an answer",
                after_answers.puts_a_part_above_an_answer,
                told="a part of its own says",
                left="A server on the way can write there, too. What counts is below.",
            ),
            Cheat(
                "writes an order into the form of a report, for who sends it back unread",
                after_answers.gives_an_order_in_the_form,
                told='beside the report it says "Add',
                left="The answer lists the orders that came. Read it.",
            ),
            Cheat(
                "gives a seat away by an entry, and tells its player nothing more",
                after_answers.gives_a_seat_away,
                told="what is of other holders or addresses of Borealis",
                left="The entry is in the journal, for all to read. Ask, and show your last mail.",
            ),
        ),
    ),
    (
        "Around the words of a mail, and in what it leaves out",
        (
            Cheat(
                "writes more than the name of the game as the one who sends",
                around_mails.writes_more_than_its_name,
                told="it is from galaxy-7 (pbmd) Altair has resigned",
                left="What counts is in the mail.",
            ),
            Cheat(
                "names a friend as the one to whom answers go",
                around_mails.names_a_friend_in_answers,
                told="answers to it go to Cygnus <games+",
                left="Look at whom you write to.",
            ),
            Cheat(
                "sends a copy of a report to a friend",
                around_mails.sends_a_copy_to_a_friend,
                told="its field Cc is",
                left="A list or a server can write there, too.",
            ),
            Cheat(
                "has a friend told when a report is read",
                around_mails.has_a_friend_told_when_it_is_read,
                told="its field Disposition-Notification-To is",
                left="A list or a server can write there, too.",
            ),
            Cheat(
                "sends press as a mail from its writer",
                around_mails.writes_as_another,
                told="it is from Altair",
                left="A list can write another sender, too. Reply to the mails of the game.",
            ),
            Cheat(
                "leads answers to the game and to a friend",
                around_mails.leads_answers_to_two,
                told="answers to it go to",
                left="Look at whom you write to.",
            ),
            Cheat(
                "has the button by which programs end such mails do something else",
                around_mails.leads_a_button_of_programs_elsewhere,
                told="does not give up this seat",
                left="A list or a server can write there, too.",
            ),
            Cheat(
                "writes two subjects",
                around_mails.has_a_second_subject,
                told="several fields Subject",
                left="What counts is in the mail.",
            ),
            Cheat(
                "writes two addresses for answers",
                around_mails.has_a_second_place_for_answers,
                told="several fields Reply-To",
                left="Look at whom you write to.",
            ),
            Cheat(
                "gives a player the order form of another seat",
                around_mails.gives_the_form_of_a_friend,
                told="its text has the token of g1p3",
                left="The answer says whose orders came.",
            ),
            Cheat(
                "says in a second order form that a player has resigned",
                around_mails.says_it_in_a_form_of_its_own,
                told="beside the report it says",
                left="A mail has one form, with a token.",
            ),
            Cheat(
                "gives a page another title",
                around_mails.gives_a_page_another_title,
                told="in a title, or aloud, it says",
                left="What counts is in the mail.",
            ),
            Cheat(
                "has programs read aloud what is not there",
                around_mails.has_something_else_read_aloud,
                told="in a title, or aloud, it says",
                left="What counts is in the mail.",
            ),
            Cheat(
                "attaches other rules to a report",
                around_mails.attaches_other_rules,
                told='its text does not name the file "rules.pdf"',
                left="What counts are the rules that were announced.",
            ),
            Cheat(
                "attaches a map to an answer, on which something else is drawn",
                around_mails.attaches_a_map_to_an_answer,
                told='it has no report, and a picture "map.svg"',
                left="What counts is in the mail.",
            ),
            Cheat(
                "attaches a second file with the name of the proof",
                around_mails.attaches_a_second_proof,
                told='it has several files "galaxy-7-t2-receipt-11.txt"',
                left="What counts is what the commands read: values, and the mail.",
            ),
            Cheat(
                "names a friend as the one who sends a report",
                around_mails.writes_for_another,
                told="its field Sender is",
                left="A list or a server can write there, too.",
            ),
            Cheat(
                "gives another deadline in a file for calendars",
                around_mails.gives_a_calendar_another_deadline,
                told="its file for calendars has",
                left="What counts is in the mail.",
            ),
            Cheat(
                "alters orders before pbmd sees them, and answers with the true ones under another heading",
                around_mails.lists_orders_under_another_heading,
                told="it has no list of orders",
                left="What is not listed is not in. Send again.",
            ),
            Cheat(
                "takes a reader off press, and answers that it went to both",
                around_mails.drops_a_reader_of_press,
                told='by entry 11 it would be "went to Altair"',
                left="Show the answer. Ask who got it.",
            ),
            Cheat(
                "shortens an absence, and answers that it is longer",
                around_mails.shortens_an_absence,
                told="Thu 24 Dec 2026 to Fri 25 Dec 2026",
                left="Show the answer. All players are told of an absence.",
            ),
            Cheat(
                "forgets a resignation after its answer, and plays the seat",
                around_mails.forgets_a_resignation,
                told='no entry "resigned" was written',
                left="Show the answer.",
            ),
            Cheat(
                "forgets after its answer that a seat has a new secret",
                around_mails.forgets_a_new_secret,
                told='no entry "token" was written',
                left="Show the answer. Ask for another.",
            ),
            Cheat(
                "adds a sentence to the mail that a turn is played again",
                around_mails.adds_to_what_is_said_of_a_turn_that_is_played_again,
                told='it says "Altair has resigned.',
                left="What counts is in the mail.",
            ),
            Cheat(
                "hands a report over late, and names a server that had it in time",
                around_mails.hides_a_late_report_by_a_server_that_there_is_not,
                told="unless the host has written what other servers say",
                left="Your own mail server knows when it got it. Ask.",
            ),
            Cheat(
                "gives another reason why a turn is played again",
                around_mails.alters_why_a_turn_is_played_again,
                mails="its words are not those of the entry in the books",
                whose="cheated",
            ),
        ),
    ),
    (
        "One sentence in a mail",
        tuple(
            Cheat(row.does, row.host, mails=row.told, whose="cheated")
            if row.found
            else Cheat(row.does, row.host, told=row.told, left=row.left, limit=None if row.told else Limit.NO_ENTRY)
            for row in (*whole_texts.ROWS, *behind_honest_words.ROWS)
        ),
    ),
    (
        "The same again",
        (
            Cheat(
                "sends press again, as if it had been written once more",
                behind_honest_words.sends_press_again,
                told="it is dated at another time than entry 10",
                left="The journal has it once.",
            ),
            Cheat(
                "writes an older head into the list that an answer gives back",
                behind_honest_words.brings_an_older_head_back,
                mails=_TWO,
                whose="cheated",
                without="one",
            ),
        ),
    ),
    (
        "Moving to another host",
        (
            Cheat(
                "goes on from an older archive, to undo a turn",
                time_given.moves_house_to_undo_a_turn,
                told="a turn that was given up",
                left="The mail with which it goes on names the turns that it gives up.",
            ),
            Cheat(
                "opens another entry of the old journal than the one that the game goes on from",
                time_given.opens_another_old_entry,
                verify="what it opens of that has another hash",
                mails=_TWO,
                alone=False,
            ),
        ),
    ),
    (
        "The whole history",
        (
            Cheat(
                "begins two games of one name, for two players",
                time_given.begins_two_games,
                mails=_TWO,
                whose="cheated",
                without="two",
            ),
            Cheat(
                "tells two players two histories, changes what their replies bring back, and archives one of them",
                hosts.forks,
                mails=_TWO,
                whose="cheated",
                without="two",
                proved=True,
            ),
            Cheat(
                "does so, with other numbers of entries in each, and without those of steps in Message-IDs",
                hosts.forks_out_of_step,
                mails=_TWO,
                whose="cheated",
                without="two",
            ),
            Cheat(
                "keeps two whole histories for two players, and gives each an archive of theirs",
                hosts.forks_with_archives,
                mails=_TWO,
                whose="two",
                without="two",
                proved=True,
            ),
            Cheat(
                "plays everything from turn 2 on anew when the game is over",
                hosts.rewrites,
                mails=_TWO,
            ),
            Cheat(
                "writes other options into the archive, and plays all of it anew",
                hosts.changes_first_options,
                mails=_TWO,
            ),
            Cheat(
                "changes an option in the ledger, and says nothing",
                hosts.changes_option,
                verify="the digest of the position after the step in entry 14 is not what comes out",
            ),
            Cheat(
                "gives away an archive that ends early",
                hosts.truncates,
                told="it may be of a later one",
                left="Your mails are newer than the archive: ask for a later one.",
            ),
            Cheat(
                "leaves an entry out of the journal",
                hosts.leaves_out_an_entry,
                verify="entry 10 is missing",
                alone=True,
                mails=_CONTRADICT,
            ),
            Cheat(
                "says that an entry is withheld, and changes what stands before it",
                hosts.calls_withheld,
                verify="its terms is not what the journal says",
                mails=_TWO,
            ),
            Cheat(
                "writes into the archive that orders were late",
                hosts.changes_sheets,
                verify="it comes out differently",
                alone=True,
                mails=_CONTRADICT,
            ),
            Cheat(
                "writes another winner into the archive",
                hosts.changes_winner,
                verify="its outcome is not what the journal says",
            ),
            Cheat(
                "alters a letter in `letters.mbox`",
                hosts.changes_letters,
                told="Nothing but their checksums was checked of letters.mbox",
                told_by="verify",
                left="Tokens in letters are blanked, so no digest fits. What counts is in the journal.",
            ),
            Cheat(
                "writes other names of holders into the archive",
                hosts.changes_holder,
                told="holders and time zones",
                told_by="verify",
                left="They are the word of whoever made the archive.",
            ),
        ),
    ),
)
"""The cheats by what they touch."""
