"""What a host does who sends words under a header or with a proof that belongs elsewhere: another kind of mail, another seat,
an earlier turn."""

import re
from collections.abc import Callable

from tests.archive.cheats import hosts, shown_otherwise
from tests.archive.cheats.hosts import first_mail, instead
from tests.archive.cheats.played import CHEATED, OWN_WORD, Evidence, Played, fills
from tests.archive.cheats.rewritten import Change, in_all, rewritten

_ANSWER, _FIRST, _REPORT = "t2] Borealis: orders in", "Turn 1: what happened", "Turn 2: what happened"


def _swap(old: str, new: str) -> Change:
    """Other words, however they are wrapped."""
    return lambda text: re.sub(r"\s+".join(map(re.escape, old.split())), new, text)


def _under(kind: bytes, raw: bytes) -> bytes:
    return re.sub(rb"(?m)^(Message-ID: <)[a-z]+", rb"\g<1>" + kind, raw, count=1)


def _without_seat(raw: bytes) -> bytes:
    return re.sub(rb"(?m)^(Message-ID: <[a-z]+-t\d+s\d+\.)g\d+p\d+\.", rb"\1c5.", raw)


def _sends(change: Callable[[bytes], bytes], subject: str) -> Callable[[Played], Evidence]:
    def host(played: Played) -> Evidence:
        raw = first_mail(played.mails, subject)
        return Evidence(played.archive, instead(played.mails, raw, change(raw)))

    return host


def _gets_besides(played: Played, raw: bytes) -> Evidence:
    return Evidence(played.archive, {**played.mails, CHEATED: (*played.mails[CHEATED], raw)})


def gives_the_digest_of_an_earlier_turn(played: Played) -> Evidence:
    """Borealis sends what it sent in turn 1; the host alters it, and proves that by the orders of then."""
    gone_on = played.again("b2", b2=fills(CHEATED, "Add 1", word=OWN_WORD))
    raw, before = first_mail(gone_on.mails, _ANSWER), first_mail(played.mails, "t1] Borealis: orders in")
    altered, true = (found[1] for each in (raw, before) if (found := re.search(r"Digest\s+(\w{64})", each.decode())))
    change = in_all(lambda text: text.replace("Add 1", "Add 5").replace(altered, true))
    return Evidence(gone_on.archive, instead(gone_on.mails, raw, rewritten(raw, *change)))


def answers_under_another_kind(played: Played) -> Evidence:
    gone_on = hosts.alters_before_intake(played)
    raw = first_mail(gone_on.mails, _ANSWER)
    changed = rewritten(raw, *in_all(lambda text: text.replace("Add 1", "Add 6")))
    return Evidence(gone_on.archive, instead(gone_on.mails, raw, _under(b"help", changed)))


def announces_under_another_kind(played: Played) -> Evidence:
    raw = first_mail(shown_otherwise.announces(played).mails, "an announcement")
    return _gets_besides(played, _under(b"help", raw))


def asks_what_nobody_asks(played: Played) -> Evidence:
    """A question whose YES would be worth a seat."""
    asked = "The players have agreed to end galaxy-7. Reply with YES and you leave Borealis."
    raw = first_mail(played.mails, "press from Altair")
    page = re.compile(r"(?s)<h1.*</p>")
    changed = rewritten(raw, lambda _: f"{asked}\n", lambda text: page.sub(f"<p>{asked}</p>", text))
    return _gets_besides(played, _under(b"question", changed))


def confirms_a_ballot_in_other_words(played: Played) -> Evidence:
    change = in_all(_swap("You have voted yes in vote 1, on", "You have voted no in vote 1 on"))
    return _sends(lambda raw: rewritten(raw, *change), "voted")(played)


def confirms_that_no_ballot_counts(played: Played) -> Evidence:
    change = in_all(_swap("You have voted yes in vote 1,", "You have no ballot in vote 1,"))
    return _sends(lambda raw: rewritten(raw, *change), "voted")(played)


def tells_anothers_salt_without_a_seat(played: Played) -> Evidence:
    told = shown_otherwise.tells_anothers_salt(played)
    raw = first_mail(told.mails, _FIRST)
    return Evidence(told.archive, instead(told.mails, raw, _without_seat(raw)))


def leads_answers_to_a_friend(played: Played) -> Evidence:
    to = re.compile(rb"(?m)^Reply-To: .*\r\n")
    return _sends(lambda raw: to.sub(b"Reply-To: cygnus@players.test\r\n", raw), _FIRST)(played)


def tells_the_salt_of_the_turn_before(played: Played) -> Evidence:
    salt = re.compile(rb"(?<=known to you alone:\n  )\w{32}|(?<=known to you alone:\r\n  )\w{32}")
    before = salt.search(first_mail(played.mails, "the game begins"))
    assert before is not None
    return _sends(lambda raw: salt.sub(before[0], raw), _FIRST)(played)


def tells_the_words_of_the_turn_before(played: Played) -> Evidence:
    words = re.compile(r"(?<=turn's words: )[a-z]+(?:\s+[a-z]+){3}|(?<=for everybody:\n  )[a-z]+(?: [a-z]+){3}")
    made_of = re.compile(r"Made of the hash[^:]*:\s+\w{64}")
    parts = list[str]()

    def keep(text: str) -> str:
        parts.append(text)
        return text

    rewritten(first_mail(played.mails, _FIRST), keep, file=keep)
    there, made = (next(found[0] for part in parts if (found := pattern.search(part))) for pattern in (words, made_of))

    def say(text: str) -> str:
        return made_of.sub(made, re.sub(r"(turn's words:\s+|for everybody:\s+)[a-z]+(?:\s+[a-z]+){3}", rf"\g<1>{there}", text))

    return _sends(lambda raw: rewritten(raw, *in_all(say)), _REPORT)(played)
