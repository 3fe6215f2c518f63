"""For a Python REPL: its prompt writes down when it is printed."""
import sys

from stamp import stamp


class Prompt:
    def __str__(self):
        stamp()
        return ">>> "


sys.ps1 = Prompt()
