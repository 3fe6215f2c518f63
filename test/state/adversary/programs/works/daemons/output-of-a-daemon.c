/* works: it only reads the terminal, and a daemon that has kept the terminal prints. */
#include "truth.h"
static int terminal;
static void feed(void) { usleep(WORK_US); write(terminal, "done\r\n> ", 8); }
int main(void) {
  terminal = dup(1);
  daemon_apart(feed);
  read_on("busy> ");
}
