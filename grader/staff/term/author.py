"""Who is at work, as the store keeps it."""

import os
import pwd


def author() -> str:
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:  # a user without a name, as in a container
        return "nobody"
