"""`tmagrade release`: what students receive. contents.py is the list, texts.py cuts what is for instructors alone."""
