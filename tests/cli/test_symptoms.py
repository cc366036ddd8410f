"""Whoever is told of mail that does not arrive is at most two steps from the chapter that helps."""

import ast
import re
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlmodel import Session
from typer.testing import CliRunner

from pbmd.cli import app
from pbmd.cli.docs import CHECK_PAGE, PAGES, chapter_of, page_named
from pbmd.cli.log import more_of
from pbmd.cli.symptoms import _OF_LOG as OF_LOG
from pbmd.cli.symptoms import _OF_REFUSALS as OF_REFUSALS
from pbmd.cli.symptoms import _REFUSALS as REFUSALS
from pbmd.cli.symptoms import PAGE, Symptom, more, more_told, of_letter, of_log, of_receipt, of_refusal
from pbmd.desk.letter.opened_letter import ELSEWHERE, UNVOUCHED
from pbmd.desk.mail.alarms import _KINDS as ALARMS
from pbmd.ledger.database import open_engine
from pbmd.ledger.log_words import log_words
from pbmd.ledger.tables import Letter, LetterState, LogLine, Outbox, OutboxState
from pbmd.post.read.letter import read_letter
from pbmd.resources import folder
from tests.cli.conftest import Home
from tests.docs.pages import ROOT, read

TEXT = read(f"docs/{PAGE}.md")
OTHERS = {
    "phases",
    "books",
    "settings",
    "data",
    "privacy",
    "ledger",
    "server.key",
    "hosts",
    "webhook",
    "journals",
    "rows",
    "rulesets",
    "positions",
}
"""What `pbmd check` looks at that has nothing to do with mail that does not arrive."""
NOT_AMONG_THE_TEN = {"IMAP folder", "DNS: MX"}
"""What is wrong with the settings, and not with mail."""


def mail(*fields: str, text: str = "Add 1") -> bytes:
    return "\r\n".join([*fields, "From: anna@players.test", "To: games@pbmd.test", "Subject: orders", "", text, ""]).encode()


class TestTheTen:
    @pytest.mark.parametrize("symptom", Symptom)
    def test_each_is_a_chapter_of_the_page(self, symptom: Symptom) -> None:
        chapter = chapter_of(TEXT, str(symptom.value))
        assert chapter.startswith(f"## {symptom.value}. ")
        assert re.findall(r"^## ", chapter, re.MULTILINE) == ["## "]

    def test_there_are_no_other_chapters_with_a_number(self) -> None:
        assert [int(number) for number in re.findall(r"^## (\d+)\. ", TEXT, re.MULTILINE)] == [*Symptom]

    @pytest.mark.parametrize("symptom", Symptom)
    def test_what_a_command_names_is_a_command_that_prints_the_chapter(self, symptom: Symptom) -> None:
        program, *arguments = more(symptom).split()
        assert program == "pbmd"
        done = CliRunner().invoke(app, arguments)
        assert done.exit_code == 0
        assert done.stdout == chapter_of(TEXT, str(symptom.value))


SIGNS = [
    (Symptom.SPAM, of_log("unsent", "mail 3 (report): 550 5.7.1 message looks like spam; given up")),
    (Symptom.SPAM, of_log("bounce", "mail 3 (report) has come back, for good (5.7.26)")),
    (Symptom.LOGIN, of_log("imap-refused", "mail.test refused the login of games: no")),
    (Symptom.LOGIN, of_log("smtp-lost", "mail.test:465: (535, b'5.7.8 authentication failed')")),
    (Symptom.LOGIN, of_refusal("535 5.7.8 Username and Password not accepted")),
    (Symptom.LOGIN, of_refusal("535 5.7.139 Authentication unsuccessful, basic authentication is disabled")),
    (Symptom.SPAM, of_refusal("550 5.7.1 sender authentication failed")),
    (Symptom.FORWARDED, of_log("held", f"letter 3: {UNVOUCHED} (DKIM: none); its player was asked")),
    (Symptom.FORWARDED, of_log("held", f"letter 3: {ELSEWHERE}; its player was asked")),
    (Symptom.MAILING_LIST, of_letter(read_letter(mail("List-Id: <club.players.test>")), "")),
    (Symptom.PLUS_ADDRESS, of_log("held", "letter 3: no token; its player was asked")),
    (Symptom.PLUS_ADDRESS, of_log("letter", "letter 3 not answered: no token")),
    (Symptom.LOOP, of_letter(read_letter(mail("Auto-Submitted: auto-replied")), "")),
    (Symptom.LOOP, of_letter(read_letter(mail("Precedence: bulk")), "")),
    (Symptom.LOOP, of_log("brake", "not sent: acknowledgement 3; too many")),
    (Symptom.FULL, of_log("unsent", "mail 3 (report): 552 5.2.2 mailbox is full; again in 5 min")),
    (Symptom.SPAM, of_log("unsent", "mail 3 (report): 552-5.7.0 blocked for its content; given up")),
    (Symptom.FULL, of_log("unsent", "mail 3 (report): 552 no room; given up")),
    (Symptom.FULL, of_refusal("452 4.2.2 The email account is over quota")),
    (Symptom.CLOCK, of_log("late", "receipt 3, by 1 min 12 s")),
    (Symptom.CLOCK, of_log("server-clock", "the mail server's clock is 1 min ahead")),
    (Symptom.CLOCK, of_receipt("they came, or were seen, too late, so they were not used")),
    (Symptom.QUOTE, of_log("refused", "receipt 3: no usable orders")),
    (Symptom.UNREADABLE, of_log("no-text", "letter 3 (UIDVALIDITY 5): the server gives no text for it (NO later)")),
    (
        Symptom.UNREADABLE,
        of_log("imap-lost", "mail.test: the server gives no letters just now: NO [OVERQUOTA] Account exceeded"),
    ),
    (Symptom.QUOTE, of_letter(read_letter(mail(text="> Add 1")), "")),
    (Symptom.ATTACHMENT, of_log("refused", "receipt 3: no usable orders")),
    (
        Symptom.ATTACHMENT,
        of_letter(
            read_letter(
                mail("Content-Type: application/pdf; name=orders.pdf", "Content-Transfer-Encoding: base64", text="JVBERg==")
            ),
            "",
        ),
    ),
]


class TestSigns:
    @pytest.mark.parametrize(("symptom", "found"), SIGNS, ids=range(len(SIGNS)))
    def test_lead_to_the_chapter(self, symptom: Symptom, found: tuple[Symptom, ...]) -> None:
        assert symptom in found

    def test_each_of_them_has_some(self) -> None:
        assert {symptom for symptom, _ in SIGNS} == {*Symptom}

    @pytest.mark.parametrize(
        ("what", "detail"),
        [
            ("orders", "receipt 9"),
            ("refused", "sign-up by letter 3"),
            ("unsent", "mail 3: 450 4.3.0 later"),
            ("unsent", "mail 3 (report): 552 5.3.4 message size exceeds the limit; given up"),
            ("unsent", "mail 3 (report): 552 5.2.3 message too long; given up"),
            ("unsent", "mail 552 (report): 450 4.3.0 later; again in 5 min"),
            ("unsent", "mail 535 (report): 450 4.3.0 later; again in 5 min"),
            ("unsent", "mail 3 (report): 450 greylisted by 10.4.7.12, see 192.0.5.7.1; again in 5 min"),
        ],
    )
    def test_what_is_no_sign_leads_nowhere(self, what: str, detail: str) -> None:
        assert of_log(what, detail) == ()
        assert more() == ""

    def test_all_words_are_words_of_the_log(self) -> None:
        assert {word for word, _, _ in OF_LOG} <= {each.word for each in log_words()}

    def test_the_log_page_links_to_the_same_chapters(self) -> None:
        linked = {word.word: set(map(int, re.findall(rf"{PAGE}\.md#(\d+)-", word.todo))) for word in log_words()}
        known: dict[str, set[int]] = {word: {symptom for _, symptom in OF_REFUSALS} for word in REFUSALS}
        for what, _, found in OF_LOG:
            known.setdefault(what, set()).update(found)
        linked = {word: chapters for word, chapters in linked.items() if chapters}
        assert {"held", "unsent", "brake", "late", "letter", "imap-refused"} <= set(linked)
        assert [word for word, chapters in linked.items() if not chapters <= known.get(word, set())] == []

    def test_of_one_kind_share_a_line(self) -> None:
        signs = [("late", (Symptom.CLOCK,)), ("orders", ()), ("brake", (Symptom.LOOP,)), ("server-clock", (Symptom.CLOCK,))]
        assert [*more_told(signs)] == ["brake: pbmd docs did-not-arrive 6", "late, server-clock: pbmd docs did-not-arrive 8"]


def failed_checks() -> Iterator[tuple[str, bool]]:
    """The name of each thing that `pbmd check` can find wrong, and whether it is told where more is said of it."""
    for name in ("check", "check_ledger", "dns", "own_mail"):
        tree = ast.parse((ROOT / "pbmd" / "cli" / f"{name}.py").read_text(encoding="utf-8"))
        for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
            if ast.unparse(call.func) != "Check" or len(call.args) < 3 or ast.unparse(call.args[1]) == "True":
                continue
            named = call.args[0]
            yield (str(named.value) if isinstance(named, ast.Constant) else ast.unparse(named)), len(call.args) == 5


def test_every_check_of_mail_that_fails_says_where_more_is_told() -> None:
    found = list(failed_checks())
    silent = {name for name, tells in found if not tells} - OTHERS - NOT_AMONG_THE_TEN
    assert silent == {"own mail", "letters", "IMAP clock"}  # that was not tried; a connection that was lost
    assert {"own mail", "plus mail", "verdicts", "DNS: SPF", "DNS: DMARC", "IMAP login", "SMTP login", "IMAP clock", "way"} <= {
        name for name, tells in found if tells
    }


@pytest.mark.parametrize(("kind", "command"), [("mailbox", "pbmd check --letters"), ("outbox", "pbmd outbox")])
def test_an_alarm_about_mail_names_a_command_that_says_more(kind: str, command: str) -> None:
    assert ALARMS[kind].command == command


class TestCommands:
    @pytest.fixture
    def troubled(self, home: Home) -> Home:
        """A ledger with what goes wrong."""
        home.start_game()
        engine = open_engine(f"sqlite:///{home.folder / 'data' / 'ledger.sqlite'}")
        at = datetime(2026, 11, 1, tzinfo=UTC)
        with Session(engine) as session:
            session.add(LogLine(at=at, what="imap-refused", detail="no"))
            session.add(LogLine(at=at, what="late", detail="receipt 1, by 1 min"))
            full = session.get(Outbox, 1)
            assert full
            full.error, full.state = "552 5.2.2 mailbox full", OutboxState.FAILED
            session.add(full)
            values = {"uid": 1, "arrived_at": at, "arrival_estimated": False, "size": 3, "truncated": False}
            for number, state, note in ((1, LetterState.HELD, ""), (2, LetterState.DONE, "not answered: no token")):
                raw = mail(text="> Add 1")
                session.add(Letter(fingerprint=f"f{number}", raw=raw, state=state, note=note, **values))
            session.commit()
        engine.dispose()
        return home

    def test_outbox(self, troubled: Home) -> None:
        assert "More of mail 1: pbmd docs did-not-arrive 7\n" in troubled.good("outbox")

    def test_letters(self, troubled: Home) -> None:
        assert "More of letter 1, letter 2: pbmd docs did-not-arrive 5\n" in troubled.good("letters")

    def test_letter(self, troubled: Home) -> None:
        told = troubled.good("letter", "2")
        assert "more        pbmd docs did-not-arrive 5, pbmd docs did-not-arrive 9\n" in told

    def test_status(self, troubled: Home) -> None:
        told = troubled.good("status")
        assert "imap-refused: pbmd docs did-not-arrive 2" in told
        assert "last error: pbmd docs did-not-arrive 7" in told

    def test_log_on_a_screen_and_not_for_programs(self, troubled: Home, monkeypatch: pytest.MonkeyPatch) -> None:
        assert "did-not-arrive" not in troubled.run("log").output
        monkeypatch.setattr("pbmd.cli.log.screen_width", lambda: 120)
        done = troubled.run("log")
        assert done.stderr.splitlines() == [
            "More of imap-refused: pbmd docs did-not-arrive 2",
            "More of late: pbmd docs did-not-arrive 8",
        ]
        assert "did-not-arrive" not in done.stdout
        assert "did-not-arrive" not in troubled.run("log", "--json").output

    def test_json_is_as_it_was(self, troubled: Home) -> None:
        assert "did-not-arrive" not in troubled.good("outbox", "--json") + troubled.good("letters", "--json")


def test_lines_of_the_log_lead_to_the_chapters() -> None:
    assert more_of([LogLine(what="brake", detail="x"), LogLine(what="orders")]) == ["brake: pbmd docs did-not-arrive 6"]


def told_to_users() -> list[str]:
    """The texts in pbmd's code, but for what stands at the head of a module, a class or a function or below a name, and the
    settings that `pbmd init` writes. (What `pbmd try` says has the paths of pages, which it looks up.)"""
    texts = [(folder("deploy") / "pbmd.toml").read_text(encoding="utf-8")]
    for file in sorted((ROOT / "pbmd").rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        remarks = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        texts += [
            node.value
            for node in ast.walk(tree)
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in remarks
        ]
    return texts


class TestDocs:
    def run(self, *arguments: str):
        return CliRunner().invoke(app, ["docs", *arguments])

    def test_lists_the_pages_with_their_titles(self) -> None:
        lines = self.run().stdout.splitlines()
        assert [line.split()[0] for line in lines] == [*PAGES, CHECK_PAGE]
        assert lines[0].split(maxsplit=1)[1] == "My mail did not arrive"

    @pytest.mark.parametrize("page", PAGES)
    def test_prints_a_page_as_it_is_where_it_is_no_screen(self, page: str) -> None:
        assert self.run(page).stdout == (ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8") == page_named(page)

    def test_prints_the_page_that_checks_games_byte_for_byte(self) -> None:
        assert self.run(CHECK_PAGE).stdout_bytes == (ROOT / "deploy" / CHECK_PAGE).read_bytes()

    @pytest.mark.parametrize("chapter", ["gmail", "Gmail", " GMAIL "])
    def test_prints_a_chapter_by_words_of_its_heading(self, chapter: str) -> None:
        told = self.run("mail", chapter).stdout
        assert told.startswith("## Gmail\n")
        assert "## Microsoft 365" not in told

    def test_finds_the_page_by_its_beginning_or_its_file(self) -> None:
        assert self.run("did").stdout == self.run("did-not-arrive.md").stdout == TEXT

    @pytest.mark.parametrize(
        ("arguments", "told"),
        [
            (["maill"], "mail"),
            (["../README"], "there is no page"),
            (["mail", "carrier pigeons"], "Gmail; Microsoft 365; "),
            (["mail", ""], "has no chapter"),
            (["did-not-arrive", "12"], "11. A letter cannot be read"),
        ],
    )
    def test_of_what_is_not_there_says_in_one_line_what_is(self, arguments: list[str], told: str) -> None:
        done = self.run(*arguments)
        assert (done.exit_code, done.stdout) == (2, "")
        assert told in done.stderr
        assert done.stderr.count("\n") == 1

    def test_every_page_and_chapter_that_is_named_to_a_user_is_there(self) -> None:
        named = set(re.findall(r"pbmd docs ([a-z.-]+)(?: ([a-z]+))?\b", "\n".join(told_to_users())))
        assert {("gm-pages", ""), ("scale", ""), ("mail", "sent"), ("mail", "gmail")} <= named
        for page, chapter in named:
            assert page in (*PAGES, CHECK_PAGE)
            assert not chapter or chapter_of(page_named(page), chapter), (page, chapter)

    def test_no_user_is_sent_to_a_file_that_only_a_checkout_has(self) -> None:
        assert [text for text in told_to_users() if re.search(r"\bdocs/[\w-]+\.md", text)] == []

    def test_what_looks_like_a_heading_in_a_block_of_code_is_none(self) -> None:
        assert chapter_of("# A\n\n```text\n## b\n```\n\n## c\n", "b") == ""
        assert chapter_of("# A\n\n## c\n\n```text\n# b\n```\nend\n\n## d\n", "c") == "## c\n\n```text\n# b\n```\nend\n"
