"""Seat tokens are blanked however a mail program wrote them down."""

import base64
import quopri

import pytest

from pbmd.post.blank import Blanker
from pbmd.post.tags import Tag, message_id, plus_address, write_tag

TOKEN = "prcnnjn76sno3vgs"
TAG = Tag(12, 3, TOKEN)
OTHER = Tag(4, 1, "abcdefghijklmnop")
BLANK = Blanker([TOKEN])


def squeezed(data: bytes) -> bytes:
    """Only letters and digits, as a reader who puts a wrapped token together again sees them."""
    return bytes(byte for byte in data.lower() if chr(byte).isalnum())


@pytest.mark.parametrize(
    ("written", "left"),
    [
        (plus_address("games@example.org", TAG), "games+g12p3.xxxxxxxxxxxxxxxx@example.org"),
        (plus_address("games@example.org", TAG).upper(), "GAMES+G12P3.xxxxxxxxxxxxxxxx@EXAMPLE.ORG"),
        (message_id("report", TAG, "abc", "example.org"), "<report.g12p3.xxxxxxxxxxxxxxxx.abc@example.org>"),
        (f"> #orders {write_tag(TAG)}", "> #orders g12p3.xxxxxxxxxxxxxxxx"),
        (f"the tag of somebody else: {write_tag(OTHER)}", "the tag of somebody else: g4p1.xxxxxxxxxxxxxxxx"),
        (f"in capitals: {write_tag(OTHER).upper()}", "in capitals: G4P1.xxxxxxxxxxxxxxxx"),
        (f"alone: {TOKEN}", "alone: xxxxxxxxxxxxxxxx"),
        ("Move 3 from Terra to Sirius", "Move 3 from Terra to Sirius"),
    ],
)
def test_tokens_are_blanked_in_plain_text(written: str, left: str) -> None:
    assert BLANK.text(written) == left
    assert BLANK.mail(written.encode()) == left.encode()


@pytest.mark.parametrize("place", range(1, 16))
def test_tokens_are_blanked_across_a_soft_line_break(place: int) -> None:
    raw = f"Reply to games+g12p3.{TOKEN[:place]}=\r\n{TOKEN[place:]}@example.org\r\n".encode()
    blanked = BLANK.mail(raw)
    assert blanked == f"Reply to games+g12p3.{'x' * place}=\r\n{'x' * (16 - place)}@example.org\r\n".encode()


def test_tokens_are_blanked_in_what_the_library_writes_as_quoted_printable() -> None:
    for indent in range(80):
        raw = quopri.encodestring(f"{'é' + ' ' * indent} #orders {write_tag(TAG)}\n".encode())
        assert TOKEN.encode() not in squeezed(BLANK.mail(raw)), indent


def test_tokens_are_blanked_where_a_quote_was_wrapped() -> None:
    assert BLANK.text(f"> #orders g12p3.{TOKEN[:9]}\n> {TOKEN[9:]}\n") == "> #orders g12p3.xxxxxxxxx\n> xxxxxxx\n"


@pytest.mark.parametrize("charset", ["utf-8", "utf-16-le", "utf-16"])
@pytest.mark.parametrize("indent", range(4))
def test_tokens_are_blanked_within_base64_and_the_rest_of_it_stays(charset: str, indent: int) -> None:
    text = f"{'é' * indent}Move 3\r\n> #orders {write_tag(TAG)}\r\n{'Build 4 ' * 20}\r\n"
    head = b"Content-Transfer-Encoding: base64\r\n\r\n"
    raw = head + base64.encodebytes(text.encode(charset)).replace(b"\n", b"\r\n")
    blanked = BLANK.mail(raw)
    assert len(blanked) == len(raw)
    assert base64.b64decode(blanked[len(head) :]).decode(charset) == text.replace(TOKEN, "x" * 16)


def test_tokens_are_blanked_in_encoded_words() -> None:
    word = base64.b64encode(f"Grüße {write_tag(TAG)}".encode()).decode()
    blanked = BLANK.mail(f"To: =?utf-8?B?{word}?= <a@example.org>\r\n".encode())
    found = blanked.partition(b"?B?")[2].partition(b"?=")[0]
    assert base64.b64decode(found).decode() == "Grüße g12p3.xxxxxxxxxxxxxxxx"


@pytest.mark.parametrize(
    "raw", [b"", b"=" * 500, b"A" * 500_001, b"QUJD\r\nQUI=\r\nQUJD\r\n", bytes(range(256)) * 50, b"AAAAAAAA\n" * 9999]
)
def test_other_bytes_stay_as_they_are(raw: bytes) -> None:
    assert BLANK.mail(raw) == raw


def test_without_tokens_of_its_own_it_still_knows_a_tag() -> None:
    assert Blanker([]).text(write_tag(TAG)) == "g12p3.xxxxxxxxxxxxxxxx"


@pytest.mark.parametrize(
    ("written", "left"),
    [
        (f"games%2Bg12p3%2E%{ord(TOKEN[0]):02X}{TOKEN[1:]}%40example.org", f"games%2Bg12p3%2E%78{'x' * 15}%40example.org"),
        (f"g12p3=2E{TOKEN[:15]}={ord(TOKEN[15]):02X}", f"g12p3=2E{'x' * 15}=78"),
        (f"{TOKEN[:5]}=E2=80=8B{TOKEN[5:]}", f"xxxxx=E2=80=8B{'x' * 11}"),
        (f"&#{ord(TOKEN[0])};{TOKEN[1:9]}&shy;{TOKEN[9:]}", f"&#xxx;{'x' * 8}&shy;{'x' * 7}"),
        (f"{TOKEN[:5]}\u200b\u00ad{TOKEN[5:]}", f"xxxxx\u200b\u00ad{'x' * 11}"),
        ("".join(chr(ord(sign) + 0xFEE0) for sign in TOKEN), "\uff58" * 16),
        ("\n> \t| ".join(TOKEN), "\n> \t| ".join("x" * 16)),
        (f"x={TOKEN}&y=%20", f"x={'x' * 16}&y=%20"),
    ],
)
def test_tokens_are_blanked_however_their_characters_are_encoded(written: str, left: str) -> None:
    assert BLANK.text(written) == left
    assert BLANK.mail(written.encode()) == left.encode()


def test_what_a_person_has_pasted_is_read_as_a_mail() -> None:
    pasted = base64.encodebytes(f"{'Move 3 ' * 12}{TOKEN}".encode()).decode()
    blanked = BLANK.written(f"Look what I got:\n{pasted}")
    assert base64.b64decode(blanked.partition("\n")[2]).decode() == f"{'Move 3 ' * 12}{'x' * 16}"
    assert BLANK.written("Look what I got") == "Look what I got"


@pytest.mark.parametrize("length", [3, 8, 10, 16])
def test_a_part_of_a_token_is_blanked_wherever_in_it_it_is(length: int) -> None:
    blank = Blanker([TOKEN, OTHER.token], part=length)
    for start in range(len(TOKEN) - length + 1):
        assert blank.written(f"see {TOKEN[start : start + length]}!") == f"see {'x' * length}!"


def test_less_than_a_part_of_a_token_stays() -> None:
    blank = Blanker([TOKEN], part=10)
    for start in range(len(TOKEN) - 8):
        text = f"see {TOKEN[start : start + 9]}!"
        assert blank.written(text) == text


def test_what_is_clean_is_clean_each_time_and_what_is_not_is_blanked_each_time() -> None:
    blank = Blanker([TOKEN])
    for _ in range(2):
        assert blank.written("Attack Cygnus with all") == "Attack Cygnus with all"
        assert blank.written(f"it is {TOKEN}") == "it is xxxxxxxxxxxxxxxx"
