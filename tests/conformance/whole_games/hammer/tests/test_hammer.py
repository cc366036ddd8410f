"""The rules of Hammer, one by one. What every ruleset must keep is looked at by `pbmd try`."""

from pathlib import Path
from typing import Any

from pbmd.rules import Mail, Receipt, ScriptedDice, Signup, Status, seat_reader
from pbmd.rules.lines import order_lines
from pbmd.rules.options import complete
from pbmd.rules.registry import from_folder

RULES = from_folder(Path(__file__).parents[1])


def begun(
    reserve: int = 1, pile: tuple[str, ...] = ("opal",), sale: tuple[str, ...] = ("ruby",), **dealers: tuple[int, str]
) -> Any:
    """A game of these seats with so much money and such gems, a ruby on sale."""
    rows = [{"name": name, "money": money, "hand": hand.split()} for name, (money, hand) in dealers.items()]
    return RULES.load(
        {"ruleset": "hammer", "dealers": rows, "sale": [*sale], "reserve": reserve, "pile": list(pile), "bank": 0}
    )


def send(position: Any, seat: str, text: str) -> Receipt[Any]:
    """What comes of a letter."""
    return RULES.receive(position, Mail(seat, order_lines(text), (len(RULES.sheets(position)), 0)))


def after(position: Any, *rolls: int, **letters: str) -> Any:
    """The document after these letters, with these rolls of the dice."""
    for seat, text in letters.items():
        position = send(position, seat, text).position
    return RULES.dump(RULES.resolve(position, ScriptedDice(rolls)).position)


def money(document: Any) -> list[int]:
    """What each has."""
    return [each["money"] for each in document["dealers"]]


def told(position: Any, seat: str, text: str) -> list[Status]:
    """What is said of the lines."""
    return [each.status for each in send(position, seat, text).verdicts]


def test_a_game_begins() -> None:  # HM-1, HM-2
    options = complete(RULES.info.options, {"lots": 3})
    document = RULES.dump(RULES.setup([Signup("Ann"), Signup("Bob")], options, ScriptedDice([3, 2, 4])))
    assert (document["sale"], document["pile"], document["reserve"]) == (["ruby"], ["jade", "opal"], 4)
    assert money(document) == [30, 30]


def test_the_highest_bid_wins_and_the_first_of_equal_ones() -> None:  # HM-3
    assert money(after(begun(Ann=(9, ""), Bob=(9, "")), 1, Ann="Bid 4", Bob="Bid 5")) == [9, 4]
    assert money(after(begun(Ann=(9, ""), Bob=(9, "")), 1, Bob="Bid 5", Ann="Bid 5")) == [9, 4]


def test_bids_below_the_reserve_do_not_count() -> None:  # HM-3
    assert after(begun(3, Ann=(9, ""), Bob=(9, "")), 1, Ann="Bid 2")["unsold"] == ["ruby"]
    assert after(begun(3, Ann=(9, ""), Bob=(9, "")), 1, Ann="Bid 3")["bank"] == 3
    assert told(begun(Ann=(9, ""), Bob=(9, "")), "Ann", "Bid 0") == [Status.ERROR, Status.ERROR]


def test_what_can_be_bid() -> None:  # HM-3
    assert told(begun(Ann=(9, ""), Bob=(9, "")), "Ann", "Bid 10\nBid 9\nBid 1") == [Status.ERROR, Status.OK, Status.ERROR]


def test_a_trade_needs_both() -> None:  # HM-4, HM-5
    position = begun(Ann=(9, "jade"), Bob=(29, ""))
    assert money(after(position, 1, Ann="Sell jade to Bob for 20")) == [9, 29]
    done = after(position, 1, Ann="Sell jade to Bob for 20", Bob="Buy jade from Ann for 20")
    assert money(done) == [27, 9]
    assert done["bank"] == 2
    assert done["dealers"][1]["hand"] == ["jade"]


def test_the_fee_is_rounded_down() -> None:  # HM-5
    position = begun(Ann=(9, "jade"), Bob=(19, ""))
    assert money(after(position, 1, Ann="Sell jade to Bob for 19", Bob="Buy jade from Ann for 19")) == [27, 0]


def test_a_price_is_at_least_one_and_what_the_buyer_has_at_most() -> None:  # HM-4
    position = begun(Ann=(9, "jade"), Bob=(9, ""))
    for line in ("Buy jade from Ann for 0", "Buy jade from Ann for 10", "Buy jade from Bob for 1"):
        assert told(position, "Bob", line)[0] is Status.ERROR
    assert told(position, "Ann", "Sell jade to Bob for 0")[0] is Status.ERROR


def test_trades_come_before_the_auction() -> None:  # HM-6
    position = begun(Ann=(9, "jade"), Bob=(9, ""))
    done = after(position, 1, Ann="Sell jade to Bob for 9\nBid 9", Bob="Buy jade from Ann for 9\nBid 9")
    assert money(done) == [9, 0]


def test_a_gem_is_offered_once_by_who_has_it() -> None:  # HM-4
    assert told(begun(Ann=(9, "jade"), Bob=(9, "")), "Ann", "Sell jade to Bob for 2\nSell jade to Bob for 3") == [
        Status.OK,
        Status.ERROR,
    ]
    assert told(begun(Ann=(9, ""), Bob=(9, "")), "Bob", "Sell jade to Ann for 2")[0] is Status.ERROR


def test_who_cannot_pay_any_more_gets_nothing() -> None:  # HM-6
    position = begun(Ann=(9, "jade jade"), Bob=(9, ""))
    done = after(
        position,
        1,
        Ann="Sell jade to Bob for 8\nSell jade to Bob for 7",
        Bob="Buy jade from Ann for 8\nBuy jade from Ann for 7",
    )
    assert money(done) == [17, 1]


def test_a_trade_is_known_to_the_two() -> None:  # HM-6
    position = begun(Ann=(9, "jade"), Bob=(9, ""), Cem=(9, ""))
    for seat, text in {"Ann": "Sell jade to Bob for 2", "Bob": "Buy jade from Ann for 2"}.items():
        position = send(position, seat, text).position
    done = RULES.resolve(position, ScriptedDice([1]))
    seen = {seat: RULES.view(done.position, done.events, seat_reader(seat)).data["told"] for seat in ("Ann", "Cem")}
    assert "Ann sold a jade to Bob for 2; the fee was 0." in seen["Ann"]
    assert seen["Cem"] == ["Nobody bid enough for the ruby."]


def test_who_has_most_points_wins() -> None:  # HM-7
    last = begun(pile=(), Ann=(9, "jade opal"), Bob=(19, ""))
    won = RULES.outcome(RULES.resolve(send(last, "Ann", "Bid 1").position, ScriptedDice([])).position)
    assert won is not None
    assert won.winners == ("Ann",)


def test_of_equal_ones_the_richest_wins() -> None:  # HM-7
    won = RULES.outcome(begun(pile=(), sale=(), Ann=(3, "jade jade"), Bob=(6, "jade"), Cem=(2, "ruby")))
    assert won is not None
    assert won.winners == ("Bob",)
    assert RULES.outcome(begun(pile=(), Ann=(3, ""), Bob=(6, ""))) is None


def test_who_sends_nothing_does_nothing_and_all_get_to_know() -> None:  # HM-8
    missed = RULES.miss(begun(Ann=(9, ""), Bob=(9, "")), "Bob").position
    assert RULES.resolve(missed, ScriptedDice([1])).events[0].audience is None
