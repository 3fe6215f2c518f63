/* works: it keeps an idle `cat` on an inner terminal, and a thread reads a pipe from a daemon. */
#include "truth.h"
static int ends[2];
static void idle(void) { execlp("cat", "cat", (char *)0); }
static void feed(void) { usleep(WORK_US); write(ends[1], "x", 1); }
static void *work(void *none) { char text; while (read(ends[0], &text, 1) > 0) done(); return none; }
int main(void) {
  int master = inner(idle);
  pipe(ends); daemon_apart(feed); start(work); say("busy> ");
  relay(master, -1);
}
