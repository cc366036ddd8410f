"""`python -m tests.rulesets.coverage_table`: a table of rule ids and how many tests cite each."""

from rich.console import Console
from rich.table import Table

from tests.rulesets.rule_citations import Coverage, coverage, rulesets


def table(found: Coverage) -> Table:
    """One row an id, those that no test cites marked."""
    shown = Table(title=f"{found.slug}: {len(found.ids) - len(found.uncited)} of {len(found.ids)} rules and rulings are cited")
    shown.add_column("ruleset")
    shown.add_column("id")
    shown.add_column("citing tests", justify="right")
    for rule in sorted(found.ids | set(found.cited)):
        count = found.cited[rule]
        remark = " [red](not in RULES.md)[/]" if rule not in found.ids else ""
        shown.add_row(found.slug, rule + remark, str(count) if count else "[red]none[/]")
    return shown


def main() -> int:
    """Print the tables; 1 if an id is cited by no test."""
    everything = [coverage(slug) for slug in rulesets()]
    console = Console()
    for found in everything:
        console.print(table(found))
    return int(any(found.uncited for found in everything))


if __name__ == "__main__":
    raise SystemExit(main())
