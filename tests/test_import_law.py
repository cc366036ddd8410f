"""No file needs itself to be there before it is: whoever reads one reads what it imports, and comes to an end."""

from graphlib import TopologicalSorter

import grimp


def test_no_files_import_each_other_in_a_circle() -> None:
    """Imports for the type checker alone count, too. The error names the circle."""
    graph = grimp.build_graph("pbmd", "rulesets", cache_dir=None)
    TopologicalSorter({module: graph.find_modules_directly_imported_by(module) for module in graph.modules}).prepare()
