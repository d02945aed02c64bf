"""`trickproof playground -o DIR`: the prover in WebAssembly, with an editor, as static files."""

from __future__ import annotations

import webbrowser
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import click

from trickproof.cli.output_file import written_file
from trickproof.cli.printing import say
from trickproof.cli.shared_options import output_folder_option
from trickproof.english.inflection import counted
from trickproof.support.atomic_files import write_atomically


@click.command()
@output_folder_option
@click.option("--open", "open_", is_flag=True, help="Open it in a browser, and serve it there until Ctrl-C.")
def command(output: Path, open_: bool) -> None:
    """Write the playground: edit rules in a browser, and the prover answers in the tab.

    The folder holds static files for any web host. What is written in the page leaves it only as a link that its reader
    copies; once it was loaded, it works without a network.

    npm and pip fetch Pyodide, the solver and the editor, in pinned versions with pinned digests; the cache folder keeps them.
    """
    from trickproof.playground.build import files
    from trickproof.playground.packages import FetchError, packages

    try:
        contents = files(packages())
    except FetchError as why:
        raise click.ClickException(str(why)) from None
    for name, content in contents.items():
        with written_file(output / name, "-o"):
            (output / name).parent.mkdir(parents=True, exist_ok=True)
            write_atomically(output / name, content)
    say(f"{counted(len(contents), 'file')}: {output / 'index.html'}")
    if open_:
        _served(output)


class _Quiet(SimpleHTTPRequestHandler):
    """Files of a folder, to this machine alone; nothing is logged."""

    extensions_map = {  # noqa: RUF012 - as its base declares it
        **SimpleHTTPRequestHandler.extensions_map,
        ".wasm": "application/wasm",
        ".mjs": "text/javascript",
    }

    def log_message(self, format: str, *args: Any) -> None:
        pass


def _served(folder: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder))) as server:
        address = f"http://127.0.0.1:{server.server_port}/"
        say(f"{address} (Ctrl-C ends it)")
        webbrowser.open(address)
        server.serve_forever()
