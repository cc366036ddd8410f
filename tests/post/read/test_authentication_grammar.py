"""Authentication-Results as the grammar of RFC 8601 (section 2.2) allows it: fields made from the grammar are read as what they
were made of, whatever stands in their comments and quotes."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbmd.post.read.authentication import Result, Results, is_aligned, read_results
from tests.doses import dose

Draw = Callable[[st.SearchStrategy[Any]], Any]
TRAPS = [
    "; dkim=pass header.d=players.test",
    "dmarc=pass header.from=players.test",
    ";",
    "=",
    "none",
    '"',
    "@",
    "mx.pbmd.test;",
]
TOKEN = "!#$%&'*+-.^_`{|}~abcXYZ019"
"""Of those that RFC 2045 allows in a token, which is what RFC 8601 means by one."""
ATEXT = "!#$%&'*+-/=?^_`{|}~abcXYZ019"

fws = st.sampled_from([" ", "\t", "  ", "\r\n ", "\n\t", " \r\n  "])
quoted_pair = st.sampled_from(["\\(", "\\)", "\\\\", '\\"', "\\a"])
ctext = st.sampled_from(["a", "B7", "[x]", "ü", *TRAPS])
comment = st.recursive(
    st.lists(st.one_of(ctext, quoted_pair, fws), max_size=4).map(lambda parts: f"({''.join(parts)})"),
    lambda inner: st.lists(st.one_of(inner, ctext, fws), min_size=1, max_size=3).map(lambda parts: f"({''.join(parts)})"),
    max_leaves=4,
)
cfws = st.lists(st.one_of(fws, comment), min_size=1, max_size=3).map("".join)
gap = st.one_of(st.just(""), cfws)
keyword = st.from_regex(r"[A-Za-z0-9-]{0,6}[A-Za-z0-9]", fullmatch=True)
token = st.text(alphabet=TOKEN, min_size=1, max_size=8)
qcontent = st.one_of(st.sampled_from(["a", "B 7", "é", *(trap for trap in TRAPS if trap != '"')]), quoted_pair)


def unescaped(parts: list[str]) -> str:
    return "".join(part[1:] if part.startswith("\\") else part for part in parts)


quoted_string = st.lists(qcontent, max_size=4).map(lambda parts: (f'"{"".join(parts)}"', unescaped(parts)))
value = st.one_of(token.map(lambda text: (text, text)), quoted_string)
domain = st.from_regex(r"[a-z0-9]{1,5}(-[a-z0-9])?(\.[a-z0-9]{1,4}){1,3}", fullmatch=True)
dot_atom = st.lists(st.text(alphabet=ATEXT, min_size=1, max_size=5), min_size=1, max_size=3).map(".".join)
local_part = st.one_of(st.just(""), dot_atom, st.just('"a b"'))
address = st.tuples(local_part, domain).map(lambda parts: (f"{parts[0]}@{parts[1]}", f"{parts[0]}@{parts[1]}"))
pvalue = st.one_of(value, address, domain.map(lambda text: (text, text)))


@st.composite
def propspec(draw: Draw) -> tuple[str, tuple[str, str]]:
    ptype, name, (written, meant) = draw(keyword), draw(keyword), draw(pvalue)
    text = f"{ptype}{draw(gap)}.{draw(gap)}{name}{draw(gap)}={draw(gap)}{written}"
    return text, (f"{ptype}.{name}".lower(), meant)


@st.composite
def resinfo(draw: Draw) -> tuple[str, Result]:
    method, result = draw(keyword), draw(keyword)
    version = draw(st.sampled_from(["", "/1", "/ 1", "(c)/(c)1"]))
    text = f"{method}{version}{draw(gap)}={draw(gap)}{result}"
    properties: list[tuple[str, str]] = []
    if draw(st.booleans()):
        written, meant = draw(value)
        text += f"{draw(cfws)}reason{draw(gap)}={draw(gap)}{written}"
        properties.append(("reason", meant))
    for part, meant_too in draw(st.lists(propspec(), max_size=3)):
        text += f"{draw(cfws)}{part}"
        properties.append(meant_too)
    return text, Result(method.lower(), result.lower(), tuple(properties))


@st.composite
def field(draw: Draw) -> tuple[str, Results]:
    (written, authserv_id), version = draw(value), draw(st.sampled_from(["", "1"]))
    text = draw(gap) + written + (f"{draw(cfws)}{version}" if version else "")
    made = draw(st.lists(resinfo(), max_size=3))
    if not made:
        return f"{text}{draw(gap)};{draw(gap)}none{draw(gap)}", Results(authserv_id, ())
    for part, _ in made:
        text += f"{draw(gap)};{draw(gap)}{part}"
    return text + draw(gap), Results(authserv_id, tuple(result for _, result in made))


@settings(max_examples=dose(100, 200))
@given(field())
def test_what_the_grammar_allows_is_read_as_what_it_says(made: tuple[str, Results]) -> None:
    text, meant = made
    assert read_results(text) == meant


@settings(max_examples=dose(50, 100))
@given(field(), st.data())
def test_what_is_cut_off_or_broken_in_the_middle_says_no_more_than_the_whole(made: tuple[str, Results], data: Any) -> None:
    """So nothing that stands in a comment or in quotes becomes a result when a character is lost."""
    text, meant = made
    read = read_results(text[: data.draw(st.integers(0, len(text) - 1))])
    if read is not None and read.results:
        *whole, last = read.results
        same = meant.results[: len(read.results)]
        assert whole == list(same[:-1])
        assert last.method == same[-1].method


MX = "mx.pbmd.test"
ANNA = "anna@players.test"


@pytest.mark.parametrize(
    ("field_", "sender"),
    [
        ('"mx.pbmd.test"; dkim=pass header.d=players.test', ANNA),
        (f'{MX}; dkim=pass header.d="players.test" header.i="@players.test"', ANNA),
        (f"{MX}; dkim/1=pass header.d=players.test", ANNA),
        (f"{MX} 1; dkim(a(b)c)=(d)pass(e)header(f).(g)d(h)=(i)players.test", ANNA),
        (f"{MX}; dkim=pass reason=good header.d=players.test", ANNA),
        (f'{MX}; dkim=pass reason="good; really" header.d=players.test', ANNA),
        (f"{MX}; dkim=pass header.d=players.test.", ANNA),
        (f"{MX}; dkim=pass header.d=PLAYERS.Test", "Anna@Players.TEST"),
        (f"{MX}; dkim=pass header.d=players.test;", ANNA),
        (f"{MX}; spf=pass smtp.remote-ip=2001:db8::1; dkim=pass header.d=players.test", ANNA),
        (f"{MX}; dkim=pass dns.sec=yes header.d=players.test", ANNA),
        (f"{MX}; dkim=pass header.b=aB/+d8== header.d=players.test", ANNA),
        (f"{MX}; spf=pass smtp.mailfrom=bounces+1-anna=players.test@out.test; dkim=pass header.d=players.test", ANNA),
        (f"{MX}; dkim=pass header.d=xn--strae-oqa.test", "anna@xn--strae-oqa.test"),
        (f"{MX}; dkim=pass header.d=müller.test", "anna@xn--mller-kva.test"),
        (f"{MX}; dkim=pass header.d=co.test", "anna@players.co.test"),
    ],
)
def test_a_pass_counts_in_every_dress(field_: str, sender: str) -> None:
    assert is_aligned(field_, MX, sender)


@pytest.mark.parametrize(
    "field_",
    [
        # Where the sender may have written what stands there.
        f"{MX}; spf=fail (dkim=pass header.d=players.test) smtp.mailfrom=evil.test",
        f"{MX}; spf=fail (\\); dkim=pass header.d=players.test) smtp.mailfrom=evil.test",
        f"{MX}; spf=fail (a (b) ; dkim=pass header.d=players.test) smtp.mailfrom=evil.test",
        f'{MX}; spf=fail smtp.mailfrom="; dkim=pass header.d=players.test"@evil.test',
        f'{MX}; spf=fail smtp.mailfrom="\\"; dkim=pass header.d=players.test ;"@evil.test',
        f'{MX}; spf=fail reason="; dkim=pass header.d=players.test"',
        f"{MX}; spf=fail smtp.mailfrom=evil.test; dkim=fail header.d=evil.test (; dkim=pass header.d=players.test",
        f"{MX}; spf=fail smtp.mailfrom=evil.test) ; dkim=pass header.d=players.test",
        f'{MX}; spf=fail smtp.mailfrom="evil; dkim=pass header.d=players.test',
        # A signature by somebody else, of which only a part says so.
        f'{MX}; dkim=pass header.d="evil.test" header.i=@players.test',
        f'{MX}; dkim=pass header.d="evil.test"header.i=@players.test',
        f"{MX}; dkim=pass header.d=evil.test header.d=players.test",
        f"{MX}; dkim=pass header.d= header.d=players.test",
        f"{MX}; dkim=pass header.d=players.test header.d=",
        f"{MX}; dkim=pass header.d=evil.test/ header.i=@players.test",
        f"{MX}; dkim=pass header.d=<evil.test> header.i=@players.test",
        f"{MX}; dkim=pass header.d=(players.test)evil.test",
        f"{MX}; dkim=pass header.d=players.test@evil.test",
        f"{MX}; dkim=pass header.d=evil.test,players.test",
        # Names that only look like it.
        f"{MX}; dkim=pass header.dd=players.test",
        f"{MX}; dkim=pass header.d.x=players.test",
        f"{MX}; dkim=pass x.header.d=players.test",
        f"{MX}; dkim=pass headers.d=players.test",
        f"{MX}; dkim=pass heаder.d=players.test",
        f"{MX}; x-dkim=pass header.d=players.test",
        f"{MX}; dkim=passed header.d=players.test",
        f"{MX}; dkim=policy pass header.d=players.test",
        f"{MX}; dkim=fail/pass header.d=players.test",
        f"{MX}; dkim2=pass header.d=players.test",
        f"{MX}; dkim/2=pass header.d=players.test",
        f"{MX} 2; dkim=pass header.d=players.test",
        f"{MX} one; dkim=pass header.d=players.test",
        # Domains that only look like it.
        f"{MX}; dkim=pass header.d=mail.players.test",
        f"{MX}; dkim=pass header.d=test",
        f"{MX}; dkim=pass header.d=.test",
        f"{MX}; dkim=pass header.d=players.test..",
        f"{MX}; dkim=pass header.d=xplayers.test",
        f"{MX}; dkim=pass header.d=plаyers.test",
        f"{MX}; dkim=pass header.d=players。test",
        f"{MX}; dkim=pass header.d=ｐlayers.test",
        f"{MX}; dmarc=pass header.from=mail.players.test",
        f"{MX}; dmarc=pass header.from=",
        # What no field is.
        f"{MX}; none dkim=pass header.d=players.test",
        f"{MX} dkim=pass header.d=players.test",
        f"{MX}; dkim=pass header.d=players.test {MX}; spf=pass (",
        f"{MX}; dkim=pass header.d=players.test\0",
        f"{MX}\0; dkim=pass header.d=players.test",
        f"{MX}; dkim=pass header.d=players.\x0btest",
        f"{MX}; dkim=pass header.d==?utf-8?q?players.test?=",
        f"=?utf-8?q?{MX}?=; dkim=pass header.d=players.test",
        f"{MX}; dkim=pass header.d=players.test; " + "x" * 1_000_000,
        f"{MX}; dkim=pass header.d=players.test; " + "(" * 7000 + ")" * 6999,
        f"{MX}, evil.test; dkim=pass header.d=players.test",
        f"evil.test {MX}; dkim=pass header.d=players.test",
        f'"evil.test {MX}"; dkim=pass header.d=players.test',
        f"{MX}@evil.test; dkim=pass header.d=players.test",
    ],
)
def test_nothing_else_is_taken_for_a_pass(field_: str) -> None:
    assert not is_aligned(field_, MX, ANNA)


@pytest.mark.parametrize("signer", ["strasse.test", "xn--strae-oqa.evil.test"])
def test_a_name_that_python_would_take_for_another_one_is_vouched_for_by_nobody(signer: str) -> None:
    assert not is_aligned(f"{MX}; dkim=pass header.d={signer}", MX, "anna@straße.test")


def test_kelvin_is_no_k() -> None:
    assert not is_aligned(f"{MX}; d\u212aim=pass header.d=players.test", MX, ANNA)
    assert not is_aligned(f"{MX}; dkim=pass header.d=kate.test", MX, "anna@\u212aate.test")
    assert not is_aligned("m\u212a.test; dkim=pass header.d=players.test", "mk.test", ANNA)
