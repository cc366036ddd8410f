"""Maps of panels: what may be said of them, and what is drawn."""

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from pbmd.rendering import panels
from pbmd.rendering.labels import WIDTH
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.panel_places import panels_drawing
from pbmd.rendering.panels import MOST_PANELS, read_panels
from pbmd.rendering.picture import inline_svg, picture_apart, picture_within, read_map, svg_png
from tests.colours import contrast
from tests.rendering.maps import EVIL, OWNERS, SVG, assert_text_and_nothing_else, svg_of, words

LEGEND = dict(
    zip(
        ("own", "token", "ringed", "bar", "hatched", "arrow", "failed"),
        ("you", "base", "taken", "ships", "damaged", "attacked", "in vain"),
        strict=True,
    )
)


def token(owner: str = "Red", label: str = "1", count: int = 1, ringed: bool = False) -> dict[str, Any]:
    return {"owner": owner, "label": label, "count": count, "ringed": ringed}


def panel(name: str, *tokens: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A panel; `more` are its other fields."""
    return {
        "name": name,
        "owner": name if name in ("Red", "White") else "",
        "value": "7 BP",
        "own": False,
        "tokens": [*tokens],
        "bar": 40,
        "hatched": 0,
        "text": "40 ships",
        **more,
    }


def arrow(*by: str, to: str = "White", failed: bool = False, words: str = "took all") -> dict[str, Any]:
    return {"by": [*by], "to": to, "failed": failed, "words": words}


def homes(*told: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Two homes, of which Red holds nearly all."""
    two = (panel("Red", token(), token(label="2"), own=True), panel("White", token(ringed=True), token("White"), bar=10))
    return {
        "title": "Turn 3",
        "panels": [*told] or [*two],
        "arrows": [],
        "share": "Bases held",
        "owners": OWNERS,
        "legend": LEGEND,
        "notes": ["The last one left wins."],
        **more,
    }


class TestWhatIsRefused:
    @pytest.mark.parametrize(
        ("told", "problem"),
        [
            ({"panels": []}, "panels: there is at least one"),
            ({"panels": [panel("Red"), panel("Red")]}, "no two have the same name"),
            ({"panels": [panel(str(place)) for place in range(MOST_PANELS + 1)]}, "panels: 41 are more than the 40"),
            ({"panels": [panel("Red", token("Blue"))]}, r"panels\[0\].tokens\[0\].owner: there is no such owner"),
            ({"panels": [panel("Red", token(count=0))]}, r"panels\[0\].tokens\[0\].count: it is a whole number"),
            ({"panels": [panel("Red", token(count=True))]}, r"panels\[0\].tokens\[0\].count: it is a whole number"),
            ({"panels": [panel("Red", bar=-1)]}, r"panels\[0\].bar: it is a number of 0 or more"),
            ({"panels": [panel("Red", bar=float("nan"))]}, r"panels\[0\].bar: it is a number of 0 or more"),
            ({"panels": [panel("Red", bar=3, hatched=4)]}, r"panels\[0\].bar: it is a number of 0 or more"),
            ({"panels": [panel("Red", bar=None, hatched=1)]}, r"panels\[0\].bar: it is a number of 0 or more"),
            ({"panels": [{"name": "Red", "tokens": []}]}, "the key 'bar' is missing"),
            ({"arrows": [arrow()]}, r"arrows\[0\].by: an arrow is by at least one"),
            ({"arrows": [arrow("Blue")]}, r"arrows\[0\].by: an arrow is by at least one"),
            ({"arrows": [arrow("Red", to="Blue")]}, r"arrows\[0\].to: there is no such panel"),
        ],
    )
    def test_is_said_with_its_place(self, told, problem):
        with pytest.raises(MapError, match=problem):
            read_map(homes(**told))

    def test_is_what_would_take_long_to_draw(self, monkeypatch):
        monkeypatch.setattr(panels, "MOST_TOKENS", 3)
        with pytest.raises(MapError, match="more than the 3 tokens"):
            read_panels(homes())


class TestDrawing:
    def test_has_names_values_letters_and_notes(self):
        found = words(svg_of(homes()))
        assert found[0] == "Turn 3"
        assert {"Red (you)", "White", "7 BP", "40 ships", "R", "W", "R: 3", "W: 1", "The last one left wins."} <= {*found}

    def test_explains_what_there_is_and_nothing_else(self):
        found = words(svg_of(homes(arrows=[arrow("Red")])))
        assert {"base", "taken", "ships", "attacked"} <= {*found}
        assert not {"in vain", "damaged", "you"} & {*found}

    def test_names_owners_that_have_no_panel(self):
        assert "White 0" in words(svg_of(homes(panel("Red", token("White")))))
        assert "White 0" not in words(svg_of(homes()))

    def test_says_how_many_a_token_stands_for(self):
        found = words(svg_of(homes(panel("Red", token(count=34), token("White", count=2)))))
        assert {"×34", "×2", "R: 34"} <= {*found}

    def test_bars_are_on_one_scale(self):
        drawn = panels_drawing(read_panels(homes()))
        red, white = (placed.bar for placed in drawn.panels)
        assert red
        assert white
        assert red.length == pytest.approx(4 * white.length, abs=0.5)

    def test_hatches_a_part_of_a_bar(self):
        plain, hatched = (svg_of(homes(panel("Red", bar=40, hatched=part))) for part in (0, 20))
        assert "damaged" in words(hatched)
        assert hatched.count("<path") > plain.count("<path")

    def test_what_failed_is_broken_and_crossed_and_nothing_else_is(self):
        svg = svg_of(homes(panel("Red"), panel("White"), arrows=[arrow("Red", failed=True, words="beaten off")]))
        assert "beaten off" in words(svg)
        assert svg.count('stroke="#b3130b"') == 2, "in the panel and in the legend"
        assert svg.count("stroke-dasharray") == 2
        assert "stroke-dasharray" not in svg_of(homes(panel("Red"), panel("White"), arrows=[arrow("Red")]))

    def test_has_everybody_who_took_part_or_says_how_many_more(self):
        owners = [{**OWNERS[0], "name": f"N{place}", "code": f"{place}"} for place in range(7)]
        names = [owner["name"] for owner in owners]
        for count, more in ((4, ""), (7, "+4")):
            found = words(svg_of(homes(panel("White", owner=""), owners=owners, arrows=[arrow(*names[:count])])))
            assert [word for word in found if word.startswith("+")] == [more] * bool(more)

    def test_is_in_words_as_well(self):
        svg = svg_of(homes(arrows=[arrow("Red", failed=True, words="beaten off")]))
        said = ET.fromstring(svg).findtext(f"{SVG}desc")
        assert said == "Held by: Red: Red 2; White: Red 1, White 1. Arrows: Red to White: beaten off."

    @pytest.mark.parametrize("count", [1, 2, 3, 17, MOST_PANELS])
    def test_keeps_to_the_sheet(self, count):
        name = "A Name That Is Longer Than A Panel"
        told = [panel(f"{name} {place}", *[token()] * 14, text="12 words " * 20) for place in range(count)]
        drawn = panels_drawing(read_panels(homes(*told)))
        for placed in drawn.panels:
            assert placed.at[0] + drawn.across <= WIDTH
            assert placed.at[1] + placed.height <= drawn.height
            assert placed.text[-1].at[1] < placed.at[1] + placed.height
            assert all(each.label.at[1] < placed.at[1] + placed.height for each in placed.tokens)

    def test_a_long_name_has_the_room_of_the_value_which_is_told_below(self):
        (placed,) = panels_drawing(read_panels(homes(panel("The Old Confederation")))).panels
        assert (placed.name.words, placed.value.words) == ("The Old Confederation", "")
        assert placed.text[0].words == "7 BP; 40 ships"

    def test_a_number_stays_with_what_it_counts(self):
        (placed,) = panels_drawing(
            read_panels(homes(panel("Red", text="25 Torpedofrigates, 6 Torpedobattleships, 7 others")))
        ).panels
        assert not [line for line in placed.text if re.search(r"\d$", line.words)]

    def test_is_legible_on_a_telephone(self):
        """358 pixels are left of 390: all letters have nine."""
        svg = svg_of(homes(arrows=[arrow("Red")]))
        assert min(float(size) * 358 / WIDTH for size in re.findall(r'font-size="([\d.]+)"', svg)) >= 9

    def test_marks_stand_out_from_paper(self):
        svg = svg_of(homes(panel("Red", token(ringed=True)), arrows=[arrow("Red", to="Red", failed=True)], owners=OWNERS[:1]))
        used = {colour for colour in re.findall(r'="(#[0-9a-f]{6})"', svg) if colour != "#ffffff"}
        assert {colour for colour in used if contrast(colour, "#ffffff") < 3} == set()

    def test_goes_into_a_page_and_out_of_it(self):
        svg = svg_of(homes())
        page = f"<p>{inline_svg(svg)}</p>"
        assert picture_within(picture_apart(page, "x"), svg) == page

    def test_becomes_a_picture_in_the_colours_of_the_drawing(self):
        assert svg_png(svg_of(homes())).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    "field", ["title", "name", "value", "text", "label", "owner", "note", "code", "legend", "words", "share", "caption"]
)
def test_hostile_words_are_text_and_nothing_else(field):
    data = homes(arrows=[arrow("Red")])
    match field:
        case "title" | "share" | "caption":
            data[field] = EVIL
        case "name" | "value" | "text":
            data["panels"][0][field] = EVIL
        case "label":
            data["panels"][0]["tokens"][0]["label"] = EVIL
        case "words":
            data["arrows"][0]["words"] = EVIL
        case "owner":
            data["owners"] = [*OWNERS, {**OWNERS[0], "name": EVIL}]
        case "legend":
            data["legend"] = dict.fromkeys(data["legend"], EVIL)
        case _:
            data["owners"] = [{**OWNERS[0], field: EVIL}, OWNERS[1]]
    assert_text_and_nothing_else(svg_of(data))
