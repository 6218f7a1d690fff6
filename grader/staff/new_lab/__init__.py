"""`tmagrade new-lab`: writes a lab that can be built, graded and tested as it stands.

templates/ has its files as they will lie in the repository; LAB stands for the lab's id, SOURCE for the students' file.
"""
