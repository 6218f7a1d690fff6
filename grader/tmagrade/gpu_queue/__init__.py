"""The course's one GPU, shared through a folder that students and the machine with the GPU both reach.

places.py says what lies where, and which file names mean what; client.py is what a student's side does; server.py takes
hand-ins one after another and says what became of them; history.py remembers whose they were, for the limit and for the
board, which board.py writes. Each step is a rename or a file that is whole or not there, so that a process that is
killed at any moment leaves a folder from which the next one goes on. What a verdict is, the caller of the server says.
"""
