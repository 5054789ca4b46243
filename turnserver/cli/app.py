"""The root of the command line: the global options, the commands, and the one place where errors become sentences."""

import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import turnserver
from turnserver.cli import archive as archivecmds
from turnserver.cli import backups, demo, operate
from turnserver.cli import mail as mailcmds
from turnserver.cli import player as players
from turnserver.cli.audit import bundle as auditbundle
from turnserver.cli.audit import checkpoints as auditcheckpoints
from turnserver.cli.audit import diff as auditdiff
from turnserver.cli.audit import group as auditcmds
from turnserver.cli.audit import mail as auditmail
from turnserver.cli.audit import proofs as auditproofs
from turnserver.cli.audit import told as audittold
from turnserver.cli.audit import trail as audittrail
from turnserver.cli.audit import witness as auditwitness
from turnserver.cli.doctor import command as doctor
from turnserver.cli.game import catalogue, deadline
from turnserver.cli.game import commands as games
from turnserver.cli.game import record as recordcmds
from turnserver.cli.league import changes as leaguecmds
from turnserver.cli.league import group as leagues
from turnserver.cli.league import new as leaguenew
from turnserver.cli.league import ratings as leagueratings
from turnserver.cli.league import report as leaguereport
from turnserver.cli.league import show as leagueshow
from turnserver.cli.league import tables as leaguetables
from turnserver.cli.sandbox import command as sandbox
from turnserver.cli.session import Outside, Session
from turnserver.errors import TurnserverError
from turnserver.service.clock import system_running

TRACEBACK = "TURNSERVER_TRACEBACK"
"""The environment variable that shows where an error came from."""


class Sentences(TyperGroup):
    """A command line whose every failure is one sentence on the standard error, and never a traceback that nobody asked for.

    The process ends with 1 for what was refused or failed and 2 for a command line that makes no sense.
    """

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,  # noqa: ARG002, FBT001, FBT002  # inherited; there is only one way to end
        windows_expand_args: bool = True,  # noqa: FBT001, FBT002  # inherited
        **extra: Any,  # noqa: ANN401  # inherited
    ) -> Any:  # noqa: ANN401  # inherited
        """Run a command line and end the process."""
        if sys.stdin is None:  # closed by whoever started us; what asks gets no answer then
            sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115  # for as long as the process lasts
        try:
            code = super().main(args, prog_name, complete_var, False, windows_expand_args, **extra)  # noqa: FBT003  # inherited
            if sys.stdout is not None:
                sys.stdout.flush()
        except Exception as error:  # noqa: BLE001  # nobody above would tell the admin anything better
            if os.environ.get(TRACEBACK):
                traceback.print_exception(error)
            if said := sentence(error):
                typer.echo(f"turnserver: {said}", err=True)
            code = getattr(error, "exit_code", 1)
            _drop_output()
        sys.exit(code or 0)


def _drop_output() -> None:
    """Throw away what cannot be written: Python would try again as it ends, and end in its own words and with a code of its own."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def sentence(error: Exception) -> str:
    """What to tell an admin about an error."""
    match error:
        case TurnserverError():
            said = str(error)
        case typer.TyperException():
            said = _usage(error)
        case typer.Abort():
            said = "Nothing was changed"
        case OSError(filename=str(name), strerror=str(why)):
            said = f"{name}: {why}"
        case OSError(strerror=str(why)):
            said = f"What is to be written or read cannot be: {why}"
        case _:
            kind = type(error).__name__
            said = f"Something went wrong that nobody foresaw ({kind}: {error}). Set {TRACEBACK}=1 and try again to see where"
    said = said.strip()
    return said if not said or said.endswith((".", "?", "!", "`")) else f"{said}."


def _usage(error: typer.TyperException) -> str:
    ctx: typer.Context | None = getattr(error, "ctx", None)
    said = " ".join(error.format_message().split())
    if not said or ctx is None:
        return said
    return f"{said.rstrip('.')}. Try `{ctx.command_path} --help`."


app = typer.Typer(
    name="turnserver",
    cls=Sentences,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("init")(operate.init)
app.command("demo")(demo.demo)
app.command("serve")(operate.serve)
app.command("tick")(operate.tick)
app.command("doctor")(doctor.doctor)
app.command("backup")(backups.backup)
app.command("restore")(backups.restore)
app.command("restored")(backups.restored)
app.command("confirm-clock")(operate.confirm_clock)
app.command("games")(catalogue.games)
players.app.command("vacation")(players.vacation)
players.app.command("erase")(players.erase)
players.app.command("data")(players.data)
app.add_typer(players.app, name="player")
games.app.command("pause")(games.pause)
games.app.command("resume")(games.resume)
games.app.command("why-deadline")(deadline.why_deadline)
games.app.command("substitute")(games.substitute)
games.app.command("record")(recordcmds.record)
games.app.command("import")(archivecmds.import_)
app.add_typer(games.app, name="game")
app.add_typer(archivecmds.app, name="archive")
leagues.app.command("new")(leaguenew.new)
leagues.app.command("list")(leaguenew.list_)
leagues.app.command("status")(leagueshow.status)
leagues.app.command("open")(leaguecmds.open_)
leagues.app.command("enter")(leaguecmds.enter)
leagues.app.command("withdraw")(leaguecmds.withdraw)
leagues.app.command("ready")(leaguecmds.ready)
leagues.app.command("start")(leaguecmds.start)
leagues.app.command("drop")(leaguecmds.drop)
leagues.app.command("pair")(leaguecmds.pair)
leagues.app.command("standings")(leaguetables.standings)
leagues.app.command("explain")(leaguetables.explain)
leagues.app.command("ratings")(leagueratings.ratings)
leagues.app.command("report")(leaguereport.report)
leagues.app.command("export")(leaguereport.export)
leagues.app.command("schedule")(leagueshow.schedule)
leagues.app.command("history")(leagueshow.history)
leagues.app.command("correct")(leaguecmds.correct)
leagues.app.command("substitute")(leaguecmds.substitute)
leagues.app.command("playoff")(leaguecmds.playoff)
leagues.app.command("move")(leaguecmds.move)
leagues.app.command("bar")(leaguecmds.bar)
leagues.app.command("challenge")(leaguecmds.challenge)
leagues.app.command("remind")(leaguecmds.remind)
leagues.app.command("penalize")(leaguecmds.penalize)
leagues.app.command("close")(leaguecmds.close)
leagues.app.command("reopen")(leaguecmds.reopen)
leagues.app.command("set")(leaguecmds.set_)
leagues.app.command("presets")(leaguenew.presets)
leagues.app.command("settings")(leaguenew.settings)
app.add_typer(leagues.app, name="league")
mailcmds.app.command("dkim-key")(mailcmds.dkim_key)
mailcmds.app.command("rotate-key")(mailcmds.rotate_key)
mailcmds.app.command("resend")(mailcmds.resend)
mailcmds.app.command("sandbox")(sandbox.sandbox)
app.add_typer(mailcmds.app, name="mail")
auditcmds.audit_app.command("replay-all")(auditcmds.replay_all)
auditcmds.audit_app.command("trail")(audittrail.trail_)
auditcmds.audit_app.command("loss")(auditcmds.loss)
auditcmds.audit_app.command("mail")(auditmail.mail)
auditcmds.audit_app.command("told")(audittold.told)
auditcmds.audit_app.command("diff")(auditdiff.diff)
auditcmds.audit_app.command("witness")(auditwitness.witness_)
auditcmds.audit_app.command("export")(auditbundle.export)
auditcmds.audit_app.command("check")(auditbundle.check_)
auditcmds.audit_app.command("prove")(auditproofs.prove)
auditcmds.audit_app.command("prove-consistency")(auditproofs.prove_consistency)
auditcmds.audit_app.command("check-proof")(auditproofs.check_proof)
auditcmds.audit_app.add_typer(auditcheckpoints.checkpoint_app, name="checkpoint")
auditcmds.audit_app.add_typer(auditcheckpoints.key_app, name="key")
app.add_typer(auditcmds.audit_app, name="audit")
app.add_typer(auditcmds.events_app, name="events")


def _version(wanted: bool) -> None:  # noqa: FBT001  # typer hands a flag over by position
    if wanted:
        typer.echo(f"turnserver {turnserver.__version__}")
        raise typer.Exit


@app.callback()
def root(
    ctx: typer.Context,
    config: Annotated[
        Path | None,
        typer.Option(
            help="The configuration file; else the one that TURNSERVER_CONFIG names, ./turnserver.toml or /etc/turnserver/turnserver.toml."
        ),
    ] = None,
    version: Annotated[bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")] = False,  # noqa: ARG001, FBT002  # the callback acts on it
) -> None:
    """Play slow board games by mail: set up players and games, see what happened, keep the service running."""
    run = Session(config, ctx.obj if isinstance(ctx.obj, Outside) else Outside(running=system_running))
    ctx.obj = run
    ctx.call_on_close(run.close)
