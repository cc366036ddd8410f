"""Lists of seats, in the ways in which people write them."""

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbmd.rules.preferences import NotAList, as_lines, from_lines, ranks_in, written

POWERS = {name: name[0] for name in ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")}
A, E, F, G, I, R, T = POWERS  # noqa: E741
CHAOS = {"Ankara": "A", "Berlin": "C", "St Petersburg": "3", "Rome": "X", "Rumania": "Y"}
FEG = ((F,), (E,), (G,))


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("F E G", FEG),
        ("FEG", FEG),
        ("feg", FEG),
        ("F,E,G", FEG),
        ("F > E > G", FEG),
        ("France, England and Germany", FEG),
        ("F then E or else G", FEG),
        ("f/e/g", FEG),
        ("France, England, Germany", FEG),
        ("france england germany", FEG),
        ("Fr Eng Ger", FEG),
        ("fra, eng, ger", FEG),
        ("FRA ITA GER", ((F,), (I,), (G,))),
        ("FE Germany", FEG),
        ("1. France 2. England 3. Germany", FEG),
        ("1) F, 2) E, 3) G.", FEG),
        ("F E G any", FEG),
        ("F [] E G", FEG),
        ("[ART][EFG]I", ((A, R, T), (E, F, G), (I,))),
        ("[A,R,T] > [England France, G] > I", ((A, R, T), (E, F, G), (I,))),
        ("[FR]T", ((F, R), (T,))),
        ("(TRA)FI", ((A, R, T), (F,), (I,))),
        ("Italy", ((I,),)),
        ("ITALY", ((I,),)),
        ("ITR", ((I,), (T,), (R,))),
        ("France, [England, Germany], Italy", ((F,), (E, G), (I,))),
        ("any", ()),
        ("None.", ()),
        ("no preference", ()),
        ("any power", ()),
        ("whichever", ()),
        ("*", ()),
        ("", ()),
        ("[AEFGIRT]", ()),
    ],
)
def test_a_list_is_read(text, ranks):
    assert ranks_in(text, POWERS, "power") == ranks


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("F E F", "France is in the list twice"),
        ("[FE] France", "France is in the list twice"),
        ("F Narnia", 'there is no power "Narnia"'),
        ("Frence", 'there is no power "Frence"; did you mean "france"?'),
        ("F [E G", "a bracket has no other that belongs to it"),
        ("[F [E]]", "a bracket has no other that belongs to it"),
        ("GE", "that can be Germany, or, by letters, Germany, England"),
        ("fra", "that can be France, or, by letters, France, Russia, Austria"),
        ("F any E", 'there is no power "any"'),
        ("please give me France", 'there is no power "please"'),
    ],
)
def test_a_text_that_is_no_list_is_refused_with_the_reason(text, problem):
    with pytest.raises(NotAList) as refusal:
        ranks_in(text, POWERS, "power")
    assert problem.casefold() in str(refusal.value).casefold()


@pytest.mark.parametrize(
    ("text", "ranks"),
    [
        ("St Petersburg Rome", (("St Petersburg",), ("Rome",))),
        ("3 X", (("St Petersburg",), ("Rome",))),
        ("st petersburg, y", (("St Petersburg",), ("Rumania",))),
        ("3XC", (("St Petersburg",), ("Rome",), ("Berlin",))),
    ],
)
def test_names_of_several_words_and_letters_that_begin_no_name(text, ranks):
    assert ranks_in(text, CHAOS, "power") == ranks


def test_seats_without_letters_are_named_by_their_beginnings():
    assert ranks_in("nb", {"North": "", "Below": ""}, "side") == (("North",), ("Below",))


@st.composite
def _ranks(draw):
    order = draw(st.permutations(list(POWERS)))[: draw(st.integers(0, 6))]
    ends = sorted(draw(st.sets(st.integers(1, len(order)))) | {len(order)}) if order else []
    return tuple(tuple(sorted(order[begin:end])) for begin, end in zip([0, *ends], ends, strict=False))


@given(_ranks())
def test_a_list_is_read_as_it_is_shown_and_kept(ranks):
    assert ranks_in(written(ranks), POWERS, "power") == ranks
    assert from_lines(as_lines(ranks)) == ranks


@given(st.text(max_size=60))
def test_no_text_makes_it_stumble(text):
    with suppress(NotAList):
        ranks = ranks_in(text, POWERS, "power")
        assert ranks_in(written(ranks), POWERS, "power") == ranks
