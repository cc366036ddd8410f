"""RULES and HELP: the handbook of a game, its chapters, and the commands."""

import re
import textwrap

from pbmd.desk.books.transaction import Transaction
from pbmd.desk.changes.openings.places import gives_later
from pbmd.desk.language.commands import Command
from pbmd.desk.language.player_commands import PlayerLanguage
from pbmd.desk.letter.answer import Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.mail.draft import Draft, subject
from pbmd.desk.mail.queue import mail_to_seat
from pbmd.desk.mail.rate_limits import answer_digest, request_text
from pbmd.rendering.handbook import Chapter, chapters, handbook_html, handbook_text, markdown_text
from pbmd.rendering.vote_words import terms_words
from pbmd.rules.words import listing
from pbmd.terms.phases import phase_words
from pbmd.terms.seating import seating_words
from pbmd.terms.sleepers import sleeper_rule, step_of
from pbmd.terms.substitutes import substitute_rule

_SCREEN = """\
One command or order a line. What is not a command is read as an order.

{lines}
END                     nothing below it is read

HELP and one of these words tells more; HELP commands tells all."""
"""One screen, with what its answer says around it."""
_FAIRNESS = "fairness"
_OF_PROOFS = """\
FAIRNESS
A file is attached to each report and to each answer to orders. You need
it only if somebody doubts the dice, the records or what was sent; so
keep your mails, with their files.

The dice of a turn come out of a secret that is drawn before anybody
orders, and out of what all have ordered. The file of the report before
has the commitment, by which nobody can exchange the secret; that of the
report after has the secret, so that everybody can roll again. Into the
dice go, too, a salt that you alone are told, and the last word of the
line #orders in your form. Write another there if you trust nobody.

The four words at the end of a report are the same for everybody. Ask
another player for theirs, in a chat: if they differ, you were told two
stories.

The head of the journal fixes all that has happened up to then, and it
is signed: who tells two players two stories has signed both. The file
of an answer, a receipt, proves what you sent, and when it came.

What to do with them, on any computer with pbmd:
  pbmd receipt MAILS --archive GAME   hold mails against the books
  pbmd compare MAILS MAILS            hold mails of two players
                                      against each other
A mail that was forwarded within another has lost its file: REPORT 3
sends the report of turn 3 again, with its file."""
_ALL = ("commands", "all")
_OF_ORDERS = ("orders", "order", "the orders")
_HOW_TO_ORDER = re.compile(r".*\bwrit\w+ orders|order lines|orders", re.IGNORECASE)


def rules(work: Transaction, sender: Sender, arrived: Arrived, command: Command, answer: Answer) -> None:
    """RULES [chapter]: the handbook, in a mail of its own because it is long, or chapters by words of their titles."""
    table, info = sender.table, sender.table.ruleset.info
    if topic := command.words.get("topic", ""):
        if topic.casefold() == _FAIRNESS:
            answer.section("rules", _OF_PROOFS)
        elif found := _chapters(info.handbook_with_scenes, topic):
            answer.section("rules", _text(found))
        else:
            titles = listing(each.title for each in chapters(info.handbook_with_scenes))
            there_are = f"there are {titles}" if titles else "the handbook has none, and RULES alone sends all of it"
            answer.remark(f"RULES: no chapter is called like that; {there_are}.")
        return
    title = subject(table, f"{info.title}: the players' handbook", "the players' handbook")
    draft = handbook_mail(f"handbook {arrived.id} {command.line.number}", title, info.handbook_with_scenes, arrived)
    mail_to_seat(work, table, sender.seat, draft)
    answer.remark("The players' handbook follows in a mail of its own.")
    if words := phase_words(table.terms, info.phases):
        answer.section("phases", textwrap.fill(f"In this game each kind of phases has its own time. {words}", 72))
    if words := sleeper_rule(table.terms, step_of(info.timing)):
        answer.section("who sends nothing", textwrap.fill(words, 72))
    if words := substitute_rule(table.terms):
        answer.section("who is away", textwrap.fill(words, 72))
    if gives_later(table):
        answer.section("seats", textwrap.fill(seating_words(table.terms, info.seat_word), 72))
    if words := terms_words(table.terms, table.ruleset.info.votes):
        answer.section("votes", textwrap.fill(words, 72))


def handbook_mail(key: str, title: str, handbook: str, arrived: Arrived) -> Draft:
    """The mail with a whole handbook."""
    again = answer_digest(request_text(arrived.letter), "handbook")
    return Draft("handbook", key, title, handbook_text(handbook), handbook_html(handbook), digest=again)


def explain(_work: Transaction, sender: Sender, _arrived: Arrived, command: Command, answer: Answer) -> None:
    """HELP [topic]: the commands on one screen; how orders are written; or commands and chapters with such words."""
    topic, commands = command.words.get("topic", "").casefold(), sender.table.commands
    screen = _SCREEN.format(lines="\n".join(commands.screen))
    if text := _help_on(topic, sender.table.ruleset.info.handbook_with_scenes, commands) if topic else screen:
        answer.section("help", text)
    else:
        answer.remark(f'There is no help on "{topic}". HELP alone lists the commands, RULES sends the handbook.')


def _help_on(topic: str, handbook: str, commands: PlayerLanguage) -> str:
    """What there is on a topic, empty if there is nothing."""
    if topic == _FAIRNESS:
        return _OF_PROOFS
    if topic in _OF_ORDERS and (found := on_orders(handbook)):
        return _text(found)
    named = _beginning(topic)
    forms = [form for form in commands.forms if topic in _ALL or named.search(form.usage)]
    text = "\n".join(f"{form.usage}\n    {form.help}" for form in forms)
    return "\n\n".join(part for part in (text, _text(_chapters(handbook, topic))) if part)


def on_orders(handbook: str) -> list[Chapter]:
    """The chapters of a handbook that tell how orders are written."""
    return [each for each in chapters(handbook) if _HOW_TO_ORDER.fullmatch(each.title)]


def _chapters(handbook: str, topic: str) -> list[Chapter]:
    """Those with the topic in their title."""
    named = _beginning(topic)
    return [each for each in chapters(handbook) if named.search(each.title)]


def _beginning(topic: str) -> re.Pattern[str]:
    """What finds a topic where a word begins: "me" is no part of "game"."""
    return re.compile(rf"(?<!\w){re.escape(topic)}", re.IGNORECASE)


def _text(found: list[Chapter]) -> str:
    return "\n\n".join(markdown_text(each.source).strip("\n") for each in found)
