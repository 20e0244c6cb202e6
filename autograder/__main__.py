"""`python -m autograder`, and the command `autograder`.

Processes that grade import this module anew, and have no use for the commands.
"""

import sys

from autograder.errors import INTERRUPTED


def main() -> None:
    """Do what the arguments say."""
    try:
        from autograder.cli import main as command
    except KeyboardInterrupt:
        print(INTERRUPTED, file=sys.stderr)
        sys.exit(130)
    command()


if __name__ == "__main__":
    main()
