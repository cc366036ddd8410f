"""Hostile mail: nothing raises, nothing takes long, and the readers say the same about what is well-formed."""

import re
import threading
import time
from collections.abc import Callable
from contextlib import suppress

import pytest
from fast_mail_parser import ParseError
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbmd.post.lines.command_text import Own
from pbmd.post.lines.text import normal
from pbmd.post.read import letter as letter_module
from pbmd.post.read.headers import Headers, read_headers
from pbmd.post.read.html import TooComplex, html_lines
from pbmd.post.read.letter import BROKEN, TOO_COSTLY, Limits, for_seat, read_letter
from pbmd.post.read.mime import NotWellFormed, Part, TooManyParts, fast_parts, lenient_parts, simple_parts
from pbmd.post.time_limit import OverBudget, within
from tests.post.lines.test_letter_sent import OURS, REPORT, quoted
from tests.post.samples import TAG, mail, multipart, part
from tests.processor_time import takes_at_most

LIMITS = Limits()
SECONDS = Limits().seconds
"""The budget of a letter: far above what each of these takes (at most 1.4 s), and far below what each took before it was
thought of."""

ROOM = 990_000


def fill(unit: str, count: int = ROOM) -> str:
    return (unit * (count // len(unit) + 1))[:count]


def html(body: str) -> bytes:
    return mail(body, type_="text/html; charset=utf-8")


def doubtful(head: str) -> bytes:
    """A part with this header in a message that only the lenient parser takes."""
    return mail(f"--b\n{head}\n\nx\n--b--\n--b--x\n", type_="multipart/mixed; boundary=b")


HOSTILE = {
    "one line of On": lambda: mail(fill("On ")),
    "an introduction that never ends": lambda: mail("On " + fill("a ", 200_000) + "wrote:"),
    "lines that could introduce a quote": lambda: mail("On monday bob the builder wrote from here:\n" * 19_000),
    "lines that could be a header": lambda: mail("From: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n" * 19_000),
    "other lines of a header": lambda: mail("To: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n" * 19_000),
    "marks of forms": lambda: mail(f"#orders {TAG}\n" * 19_000),
    "signatures": lambda: mail("--\n" * 19_000),
    "rules": lambda: mail(("_" * 45 + "\n") * 19_000),
    "blank lines": lambda: mail("\n" * 450_000),
    "quote marks": lambda: mail((">" * 45 + "\n") * 19_000),
    "one line of quote marks": lambda: mail(fill(">")),
    "dashes": lambda: mail(fill("-") + "x"),
    "orders": lambda: mail("MOVE A-B with 12 ships and some more words here\n" * 19_000),
    "combining marks": lambda: mail(fill("\u0316\u0300", ROOM // 2)),
    "signs that stand for sentences": lambda: mail(fill("\ufdfa", ROOM // 3)),
    "flowed words": lambda: mail(fill("a" * 70 + " \n"), type_="text/plain; format=flowed"),
    "nested div": lambda: html("<div>" * 14_900),
    "nested bold": lambda: html("<b>" * 14_900),
    "nested tables": lambda: html("<table>" * 14_900),
    "nested blockquote": lambda: html("<blockquote>" * 7_000 + "x<br>" * 7_000),
    "half open paragraphs": lambda: html("<p><font>" * 7_400),
    "attributes": lambda: html("<p " + " ".join(f"a{n}=1" for n in range(90_000)) + ">"),
    "attributes in quotes": lambda: html("<p " + "".join(f'a{n}="<"' for n in range(80_000)) + ">"),
    "many tags": lambda: html(fill("<br>")),
    "entities": lambda: html(fill("&amp;")),
    "encoded words": lambda: mail("x", "Subject: " + "=?utf-8?q?a?= " * 4_000),
    "comments in From": lambda: mail("x", "From: " + "(" * 60_000),
    "addresses": lambda: mail("x", "To: " + "a@b.c," * 10_000),
    "an address without end": lambda: mail("x", "To: " + "a" * 60_000),
    "references": lambda: mail("x", "References: " + "<" * 60_000),
    "nested multiparts": lambda: "".join(
        f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(500)
    ).encode(),
    "nested messages": lambda: b"Content-Type: message/rfc822\n\n" * 1_000,
    "parts": lambda: mail("--b\n\nx\n" * 100_000, type_="multipart/mixed; boundary=b"),
    "deep multiparts and long text": lambda: (
        "".join(f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n' for n in range(15)) + fill("x\n", 900_000)
    ).encode(),
    "parts, their boundary declared in capitals": lambda: mail("--b\n\nx\n" * 100_000, type_="multipart/mixed; BOUNDARY=b"),
    "a boundary in pieces": lambda: mail("--ab\n\nx\n" * 90_000, type_="multipart/mixed; boundary*0=a; boundary*1=b"),
    "parameters": lambda: mail("x", type_="text/plain;" + ";" * 60_000),
    "parameters in pieces": lambda: mail("x", type_="text/plain;" + "".join(f"\n a*{n}=x;" for n in range(450))),
    "a disposition of semicolons": lambda: doubtful('Content-Disposition: attachment; filename="' + ";" * 900_000),
    "a boundary of semicolons": lambda: doubtful('Content-Type: multipart/mixed; boundary="' + ";" * 900_000),
    "many parameters": lambda: doubtful("Content-Disposition: attachment;" + "a=b;" * 200_000),
    "a file name in pieces": lambda: doubtful(
        "Content-Disposition: attachment;" + "".join(f"\n filename*{n}=x;" for n in range(40_000))
    ),
    "header lines of a part": lambda: doubtful("\n".join(["X-A: b"] * 120_000)),
    "a folded header of a part": lambda: doubtful("Content-Disposition: attachment; filename=b" + "\n c" * 300_000),
    "blank lines in a report": lambda: doubtful("Content-Type: message/delivery-status\n\n" + "\n" * 900_000),
    "blocks of a report": lambda: doubtful("Content-Type: message/delivery-status\n\n" + "a:b\n\n" * 180_000),
    "bold that ends in later blocks": lambda: html("<b>" * 3 + "<div></b>" * 7_000),
    "bold that ends in many blocks": lambda: html("".join(f"<b id={n}>" for n in range(1_000)) + "<div></b>" * 6_900),
    "bold that goes through many blocks": lambda: html("<b><main></b>" * 4_900),
    "bold through deep blocks": lambda: html("".join(f"<b id={n}>" for n in range(499)) + "<div>" * 6_000 + "</b>" * 499),
    "bold without end": lambda: html("".join(f"<b id={n}>" for n in range(5_000)) + "<p>x</p>" * 4_900),
    "lines that are preformatted": lambda: html("<pre>" + "\n" * 900_000),
    "ligatures": lambda: mail(fill("\ufdfa" * 30 + "\n", 330_000)),
    "shifted text": lambda: mail(fill("+AAA-"), type_="text/plain; charset=utf-7"),
    "base64 that is none": lambda: mail(fill("Q?"), "Content-Transfer-Encoding: base64"),
    "an old encoding": lambda: mail(
        "begin 644 x\n" + fill("M" + "!" * 60 + "\n", 900_000), "Content-Transfer-Encoding: x-uuencode"
    ),
    "forms with many tags": lambda: mail("".join(f"#orders g{n}p1.aaaaaaaaaaaaaaaa\n" for n in range(19_000))),
    "messages to others": lambda: mail(f"#orders {TAG}\n" + "press to a\nend press\n" * 9_000),
    "our own lines": lambda: mail(REPORT * 40),
    "our own lines backwards": lambda: mail("\n".join(REPORT.splitlines()[::-1] * 500)),
    "pieces of our lines": lambda: mail("Laserfrigates, 3\n" * 19_000),
    "what could be a piece of our lines": lambda: mail("> Laserfrigates, 4 aaaa\n" * 19_000),
    "beginnings of our mail": lambda: mail("\n".join(REPORT.splitlines()[:2] * 9_000)),
    "lines that each name us": lambda: mail("galaxy-7 games@pbmd.test, 2026-08-26 14:05:\n" * 10_000),
    "lines that each name us, in paragraphs": lambda: mail("x games@pbmd.test x:\n\n" * 10_000),
    "quotes that each begin below a line of ours": lambda: mail("games@pbmd.test 14:05:\n> a\n" * 10_000),
    "quotes that each begin below what is written": lambda: mail("games@pbmd.test:\n\n" + "Attack\n\n> a\n" * 10_000),
    "copies that each begin below a header": lambda: mail(
        ("x: games@pbmd.test\nx: ada@players.test\nx: 14:05\n\nAttack\n\n" + "\n".join(REPORT.splitlines()[:3]) + "\n") * 2_000
    ),
    "headers without end": lambda: mail("x: games@pbmd.test\nx: ada@players.test\n\n" * 9_000 + f"\n{quoted(REPORT)}"),
    "a long paragraph with our address": lambda: mail(fill("word games@pbmd.test ", 400_000) + f"\n{quoted(REPORT)}"),
    "paragraphs with our address": lambda: mail(("word games@pbmd.test " * 300 + "\n") * 100 + f"\n{quoted(REPORT)}"),
    "five megabytes": lambda: mail("MOVE A-B\n" * 550_000),
}


@pytest.mark.in_turn(3)
@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_no_hostile_mail_takes_long(make):
    raw = make()
    with takes_at_most(SECONDS / 2):
        letter = read_letter(raw)
        for_seat(
            letter, Own(lambda tag: tag.lower() == TAG), [OURS], bold=True, address="games@pbmd.test", is_order="Attack".__eq__
        )
    assert letter.problem != TOO_COSTLY
    assert len(letter.fingerprint) == 64


def test_what_no_limit_foresaw_is_stopped_and_said(monkeypatch):
    def never_ends(*_: object) -> Part:
        while True:
            pass

    monkeypatch.setattr(letter_module, "read_parts", never_ends)
    letter = read_letter(SOUND, Limits(seconds=0.1))
    assert (letter.problem, letter.lines, letter.sender) == (TOO_COSTLY, (), "ada@example.org")
    assert len(letter.fingerprint) == 64


def test_a_regular_expression_is_stopped_too():
    with pytest.raises(OverBudget), within(0.1):
        re.match(r"(a|a)*b", "a" * 40)


def test_the_limit_is_off_when_the_letter_is_read_and_counts_only_computing():
    with within(0.05):
        time.sleep(0.1)
    began = time.process_time()
    while time.process_time() - began < 0.1:
        pass


class InnerError(BaseException):
    """The time of an inner block is over."""


def computes(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def test_a_limit_within_a_limit_counts_for_its_block_and_then_that_of_the_outer_goes_on():
    with within(5):
        with pytest.raises(InnerError), within(0.05, InnerError):
            computes(5)
        computes(0.1)

    def both() -> None:
        with within(5, InnerError):
            computes(0.15)
        computes(5)

    with pytest.raises(OverBudget), within(0.2):
        both()


def test_a_block_within_another_has_no_more_time_than_that():
    with pytest.raises(OverBudget), within(0.05), within(5, InnerError):
        computes(5)


def test_who_catches_that_the_time_is_over_is_told_again():
    ended: list[str] = []

    def stubborn() -> None:
        with suppress(OverBudget):
            computes(5)
            ended.append("first")
        computes(5)
        ended.append("second")

    with pytest.raises(OverBudget), within(0.05):
        stubborn()
    assert ended == []


def test_another_thread_reads_without_it():
    read: list[str] = []
    thread = threading.Thread(target=lambda: read.append(read_letter(SOUND).problem))
    thread.start()
    thread.join()
    assert read == [""]


def test_too_many_parts_and_too_deep_nesting_are_said():
    many = multipart("mixed", *[part("x")] * 60)
    deep = part("MOVE A-B")
    for n in range(9):
        deep = f'Content-Type: multipart/mixed; boundary="b{n}"\n\n--b{n}\n{deep}\n--b{n}--\n'
    for raw in (many, deep.encode()):
        letter = read_letter(raw)
        assert letter.lines == ()
        assert "parts" in letter.problem


def test_html_is_walked_however_deep_it_is():
    assert html_lines("<div>" * 5_000 + "MOVE A-B" + "</div>" * 5_000, 20_000) == ["MOVE A-B"]
    with pytest.raises(TooComplex):
        html_lines("<b>" * 11, 10)


def test_a_failing_parser_costs_only_the_text(monkeypatch):
    def fail(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(letter_module, "read_parts", fail)
    letter = read_letter(mail("MOVE A-B\n"))
    assert (letter.sender, letter.problem, letter.lines) == ("ada@example.org", BROKEN, ())
    monkeypatch.setattr(letter_module, "read_headers", fail)
    broken = read_letter(b"x")
    assert (broken.problem, len(broken.fingerprint)) == (BROKEN, 64)


@given(st.text(max_size=300))
def test_normal_text_stays_as_it_is_when_normalised_again(text):
    once = normal(text)
    assert normal(once) == once
    assert once == once.strip()


PIECES = [
    *(
        b"\r\n",
        b"\n",
        b"\r",
        b"\0",
        b"\xff",
        b"\xc3",
        b"\xef\xbb\xbf",
        b"\xe2\x80\x93",
        b" ",
        b">",
        b"> ",
        b"--",
        b"-- \n",
        b"=",
        b":",
        b";",
    ),
    *(b"'", b'"', b"<", b"<b>", b"</", b"&#0;", b"<blockquote>", b"<pre>", b"<p style=display:none>", b"=?utf-8?q?=ff?="),
    *(b"From: ", b"From: a@b.test, c@d.test\n", b"Subject: ", b"To: gm+g1p1.aaaaaaaaaaaaaaaa@x.test\n", b"message/rfc822\n\n"),
    *(
        b"Content-Type: ",
        b"multipart/mixed; boundary=b\n",
        b"--b\n",
        b"--b--\n",
        b"text/html\n",
        b"text/plain; charset=",
        b"utf-16\n",
    ),
    *(b"utf-7\n", b"gb2312\n", b"; format=flowed\n", b"Content-Transfer-Encoding: base64\n", b"Auto-Submitted: auto-replied\n"),
    *(b"Content-Transfer-Encoding: quoted-printable\n", b"#orders g1p1.aaaaaaaaaaaaaaaa\n", b"#end\n", b"MOVE A-B\n"),
    *(b"On 1.1.2026 20:00 a@b wrote:\n", b"Sent: x\nTo: y\nSubject: z\n", b"-----BEGIN PGP SIGNED MESSAGE-----\n"),
]


@given(st.binary(max_size=600) | st.lists(st.sampled_from(PIECES) | st.binary(max_size=8), max_size=60).map(b"".join))
@settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow])
def test_no_bytes_make_it_raise(raw):
    check(raw)


SOUND = multipart(
    "alternative",
    part(f"MOVE A-B\n\nOn 1.1.2026 20:00 a@b.test wrote:\n> #orders {TAG}\n> MOVE B-C\n> #end\n", "text/plain; format=flowed"),
    part(f"<p>MOVE A&#8211;B</p><blockquote><pre>#orders {TAG}\n#end</pre></blockquote>", "text/html"),
)


@given(st.data())
@settings(max_examples=200)
def test_no_change_to_a_sound_mail_makes_it_raise(data):
    raw = SOUND
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(raw)))
        end = data.draw(st.integers(start, min(len(raw), start + 40)))
        raw = raw[:start] + data.draw(st.sampled_from([b"", raw[end : end + 30], *PIECES])) + raw[end:]
    check(raw)


def check(raw: bytes) -> None:
    """Whatever a letter is made of, it is whole, it holds no control characters, and it can be stored as UTF-8."""
    letter = read_letter(raw)
    assert letter.problem != BROKEN
    assert len(letter.fingerprint) == 64
    numbers = [line.number for line in letter.lines]
    assert numbers == sorted(set(numbers))  # Where something was left out one is skipped: that parts lines like a blank one.
    for text in (letter.subject, letter.sender_name, *(line.text for line in letter.lines)):
        assert text == " ".join(text.split())
    for text in (letter.subject, *(line.original for line in letter.lines), *(left.text for left in letter.left_out)):
        assert not any(ord(c) < 32 and c not in "\t\n" for c in text)
        text.encode()


def flattened(node: Part) -> list[tuple[object, ...]]:
    """A tree as what it says, apart from white space at line ends and the spelling of file names, which decide nothing."""
    content = b"" if node.children else node.content()
    lines = [line.rstrip() for line in content.rstrip().split(b"\n")]
    found = [(node.type, node.params, node.attached, lines, len(node.children))]
    return [*found, *(each for child in node.children for each in flattened(child))]


def agrees(reader: Callable[[bytes, Headers, Limits], Part], raw: bytes) -> bool:
    """Whether this reader took the message; fails if it then says something else than the lenient one."""
    data = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    headers = read_headers(data, LIMITS)
    if not headers.clean or len(data) > LIMITS.message_bytes:
        return False
    try:
        tree = reader(data, headers, LIMITS)
        lenient = lenient_parts(data, LIMITS)
    except (ParseError, NotWellFormed, TooManyParts):
        return False
    assert flattened(tree) == flattened(lenient)
    return True


INNER = part(f"x\n--in\n{part('a')}\n--in\n{part('<p>b', 'text/html')}\n--in--", "multipart/alternative; boundary=in")
SIMPLE = [
    SOUND,
    mail("MOVE A-B\n"),
    mail("MOVE A=E2=80=93B =\n5\n", "Content-Transfer-Encoding: quoted-printable"),
    mail("TU9WRSBBLUIK\n", "Content-Transfer-Encoding: base64"),
    mail("TU9W\nRSBBLUIK\n\n", "Content-Transfer-Encoding: Base64"),
    multipart("mixed", INNER, part("c=20", "text/plain", "Content-Transfer-Encoding: quoted-printable")),
]
WELL_FORMED = [
    *SIMPLE[:4],
    multipart("mixed", part("a"), part("b", "text/plain", "Content-Disposition: attachment; filename*=utf-8''%e2%82%ac.txt")),
    multipart("signed", part("a"), part("b", "application/pgp-signature", 'Content-Disposition: inline; filename="s.asc"')),
]


@pytest.mark.parametrize("raw", WELL_FORMED)
def test_the_fast_parser_takes_what_is_well_formed_and_reads_it_alike(raw):
    assert agrees(fast_parts, raw)


@pytest.mark.parametrize("raw", SIMPLE)
def test_text_without_attachments_needs_no_parser_and_is_read_alike(raw):
    assert agrees(simple_parts, raw)


IN_DOUBT = [
    mail("a=3Db \nc", "Content-Transfer-Encoding: quoted-printable"),
    mail("a=3Db=", "Content-Transfer-Encoding: quoted-printable"),
    mail("a=3b=zz", "Content-Transfer-Encoding: quoted-printable"),
    mail("QUJD\n--\nfooter", "Content-Transfer-Encoding: base64"),
    mail("QUJD", "Content-Transfer-Encoding:\n base64"),
    mail("QUI", "Content-Transfer-Encoding: base64"),
    mail("a", "Content-Transfer-Encoding: 7bit", "Content-Transfer-Encoding: base64"),
    mail("a", "Content-Disposition: attachment"),
    mail("a", type_="text/plain; name=orders.txt"),
    mail("a", type_="text/plain (plain)"),
    multipart("mixed", part("a"), part("b", "application/pdf")),
    mail("--b\nContent-Type: text/plain\n\na\n", type_="multipart/mixed; boundary=b"),
]


@pytest.mark.parametrize("raw", IN_DOUBT)
def test_what_could_be_read_in_two_ways_is_left_to_the_parsers(raw):
    data = raw.replace(b"\r\n", b"\n")
    with pytest.raises(NotWellFormed):
        simple_parts(data, read_headers(data, LIMITS), LIMITS)


LATE = "Content-Transfer-Encoding:\n quoted-printable"


@pytest.mark.parametrize(
    "raw",
    [
        mail("MOVE A=E2=80=93B =\n5", LATE),
        multipart("mixed", part("a"), part("MOVE A=E2=80=93B =\n5", "text/plain; charset=utf-8\n" + LATE)),
    ],
)
def test_an_encoding_in_the_second_line_of_its_field_is_found(raw):
    data = raw.replace(b"\r\n", b"\n")
    with pytest.raises(NotWellFormed):
        fast_parts(data, read_headers(data, LIMITS), LIMITS)
    assert "MOVE A-B 5" in [line.text for line in read_letter(raw, LIMITS).lines]


@pytest.mark.parametrize("blanks", [" ", "\t", "  "])
def test_blanks_before_the_end_of_its_first_line_do_not_hide_it(blanks):
    assert not agrees(fast_parts, mail("MOVE A=E2=80=93B =\n5", f"Content-Transfer-Encoding:{blanks}\n quoted-printable"))


@pytest.mark.parametrize("reader", [simple_parts, fast_parts])
@given(st.data())
@settings(max_examples=200)
def test_the_readers_agree_whenever_a_quicker_one_is_believed(reader, data):
    raw = data.draw(st.sampled_from(SIMPLE if reader is simple_parts else WELL_FORMED))
    start = data.draw(st.integers(0, len(raw)))
    end = data.draw(st.integers(start, min(len(raw), start + 20)))
    agrees(reader, raw[:start] + data.draw(st.sampled_from([b"", *PIECES])) + raw[end:])
