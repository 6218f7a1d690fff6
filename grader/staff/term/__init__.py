"""A course's term: who is in it, what was graded when, and what of it counts.

settings.py and roster.py read what the instructor writes, which new_term.py begins; deadlines.py, late_days.py and
scores.py are arithmetic alone; store.py keeps what happened, and forgets nothing; sheet.py puts them together, and
explanation.py says how; grade_book.py and plain_sheet.py are what others take, and publishing.py compares that
with what they have.
"""
