"""A student's side of the course's one GPU, shared through a folder that both students and its machine reach.

places.py says what lies where, and which file names mean what; client.py puts a hand-in there and reads what became of
it. Each step is a rename or a file that is whole or not there, so that a process that is killed at any moment leaves a
folder from which the next one goes on.
"""
