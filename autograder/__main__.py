"""`python -m autograder`, and the command `autograder`.

Processes that grade import this module anew, and have no use for the commands.
"""


def main() -> None:
    """Do what the arguments say."""
    from autograder.cli import main as command

    command()


if __name__ == "__main__":
    main()
