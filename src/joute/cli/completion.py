"""`joute completion SHELL`: the script that lets a shell complete command lines of Joute."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from joute.cli.usage import DONE, UsageFault
from joute.i18n.words import say

SCRIPTS = Path(__file__).parent / "shells"
SHELLS = ("bash", "zsh", "fish")


def completion(
    shell: Annotated[str, typer.Argument(metavar="|".join(SHELLS), help="help.completion.shell")],
) -> int:
    """The command; its help is in the catalogs."""
    if shell not in SHELLS:
        raise UsageFault(say("completion.shell", shell=shell, known=", ".join(SHELLS)))
    print((SCRIPTS / f"joute.{shell}").read_text("utf-8"), end="")
    return DONE


def described(command: Any) -> Mapping[str, Any]:
    """A command of Typer's and all below it, as `joute.cli.suggestions` reads it."""
    below = getattr(command, "commands", None)
    if below:
        return {"commands": {name: described(each) for name, each in below.items()}}
    options: dict[str, str] = {}
    arguments = []
    for each in command.params:
        name = each.metavar or each.name.upper()
        if each.param_type_name == "argument":
            arguments.append(name)
        else:
            value = "" if each.is_flag else name
            options |= dict.fromkeys((*each.opts, *each.secondary_opts), value)
    return {"arguments": arguments, "options": options}
