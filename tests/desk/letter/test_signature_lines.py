"""Lines of signatures and footers that begin with a word of the commands cost nothing, and commands with a slip are told."""

import pytest

from pbmd.desk.language.order_words import commands_test
from pbmd.desk.language.player_commands import PLAYERS
from tests.desk.letter.test_what_is_typed import game, setting
from tests.desk.world import World, body_of, message_of
from tests.doses import dose

STRICT = ("cosmic_conquest", "local_cluster")
"""Games in which one wrong line refuses the whole mail."""
SIGNATURES = [
    "Address: Hauptstr. 3\nPhone: 123", "Status: available", "List of members: see the web", "Report spam here: http://x.test",
    "Press office: 020 7946 0000", "Ruler of Rhodes", "Joint venture GmbH", "Only for the addressee", "Help save paper",
    "CONFIDENTIAL: This e-mail is for the addressee only. If you are not the\naddressee, do not use or forward it.",
    "Ready Steady Go Ltd, 12 Add Street", "Waiter at the Rules restaurant", "Timezone: CET",
]  # fmt: skip


NAMES = ("\n\nBest\nMax\n\n", "\n\nMax\n", "\n-- \nMax\n")
"""What may stand above them; in a small dose each has one."""


@pytest.mark.parametrize("slug", STRICT)
def test_a_footer_that_begins_like_a_command_costs_no_line(slug: str) -> None:
    orders = setting(slug).orders
    for number, signature in enumerate(SIGNATURES):
        for name in dose(NAMES[number % 3 :][:1], NAMES):
            with game(slug) as world:
                world.reply(setting(slug).mail, "\n".join(orders) + name + signature)
                filed = [each for each in world.submissions() if each.state.value in ("filed", "used")]
                assert filed, (signature, name)


FOOTERS = {
    "a signature": "Ann Example, PhD\nDirector of Research\nTrade & Defend Dept.\nEmail: ann@example.org\nFax: 1 ext. 3",
    "below a rule": "______________\n{first} your brain in 5 minutes\nwww.example.test",
    "of a program": "---\nL'absence de virus a été vérifiée.\nhttps://example.test/antivirus",
    "with a heading": "------- Groups Sponsor -------~-->\n{first} a car! Click here.\nhttp://example.test/x\n-------~->",
}


@pytest.mark.parametrize("slug", [*STRICT, "galactic_overlord", "diplomacy"])
@pytest.mark.parametrize("footer", FOOTERS.values(), ids=FOOTERS)
def test_a_footer_with_an_address_and_a_line_like_an_order_refuses_nothing(slug: str, footer: str) -> None:
    of = setting(slug)
    orders = of.orders[:2]
    with game(slug) as world:
        answer = world.reply(of.mail, "\n".join(orders) + "\n\n" + footer.format(first=of.orders[-1].split()[0]))
        assert "REFUSED" not in answer, answer
        filed = [each for each in world.submissions() if each.state.value in ("filed", "used")]
        assert filed, answer


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("-----\nConqeur Sirius with 3 units\nhttp://example.test", "orders in, words not read"),
        ("Ann Example\nBerlin\nConqeur Sirius with 3 units\nann@example.org", "orders in, words not read"),
        ("Conqeur Sirius with 3 units\nann@example.org", "NOT TAKEN"),
        ("and, at last:\nConqeur Sirius with 3 units\nann@example.org", "NOT TAKEN"),
        ("Ann Example\nBerlin\nConqeur Sirius with 3 units", "NOT TAKEN"),
    ],
)
def test_an_order_with_a_slip_that_stands_in_one_is_told_in_the_subject(text: str, says: str) -> None:
    with game("cosmic_conquest") as world:
        world.reply(setting("cosmic_conquest").mail, f"Invest 3 units in Aldebaran\n\n{text}")
        assert message_subject(world).endswith(says)


def answer_to(text: str) -> str:
    of = setting("galactic_overlord")
    with game(of.slug) as world:
        return " ".join(world.reply(of.mail, text).split())


def test_it_is_listed_with_the_command_that_begins_so() -> None:
    answer = answer_to("Train spy\n\nMax\nAddress: Hauptstr. 3")
    assert "Not a command; did you mean ADDRESS <new address>?: Address: Hauptstr. 3" in answer
    assert "REFUSED" not in answer


def test_a_command_with_a_label_in_a_signature_is_not_carried_out_and_one_that_stands_alone_is() -> None:
    answer = answer_to("Train spy\n\nMax\nTimezone: Asia/Tokyo\nPhone: 123")
    assert "Not carried out, since it stands in a signature" in answer
    assert "21:00 Asia/Tokyo" not in answer
    for alone in (
        "Train spy\n\nTimezone: Asia/Tokyo\n\nMax",
        "Train spy\n\nMax\nTIMEZONE Asia/Tokyo",
        "Hi\nTimezone: Asia/Tokyo",
    ):
        assert "21:00 Asia/Tokyo" in answer_to(alone), alone


@pytest.mark.parametrize("slug", STRICT)
@pytest.mark.parametrize("slip", ["CANCLE ORDERS", "EXTNED 2d", "PRESS Austria"])
def test_a_command_with_a_slip_is_told_as_ever(slug: str, slip: str) -> None:
    with game(slug) as world:
        answer = world.reply(setting(slug).mail, "\n".join([*setting(slug).orders, "", slip]))
        refused = answer.partition("\nREFUSED\n")[2].partition("\n\n")[0]
        assert slip in " ".join(refused.split())


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("CANCEL ODRERS", True), ("ODRERS FOR TURN 3 PHASE 1B", True), ("HLEP orders", True), ("EXTEND", True),
        ("Statsu", True),
        ("absent form 2026-01-01 to 2026-01-02", True), ("timezoen Europe/Berlin", True), ("SET REPORT GIF", True),
        ("Ruler of Rhodes", False), ("Press office", False), ("Status: available", False), ("addressee, do not use it", False),
    ],
)  # fmt: skip
def test_what_is_meant_as_a_command_is_known_by_all_its_words(line: str, is_one: bool) -> None:
    assert commands_test(PLAYERS).is_order(line) is is_one


class TestAboveAQuotedAnswer:
    """What is wanted otherwise is not lost because the sheet that stands is quoted below it."""

    @pytest.mark.parametrize(
        ("slug", "orders", "words"),
        [
            ("galactic_overlord", "Build 2 Lasercruisers", "Please also build 4 Laserfrigates"),
            ("galactic_overlord", "Build 2 Lasercruisers", "I'd like to train a spy as well"),
            ("diplomacy", "A BUD - SER\nF TRI - ALB", "Please change F TRI - ALB to F TRI - VEN"),
            ("diplomacy", "A BUD - SER\nF TRI - ALB", "Can you also move A Vie - Gal?"),
        ],
    )
    def test_an_attempt_at_an_order_is_refused_as_without_a_quote(self, slug: str, orders: str, words: str) -> None:
        with game(slug) as world:
            world.reply(setting(slug).mail, orders)
            answer = said_above_quote(world, f"Hello!\n\n{words}")
            assert message_subject(world).endswith("NOT TAKEN")
            assert f"REFUSED line 3 {words}" in " ".join(answer.split())

    @pytest.mark.parametrize("slug", ["galactic_overlord", "diplomacy", "societies", "starship_squadrons"])
    def test_thanks_are_harmless(self, slug: str) -> None:
        with game(slug) as world:
            world.reply(setting(slug).mail, "\n".join(setting(slug).orders))
            for thanks in ("Thanks!", "Thanks for the report, have a good week", "OK, that is all for this turn"):
                assert said_above_quote(world, thanks).startswith("Your orders are what they were.")


def said_above_quote(world: World, words: str) -> str:
    mail = next(each for each in reversed(world.outbox("acknowledgement")) if "#orders - " in body_of(each))
    quote = "".join(f"> {line}".rstrip() + "\n" for line in body_of(mail).split("\n"))
    return world.reply(mail, f"{words}\n\nOn Fri, 20 Nov 2026 at 13:00, galaxy-7 (pbmd) <games@pbmd.test> wrote:\n{quote}")


def message_subject(world: World) -> str:
    return " ".join(str(message_of(world.outbox("acknowledgement")[-1])["Subject"]).split())
