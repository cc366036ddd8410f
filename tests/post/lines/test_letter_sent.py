"""Answers to mails of ours: what we sent is left out whatever the mail program made of it, and nothing else is."""

import pytest

from pbmd.post.lines import quotes, sent
from pbmd.post.lines.command_text import COMMENT, NOBODY, OUTSIDE, UNFILLED, WRAPPED, Own
from pbmd.post.lines.foreign_forms import FOREIGN
from pbmd.post.read.letter import Letter, for_seat, read_letter
from tests.post.samples import TAG, mail, multipart, part, texts

REPORT = """Galactic Overlord: turn 4 of galaxy-7 is over. You are Altair.
Orders for turn 5 are due Mon 23 Nov 2026 12:00 UTC.

Altair          32 BP
    home      Altair Base 1, Altair Base 2
    fleet     none
Borealis        30 BP
    home      Borealis Base 1
    fleet     12 Laserfrigates, 3 Torpedobattleships, 1 Command ship of the line

LAST TURN'S ORDERS
  Build 2 Laserfrigates
  Attack Borealis with all

ORDER FORM
Reply to this mail with your orders between the two marks, one a line.

#orders TAG
## You have 32 BP.
# Build 16 Laserfrigates, 1 Torpedobattleship
# OOB default: LFTLTF

#end

FAIRNESS
Head of the journal, entry 5:
  b2e4ebb85b6b0577437be3df33c36386c184c016cf907428e0e61fb12ce04523

--
HELP on a line of its own explains the commands.
""".replace("TAG", TAG)
OURS = mail(REPORT)
OWN = ["Build 3 Laserfrigates", "Attack Cygnus"]
ORDERS = "\n".join(OWN)

HEADERS = {
    # As Outlook writes them, with the labels of languages of which the rules for originals know some, and others not.
    "Albanian": "Nga: Galaxy\nDërguar: e shtunë, 21 nëntor 2026 20:00\nPër: Ada\nTema: Radha 5",
    "Basque": "Nork: Galaxy\nBidaltze-data: larunbata, 2026ko azaroaren 21a 20:00\nNori: Ada\nGaia: 5. txanda",
    "Bulgarian": "Изпратено от: Galaxy\nИзпратено на: събота, 21 ноември 2026 г. 20:00\nДо: Ada\nОтносно: Ход 5",
    "Estonian": "Kellelt: Galaxy\nSaatmisaeg: laupäev, 21. november 2026 20:00\nAdressaat: Ada\nPealkiri: Käik 5",
    "Galician": "Remitente: Galaxy\nData: sábado, 21 de novembro de 2026 20:00\nDestinatario: Ada\nAsunto: Quenda 5",
    "Hindi": "प्रेषक: Galaxy\nभेजा गया: शनिवार, 21 नवंबर 2026 20:00\nप्रति: Ada\nविषय: बारी 5",
    "Icelandic": "Frá: Galaxy\nSent: laugardagur, 21. nóvember 2026 20:00\nTil: Ada\nEfni: Umferð 5",
    "Irish": "Ó: Galaxy\nSeolta: Dé Sathairn 21 Samhain 2026 20:00\nGo: Ada\nÁbhar: Seal 5",
    "Lithuanian": "Siuntėjas: Galaxy\nIšsiųsta: 2026 m. lapkričio 21 d. 20:00\nGavėjas: Ada\nTema: 5 ėjimas",
    "Maltese": "Minn: Galaxy\nMibgħut: Is-Sibt, 21 ta' Novembru 2026 20:00\nLil: Ada\nSuġġett: Dawra 5",
    "Swahili": "Kutoka: Galaxy\nImetumwa: Jumamosi, 21 Novemba 2026 20:00\nKwa: Ada\nMada: Zamu 5",
    "Welsh": "Oddi wrth: Galaxy\nAnfonwyd: Dydd Sadwrn, 21 Tachwedd 2026 20:00\nAt: Ada\nPwnc: Tro 5",
    "English": "From: Galaxy\nSent: Saturday, November 21, 2026 8:00 PM\nTo: Ada\nSubject: Turn 5",
    "German": "Von: Galaxy\nGesendet: Samstag, 21. November 2026 20:00\nAn: Ada\nBetreff: Zug 5",
    "Japanese": "差出人: Galaxy\n送信日時: 2026年11月21日 20:00\n宛先: Ada\n件名: ターン5",
}


def answer(body: str, *ours: bytes, type_: str = "text/plain; charset=utf-8") -> Letter:
    """A letter, read for the seat of the tag, that answers our mails."""
    return for_seat(read_letter(mail(body, type_=type_)), Own(lambda tag: tag.lower() == TAG), ours or [OURS])


def reasons(letter: Letter) -> list[str]:
    return [piece.reason for piece in letter.left_out]


def quoted(text: str, mark: str = "> ") -> str:
    return "".join(f"{mark}{line}\n" for line in text.splitlines())


@pytest.mark.parametrize("rule", ["", "_" * 32 + "\n"])
@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_an_original_without_quote_marks_in_any_language(header, rule):
    letter = answer(f"{ORDERS}\n\n{rule}{header}\n\n{REPORT}")
    assert texts(letter) == OWN
    assert set(reasons(letter)) <= {sent.SENT, quotes.EARLIER, OUTSIDE, quotes.SIGNATURE}


@pytest.mark.parametrize("header", HEADERS.values(), ids=HEADERS)
def test_a_form_that_comes_back_unfilled_orders_nothing_and_one_filled_in_does(header):
    assert texts(answer(f"{header}\n\n{REPORT}")) == []
    filled = REPORT.replace("\n#end", f"{ORDERS}\n#end")
    assert texts(answer(f"{header}\n\n{filled}")) == OWN
    assert texts(answer(f"Thanks!\n\n{header}\n\n{filled}")) == OWN


@pytest.mark.parametrize("mark", ["", "> "])
def test_lines_of_the_form_that_wait_to_be_filled_in_are_no_orders(mark):
    report = REPORT.replace("\n#end", "Add \nPass\n\n#end")
    letter = answer(f"{ORDERS}\n\n{quoted(report, mark)}", mail(report))
    assert texts(letter) == OWN
    filled = quoted(report.replace("Add ", "Add 5"), mark)
    assert texts(answer(filled, mail(report))) == ["Add 5", "Pass"]


def test_a_line_above_a_copy_that_introduces_it():
    letter = answer(f"{ORDERS}\n\n21.11.2026 20:00 xyzzy Galaxy:\n{REPORT}")
    assert texts(letter) == OWN
    assert quotes.INTRODUCTION in reasons(letter)


def test_what_was_written_between_and_below_the_lines_of_a_copy_is_read():
    middle = REPORT.replace("\nORDER FORM", f"\n{OWN[0]}\n\nORDER FORM")
    assert texts(answer(f"{middle}\n{OWN[1]}\n")) == OWN


def test_the_same_orders_as_last_turn_are_orders():
    again = "Build 2 Laserfrigates\nAttack Borealis with all\n"
    for letter in (answer(again), answer(f"{again}\n{HEADERS['Welsh']}\n\n{REPORT}"), answer(again + quoted(REPORT))):
        assert texts(letter) == again.splitlines()


@pytest.mark.parametrize("header", ["", "On Sat, Nov 21, 2026 at 8:00 PM Galaxy <gm@pbmd.test> wrote:\n\n"])
def test_what_we_sent_is_told_in_one_line(header):
    letter = answer(f"{ORDERS}\n\n{header}{quoted(REPORT)}")
    assert texts(letter) == OWN
    ours = [piece for piece in letter.left_out if piece.reason == sent.SENT]
    assert len(ours) <= 2
    assert all("\n" not in piece.text for piece in ours)
    assert sum(piece.lines for piece in ours) > 15


def test_an_order_written_into_the_quote_is_not_read_but_told_with_the_reason():
    edited = REPORT.replace("  Attack Borealis with all", "  Attack Cygnus with all")
    letter = answer(f"{OWN[0]}\n\n{quoted(edited)}")
    assert texts(letter) == [OWN[0]]
    assert [(piece.text, piece.reason) for piece in letter.left_out if piece.reason != sent.SENT] == [
        (">   Attack Cygnus with all", sent.EDITED)
    ]


def test_so_is_one_below_the_header_of_an_original():
    edited = REPORT.replace("    fleet     none", "    fleet     none\n    Attack Cygnus")
    letter = answer(f"{OWN[0]}\n\n{HEADERS['English']}\n\n{edited}")
    assert texts(letter) == [OWN[0]]
    assert ("Attack Cygnus", sent.EDITED) in [(piece.text, piece.reason) for piece in letter.left_out]


def test_a_quote_that_the_mail_program_wrapped_is_still_ours():
    wrapped = quoted(REPORT).replace(", 1 Command", ",\n> 1 Command").replace("marks, one", "marks,\n> one")
    letter = answer(f"{ORDERS}\n\n{wrapped}")
    assert texts(letter) == OWN
    assert sent.EDITED not in reasons(letter)


@pytest.mark.parametrize("mark", ["", "> "])
def test_the_wrapped_rest_of_a_comment_is_no_order(mark):
    wrapped = REPORT.replace("Laserfrigates, 1 Torp", "Laserfrigates, 1\nTorp")
    filled = quoted(wrapped.replace("\n#end", f"{OWN[0]}\n#end"), mark)
    assert texts(answer(filled)) == [OWN[0]]


@pytest.mark.parametrize("mark", ["", "> "])
def test_a_changed_comment_in_the_form_is_pointed_out(mark):
    changed = REPORT.replace("# Build 16 Laserfrigates, 1 Torpedobattleship", "# Build 4 Laserfrigates")
    letter = answer(quoted(changed, mark))
    assert texts(letter) == []
    assert ("# Build 4 Laserfrigates", COMMENT) in [(piece.text.lstrip("> "), piece.reason) for piece in letter.left_out]
    assert COMMENT not in reasons(answer(quoted(REPORT, mark)))


def test_an_older_quote_inside_ours_is_no_edit():
    letter = answer(f"{ORDERS}\n\n{quoted(REPORT + quoted('What did I order?'))}")
    assert texts(letter) == OWN
    assert sent.EDITED not in reasons(letter)


def test_the_html_of_our_mail_is_known_too():
    page = "<p>Turn 4 is over.</p><table><tr><td>Altair</td><td>32 BP</td></tr></table><p>Borealis rose.</p>"
    ours = multipart("alternative", part(REPORT), part(page, "text/html; charset=utf-8"))
    header = HEADERS["Welsh"].replace("\n", "<br>")
    letter = answer(f"<div>Attack Cygnus</div><div>{header}</div><div>{page}</div>", ours, type_="text/html; charset=utf-8")
    assert texts(letter) == ["Attack Cygnus"]


def test_of_several_mails_each_is_known():
    other = mail("The deadline is near.\nYou have sent nothing.\n")
    letter = answer(f"{ORDERS}\n\n{HEADERS['Welsh']}\n\nThe deadline is near.\nYou have sent nothing.\n", OURS, other)
    assert texts(letter) == OWN


def test_without_a_known_mail_nothing_changes():
    raw = mail(f"{ORDERS}\n\n{quoted(REPORT)}")
    assert for_seat(read_letter(raw), NOBODY, [b""]) == for_seat(read_letter(raw), NOBODY)


OFFER = "Build 16 Laserfrigates, 1 Torpedobattleship"
ENABLED = REPORT.replace(f"# {OFFER}", OFFER)


def told(letter: Letter, reason: str) -> list[str]:
    """The lines that were left out for a reason, without quote marks."""
    return [line.lstrip("> ") for piece in letter.left_out if piece.reason == reason for line in piece.text.split("\n")]


@pytest.mark.parametrize("mark", ["", "> "])
@pytest.mark.parametrize(
    ("written", "lines"),
    [
        (OFFER, [OFFER]),
        (f"{OFFER}\n{OFFER}", [OFFER, OFFER]),
        (f"# {OFFER}\n{OFFER}", [OFFER]),
        (f"{OFFER}\n# {OFFER}", [OFFER]),
        (f"#\n{OFFER}", [OFFER]),
        (f"##\n{OFFER}", [OFFER]),
        ("Build 4 Laserfrigates, 1 Torpedobattleship", ["Build 4 Laserfrigates, 1 Torpedobattleship"]),
        ("\tBuild 16\u00a0Laserfrigates,  1 Torpedobattleship \t", [OFFER]),
        ("## You have 32\nBuild 4 Laserfrigates", ["Build 4 Laserfrigates"]),
        ("# OOB default:\nAttack Cygnus", ["Attack Cygnus"]),
        ("Build 16 Laserfrigates, 1\nTorpedobattleship", [OFFER]),
    ],
)
def test_what_stood_in_the_form_behind_a_sign_is_the_players_without_it(mark, written, lines):
    filled = REPORT.replace(f"# {OFFER}", written)
    for letter in (answer(quoted(filled, mark)), answer(quoted(filled[filled.index("#orders") :], mark))):
        assert texts(letter) == lines
        assert WRAPPED not in reasons(letter)


@pytest.mark.parametrize("mark", ["", "> "])
def test_the_rest_of_a_wrapped_comment_is_told_and_a_comment_cut_short_too(mark):
    wrapped = REPORT.replace("Laserfrigates, 1 Torp", "Laserfrigates, 1\nTorp").replace("\n#end", f"{OWN[0]}\n#end")
    assert told(answer(quoted(wrapped, mark)), WRAPPED) == ["Torpedobattleship"]
    short = REPORT.replace(", 1 Torpedobattleship", "").replace("\n#end", f"{OWN[0]}\n#end")
    letter = answer(quoted(short, mark))
    assert (texts(letter), told(letter, COMMENT)) == ([OWN[0]], ["# Build 16 Laserfrigates"])


def test_a_piece_of_our_line_is_not_ours_alone():
    letter = answer(quoted(REPORT.replace("Attack Borealis with all", "Attack Borealis")))
    assert told(letter, sent.EDITED) == ["Attack Borealis"]


def test_an_offered_line_without_its_sign_is_pointed_out_where_no_form_is_and_read_where_nothing_is_quoted():
    without_marks = "".join(f"{line}\n" for line in ENABLED.splitlines() if line not in (f"#orders {TAG}", "#end"))
    assert told(answer(quoted(without_marks)), sent.EDITED) == [OFFER]
    assert texts(answer(without_marks))[0] == OFFER
    other = ENABLED.replace(TAG, "g12p3.aaaaaaaaaaaaaaaa")
    letter = answer(quoted(other))
    assert (texts(letter), OFFER in told(letter, FOREIGN)) == ([], True)


def test_a_quote_that_was_wrapped_without_its_marks_is_ours_all_the_same():
    broken = quoted(REPORT).replace("marks, one a line.", "marks, one\na line.").replace("with all", "with\nall")
    letter = answer(f"{ORDERS}\n\n{broken}")
    assert texts(letter) == OWN
    assert set(reasons(letter)) == {sent.SENT}


def test_a_line_moved_inside_the_quote_was_written_there():
    moved = REPORT.replace("    fleet     none\n", "    fleet     none\n  Attack Borealis with all\n")
    assert told(answer(quoted(moved)), sent.EDITED) == ["Attack Borealis with all"]


def test_below_a_copy_that_ends_early_our_words_may_be_the_players_and_are_told():
    early = REPORT[: REPORT.index("LAST TURN")]
    for header in ("", f"{HEADERS['English']}\n\n", f"{HEADERS['Welsh']}\n\n"):
        letter = answer(f"Attack Cygnus\n\n{header}{early}\nBuild 2 Laserfrigates\nAttack Borealis with all\n")
        assert texts(letter) == ["Attack Cygnus"]
        assert told(letter, sent.AGAIN) == ["Build 2 Laserfrigates", "Attack Borealis with all"]


def test_a_line_of_ours_written_higher_up_in_a_whole_copy_is_read_and_does_not_hide_the_rest_of_it():
    letter = answer(f"{HEADERS['Welsh']}\n\n" + REPORT.replace("LAST TURN", "Attack Borealis with all\n\nLAST TURN"))
    assert texts(letter) == ["Attack Borealis with all"]
    assert set(reasons(letter)) <= {sent.SENT, quotes.EARLIER, OUTSIDE}


@pytest.mark.parametrize("mark", ["", "> "])
def test_lines_that_changed_places_are_told(mark):
    lines = ["  Build 2 Laserfrigates\n", "  Attack Borealis with all\n"]
    letter = answer(f"{OWN[0]}\n\n" + quoted(REPORT.replace("".join(lines), "".join(reversed(lines))), mark))
    assert texts(letter) == [OWN[0]]
    assert told(letter, sent.EDITED if mark else sent.AGAIN) == ["Attack Borealis with all", "Build 2 Laserfrigates"]


@pytest.mark.parametrize("header", ["", *(f"{HEADERS[name]}\n\n" for name in ("English", "German", "Welsh", "Japanese"))])
def test_orders_below_the_whole_of_our_mail_are_read_and_the_signature_below_them_is_none(header):
    letter = answer(f"{header}{REPORT}\n{ORDERS}\n-- \nAda\n")
    assert texts(letter) == OWN
    assert told(letter, quotes.SIGNATURE) == ["--", "Ada"]


@pytest.mark.parametrize(("header", "mark"), [("", ""), ("", "> "), (f"{HEADERS['Welsh']}\n\n", "")])
def test_a_form_without_its_end_ends_where_our_words_go_on(mark, header):
    letter = answer(header + quoted(ENABLED.replace("#end\n", ""), mark))
    assert texts(letter) == [OFFER]
    assert COMMENT not in reasons(letter)


def test_orders_below_an_empty_form_are_read():
    form = REPORT[REPORT.index("#orders") : REPORT.index("FAIRNESS")]
    below = REPORT[REPORT.index("FAIRNESS") :]
    assert texts(answer(f"{form}\n{ORDERS}\n")) == OWN
    assert texts(answer(f"{form}{below}\n{ORDERS}\n")) == []  # they stand below what begins as a signature
    assert told(answer(f"{form}{below}\n{ORDERS}\n"), quotes.SIGNATURE)[-2:] == OWN


def test_what_waits_to_be_filled_in_is_told():
    report = REPORT.replace("\n#end", "Add \nPass\n\n#end")
    assert told(answer(f"{ORDERS}\n\n{quoted(report)}", mail(report)), UNFILLED) == ["Add", "Pass"]


def test_what_others_write_into_our_mails_is_no_form():
    press = "PRESS\n\nFrom Cygnus to Altair:\n#orders\nAttack Cygnus\n\nORDER FORM"
    report = REPORT.replace("ORDER FORM", press)
    filled = report.replace("\n#end", "Attack Cygnus\n#end")
    assert texts(answer(quoted(filled), mail(report))) == ["Attack Cygnus"]


def test_a_long_line_that_begins_like_ours_is_not_ours():
    long = "word " * 300
    letter = answer(quoted(f"Our mail.\n{long}Attack Cygnus\nThe end."), mail(f"Our mail.\n{long}\nThe end.\n"))
    assert told(letter, sent.EDITED)[0].startswith("word word")


@pytest.mark.parametrize("mark", ["# Train spy", "* # Train spy", "1. # Train spy", "\u200b# Train spy", "＃ Train spy"])
def test_a_comment_of_the_form_is_one_whatever_stands_before_its_sign(mark):
    report = REPORT.replace("\n#end", "# Train spy\n#end")
    letter = answer(report.replace("# Train spy", mark).replace(f"# {OFFER}", OFFER), mail(report))
    assert (texts(letter), COMMENT in reasons(letter)) == ([OFFER], False)


# Mails of a thread are alike, and letters are edited.

THREAD = "Galaxy: your mail.\nThe orders of Altair were taken.\nIn force are:\n{}\n\n--\nHELP explains.\n"
OLDER = THREAD.format("Build 2 Laserfrigates\nRaid Deneb\nPass")
NEW, OLD = mail(THREAD.format("Build 3 Laserfrigates\nAttack Cygnus")), mail(OLDER)
WELSH = f"{HEADERS['Welsh']}\n\n"


def test_of_mails_that_begin_alike_the_one_that_was_copied_is_found():
    assert texts(answer(f"Add 1\n\n{WELSH}" + OLDER, NEW, OLD)) == ["Add 1"]


def test_a_line_made_that_of_an_older_mail_is_told():
    quote = "In force are:\nBuild 2 Laserfrigates\nAttack Cygnus\nHELP explains.\n"
    assert told(answer(quoted(quote), NEW, OLD), sent.EDITED) == ["Build 2 Laserfrigates"]


def test_lines_typed_between_the_top_and_the_end_of_a_copy_are_told():
    top, end = REPORT[: REPORT.index("    home      Altair")], REPORT[REPORT.index("FAIRNESS") :]
    assert told(answer(f"{WELSH}{top}Build 2 Laserfrigates\nAttack Borealis with all\n{end}"), sent.AGAIN) == [
        "Build 2 Laserfrigates",
        "Attack Borealis with all",
    ]


def test_far_below_in_a_copy_our_words_are_no_orders():
    planets = "".join(f"Planet {number} of the rim reports nothing at all.\n" for number in range(20))
    long = REPORT.replace("LAST TURN", f"{planets}\nLAST TURN")
    kept = long[: long.index("    home      Altair")] + "\n" + long[long.index("LAST TURN") : long.index("ORDER FORM")]
    assert texts(answer(WELSH + kept, mail(long))) == []


@pytest.mark.parametrize("mark", ["", "> "])
def test_other_numbers_are_another_line(mark):
    ours = "Turn over.\nIntro.\nYour orders were:\nMove 1 23\nAttack Borealis\nThe end.\n"
    letter = answer(quoted(ours.replace("1 23", "12 3"), mark), mail(ours))
    assert (texts(letter) or told(letter, sent.EDITED)) == ["Move 12 3"]
    assert told(answer(quoted(ours.replace("1 23", "1\n23"), "> "), mail(ours)), sent.EDITED) == []


@pytest.mark.parametrize("count", [120, 400])
def test_many_lines_that_are_alike_are_ours(count):
    report = "Turn over.\nIntro.\n" + "fleet none\n" * count + "Attack Borealis with all\nThe end.\n"
    assert texts(answer(report, mail(report))) == []


BEFORE = (
    REPORT.replace("Borealis        30 BP", "Borealis        24 BP")
    .replace("due Mon 23 Nov 2026 12:00 UTC", "due Thu 19 Nov 2026 09:30 UTC")
    .replace("32 BP", "17 BP")
    .replace("entry 5", "entry 4")
    .replace("b2e4ebb85b6b0577", "9e00aa1724b6cc31")
    .replace("turn 4", "turn 3")
)
"""A report of the turn before, which is not at hand any more: of its 18 lines a third is different."""


@pytest.mark.parametrize(
    "heading", ["## pbmd galaxy-7, on Friday", "Ticket 17: galaxy-7 said\n-----------", f"{'-' * 40}\n## galaxy-7 @ 13h"]
)
def test_a_copy_without_quote_marks_of_a_mail_that_is_not_at_hand_word_for_word_below_a_heading_that_names_us(heading):
    letter = named(f"{ORDERS}\n\n{heading}\n{BEFORE}")
    assert [line for line in texts(letter) if line not in heading.split("\n")] == OWN
    below = named(f"{heading}\n{BEFORE}\n{ORDERS}")
    assert [line for line in texts(below) if line not in heading.split("\n")] == []
    assert any(OWN[0] in piece.text for piece in below.left_out)


def test_a_copy_with_altered_lines_needs_no_heading_if_it_begins_as_ours():
    altered = REPORT.replace("Mon 23 Nov 2026 12:00 UTC", "lundi 23 novembre à 12:00")
    assert texts(answer(f"{ORDERS}\n\nRéponse :\n\n{altered}")) == OWN
    assert texts(answer(f"Réponse :\n\n{altered}\n\n{ORDERS}")) == OWN


def test_a_few_lines_of_ours_among_more_of_the_writer_are_no_copy():
    few = "\n".join(REPORT.split("\n")[:4:2])
    letter = answer(f"{few}\n{ORDERS}\nDefend all\nScout Cygnus\n")
    assert texts(letter)[-4:] == [*OWN, "Defend all", "Scout Cygnus"]


def named(body: str) -> Letter:
    """The same for mails from "galaxy-7"."""
    ours = mail(REPORT, "From: galaxy-7 <games@pbmd.test>")
    return for_seat(
        read_letter(mail(body)),
        Own(lambda tag: tag.lower() == TAG),
        [ours],
        address="games@pbmd.test",
        is_order=lambda line: line in OWN,
    )
