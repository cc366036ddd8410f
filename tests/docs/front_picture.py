"""`python -m tests.docs.front_picture`: what the README shows, a report on a phone and the map of Diplomacy."""

import io
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import resvg_py
from PIL import Image, ImageDraw

from tests.archive.samples import FOLDER, unpack

DOCS = Path(__file__).parents[2] / "docs"
FILE = DOCS / "front.png"
REPORT = DOCS / "mails" / "report-galactic-overlord-390.png"
MAP = "data/turns/003.2/maps/public.svg"
"""Retreats: all names of provinces can be read."""
_SCREEN, _FRAME, _GAP, _ROUND = (390, 781), 14, 30, 34
_BODY, _PAPER = "#23262b", "#ffffff"


def main() -> None:
    """Write the picture."""
    phone, board = _phone(), _board()
    sheet = Image.new("RGB", (phone.width + _GAP + board.width, phone.height), _PAPER)
    sheet.paste(phone, (0, 0))
    sheet.paste(board, (phone.width + _GAP, 0))
    sheet.quantize(128).save(FILE, optimize=True)


def _phone() -> Image.Image:
    """The top of a report, within the rim of a phone."""
    width, height = (each + 2 * _FRAME for each in _SCREEN)
    sheet = Image.new("RGB", (width, height), _PAPER)
    draw = ImageDraw.Draw(sheet)
    draw.rounded_rectangle((0, 0, width - 1, height - 1), _ROUND, fill=_BODY)
    with Image.open(REPORT) as report:
        sheet.paste(report.convert("RGB").crop((0, 0, *_SCREEN)), (_FRAME, _FRAME))
    return sheet


def _board() -> Image.Image:
    with TemporaryDirectory() as home:
        drawn = (unpack(FOLDER / "diplomacy.tar.xz", Path(home)) / MAP).read_text(encoding="utf-8")
    fonts = [
        str(files("ttf_opensans") / "ttf" / name)
        for name in ("OpenSans-Regular.ttf", "OpenSans-SemiBold.ttf", "OpenSans-Bold.ttf")
    ]
    height = _SCREEN[1] + 2 * _FRAME
    png = resvg_py.svg_to_bytes(
        svg_string=drawn, height=height, font_files=fonts, skip_system_fonts=True, font_family="Open Sans"
    )
    return Image.open(io.BytesIO(png)).convert("RGB")


if __name__ == "__main__":
    main()
