"""Where the rules of a handbook have their ids, and which of them no test cites."""

from dataclasses import replace
from pathlib import Path

import pytest

from pbmd.conformance.rule_ids import RuleId, ids_in, rules_have_ids_of_their_own, uncited
from pbmd.rules import Ruleset
from tests.rules import count

HANDBOOK = """\
# Count

- **CT-1** All add numbers, as CT-2 says.
- [CT-2] No number is larger than nine (CT-1).

CT-R3: Ties are won by all, who reach the target as by
(CT-1) and by no other rule.

### CT-4 The end
"""


@pytest.fixture
def rules(tmp_path: Path) -> Ruleset[count.Position]:
    (tmp_path / "RULES.md").write_text(HANDBOOK)
    return replace(count.ruleset, info=replace(count.ruleset.info, folder=tmp_path))


def test_a_rule_begins_with_its_id() -> None:
    assert ids_in(HANDBOOK, "CT") == [RuleId("CT-1", 3), RuleId("CT-2", 4), RuleId("CT-R3", 6), RuleId("CT-4", 9)]


def test_ids_to_which_sentences_refer_are_not_those_of_two_rules(rules: Ruleset[count.Position], tmp_path: Path) -> None:
    assert [*rules_have_ids_of_their_own(rules)] == []
    (tmp_path / "RULES.md").write_text(f"{HANDBOOK}\n**CT-2** Again.\n")
    [wrong] = rules_have_ids_of_their_own(rules)
    assert wrong.words == "CT-2 is the id of two rules, in the lines 4 and 11"


def test_an_id_without_a_test_is_noted_where_there_are_tests(rules: Ruleset[count.Position], tmp_path: Path) -> None:
    assert uncited(rules) == []
    (tmp_path / "tests").mkdir()
    (tmp_path / "tests" / "test_count.py").write_text("def test_adding():  # CT-1, CT-R3 and CT-40\n    pass\n")
    assert uncited(rules) == [RuleId("CT-2", 4), RuleId("CT-4", 9)]
