"""`tmagrade release`: what students receive. contents.py is the list, texts.py cuts what is for instructors alone."""

from tmagrade.release.write import write_release

__all__ = ["write_release"]
