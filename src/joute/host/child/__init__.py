"""The child's side: runs a bot's Python file, or starts a program, under limits.

The folder is executed as `PYTHON -B -u -s FOLDER OPTIONS -- BOT` by any CPython from 3.8 on and
needs only its standard library. Nothing here imports the rest of Joute.
"""
