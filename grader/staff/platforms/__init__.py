"""What a class comes from, and where its grades and its feedback go: a module a platform.

find.py sees which of them a folder is from, and downloads.py where it holds several; first_roster.py reads whom a
platform has in the course; feedback_zip.py packs feedback under the names that a platform gave. Canvas can be asked
itself: canvas_api.py is how, canvas_course.py what, and canvas_hand_ins.py fetches a class's files.
"""
