"""Other people's players: bots by name, their processes, their clock. Knows no game's rules."""

from joute.host.content import content_hash
from joute.host.limits import BotLimits
from joute.host.names import BotError, BotSpec, parse_bot
from joute.host.process import HostedBot, command_for, program_command
from joute.host.protocol import Answer, Fault
from joute.host.sandbox import Granted, Level, granted

__all__ = [
    "Answer",
    "BotError",
    "BotLimits",
    "BotSpec",
    "Fault",
    "Granted",
    "HostedBot",
    "Level",
    "command_for",
    "content_hash",
    "granted",
    "parse_bot",
    "program_command",
]
