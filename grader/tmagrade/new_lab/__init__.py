"""`tmagrade new-lab`: writes a lab that can be built, graded and tested as it stands.

templates/ has its files as they will lie in the repository; LAB stands for the lab's id, SOURCE for the students' file.
"""

from tmagrade.new_lab.name import name_lab
from tmagrade.new_lab.write import write_new_lab

__all__ = ["name_lab", "write_new_lab"]
