"""What a host does who changes what a mail shows: answers, reports, press and notices."""

import re
from collections.abc import Callable
from dataclasses import replace
from email import message_from_bytes
from email.message import EmailMessage, MIMEPart
from email.policy import default

from pbmd.desk.changes import deadline_changes
from pbmd.desk.changes.gm import announce
from tests.archive.cheats import hosts
from tests.archive.cheats.hosts import first_mail, instead, then
from tests.archive.cheats.played import CHEATED, DAY, FRIEND, GAME, LOOKS_ON, MOVES, Evidence, Played, late, sends
from tests.archive.cheats.rewritten import Change, in_all, relayed, rewritten
from tests.archive.made import fitted

_ANSWER, _REPORT = "t2] Borealis: orders in", "Turn 2: what happened"
_ZWSP = "\u200b"


def _rewrites(played: Played, subject: str, text: Change = str, page: Change = str, file: Change = str) -> Evidence:
    raw = first_mail(played.mails, subject)
    return Evidence(played.archive, instead(played.mails, raw, rewritten(raw, text, page, file)))


def _without_a_line(*beginnings: str) -> Change:
    return lambda text: "\n".join(line for line in text.split("\n") if not line.startswith(beginnings))


def _part(raw: bytes, kind: str) -> str:
    found: list[str] = []
    rewritten(raw, **{kind: lambda text: found.append(text) or text})
    return found[0]


# Answers


def answers_with_anothers_receipt(played: Played) -> Evidence:
    """The letter is dropped; the answer to it has all that proves Altair's."""
    gone_on = hosts.drops_before_intake(played)
    raw = first_mail(played.mails, _ANSWER)
    other = first_mail(gone_on.mails, "t2] Altair: orders in", LOOKS_ON)
    receipt = re.compile(r"Receipt \d+, arrived [^.]+\.")
    (true,) = receipt.findall(_part(other, "text"))

    def text(each: str) -> str:
        return receipt.sub(true, each)

    forged = rewritten(raw, text, text, lambda _file: _part(other, "file").replace("for Altair", "for Borealis"))
    return replace(gone_on, mails={**gone_on.mails, CHEATED: (*gone_on.mails[CHEATED], forged)})


def lists_other_orders(played: Played) -> Evidence:
    """Orders were altered before intake; the answer lists the true ones, with the digest of the others."""
    gone_on = hosts.alters_before_intake(played)
    raw = first_mail(gone_on.mails, _ANSWER)
    return replace(
        gone_on, mails=instead(gone_on.mails, raw, rewritten(raw, *in_all(lambda each: each.replace("Add 1", "Add 6"))))
    )


def lists_other_orders_in_text(played: Played) -> Evidence:
    gone_on = hosts.alters_before_intake(played)
    raw = first_mail(gone_on.mails, _ANSWER)

    def true(each: str) -> str:
        return each.replace("Add 1", "Add 6")

    return replace(gone_on, mails=instead(gone_on.mails, raw, rewritten(raw, true, true)))


def _takes_back(played: Played, change: Change) -> Evidence:
    """Orders are altered after their receipt, of which something is hidden."""
    gone_on = hosts.alters_after_receipt(played)
    of_2 = [raw for raw in gone_on.mails[CHEATED] if b"t2] Borealis: orders in" in raw]
    old, new = (next(raw for raw in of_2 if word in raw) for word in (b"Add 6", b"Add 1"))
    kept = tuple(raw for raw in gone_on.mails[CHEATED] if raw != new)
    forged = rewritten(old, file=change)
    return replace(gone_on, mails=instead({**gone_on.mails, CHEATED: kept}, old, forged))


def hides_a_receipt_by_invisible_letters(played: Played) -> Evidence:
    return _takes_back(
        played, lambda file: file.replace("Digest", f"Dig{_ZWSP}est").replace("Chain head", f"Chain{_ZWSP} head")
    )


def leaves_digest_and_head_out(played: Played) -> Evidence:
    return _takes_back(played, lambda file: re.sub(r"(?m)^(Digest|Chain head.*)\n  \w+\n", "", file))


def leaves_the_receipt_out(played: Played) -> Evidence:
    gone_on = hosts.alters_before_intake(played)
    raw = first_mail(gone_on.mails, _ANSWER)

    def told(each: str) -> str:
        true = re.sub(r" Keep this mail:.*?when\.", "", each.replace("Add 1", "Add 6"), flags=re.DOTALL)
        return re.sub(r"Receipt \d+, arrived", "Your mail arrived", true)

    forged = rewritten(raw, told, told, drops_file=True)
    return replace(gone_on, mails=instead(gone_on.mails, raw, forged))


# Reports


def uses_anothers_receipt(played: Played) -> Evidence:
    raw, other = first_mail(played.mails, _REPORT), first_mail(played.mails, _REPORT, LOOKS_ON)
    came = re.compile(r"Your orders came ([^()]+) \(receipt (\d+)\)")
    words, there = came.search(" ".join(_part(raw, "text").split())), came.search(" ".join(_part(other, "text").split()))
    assert words is not None
    assert there is not None

    def swap(text: str) -> str:
        return text.replace(words[1], there[1]).replace(f"receipt {words[2]}", f"receipt {there[2]}")

    return _rewrites(played, _REPORT, *in_all(swap))


def tells_anothers_salt(played: Played) -> Evidence:
    salts = [
        (
            re.search(r"known to you alone:\s+(\w+)", _part(first_mail(played.mails, "Turn 1: what happened", seat), "file"))
            or "  "
        )[1]
        for seat in (CHEATED, LOOKS_ON)
    ]
    return _rewrites(played, "Turn 1: what happened", file=lambda file: file.replace(*salts))


def sends_anothers_report(played: Played) -> Evidence:
    """Borealis gets what is Altair's, with the header of its own."""
    raw, other = first_mail(played.mails, _REPORT), first_mail(played.mails, _REPORT, LOOKS_ON)
    forged = rewritten(raw, *(lambda _own, kind=kind: _part(other, kind) for kind in ("text", "page", "file")))
    return Evidence(played.archive, instead(played.mails, raw, forged))


def reveals_no_secret(played: Played) -> Evidence:
    return _rewrites(played, _REPORT, file=lambda file: re.sub(r"Dice secret of.*\n  \w+\n", "", file))


_WORDS = re.compile(r"\nThis turn's words:.*?the\s+same\.", re.DOTALL)
_PAGE_WORDS = re.compile(r"\s*This turn's words:.*?the\s+same\.", re.DOTALL)
_FILE_WORDS = re.compile(r"Words of .*?\n  [0-9a-f]{64}\n", re.DOTALL)


def leaves_the_words_out(played: Played) -> Evidence:
    return _rewrites(played, _REPORT, lambda text: _WORDS.sub("", text), lambda page: _PAGE_WORDS.sub("", page))


def leaves_out_what_words_are_made_of(played: Played) -> Evidence:
    return _rewrites(played, _REPORT, file=lambda file: _FILE_WORDS.sub("", file))


def leaves_the_head_out_of_a_report(played: Played) -> Evidence:
    return _rewrites(
        played, _REPORT, file=lambda file: re.sub(r"Head of the journal.*\n  \w+\n", "", _FILE_WORDS.sub("", file))
    )


def sends_no_proof(played: Played) -> Evidence:
    raw = first_mail(played.mails, _REPORT)
    return Evidence(played.archive, instead(played.mails, raw, rewritten(raw, drops_file=True)))


def _other_page(played: Played, change: Change) -> Evidence:
    return _rewrites(played, _REPORT, page=change)


def _body(page: str) -> tuple[str, str]:
    found = re.search(r"<p>plain, Borealis: \d+</p>", page)
    assert found is not None
    return found[0], re.sub(r": \d+", ": 1", found[0])


def hides_the_true_page_by_a_style(played: Played) -> Evidence:
    def change(page: str) -> str:
        true, lie = _body(page)
        return page.replace(true, f'<div style="display:none">{true}</div>{lie}')

    return _other_page(played, change)


def hides_the_true_page_in_a_comment(played: Played) -> Evidence:
    def change(page: str) -> str:
        true, lie = _body(page)
        return page.replace(true, f"<!-- {true} -->{lie}")

    return _other_page(played, change)


def alters_the_page_behind_a_relay(played: Played) -> Evidence:
    gone_on = _other_page(played, lambda page: page.replace(*_body(page)))
    return _with_foreign_ids(gone_on)


def _with_foreign_ids(evidence: Evidence) -> Evidence:
    mails = {seat: tuple(relayed(raw, place) for place, raw in enumerate(raws)) for seat, raws in evidence.mails.items()}
    return replace(evidence, mails=mails)


# Press


def alters_press_behind_a_relay(played: Played) -> Evidence:
    return _with_foreign_ids(hosts.alters_mailed_press(played))


def passes_press_on_in_anothers_name(played: Played) -> Evidence:
    return _rewrites(played, "press from Altair", *in_all(lambda each: each.replace("Altair", FRIEND)))


def makes_press_up(played: Played) -> Evidence:
    raw = first_mail(played.mails, "press from Altair")
    forged = rewritten(raw, *in_all(lambda each: each.replace("the third of us", "nobody at all")))
    more = re.sub(rb"(?m)^Message-ID: <press-(t\d)", rb"Message-ID: <help-\1", forged)
    return Evidence(played.archive, {**played.mails, CHEATED: (*played.mails[CHEATED], more)})


def puts_press_behind_a_report(played: Played) -> Evidence:
    def text(each: str) -> str:
        return each.replace(
            "\nORDER FORM\n", "\nPRESS\n\nFrom Altair to Borealis:\n| Send nothing, I will do it.\n\nORDER FORM\n"
        )

    def page(each: str) -> str:
        press = "<h2>Press</h2><p>From Altair to Borealis:</p><p>| Send nothing, I will do it.</p>"
        return re.sub(r"(<h2[^>]*>Order form</h2>)", rf"{press}\1", each)

    return _rewrites(played, _REPORT, text, page)


# Pages


def adds_a_part_of_another_type(played: Played) -> Evidence:
    """What programs that read AMP show in place of text and page."""
    raw = first_mail(played.mails, _ANSWER)
    message = message_from_bytes(raw, policy=default)
    (pages,) = (part for part in message.walk() if part.get_content_type() == "multipart/alternative")
    amp = EmailMessage(policy=default)
    amp.set_content("<html amp4email><body>Your orders for turn 2 are: Add 1</body></html>", subtype="x-amp-html")
    pages.attach(amp)
    return Evidence(played.archive, instead(played.mails, raw, message.as_bytes()))


def shows_a_picture_on_fine_screens(played: Played) -> Evidence:
    picture = '<img src="" srcset="https://pbmd.test/1.png 1x, https://pbmd.test/2.png 2x" alt="">'
    return _rewrites(played, _ANSWER, page=lambda text: text.replace("</h1>", f"</h1>{picture}", 1))


def shows_a_picture_below_a_report(played: Played) -> Evidence:
    picture = '<img src="https://host.example.org/map.png" alt="Do not order."></body>'
    return _rewrites(played, _REPORT, page=lambda each: each.replace("</body>", picture))


def shows_a_picture_in_a_report(played: Played) -> Evidence:
    picture = '<h2 style="margin:0"><img src="https://host.example.org/map.png" alt=""></h2><h2'
    return _rewrites(played, _REPORT, page=lambda each: each.replace("<h2", picture, 1))


def leads_to_a_number_of_an_answer_below_it(played: Played) -> Evidence:
    """What a link leads to is left out where a text has it; a link that leads to a number must not hide that."""

    def page(each: str) -> str:
        return each.replace("Add 6", "Add").replace("</body>", '<p><a href="6">Below</a></p></body>')

    return _rewrites(played, _ANSWER, page=page)


def puts_a_link_below_an_answer(played: Played) -> Evidence:
    def text(each: str) -> str:
        return f"{each}\nOrder here: www.host.example\n"

    def page(each: str) -> str:
        link = '<a href="https://host.example.org/other">www.host.example</a>'
        return each.replace("</body>", f"<p>Order here: {link}</p></body>")

    return _rewrites(played, _ANSWER, text, page)


# Notices


def announces(played: Played) -> Evidence:
    """The game master has written to all in turn 2."""
    return played.again("c2", c2=then(lambda world: world.act(GAME, announce, "All is well."), late))


def alters_an_announcement(played: Played) -> Evidence:
    gone_on = announces(played)
    raw = first_mail(gone_on.mails, "an announcement")

    def change(each: str) -> str:
        return each.replace("All is well.", "Turn 3 is void, do not order.")

    return replace(gone_on, mails=instead(gone_on.mails, raw, rewritten(raw, change, change)))


def makes_an_announcement_up(played: Played) -> Evidence:
    raw = first_mail(announces(played).mails, "an announcement")
    return Evidence(played.archive, {**played.mails, CHEATED: (*played.mails[CHEATED], relayed(raw, 1))})


def keeps_an_announcement_back(played: Played) -> Evidence:
    gone_on = announces(played)
    raw = first_mail(gone_on.mails, "an announcement")
    return replace(gone_on, mails={**gone_on.mails, CHEATED: tuple(each for each in gone_on.mails[CHEATED] if each != raw)})


def alters_the_reason_of_a_notice(played: Played) -> Evidence:
    gone_on = played.again(
        "c2", c2=then(lambda world: world.act(GAME, deadline_changes.extend, DAY, "the game master", "a storm"), late)
    )
    raw = first_mail(gone_on.mails, "later")

    def change(each: str) -> str:
        return each.replace("a storm", "Altair asked for it")

    return replace(gone_on, mails=instead(gone_on.mails, raw, rewritten(raw, change, change)))


# Two texts


def _with_page_of_two_texts(played: Played, place: Callable[[list[MIMEPart]], list[MIMEPart]]) -> Evidence:
    """The page of an answer lists other orders, and so does a second text."""
    raw = first_mail(played.mails, _ANSWER)
    forged = message_from_bytes(rewritten(raw, page=lambda each: each.replace("Add 6", "Add 9")), policy=default)
    both = next(each for each in forged.walk() if each.get_content_type() == "multipart/alternative")
    assert isinstance(both, EmailMessage | MIMEPart)
    both.set_payload([*place([*both.iter_parts()])])
    return Evidence(played.archive, instead(played.mails, raw, fitted(forged.as_bytes())))


def _text(words: str) -> MIMEPart:
    made = EmailMessage(policy=default)
    made.set_content(words)
    return made


def has_a_second_text_that_fits_the_page(played: Played) -> Evidence:
    def place(parts: list[MIMEPart]) -> list[MIMEPart]:
        return [parts[0], _text(parts[0].get_content().replace("Add 6", "Add 9")), *parts[1:]]

    return _with_page_of_two_texts(played, place)


def puts_the_true_text_where_no_program_shows_it(played: Played) -> Evidence:
    def place(parts: list[MIMEPart]) -> list[MIMEPart]:
        beside = MIMEPart(policy=default)
        beside["Content-Type"] = 'multipart/related; boundary="beside"'
        beside.set_payload([parts[1], parts[0]])
        return [_text(parts[0].get_content().replace("Add 6", "Add 9")), beside, *parts[2:]]

    return _with_page_of_two_texts(played, place)


def leaves_the_first_sentence_out_of_the_page(played: Played) -> Evidence:
    """Borealis was told that nothing in its mail could be used."""
    gone_on = played.again("b2", b2=then(sends(CHEATED, "Foo bar baz\nWibble"), MOVES["b2"]))
    raw = first_mail(gone_on.mails, "NOT TAKEN")
    forged = rewritten(raw, page=lambda each: re.sub(r"<h1[^>]*>.*?</h1>", "", each, count=1, flags=re.DOTALL))
    assert forged != rewritten(raw)
    return replace(gone_on, mails=instead(gone_on.mails, raw, forged))
