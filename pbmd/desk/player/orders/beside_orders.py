"""What stands beside the orders of a letter and is none, where it may matter: talk between them, where one line that is no
order costs the whole letter; and words about them, such as corrections.

Whoever plays must hear of it at once, so the subject of the answer says that something was not read.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import filterfalse, pairwise

from pbmd.desk.language.framing import heads_of_tables, is_sum, without_conclusion
from pbmd.desk.language.marks import says_nothing
from pbmd.desk.language.notices import is_notice
from pbmd.desk.language.order_words import COMMON, LINK, LineTest, commands_test, ends_with_colon, may_be_wrapped, tokens_of
from pbmd.desk.language.own_name import is_signed
from pbmd.desk.language.second_thoughts import leaves_open, says_change, takes_back
from pbmd.desk.language.surroundings import is_like_greeting
from pbmd.desk.language.vocabulary import (
    Vocabulary,
    announces_orders,
    is_choice,
    may_be_condition,
    names_orders,
    only_announces,
    says_of_other_orders,
    says_that_orders_follow,
    shares_words,
    vocabulary,
    words_of,
)
from pbmd.desk.language.whose_orders import is_of_others
from pbmd.desk.letter.answer import WORDS_NOT_READ, Answer
from pbmd.desk.letter.opened_letter import Arrived, Sender
from pbmd.desk.letter.unread_orders import UNJUDGED, is_talk, order_test, refused
from pbmd.desk.player.orders.conditions import turn_named
from pbmd.post.lines.command_text import OUTSIDE
from pbmd.post.lines.sorted_lines import HEADING, SHOWN_CHARS, LeftOut
from pbmd.rules.protocol import Line, Status, seat_reader

LINES_NOT_READ = "lines not read"
"""What the subject says of talk between orders."""
_TOKEN = re.compile(r"[^\W_]+")
_LINES_OF_SIGNATURES = (2, 3)
"""A farewell, and below it a name, or one and a side."""
_FEW, _MOST_WORDS = 3, 30
"""So many words a greeting or a name has at most, and words about orders: what is longer is a notice, or a letter."""


def headings_of_this_turn(sender: Sender, arrived: Arrived, lines: Sequence[Line]) -> frozenset[Line]:
    """The lines that say no more than that those beside them are orders, or are for this turn, as all are, or that only frame
    them, as the head of a table does; and are nothing to the rules."""
    turn, name = sender.table.game.turn, sender.seat.name
    framing = _framing(sender, arrived, lines)
    said = [line for line in lines if line in framing or turn_named(sender, line) == turn or only_announces(line.text, name)]
    wrong = refused(sender.table, sender.seat.name, said, arrived.arrival)
    return frozenset(line for line in said if line.number in wrong)


def _framing(sender: Sender, arrived: Arrived, lines: Sequence[Line]) -> frozenset[Line]:
    """The lines that say of the orders beside them no more than that these are all, or what stands in which column, or a sum
    that may be right."""
    test = order_test(sender.table, sender.seat.name, arrived.arrival)

    def concludes(text: str) -> bool:
        rest = without_conclusion(text)
        return rest != text and not (test.is_order(rest) or test.may_belong(rest) or says_change(rest) or leaves_open(rest))

    heads = frozenset(line for line in heads_of_tables(arrived.script.orders) if not _is_doubtful(line.text))
    texts = [line.text for line in arrived.script.orders]
    return frozenset(line for line in lines if line in heads or concludes(line.text) or is_sum(line.text, texts))


def _is_doubtful(text: str) -> bool:
    """Whether a line may say that the orders beside it do not count, or not all."""
    return says_change(text) or leaves_open(text) or may_be_condition(text) or says_of_other_orders(text)


def talk_between(sender: Sender, arrived: Arrived, lines: Sequence[Line]) -> frozenset[Line]:
    """The order lines that are talk in a letter that is refused as a whole for a line that is no order: the rules do not take
    them, and they have nothing that an order needs. Nothing is, if nothing else can be taken."""
    table, seat = sender.table, sender.seat
    wrong = refused(table, seat.name, lines, arrived.arrival)
    if not wrong or len(wrong) == len(lines) or any("[b]" in line.text.casefold() for line in lines):
        return frozenset()
    known = _vocabulary(sender, arrived)
    is_command = commands_test(table.commands).is_order
    above = {line.number: line.text for line in lines}
    own = words_of((seat.holder, arrived.letter.sender_name))

    def is_mere_talk(line: Line) -> bool:
        if own.issuperset(tokens_of(line.text)):
            return True
        may_be_meant = is_command(line.text) or known.may_be_order(line.text)
        return not may_be_meant and not may_be_wrapped(above.get(line.number - 1, ""), line.text)

    return frozenset(line for line in lines if line.number in wrong and is_mere_talk(line))


def _vocabulary(sender: Sender, arrived: Arrived) -> Vocabulary:
    table, seat, letter = sender.table, sender.seat, arrived.letter
    rules, game = table.ruleset, table.game
    form = rules.order_form(table.position, seat.name)
    shown = rules.view(table.position, (), seat_reader(seat.name)).data
    own = (seat.name, seat.holder, letter.sender_name, game.name, rules.info.title, game.step_words, "orders")
    return vocabulary(form, rules.info.handbook, shown, own)


def doubtful_talk(
    lines: Sequence[Line], talk: Sequence[Line], names: Collection[str], test: LineTest, answer: Answer
) -> frozenset[Line]:
    """The talk beside orders which cannot be changed once they are accepted that may change them; the answer says so. Long talk
    is a notice, or a letter; `names` are those of its writer, who may be called Draft."""
    said = frozenset(line.text for line in talk)

    def may_change(line: str) -> bool:
        text = without_conclusion(line)
        return not test.is_field(text) and (takes_back(text, test.has_word) or is_piece(text, test.has_word))

    signature = _signature(lines, said, names)
    brief = (text for block in _paragraphs(lines, said) if _is_short(block) for text in block if text != signature)
    changing = frozenset(filter(may_change, brief))
    doubtful = [line for line in talk if line.text in changing]
    if doubtful:
        answer.remark(
            f'"{doubtful[0].text:.60}" may change your orders, which are final once accepted, so it counts as a wrong line. '
            "Write your orders as they shall be, without such words."
        )
    return frozenset((*doubtful, *(line for line in talk if is_choice(line.text))))


def _signature(lines: Sequence[Line], talk: Collection[str], names: Collection[str]) -> str:
    """The last line of a letter, if it is one of these names, or below a farewell what may be any. A farewell ends as greetings
    do, or is a few words of talk with a blank line above."""
    if len(lines) < _LEAST_SAID:
        return ""
    above, last = lines[-2:]
    words = last.text.split()
    is_name = _LEAST_SAID <= len(words) <= _FEW and all(map(str.isalpha, words))
    is_apart = above.number > lines[-3].number + 1 if len(lines) > _LEAST_SAID else True
    is_farewell = is_like_greeting(above.text) or (is_apart and above.text in talk and len(above.text.split()) <= _FEW)
    is_below_farewell = above.number == last.number - 1 and is_farewell
    return last.text if is_name and (is_below_farewell or is_signed(last.text, names)) else ""


def names_of(sender: Sender, arrived: Arrived) -> tuple[str, ...]:
    """Those that the signature of who writes may have."""
    letter, seat = arrived.letter, sender.seat
    return seat.name, seat.holder, letter.sender_name, letter.sender.partition("@")[0]


def signature_in(lines: Sequence[Line], names: Collection[str], test: LineTest) -> Sequence[Line]:
    """The last of the lines, if they are a farewell with a blank line above, and below it who writes: in one line or two."""
    for many in _LINES_OF_SIGNATURES:
        above, signature = lines[-many - 1 : -many], lines[-many:]
        if not above or not _is_farewell(signature[0].text, test):
            continue
        is_block = above[0].number + 1 < signature[0].number == signature[-1].number - many + 1
        if is_block and all(is_signed(line.text, names) for line in signature[1:]):
            return signature
    return ()


def _is_farewell(text: str, test: LineTest) -> bool:
    """Whether a line is like a farewell, and has nothing of orders: "Fleet Aquila,", "Cancel that!"."""
    return is_like_greeting(text) and not (test.has_word(text) or _is_doubtful(text))


def tell_of_talk(sender: Sender, arrived: Arrived, answer: Answer) -> None:
    """Say in the subject, too, that talk which may be about the orders of a letter was not read: it has words of theirs, or
    says that something is to be changed. Long talk is not looked at, or each notice below a mail would be told."""
    listed = frozenset(_lines_of(answer, is_talk))
    lines = _without_framing(sender, arrived)
    talk = frozenset(text for text in _texts(lines) if text.strip()[:SHOWN_CHARS] in listed)
    words = words_of(text for text in _texts(lines) if text not in talk)
    test = order_test(sender.table, sender.seat.name, arrived.arrival)
    blocks = [*_paragraphs(lines, talk), *(piece.text.split("\n") for piece in answer.left_out if piece.reason == OUTSIDE)]
    brief = _of_brief(blocks)
    telling = [text for text in brief if _may_matter(text, words, test)]
    telling += filter(partial(_is_nearly_order, test), sorted(talk.intersection(brief)))
    headings = talk | frozenset(_lines_of(answer, lambda piece: piece.reason in (UNJUDGED, HEADING)))
    telling += _texts(of_others(sender, lines, [line for line in lines if line.text in headings]))
    telling += _alike(sender, lines, talk, test)
    telling += _may_be_rests(lines, talk)
    telling += _unknown_headings(sender, arrived, arrived.script.orders, talk)
    for text in telling[:1]:
        _tell(text, answer)


def _without_framing(sender: Sender, arrived: Arrived) -> list[Line]:
    """The lines of a letter that say something, but for those that only frame its orders."""
    said = [line for line in arrived.script.orders if not says_nothing(line.text)]
    framing = _framing(sender, arrived, said)
    kept = [line for line in said if line not in framing]
    test = order_test(sender.table, sender.seat.name, arrived.arrival)
    return kept[: len(kept) - len(signature_in(kept, names_of(sender, arrived), test))]


def _texts(lines: Iterable[Line]) -> list[str]:
    return [line.text for line in lines]


def _is_nearly_order(test: LineTest, text: str) -> bool:
    """Whether talk has a word of orders, and is none only for where that stands: "my new home", "then I repair."."""
    return test.has_word(text) and not test.may_belong(text)


def _of_brief(blocks: Iterable[Sequence[str]]) -> list[str]:
    """The lines of blocks that are short, and no notice of a firm or a program."""
    brief = filter(_is_short, blocks)
    return [text for block in brief if not is_notice(block) or any(map(_says_change_beside, block)) for text in block]


def _says_change_beside(text: str) -> bool:
    """Whether a sentence of a line says that something is to be changed, and is about no mails."""
    return any(says_change(said) and not is_notice([said], least=1) for said in _SENTENCES.split(text))


_SENTENCES = re.compile(r"[.!?]\s")


def of_others(sender: Sender, lines: Sequence[Line], talk: Collection[Line]) -> list[Line]:
    """The talk right above an order which says that what stands below it is another's, or only proposed."""
    said = frozenset(talk)
    others = [seat.name for seat in sender.table.seats if seat.name != sender.seat.name]
    above = (line for line, below in pairwise(lines) if line in said and below not in said)
    return [line for line in above if is_of_others(line.text, others)]


def tell_of_others(lines: Sequence[Line], answer: Answer) -> None:
    """Say why such lines cost orders that are final once accepted."""
    for line in lines[:1]:
        answer.remark(
            f'"{line.text:.60}" may say that the orders below it are somebody else\'s, or only proposed. Orders are final once '
            "accepted, so it counts as a wrong line. Send yours without such words."
        )


def _alike(sender: Sender, lines: Sequence[Line], talk: frozenset[str], test: LineTest) -> list[str]:
    """The lines of talk, as of a long footer, that are like orders, and do not only announce them."""
    alike = (line for line in lines if line.text in talk and test.is_order(line.text))
    return [line.text for line in alike if not _is_announced(sender, line)]


def _tell(text: str, answer: Answer) -> None:
    answer.remark(
        f'"{text:.60}" may be about your orders, but it is no order itself, so it changed nothing. If you mean to '
        "change something, send the order."
    )
    answer.unread = "" if answer.also else WORDS_NOT_READ


def tell_of_changes(sender: Sender, arrived: Arrived, answer: Answer) -> None:
    """The same of refused lines that say that something is to be changed, beside orders that stand: "scrap that"."""
    if answer.orders is None or not answer.orders.taken or answer.unread:
        return
    wrong = (each.text for each in answer.orders.verdicts if each.line and each.status is Status.ERROR)
    said = list(filter(_says_change_alone, wrong))
    if not said:
        return
    test = order_test(sender.table, sender.seat.name, arrived.arrival)
    if telling := next(filterfalse(test.speaks_of_orders, said), ""):
        _tell(telling, answer)


def _says_change_alone(text: str) -> bool:
    return says_change(text) and not announces_orders(text) and _is_short([text])


_FEW_CHARS = 3
"""So many characters a number of something has at most, or a square of a map; telephones and years have more."""


def _may_be_rests(lines: Sequence[Line], talk: frozenset[str]) -> list[str]:
    """The lines of talk right below an order that are hardly more than brief numbers or squares of a map: they may belong to
    it."""
    return [
        below.text
        for above, below in pairwise(lines)
        if above.number + 1 == below.number and above.text not in talk and below.text in talk and _has_brief_numbers(below.text)
    ]


def _has_brief_numbers(text: str) -> bool:
    """Whether a line begins with a brief number, or names squares: a sum ("Total: 6") belongs to no order."""
    tokens = [token for token in _TOKEN.findall(text) if token.casefold() not in COMMON]
    numbers = [token for token in tokens if any(map(str.isdigit, token))]
    is_brief = len(text.split()) <= _FEW and all(len(token) <= _FEW_CHARS for token in numbers)
    return is_brief and (tokens[:1] == numbers[:1] or not all(map(str.isdigit, numbers))) and bool(numbers)


def _unknown_headings(sender: Sender, arrived: Arrived, orders: Sequence[Line], talk: frozenset[str]) -> list[str]:
    """The lines of talk right above an order that may say, in any language, that the orders are for later, or another's, or in
    which case: those that end in a colon and are no heading that is known, and those that neither end as greetings and
    sentences do nor seem to be a greeting."""
    lines = [line for line in orders if line.text.strip()]
    first = lines[0].text if lines else ""
    above = [
        line.text
        for line, below in pairwise(lines)
        if _is_right_above(line, below) and line.text in talk and below.text not in talk and not _is_announced(sender, line)
    ]
    known = _vocabulary(sender, arrived) if above else None
    return [text for text in above if known and _is_unknown(text, known, is_first=text == first)]


def _is_right_above(line: Line, below: Line) -> bool:
    """Whether nothing stands between two lines, or only a blank line below a heading; not below a greeting: "Dear all:"."""
    if line.number + 2 == below.number and ends_with_colon(line.text):
        return _SALUTATION.match(line.text) is None
    return line.number + 1 == below.number


_SALUTATION = re.compile(r"\W*(?:dear|hello|hi|hey|greetings|good|gentlemen|ladies|all|to)\b", re.IGNORECASE)


def _is_announced(sender: Sender, line: Line) -> bool:
    is_of_this_turn = turn_named(sender, line) == sender.table.game.turn
    return is_of_this_turn or announces_orders(line.text) or only_announces(line.text, sender.seat.name)


def _is_unknown(text: str, known: Vocabulary, *, is_first: bool) -> bool:
    return known.may_be_order(text) if ends_with_colon(text) else _is_left_open(text, known, is_first=is_first)


_LEAST_SAID = 2
"""So many words at least say in which case something is meant; a greeting has hardly more."""


def _is_left_open(text: str, known: Vocabulary, *, is_first: bool) -> bool:
    """Whether a line goes on with the orders below it, and may be no greeting: it speaks of orders, names something of the
    game, or has several words that begin with a small letter, or stands below another line of talk."""
    words = text.split()
    if not text.rstrip()[-1].isalnum() or known.own.issuperset(tokens_of(text)) or says_that_orders_follow(text):
        return False
    is_long = len(words) > _LEAST_SAID or (not is_first and len(words) == _LEAST_SAID)
    return known.has_name(text) or names_orders(text) or (is_long and (text.lstrip()[0].islower() or not is_first))


def _lines_of(answer: Answer, holds: Callable[[LeftOut], bool]) -> Iterator[str]:
    return (line for piece in answer.left_out if holds(piece) for line in piece.text.split("\n"))


def _paragraphs(lines: Sequence[Line], talk: frozenset[str]) -> Iterator[list[str]]:
    """The lines of talk, those together that stand right below each other."""
    block: list[str] = []
    last = 0
    for line in lines:
        if line.number > last + 1:
            yield block
            block = []
        if line.text in talk:
            block.append(line.text)
        last = line.number
    yield block


def _is_short(block: Sequence[str]) -> bool:
    return sum(len(text.split()) for text in block) <= _MOST_WORDS


def _may_matter(text: str, words: frozenset[str], test: LineTest) -> bool:
    is_long = len(text.split()) > _FEW or any(map(str.isdigit, text))
    if LINK.search(text) or test.is_field(text) or (announces_orders(text) and not leaves_open(text)):
        return False
    if says_change(text) or is_choice(text) or may_be_condition(text) or is_piece(text, test.has_word):
        return True
    return is_long and (shares_words(text, words) or test.speaks_of_orders(text))


_PIECE = re.compile(r"\W*(?:p\.?\s?s\b\W*)?(?:and|plus|with|without|led|also|both|to|from|by|under|using)\b", re.IGNORECASE)
_OF_PIECES = "and plus with without led also both to from by under using the a an my our its all this that ps p s as well too"
_JOINING = frozenset(_OF_PIECES.split())
_MOST_OF_PIECE = 5


def is_piece(text: str, has_word: Callable[[str], bool]) -> bool:
    """Whether a few words may belong to an order above them: "with the admiral". Other words make them a greeting, and so does
    a mark at their end that is of no order."""
    said = tokens_of(text)
    if len(text.split()) > _MOST_OF_PIECE or _PIECE.match(text) is None or text.rstrip().endswith((":", ",")):
        return False
    others = [word for word in said if word not in _JOINING and not word.isdigit() and not has_word(word)]
    return len(others) <= 1 and any(len(word) > _FEW and word not in _JOINING and has_word(word) for word in said)
