"""Names on a map: none upon another or upon a node, whatever the map."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbmd.rendering.labels import LINE_HEIGHT, RADIUS, RING, WIDTH, Box, Places, fitted, place_labels, text_width
from rulesets.cosmic_conquest.world.galaxy import MAPS


def boxes(places: Places) -> list[Box]:
    return [label.box for label in places.labels if label]


def assert_readable(places: Places) -> None:
    """Nothing lies upon a label, and all labels are on the sheet."""
    for one, other in combinations(boxes(places), 2):
        assert not one.meets(other)
    reach = RADIUS + RING
    for box in boxes(places):
        assert box.left >= 0
        assert box.right <= WIDTH
        assert box.top >= 0
        assert box.bottom <= places.height
        for x, y in places.centres:
            assert not box.meets(Box(x - reach + 3, y - reach + 3, x + reach - 3, y + reach - 3))


def standard() -> tuple[tuple[tuple[float, float], ...], tuple[str, ...], tuple[tuple[int, int], ...]]:
    galaxy = MAPS["standard33"]
    links = [(galaxy.place[a.name], galaxy.place[b]) for a in galaxy.stars for b in a.neighbours if a.name < b]
    return tuple((s.x, s.y) for s in galaxy.stars), tuple(f"{s.name} 35" for s in galaxy.stars), tuple(sorted(links))


def test_on_the_standard_map_every_system_has_its_name():
    places = place_labels(*standard())
    assert None not in places.labels
    assert_readable(places)


@pytest.mark.parametrize("value", ["0", "7", "10", "35"])
def test_on_the_standard_map_no_line_to_a_name_goes_through_another_name(value):
    points, texts, links = standard()
    places = place_labels(points, tuple(text.replace("35", value) for text in texts), links)
    assert_readable(places)
    for one, label in enumerate(places.labels):
        for other, box in enumerate(boxes(places)):
            assert one == other or not label.leader or not crosses((places.centres[one], label.leader), box)


def crosses(line: tuple[tuple[float, float], tuple[float, float]], box: Box) -> bool:
    """Whether one of many points of the line lies in the box."""
    (x, y), (to_x, to_y) = line
    points = ((x + (to_x - x) * part / 200, y + (to_y - y) * part / 200) for part in range(201))
    return any(box.left < x < box.right and box.top < y < box.bottom for x, y in points)


def test_the_same_map_always_lies_the_same():
    first = place_labels(*standard())
    place_labels.cache_clear()
    assert place_labels(*standard()) == first


@given(
    st.lists(st.tuples(st.integers(0, 100), st.integers(0, 100)), min_size=1, max_size=40),
    st.integers(1, 30),
    st.randoms(use_true_random=False),
)
@settings(max_examples=40, deadline=None, derandomize=True, database=None)
def test_on_any_map_no_label_lies_upon_another_or_upon_a_node(points, length, chance):
    texts = tuple("x" * chance.randint(1, length) for _ in points)
    links = tuple((place, place + 1) for place in range(len(points) - 1))
    assert_readable(place_labels(tuple(points), texts, links))


def test_a_label_without_room_is_left_out_and_not_laid_upon_others():
    places = place_labels(((5.0, 5.0),) * 60, ("Somewhere",) * 60, ())
    assert None in places.labels
    for one, other in combinations(boxes(places), 2):
        assert not one.meets(other)


def test_a_label_wider_than_the_sheet_is_left_out():
    assert place_labels(((1.0, 1.0), (2.0, 2.0)), ("m" * 60, "Sol"), ()).labels[0] is None


@pytest.mark.parametrize("points", [((3.0, 3.0),), ((1.0, 1.0), (1.0, 9.0)), ((1.0, 1.0), (9.0, 1.0))])
def test_points_in_one_place_or_row_are_no_trouble(points):
    places = place_labels(points, ("Sol",) * len(points), ())
    assert None not in places.labels
    assert_readable(places)


def test_names_are_no_taller_than_a_line():
    assert {round(box.bottom - box.top, 6) for box in boxes(place_labels(*standard()))} == {LINE_HEIGHT}


@pytest.mark.parametrize("text", ["Alpha Centauri", "MMMMMMMM", "星" * 30, ""])
def test_what_is_too_wide_is_shortened(text):
    short = fitted(text, 100)
    assert text_width(short) <= 100
    assert short == text or short.endswith("…")
