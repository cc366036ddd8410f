"""``make fuzz``: the same with atheris, which looks for bytes that reach new code. Arguments are those of libFuzzer."""

import sys
import tempfile
from pathlib import Path

from tests.post.corpora import CORPORA, messages


def main() -> None:
    """Fuzz until stopped, or as long as the arguments say; begins with the real mail that there is."""
    try:
        import atheris
    except ImportError:
        sys.exit("fuzzing needs atheris: .venv/bin/python -m pip install atheris")
    with atheris.instrument_imports(include=["pbmd.post", "pbmd.desk"]):
        from tests.fuzz.one_letter import Desk
        from tests.fuzz.test_letters import MAILS
    desk = Desk()
    with tempfile.TemporaryDirectory() as seeds:
        for number, raw in enumerate([*MAILS, *(path.read_bytes() for path in messages() if CORPORA.is_dir())]):
            if len(raw) < 20_000:
                (Path(seeds) / str(number)).write_bytes(raw)
        atheris.Setup([*sys.argv, "-max_len=20000", "-timeout=10", seeds], desk.take)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
