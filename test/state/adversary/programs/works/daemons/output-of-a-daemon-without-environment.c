/* works: it only reads the terminal. A daemon that has forgotten its environment prints there. */
#include "truth.h"
static int terminal;
static void forget(void) { dup2(terminal, 1); execle("/proc/self/exe", "feed", "x", (char *)0, (char *[]){0}); }
int main(int count, char **args) {
  if (count > 1) { for (int at = 0; at < 4; at++) { usleep(WORK_US); done(); } return 0; }
  terminal = dup(1); daemon_apart(forget);
  read_on("busy> ");
}
