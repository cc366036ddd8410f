"""What mail programs make of a text: other forms of it, encodings with blanks and footers, packed signatures, reactions."""

import base64

import pytest

from pbmd.post.read.body import CONFIDENTIAL, ENCRYPTED, SIGNED
from pbmd.post.read.letter import STRUCK_OUT, read_letter
from tests.post.samples import mail, multipart, part, read, texts

HTML = "text/html; charset=utf-8"
ORDERS = "MOVE A-B\nBUILD 2 bases\n"
READ = ["MOVE A-B", "BUILD 2 bases"]
PAGE = "<div>MOVE A-B</div><div>BUILD 2 bases</div>"


def test_blanks_behind_a_soft_break_are_none_of_the_text():
    raw = mail("MOVE = \nA-B\nBUILD 2 ba= \t\nses =3D\n", "Content-Transfer-Encoding: quoted-printable")
    assert texts(read_letter(raw)) == ["MOVE A-B", "BUILD 2 bases ="]


LONG = "MOVE A-B\nBUILD 2 bases at the place where there were three of them before the war began\n"


@pytest.mark.parametrize("text", [ORDERS, f"{ORDERS}x", f"{ORDERS}xy"])
def test_text_below_base64_is_read_as_text(text):
    encoded = base64.encodebytes(text.encode()).decode()
    footer = "_______________________________________________\nGames mailing list\n"
    raw = mail(encoded + footer, "Content-Transfer-Encoding: base64")
    letter = read_letter(raw)
    assert texts(letter)[:2] == READ
    assert "Games mailing list" in "\n".join(piece.text for piece in letter.left_out)


def test_words_below_base64_are_lines_like_any():
    encoded = base64.encodebytes(ORDERS.encode()).decode()
    assert texts(read_letter(mail(f"{encoded}\nMOVE C-D, please\n", "Content-Transfer-Encoding: base64"))) == [
        *READ,
        "MOVE C-D, please",
    ]


def test_a_damaged_line_inside_of_base64_costs_no_other():
    first, *others = base64.encodebytes(LONG.encode()).decode().splitlines(keepends=True)
    assert others
    raw = mail(f"{first}!\n{''.join(others)}", "Content-Transfer-Encoding: base64")
    assert texts(read_letter(raw)) == LONG.splitlines()


SIGNED_BYTES = base64.b64encode(bytes.fromhex("308006092a864886f70d010702a08030") + ORDERS.encode()).decode()
ENVELOPED_BYTES = base64.b64encode(bytes.fromhex("308006092a864886f70d010703a08030") + b"\1" * 40).decode()


@pytest.mark.parametrize(
    ("kind", "data", "problem"),
    [
        ('application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"', SIGNED_BYTES, SIGNED),
        ('application/x-pkcs7-mime; name="smime.p7m"', SIGNED_BYTES, SIGNED),
        ('application/pkcs7-mime; smime-type=enveloped-data; name="smime.p7m"', ENVELOPED_BYTES, ENCRYPTED),
        ('application/pkcs7-mime; name="smime.p7m"', ENVELOPED_BYTES, ENCRYPTED),
    ],
)
def test_a_packed_signature_is_called_one_and_not_encrypted(kind, data, problem):
    letter = read_letter(mail(data, "Content-Transfer-Encoding: base64", type_=kind))
    assert (letter.problem, letter.lines) == (problem, ())
    assert ("signed" in problem) == (problem == SIGNED)


@pytest.mark.parametrize("kind", ["text/enriched", "text/richtext"])
@pytest.mark.parametrize("gap", ["\n", "\n\n"])
def test_enriched_text_loses_its_tags(kind, gap):
    text = f"<bold>MOVE A-B</bold>{gap}<color><param>red</param>BUILD 2 bases</color>{gap}<<5 <nofill>x</nofill>"
    assert texts(read(text, type_=f"{kind}; charset=utf-8")) == [*READ, "<5 x"]


def test_a_broken_line_of_enriched_text_is_joined():
    assert texts(read(f"<bold>{'a ' * 30}last\nword</bold>\n", type_="text/enriched")) == [f"{'a ' * 30}last word"]


@pytest.mark.parametrize("kind", ["text/x-amp-html", "text/watch-html", "text/enriched", "application/x-something"])
def test_another_form_of_the_text_is_no_file(kind):
    raw = multipart("alternative", part(ORDERS), part("<html amp4email>x</html>", kind), part(PAGE, HTML))
    letter = read_letter(raw)
    assert texts(letter) == READ
    assert (letter.files, letter.left_out) == ((), ())


def test_a_form_alone_that_is_not_known_is_read_like_a_file():
    letter = read_letter(multipart("alternative", part(ORDERS, "text/x-unknown")))
    assert texts(letter) == READ
    assert letter.source == "attachment"


def test_a_reaction_is_the_mail_of_a_machine_and_not_read():
    raw = multipart(
        "alternative",
        part("👍\n"),
        part('{"emoji": "👍", "version": 1}', "text/vnd.google.email-reaction+json; charset=utf-8"),
        part("<p>👍 Ada reacted via Gmail</p>", HTML),
    )
    letter = read_letter(raw)
    assert letter.automatic == "it is a reaction to a mail"
    assert (letter.vacation, letter.lines) == (True, ())


def test_a_confidential_mail_says_what_to_do():
    text = "Ada sent you an email:\n\nView the email <https://confidential-mail.google.com/msg/XY1>\n"
    letter = read_letter(mail(text))
    assert (letter.problem, letter.lines) == (CONFIDENTIAL, ())
    assert texts(read_letter(mail("MOVE A-B\n\n> see https://confidential-mail.google.com/msg/XY1\n"))) == ["MOVE A-B"]


@pytest.mark.parametrize("plain", ["\u200b\n", "\ufeff\u00a0\n\u200d\n", "\n\n", "\u3164\n"])
def test_html_is_read_beside_plain_text_that_nobody_sees(plain):
    letter = read_letter(multipart("alternative", part(plain), part(PAGE, HTML)))
    assert texts(letter) == READ
    assert letter.source == "html"


STRUCK = [
    "<s>BUILD 1 base</s>",
    "<div><del>BUILD 1 base</del></div>",
    "<strike>BUILD 1 base</strike>",
    '<p><span style="text-decoration: line-through">BUILD 1 base</span></p>',
    '<span style="text-decoration-line:line-through;color:red"><b>BUILD</b> 1 base</span>',
    "<s>BUILD <i>1</i> base</s>",
]


@pytest.mark.parametrize("struck", STRUCK)
@pytest.mark.parametrize("plain", [None, "MOVE A-B\nBUILD 1 base\nBUILD 2 bases\n"])
def test_what_is_struck_out_is_not_read_and_listed_whatever_the_plain_text_shows(struck, plain):
    html = part(f"<div>MOVE A-B</div>{struck}<div><ins>BUILD 2 bases</ins></div>", HTML)
    letter = read_letter(multipart("alternative", *([part(plain)] if plain else []), html))
    assert texts(letter) == READ
    assert [(piece.reason, piece.text) for piece in letter.left_out] == [(STRUCK_OUT, "BUILD 1 base")]


def test_words_struck_out_inside_of_a_line_are_taken_out_of_it():
    letter = read("<div>BUILD <s>1 base</s> <ins>2 bases</ins></div>", type_=HTML)
    assert texts(letter) == ["BUILD 2 bases"]
    assert [piece.text for piece in letter.left_out] == ["1 base"]


def test_what_is_struck_out_in_a_quote_is_quoted_text():
    letter = read("<div>MOVE A-B</div><blockquote type=cite><s>old</s></blockquote>", type_=HTML)
    assert texts(letter) == ["MOVE A-B"]
    assert STRUCK_OUT not in [piece.reason for piece in letter.left_out]


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ('<p><img src="x.png" alt="❌"> MOVE A-B</p>', ["❌ MOVE A-B"]),
        ('<p>MOVE A<img src="x.png" alt=" → ">B</p>', ["MOVE A->B"]),
        ('<p><img src="logo.png" alt="Company, Ltd."> MOVE A-B</p>', ["MOVE A-B"]),
        ('<p><img src="dot.png" alt="-">MOVE A-B</p>', ["MOVE A-B"]),
        ('<ul><li><input type="checkbox" checked>MOVE A-B</li><li><INPUT TYPE=checkbox>BUILD 1 base</li></ul>',
         ["[x] MOVE A-B", "[ ] BUILD 1 base"]),
        ("<details><summary>Orders:</summary>MOVE A-B</details>", ["Orders:", "MOVE A-B"]),
    ],
)  # fmt: skip
def test_emoji_made_pictures_and_boxes_to_tick_are_read_as_people_see_them(html, lines):
    assert texts(read(html, type_=HTML)) == lines


@pytest.mark.parametrize(
    "raised", ["<sup>2</sup>", '<span style="font-size:0.6em; vertical-align: super">2</span>', "<sup> 2 </sup>"]
)
def test_raised_digits_make_no_other_number_of_the_one_beside_them(raised):
    assert texts(read(f"<p>BUILD 1{raised} bases</p>", type_=HTML)) == ["BUILD 1^2 bases"]
    assert texts(read("<p>1<sup>st</sup>: MOVE A<sub>1</sub>-B</p>", type_=HTML)) == ["1st: MOVE A1-B"]


@pytest.mark.parametrize("lowered", ["<sub>0</sub>", '<span style="vertical-align: sub">0</span>', "₀"])
def test_lowered_digits_make_no_other_number_of_the_one_beside_them(lowered):
    assert texts(read(f"<p>BUILD 3{lowered} bases</p>", type_=HTML)) == ["BUILD 3_0 bases"]
    assert texts(read(f"<p>MOVE Q{lowered}-B</p>", type_=HTML)) == ["MOVE Q0-B"]


@pytest.mark.parametrize(
    "block",
    [
        '<blockquote style="margin:0 0 0 40px;border:none;padding:0px">{}</blockquote>',
        '<blockquote class="webkit-indent-blockquote" style="margin: 0 0 0 40px; border: none; padding: 0px;">{}</blockquote>',
        '<blockquote style="border: 0px; margin-left: 3em">{}</blockquote>',
    ],
)
def test_an_indented_paragraph_is_no_quote(block):
    assert texts(read(f"<p>Hi</p>{block.format(PAGE)}<p>end</p>", type_=HTML)) == ["Hi", *READ, "end"]


@pytest.mark.parametrize(
    "block",
    [
        "<blockquote>{}</blockquote>",
        '<blockquote type="cite" style="border:none">{}</blockquote>',
        '<blockquote cite="mid:x@y" style="border:0">{}</blockquote>',
        '<blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid">{}</blockquote>',
    ],
)
def test_a_block_that_cites_or_has_a_line_at_its_side_is_a_quote(block):
    letter = read(f"<p>Hi</p>{block.format(PAGE)}<p>end</p>", type_=HTML)
    assert texts(letter) == ["Hi", "end"]
