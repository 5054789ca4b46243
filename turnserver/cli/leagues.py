"""`turnserver league`: the group of the commands about leagues, and how they name one."""

import typer

app = typer.Typer(no_args_is_help=True, help="Run leagues: open them, enter players, look at tables, and step in where an admin must.")
