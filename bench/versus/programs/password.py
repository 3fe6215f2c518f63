"""Asks for a password as every Python program does."""
import getpass

from stamp import stamp

stamp()
given = getpass.getpass("Password: ")
stamp()
print("granted" if given == "tr0ub4dor" else "denied")
