"""How the HTML of a mail looks: pictures by Chromium, with the colours of the mail and few others, so that they stay small."""

import base64
import re
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from pbmd.rendering.palette import with_few_colours
from tests.docs.mails.found import Found
from tests.docs.mails.index import WIDTHS
from tests.pages.browser import chromium

_HIGHEST = 6000
_PATIENCE = 300_000
"""In milliseconds: where others compute, too, a long page takes more than the usual half minute."""
_LAID_OUT = ("report-", "handbook")
"""How the names of those begin whose HTML is laid out for itself. That of all others is made from their text in one way."""
_OF_OTHERS = ("ask-join", "digest", "notice-deadline", "orders-in", "orders-replaced", "press", "reminder", "welcome")
_COLOUR = re.compile("#[0-9a-f]{6}")


def take(mails: Mapping[str, Found], folder: Path) -> list[str]:
    """Pictures of those of these that are laid out in another way than others, and of some more, at each width. Gives those
    that are wider than their window, in sentences."""
    wide: list[str] = []
    with chromium() as browser, TemporaryDirectory() as place:
        for width in WIDTHS:
            context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme="light")
            page = context.new_page()
            page.set_default_timeout(_PATIENCE)
            for name, mail in mails.items():
                if not (name in _OF_OTHERS or name.startswith(_LAID_OUT)) or not mail.html:
                    continue
                shown = Path(place) / f"{name}.html"
                shown.write_text(_with_pictures(mail))
                page.goto(shown.as_uri())
                page.wait_for_load_state("networkidle")
                if page.evaluate("document.documentElement.scrollWidth") > width:
                    wide.append(f"{name} is wider than {width} pixels")
                (folder / f"{name}-{width}.png").write_bytes(_small(page.screenshot(full_page=True), _colours(mail)))
            context.close()
    return wide


def _with_pictures(mail: Found) -> str:
    """The HTML with its pictures inside, as a mail program shows it."""
    html = mail.html
    for cid, data in mail.pictures.items():
        html = html.replace(f"cid:{cid}", f"data:image/png;base64,{base64.b64encode(data).decode()}")
    return html


def _colours(mail: Found) -> set[str]:
    """The colours that its HTML names, and those of its pictures."""
    found = {*_COLOUR.findall(mail.html)}
    for data in mail.pictures.values():
        with Image.open(BytesIO(data)) as image:
            found |= {"#" + bytes(colour).hex() for _, colour in image.convert("RGB").getcolors(1 << 16) or ()}  # type: ignore[arg-type]
    return found


def _small(png: bytes, colours: set[str]) -> bytes:
    """The upper part of a picture, in these colours."""
    with Image.open(BytesIO(png)) as image:
        top, written = image.convert("RGB").crop((0, 0, image.width, min(image.height, _HIGHEST))), BytesIO()
    top.save(written, "PNG", compress_level=1)
    return with_few_colours(written.getvalue(), " ".join(f'"{colour}"' for colour in sorted(colours)))
