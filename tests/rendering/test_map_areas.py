"""Maps of areas: what may be said of them, and what is drawn."""

import re
from typing import Any

import pytest

from pbmd.rendering import areas
from pbmd.rendering.areas import read_areas, rings_of
from pbmd.rendering.labels import WIDTH
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.picture import inline_svg, picture_apart, picture_within, read_map, svg_png
from tests.rendering.maps import EVIL, OWNERS, assert_text_and_nothing_else, svg_of, words


def area(name: str, outline: str, at: tuple[int, int], owner: str = "", **more: Any) -> dict[str, Any]:
    """An area; `more` are its other fields."""
    return {
        "name": name,
        "label": name,
        "ground": "land",
        "owner": owner,
        "at": [*at],
        "centre": True,
        "outline": outline,
        **more,
    }


def island(**more: Any) -> dict[str, Any]:
    """A sheet with two halves of an island in the sea."""
    return {
        "title": "An island",
        "sheet": [400, 400],
        "grounds": [
            {"name": "sea", "fill": "#d0deea", "line": "#587b94", "ink": "#33566e"},
            {"name": "land", "fill": "#efe2c6", "line": "#1b2230", "ink": "#1b2230"},
        ],
        "areas": [
            area("SEA", "0 0 400 0 0 400 -400 0;100 100 0 200 200 0 0 -200", (50, 50), ground="sea", centre=False),
            area("WEST", "100 100 100 0 0 200 -100 0", (150, 200), "Red"),
            area("EAST", "200 100 100 0 0 200 -100 0", (250, 200)),
        ],
        "spots": [{"name": "EAST/SC", "at": [250, 290]}],
        "owners": OWNERS,
        "kinds": [
            {"name": "A", "shape": "box", "fill": "", "words": "army"},
            {"name": "F", "shape": "hull", "fill": "", "words": "fleet"},
        ],
        "legend": {"centre": "centre", "free": "free centre", "arrow": "moved", "failed": "failed", "displaced": "dislodged"},
        "notes": ["Whoever has both wins."],
        **more,
    }


def piece(at: str, owner: str = "Red", kind: str = "A", displaced: bool = False) -> dict[str, Any]:
    return {"at": at, "kind": kind, "owner": owner, "note": "", "displaced": displaced}


def arrow(*path: str, failed: bool = False) -> dict[str, Any]:
    return {"path": [*path], "owner": "Red", "failed": failed}


class TestOutlines:
    def test_are_read_as_points_of_rings(self):
        assert rings_of("10 20 5 0 0 5;1 1 1 0 0 -1 -1 0") == [
            [(10, 20), (15, 20), (15, 25)],
            [(1, 1), (2, 1), (2, 0), (1, 0)],
        ]

    @pytest.mark.parametrize(
        "outline", ["", "1 2 3 4", "1 2 3 4 5", "a", "1 2 3 4 5 6;", "1  2 3 4 5 6", "1 2 3 4 5 1e9", "٣ 2 1 1 1 1"]
    )
    def test_that_are_none_are_said_to_be(self, outline):
        with pytest.raises(MapError, match=r"areas\[0\]\.outline: a ring of an outline"):
            read_areas(island(areas=[area("A", outline, (1, 1))]))

    @pytest.mark.parametrize("outline", ["0 0 401 0 0 1", "0 0 -1 0 0 5", "0 399 2 2 -2 0"])
    def test_keep_to_the_sheet(self, outline):
        with pytest.raises(MapError, match="does not keep to the sheet"):
            read_areas(island(areas=[area("A", outline, (1, 1))]))

    def test_have_an_end(self, monkeypatch):
        monkeypatch.setattr(areas, "MOST_CHARS", 60)
        with pytest.raises(MapError, match="the outlines have more than the 60 characters"):
            read_areas(island())

    def test_are_drawn_as_they_are_written(self):
        assert 'd="M100 100l100 0 0 200 -100 0z"' in svg_of(island())
        assert 'd="M0 0l400 0 0 400 -400 0zM100 100l0 200 200 0 0 -200z"' in svg_of(island())


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("told", "problem"),
        [
            ({"sheet": [400]}, "sheet: its width"),
            ({"sheet": [400, 801]}, "sheet: its width"),
            ({"sheet": [True, 400]}, "sheet: its width"),
            ({"grounds": []}, r"areas\[0\].ground: there is no such ground"),
            ({"areas": []}, "areas: there is at least one"),
            ({"spots": [{"name": "WEST", "at": [1, 1]}]}, "no two places have the same name"),
            ({"spots": [{"name": "X", "at": [1, -1]}]}, r"spots\[0\].at: coordinates"),
            ({"spots": [{"name": "X", "at": [1, float("nan")]}]}, r"spots\[0\].at: coordinates"),
            ({"owners": [{**OWNERS[0], "fill": "red"}]}, "the fill of Red: a colour is written as"),
            ({"pieces": [piece("NOWHERE")]}, "there is no such node"),
            ({"arrows": [arrow("EAST", "EAST")]}, "an arrow goes from one node to another"),
            ({"areas": [{"name": "A"}]}, "the key 'outline' is missing"),
        ],
    )
    def test_is_said_with_its_place(self, told, problem):
        with pytest.raises(MapError, match=problem):
            read_map(island(**told))


class TestDrawing:
    def test_has_names_marks_owners_and_notes(self):
        found = words(svg_of(island()))
        assert found[0] == "An island"
        assert {"SEA", "WEST", "EAST", "Red 1", "White 0", "R", "centre", "free centre", "Whoever has both wins."} <= {*found}

    def test_fills_what_is_owned_with_the_fill_of_its_owner(self):
        assert '<path fill="#e5383b" d="M100 100l' in svg_of(island()), "the colour, if there is no other"
        owners = [{**OWNERS[0], "fill": "#ffaaaa"}, OWNERS[1]]
        assert '<path fill="#ffaaaa" d="M100 100l' in svg_of(island(owners=owners))
        assert '<path fill="#efe2c6" d="M200 100l' in svg_of(island(owners=owners))

    def test_says_who_holds_a_centre_by_a_letter_unless_a_piece_of_the_same_owner_stands_there(self):
        def letters(*pieces: dict[str, Any]) -> int:
            return words(svg_of(island(pieces=[*pieces], owners=OWNERS[:1])))[1:].count("R")

        alone, held, elsewhere = letters(), letters(piece("WEST")), letters(piece("EAST"))
        assert (alone, held, elsewhere) == (2, 2, 3)

    def test_draws_pieces_at_spots_and_moves_between_them(self):
        svg = svg_of(island(pieces=[piece("EAST/SC", kind="F")], arrows=[arrow("WEST", "SEA", "EAST/SC")]))
        x, y = 250 * WIDTH / 400, 290 * WIDTH / 400 + 44
        assert f'<text x="{x}" y="{y + 5.8}"' in svg
        assert "Red from WEST by SEA to EAST/SC" in svg
        assert {"fleet", "moved"} <= {*words(svg)}
        assert "army" not in words(svg)

    def test_what_failed_is_broken_and_crossed(self):
        svg = svg_of(island(arrows=[arrow("WEST", "EAST", failed=True)]))
        assert "stroke-dasharray" in svg
        assert svg.count('stroke="#b3130b"') == 2, "on the map and in the legend"
        assert "failed" in words(svg)
        assert "stroke-dasharray" not in svg_of(island(arrows=[arrow("WEST", "EAST")]))

    def test_what_is_displaced_stands_beside_its_place_and_is_crossed(self):
        svg = svg_of(island(pieces=[piece("EAST"), piece("EAST", "White", displaced=True)]))
        assert "White army at EAST, displaced" in svg
        assert "dislodged" in words(svg)

    def test_is_legible_on_a_telephone(self):
        """358 pixels are left of 390: names and the letters of pieces have nine, those of marks seven."""
        svg = svg_of(island(pieces=[piece("EAST")]))
        sizes = [float(size) * 358 / WIDTH for size in re.findall(r'font-size="([\d.]+)"', svg)]
        assert min(sizes) >= 7
        assert areas.NAME_SIZE * 358 / WIDTH >= 9

    def test_goes_into_a_page_and_out_of_it(self):
        svg = svg_of(island())
        page = f"<p>{inline_svg(svg)}</p>"
        assert picture_within(picture_apart(page, "x"), svg) == page

    def test_becomes_a_picture_in_the_colours_of_the_drawing(self):
        assert svg_png(svg_of(island())).startswith(b"\x89PNG")


@pytest.mark.parametrize("field", ["title", "name", "label", "owner", "note", "code", "legend", "ground", "spot"])
def test_hostile_words_are_text_and_nothing_else(field):
    data = island(arrows=[arrow("WEST", "EAST/SC")])
    match field:
        case "title":
            data["title"] = EVIL
        case "name":
            data["areas"][1]["name"] = EVIL
            data["arrows"] = [arrow(EVIL, "EAST")]
        case "label":
            data["areas"][1]["label"] = EVIL
        case "owner":
            data["owners"] = [*OWNERS, {**OWNERS[0], "name": EVIL}]
        case "note" | "code":
            data["owners"] = [{**OWNERS[0], field: EVIL}]
        case "legend":
            data["legend"] = dict.fromkeys(data["legend"], EVIL)
        case "ground":
            data["grounds"].append({**data["grounds"][0], "name": EVIL})
        case _:
            data["spots"].append({"name": EVIL, "at": [1, 1]})
            data["arrows"] = [arrow("WEST", EVIL)]
    assert_text_and_nothing_else(svg_of(data))
