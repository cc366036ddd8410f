"""What order forms bring back, in mails that people kept: the beginning of a head, and the word for the dice in the answer."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from sqlmodel import Session

from pbmd.archive.evidence.agreement import Agreement, hold_together
from pbmd.archive.evidence.claims import claims_of_mail
from pbmd.archive.evidence.cross_claims import MailClaims
from pbmd.archive.evidence.mail_patterns import FORM_HEAD, WORD
from pbmd.archive.evidence.verdict import Finding
from pbmd.archive.format.audience import TO_PUBLIC, Audience
from pbmd.archive.format.book_sources.archive import books_of_archive
from pbmd.archive.format.book_sources.ledger import books_of_ledger
from pbmd.archive.format.books import Books
from pbmd.ledger.tables import Outbox
from pbmd.post.lines.form_line import form_mark, read_head, write_head
from tests.archive.made import examined, export, forge
from tests.desk.relay import GAME as RELAY
from tests.desk.relay import past_turn_0, relay
from tests.desk.step.test_words import answered, begun, form_of, over, with_word
from tests.desk.world import NAMES, World, body_of, opened, proof_of

TYPED = "Hello, #head galaxy-7 1 Äö"


@pytest.fixture
def new_world(tmp_path: Path) -> Iterator[Callable[[], World]]:
    worlds: list[World] = []

    def new() -> World:
        folder = tmp_path / f"world-{len(worlds)}"
        folder.mkdir()
        worlds.append(World(folder))
        return worlds[-1]

    yield new
    for world in worlds:
        world.close()


typed = with_word(TYPED)
"""Makes of a form one in which a player wrote a word of their own."""


def turn(world: World, line: str = "Add 3") -> None:
    """Altair with a word of their own, Borealis with what came, Cygnus with none; and the turn is over."""
    answered(world, "Altair", line, form=typed)
    answered(world, "Borealis", "Add 2")
    world.send("Cygnus", "Add 1")
    over(world)


@pytest.fixture
def world(new_world: Callable[[], World]) -> World:
    world = new_world()
    world.start(ruleset="count", options={"target": 1000}, reminders=())
    turn(world)
    return world


@dataclass(frozen=True)
class Mailed:
    """A report with a form, and an answer with a word."""

    report: str
    answer: str


@pytest.fixture
def mailed(world: World) -> Mailed:
    return Mailed(
        opened(begun(world, "Altair").raw).decode().replace("\r", ""),
        opened(answer_to(world, "Altair").raw).decode().replace("\r", ""),
    )


def answer_to(world: World, seat: str) -> Outbox:
    return next(mail for mail in world.outbox("acknowledgement", seat) if "goes into the dice with" in proof_of(mail))


def looked(raw: str, books: Books, what: str) -> list[bool | None]:
    """What came of the values of that kind in a mail."""
    return [each.holds for each in found(raw, books, what)]


def found(raw: str, books: Books, what: str) -> list[Finding]:
    return [each for each in examined(claims_of_mail(raw.encode()), books) if each.what == what]


def held(*mails: str) -> Agreement:
    """Mails held against each other, called by the letters of the alphabet."""
    return hold_together([MailClaims(name, claims_of_mail(raw.encode())) for name, raw in zip("abcdef", mails, strict=False)])


def archive(world: World, folder: Path, audience: Audience | None = None, **more: bool) -> Books:
    given = (audience,) if audience else ()
    return books_of_archive(export(world, folder, "galaxy-7", *given, **more) / "data")


def head_of(raw: str) -> tuple[str, str]:
    """The number, if it is told, and the digits in the form of a mail."""
    return read_head(form_mark(re.findall(r"^#orders .*$", raw, re.MULTILINE)[0]).head)


def with_another(raw: str, number: str, digits: str) -> str:
    """A mail with another head in the mark of its form."""
    written = write_head(int(number) if number else None, digits)
    return re.sub(r"(?m)^(#orders \S+) \S+", rf"\1 {written}", raw)


def quoted(raw: str) -> str:
    """A mail in which that is quoted, with its file."""
    mail = Outbox(key="", kind="", recipient="", message_id="", raw=raw.encode())
    return "Subject: Re: [pbmd galaxy-7 t1] orders in\n\n" + re.sub("(?m)^", "> ", f"{body_of(mail)}\n{proof_of(mail)}")


def as_before(raw: str) -> str:
    """A mail with its form as it was written before: head and word in lines of their own."""
    head = " ".join(filter(None, ("galaxy-7", *head_of(raw))))
    return re.sub(r"(?m)^(#orders \S+) \S+ (\S+)$", rf"\1\n#head {head}\n#word \2", raw)


def in_a_reply(raw: str) -> str:
    """What somebody has in their folder of sent mail, who has filled in the form of that mail."""
    form = re.findall(r"^#orders .*?^#end$", raw, re.MULTILINE | re.DOTALL)[0]
    return f"From: a@x.test\nSubject: Re: [pbmd galaxy-7 t2] turn 2\n\n{form}\n"


class TestHeads:
    def test_in_forms_are_held_against_the_books(self, world: World, mailed: Mailed, tmp_path: Path) -> None:
        books, (number, digits) = archive(world, tmp_path / "archive"), head_of(mailed.report)
        assert looked(mailed.report, books, FORM_HEAD) == [True]
        (other,) = found(with_another(mailed.report, number, "ab" * 12), books, FORM_HEAD)
        assert (other.holds, other.value, "two histories" in other.words) == (False, "ab" * 12, True)
        (elsewhere,) = found(with_another(mailed.report, "3", digits), books, FORM_HEAD)
        assert (elsewhere.holds, "two histories" in elsewhere.words) == (False, True)
        (later,) = found(with_another(mailed.report, "99", digits), books, FORM_HEAD)
        assert (later.holds, "later one" in later.words) == (None, True)

    def test_in_a_reply_are_a_claim_of_the_mail_that_it_answers(self, world: World, mailed: Mailed, tmp_path: Path) -> None:
        books, reply = archive(world, tmp_path / "archive"), in_a_reply(mailed.report)
        assert looked(reply, books, FORM_HEAD) == [True]
        quoted = re.sub(r"(?m)^(#orders \S+) (\S+) ", r"> \1\n> \2\n> ", reply)
        assert quoted != reply
        assert looked(quoted, books, FORM_HEAD) == [True], "quoted, and wrapped"
        assert looked(with_another(reply, head_of(reply)[0], "ab" * 12), books, FORM_HEAD) == [False]

    def test_of_a_reply_and_of_another_players_mail_tell_a_fork(self, world: World, new_world: Callable[[], World]) -> None:
        """The report itself is lost; what was sent in answer is not."""
        other = new_world()
        other.start(ruleset="count", options={"target": 1000}, reminders=())
        turn(other, "Add 9")
        reply, report = (
            in_a_reply(opened(begun(other, "Altair").raw).decode().replace("\r", "")),
            opened(begun(world, "Borealis").raw).decode().replace("\r", ""),
        )
        (disagreement,) = held(reply, report).disagreements
        assert disagreement.about == f"chain head at entry {head_of(report)[0]}"
        assert {*disagreement.mails} == {"a", "b"}
        same = in_a_reply(opened(begun(world, "Altair").raw).decode().replace("\r", ""))
        assert (held(same, report).disagreements, held(same, report).compared) == ((), 1)

    def test_whole_ones_are_compared_whole_though_a_form_came_first(self, mailed: Mailed) -> None:
        number, digits = head_of(mailed.report)
        answer = f"Subject: [pbmd galaxy-7 t2] orders\n\nChain head at entry {number}: {digits}{'0' * 40}\n"
        (disagreement,) = held(in_a_reply(mailed.report), mailed.report, answer).disagreements
        assert disagreement.mails == ("b", "c")

    def test_a_mail_whose_form_has_another_head_than_the_mail_is_told(self, mailed: Mailed) -> None:
        """So that what comes back with the reply would betray nothing."""
        forged = with_another(mailed.report, "9", "ab" * 12)
        disagreement, altered_words = held(forged).disagreements
        assert (disagreement.about, disagreement.mails) == ("chain head at entry 9", ("a", "a"))
        assert altered_words.about.startswith("words of the report")

    def test_of_another_game_are_not_held_against_this_one(self, world: World, mailed: Mailed, tmp_path: Path) -> None:
        books, other = archive(world, tmp_path / "archive"), write_head(2, "ab" * 12)
        for pasted, name in ((f"#head nebula-9 2 {'ab' * 12}", "nebula-9"), (f"#orders g9p1.{'a' * 16} {other} word", "g9")):
            mail = re.sub(r"(?m)^#end", f"{pasted}\n#end", mailed.report)
            assert looked(mail, books, FORM_HEAD) == [True]
            assert claims_of_mail(mail.encode()).games == {"galaxy-7", name}
            assert held(in_a_reply(mail), mailed.report).disagreements == ()

    def test_of_forms_of_before_are_held_against_the_books(self, world: World, mailed: Mailed, tmp_path: Path) -> None:
        books, old = archive(world, tmp_path / "archive"), as_before(mailed.report)
        assert f"#head galaxy-7 {' '.join(head_of(mailed.report))}\n#word " in old
        assert looked(old, books, FORM_HEAD) == [True]
        assert looked(old.replace(f" {head_of(mailed.report)[1]}", f" {'ab' * 12}"), books, FORM_HEAD) == [False]
        assert held(in_a_reply(old), mailed.report).disagreements == ()

    def test_without_numbers_are_those_of_the_reports_of_a_step(self, new_world: Callable[[], World], tmp_path: Path) -> None:
        world = new_world()
        world.start(ruleset="count", options={"target": 1000}, reminders=(), who_has_sent="nothing")
        turn(world)
        one, two = (opened(begun(world, seat).raw).decode().replace("\r", "") for seat in ("Altair", "Borealis"))
        assert head_of(one)[0] == ""
        books = archive(world, tmp_path / "archive")
        assert (held(one, two).disagreements, looked(one, books, FORM_HEAD)) == ((), [True])
        forged = with_another(one, "", "ab" * 12)
        disagreement, _altered_words = held(forged, two).disagreements
        assert disagreement.about == "chain head in the reports of turn 1"

    @pytest.mark.parametrize(
        "line",
        [
            "#head galaxy-7 {0} {1}!",
            "x#head galaxy-7 {0} {1}",
            "| #head galaxy-7 {0} {1}",
            "#head {1}",
            "#orders 9.vkvkvkvkvkvkvkvkvkva",
            "| #orders g1p1.aaaaaaaaaaaaaaaa 9.vkvkvkvkvkvkvkvkvkva word",
        ],
    )
    def test_what_is_no_line_of_a_form_claims_nothing(self, line: str) -> None:
        assert claims_of_mail(f"Subject: x\n\n{line.format(9, 'ab' * 12)}\n".encode()).says_anything is False


class TestWords:
    def test_in_answers_are_those_of_the_books(self, world: World, mailed: Mailed, tmp_path: Path) -> None:
        books = archive(world, tmp_path / "archive")
        for seat in ("Altair", "Borealis"):
            assert looked(opened(answer_to(world, seat).raw).decode().replace("\r", ""), books, WORD) == [True]
        (word,) = found(mailed.answer, books, WORD)
        assert word.value == TYPED
        assert all(each.holds for each in examined(claims_of_mail(mailed.answer.encode()), books))

    def test_of_any_looks_are_told_from_the_mail_and_claim_nothing_else(self, world: World, tmp_path: Path) -> None:
        looks = (
            "a b",
            "|x|",
            "> quoted",
            "=41 %41 +",
            "Word that goes into the dice",
            "Chain head at entry 3:",
            "#head galaxy-7 3",
        )
        for word in looks:
            mail = begun(world, "Altair")
            world.reply(mail, with_word(word)(form_of(mail)).replace("Add", "Add 1"))
        for seat in NAMES[1:]:
            world.send(seat, "Add 1")
        over(world)
        books = archive(world, tmp_path / "archive")
        answers = [opened(mail.raw).decode() for mail in world.outbox("acknowledgement", "Altair")][-len(looks) :]
        told = [examined(claims_of_mail(raw.encode()), books) for raw in answers]
        assert [[each.value for each in findings if each.what == WORD] for findings in told] == [[word] for word in looks]
        assert [each for findings in told for each in findings if not each.holds and each.what != "deadline"] == []
        assert {len([each for each in findings if each.what == FORM_HEAD]) for findings in told} == {1}, "of the sheet alone"

    def test_in_the_ledger_are_found_and_never_told(self, world: World, mailed: Mailed) -> None:
        with Session(world.desk.engine) as session:
            books = books_of_ledger(session, world.game())
        assert looked(mailed.answer, books, WORD) == [True]
        (other,) = found(altered(mailed.answer), books, WORD)
        assert (other.holds, TYPED in other.words) == (False, False)

    @pytest.mark.parametrize("dress", [lambda raw: raw, quoted], ids=["as it came", "quoted"])
    def test_that_were_altered_are_told(
        self, mailed: Mailed, world: World, tmp_path: Path, dress: Callable[[str], str]
    ) -> None:
        books = archive(world, tmp_path / "archive")
        assert looked(dress(altered(mailed.answer)), books, WORD) == [False]

    def test_that_came_with_none_in_the_books_are_told(self, world: World, mailed: Mailed, tmp_path: Path) -> None:
        folder = export(world, tmp_path / "archive")
        forge(folder, lambda entries: [entry.get("secret", {}).pop("word", None) for entry in entries] and None)
        for path in folder.glob("data/turns/**/sheets.json"):
            path.write_text(re.sub(r'\s*"word": "[^"]*",', "", path.read_text()))
        assert looked(mailed.answer, books_of_archive(folder / "data"), WORD) == [False]

    def test_of_one_receipt_must_be_the_same_in_two_mails(self, mailed: Mailed) -> None:
        (disagreement,) = held(mailed.answer, altered(mailed.answer)).disagreements
        assert disagreement.about.startswith("word of receipt ")
        assert held(mailed.answer, mailed.answer).disagreements == ()

    def test_that_the_books_do_not_show_cannot_be_told(self, world: World, mailed: Mailed, tmp_path: Path) -> None:
        assert looked(mailed.answer, archive(world, tmp_path / "public", TO_PUBLIC), WORD) == [None]
        assert looked(mailed.answer, archive(world, tmp_path / "nameless", anonymised=True), WORD) == [None]
        assert looked(mailed.answer, archive(world, tmp_path / "own", Audience("seat", "Altair")), WORD) == [True]

    def test_in_a_page_of_sheets_that_are_not_those_of_the_journal_break_the_books(self, world: World, tmp_path: Path) -> None:
        folder = export(world, tmp_path / "archive")
        (path,) = folder.glob("data/turns/001/sheets.json")
        path.write_text(re.sub(r'"word": "[a-z2-7]{13}"', '"word": "chosen"', path.read_text()))
        books = books_of_archive(folder / "data")
        assert "the word that came with the orders with receipt" in books.broken

    def test_of_moves_that_wait_and_where_nobody_may_know_who_has_sent_are_no_trouble(
        self, new_world: Callable[[], World], tmp_path: Path
    ) -> None:
        world = new_world()
        past_turn_0(relay(world))
        for seat in ("Cygnus", "Borealis", "Altair"):
            mail = [mail for mail in world.outbox("report", seat) if "#orders" in body_of(mail)][-1]
            world.reply(mail, typed(form_of(mail)).replace("Add", "Add 1"))
        books = books_of_archive(export(world, tmp_path / "archive", RELAY) / "data")
        told = [
            each
            for seat in NAMES
            for mail in world.outbox("", seat)
            for each in found(opened(mail.raw).decode().replace("\r", ""), books, WORD)
        ]
        assert [each.holds for each in told] == [True] * len(told)
        silent = new_world()
        silent.start(ruleset="count", options={"target": 1000}, reminders=(), who_has_sent="nothing")
        turn(silent)
        (tmp_path / "silent").mkdir()
        assert (
            looked(
                opened(answer_to(silent, "Altair").raw).decode().replace("\r", ""),
                archive(silent, tmp_path / "silent" / "archive"),
                WORD,
            )
            == []
        )


def altered(answer: str) -> str:
    """An answer with another word."""
    with_other = re.sub(r"(?m)^(\| ).*(#|=23).*$", r"\1chosen", answer, count=1)
    assert with_other != answer
    return with_other


def test_a_game_that_is_played_with_forms_has_nothing_against_it(world: World, tmp_path: Path) -> None:
    books = archive(world, tmp_path / "archive")
    mails = [opened(mail.raw).decode().replace("\r", "") for seat in NAMES for mail in world.outbox("", seat)]
    assert held(*mails[:6]).disagreements == ()
    for raw in mails:
        assert [each for each in examined(claims_of_mail(raw.encode()), books) if each.holds is False] == []
