"""The display at a terminal: a screen that is drawn anew, or lines under each other.

The screen is for terminals. Lines serve pipes, tests, screen readers (`--plain`) and terminals
that can do no more.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Protocol

from joute.cli.output import behind, print_drawn
from joute.cli.playing.page import PageContent, Palette, length, page, palette
from joute.text import Line, harmless

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession

THINKING_SECONDS = 0.5  # a bot that answers sooner is not announced

MENU_LINES = 6  # of the completion menu, where there is room for it below the prompt


class Display(Protocol):
    """A terminal, as far as a game needs one."""

    palette: Palette

    def open(self) -> AbstractContextManager[None]:
        """Takes the terminal for a game; gives it back as it was."""

    def show(self, view: PageContent) -> None:
        """Shows a view while nobody is asked."""

    def ask(self, view: PageContent, prompt: str, words: list[str]) -> str:
        """The line that the person types. Raises EOFError if nothing more can come."""

    def clear(self) -> None:
        """Removes everything that was shown and typed, history and typeahead included."""


class Lines:
    """A display that prints everything once, below what was there: for any output."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self._title = ""
        self._board: list[Line] = []
        self._said = ""
        self._echo = not sys.stdin.isatty()

    def open(self) -> AbstractContextManager[None]:
        """The terminal stays as it is."""
        return nullcontext()

    def show(self, view: PageContent) -> None:
        """Prints who is waited for, if a person waits at a terminal."""
        watched = next((each for each in (sys.stdout, sys.stderr) if each.isatty()), None)
        if view.said and view.said != self._said and watched is not None:
            print(view.said, file=watched, flush=True)
        self._said = view.said

    def ask(self, view: PageContent, prompt: str, words: list[str]) -> str:
        """Prints what is new, and reads a line."""
        if view.title != self._title:
            self._title = view.title
            print(view.title)
        if view.board != self._board:
            self._board = view.board
            news = view.log[len(view.log) - view.fresh :]
            board = view.board
            if view.narrow and max(length(line) for line in board) > size()[0]:
                board = list(view.narrow)
            print_drawn(f"\n{self.palette.lines([*news, *board, *view.seats])}")
        for text in view.message:
            print(text)
        for line in view.offers:
            print_drawn(self.palette.paint(line))
        text = input(prompt)
        if self._echo:
            print(text)  # so that a transcript can be read
        return text

    def repeat(self) -> None:
        """Prints the board again the next time."""
        self._board = []

    def clear(self) -> None:
        """Prints as many blank lines as the terminal has."""
        from joute.cli import terminal

        print("\n" * size()[1])
        self._title, self._board = "", []
        if not self._echo:
            terminal.forget_keys()


class Screen:
    """A display on the terminal's other screen, with completion and history in its last line."""

    def __init__(self, palette: Palette) -> None:
        self.palette = palette
        self._prompt = self._new_prompt()

    def _new_prompt(self) -> PromptSession[str]:
        """A prompt that knows nothing of what was typed before."""
        from prompt_toolkit import PromptSession
        from prompt_toolkit.data_structures import Size
        from prompt_toolkit.history import InMemoryHistory
        from prompt_toolkit.output import ColorDepth
        from prompt_toolkit.output.vt100 import Vt100_Output
        from prompt_toolkit.shortcuts import CompleteStyle

        # The page starts at the top, so the terminal need not say where the cursor is.
        output = Vt100_Output(
            behind(sys.stdout),
            lambda: Size(*reversed(size())),
            os.environ.get("TERM"),
            enable_cpr=False,
        )
        depths = {0: ColorDepth.DEPTH_1_BIT, 16: ColorDepth.DEPTH_4_BIT}
        return PromptSession(
            history=InMemoryHistory(),
            output=output,
            color_depth=depths.get(self.palette.depth, ColorDepth.DEPTH_8_BIT),
            complete_style=CompleteStyle.MULTI_COLUMN,
            complete_while_typing=False,
            reserve_space_for_menu=0,
            erase_when_done=True,
        )

    @contextmanager
    def open(self) -> Iterator[None]:
        """The other screen, until the game is over."""
        from joute.cli import terminal

        with terminal.screen():
            yield

    def show(self, view: PageContent) -> None:
        """Draws the page, who is thinking in its last line."""
        from joute.cli import terminal

        width, height = size()
        lines = page(view, width, height - 2)
        terminal.show(self.palette.lines([*lines, [], [(f" {view.said}"[:width], "dim")]]))

    def ask(self, view: PageContent, prompt: str, words: list[str]) -> str:
        """Draws the page and reads a line below it; both are drawn anew after a resize."""
        from prompt_toolkit.completion import WordCompleter
        from prompt_toolkit.formatted_text import ANSI

        from joute.cli import terminal

        def text() -> ANSI:
            width, height = size()
            lines = page(view, width, height - 2)
            self._prompt.reserve_space_for_menu = max(min(height - len(lines) - 2, MENU_LINES), 0)
            return ANSI(self.palette.lines([*lines, []]) + f"\n {harmless(prompt)}")

        terminal.show("")
        return self._prompt.prompt(
            text, completer=WordCompleter(words, ignore_case=True, sentence=True)
        )

    def clear(self) -> None:
        """Blank the screen; the terminal's other screen keeps no lines that have gone by."""
        from prompt_toolkit.input.typeahead import clear_typeahead

        from joute.cli import terminal

        terminal.show("")
        terminal.forget_keys()
        clear_typeahead(self._prompt.app.input)
        self._prompt = self._new_prompt()


def make_display(plain: bool) -> Lines | Screen:
    """The display for this process's input and output."""
    dumb = os.environ.get("TERM", "") in {"", "dumb"}
    colours = palette(sys.stdout, os.environ, plain)
    if plain or dumb or not (sys.stdin.isatty() and sys.stdout.isatty()):
        return Lines(colours)
    return Screen(colours)


def size() -> tuple[int, int]:
    """Columns and lines of the terminal as they are now."""
    try:
        columns, lines = os.get_terminal_size(sys.stdout.fileno())
    except (OSError, ValueError):
        columns = lines = 0
    if columns and lines:
        return columns, lines
    columns, lines = shutil.get_terminal_size()
    return columns, lines


class Wait:
    """Calls a function once something has lasted; `make` is a timer of the standard library."""

    def __init__(
        self,
        seconds: float = THINKING_SECONDS,
        make: Callable[..., threading.Timer] = threading.Timer,
    ) -> None:
        self._seconds = seconds
        self._make = make
        self._timer: threading.Timer | None = None

    def start(self, function: Callable[[], None]) -> None:
        """Starts waiting, from the beginning if it waits already."""
        self.stop()
        self._timer = self._make(self._seconds, function)
        self._timer.daemon = True
        self._timer.start()

    def stop(self) -> None:
        """Stops waiting; afterwards the function is not called, nor still running."""
        if self._timer is not None:
            self._timer.cancel()
            if self._timer.is_alive():
                self._timer.join()
            self._timer = None
