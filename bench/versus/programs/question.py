"""Asks without a newline, in words that no tool can know, and waits."""
import sys

from stamp import stamp

stamp()
sys.stdout.write("Delete 3 files? [y/N] ")
sys.stdout.flush()
answer = sys.stdin.readline().strip()
print("deleted" if answer == "y" else "kept")
