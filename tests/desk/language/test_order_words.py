"""What stands around orders is told from them by the words of the orders, in any language."""

import pytest

from pbmd.desk.language.order_words import LineTest, differs_by_one, order_words, without_talk
from pbmd.rules.protocol import Line

FORM = "## You have 3 points.\n# Add 3\n# Conquer Kapteyn with 3 units\n# Raise shields at Rigel\n"
HANDBOOK = "Write `Attack Cygnus with all`, or `Pass`; at first `Home: Sol`. The option `this` is `all` or `any`."
WORDS = order_words(FORM, HANDBOOK)
_NEVER = (lambda _: False, lambda _: False)
TEST = LineTest(WORDS.resembles, WORDS.has_word, WORDS.may_belong, WORDS.speaks_of_orders, WORDS.resembles, *_NEVER)


def split(text: str, *commands: int) -> tuple[list[str], list[str]]:
    lines = [
        Line(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip() and number not in commands
    ]
    kept = without_talk(lines, commands, TEST)
    return [line.text for line in kept], [line.text for line in lines if line not in kept]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Hi all,\nAdd 3\nThanks,\nAnna", ["Hi all,", "Thanks,", "Anna"]),
        ("Liebe Spielleitung,\n\nanbei meine Befehle.\n\nAdd 3\n\nViele Grüße\nJean-Luc O'Hara",
         ["Liebe Spielleitung,", "anbei meine Befehle.", "Viele Grüße", "Jean-Luc O'Hara"]),
        ("Add 3\n\n山田\nTel. 0424 000 000", ["山田", "Tel. 0424 000 000"]),
        ("Add 3\n👍\nRaise shields at Rigel", ["👍"]),
        ("Add 3", []),
        ("Hi\nAdd 3\nCheers", ["Hi", "Cheers"]),
        ("Guten Tag Spielleiter\nAdd 3", ["Guten Tag Spielleiter"]),
        ("Hope you are all well :-)\nAdd 3", ["Hope you are all well :-)"]),
        ("So here I go again\nAdd 3", ["So here I go again"]),
        ("Greetings from my new home.\nAdd 3\nMore from our home in Bern", ["Greetings from my new home.",
         "More from our home in Bern"]),
        ("Add 3\nI hope nobody will attack.", ["I hope nobody will attack."]),
        ("Add 3\n\nwhat about this?\n\nAdd 4", []),
        ("Hello!\nad 3\n\nAttak Cygnus\n", ["Hello!"]),
    ],
)  # fmt: skip
def test_what_stands_around_orders_is_known(text: str, left: list[str]) -> None:
    kept, found = split(text)
    assert found == left
    assert kept
    assert set(kept).isdisjoint(found)


@pytest.mark.parametrize(
    "talk", ["With best regards, Anna", "Thanks for the game!", "The map is great!", "Good luck with that"]
)
def test_words_that_every_sentence_has_make_no_order(talk: str) -> None:
    words = order_words("# Conquer Kapteyn with 3 units\n", "Write `The Kapteyn with 3`.")
    test = LineTest(words.resembles, words.has_word, words.may_belong, words.speaks_of_orders, words.resembles, *_NEVER)
    lines = [Line(1, "Conquer Kapteyn with 3 units"), Line(2, talk)]
    assert without_talk(lines, (), test) == (lines[0],)
    with_slip = [lines[0], Line(2, "Conqer Kapteyn wiht 3 unitz")]
    assert without_talk(with_slip, (), test) == tuple(with_slip)


@pytest.mark.parametrize(
    "line", ["my own home: Sol", "nobody knows, yet I pass.", "then attack", "and attack.", "all in the same attack, Anna"]
)
def test_a_line_beside_orders_is_no_talk_if_an_order_may_be_in_it(line: str) -> None:
    assert split(f"Add 3\n{line}") == (["Add 3", line], [])


def test_a_line_above_orders_that_names_somebody_may_be_an_order_in_other_words() -> None:
    assert split("Wir greifen Antares an\nAdd 3") == (["Wir greifen Antares an", "Add 3"], [])


def test_a_block_in_which_one_line_may_be_an_order_stays_whole_where_a_blank_line_parts_it() -> None:
    kept, _ = split("Add 3\n\nAnna\nPaas 3\nBert")
    assert kept == ["Add 3", "Anna", "Paas 3"]


def test_commands_stand_among_the_orders() -> None:
    assert split("Hello\n\nSTATUS\n\nAnna", 3) == ([], ["Hello", "Anna"])


def test_talk_alone_is_all_left() -> None:
    assert split("Hello\nThanks") == ([], ["Hello", "Thanks"])


def test_a_line_may_go_on_below_one_that_was_broken() -> None:
    long = "Conquer Kapteyn with 3 units and whoever else is there at that"
    assert split(f"{long}\nmoment")[0] == [long, "moment"]
    assert split("Add 3\nmoment")[0] == ["Add 3"]


@pytest.mark.parametrize("order", ["Add 3", "Conquer Kapteyn with 3 units", "Raise shields at Rigel", "Attack Cygnus with all"])
def test_no_order_with_one_letter_changed_is_talk(order: str) -> None:
    for place, sign in enumerate(order):
        if sign.isalnum():
            for other in "aeMx7":
                changed = f"{order[:place]}{other}{order[place + 1 :]}"
                assert split(f"Add 3\n\n{changed}")[0] == ["Add 3", changed], changed
                assert split(f"{changed}\n\nAdd 3")[0] == [changed, "Add 3"], changed


def test_a_short_word_alone_is_no_order() -> None:
    words = order_words("# A BUD H\n", "Write `Go Rigel` or `Pass`.")
    assert not words.resembles("Go")
    assert words.resembles("Go Rigel")
    assert words.resembles("Psas")


def test_a_word_of_one_letter_may_be_wrong_too() -> None:
    words = order_words("# A BUD H\n# F TRI H\n", "")
    assert words.resembles("e BUD H")
    assert words.resembles("A bxd H")
    assert not words.resembles("e Zuq H")


@pytest.mark.parametrize(
    ("word", "other", "differs"),
    [
        ("pass", "pas", True), ("pass", "psas", True), ("pass", "paass", True), ("pass", "puss", True),
        ("pass", "pass", False), ("pass", "psaa", False), ("pass", "press", False),
    ],
)  # fmt: skip
def test_two_words_differ_by_one_letter(word: str, other: str, differs: bool) -> None:
    assert differs_by_one(word, other) is differs


def test_a_mail_with_a_greeting_and_a_name_has_no_line_refused(running) -> None:
    answer = running.send("Altair", "Hi,\nAdd 3\nThanks\nAnna")
    assert "REFUSED" not in answer
    assert "Not an order: Hi, Thanks Anna" in " ".join(answer.split())
    assert "NOTHING" not in running.send("Altair", "Hello,\nSTATUS\nCheers")


def test_one_without_anything_else_is_told_so(running) -> None:
    assert "nothing in your mail could be used as orders" in running.send("Altair", "Hello\nThanks")


def test_the_game_master_may_greet_too(running) -> None:
    answer = running.master("Hello,\nSTATUS\nCheers\nGwen")
    assert "is no command" not in answer
    assert '"Hello," is no command' in running.master("Hello,")
