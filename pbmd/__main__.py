"""``python -m pbmd``: the same as the command `pbmd`."""

from pbmd.cli import main

if __name__ == "__main__":
    main()
