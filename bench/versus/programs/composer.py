"""
A message box as terminal programs for chat have it: Enter sends. Fast input is a paste, and in a
paste Enter is a new line: three characters within 8 ms begin one, 120 ms of silence end it.
Draws on the whole screen, or in place with the argument "inline".
"""
import os
import select
import sys
import termios
import time
import tty

from stamp import stamp

BURST_S = 0.008
SILENCE_S = 0.120
inline = "inline" in sys.argv
saved = termios.tcgetattr(0)
tty.setraw(0)
message = ""
sent = []
recent = []
paste_until = 0.0


def draw():
    shown = "".join("sent: %r\r\n" % one for one in sent) + "compose> " + message.replace("\n", "\r\n")
    os.write(1, ("\r\x1b[J" if inline else "\x1b[H\x1b[J").encode() + shown.encode())


os.write(1, b"\x1b[?2004h" if inline else b"\x1b[?1049h\x1b[?2004h")
draw()
stamp()
while not sent:
    data = os.read(0, 4096).decode(errors="replace")
    for start in ("\x1b[200~", "\x1b[201~"):
        data = data.replace(start, "")
    for char in data:
        moment = time.monotonic()
        recent = [one for one in recent if moment - one < BURST_S] + [moment]
        if len(recent) >= 3:
            paste_until = moment + SILENCE_S
        elif moment < paste_until:
            paste_until = moment + SILENCE_S
        if char not in "\r\n":
            message += char
        elif moment < paste_until:
            message += "\n"
        else:
            sent.append(message)
            message = ""
    draw()
# Sent: shown for a while, as a program would that goes on.
stamp()
select.select([0], [], [], 30)
os.write(1, b"\x1b[?2004l" if inline else b"\x1b[?2004l\x1b[?1049l")
termios.tcsetattr(0, termios.TCSADRAIN, saved)
