"""What stands around an order and is none of it can be taken away, from the least to the most."""

import pytest

from pbmd.desk.language.framing import CONCLUSION
from pbmd.desk.language.marks import MOST_INSIDES, insides, says_nothing
from pbmd.post.lines.text import normal, without_bullet
from tests.processor_time import takes_at_most


def inside(text: str) -> list[str]:
    return list(insides(without_bullet(normal(text))))


@pytest.mark.parametrize(
    "text",
    [
        "*Train spy*", "**Train spy**", "_Train spy_", "/Train spy/", "`Train spy`",
        "```Train spy```", '"Train spy"', "«Train spy»",
        "„Train spy“", "'Train spy'", "*_Train spy_*", "*Train* spy", "Train **spy**", "*Train spy",
        "Train spy*", "| Train spy |",
        "a) Train spy", "(a) Train spy", "B. Train spy", "i. Train spy", "(iv) Train spy",
        "12.) Train spy", "1.Train spy",
        "o   Train spy", "§  Train spy", "\uf0a7  Train spy", "·  Train spy", "➢ Train spy",
        "✓ Train spy", "-> Train spy",
        "=> Train spy", "--> Train spy", "→ Train spy", ">> Train spy", "- [x] Train spy",
        "[X] Train spy", "* [✓] Train spy",
        "👉 Train spy", "1️⃣ Train spy", "⓵ Train spy", "✅ Train spy", "Train spy 👍",
        "🚀🚀 Train spy 🚀🚀", "+ Train spy",
        "Train spy (as agreed)", "Train spy [as agreed with Ann]", "Train spy <eom>",
        "Train spy (thanks!)", "2) *Train spy* (as agreed).",
        "a) *Train spy*", "1. a) Train spy",
        "Train spy :)", "Train spy ;-)", "Train spy :D", "Train spy =)", "Train spy <3", "Train spy ^^", "1. *Train spy* :-(",
        "Train spy, thanks!", "Train spy. Thank you",
        "Train spy, thanks a lot!", "Train spy. Many thanks", "Train spy thank you very much",
        "Train spy // as agreed with Ann", "Train spy -- as ever", "Train spy # see above", "| Train | spy |", "|Train|spy|",
        "Please Train spy", "please, Train spy", "Train spy please", "Train spy, please!", "☑ Train spy",
        "We will Train spy", "We shall Train spy", "I would like to Train spy", "Let's Train spy", "let us Train spy",
        "Train spy (just in case)", "Train spy, hopefully",
        "Train spy at all costs",
        "1st: Train spy", "2nd, Train spy", "3rd) Train spy", "Step 4: Train spy", 'Train "spy"',
    ],
)  # fmt: skip
def test_what_stands_around_an_order_is_taken_away(text: str) -> None:
    assert "Train spy" in [without_bullet(normal(text)), *inside(text)]
    assert len(inside(text)) <= MOST_INSIDES


@pytest.mark.parametrize(
    "text",
    [
        "~~Train spy~~", "-Train spy-", "❌ Train spy", "Train spy?", "*Train spy?*", "!Train spy",
        "Train spy (not)", "Train spy 👎",
        "Train spy (if Red attacks)", "Train spy (only 2)", "Train spy (maybe)", "[ ] Train spy",
        "(Train spy)", "no: Train spy",
        "☐ Train spy", "⬜ Train spy", "❓ Train spy", "Train spy؟", "🗑️ Train spy", "🤔 Train spy", "Train spy (❓)",
        "// Train spy", "/* Train spy */", "; Train spy",
        "Train spy // never", "Train spy # tbc", "Train spy // 2", "Train spy (assuming Ann agrees)",
        "Train spy (should Ann come)",
        "Train spy (in case Ann comes)", "Train spy (provided that Ann stays)", "Train spy (depends on Ann)",
        "Train spy // not now", "Train spy -- only two", "Train spy // or build", "Train spy -- Ann", "Train | spy",
        "Train spy :❌", "Train spy :?", "Train spy ;-❌", "Train spy :👎", "Train spy =~",
        "Train spy (tbc)", "Train spy (T.B.D.)", "Train spy (draft)", "Train spy (provisional)", "Train spy [probably]",
        "1st choice: Train spy", "2nd Train spy", "e.g. Train spy", "E. g.: Train spy", "Train spy (n)", "Train spy (x)",
        "Train spy (idea)", "Train spy (just an idea)", "Train spy (plan B)", "Train spy (stop)", "Train spy (half)",
        "Train spy (last turn)", "Train spy (to be confirmed)", "Train spy (wait for my next mail)",
    ],
)  # fmt: skip
def test_what_may_take_an_order_back_is_not(text: str) -> None:
    assert "Train spy" not in inside(text)


@pytest.mark.parametrize("text", ["Attack Cygnus :4", "A Vie -T", "Defend 3:2", "Attack Cygnus (2)"])
def test_what_may_be_part_of_an_order_is_no_face(text: str) -> None:
    assert all(text.split()[-1].strip("()") in each for each in inside(text))


@pytest.mark.parametrize("text", ["Gift 1,400 gold", "Gift 1.400 gold", "Gift 1'400 gold", "- Gift 1,400 gold"])
def test_marks_between_thousands_are_taken_away(text: str) -> None:
    assert "Gift 1400 gold" in inside(text)


@pytest.mark.parametrize(
    "text", ["Gift 1,40 gold", "Gift 1,4000 gold", "Gift 1, 400 gold", "Gift 0.1,400", "Gift A1,400", "1,400.50"]
)
def test_other_marks_between_digits_are_not(text: str) -> None:
    assert not any("1400" in each or "140 " in each for each in inside(text))


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Attack Cygnus with my 15 ships", "Attack Cygnus with 15 ships"),
        ("Attack Cygnus with the two ships", "Attack Cygnus with 2 ships"),
        ("Build a new base", "Build a base"),
        ("Build two new bases", "Build 2 bases"),
        ("Build sixteen bases", "Build 16 bases"),
        ("Build ninety bases", "Build 90 bases"),
        ("Build Twenty-one bases", "Build 21 bases"),
        ("Build twenty two bases", "Build 22 bases"),
        ("Build a dozen bases", "Build 12 bases"),
        ("Build half a dozen bases", "Build 6 bases"),
        ("Build ½ dozen bases", "Build 6 bases"),
        ("Train spy because Red is strong", "Train spy"),
        ("Train spy, because I can!", "Train spy"),
        ("Train spy (good idea)", "Train spy"),
        ("Train spy as agreed with Borealis", "Train spy"),
        ("Train spy, as discussed.", "Train spy"),
        ("Train spy this turn", "Train spy"),
        ("Train spy now!", "Train spy"),
        ("Train spy just in case", "Train spy"),
        ("Train spy pls", "Train spy"),
        ("Train spy. Thx!", "Train spy"),
        ("Build five (5) bases", "Build 5 bases"),
        ("Build 5 (five) bases", "Build 5 bases"),
    ],
)
def test_what_changes_no_order_is_taken_away_from_within(text: str, read: str) -> None:
    assert read in inside(text)


@pytest.mark.parametrize(
    "text",
    [
        "Train spy because Red attacks, build base", "Train spy because Red attacks and build base",
        "Train spy because if not I lose", "Train spy because of turn 5", "Build a base named New Rigel",
        "Attack with the 2nd fleet", "Train spy just in case Red attacks", "Train spy next turn", "Build five (6) bases",
        "Train spy as Red does", "Train spy now or never",
    ],
)  # fmt: skip
def test_what_may_say_more_stays(text: str) -> None:
    assert all(each.split()[-1] == text.split()[-1] for each in inside(text))
    assert not any("New" in text and "New" not in each for each in inside(text))


@pytest.mark.parametrize("text", ["Train spy", "A PAR - BUR", "Build 4 Laserfrigates, 2 Torpedocruisers", "5", ""])
def test_a_plain_line_has_nothing_inside(text: str) -> None:
    assert inside(text) == []


def test_digits_of_any_script_are_read_and_no_other_number() -> None:
    assert normal("Build ٦ Laserfrigates, ３ Spies, १२ Bases") == "Build 6 Laserfrigates, 3 Spies, 12 Bases"


@pytest.mark.parametrize("text", ["Build two dozen bases", "Build dozens of bases", "Build a baker's dozen bases"])
def test_other_numbers_in_words_are_no_numbers(text: str) -> None:
    assert not any(any(map(str.isdigit, each)) and "dozen" not in each for each in inside(text))


@pytest.mark.parametrize("text", ["Build fıve bases", "Build sıxteen bases"])
def test_letters_of_other_alphabets_make_no_number(text: str) -> None:
    assert not any(map(str.isdigit, "".join(inside(text))))


def test_raised_digits_and_fractions_make_no_other_number_of_the_one_beside_them() -> None:
    assert normal("Build 2² bases, 4 Laserfrigates¹, A₁") == "Build 2^2 bases, 4 Laserfrigates^1, A1"
    assert normal("Build 2½ bases") == "Build 2 1/2 bases"


def test_the_number_of_an_item_alone_is_known() -> None:
    assert all(says_nothing(label) for label in ("2.", "a)", "(iii)", "12.)", "* 3."))
    assert not any(says_nothing(text) for text in ("2", "A", "Add 2.", "mix.", "no."))


def test_hostile_lines_cost_little() -> None:
    for text in ("*" * 300, "(" * 299 + ")", "a)" * 150, "*a " * 100, "<" * 300, "x" * 100_000, "(a" * 140 + ")"):
        assert len(list(insides(text))) <= MOST_INSIDES


@pytest.mark.parametrize(
    "text",
    [
        "Build two bases", "Train spy please", "Train spy thanks", "a: Train spy", "1- Train spy", "12 - Train spy",
        "and Train spy", "my orders: Train spy", "Train spy :D", "Train spy -- that is all", "Build 1,400 bases",
    ],
)  # fmt: skip
def test_a_line_of_words_and_numbers_alone_may_have_marks_as_well(text: str) -> None:
    assert inside(text)


@pytest.mark.parametrize("sign", [",", "….", ", ", ". and ", "and that's "])
def test_signs_without_end_take_no_longer_than_a_line(sign: str) -> None:
    text = f"a{sign * 1000}"
    with takes_at_most(0.1):
        inside(f"{text[:298]}b")
        CONCLUSION.search(text)
