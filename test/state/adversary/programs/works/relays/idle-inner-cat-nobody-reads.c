/* works: `cat` is idle on an inner terminal, and nobody reads ours: it waits for a worker. */
#include "truth.h"
static void idle(void) { execlp("cat", "cat", (char *)0); }
int main(void) {
  int master = inner(idle); say("busy> ");
  for (;;) { if (fork() == 0) { usleep(WORK_US); _exit(0); } wait(0); done(); }
}
