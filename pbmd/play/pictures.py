"""Maps in the terminal, where it can show pictures (by the graphics protocol of Kitty, or sixels)."""

import io
import sys
from email.message import EmailMessage

from rich.console import Console


def picture_in(mail: EmailMessage) -> bytes:
    """The map in a mail, as a PNG; empty if there is none."""
    return next((part.get_payload(decode=True) for part in mail.walk() if part.get_content_type() == "image/png"), b"")  # pyright: ignore[reportReturnType]


def can_show_pictures(console: Console) -> bool:
    """Whether the terminal can; it is asked when the library is loaded."""
    if not console.is_terminal or console.is_dumb_terminal or not sys.stdout.isatty():
        return False
    try:
        from textual_image.renderable import Image, SixelImage, TGPImage
    except ImportError:
        return False
    return Image in (SixelImage, TGPImage)


def show_picture(console: Console, png: bytes) -> None:
    """Print a picture, if the terminal can show any."""
    if png and can_show_pictures(console):
        from textual_image.renderable import Image

        console.print(Image(io.BytesIO(png), width="auto", height="auto"))
