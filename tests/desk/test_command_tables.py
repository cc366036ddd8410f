"""What a command does and how it is written stand in two rooms: neither is there without the other."""

from pbmd.desk.gm.commands import DEEDS
from pbmd.desk.language.gm_commands import FORMS


def test_every_command_of_the_game_master_does_something_and_every_deed_can_be_asked_for() -> None:
    assert [form.kind for form in FORMS] == [*dict.fromkeys(form.kind for form in FORMS)]
    assert {*DEEDS} == {form.kind for form in FORMS}
