"""docs/commands.md is what the commands say of themselves."""

from tests.docs import commands_page


def test_it_is_as_the_commands_are() -> None:
    assert commands_page.FILE.read_text(encoding="utf-8") == commands_page.page(), (
        "python -m tests.docs.commands_page writes it anew"
    )
