"""Which part of a mail is its text, in whatever wrapping and character set it comes."""

import base64
import quopri

import pytest

from pbmd.post.read.letter import read_letter
from tests.post.samples import mail, multipart, part, read, texts

ORDERS = "MOVE A-B\nBUILD 2 bases\n"
READ = ["MOVE A-B", "BUILD 2 bases"]
HTML = "<html><body><p>MOVE A-B<br>BUILD 2 bases</p></body></html>"


def html(body: str) -> list[str]:
    return texts(read(body, type_="text/html; charset=utf-8"))


@pytest.mark.parametrize(
    ("type_", "charset"),
    [
        ("text/plain; charset=utf-8", "utf-8"),
        ("text/plain; charset=iso-8859-1", "iso-8859-1"),
        ("text/plain; charset=iso-8859-1", "cp1252"),
        ("text/plain; charset=us-ascii", "utf-8"),
        ("text/plain; charset=us-ascii", "cp1252"),
        ("text/plain; charset=utf-8", "cp1252"),
        ("text/plain; charset=iso-8859-1", "utf-8"),
        ("text/plain; charset=windows-1252", "utf-8"),
        ("text/plain; charset=x-unknown", "utf-8"),
        ("text/plain; charset=rot13", "utf-8"),
        ("text/plain; charset=punycode", "utf-8"),
        ('text/plain; charset="utf-8', "utf-8"),
        ("text/plain; charset=", "cp1252"),
        ("text/plain", "utf-8"),
        ("text/plain; charset=utf-16", "utf-16"),
    ],
)
def test_a_wrong_or_missing_character_set_does_not_hurt(type_, charset):
    text = "JOIN galaxy AS Zoë\n"
    raw = mail("", type_=type_) + base64.encodebytes(text.encode(charset))
    raw = raw.replace(b"\r\n\r\n", b"\r\nContent-Transfer-Encoding: base64\r\n\r\n", 1)
    assert texts(read_letter(raw)) == ["JOIN galaxy AS Zoë"]


@pytest.mark.parametrize(
    ("declared", "written", "name"),
    [
        ("gb2312", "gb18030", "鎔基"),
        ("ks_c_5601-1987", "cp949", "똠방각하"),
        ("shift_jis", "cp932", "①髙"),
        ("iso-2022-jp", "iso2022_jp", "日本"),
        ("koi8-r", "koi8-r", "Марс"),
        ("big5", "big5hkscs", "台灣"),
    ],
)
def test_names_that_mailers_use_loosely_mean_the_wider_set(declared, written, name):
    raw = mail("", type_=f"text/plain; charset={declared}") + f"JOIN x AS {name}\r\n".encode(written)
    assert read_letter(raw).lines[0].original == f"JOIN x AS {name}"


def test_quoted_printable_and_base64_are_undone():
    text = "JOIN galaxy AS Zoë, who has a long name that makes the line longer than seventy-six characters\n"
    for name, encoded in (
        ("quoted-printable", quopri.encodestring(text.encode())),
        ("base64", base64.encodebytes(text.encode())),
    ):
        raw = mail(encoded.decode(), f"Content-Transfer-Encoding: {name}")
        assert texts(read_letter(raw)) == [text.strip()]


def test_8_bit_bytes_inside_quoted_printable_are_kept():
    raw = mail("JOIN galaxy AS Zoë =3D\n", "Content-Transfer-Encoding: quoted-printable")
    assert texts(read_letter(raw)) == ["JOIN galaxy AS Zoë ="]


@pytest.mark.parametrize("line_end", ["\r\n", "\n", "\r"])
def test_any_line_end_ends_a_line(line_end):
    raw = mail(ORDERS).replace(b"\r\n", line_end.encode())
    assert texts(read_letter(raw)) == READ


@pytest.mark.parametrize(
    ("written", "text"),
    [
        ("MOVE\u00a0A\u00a0\u2013\u00a0B", "MOVE A - B"),
        ("MOVE A → B", "MOVE A -> B"),
        ("MOVE A ⮕ B", "MOVE A -> B"),
        ("MOVE A ↛ B", "MOVE A ↛ B"),
        ("MOVE A ↔ B", "MOVE A ↔ B"),
        ("MOVE A\u2011B", "MOVE A-B"),
        ("MOVE A−B", "MOVE A-B"),
        ("ＭＯＶＥ　Ａ－Ｂ", "MOVE A-B"),
        ("MO\u200bVE\u200d A\u00ad-B\ufeff", "MOVE A-B"),
        ("NAME “Zoë’s pride”", 'NAME "Zoë\'s pride"'),
        ("NAME «Ada»", 'NAME "Ada"'),
        ("MOVE\tA-B  5", "MOVE A-B 5"),
        ("- MOVE A-B", "MOVE A-B"),
        ("• MOVE A-B", "MOVE A-B"),
        ("* MOVE A-B", "MOVE A-B"),
        ("1. MOVE A-B", "MOVE A-B"),
        ("12) MOVE A-B", "MOVE A-B"),
        ("3 A-B", "3 A-B"),
        ("-5", "-5"),
        ("12.5 BP", "12.5 BP"),
        ("MOVE A-B \u202e5", "MOVE A-B 5"),
        ("MOVE A-B\x1b[2J", "MOVE A-B[2J"),
    ],
)
def test_what_people_and_telephones_type_becomes_plain(written, text):
    letter = read(written)
    assert texts(letter) == [text]
    assert "\x1b" not in letter.lines[0].original


def test_the_original_line_is_kept_and_numbers_count_blank_lines():
    letter = read("\n\n  1. MOVE A – B\n\nBUILD 2 bases\n\n")
    assert [(line.number, line.text, line.original) for line in letter.lines] == [
        (1, "MOVE A - B", "  1. MOVE A – B"),
        (2, "", ""),
        (3, "BUILD 2 bases", "BUILD 2 bases"),
    ]


def test_a_line_that_a_mail_program_wrapped_is_joined_and_a_trailing_blank_is_not_a_wrap():
    flowed = "text/plain; charset=utf-8; format=flowed"
    wrapped = "PRESS TO all: we should meet at the fourth planet of the outermost \nsystem before the others do\n"
    assert texts(read(wrapped, type_=flowed)) == [wrapped.replace(" \n", " ").strip()]
    assert texts(read("MOVE A-B \nMOVE B-C \nBUILD 2 \n", type_=flowed)) == ["MOVE A-B", "MOVE B-C", "BUILD 2"]
    assert [line.original for line in read(" From here\n  two blanks\n", type_=flowed).lines] == ["From here", " two blanks"]


def test_flowed_text_with_delsp_is_joined_without_the_blank():
    long = "x" * 70
    assert texts(read(f"{long} \nyyyy\n", type_="text/plain; format=flowed; delsp=yes")) == [f"{long}yyyy"]


def test_plain_text_is_preferred_to_html():
    letter = read_letter(multipart("alternative", part(ORDERS), part("<p>something else</p>", "text/html")))
    assert (texts(letter), letter.source) == (READ, "text")


@pytest.mark.parametrize("plain", ["", "\n \n", "Please use an HTML viewer to display this mail.\n"])
def test_html_is_read_when_the_plain_text_says_nothing(plain):
    letter = read_letter(multipart("alternative", part(plain), part(HTML, "text/html")))
    assert (texts(letter), letter.source) == (READ, "html")


def test_html_alone_is_enough():
    assert html(HTML) == READ


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("<div>MOVE A-B</div><div>BUILD 2 bases</div>", READ),
        ("<div dir=ltr>MOVE A-B<div>BUILD 2 bases</div></div>", READ),
        ("<p class=MsoNormal>MOVE&nbsp;A&#8211;B<o:p></o:p></p><p class=MsoNormal>BUILD 2 bases<o:p></o:p></p>", READ),
        ("<ul><li>MOVE A-B<li>BUILD 2 bases</ul>", READ),
        ("<ol><li><b>MOVE</b> A-B</li><li>BUILD <i>2</i> bases</li></ol>", READ),
        ("<table><tr><td>MOVE</td><td>A-B</td></tr><tr><td>BUILD</td><td>2 bases</td></tr></table>", READ),
        ("<pre>MOVE A-B\nBUILD 2 bases\n</pre>", READ),
        ("<p>MOVE\n  A-B</p>\n<p>BUILD 2\nbases</p>", READ),
        ("MOVE A-B<br/>BUILD 2 bases", READ),
        ("<style>p {}</style><script>x()</script><title>t</title><p>MOVE A-B</p><!-- MOVE C-D --><p>BUILD 2 bases", READ),
        ('<p>MOVE A-B</p><p style="display: none">MOVE C-D</p><p>BUILD 2 bases</p>', READ),
        ('<p>MOVE A-B</p><div hidden>MOVE C-D<br></div><p style="visibility:hidden">x</p><p>BUILD 2 bases</p>', READ),
        ('<div style="DISPLAY:NONE"><blockquote>x</blockquote></div>MOVE A-B<br>BUILD 2 bases', READ),
        ("<p>MOVE A-B<p>BUILD 2 bases<blockquote>MOVE C-D</blockquote>", READ),
        ("<blockquote>MOVE C-D<blockquote>x</blockquote></blockquote><p>MOVE A-B<br>BUILD 2 bases</p>", READ),
        ("", []),
        ("<p>MOVE A-B<div>BUILD 2 bases", READ),
        ("MOVE A-B<br>BUILD 2 bases</div></div></table>", READ),
    ],
)
def test_html_gives_the_lines_that_a_reader_sees(body, lines):
    assert html(body) == lines


def test_a_gmail_reply_in_html_only():
    body = (
        '<div dir="ltr">MOVE A-B<br>BUILD 2 bases</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        "On Sat, Nov 21, 2026 at 8:00 PM Galaxy &lt;<a>gm@pbmd.test</a>&gt; wrote:<br></div>"
        '<blockquote class="gmail_quote">MOVE C-D<br></blockquote></div>'
    )
    assert html(body) == READ


def test_an_outlook_reply_in_html_only():
    body = (
        "<div><p class=MsoNormal>MOVE A-B</p><p class=MsoNormal>BUILD 2 bases</p>"
        '<div><div style="border:none;border-top:solid #E1E1E1 1.0pt"><p class=MsoNormal>'
        "<b>Von:</b> Galaxy &lt;gm@pbmd.test&gt; <br>"
        "<b>Gesendet:</b> Samstag, 21. November 2026 20:00<br><b>An:</b> Ada<br><b>Betreff:</b> Zug 5</p></div></div>"
        "<p class=MsoNormal>MOVE C-D</p></div>"
    )
    assert html(body) == READ


def test_apple_mail_splits_the_text_around_a_picture():
    picture = part("x", "image/png", "Content-Disposition: inline; filename=a.png")
    assert texts(read_letter(multipart("mixed", part("MOVE A-B"), picture, part("BUILD 2 bases")))) == READ


def test_what_stands_in_parts_of_their_own_stands_apart():
    """A server adds a notice in a part below the text, and does not end that with a blank line."""
    letter = read_letter(multipart("mixed", part("MOVE A-B"), part("Confidential: build nothing on it.")))
    assert [line.text for line in letter.lines] == ["MOVE A-B", "", "Confidential: build nothing on it."]


def test_what_a_mailing_list_adds_is_not_the_players():
    raw = multipart("mixed", part(ORDERS), part("unsubscribe at http://x.test"))
    letter = read_letter(raw.replace(b"Subject:", b"List-Id: <l.x.test>\r\nSubject:"))
    assert texts(letter) == READ
    assert [left.text for left in letter.left_out] == ["unsubscribe at http://x.test"]


def test_the_signed_part_is_read():
    signature = part("-----BEGIN PGP SIGNATURE-----\nabc\n", "application/pgp-signature; name=signature.asc")
    assert texts(read_letter(multipart("signed", part(ORDERS), signature))) == READ


def test_an_inline_signature_is_taken_off():
    body = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nMOVE A-B\n- - BUILD 2 bases\n"
        "-----BEGIN PGP SIGNATURE-----\n\niQ\n=x\n-----END PGP SIGNATURE-----\n"
    )
    assert texts(read(body)) == READ


def test_a_text_file_is_read_when_the_mail_itself_is_blank():
    attached = part(ORDERS, "text/plain; name=orders.txt", "Content-Disposition: attachment; filename=orders.txt")
    letter = read_letter(multipart("mixed", part("\n"), attached))
    assert (texts(letter), letter.source) == (READ, "attachment")


def test_a_text_file_beside_a_text_is_kept_apart():
    attached = part(ORDERS, "text/plain", 'Content-Disposition: attachment; filename="orders.txt"')
    letter = read_letter(multipart("mixed", part("see the file"), attached))
    assert texts(letter) == ["see the file"]
    (file,) = letter.files
    assert (file.name, [line.text for line in file.lines], file.unread) == ("orders.txt", READ, "")


BLOCK = "-----BEGIN PGP SIGNED MESSAGE-----\n{head}MOVE A-B\n-----BEGIN PGP SIGNATURE-----\n{inside}{end}BUILD 2 bases\n"
END = "-----END PGP SIGNATURE-----\n"


@pytest.mark.parametrize(
    "body",
    [
        BLOCK.format(head="", inside="", end=""),
        BLOCK.format(head="Hash: SHA256\n", inside="iQ==\n", end=END),
        BLOCK.format(head="\n", inside="Version: x\n\niQ\n=x\n", end=END),
        BLOCK.format(head="", inside="", end=END).replace("BUILD 2 bases\n", "").replace(END, f"BUILD 2 bases\n{END}"),
    ],
)
def test_a_damaged_inline_signature_hides_no_line(body):
    assert [line for line in texts(read(body)) if line in READ] == READ


def test_html_beside_plain_text_is_kept_apart_unless_it_says_the_same():
    beside = multipart("mixed", part("see below"), part(HTML, "text/html"))
    (file,) = read_letter(beside).files
    assert [line.text for line in file.lines if line.text] == READ
    assert read_letter(multipart("mixed", part(ORDERS), part(HTML, "text/html"))).files == ()
    assert read_letter(multipart("alternative", part("see below"), part(HTML, "text/html"))).files == ()


@pytest.mark.parametrize(
    "furniture", ["application/pgp-keys", "text/vcard", "application/pkcs7-signature", "text/calendar; method=publish"]
)
def test_what_programs_send_along_by_themselves_is_no_file(furniture):
    attached = part(ORDERS, furniture, 'Content-Disposition: attachment; filename="x"')
    assert read_letter(multipart("mixed", part("see file"), attached)).files == ()


def test_a_message_inside_the_message_is_somebody_elses():
    forwarded = part("From: bob@x.test\nSubject: x\n\nMOVE C-D\n", "message/rfc822")
    assert texts(read_letter(multipart("mixed", part(ORDERS), forwarded))) == READ


@pytest.mark.parametrize(
    ("raw", "word"),
    [
        (
            multipart("encrypted", part("Version: 1", "application/pgp-encrypted"), part("x", "application/octet-stream")),
            "encrypted",
        ),
        (mail("AAAA", type_="application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m"), "encrypted"),
        (mail("-----BEGIN PGP MESSAGE-----\n\nhQ\n-----END PGP MESSAGE-----\n"), "encrypted"),
        (mail("AAAA", type_="application/ms-tnef; name=winmail.dat"), "winmail.dat"),
        (multipart("mixed", part(""), part("%PDF-1.7 x", "application/pdf; name=orders.pdf")), "orders.pdf"),
        (mail("x", type_="image/png"), "image/png"),
        (multipart("mixed"), ""),
    ],
)
def test_a_mail_without_readable_text_says_what_to_do(raw, word):
    letter = read_letter(raw)
    assert letter.lines == ()
    assert word in letter.problem
    assert not word or "plain text" in letter.problem


def test_an_empty_mail_is_no_problem_but_has_no_lines():
    letter = read("")
    assert (letter.lines, letter.problem) == ((), "")


@pytest.mark.parametrize(
    "raw",
    [
        mail(ORDERS, type_="multipart/mixed"),
        mail(ORDERS, type_="multipart/mixed; boundary=never"),
        multipart("mixed", part(ORDERS)).replace(b"--=-b1--\r\n", b""),
        multipart("mixed", f"Content-Type: text/plain\n{ORDERS}"),
        mail(ORDERS, type_="nonsense"),
        b"From ada Sat Nov 21\r\n" + mail(ORDERS),
        mail(ORDERS, "Content-Transfer-Encoding: x-nonsense"),
        mail(ORDERS, "Broken header line"),
    ],
)
def test_broken_mime_still_gives_the_orders(raw):
    assert [line for line in texts(read_letter(raw)) if line in READ] == READ
