"""What stands beside the orders of a letter, in each kind of game: it costs no order, and where it may matter the subject of
the answer says that it was not read."""

import email.policy
import json
import textwrap
from dataclasses import dataclass
from email.message import EmailMessage

import pytest
from sqlmodel import col

from pbmd.desk.mailroom import process_letters
from pbmd.ledger.tables import Outbox
from tests.desk.letter.test_what_is_typed import game, outcome, plainly, setting
from tests.desk.world import body_of, message_of
from tests.doses import some_ruleset
from tests.doubts import doubts_of

CONQUEST, CLUSTER = "cosmic_conquest", "local_cluster"
OVERLORD, DIPLOMACY = "galactic_overlord", "diplomacy"
ORDERS = {
    CONQUEST: ("Conquer Kapteyn with 3 units", "Defend Aldebaran with 3 units", "Invest 3 units in Aldebaran"),
    CLUSTER: ("Build army at Aquila", "Build fleet at Aquila"),
    OVERLORD: ("Build 16 Laserfrigates", "Use counter-espionage"),
    DIPLOMACY: ("A BUD - SER", "F TRI - ALB", "A VIE - GAL"),
}
SEATS = {CONQUEST: "Red", CLUSTER: "People 1", OVERLORD: "Altair", DIPLOMACY: "Austria"}
CAUTION = (
    "CAUTION: This email originated from outside of the organization. Do not click links or open attachments unless you "
    "recognize the sender and know the content is safe."
)
WHOLE = (CONQUEST, CLUSTER)
"""Games in which one line that is wrong refuses the letter."""


@dataclass(frozen=True)
class Came:
    """What came of the last of some letters: its orders, and the mail about it."""

    orders: tuple[str, ...]
    subject: str
    text: str


def came_of(slug: str, *letters: str, name: str = "", subject: str = "Re: orders") -> Came:
    """Letters arrive, one after the other; "{changed}" is the list at the end of the answer before, changed."""
    mail, before = setting(slug).mail, 0
    with game(slug) as world:
        for number, text in enumerate(letters):
            if "{changed}" in text:
                answers = [each for each in world.outbox("acknowledgement") if each.recipient == mail.recipient]
                body = body_of(answers[-1])
                sheet = body[body.index("#orders") : body.index("#end") + 4]
                text = text.replace("{changed}", sheet.replace("A VIE - GAL", "A VIE H"))
            letter = EmailMessage()
            sender = f"{name} <{mail.recipient}>" if name else mail.recipient
            letter["From"], letter["To"] = sender, str(message_of(mail)["Reply-To"])
            letter["Subject"], letter["Message-ID"] = subject, f"<beside{number}@players.test>"
            letter.set_content(text)
            before = world.last_mail()
            world.arrive(letter.as_bytes(policy=email.policy.SMTP))
            process_letters(world.desk)
        filed = next(reversed(world.submissions()), None)
        told = next(each for each in world.mails(col(Outbox.id) > before) if each.recipient == mail.recipient)
        assert doubts_of(told.raw) == []
        orders = tuple(json.loads(filed.orders)) if filed and filed.state.value in ("filed", "used") else ()
        return Came(orders, str(message_of(told)["Subject"]), " ".join(body_of(told).split()))


def written(slug: str, text: str) -> str:
    """A letter with the orders of that game where it has their numbers."""
    return text.format(*ORDERS[slug], *ORDERS[slug])


def test_one_order_below_a_verb_that_is_a_heading_too_is_read_with_it() -> None:
    """The rules skip "Research:" as the heading of a phase, so that what stands below it is no order alone."""
    came = came_of("societies", "Buy 1 army\n\nResearch:\n1 tech")
    assert came.orders == ("Buy 1 army", "Research 1"), came.text
    assert 'Line 4 of your mail was read with "Research" from line 3.' in came.text


def test_a_change_of_mind_behind_dots_stands_in_the_subject() -> None:
    came = came_of(OVERLORD, "Build 4 Laserfrigates\n... actually 6")
    assert came.orders == ("Build 4 Laserfrigates",)
    assert came.subject.endswith("words not read")


@pytest.mark.parametrize(
    ("text", "orders"),
    [
        ("Conquer Kapteyn 3, 2", ()),
        ("Conquer Kapteyn 3 and 2", ()),
        ("Aldebaran: invest 5, defend 3", ("Defend Aldebaran with 3 units", "Invest 5 units in Aldebaran")),
        ("Aldebaran: defend 3; raise a drone", ("Defend Aldebaran with 3 units", "Raise a drone in Aldebaran")),
    ],
)
def test_orders_in_one_line_share_the_place_that_stands_first(text: str, orders: tuple[str, ...]) -> None:
    assert came_of(CONQUEST, text).orders == orders


class TestTalkBetweenOrders:
    @some_ruleset(WHOLE)
    @pytest.mark.parametrize(
        "text",
        [
            "{0}\n\nEnd of message\n{1}",
            "First front:\n{0}\nSecond front:\n{1}",
            "First:\n{0}\n\nand here are my second orders:\n{1}",
            "{0}\nThat is what I thought of yesterday.\n{1}",
            "{0}\n=== My second orders ===\n{1}",
        ],
    )
    def test_costs_no_order_and_the_subject_says_that_it_was_not_read(self, slug: str, text: str) -> None:
        came = came_of(slug, written(slug, text))
        assert came.orders == ORDERS[slug][:2], came.text
        assert came.subject.endswith("lines not read")
        assert "Not an order:" in came.text

    @pytest.mark.parametrize(
        ("slug", "text"),
        [
            (CONQUEST, "{0}\nDefence:\n{1}"), (CONQUEST, "{0}\n\nVote Green!\n"), (CLUSTER, "{0}\n\nEnd of message"),
            (CLUSTER, "{0}\n\nEnd of transmission"), (CLUSTER, "{0}\nNow the fleet arm:\n{1}"), (CLUSTER, "People 1\n{0}"),
            (CONQUEST, "{0}\n\nPass it on!"), (CLUSTER, "{0}\nIt's your move, Tom!\n{1}"),
            (CLUSTER, "{0}\nGood luck with your research, Ann\n{1}"),
            (CLUSTER, "Sorry for the late move.\n{0}\nThat was a nice move!\n{1}"),
            (CLUSTER, "{0}\nMy last move was silly\n{1}"),
        ],
    )  # fmt: skip
    def test_may_have_words_with_which_orders_begin(self, slug: str, text: str) -> None:
        came = came_of(slug, written(slug, text))
        assert came.orders == ORDERS[slug][: 1 + ("{1}" in text)], came.text
        assert came.subject.endswith("lines not read")

    @some_ruleset(WHOLE)
    @pytest.mark.parametrize(
        "text",
        [
            "not this:\n{0}\n\nthis:\n{1}",
            "wrong:\n{0}\nright:\n{1}",
            "Drafts:\n{0}\n\nFinal:\n{1}",
            "{0}\n\nHi Tom,\nyou wrote:\n{1}",
            *(
                f"{{0}}\n\n{heading}\n{{1}}"
                for heading in (
                    "never:", "rejected:", "void:", "null:", "tomorrow:", "in turn two:", "turn two:", "after that:",
                    "once he comes:", "as soon as he comes:", "assuming peace:", "Tom suggests:", "--- tomorrow ---",
                    "not my orders:", "the wrong orders:", "And so on:", "Und nun:", "nicht:", "*tomorrow:*", "tomorrow：",
                )
            ),
        ],
    )  # fmt: skip
    def test_is_no_heading_that_may_take_back_what_stands_below_it(self, slug: str, text: str) -> None:
        """In whatever language: all words of a heading must be known."""
        came = came_of(slug, written(slug, text))
        assert (came.orders, "NOT TAKEN" in came.subject) == ((), True), came.text

    @pytest.mark.parametrize(
        ("slug", "text"),
        [(CONQUEST, "Defence:\n{0}\n\nInvestments:\n{1}"), (CLUSTER, "{0}\nFleets:\n{1}"), (CLUSTER, "== ARMIES ==\n{0}\n{1}")],
    )
    def test_may_be_a_heading_with_words_of_orders(self, slug: str, text: str) -> None:
        assert came_of(slug, written(slug, text)).orders == ORDERS[slug][:2]

    @pytest.mark.parametrize(
        ("slug", "slip"),
        [
            (CONQUEST, "Conqer Kaptayn wth 3 unts"), (CONQUEST, "Defend everything!"), (CONQUEST, "3 more on the other one"),
            (CONQUEST, "Attack Kapteyn"), (CONQUEST, "Votte for a drwa"), (CONQUEST, "hit Gliese with all that is left"),
            (CONQUEST, "Vote drwa"), (CONQUEST, "Gliese too"), (CONQUEST, "The admiral is home."), (CONQUEST, "PRESS Red"),
            (CLUSTER, "Biuld amry at Aqulia"), (CLUSTER, "Reserch Bunkrs"), (CLUSTER, "End mvoe"), (CLUSTER, "ofer peace"),
            (CLUSTER, "then move them back"), (CLUSTER, "Move his army out"), (CLUSTER, "It's your move to Aquila"),
            (CLUSTER, "That was a move to Aquila"), (CLUSTER, "my move is end"),
            (CLUSTER, "and an army at home"), (CLUSTER, "F12 Aquila"), (CLUSTER, "End trade with People 2 soon"),
        ],
    )  # fmt: skip
    def test_is_no_order_with_a_slip(self, slug: str, slip: str) -> None:
        """It refuses the letter, as ever: nobody knows what the orders are without it."""
        came = came_of(slug, written(slug, f"{{0}}\n{slip}\n{{1}}"))
        assert (came.orders, "NOT TAKEN" in came.subject) == ((), True), came.text
        assert "REFUSED" in came.text
        assert slip.split()[0] in came.text

    def test_that_may_be_the_rest_of_a_broken_line_refuses_the_letter(self) -> None:
        broken = "Announce the creation of the Intergalactic Empire of the most\nglorious of all peoples\n{1}"
        assert came_of(CONQUEST, written(CONQUEST, broken)).orders == ()


class TestNamesAndGreetings:
    @some_ruleset(ORDERS)
    @pytest.mark.parametrize(
        "text",
        [
            *("Moin\n{0}", "Moin zusammen,\n\n{0}", "Lisa,\n{0}", "Note:\n\n{0}", "{0}\nWalt", "{0}\n\nJoan"),
            *("{0}\n\nCheers,\nJohn", "{0}\nJoni", "{0}\n\nBuck", "{0}\n\nJack", "Helo,\n{0}"),
        ],
    )  # fmt: skip
    def test_that_are_like_a_short_command_cost_no_order(self, slug: str, text: str) -> None:
        came = came_of(slug, written(slug, text))
        assert came.orders == ORDERS[slug][:1], came.text
        assert "refused" not in came.subject
        assert "did you mean" not in came.text or "Joni" in text

    @pytest.mark.parametrize("slug", WHOLE)
    def test_of_who_writes_may_be_like_a_command(self, slug: str) -> None:
        came = came_of(slug, written(slug, "{0}\n\nJules"), name="Jules Rime")
        assert came.orders == ORDERS[slug][:1], came.text

    @pytest.mark.parametrize(
        "signature", ["Best,\nAustria", "Best,\nTom / Austria", "Cheers!\nTom\nAustria", "Bre,\nTom Austria"]
    )
    def test_that_are_like_an_order_above_the_side_of_who_writes_are_none(self, signature: str) -> None:
        came = came_of(DIPLOMACY, f"{ORDERS[DIPLOMACY][0]}\n\n{signature}", name="Tom")
        assert (came.orders, came.subject.endswith("orders in")) == (ORDERS[DIPLOMACY][:1], True), came.text
        assert f"Not an order: {' '.join(signature.split())}" in came.text

    @pytest.mark.parametrize("words", ["Cancel that!", "Ignore this!", "Not final,", "Draft,", "If Gaul agrees,"])
    @pytest.mark.parametrize("slug", [OVERLORD, DIPLOMACY])
    def test_that_are_like_a_farewell_and_may_change_something_are_told(self, slug: str, words: str) -> None:
        came = came_of(slug, written(slug, f"{{0}}\n\n{words}\nTom"), name="Tom")
        assert came.orders == ORDERS[slug][:1]
        assert not came.subject.endswith("orders in"), came.text

    @pytest.mark.parametrize("piece", ["Army,", "Fleet Aquila,"])
    def test_that_have_words_of_orders_are_no_farewell(self, piece: str) -> None:
        assert came_of(CLUSTER, written(CLUSTER, f"{{0}}\n\n{piece}\n{SEATS[CLUSTER]}")).orders == ()

    @pytest.mark.parametrize("below", ["F Tri,\nAlb", "Best,\nItaly", "F Tri,\nA Bud,\nAustria"])
    def test_that_may_be_more_than_a_signature_are_refused(self, below: str) -> None:
        came = came_of(DIPLOMACY, f"{ORDERS[DIPLOMACY][0]}\n\n{below}")
        assert "refused" in came.subject, came.text

    @pytest.mark.parametrize("end", ["END", "End of orders"])
    def test_below_the_end_are_not_told_in_the_subject_and_orders_there_are(self, end: str) -> None:
        assert came_of(DIPLOMACY, f"A Vie - Gal\n{end}\n\nTom").subject.endswith("orders in")
        came = came_of(DIPLOMACY, f"A Vie - Gal\n{end}\n\nA Bud - Rum")
        assert (came.orders, came.subject.endswith("orders in, lines not read")) == (("A VIE - GAL",), True), came.text

    @pytest.mark.parametrize("slip", ["Wiat", "Hlep", "Statsu", "Redy", "Joni galaxy-7 as Red"])
    def test_are_no_commands_with_a_slip(self, slip: str) -> None:
        assert came_of(CONQUEST, written(CONQUEST, f"{{0}}\n{slip}")).orders == ()


class TestHeadings:
    @pytest.mark.parametrize("heading", ["Conditional retreats:", "Backup retreats:", "Retreats, if any:", "Retreat orders:"])
    def test_of_another_phase_make_no_move_of_what_stands_below_them(self, heading: str) -> None:
        came = came_of(DIPLOMACY, f"{{0}}\n\n{heading}\nA Vie: Boh, Tyr".replace("{0}", ORDERS[DIPLOMACY][0]))
        assert came.orders == ("A BUD - SER", "A VIE R BOH TYR"), came.text
        assert came.subject.endswith("orders in")

    def test_by_which_others_are_read_are_not_told_as_idle(self) -> None:
        came = came_of(DIPLOMACY, "My orders:\nA Vie - Gal\nRetreats:\nA Vie - Tyr")
        assert came.orders == ("A VIE - GAL", "A VIE R TYR")
        assert "Nothing came of it: My orders: Not read as orders: a heading of what stands below it (Retreats:)." in came.text

    def test_are_no_marks_of_bold(self) -> None:
        came = came_of(CONQUEST, written(CONQUEST, "[b]\n{0}\n[/b]"))
        assert (came.orders, "a heading" in came.text) == (ORDERS[CONQUEST][:1], False), came.text

    def test_that_there_are_no_retreats_changes_no_order_on_file(self) -> None:
        assert came_of(DIPLOMACY, "A Vie - Gal", "F Tri - Alb\nNo retreats needed").orders == ("A VIE - GAL", "F TRI - ALB")


class TestWhatOnlyFramesOrders:
    @pytest.mark.parametrize("slug", ORDERS)
    @pytest.mark.parametrize(
        "text",
        [
            "That's my move.\n{0}\n{1}", "{0}\n{1}\nAnd that’s my move, thanks.", "{0}. That's my move!\n{1}",
            "{0}\nThis is my move. Sorry for the delay.\n{1}", "{0}\n{1} and that is my turn.", "{0} and that is my turn\n{1}",
            "{0}\n{1}\nThese are my orders for this turn. See you!",
            "That concludes my turn.\n{0}\n{1}", "my turn:\n{0}\n{1}", "Orders for {seat}:\n{0}\n{1}",
            "| Order | Remarks |\n|:---|---:|\n| {0} |\n| {1} |", "| Befehl | Wert |\n|---|---|\n| {0} |\n| {1} |",
            "Unit   Order    Destination\n{0}\n{1}", "{0}\n{1}\nTotal: 7", "{0}\nSum 7 points\n{1}",
        ],
    )  # fmt: skip
    def test_costs_no_order_and_is_not_told_in_the_subject(self, slug: str, text: str) -> None:
        came = came_of(slug, written(slug, text.replace("{seat}", SEATS[slug])))
        assert came.orders == ORDERS[slug][:2], came.text
        assert not any(word in came.subject for word in ("not read", "refused", "NOT TAKEN"))

    @pytest.mark.parametrize("mark", ["?", "!?"])
    def test_is_none_of_it_if_it_asks(self, mark: str) -> None:
        assert "words not read" in came_of(DIPLOMACY, written(DIPLOMACY, f"{{0}}\n{{1}}\nThese are my orders{mark}")).subject

    @pytest.mark.parametrize("slug", ORDERS)
    def test_in_html_may_be_the_head_of_a_table(self, slug: str) -> None:
        rows = "".join(f"<tr><td>{order}</td></tr>" for order in ORDERS[slug][:2])
        letter = EmailMessage()
        letter.set_content(f"<table><tr><th>Unit</th><th>Order</th></tr>{rows}</table>", subtype="html")
        assert outcome(slug, letter).filed == plainly(slug, ORDERS[slug][:2]).filed

    @pytest.mark.parametrize("slug", ORDERS)
    @pytest.mark.parametrize(
        "text",
        [
            "{0}\n{1}\nThat's my move for now, I may change it.", "{0}\nThat's my move if he comes.\n{1}",
            "| Orders if he comes |\n|---|\n{0}\n{1}", "| Old orders | void |\n|---|---|\n{0}\n{1}",
        ],
    )  # fmt: skip
    def test_is_none_of_it_if_it_says_more(self, slug: str, text: str) -> None:
        subject = came_of(slug, written(slug, text)).subject
        assert any(word in subject for word in ("not read", "refused", "NOT TAKEN")), subject

    @pytest.mark.parametrize(
        ("slug", "text", "orders"),
        [
            (OVERLORD, "Build 1 base named Rigel (16 BP)\nTrain spy (0 points)", ("Build 1 base named Rigel", "Train spy")),
            (OVERLORD, "Build 1 base named Rigel (16 BP)\nTotal: 16 BP", ("Build 1 base named Rigel",)),
            (CONQUEST, "{0} (8 units)", ()),
        ],
    )
    def test_may_be_a_price_behind_an_order(self, slug: str, text: str, orders: tuple[str, ...]) -> None:
        assert came_of(slug, text.format(*ORDERS.get(slug, ()))).orders == orders

    @pytest.mark.parametrize(
        ("sum_", "taken"), [("Total: 6 units", 2), ("Sum: 6 units", 2), ("Total: 10 units", 0), ("Total: 6 units in Sol", 0)]
    )
    def test_may_be_a_sum_if_it_is_that_of_the_orders(self, sum_: str, taken: int) -> None:
        assert came_of(CONQUEST, written(CONQUEST, f"{{0}}\n{{1}}\n{sum_}")).orders == ORDERS[CONQUEST][:taken]

    def test_may_be_the_name_of_a_phase(self) -> None:
        text = "Orders for Altair\n\nPRODUCTION\nResearch 1\nBuy 1 army\n\n4. War\n"
        came = came_of("societies", text)
        assert (came.orders, came.subject.endswith("orders in")) == (("Research 1", "Buy 1 army"), True), came.text
        assert came_of("societies", "Research\n1 tech").orders == ("Research 1",)


class TestConditions:
    @pytest.mark.parametrize(
        "condition",
        [
            "If I am attacked:",
            "Only if that fails:",
            "If somebody comes,",
            "Otherwise:",
            "but if not",
            "Next turn:",
            "If not dislodged:",
        ],
    )
    @pytest.mark.parametrize("slug", [OVERLORD, DIPLOMACY])
    def test_keep_what_stands_below_them_from_counting_and_the_subject_says_so(self, slug: str, condition: str) -> None:
        came = came_of(slug, written(slug, f"{{0}}\n\n{condition}\n{{1}}"))
        assert came.orders == ORDERS[slug][:1], came.text
        assert came.subject.endswith("orders in, 1 line below a condition not read")
        assert "an order cannot depend on anything" in came.text

    @some_ruleset(ORDERS)
    @pytest.mark.parametrize("choice", ["or", "OR\n", "or:", "- or -"])
    def test_may_be_a_choice_of_which_nothing_counts_below_it(self, slug: str, choice: str) -> None:
        came = came_of(slug, written(slug, f"{{0}}\n{choice}\n{{1}}"))
        assert came.orders == (() if slug in WHOLE else ORDERS[slug][:1]), came.text
        assert came.subject.endswith(("NOT TAKEN", "1 line below a condition not read", "orders in, 1 refused"))

    @some_ruleset(ORDERS)
    @pytest.mark.parametrize("text", ["either\n{0}\nor\n{1}", "Either {0}\nor {1}", "e.g. {0}", "E.g.: {0}"])
    def test_may_leave_open_what_all_orders_are(self, slug: str, text: str) -> None:
        assert came_of(slug, written(slug, text)).orders == ()

    @some_ruleset(WHOLE)
    @pytest.mark.parametrize("text", ["{0}\n\nIf I am attacked:\n{1}", "If I am attacked:\n\n{0}\n{1}"])
    def test_refuse_a_letter_of_orders_that_are_read_together(self, slug: str, text: str) -> None:
        came = came_of(slug, written(slug, text))
        assert (came.orders, "NOT TAKEN" in came.subject) == ((), True), came.text

    @pytest.mark.parametrize("slug", ORDERS)
    def test_are_no_announcements(self, slug: str) -> None:
        came = came_of(slug, written(slug, "If I am not too late, here are my orders:\n\n{0}\n{1}"))
        assert came.orders == ORDERS[slug][:2], came.text
        assert "not read" not in came.subject

    @pytest.mark.parametrize(
        ("slug", "line"),
        [(OVERLORD, "If somebody comes, use counter-espionage"), (DIPLOMACY, "If Italy attacks, F TRI - ALB")],
    )
    def test_with_their_order_in_their_own_line_go_no_further(self, slug: str, line: str) -> None:
        came = came_of(slug, written(slug, f"{line}\n{{0}}"))
        assert came.orders == ORDERS[slug][:1], came.text
        assert "1 refused" in came.subject or "1 line refused" in came.subject

    def test_above_all_orders_are_told_in_the_subject(self) -> None:
        came = came_of(DIPLOMACY, written(DIPLOMACY, "If Italy attacks:\n{0}\n\nOtherwise:\n{1}"))
        assert came.orders == ()
        assert came.subject.endswith("NOT TAKEN: 2 lines below a condition not read")
        assert "no line with an order" not in came.text

    @some_ruleset([OVERLORD, DIPLOMACY])
    @pytest.mark.parametrize(
        "talk",
        [
            "Next year we should meet, Paul\n", "Later this week I am away,", "Later this week I am away,\n",
            "Otherwise all is well", "Otherwise all is well\n", "In case you wonder", "In case you wonder\n",
            "Should be fun,", "If needed I can be reached at home", "If I am late, I call you", "Only three orders:",
            "Only 2 moves:", "If somebody asks\n", "Once again my thanks,",
        ],
    )  # fmt: skip
    def test_are_no_small_talk(self, slug: str, talk: str) -> None:
        came = came_of(slug, written(slug, f"{talk}\n{{0}}\n{{1}}"))
        assert came.orders == ORDERS[slug][:2], came.text
        assert "below a condition" not in came.subject

    @some_ruleset([OVERLORD, DIPLOMACY])
    @pytest.mark.parametrize(
        "condition",
        [
            "If I am attacked", "Should he come,", "Should Italy attack,", "for next turn", "Next turn I want to do:",
            "If Italy attacks I will", "Otherwise", "otherwise, this", "assuming peace:", "once he is gone,", "if not:\n",
        ],
    )  # fmt: skip
    def test_need_no_colon_right_above_the_orders(self, slug: str, condition: str) -> None:
        came = came_of(slug, written(slug, f"{{0}}\n\n{condition}\n{{1}}"))
        assert came.orders == ORDERS[slug][:1], came.text
        assert came.subject.endswith("orders in, 1 line below a condition not read")

    @pytest.mark.parametrize(
        "later", ["NEXT YEAR\n", "--- Next turn ---\n", "For the next turn\n", "Next turn:\n", "The following turn:\n"]
    )
    @pytest.mark.parametrize("slug", [OVERLORD, DIPLOMACY])
    def test_may_be_a_title_that_says_later(self, slug: str, later: str) -> None:
        came = came_of(slug, written(slug, f"{{0}}\n\n{later}\n{{1}}"))
        assert came.orders == ORDERS[slug][:1], came.text
        assert came.subject.endswith("1 line below a condition not read")

    def test_that_are_talk_by_a_blank_line_are_told_in_the_subject(self) -> None:
        came = came_of(OVERLORD, written(OVERLORD, "if somebody comes,\n\n{0}"))
        assert came.orders == ORDERS[OVERLORD][:1]
        assert came.subject.endswith("words not read")

    def test_end_with_their_paragraph_or_the_next_heading(self) -> None:
        text = "If Italy attacks:\n{0}\n\n{1}\nif not:\nA VIE H\nIn any case:\n{2}"
        assert came_of(DIPLOMACY, written(DIPLOMACY, text)).orders == ORDERS[DIPLOMACY][1:]

    @pytest.mark.parametrize(
        "heading", ["Retreats if needed:", "If dislodged:", "When I am dislodged:", "If I have to retreat:"]
    )
    def test_of_a_retreat_are_what_its_orders_are_for(self, heading: str) -> None:
        came = came_of(DIPLOMACY, written(DIPLOMACY, f"{{0}}\n\n{heading}\nA VIE R BOH"))
        assert came.orders == ("A BUD - SER", "A VIE R BOH")


class TestCommandsBesideConditions:
    @pytest.mark.parametrize(
        "text",
        [
            "If I am late, call me.\nEXTEND 24h", "If possible:\nEXTEND 24h", "When you can:\n\nEXTEND 24h",
            "If possible\nEXTEND 24h", "EXTEND by 24h", "Extend the deadline by 24h please",
            "EXTEND 24h thanks", "EXTEND 24h, thank you!", "EXTEND 24h because of a trip, please",
            "EXTEND 24h\n\nIf that is too much:",
            "If he comes:\nUse counter-espionage\n\nEXTEND: 24h", "Turn 1:\nEXTEND 24h",
        ],
    )  # fmt: skip
    def test_are_carried_out(self, text: str) -> None:
        assert "the deadline is 1 day later" in came_of(OVERLORD, text).text


class TestCommandsThatAreNotCarriedOut:
    @pytest.mark.parametrize("slug", ORDERS)
    @pytest.mark.parametrize(
        ("line", "said"),
        [
            ("EXTEND please", "EXTEND not done"), ("ABSENT FROM 24/12/2026", "ABSENT not done"),
            ("TIMEZONE Atlantis", "TIMEZONE not done"), ("PRESS TO Nobody\nhello\nEND PRESS", "PRESS not done"),
            ("SUBSTITUTE FROM yesterday", "SUBSTITUTE not done"), ("ADDRESS games@pbmd.test", "ADDRESS not done"),
        ],
    )  # fmt: skip
    def test_are_told_in_the_subject_beside_orders(self, slug: str, line: str, said: str) -> None:
        came = came_of(slug, written(slug, f"{{0}}\n\n{line}"))
        assert (came.orders, came.subject.endswith(said)) == (ORDERS[slug][:1], True), came.subject

    def test_are_told_beside_words_that_were_not_read(self) -> None:
        came = came_of(OVERLORD, written(OVERLORD, "{0}\n\nscrap that\n\nEXTEND please"))
        assert came.subject.endswith("orders in, EXTEND not done, words not read")


class TestCorrections:
    @pytest.mark.parametrize(
        ("slug", "text"),
        [
            (OVERLORD, "{0}\n\nsorry, 15 not 16"), (OVERLORD, "{0}\nmake that 15 of them"), (OVERLORD, "{0}\n\nscrap that"),
            (DIPLOMACY, "{0}\n\nthe one to SER should stay, on second thoughts"),
        ],
    )  # fmt: skip
    def test_below_the_orders_are_told_in_the_subject(self, slug: str, text: str) -> None:
        came = came_of(slug, written(slug, text))
        assert came.orders == ORDERS[slug][: text.count("{")], came.text
        assert came.subject.endswith("words not read")
        assert "may be about your orders" in came.text

    @pytest.mark.parametrize("slug", ORDERS)
    def test_are_not_what_people_write_around_orders(self, slug: str) -> None:
        notice = (
            "This mail is confidential. If you are not the intended recipient, do not read it, delete it at\n"
            "once and tell us. Any use of it, or of what is in it, without our consent is not allowed."
        )
        text = f"Hello all,\n\n{{0}}\n\nSee you next week in Paderborn!\n\nBest wishes,\nAnn\nTel. 0123 456789\n\n{notice}"
        came = came_of(slug, written(slug, text))
        assert came.orders == ORDERS[slug][:1]
        assert "not read" not in came.subject

    def test_above_a_list_that_is_sent_back_are_told_too(self) -> None:
        came = came_of(DIPLOMACY, "A BUD - SER\nA VIE - GAL", "sorry, make that a hold\n\n{changed}")
        assert came.orders == ("A BUD - SER", "A VIE H")
        assert came.subject.endswith("words not read")


class TestVotes:
    @pytest.mark.parametrize(
        "text", ["DRAW\n\n{changed}", "{changed}\n\nI vote for a draw.", "Hello,\n\nPROPOSE DRAW\n\n{changed}"]
    )
    def test_of_the_rules_count_beside_a_list_that_is_sent_back(self, text: str) -> None:
        assert set(came_of(DIPLOMACY, "A BUD - SER\nA VIE - GAL", text).orders) == {"A BUD - SER", "A VIE H", "DRAW"}


class TestQuotesMarkedWithNames:
    @some_ruleset(ORDERS)
    @pytest.mark.parametrize("mark", ["AB> ", "Ann> ", "AB>> ", "  ab> ", "AB>> CD> "])
    def test_are_quotes(self, slug: str, mark: str) -> None:
        came = came_of(slug, written(slug, f"{mark}{{0}}\n{mark}what do you think of that?\n\n{{1}}"))
        assert came.orders == ORDERS[slug][1:2], came.text
        assert "Quoted text:" in came.text
        assert "REFUSED" not in came.text

    @pytest.mark.parametrize("slug", ORDERS)
    def test_with_orders_in_them_are_told_in_the_subject(self, slug: str) -> None:
        """What stands before them may be the writer's own name."""
        assert came_of(slug, written(slug, "Ann> {0}\n\n{1}")).subject.endswith("lines not read")
        assert "NOT READ: 1 order in a quote" in came_of(slug, written(slug, "Ann> {0}")).subject

    @pytest.mark.parametrize(
        "text", ["BUD> SER\nTRI> ALB\nVIE> GAL", "Bud>Ser, Tri>Alb, Vie>Gal", "BUD->SER\nTRI=>ALB\nVIE-->GAL"]
    )
    def test_are_not_orders_with_such_a_sign(self, text: str) -> None:
        assert came_of(DIPLOMACY, text).orders == ORDERS[DIPLOMACY]

    @some_ruleset(ORDERS)
    @pytest.mark.parametrize("mark", ["| ", ": ", "» ", "＞ "])
    def test_are_not_the_only_odd_ones(self, slug: str, mark: str) -> None:
        came = came_of(slug, written(slug, f"{mark}What about the other one?\n{mark}Tell me soon, or not\n{{1}}"))
        assert came.orders == ORDERS[slug][1:2], came.text
        assert "Quoted text:" in came.text
        assert "REFUSED" not in came.text

    @some_ruleset(ORDERS)
    @pytest.mark.parametrize("mark", ["| ", ": ", "» ", "＞ "])
    @pytest.mark.parametrize("text", ["Hello,\n\n{mark}{{0}}\n{mark}{{1}}", "{mark}{{0}}\n{{1}}"])
    def test_are_no_lists_with_orders_in_them(self, slug: str, mark: str, text: str) -> None:
        """They may be the writer's own, with a bullet that is not that of their others."""
        assert came_of(slug, written(slug, text.format(mark=mark))).orders == ORDERS[slug][:2]

    @pytest.mark.parametrize("text", ["A> BUD - SER\nA> VIE - GAL", "Sol> Vega 3\nSol> Gliese 3"])
    def test_are_not_slips_in_orders(self, text: str) -> None:
        slug = DIPLOMACY if "BUD" in text else CONQUEST
        assert "REFUSED" in came_of(slug, text).text


class TestSeveralOrdersInALine:
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("A BUD - SER, F TRI - LONN, A VIE - GAL", "orders in, 1 refused"),
            ("A BUD - SER, F TRI - LONN\nA VIE - LONN\nA VIE - GAL", "orders in, 2 refused"),
            ("Hello, A BUD - SER, A VIE - GAL. Thanks!", "orders in"),
        ],
    )
    def test_of_which_one_is_wrong_are_counted_in_the_subject(self, text: str, said: str) -> None:
        came = came_of(DIPLOMACY, text)
        assert came.orders == ("A BUD - SER", "A VIE - GAL")
        assert came.subject.endswith(said)
        assert ("a part of a line was refused" in came.text) == ("1 refused" in said or "2 refused" in said)


class TestWhatLeadsToAnOrder:
    @some_ruleset(ORDERS)
    @pytest.mark.parametrize(
        "text",
        [
            "Orders: {0}\nand {1}",
            "1 - {0}\n2 - {1}",
            "Order 1: {0}\nOrder 2: {1}",
            "{0}\n\nAnn\n\nP.S. Also {1}",
            "| 1 | {0} |\n| 2 | {1} |",
            "1 {0}\n2 {1}",
            "Orders\n1  {0}\n\n2  {1}",
        ],
    )
    def test_costs_none(self, slug: str, text: str) -> None:
        came = came_of(slug, written(slug, text))
        assert came.orders == ORDERS[slug][:2], came.text

    def test_is_no_number_of_what_is_ordered(self) -> None:
        came = came_of(CLUSTER, "2 Build army at Aquila\n3 Build fleet at Aquila")
        assert (came.orders, "NOT TAKEN" in came.subject) == ((), True), came.text

    @some_ruleset([CONQUEST, CLUSTER, OVERLORD])
    @pytest.mark.parametrize("lead", ["Orders for turn 9:", "My orders for turn 9:", "Turn 9 orders:", "Moves in turn 12:"])
    def test_names_no_turn(self, slug: str, lead: str) -> None:
        """It may be another than the one that runs."""
        came = came_of(slug, written(slug, f"{lead} {{0}}"))
        assert (came.orders, "NOT TAKEN" in came.subject) == ((), True), came.text

    @pytest.mark.parametrize("text", ["Also {1}", "Hello,\n\nand {1}", "P.S. {1}"])
    def test_joins_it_to_no_earlier_letter(self, text: str) -> None:
        """It would take the place of the orders on file."""
        came = came_of(OVERLORD, ORDERS[OVERLORD][0], written(OVERLORD, text))
        assert (came.orders, "NOT TAKEN" in came.subject) == ((), True), came.text

    @some_ruleset(WHOLE)
    @pytest.mark.parametrize(
        "choice",
        ["{0}\nor\n{1}", "Plan A\n{0}\nPlan B\n{1}", "Option one\n{0}\n{1}", "Either\n{0}\n{1}", "{0}\nnext turn:\n{1}"],
    )
    def test_is_no_choice(self, slug: str, choice: str) -> None:
        came = came_of(slug, written(slug, choice))
        assert (came.orders, "NOT TAKEN" in came.subject) == ((), True), came.text


class TestMemos:
    @some_ruleset(ORDERS)
    @pytest.mark.parametrize(
        "head",
        [
            "From: {seat}\nTo: GM\nDate: 20 November 2026, 14:05\nSubject: Orders",
            "From: {seat}\nDate: 30 Nov\nDeadline: 1 Dec 2026 20:00 UTC\nPhase: Movement",
            "Von: {seat}\nDatum: 20.11.2026\nBetreff: Orders 1901",
            "Player: {seat}\nGame: galaxy-7\nDate: 2026-11-20 14:05",
            "From: {seat}\nSent: 20/11/2026\nTo: the game master\nSubject: orders of {seat}",
        ],
    )
    def test_of_the_writer_cost_nothing(self, slug: str, head: str) -> None:
        came = came_of(slug, written(slug, f"{head.format(seat=SEATS[slug])}\n\n{{0}}\n{{1}}"))
        assert came.orders == ORDERS[slug][:2], came.text
        assert "not read" not in came.subject
        assert "refused" not in came.subject

    @pytest.mark.parametrize("slug", ORDERS)
    def test_may_stand_right_above_the_orders(self, slug: str) -> None:
        came = came_of(slug, written(slug, f"Player: {SEATS[slug]}\nEmail: p0@players.test\nDate: 20 Nov 2026 14:05\n{{0}}"))
        assert came.orders == ORDERS[slug][:1], came.text
        assert "refused" not in came.subject

    @some_ruleset(ORDERS)
    @pytest.mark.parametrize(
        "head",
        [
            "From: Bob\nTo: Ada\nDate: 20 Nov 2026 14:05\nSubject: my plan",
            "From: {seat}\nTo: People 3\nDate: 20 Nov 2026 14:05\nSubject: Orders",
            "From: {seat}\nTo: Bob\nDate: 20 Nov 2026 14:05\nSubject: Orders",
            "From: {seat}\nTo: GM\nDate: 20 Nov 2026 14:05\nSubject: a plan of mine",
            "From: {seat} <bob@elsewhere.test>\nTo: GM\nDate: 20 Nov 2026 14:05\nSubject: Orders",
            "From: Bob\nTo: {seat}\nDate: 20 Nov 2026 14:05\nSubject: Orders",
            "Hello,\n\nFrom: {seat}\nTo: GM\nDate: 20 Nov 2026 14:05\nSubject: Orders",
        ],
    )
    def test_may_be_heads_of_mails_of_which_nothing_counts(self, slug: str, head: str) -> None:
        came = came_of(slug, written(slug, f"{head.format(seat=SEATS[slug])}\n\n{{0}}\n{{1}}"))
        assert "not read" in came.subject.lower(), came.text

    @pytest.mark.parametrize("slug", ORDERS)
    def test_make_nobody_elses_mail_below_them_the_writers(self, slug: str) -> None:
        memo = f"From: {SEATS[slug]}\nDate: 20 Nov 2026 14:05\nSubject: Orders"
        came = came_of(
            slug, written(slug, f"{memo}\n\n{{0}}\n\nFrom: Bob\nTo: Ada\nDate: 20 Nov 2026 13:05\nSubject: plan\n\n{{1}}")
        )
        assert came.orders == (() if slug in WHOLE else ORDERS[slug][:1]), came.text
        assert came.subject.endswith(("lines not read", "NOT TAKEN: orders below another mail"))

    @some_ruleset(ORDERS)
    @pytest.mark.parametrize(
        "line",
        ["As agreed with bob@elsewhere.test on 30.11.:", "As agreed with Bob (bob@elsewhere.test) on 20 Nov 2026 at 14:05:\n"],
    )
    def test_with_somebodys_address_and_a_day_may_be_of_their_mail(self, slug: str, line: str) -> None:
        came = came_of(slug, written(slug, f"{line}\n{{0}}\n{{1}}"))
        assert "not read" in came.subject.lower(), came.text

    @pytest.mark.parametrize("slug", [OVERLORD, DIPLOMACY])
    def test_are_not_needed_to_say_with_whom_orders_were_agreed(self, slug: str) -> None:
        came = came_of(slug, written(slug, "As agreed with Bob:\n{0}\n{1}"))
        assert (came.orders, "not read" in came.subject) == (ORDERS[slug][:2], False), came.text


class TestOrdersOfOthers:
    @some_ruleset(ORDERS)
    @pytest.mark.parametrize(
        "line",
        [
            *("Tom suggests:", "My ally proposes", "My ally proposed the following\n", "Bob said", "He asked me to do this:\n"),
            *(
                "Hi Tom,\nyou wrote:",
                "Here is what Tom suggests:",
                "What Tom would do:",
                "These are Tom's ideas.",
                "Suggested by Bob\n",
            ),
            *("My suggestions for next time:\n", "{other} orders:\n", "Orders of {other}\n", "{other}"),
        ],
    )
    def test_are_told_and_refused_where_they_are_final(self, slug: str, line: str) -> None:
        others = {CONQUEST: "Green", CLUSTER: "People 2", OVERLORD: "Cygnus", DIPLOMACY: "England"}
        came = came_of(slug, written(slug, f"{line.format(other=others[slug])}\n{{0}}\n{{1}}"))
        if slug in WHOLE:
            assert (came.orders, "NOT TAKEN" in came.subject) == ((), True), came.text
        else:
            assert "not read" in came.subject or "refused" in came.subject or "NOT TAKEN" in came.subject, came.text

    @some_ruleset(ORDERS)
    @pytest.mark.parametrize(
        "line", ["As I said:", "I have told Bob.\n", "Thanks for the advice!\n", "Hello Tom,\n", "I wrote this:"]
    )
    def test_are_not_those_of_who_speaks_of_them(self, slug: str, line: str) -> None:
        assert came_of(slug, written(slug, f"{line}\n{{0}}\n{{1}}")).orders == ORDERS[slug][:2]

    @pytest.mark.parametrize("slug", [OVERLORD, DIPLOMACY])
    def test_may_be_announced_and_still_change(self, slug: str) -> None:
        came = came_of(slug, written(slug, "My provisional moves:\n{0}"))
        assert "not read" in came.subject or "refused" in came.subject, came.text


class TestNotices:
    @some_ruleset(ORDERS)
    @pytest.mark.parametrize(
        "text",
        [
            f"{CAUTION}\n\n{{0}}",
            f"{textwrap.fill(CAUTION, 60)}\n\n{{0}}",
            "[EXTERNAL EMAIL] Do not click links or attachments unless you recognize the sender.\n{0}",
            "{0}\n\n*** EXTERNAL EMAIL ***\nThis message comes from outside. Use caution!\nDo not reply or click on links.",
            f"{{0}}\n\n{'This mail is confidential; if it is not for you, do not use it. ' * 4}\nAcme Ltd.\nDo not print it.",
        ],
    )
    def test_of_firms_are_about_no_orders(self, slug: str, text: str) -> None:
        came = came_of(slug, written(slug, text))
        assert (came.orders, "not read" in came.subject, "refused" in came.subject) == (ORDERS[slug][:1], False, False), (
            came.text
        )

    def test_are_not_what_somebody_says_of_a_mail(self) -> None:
        came = came_of(OVERLORD, written(OVERLORD, "Ignore my last mail, please.\n\n{0}"))
        assert came.subject.endswith("words not read")


class TestSubjects:
    @some_ruleset(ORDERS)
    @pytest.mark.parametrize("subject", ["DRAFT - do not process", "Re: orders (draft)", "If I am attacked", "tentative moves"])
    def test_that_leave_orders_open_are_told_and_refuse_what_is_final(self, slug: str, subject: str) -> None:
        came = came_of(slug, written(slug, "{0}"), subject=subject)
        said = "NOT TAKEN: the subject may leave them open" if slug in WHOLE else "orders in, words not read"
        assert (came.orders, came.subject.endswith(said)) == (() if slug in WHOLE else ORDERS[slug][:1], True), came.text

    @pytest.mark.parametrize("slug", ORDERS)
    def test_of_another_turn_are_told_and_refuse_what_is_final(self, slug: str) -> None:
        came = came_of(slug, written(slug, "{0}"), subject="Re: Orders for turn 9")
        said = "NOT TAKEN: the subject may leave them open" if slug in WHOLE else "words not read"
        assert (came.orders, came.subject.endswith(said)) == (() if slug in WHOLE else ORDERS[slug][:1], True), came.text

    @pytest.mark.parametrize(("slug", "turn"), [(CONQUEST, 1), (CLUSTER, 0)])
    def test_of_another_turn_cost_nothing_above_a_line_that_names_this_one(self, slug: str, turn: int) -> None:
        came = came_of(slug, written(slug, f"ORDERS FOR TURN {turn}\n{{0}}"), subject="Orders for turn 9")
        assert came.orders == ORDERS[slug][:1], came.text

    @pytest.mark.parametrize("subject", ["Orders for Fall 1902", "Austria F1901", "Re: Fall 1901"])
    def test_of_another_season_are_told(self, subject: str) -> None:
        came = came_of(DIPLOMACY, "A BUD - SER\nF TRI - ALB", subject=subject)
        assert (came.orders, came.subject.endswith("words not read")) == (("A BUD - SER", "F TRI - ALB"), True), came.text

    def test_of_another_season_are_told_above_orders_with_marks_around_them_too(self) -> None:
        came = came_of(DIPLOMACY, "| A BUD - SER |\n| F TRI - ALB |", subject="Fall 1902")
        assert (len(came.orders), came.subject.endswith("words not read")) == (2, True), came.text

    @pytest.mark.parametrize("slug", [OVERLORD, DIPLOMACY])
    @pytest.mark.parametrize("text", ["NO ORDERS", "I have no orders this turn."])
    def test_say_nothing_about_a_letter_without_orders(self, slug: str, text: str) -> None:
        assert came_of(slug, text).subject.endswith("orders in")

    @pytest.mark.parametrize("subject", ["Austria S1901", "Spring 1901 moves", "Hallo zusammen", "A message from Vienna"])
    def test_of_this_season_are_not(self, subject: str) -> None:
        assert came_of(DIPLOMACY, "A BUD - SER", subject=subject).subject.endswith("orders in")

    @some_ruleset(ORDERS)
    @pytest.mark.parametrize("subject", ["Orders for turn {turn}", "Draft beer tonight?", "my orders"])
    def test_of_other_things_are_not(self, slug: str, subject: str) -> None:
        came = came_of(slug, written(slug, "{0}"), subject=subject.format(turn=0 if slug == CLUSTER else 1))
        assert (came.orders, "not read" in came.subject) == (ORDERS[slug][:1], False), came.text


class TestLaterLetters:
    @pytest.mark.parametrize("lead", ["Also", "And", "P.S.", "Forgot:", "I forgot:", "One more:", "Addition:"])
    def test_that_begin_as_if_they_went_on_are_read_where_they_amend(self, lead: str) -> None:
        assert came_of(DIPLOMACY, "A BUD - SER", f"{lead} A VIE - GAL").orders == ("A BUD - SER", "A VIE - GAL")

    @pytest.mark.parametrize("slug", ORDERS)
    def test_need_not_be_written_for_what_was_forgotten_above(self, slug: str) -> None:
        assert came_of(slug, written(slug, "{0}\n\nP.S. I forgot: {1}")).orders == ORDERS[slug][:2]


class TestNumberSigns:
    @some_ruleset(ORDERS)
    @pytest.mark.parametrize("sign", ["# ", "#", "#1 ", "## "])
    def test_before_an_order_outside_of_a_form_are_told(self, slug: str, sign: str) -> None:
        came = came_of(slug, written(slug, f"{sign}{{0}}\n{{1}}"))
        assert came.orders == ORDERS[slug][1:2]
        assert came.subject.endswith("lines not read")
        assert "It begins with #, so it is a comment" in came.text

    @pytest.mark.parametrize("slug", ORDERS)
    def test_are_told_once(self, slug: str) -> None:
        assert came_of(slug, written(slug, "{1}\n# {0}")).subject.count("not read") == 1

    @some_ruleset(ORDERS)
    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("# {0}\n# {1}", "NOT TAKEN: lines behind a #"),
            ("WAIT\n# {0}", "NOT READ: lines behind a #"),
            ("HELP\n\n#{0}", "help, lines not read"),
        ],
    )
    def test_before_all_orders_are_told_too(self, slug: str, text: str, said: str) -> None:
        came = came_of(slug, written(slug, text))
        assert came.orders == ()
        assert came.subject.endswith(said)
        assert "It begins with #, so it is a comment" in came.text


class TestLinesAboveOrdersWithoutAColon:
    @some_ruleset(ORDERS)
    @pytest.mark.parametrize(
        "line",
        [
            *(
                "Here are my orders",
                "these are my orders for this turn",
                "orders for this turn",
                "My final moves",
                "{seat}: orders",
            ),
            *("Here are the orders for {seat}", "Please find below my orders"),
        ],
    )
    def test_that_say_that_orders_follow_cost_nothing(self, slug: str, line: str) -> None:
        came = came_of(slug, written(slug, f"{line.format(seat=SEATS[slug])}\n{{0}}\n{{1}}"))
        assert came.orders == ORDERS[slug][:2], came.text
        assert "not read" not in came.subject

    @some_ruleset([CONQUEST, OVERLORD, DIPLOMACY])
    @pytest.mark.parametrize("line", ["Not my orders", "Orders for Blue", "Orders from my brother"])
    def test_that_say_more_of_orders_are_told(self, slug: str, line: str) -> None:
        came = came_of(slug, written(slug, f"{line}\n{{0}}"))
        assert "not read" in came.subject or "refused" in came.subject or "NOT TAKEN" in came.subject, came.text

    @some_ruleset([CONQUEST, OVERLORD, DIPLOMACY])
    @pytest.mark.parametrize(
        "line",
        [
            *(
                "falls er kommt",
                "jos hän tulee",
                "si me atacan",
                "если он нападёт",
                "Hallo,\n\nfalls angegriffen",
                "als hij komt",
            ),
            *("Falls {name} kommt", "{name} jos tulee"),
        ],
    )
    def test_that_may_be_conditions_in_any_language_are_told(self, slug: str, line: str) -> None:
        name = {CONQUEST: "Sirius", OVERLORD: "Cygnus", DIPLOMACY: "Italien"}[slug]
        came = came_of(slug, written(slug, f"{line.format(name=name)}\n{{0}}"))
        assert (came.orders, came.subject.endswith("words not read")) == (ORDERS[slug][:1], True), came.text

    @some_ruleset([CONQUEST, OVERLORD, DIPLOMACY])
    @pytest.mark.parametrize(
        "greeting",
        [
            *(
                "hi all",
                "Hallo Spielleiter",
                "hallo zusammen",
                "Bonjour à tous",
                "Dzień dobry",
                "Здравствуйте",
                "Hi there everyone",
            ),
            *("Hallo Tom,\n\n", "Hi GM,\nAnna", "hope you are well, Tom!", "hope you are well\n"),
        ],
    )
    def test_that_greet_cost_nothing(self, slug: str, greeting: str) -> None:
        came = came_of(slug, written(slug, f"{greeting}\n{{0}}"))
        assert (came.orders, "not read" in came.subject) == (ORDERS[slug][:1], False), came.text


class TestHeadingsAboveAllOrders:
    @some_ruleset(ORDERS)
    @pytest.mark.parametrize(
        "heading",
        [
            *("Turn 9:", "For turn 9:", "My moves for turn 9:", "turn 9 :", "Turn 9", "Turn 9\n", "Turn 9\n======", "T9:"),
            *("--- Turn 9 ---", "*Turn 9*", "Turn three:", "turn three\n", "Orders for turn 9", "Turn 9 orders\n"),
        ],
    )
    def test_of_another_turn_keep_orders_from_counting(self, slug: str, heading: str) -> None:
        came = came_of(slug, written(slug, f"{heading}\n{{0}}"))
        assert (came.orders, "NOT TAKEN" in came.subject) == ((), True), came.text

    @pytest.mark.parametrize("slug", [OVERLORD, DIPLOMACY])
    def test_of_another_turn_go_up_to_the_next_heading(self, slug: str) -> None:
        text = "Turn 9\n{2}\n\n{0}\n\nTurn 1\n{1}\n\nBest wishes, Ann".replace("{2}", "{0}" if slug == OVERLORD else "{2}")
        came = came_of(slug, written(slug, text))
        assert came.orders == ORDERS[slug][1:2], came.text
        assert came.subject.endswith(("2 lines for another turn not read", "orders in, 2 refused"))

    @some_ruleset([OVERLORD, DIPLOMACY])
    @pytest.mark.parametrize(
        ("old", "new"),
        [
            *(("Old orders:", "New orders:"), ("OLD ORDERS", "NEW ORDERS"), ("My previous orders were:", "My new orders are:")),
            *(
                ("My earlier moves", "New moves:"),
                ("*Wrong orders*", "My orders:"),
                ("Last turn's orders:", "These are the new moves:"),
            ),
            *(
                ("Cancelled:", "ORDERS"),
                ("The wrong orders:\n", "My orders"),
                ("Old orders (ignore):", "Orders for this turn:"),
                ("--- old moves ---", "Turn 1:"),
            ),
        ],
    )
    def test_of_orders_that_count_no_more_keep_them_from_counting(self, slug: str, old: str, new: str) -> None:
        came = came_of(slug, written(slug, f"{old}\n{{0}}\n\n{new}\n{{1}}"))
        assert came.orders == ORDERS[slug][1:2], came.text
        assert came.subject.endswith("1 line of other orders not read")
        came = came_of(slug, written(slug, f"{new}\n{{1}}\n\n{old}\n{{0}}"))
        assert came.orders == ORDERS[slug][1:2], came.text

    @some_ruleset([OVERLORD, DIPLOMACY])
    @pytest.mark.parametrize(
        "heading", ["These replace my old orders:", "Not my old orders:", "Sorry, wrong turn:", "Former ally,"]
    )
    def test_that_only_speak_of_such_orders_do_not(self, slug: str, heading: str) -> None:
        assert came_of(slug, written(slug, f"{heading}\n{{0}}")).orders == ORDERS[slug][:1]

    @some_ruleset([OVERLORD, DIPLOMACY])
    @pytest.mark.parametrize("about", ["Ignore my previous orders", "My orders were wrong"])
    def test_are_no_sentences_about_orders_that_were_sent_before(self, slug: str, about: str) -> None:
        assert came_of(slug, written(slug, f"{about}\n{{0}}")).orders == ORDERS[slug][:1]

    def test_of_orders_that_count_no_more_refuse_a_letter_that_is_read_as_a_whole(self) -> None:
        came = came_of(CONQUEST, written(CONQUEST, "Old orders:\n{0}\n\nNew orders:\n{1}"))
        assert (came.orders, "NOT TAKEN" in came.subject) == ((), True), came.text

    @some_ruleset(ORDERS)
    @pytest.mark.parametrize("text", ["I lost too much in\nturn 9\n\n{0}", "Well, Ann, see you\nnext turn\n\n{0}"])
    def test_are_not_the_ends_of_sentences_that_a_program_has_wrapped(self, slug: str, text: str) -> None:
        came = came_of(slug, written(slug, text))
        assert came.orders == ORDERS[slug][:1], came.text

    @some_ruleset([CONQUEST, OVERLORD, DIPLOMACY])
    @pytest.mark.parametrize("heading", ["T1 orders", "Turn 01:", "Turn 1\n", "Turn one:"])
    def test_of_this_turn_cost_nothing(self, slug: str, heading: str) -> None:
        came = came_of(slug, written(slug, f"{heading}\n{{0}}"))
        assert (came.orders, "not read" in came.subject, "refused" in came.subject) == (ORDERS[slug][:1], False, False), (
            came.text
        )

    def test_of_which_there_are_very_many_let_no_order_count_that_stands_beyond_the_most_lines(self) -> None:
        came = came_of(OVERLORD, written(OVERLORD, "Turn 9\n{0}\n" * 3000))
        assert (came.orders, came.subject.endswith("NOT TAKEN: 250 lines for another turn not read")) == ((), True)

    @pytest.mark.parametrize("text", ["Red, turn 9\n{0}", "{0}\n\nTurn 9\n{1}", "Turn 9\n\n{0}"])
    def test_of_another_turn_refuse_a_letter_that_is_read_as_a_whole(self, text: str) -> None:
        came = came_of(CONQUEST, written(CONQUEST, text))
        assert (came.orders, "NOT TAKEN" in came.subject) == ((), True), came.text
        assert "below the heading of another turn; this is turn 1." in came.text

    @pytest.mark.parametrize(
        "heading",
        [
            *("Fall 1901:", "Fall 1901\n", "F1901", "F01:", "Autumn 1901\n===========", "Orders for Fall:", "Fall moves\n"),
            *(
                "F 1901",
                "F-1901:",
                "F.1901",
                "Fal 1901",
                "AUT. 1901:",
                "Fall '01",
                "F'01",
                "S 1902",
                "Spring '02:",
                "F/1901 moves",
            ),
            *(
                "Austria, Fall 1901",
                "*Fall 1901*",
                "1902:",
                "S1902",
                "(Autumn)",
                "Winter 1901:",
                "Spring 1902 orders:",
                "Fall 1901 orders follow:",
                "I'll play in fall 1901:",
                "My orders. Fall 1901:",
                "Österreich F01:",
                "Austria's fall 1901 orders",
                "Austria’s orders for fall 1901:",
                "Orders for Austria, fall 1901",
            ),
        ],
    )
    def test_of_another_season_keep_orders_from_counting(self, heading: str) -> None:
        came = came_of(DIPLOMACY, written(DIPLOMACY, f"{heading}\n{{0}}\n\n{{1}}"))
        assert (came.orders, came.subject.endswith("NOT TAKEN")) == ((), True), came.text
        assert "below a heading for another season or turn" in came.text
        assert "For example" not in came.text
        both = came_of(DIPLOMACY, written(DIPLOMACY, f"Spring 1901\n{{0}}\n\n{heading}\n{{1}}"))
        assert (both.orders, "1 refused" in both.subject) == (ORDERS[DIPLOMACY][:1], True), both.text

    @pytest.mark.parametrize(
        "heading",
        [
            *("Spring 1901:", "S1901", "S01:", "Spring moves\n", "Austria, Spring 1901", "AUSTRIA - Spring 1901 orders:"),
            *("Spring 1901\n===========", "My orders for spring", "Turn 1, spring 1901"),
            *("Austria's Spring 1901 orders", "Austria’s orders for spring 1901:", "Austrian moves"),
            *("S 1901", "S-1901", "S.1901:", "SPR 1901", "SPR-01", "Spring '01", "S/1901M", "S 01", "Austria, Spr. 1901"),
        ],
    )
    def test_of_this_season_cost_nothing(self, heading: str) -> None:
        came = came_of(DIPLOMACY, written(DIPLOMACY, f"{heading}\n{{0}}\n{{1}}"))
        assert (came.orders, came.subject.endswith("orders in")) == (ORDERS[DIPLOMACY][:2], True), came.text

    @pytest.mark.parametrize(
        "text",
        [
            "Here are my spring orders, the fall orders follow in August.\n\n{0}\n{1}", "I'll send the fall orders.\n{0}\n{1}",
            "These are my moves. Fall orders to follow.\n{0}\n{1}", "I have your fall orders\n\n{0}\n{1}",
            "I lost too much in\nfall 1901.\n{0}\n{1}", "We met last\nautumn.\n\n{0}\n{1}",
            "Sorry, I was away in\nautumn\n{0}\n{1}",
            "I would have written earlier, but there was no time for that before\nAutumn 1901\n\n{0}\n{1}",
        ],
    )  # fmt: skip
    def test_are_no_sentences_that_speak_of_another_season(self, text: str) -> None:
        came = came_of(DIPLOMACY, written(DIPLOMACY, text))
        assert came.orders == ORDERS[DIPLOMACY][:2], came.text

    @pytest.mark.parametrize("text", ["Win 18!\n{0}\n{1}", "{0}\nI want to win 18 centers.\n{1}"])
    def test_are_no_numbers_beside_a_word_that_begins_like_a_season(self, text: str) -> None:
        came = came_of(DIPLOMACY, written(DIPLOMACY, text))
        assert came.orders == ORDERS[DIPLOMACY][:2], came.text

    @pytest.mark.parametrize("text", ["{0}\nNext turn {1}", "{0}\nThen next season {1}", "{0}\nNext spring {1}"])
    def test_before_an_order_in_its_own_line_keep_it_from_counting(self, text: str) -> None:
        came = came_of(DIPLOMACY, written(DIPLOMACY, text))
        assert (came.orders, "1 refused" in came.subject) == (ORDERS[DIPLOMACY][:1], True), came.text

    @pytest.mark.parametrize(
        "text", ["Spring 1901", "Fall 1901:\n\nSTATUS", "Austria, spring moves\n\nBest wishes,\nAnn", "Retreats:"]
    )
    def test_without_orders_below_them_are_no_orders(self, text: str) -> None:
        assert "orders in" not in came_of(DIPLOMACY, text).subject

    def test_of_summer_are_for_retreats(self) -> None:
        came = came_of(DIPLOMACY, written(DIPLOMACY, "Spring 1901\n{0}\nSummer 1901\nA VIE - TYR"))
        assert came.orders == ("A BUD - SER", "A VIE R TYR")

    @pytest.mark.parametrize(
        "heading",
        [
            *(
                "Italy Spring 1901 orders",
                "Italy's orders",
                "Italian moves",
                "Italy’s orders for spring 1901:",
                "Italy's orders for spring 1901",
            ),
            *("Orders for Italy:", "English orders", "The orders of Italy:"),
        ],
    )
    def test_of_another_power_keep_orders_from_counting(self, heading: str) -> None:
        came = came_of(DIPLOMACY, written(DIPLOMACY, f"{heading}\n{{0}}\n\nAustria's orders\n{{1}}"))
        assert came.orders == ORDERS[DIPLOMACY][1:2], came.text

    @pytest.mark.parametrize(
        ("lead", "taken"),
        [
            ("Orders for Austria, Spring 1901:", 2), ("Austria S01:", 2), ("Austria, S1901:", 2), ("Orders for Austria:", 2),
            ("Austrian orders for spring:", 2), ("Orders for Austria, Fall 1901:", 0), ("Austria F01:", 0), ("Italy S01:", 0),
            ("Orders for Italy, Spring 1901:", 0), ("S 1901:", 2), ("F 1901:", 0), ("F-1901M:", 0),
        ],
    )  # fmt: skip
    def test_in_the_line_of_the_orders_name_power_and_season(self, lead: str, taken: int) -> None:
        came = came_of(DIPLOMACY, written(DIPLOMACY, f"{lead} {{0}}, {{1}}"))
        assert came.orders == ORDERS[DIPLOMACY][:taken], came.text

    @some_ruleset(ORDERS)
    @pytest.mark.parametrize(
        "heading",
        [
            *("Tomorrow:", "Tom:", "Für später:", "Tomorrow:\n", "What I would do in your place:\n"),
            "My orders for the next turn:\n",
        ],
    )
    def test_that_nobody_knows_are_told(self, slug: str, heading: str) -> None:
        came = came_of(slug, written(slug, f"{heading}\n{{0}}"))
        assert (came.orders, came.subject.endswith("words not read")) == (ORDERS[slug][:1], True), came.text

    @some_ruleset(ORDERS)
    @pytest.mark.parametrize(
        "heading", ["Turn {turn}:", "Turn {turn}", "Turn {turn}\n----\n", "{seat}, turn {turn}", "My orders are:", "Dear GM:\n"]
    )
    def test_of_this_turn_and_greetings_cost_nothing(self, slug: str, heading: str) -> None:
        this = heading.format(turn=0 if slug == CLUSTER else 1, seat=SEATS[slug])
        came = came_of(slug, written(slug, f"{this}\n{{0}}"))
        assert (came.orders, "not read" in came.subject) == (ORDERS[slug][:1], False), came.text


@pytest.mark.parametrize("text", ["scrap that", "Forget the above.", "no wait", "cancel the above"])
def test_a_refused_line_that_may_take_back_the_order_above_is_told_in_the_subject(text: str) -> None:
    came = came_of(DIPLOMACY, written(DIPLOMACY, f"{{0}}\n{text}\n{{1}}"))
    assert came.orders == ORDERS[DIPLOMACY][:2], came.text
    assert came.subject.endswith("words not read")
    assert f'"{text}" may be about your orders' in came.text


def test_a_refused_order_with_a_word_of_change_is_told_as_such() -> None:
    came = came_of(DIPLOMACY, written(DIPLOMACY, "{0}\nF Tri - Albb not Adr"))
    assert came.orders == ORDERS[DIPLOMACY][:1], came.text
    assert came.subject.endswith("1 refused")


def test_a_sign_up_for_another_game_keeps_its_lines_and_is_told_where_to_go() -> None:
    for line in ("JOIN somewhere-else", "join nebula-9", "JOIN Nebula AS Austria"):
        came = came_of(DIPLOMACY, written(DIPLOMACY, f"{line}\n{{0}}"))
        assert came.orders == (), line
        assert "To join another game, write a new mail instead of a reply." in came.text


def test_join_us_is_no_sign_up_that_takes_the_lines_below_it() -> None:
    came = came_of(DIPLOMACY, written(DIPLOMACY, "Join us!\n{0}"))
    assert came.orders == (written(DIPLOMACY, "{0}"),), came.text


class TestWhatIsLikeTheHeadOfAMemo:
    @pytest.mark.parametrize(
        "line",
        [
            "Ignore these orders of: Austria", "Not the orders of: Austria", "Not valid before: Mon 30 Nov 2026",
            "Only if still no answer by: Mon 23 Nov 2026", "As planned by Italy:", "As agreed with Italy to be played by her:",
        ],
    )  # fmt: skip
    def test_is_told_if_it_leaves_orders_open(self, line: str) -> None:
        came = came_of(DIPLOMACY, written(DIPLOMACY, f"{line}\n{{0}}"))
        assert came.subject.endswith("words not read"), came.text

    @pytest.mark.parametrize("line", ["Armies at Aquila: 1", "Fleets at Aquila: 1"])
    def test_is_an_order_if_it_has_words_of_orders(self, line: str) -> None:
        assert came_of(CLUSTER, f"{line}\nBuild army at Aquila").orders == ()

    @pytest.mark.parametrize(
        "head",
        [
            "From: Austria\nTo: GM\nSubject: 12 ideas for Italy\nDate: 3 Nov 2026",
            "From: Austria and Italy\nSent: 3 Nov 2026\nTo: Austria",
            "As agreed, here is what Tom <tom@x.test> wrote on Mon, 3 Nov 2026 at 10:00:",
        ],
    )
    def test_is_somebodys_mail_if_it_has_more_than_the_seat(self, head: str) -> None:
        came = came_of(DIPLOMACY, written(DIPLOMACY, f"{head}\n\n{{0}}\n{{1}}\n{{2}}"))
        assert (came.orders, "NOT READ: 3 orders in a quote" in came.subject) == ((), True), came.text

    def test_is_read_over_if_it_names_the_seat_alone(self) -> None:
        came = came_of(DIPLOMACY, written(DIPLOMACY, "From: Austria\nTo: GM\nDate: 3 Nov 2026\n\n{0}"))
        assert (came.orders, came.subject.endswith("orders in")) == (ORDERS[DIPLOMACY][:1], True), came.text


@pytest.mark.parametrize("line", ["and with what is left please repair.", "in case it matters, I will repair."])
def test_what_ends_a_sentence_below_orders_like_one_is_told(line: str) -> None:
    came = came_of(OVERLORD, written(OVERLORD, f"{{0}}\n{line}"))
    assert came.subject.endswith("words not read"), came.text


@pytest.mark.parametrize("order", ["A VIE S A BUD -- gal for sure", "A VIE S A BUD -- Gal as we said"])
def test_dashes_lead_to_a_goal_and_to_no_remark_where_the_rules_take_it(order: str) -> None:
    assert came_of(DIPLOMACY, order).orders == ()
    assert came_of(DIPLOMACY, "A VIE - GAL -- this is my move").orders == ("A VIE - GAL",)


@pytest.mark.parametrize("order", ["Build 16 Laserfrigates # disregard", "Build 16 Laserfrigates // dropped"])
def test_an_order_with_a_remark_of_one_word_is_asked_about(order: str) -> None:
    assert came_of(OVERLORD, order).orders == ()


SETUP = ("SQUADRON Flagship: J4 M6 S5 A20 R7 D6 AT Tarn 0308", "PLANET Westport: S5 A12 R5 D10 U2")


@pytest.mark.parametrize(
    ("old", "new"), [("Old set-up:", "New setup:"), ("Previous version:", "My orders:"), ("Old plan:", "New plan:")]
)
def test_an_old_set_up_does_not_count_beside_the_new_one(old: str, new: str) -> None:
    came = came_of("starship_squadrons", f"{old}\n{SETUP[1]}\n\n{new}\n{SETUP[0]}")
    assert len(came.orders) == 1, came.text
    assert came.orders[0].startswith("SQUADRON Flagship")
    assert "1 line of other orders not read" in came.subject
