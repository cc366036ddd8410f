"""The text of a mail as HTML: it says the same word for word, is laid out where that is sure, and nothing comes alive in it."""

import re

import pytest

from pbmd.post.read.html import html_lines
from pbmd.rendering.blocks.kinds import Foot, Form, Heading, Items, Paragraph, Speech, Table, Verbatim
from pbmd.rendering.blocks.page import Button, html_of
from pbmd.rendering.blocks.parse import blocks_of
from tests.docs.mails.written import kept

HOSTILE = '<img src=x onerror=alert(1)> & "quotes" </pre></table><script>'


def words(lines: list[str]) -> str:
    return re.sub(r"\s|[-|]|\d+[.)]", "", "".join(lines))


@pytest.mark.parametrize("name", kept())
def test_it_says_what_the_text_says_word_for_word(name: str) -> None:
    text = kept()[name].partition("\n\n")[2]
    said = [line for line in text.split("\n") if not re.fullmatch(r"--|={3,}|-{3,}", line)]
    assert words(html_lines(html_of(text), 10_000)) == words(said)


@pytest.mark.parametrize(
    "line",
    [
        "REFUSED", "YOUR ORDERS FOR TURN 1, as we read them", "THE MAP (* stands on a centre, + on another)",
        "YOUR FACTION: Red, Red Concord", "SPRING 1902, MOVES (S1902M)", "HOW IT STANDS", "NOW: AUTUMN 1902, MOVES",
    ],
)  # fmt: skip
def test_a_line_in_capitals_is_a_heading(line: str) -> None:
    assert blocks_of(f"Before.\n\n{line}\nBelow it.\n") == (Paragraph(("Before.",)), Heading(line), Paragraph(("Below it.",)))


@pytest.mark.parametrize(
    "line",
    [
        "RULES on a line of its own sends the handbook.", "A YES files it.", "PRESS TO Green", "DIGEST daily sends less.",
        "HYPOTHETICAL: nothing of this has happened. Your orders are what they were.", "A MUN held", "Dear player,",
    ],
)  # fmt: skip
def test_a_sentence_that_begins_with_capitals_is_none(line: str) -> None:
    assert blocks_of(f"{line}\n") == (Paragraph((line,)),)


def test_an_underlined_line_is_a_heading() -> None:
    assert blocks_of("Moves\n-----\n\nEach unit.") == (Heading("Moves"), Paragraph(("Each unit.",)))


def test_what_was_wrapped_flows_and_what_stands_on_a_line_of_its_own_stays_there() -> None:
    text = (
        "A mail from this address asked for a seat (Fri 20 Nov 2026 12:46:00\nUTC), and anybody could have written it.\n"
        "A NO changes nothing.\n"
    )
    assert blocks_of(text) == (Paragraph((text.split("\nA NO")[0].replace("\n", " "), "A NO changes nothing.")),)


def test_labels_and_what_they_name_are_a_table() -> None:
    text = "Deadline    Mon 23 Nov 2026 12:00 UTC\n            (13:00 Paris)\nTime left   3 days\nSent so far 1 of 3\n"
    deadline = ("Mon 23 Nov 2026 12:00 UTC", "(13:00 Paris)")
    rows = ((("Deadline",), deadline), (("Time left",), ("3 days",)), (("Sent so far",), ("1 of 3",)))
    assert blocks_of(text) == (Table(rows),)


def test_a_label_that_is_too_long_for_its_column_stands_in_it_all_the_same() -> None:
    text = "now         running, turn 1\nwaiting for\n            everybody\nnot sent    1 answer\n"
    rows = (((("now"),), ("running, turn 1",)), (("waiting for",), ("everybody",)), (("not sent",), ("1 answer",)))
    assert blocks_of(text) == (Table(rows),)


def test_a_sentence_is_not_torn_before_a_number_or_a_name() -> None:
    torn = (
        "  the most systems, wins. So does the last faction left. You hold 1 of\n"
        "  33 systems; both others hold 1 each. You have 9 of 33 units; Green has\n  13, Yellow 11.\n"
    )
    assert blocks_of(f"HOW YOU STAND\n{torn}")[1:] == (Items(((" ".join(torn.split()),),)),)


def test_orders_that_fill_their_lines_stay_apart() -> None:
    first = "Conquer Kapteyn with 4 units   (Attack Kapteyn with 4 Resource Units)"
    assert blocks_of(f"  {first}\n  Defend Aldebaran with 8 units\n") == (
        Items(((first,), ("Defend Aldebaran with 8 units",))),
    )


def test_a_heading_may_stand_on_the_line_of_the_names_of_columns() -> None:
    heading, table, below = blocks_of(
        "THE FACTIONS             systems  units  drones\n"
        "  Red (you)                    1      9       0\n"
        "    Red Concord, Tachyon; Supreme Admiral Navarch of Red, CV 7,\n    Conqueror, Defender\n"
        "  Yellow                       1     11       1\n    Yellow Concord, Psionic\n    holds Solaria 11\n"
        "  Free systems yield 10.\n"
    )
    assert heading == Heading("THE FACTIONS")
    assert isinstance(table, Table)
    assert table.head
    assert table.numbers == {1, 2, 3}
    assert table.rows[0] == (("",), ("systems",), ("units",), ("drones",))
    assert table.rows[2] == (("Red Concord, Tachyon; Supreme Admiral Navarch of Red, CV 7, Conqueror, Defender",),)
    assert table.rows[4] == (("Yellow Concord, Psionic", "holds Solaria 11"),)
    assert below == Items((("Free systems yield 10.",),))


def test_a_refused_line_stands_beside_its_number_with_the_reason_below() -> None:
    text = (
        "REFUSED\n  line 12   Biuld  2 ships\n            this is no order. Right: Build 2 ships of the line and\n"
        "            3 others\n  no line of this mail was accepted.\n"
    )
    refused = ("Biuld  2 ships", "this is no order. Right: Build 2 ships of the line and", "3 others")
    assert blocks_of(text)[1:] == (
        Table((((("line 12"),), refused),)),
        Items((("no line of this mail was accepted.",),)),
    )


def test_orders_are_items_whatever_blanks_are_in_them() -> None:
    assert blocks_of("  Offer trade treaty to Harrow   (Propose it)\n  End move   (no orders)\n") == (
        Items((("Offer trade treaty to Harrow   (Propose it)",), ("End move   (no orders)",))),
    )


def test_columns_are_a_table_with_its_head_and_numbers_at_the_right() -> None:
    [table] = blocks_of(
        "               turn  due (UTC)          missing\n"
        "  cluster-1      20  Fri 25 Dec 05:51   People 1\n"
        "  galaxy-7       18  Fri 25 Dec 14:53   Altair, Deneb,\n"
        "                                        Cygnus\n"
        "  societies-3    12  paused             Altair\n"
    )
    assert isinstance(table, Table)
    assert table.head
    assert table.numbers == {1}
    assert table.rows[2] == (("galaxy-7",), ("18",), ("Fri 25 Dec 14:53",), ("Altair, Deneb, Cygnus",))
    assert len(table.rows) == 4


def test_a_sentence_below_labels_is_none_though_it_has_a_blank_in_their_column() -> None:
    [table, sentence] = blocks_of("Austria  A BUD*  F TRI*\nTurkey   F ANK*\nGermany, Italy and Russia have none.\n")
    assert isinstance(table, Table)
    assert sentence == Paragraph(("Germany, Italy and Russia have none.",))


def test_a_button_does_not_stand_between_an_announcement_and_what_it_announces() -> None:
    page = html_of("The turn is played again. The reason is:\n| a mistake\n", (Button("Write", "mailto:a@b.test"),))
    assert [line for line in html_lines(page, 1000) if line.strip()][1] == "Write"


def test_what_is_not_surely_a_table_is_none() -> None:
    text = "Altair  9  47  37 and more than fits\nDeneb has some  3\nBorealis of old    1\n"
    assert blocks_of(text) == (Paragraph((*text.splitlines(),)),)


def test_lists_have_bullets_or_numbers() -> None:
    assert blocks_of("  - the terms\n  - the seat Altair (name, address)\n\n1. One\n2. Two,\n   and more\n") == (
        Items((("the terms",), ("the seat Altair (name, address)",)), ("-", "-")),
        Items((("One",), ("Two,", "and more")), ("1.", "2.")),
    )


def test_press_is_put_together_again_and_keeps_its_mark_on_each_line() -> None:
    text = "| " + "word " * 13 + "end!\n| of it.\n|\n| " + "word " * 13 + "end!\n| Another line.\n|     #orders g1p1.abc\n"
    long = f"{'word ' * 13}end!"
    assert blocks_of(text) == (Speech((f"{long} of it.", "", long, "Another line.", "    #orders g1p1.abc")),)
    shown = [line for line in html_lines(html_of(f"Hello.\n\n{text}"), 1000) if line.strip()]
    assert all(line.startswith("|") for line in shown[1:])


def test_columns_of_what_was_said_stay_as_they_are() -> None:
    assert blocks_of("| now   turn 1\n| due   Monday\n") == (Verbatim(("| now   turn 1", "| due   Monday")),)


def test_a_form_goes_from_mark_to_mark_and_keeps_its_lines() -> None:
    form = ("#orders g1p1.abc 9.x word", "## You have  2.", "# Build 1", "", "#end")
    assert blocks_of("ORDER FORM\n\n" + "\n".join(form) + "\nBelow.\n--\nHELP\n") == (
        Heading("ORDER FORM"), Form(form), Paragraph(("Below.",)), Foot(), Heading("HELP"),
    )  # fmt: skip


def test_a_sign_up_is_a_form_and_a_preview_stays_as_it_is() -> None:
    assert blocks_of("# Your colour.\nColour: Red\n\n? Altair  9\n? none\n") == (
        Form(("# Your colour.", "Colour: Red")), Verbatim(("? Altair  9", "? none")),
    )  # fmt: skip


@pytest.mark.parametrize(
    "form", ["{}", "  {}\n  two", "| {}", "? {}", "# {}", "#orders g1p1\n{}\n#end", "A  {}\nB  {}\nC  {}", "- {}"]
)
def test_nothing_that_anybody_wrote_comes_alive(form: str) -> None:
    page = html_of(f"Hello.\n\n{form.replace('{}', HOSTILE)}\n", (Button(HOSTILE, f"mailto:{HOSTILE}"),), ("https://x.test/",))
    assert "<img" not in page
    assert "<script" not in page
    assert page.count("<a ") == 1
    assert page.count("</pre>") == page.count("<pre ")
    assert page.count("</table>") == page.count("<table ")


def test_only_our_own_addresses_become_links_and_only_in_our_own_words() -> None:
    ours = ("https://play.test/", "games@pbmd.test")
    text = (
        "Hello.\n\nSee https://play.test/s/g1p1.abc/.\n"
        "Write to games@pbmd.test, not to games@pbmd.test.evil or mygames@pbmd.test.\n"
        "https://evil.test/ https://play.test.evil/\n\n| https://play.test/s/g1p1.abc/\n\n#orders g1\nhttps://play.test/\n#end\n"
    )
    page = html_of(text, links=ours)
    assert re.findall('href="([^"]*)"', page) == ["https://play.test/s/g1p1.abc/", "mailto:games@pbmd.test"]


def test_a_button_stands_below_the_first_words() -> None:
    button = Button("Answer YES", "mailto:a@b.test?subject=x&body=YES")
    page = html_of("Do you want to play? Reply YES or NO.\n\nWhy.\n", (button,))
    shown = [line for line in html_lines(page, 1000) if line.strip()]
    assert shown == ["Do you want to play?", "Reply YES or NO.", "Answer YES", "Why."]
    assert "mailto:a@b.test?subject=x&amp;body=YES" in page


def test_the_second_of_two_buttons_does_not_look_like_the_first() -> None:
    page = html_of("Yes?\n", (Button("YES", "mailto:a@b.test"), Button("NO", "mailto:a@b.test", is_outline=True)))
    assert re.findall('td bgcolor="(#[0-9a-f]+)"', page) == ["#1d3fa0", "#ffffff"]
    assert re.findall("[^-]color:(#[0-9a-f]+);font-weight:bold", page) == ["#ffffff", "#1d3fa0"]


LEFT_OUT = ("<style", "<script", "<img", "float", "flex", "opacity", "position:", "visibility", "display:none", "url(", "rgba")


def test_it_needs_nothing_that_mail_programs_leave_out() -> None:
    page = html_of("\n\n".join(text.partition("\n\n")[2] for text in kept().values()))
    assert [mark for mark in LEFT_OUT if mark in page] == []
    assert {len(colour) for colour in re.findall('#[0-9a-f]+(?=[;"])', page)} == {7}


def test_numbers_of_a_list_are_those_of_the_text() -> None:
    page = html_of("Numbers\n\n1. a\n3. b\n7) c\n- d\n")
    assert re.findall(r'<(?:ol start|li value)="(\d)"', page) == ["1", "3", "7"]
    assert page.count("<ul") == 1


def test_a_number_with_which_a_sentence_goes_on_begins_no_list() -> None:
    full = "The orders in the mail that you have sent us are for what is over: turn"
    assert "<li" not in html_of(f"Hello.\n\n{full}\n3. Send the whole list again.\n")
