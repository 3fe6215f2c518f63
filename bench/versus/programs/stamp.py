"""Writes down the moment: what a caller is measured against."""
import os
import time


def stamp():
    with open(os.environ["STAMP"], "a") as file:
        file.write("%.6f\n" % time.time())
