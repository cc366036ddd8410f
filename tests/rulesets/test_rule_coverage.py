"""Every rule and every ruling of every handbook is cited by a test, and every citation is of a rule that exists."""

import pytest

from tests.rulesets.rule_citations import coverage, rulesets


@pytest.mark.parametrize("slug", rulesets())
def test_every_rule_of_the_handbook_is_cited_by_a_test(slug: str) -> None:
    found = coverage(slug)
    assert found.ids, f"{slug}: RULES.md has no rule ids"
    assert found.uncited == [], f"{slug}: no test cites {', '.join(found.uncited)}"


@pytest.mark.parametrize("slug", rulesets())
def test_every_cited_id_is_in_the_handbook(slug: str) -> None:
    found = coverage(slug)
    assert found.unknown == [], f"{slug}: RULES.md has no {', '.join(found.unknown)}"
