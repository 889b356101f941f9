"""The shell around every command: errors become one line and an exit code, a closed pipe is no error."""

from __future__ import annotations

import io
import os
import signal
import socket
import sys
import threading
import time
from typing import IO, Any

import click

from mosaic_sql.errors import MosaicError

NO_ANSWER = 4
PARTLY_DONE = 5
INTERRUPTED = 130
GRACE = 1.0


class Failure(click.ClickException):
    """A MosaicError on its way out: one line on stderr and the error's exit code."""

    def __init__(self, error: MosaicError) -> None:
        super().__init__(" ".join(str(error).split()))
        self.exit_code = error.exit_code  # type: ignore[misc] # click declares it on the class

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"mosaic: {printable(self.message)}", file=file, err=file is None)


class Shell(click.Group):
    """The top group; the one place where what a command raises is turned into what a shell sees."""

    def main(self, *args: Any, **values: Any) -> Any:
        try:
            return super().main(*args, **values)
        except OSError as error:
            if error.filename is not None:  # that of a file, which its writer tells
                raise
            _forget_stdout()
            note(f"mosaic: the output cannot be written ({error.strerror}); send it where there is room")
            sys.exit(MosaicError.exit_code)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return self._written(ctx)
        except MosaicError as error:
            raise Failure(error) from error
        except KeyboardInterrupt:
            note("mosaic: interrupted")
            ctx.exit(INTERRUPTED)
        except BrokenPipeError:
            _forget_stdout()
            ctx.exit(0)

    def _written(self, ctx: click.Context) -> Any:
        """What a command gives, and all that it wrote has left."""
        try:
            result = super().invoke(ctx)
        except click.exceptions.Exit:
            sys.stdout.flush()
            raise
        sys.stdout.flush()
        return result


def note(text: str) -> None:
    """A line for the person at the terminal, on stderr."""
    click.echo(printable(text), err=True)


def printable(text: str) -> str:
    """`text` without control characters that could drive a terminal; line ends and tabs stay."""
    return "".join(char if char.isprintable() or char in "\n\t " else "\ufffd" for char in text)


def settle_streams() -> None:
    """Text in any script gets through, whatever the locale says."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            narrow = not stream.isatty() or stream.encoding.lower() in ("ascii", "us-ascii", "ansi_x3.4-1968")
            stream.reconfigure(encoding="utf-8" if narrow else None, errors="backslashreplace")


def watch_interrupts() -> None:
    """Let Ctrl-C end a statement, too: the engine keeps the main thread, where Python would raise, until it is done.

    The main thread has GRACE seconds to stop by itself. A file survives the exit as it survives a power cut.
    """
    heard, told = socket.socketpair()
    told.setblocking(False)
    signal.set_wakeup_fd(told.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_exit_after_signal, args=(heard, told), daemon=True).start()


def _exit_after_signal(heard: socket.socket, told: socket.socket) -> None:
    while signal.SIGINT not in heard.recv(1):
        pass
    time.sleep(GRACE)
    told.close()
    show_cursor = "\x1b[?25h" if sys.stderr.isatty() else ""  # a progress bar hides it
    os.write(2, f"{show_cursor}mosaic: interrupted\n".encode())
    os._exit(INTERRUPTED)


def _forget_stdout() -> None:
    """The reader had enough; what is still buffered goes nowhere, so that the exit stays quiet."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
