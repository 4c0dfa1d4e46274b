"""What can go wrong with a bot: fixed codes; and what goes wrong without it."""

from enum import StrEnum


class Fault(StrEnum):
    """Why a bot failed; what a fault costs is the contest's affair."""

    ILLEGAL = "illegal"
    """It answered something that is no legal action."""
    TIMEOUT = "timeout"
    """It used more than the time of a turn."""
    CRASH = "crash"
    """It raised an exception, or its process ended."""
    MEMORY = "memory"
    """It asked for more memory than its limit."""
    OUTPUT_LIMIT = "output-limit"
    """Its answer was longer than a line may be."""
    PROTOCOL = "protocol"
    """Its answer is not a message of the protocol."""
    SANDBOX = "sandbox"
    """It failed because its isolation refused it something."""
    START_UP = "start-up"
    """It was not ready to play in time, or at all."""
    INFRASTRUCTURE = "infrastructure"
    """The fault of this machine or program: never charged to a bot."""


class InfrastructureError(RuntimeError):
    """A failure of ours or of the machine, never charged to a bot: the game is to be replayed."""

    def __init__(self, reason: str, seats: tuple[int, ...] = ()) -> None:
        super().__init__(reason)
        self.seats = seats
        """Of the bots that were waited for."""
