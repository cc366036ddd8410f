"""Letters of the game master: what is done, what is answered. Whether a letter is theirs says `pbmd.desk.letter.sender`.

What cannot be undone is asked about first. The question has a code, which a reply quotes by itself; it counts once, and only as
long as what it rests on has not changed since it was asked (`pbmd.desk.gm.question_facts`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlmodel import col, select

from pbmd.desk.books.carried_out import Unreported
from pbmd.desk.books.question_payloads import OfMaster, read_as, written
from pbmd.desk.books.transaction import OpenGame, Transaction
from pbmd.desk.gm.commands import Done, carried_out, fixed, foreseen, must_be_whole
from pbmd.desk.gm.question_facts import changes, facts_of
from pbmd.desk.language.commands import Command, Script
from pbmd.desk.language.gm_commands import MASTERS
from pbmd.desk.language.order_words import commands_test, without_talk
from pbmd.desk.language.surroundings import Surroundings
from pbmd.desk.letter.opened_letter import Arrived, Master
from pbmd.desk.letter.sender import ABOUT_GM
from pbmd.desk.letter.subject_line import wholes_of
from pbmd.desk.mail.draft import TO_MASTER, YES_OR_NO, Draft, render, subject
from pbmd.desk.mail.queue import mail_to, tell_gm
from pbmd.desk.mail.rate_limits import CausedMails, answer_digest, request_text
from pbmd.desk.mail.tokens import BLANKED
from pbmd.desk.questions.ask import Heard, closed_words, hear, open_question, said_in
from pbmd.desk.step.reporting.reports import report_all
from pbmd.ledger.tables import Confirmation, ConfirmationState
from pbmd.post.lines.quotes import COPIED_MAIL
from pbmd.post.lines.sent import AGAIN, EDITED
from pbmd.post.read.letter import Letter
from pbmd.post.tags import make_code, write_tag
from pbmd.rules.protocol import Line, Refused
from pbmd.terms.times import TimeError, describe_time

MAX_COMMANDS = 20
"""A letter must not cause an endless answer."""
_SHOWN_CHARS = 200


@dataclass(frozen=True, slots=True)
class _Question:
    """What exactly would happen, and the code of the question whether to do it, as it is written."""

    foreseen: str
    code: str


@dataclass(frozen=True, slots=True)
class _Bid:
    """A command and its words, as they apply from now on."""

    kind: str
    words: Mapping[str, str]
    text: str = ""


def serve(work: Transaction, master: Master, arrived: Arrived) -> None:
    """Do what a letter of the game master says, and answer it."""
    table = master.table
    work.slot(CausedMails).count = None  # Messages to everybody go to everybody.
    if master.question is not None and not _only_commands(arrived):
        done, again = _answered(work, table, master.question, arrived)
        results, names = [done], "an answer to a question"
    else:
        results, names, again = _carry_out(work, table, arrived)
    work.log("gm", table, detail=f"letter {arrived.id}: {names}")
    _send(work, master, arrived, results, again)


def _only_commands(arrived: Arrived) -> bool:
    """Whether a letter with the code of a question does not answer it, but says something else to do: any mail of the game can
    be used for that. The question stays open."""
    said = MASTERS.read([Line(line.number, line.text) for line in arrived.letter.lines])
    return said_in(arrived.letter) == "unclear" and bool(said.commands)


def _carry_out(work: Transaction, table: OpenGame, arrived: Arrived) -> tuple[list[Done], str, _Question | None]:
    """Run each command in the order written; returns the results, the names of the commands for the log, and a question if
    there is one."""
    written = MASTERS.read([Line(line.number, line.text) for line in arrived.letter.lines])
    pieces = _pieces_of_sentences(written)
    commands, overruling = MASTERS.once_each([command for command in written.commands if command not in pieces])
    said = replace(written, commands=commands)
    results = [*_beforehand(said, arrived), *map(_in_sentence, pieces), *map(Done, overruling)]
    to_ask: _Bid | None = None
    for word in said.commands[:MAX_COMMANDS]:
        try:
            bid = _bid(work, table, word, arrived)
            if not foreseen(work, table, bid.kind, bid.words):
                results.append(_done(work, table, bid))
            elif to_ask is not None:
                raise Refused("one question a mail is enough; send it in another one")
            else:
                to_ask = bid
        except (Refused, TimeError) as problem:
            results.append(_refused(word.line.text, problem))
    results += [*map(_unknown, _others(said)), *_not_read(arrived.letter)]
    if not results and to_ask is None:
        results.append(Done(_IN_SUBJECT if _is_in_subject(arrived.letter) else _NO_COMMAND))
    # Asked last: the rest of the mail may change what the question is about.
    question: _Question | None = None
    if to_ask is not None:
        try:
            question = _question(work, table, to_ask, arrived.id)
        except (Refused, TimeError) as problem:
            results.append(_refused(to_ask.text, problem))
    return results, ", ".join(word.kind for word in said.commands[:MAX_COMMANDS]) or "no command", question


def _pieces_of_sentences(said: Script) -> list[Command]:
    """The commands that only go on with a sentence above them, where a mail program or its writer has broken it. What begins
    with a capital is meant as a command wherever it stands."""
    commands = {command.line.number: command.line for command in said.commands}
    around = Surroundings(commands, {line.number: line for line in said.orders}, _TEST.is_order)
    pieces = (command for command in said.commands if command.line.text[:1].islower() and not _only_asks(command))
    return [command for command in pieces if around.goes_on_from_above(command.line) and _may_go_on(around, command.line)]


def _only_asks(command: Command) -> bool:
    form = MASTERS.by_kind[command.kind]
    return form.asks or form.closed_by is not None


def _may_go_on(around: Surroundings, line: Line) -> bool:
    """Whether the line above ends as one does that goes on: with a word or a comma, and not with a colon, a smiley or the
    like."""
    last = around.others[line.number - 1].text.rstrip()[-1:]
    return last.isalnum() or last in ",;-"


def _in_sentence(command: Command) -> Done:
    text = command.line.text[:_SHOWN_CHARS]
    return Done(f'"{text}" stands in a sentence, so nothing was done. If you mean it, send it with a blank line above it.')


def _beforehand(said: Script, arrived: Arrived) -> list[Done]:
    """What is to be said about a letter whatever comes of its commands."""
    results: list[Done] = []
    if any(line.number in arrived.blanked for word in said.commands for line in (word.line, *word.body)):
        results.append(Done(BLANKED))
    if arrived.letter.problem:
        results.append(Done(arrived.letter.problem))
    for each in said.unopened:
        told = f"{each.closes_nothing}. {_NOT_DONE} It is written {each.usage}."
        results.append(Done(told, "lines that were not read", "\n".join(line.text for line in each.body)))
    if len(said.commands) > MAX_COMMANDS:
        results.append(Done(f"Of your {len(said.commands)} commands only the first {MAX_COMMANDS} were read."))
    return results


_NO_COMMAND = "Your mail had no command in it, so nothing was done. HELP lists what there is."
_IN_SUBJECT = "A command in the subject is not read: write it into the mail, on a line of its own."


def _is_in_subject(letter: Letter) -> bool:
    return any(MASTERS.command(Line(0, text)) for text in wholes_of(letter.subject[:_SHOWN_CHARS]))


_NOT_DONE = "What may belong to it was not read as commands, and not sent."


def _bid(work: Transaction, table: OpenGame, word: Command, arrived: Arrived) -> _Bid:
    """The command with its words. Raises `Refused` and `TimeError`."""
    must_be_whole(table, word.kind)
    return _Bid(word.kind, fixed(work, word.kind, _words(word, arrived)), word.line.text)


def _done(work: Transaction, table: OpenGame, bid: _Bid) -> Done:
    """Do it; the consequences are reported before anything else is done. Raises `Refused` and `TimeError`."""
    done = carried_out(work, table, bid.kind, bid.words)
    if work.slot(Unreported).left:
        report_all(work)
    return done


def _others(said: Script) -> Sequence[Line]:
    """The lines that are no commands: first those that may have been meant as one, then the others. Talk around commands is
    left out."""
    if not said.commands or not said.orders:
        return sorted(said.orders, key=lambda line: not MASTERS.nearest(line.text))
    return without_talk(said.orders, [command.line.number for command in said.commands], _TEST)


_TEST = commands_test(MASTERS)


def _unknown(line: Line) -> Done:
    hint = MASTERS.nearest(line.text)
    return Done(f'"{line.text[:_SHOWN_CHARS]}" is no command{f"; did you mean {hint}?" if hint else "."}')


_MAY_BE_OWN = (EDITED, AGAIN, COPIED_MAIL)
"""Why lines were not read that the game master may have written; no mail program says that they are quoted."""


def _not_read(letter: Letter) -> list[Done]:
    """The files that came with a letter, and the lines that were written where nothing is read."""
    read = () if letter.source != "attachment" else [file for file in letter.files if file.lines]
    files = [Done(f'The attached file "{file.name}" was not read.') for file in letter.files if file not in read]
    written = [f"{piece.reason}:\n{piece.text}" for piece in letter.left_out if piece.reason in _MAY_BE_OWN]
    return [*files, Done(title="lines that were not read", text="\n\n".join(written))] if written else files


def _words(word: Command, arrived: Arrived) -> dict[str, str]:
    """The words of a command. What stands between it and its end is unchanged. Raises `Refused` for one without an end."""
    if MASTERS.by_kind[word.kind].closed_by is None:
        return word.words
    if word.open:
        name, done = word.kind.upper(), MASTERS.by_kind[word.kind].unclosed
        raise Refused(f"END {name} is missing, so nothing was {done}, and the lines after {name} were not read as commands")
    written = {line.number: line.original for line in arrived.letter.lines}
    lines = (word.words.get("first", ""), *(written[line.number].rstrip() for line in word.body))
    return {**word.words, "text": "\n".join(lines).strip("\n")}


def _refused(text: str, problem: Exception) -> Done:
    return Done(f"{text.strip()[:_SHOWN_CHARS]}: {problem}.")


def _question(work: Transaction, table: OpenGame, bid: _Bid, letter_id: int) -> _Question | None:
    """The question whether to do this, None if there is nothing to ask. Raises `Refused` and `TimeError`."""
    would_be = foreseen(work, table, bid.kind, bid.words)
    if not would_be:
        return None
    # Questions that are older count no more: there is one at a time.
    earlier = select(Confirmation).where(Confirmation.game_id == table.id, Confirmation.subject == ABOUT_GM)
    for question in work.session.exec(earlier.where(col(Confirmation.state) == ConfirmationState.OPEN)):
        question.state = ConfirmationState.EXPIRED
    kept = OfMaster(bid.kind, bid.words, facts_of(work, table, MASTERS.by_kind[bid.kind].rests_on, bid.words))
    _, code = open_question(work, table, None, ABOUT_GM, letter_id, written(kept))
    return _Question(would_be, write_tag(code))


def _answered(work: Transaction, table: OpenGame, question: Confirmation, arrived: Arrived) -> tuple[Done, _Question | None]:
    """The result of an answer, and another question if the game has moved on."""
    heard = hear(question, said_in(arrived.letter), arrived.arrived_at)
    if heard == "closed":
        return Done(closed_words(question, arrived.arrived_at, "you have been asked something else since")), None
    if heard != "confirmed":
        return Done(_NOTHING_DONE[heard]), None
    kept = read_as(OfMaster, question.payload)
    bid = _Bid(kept.command, kept.words)
    try:
        must_be_whole(table, bid.kind)
        if changed := changes(work, table, MASTERS.by_kind[bid.kind].rests_on, bid.words, kept.facts):
            return _void(work, table, bid, changed, arrived.id)
        return _done(work, table, bid), None
    except (Refused, TimeError) as problem:
        return Done(f"Nothing was done: {problem}."), None


_NOTHING_DONE: Mapping[Heard, str] = {
    "unclear": (
        "Your answer could not be read, so nothing was done. Reply to the question again, with a line of its own that has only "
        "the word YES or only the word NO."
    ),
    "denied": "Nothing was done.",
}


def _void(
    work: Transaction, table: OpenGame, bid: _Bid, changed: Sequence[str], letter_id: int
) -> tuple[Done, _Question | None]:
    """The reply to a YES whose facts have changed, and the question anew, while there is one."""
    why = f"Nothing was done, because things have changed since you were asked: {'; '.join(changed)}."
    try:
        again = _question(work, table, bid, letter_id)
    except (Refused, TimeError) as problem:
        return Done(f"{why} Nor can it be done any more: {problem}."), None
    how = "Another mail asks you again, for how it is now." if again else "Send your command again if you still want it."
    return Done(f"{why} {how}"), again


def _send(work: Transaction, master: Master, arrived: Arrived, results: Sequence[Done], question: _Question | None) -> None:
    """One answer to a letter, and if there is a question, that in a separate mail, which can be replied to."""
    letter, table = arrived.letter, master.table
    sentences = [f"{done.sentence} {done.next_by_mail}".rstrip() for done in results if done.sentence]
    sections = [(done.title, done.text) for done in results if done.text]
    title = ", ".join(name for name, _ in sections) or next((each.rstrip(".") for each in sentences), "your mail")
    if sentences or sections:
        text = render("gm_answer.txt", {"game": table.game, "sentences": sentences, "sections": sections})
        key, gist = (
            f"acknowledgement {arrived.id}",
            answer_digest(request_text(letter), f"{_standing(table)} {sentences} {sections}"),
        )
        kind = TO_MASTER if master.proven else "acknowledgement"
        draft = Draft(kind, key, subject(table, title), text, answers=letter.message_id, digest=gist)
        tell_gm(work, draft, table)
    if question is not None:
        _ask(work, table, question)


def _standing(table: OpenGame) -> list[str | int]:
    """What makes an answer different though its words are the same."""
    game = table.game
    return [game.status.value, game.turn, game.step, game.chain_number]


def _ask(work: Transaction, table: OpenGame, question: _Question) -> None:
    number = int(question.code[1:].partition(".")[0])
    asked_row = work.session.get(Confirmation, number)
    assert asked_row is not None
    until = describe_time(asked_row.expires_at, work.desk.settings.server.timezone)
    text = render("ask_master.txt", {"game": table.game, "foreseen": question.foreseen, "until": until})
    title = subject(table, "are you sure?", code=question.code)
    draft = Draft("question", f"question {number}", title, text, offers=YES_OR_NO)
    mail_to(work, work.desk.settings.server.gm, draft, table, make_code(work.desk.key, number))
