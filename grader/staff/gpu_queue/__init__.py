"""The serving side of the course's one GPU, of whose shared folder tmagrade.gpu_queue says what lies where.

server.py takes hand-ins one after another and says what became of them; history.py remembers whose they were, for the
limit and for the board, which board.py writes. What a verdict is, the caller of the server says.
"""
