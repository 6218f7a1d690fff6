from tmagrade.cli import app

app(prog_name="tmagrade")
