"""What is bold in HTML mail, for rulesets in which only bold text orders something."""

import pytest

from pbmd.post.lines.command_text import NOBODY
from pbmd.post.read.letter import for_seat, read_letter, rewritten
from tests.post.samples import multipart, part, read, texts

HTML = "text/html; charset=utf-8"

SHAPES = {
    "Gmail": (
        '<div dir="ltr"><div>Hello all,</div><div><br></div><div><b>Sol attacks Vega with 5</b></div>'
        "<div>and then <b>Vega builds a drone</b>, I think.</div><div><br></div></div><br>"
        '<div class="gmail_quote"><div dir="ltr" class="gmail_attr">On Sat, Nov 21, 2026 at 8:00 PM Galaxy &lt;'
        '<a href="mailto:gm@pbmd.test">gm@pbmd.test</a>&gt; wrote:<br></div><blockquote class="gmail_quote">'
        "<b>Report</b> of turn 4</blockquote></div>"
    ),
    "Outlook": (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal {margin:0cm}</style></head>'
        '<body lang="EN-GB"><div class="WordSection1"><p class="MsoNormal">Hello all,<o:p></o:p></p>'
        '<p class="MsoNormal"><b><span style="font-size:11.0pt">Sol attacks\n Vega with 5<o:p></o:p></span></b></p>'
        '<p class="MsoNormal">and then <b>Vega builds a drone</b>, I think.<o:p></o:p></p>'
        '<div style="border-top:solid #E1E1E1 1.0pt"><p class="MsoNormal"><b>From:</b> Galaxy &lt;gm@pbmd.test&gt;<br>'
        "<b>Sent:</b> Saturday, November 21, 2026 8:00 PM<br><b>To:</b> Ada<br><b>Subject:</b> Turn 4</p></div>"
        '<p class="MsoNormal"><b>Report</b> of turn 4</p></div></body></html>'
    ),
    "Apple Mail": (
        '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>'
        '<body style="overflow-wrap:break-word">Hello all,<div><br></div><div><b>Sol attacks Vega</b><b>&nbsp;with 5</b></div>'
        '<div>and then <span style="font-weight: 600;">Vega builds a drone</span>, I think.</div><div><br>'
        '<blockquote type="cite"><div>On 21. Nov 2026, at 20:00, Galaxy &lt;gm@pbmd.test&gt; wrote:</div>'
        "<div><b>Report</b> of turn 4</div></blockquote></div></body></html>"
    ),
}


def marked(html: str) -> list[str]:
    return [line.marked or line.text for line in read(html, type_=HTML).lines if line.text]


@pytest.mark.parametrize("html", SHAPES.values(), ids=SHAPES)
def test_mail_programs_bold_is_marked_for_those_who_ask_and_text_for_all_others(html):
    assert marked(html) == ["Hello all,", "[b]Sol attacks Vega with 5[/b]", "and then [b]Vega builds a drone[/b], I think."]
    assert texts(read(html, type_=HTML)) == ["Hello all,", "Sol attacks Vega with 5", "and then Vega builds a drone, I think."]


@pytest.mark.parametrize(
    ("html", "lines"),
    [
        ("<b>one<br>two</b> three", ["[b]one[/b]", "[b]two[/b] three"]),
        ("<strong>one</strong>", ["[b]one[/b]"]),
        ("<b><i>one</i> <b>two</b></b>", ["[b]one two[/b]"]),
        ("<b>one</b> <b>two</b>", ["[b]one two[/b]"]),
        ("<b>one</b>, <b>two</b>", ["[b]one[/b], [b]two[/b]"]),
        ("<b> </b>one<b></b>", ["one"]),
        ('<b style="font-weight: normal">one <span style="font-weight:700">two</span></b>', ["one [b]two[/b]"]),
        ("<b>one<p>two</p></b><p>three</p>", ["[b]one[/b]", "[b]two[/b]", "three"]),
        ("<pre><b>one\n\ntwo</b>\nthree</pre>", ["[b]one[/b]", "[b]two[/b]", "three"]),
        ('<b>one<span style="display:none">two</span></b>', ["[b]one[/b]"]),
        ("<table><tr><td><b>one</b></td><td>two</td></tr></table>", ["[b]one[/b] two"]),
    ],
)
def test_pairs_end_on_their_line_and_are_never_nested(html, lines):
    assert marked(html) == lines


def test_who_types_the_marks_is_taken_at_his_word():
    assert marked("[b]one[/b] <b>two</b>") == ["[b]one[/b] two"]


def test_no_character_of_a_mail_can_pass_for_a_mark():
    assert marked("&#xE000;one&#xE001;") == ["one"]
    assert [line.marked for line in read("\ue000one\ue001").lines] == [""]


def test_the_marks_hide_no_quote_from_the_rules():
    letter = read("<b>one</b><br>On 21.11.26 20:00, <b>Galaxy wrote:</b><blockquote><b>two</b></blockquote>", type_=HTML)
    assert texts(letter) == ["one"]


def seen(raw: bytes, **flags: bool) -> list[tuple[str, str]]:
    letter = for_seat(read_letter(raw), NOBODY, **flags)
    return [(line.text, line.marked) for line in letter.lines if line.text]


def both(plain: str, html: str) -> bytes:
    return multipart("alternative", part(plain), part(html, HTML))


def test_html_beside_plain_text_is_read_for_its_bold_only_when_asked():
    raw = both("one\n*two*\n", "one<br><b>two</b>")
    assert seen(raw) == [("one", ""), ("*two*", "")]
    assert seen(raw, bold=True) == [("one", ""), ("two", "[b]two[/b]")]


@pytest.mark.parametrize(("plain", "html"), [("one", "<p>two</p>"), ("[b]one[/b]", "<b>two</b>"), ("one", "<b>x</b>" * 20_000)])
def test_html_that_adds_nothing_is_not_read(plain, html):
    assert seen(both(plain, html), bold=True) == [(plain, "")]


def test_what_is_rewritten_is_not_left_standing_in_bold():
    letter = rewritten(read("<b>secret</b><br><b>one</b>", type_=HTML), lambda line: line.replace("secret", "*"))
    assert [(line.text, line.marked) for line in letter.lines] == [("*", ""), ("one", "[b]one[/b]")]


def test_nor_in_html_that_is_read_later():
    letter = rewritten(read_letter(both("one", "<b>secret</b>")), lambda line: line.replace("secret", "*"))
    assert [(line.text, line.marked) for line in for_seat(letter, NOBODY, bold=True).lines] == [("*", "")]
