"""How the HTML of a mail looks: pictures by Chromium, with few colours so that they stay small."""

import base64
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from tests.dashboard.browser import chromium
from tests.docs.mails.found import Found
from tests.docs.mails.index import WIDTHS

_HIGHEST = 3200
_COLOURS = 48


def take(mails: Mapping[str, Found], folder: Path) -> list[str]:
    """Pictures of all of these that have HTML, at each width. Gives those that are wider than their window, in sentences."""
    wide: list[str] = []
    with chromium() as browser, TemporaryDirectory() as place:
        for width in WIDTHS:
            context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme="light")
            page = context.new_page()
            for name, mail in mails.items():
                if not mail.html:
                    continue
                shown = Path(place) / f"{name}.html"
                shown.write_text(_with_pictures(mail))
                page.goto(shown.as_uri())
                page.wait_for_load_state("networkidle")
                if page.evaluate("document.documentElement.scrollWidth") > width:
                    wide.append(f"{name} is wider than {width} pixels")
                _write(page.screenshot(full_page=True), folder / f"{name}-{width}.png")
            context.close()
    return wide


def _with_pictures(mail: Found) -> str:
    """The HTML with its pictures inside, as a mail program shows it."""
    html = mail.html
    for cid, data in mail.pictures.items():
        html = html.replace(f"cid:{cid}", f"data:image/png;base64,{base64.b64encode(data).decode()}")
    return html


def _write(png: bytes, path: Path) -> None:
    with Image.open(BytesIO(png)) as image:
        top = image.convert("RGB").crop((0, 0, image.width, min(image.height, _HIGHEST)))
        top.quantize(_COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
