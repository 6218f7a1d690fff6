from tmagrade.commands.cli import app

app(prog_name="tmagrade")
