"""``python -m pbmd``: the same as the command `pbmd`."""

from pbmd.cli import main

main()
