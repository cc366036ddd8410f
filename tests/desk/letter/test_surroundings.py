"""Who talks about orders has not sent any: what would empty or cancel a sheet counts only where it stands by itself."""

import email.policy
from email.message import EmailMessage

import pytest

from pbmd.desk.mailroom import process_letters
from tests.desk.world import World, address_of, body_of, message_of

BEGUN = ["Add 3", "Add 4"]


@pytest.fixture
def ordered(running: World) -> World:
    running.send("Altair", "\n".join(BEGUN))
    return running


def answer_to(world: World, text: str) -> tuple[str, str]:
    """The subject and the words of an answer."""
    words = " ".join(world.send("Altair", text).split())
    return str(message_of(world.outbox("acknowledgement", "Altair")[-1])["Subject"]), words


class TestOrdersAlone:
    @pytest.mark.parametrize(
        "text",
        [
            "Orders:\nsame as before, thanks",
            "ORDERS\nunchanged",
            "ORDERS\n------\nunchanged since yesterday",
            "Orders\n\nAs sent yesterday.\n\nAltair",
            "*Orders*\n\nlooks good, thanks",
            "ORDERS FOR TURN 1\nsame as before",
            "Hi,\n\nOrders:\n(see below)\n\nAnn",
            "I am quite happy with my\norders\nas they are.",
            "ONLY\nORDERS\nas ever",
        ],
    )
    def test_above_talk_change_nothing_and_the_answer_says_how_it_is_written(self, ordered: World, text: str) -> None:
        subject, words = answer_to(ordered, text)
        assert ordered.sheet("Altair") == BEGUN
        assert subject.endswith("NOTHING CHANGED: ORDERS without orders")
        assert "If you want to give no orders this turn, send the single line NO ORDERS." in words

    @pytest.mark.parametrize(
        "text",
        [
            "ORDERS", "ORDERS FOR TURN 1", "Orders:\n# nothing this time", "Hi,\n\nORDERS\n\nThanks!", "Hello\n\nORDERS",
            "ORDERS\nAltair", "Hi all,\nORDERS\n\nBest wishes,\nBert", "ORDERS\n\nMany thanks\nAltair", "ORDERS\nREADY",
            "ORDERS\n\n-- \nBert\nOffice 3", "ORDERS\nEND\nThis mail is for its readers only.", "ONLY\nORDERS",
            "PRESS TO ALL\nas ever\nEND PRESS\nORDERS",
        ],
    )  # fmt: skip
    def test_are_an_empty_sheet(self, ordered: World, text: str) -> None:
        subject, words = answer_to(ordered, text)
        assert ordered.sheet("Altair") == [], words
        assert "NOTHING CHANGED" not in subject

    def test_above_a_quote_with_orders_change_nothing(self, ordered: World) -> None:
        subject, words = answer_to(ordered, "Orders:\n\n> Add 5")
        assert ordered.sheet("Altair") == BEGUN
        assert subject.endswith("NOTHING CHANGED: ORDERS without orders")
        assert "1 line that is an order stands in a quote" in words

    def test_above_orders_of_an_earlier_mail_that_are_on_file_change_nothing(self, ordered: World) -> None:
        forwarded = f"Orders:\n\n---------- Forwarded message ---------\nFrom: Ann <{address_of('Altair')}>\n\nAdd 3\nAdd 4"
        assert "NOTHING CHANGED" in answer_to(ordered, forwarded)[0]
        assert ordered.sheet("Altair") == BEGUN

    @pytest.mark.parametrize("kind", ["image/jpeg", "application/octet-stream"])
    def test_beside_a_file_that_is_not_read_change_nothing(self, ordered: World, kind: str) -> None:
        message = EmailMessage()
        message["From"], message["To"] = address_of("Altair"), ordered.reply_address("Altair")
        message["Message-ID"] = "<file@players.test>"
        message.set_content("Orders")
        maintype, subtype = kind.split("/")
        message.add_attachment(b"\xff\xd8\x00\x01" * 9, maintype=maintype, subtype=subtype, filename="orders")
        ordered.arrive(message.as_bytes(policy=email.policy.SMTP))
        process_letters(ordered.desk)
        mail = ordered.outbox("acknowledgement", "Altair")[-1]
        assert ordered.sheet("Altair") == BEGUN
        assert str(message_of(mail)["Subject"]).endswith("NOTHING CHANGED: ORDERS without orders")
        assert "a file that is not read" in " ".join(body_of(mail).split())

    def test_do_not_take_away_orders_below(self, ordered: World) -> None:
        answer_to(ordered, "Hello,\n\nhere come my\nOrders:\nAdd 7\n\nthat is all for today.\nAnn")
        assert ordered.sheet("Altair") == ["Add 7"]


class TestCancelOrders:
    @pytest.mark.parametrize(
        "text",
        [
            "Hi,\n\nis there a way to take back one of the lines, or do I have to\ncancel orders\nand begin again?\n\nAnna",
            "I wonder how to\ncancel orders\nin this system. Can you explain?",
            "They say that one can\nCANCEL ORDERS.\nIs that so?",
            "Cancel orders\nis what I should have written, is it not?",
        ],
    )
    def test_in_a_sentence_cancel_nothing_and_the_answer_says_how_it_is_written(self, ordered: World, text: str) -> None:
        subject, words = answer_to(ordered, text)
        assert ordered.sheet("Altair") == BEGUN
        assert subject.endswith("NOT CANCELLED: CANCEL ORDERS in a sentence")
        assert answer_to(ordered, f"{text}\n\nSTATUS")[0].endswith("status, orders not cancelled")
        assert "send the single line CANCEL ORDERS" in words

    @pytest.mark.parametrize(
        "text",
        [
            "CANCEL ORDERS\nthanks a lot", "CANCEL ORDERS\nsee you soon\nAnna", "Hi all\nCANCEL ORDERS",
            "CANCEL ORDERS", "Hi,\nCANCEL ORDERS\nAnna", "Hi,\n\nCANCEL ORDERS\n\nThanks!", "cancel orders\nplease",
            "Dear GM,\n\nI have made a mistake.\n\nCANCEL ORDERS\n\nNew ones will come tomorrow.\n\nAnna",
            "I have made a mistake.\nCancel my orders.\nthanks, and sorry for the noise", "WAIT\nCANCEL ORDERS\nSTATUS",
        ],
    )  # fmt: skip
    def test_cancels_them(self, ordered: World, text: str) -> None:
        assert "cancelled" in answer_to(ordered, text)[1]
        assert ordered.sheet("Altair") is None


class TestNothing:
    @pytest.mark.parametrize(
        "text", ["Nothing\nnew from me, just saying hello.", "I have\nnothing\nto add to that.", "Who would\npass\nhere?"]
    )
    def test_in_a_sentence_is_no_order(self, ordered: World, text: str) -> None:
        subject, words = answer_to(ordered, text)
        assert ordered.sheet("Altair") == BEGUN
        assert "NOT TAKEN" in subject
        assert "send it alone" in words

    def test_in_a_sentence_takes_nothing_from_the_orders_below(self, ordered: World) -> None:
        subject, _ = answer_to(ordered, "Nothing\nnew from me, just saying hello.\n\nAdd 7")
        assert ordered.sheet("Altair") == ["Add 7"]
        assert "refused" not in subject

    @pytest.mark.parametrize(
        "text", ["Nothing", "Hi,\nnothing this turn.\nthanks for asking", "pass\nplease", "No orders\n\nI am away.\n\nAnn"]
    )
    def test_by_itself_is_an_empty_sheet(self, ordered: World, text: str) -> None:
        answer_to(ordered, text)
        assert ordered.sheet("Altair") == []
