/* works: it reads the terminal, and prints at the signal of a pipe that a daemon writes to. */
#include "truth.h"
static int ends[2];
static void feed(void) { usleep(WORK_US); write(ends[1], "x", 1); }
static void on_input(int signal) { char text; while (read(ends[0], &text, 1) > 0) done(); }
int main(void) {
  pipe(ends);
  signal(SIGIO, on_input);
  daemon_apart(feed);
  fcntl(ends[0], F_SETOWN, getpid());
  fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK);
  read_on("busy> ");
}
