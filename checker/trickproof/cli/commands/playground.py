"""`trickproof playground -o DIR`: the prover in WebAssembly, with an editor, as static files."""

from __future__ import annotations

import sys
import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import click

from trickproof.cli.cache_options import cache_warnings
from trickproof.cli.console.output_file import prepare_folders, written_file
from trickproof.cli.console.printing import say
from trickproof.cli.shared_options import output_folder_option
from trickproof.english.inflection import counted
from trickproof.support.atomic_files import write_atomically


@click.command()
@output_folder_option
@click.option(
    "--report",
    metavar="LINK",
    help="Address of a report to link to, for browsers in which the prover cannot run.",
)
@click.option("--open", "open_", is_flag=True, help="Open it in a browser, and serve it there until Ctrl-C.")
def command(output: Path, report: str | None, open_: bool) -> None:
    """Write the playground: edit rules in a browser, and the prover answers in the tab.

    The folder holds static files for any web host. Text in the page leaves it only as a link that you copy. Once
    loaded, the page works without a network.

    npm and pip fetch Pyodide, the solver and the editor, in pinned versions with pinned digests; the cache folder keeps them.
    """
    from trickproof.playground.build import files
    from trickproof.playground.packages import FetchError, packages

    prepare_folders(output)
    try:
        with cache_warnings(), packages() as fetched:
            contents = files(fetched, report)
    except FetchError as why:
        raise click.ClickException(str(why)) from None
    for name, content in contents.items():
        with written_file(output / name, "-o"):
            (output / name).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(output / name, content)
    say(f"{counted(len(contents), 'file')} written; begin with {output / 'index.html'}")
    if open_:
        _served(output)


class _Files(SimpleHTTPRequestHandler):
    """Files of a folder; nothing is logged."""

    extensions_map = {  # noqa: RUF012 - as its base declares it
        **SimpleHTTPRequestHandler.extensions_map,
        ".wasm": "application/wasm",
        ".mjs": "text/javascript",
    }

    def log_message(self, format: str, *args: Any) -> None:
        pass


class StaticServer(ThreadingHTTPServer):
    """Serves the files of a folder to this machine only. A browser may disconnect before it has received them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), partial(_Files, directory=str(folder)))
        self.address = f"http://127.0.0.1:{self.server_port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def _served(folder: Path) -> None:
    """Until Ctrl-C. A browser in the terminal is waited for, and needs answers meanwhile."""
    with StaticServer(folder) as server:
        say(f"{server.address} (Ctrl-C ends it)")
        Thread(target=webbrowser.open, args=(server.address,), daemon=True).start()
        server.serve_forever()
