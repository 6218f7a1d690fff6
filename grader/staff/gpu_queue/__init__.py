"""The serving side of the course's one GPU, of whose shared folder tmagrade.gpu_queue says what lies where.

server.py takes hand-ins out of the folder and says what became of them: fair_turns.py says whose turn it is, bounds.py
how much a student may hand in, history.py what there was, for both and for the board, which board.py writes, and
full_disk.py waits for space. What a verdict is, the caller of the server says.
"""
