"""Every command of the program, in the order of help. The file of a command is imported when the command is called."""

from collections.abc import Mapping

from turnserver.cli.imported import Command, Noun

COMMANDS: Mapping[str, Command | Noun] = {
    "init": Command("operate:init", "Create the database, or bring it up to date; doing it again changes nothing."),
    "try": Command(
        "try_out:try_out", "Try everything on one page: mails as they will look on a phone, with buttons to tap and a box to answer them."
    ),
    "demo": Command("demo:demo", "Let two house players play a short game by mail, in seconds, and print one of the mails."),
    "serve": Command(
        "operate:serve",
        "Receive, handle and send mail and watch the clocks, until SIGTERM or SIGINT; then finish the work under way and stop.",
    ),
    "web": Noun(
        "Serve the pages and nothing else, until SIGTERM or SIGINT; then finish the requests under way and stop.",
        {"export": "web:export"},
        "operate:web",
    ),
    "tick": Command("operate:tick", "Do one round of everything that `serve` does and stop: for cron."),
    "status": Command(
        "status:status",
        "Show what waits for an admin: mail that is stuck, players out of reach, results to decide; and when the service last worked.",
    ),
    "doctor": Command(
        "doctor.command:doctor",
        "Check the configuration, the database, the mail server and the program's own files. Nothing is changed and nothing is sent.",
    ),
    "backup": Command(
        "backups:backup",
        "Copy the database into one compressed file while the service runs, and read it back. A file that is not sound is not kept.",
    ),
    "restore": Command("backups:restore", "Put a backup in the place of the database while no service runs. The backup is checked first."),
    "restored": Command(
        "backups:restored",
        "Say that the database was put back by other means, such as pg_restore or Litestream, before the service runs on it.",
    ),
    "confirm-clock": Command(
        "operate:confirm_clock",
        "Confirm that the clock of this machine is right, when the service has stopped because it doubts that.",
    ),
    "games": Command("game.catalogue:games", "List the games that can be played, or show one with its options."),
    "player": Noun(
        "Make, list and change players' accounts.",
        {
            "add": "player.commands:add",
            "import": "player.importing:import_",
            "list": "player.list:list_",
            "show": "player.commands:show_",
            "set": "player.commands:set_",
            "vacation": "player.commands:vacation",
            "data": "player.commands:data",
            "erase": "player.commands:erase",
        },
    ),
    "game": Noun(
        "Open games, look at them, and step in where an admin must.",
        {
            "open": "game.commands:open_",
            "list": "game.list:list_",
            "show": "game.commands:show_",
            "set": "game.commands:set_",
            "board": "game.commands:board",
            "history": "game.commands:history",
            "replay": "game.commands:replay",
            "record": "game.record:record",
            "why-deadline": "game.deadline:why_deadline",
            "pause": "game.commands:pause",
            "resume": "game.commands:resume",
            "credit": "game.commands:credit",
            "substitute": "game.commands:substitute",
            "retract": "game.commands:retract",
            "result": "game.commands:result",
            "cancel": "game.commands:cancel",
            "import": "archive:import_",
        },
    ),
    "archive": Noun(
        "Look at games that were imported from records.",
        {
            "list": "archive:list_",
            "show": "archive:show_",
            "record": "archive:record",
            "link": "archive:link",
            "forget": "archive:forget",
        },
    ),
    "league": Noun(
        "Run leagues: open them, enter players, look at tables, and step in where an admin must.",
        {
            "add": "league.new:add",
            "list": "league.list:list_",
            "show": "league.show:show_",
            "open": "league.entries:open_",
            "enter": "league.entries:enter",
            "withdraw": "league.entries:withdraw",
            "ready": "league.entries:ready",
            "start": "league.entries:start",
            "drop": "league.entries:drop",
            "pair": "league.changes:pair",
            "standings": "league.tables:standings",
            "explain": "league.tables:explain",
            "ratings": "league.ratings:ratings",
            "report": "league.report:report",
            "export": "league.report:export",
            "schedule": "league.show:schedule",
            "history": "league.show:history",
            "result": "league.results:result",
            "substitute": "league.changes:substitute",
            "playoff": "league.results:playoff",
            "move": "league.changes:move",
            "bar": "league.changes:bar",
            "bye": "league.changes:bye",
            "extend": "league.changes:extend",
            "challenge": "league.changes:challenge",
            "remind": "league.changes:remind",
            "penalize": "league.changes:penalize",
            "close": "league.changes:close",
            "reopen": "league.changes:reopen",
            "set": "league.changes:set_",
            "presets": "league.new:presets",
            "settings": "league.new:settings",
        },
    ),
    "mail": Noun(
        "Look at the inbox and the outbox, retry mails, and receive a mail from a pipe.",
        {
            "receive": "mail.group:receive",
            "inbox": Noun(
                "Look at incoming mails, and handle failed ones again.",
                {"list": "mail.inbox:list_", "show": "mail.inbox:show_", "retry": "mail.inbox:retry"},
            ),
            "outbox": Noun(
                "Look at outgoing mails, and send failed ones again.",
                {"list": "mail.outbox:list_", "show": "mail.outbox:show_", "retry": "mail.outbox:retry"},
            ),
            "resend": "mail.group:resend",
            "dkim-key": "mail.keys:dkim_key",
            "rotate-key": "mail.keys:rotate_key",
        },
    ),
    "audit": Noun(
        "Prove that nothing in the log was changed.",
        {
            "verify": "audit.group:verify",
            "replay-all": "audit.group:replay_all",
            "trail": "audit.trail:trail_",
            "loss": "audit.group:loss",
            "mail": "audit.mail:mail",
            "told": "audit.told:told",
            "diff": "audit.diff:diff",
            "witness": "audit.witness:witness_",
            "export": "audit.bundle:export",
            "check": "audit.bundle:check_",
            "prove": "audit.proofs:prove",
            "prove-consistency": "audit.proofs:prove_consistency",
            "check-proof": "audit.proofs:check_proof",
            "checkpoint": Noun(
                "Make checkpoints, which sign the state of the log, and compare the log with them.",
                {
                    "add": "audit.checkpoints:add",
                    "list": "audit.checkpoints:list_",
                    "show": "audit.checkpoints:show_",
                    "verify": "audit.checkpoints:verify",
                },
            ),
            "key": Noun(
                "Make and show the keys that sign checkpoints.",
                {"add": "audit.checkpoints:key_new", "show": "audit.checkpoints:key_show"},
            ),
        },
    ),
    "events": Noun(
        "Check and generate the catalogue of events.",
        {"check": "audit.group:check_catalogue", "write": "audit.group:write"},
    ),
}
