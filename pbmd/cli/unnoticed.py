"""The process in which `pbmd try` changes an author's code and runs the tests.

``python -m pbmd.cli.unnoticed FOLDER SECONDS STORY …`` writes the changes that nobody has noticed, as JSON."""

import json
import sys
from pathlib import Path
from typing import Any

from pbmd.conformance.untested.runner import unnoticed_changes
from pbmd.rules import Ruleset


def _happens(file: Path, rules: Ruleset[Any]) -> bool:
    from pbmd.play.telling import tell  # a desk takes long to import, and often no story is needed

    return not tell(file, rules)


if __name__ == "__main__":
    sys.stdout.write(
        json.dumps(unnoticed_changes(Path(sys.argv[1]), float(sys.argv[2]), [*map(Path, sys.argv[3:])], _happens)) + "\n"
    )
