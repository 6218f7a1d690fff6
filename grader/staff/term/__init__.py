"""A course's term: who is in it, what was graded when, and what of it counts.

settings.py, roster.py and groups.py read what the instructor writes, which new_term.py begins; deadlines.py,
late_days.py and scores.py are arithmetic alone; store.py keeps what happened, and forgets nothing; left_out.py is what
gradings could not tell whose it is; sheet.py puts them together, and explanation.py says how; grade_book.py and
plain_sheet.py are what others take, and publishing.py compares that with what they have.
"""
