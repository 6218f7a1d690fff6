"""The two ways in which the grader itself stops: the user can mend the one, the course staff the other."""


class UsageError(Exception):
    """What was asked for cannot be done; the message says what to change."""


class GraderFault(Exception):
    """The grader failed at its own work. Never costs a student points."""


def cannot_read(error: OSError) -> str:
    return f"{error.filename or 'a file'} cannot be read: {error.strerror}"


class CannotRecord(GraderFault):
    """What was graded cannot be written down. Grading stops: the next submission would fare no better."""


class JudgeDied(GraderFault):
    """The judge itself came to an end over a submission, and would again."""
