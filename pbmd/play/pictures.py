"""Maps in the terminal, where it can show pictures (by the graphics protocol of Kitty, or sixels)."""

import io
import sys
from email.message import EmailMessage

from rich.console import Console


def picture_in(mail: EmailMessage) -> bytes:
    """The map in a mail, as a PNG; empty if there is none."""
    return next((part.get_payload(decode=True) for part in mail.walk() if part.get_content_type() == "image/png"), b"")  # pyright: ignore[reportReturnType]


def show_picture(console: Console, png: bytes) -> bool:
    """Print a picture; returns whether the terminal can show any."""
    if not png or not console.is_terminal or not sys.stdout.isatty():
        return False
    try:
        # It asks the terminal what it can do when it is imported.
        from textual_image.renderable import Image, SixelImage, TGPImage
    except ImportError:
        return False
    if Image not in (SixelImage, TGPImage):
        return False
    console.print(Image(io.BytesIO(png), width="auto", height="auto"))
    return True
