"""The order form in our mails: filled in above, inside or below, quoted or not, its lines are found."""

import pytest

from pbmd.post.lines import command_text, foreign_forms, quotes
from pbmd.post.read.letter import read_letter
from tests.post.samples import TAG, mail, read, texts

FORM = f"#orders {TAG}\n# Write your orders below, one a line.\n# MOVE <from>-<to>\n#\n#end\n"
OTHER = "g12p3.aaaaaaaaaaaaaaaa"
INTRODUCTION = "On 11/21/26 20:00, Galaxy <gm@pbmd.test> wrote:\n"
OUTLOOK = "From: Galaxy <gm@pbmd.test>\nSent: Saturday, November 21, 2026 8:00 PM\nTo: Ada\nSubject: Turn 5\n\n"


def filled(form: str = FORM, *orders: str) -> str:
    return form.replace("#end", "".join(f"{order}\n" for order in orders) + "#end")


def quoted(text: str, mark: str = "> ") -> str:
    return "".join(f"{mark}{line}\n" for line in text.splitlines())


def test_a_form_alone():
    letter = read(filled(FORM, "MOVE A-B", "BUILD 2 bases"))
    assert texts(letter) == ["MOVE A-B", "BUILD 2 bases"]
    assert (letter.form_tags, letter.left_out) == ((TAG,), ())


def test_orders_typed_into_a_quoted_form_without_quote_marks():
    letter = read(f"{INTRODUCTION}> Turn 5 is over.\n>\n" + quoted(FORM).replace("> #end", "MOVE A-B\nBUILD 2 bases\n> #end"))
    assert texts(letter) == ["MOVE A-B", "BUILD 2 bases"]
    assert letter.form_tags == (TAG,)


def test_orders_edited_inside_the_quote():
    letter = read(INTRODUCTION + quoted("Turn 5 is over.\nMOVE X-Y\n" + filled(FORM, "MOVE A-B")))
    assert texts(letter) == ["MOVE A-B"]
    assert letter.lines[0].original == "MOVE A-B"
    assert [left.reason for left in letter.left_out] == [quotes.INTRODUCTION, quotes.QUOTED]


def test_orders_above_an_untouched_quoted_form():
    letter = read(f"MOVE A-B\n\n{INTRODUCTION}{quoted('Turn 5 is over.' + chr(10) + FORM)}")
    assert texts(letter) == ["MOVE A-B"]
    assert letter.form_tags == (TAG,)


def test_orders_above_and_inside_a_quoted_form_all_count():
    letter = read(f"WAIT\n\n{INTRODUCTION}{quoted(filled(FORM, 'MOVE A-B'))}")
    assert texts(letter) == ["WAIT", "MOVE A-B"]


def test_a_deeper_quoted_form_is_an_older_one():
    older = quoted(filled(FORM, "MOVE OLD-OLD"), "> > ")
    letter = read(INTRODUCTION + older + quoted(filled(FORM, "MOVE A-B")))
    assert texts(letter) == ["MOVE A-B"]


def test_an_unquoted_form_counts_alone():
    letter = read("hello\n\n" + filled(FORM, "MOVE A-B") + "\nregards\n")
    assert texts(letter) == ["MOVE A-B"]
    assert {left.reason for left in letter.left_out} == {command_text.OUTSIDE}


def test_an_unquoted_form_that_is_empty_leaves_the_text_above_it():
    letter = read(f"MOVE A-B\n\n{OUTLOOK}Turn 5 is over.\n\n{FORM}\n")
    assert texts(letter) == ["MOVE A-B"]
    assert letter.form_tags == (TAG,)


def test_a_form_filled_in_below_outlooks_header_counts():
    letter = read(f"my orders are below\n\n{OUTLOOK}Turn 5 is over.\n\n{filled(FORM, 'MOVE A-B')}\n")
    assert texts(letter) == ["MOVE A-B"]


def test_the_older_form_below_an_unquoted_one_does_not_count():
    letter = read(f"MOVE A-B\n\n{OUTLOOK}{FORM}\n{OUTLOOK}{filled(FORM, 'MOVE OLD-OLD')}\n")
    assert texts(letter) == ["MOVE A-B"]


def test_a_form_without_its_end_ends_before_signature_and_quote():
    start = FORM.replace("#end\n", "")
    letter = read(f"{start}MOVE A-B\n\n-- \nAda\n\n{INTRODUCTION}{quoted('MOVE C-D')}")
    assert texts(letter) == ["MOVE A-B"]


def test_a_quoted_form_without_its_end_ends_with_the_quote():
    letter = read(INTRODUCTION + quoted(FORM.replace("#end\n", "MOVE A-B\n")) + "\nBUILD 2 bases\n")
    assert texts(letter) == ["MOVE A-B", "BUILD 2 bases"]


def test_marks_are_known_in_any_case_and_with_the_changes_that_programs_make():
    for mark in (f"#ORDERS {TAG.upper()}", f"# orders {TAG}", f"#orders: {TAG}", f"#orders\u00a0{TAG}"):
        letter = read(f"{mark}\nMOVE A-B\n#END\nMOVE C-D\n")
        assert texts(letter) == ["MOVE A-B"]
        assert letter.form_tags[0].lower() == TAG


@pytest.mark.parametrize("tag", ["", OTHER])
def test_an_unquoted_form_without_the_seats_tag_is_none_and_its_lines_are_lines_like_others(tag):
    letter = read(f"MOVE C-D\n#orders {tag}\nMOVE A-B\n#end\nMOVE E-F\n")
    assert [text for text in texts(letter) if text[0] != "#"] == ["MOVE C-D", "MOVE A-B", "MOVE E-F"]


@pytest.mark.parametrize("tag", ["", OTHER, TAG[:-1], TAG.replace("p3", "p4")])
def test_a_quoted_form_without_the_seats_tag_is_only_a_quote_and_the_answer_says_so(tag):
    letter = read(f"MOVE C-D\n\n{INTRODUCTION}{quoted(f'Hello!{chr(10)}#orders {tag}{chr(10)}MOVE A-B{chr(10)}#end')}")
    assert texts(letter) == ["MOVE C-D"]
    assert [left.reason for left in letter.left_out] == [
        quotes.INTRODUCTION,
        quotes.QUOTED,
        foreign_forms.FOREIGN,
        quotes.QUOTED,
    ]
    assert letter.left_out[2].text.endswith("> MOVE A-B")


def test_until_it_is_known_whose_letter_it_is_no_form_counts():
    letter = read_letter(mail(INTRODUCTION + quoted(filled(FORM, "MOVE A-B"))))
    assert (letter.lines, letter.form_tags) == ((), (TAG,))


def test_another_form_before_the_seats_own_does_not_hide_it():
    letter = read(INTRODUCTION + quoted(filled(FORM.replace(TAG, OTHER), "MOVE X-Y")) + quoted(filled(FORM, "MOVE A-B")))
    assert texts(letter) == ["MOVE A-B"]


def test_another_form_ends_the_seats_own_that_has_no_end():
    letter = read(INTRODUCTION + quoted(f"#orders {TAG}\nMOVE A-B\n#orders {OTHER}\nMOVE X-Y\n#end"))
    assert texts(letter) == ["MOVE A-B"]


def test_a_form_within_a_message_to_others_is_part_of_the_message():
    message = f"PRESS TO ALL\n#orders {TAG}\nMOVE A-B\n#end\nEND PRESS"
    letter = read(f"MOVE C-D\n{message}\n\n{INTRODUCTION}{quoted(filled(FORM, 'MOVE E-F'))}")
    assert texts(letter) == ["MOVE C-D", *message.splitlines(), "MOVE E-F"]
    letter = read(filled(FORM, "MOVE C-D", *message.splitlines()))
    assert texts(letter) == ["MOVE C-D", *message.splitlines()]


def test_an_untouched_form_has_no_lines_and_still_its_tag():
    letter = read(INTRODUCTION + quoted(FORM))
    assert (letter.lines, letter.form_tags, letter.problem) == ((), (TAG,), "")


def test_a_form_in_an_html_reply():
    lines = filled(FORM, "MOVE A&#8211;B").splitlines()
    body = f"<div>{INTRODUCTION}</div><blockquote><pre>" + "\n".join(lines).replace("<from>-<to>", "x") + "</pre></blockquote>"
    letter = read(body, type_="text/html; charset=utf-8")
    assert (texts(letter), letter.form_tags) == (["MOVE A-B"], (TAG,))


def test_an_end_mark_without_a_beginning_means_nothing():
    assert texts(read("MOVE A-B\n#end\nBUILD 2 bases\n")) == ["MOVE A-B", "#end", "BUILD 2 bases"]
