"""Players show each other our answers: whatever forms and lists a letter holds, none of them stands in its answer alive."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbmd.post.lines.form_line import form_mark
from tests.desk.letter.test_what_is_typed import game, setting
from tests.desk.world import body_of, message_of
from tests.doses import dose


def quoted(lines: list[str]) -> list[str]:
    return [f"> {line}".rstrip() for line in lines]


def marks_in(lines: list[str]) -> list[int]:
    return [place for place, line in enumerate(lines) if form_mark(line.lstrip("> \t"))[0]]


@st.composite
def letters(draw: st.DrawFn, form: list[str], sheet: list[str]) -> list[str]:
    """Forms and lists in any order, whole or cut, quoted or not, with orders and words around them."""
    piece = st.sampled_from(
        [form, sheet, ["A BUD - SER"], ["Hello there"], ["On Fri, games wrote:"], ["PRESS TO England"], ["END"]]
    )
    lines: list[str] = []
    for each in draw(st.lists(piece, min_size=1, max_size=5)):
        kept = each[: draw(st.integers(1, len(each)))] if draw(st.booleans()) else each
        changed = [line.replace("# ", "") if draw(st.booleans()) else line for line in kept]
        lines += [*(quoted(changed) if draw(st.booleans()) else changed), *draw(st.sampled_from([[], [""]]))]
    return lines


@pytest.mark.fuzz
@given(data=st.data())
@settings(max_examples=dose(12, 400), deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_no_token_and_no_mark_but_those_of_its_list_stand_in_an_answer(data: st.DataObject) -> None:
    mail = setting("diplomacy").mail
    report = body_of(mail).split("\n")
    start = next(place for place, line in enumerate(report) if line.startswith("#orders "))
    form = report[start : report.index("#end", start) + 1]
    token = str(message_of(mail)["Reply-To"]).partition("@")[0].rpartition(".")[2]
    assert token in form[0]
    with game("diplomacy") as world:
        first = world.reply(mail, "\n".join(setting("diplomacy").orders[:3])).split("\n")
        sheet = [line for line in first[first.index("#end") - 4 : first.index("#end") + 1] if line]
        assert sheet[0].startswith("#orders - ")
        before = {each.key for each in world.outbox()}
        world.reply(mail, "\n".join(data.draw(letters(form, sheet))))
        for answer in (each for each in world.outbox() if each.key not in before):
            lines = body_of(answer).split("\n")
            assert token not in body_of(answer) + str(message_of(answer)["Subject"])
            assert len(marks_in(lines)) in (0, 2), lines


def test_a_form_that_is_not_read_is_listed_without_its_token() -> None:
    mail = setting("diplomacy").mail
    with game("diplomacy") as world:
        form = body_of(mail)[body_of(mail).index("#orders") :].replace("# A BUD H", "A BUD H")
        answer = world.reply(mail, f"{form}\n\nold:\n{form}")
        assert "(#orders)" in answer
        assert str(message_of(mail)["Reply-To"]).partition("@")[0].rpartition(".")[2] not in answer
