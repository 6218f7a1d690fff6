"""The page on which a course's staff reads what was handed in: desk.py has what there is to be read and keeps what is
said of it; server.py gives it to a browser on this machine, and to nobody else; page/ is what the browser runs."""
