"""The root of all errors that explain themselves."""


class Explained(Exception):
    """Something is wrong that its text names, with a remedy: commands show the text, never a traceback."""


INTERRUPTED = "Interrupted. What was finished is kept, grades among it: run the same command again."


class SandboxError(Explained):
    """The sandbox itself is at fault, not a submission."""
