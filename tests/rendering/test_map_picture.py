"""Pictures of maps: what is in the SVG and what never is, and PNGs with letters on machines without fonts."""

import io
import re
import xml.etree.ElementTree as ET

import pytest
from PIL import Image
from resvg_py import svg_to_bytes

from pbmd.rendering import palette, picture
from pbmd.rendering.labels import WIDTH, text_width
from pbmd.rendering.map_parts import MapError
from pbmd.rendering.palette import with_few_colours
from pbmd.rendering.picture import (
    PNG_ZOOM,
    content_id,
    digest_told,
    drawing_digest,
    inline_image,
    inline_svg,
    map_svg,
    svg_png,
    svg_png_as_once,
)
from tests.rendering.maps import EVIL, OWNERS, SVG, assert_text_and_nothing_else, chart, crowd, node, svg_of, view_of, words


def rows_of(png: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height and the rows of RGBA bytes of a PNG."""
    with Image.open(io.BytesIO(png)) as image:
        assert image.format == "PNG"
        width, height = image.size
        raw = image.convert("RGBA").tobytes()
    return width, height, [raw[y * width * 4 : (y + 1) * width * 4] for y in range(height)]


class TestSvg:
    def test_has_title_names_owners_and_legend(self):
        found = words(svg_of(chart()))
        assert found[0] == "A map"
        assert {"Sol 7", "Vega 7", "Mira 7", "R", "Red 1", "White 0", "yours", "taken", "independent"} <= set(found)
        assert "Numbers are numbers." in found

    def test_says_by_letters_what_colours_say(self):
        svg = svg_of(chart(node("Sol", 0, 0, "Red"), node("Vega", 9, 9, "White")))
        assert [word for word in words(svg) if word in ("R", "W")] == ["R", "W", "R", "W"]
        assert {"#e5383b", "#ffffff"} <= set(re.findall(r'fill="(#\w+)"', svg))

    def test_stresses_what_is_the_readers_own(self):
        elements = ET.fromstring(svg_of(chart())).iter(f"{SVG}text")
        assert {element.text for element in elements if element.get("font-weight") == "bold"} >= {"Sol 7", "yours"}
        assert "yours" not in words(svg_of(chart(node("Sol", 0, 0))))

    def test_is_legible_on_a_telephone(self):
        """358 pixels are left of 390; nothing is written smaller than 8.9 of them, names not smaller than 10."""
        svg = svg_of(crowd(33))
        sizes = [float(size) for size in re.findall(r'font-size="([\d.]+)"', svg)]
        assert min(sizes) * 358 / WIDTH >= 8.9
        assert sizes[0] * 358 / WIDTH >= 10

    def test_is_there_for_views_with_a_map_only(self):
        assert map_svg(view_of(None)) is None

    def test_is_drawn_once_for_each_map(self):
        picture.svg_of.cache_clear()
        for _ in range(3):
            svg_of(chart())
            svg_of(chart(title="Another"))
        assert picture.svg_of.cache_info().misses == 2
        assert picture.svg_of.cache_info().maxsize is not None

    def test_says_how_many_names_found_no_room(self):
        found = words(svg_of(chart(*(node(f"Somewhere {n}", 5, 5) for n in range(60)))))
        shown = sum(word.startswith("Somewhere") for word in found)
        assert f"No room for the names of {60 - shown}; the table has them." in found

    def test_keeps_to_the_sheet_whatever_the_words(self):
        long = "Wm" * 40
        owners = [{**OWNERS[0], "name": long, "note": long}]
        svg = svg_of(chart(node(long, 0, 0, long), title=long, owners=owners, notes=[long, "word " * 60]))
        for element in ET.fromstring(svg).iter(f"{SVG}text"):
            assert (
                float(element.get("x", "0")) + (text_width(element.text or "") if not element.get("text-anchor") else 0)
                <= WIDTH
            )


class TestHostileWords:
    @pytest.mark.parametrize("field", ["title", "node", "owner", "note", "code", "value", "legend"])
    def test_are_text_and_nothing_else(self, field):
        data = chart()
        match field:
            case "node":
                data = chart(node(EVIL, 0, 0), node("Vega", 9, 9), links=[[EVIL, "Vega"]])
            case "owner":
                data = chart(node("Sol", 0, 0, EVIL), owners=[{**OWNERS[0], "name": EVIL}])
            case "note" | "code":
                data = chart(owners=[{**OWNERS[0], field: EVIL}])
            case "value":
                data = chart(node("Sol", 0, 0, value=EVIL))
            case "legend":
                data = chart(legend={"own": EVIL, "ringed": EVIL, "free": EVIL})
            case _:
                data = chart(title=EVIL)
        assert_text_and_nothing_else(svg_of(data))

    def test_stay_text_within_html(self):
        assert "<script" not in inline_svg(svg_of(chart(title=EVIL)))


@pytest.mark.usefixtures("full_size_pictures")
class TestPng:
    def test_has_letters_on_a_machine_without_fonts(self):
        """No font but those that come with pbmd is looked at; without letters the two pictures were the same."""
        one, other = (svg_png(svg_of(chart(title=title))) for title in ("A map", ""))
        width, _, rows = rows_of(one)
        head = slice(0, round(40 * PNG_ZOOM))
        dark = sum(row[x] < 100 for row in rows[head] for x in range(0, width * 4, 4))
        assert dark > 100
        assert not any(row[x] < 100 for row in rows_of(other)[2][head] for x in range(0, width * 4, 4))

    def test_looks_at_no_font_of_the_machine(self, monkeypatch):
        asked = {}
        monkeypatch.setattr(picture, "svg_to_bytes", lambda **options: asked.update(options) or b"")
        svg_png_as_once(svg_of(chart(title="fonts")))
        assert asked["skip_system_fonts"] is True
        assert all("ttf_opensans" in path for path in asked["font_files"])

    def test_has_no_transparency_for_a_dark_mail_program_to_shine_through(self):
        width, _, rows = rows_of(svg_png(svg_of(chart())))
        assert all(row[x] == 255 for row in rows for x in range(3, width * 4, 4))

    def test_has_the_colours_of_the_drawing_and_few_others(self):
        svg = svg_of(chart())
        with Image.open(io.BytesIO(svg_png(svg))) as image:
            colours = {colour for _, colour in image.convert("RGB").getcolors() or ()}
        own = {tuple(bytes.fromhex(each)) for each in re.findall(r'"#([0-9a-f]{6})"', svg)}
        assert len(colours) <= max(16, len(own) + 5)
        assert tuple(bytes.fromhex("ffffff")) in colours, "the ground is not another"

    def test_keeps_the_owners_apart_even_if_it_has_no_room(self, monkeypatch):
        monkeypatch.setattr(palette, "ROOM", 0)
        colours = [f"#{40 * (place % 6):02x}{60 * (place // 6):02x}c0" for place in range(24)]
        owners = [{"name": f"N{place}", "colour": each, "code": "N", "note": ""} for place, each in enumerate(colours)]
        nodes = [node(f"P{place}", 40 * (place % 6), 30 * (place // 6), f"N{place}") for place in range(24)]
        svg = svg_of(chart(*nodes, owners=owners))
        png = with_few_colours(bytes(svg_to_bytes(svg_string=svg)), svg)
        with Image.open(io.BytesIO(png)) as image:
            there = {colour for _, colour in image.convert("RGB").getcolors() or ()}
        assert {tuple(bytes.fromhex(each[1:])) for each in colours} <= there

    def test_is_the_same_for_the_same_map(self):
        svg = svg_of(chart())
        first = svg_png(svg)
        svg_png.cache_clear()
        assert svg_png(svg) == first

    def test_is_rendered_once_for_each_picture(self):
        svg_png.cache_clear()
        for _ in range(3):
            svg_png(svg_of(chart()))
        assert svg_png.cache_info().misses == 1
        assert svg_png.cache_info().maxsize is not None

    def test_that_cannot_be_rendered_is_one_kind_of_error(self):
        with pytest.raises(MapError, match="the renderer gave up: ValueError"):
            svg_png("<svg")

    def test_is_shown_by_its_content_id_at_the_size_of_the_picture(self):
        svg = svg_of(chart())
        png = svg_png(svg)
        cid = content_id(svg)
        assert digest_told(f"<{cid}>") == drawing_digest(svg)
        assert digest_told("<map-0123456789abcdef01234567@pbmd>") == "", "those of older mails are of the picture"
        height = ET.fromstring(svg).get("height")
        assert f'src="cid:{cid}" width="{WIDTH}" height="{height}"' in inline_image(png, cid, svg)
        assert content_id(svg + "x") != cid


@pytest.mark.parametrize(
    "text", ["Alpha Centauri 10", "WWW MMM ", "iiiiiiiiii", "Groombridge", "1234567890", "AVATAR Łódź Ελλάς"]
)
@pytest.mark.parametrize("weight", ["normal", "bold"])
def test_no_text_is_wider_than_was_reckoned(text, weight):
    svg = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="40"><text x="10" y="28" font-family="Open Sans" '
        f'font-size="19" font-weight="{weight}" fill="#fff">{text}</text></svg>'
    )
    width, _, rows = rows_of(svg_to_bytes(svg_string=svg, font_files=picture._fonts(), skip_system_fonts=True))
    reached = max(x // 4 for row in rows for x in range(3, width * 4, 4) if row[x])
    assert 10 < reached <= 10 + text_width(text) + 1
