"""The order form in our mails: filled in above, inside or below, quoted or not, its lines are found."""

from pbmd.post import commands, quotes
from tests.post.samples import TAG, read, texts

FORM = f"#orders {TAG}\n# Write your orders below, one a line.\n# MOVE <from>-<to>\n#\n#end\n"
INTRODUCTION = "On 11/21/26 20:00, Galaxy <gm@pbmd.test> wrote:\n"
OUTLOOK = "From: Galaxy <gm@pbmd.test>\nSent: Saturday, November 21, 2026 8:00 PM\nTo: Ada\nSubject: Turn 5\n\n"


def filled(form: str = FORM, *orders: str) -> str:
    return form.replace("#end", "".join(f"{order}\n" for order in orders) + "#end")


def quoted(text: str, mark: str = "> ") -> str:
    return "".join(f"{mark}{line}\n" for line in text.splitlines())


def test_a_form_alone():
    letter = read(filled(FORM, "MOVE A-B", "BUILD 2 bases"))
    assert texts(letter) == ["MOVE A-B", "BUILD 2 bases"]
    assert (letter.form_tag, letter.left_out) == (TAG, ())


def test_orders_typed_into_a_quoted_form_without_quote_marks():
    letter = read(f"{INTRODUCTION}> Turn 5 is over.\n>\n" + quoted(FORM).replace("> #end", "MOVE A-B\nBUILD 2 bases\n> #end"))
    assert texts(letter) == ["MOVE A-B", "BUILD 2 bases"]
    assert letter.form_tag == TAG


def test_orders_edited_inside_the_quote():
    letter = read(INTRODUCTION + quoted("Turn 5 is over.\nMOVE X-Y\n" + filled(FORM, "MOVE A-B")))
    assert texts(letter) == ["MOVE A-B"]
    assert letter.lines[0].original == "MOVE A-B"
    assert [left.reason for left in letter.left_out] == [quotes.INTRODUCTION, quotes.QUOTED]


def test_orders_above_an_untouched_quoted_form():
    letter = read(f"MOVE A-B\n\n{INTRODUCTION}{quoted('Turn 5 is over.' + chr(10) + FORM)}")
    assert texts(letter) == ["MOVE A-B"]
    assert letter.form_tag == TAG


def test_orders_above_and_inside_a_quoted_form_all_count():
    letter = read(f"WAIT\n\n{INTRODUCTION}{quoted(filled(FORM, 'MOVE A-B'))}")
    assert texts(letter) == ["WAIT", "MOVE A-B"]


def test_a_deeper_quoted_form_is_an_older_one():
    older = quoted(filled(FORM, "MOVE OLD-OLD"), "> > ").replace(TAG, "g12p3.aaaaaaaaaaaaaaaa")
    letter = read(INTRODUCTION + older + quoted(filled(FORM, "MOVE A-B")))
    assert texts(letter) == ["MOVE A-B"]
    assert letter.form_tag == TAG


def test_an_unquoted_form_counts_alone():
    letter = read("hello\n\n" + filled(FORM, "MOVE A-B") + "\nregards\n")
    assert texts(letter) == ["MOVE A-B"]
    assert {left.reason for left in letter.left_out} == {commands.OUTSIDE}


def test_an_unquoted_form_that_is_empty_leaves_the_text_above_it():
    letter = read(f"MOVE A-B\n\n{OUTLOOK}Turn 5 is over.\n\n{FORM}\n")
    assert texts(letter) == ["MOVE A-B"]
    assert letter.form_tag == TAG


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
        assert letter.form_tag.lower() == TAG


def test_a_form_without_a_tag_is_a_form():
    letter = read("#orders\nMOVE A-B\n#end\n")
    assert (texts(letter), letter.form_tag) == (["MOVE A-B"], "")


def test_an_untouched_form_has_no_lines_and_still_its_tag():
    letter = read(INTRODUCTION + quoted(FORM))
    assert (letter.lines, letter.form_tag, letter.problem) == ((), TAG, "")


def test_a_form_in_an_html_reply():
    lines = filled(FORM, "MOVE A&#8211;B").splitlines()
    body = f"<div>{INTRODUCTION}</div><blockquote><pre>" + "\n".join(lines).replace("<from>-<to>", "x") + "</pre></blockquote>"
    letter = read(body, type_="text/html; charset=utf-8")
    assert (texts(letter), letter.form_tag) == (["MOVE A-B"], TAG)


def test_an_end_mark_without_a_beginning_means_nothing():
    assert texts(read("MOVE A-B\n#end\nBUILD 2 bases\n")) == ["MOVE A-B", "#end", "BUILD 2 bases"]
