"""A ruleset that is installed, or stands in a folder, is held to its promises without a line of code."""

import os
import subprocess
import sys
from pathlib import Path

from tests.rules import count

ROOT = Path(__file__).parents[3]
INSTALLED = """
from importlib.metadata import EntryPoint, EntryPoints
from pbmd.rules import registry
points = (*registry.entry_points(group=registry.GROUP), EntryPoint("sixth", "tests.rules.count:ruleset", registry.GROUP))
registry.entry_points = lambda group: EntryPoints(points).select(group=group)
from tests.rulesets.contract.scenes import NAMES, scenes
print("sixth" in NAMES, len(scenes("sixth")) > 5)
"""
IN_A_FOLDER = """
from tests.rulesets.contract.scenes import NAMES, scenes
print(len(NAMES), len(scenes(NAMES[0])) > 5)
"""


def printed(program: str, **environment: str) -> str:
    run = [sys.executable, "-c", program]
    return subprocess.run(run, env=os.environ | environment, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def test_a_ruleset_that_is_installed_is_tested_with_all_others() -> None:
    assert printed(INSTALLED) == "True True\n"


def test_a_ruleset_in_a_folder_is_tested_alone() -> None:
    assert printed(IN_A_FOLDER, PBMD_RULESET=str(Path(count.__file__).parent)) == "1 True\n"
