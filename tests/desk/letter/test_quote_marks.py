"""Quotes with other marks than ">", and headers of originals that a mail program has broken: what is ours, or was said by
somebody else, is no order, and what its writer typed is."""

import json
import textwrap

import pytest

from tests.desk.letter.test_beside_orders import CLUSTER, CONQUEST, DIPLOMACY, ORDERS, OVERLORD, Came, came_of
from tests.desk.letter.test_what_is_typed import game, setting
from tests.desk.world import ADDRESS, body_of
from tests.doses import dose, some_ruleset

SLUGS = dose((OVERLORD, CONQUEST), (OVERLORD, CONQUEST, DIPLOMACY))
MARKS = ["} ", "XY > ", "galaxy-7> ", "g-7>", "&gt; ", "% ", "! ", "; ", "│ ", "▏"]
SAID = "On Fri, 20 Nov 2026 at 13:00, galaxy-7 (pbmd) <games@pbmd.test> wrote:"
SLIPS = {OVERLORD: "Biuld 16 Laserfrigates", CONQUEST: "Defnd Aldebaran with 3 units", DIPLOMACY: "F TRI - ALBB"}
SOMEBODY = "Ann Ex <ann@players.test> skribis je 2026-11-19:"


def came(slug: str, text: str) -> Came:
    """What comes of a letter with two orders, "{own}", and a third, "{third}", in it."""
    own = "\n".join(ORDERS[slug][:2])
    return came_of(slug, text.replace("{own}", own).replace("{third}", ORDERS[slug][-1]))


def quoted(slug: str, mark: str) -> str:
    return "\n".join(f"{mark}{line}".rstrip() for line in body_of(setting(slug).mail).rstrip().split("\n"))


class TestWhateverStandsBeforeLinesOfOurs:
    @some_ruleset(SLUGS)
    @pytest.mark.parametrize("mark", MARKS)
    def test_is_the_mark_of_a_quote_and_orders_around_that_are_read(self, slug: str, mark: str) -> None:
        quote = quoted(slug, mark)
        lines = quote.split("\n")
        middle = lines.index(f"{mark}ORDER FORM")
        between = "\n".join([*lines[:middle], "", "{own}", "", *lines[middle:]])
        for text in dose(
            (between, f"{SAID}\n{quote}\n\n{{own}}"), (between, f"{SAID}\n{quote}\n\n{{own}}", f"{{own}}\n\n{quote}")
        ):
            found = came(slug, text)
            assert found.orders == ORDERS[slug][:2], found.text
            assert "REFUSED" not in found.text

    @pytest.mark.parametrize("mark", ["} ", "XY > "])
    def test_makes_no_order_of_what_stands_behind_it_and_the_subject_says_so(self, mark: str) -> None:
        found = came(OVERLORD, f"Build 16 Laserfrigates\n\n{SAID}\n{quoted(OVERLORD, mark)}\n{mark}Train spy")
        assert found.orders == ("Build 16 Laserfrigates",)
        assert found.subject.endswith("lines not read")

    @some_ruleset(SLUGS)
    @pytest.mark.parametrize("mark", ["=> ", "+ ", "a) "])
    def test_makes_the_subject_say_so_if_all_orders_stand_behind_it(self, slug: str, mark: str) -> None:
        own = "".join(f"{mark}{line}\n" for line in ORDERS[slug][:2])
        found = came(slug, f"{quoted(slug, mark)}\n\n{own}")
        assert found.orders == ()
        assert found.subject.endswith("NOT READ: 2 orders in a quote")

    @pytest.mark.parametrize("bullet", ["- ", "* ", "1. "])
    def test_is_no_bullet(self, bullet: str) -> None:
        """Orders may stand behind it, too."""
        ours = [line.strip() for line in body_of(setting(OVERLORD).mail).split("\n") if line.startswith("  ")]
        assert answered(notes := "".join(f"{bullet}{line}\n" for line in ours) + f"\n{bullet}Train spy") == ("Train spy",)
        assert answered(notes.replace(bullet, "} ")) == ()


def answered(text: str) -> tuple[str, ...]:
    """The orders of a letter that answers our mail, as its header says."""
    with game(OVERLORD) as world:
        world.reply(setting(OVERLORD).mail, text)
        return tuple(json.loads(world.submissions()[-1].orders)) if world.submissions() else ()


class TestBelowALineWithSomebodysAddress:
    @some_ruleset(SLUGS)
    @pytest.mark.parametrize("mark", ["| ", "» ", "} ", "+ ", "│ ", "    ", "\t"])
    def test_lines_with_a_sign_of_their_own_are_a_quote(self, slug: str, mark: str) -> None:
        found = came(slug, f"{{own}}\n\n{SOMEBODY}\n{mark}{{third}}\n{mark}What do you think?")
        assert found.orders == ORDERS[slug][:2], found.text
        assert found.subject.endswith("lines not read")
        assert "Quoted text:" in found.text

    @some_ruleset(SLUGS)
    @pytest.mark.parametrize("line", ["STATUS", "{slip}"])
    @pytest.mark.parametrize("mark", ["+ ", "    "])
    def test_a_command_or_an_order_with_a_slip_is_told(self, slug: str, line: str, mark: str) -> None:
        """It may be the writer's."""
        found = came(slug, f"{{own}}\n\n{SOMEBODY}\n{mark}{line.format(slip=SLIPS[slug])}")
        assert found.orders == ORDERS[slug][:2], found.text
        assert found.subject.endswith("lines not read")

    @pytest.mark.parametrize("mark", ["| ", "    "])
    def test_they_are_none_if_no_order_stands_without_it(self, mark: str) -> None:
        found = came(OVERLORD, f"Hello {ADDRESS}:\n{mark}Train spy\n{mark}Use counter-espionage")
        assert found.orders == ("Train spy", "Use counter-espionage"), found.text

    @pytest.mark.parametrize("bullet", ["", "- ", "* ", "1. "])
    def test_bullets_make_no_quote(self, bullet: str) -> None:
        found = came(OVERLORD, f"Build 16 Laserfrigates\n\nTo {ADDRESS}:\n{bullet}Use counter-espionage")
        assert found.orders == ORDERS[OVERLORD], found.text


class TestBrokenHeaders:
    SUBJECT = "[pbmd galaxy-7 t1] the game begins; orders by Mon 23 Nov"
    FIELDS = (f"Xuq: galaxy-7 (pbmd) <{ADDRESS}>", "Zuq: 26/08/2026 14:05", "Wuq: p0@players.test", f"Vuq: {SUBJECT}")

    @pytest.mark.parametrize("width", [30, 46, 60])
    @pytest.mark.parametrize("last", [0, 1, 2, 3])
    def test_are_known_by_the_subject_in_pieces(self, width: int, last: int) -> None:
        fields = [*self.FIELDS[last:], *self.FIELDS[:last]]
        header = "\n".join(
            piece for field in fields for piece in textwrap.wrap(field, width, break_long_words=False, break_on_hyphens=False)
        )
        found = came(CONQUEST, f"{{own}}\n\n{header}\n\n{quoted(CONQUEST, '> ')}")
        assert found.orders == ORDERS[CONQUEST][:2], found.text

    def test_end_where_the_subject_ends(self) -> None:
        begin, _, end = self.SUBJECT.partition("; ")
        header = "\n".join([*self.FIELDS[:3], f"Vuq: {begin};", end])
        text = f"{header}\nBuild 16 Laserfrigates\n\n{quoted(OVERLORD, '> ')}"
        assert came(OVERLORD, text).orders == ("Build 16 Laserfrigates",)


@some_ruleset(SLUGS)
@pytest.mark.parametrize(
    "line", [f"> On 26/08/2026 14:05 CET galaxy-7 (pbmd) <{ADDRESS}>\nzuq:", f">>>>> galaxy-7 (pbmd) <{ADDRESS}>\nxuqit juq:"]
)
def test_an_introduction_that_begins_like_a_quote_may_be_broken(slug: str, line: str) -> None:
    for text in (f"{{own}}\n\n{line}\n\n{quoted(slug, '> ')}", f"{line}\n\n{{own}}\n\n{quoted(slug, '> ')}"):
        found = came(slug, text)
        assert found.orders == ORDERS[slug][:2], found.text


TOLD = {
    OVERLORD: "lines not read",
    DIPLOMACY: "lines not read",
    CONQUEST: "NOT TAKEN: orders below another mail",  # since they are final
}


class TestMailsOfSomebodyWithoutMarks:
    @some_ruleset(SLUGS)
    @pytest.mark.parametrize(
        "head",
        [
            "Je 2026-11-19 12:00, Ann <ann@players.test> skribis:",
            "Vuq: Ann <ann@players.test>\nZuq: 19/11/2026 14:05\nWuq: p0@players.test\nXuq: zuq wuq",
            "*Vuq:* Ann <ann@players.test>\n*Zuq:* 19/11/2026 14:05\n*Wuq:* p0@players.test",
            "From: Ann\nSent: Thursday, 19 November 2026 14:05\nTo: Bob\nSubject: plans",
            "-----Original Message-----\nAnn said",
            "On Thu, 19 Nov 2026 at 14:05, Ann <ann@players.test> wrote:",
            "Je 2026-11-19 12:00, Ann\n<ann@players.test> skribis:",
            "Je 2026-11-19 12:00, Ann <ann@players.test> skribis",
            "Ann Ex <ann@players.test> skribis:",
            "Vuq: Ann <ann@players.test>\n\nZuq: 19/11/2026 14:05\n\nWuq: Bob",
            "---- Xuq zuq ----\nVuq Ann <ann@players.test>\nZuq 19/11/2026 14:05\nWuq Bob",
            "Ann — 19.11.2026 14:05",
            "Vuq: Ann\nZuq: Ĵaŭdo, 19. Novembro 2026 14:05\nWuq: Bob",
            "Vuq: ann@players.test\nZuq: Ĵaŭdo, 19. Novembro 2026\n14:05\nWuq: Bob",
        ],
    )
    def test_give_no_orders_below_those_of_the_writer_and_the_subject_says_so(self, slug: str, head: str) -> None:
        found = came(slug, f"{{own}}\n\n{head}\n\n{{third}}\nKuq, Ann")
        assert found.orders == (() if slug == CONQUEST else ORDERS[slug][:2]), found.text
        assert found.subject.endswith(TOLD[slug])

    @pytest.mark.parametrize("slug", SLUGS)
    def test_are_told_of_if_an_order_with_a_slip_stands_there(self, slug: str) -> None:
        """It may be the writer's."""
        found = came(slug, f"{{own}}\n\nAs ann@players.test and I agreed on 20.11.2026:\n\n{SLIPS[slug]}")
        assert found.subject.endswith(TOLD[slug])

    @pytest.mark.parametrize("slug", [CONQUEST, CLUSTER])
    def test_refuse_orders_that_are_final_once_they_are_taken(self, slug: str) -> None:
        first, second, *_ = ORDERS[slug]
        found = came_of(slug, f"{first}\n\nAs ann@players.test and I agreed on 20.11.2026:\n\n{second}")
        assert found.orders == ()
        assert "They may be yours, and orders are final here, so nothing was taken" in found.text

    @some_ruleset(SLUGS)
    @pytest.mark.parametrize(
        "head",
        [
            "Je 2026-11-19 12:00, Ann <ann@players.test> skribis:",
            "Vuq: Ann <ann@players.test>\nZuq: 19/11/2026 14:05\nWuq: p0@players.test",
        ],
    )
    def test_give_no_orders_alone_either(self, slug: str, head: str) -> None:
        found = came(slug, f"Look:\n\n{head}\n\n{{own}}\nKuq, Ann")
        assert found.orders == (), found.text
        assert found.subject.endswith("NOT READ: 2 orders in a quote")

    def test_begin_with_the_address_of_their_writer(self) -> None:
        """We may have got them, too."""
        head = f"From: Ann <ann@players.test>\nSent: Thursday, 19 November 2026 14:05\nTo: galaxy-7 <{ADDRESS}>"
        found = came(OVERLORD, f"{{own}}\n\n{head}\n\n{{third}}\nAnn")
        assert (found.orders, found.subject.endswith("lines not read")) == (ORDERS[OVERLORD][:2], True), found.text

    def test_are_none_of_the_writer_of_the_letter(self) -> None:
        sheet = f"Vuq: Ada <{setting(OVERLORD).mail.recipient}>\nZuq: 19/11/2026 14:05\nXuq: galaxy-7"
        assert came(OVERLORD, f"{sheet}\n\n{{own}}").orders == ORDERS[OVERLORD][:2]

    @pytest.mark.parametrize(
        "line",
        [
            f"Hello {ADDRESS}, 19/11/2026:", "Ann, ann@players.test", "Tel.: 01.23.45.67.89\nE: ann@players.test\nWeb: x",
            "Mail: ann@players.test\nSIP: ann@voice.test\nSince: 1998", "Ann <ann@players.test>\n(c) 2026 Ex Ltd",
            "---- Part two ----\n19/11/2026 14:05",
        ],
    )  # fmt: skip
    def test_are_not_what_stands_above_orders_or_in_a_signature(self, line: str) -> None:
        assert came(OVERLORD, f"{line}\n\nBuild 16 Laserfrigates\nUse counter-espionage").orders == ORDERS[OVERLORD]
        assert (
            came(OVERLORD, f"Build 16 Laserfrigates\n\n{line.rstrip(':')}\n\nUse counter-espionage").orders == ORDERS[OVERLORD]
        )


QUOTES = (
    "Je 2026-11-19 12:00, Ann <ann@players.test> skribis:\n\n{said}",
    "Vuq: Ann <ann@players.test>\nZuq: 19/11/2026 14:05\nWuq: p0@players.test\n\n{said}",
    "Ann Ex <ann@players.test> skribis:\n    {said}",
    "Ann Ex <ann@players.test> skribis:\n| {said}",
    "On Thu, 19 Nov 2026 at 14:05, Ann <ann@players.test> wrote:\n\n{said}",
    "-----Original Message-----\nFrom: Ann\nSent: Thursday, 19 November 2026 14:05\nTo: Bob\n\n{said}",
    "{said}\n\n-- \nAnn",
)


class TestMessages:
    """What stands between PRESS TO and END PRESS, or ANNOUNCE and END ANNOUNCE, is for others, whatever it looks like."""

    @pytest.mark.parametrize("quote", QUOTES)
    @pytest.mark.parametrize("text", ["{own}\n\n{press}", "{press}\n\n{own}"])
    def test_of_players_are_sent_as_they_are(self, text: str, quote: str) -> None:
        own, said = "\n".join(ORDERS[OVERLORD]), quote.format(said="build nothing")
        with game(OVERLORD) as world:
            press = f"PRESS TO Borealis\nHello\n\n{said}\n\nBye\nEND PRESS"
            world.reply(setting(OVERLORD).mail, text.format(own=own, press=press))
            (sent,) = world.outbox("press")
            assert all(f"| {line.rstrip()}\n" in body_of(sent) for line in said.split("\n") if line)
            assert json.loads(world.submissions()[-1].orders) == list(ORDERS[OVERLORD])

    @pytest.mark.parametrize("quote", QUOTES)
    def test_of_the_game_master_are_sent_as_they_are(self, quote: str) -> None:
        said = quote.format(said="come on time")
        with game(OVERLORD) as world:
            world.master(f"EXTEND 24h\n\nANNOUNCE\nHello\n\n{said}\n\nBye\nEND ANNOUNCEMENT")
            text = next(body_of(mail) for mail in world.outbox("notice") if "an announcement" in body_of(mail))
            assert all(f"| {line.rstrip()}\n" in text for line in said.split("\n") if line)


def test_commands_of_the_game_master_below_what_introduces_somebodys_mail_are_told() -> None:
    with game(OVERLORD) as world:
        answer = world.master("EXTEND 24h\n\nAs ann@players.test and I agreed on 20 Nov 2026:\n\nPAUSE")
        assert "PAUSE" in answer
        assert world.game().paused_at is None


@pytest.mark.parametrize(
    "below", ["mailto:ann@players.test 20.11.2026 12:30", "Name: Ann <ann@players.test>\nBirthday: 12.03.1998"]
)
def test_orders_that_look_like_the_fields_of_a_header_are_read(below: str) -> None:
    orders = ("SQUADRON Flagship: J4 M6 S5 A20 R7 D6 AT Tarn 0308", "SQUADRON Tender: J4 M4 D2 U8 AT Tarn 0308")
    came = came_of("starship_squadrons", "\n".join((*orders, "FLEET Alpha: Flagship, Tender", "", below)))
    assert len(came.orders) == 3, came.text
