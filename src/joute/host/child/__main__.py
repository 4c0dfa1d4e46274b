"""Entered when the folder is executed: makes it a package of a private name, then serves.

A bot may have siblings called `errors` or `serve`; ours are `joute_child.errors`, and this folder
is not in the path when the bot is imported.
"""

import importlib
import importlib.util
import os
import sys

FOLDER = os.path.dirname(os.path.abspath(__file__))


def main() -> None:
    """Loads the package from this folder and hands over to `serve.main`."""
    # `-B` is for the bot's folder; our own modules may keep their compiled form.
    sys.dont_write_bytecode = False
    sys.path[:] = [entry for entry in sys.path if os.path.abspath(entry) != FOLDER]
    spec = importlib.util.spec_from_file_location(
        "joute_child",
        os.path.join(FOLDER, "__init__.py"),
        submodule_search_locations=[FOLDER],
    )
    if spec is None or spec.loader is None:
        raise SystemExit("cannot load " + FOLDER)
    package = importlib.util.module_from_spec(spec)
    sys.modules["joute_child"] = package
    spec.loader.exec_module(package)
    importlib.import_module("joute_child.serve").main(sys.argv[1:])


main()
