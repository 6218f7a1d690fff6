"""Who is at work, as the store keeps it."""

import getpass


def author() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):  # a user without a name, as in a container
        return "nobody"
