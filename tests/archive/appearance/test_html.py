"""What programs show of a mail is held against its text: what was altered in the HTML alone is found, and what programs and
servers do to honest mails is nothing."""

import email
import email.policy
from collections.abc import Callable
from dataclasses import replace
from email.message import EmailMessage

import pytest

from pbmd.archive.appearance.finding import Finding
from pbmd.archive.appearance.html_against_text import HTML
from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.notes.four_words import four_words
from pbmd.post.compose import mailto
from pbmd.post.proof_file import proof_name
from pbmd.rendering.blocks.page import Button, html_of

TEXT = """\
Your orders for turn 4 are in (receipt 17), and those of before no longer
stand.

IN FORCE
  1. Attack Cygnus with 12 ships
  2. Build 6 Laserfrigates

BASES
             Bases   Ships
  Altair         9      47
  Deneb          3      49

Due Sun 29 Nov 2026 22:47 UTC. Reply to games@pbmd.test to change them.

PRESS
| we are 12; they are -5

#orders g1p1.6inpuu7obzw6wvec 21.uqaudwfgz22yvaje3qaq vwodqbzhbxw2w
# Build 1 base
#end

--
Your pages: https://pbmd.test/s/6inpuu7obzw6wvec
"""
PAGE = """\
<!DOCTYPE html>
<html><head><meta charset="utf-8"><title>Your orders for turn 4 are in (receipt 17)</title></head>
<body style="margin:0;padding:0">
<div style="display:none;max-height:0;overflow:hidden">Your orders for turn 4 are in (receipt 17), and those of before no longer
stand.</div>
<table role="presentation" width="100%"><tr><td align="center" style="padding:16px">
<h1 style="font-size:22px">Your orders for turn 4 are in (receipt 17), and those of before no longer stand.</h1>
<table role="presentation"><tr><td width="5" bgcolor="#1d3fa0" style="width:5px;font-size:1px">&nbsp;</td><td>
<h2>In force</h2>
<ol><li>Attack Cygnus with 12 ships</li><li>Build 6 <strong>Laser</strong>frigates</li></ol></td></tr></table>
<h2>Bases</h2>
<table><tr><td></td><th>Bases</th><th>Ships</th></tr><tr><th>Altair</th><td>9</td><td style="text-align:right">47</td></tr>
<tr><th>Deneb</th><td>3</td><td>49</td></tr></table>
<p>Due Sun 29 Nov 2026 22:47 UTC. Reply to <a href="mailto:games@pbmd.test?body=%23%20Build%201%20base">games@pbmd.test</a> to
change them.</p>
<h2>Press</h2>
<div style="margin:0 0 4px 12px;text-indent:-12px">| we are 12; they are -5</div>
<pre style="white-space:pre-wrap">#orders g1p1.6inpuu7obzw6wvec 21.uqaudwfgz22yvaje3qaq vwodqbzhbxw2w
# Build 1 base
#end</pre>
<p><a href="https://pbmd.test/s/6inpuu7obzw6wvec">Your pages</a>:
<a href="https://pbmd.test/s/6inpuu7obzw6wvec">https://pbmd.test/s/6inpuu7obzw6wvec</a></p>
</td></tr></table>
</body></html>
"""
_FORWARDED = "---------- Forwarded message ---------"


def mail(text: str = TEXT, page: str = PAGE, kind: str = "acknowledgement") -> EmailMessage:
    """One of ours, as it came."""
    message = EmailMessage(policy=email.policy.SMTP)
    message["From"], message["To"], message["Subject"] = "games@pbmd.test", "ada@players.test", "demo, turn 4: orders in"
    message["Message-ID"] = f"<{kind}-t4.g1p1.6inpuu7obzw6wvec.{'a' * 16}@pbmd.test>"
    message.set_content(text)
    message.add_alternative(page, subtype="html")
    return message


HASH = "8f" * 32
PROOF = f"""\
PROOF OF TURN 3 of demo, for Altair
Keep this file. You need it only if somebody doubts the dice or the
records of the game; then
  pbmd compare YOUR-MAILS.mbox --archive demo
reads it.

Head of the journal, entry 9:
  {HASH}
Digest of the report that this file came with (the words of the mail):
  {"1d" * 32}
Words of turn 3, the same for everybody:
  {four_words(HASH)}
Made of the hash of its entry in the journal, entry 9:
  {HASH}

CHECKPOINT (the head of the journal, signed with this key)
pbmd.test/games/demo+00000000+{"A" * 44}

pbmd.test/games/demo
9
{"A" * 43}=

— pbmd.test/games/demo {"A" * 91}=
"""


def report(text: str, page: str) -> EmailMessage:
    """One of our reports, with its words and the file that proves it."""
    message = mail(f"{text}\nThis turn's words: {four_words(HASH)}. Everybody has the same.\n", page, "report")
    message.add_attachment(PROOF, filename=proof_name("demo", 3))
    return message


def of_html(message: EmailMessage) -> list[Finding]:
    """What is said of the HTML of a mail in which nothing else is wrong."""
    others = [each for each in came(message) if each.what != HTML]
    assert all(each.holds for each in others), others
    return [each for each in came(message) if each.what == HTML]


def came(message: EmailMessage) -> tuple[Finding, ...]:
    return claims_of_mail(message.as_bytes()).itself


def wrong(message: EmailMessage) -> list[str]:
    """What speaks against a mail."""
    return [f"{each.value} {each.words}" for each in came(message) if each.whole and not each.holds]


ALTERED: dict[str, tuple[str, str, str]] = {
    "a number": ("with 12 ships", "with 13 ships", '"13" where its text has "12"'),
    "a number in a table": (">47<", ">74<", '"74" where its text has "47"'),
    "a sign": ("they are -5", "they are 5", '"5" where its text has "-5"'),
    "an order left out": ("<li>Build 6 <strong>Laser</strong>frigates</li>", "", 'does not show "2 build 6 laserfrigates"'),
    "another number of an item": ("<ol>", '<ol start="2">', '"2" where its text has "1"'),
    "a sentence more": ("<h2>Press</h2>", "<p>Red attacks you</p><h2>Press</h2>", 'shows "red attacks you"'),
    "a sentence behind all": ("</body>", "<p>Red attacks you</p></body>", 'shows "red attacks you"'),
    "a character without width": ("with 12 ships", "with 1&#8203;2 ships", "U+200B"),
    "an order from right to left": ("with 12 ships", "with \u202e12\u202c ships", "U+202E"),
    "a stroke through a number": ("with 12 ships", "with 1\u03362\u0336 ships", "U+0336"),
    "a letter of another script": ("Cygnus with", "C\u0443gnus with", 'where its text has "cygnus"'),
    "words struck out": ("12 ships", "<s>12</s> ships", "struck out"),
    "the attribute hidden": ("<h2>Press</h2>", "<p hidden>secret words</p><h2>Press</h2>", "the attribute hidden"),
    "a comment for some": ("<h2>Press</h2>", "<!--[if mso]>secret words<![endif]--><h2>Press</h2>", "that some programs show"),
    "a preview of its own": ("17), and those of before no longer\nstand.</div>", "17), and lost.</div>", "display:none"),
    "a script": ("</body>", "<script>alert(1)</script></body>", "<script>"),
    "a form": ("<pre", '<form action="https://x.test"><input value="12"></form><pre', "<form>"),
    "a label": (">Your pages<", ">Red's pages<", '"red s" where its text has "your"'),
    "another page": ('"https://pbmd.test/s/6inpuu7obzw6wvec">Your', '"https://x.test/s/6i">Your', "does not name"),
    "another address than it shows": ('wvec">https://pbmd', 'wvex">https://pbmd', "a link shows https://pbmd.test/s/6inpuu7"),
    "mail to another": ('"mailto:games@pbmd.test?', '"mailto:games@x.test?', "which this mail does not name"),
    "other words to be mailed": ("%23%20Build%201%20base", "Build%202%20bases", '"Build 2 bases", which is not in its text'),
    "a copy of what is mailed": ("?body=", "?bcc=spy@x.test&body=", "bcc=spy@x.test"),
    "a link to a program": ('href="https://pbmd.test', 'href="javascript:x', "no page"),
    "a picture from elsewhere": ("<h2>Press", '<img src="https://x.test/1.gif" alt=""><h2>Press', "did not come with it"),
    "a picture that is not there": ("<h2>Press", '<img src="cid:map@pbmd" alt=""><h2>Press', "did not come with it"),
    "words in place of a picture": ("<h2>Press", '<img src="" alt="Red attacks you"><h2>Press', "Red attacks you"),
    "a sheet of styles": ("</head>", "<style>h1::before{content:'not'}</style></head>", "content:'not'"),
}  # fmt: skip
HIDING = (
    *(
        "display:none",
        "DISPLAY : none",
        "display:none;display:block",
        "/* */ display:none /* */",
        "visibility:hidden",
        "opacity:0",
    ),
    *(
        "font-size:0",
        "font-size:1px",
        "font:0/0 a",
        "font-size:1%",
        "max-height:0;overflow:hidden",
        "width:1px;overflow:hidden",
    ),
    *(
        "color:#fff",
        "color:white",
        "color:#fefefe",
        "color:rgb(255,255,255)",
        "background:#123456;color:#123457",
        "color:transparent",
    ),
    *("color:rgba(0,0,0,0)", "text-indent:-9999px", "margin-left:-2000px", "mso-hide:all", "line-height:0"),
    *("display:none ! important", "visibility:hidden !/**/important", "visibility:hidden;visibility:inherit", "font:16px/0 a"),
    *("opacity:-1", "opacity:+0", "opacity:1e-9", "opacity:0.00000000", "opacity:0%"),
    *(
        "font-size:0.0000000px",
        "font-size:1e-3px",
        "font-size:0vmin",
        "font-size:.1rem",
        "font-size:0;font-size:1e999em",
        "line-height:0.0000000",
    ),
    *("background:#000", "background-color:#010101", "background:#000 none repeat scroll 0 0"),
)
UNKNOWN = (
    *(
        "position:absolute",
        "clip-path:inset(100%)",
        "transform:scale(0)",
        "d\\69splay:none",
        "direction:rtl",
        "background:url(x)",
    ),
    *("-webkit-text-security:disc", "font-family:Wingdings", "color:snow"),
    *(
        "font-size:min(0px,1px)",
        "font:min(0px,1px) a",
        "font-size:1e999px",
        "opacity:min(0,1)",
        "line-height:round(0)",
        "height:max(0px,0px)",
    ),
    *("display:contents", "visibility:none", "text-indent:round(-9999px)", "margin-left:abs(1px)", "margin:0 0 0 100%"),
    *("background:linear-gradient(#000,#000)", "background:snow", "border-image:linear-gradient(#000,#000) fill 1"),
    *("overflow:hidden;height:5px", "max-height:50%;overflow-y:clip", "overflow:hidden;width:20px", "float:right"),
    *("margin-top:-20px", "text-indent:-12px", "text-indent:-12px;margin:0 0 0 4px", "text-indent:700px"),
    *("letter-spacing:-1em", "vertical-align:-80px", "box-shadow:inset 0 0 0 99px #000", "list-style:'not '"),
)


@pytest.mark.parametrize("how", ALTERED)
def test_what_was_altered_in_html_alone_is_found(how: str) -> None:
    old, new, told = ALTERED[how]
    assert old in PAGE
    found = wrong(mail(page=PAGE.replace(old, new)))
    assert any(told in each for each in found), found


@pytest.mark.parametrize("style", HIDING)
def test_what_is_hidden_is_found_however_it_is_done(style: str) -> None:
    hidden = f'<div style="{style}">secret <b>words</b></div><h2>Press</h2>'
    (found,) = wrong(mail(page=PAGE.replace("<h2>Press</h2>", hidden)))
    assert "words that are not seen" in found
    assert '"3 49 Due' in found or '"secret words"' in found


@pytest.mark.parametrize("style", UNKNOWN)
def test_styles_of_which_nobody_knows_what_they_do_are_named(style: str) -> None:
    message = mail(page=PAGE.replace("<h2>Press", f'<h2 style="{style}">Press'))
    assert any(not each.holds and style.split(":")[0] in each.words for each in came(message))


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("<table>", '<table bgcolor="#000000">', "the colour of its ground"),
        ("<table>", '<table bgcolor="snow">', "bgcolor=snow"),
        ("<body ", '<body link="white" ', "link=white"),
        ("<h2>Press", '<div style="opacity:.35"><p style="opacity:.35">secret</p></div><h2>Press', "opacity"),
        ("<!DOCTYPE", "<!--[if mso]>secret words<![endif]--><!DOCTYPE", "that some programs show"),
        ("</html>", "</html><!--[if mso]>secret words<![endif]-->", "that some programs show"),
        ("<html>", "<!-- secret words --><html>", "a comment"),
        ("<h2>Press</h2>", "<!-- secret words --><h2>Press</h2>", "a comment"),
    ],
)
def test_what_else_hides_words_is_told(old: str, new: str, told: str) -> None:
    assert any(not each.holds and told in f"{each.value} {each.words}" for each in came(mail(page=PAGE.replace(old, new, 1))))


def test_what_is_hidden_in_words_that_are_shown_does_not_hide_them() -> None:
    page = PAGE.replace("with 12 ships", 'with <span style="color:white;background:#1d3fa0">12</span> ships')
    assert wrong(mail(page=page)) == []
    page = PAGE.replace(
        "with 12 ships", '<span style="visibility:hidden"><b style="visibility:visible">with 12</b></span> ships'
    )
    assert wrong(mail(page=page)) == []


def with_head(page: str) -> str:
    return page.replace("<head>", '<head>\n<meta http-equiv="Content-Type" content="text/html; charset=utf-8">')


def of_a_program(text: str) -> str:
    """The text as a program makes it of the HTML."""
    return text.replace("games@pbmd.test to", "games@pbmd.test<mailto:games@pbmd.test> to").replace("BASES", "[cid:x]\n*BASES*")


HONEST: dict[str, Callable[[], EmailMessage]] = {
    "as it was sent": mail,
    "with line ends of another kind": lambda: mail(TEXT.replace("\n", "\r\n"), PAGE.replace("\n", "\r\n")),
    "wrapped otherwise": lambda: mail(TEXT.replace(" of before", "\nof before"), PAGE.replace(" ships", "\nships")),
    "with entities": lambda: mail(page=PAGE.replace("C", "&#67;").replace("&#67;TYPE", "CTYPE")),
    "with hard blanks": lambda: mail(page=PAGE.replace("with 12 ships", "with&nbsp;12&nbsp;ships")),
    "with places to break": lambda: mail(page=PAGE.replace("Laser</strong>", "Laser<wbr></strong>")),
    "with a head of a server": lambda: mail(page=with_head(PAGE)),
    "with styles of a server": lambda: mail(page=PAGE.replace("</head>", "<style><!-- p {margin:0;} --></style></head>")),
    "with links that a server looks at": lambda: mail(
        page=PAGE.replace('"https://pbmd.test/', '"https://safe.x.test/?url=https%3A%2F%2Fpbmd.test%2F')
    ),
    "with a text that a program made": lambda: mail(of_a_program(TEXT)),
    "without HTML": lambda: without_html(),
}  # fmt: skip


@pytest.mark.parametrize("how", HONEST)
def test_honest_mails_pass_whatever_servers_and_programs_do(how: str) -> None:
    assert wrong(HONEST[how]()) == []


def without_html() -> EmailMessage:
    message = mail()
    message.clear_content()
    message.set_content(TEXT)
    return message


def test_a_mail_says_that_it_was_compared() -> None:
    (found,) = came(mail())
    assert (found.holds, found.words) == (True, "what it shows are the words of its text, 77 of them in their order")


def test_a_mail_without_html_is_told_apart() -> None:
    claims = claims_of_mail(without_html().as_bytes())
    assert (claims.is_plain, claims.itself) == (True, ())


def test_what_stands_before_or_behind_all_may_be_of_a_server_and_is_told() -> None:
    message = mail(page=PAGE.replace("<h1", "<p>CAUTION: from outside</p><h1"))
    (found,) = [each for each in came(message) if not each.holds]
    assert (found.holds, "a server on the way may have put it there" in found.words) == (None, True)


class TestButtons:
    """Their labels are in no text; so they are known, and where they lead is looked at the more."""

    TEXT = "Will you?\n\nReply YES or NO to games@pbmd.test.\n\n#orders g1p1.x\n# Build 1 base\n#end\n"
    YES, NO = (
        Button("Answer YES", mailto("games@pbmd.test", "", "YES")),
        Button("Answer NO", mailto("games@pbmd.test", "", "NO")),
    )
    FORM = Button("Write your orders", mailto("games@pbmd.test", "", "#orders g1p1.x\r\n# Build 1 base\r\n#end\r\n"))

    def found(self, *buttons: Button) -> list[str]:
        return wrong(mail(self.TEXT, html_of(self.TEXT, buttons), "acknowledgement"))

    def test_of_ours_are_no_words_that_the_text_should_have(self) -> None:
        assert self.found(self.YES, self.NO) == self.found(self.FORM) == []

    def test_that_say_one_thing_and_do_another_are_found(self) -> None:
        (swapped,) = self.found(replace(self.YES, url=self.NO.url))
        assert 'the button "Answer YES" opens a mail with "NO"' in swapped
        (altered,) = self.found(replace(self.FORM, url=self.FORM.url.replace("base", "ship")))
        assert 'opens a mail with "# Build 1 ship"' in altered
        (labelled,) = self.found(replace(self.YES, label="Answer for all"))
        assert 'shows "answer for all"' in labelled


class TestMailsThatAreSentOn:
    def test_as_an_attachment_are_as_they_came(self) -> None:
        for page, expected in ((PAGE, []), (PAGE.replace("12 ships", "13 ships"), ['"13" where its text has "12"'])):
            outer = EmailMessage()
            outer["From"] = "ada@players.test"
            outer.set_content("look")
            outer.add_attachment(email.message_from_bytes(mail(page=page).as_bytes(), policy=email.policy.default))
            found = wrong(outer)
            assert len(found) == len(expected)
            assert all(told in each for told, each in zip(expected, found, strict=True))

    @pytest.mark.parametrize(
        ("old", "new", "holds"),
        [
            ("", "", []),
            ("12 ships", "13 ships", [False]),
            ("<h2>Press</h2>", "<p>and more of it</p>", [None]),
            ("<h2>Press</h2>", "<!-- a comment --><h2 style='position:relative'>Press</h2>", []),
        ],
    )
    def test_within_another_are_compared_by_their_words(self, old: str, new: str, holds: list[bool | None]) -> None:
        text = "\n".join(f"> {line}" for line in f"Receipt 17 of game demo, turn 4\n{TEXT}".splitlines())
        inner = PAGE.replace("<h1", "<p>Receipt 17 of game demo, turn 4</p><h1").replace("style=", "class=m data-style=")
        inner = inner[: inner.index("<div class=m")] + inner[inner.index("</div>") + 6 :]
        page = f"<div>{_FORWARDED}</div><blockquote>{inner.replace(old, new)}</blockquote>"
        outer = mail(f"{_FORWARDED}\n{text}", page)
        del outer["Message-ID"]
        assert [each.holds for each in came(outer)] == holds


class TestReports:
    """Their HTML has tables of its own, so they are compared line by line, as far as their text has the line."""

    FOUGHT = "Altair fought Deneb: 14 against 18, and lost."
    TEXT = f"DEMO: t\nTurn 3: what happened. You are Altair.\n\n{FOUGHT}\n\nBASES\nAltair: 9\nDeneb: 3\n"
    PAGE = f"<h1>Turn 3: what happened</h1><p>{FOUGHT}</p><table><tr><td>Bases<td>9<td>3</table>"

    def test_say_what_was_not_compared(self) -> None:
        (found,) = of_html(report(self.TEXT, self.PAGE))
        assert (found.holds, found.whole, found.by_books) == (None, False, True)
        assert found.words == 'not compared: 1 of its 3 lines is laid out otherwise than its text, as "Bases 9 3"'

    @pytest.mark.parametrize(
        ("old", "new", "told"),
        [
            ("against 18", "against 19", '"19" where its text has "18"'),
            ("against 18", "against 1&#8288;8", "U+2060"),
            ("<table>", "<p style='display:none'>Deneb attacks you</p><table>", "Deneb attacks you"),
        ],
    )
    def test_that_were_altered_are_found(self, old: str, new: str, told: str) -> None:
        found = wrong(report(self.TEXT, self.PAGE.replace(old, new)))
        assert any(told in each for each in found), found

    def test_may_have_in_one_piece_what_is_too_long_for_a_line_of_their_text(self) -> None:
        """As the signature of a checkpoint, which 1.0 showed in both."""
        signature = "gr4a+wddeEgy1kqd/eadley1pjqkmmjjrgjgli7r9wacvcgh5zp9gcg6gnbpmz6ta4wfaoy8g+zvf895jdo7fhoqk9xaA="
        text = f"{self.TEXT}\n— pbmd.test/games/demo\n{signature[:64]}\n{signature[64:]}\n"
        page = f"{self.PAGE}<pre>— pbmd.test/games/demo {signature}</pre>"
        assert wrong(report(text, page)) == []
        (altered,) = of_html(report(text, page.replace("zvf895", "zvf985")))
        assert "laid out otherwise" in altered.words

    def test_must_show_times_press_and_form_as_their_text_has_them(self) -> None:
        text = f"{self.TEXT}Due Sun 29 Nov 2026 22:47 UTC.\n# Build 1 base\n"
        found = wrong(report(text, f"{self.PAGE}<p>Due Sun 29 Nov 2026 23:47 UTC.</p><pre># Build 1 base</pre>"))
        assert 'it does not show "Sun 29 Nov 2026 22:47 UTC", which its text has' in found[0]
        assert wrong(report(text, f"{self.PAGE}<p>Due Sun 29 Nov 2026 22:47 UTC.</p><pre># Build 1 base</pre>")) == []


class TestHostileHtml:
    @pytest.mark.parametrize("page", ["<b>" * 100_000, "x" * 250_001, "".join(f"<i a{n}=1>" for n in range(70_000))])
    def test_is_not_looked_at_where_it_is_more_than_any_mail_has(self, page: str) -> None:
        (found,) = came(mail(page=page))
        assert (found.holds, found.whole, "it was not looked at" in found.words) == (None, True, True)

    def test_is_not_looked_at_where_there_are_more_mails_in_a_mail_than_anybody_sends(self) -> None:
        outer = EmailMessage()
        for _ in range(9):
            inner = mail("short\n", f"<p>{'x' * 249_000}</p>").as_bytes()
            outer.add_attachment(email.message_from_bytes(inner, policy=email.policy.default))
        assert came(outer)[-1].words == "it was not looked at: there are too many in this mail"

    def test_is_told_in_few_lines(self) -> None:
        assert len(came(mail(page=PAGE.replace("<h2>", "<h2><p hidden>x</p><script></script>" * 500)))) < 20
        assert len(came(mail(page="".join(f'<a href="https://x.test/{n}">x</a>' for n in range(1000))))) < 20


@pytest.mark.parametrize(
    "attribute", ["title", "aria-label", "aria-valuetext", "aria-placeholder", "aria-braillelabel", "abbr", "placeholder"]
)
def test_words_that_programs_show_or_read_beside_a_page_are_told_of(attribute: str) -> None:
    mail = EmailMessage()
    mail["Message-ID"] = "<notice.g1p1.abcdefghijklmnop.abcdefghijklmnop@pbmd.test>"
    mail["Subject"] = "[pbmd galaxy-7 t1] news"
    mail.set_content("All is well.\n")
    mail.add_alternative(f'<div role="main"><p {attribute}="Send nothing more">All is well.</p></div>', subtype="html")
    assert any('aloud, it says "Send nothing more"' in each.words for each in claims_of_mail(mail.as_bytes()).itself)


def test_a_comment_that_no_program_shows_accuses_nobody() -> None:
    assert wrong(mail(page=PAGE.replace("<h2>Press</h2>", "<!-- secret words --><h2>Press</h2>"))) == []
