"""docs/commands.md is what the commands say of themselves, and so is the file that --help is made from."""

from pbmd.cli import signatures
from tests.docs import commands_page


def test_it_is_as_the_commands_are() -> None:
    assert commands_page.FILE.read_text(encoding="utf-8") == commands_page.page(), (
        "python -m tests.docs.commands_page writes it anew"
    )


def test_so_is_what_the_help_of_commands_is_made_from() -> None:
    assert signatures.FILE.read_text(encoding="utf-8") == commands_page.signatures_file(), (
        "python -m tests.docs.commands_page writes it anew"
    )
